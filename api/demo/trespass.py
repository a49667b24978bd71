"""Another tenant tries to read: by asking, by id, and over HTTP by naming the tenant. What came back, and the audit rows."""

from __future__ import annotations

from dataclasses import dataclass

from muniment.api.demo.story import Story
from muniment.engine.bootstrap import Engine
from muniment.engine.keys import Grant, KeyRing, Role
from muniment.engine.write.audit import AuditCheck
from muniment.graph_schema.errors import NotFound
from muniment.graph_schema.records import AuditEntry, Fact


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """What the other tenant got. `by_id` and `by_absent_id` are the words for an id of the first tenant and for none at all;
    `status` and `problem` are the service's answer to a request that names the first tenant; 0 where it is not installed.
    """

    hits: int
    by_id: str
    by_absent_id: str
    status: int
    problem: str
    audit: tuple[AuditEntry, ...]  # of the tenant that tried, newest first
    chain: AuditCheck


async def trespass(engine: Engine, story: Story, fact: Fact) -> Refusal:
    """Tries to reach `fact` of the story's tenant as the story's other tenant."""
    stranger = engine.for_tenant(story.other_tenant, actor="stranger")
    answer = await stranger.recall(story.trespass)
    status, problem = await _over_http(engine, story)
    return Refusal(
        hits=len(answer.recall.hits),
        by_id=await _refused(engine, story, fact.id),
        by_absent_id=await _refused(engine, story, "f_00000000000000000000"),
        status=status,
        problem=problem,
        audit=tuple(entry for entry in (await stranger.audit()).items if entry.outcome == "refused"),
        chain=await stranger.verify_audit(),
    )


async def _refused(engine: Engine, story: Story, id: str) -> str:
    stranger = engine.for_tenant(story.other_tenant, actor="stranger")
    try:
        found = await stranger.fact(id)
    except NotFound as refusal:
        return str(refusal)
    return f"found {found.id}"


async def _over_http(engine: Engine, story: Story) -> tuple[int, str]:
    """The service in this process, called without a socket: a good key of one tenant, a request that names the other."""
    try:
        import httpx  # comes with the extra "server", as the service does

        from muniment.api.app import create_app
    except ImportError:
        return 0, "not tried: the service is not installed (pip install 'muniment[server]')"

    key = await KeyRing(engine.database, clock=engine.tools.clock).create(
        Grant(tenant=story.other_tenant, role=Role.READER, name="demo"), actor="demo"
    )
    transport = httpx.ASGITransport(app=create_app(engine))
    async with httpx.AsyncClient(transport=transport, base_url="http://demo") as client:
        response = await client.post(
            "/v1/recall",
            json={"query": story.trespass},
            headers={"Authorization": f"Bearer {key.text}", "X-Muniment-Tenant": story.tenant},
        )
    return response.status_code, str(response.json().get("detail", response.text))
