"""Whatever fits the document, and whatever does not, the service answers it without failing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings

from tests.api.calling import Caller, seed
from tests.api.running import Running, serving
from tests.api.test_routes import DOCUMENT

EXAMPLES = 4  # of each operation and mode: a first look; long runs are made by hand
SCHEMA: Any = schemathesis.openapi.from_dict(DOCUMENT)
# A purge would take away what the others are tried on; lines of an import are not described by a schema.
OPERATIONS = [
    one for result in SCHEMA.get_all_operations() if (one := result.ok()).path not in ("/v1/purge", "/v1/import")
]
MODES = (schemathesis.GenerationMode.POSITIVE, schemathesis.GenerationMode.NEGATIVE)


@pytest.fixture(scope="module")
def fuzzed() -> Iterator[Running]:
    with serving("sqlite://", webhooks=True) as running:
        seed(running.caller("acme"))
        yield running


HOW_EXAMPLES_ARE_MADE = [  # not what is tested here
    HealthCheck.data_too_large,
    HealthCheck.filter_too_much,
    HealthCheck.too_slow,
    HealthCheck.large_base_example,
]
CASES = [(one, mode) for one in OPERATIONS for mode in MODES if mode is MODES[0] or one.path.startswith("/v1/")]


@pytest.mark.parametrize(("operation", "mode"), CASES, ids=[f"{one.label} {mode.value}" for one, mode in CASES])
def test_an_operation_never_fails(operation: Any, mode: Any, fuzzed: Running) -> None:
    caller = fuzzed.caller("acme", "operator" if operation.path.startswith("/v1/tenants") else "admin")

    @settings(
        max_examples=EXAMPLES,
        database=None,
        derandomize=True,
        suppress_health_check=HOW_EXAMPLES_ARE_MADE,
    )
    @given(case=operation.as_strategy(generation_mode=mode))
    def run(case: Any) -> None:
        response = _call(caller, case)
        assert response.status_code < 500, response.text
        if response.status_code >= 400:
            assert response.json()["code"]

    run()


def _call(caller: Caller, case: Any) -> Any:
    sent = case.as_transport_kwargs(base_url="http://testserver")
    headers = {name: str(value).encode("utf-8", "replace") for name, value in dict(sent.get("headers") or {}).items()}
    headers.pop("Authorization", None)
    body = {name: sent[name] for name in ("json", "data") if name in sent}
    return caller(sent["method"], sent["url"], params=sent.get("params"), headers=headers, **body)
