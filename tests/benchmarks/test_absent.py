"""What tells whether two ways of answering take the same time."""

from __future__ import annotations

import numpy as np
import pytest

from tests.api.test_routes import DOCUMENT
from tests.benchmarks.absent import ROUTES, interval, stands_out
from tests.benchmarks.report import absent_table


@pytest.mark.parametrize(("shift", "apart"), [(0.0, False), (0.05, True), (-0.05, True)])
def test_a_shift_is_seen_through_noise_and_noise_alone_is_not_called_one(shift: float, apart: bool) -> None:
    noise = np.random.default_rng(3).normal(0.0, 0.1, 300)
    noise[::20] += 5.0  # now and then somebody else has the processor
    low, high = interval([*(noise + shift)], level=0.998)
    assert low < shift < high
    one = {"route": "GET /x", "status": 404, "absent_ms": 1.0, "apart_ms": shift, "low_ms": low, "high_ms": high}
    assert stands_out(one) is apart
    assert ("**" in absent_table({"sqlite": [one]})) is apart


@pytest.mark.parametrize(
    ("count", "level", "places"), [(6, 0.95, (0, 5)), (10, 0.95, (1, 8)), (100, 0.95, (39, 60)), (3, 0.95, (0, 2))]
)
def test_the_interval_is_that_of_the_tables_of_the_sign_test(count: int, level: float, places: tuple[int, int]) -> None:
    assert interval([float(n) for n in range(count)], level=level) == places


def test_noise_that_hangs_together_is_called_a_shift_no_more_often_than_said() -> None:
    chance = np.random.default_rng(5)
    called = 0
    for _ in range(200):
        slow = np.repeat(chance.exponential(1.0, 6), 50) * chance.normal(
            1.0, 0.3, 300
        )  # minutes in which the machine is slow
        low, high = interval([*(slow * chance.choice([-1.0, 1.0], 300))], level=0.95)
        called += low > 0 or high < 0
    assert called <= 20  # ten are expected, more than twenty come about once in a thousand such runs


def test_every_route_with_an_id_in_its_path_has_its_kind_of_id_compared() -> None:
    """Routes that share a kind of id share how it is looked up; a kind without a route would be compared nowhere."""
    collections = {
        path.split("/")[2]
        for path, methods in DOCUMENT["paths"].items()
        if "{id}" in path and any(method in methods for method in ("get", "post", "delete"))
    }
    compared = {route.path.split("/")[2].partition("?")[0] for route in ROUTES}
    assert collections <= compared
