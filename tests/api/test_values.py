"""A literal value is one value on every surface: numbers of any size and spelling, texts, yes and no."""

from __future__ import annotations

from typing import Any

import pytest
from typer.testing import CliRunner

from muniment.api import shapes
from muniment.api.cli.main import app
from muniment.engine.ingest.inputs import end_in
from muniment.graph_schema.errors import Invalid, TooLarge
from tests.api.calling import Caller
from tests.api.surfaces import Surfaces
from tests.api.ways.said import Json

VALUES: list[tuple[Any, str]] = [
    (99, "99"),
    (99.0, "99"),
    (99.5, "99.5"),
    (10**20, "1" + "0" * 20),
    (1e20, "1" + "0" * 20),
    (-0.0, "0"),
]
VALUES += [(True, "true"), (False, "false"), ("about 99", "about 99")]


def _told(subject: str, value: Any, day: str = "2026-01-01") -> Json:
    return {
        "subject": {"name": subject},
        "relation": "price_of",
        "object": {"value": value},
        "valid_at": f"{day}T00:00:00Z",
    }


def _tell(surfaces: Surfaces, name: str, tenant: str, fact: Json) -> Json:
    """One fact through a surface that takes the contract's shape; gives the receipt."""
    match name:
        case "python":
            memory = surfaces.engine.for_tenant(tenant, actor="tester")
            return shapes.receipt(surfaces.run(memory.assert_facts([fact])))
        case "http":
            return dict(surfaces.running.caller(tenant).ok("POST", "/v1/facts", {"facts": [fact]}))
        case _:
            return surfaces.agent(tenant).use("assert", facts=[fact])


@pytest.mark.parametrize("name", ["python", "http", "mcp"])
def test_a_value_is_stored_as_it_was_told(surfaces: Surfaces, tenant: str, name: str) -> None:
    for number, (value, _) in enumerate(VALUES):
        _tell(surfaces, name, tenant, _told(f"Plan {number}", value))
    stored = {one["subject"]["name"]: one["object"] for one in surfaces.of("python", tenant).facts()}
    assert stored == {f"Plan {number}": {"value": text} for number, (_, text) in enumerate(VALUES)}


def test_the_same_price_told_on_every_surface_closes_nothing(surfaces: Surfaces, tenant: str) -> None:
    first = _tell(surfaces, "python", tenant, _told("Plan A", 99))
    later = [
        _tell(surfaces, "http", tenant, _told("Plan A", 99, "2026-02-01")),
        _tell(surfaces, "http", tenant, _told("Plan A", 99.0, "2026-03-01")),
        _tell(surfaces, "mcp", tenant, _told("Plan A", 99, "2026-04-01")),
    ]
    assert [one["action"] for one in first["changes"] if one["kind"] == "fact"] == ["created"]
    assert not [one for receipt in later for one in receipt["changes"] if one["action"] == "closed"]
    assert [one["object"] for one in surfaces.of("cli", tenant).facts(include_superseded=True)] == [{"value": "99"}]


def test_the_command_line_tells_a_value_as_the_others_do(surfaces: Surfaces, tenant: str) -> None:
    _tell(surfaces, "http", tenant, _told("Plan A", 99))
    target = ["--tenant", tenant, "--store", surfaces.url]
    ran = CliRunner().invoke(
        app, ["assert", "Plan A", "price_of", "99", "--value", "--since", "2026-02-01T00:00:00Z", *target]
    )
    assert ran.exit_code == 0, ran.output
    assert [one["object"] for one in surfaces.of("http", tenant).facts(include_superseded=True)] == [{"value": "99"}]


def test_a_correction_takes_whole_numbers_too(admin: Caller) -> None:
    receipt = admin.ok("POST", "/v1/facts", {"facts": [_told("Plan A", 99)]})
    id = next(one["id"] for one in receipt["changes"] if one["kind"] == "fact")
    admin.ok("POST", f"/v1/facts/{id}/correct", {"object": {"value": 89}})
    assert [one["object"] for one in admin.ok("GET", "/v1/facts")["items"]] == [{"value": "89"}]


@pytest.mark.parametrize("value", [float("inf"), float("nan"), None, [1], {"a": 1}, b"x", object()])
def test_what_is_no_literal_is_refused(value: Any) -> None:
    with pytest.raises(Invalid, match=r"^o\.value is .*: give a string, number or boolean$"):
        end_in({"value": value}, field="o", literal=True)


def test_a_number_too_long_to_write_down_is_refused() -> None:
    with pytest.raises(TooLarge, match=r"^o\.value is a number of 16610 bits"):
        end_in({"value": 10**5000}, field="o", literal=True)
