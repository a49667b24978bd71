"""The JSON of the service as the engine's records again: the inverse of `api/shapes.py`.

A record is read by the types of its fields. `_MADE` names what differs: a field under another name, or one that is made
from several. `UNTOLD` names the fields that never cross the wire, which then have an empty value.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields, is_dataclass
from datetime import datetime
from enum import Enum
from functools import cache
from types import NoneType, UnionType
from typing import Any, Final, NewType, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from muniment.engine.asking import Answer, ContextAnswer
from muniment.engine.assemble.context import Context
from muniment.engine.extract.assisted.purse import Usage
from muniment.engine.extract.candidates import Candidate, Extraction, Named
from muniment.engine.ingest.names import alias_key
from muniment.engine.keys import ApiKey, NewKey
from muniment.engine.ports.store import EntityCounts
from muniment.engine.rank.answer import Recall, Trace, ranked_episodes
from muniment.engine.rank.hits import Hit, PathStep
from muniment.engine.retrieve.browse import EntityPage, Slice
from muniment.engine.retrieve.paths import Leg, Neighbourhood, Path
from muniment.engine.write.erase.certificate import Certificate
from muniment.engine.write.erase.holds import Hold
from muniment.engine.write.erase.run import Released
from muniment.engine.write.ontology import ontology_with
from muniment.engine.write.reviews import Choice, Review
from muniment.engine.write.spending import DayOfUse
from muniment.graph_schema.ids import EntityId, EpisodeId, TraceId
from muniment.graph_schema.ontology import Ontology
from muniment.graph_schema.records import (
    VALUE_TYPE,
    Alias,
    Assertion,
    Entity,
    EntityRef,
    Episode,
    Fact,
    Job,
    Kind,
    Receipt,
    Summary,
)
from muniment.graph_schema.temporal import BEGINNING_MS, from_ms, parse_time

Json = Mapping[str, Any]
Record = TypeVar("Record")
_Reader = Callable[[Any], Any]

UNTOLD: Final[Mapping[type, frozenset[str]]] = {
    Episode: frozenset({"content_hash", "receipt"}),
    Fact: frozenset({"slot", "claim", "assertions", "as_of"}),
    Assertion: frozenset(
        {"kind", "slot", "claim", "importance", "rank", "start", "end", "order", "scope", "wall", "attributes"}
    ),
    Entity: frozenset({"key"}),
    Receipt: frozenset({"undo"}),
    Job: frozenset({"payload", "due_at", "owner", "lease_until", "dedup_key"}),
    Extraction: frozenset({"notes"}),
    Candidate: frozenset({"phrase", "importance"}),
    Named: frozenset({"same_as", "identifiers"}),
    Certificate: frozenset({"receipt"}),
    Recall: frozenset({"trace"}),
}
"""What is the engine's own and stays with it. The id of a literal value (`EntityRef`) stays with it too."""


def day_of_use(shape: Json) -> DayOfUse:
    """One day's use of a language model."""
    return DayOfUse(
        day=shape["day"], usage=record(Usage, shape), cost=shape["cost"], set_aside=shape["set_aside_tokens"]
    )


def record(kind: type[Record], shape: Json) -> Record:
    """A record of this kind from its shape."""
    values: dict[str, Any] = {}
    made = _MADE.get(kind, {})
    for name, read, has_default in _plan(cast(Any, kind)):
        rule = made.get(name, name)
        if callable(rule):
            values[name] = rule(shape)
        elif rule in shape:
            values[name] = read(shape[rule])
        elif not has_default:
            values[name] = read(None)
    return kind(**values)


def page(kind: type[Record], shape: Json) -> Slice[Record]:
    """One page of a list."""
    return Slice(items=tuple(record(kind, one) for one in shape["items"]), next_cursor=shape["next_cursor"])


def answer(shape: Json) -> Answer:
    """What `recall` gives, from an answer that was asked for with `records`."""
    return Answer(recall=record(Recall, shape), trace_id=TraceId(shape["trace_id"]), took_ms=shape["took_ms"])


def context_answer(shape: Json) -> ContextAnswer:
    return ContextAnswer(
        context=record(Context, shape),
        trace_id=TraceId(shape["trace_id"]),
        degraded=tuple(shape["degraded"]),
        empty=shape["empty"] or "",
    )


def extraction(shape: Json) -> Extraction:
    candidates = tuple(record(Candidate, one) for one in shape["candidates"])
    return Extraction(candidates=candidates, degraded=tuple(shape["degraded"]))


def ontology(shape: Json) -> Ontology:
    """The ontology in force; from all that the server tells where its base is not the one that is installed here."""
    made = ontology_with(shape["overlay"])
    if made.fingerprint == shape["fingerprint"]:
        return made
    return ontology_with({name: told for name, told in shape.items() if name not in ("overlay", "fingerprint")})


def neighbourhood(shape: Json) -> Neighbourhood:
    return Neighbourhood(
        entities=tuple(record(EntityRef, one) for one in shape["entities"]),
        distances={EntityId(one["id"]): one["distance"] for one in shape["entities"]},
        facts=tuple(record(Fact, one) for one in shape["facts"]),
        capped=tuple(EntityId(one) for one in shape["capped"]),
    )


def path(shape: Json) -> Path:
    """A chain of facts: each leg goes from one of its entities to the next."""
    entities = [record(EntityRef, one) for one in shape["entities"]]
    facts = [record(Fact, one) for one in shape["facts"]]
    ends = zip(facts, entities, entities[1:], strict=False)
    return Path(legs=tuple(Leg(fact=fact, source=source, target=target) for fact, source, target in ends))


# -- reading by type


@cache
def _plan(kind: type) -> tuple[tuple[str, _Reader, bool], ...]:
    """Each field of a record: its name, how its value is read, and whether it may be left out."""
    hints = get_type_hints(kind)
    return tuple(
        (one.name, _reader(hints[one.name]), one.default is not MISSING or one.default_factory is not MISSING)
        for one in fields(cast(Any, kind))
    )


@cache
def _reader(hint: Any) -> _Reader:
    if isinstance(hint, NewType):
        return _reader(hint.__supertype__)
    if get_origin(hint) in (Union, UnionType):
        options = [one for one in get_args(hint) if one is not NoneType]
        read = _reader(options[0]) if len(options) == 1 else _same
        return lambda value: None if value is None else read(value)
    if get_origin(hint) is tuple:
        inner = _reader(get_args(hint)[0])
        return lambda value: tuple(map(inner, value or ()))
    if get_origin(hint) is frozenset:
        return frozenset
    if isinstance(hint, type):
        return _type_reader(hint)
    return lambda value: {} if value is None else value  # mappings


def _type_reader(kind: type) -> _Reader:
    if kind is str:
        return lambda value: "" if value is None else value
    if kind is datetime:
        return _moment
    if kind is EntityRef:
        return _reference
    if issubclass(kind, Enum):
        return kind
    if is_dataclass(kind):
        return lambda value: record(kind, value)
    return _same


def _same(value: Any) -> Any:
    return value


def _moment(value: str | None) -> datetime:
    """Null for a moment that a record must have is the beginning that nobody told."""
    return from_ms(BEGINNING_MS) if value is None else parse_time(value)


def _reference(value: Json) -> EntityRef:
    if "value" in value:
        return EntityRef(id=EntityId(""), name=value["value"], type=VALUE_TYPE)
    return EntityRef(id=EntityId(value["id"]), name=value["name"], type=value["type"])


# -- what differs


def _status_is(status: str) -> Callable[[Json], bool]:
    return lambda shape: bool(shape["status"] == status)


def _aliases(shape: Json) -> tuple[Alias, ...]:
    return tuple(Alias(key=alias_key(name), name=name) for name in shape["aliases"])


def _found(shape: Json) -> Episode | Fact | Summary | Entity:
    told = shape["memory"]
    if shape["kind"] == Kind.ENTITY:
        return record(Entity, told)
    if shape["kind"] == Kind.EPISODE:
        return record(Episode, told)
    return record(Summary, told) if shape["kind"] == Kind.SUMMARY else record(Fact, told)


def _named(end: str) -> Callable[[Json], Named | None]:
    def read(shape: Json) -> Named | None:
        told = shape[end]
        if told is None:
            return None
        if "value" in told:
            return Named(name=told["value"], is_value=True)
        return Named(name=told["name"], type=told["type"])

    return read


def _episodes(shape: Json) -> tuple[EpisodeId, ...]:
    if "episodes" in shape:
        return tuple(EpisodeId(one) for one in shape["episodes"])
    return tuple(ranked_episodes([record(Hit, one) for one in shape["hits"]]))


_MADE: Final[Mapping[type, Mapping[str, str | Callable[[Json], Any]]]] = {
    Fact: {"rejected": _status_is("rejected"), "archived": _status_is("archived")},
    Entity: {"aliases": _aliases, "key": lambda shape: alias_key(shape["name"])},
    EntityPage: {"entity": lambda shape: record(Entity, shape), "counts": lambda shape: record(EntityCounts, shape)},
    Receipt: {"trace": "trace_id"},
    Job: {"due_at": "created_at"},
    Candidate: {"subject": _named("subject"), "object": _named("object")},
    PathStep: {"source": "from", "target": "to"},
    Hit: {"memory": _found},
    Recall: {"trace": lambda _: Trace(body={}), "episodes": _episodes},
    Hold: {"at": "created_at"},
    Released: {"certificates": "purged"},
    Review: {"rule": "kind"},
    Choice: {"name": "choice"},
    NewKey: {"key": lambda shape: record(ApiKey, shape), "text": "key"},
}
