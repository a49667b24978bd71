"""The command that lets an agent on this machine use a tenant's memory."""

from __future__ import annotations

from typing import Annotated

import typer

from muniment.api.cli.parts import Absent, Store, Walls, with_engine
from muniment.graph_schema.errors import Invalid
from muniment.graph_schema.ids import space_of


def register(app: typer.Typer) -> None:
    """Adds the command to the program."""
    app.command()(mcp)


def mcp(
    store: Store = None,
    tenant: Annotated[str, typer.Option("--tenant", "-t", help="Whose memory; not needed with a key.")] = "",
    role: Annotated[
        str, typer.Option(help="What the agent may do, without a key: reader, writer or curator (where absent).")
    ] = "",
    walls: Walls = None,
) -> None:
    """Serve a tenant's memory to an agent as MCP tools, over standard input and output.

    The agent's program starts this one. Tenant, role and walls come from here, or from the key in MUNIMENT_MCP_KEY; never
    from the model. Over HTTP the same tools are at /mcp of `muniment serve`.
    """
    try:
        from muniment.api.mcp.stdio import Identity, serve_stdio
    except ImportError as cause:
        raise Invalid(f"MCP is not installed ({cause.name} is missing): pip install 'muniment[mcp]'") from cause
    from muniment.api.logs import configure
    from muniment.engine.keys import Role
    from muniment.engine.settings import read_settings

    settings = read_settings()
    key = settings.mcp_key.get_secret_value()
    if key and (role or walls):
        raise Invalid("MUNIMENT_MCP_KEY is set: the key says role and walls, leave --role and --wall out", field="role")
    if role not in ("", "reader", "writer", "curator"):
        raise Invalid(f"--role {role!r} has no tools: use reader, writer or curator", field="role")
    if not key:
        space_of(settings.environment, tenant)  # raises for what is no name, before anything is opened
    configure(settings.log_level)
    identity = Identity(tenant=tenant, role=Role(role or "curator"), walls=frozenset(walls or ()), key=key)
    with_engine(store, lambda engine: serve_stdio(engine, identity), absent=Absent.MADE)
