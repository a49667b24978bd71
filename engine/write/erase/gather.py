"""Which rows a scope names, and what goes with them because it derives from them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from muniment.engine.ports.store import EpisodeQuery, Reader
from muniment.engine.retrieve.browse import entities_named
from muniment.engine.write.erase.listed import purge_list
from muniment.engine.write.erase.scan import all_documents, all_episodes, all_live_entities, all_mentions
from muniment.engine.write.erase.scopes import EraseScope, Reach, Sight
from muniment.engine.write.merges import MERGE
from muniment.engine.write.taken_back import once_known_as
from muniment.graph_schema.errors import Ambiguous, NotFound
from muniment.graph_schema.ids import AssertionId, EntityId, EpisodeId, FactId, SummaryId, fold
from muniment.graph_schema.records import Assertion, Entity, Episode, Says, Scope, Summary

_SHORTEST_TELLING_NAME = 4
"""Characters of a name that is looked for in texts that no mention ties to it; shorter ones stand in other words."""


@dataclass(slots=True)
class Target:
    """The rows that a scope names, whole; filled step by step while they are looked for.

    `entities` are to go themselves; others go when nothing names them any more.
    """

    scope: EraseScope
    episodes: dict[EpisodeId, Episode] = field(default_factory=dict)
    assertions: dict[AssertionId, Assertion] = field(default_factory=dict)
    entities: dict[EntityId, Entity] = field(default_factory=dict)
    summaries: dict[SummaryId, Summary] = field(default_factory=dict)
    doubted: frozenset[EntityId] = frozenset()  # to go too if nothing that stays names them

    def __bool__(self) -> bool:
        return bool(self.episodes or self.assertions or self.entities or self.summaries)

    @property
    def named(self) -> tuple[str, ...]:
        """The ids of what the scope names itself, for the audit chain."""
        match self.scope.reach:
            case Reach.SUBJECT:
                return tuple(sorted(self.entities))
            case Reach.FACT:
                return (self.scope.value,)
            case _:
                return tuple(sorted(self.episodes))


async def gather(reader: Reader, scope: EraseScope, sight: Sight) -> Target:
    """The rows of a scope, and the assertions that stand on its episodes. `reader` sees every wall.

    Raises NotFound where the caller can see no such episode, fact, subject or wall, Ambiguous where a subject's name means
    several. A user, agent or session without memories is an empty target, not an error.
    """
    target = Target(scope=scope)
    match scope.reach:
        case Reach.EPISODE:
            target.episodes = _by_id(_seen(await reader.episodes([EpisodeId(scope.value)]), scope, sight, "episode"))
        case Reach.EXTERNAL_ID:
            target.episodes = _by_id(_seen(await _of_external_id(reader, scope.value), scope, sight, "episode"))
        case Reach.FACT:
            target.assertions = _by_id(await _of_fact(reader, scope, sight))
        case Reach.SUBJECT:
            await _add_subject(reader, target, sight)
        case Reach.LISTED:
            await _add_listed(reader, target)
        case _:
            await _add_area(reader, target, sight)
    await _add_what_stands_on_it(reader, target)
    return target


def in_scope(scope: EraseScope, of: Scope, wall: str) -> bool:
    """Whether a row of this scope and wall belongs to a user, agent, session, wall or tenant that `scope` names."""
    if scope.wall is not None and wall != scope.wall:
        return False
    match scope.reach:
        case Reach.USER:
            return of.user == scope.value
        case Reach.AGENT:
            return of.agent == scope.value
        case Reach.SESSION:
            return of.session == scope.value
        case Reach.WALL:
            return wall == scope.value
        case Reach.TENANT:
            return True
        case _:
            return False


async def resolved_subjects(reader: Reader, scope: EraseScope, sight: Sight) -> list[Entity]:
    """The entities that a subject's id or name means, one behind each wall at most. Raises NotFound, Ambiguous."""
    found = await reader.entities(sorted(await entities_named(reader, scope.value)))
    seen = _seen([e for e in found if not e.archived], scope, sight, "entity")
    walls = [e.wall for e in seen]
    if len(set(walls)) < len(walls):
        told = ", ".join(f"{e.id} ({e.type})" for e in seen)
        raise Ambiguous(f"subject {scope.value!r} means several: {told}", candidates=[e.id for e in seen])
    return seen


async def _of_external_id(reader: Reader, external_id: str) -> list[Episode]:
    """Behind each wall there can be one that has it, and some that had it until they were told again; the store's look-up
    gives one only."""
    found = await once_known_as(reader, external_id)
    if await reader.episodes_by_external_id([external_id]):
        found += [e async for rows in all_episodes(reader) for e in rows if e.external_id == external_id]
    return found


async def _of_fact(reader: Reader, scope: EraseScope, sight: Sight) -> list[Assertion]:
    """The evidence of every version, and what was said against the same claim where no other interval of it is left."""
    versions = _seen(await reader.fact_versions(FactId(scope.value)), scope, sight, "fact")
    own = {id for version in versions for id in version.assertions}
    slot = versions[-1].slot
    others = [f for f in await reader.facts_of_slots([slot]) if f.claim == versions[-1].claim and f.id != scope.value]
    told = await reader.assertions(sorted(own))
    if others:
        return told
    against = [a for a in await reader.assertions_of_slots([slot]) if a.claim == versions[-1].claim and a.id not in own]
    return [*told, *(a for a in against if a.says is not Says.HOLDS)]


async def _add_subject(reader: Reader, target: Target, sight: Sight) -> None:
    """The entity with all that was merged into it, every statement about it, and every episode that names it.

    An episode that names it is personal data of it whatever else it tells; facts of others that rest on other evidence
    too stay.
    """
    subjects = await resolved_subjects(reader, target.scope, sight)
    target.entities = _by_id([*subjects, *await _merged_into(reader, {e.id for e in subjects})])
    ids = sorted(target.entities)
    target.assertions = _by_id(await reader.assertions_of_entities(ids))
    named = {m.episode for m in await all_mentions(reader, ids)}
    proving = {a.episode for a in target.assertions.values() if a.episode is not None}
    target.episodes = _by_id(await reader.episodes(sorted(named | proving)))
    for name in await _telling_names(reader, target.entities.values()):
        await _add_texts_with(reader, target, name)


async def _merged_into(reader: Reader, ids: set[EntityId]) -> list[Entity]:
    """Every entity that a merge, or a chain of them, has led to one of these."""
    pairs = [(str(d.body["other"]), str(d.body["keep"])) async for rows in all_documents(reader, MERGE) for d in rows]
    others = await reader.entities([EntityId(other) for other, _ in pairs])
    leads = {e.id: e for e in others if e.merged_into is not None}
    found: dict[EntityId, Entity] = {}
    while new := {id: e for id, e in leads.items() if e.merged_into in ids | found.keys() and id not in found}:
        found.update(new)
    return list(found.values())


async def _telling_names(reader: Reader, entities: Iterable[Entity]) -> list[str]:
    """Spellings that can mean nobody else of the tenant."""
    own = {e.id for e in entities}
    names = {a.name: a.key for e in entities for a in e.aliases if len(a.name) >= _SHORTEST_TELLING_NAME}
    meant = await reader.entities_by_alias(sorted(set(names.values())))
    return sorted(name for name, key in names.items() if all(e.id in own for e in meant.get(key, ())))


async def _add_texts_with(reader: Reader, target: Target, name: str) -> None:
    """Episodes and statements whose words contain the name though nothing ties them to the entity."""
    word = whole_word(name)
    walls = {e.wall for e in target.entities.values()}
    async for rows in all_episodes(reader, EpisodeQuery(text=name, include_archived=True)):
        target.episodes |= _by_id([e for e in rows if e.wall in walls and word.search(fold(e.text))])
    async for told in reader.all_assertions():
        target.assertions |= _by_id([a for a in told if a.wall in walls and word.search(fold(f"{a.text} {a.quote}"))])
    async for made in reader.all_summaries():
        target.summaries |= _by_id([s for s in made if s.wall in walls and word.search(fold(s.text))])


def whole_word(name: str) -> re.Pattern[str]:
    """Finds a name in folded text where it is not part of a longer word; scripts without spaces are met anywhere."""
    folded = fold(name)
    start = r"(?<![^\W_])" if folded[:1].isascii() else ""
    end = r"(?![^\W_])" if folded[-1:].isascii() else ""
    return re.compile(start + re.escape(folded) + end)


async def _add_area(reader: Reader, target: Target, sight: Sight) -> None:
    """Everything of a user, agent, session, wall, or of the whole tenant."""
    scope = target.scope
    wall = scope.value if scope.reach is Reach.WALL else scope.wall
    if wall is not None and not sight.sees(wall):
        raise NotFound.of("wall", wall)
    async for rows in all_episodes(reader):
        target.episodes |= _by_id([e for e in rows if in_scope(scope, e.scope, e.wall)])
    async for told in reader.all_assertions():
        target.assertions |= _by_id([a for a in told if in_scope(scope, a.scope, a.wall)])
    async for made in reader.all_summaries():
        target.summaries |= _by_id([s for s in made if in_scope(scope, s.scope, s.wall)])
    if scope.reach in (Reach.WALL, Reach.TENANT):
        async for entities in all_live_entities(reader):
            target.entities |= _by_id([e for e in entities if in_scope(scope, e.scope, e.wall)])
        target.entities |= _by_id(await _merged_into(reader, set(target.entities)))


async def _add_listed(reader: Reader, target: Target) -> None:
    """What is stored though the purge list names it: it came from an old copy. Entities go if nothing else names them."""
    ids = sorted((await purge_list(reader)).ids)
    target.episodes = _by_id(await reader.episodes([EpisodeId(id) for id in ids if id.startswith("e_")]))
    target.assertions = _by_id(await reader.assertions([AssertionId(id) for id in ids if id.startswith("a_")]))
    others = [id for id in ids if id[:2] not in ("e_", "a_", "n_")]
    target.summaries = _by_id(await reader.summaries([SummaryId(id) for id in others]))
    target.doubted = frozenset(EntityId(id) for id in ids if id.startswith("n_"))


async def _add_what_stands_on_it(reader: Reader, target: Target) -> None:
    told = await reader.assertions_of_episodes(sorted(target.episodes)) if target.episodes else []
    target.assertions |= _by_id(told)


def _seen(rows: list[Any], scope: EraseScope, sight: Sight, what: str) -> list[Any]:
    """Those rows that the caller may see. Raises NotFound where none is left."""
    seen = [row for row in rows if sight.sees(row.wall) and scope.wall in (None, row.wall)]
    if not seen:
        raise NotFound.of(what, scope.value)
    return seen


def _by_id(rows: Iterable[Any]) -> dict[Any, Any]:
    return {row.id: row for row in rows}
