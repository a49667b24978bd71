"""`/metrics`: requests, stages, sizes, and tenants by name only where a setting says how many."""

from __future__ import annotations

import re
from typing import Any

import pytest

from muniment.api.metrics import Histogram
from tests.api.calling import EPISODE, INITECH
from tests.api.running import Running, serving

LINE = re.compile(r'([a-z_]+)(?:\{((?:[a-z]+="[^"\n]*",?)+)\})? (-?[0-9.e+-]+|\+Inf)')


def told(service: Running) -> dict[str, float]:
    """Every sample; each line must be one that Prometheus can read, under a head of its own."""
    found: dict[str, float] = {}
    heads: set[str] = set()
    for line in service.client.get("/metrics").text.splitlines():
        if line.startswith("# TYPE "):
            assert line.split()[2] not in heads
            heads.add(line.split()[2])
            continue
        if line.startswith("#"):
            continue
        match = LINE.fullmatch(line)
        assert match, line
        assert match[1] in heads or re.sub("_(bucket|sum|count)$", "", match[1]) in heads
        name = line.rpartition(" ")[0]
        assert name not in found
        found[name] = float(match[3])
    return found


def test_a_histogram_counts_what_is_at_most_each_bound() -> None:
    histogram = Histogram((1, 5))
    for value in (0, 1, 2, 5, 6):
        histogram.add(value)
    assert list(histogram.lines("x", 'a="b"')) == [
        'x_bucket{a="b",le="1"} 2',
        'x_bucket{a="b",le="5"} 4',
        'x_bucket{a="b",le="+Inf"} 5',
        'x_sum{a="b"} 14.000000',
        'x_count{a="b"} 5',
    ]


def test_stages_and_sizes_are_counted() -> None:
    with serving("sqlite://") as service:
        caller = service.caller("acme")
        caller.ok("POST", "/v1/episodes", {"episodes": [EPISODE]})
        caller.ok("POST", "/v1/facts", {"facts": [INITECH], "dry_run": True})
        found = len(caller.ok("POST", "/v1/recall", {"query": "Where does Ana Ruiz work?"})["hits"])
        tokens = caller.ok("POST", "/v1/context", {"query": "Ana Ruiz"})["tokens"]
        samples = told(service)
        for stage, times in {
            "recall": 2,
            "recall.read": 2,
            "recall.score": 2,
            "recall.present": 2,
            "context.assemble": 1,
            "write.extract": 1,
            "write.commit": 2,
        }.items():
            assert samples[f'muniment_stage_seconds_count{{stage="{stage}"}}'] == times, stage
            assert samples[f'muniment_stage_seconds_sum{{stage="{stage}"}}'] > 0
        assert samples["muniment_recall_hits_count"] == 2
        assert samples["muniment_recall_hits_sum"] >= found > 0
        assert samples["muniment_context_tokens_sum"] == tokens
        assert not any("tenant" in name for name in samples)


def test_memory_of_the_search_index_grows_with_what_is_held_and_is_part_of_the_whole() -> None:
    with serving("sqlite://") as service:
        caller = service.caller("acme")
        caller.ok("POST", "/v1/facts", {"facts": [INITECH]})
        caller.ok("POST", "/v1/recall", {"query": "Where does Ana Ruiz work?"})  # which loads the index
        before = told(service)["muniment_search_memory_bytes"]
        caller.ok("POST", "/v1/episodes", {"episodes": [EPISODE]})
        caller.ok("POST", "/v1/recall", {"query": "Where does Ana Ruiz work?"})
        samples = told(service)
        assert 0 < before < samples["muniment_search_memory_bytes"]
        if (whole := samples.get("process_resident_memory_bytes")) is not None:  # where the system tells it
            assert samples["muniment_search_memory_bytes"] < whole


@pytest.mark.parametrize("path", ["/v1/facts", "/mcp"])
def test_so_many_tenants_are_counted_by_name_and_the_others_together(path: str) -> None:
    message: dict[str, Any] = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
    with serving("sqlite://", metrics_tenants=2) as service:
        for tenant in ("acme", "globex", "initech", "umbrella"):
            caller = service.caller(tenant)
            caller("GET" if path == "/v1/facts" else "POST", path, None if path == "/v1/facts" else message)
            caller.ok("POST", "/v1/facts", {"facts": [INITECH]})
            caller.ok("POST", "/v1/facts", {"facts": [{**INITECH, "confidence": 0.5}], "dry_run": True})
        service.client.get("/v1/facts")  # without a key it is nobody's
        samples = told(service)
        asked = {
            tenant: sum(count for name, count in samples.items() if f'_requests_total{{tenant="{tenant}"' in name)
            for tenant in ("acme", "globex", "initech", "umbrella", "other")
        }
        assert asked == {"acme": 3, "globex": 3, "initech": 0, "umbrella": 0, "other": 6}
        assert samples['muniment_tenant_written_total{tenant="acme",what="changes"}'] > 0
        written = [name for name in samples if "muniment_tenant_written_total" in name]
        assert len(written) == 6
