"""Which section of the block a hit belongs to, and what share of the budget each section may take."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any, Final

from muniment.engine.assemble.template import SECTION_ORDER
from muniment.engine.ingest.given import texts
from muniment.engine.rank.hits import Hit
from muniment.graph_schema.errors import Invalid
from muniment.graph_schema.records import Episode, EpisodeKind, Fact, Kind

# Shares of the budget before what is left over is given away in order of score; constraints stand before them (see
# `assemble`). Facts lead, since they say most in fewest tokens; long passages get less than a third.
SHARES: Final[Mapping[str, float]] = MappingProxyType(
    {"preferences": 0.15, "facts": 0.35, "events": 0.25, "skills": 0.1, "knowledge": 0.3}
)
_KNOWLEDGE_KINDS: Final = frozenset({EpisodeKind.DOCUMENT, EpisodeKind.NOTE})


def shares_from(given: Any) -> Mapping[str, float]:
    """The shares with a tenant's own in place of the usual ones. Raises Invalid for what is no share from 0 to 1 of a section
    that has one."""
    if not isinstance(given, Mapping):
        raise Invalid(f"context.shares is {given!r}: give shares by section", field="context.shares")
    for section, share in given.items():
        at = f"context.shares.{section}"
        if section not in SHARES:
            raise Invalid(f"context.shares has no {section!r}: use some of {', '.join(SHARES)}", field=at)
        if isinstance(share, bool) or not isinstance(share, int | float) or not 0 <= share <= 1:
            raise Invalid(f"{at} is {share!r}: give a number from 0 to 1", field=at)
    return {**SHARES, **{section: float(share) for section, share in given.items()}}


def section_of(hit: Hit) -> str:
    """The section's name: constraints are preferences that say so, or anything that was pinned and is a preference."""
    if hit.kind is Kind.PREFERENCE:
        memory = hit.memory
        is_constraint = isinstance(memory, Fact) and bool(memory.attributes.get("constraint"))
        return "constraints" if is_constraint else "preferences"
    if hit.kind is Kind.SKILL:
        return "skills"
    if hit.kind is Kind.FACT:
        return "facts"
    if isinstance(hit.memory, Episode) and hit.memory.kind not in _KNOWLEDGE_KINDS:
        return "events"
    return "knowledge"


def is_pinned(hit: Hit) -> bool:
    """Whether the hit may not be starved by others: a constraint, or a memory that somebody pinned."""
    return section_of(hit) == "constraints" or bool(getattr(hit.memory, "pinned", False))


def chosen_sections(names: Iterable[str] | None) -> tuple[str, ...]:
    """The sections asked for, in the block's order; all where none are named. Raises Invalid for unknown names."""
    if names is None:
        return SECTION_ORDER
    wanted = texts("sections", names)
    for name in wanted:
        if name not in SECTION_ORDER:
            raise Invalid(f"sections has no {name!r}: use some of {', '.join(SECTION_ORDER)}", field="sections")
    return tuple(name for name in SECTION_ORDER if name in wanted)
