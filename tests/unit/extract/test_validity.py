"""When a statement holds: which date of its sentence belongs to it, and what that date does."""

from __future__ import annotations

import pytest

from muniment.engine.extract.candidates import CandidateKind
from tests.unit.extract.conftest import Extract


@pytest.mark.parametrize(
    ("text", "relation", "valid_at", "invalid_at"),
    [
        ("Nora Lind works for Halden Systems since 5 February.", "works_for", "2024-02-05", None),
        ("Nora Lind joined Halden Systems in April.", "works_for", "2024-04-01", None),
        ("Halden Systems uses Jira until the end of 2025.", "uses", None, "2026-01-01"),
        ("From 1 March 2023 to 30 June 2023 Nora Lind reported to Tom Berg.", "reports_to", "2023-03-01", "2023-07-01"),
        ("Nora Lind left Halden Systems in March.", "works_for", None, "2024-03-01"),
        ("Nora Lind, who joined Halden Systems in 2020, reports to Tom Berg.", "reports_to", None, None),
        ("Head office of Halden Systems: Leeds. (in effect since 2023-04-05)", "headquartered_in", "2023-04-05", None),
        (
            "Orbit Ltd, which until March was a supplier of Halden Systems, moved to Leeds.",
            "headquartered_in",
            None,
            None,
        ),
        ("Nora Lind, until March the head of Halden Systems, reports to Tom Berg.", "reports_to", None, None),
        ("Nora Lind, a customer since 2019, reports to Tom Berg.", "reports_to", None, None),
        ("Since March, Nora Lind reports to Tom Berg.", "reports_to", "2024-03-01", None),
        ("张敏自2024年3月起任职于蓝湖科技。", "works_for", "2024-03-01", None),
        ("张敏两周前加入了蓝湖科技。", "works_for", "2024-05-01", None),
        ("截至2024年2月22日，蓝湖科技的总部位于苏州。", "headquartered_in", "2024-02-22", None),
        ("张敏去年从蓝湖科技离职。", "works_for", None, "2023-01-01"),
    ],
)
def test_date_bounds_the_statement(
    extract: Extract, text: str, relation: str, valid_at: str | None, invalid_at: str | None
) -> None:
    fact = next(c for c in extract(text) if c.kind is CandidateKind.FACT and c.relation == relation)
    told = (fact.valid_at and fact.valid_at.date().isoformat(), fact.invalid_at and fact.invalid_at.date().isoformat())
    assert told == (valid_at, invalid_at)


def test_move_ends_the_old_place_where_the_new_begins(extract: Extract) -> None:
    facts = [c for c in extract("Nora Lind moved from Oslo to Leeds in April.") if c.kind is CandidateKind.FACT]
    ends = {c.object.name: c.invalid_at for c in facts if c.object and c.assertion.value == "ended"}
    begins = {c.object.name: c.valid_at for c in facts if c.object and c.assertion.value == "holds"}
    assert list(ends) == ["Oslo"]
    assert list(begins) == ["Leeds"]
    assert ends["Oslo"] == begins["Leeds"]


def test_a_date_belongs_to_what_is_said_and_not_to_what_stands_between(extract: Extract) -> None:
    text = "Dear Tom, as agreed, from 1 March 2026 the price of the Harbour Plan is 4,750 euros."
    (price,) = [c for c in extract(text) if c.relation == "price_of"]
    assert price.valid_at is not None
    assert price.valid_at.date().isoformat() == "2026-03-01"


@pytest.mark.parametrize(
    ("text", "relation", "bounds"),
    [
        # a figure of a quarter that is over is one of that quarter; what was changed in it stays
        ("上季度蓝湖科技的营业额是500万元。", "annual_revenue", ("2024-01-01", "2024-04-01")),
        # dates of clauses that say something else of their own are not a role's
        ("见了青石科技的采购总监孙悦，她说预算下半年才批，用的是海川的系统，明年3月到期。", "has_role", ("", "")),
        ("孙悦是青石科技的采购总监，自2024年3月1日起。", "has_role", ("2024-03-01", "")),
        ("Orla Finch (orla@larch.example) stays until 30 June 2024.", "has_email", ("", "")),
    ],
)
def test_a_date_of_another_clause_bounds_nothing(
    extract: Extract, text: str, relation: str, bounds: tuple[str, str]
) -> None:
    (fact,) = [c for c in extract(text) if c.relation == relation]
    assert tuple(str(t.date()) if t else "" for t in (fact.valid_at, fact.invalid_at)) == bounds
