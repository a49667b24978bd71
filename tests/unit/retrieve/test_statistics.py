from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.engine.ports.search import IndexEntry
from muniment.engine.retrieve.statistics import (
    Indexed,
    StatisticsDelta,
    TenantStatistics,
    delta_document,
    delta_for,
    fold,
    group_of,
)
from muniment.graph_schema.records import Document, EpisodeKind, Kind
from tests.builders import episode

AT = datetime(2026, 3, 1, tzinfo=UTC)
MODEL = "model-a"


def row(id: str, words: str, *, vector: Sequence[float] | None = None, group: str = "note", wall: str = "") -> Indexed:
    vectors = {MODEL: np.array([vector], dtype=np.float32)} if vector else {}
    return Indexed(entry=IndexEntry(kind=Kind.EPISODE, id=id, words=words, vectors=vectors), group=group, wall=wall)


def documents(*deltas: StatisticsDelta) -> list[Document]:
    return [delta_document(delta, seq=i + 1, at=AT) for i, delta in enumerate(deltas)]


def read(rows: Sequence[Document]) -> TenantStatistics:
    out = TenantStatistics()
    for document in rows:
        out.apply(document)
    return out


def test_rare_words_weigh_more_than_common_ones() -> None:
    view = read(documents(delta_for([row("a", "lease client"), row("b", "client"), row("c", "client")]))).seen_from()

    assert view.frequency("client") == 3
    assert view.idf("unheard") > view.idf("lease") > view.idf("client") > 0


def test_removing_what_was_added_leaves_nothing() -> None:
    rows = [row("a", "lease client", vector=[1, 0]), row("b", "lease", vector=[0, 1])]

    view = read(documents(delta_for(rows), delta_for([], rows))).seen_from()

    assert view.documents == 0
    assert view.frequency("lease") == 0
    assert view.fingerprints == frozenset()


def test_words_behind_a_wall_count_only_for_those_inside() -> None:
    statistics = read(documents(delta_for([row("a", "lease"), row("b", "merger", wall="deal-9")])))

    assert statistics.seen_from().frequency("merger") == 0
    assert statistics.seen_from(frozenset({"deal-9"})).frequency("merger") == 1


def test_average_length_is_kept_by_kind() -> None:
    view = read(
        documents(delta_for([row("a", "one two"), row("b", "one two three four", group="message")]))
    ).seen_from()

    assert (view.average_length("note"), view.average_length("message"), view.average_length("tool")) == (2, 4, 3)


def test_mean_cosine_is_that_of_all_that_was_told_and_that_of_a_held_kind_once_it_is_large() -> None:
    notes = [row(f"n{i}", "x", vector=[1, 0]) for i in range(1000)]
    chats = [row(f"m{i}", "x", vector=[0, 1], group="message") for i in range(3000)]
    facts = [row(f"f{i}", "x", vector=[1, 0], group="fact") for i in range(1000)]
    skills = [row("s", "x", vector=[1, 0], group="skill")]
    view = read(documents(delta_for(notes), delta_for(chats), delta_for([*facts, *skills]))).seen_from()
    query = np.array([1, 0], dtype=np.float32)

    for told in ("note", "message", "message|single", "document"):
        assert view.mean_cosine(MODEL, query, told) == pytest.approx(0.25, abs=0.01)
    assert view.mean_cosine(MODEL, query, "fact") == pytest.approx(1, abs=0.01)
    assert view.mean_cosine(MODEL, query, "skill") == pytest.approx(0.4, abs=0.1)  # one says little
    assert view.mean_cosine("another model", query, "note") == 0


def test_a_memory_of_several_parts_counts_once() -> None:
    entry = IndexEntry(kind=Kind.EPISODE, id="a", words="x", vectors={MODEL: np.eye(2, dtype=np.float32)})
    view = read(documents(delta_for([Indexed(entry=entry, group="note")]))).seen_from()

    assert view.mean_cosine(MODEL, np.array([1, 0], dtype=np.float32), "note") == pytest.approx(0.5)


def test_chinese_and_other_texts_are_counted_apart() -> None:
    english = [row(f"e{i}", "boiler mill", vector=[0, 1]) for i in range(40)]
    chinese = [row(f"c{i}", "锅炉 炉房 房检 检修", vector=[1, 0]) for i in range(40)]
    named = [row("n", "account of 张伟 was closed again", vector=[0, 1])]
    view = read(documents(delta_for([*english, *chinese, *named]))).seen_from()
    query = np.array([1, 0], dtype=np.float32)

    assert view.groups() == {"note": 81}
    assert (view.average_length("note", han=True), round(view.average_length("note"), 1)) == (4, 2.1)
    assert view.mean_cosine(MODEL, query, "note", han=True) == pytest.approx(1)
    assert view.mean_cosine(MODEL, query, "note") == pytest.approx(0)
    # How rare a word is in one language does not depend on how much there is in another; what only the other has counts there.
    alone = read(documents(delta_for(chinese))).seen_from()
    assert view.idf("锅炉", han=True) == alone.idf("锅炉") == alone.idf("锅炉", han=True) < view.idf("锅炉")
    assert view.idf("锅炉", han=False) == view.idf("锅炉")
    assert view.languages() == {True, False}


def test_mails_are_counted_apart_from_turns_and_told_as_messages() -> None:
    turn = episode(kind=EpisodeKind.MESSAGE, thread="t")
    mail = episode(kind=EpisodeKind.MESSAGE, thread="")
    rows = [row("a", "one two three four", group=group_of(mail)), row("b", "one two", group=group_of(turn))]
    view = read(documents(delta_for(rows))).seen_from()

    assert (view.average_length(group_of(mail)), view.average_length(group_of(turn))) == (4, 2)
    assert view.groups() == {"message": 2}


_rows = st.lists(
    st.builds(
        row,
        st.text("ab", min_size=1),
        st.lists(st.sampled_from(["ein", "zwei", "drei"]), max_size=5).map(" ".join),
        vector=st.sampled_from([None, [1.0, 0.0], [0.6, 0.8]]),
        group=st.sampled_from(["note", "message", "fact"]),
        wall=st.sampled_from(["", "w"]),
    ),
    max_size=6,
)


@given(writes=st.lists(_rows, min_size=1, max_size=5), cut=st.integers(1, 5))
def test_folded_documents_tell_the_same_to_every_reader(writes: list[list[Indexed]], cut: int) -> None:
    rows = [
        Document(kind=d.kind, id=d.id, seq=d.seq, created_at=AT, body=json.loads(json.dumps(d.body)))
        for d in documents(*[delta_for(w) for w in writes])
    ]
    cut = min(cut, len(rows))
    whole = read(rows)
    fresh = read([fold(rows[:cut]), *rows[cut:]])
    behind = read(rows[: cut - 1])  # had read some of the folded ones before
    for document in [fold(rows[:cut]), *rows[cut:]]:
        if document.seq > behind.seq:
            behind.apply(document)

    for walls in (frozenset[str](), frozenset({"w"})):
        views = [s.seen_from(walls) for s in (whole, fresh, behind)]
        for word in ("ein", "zwei", "drei"):
            assert len({view.frequency(word) for view in views}) == 1
        assert len({view.average_length("note") for view in views}) == 1
        query = np.array([0.6, 0.8], dtype=np.float32)
        means = [view.mean_cosine(MODEL, query, "note") for view in views]
        assert means == pytest.approx([means[0]] * 3, abs=1e-5)
