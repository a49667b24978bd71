"""What is to be erased or held: one scope, parsed at the edge, and which rows it names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from muniment.engine.ports.store import TenantStore
from muniment.graph_schema.errors import Invalid
from muniment.graph_schema.ids import digest


class Reach(StrEnum):
    """By what a scope names its memories."""

    EPISODE = "episode"
    EXTERNAL_ID = "external_id"
    FACT = "fact"
    SUBJECT = "subject"
    USER = "user"
    AGENT = "agent"
    SESSION = "session"
    WALL = "wall"
    TENANT = "tenant"
    LISTED = "purge_list"  # what the purge list names: not for callers, who erased it once already


_PREFIXES = {"e_": Reach.EPISODE, "f_": Reach.FACT, "n_": Reach.SUBJECT}
_ALIASES = {"entity": Reach.SUBJECT}
_PERSONAL = frozenset({Reach.EXTERNAL_ID, Reach.SUBJECT, Reach.USER, Reach.AGENT, Reach.SESSION})
_HELP = "use one of " + ", ".join(reach.value for reach in Reach if reach is not Reach.LISTED)


@dataclass(frozen=True, slots=True, kw_only=True)
class EraseScope:
    """One scope. `wall` narrows it to one area of the tenant where it is given."""

    reach: Reach
    value: str
    wall: str | None = None

    def to_json(self) -> dict[str, Any]:
        """The scope as callers give it."""
        body: dict[str, Any] = {self.reach.value: True if self.reach is Reach.TENANT else self.value}
        return body if self.wall is None else {**body, "wall": self.wall}

    def veiled(self) -> dict[str, Any]:
        """The scope as it is kept once its memories are gone: ids and areas as they are, names as a hash."""
        if self.reach not in _PERSONAL or self.value.startswith("n_"):
            return self.to_json()
        return replace(self, value="hash:" + digest(self.reach.value, self.value)).to_json()


def erase_scope_in(given: Mapping[str, Any] | EraseScope, *, tenant: str) -> EraseScope:
    """The scope that a caller names: exactly one of the ways of `Reach`, and `wall` beside it to narrow it.

    A subject is an id, a name, `{"id": …}` or `{"name": …}`; `{"id": …}` alone is told by its prefix. Raises Invalid.
    """
    if isinstance(given, EraseScope):
        return given
    if not isinstance(given, Mapping):
        raise Invalid(f"scope is {given!r}: give an object, {_HELP}", field="scope")
    fields = {key: value for key, value in given.items() if value is not None and value is not False}
    wall = fields.pop("wall", None)
    if not fields and wall is not None:
        return EraseScope(reach=Reach.WALL, value=_text(wall, "wall"))
    if len(fields) != 1:
        raise Invalid(
            f"scope names {sorted(fields) or 'nothing'}: {_HELP}, and wall beside it to narrow it", field="scope"
        )
    ((name, value),) = fields.items()
    narrowed = None if wall is None else _text(wall, "wall", may_be_empty=True)
    if name == Reach.TENANT:
        if narrowed is not None or value not in (True, tenant):
            raise Invalid("scope.tenant is true or the name of your own tenant, without a wall", field="scope.tenant")
        return EraseScope(reach=Reach.TENANT, value=tenant)
    reach = _reach(name, value)
    if reach is Reach.SUBJECT and isinstance(value, Mapping):
        value = value.get("id") or value.get("name")
    return EraseScope(reach=reach, value=_text(value, name), wall=narrowed)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sight:
    """Which walls the caller may see. What is behind others cannot be named, but goes with what derives from what was."""

    walls: frozenset[str]
    all_walls: bool

    @classmethod
    def of(cls, store: TenantStore) -> Sight:
        return cls(walls=store.walls, all_walls=store.all_walls)

    def sees(self, wall: str) -> bool:
        return self.all_walls or wall in self.walls


def _reach(name: str, value: object) -> Reach:
    if name == "id" and isinstance(value, str):
        for prefix, reach in _PREFIXES.items():
            if value.startswith(prefix):
                return reach
        raise Invalid(f"scope.id {value!r} is not the id of an episode, a fact or an entity", field="scope.id")
    try:
        reach = _ALIASES.get(name) or Reach(name)
    except ValueError:
        reach = Reach.LISTED
    if reach is Reach.LISTED:
        raise Invalid(f"scope.{name} is not known: {_HELP}", field=f"scope.{name}")
    return reach


def _text(value: object, name: str, *, may_be_empty: bool = False) -> str:
    if not isinstance(value, str) or not (value.strip() or may_be_empty):
        raise Invalid(f"scope.{name} is {value!r}: give a text that is not empty", field=f"scope.{name}")
    if value.strip() == "*":
        raise Invalid(f"scope.{name} is '*': name one, there is no word for all of them", field=f"scope.{name}")
    return value
