"""Every tool for agents, tried by another tenant's agent with each id, name, cursor and token of a victim.

As `test_attacks.py` does over HTTP: whatever a tool takes is tried, a tool of tomorrow too. No answer may tell anything of the
victim; an id that is another's and one that is nobody's get the same answer; every refusal is written down; and the victim
is afterwards as it was. What stands between an agent and its key is tested in `test_mcp.py`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any
from uuid import uuid4

import pytest
from mcp import Client

from muniment.api.auth import caller_of
from muniment.api.mcp.server import Context, Visit, memory_server
from muniment.api.mcp.tools import TOOLS
from tests.api.attacking import HOLDS_IDS, is_refusal, nobodys, still, written_down
from tests.api.marking import Place, places
from tests.api.running import Running
from tests.api.victims import MARK, NAMES, Victim

Json = dict[str, Any]
TOLD: Mapping[str, Json] = {
    "recall": {"query": "Where does Ana Ruiz work?"},
    "context": {"query": "Where does Ana Ruiz work?"},
    "facts": {},
    "entities": {},
    "paths": {"a": NAMES[0], "b": NAMES[1]},
    "history": {"id": "f_0"},
    "episode": {"id": "e_0"},
    "explain": {"trace_id": "t_0"},
    "remember": {"episodes": [{"text": "Ana Ruiz works for Initech."}], "dry_run": True},
    "assert": {
        "facts": [{"subject": {"name": NAMES[0]}, "relation": "likes", "object": {"name": "tea"}}],
        "dry_run": True,
    },
    "retract": {"id": "f_0", "reason": "a try"},
    "end": {"id": "f_0"},
    "correct": {"id": "f_0", "object": "Initech"},
    "undo": {"id": "r_0"},
}
"""What each tool is asked without anything of the victim's in it."""


class Agent:
    """A stranger's agent. Each call has a request id of its own, by which its refusal is found."""

    def __init__(self, service: Running, name: str) -> None:
        self.caller = service.caller(name)
        self._service = service

    def all(self, tool: str, calls: list[Json]) -> list[tuple[str, Any]]:
        """What a tool answers to each of these, with the request's id."""
        portal = self._service.client.portal
        assert portal is not None
        return portal.call(self._all, tool, calls)

    async def _all(self, tool: str, calls: list[Json]) -> list[tuple[str, Any]]:
        app: Any = self._service.client.app
        known = caller_of(await app.state.service.keys.authenticate(self.caller.key))
        ids: list[str] = []

        async def receive(context: Context) -> Visit:
            ids.append(uuid4().hex)
            return Visit(service=app.state.service, caller=known, request_id=ids[-1])

        async with Client(memory_server(receive), raise_exceptions=True) as client:
            answers = []
            for arguments in calls:
                result = await client.call_tool(tool, arguments)
                answers.append((ids[-1], result))
            return answers


def test_every_tool_is_tried() -> None:
    assert TOLD.keys() == TOOLS.keys()


@pytest.mark.parametrize("tool", TOLD)
def test_a_strangers_agent_learns_nothing_and_every_refusal_is_written_down(
    tool: str, attacked: Running, harmed: Victim
) -> None:
    agent = Agent(attacked, f"agent-{tool}")
    tries = list(_tries(tool, harmed))
    assert tries
    others = [nobodys(said) for said, _ in tries]
    absent = [
        json.loads(json.dumps(turned).replace(said, other)) if other is not None else turned
        for (said, turned), other in zip(tries, others, strict=True)
    ]
    answers = agent.all(tool, [turned for _, turned in tries])
    nothing = agent.all(tool, absent)
    refused: dict[str, Any] = {}
    for (_, turned), other, (id, answer), (_, missing) in zip(tries, others, answers, nothing, strict=True):
        told = str(answer.model_dump())
        assert MARK not in told.casefold(), turned
        assert not answer.is_error or answer.structured_content["status"] < 500, (turned, told)
        if other is not None:
            assert answer.is_error == missing.is_error, (turned, told)
            assert still(answer.structured_content) == still(missing.structured_content), turned
        if answer.is_error and is_refusal(answer.structured_content):
            refused[id] = turned
    assert not {id: refused[id] for id in refused.keys() - written_down(agent.caller)}
    if "id" in TOLD[tool]:
        assert refused


def _tries(tool: str, harmed: Victim) -> Iterator[tuple[str, Json]]:
    """The tool's arguments with something of the victim's in each place that takes a text, and what that is."""
    schema = TOOLS[tool].takes.model_json_schema()
    document = {"components": {"schemas": schema.get("$defs", {})}}
    spots = list(places(document, TOLD[tool], schema))
    inside = {place.steps[0] for place in spots}
    spots += [Place((name,), name) for name in ("tenant", "scope") if name not in inside]
    for place in spots:
        for said in _said(place.name, harmed):
            yield said, place.turned(TOLD[tool], said)
    yield harmed.tenant, {**TOLD[tool], "scope": {"tenant": harmed.tenant}}


def _said(name: str, harmed: Victim) -> list[str]:
    if name == "tenant":
        return [harmed.tenant]
    if name == "cursor":
        return list(dict.fromkeys(harmed.cursors.values()))
    if HOLDS_IDS.search(name):
        return [*harmed.one_of_each, harmed.tenant, *harmed.tokens[:1]]
    return [*harmed.of("f_", "e_"), *NAMES[:1]]
