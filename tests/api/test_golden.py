"""`/v1` is frozen: a change of its document is seen, read, and accepted by hand (`--update-golden`)."""

from __future__ import annotations

import json
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from muniment.api.schemas import words
from tests.api.test_routes import DOCUMENT

GOLDEN = Path(__file__).resolve().parents[1] / "golden" / "openapi_v1.json"
GENERATED = ("schema.ts", "operations.ts")


def test_the_document_of_version_one_is_as_it_was_frozen(request: pytest.FixtureRequest) -> None:
    told = json.dumps(_frozen(), indent=1, sort_keys=True, ensure_ascii=False) + "\n"
    if request.config.getoption("--update-golden"):
        GOLDEN.write_text(told, encoding="utf-8")
    assert told == GOLDEN.read_text(encoding="utf-8")


def test_every_shape_field_and_parameter_says_what_it_means() -> None:
    shapes = DOCUMENT["components"]["schemas"]
    silent = [name for name, shape in shapes.items() if not shape.get("description")]
    silent += [
        f"{n}.{f}" for n, s in shapes.items() for f, t in s.get("properties", {}).items() if "description" not in t
    ]
    for path, methods in DOCUMENT["paths"].items():
        for method, told in methods.items():
            given = told.get("parameters", ())
            silent += [
                f"{method} {path} {one['name']}" for one in given if "description" not in {**one["schema"], **one}
            ]
    assert silent == []
    told = {name for shape in shapes.values() for name in shape.get("properties", {})}
    assert [name for name in words.FIELDS if name not in told] == []
    of = [(name, field) for name, table in words.OF.items() if name in shapes for field in table if field]
    assert [one for one in of if one[1] not in shapes[one[0]]["properties"]] == []


def test_the_types_of_the_typescript_client_are_those_of_the_document(
    typescript: ModuleType, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    if request.config.getoption("--update-golden"):
        typescript.generate()
    typescript.generate(tmp_path)
    for name in GENERATED:
        assert (tmp_path / name).read_text() == (typescript.GENERATED / name).read_text(), (
            "run `python -m tools.typescript generate`"
        )


def _frozen() -> dict[str, Any]:
    """The document without its version and without the problems, which are the same on every route."""
    document: dict[str, Any] = json.loads(json.dumps(DOCUMENT))
    del document["info"]
    for path in document["paths"].values():
        for said in path.values():
            said["responses"] = {status: one for status, one in said["responses"].items() if status.startswith("2")}
    return document
