from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from muniment.engine.rank.diversity import fold_copies

TEXTS = {
    "a": "lease four month notice period",
    "b": "period notice four lease month",
    "c": "lease four month notice price",
    "d": "short text",
    "e": "short text",
}


def test_same_words_fold_into_the_better_one_and_are_counted() -> None:
    kept, copies = fold_copies("abc", words=TEXTS.__getitem__, same=0.98, group=lambda _: "")

    assert (kept, copies) == (["a", "c"], {0: ["b"]})


def test_a_lower_bar_folds_more() -> None:
    kept, copies = fold_copies("abc", words=TEXTS.__getitem__, same=0.6, group=lambda _: "")

    assert (kept, copies) == (["a"], {0: ["b", "c"]})


def test_memories_of_different_kinds_are_no_copies() -> None:
    kept, _ = fold_copies("ab", words=TEXTS.__getitem__, same=0.98, group=lambda item: item)

    assert kept == ["a", "b"]


def test_very_short_texts_are_left_alone() -> None:
    kept, _ = fold_copies("de", words=TEXTS.__getitem__, same=0.98, group=lambda _: "")

    assert kept == ["d", "e"]


@given(texts=st.lists(st.lists(st.sampled_from("abcdefghij"), max_size=9).map(" ".join), max_size=12))
def test_only_comparing_what_can_be_alike_misses_no_copy(texts: list[str]) -> None:
    places = list(range(len(texts)))
    kept, copies = fold_copies(places, words=texts.__getitem__, same=0.6, group=lambda _: "")

    by_comparing_all: list[int] = []
    for place in places:
        bag = set(texts[place].split())
        others = [set(texts[other].split()) for other in by_comparing_all]
        if not any(min(len(bag), len(o)) >= 4 and len(bag & o) >= 0.6 * len(bag | o) for o in others):
            by_comparing_all.append(place)
    assert kept == by_comparing_all
    assert sorted([*kept, *(copy for found in copies.values() for copy in found)]) == places
