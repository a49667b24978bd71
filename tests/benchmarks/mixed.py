"""Judged sets once alone and once poured together: what a memory loses by holding much else besides.

There are as many mixed tenants as the richest set has worlds. World *n* of a set goes into tenant *n*; a set of one world goes
into every tenant, and its questions are dealt out among them. So no tenant holds two worlds of a set, which may contradict each
other on purpose. Sets are interleaved in proportion, each in its own order. Beside them, in the same store, every world has
a tenant of its own, which the same questions are asked of.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from muniment.api.cli.files import Layout
from muniment.api.cli.ingesting import DEFAULT_BATCH, Ingestion, Tally
from muniment.engine.bootstrap import Engine
from muniment.engine.memory import Memory
from tests.benchmarks.own import ASKED_FIELDS, rows
from tests.benchmarks.scoring import Scored, score

MIXED = "mixed"
_LIMIT = 50
_SEPARATOR = "//"  # of a set's name and an id within it


@dataclass(frozen=True, slots=True, kw_only=True)
class World:
    """One tenant of a judged set."""

    set: str
    name: str
    episodes: Path
    questions: Path

    @property
    def tenant(self) -> str:
        """The tenant that holds this world alone."""
        return f"alone-{self.set}-{self.name}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """One set: the same questions asked of its worlds alone, and of them among everything else."""

    set: str
    alone: Sequence[Scored]
    mixed: Sequence[Scored]


def worlds_of(folder: Path) -> list[World]:
    """The worlds of one set, by name. Its own relations (`ontology.json`) would bind the other sets too: such a set has none."""
    if (folder / "ontology.json").exists():
        return []
    found = []
    for place in sorted(folder.iterdir()):
        if (place / "questions.jsonl").exists():
            episodes, ref = place / "episodes.jsonl", place / "episodes.ref"
            if not episodes.exists():
                episodes = place / ref.read_text(encoding="utf-8").splitlines()[0]
            found.append(
                World(set=folder.name, name=place.name, episodes=episodes, questions=place / "questions.jsonl")
            )
    return found


def tenants(sets: Mapping[str, Sequence[World]]) -> list[list[World]]:
    """What goes into each mixed tenant."""
    count = max(map(len, sets.values()), default=0)
    return [
        [
            worlds[number if len(worlds) > 1 else 0]
            for worlds in sets.values()
            if number < len(worlds) or len(worlds) == 1
        ]
        for number in range(count)
    ]


def pour(worlds: Iterable[World]) -> list[dict[str, Any]]:
    """The episodes of all worlds, interleaved in proportion, with ids and threads of their own for each set."""
    placed = []
    for order, world in enumerate(worlds):
        told = list(rows(world.episodes))
        placed += [((number + 0.5) / len(told), order, _prefixed(world.set, row)) for number, row in enumerate(told)]
    return [row for *_, row in sorted(placed, key=lambda one: one[:2])]


def _prefixed(name: str, row: Mapping[str, Any]) -> dict[str, Any]:
    own = {key: f"{name}{_SEPARATOR}{row[key]}" for key in ("id", "session") if row.get(key)}
    return {**row, **own}


async def fill(engine: Engine, sets: Mapping[str, Sequence[World]], scratch: Path) -> None:
    """Tells every tenant its episodes; what is there already stays."""
    for number, together in enumerate(tenants(sets)):
        await _tell(engine, f"{MIXED}-{number}", together, scratch)
    for world in (world for worlds in sets.values() for world in worlds):
        await _tell(engine, world.tenant, [world], scratch)


async def _tell(engine: Engine, tenant: str, worlds: Sequence[World], scratch: Path) -> None:
    print(f"--> {tenant}: {', '.join(f'{world.set}/{world.name}' for world in worlds)}", file=sys.stderr, flush=True)
    file = scratch / f"{tenant}.jsonl"
    told = pour(worlds)
    _write(file, told)
    tally = Tally()
    job = Ingestion(files=[file], layout=Layout(), derive=True, batch=DEFAULT_BATCH, quiet=True, tally=tally)
    await job.run(engine.for_tenant(tenant, actor="bench"))
    if tally.created + tally.existing < len(told):
        raise ValueError(f"{tenant}: not taken: {tally.rejected[0]}")


async def ask(
    engine: Engine, sets: Mapping[str, Sequence[World]], *, only: Sequence[str] = (), kept: Path | None = None
) -> list[Compared]:
    """Asks the sets' questions (of `only` some of them) of both, and keeps the rankings in a file where one is named."""
    together = tenants(sets)
    found, lines = [], []
    for name, worlds in sets.items():
        if only and name not in only:
            continue
        print(f"--> asking {name}", file=sys.stderr, flush=True)
        alone: list[Scored] = []
        mixed: list[Scored] = []
        for place, world in enumerate(worlds):
            for number, question in enumerate(rows(world.questions)):
                among = place if len(worlds) > 1 else number % len(together)
                for tenant, scored in ((world.tenant, alone), (f"{MIXED}-{among}", mixed)):
                    ranked = await _ranked(engine.for_tenant(tenant, actor="bench"), question)
                    own = [id.removeprefix(f"{name}{_SEPARATOR}") for id in ranked]  # strangers keep prefix and place
                    scored.append(score(question, own))
                    lines.append({"tenant": tenant, "set": name, "id": question["id"], "episodes": own})
        found.append(Compared(set=name, alone=alone, mixed=mixed))
    if kept is not None:
        _write(kept, lines)
    return found


async def _ranked(memory: Memory, question: Mapping[str, Any]) -> Sequence[str]:
    asked = {name: question[name] for name in ASKED_FIELDS if name in question}
    ranked = await memory.ranked_episodes(question["text"], limit=_LIMIT, **asked)
    return [episode.external_id or episode.id for episode in ranked][:_LIMIT]


def _write(file: Path, rows: Iterable[Mapping[str, Any]]) -> None:
    file.write_text("".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows), encoding="utf-8")
