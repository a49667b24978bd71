"""Counters in the text form that Prometheus reads. Labels are bounded: route patterns, statuses, codes; never a tenant."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from muniment.api.health import Report

BUCKETS_S: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
CONTENT_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"


class Metrics:
    """Requests of this process by route, method and status, and how long they took."""

    def __init__(self) -> None:
        self._requests: dict[tuple[str, str, int], int] = {}
        self._buckets: dict[str, list[int]] = {}
        self._seconds: dict[str, float] = {}
        self._under_way = 0

    def began(self) -> None:
        self._under_way += 1

    def ended(self, *, route: str, method: str, status: int, seconds: float) -> None:
        self._under_way -= 1
        key = (route, method, status)
        self._requests[key] = self._requests.get(key, 0) + 1
        buckets = self._buckets.setdefault(route, [0] * (len(BUCKETS_S) + 1))
        buckets[next((n for n, most in enumerate(BUCKETS_S) if seconds <= most), len(BUCKETS_S))] += 1
        self._seconds[route] = self._seconds.get(route, 0.0) + seconds

    def text(self, health: Report) -> str:
        """All of them, one a line."""
        return "\n".join((*self._lines(), *_health_lines(health))) + "\n"

    def _lines(self) -> Iterator[str]:
        yield "# HELP muniment_requests_total Requests answered."
        yield "# TYPE muniment_requests_total counter"
        for (route, method, status), count in sorted(self._requests.items()):
            yield f'muniment_requests_total{{route="{route}",method="{method}",status="{status}"}} {count}'
        yield "# HELP muniment_requests_under_way Requests being answered now."
        yield "# TYPE muniment_requests_under_way gauge"
        yield f"muniment_requests_under_way {self._under_way}"
        yield "# HELP muniment_request_seconds Time to answer."
        yield "# TYPE muniment_request_seconds histogram"
        for route, counts in sorted(self._buckets.items()):
            total = 0
            for most, count in zip((*BUCKETS_S, "+Inf"), counts, strict=True):
                total += count
                yield f'muniment_request_seconds_bucket{{route="{route}",le="{most}"}} {total}'
            yield f'muniment_request_seconds_sum{{route="{route}"}} {self._seconds[route]:.6f}'
            yield f'muniment_request_seconds_count{{route="{route}"}} {total}'


def _health_lines(health: Report) -> Iterator[str]:
    yield "# HELP muniment_store_up Whether the store answers."
    yield "# TYPE muniment_store_up gauge"
    yield f"muniment_store_up {int(health.status != 'unavailable')}"
    yield "# HELP muniment_degraded Whether something works less well than it should, by cause."
    yield "# TYPE muniment_degraded gauge"
    yield from (f'muniment_degraded{{cause="{cause}"}} 1' for cause in health.causes)
    yield "# HELP muniment_jobs Jobs of all tenants that failed lately, or that a worker could take."
    yield "# TYPE muniment_jobs gauge"
    yield f'muniment_jobs{{state="failed"}} {health.failed}'
    yield f'muniment_jobs{{state="waiting"}} {health.waiting}'
    yield "# HELP muniment_job_lag_seconds For how long a worker could have taken the oldest waiting job."
    yield "# TYPE muniment_job_lag_seconds gauge"
    yield f"muniment_job_lag_seconds {health.lag_s:.3f}"
