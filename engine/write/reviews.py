"""What a person should decide: open disputes with both sides and the effect of each choice, and deciding them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from muniment.engine.ports.store import DocumentQuery, Reader
from muniment.engine.resolve.statements import Statement
from muniment.engine.resolve.timeline import Rule
from muniment.engine.retrieve.browse import Slice
from muniment.engine.write.changes import Hand, decided
from muniment.engine.write.draft import Draft
from muniment.engine.write.ledger import OPEN, RESOLVED, REVIEW
from muniment.graph_schema.errors import Conflict, Invalid, NotFound
from muniment.graph_schema.ids import AssertionId, FactId, ReviewId
from muniment.graph_schema.records import Assertion, Document, Fact, Says

BOTH = "both"
ENDED = "ended"
HOLDS = "holds"


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """A way to decide, and what it would do in words."""

    name: str
    effect: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Review:
    """A dispute with its sides as they stand, the evidence that raised it, and the choices."""

    id: ReviewId
    rule: str
    status: str
    created_at: datetime
    facts: tuple[Fact, ...]
    raised_by: tuple[Assertion, ...]
    choices: tuple[Choice, ...]


async def list_reviews(reader: Reader, *, status: str, limit: int, cursor: str | None) -> Slice[Review]:
    """Reviews of one status, by id; those whose every side stands behind a wall are not there."""
    query = DocumentQuery(kind=REVIEW, status=status or None, limit=10_000)
    documents = [d for d in await reader.documents(query) if cursor is None or d.id > cursor]
    found: list[Review] = []
    for document in sorted(documents, key=lambda d: d.id):
        review = await _review(reader, document)
        if review is not None:
            found.append(review)
        if len(found) > limit:
            break
    more = len(found) > limit
    return Slice(items=tuple(found[:limit]), next_cursor=found[limit - 1].id if more else None)


async def review_of(reader: Reader, id: str) -> Review:
    """One review. Raises NotFound."""
    document = await reader.document(REVIEW, id)
    review = await _review(reader, document) if document else None
    if review is None:
        raise NotFound.of("review", id)
    return review


async def draft_resolution(reader: Reader, id: str, choice: str, hand: Hand) -> Draft:
    """Decides a review. Raises NotFound, Conflict where it is decided, Invalid for a choice that it does not have."""
    review = await review_of(reader, id)
    if review.status != OPEN:
        raise Conflict(f"review {id!r} is {review.status}")
    if choice not in {c.name for c in review.choices}:
        names = ", ".join(c.name for c in review.choices)
        raise Invalid(f"choice {choice!r} is not one of this review: use one of {names}", field="choice")
    document = await reader.document(REVIEW, id)
    if document is None:
        raise NotFound.of("review", id)
    body = {**document.body, "choice": choice, "actor": hand.actor}
    return Draft(
        verb="resolve_review",
        actor=hand.actor,
        at=hand.at,
        reason=hand.reason,
        cause="review.resolved",
        statements=tuple(_statements(review, choice, hand)),
        withdraw=_withdrawn(review, choice),
        documents=(replace(document, status=RESOLVED, body=body),),
        special={"review": id},
    )


async def _review(reader: Reader, document: Document) -> Review | None:
    facts = await reader.facts([FactId(f) for f in document.body["facts"]])
    raised = await reader.assertions([AssertionId(a) for a in document.body["by"]])
    if not facts:
        return None
    return Review(
        id=ReviewId(document.id),
        rule=document.body["rule"],
        status=document.status,
        created_at=document.created_at,
        facts=tuple(facts),
        raised_by=tuple(raised),
        choices=tuple(_choices(document.body["rule"], facts)),
    )


def _choices(rule: str, facts: Sequence[Fact]) -> list[Choice]:
    if rule == Rule.WEAKER_END.value:
        return [
            Choice(name=ENDED, effect="the fact ends where the weaker evidence says"),
            Choice(name=HOLDS, effect="the fact goes on, and the weaker evidence is withdrawn"),
        ]
    choices = [Choice(name=f.id, effect=f"holds: {f.text}; what disputes it is corrected or closed") for f in facts]
    return [*choices, Choice(name=BOTH, effect="nothing is changed, and the question is not asked again")]


def _statements(review: Review, choice: str, hand: Hand) -> list[Statement]:
    if choice == ENDED:
        end = min((a.valid_to or a.valid_from or a.told_at for a in review.raised_by), default=hand.at)
        return [decided(review.facts[0], hand, says=Says.ENDED, valid_to=end)]
    if choice in (HOLDS, BOTH):
        return []
    chosen = next(f for f in review.facts if f.id == choice)
    others = [f for f in review.facts if f.id != choice]
    begins_later = all(f.valid_at < chosen.valid_at for f in others)
    if review.rule == Rule.WEAKER.value and begins_later:
        return [decided(chosen, hand, says=Says.HOLDS, valid_from=chosen.valid_at)]
    return [decided(f, hand, says=Says.CORRECTED, valid_from=f.valid_at, valid_to=f.invalid_at) for f in others]


def _withdrawn(review: Review, choice: str) -> tuple[AssertionId, ...]:
    return tuple(a.id for a in review.raised_by) if choice == HOLDS else ()
