"""Which sentence takes which one's place: what speaks for it, and what must not be taken for a change."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from muniment.engine.extract.change.kept import CORRECTED, SUCCESSOR, KeptNote, Succession
from muniment.engine.extract.change.notes import SentenceReading, sentence_from_json, sentence_to_json
from muniment.engine.resolve.sentence_corrections import corrections
from muniment.engine.resolve.succession import Names, Rarity, Told, follow_ups, successions, told_of
from muniment.graph_schema.ids import EpisodeId

MAY = datetime(2026, 5, 4, tzinfo=UTC)
NAMES = Names(people=frozenset({"ana", "tom", "kim"}))
OLD = SentenceReading(
    start=0, end=9, names=("harbour", "ana"), relations=frozenset({"care"}), words=frozenset({"look"}), masked="a"
)
NEW = SentenceReading(
    start=0, end=9, names=("harbour", "tom"), relations=frozenset({"care"}), words=frozenset({"take"}), changes=True,
    masked="b",
)  # fmt: skip


def note(id: str, days: int, *sentences: SentenceReading, speaker: str = "") -> list[Told]:
    kept = KeptNote(episode=EpisodeId(id), told_at=MAY + timedelta(days=days), sentences=sentences, speaker=speaker)
    return told_of(kept)


def compared(old: SentenceReading, new: SentenceReading, name: str = "harbour", *, days: int = 5) -> list[Succession]:
    one, other = note("e1", 0, old)[0], note("e2", days, new)[0]
    return successions([(name, one, other)], NAMES, Rarity([one, other]), lambda a, b: 0.0)


def test_a_new_value_of_the_same_relation_takes_the_place_and_says_why() -> None:
    (found,) = compared(OLD, replace(NEW, words=frozenset({"look"})))
    assert (found.old, found.new, found.relation) == (("e1", 0), ("e2", 0), "care")
    assert found.since == MAY + timedelta(days=5)
    assert found.parts == {"relation": 0.45, "words": 0.6, "cue": 0.25, "alike": 0.0}


@pytest.mark.parametrize(
    "changed",
    [
        {"relations": frozenset({"place"})},
        {"names": ("harbour", "ana")},
        {"doubtful": True},
        {"past": True},
        {"changes": False},
        {"names": ("ferry", "tom")},
    ],
    ids=["another relation", "the same value", "hearsay", "the past", "no cue", "another subject"],
)
def test_what_is_no_change_closes_nothing(changed: dict[str, Any]) -> None:
    assert compared(OLD, replace(NEW, words=OLD.words))
    name = "harbour" if "ferry" not in changed.get("names", ()) else "ana"
    assert compared(OLD, replace(NEW, words=frozenset({"other"}), **changed), name) == []


def test_a_list_is_replaced_as_far_as_it_is_named() -> None:
    old = replace(OLD, names=("harbour", "ana", "kim"), listed=("ana", "kim"), words=frozenset({"board"}))
    (some,) = compared(old, replace(NEW, names=("harbour", "tom", "ana"), words=frozenset({"board"})))
    (whole,) = compared(old, replace(NEW, names=("harbour", "tom"), words=frozenset({"board"})))
    assert (some.in_part, whole.in_part) == (True, False)


@pytest.mark.parametrize(
    "changed",
    [
        {"owning": ("harbour",)},
        {"relations": frozenset({"place"}), "names": ("harbour", "quay")},
        {"relations": frozenset({"supply"}), "names": ("harbour", "quay"), "changes": False},
    ],
    ids=["its warehouse", "no word of place", "one more firm"],
)
def test_what_is_said_beside_a_name_replaces_nothing_of_it(changed: dict[str, Any]) -> None:
    old = replace(OLD, names=("harbour", "ana") if "owning" in changed else ("harbour", "ferry"))
    old = replace(old, relations=changed.get("relations", OLD.relations))
    plain = {key: value for key, value in changed.items() if key not in ("owning", "changes")}
    words = old.words if "owning" not in changed else frozenset({"store"})
    assert compared(old, replace(NEW, words=old.words, placed=("quay",), **plain))
    placed = ("quay",) if changed.get("changes") is False else ()
    assert compared(old, replace(NEW, words=words, **{"placed": placed, **changed})) == []


def test_a_sentence_is_not_closed_for_words_of_the_one_before_it() -> None:
    before = replace(OLD, names=("harbour", "ana"), words=frozenset({"partner", "charge"}))
    other = replace(
        OLD,
        start=10,
        end=19,
        names=("ferry", "kim"),
        around=("harbour",),
        relations=frozenset(),
        words=frozenset({"subsidiary"}),
    )
    news = replace(NEW, words=frozenset({"partner", "charge"}))
    told, (later,) = note("e1", 0, before, other), note("e2", 5, news)
    pairs = [("harbour", one, later) for one in told]
    found = successions(pairs, NAMES, Rarity([*told, later]), lambda a, b: 2.0)
    assert [one.old for one in found] == [("e1", 0)]


def test_an_earlier_note_closes_a_later_one_only_if_it_says_since_when() -> None:
    later = replace(NEW, words=OLD.words, since=MAY + timedelta(days=30))
    assert compared(OLD, later, days=-3) == []
    (found,) = compared(OLD, replace(later, starts=True), days=-3)
    assert found.since == MAY + timedelta(days=30)


def test_of_two_that_replace_a_third_the_later_follows_the_earlier() -> None:
    first, second, third = ((EpisodeId(id), 0) for id in ("e1", "e2", "e3"))
    one = Succession(
        old=first,
        new=third,
        since=MAY + timedelta(days=9),
        rule=SUCCESSOR,
        strength=0.9,
        relation="care",
        name="harbour",
    )
    (further,) = follow_ups([one, replace(one, new=second, since=MAY + timedelta(days=4))])
    assert (further.old, further.new, further.since) == (second, third, MAY + timedelta(days=9))


def test_a_correction_finds_the_note_of_the_day_it_names_and_takes_hearsay_whole() -> None:
    rumour = note("e1", 0, replace(OLD, doubtful=True, masked="it seems"), replace(OLD, doubtful=True), speaker="Kim")
    other = note("e2", 1, replace(OLD, words=frozenset({"other"})))
    right = note("e3", 3, replace(NEW, names=("harbour",), corrects=True, days=frozenset({4})), speaker="Kim")
    found = corrections(right, [*rumour, *other], Rarity([*rumour, *other, *right]), lambda a, b: 0.0)
    assert [(one.old, one.since, one.rule) for one in found] == [(("e1", at), None, CORRECTED) for at in (0, 1)]
    assert corrections(note("e3", 3, NEW), rumour, Rarity(rumour), lambda a, b: 0.0) == []


def test_a_sentence_is_kept_as_it_was_read() -> None:
    full = replace(
        NEW, meant=("kim",), around=("ferry",), amounts=frozenset({"12"}), dates=frozenset({"1may"}), corrects=True,
        days=frozenset({4}), since=MAY, starts=True, row=True, doubtful=True, past=True, denies=True, placed=("quay",), owning=("kim",), listed=("ana",),
    )  # fmt: skip
    assert sentence_from_json(sentence_to_json(full)) == full
    assert sentence_from_json(sentence_to_json(OLD)) == OLD
