"""Every write can be tried: the dry run's answer is the real one's, and nothing at all is written."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, fields, is_dataclass
from datetime import datetime
from typing import Any

import pytest

from muniment.engine.bootstrap import Engine
from muniment.engine.memory import Memory
from muniment.engine.write.transfer.export import ExportChoice, export_lines
from muniment.graph_schema.errors import Held
from muniment.graph_schema.records import Kind
from tests.builders import NOW
from tests.engines import Hands, engine_on, made, told

JANUARY, MARCH, MAY = "2026-01-01T00:00:00Z", "2026-03-01T00:00:00Z", "2026-05-01T00:00:00Z"
NOTE = {"text": "Ana Ruiz works for Globex.", "kind": "note", "occurred_at": MARCH, "external_id": "n1"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """What was written before the verb is tried; ids by what they are."""

    memory: Memory
    engine: Engine
    ids: Mapping[str, str]

    def __getitem__(self, name: str) -> str:
        return self.ids[name]


Verb = Callable[[Scene, bool], Awaitable[Any]]


# Each of these verbs has a fact of its own to change, so that one tenant serves for all.
_OWN = ("retract", "end", "correct", "reject", "pin", "forget", "purge", "undo")


async def furnished(engine: Engine) -> Scene:
    source = engine.for_tenant("source", actor="tester")
    await source.assert_facts([told("Ole Dahl", "works_for", "Fjord AS", valid_at=JANUARY)])
    memory = engine.for_tenant("acme", actor="tester", all_walls=True)
    (kept,) = (await memory.remember([NOTE], extract="none")).episodes
    ids: dict[str, str] = {"episode": kept.id}
    people = [f"Ana {verb.title()}" for verb in _OWN]
    await memory.assert_facts([told(person, "works_for", "Acme", valid_at=JANUARY) for person in people])
    await memory.assert_facts([told(person, "works_for", "Beta", valid_at=MARCH) for person in people])
    held = {f.subject.name: f.id for f in (await memory.facts(object="Beta")).items}
    ids.update({verb: held[person] for verb, person in zip(_OWN, people, strict=True)})
    await memory.assert_facts([told("Bo Lind", "works_for", firm, valid_at=JANUARY) for firm in ("Gamma", "Delta")])
    review = (await memory.reviews()).items[0]
    ids["review"], ids["side"] = review.id, review.facts[0].id
    await memory.assert_facts([told("Bo Lind", "likes", name) for name in ("rye bread", "dark bread", "ale", "tea")])
    ids.update({p.entity.name: p.entity.id for p in (await memory.entities()).items})
    ids["merged"] = (await memory.merge([ids["rye bread"], ids["dark bread"]])).changes[0].because.by[1]
    skill = {"op": "create", "type": "skill", "content": "Refund an order\n1. open it\n2. press refund"}
    ids["skill"] = made(await memory.apply_commands({"memory_commands": [skill]}), Kind.SKILL)
    ids["hold"] = (await memory.hold({"episode": ids["episode"]}, reason="case 44")).id
    with pytest.raises(Held):
        await memory.purge({"episode": ids["episode"]}, when_released=True)
    ids["receipt"] = (await memory.assert_facts([told("Ana Undo", "works_for", "Eta", valid_at=MAY)])).id
    return Scene(memory=memory, engine=engine, ids=ids)


async def imported(scene: Scene, dry_run: bool) -> Any:
    lines = [line async for line in scene.engine.for_tenant("source", actor="tester").export()]
    return await scene.memory.import_(lines, dry_run=dry_run)


VERBS: dict[str, Verb] = {
    "remember": lambda s, dry: s.memory.remember([{**NOTE, "external_id": "n2"}], dry_run=dry),
    "remember later": lambda s, dry: s.memory.remember([{**NOTE, "external_id": "n3"}], mode="async", dry_run=dry),
    "assert_facts": lambda s, dry: s.memory.assert_facts([told("Bo Lind", "knows", "Zoe Zech")], dry_run=dry),
    "apply_commands": lambda s, dry: s.memory.apply_commands(
        {"memory_commands": [{"op": "create", "type": "preference", "content": "Ana prefers tea"}]}, dry_run=dry
    ),
    "record_outcome": lambda s, dry: s.memory.record_outcome(s["skill"], ok=True, dry_run=dry),
    "retract": lambda s, dry: s.memory.retract(s["retract"], dry_run=dry),
    "end": lambda s, dry: s.memory.end(s["end"], MAY, dry_run=dry),
    "correct": lambda s, dry: s.memory.correct(s["correct"], object={"name": "Eta"}, dry_run=dry),
    "reject": lambda s, dry: s.memory.reject(s["reject"], dry_run=dry),
    "pin": lambda s, dry: s.memory.pin(s["pin"], dry_run=dry),
    "unpin": lambda s, dry: s.memory.unpin(s["pin"], dry_run=dry),
    "forget": lambda s, dry: s.memory.forget([s["forget"]], dry_run=dry),
    "purge": lambda s, dry: s.memory.purge({"fact": s["purge"]}, dry_run=dry),
    "hold": lambda s, dry: s.memory.hold({"subject": s["Bo Lind"]}, reason="case 45", dry_run=dry),
    "release": lambda s, dry: s.memory.release(s["hold"], dry_run=dry),
    "import_": imported,
    "merge": lambda s, dry: s.memory.merge([s["ale"], s["tea"]], dry_run=dry),
    "unmerge": lambda s, dry: s.memory.unmerge(s["merged"], dry_run=dry),
    "forbid_merge": lambda s, dry: s.memory.forbid_merge(s["Gamma"], s["Delta"], dry_run=dry),
    "resolve_review": lambda s, dry: s.memory.resolve_review(s["review"], s["side"], dry_run=dry),
    "undo": lambda s, dry: s.memory.undo(s["receipt"], dry_run=dry),
    "set_ontology": lambda s, dry: s.memory.set_ontology(
        {"relations": [{"name": "works_for", "cardinality": "many"}]}, dry_run=dry
    ),
}
ONLY_DONE = {"dry_run", "scrubbed"}  # a dry run has no file to scrub


def told_by(answer: Any) -> Any:
    """An answer as plain values, without what tells a dry run from the real one."""
    if is_dataclass(answer) and not isinstance(answer, type):
        return {f.name: told_by(getattr(answer, f.name)) for f in fields(answer) if f.name not in ONLY_DONE}
    if isinstance(answer, Mapping):
        return {name: told_by(value) for name, value in answer.items()}
    if isinstance(answer, tuple | list):
        return [told_by(one) for one in answer]
    return answer


async def written(memory: Memory) -> list[Any]:
    """All that is stored of the tenant: memories, audit, receipts, holds, jobs; without the time and the trace of looking."""
    lines = [line async for line in export_lines(memory._store, at=NOW, choice=ExportChoice(vectors=True))]
    return [lines[1:-1], await memory.holds(include_released=True), await memory.certificates()]


def test_every_verb_that_can_be_tried_is_tried_here() -> None:
    tried = {name for name in dir(Memory) if "dry_run" in getattr(getattr(Memory, name), "__annotations__", {})}
    assert {name for name in tried if not name.startswith("_")} == {verb.split()[0] for verb in VERBS}


async def test_a_dry_run_answers_as_the_write_does_and_writes_nothing(store_url: str) -> None:
    clock = Hands()
    async with engine_on(store_url, clock) as engine:
        scene = await furnished(engine)
        for verb, work in VERBS.items():
            before, now = await written(scene.memory), clock.now
            preview = await work(scene, True)
            assert preview.dry_run, verb
            assert await written(scene.memory) == before, f"a dry run of {verb} wrote something"
            clock.now = now
            real = await work(scene, False)
            assert not real.dry_run, verb
            assert without_times(told_by(preview), now) == without_times(told_by(real), now), verb
            assert await written(scene.memory) != before, f"{verb} did nothing that a dry run could be told from"


def without_times(answer: Any, since: datetime) -> Any:
    """The answer with each moment after `since` as one word: how often the clock was looked at is not what was done."""
    if isinstance(answer, dict):
        return {name: without_times(value, since) for name, value in answer.items() if name != "digest"}
    if isinstance(answer, list):
        return [without_times(one, since) for one in answer]
    return "now" if isinstance(answer, datetime) and answer > since else answer
