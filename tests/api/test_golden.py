"""`/v1` is frozen: a change of its document is seen, read, and accepted by hand (`--update-golden`)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.api.test_routes import DOCUMENT

GOLDEN = Path(__file__).resolve().parents[1] / "golden" / "openapi_v1.json"


def test_the_document_of_version_one_is_as_it_was_frozen(request: pytest.FixtureRequest) -> None:
    told = json.dumps(_frozen(), indent=1, sort_keys=True, ensure_ascii=False) + "\n"
    if request.config.getoption("--update-golden"):
        GOLDEN.write_text(told, encoding="utf-8")
    assert told == GOLDEN.read_text(encoding="utf-8")


def _frozen() -> dict[str, Any]:
    """The document without its version and without the problems, which are the same on every route."""
    document: dict[str, Any] = json.loads(json.dumps(DOCUMENT))
    del document["info"]
    for path in document["paths"].values():
        for said in path.values():
            said["responses"] = {status: one for status, one in said["responses"].items() if status.startswith("2")}
    return document
