"""Writes and their receipts, shown so that a person sees what changed and not only its id."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Final

from muniment.api.cli.parts import Absent, Target, print_json, with_memory
from muniment.graph_schema.errors import MunimentError
from muniment.graph_schema.records import HELD_KINDS, Kind

if TYPE_CHECKING:
    from muniment.engine.memory import Memory
    from muniment.graph_schema.records import Change, Receipt

MOST_NAMED: Final = 60
"""Changes that are looked up to be named; a receipt of many more shows the rest by id."""


def write(
    target: Target,
    work: Callable[[Memory], Awaitable[Receipt]],
    *,
    as_json: bool,
    absent: Absent = Absent.REFUSED,
) -> None:
    """Does a write and prints its receipt: as JSON, or as a table that names what it changed. `absent` as for `with_memory`."""

    async def done(memory: Memory) -> tuple[Receipt, Mapping[str, str]]:
        receipt = await work(memory)
        return receipt, {} if as_json else await names_of(memory, receipt)

    receipt, names = with_memory(target, done, absent=absent)
    from muniment.api import shapes

    shown = shapes.receipt(receipt)
    if as_json:
        print_json(shown)
        return
    from muniment.api.cli import tables

    tables.receipt(shown, target, names)


async def names_of(memory: Memory, receipt: Receipt) -> Mapping[str, str]:
    """By id, what the first changes of a receipt are of. What a dry run would make, or a wall hides, has no line."""
    names: dict[str, str] = {}
    for change in receipt.changes[:MOST_NAMED]:
        try:
            names[change.id] = await _name(memory, change)
        except MunimentError:
            continue  # a name is a convenience: the write is done, and the id stands there
    return names


async def _name(memory: Memory, change: Change) -> str:
    if change.kind in HELD_KINDS:
        fact = (await memory.history(change.id)).fact
        return f"{fact.subject.name} · {fact.relation} · {fact.object.name}"
    if change.kind is Kind.ENTITY:
        entity = (await memory.entity(change.id)).entity
        return f"{entity.name} ({entity.type})"
    if change.kind is Kind.EPISODE:
        return " ".join((await memory.episode(change.id)).text.split())
    return ""
