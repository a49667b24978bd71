"""The load run: a served store under many clients at once, who ask, tell and list; what was acknowledged is counted afterwards.

The server is `muniment serve` with its own worker, in a process of its own; the clients are threads of this one, each with
one connection that it keeps. Before it, one client alone asks for recalls, which gives what HTTP adds to the engine's own time.
"""

from __future__ import annotations

import http.client
import json
import random
import statistics
import threading
import time
import urllib.request
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any, Final

from tests.benchmarks.serving import served
from tests.benchmarks.timing import quantile, say
from tests.benchmarks.workload import FACTS_A_FIRM, facts, firm, messages, questions

CLIENTS: Final = 32
FACTS: Final = 10_000
_BATCH: Final = 500
_ALONE: Final = 200
_WARM: Final = 20
_LOOKED_EVERY_S: Final = 5
_INDEX: Final = "muniment_search_memory_bytes "
_DONE_WITHIN_S: Final = 300.0
_WARM_UP: Final = 0.5
# How often each is done: mostly questions, as an agent does before it writes.
_MIX: Final = {"recall": 50, "context": 5, "list facts": 15, "assert": 15, "remember": 10, "remember later": 5}


@dataclass(slots=True)
class Seen:
    """What the clients saw together."""

    seconds: defaultdict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    errors: Counter[str] = field(default_factory=Counter)
    episodes: set[str] = field(default_factory=set)  # external ids that were acknowledged
    facts: set[str] = field(default_factory=set)  # names of objects that were acknowledged
    lock: threading.Lock = field(default_factory=threading.Lock)


class Connection:
    """One client: a connection that is kept, and opened anew after an error."""

    def __init__(self, port: int, key: str) -> None:
        self._inner = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        self._headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}

    def ask(self, method: str, path: str, body: Any = None) -> tuple[int, Any]:
        """Status and body of an answer. Raises OSError, HTTPException where there was none."""
        try:
            self._inner.request(method, path, None if body is None else json.dumps(body, default=str), self._headers)
            answer = self._inner.getresponse()
            text = answer.read()
        except (OSError, http.client.HTTPException):
            self._inner.close()
            raise
        return answer.status, json.loads(text)

    def must(self, method: str, path: str, body: Any = None) -> Any:
        status, told = self.ask(method, path, body)
        if status >= 300:
            raise RuntimeError(f"{method} {path.partition('?')[0]}: {status} {told.get('detail')}")
        return told


def run(url: str, *, minutes: float, count: int = FACTS, clients: int = CLIENTS) -> dict[str, Any]:
    """Every figure of one store."""
    with served(url) as (port, key, pid):
        first = Connection(port, key)
        made = facts(count)
        while batch := list(islice(made, _BATCH)):
            first.must("POST", "/v1/facts", {"facts": batch})
        say(f"{count} facts are in")
        found: dict[str, Any] = {"facts": count, "clients": clients, "minutes": minutes, "alone": _alone(first, count)}
        say(f"alone: {found['alone']}")
        seen, memory = Seen(), [(0.0, _resident_mib(pid), _index_mib(port))]
        began = time.monotonic()
        until = began + minutes * 60
        threads = [
            threading.Thread(target=_client, args=(Connection(port, key), number, count, until, seen))
            for number in range(clients)
        ]
        for thread in threads:
            thread.start()
        while time.monotonic() < until:
            time.sleep(_LOOKED_EVERY_S)
            memory.append((time.monotonic() - began, _resident_mib(pid), _index_mib(port)))
            say(
                f"{memory[-1][0]:.0f} s: {memory[-1][1]:.0f} MiB, {memory[-1][2]:.0f} of them the index, "
                f"{sum(map(len, seen.seconds.values()))} requests"
            )
        for thread in threads:
            thread.join()
        took = time.monotonic() - began
        return found | _told(seen, took) | _kept(Connection(port, key), seen) | _grown(memory)


def _alone(one: Connection, count: int) -> dict[str, float]:
    """Milliseconds of one client's recalls: in all, and beyond what the engine says that it took."""
    whole, beyond = [], []
    for number, question in enumerate(questions(count // FACTS_A_FIRM, _ALONE + _WARM)):
        began = time.perf_counter()
        answer = one.must("POST", "/v1/recall", {"query": question})
        took = (time.perf_counter() - began) * 1_000
        if number >= _WARM:
            whole.append(took)
            beyond.append(took - answer["took_ms"])
    return {
        "p50_ms": _quantile(whole, 0.5),
        "beyond_p50_ms": _quantile(beyond, 0.5),
        "beyond_p95_ms": _quantile(beyond, 0.95),
    }


def _client(one: Connection, number: int, count: int, until: float, seen: Seen) -> None:
    chance = random.Random(number)
    asked = iter(questions(count // FACTS_A_FIRM, 10_000, seed=number))
    said = messages(1_000, first=number * 1_000)
    turn = 0
    while time.monotonic() < until:
        turn += 1
        what = chance.choices(list(_MIX), weights=list(_MIX.values()))[0]
        name = f"c{number}-{turn}"
        method, path, body = _request(what, name, chance, asked, said, count)
        began = time.perf_counter()
        try:
            status, _ = one.ask(method, path, body)
        except (OSError, http.client.HTTPException) as error:
            status = 0
            trouble = type(error).__name__
        else:
            trouble = str(status)
        took = time.perf_counter() - began
        with seen.lock:
            seen.seconds[what].append(took)
            if not 200 <= status < 300:
                seen.errors[f"{what}: {trouble}"] += 1
            elif what == "assert":
                seen.facts.add(name)
            elif what.startswith("remember"):
                seen.episodes.add(name)


def _request(
    what: str, name: str, chance: random.Random, asked: Iterator[str], said: Iterator[Any], count: int
) -> tuple[str, str, Any]:
    person = firm(chance.randrange(count // FACTS_A_FIRM)).people[0]
    if what in ("recall", "context"):
        return "POST", f"/v1/{what}", {"query": next(asked)}
    if what == "list facts":
        return "GET", f"/v1/facts?subject={person.replace(' ', '%20')}&limit=20", None
    if what == "assert":
        told = {"subject": {"name": person, "type": "person"}, "relation": "likes", "object": {"name": name}}
        return "POST", "/v1/facts", {"facts": [told]}
    mode = "async" if what == "remember later" else "sync"
    return "POST", "/v1/episodes", {"episodes": [{**next(said), "external_id": name}], "mode": mode}


def _told(seen: Seen, took: float) -> dict[str, Any]:
    every = [one for some in seen.seconds.values() for one in some]
    by_kind = {
        what: {"n": len(some), "p50_ms": _ms(some, 0.5), "p99_ms": _ms(some, 0.99)}
        for what, some in seen.seconds.items()
    }
    return {
        "requests": len(every),
        "per_s": round(len(every) / took, 1),
        "p50_ms": _ms(every, 0.5),
        "p99_ms": _ms(every, 0.99),
        "by_kind": by_kind,
        "errors": dict(seen.errors),
        "acknowledged": len(seen.episodes) + len(seen.facts),
    }


def _kept(one: Connection, seen: Seen) -> dict[str, Any]:
    """How many acknowledged writes are missing or there twice once all jobs have ended."""
    until = time.monotonic() + _DONE_WITHIN_S
    while time.monotonic() < until and any(
        one.must("GET", f"/v1/jobs?state={s}")["items"] for s in ("queued", "running")
    ):
        time.sleep(1)
    episodes = Counter(found["external_id"] for found in _listed(one, "/v1/episodes?"))
    held = Counter(found["object"].get("name") for found in _listed(one, "/v1/facts?relation=likes&"))
    return {
        "lost": len(seen.episodes - episodes.keys()) + len(seen.facts - held.keys()),
        "twice": sum(episodes[name] > 1 for name in seen.episodes) + sum(held[name] > 1 for name in seen.facts),
        "jobs_not_done": sum(
            len(one.must("GET", f"/v1/jobs?state={state}&limit=200")["items"])
            for state in ("queued", "running", "failed")
        ),
    }


def _listed(one: Connection, path: str) -> Iterator[Mapping[str, Any]]:
    cursor = ""
    while True:
        page = one.must("GET", f"{path}limit=200{cursor}")
        yield from page["items"]
        if page["next_cursor"] is None:
            return
        cursor = f"&cursor={page['next_cursor']}"


def _grown(memory: list[tuple[float, float, float]]) -> dict[str, float]:
    """The server's memory at the end, and by how much it grew a minute after the warm-up: the slope of a straight line. Of
    that, what the search index grew by: it holds what is told."""
    late = memory[round(len(memory) * _WARM_UP) :]
    at, resident, index = zip(*late, strict=True)

    def slope(values: tuple[float, ...]) -> float:
        return round(60 * statistics.linear_regression(at, values).slope, 2) if len(late) > 2 else 0.0

    return {
        "memory_mib": round(memory[-1][1]),
        "growth_mib_a_minute": slope(resident),
        "index_growth_mib_a_minute": slope(index),
    }


def _index_mib(port: int) -> float:
    """How much memory the service says that its search index takes."""
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=60) as answer:
        text = answer.read().decode()
    return next(float(line.split()[1]) for line in text.splitlines() if line.startswith(_INDEX)) / 1024**2


def _resident_mib(pid: int) -> float:
    lines = Path(f"/proc/{pid}/status").read_text(encoding="utf-8").splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmRSS"))


def _ms(seconds: list[float], share: float) -> float:
    return _quantile([one * 1_000 for one in seconds], share)


def _quantile(values: list[float], share: float) -> float:
    return round(quantile(values, share), 1)
