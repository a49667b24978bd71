"""Episodes told in one call give the graph that they give one by one, whatever their order."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import pytest

from muniment.engine.memory import Memory
from tests.engines import engine_on, everything

# Names that only a later or an earlier text types, that are short forms of others, that two people bear, in both languages.
_TOLD: Final = (
    "Spoke with Orla Finch about the spring order.",
    "Hazelgrove wants the crates by Friday.",
    "Orla Finch works for Hazelgrove Ltd as head of purchasing.",
    "Ms Finch prefers email.",
    "Hazelgrove Ltd is based in Skipton. Contact: Orla Finch.",
    "Silver Birch is up for renewal.",
    "Tom Finch joined Silver Birch GmbH on 3 March 2025.",
    "Finch asked for the price list.",
    "Tom no longer works for Silver Birch.",
    "The Larch Group owns Silver Birch GmbH.",
    "Larch pays on time.",
    "Wrenfield replaced Hazelgrove as the supplier of Larch Group.",
    "远帆物流的客户经理是陈晓岚。",
    "远帆要求月底前交货。",
    "陈晓岚已从远帆物流离职，由赵一鸣接任。",
    "晓岚现在就职于青石科技有限公司。",
    "青石在无锡。",
)


def _episodes(order: int) -> list[dict[str, Any]]:
    told = [
        {
            "text": text,
            "kind": "note",
            "occurred_at": f"2025-{1 + n // 2:02}-{1 + n:02}T09:00:00Z",
            "external_id": f"n{n}",
        }
        for n, text in enumerate(_TOLD)
    ]
    random.Random(order).shuffle(told) if order else None
    return told


async def _graph(memory: Memory) -> tuple[list[tuple[Any, ...]], Sequence[Any]]:
    entities = (await memory.entities(limit=200)).items
    assert 15 < len(entities) < 200
    named = sorted((e.name, e.type, tuple(sorted(e.aliases))) for e in entities)
    facts = [
        (f.subject.type, f.object.type, f.text) for f in (await memory.facts(include_superseded=True, limit=200)).items
    ]
    return [*named, *sorted(facts)], await everything(memory)


async def test_a_batch_gives_the_graph_of_its_texts_one_by_one(store_url: str) -> None:
    await _same_graph_at_once_and_one_by_one(store_url, order=1)


@pytest.mark.parametrize("order", [0, 2, 3, 4, 5])
async def test_so_it_does_in_any_order(tmp_path: Path, order: int) -> None:
    # What is settled does not depend on the store; one order shows that the names come back from each.
    await _same_graph_at_once_and_one_by_one(f"sqlite:///{tmp_path / 'muniment.db'}", order=order)


async def _same_graph_at_once_and_one_by_one(url: str, *, order: int) -> None:
    told = _episodes(order)
    async with engine_on(url) as engine:
        together, parts, apart = (engine.for_tenant(name) for name in ("together", "parts", "apart"))
        await together.remember(told)
        await parts.remember(told[:7])
        await parts.remember(told[7:])
        for one in told:
            await apart.remember([one])
        graph = await _graph(apart)
        assert await _graph(parts) == graph
        assert await _graph(together) == graph
