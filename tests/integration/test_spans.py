"""Spans: each request, stage, write and job has one, in its place below the others, and none holds a word of a memory."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from mcp import Client
from opentelemetry import trace
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import SpanKind, StatusCode

from muniment.api.auth import Caller
from muniment.api.mcp.server import Visit, memory_server
from muniment.engine.keys import Role
from tests.api.calling import EPISODE, INITECH
from tests.api.running import serving
from tests.api.test_jobs import work

MARKER = "vvkmarker"
TRACE, PARENT = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"


@pytest.fixture(scope="module")
def exporter() -> Iterator[InMemorySpanExporter]:
    """The SDK set up as an operator does, once for the process."""
    exporter = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    trace.set_tracer_provider(provider)
    yield exporter
    exporter.shutdown()


@pytest.fixture
def spans(exporter: InMemorySpanExporter) -> InMemorySpanExporter:
    exporter.clear()
    return exporter


def named(spans: InMemorySpanExporter) -> dict[str, ReadableSpan]:
    return {one.name: one for one in spans.get_finished_spans()}


def parent_of(one: ReadableSpan) -> int:
    assert one.parent is not None
    return one.parent.span_id


def id_of(one: ReadableSpan) -> int:
    assert one.context is not None
    return int(one.context.span_id)


def test_a_request_holds_its_stages_and_belongs_to_the_callers_trace(spans: InMemorySpanExporter) -> None:
    with serving("sqlite://") as running:
        caller = running.caller("acme")
        headers = {"traceparent": f"00-{TRACE}-{PARENT}-01", "X-Request-Id": "asked-1"}
        caller.ok("POST", "/v1/facts", {"facts": [INITECH]})
        caller.ok("POST", "/v1/context", {"query": "Where does Ana Ruiz work?"}, headers=headers)
    found = named(spans)
    request = found["POST /v1/context"]
    assert request.kind is SpanKind.SERVER
    assert request.context is not None
    assert (f"{request.context.trace_id:032x}", f"{parent_of(request):016x}") == (TRACE, PARENT)
    assert request.attributes is not None
    assert request.attributes["http.route"] == "/v1/context"
    assert request.attributes["http.response.status_code"] == 200
    assert request.attributes["muniment.request_id"] == "asked-1"
    for name in ("recall", "context.assemble"):
        assert parent_of(found[name]) == id_of(request)
    for name in ("recall.read", "recall.score", "recall.present"):
        assert parent_of(found[name]) == id_of(found["recall"])
    commit = found["write.commit"]
    assert parent_of(commit) == id_of(found["POST /v1/facts"])
    assert commit.attributes is not None
    assert (commit.attributes["muniment.verb"], commit.attributes["muniment.space"]) == ("assert_facts", "dev/acme")


def test_an_error_is_told_by_class_and_code(spans: InMemorySpanExporter) -> None:
    with serving("sqlite://") as running:
        caller = running.caller("acme")
        merge = {"ids": ["n_1", "n_2"]}
        assert caller("POST", "/v1/merges", merge).status_code == 404
        assert caller("GET", f"/v1/facts/{MARKER}").status_code == 404
        assert caller("GET", f"/{MARKER}").status_code == 404
    assert {"GET /v1/facts/{id}", "GET other"} <= named(spans).keys()
    assert MARKER not in told(spans)


async def test_no_word_of_a_memory_is_in_a_span(spans: InMemorySpanExporter) -> None:
    episode = {
        **EPISODE,
        "text": f"Ana Ruiz works for {MARKER}.",
        "title": MARKER,
        "speaker": MARKER,
        "external_id": MARKER,
    }
    with serving("sqlite://") as running:
        caller = running.caller("acme")
        for mode in ("sync", "async"):
            caller("POST", "/v1/episodes", {"episodes": [{**episode, "external_id": mode}], "mode": mode})
        work(running)
        caller("POST", "/v1/facts", {"facts": [{**INITECH, "object": {"name": MARKER}, "text": MARKER}]})
        caller("POST", "/v1/facts", {"facts": [{**INITECH, "valid_at": MARKER}]})
        for path in ("/v1/recall", "/v1/context"):
            caller("POST", path, {"query": f"What is {MARKER}?"})
        caller("GET", f"/v1/facts?q={MARKER}")
        caller("GET", f"/v1/entities/{MARKER}", headers={"baggage": f"x={MARKER}", "tracestate": f"x={MARKER}"})
    found = named(spans)
    assert {"write.extract", "write.commit", "recall", "job", "GET /v1/facts"} <= found.keys()
    assert found["job"].kind is SpanKind.CONSUMER
    assert parent_of(found["write.extract"])
    assert MARKER not in told(spans)


async def test_a_tool_has_a_span_of_its_own(spans: InMemorySpanExporter) -> None:
    with serving("sqlite://") as running:
        app: Any = running.client.app
        caller = Caller(key_id="k", tenant="acme", role=Role.READER, walls=frozenset())
        visit = Visit(service=app.state.service, caller=caller, request_id="req_1")

        async def receive(_: Any) -> Visit:
            return visit

        async with Client(memory_server(receive)) as agent:
            result = await agent.call_tool("recall", {"query": MARKER, "limit": 0})
    assert result.is_error
    tool = named(spans)["tool"]
    assert tool.status.status_code is StatusCode.ERROR
    assert tool.attributes is not None
    assert tool.attributes["muniment.code"] == "invalid"
    assert MARKER not in told(spans)


def test_nothing_is_needed_where_opentelemetry_is_not_installed() -> None:
    program = (
        "import sys; sys.modules['opentelemetry'] = None\n"
        "import asyncio\n"
        "from muniment.engine.bootstrap import open_engine\n"
        "async def main():\n"
        "    async with open_engine('sqlite://') as engine:\n"
        "        memory = engine.for_tenant('acme')\n"
        "        await memory.assert_facts([{'subject': {'name': 'Ana'}, 'relation': 'knows', 'object': {'name': 'Bo'}}])\n"
        "        print(len((await memory.recall('Whom does Ana know?')).recall.hits))\n"
        "asyncio.run(main())\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parents[2] / "src")}
    ran = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    assert int(ran.stdout) >= 1


def told(spans: InMemorySpanExporter) -> str:
    """All that the spans say."""
    return "\n".join(one.to_json() for one in spans.get_finished_spans())
