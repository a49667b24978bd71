"""Counters in the text form that Prometheus reads.

Labels are bounded: route patterns, statuses, codes, stages; tenants only where a setting says how many may be named.
"""

from __future__ import annotations

import os
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final

from muniment.graph_schema.ids import Space, tenant_of

if TYPE_CHECKING:
    from muniment.api.health import Report
    from muniment.engine.ports.spans import Value

BUCKETS_S: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
HITS: Final = (0, 1, 2, 5, 10, 20, 50, 100, 200)
TOKENS: Final = (0, 100, 300, 600, 900, 1500, 3000, 8000)
STAGES: Final = frozenset(
    {
        "recall",
        "recall.read",
        "recall.score",
        "recall.present",
        "context.assemble",
        "write.extract",
        "write.commit",
        "job",
    }
)
CONTENT_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"
OTHERS: Final = "other"
"""The label of all tenants that are not counted by name. One that is called so is counted with them."""


class Histogram:
    """How often a value was at most each bound."""

    def __init__(self, bounds: tuple[float, ...]) -> None:
        self._bounds = bounds
        self._counts = [0] * (len(bounds) + 1)
        self._sum = 0.0

    def add(self, value: float) -> None:
        self._counts[bisect_left(self._bounds, value)] += 1
        self._sum += value

    def lines(self, name: str, label: str = "") -> Iterator[str]:
        """`label` is `key="value"`, or nothing."""
        total = 0
        for bound, count in zip((*self._bounds, "+Inf"), self._counts, strict=True):
            total += count
            yield f'{name}_bucket{{{label + "," if label else ""}le="{bound}"}} {total}'
        yield f"{name}_sum{'{' + label + '}' if label else ''} {self._sum:.6f}"
        yield f"{name}_count{'{' + label + '}' if label else ''} {total}"


class Metrics:
    """What this process did: requests, stages of answers and writes, sizes, and what each of a few tenants asked for."""

    def __init__(self, *, most_tenants: int = 0) -> None:
        self._most_tenants = most_tenants
        self._requests: dict[tuple[str, str, int], int] = {}
        self._seconds: dict[str, Histogram] = {}
        self._stages: dict[str, Histogram] = {}
        self._hits = Histogram(HITS)
        self._tokens = Histogram(TOKENS)
        self._degraded = 0
        self._tenants: dict[str, None] = {}
        self._tenant_requests: dict[tuple[str, str], int] = {}
        self._tenant_written: dict[tuple[str, str], int] = {}
        self._under_way = 0

    def began(self) -> None:
        self._under_way += 1

    def ended(self, *, route: str, method: str, status: int, seconds: float, tenant: str = "") -> None:
        """Counts a request; `tenant` is the caller's, empty where nobody showed a good key."""
        self._under_way -= 1
        key = (route, method, status)
        self._requests[key] = self._requests.get(key, 0) + 1
        self._seconds.setdefault(route, Histogram(BUCKETS_S)).add(seconds)
        if tenant and self._most_tenants:
            _count(self._tenant_requests, (self._label(tenant), f"{status // 100}xx"))

    def stage(self, name: str, seconds: float, attributes: Mapping[str, Value]) -> None:
        """Takes a span that ended: see `engine/ports/spans.py`."""
        if name not in STAGES:
            return
        self._stages.setdefault(name, Histogram(BUCKETS_S)).add(seconds)
        if name == "recall":
            self._hits.add(int(attributes.get("hits", 0)))
            self._degraded += bool(attributes.get("degraded"))
        elif name == "context.assemble":
            self._tokens.add(int(attributes.get("tokens", 0)))
        elif name == "write.commit" and self._most_tenants and not attributes.get("dry_run"):
            tenant = self._label(tenant_of(Space(str(attributes["space"]))))
            for what in ("episodes", "changes"):
                _count(self._tenant_written, (tenant, what), int(attributes.get(what, 0)))

    def text(self, health: Report, *, search_memory_bytes: int) -> str:
        """All of them, one a line."""
        return "\n".join((*self._lines(), *_health_lines(health), *_memory_lines(search_memory_bytes))) + "\n"

    def _label(self, tenant: str) -> str:
        if tenant not in self._tenants and tenant != OTHERS:
            if len(self._tenants) >= self._most_tenants:
                return OTHERS
            self._tenants[tenant] = None
        return tenant

    def _lines(self) -> Iterator[str]:
        yield from _head("muniment_requests_total", "counter", "Requests answered.")
        for (route, method, status), count in sorted(self._requests.items()):
            yield f'muniment_requests_total{{route="{route}",method="{method}",status="{status}"}} {count}'
        yield from _head("muniment_requests_under_way", "gauge", "Requests being answered now.")
        yield f"muniment_requests_under_way {self._under_way}"
        yield from _head("muniment_request_seconds", "histogram", "Time to answer.")
        for route, seconds in sorted(self._seconds.items()):
            yield from seconds.lines("muniment_request_seconds", f'route="{route}"')
        yield from _head("muniment_stage_seconds", "histogram", "Time of a stage of an answer, a write or a job.")
        for stage, seconds in sorted(self._stages.items()):
            yield from seconds.lines("muniment_stage_seconds", f'stage="{stage}"')
        yield from _head("muniment_recall_hits", "histogram", "Hits of an answer.")
        yield from self._hits.lines("muniment_recall_hits")
        yield from _head("muniment_context_tokens", "histogram", "Tokens of a context block.")
        yield from self._tokens.lines("muniment_context_tokens")
        yield from _head("muniment_recall_degraded_total", "counter", "Answers that say degraded.")
        yield f"muniment_recall_degraded_total {self._degraded}"
        yield from self._tenant_lines()

    def _tenant_lines(self) -> Iterator[str]:
        if not self._most_tenants:
            return
        yield from _head("muniment_tenant_requests_total", "counter", "Requests of a tenant's keys.")
        for (tenant, status), count in sorted(self._tenant_requests.items()):
            yield f'muniment_tenant_requests_total{{tenant="{tenant}",status="{status}"}} {count}'
        yield from _head("muniment_tenant_written_total", "counter", "Episodes and changes written for a tenant.")
        for (tenant, what), count in sorted(self._tenant_written.items()):
            yield f'muniment_tenant_written_total{{tenant="{tenant}",what="{what}"}} {count}'


def _count(counts: dict[tuple[str, str], int], key: tuple[str, str], by: int = 1) -> None:
    counts[key] = counts.get(key, 0) + by


def _head(name: str, kind: str, help: str) -> Iterator[str]:
    yield f"# HELP {name} {help}"
    yield f"# TYPE {name} {kind}"


def _health_lines(health: Report) -> Iterator[str]:
    yield from _head("muniment_store_up", "gauge", "Whether the store answers.")
    yield f"muniment_store_up {int(health.status != 'unavailable')}"
    yield from _head("muniment_degraded", "gauge", "Whether something works less well than it should, by cause.")
    yield from (f'muniment_degraded{{cause="{cause}"}} 1' for cause in health.causes)
    yield from _head("muniment_jobs", "gauge", "Jobs of all tenants that failed lately, or that a worker could take.")
    yield f'muniment_jobs{{state="failed"}} {health.failed}'
    yield f'muniment_jobs{{state="waiting"}} {health.waiting}'
    yield from _head("muniment_job_lag_seconds", "gauge", "For how long the oldest waiting job could have been taken.")
    yield f"muniment_job_lag_seconds {health.lag_s:.3f}"


def _memory_lines(search_memory_bytes: int) -> Iterator[str]:
    yield from _head(
        "muniment_search_memory_bytes", "gauge", "Memory that the search index of SQLite takes: it grows with data."
    )
    yield f"muniment_search_memory_bytes {search_memory_bytes}"
    if (resident := _resident_bytes()) is not None:
        yield from _head("process_resident_memory_bytes", "gauge", "Memory of this process.")
        yield f"process_resident_memory_bytes {resident}"


def _resident_bytes() -> int | None:
    """What this process has in memory; None where the system does not tell it as Linux does."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    except (OSError, ValueError, IndexError):
        return None
    return pages * os.sysconf("SC_PAGE_SIZE")
