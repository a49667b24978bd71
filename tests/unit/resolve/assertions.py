"""Short ways to say an assertion in tests of timelines."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from muniment.graph_schema.ids import AssertionId, EntityId
from muniment.graph_schema.places import BOTH_WAYS, paired_slot
from muniment.graph_schema.records import Assertion, Says


def day(text: str) -> datetime:
    """`2024-03-01` as midnight UTC."""
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def weds(
    one: str,
    other: str,
    *,
    since: str | None = None,
    until: str | None = None,
    told: str = "2024-01-01",
    what: Says = Says.HOLDS,
    **more: Any,
) -> Assertion:
    """An assertion that two people, `one` before `other` by name, are married: a claim in the slots of both."""
    subject, object_ = EntityId(f"n_{one}"), EntityId(f"n_{other}")
    return replace(
        says(f"{one}-{other}", since=since, until=until, told=told, what=what, **more),
        slot=paired_slot("g", subject),
        claim=f"{BOTH_WAYS}married_to|{subject}|{object_}",
        subject=subject,
        relation="married_to",
        object=object_,
    )


def says(
    claim: str,
    *,
    since: str | None = None,
    until: str | None = None,
    told: str = "2024-01-01",
    heard: str | None = None,
    what: Says = Says.HOLDS,
    **more: Any,
) -> Assertion:
    """An assertion that puts `claim` into the one slot `s`; its id tells what it says."""
    name = "-".join(filter(None, ("a_" + claim, what.value, since, until, told, heard, str(more.get("order", "")))))
    return Assertion(
        id=AssertionId(name),
        slot="s",
        claim=claim,
        says=what,
        subject=EntityId("n_subject"),
        relation="works_for",
        object=EntityId("n_" + claim),
        valid_from=day(since) if since else None,
        valid_to=day(until) if until else None,
        told_at=day(told),
        recorded_at=day(heard or told),
        **more,
    )
