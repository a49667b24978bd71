"""What callers hand in, parsed at the edge: after this every value can be trusted.

Each function names the field, the value and what would be right when it refuses one.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from typing import Any, TypeVar

from muniment.graph_schema.errors import Invalid, TooLarge
from muniment.graph_schema.ids import EntityId, EpisodeId
from muniment.graph_schema.records import SHARED, EpisodeKind, Scope
from muniment.graph_schema.temporal import parse_time, require_aware

MAX_TEXT = 200_000
MAX_ITEMS = 1_000
MAX_NAME = 1_000
MAX_LANG = 35  # of the longest language tag that RFC 5646 shows
_SCOPE_FIELDS = ("user", "agent", "session")

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True, kw_only=True)
class EpisodeIn:
    """An episode as a caller gives it. `recorded_at` is for imports that know when it was first heard of."""

    text: str
    kind: EpisodeKind
    occurred_at: datetime
    external_id: str | None = None
    speaker: str = ""
    title: str = ""
    source: str = ""
    lang: str = ""
    thread: str = ""
    scope: Scope = SHARED
    wall: str = ""
    importance: int = 3
    metadata: Mapping[str, Any] = field(default_factory=dict)
    recorded_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EndIn:
    """One end of a fact: a name with a type, or an id, or a literal value.

    `identifiers` are strong ones as `kind:value`: what has the same is the same thing.
    """

    name: str = ""
    type: str = ""
    id: EntityId | None = None
    is_value: bool = False
    identifiers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class FactIn:
    """A structured fact as a caller gives it."""

    subject: EndIn
    relation: str
    object: EndIn
    text: str = ""
    valid_at: datetime | None = None
    invalid_at: datetime | None = None
    confidence: float = 1.0
    importance: int = 3
    evidence: tuple[EpisodeId, ...] = ()
    scope: Scope = SHARED
    wall: str = ""


def episodes_in(items: Sequence[EpisodeIn | Mapping[str, Any]]) -> list[EpisodeIn]:
    """Parsed episodes. Raises Invalid for the first wrong value, TooLarge over 1,000 episodes or 200,000 characters."""
    _bounded(items, "episodes")
    return [
        item if isinstance(item, EpisodeIn) else episode_in(item, field=f"episodes[{n}]")
        for n, item in enumerate(items)
    ]


def facts_in(items: Sequence[FactIn | Mapping[str, Any]]) -> list[FactIn]:
    """Parsed facts. Raises Invalid for the first wrong value, TooLarge over 1,000 facts."""
    _bounded(items, "facts")
    return [item if isinstance(item, FactIn) else fact_in(item, field=f"facts[{n}]") for n, item in enumerate(items)]


def episode_in(given: Mapping[str, Any], *, field: str = "episode", longest: int = MAX_TEXT) -> EpisodeIn:
    """One episode from its outward shape; `longest` is how many characters its text may have."""
    read = _Fields(given, field)
    text = read.text("text", required=True, limit=longest)
    if not text.strip():
        raise Invalid(f"{field}.text is empty: give the words that were said or written", field=f"{field}.text")
    episode = EpisodeIn(
        text=text,
        kind=read.choice("kind", EpisodeKind, EpisodeKind.MESSAGE),
        occurred_at=read.time("occurred_at", required=True),
        external_id=read.text("external_id", limit=MAX_NAME) or None,
        speaker=read.text("speaker", limit=MAX_NAME).strip(),
        title=read.text("title", limit=MAX_NAME).strip(),
        source=read.text("source", limit=MAX_NAME),
        lang=read.text("lang", limit=MAX_LANG),
        thread=read.text("thread", limit=MAX_NAME),
        scope=scope_in(read.take("scope"), field=f"{field}.scope"),
        wall=read.text("wall", limit=MAX_NAME),
        importance=read.importance(),
        metadata=read.json_object("metadata"),
        recorded_at=read.optional_time("recorded_at"),
    )
    read.nothing_else()
    return episode


def fact_in(given: Mapping[str, Any], *, field: str = "fact") -> FactIn:
    """One fact from its outward shape."""
    read = _Fields(given, field)
    fact = FactIn(
        subject=end_in(read.take("subject"), field=f"{field}.subject", literal=False),
        relation=read.name("relation"),
        object=end_in(read.take("object"), field=f"{field}.object", literal=True),
        text=read.text("text", limit=MAX_TEXT),
        valid_at=read.optional_time("valid_at"),
        invalid_at=read.optional_time("invalid_at"),
        confidence=read.share("confidence", 1.0),
        importance=read.importance(),
        evidence=tuple(EpisodeId(id) for id in read.texts("evidence")),
        scope=scope_in(read.take("scope"), field=f"{field}.scope"),
        wall=read.text("wall", limit=MAX_NAME),
    )
    read.nothing_else()
    if fact.valid_at and fact.invalid_at and fact.invalid_at < fact.valid_at:
        raise Invalid(
            f"{field}.invalid_at {fact.invalid_at.isoformat()} lies before valid_at {fact.valid_at.isoformat()}: "
            "a fact cannot end before it begins",
            field=f"{field}.invalid_at",
        )
    return fact


def end_in(given: object, *, field: str, literal: bool) -> EndIn:
    """An end of a fact; a bare string is a name."""
    shapes = "{name, type?}, {id} or {value}" if literal else "{name, type?} or {id}"
    if isinstance(given, str):
        given = {"name": given}
    if not isinstance(given, Mapping):
        raise Invalid(f"{field} is {given!r}: give {shapes}", field=field)
    read = _Fields(given, field)
    if given.get("id") is not None:
        end = EndIn(id=EntityId(read.name("id")))
        for shown in ("name", "type"):  # an answer's {id, name, type} may be handed in again
            read.take(shown)
    elif literal and "value" in given:
        text = _literal(read.take("value"), field=f"{field}.value")
        if not text.strip():
            raise Invalid(f"{field}.value is empty", field=f"{field}.value")
        if len(text) > MAX_TEXT:
            raise TooLarge(f"{field}.value has {len(text)} characters: at most {MAX_TEXT} are taken")
        end = EndIn(name=text, is_value=True)
    elif "name" in given:
        end = EndIn(name=read.name("name"), type=read.text("type", limit=100), identifiers=_identifiers(read, field))
    else:
        raise Invalid(f"{field} has none of its keys: give {shapes}", field=field)
    read.nothing_else()
    return end


def _literal(value: object, *, field: str) -> str:
    """A literal as it is stored. Equal numbers give equal texts: 99 and 99.0 are both "99", 10**20 and 1e20 one value."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return json.dumps(value)
    if isinstance(value, int):
        try:
            return str(value)
        except ValueError as cause:  # more digits than Python turns into a text
            raise TooLarge(f"{field} is a number of {value.bit_length()} bits: give it as a string") from cause
    if isinstance(value, float) and math.isfinite(value):
        if value.is_integer():
            return format(
                Decimal(repr(value or 0.0)).to_integral_value(), "f"
            )  # the digits of 1e23, not those of its nearest float
        return repr(value)
    raise Invalid(f"{field} is {value!r}: give a string, number or boolean", field=field)


def _identifiers(read: _Fields, field: str) -> tuple[str, ...]:
    """Strong identifiers, folded so that equal ones are equal strings."""
    found = []
    for given in read.texts("identifiers"):
        kind, colon, value = (part.strip() for part in given.partition(":"))
        if not colon or not kind or not value or len(given) > MAX_NAME:
            raise Invalid(
                f"{field}.identifiers has {given!r}: give kind:value, such as email:ana@acme.example or tax:GB123",
                field=f"{field}.identifiers",
            )
        found.append(f"{kind.casefold()}:{_plain(kind.casefold(), value)}")
    return tuple(dict.fromkeys(found))


def _plain(kind: str, value: str) -> str:
    if kind == "phone":
        return "".join(c for c in value if c.isdigit())
    if kind == "tax":
        return "".join(c for c in value.upper() if c.isalnum())
    return value.casefold()


def scope_in(given: object, *, field: str = "scope") -> Scope:
    """A scope from `{user?, agent?, session?}`; nothing gives the shared scope."""
    if given is None:
        return SHARED
    if isinstance(given, Scope):
        return given
    if not isinstance(given, Mapping):
        raise Invalid(f"{field} is {given!r}: give an object with user, agent and session, each optional", field=field)
    read = _Fields(given, field)
    scope = Scope(**{name: read.text(name, limit=MAX_NAME) for name in _SCOPE_FIELDS})
    read.nothing_else()
    return scope


def time_in(given: object, *, field: str) -> datetime | None:
    """An optional moment from an aware datetime or an RFC 3339 text. Raises Invalid."""
    if given is None:
        return None
    if isinstance(given, datetime):
        return require_aware(given, field=field)
    if isinstance(given, str):
        return parse_time(given, field=field)
    raise Invalid(f"{field} is {given!r}: give an RFC 3339 time with an offset", field=field)


def _bounded(items: Sequence[object], what: str) -> None:
    if isinstance(items, str | bytes | Mapping) or not isinstance(items, Sequence):
        raise Invalid(f"{what} is {type(items).__name__}: give a list", field=what)
    if not items:
        raise Invalid(f"{what} is empty: give at least one", field=what)
    if len(items) > MAX_ITEMS:
        raise TooLarge(
            f"{len(items)} {what} in one call: at most {MAX_ITEMS} are taken, send the rest in further calls"
        )


class _Fields:
    """Reads the fields of one object, each once, and knows afterwards which nobody asked for."""

    def __init__(self, given: object, path: str) -> None:
        if not isinstance(given, Mapping):
            raise Invalid(f"{path} is {type(given).__name__}: give an object", field=path)
        self._given = given
        self._path = path
        self._left = set(given)

    def take(self, name: str) -> object:
        self._left.discard(name)
        return self._given.get(name)

    def text(self, name: str, *, required: bool = False, limit: int) -> str:
        value = self.take(name)
        if value is None:
            if required:
                raise Invalid(f"{self._path}.{name} is missing", field=f"{self._path}.{name}")
            return ""
        if not isinstance(value, str):
            raise Invalid(f"{self._path}.{name} is {value!r}: give a string", field=f"{self._path}.{name}")
        if len(value) > limit:
            raise TooLarge(f"{self._path}.{name} has {len(value)} characters: at most {limit} are taken")
        return value

    def name(self, name: str) -> str:
        value = self.text(name, required=True, limit=MAX_NAME)
        if not value.strip():
            raise Invalid(f"{self._path}.{name} is empty", field=f"{self._path}.{name}")
        return value

    def texts(self, name: str) -> list[str]:
        value = self.take(name)
        if value is None:
            return []
        if not isinstance(value, Sequence) or isinstance(value, str) or not all(isinstance(v, str) for v in value):
            raise Invalid(f"{self._path}.{name} is {value!r}: give a list of strings", field=f"{self._path}.{name}")
        return list(value)

    def choice(self, name: str, kinds: type[EpisodeKind], default: EpisodeKind) -> EpisodeKind:
        value = self.take(name)
        if value is None:
            return default
        try:
            return kinds(str(value))
        except ValueError as cause:
            allowed = ", ".join(kinds)
            raise Invalid(
                f"{self._path}.{name} is {value!r}: use one of {allowed}", field=f"{self._path}.{name}"
            ) from cause

    def time(self, name: str, *, required: bool) -> datetime:
        moment = self.optional_time(name)
        if moment is None:
            raise Invalid(
                f"{self._path}.{name} is missing: give an RFC 3339 time with an offset, such as 2026-03-01T09:00:00Z",
                field=f"{self._path}.{name}",
            )
        return moment

    def optional_time(self, name: str) -> datetime | None:
        return time_in(self.take(name), field=f"{self._path}.{name}")

    def importance(self) -> int:
        value = self.take("importance")
        if value is None:
            return 3
        if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= 5:
            raise Invalid(
                f"{self._path}.importance is {value!r}: give a whole number from 1 to 5",
                field=f"{self._path}.importance",
            )
        return value

    def share(self, name: str, default: float) -> float:
        value = self.take(name)
        if value is None:
            return default
        if not isinstance(value, int | float) or isinstance(value, bool) or not 0 < value <= 1:
            raise Invalid(
                f"{self._path}.{name} is {value!r}: give a number above 0 and at most 1", field=f"{self._path}.{name}"
            )
        return float(value)

    def json_object(self, name: str) -> Mapping[str, Any]:
        value = self.take(name)
        if value is None:
            return {}
        if not isinstance(value, Mapping):
            raise Invalid(f"{self._path}.{name} is {value!r}: give a JSON object", field=f"{self._path}.{name}")
        try:
            json.dumps(value, allow_nan=False)
        except (TypeError, ValueError, RecursionError) as cause:
            raise Invalid(
                f"{self._path}.{name} holds what JSON cannot: {cause}", field=f"{self._path}.{name}"
            ) from cause
        return dict(value)

    def nothing_else(self) -> None:
        if self._left:
            unknown = ", ".join(sorted(map(str, self._left)))
            known = ", ".join(sorted(set(map(str, self._given)) - set(map(str, self._left))))
            raise Invalid(f"{self._path} has unknown fields: {unknown} (understood here: {known})", field=self._path)
