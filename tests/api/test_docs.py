"""Every route, error and command is in the documentation, and nothing that is not there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from typer.main import get_command

from muniment.api.cli.main import app
from muniment.api.cli.parts import EXITS
from muniment.api.errors import TABLE
from muniment.api.mcp.tools import TOOLS
from muniment.api.roles import ALLOWED, Verb
from muniment.engine.keys import Role
from muniment.engine.settings import Settings
from tests.api.test_roles import EXPECTED
from tests.api.test_routes import ROUTES

HOWTO = Path(__file__).resolve().parents[2] / "docs" / "howto"
SERVICE = (HOWTO / "service.md").read_text(encoding="utf-8")
MCP = (HOWTO / "mcp.md").read_text(encoding="utf-8")
CLI = (HOWTO / "cli.md").read_text(encoding="utf-8")
METRICS = (HOWTO.parents[1] / "api" / "metrics.py").read_text(encoding="utf-8")
LEAST = ("reader", "writer", "curator", "admin", "operator")


def test_every_route_is_documented_with_the_least_role_and_no_other_is() -> None:
    told = dict(re.findall(r"^\| `((?:GET|POST|PUT|PATCH|DELETE) \S+)` \| (.+?) \|", SERVICE, flags=re.M))
    made = {f"{method} {route.path}" for route in ROUTES for method in route.methods or ()}
    assert told.keys() == made
    for route, role in told.items():
        allowed = EXPECTED.get(route)
        assert role.split(", ")[0] == ("everybody" if allowed is None else next(r for r in LEAST if r in allowed))


def test_every_error_is_documented_with_its_status() -> None:
    told = dict(re.findall(r"^\| `(\w+)` \| (\d{3}) \|", SERVICE, flags=re.M))
    assert told == {code: str(one.status) for code, one in TABLE.items()}


def test_every_tool_is_documented_with_the_least_role() -> None:
    told = re.findall(r"^\| `(\w+)` \| (\w+) \|", MCP, flags=re.M)
    made = [(name, next(r for r in LEAST if Verb(tool.verb) in ALLOWED[Role(r)])) for name, tool in TOOLS.items()]
    assert told == made


def test_every_command_is_documented() -> None:
    said = set(re.findall(r"`([a-z0-9-]+(?: [a-z]+)?)(?: [A-Z]\S*)*`", CLI))
    assert [name for name in _commands(get_command(app)) if name not in said] == []


def test_every_exit_code_is_documented() -> None:
    assert {0, 1, 2, *EXITS.values()} == {int(n) for n in re.findall(r"^\| (\d) \|", CLI, flags=re.M)}


DOCS = HOWTO.parent


def test_every_test_named_on_the_security_page_is_there() -> None:
    named = set(re.findall(r"`(tests/[\w/.]+)`", (DOCS / "security.md").read_text(encoding="utf-8")))
    assert len(named) > 15
    assert [name for name in sorted(named) if not (DOCS.parent / name).exists()] == []


def test_the_guides_for_operators_name_settings_commands_and_samples_that_are_there() -> None:
    text = "".join((DOCS / page).read_text(encoding="utf-8") for page in ("security.md", "howto/operating.md"))
    settings = set(Settings.variables().values())
    told = re.findall(r"MUNIMENT_[A-Z0-9_]+", text)
    assert len(told) > 20
    assert [name for name in told if name not in settings and not any(s.startswith(name) for s in settings)] == []
    commands = {name.split()[0] for name in _commands(get_command(app))}
    typed = re.findall(r"(?:^|`)muniment ([a-z]+(?:-[a-z]+)*)", text, flags=re.M)
    assert len(typed) > 8
    assert [name for name in typed if name not in commands] == []
    samples = set(re.findall(r"`(muniment_[a-z_]+)", text))
    assert len(samples) > 6
    assert [name for name in samples if name not in METRICS] == []


def _commands(group: Any, before: str = "") -> Iterator[str]:
    """Every command that does something by itself, as it is typed."""
    for name, command in group.commands.items():
        whole = f"{before}{name}"
        if not hasattr(command, "commands"):
            yield whole
            continue
        if command.invoke_without_command:
            yield whole
        yield from _commands(command, f"{whole} ")
