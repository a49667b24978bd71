"""Records cross the wire and come back: what is told is read as it was, and what is not told is known by name."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import fields, replace
from typing import Any

import pytest

from muniment.api import shapes
from muniment.api.client import readers
from muniment.api.client.readers import UNTOLD
from muniment.engine.asking import Answer
from muniment.engine.extract.candidates import Candidate, CandidateKind, Named
from muniment.engine.keys import ApiKey, NewKey, Role
from muniment.engine.ports.store import EntityCounts
from muniment.engine.rank.answer import Recall, Trace
from muniment.engine.rank.hits import Omitted, PathStep, Scored, hit_of
from muniment.engine.retrieve.browse import EntityPage
from muniment.engine.retrieve.paths import Leg, Neighbourhood, Path
from muniment.engine.write.reviews import Choice, Review
from muniment.graph_schema.ids import EntityId, EpisodeId, FactId, JobId, KeyId, ReceiptId, ReviewId, TraceId
from muniment.graph_schema.ontology import base_ontology
from muniment.graph_schema.records import (
    Action,
    Alias,
    Because,
    Change,
    EntityRef,
    EpisodeOutcome,
    EpisodeStatus,
    Fact,
    JobState,
    Kind,
    Quote,
    Receipt,
    Rejection,
    Scope,
    Screening,
)
from muniment.graph_schema.temporal import BEGINNING_MS, from_ms
from tests.builders import NOW, START, assertion, at, entity, episode, fact, job, ref, summary

EVERY_SCOPE = Scope(user="u", agent="a", session="s")
QUOTE = Quote(episode=EpisodeId("e_1"), quote="moved", start=4, end=9)
EPISODE = episode(
    external_id="x-1",
    speaker="Lena",
    title="Call",
    source="crm",
    lang="en",
    thread="t",
    position=3,
    scope=EVERY_SCOPE,
    wall="deal",
    importance=5,
    metadata={"a": [1, None, {"b": "ü"}]},
    archived=True,
    pinned=True,
    degraded=("no vectors",),
)
FACT = fact(
    version=2,
    kind=Kind.PREFERENCE,
    valid_at=from_ms(BEGINNING_MS),
    invalid_at=at(days=400),
    expired_at=at(days=500),
    confidence=0.25,
    importance=5,
    scope=EVERY_SCOPE,
    wall="deal",
    pinned=True,
    evidence=(QUOTE,),
    closed_by="slot.successor",
    superseded_by=FactId("f_2"),
    conflicts_with=(FactId("f_3"),),
    attributes={"topic": "calls"},
)
RECEIPT = Receipt(
    id=ReceiptId("r_1"),
    actor="ana",
    verb="remember",
    reason="why",
    created_at=at(ms=7),
    episodes=(EpisodeStatus(id=EpisodeId("e_1"), external_id=None, status=EpisodeOutcome.EXISTS),),
    changes=(
        Change(
            action=Action.CLOSED,
            kind=Kind.FACT,
            id="f_1",
            because=Because(rule="slot.successor", by=("f_2",), evidence=(EpisodeId("e_1"),)),
        ),
    ),
    reviews=("v_1",),
    rejected=(Rejection(input="facts[0]", code="invalid", detail="no"),),
    job=JobId("j_1"),
    undone_by=ReceiptId("r_2"),
    degraded=("no vectors",),
    screened=(Screening(input="episodes[0].text", kind="api_key", count=2, done="redacted"),),
    trace=TraceId("t_1"),
)
ENTITY = entity(aliases=(Alias(key="ana", name="Ana"),), identifiers=("email:a@b.example",), wall="deal", archived=True)
JOB = replace(job(), state=JobState.FAILED, attempts=5, reason="no", receipt=ReceiptId("r_1"))
CANDIDATE = Candidate(
    kind=CandidateKind.FACT,
    text="moved",
    start=0,
    end=5,
    rule="r",
    confidence=0.5,
    episode=EpisodeId("e_1"),
    subject=Named(name="Ana", type="person"),
    object=Named(name="41", is_value=True),
    valid_at=START,
)
HIT = replace(
    hit_of(Scored(memory=FACT, parts={"dense": 0.5}), at=NOW),
    path=(PathStep(fact=FactId("f_1"), source=ref("ana"), target=ref("tom")),),
    evidence=(QUOTE,),
    copies=2,
    valid_at=START,
)
NEIGHBOURHOOD = Neighbourhood(
    entities=(ref("ana"),), distances={EntityId("ana"): 1}, facts=(FACT,), capped=(EntityId("ana"),)
)
PATH = Path(
    legs=(Leg(fact=FACT, source=ref("acme"), target=ref("ana")), Leg(fact=FACT, source=ref("ana"), target=ref("x")))
)
REVIEW = Review(
    id=ReviewId("v_1"),
    rule="review.weaker-evidence",
    status="open",
    created_at=START,
    facts=(FACT,),
    raised_by=(assertion(valid_from=START, withdrawn_at=at(days=2)),),
    choices=(Choice(name="f_1", effect="stays"),),
    entities=(ENTITY,),
    score=0.5,
    features={"same": 1.0},
)
KEY = NewKey(
    key=ApiKey(id=KeyId("1"), tenant="acme", role=Role.READER, walls=frozenset({"deal"}), name="", created_at=START),
    text="mk_1_secret",
)
RECALL = Recall(
    hits=(HIT,),
    recent=(hit_of(Scored(memory=EPISODE, parts={}), at=NOW), hit_of(Scored(memory=summary(), parts={}), at=NOW)),
    omitted=(Omitted(id="f_9", reason="limit", kind=Kind.FACT),),
    degraded=("no analyzer",),
    episodes=(EpisodeId("e_7"),),
    trace=Trace(body={}),
)
ANSWER = Answer(recall=RECALL, trace_id=TraceId("t_1"), took_ms=1.5)


def _fact_shape(value: Fact) -> dict[str, Any]:
    return shapes.fact(value, at=NOW)


CASES: list[tuple[Any, Callable[[Any], dict[str, Any]]]] = [
    (EPISODE, shapes.episode),
    (FACT, _fact_shape),
    (replace(FACT, rejected=True), _fact_shape),
    (replace(FACT, archived=True), _fact_shape),
    (ENTITY, shapes.entity),
    (EntityPage(entity=ENTITY, counts=EntityCounts(facts=2, first_seen=START, last_seen=None)), shapes.entity_page),
    (summary(topic="t", wall="deal", scope=EVERY_SCOPE), shapes.summary),
    (RECEIPT, shapes.receipt),
    (JOB, shapes.job),
    (CANDIDATE, shapes.candidate),
    (HIT, lambda value: shapes.whole_hit(value, at=NOW)),
    (REVIEW, lambda value: shapes.review(value, at=NOW)),
    (KEY, shapes.new_key),
    (RECALL, lambda value: shapes.recall(replace(ANSWER, recall=value), records_at=NOW)),
]


@pytest.mark.parametrize(("record", "shape"), CASES, ids=[type(record).__name__ for record, _ in CASES])
def test_a_record_comes_back_as_it_was(record: Any, shape: Callable[[Any], dict[str, Any]]) -> None:
    told = json.loads(json.dumps(shape(record)))
    back = readers.record(type(record), told)
    assert shape(back) == told
    assert _known(back) == _known(record)


def test_chains_and_surroundings_come_back_as_they_were() -> None:
    assert _known(readers.path(shapes.path(PATH, at=NOW))) == _known(PATH)
    assert _known(readers.neighbourhood(shapes.neighbourhood(NEIGHBOURHOOD, at=NOW))) == _known(NEIGHBOURHOOD)
    assert readers.path(shapes.path(Path(legs=()), at=NOW)) == Path(legs=())


def test_a_value_comes_back_without_its_id() -> None:
    told = shapes.fact(fact(object=EntityRef(id=EntityId("n_1"), name="41", type="value")), at=NOW)
    assert readers.record(Fact, told).object == EntityRef(id=EntityId(""), name="41", type="value")


def test_the_ontology_comes_back_also_from_a_server_with_another_base() -> None:
    ours = base_ontology().with_overlay({"relations": [{"name": "looks_after", "cardinality": "one"}]})
    told = ours.to_json()
    assert readers.ontology(told).fingerprint == ours.fingerprint
    theirs = {**told, "overlay": {}}  # a base that has by itself what is an overlay here
    assert readers.ontology(theirs).relation("looks_after").relation.cardinality == "one"


@pytest.mark.parametrize("kind", UNTOLD)
def test_what_is_not_told_is_really_a_field(kind: Any) -> None:
    assert UNTOLD[kind] <= {one.name for one in fields(kind)}


def _known(value: Any) -> Any:
    """The record without what never crosses the wire, all the way down."""
    if isinstance(value, tuple | list):
        return [_known(one) for one in value]
    if not hasattr(value, "__dataclass_fields__"):
        return value
    untold = UNTOLD.get(type(value), frozenset())
    return {one.name: _known(getattr(value, one.name)) for one in fields(value) if one.name not in untold}
