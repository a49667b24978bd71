"""What an answer says that has nothing to go by, or no hits: what was looked at, under which clocks and filters."""

from __future__ import annotations

from collections.abc import Iterable

from muniment.engine.rank.asked import Asked
from muniment.engine.retrieve.question import Question
from muniment.engine.retrieve.statistics import StatisticsView
from muniment.graph_schema.temporal import format_time


def unknown_terms(terms: Iterable[str], statistics: StatisticsView) -> list[str]:
    """The terms of a question that stand in no memory that the caller may see, in order."""
    return [term for term in terms if not statistics.knows(term)]


def not_recognised(question: Question, statistics: StatisticsView, *, named: bool) -> tuple[str, ...]:
    """What to say of a question of which nothing is known here but perhaps its meaning; nothing of any other.

    `named`: whether it names an entity or a title.
    """
    if named or question.time or not statistics.groups():
        return ()
    if not question.terms:
        return ("the question has no words with content and names nothing that is kept here: ranked by meaning only",)
    if len(unknown_terms(question.terms, statistics)) < len(question.terms):
        return ()
    return ("no word of the question stands in what is kept here, and it names nothing: ranked by meaning only",)


def looked_at(asked: Asked, *, candidates: int) -> str:
    """One sentence for a person. Counts are those of what the caller may see, whenever it was recorded."""
    groups = asked.statistics.groups()
    if not groups:
        return "nothing is kept here yet that you may see"
    held = ", ".join(f"{count} {group}" for group, count in groups.items())
    clocks = asked.filter.clocks
    request = asked.request
    filters = [f"as of {format_time(clocks.as_of)}", f"as known by {format_time(clocks.known_at)}"]
    for name, values in (("kind", request.kinds), ("relation", request.relations), ("type", request.types)):
        if values:
            filters.append(f"of the {name} {' or '.join(sorted(values))}")
    if request.min_importance > 1:
        filters.append(f"of importance {request.min_importance} or more")
    found = f"{candidates} were candidates" if candidates else "nothing fits the question"
    return f"looked at what is kept ({held}) {', '.join(filters)}: {found}{_hint(asked, candidates)}"


def _hint(asked: Asked, candidates: int) -> str:
    if candidates:
        return ", and none of them passed what was asked for"
    if asked.request.known_at is not None:
        return "; all of it may have been recorded later"
    return "" if asked.question.terms else "; the question has no content words"
