"""The project's own small judged set: what a mill and a workshop keep, and questions whose answers are known.

Invented; English and Chinese; chats, notes, documents and facts. It goes in as `muniment ingest` reads it and is asked as
`muniment rank` asks.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from muniment.api.cli.files import Layout
from muniment.api.cli.ingesting import DEFAULT_BATCH, Ingestion, Tally
from muniment.engine.bootstrap import Engine
from tests.benchmarks.scoring import Scored, score

FOLDER = Path(__file__).parent / "own"
ASKED_FIELDS = ("as_of", "known_at", "asked_at", "speaker")


def tenants() -> list[str]:
    """The tenants of the set."""
    return sorted(folder.name for folder in FOLDER.iterdir() if folder.is_dir())


def rows(path: Path) -> Iterator[dict[str, Any]]:
    """The objects of a JSON Lines file."""
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.strip():
            yield json.loads(line)


async def run(engine: Engine) -> list[Scored]:
    """Every question's figures. All tenants are told before the first question, so that a leak can show."""
    for tenant in tenants():
        tally = Tally()
        job = Ingestion(
            files=[FOLDER / tenant / "episodes.jsonl"],
            layout=Layout(),
            derive=True,
            batch=DEFAULT_BATCH,
            quiet=True,
            tally=tally,
        )
        await job.run(engine.for_tenant(tenant, actor="bench"))
        if tally.rejected:
            raise ValueError(f"{tenant}: not taken: {tally.rejected[0]}")
    return [scored for tenant in tenants() for scored in await _ask(engine, tenant)]


async def _ask(engine: Engine, tenant: str) -> list[Scored]:
    memory = engine.for_tenant(tenant, actor="bench")
    own = {row["id"] for row in rows(FOLDER / tenant / "episodes.jsonl")}
    everyone = {row["id"] for name in tenants() for row in rows(FOLDER / name / "episodes.jsonl")}
    found = []
    for question in rows(FOLDER / tenant / "questions.jsonl"):
        asked = {name: question[name] for name in ASKED_FIELDS if name in question}
        ranked = await memory.ranked_episodes(question["text"], limit=50, **asked)
        names = [episode.external_id or episode.id for episode in ranked]
        found.append(score(question, names, foreign=frozenset(everyone - own)))
    return found
