"""Marks that people set on memories, archived and pinned: not evidence, so no timeline derives them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from muniment.engine.ports.store import Reader, Unit
from muniment.engine.retrieve.pinned import PIN, PINNED, UNPINNED
from muniment.engine.write.receipts import Flag
from muniment.graph_schema.ids import EpisodeId, FactId
from muniment.graph_schema.records import Action, Because, Change, Document, Episode, Fact, Kind


@dataclass(frozen=True, slots=True, kw_only=True)
class Marked:
    """What was changed, and the flags that put it back."""

    changes: tuple[Change, ...]
    before: tuple[Flag, ...]
    walls: frozenset[str]  # those that what was changed stands behind


async def last_versions(reader: Reader, ids: Sequence[FactId]) -> list[Fact]:
    """The last version in which each fact stood: not what is kept of one whose episodes were forgotten, which has no marks."""
    found: list[Fact] = []
    for fact in await reader.facts(ids):
        versions = await reader.fact_versions(fact.id) if fact.is_forgotten else [fact]
        found += [version for version in versions if not version.is_forgotten][-1:]
    return found


async def set_marks(unit: Unit, flags: Sequence[Flag], *, at: datetime) -> Marked:
    """Sets the flags on the memories that are there; one that has the value already is left alone."""
    if not flags:
        return Marked(changes=(), before=(), walls=frozenset())
    episodes = {str(e.id): e for e in await unit.episodes([EpisodeId(f.id) for f in flags if f.kind is Kind.EPISODE])}
    marked = [FactId(f.id) for f in flags if f.kind is not Kind.EPISODE]
    facts = {str(f.id): f for f in await last_versions(unit, marked)}
    before: list[Flag] = []
    for flag in flags:
        known: Episode | Fact | None = episodes.get(flag.id) if flag.kind is Kind.EPISODE else facts.get(flag.id)
        if known is None or _value(known, flag.name) == flag.value:
            continue
        before.append(replace(flag, value=not flag.value))
        if isinstance(known, Episode):
            episodes[flag.id] = _set_on_episode(known, flag)
        else:
            facts[flag.id] = _set_on_fact(known, flag)
    touched = {flag.id for flag in before}
    known_by_id: dict[str, Episode | Fact] = {**episodes, **facts}
    await unit.put_episodes([e for id, e in episodes.items() if id in touched])
    await unit.put_facts([f for id, f in facts.items() if id in touched])
    await unit.put_documents([_pin(flag, at) for flag in before if flag.name == "pinned"])
    return Marked(
        changes=tuple(_change(flag) for flag in before),
        before=tuple(before),
        walls=frozenset(known_by_id[id].wall for id in touched),
    )


def _value(memory: Episode | Fact, name: str) -> bool:
    return memory.archived if name == "archived" else memory.pinned


def _set_on_episode(episode: Episode, flag: Flag) -> Episode:
    if flag.name == "archived":
        return replace(episode, archived=flag.value)
    return replace(episode, pinned=flag.value)


def _set_on_fact(fact: Fact, flag: Flag) -> Fact:
    if flag.name == "archived":
        return replace(fact, archived=flag.value)
    return replace(fact, pinned=flag.value)


def _pin(undo: Flag, at: datetime) -> Document:
    """Pins are also kept as documents, by which a context block finds them without a search."""
    status = UNPINNED if undo.value else PINNED
    return Document(kind=PIN, id=undo.id, ref=undo.kind.value, status=status, created_at=at)


def _change(undo: Flag) -> Change:
    """`undo` holds the value of before."""
    if undo.name == "archived":
        action, rule = (Action.REOPENED, "mark.restored") if undo.value else (Action.ARCHIVED, "mark.archived")
    else:
        action, rule = Action.UPDATED, "mark.unpinned" if undo.value else "mark.pinned"
    return Change(action=action, kind=undo.kind, id=undo.id, because=Because(rule=rule))
