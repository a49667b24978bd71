"""What a person should decide: open disputes with both sides and the effect of each choice, and deciding them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from muniment.engine.ports.store import DocumentQuery, Reader
from muniment.engine.resolve.statements import Statement
from muniment.engine.resolve.timeline import Rule
from muniment.engine.retrieve.browse import Listing, Slice
from muniment.engine.write.changes import Hand, decided
from muniment.engine.write.draft import Draft
from muniment.engine.write.ledger import OPEN, RESOLVED, REVIEW
from muniment.engine.write.likenesses import IDENTITY_REVIEW
from muniment.engine.write.merges import draft_forbid, draft_merge
from muniment.engine.write.survivors import survivors
from muniment.graph_schema.errors import Conflict, Invalid, NotFound
from muniment.graph_schema.ids import AssertionId, EntityId, FactId, ReviewId
from muniment.graph_schema.ontology import Ontology
from muniment.graph_schema.records import Assertion, Document, Entity, Fact, Says

MERGE = "merge"
DIFFERENT = "different"
BOTH = "both"
ENDED = "ended"
HOLDS = "holds"
_ALL = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """A way to decide, and what it would do in words."""

    name: str
    effect: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Review:
    """A dispute with its sides as they stand, the evidence that raised it, and the choices.

    One about identity has two entities in the place of facts, how alike their names are (in [0, 1]), and by what.
    """

    id: ReviewId
    rule: str
    status: str
    created_at: datetime
    facts: tuple[Fact, ...]
    raised_by: tuple[Assertion, ...]
    choices: tuple[Choice, ...]
    entities: tuple[Entity, ...] = ()
    score: float | None = None
    features: Mapping[str, float] = field(default_factory=dict)


async def list_reviews(reader: Reader, listing: Listing, *, status: str, rule: str = "") -> Slice[Review]:
    """Reviews of one status, by id, of one rule where named; those whose every side stands behind a wall are not there."""
    place = listing.place()
    after = place[1] if place else ""
    queries = [DocumentQuery(kind=kind, status=status or None, limit=_ALL) for kind in (REVIEW, IDENTITY_REVIEW)]
    documents = [d for q in queries for d in await reader.documents(q) if d.id > after and rule in ("", d.body["rule"])]
    found: list[Review] = []
    for document in sorted(documents, key=lambda d: d.id):
        review = await _review(reader, document)
        if review is not None:
            found.append(review)
        if len(found) > listing.limit:
            break
    return listing.slice(found, [(0, review.id) for review in found])


async def review_of(reader: Reader, id: str) -> Review:
    """One review. Raises NotFound."""
    document = await reader.document(REVIEW, id) or await reader.document(IDENTITY_REVIEW, id)
    review = await _review(reader, document) if document else None
    if review is None:
        raise NotFound.of("review", id)
    return review


async def draft_resolution(reader: Reader, id: str, choice: str, hand: Hand) -> Draft:
    """Decides a review. Raises NotFound, Conflict where it is decided, Invalid for a choice that it does not have."""
    review = await _to_decide(reader, id, choice)
    document = await reader.document(REVIEW, id)
    if document is None:
        raise NotFound.of("review", id)
    return Draft(
        verb="resolve_review",
        actor=hand.actor,
        at=hand.at,
        reason=hand.reason,
        cause="review.resolved",
        statements=tuple(_statements(review, choice, hand)),
        withdraw=_withdrawn(review, choice),
        documents=(_decided(document, choice, hand),),
        special={"documents": [_as_it_was(document)]},
    )


async def draft_identity_decision(reader: Reader, id: str, choice: str, ontology: Ontology, hand: Hand) -> Draft:
    """Decides whether two entities are one: an ordinary merge, or a merge forbidden. Raises as `draft_resolution`."""
    review = await _to_decide(reader, id, choice)
    document = await reader.document(IDENTITY_REVIEW, id)
    if document is None:
        raise NotFound.of("review", id)
    ids = [entity.id for entity in review.entities]
    if choice == MERGE:
        draft = await draft_merge(reader, ids, ontology, hand)
    else:
        draft = await draft_forbid(reader, ids[0], ids[1], hand)
    before = draft.special or {}
    others = tuple(d for d in draft.documents if d.id != document.id)
    return replace(
        draft,
        verb="resolve_review",
        documents=(*others, _decided(document, choice, hand)),
        special={**before, "documents": [*before.get("documents", ()), _as_it_was(document)]},
    )


async def _to_decide(reader: Reader, id: str, choice: str) -> Review:
    review = await review_of(reader, id)
    if review.status != OPEN:
        raise Conflict(f"review {id!r} is {review.status}")
    if choice not in {c.name for c in review.choices}:
        names = ", ".join(c.name for c in review.choices)
        raise Invalid(f"choice {choice!r} is not one of this review: use one of {names}", field="choice")
    return review


def _decided(document: Document, choice: str, hand: Hand) -> Document:
    return replace(document, status=RESOLVED, body={**document.body, "choice": choice, "actor": hand.actor})


def _as_it_was(document: Document) -> list[Any]:
    """What undoing puts back: kind, id, status, body."""
    return [document.kind, document.id, document.status, dict(document.body)]


async def _about_identity(reader: Reader, document: Document) -> Review | None:
    """The review with the entities as they stand; none where one is gone or they became one meanwhile."""
    ids = [EntityId(id) for id in document.body["entities"]]
    entities = {e.id: e for e in await reader.entities(ids)}
    if any(id not in entities for id in ids):
        return None
    if document.status == OPEN:
        stands = await survivors(reader, ids)
        entities = {id: stands[id] for id in ids}
        if len({e.id for e in entities.values()}) < len(ids):
            return None
    one, other = (entities[id] for id in ids)
    return Review(
        id=ReviewId(document.id),
        rule=document.body["rule"],
        status=document.status,
        created_at=document.created_at,
        facts=(),
        raised_by=(),
        choices=(
            Choice(name=MERGE, effect=f"{one.name} stands for both: the facts of {other.name} move to it"),
            Choice(name=DIFFERENT, effect="they are never joined, and the question is not asked again"),
        ),
        entities=(one, other),
        score=document.body["score"],
        features=document.body["features"],
    )


async def _review(reader: Reader, document: Document) -> Review | None:
    if document.kind == IDENTITY_REVIEW:
        return await _about_identity(reader, document)
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
