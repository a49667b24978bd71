"""The same script of verbs gives the same records embedded and over a server, with and without `await`."""

from __future__ import annotations

import inspect
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from difflib import unified_diff
from pathlib import Path
from pprint import pformat
from typing import Any
from uuid import uuid4

import pytest

import muniment
from muniment.api.client.client import AsyncClient
from muniment.engine.memory import Memory
from muniment.engine.sync import SyncMemory
from muniment.engine.verbs import NOT_FOR_CALLERS, Verbs
from tests.api.client.live import Live
from tests.api.client.script import Awaited, every_verb

FACES = ("async client", "sync client", "opened server", "sync embedded")
_embedded: list[Mapping[str, Any]] = []


@asynccontextmanager
async def face(name: str, server: Live, folder: Path) -> AsyncIterator[Any]:
    """One way to a tenant's memory."""
    tenant = f"t-{uuid4().hex[:12]}"
    store = f"sqlite:///{folder / 'own.db'}"
    match name:
        case "sync embedded":
            with muniment.open(store) as engine:
                yield Awaited(engine.for_tenant(tenant, actor="key:own"))
        case "async client":
            async with muniment.connect(server.url, tenant=tenant, key=server.key(tenant)) as memory:
                yield memory
        case "sync client":
            with muniment.Client(server.url, server.key(tenant)) as client:
                yield Awaited(client)
        case "opened server":
            with muniment.open(server.url, key=server.key(tenant)) as engine:
                yield Awaited(engine.for_tenant(tenant, actor="ignored"))


@pytest.mark.parametrize("name", FACES)
async def test_every_verb_gives_the_same_records_on_every_face(name: str, server: Live, tmp_path: Path) -> None:
    async with face(name, server, tmp_path) as memory:
        _compare(await every_verb(memory), await _wanted(tmp_path), name)


async def _wanted(folder: Path) -> Mapping[str, Any]:
    """What the embedded engine gives, told once."""
    if not _embedded:
        async with muniment.connect(f"sqlite:///{folder / 'first.db'}", tenant="acme", actor="key:own") as memory:
            _embedded.append(await every_verb(memory))
    return _embedded[0]


def _compare(got: Mapping[str, Any], wanted: Mapping[str, Any], name: str) -> None:
    assert got.keys() == wanted.keys()
    lines = [(pformat(one, width=110).splitlines(), step) for step in wanted for one in (wanted[step], got[step])]
    differing = [
        f"{step}: {line}"
        for (ours, step), (theirs, _) in zip(lines[::2], lines[1::2], strict=True)
        for line in unified_diff(ours, theirs, "embedded", name, n=1, lineterm="")
    ]
    assert differing == [], "\n".join(differing)


@pytest.mark.parametrize("kind", [AsyncClient, SyncMemory, Verbs])
def test_every_verb_has_the_same_parameters_on_every_face(kind: type) -> None:
    """Where one is missing: `python -m tools.faces` writes all but the client of a server."""
    for name in _verbs(Memory) - NOT_FOR_CALLERS:
        wanted, got = (inspect.signature(getattr(one, name)).parameters for one in (Memory, kind))
        assert [(p.name, p.kind, p.default) for p in got.values()] == [
            (p.name, p.kind, p.default) for p in wanted.values()
        ], name


def _verbs(kind: type) -> set[str]:
    return {name for name, one in inspect.getmembers(kind) if not name.startswith("_") and inspect.isfunction(one)}
