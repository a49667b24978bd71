"""Commands that answer questions."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from muniment.api.cli.parts import (
    AsJson,
    AsOf,
    KnownAt,
    Limit,
    Store,
    Target,
    Tenant,
    Walls,
    print_json,
    say,
    with_memory,
)
from muniment.graph_schema.errors import Invalid

if TYPE_CHECKING:
    from muniment.engine.memory import Memory

User = Annotated[str, typer.Option(help="Who asks: reads this user's memories beside the shared ones.")]
Session = Annotated[str, typer.Option(help="The live session of who asks.")]
Agent = Annotated[str, typer.Option(help="The agent who asks.")]
Kinds = Annotated[
    list[str] | None,
    typer.Option("--kind", "--kinds", help="Only fact, episode, preference, skill, summary or entity; repeat it."),
]
Hops = Annotated[int, typer.Option(min=0, max=4, help="How far the graph is walked.")]
Superseded = Annotated[bool, typer.Option("--include-superseded", help="Also what held before or will hold later.")]
Archived = Annotated[bool, typer.Option("--include-archived", help="Also what was put away.")]
AskedAt = Annotated[
    str | None, typer.Option("--asked-at", help="The asker's clock, to read 'last Tuesday' by; it filters nothing.")
]
Types = Annotated[
    list[str] | None, typer.Option("--type", "--types", help="Only facts that touch an entity of this type; repeat it.")
]
Relations = Annotated[
    list[str] | None, typer.Option("--relation", "--relations", help="Only facts of this relation; repeat it.")
]
Least = Annotated[int | None, typer.Option("--min-importance", min=1, max=5, help="Only what matters so much.")]
TimeWords = Annotated[
    bool,
    typer.Option(
        "--read-time-words/--no-read-time-words", help="Whether 'in March' in the question is read as a time."
    ),
]


def register(app: typer.Typer) -> None:
    """Adds the commands to the program."""
    app.command()(recall)
    app.command()(context)
    app.command()(explain)
    app.command()(rank)


def recall(
    query: Annotated[str, typer.Argument(help="The question.")],
    tenant: Tenant,
    limit: Limit = 10,
    as_of: AsOf = None,
    known_at: KnownAt = None,
    user: User = "",
    agent: Agent = "",
    session: Session = "",
    kind: Kinds = None,
    hops: Hops = 2,
    include_superseded: Superseded = False,
    include_archived: Archived = False,
    asked_at: AskedAt = None,
    types: Types = None,
    relations: Relations = None,
    min_importance: Least = None,
    read_time_words: TimeWords = True,
    speaker: Annotated[str, typer.Option(help="Name of who asks, to read 'I' and 'my' by.")] = "",
    store: Store = None,
    wall: Walls = None,
    as_json: AsJson = False,
) -> None:
    """Ranked memories for a question, with why."""
    options: dict[str, Any] = {
        "as_of": as_of,
        "known_at": known_at,
        "asked_at": asked_at,
        "scope": {"user": user, "agent": agent, "session": session},
        "kinds": kind,
        "hops": hops,
        "types": types,
        "relations": relations,
        "min_importance": min_importance,
        "include_superseded": include_superseded,
        "include_archived": include_archived,
        "speaker": speaker,
        "read_time_words": read_time_words,
    }
    target = Target(tenant=tenant, store=store, walls=wall or ())
    found = with_memory(target, lambda memory: memory.recall(query, limit=limit, **options))
    from muniment.api import shapes

    shown = shapes.recall(found)
    if as_json:
        print_json(shown)
        return
    from muniment.api.cli import tables

    tables.hits(shown, target)


def context(
    query: Annotated[str, typer.Argument(help="The question.")],
    tenant: Tenant,
    budget: Annotated[int, typer.Option("--budget", "--budget-tokens", min=1, help="Tokens at most.")] = 900,
    sections: Annotated[
        list[str] | None, typer.Option("--section", "--sections", help="Only these sections; repeat it.")
    ] = None,
    as_of: AsOf = None,
    known_at: KnownAt = None,
    user: User = "",
    agent: Agent = "",
    session: Session = "",
    kind: Kinds = None,
    hops: Hops = 2,
    include_superseded: Superseded = False,
    include_archived: Archived = False,
    asked_at: AskedAt = None,
    types: Types = None,
    relations: Relations = None,
    min_importance: Least = None,
    read_time_words: TimeWords = True,
    speaker: Annotated[str, typer.Option(help="Name of who asks.")] = "",
    store: Store = None,
    wall: Walls = None,
    as_json: AsJson = False,
) -> None:
    """The block for a prompt."""
    options: dict[str, Any] = {
        "as_of": as_of,
        "known_at": known_at,
        "asked_at": asked_at,
        "scope": {"user": user, "agent": agent, "session": session},
        "kinds": kind,
        "hops": hops,
        "types": types,
        "relations": relations,
        "min_importance": min_importance,
        "include_superseded": include_superseded,
        "include_archived": include_archived,
        "speaker": speaker,
        "read_time_words": read_time_words,
    }
    found = with_memory(
        Target(tenant=tenant, store=store, walls=wall or ()),
        lambda memory: memory.context(query, budget_tokens=budget, sections=sections, **options),
    )
    from muniment.api import shapes

    if as_json:
        print_json(shapes.context(found))
        return
    say(found.text)
    left_out = [f"{one.id} ({one.reason})" for one in found.omitted[:10]]
    typer.echo(f"{found.tokens} of {budget} tokens", err=True)
    if found.empty:
        typer.echo(f"nothing found: {found.empty}", err=True)
    for note in found.degraded:
        typer.echo(f"degraded: {note}", err=True)
    if left_out:
        typer.echo("left out: " + ", ".join(left_out), err=True)


def explain(
    trace: Annotated[str, typer.Argument(help="The trace id of an answer.")],
    tenant: Tenant,
    why_not: Annotated[str, typer.Option("--why-not", metavar="ID", help="What stopped this one memory.")] = "",
    replay: Annotated[bool, typer.Option("--replay", help="Give the answer once more, and tell what differs.")] = False,
    store: Store = None,
    wall: Walls = None,
    as_json: AsJson = False,
) -> None:
    """Why each hit of an earlier answer, and why not each near miss."""
    if why_not and replay:
        raise Invalid("--why-not and --replay are two questions: ask one at a time", field="replay")
    target = Target(tenant=tenant, store=store, walls=wall or ())
    found = with_memory(target, lambda memory: _explained(memory, trace, why_not=why_not, replay=replay))
    if as_json:
        print_json(found)
        return
    from muniment.api.cli import tables

    if replay:
        say("the same answer as then" if found["equal"] else "not the answer of then")
        for reason in found["reasons"]:
            say(f"changed since: {reason}")
        tables.table(
            ["memory", "rank then", "rank now", "score then", "score now", "why"],
            (
                [m["id"], m["rank_then"], m["rank_now"], _rounded(m["score_then"]), _rounded(m["score_now"]), m["why"]]
                for m in found["moved"]
            ),
        )
        return
    tables.record(found)


async def _explained(memory: Memory, trace: str, *, why_not: str, replay: bool) -> dict[str, Any]:
    from muniment.api import shapes

    if replay:
        return shapes.replay(await memory.replay(trace))
    if why_not:
        return shapes.why_not(await memory.why_not(why_not, trace_id=trace))
    return dict(await memory.explain(trace))


def _rounded(score: float | None) -> str:
    return "" if score is None else f"{score:.3f}"


def rank(
    questions: Annotated[Path, typer.Argument(exists=True, dir_okay=False, help="JSON Lines of {id, text, …}.")],
    tenant: Tenant,
    out: Annotated[Path, typer.Option("--out", help="Where the rankings go, one a line.")],
    limit: Annotated[int, typer.Option(min=1, max=200, help="Episodes of one ranking.")] = 50,
    store: Store = None,
    wall: Walls = None,
    as_json: AsJson = False,
) -> None:
    """Rank episodes for a file of questions, as recall ranks and cites them."""
    asked = list(questions_in(questions))

    async def work(memory: Memory) -> None:
        with out.open("w", encoding="utf-8") as lines:
            for question in asked:
                found = await memory.ranked_episodes(question.pop("text"), limit=limit, **_asked(question))
                names = [episode.external_id or episode.id for episode in found]
                lines.write(json.dumps({"id": question["id"], "episodes": names[:limit]}, ensure_ascii=False) + "\n")

    with_memory(Target(tenant=tenant, store=store, walls=wall or ()), work)
    if as_json:
        print_json({"questions": len(asked), "out": str(out)})
    else:
        say(f"{len(asked)} questions ranked: {out}")


def questions_in(path: Path) -> Any:
    """The questions of a file. Raises Invalid naming the line."""
    with path.open("rb") as lines:
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            try:
                question = json.loads(line)
            except ValueError as cause:
                raise Invalid(f"{path}: line {number} is not JSON: {cause}", field=f"line {number}") from cause
            if not isinstance(question, dict) or not {"id", "text"} <= question.keys():
                raise Invalid(f"{path}: line {number} has no id or no text", field=f"line {number}")
            yield question


def _asked(question: dict[str, Any]) -> dict[str, Any]:
    return {name: question[name] for name in ("as_of", "known_at", "asked_at", "speaker") if question.get(name)}
