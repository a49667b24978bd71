"""Laws of the timeline that hold for any evidence."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from hypothesis import given, settings
from hypothesis import strategies as st

from muniment.engine.resolve.timeline import Timeline, timeline
from muniment.graph_schema.ids import AssertionId, EntityId, FactId
from muniment.graph_schema.places import BOTH_WAYS, paired_slot, places_of
from muniment.graph_schema.records import Assertion, Says
from muniment.graph_schema.temporal import from_ms

DAY_ZERO = from_ms(1_700_000_000_000)
PAIRS = (("n_a", "n_b"), ("n_a", "n_c"), ("n_b", "n_c"), ("n_c", "n_d"))
days = st.integers(min_value=0, max_value=8).map(lambda n: DAY_ZERO + timedelta(days=n))


@st.composite
def evidence(draw: st.DrawFn) -> list[Assertion]:
    """Up to eight assertions about a few claims, times close enough to collide: all of one slot, or each of two."""
    made = []
    paired = draw(st.booleans())
    for number in range(draw(st.integers(min_value=0, max_value=8))):
        start, end = draw(st.none() | days), draw(st.none() | days)
        if start and end and end < start:
            start, end = end, start
        subject, object_ = (
            draw(st.sampled_from(PAIRS)) if paired else ("n_s", draw(st.sampled_from(("n_a", "n_b", "n_c"))))
        )
        made.append(
            Assertion(
                id=AssertionId(f"a_{number}"),
                slot=paired_slot("g", EntityId(subject)) if paired else "s",
                claim=f"{BOTH_WAYS}r|{subject}|{object_}" if paired else object_,
                says=draw(st.sampled_from(Says)),
                subject=EntityId(subject),
                relation="r",
                object=EntityId(object_),
                valid_from=start,
                valid_to=end,
                told_at=draw(days),
                recorded_at=draw(days),
                confidence=draw(st.sampled_from((0.4, 0.9, 1.0))),
                rank=draw(st.sampled_from((0, 2))),
            )
        )
    return made


def overlaps(line: Timeline) -> list[tuple[FactId, FactId]]:
    live = [s for s in line.stretches if not s.denied]
    return [
        (one.id, two.id)
        for i, one in enumerate(live)
        for two in live[i + 1 :]
        if not set(places_of(one.supporters[0])).isdisjoint(places_of(two.supporters[0]))
        and (one.end is None or two.start < one.end)
        and (two.end is None or one.start < two.end)
        and one.start != one.end
        and two.start != two.end
    ]


@given(evidence(), st.randoms())
def test_order_of_the_evidence_does_not_matter(told: list[Assertion], random: object) -> None:
    shuffled = list(told)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert timeline(shuffled) == timeline(told)


@settings(max_examples=400)
@given(evidence())
def test_stretches_overlap_only_where_they_name_each_other(told: list[Assertion]) -> None:
    line = timeline(told)
    conflicts = {s.id: s.conflicts_with for s in line.stretches}
    assert [pair for pair in overlaps(line) if pair[1] not in conflicts[pair[0]]] == []


@given(evidence())
def test_each_stretch_has_an_id_of_its_own_and_bounds_in_order(told: list[Assertion]) -> None:
    line = timeline(told)
    assert len({s.id for s in line.stretches}) == len(line.stretches)
    assert all(s.end is None or s.start <= s.end for s in line.stretches)


@given(evidence(), st.data())
def test_withdrawing_and_restoring_is_the_identity(told: list[Assertion], data: st.DataObject) -> None:
    out = data.draw(st.sets(st.sampled_from(range(len(told))))) if told else set()
    withdrawn = [replace(a, withdrawn_at=DAY_ZERO) if i in out else a for i, a in enumerate(told)]
    assert timeline(withdrawn) == timeline([a for i, a in enumerate(told) if i not in out])
    assert timeline([replace(a, withdrawn_at=None) for a in withdrawn]) == timeline(told)


@given(evidence())
def test_a_rejected_claim_never_holds(told: list[Assertion]) -> None:
    rejected = {a.claim for a in told if a.says is Says.REJECTED}
    assert {s.claim for s in timeline(told).stretches if not s.denied} & rejected == set()


@given(evidence())
def test_what_no_slot_joins_has_no_say(told: list[Assertion]) -> None:
    whole = timeline(told)
    for slot in {place for a in told for place in places_of(a)}:
        near = _joined(slot, told)
        assert timeline(near).stretches == tuple(
            s for s in whole.stretches if {a.id for a in s.supporters} <= {a.id for a in near}
        )


def _joined(slot: str, told: list[Assertion]) -> list[Assertion]:
    """The assertions of the slots that are reached from this one through claims in two slots."""
    places = {slot}
    while grown := {p for a in told if not places.isdisjoint(places_of(a)) for p in places_of(a)} - places:
        places |= grown
    return [a for a in told if not places.isdisjoint(places_of(a))]
