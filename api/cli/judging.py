"""The command that judges a ranking on a tenant's own questions."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from muniment.api.cli.asking import questions_in
from muniment.api.cli.parts import AsJson, Store, Target, Tenant, Walls, print_json, say, with_memory
from muniment.graph_schema.errors import Invalid

if TYPE_CHECKING:
    from collections.abc import Sequence

    from muniment.engine.judging import Figure, Verdict
    from muniment.engine.memory import Memory
    from muniment.engine.rank.policy import RankingPolicy

_OWN = "own"
_MOST_POLICIES = 2
_SHOWN_IDS = 12


def register(app: typer.Typer) -> None:
    """Adds the command to the program."""
    app.command("eval")(evaluate)


def evaluate(
    questions: Annotated[
        Path, typer.Argument(exists=True, dir_okay=False, help="JSON Lines of {id, text, gold, stale, forbidden, …}.")
    ],
    tenant: Tenant,
    policy: Annotated[
        list[Path] | None,
        typer.Option(
            "--policy",
            exists=True,
            dir_okay=False,
            help="A JSON file of weights, to compare with the tenant's own; given twice, both with each other.",
        ),
    ] = None,
    k: Annotated[int, typer.Option("--k", min=1, max=50, help="How many places count.")] = 10,
    store: Store = None,
    wall: Walls = None,
    as_json: AsJson = False,
) -> None:
    """What the ranking is worth on a tenant's own questions; nothing is stored, nothing counts as used."""
    from muniment.engine.judging import judge, judged_question

    rows = list(questions_in(questions))
    asked = [judged_question(row, where=f"{questions}: question {row['id']}") for row in rows]
    if len(policy or ()) > _MOST_POLICIES:
        raise Invalid(f"--policy was given {len(policy or ())} times: compare two", field="policy")
    given = {_name(path): _weights(path) for path in policy or ()}

    async def work(memory: Memory) -> Verdict:
        own = await memory.ranking_policy()
        policies: dict[str, RankingPolicy | None] = {} if len(given) == _MOST_POLICIES else {_OWN: None}
        policies |= {name: own.with_weights(weights) for name, weights in given.items()}
        return await judge(memory, asked, policies, k=k)

    verdict = with_memory(Target(tenant=tenant, store=store, walls=wall or ()), work)
    if as_json:
        print_json(asdict(verdict))
        return
    _show(verdict)


def _name(path: Path) -> str:
    return path.stem if path.stem != _OWN else path.name


def _weights(path: Path) -> dict[str, Any]:
    """The weights of a file. Raises Invalid naming it."""
    try:
        told = json.loads(path.read_bytes())
    except ValueError as cause:
        raise Invalid(f"{path} is not JSON: {cause}", field="policy") from cause
    if not isinstance(told, dict):
        raise Invalid(f"{path}: give an object of weights by name", field="policy")
    return told


def _show(verdict: Verdict) -> None:
    from muniment.api.cli import tables

    names = [judged.name for judged in verdict.judged]
    differs = ["difference"] if verdict.differences else []
    changed = {figure.name: figure for figure in verdict.differences}
    rows = []
    for place, figure in enumerate(verdict.judged[0].figures):
        told = [_told(judged.figures[place]) for judged in verdict.judged]
        rows.append(
            [figure.name, str(figure.n), *told, *([_told(changed.get(figure.name), signed=True)] if differs else [])]
        )
    rows.append(
        ["leaks", str(verdict.questions), *(str(judged.leaks) for judged in verdict.judged), *([""] if differs else [])]
    )
    tables.table(["figure", "n", *names, *differs], rows, title=f"{verdict.questions} questions, 95 % intervals")
    if verdict.judged[0].categories:
        tables.table(["category", "n", *names], _by_category(verdict), title=f"recall@{verdict.k} by category")
    if differs:
        say(f"better under {names[1]}: {_ids(verdict.better)}")
        say(f"worse under {names[1]}: {_ids(verdict.worse)}")
    if verdict.unknown:
        say(f"not here, so never found (question: id): {_ids(verdict.unknown)}")
    for judged in verdict.judged[-1:]:
        say(f"not all found in the first {verdict.k} under {judged.name}: {_ids(judged.missed)}")


def _by_category(verdict: Verdict) -> list[list[str]]:
    rows: Sequence[tuple[Figure, ...]] = list(zip(*(judged.categories for judged in verdict.judged), strict=True))
    return [[row[0].name, str(row[0].n), *map(_told, row)] for row in rows]


def _told(figure: Figure | None, *, signed: bool = False) -> str:
    """Shares in percent, times in milliseconds; the interval behind."""
    if figure is None:
        return ""
    scale = 1.0 if figure.name.endswith("ms") else 100.0
    plus = "+" if signed else ""
    value, low, high = (f"{scale * one:{plus}.1f}" for one in (figure.value, figure.low, figure.high))
    return f"{value} ({low} … {high})"


def _ids(ids: Sequence[str]) -> str:
    more = f" and {len(ids) - _SHOWN_IDS} more" if len(ids) > _SHOWN_IDS else ""
    return f"{len(ids)}: {', '.join(ids[:_SHOWN_IDS])}{more}" if ids else "none"
