"""One script of every verb, and what it gives without ids and without the times at which it ran."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import fields, is_dataclass
from datetime import UTC, datetime, timedelta
from enum import Enum
from typing import Any

from muniment.api.client.readers import UNTOLD
from muniment.engine.retrieve.browse import Slice
from muniment.engine.retrieve.paths import Neighbourhood
from muniment.engine.verbs import Verbs
from muniment.engine.write.erase.certificate import Certificate
from muniment.graph_schema.errors import Invalid, MunimentError
from muniment.graph_schema.ontology import Ontology
from muniment.graph_schema.records import Alias, EntityRef, Kind, Receipt, Scope
from muniment.graph_schema.temporal import parse_time

ID = re.compile(r"\b([a-z]{1,3})_[0-9a-z]{8,}\b")
KEY_NAME = re.compile(r"key:\w+")
TIME = re.compile(r"\d{4}-\d\d-\d\dT[\d:.]+Z")
NONCE = re.compile(r"\b[0-9a-f]{8,}\b")
# Scores and lengths depend on when one asks, hashes on ids.
CHANGING = frozenset({"score", "parts", "took_ms", "hash", "previous", "last_hash", "digest", "tokens", "confidence"})
NOTE = {
    "text": "Ana Ruiz reports to Tom Berg. Tom Berg lives in Oslo.",
    "kind": "note",
    "occurred_at": datetime(2026, 1, 10, 9, tzinfo=UTC),
    "recorded_at": "2026-01-10T10:00:00Z",
    "external_id": "note-1",
    "speaker": "Lena",
    "metadata": {"channel": "phone", "nested": [1, None, 2.5]},
}
LATER = {
    **NOTE,
    "text": "Since 1 June 2026 Tom Berg lives in Bergen.",
    "external_id": "note-2",
    "recorded_at": "2026-06-03T10:00:00+02:00",
}


def fact(subject: str, relation: str, object: Any, **more: Any) -> dict[str, Any]:
    return {"subject": {"name": subject, "type": "person"}, "relation": relation, "object": object, **more}


GLOBEX = fact("Ana Ruiz", "works_for", {"name": "Globex", "type": "organization"}, valid_at="2025-01-01T00:00:00Z")
INITECH = fact(
    "Ana Ruiz", "works_for", {"name": "Initech", "type": "organization"}, valid_at="2026-03-01T00:00:00+01:00"
)
AGE = fact(
    "Ana Ruiz",
    "age",
    {"value": "41"},
    valid_at="2026-02-01T00:00:00Z",
    confidence=0.9,
    importance=4,
    scope=Scope(user="ana"),
)
SKILL = '```json\n[{"op": "create", "type": "skill", "content": "When an invoice is disputed: check the order, then call."}]\n```'
WISH = {
    "memory_commands": [
        {"op": "create", "type": "preference", "content": "Prefers calls before noon.", "importance": 4},
        {"op": "delete", "type": "fact", "target": "no such thing"},
    ],
    "subject": {"name": "Ana Ruiz"},
}


class Awaited:
    """A synchronous memory with its verbs called from a thread, so that the one script drives it too."""

    def __init__(self, memory: Any) -> None:
        self._memory = memory

    def __getattr__(self, verb: str) -> Callable[..., Any]:
        call = getattr(self._memory, verb)
        if verb == "export":
            return lambda **options: _each(call(**options))
        return lambda *given, **options: asyncio.to_thread(call, *given, **options)


async def _each(items: Any) -> AsyncIterator[Any]:
    for item in items:
        yield item


async def told(coroutine: Any) -> Any:
    """What a verb gives, or the error it raises."""
    try:
        return await coroutine
    except MunimentError as error:
        if isinstance(error, Invalid):  # where the service's own schema refuses it, the words are others
            return {"error": "Invalid", "field": error.field}
        return {"error": type(error).__name__, "says": str(error)}


async def every_verb(m: Verbs) -> Mapping[str, Any]:
    """Goes through all verbs once; gives each answer under a name."""
    said: dict[str, Any] = {"told": await m.remember([NOTE, LATER]), "told again": await m.remember([NOTE])}
    said["asserted"] = await m.assert_facts([GLOBEX, INITECH, AGE])
    said["asserted dry"] = await m.assert_facts([GLOBEX], dry_run=True)
    said["candidates"] = await m.extract([LATER])
    said["wish"], said["skill"] = await m.apply_commands(WISH), await m.apply_commands(SKILL)
    await _ask(m, said)
    await _browse(m, said)
    await _change(m, said)
    await _erase(m, said)
    await _administer(m, said)
    return {name: plain(value) for name, value in said.items()}


async def _ask(m: Verbs, said: dict[str, Any]) -> None:
    question = "Where does the manager of Ana Ruiz live?"
    said["recall"] = answer = await m.recall(question, as_of=datetime(2026, 3, 1, tzinfo=UTC), kinds=["fact"], limit=5)
    assert answer.recall.hits
    said["after"] = await m.recall("Who is Tom Berg?", read_after=said["told"], types=["person"], min_importance=2)
    said["context"] = await m.context("Ana Ruiz", budget_tokens=300, scope={"user": "ana"}, sections=["facts"])
    said["explained"] = sorted(await m.explain(answer.trace_id))
    hit = answer.recall.hits[0].id
    said["why shown"] = await m.why_not(hit, trace_id=answer.trace_id)
    said["why not"] = await m.why_not(hit, query=question, kinds=["episode"])
    said["why neither"] = await told(m.why_not(hit))
    said["replayed"] = await m.replay(answer.trace_id)
    said["empty question"] = await told(m.recall(" "))
    said["naive"] = await told(m.recall("Ana", as_of=datetime(2026, 3, 1)))
    await m.wait_for(said["told"].token)


async def _browse(m: Verbs, said: dict[str, Any]) -> None:
    said["episodes"] = episodes = await m.episodes(q="Berg", limit=1)
    said["more episodes"] = await m.episodes(q="Berg", limit=1, cursor=episodes.next_cursor)
    said["episode"] = await m.episode(episodes.items[0].id)
    said["facts"] = found = await m.facts(subject="Ana Ruiz", relation="works_for", include_superseded=True)
    said["held"] = await m.facts(kinds=(Kind.FACT, Kind.PREFERENCE, Kind.SKILL), include_archived=True)
    said["values"] = await m.facts(relation="age")
    said["then"] = await m.facts(subject="Ana Ruiz", as_of="2025-06-01T00:00:00Z")
    (initech,) = (one.id for one in found.items if one.object.name == "Initech")
    said["fact"], said["history"] = await m.fact(initech), await m.history(initech)
    said["entities"] = await m.entities(q="ana", type="person")
    ana = said["entities"].items[0].entity
    said["entity"] = await m.entity(ana.id, as_of="2025-06-01T00:00:00Z")
    said["around"] = await m.neighbourhood([ana.id], hops=2)
    said["paths"] = await m.paths("Ana Ruiz", "Bergen", hops=3, relations=["reports_to", "lives_in"])
    said["preferences"] = await m.preferences(subject="Ana Ruiz")
    said["skills"] = skills = await m.skills(q="invoice")
    said["outcome"] = await m.record_outcome(skills.items[0].id, True, reason="it worked")
    said["counted"] = await m.skills()
    said["ontology"] = await m.ontology()
    for name, call in {
        "fact": m.fact("f_0"),
        "episode": m.episode("e_ä ?#%"),
        "paths": m.paths("Nobody", "Ana"),
    }.items():
        said[f"no {name}"] = await told(call)
    said["too many"] = await told(m.facts(status="odd"))


async def _change(m: Verbs, said: dict[str, Any]) -> None:
    (current,) = (await m.facts(subject="Ana Ruiz", relation="works_for")).items
    said["pinned"], said["unpinned"] = await m.pin(current.id, reason="vip"), await m.unpin(current.id)
    said["ended dry"] = await m.end(current.id, "2026-09-01T00:00:00Z", reason="left", dry_run=True)
    said["ended"] = ended = await m.end(current.id, datetime(2026, 9, 1, tzinfo=UTC), reason="left")
    said["undone"] = await m.undo(ended.id, reason="she did not")
    said["undone twice"] = await told(m.undo(ended.id))
    said["receipt"] = await m.receipt(ended.id)
    said["corrected"] = await m.correct(current.id, object={"name": "Hooli", "type": "organization"}, reason="a slip")
    (hooli,) = (await m.facts(subject="Ana Ruiz", relation="works_for")).items
    said["rejected"] = await m.reject(hooli.id, reason="no")
    await m.assert_facts([fact("Tom Berg", "likes", "tea"), fact("Thomas Berg", "likes", "jazz")])
    ids = {p.entity.name: p.entity.id for p in (await m.entities(q="berg", type="person")).items}
    said["merged"] = await m.merge([ids["Tom Berg"], ids["Thomas Berg"]], reason="one person")
    said["survivor"] = await m.entity(ids["Thomas Berg"])
    said["parted"] = await m.unmerge(ids["Thomas Berg"], reason="two")
    said["forbidden"] = await m.forbid_merge(ids["Tom Berg"], ids["Thomas Berg"], reason="two")
    said["merge refused"] = await told(m.merge([ids["Tom Berg"], ids["Thomas Berg"]]))
    overlay = {"relations": [{"name": "age", "cardinality": "one"}], "time_zone": "+08:00"}
    said["overlay"] = await m.set_ontology(overlay, reason="ours", dry_run=True), await m.set_ontology(overlay)
    said["our ontology"] = await m.ontology()
    said["reviews"] = reviews = await m.reviews(status="")
    said["resolved"] = await told(m.resolve_review(reviews.items[0].id if reviews.items else "v_0", "nonsense"))


async def _erase(m: Verbs, said: dict[str, Any]) -> None:
    first, second = (await m.episodes()).items[:2]
    said["retracted"], said["forgotten"] = await m.retract(first.id), await m.forget([first.id], reason="by mistake")
    said["hold dry"] = await m.hold({"episode": second.id}, reason="case 44/26", dry_run=True)
    said["hold"] = hold = await m.hold({"episode": second.id}, reason="case 44/26")
    said["held back"] = await told(m.purge({"episode": second.id}, reason="asked to"))
    said["holds"] = await m.holds()
    said["released"] = await m.release(hold.id, reason="closed")
    said["purged dry"] = await m.purge({"episode": second.id}, dry_run=True)
    said["purged"] = certificate = await m.purge({"episode": second.id}, reason="asked to")
    said["certificates"] = [*await m.certificates(), await m.certificate(certificate.id)]


async def _administer(m: Verbs, said: dict[str, Any]) -> None:
    lines = [line async for line in m.export()]
    said["exported"] = sorted((line["record"], sorted(line)) for line in lines)
    said["imported dry"] = await m.import_(lines, dry_run=True)
    said["imported"] = await m.import_(lines, reason="again")
    said["broken line"] = await told(m.import_(['{"nonsense": 1}']))
    done = [
        entry
        for entry in (await m.audit(limit=200)).items
        # Rows for the use of an admin's key are there only where keys are; that of an export names the route there.
        if entry.outcome == "done" and entry.verb not in ("keys.create", "export") and "route" not in entry.detail
    ]
    said["audit"], said["whole"] = [(entry.verb, len(entry.ids)) for entry in done], (await m.verify_audit()).ok
    later = await m.remember([{**NOTE, "external_id": "note-3"}], mode="async")
    assert later.job is not None
    said["later"], said["job"], said["jobs"] = later, await m.job(later.job), await m.jobs(state="queued")
    said["cancelled"], said["again"] = await m.cancel_job(later.job), await m.retry_job(later.job)
    said["not yet"] = (await told(m.wait_for(later, timeout_s=0.05)))["error"]


def plain(value: Any) -> Any:
    """A record as plain data that two runs have in common; lists of equal standing in one order."""
    if isinstance(value, Ontology):
        return value.to_json()
    if isinstance(value, Receipt):
        return {**_fields(value), "changes": sorted(map(str, plain(value.changes))), "has token": bool(value.token)}
    if isinstance(value, Certificate):  # how many traces were there already depends on when one looks
        return {**_fields(value), "counts": {kind: n for kind, n in value.counts.items() if kind != "document"}}
    if isinstance(value, Slice):
        return {"items": sorted(map(plain, value.items), key=str), "ends": value.next_cursor is None}
    if isinstance(value, Neighbourhood):
        return {
            "entities": sorted((plain(one), value.distances[one.id]) for one in value.entities),
            "facts": sorted(map(str, map(plain, value.facts))),
        }
    if isinstance(value, tuple) and value and isinstance(value[0], Alias):
        return [plain(alias.name) for alias in value if alias.name]  # the others are look-up keys, the engine's own
    if isinstance(value, EntityRef):
        return f"{value.name} ({value.type})"
    if is_dataclass(value) and not isinstance(value, type):
        return {"": type(value).__name__, **_fields(value)}
    if isinstance(value, Mapping):
        return {plain(key): plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(one) for one in value]
    return _scalar(value)


def _fields(value: Any) -> dict[str, Any]:
    left_out = UNTOLD.get(type(value), frozenset()) | CHANGING
    return {one.name: plain(getattr(value, one.name)) for one in fields(value) if one.name not in left_out}


def _scalar(value: Any) -> Any:
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, datetime):
        return "now" if abs(datetime.now(UTC) - value) < timedelta(hours=1) else value
    if isinstance(value, str):
        value = TIME.sub(lambda found: str(_scalar(parse_time(found[0]))), value)
        return NONCE.sub("#", KEY_NAME.sub("key", ID.sub(r"\1_", value)))
    return value
