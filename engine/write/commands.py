"""A model's `memory_commands`: create, update and delete memories under the same rules as everything else.

What a command makes is evidence of lower confidence than a person's word, so it closes no plain fact outside the memory
that it names. A broken command is rejected and the others are done; one whose target fits several memories stops the call.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from muniment.engine.extract.candidates import Named
from muniment.engine.extract.procedures import procedure_told
from muniment.engine.extract.topics import wish_family
from muniment.engine.ingest.inputs import EndIn, end_in, scope_in, time_in
from muniment.engine.ports.store import FactQuery, Page, Reader
from muniment.engine.resolve.statements import RANK_TOLD, Statement, lasting_scope
from muniment.engine.retrieve.pinned import may_see
from muniment.engine.write.changes import Hand, decided, standing_fact
from muniment.engine.write.draft import Draft
from muniment.engine.write.indexing import Indexer
from muniment.engine.write.reply_text import BROKEN, reply_of
from muniment.engine.write.screening import Screener
from muniment.engine.write.survivors import survivors
from muniment.graph_schema.errors import Ambiguous, Invalid, MunimentError, NotFound, TooLarge
from muniment.graph_schema.ids import AssertionId, EntityId, EpisodeId, FactId, fold
from muniment.graph_schema.records import HELD_KINDS, Fact, Kind, Rejection, Says, Scope
from muniment.graph_schema.temporal import to_ms

CONFIDENCE = 0.8
"""Of what a model orders: by just the margin weaker than what a caller asserts, so that it never closes that."""
RULE = "command"
NOTED = "noted"
_TYPES = ("preference", "constraint", "fact", "skill", "event")
_FIELDS = frozenset({"op", "type", "content", "target", "importance", "expires_at", "metadata"})
_MAX_COMMANDS = 1_000
_MAX_CONTENT = 20_000
_SHORTEST_HASH = 8
_HASHES: tuple[Callable[[bytes], Any], ...] = (hashlib.sha256, hashlib.sha1, hashlib.md5)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Setting:
    """What all commands of a call share."""

    subject: Named | EntityId
    name: str
    scope: Scope
    evidence: tuple[EpisodeId, ...]
    hand: Hand
    memories: tuple[Fact, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Done:
    """What one command comes to."""

    statements: tuple[Statement, ...] = ()
    withdraw: tuple[AssertionId, ...] = ()


async def draft_commands(
    reader: Reader, given: Mapping[str, Any] | str, hand: Hand, *, indexer: Indexer, screener: Screener
) -> Draft:
    """The draft of all commands that can be done; the others are in `rejected`.

    Raises Invalid where the whole cannot be read, Ambiguous where a target fits several memories (then nothing is done),
    NotFound for an unknown subject id or evidence id.
    """
    body = commands_in(given)
    commands = body.get("memory_commands")
    if not isinstance(commands, Sequence) or isinstance(commands, str):
        raise Invalid(f"memory_commands is {commands!r}: give a list of commands", field="memory_commands")
    if len(commands) > _MAX_COMMANDS:
        raise TooLarge(f"{len(commands)} commands in one call: at most {_MAX_COMMANDS} are taken")
    setting = await _setting(reader, body, hand)
    done: list[_Done] = []
    rejected: list[Rejection] = []
    for number, command in enumerate(commands):
        path = f"memory_commands[{number}]"
        try:
            clean = screener.command(command, path) if isinstance(command, Mapping) else command
            if clean is not None:
                done.append(await _do(reader, clean, setting, path))
        except Ambiguous:
            raise
        except MunimentError as error:
            rejected.append(Rejection(input=path, code=error.code, detail=str(error)))
    statements = tuple(s for d in done for s in d.statements)
    return Draft(
        verb="apply_commands",
        actor=hand.actor,
        at=hand.at,
        reason=hand.reason,
        cause="command.applied",
        statements=statements,
        withdraw=tuple(dict.fromkeys(a for d in done for a in d.withdraw)),
        vectors=await indexer.vectors_of([s.text for s in statements]),
        rejected=(*screener.rejected, *rejected),
        screened=screener.report,
    )


def commands_in(given: Mapping[str, Any] | str) -> Mapping[str, Any]:
    """The commands as an object; a model's reply may be JSON text, fenced or not, in which one that is broken costs itself alone.

    Raises Invalid.
    """
    if not isinstance(given, str):
        return _commands_of(given)
    return _commands_of(reply_of(given))


def _commands_of(read: object) -> Mapping[str, Any]:
    """The commands as an object; a bare list is one of commands."""
    if isinstance(read, list):
        return {"memory_commands": read}
    if not isinstance(read, Mapping):
        raise Invalid(f"commands are {type(read).__name__}: give an object with memory_commands")
    return read


async def _setting(reader: Reader, body: Mapping[str, Any], hand: Hand) -> _Setting:
    scope = lasting_scope(scope_in(body.get("scope")))
    subject: Named | EntityId = Named(name=scope.user or "user", type="person")
    name = scope.user or "user"
    if body.get("subject") is not None:
        end: EndIn = end_in(body["subject"], field="subject", literal=False)
        if end.id is not None:
            entity = (await survivors(reader, [end.id]))[end.id]
            subject, name = entity.id, entity.name
        else:
            subject, name = Named(name=end.name, type=end.type), end.name
    evidence = tuple(EpisodeId(str(id)) for id in body.get("evidence") or ())
    found = {e.id for e in await reader.episodes(evidence)} if evidence else set()
    for id in evidence:
        if id not in found:
            raise NotFound.of("episode", id)
    return _Setting(
        subject=subject,
        name=name,
        scope=scope,
        evidence=evidence,
        hand=hand,
        memories=tuple(await _memories(reader, scope, hand.at)),
    )


async def _memories(reader: Reader, scope: Scope, at: datetime) -> list[Fact]:
    """Every standing memory that a target may mean."""
    found: list[Fact] = []
    after: tuple[int, str] | None = None
    query = FactQuery(kinds=frozenset(HELD_KINDS), as_of=at)
    while True:
        rows = await reader.list_facts(query, Page(limit=500, after=after))
        found.extend(row for row in rows if may_see(scope, row.scope))
        if len(rows) < 500:
            return found
        after = (to_ms(rows[-1].created_at), rows[-1].id)


async def _do(reader: Reader, command: object, setting: _Setting, path: str) -> _Done:
    if not isinstance(command, Mapping):
        raise Invalid(f"{path} is {type(command).__name__}: give an object", field=path)
    if set(command) == {BROKEN}:
        raise Invalid(f"{path} is no JSON: {command[BROKEN]}", field=path)
    unknown = sorted(set(map(str, command)) - _FIELDS)
    if unknown:
        raise Invalid(f"{path} has unknown fields: {', '.join(unknown)}", field=path)
    op = command.get("op")
    if op == "create":
        return _Done(statements=tuple(_create(command, setting, path)))
    if op == "update":
        return _update(command, await _target(reader, command, setting, path), setting, path)
    if op == "delete":
        return _Done(withdraw=(await _target(reader, command, setting, path)).assertions)
    raise Invalid(f"{path}.op is {op!r}: use create, update or delete", field=f"{path}.op")


def _create(command: Mapping[str, Any], setting: _Setting, path: str) -> list[Statement]:
    """One statement for each episode that the call gives as evidence, or one without."""
    kind = command.get("type")
    if kind not in _TYPES:
        raise Invalid(f"{path}.type is {kind!r}: use one of {', '.join(_TYPES)}", field=f"{path}.type")
    content = _content(command, path)
    statement = Statement(
        kind=_KINDS[kind],
        subject=setting.subject,
        relation=_RELATIONS[kind],
        object=Named(name=content, is_value=True),
        text=content,
        valid_to=_expiry(command, setting, path),
        told_at=setting.hand.at,
        recorded_at=setting.hand.at,
        confidence=CONFIDENCE,
        importance=_importance(command, path),
        rank=RANK_TOLD,
        rule=RULE,
        scope=setting.scope,
        attributes=_attributes(kind, content, command, path),
        input=path,
    )
    return [replace(statement, episode=id) for id in setting.evidence] or [statement]


def _update(command: Mapping[str, Any], target: Fact, setting: _Setting, path: str) -> _Done:
    """The memory ends and the new content holds from now on, in the same place."""
    content = _content(command, path)
    hand = setting.hand
    new = decided(
        target,
        hand,
        says=Says.HOLDS,
        valid_to=_expiry(command, setting, path),
        object=Named(name=content, is_value=True),
        text=content,
    )
    importance = _importance(command, path) if command.get("importance") is not None else target.importance
    attributes = {**target.attributes, "value": content} if "value" in target.attributes else dict(target.attributes)
    episode = setting.evidence[0] if setting.evidence else None
    new = replace(new, rule=RULE, confidence=CONFIDENCE, importance=importance, attributes=attributes, episode=episode)
    ended = replace(decided(target, hand, says=Says.ENDED, valid_to=max(hand.at, target.valid_at)), rule=RULE)
    return _Done(statements=(ended, new))


async def _target(reader: Reader, command: Mapping[str, Any], setting: _Setting, path: str) -> Fact:
    """The memory that a target means: by id, by hash of its content, or by the content itself."""
    target = command.get("target")
    if not isinstance(target, str) or not target.strip():
        raise Invalid(f"{path}.target is {target!r}: give an id or a content hash", field=f"{path}.target")
    if target.startswith("f_"):
        return await standing_fact(reader, FactId(target))
    fits = [m for m in setting.memories if _fits(m, target.strip())]
    if not fits:
        raise NotFound.of("memory", target)
    if len(fits) > 1:
        ids = [m.id for m in fits]
        raise Ambiguous(
            f"{path}.target {target!r} fits {len(fits)} memories: {', '.join(ids)}; name one by its id", candidates=ids
        )
    return fits[0]


def _fits(memory: Fact, target: str) -> bool:
    if fold(memory.text) == fold(target) or fold(memory.object.name) == fold(target):
        return True
    wanted = target.casefold().rpartition(":")[2]
    if len(wanted) < _SHORTEST_HASH or any(c not in "0123456789abcdef" for c in wanted):
        return False
    raw = memory.text.encode("utf-8", "surrogatepass")
    return any(make(raw).hexdigest().startswith(wanted) for make in _HASHES)


def _content(command: Mapping[str, Any], path: str) -> str:
    content = command.get("content")
    if not isinstance(content, str) or not content.strip():
        raise Invalid(f"{path}.content is {content!r}: give the words to remember", field=f"{path}.content")
    if len(content) > _MAX_CONTENT:
        raise TooLarge(f"{path}.content has {len(content)} characters: at most {_MAX_CONTENT} are taken")
    return content.strip()


def _importance(command: Mapping[str, Any], path: str) -> int:
    value = command.get("importance")
    if value is None:
        return 3
    if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= 5:
        raise Invalid(f"{path}.importance is {value!r}: give a whole number from 1 to 5", field=f"{path}.importance")
    return value


def _expiry(command: Mapping[str, Any], setting: _Setting, path: str) -> datetime | None:
    moment = time_in(command.get("expires_at"), field=f"{path}.expires_at")
    if moment is not None and moment <= setting.hand.at:
        raise Invalid(
            f"{path}.expires_at {moment.isoformat()} is over already: give a moment to come", field=f"{path}.expires_at"
        )
    return moment


def _attributes(kind: str, content: str, command: Mapping[str, Any], path: str) -> dict[str, Any]:
    metadata = command.get("metadata")
    if metadata is not None and not isinstance(metadata, Mapping):
        raise Invalid(f"{path}.metadata is {metadata!r}: give an object", field=f"{path}.metadata")
    extra: dict[str, Any] = {"metadata": dict(metadata)} if metadata else {}
    if kind in ("preference", "constraint"):
        topic = str(metadata["topic"]) if metadata and metadata.get("topic") else wish_family(content) or fold(content)
        return {
            **extra,
            "topic": topic,
            "value": content,
            "polarity": "positive",
            "strength": 5 if kind == "constraint" else 3,
            "constraint": kind == "constraint",
        }
    if kind == "skill":
        trigger, steps = procedure_told(content)
        return {**extra, "trigger": trigger, "steps": list(steps)}
    return {**extra, "event": True} if kind == "event" else extra


_KINDS = {
    "preference": Kind.PREFERENCE,
    "constraint": Kind.PREFERENCE,
    "skill": Kind.SKILL,
    "fact": Kind.FACT,
    "event": Kind.FACT,
}
_RELATIONS = {"preference": "prefers", "constraint": "prefers", "skill": "knows_how", "fact": NOTED, "event": NOTED}
