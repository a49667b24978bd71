"""What is true when: every kind of assertion, one slot at a time."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest

from muniment.engine.resolve.statements import RANK_DECIDED
from muniment.engine.resolve.timeline import BEGINNING, INSTANT, Rule, Timeline, timeline
from muniment.graph_schema.records import Says

from .assertions import day, says


def held(line: Timeline) -> list[tuple[str, datetime, datetime | None]]:
    return [(s.claim, s.start, s.end) for s in line.stretches if not s.denied]


def rules(line: Timeline) -> list[Rule]:
    return [d.rule for d in line.disputes]


def test_later_value_closes_the_earlier_where_it_begins() -> None:
    line = timeline([says("alder", since="2024-03-01"), says("birch", since="2024-05-01")])
    assert held(line) == [("alder", day("2024-03-01"), day("2024-05-01")), ("birch", day("2024-05-01"), None)]
    alder, birch = line.stretches
    assert alder.superseded_by == birch.id
    assert alder.closing is not None
    assert alder.closing.rule is Rule.SUCCESSOR
    assert alder.closing.by == (birch.supporters[0].id,)


def test_late_told_older_value_ends_where_the_known_one_began() -> None:
    lyon = says("lyon", since="2025-06-01", told="2025-07-01")
    graz = says("graz", since="2024-01-01", told="2026-01-01")
    assert held(timeline([lyon, graz])) == [
        ("graz", day("2024-01-01"), day("2025-06-01")),
        ("lyon", day("2025-06-01"), None),
    ]


def test_value_that_returns_gets_an_interval_of_its_own() -> None:
    line = timeline(
        [says("acme", since="2020-01-01"), says("beta", since="2022-01-01"), says("acme", since="2024-01-01")]
    )
    assert [claim for claim, _, _ in held(line)] == ["acme", "beta", "acme"]
    assert held(line)[-1][2] is None


def test_undated_values_are_ordered_by_when_they_were_told() -> None:
    line = timeline([says("email", told="2024-02-01"), says("phone", told="2024-01-01")])
    assert held(line) == [("phone", day("2024-01-01"), day("2024-02-01")), ("email", day("2024-02-01"), None)]


def test_undated_values_told_at_one_time_are_ordered_by_when_we_heard() -> None:
    line = timeline([says("a", heard="2024-01-03"), says("b", heard="2024-01-02")])
    assert [(c, e) for c, _, e in held(line)] == [("b", day("2024-01-01")), ("a", None)]


@pytest.mark.parametrize(
    ("other", "reviewed"),
    [
        ({"episode": "e2", "heard": "2024-01-03"}, True),
        ({"episode": "e2"}, False),  # one write is in the order in which it was said
        ({"episode": "e1", "heard": "2024-01-03"}, False),  # one text, read again
        ({"heard": "2024-01-03"}, False),  # a record that was set again, by nobody's words
        ({"episode": "e2", "heard": "2024-01-03", "told": "2024-01-02"}, False),
        ({"episode": "e2", "heard": "2024-01-03", "since": "2024-01-01"}, False),
    ],
)
def test_what_two_texts_say_undated_at_one_moment_is_a_review(other: dict[str, Any], reviewed: bool) -> None:
    line = timeline([says("cork", episode="e1"), says("galway", **other)])
    assert rules(line) == [Rule.EQUAL_STARTS] * reviewed
    assert ([end for _, _, end in held(line)] == [None, None]) is reviewed


def test_equal_dates_of_two_values_are_a_review_and_close_nothing() -> None:
    line = timeline([says("a", since="2024-01-01"), says("b", since="2024-01-01", told="2024-02-02")])
    assert [end for _, _, end in held(line)] == [None, None]
    assert rules(line) == [Rule.EQUAL_STARTS]
    a, b = line.stretches
    assert a.conflicts_with == (b.id,)
    assert b.conflicts_with == (a.id,)


def test_third_value_closes_both_sides_of_a_review() -> None:
    line = timeline([says("a", since="2024-01-01"), says("b", since="2024-01-01"), says("c", since="2024-03-01")])
    assert [(c, e) for c, _, e in held(line) if c != "c"] == [("a", day("2024-03-01")), ("b", day("2024-03-01"))]


def test_weaker_evidence_closes_nothing_and_asks() -> None:
    line = timeline([says("a", since="2024-01-01"), says("b", since="2024-03-01", confidence=0.5)])
    assert [end for _, _, end in held(line)] == [None, None]
    assert rules(line) == [Rule.WEAKER]


def test_a_little_less_confidence_is_not_weaker() -> None:
    line = timeline([says("a", since="2024-01-01"), says("b", since="2024-03-01", confidence=0.85)])
    assert held(line)[0] == ("a", day("2024-01-01"), day("2024-03-01"))
    assert rules(line) == []


def test_hearsay_closes_no_record_however_sure_it_sounds() -> None:
    line = timeline([says("a", since="2024-01-01", rank=2), says("b", since="2024-03-01", rank=0)])
    assert rules(line) == [Rule.WEAKER]


def test_strong_second_telling_of_a_weak_value_closes_its_rival() -> None:
    weak = says("b", since="2024-03-01", confidence=0.4)
    line = timeline([says("a", since="2024-01-01"), weak, says("b", told="2024-04-01")])
    assert ("a", day("2024-01-01"), day("2024-04-01")) in held(line)


def test_told_end_closes_without_a_successor() -> None:
    line = timeline([says("a", since="2024-01-01"), says("a", what=Says.ENDED, until="2024-06-01", told="2024-07-01")])
    assert held(line) == [("a", day("2024-01-01"), day("2024-06-01"))]
    assert line.stretches[0].superseded_by is None
    assert line.stretches[0].closing is not None
    assert line.stretches[0].closing.rule is Rule.ENDED


def test_weaker_end_closes_nothing_and_asks() -> None:
    guess = says("a", what=Says.ENDED, told="2024-07-01", confidence=0.4)
    line = timeline([says("a", since="2024-01-01"), guess])
    assert held(line) == [("a", day("2024-01-01"), None)]
    assert rules(line) == [Rule.WEAKER_END]


def test_old_sentence_again_with_its_old_date_does_not_reopen() -> None:
    first = says("a", since="2024-01-01")
    end = says("a", what=Says.ENDED, until="2024-06-01", told="2024-06-01")
    again = says("a", since="2024-01-01", told="2024-09-01")
    assert held(timeline([first, end, again])) == [("a", day("2024-01-01"), day("2024-06-01"))]


def test_telling_it_anew_after_the_end_opens_a_second_interval() -> None:
    end = says("a", what=Says.ENDED, until="2024-06-01", told="2024-06-01")
    line = timeline([says("a", since="2024-01-01"), end, says("a", told="2024-09-01")])
    assert held(line)[-1] == ("a", day("2024-09-01"), None)


def test_end_of_what_nobody_told_is_a_past_without_beginning() -> None:
    line = timeline([says("a", what=Says.ENDED, told="2024-06-01")])
    assert held(line) == [("a", BEGINNING, day("2024-06-01"))]


def test_until_alone_in_the_past_is_a_past_and_two_of_them_do_not_overlap() -> None:
    line = timeline([says("a", until="2015-01-01"), says("b", until="2020-01-01"), says("c", since="2021-01-01")])
    assert held(line) == [
        ("a", BEGINNING, day("2015-01-01")),
        ("b", day("2015-01-01"), day("2020-01-01")),
        ("c", day("2021-01-01"), None),
    ]


def test_until_and_next_beginning_at_one_moment_name_the_successor() -> None:
    line = timeline([says("a", since="2024-01-01", until="2024-03-01"), says("b", since="2024-03-01")])
    a, b = line.stretches
    assert a.end == b.start
    assert a.superseded_by == b.id


def test_extension_told_later_moves_the_end() -> None:
    short = says("a", since="2024-01-01", until="2025-01-01")
    longer = says("a", since="2024-01-01", until="2026-01-01", told="2024-06-01")
    assert held(timeline([short, longer])) == [("a", day("2024-01-01"), day("2026-01-01"))]


def test_instant_holds_for_itself_and_closes_nothing() -> None:
    seen = says("b", since="2024-03-01", until="2024-03-01")
    line = timeline([says("a", since="2024-01-01"), seen])
    assert held(line) == [
        ("a", day("2024-01-01"), None),
        ("b", day("2024-03-01"), day("2024-03-01") + INSTANT),
    ]
    assert rules(line) == [Rule.OBSERVED_OTHERWISE]


def test_correction_reopens_what_the_corrected_value_had_closed() -> None:
    a, b = says("a", since="2024-01-01"), says("b", since="2024-03-01", told="2024-03-01")
    line = timeline([a, b, says("b", what=Says.CORRECTED, told="2024-04-01")])
    assert held(line) == [("a", day("2024-01-01"), None)]
    assert [s.claim for s in line.stretches if s.denied] == ["b"]


def test_corrected_value_told_again_later_counts() -> None:
    b = says("b", since="2024-03-01", told="2024-03-01")
    line = timeline([b, says("b", what=Says.CORRECTED, told="2024-04-01"), says("b", told="2024-08-01")])
    assert held(line) == [("b", day("2024-08-01"), None)]


def test_rejected_value_stays_rejected_however_often_it_is_told() -> None:
    told = [says("b", told=f"2024-0{month}-01") for month in (1, 5, 9)]
    line = timeline([*told, says("b", what=Says.REJECTED, told="2024-04-01")])
    assert held(line) == []
    assert [len(s.supporters) for s in line.stretches] == [3]


def test_restatement_supports_and_opens_nothing() -> None:
    end = says("a", what=Says.ENDED, until="2024-06-01", told="2024-06-01")
    line = timeline([says("a", since="2024-01-01"), end, says("a", what=Says.RESTATED, told="2024-09-01")])
    assert held(line) == [("a", day("2024-01-01"), day("2024-06-01"))]
    assert len(line.stretches[0].supporters) == 2


def test_withdrawn_evidence_does_not_count() -> None:
    b = says("b", since="2024-03-01", withdrawn_at=day("2024-04-01"))
    assert held(timeline([says("a", since="2024-01-01"), b])) == [("a", day("2024-01-01"), None)]


def test_id_stays_with_the_first_evidence_recorded() -> None:
    first = says("a", since="2024-03-01", heard="2024-03-01")
    earlier_start = says("a", since="2024-01-01", heard="2024-05-01")
    alone = timeline([first]).stretches[0]
    both = timeline([earlier_start, first]).stretches[0]
    assert both.id == alone.id
    assert both.start == day("2024-01-01")


@pytest.mark.parametrize("end_first", [True, False])
def test_a_claim_that_ends_and_begins_at_one_moment_holds_twice(end_first: bool) -> None:
    older = says("acme", since="2020-01-01", told="2024-01-01")
    end = says("acme", until="2022-01-01", what=Says.ENDED, told="2024-01-02" if end_first else "2024-01-03")
    newer = says("acme", since="2022-01-01", told="2024-01-03" if end_first else "2024-01-02")
    line = timeline([older, end, newer])
    assert held(line) == [("acme", day("2020-01-01"), day("2022-01-01")), ("acme", day("2022-01-01"), None)]


def test_the_end_of_a_fact_that_a_person_decided_on_founds_no_past() -> None:
    decided = says("acme", until="2022-01-01", what=Says.ENDED, rank=RANK_DECIDED)
    assert held(timeline([decided])) == []
    again = says("acme", since="2020-01-01", told="2025-01-01")
    assert held(timeline([decided, again])) == [("acme", day("2020-01-01"), day("2022-01-01"))]


@pytest.mark.parametrize("sure_first", [True, False])
def test_a_guess_of_the_same_start_is_the_weaker_in_either_order(sure_first: bool) -> None:
    days = ("2024-01-01", "2024-01-02")
    sure = says("acme", since="2020-01-01", heard=days[0] if sure_first else days[1])
    guess = says("beta", since="2020-01-01", heard=days[1] if sure_first else days[0], confidence=0.4)
    line = timeline([sure, guess])
    assert rules(line) == [Rule.WEAKER]
    assert line.disputes[0].by == (guess.id,)


def test_a_past_that_another_value_cut_short_is_said_to_be_closed_by_it() -> None:
    beta = says("beta", since="2021-01-01")
    past = says("acme", until="2022-01-01", told="2024-01-01")
    acme = next(s for s in timeline([past, beta]).stretches if s.claim == "acme")
    assert acme.end == day("2021-01-01")
    assert acme.closing is not None
    assert (acme.closing.rule, acme.closing.by) == (Rule.SUCCESSOR, (beta.id,))
