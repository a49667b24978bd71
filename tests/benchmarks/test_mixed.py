"""Sets poured together: who shares a tenant with whom, and that ids, threads and places in a ranking stay apart."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from muniment.engine.bootstrap import open_engine
from muniment.engine.settings import Settings
from tests.benchmarks.mixed import World, ask, fill, pour, tenants, worlds_of
from tests.benchmarks.report import mixed_table
from tests.benchmarks.scoring import means

_TOLD = {
    ("mill", "east"): ["The boiler of the east mill is looked after by Hanne Brook.", "Flour goes out on Mondays."],
    ("mill", "west"): ["The boiler of the west mill is looked after by Piet Arends."],
    ("choir", "all"): [
        "Rehearsal of the choir is in the chapel.",
        "The organ was tuned by Ilse Dorn.",
        "Alto is short.",
    ],
}
_ASKED = {
    ("mill", "east"): ["Who looks after the boiler?"],
    ("mill", "west"): ["Who looks after the boiler?"],
    ("choir", "all"): ["Who tuned the organ?", "Where is the rehearsal?"],
}


def _sets(folder: Path) -> Mapping[str, Sequence[World]]:
    for (name, world), texts in _TOLD.items():
        place = folder / name / world
        place.mkdir(parents=True)
        told = [
            {
                "id": f"{world}-{n}",
                "text": text,
                "at": f"2024-03-0{n + 1}T08:00:00+00:00",
                "kind": "note",
                "session": "s",
            }
            for n, text in enumerate(texts)
        ]
        _write(place / "episodes.jsonl", told)
        gold = [1, 0] if name == "choir" else [0]
        asked = [
            {"id": f"{world}-q{n}", "text": text, "category": "c", "gold": [f"{world}-{gold[n]}"]}
            for n, text in enumerate(_ASKED[name, world])
        ]
        _write(place / "questions.jsonl", asked)
    return {name: worlds_of(folder / name) for name in ("mill", "choir")}


def _write(file: Path, rows: Sequence[Mapping[str, Any]]) -> None:
    file.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")


def test_each_world_is_among_all_single_ones_and_none_of_its_own_set(tmp_path: Path) -> None:
    together = tenants(_sets(tmp_path))

    assert [[(world.set, world.name) for world in worlds] for worlds in together] == [
        [("mill", "east"), ("choir", "all")],
        [("mill", "west"), ("choir", "all")],
    ]
    poured = pour(together[0])
    assert [row["id"] for row in poured] == [
        "choir//all-0",
        "mill//east-0",
        "choir//all-1",
        "mill//east-1",
        "choir//all-2",
    ]
    assert {row["session"] for row in poured} == {"choir//s", "mill//s"}


def test_a_set_with_relations_of_its_own_is_left_out(tmp_path: Path) -> None:
    _sets(tmp_path)
    (tmp_path / "mill" / "ontology.json").write_text("{}", encoding="utf-8")
    assert worlds_of(tmp_path / "mill") == []


async def test_questions_are_asked_of_the_world_alone_and_among_the_others(tmp_path: Path, store_url: str) -> None:
    sets = _sets(tmp_path)
    kept = tmp_path / "ranks.jsonl"
    async with open_engine(store_url, settings=Settings(environment="test")) as engine:
        await fill(engine, sets, tmp_path)
        found = await ask(engine, sets, kept=kept)

    assert [(one.set, len(one.alone), len(one.mixed)) for one in found] == [("mill", 2, 2), ("choir", 2, 2)]
    for one in found:
        assert means(one.alone)["first right"] == means(one.mixed)["first right"] == 1.0
    lines = [json.loads(line) for line in kept.read_text(encoding="utf-8").splitlines()]
    of_choir = {line["tenant"] for line in lines if line["set"] == "choir"}
    assert of_choir == {"alone-choir-all", "mixed-0", "mixed-1"}  # dealt out among the tenants
    strangers = [id for line in lines if line["tenant"] == "mixed-0" for id in line["episodes"] if "//" in id]
    assert strangers, "what belongs to others keeps its place"
    assert not any("//" in id for line in lines if line["tenant"].startswith("alone") for id in line["episodes"])
    table = mixed_table({"sqlite": found}, {"mill": "right1", "choir": "recall@10"})
    assert "| mill | 2 | right1 | 100.0 | 100.0 | +0.0 | – | – |" in table
