"""What tells whether two ways of answering take the same time."""

from __future__ import annotations

import numpy as np
import pytest

from tests.api.test_routes import DOCUMENT
from tests.benchmarks.absent import ROUTES, interval
from tests.benchmarks.report import absent_table


@pytest.mark.parametrize(("shift", "apart"), [(0.0, False), (0.05, True), (-0.05, True)])
def test_a_shift_is_seen_through_noise_and_noise_alone_is_not_called_one(shift: float, apart: bool) -> None:
    noise = np.random.default_rng(3).normal(0.0, 0.1, 300)
    noise[::20] += 5.0  # now and then somebody else has the processor
    low, high = interval([*(noise + shift)], level=0.998)
    assert low < shift < high
    assert (low > 0 or high < 0) is apart
    one = {"route": "GET /x", "status": 404, "absent_ms": 1.0, "apart_ms": shift, "low_ms": low, "high_ms": high}
    assert ("**" in absent_table({"sqlite": [one]})) is apart


def test_every_route_with_an_id_in_its_path_has_its_kind_of_id_compared() -> None:
    """Routes that share a kind of id share how it is looked up; a kind without a route would be compared nowhere."""
    collections = {
        path.split("/")[2]
        for path, methods in DOCUMENT["paths"].items()
        if "{id}" in path and any(method in methods for method in ("get", "post", "delete"))
    }
    compared = {route.path.split("/")[2].partition("?")[0] for route in ROUTES}
    assert collections <= compared
