"""Whether an id of another tenant is answered in the same time as one that nobody has, over every kind of id and most routes.

Two tenants of one served store hold invented facts, messages and the rest. A stranger asks each route for an id of the other's
and for one that nobody has, one right after the other, and lots are drawn for which comes first. Where the two cannot be told apart,
the difference within a pair is then as likely above nought as below, whatever slows the machine and for how long: so the interval
of the median difference that comes of counting signs is exact, however noise hangs together over time. It is wide enough for all
routes together. A route whose interval leaves out nought is asked anew, twice as often, and only that second look counts: of
routes that stand out by chance hardly one does so twice. One row compares two absent ids: what noise alone does.
"""

from __future__ import annotations

import math
import random
import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import cycle, islice
from typing import Any, Final

from tests.benchmarks.load import Connection
from tests.benchmarks.serving import create_key, served
from tests.benchmarks.timing import ms_since, quantile, say
from tests.benchmarks.workload import facts, messages

PAIRS: Final = 300
_OTHER: Final = "other"
_FACTS: Final = 1_000
_MESSAGES: Final = 60
_OF_A_KIND: Final = 50  # ids that are asked for in turn
_FEW: Final = 5  # of what tenants have few of
_WARM: Final = 15
_CERTAIN: Final = 0.95  # that no route at all is called different by chance
_DIGITS: Final = re.compile(r"[0-9a-f]{8}$")
# After one try a minute no more rows are written of what is missing: without their wait for the disk differences show sooner.
_SETTINGS: Final = {"MUNIMENT_WEBHOOKS": "true", "MUNIMENT_FAILED_KEYS_PER_MINUTE": "1"}
_CONTROL: Final = "absent, absent"


@dataclass(frozen=True, slots=True)
class Route:
    """A way to name something: of which kind, and how; `{id}` in the path or in a text of the body stands for it."""

    kind: str
    method: str
    path: str
    body: Any = None

    @property
    def name(self) -> str:
        path = self.path.partition("&")[0].removeprefix("/v1")
        inside = "" if "{id}" in path else next((f" ({key})" for key, value in (self.body or {}).items() if value), "")
        return f"{self.method} {path}{inside}"

    def named(self, id: str) -> tuple[str, str, Any]:
        return self.method, self.path.replace("{id}", id), _turned(self.body, id)


def _turned(value: Any, id: str) -> Any:
    if isinstance(value, str):
        return value.replace("{id}", id)
    if isinstance(value, list):
        return [_turned(one, id) for one in value]
    if isinstance(value, dict):
        return {key: _turned(one, id) for key, one in value.items()}
    return value


_WHY: Final = {"reason": "a try"}
_FACT: Final = {"subject": {"name": "Ana Ruiz"}, "relation": "likes", "object": {"name": "tea"}}
ROUTES: Final = (
    Route("fact", "GET", "/v1/facts/{id}"),
    Route("fact", "GET", "/v1/facts/{id}/history"),
    Route("fact", "POST", "/v1/facts/{id}/retract", _WHY),
    Route("fact", "POST", "/v1/facts/{id}/end", {}),
    Route("fact", "POST", "/v1/facts/{id}/correct", {"object": "Initech"}),
    Route("fact", "POST", "/v1/facts/{id}/pin", {}),
    Route("episode", "GET", "/v1/episodes/{id}"),
    Route("episode", "POST", "/v1/episodes/{id}/retract", _WHY),
    Route("episode", "POST", "/v1/facts", {"facts": [{**_FACT, "evidence": ["{id}"]}]}),
    Route("episode", "POST", "/v1/purge", {"scope": {"episode": "{id}"}, **_WHY}),
    Route("entity", "GET", "/v1/entities/{id}"),
    Route("entity", "GET", "/v1/facts?subject={id}"),
    Route("entity", "GET", "/v1/graph/neighbourhood?id={id}"),
    Route("entity", "GET", "/v1/graph/paths?a={id}&b={own}"),
    Route("entity", "POST", "/v1/merges", {"ids": ["{id}", "{own}"]}),
    Route("receipt", "GET", "/v1/receipts/{id}"),
    Route("receipt", "POST", "/v1/receipts/{id}/undo", _WHY),
    Route("trace", "GET", "/v1/traces/{id}"),
    Route("trace", "GET", "/v1/traces/{id}/replay"),
    Route("skill", "POST", "/v1/skills/{id}/outcomes", {"ok": True}),
    Route("job", "GET", "/v1/jobs/{id}"),
    Route("job", "POST", "/v1/jobs/{id}/retry"),
    Route("review", "POST", "/v1/reviews/{id}", {"choice": "neither"}),
    Route("certificate", "GET", "/v1/certificates/{id}"),
    Route("hold", "DELETE", "/v1/holds/{id}?reason=try"),
    Route("key", "GET", "/v1/keys/{id}"),
    Route("key", "DELETE", "/v1/keys/{id}"),
    Route("webhook", "GET", "/v1/webhooks/{id}"),
    Route("webhook", "DELETE", "/v1/webhooks/{id}"),
)


def run(url: str, *, pairs: int = PAIRS) -> list[dict[str, Any]]:
    """Every route's figures on an empty store. Raises RuntimeError where the two are not answered alike in status and words."""
    with served(url, **_SETTINGS) as (port, key, _):
        other = Connection(port, create_key(url, tenant=_OTHER))
        stranger = Connection(port, key)
        theirs, own = _filled(other, first=0), _filled(stranger, first=_FACTS)
        say(f"held by the other: { {kind: len(ids) for kind, ids in theirs.items()} }")
        own_entity = own["entity"][0]
        level = 1 - (1 - _CERTAIN) / (len(ROUTES) + 1)
        found = [_compared(_CONTROL, stranger, ROUTES[0], [_nobodys(id) for id in theirs["fact"]], pairs, level)]
        for route in ROUTES:
            settled = Route(
                route.kind,
                route.method,
                route.path.replace("{own}", own_entity),
                _own(route.body, own_entity),
            )
            look = partial(_compared, route.name, stranger, settled, theirs[route.kind])
            one = look(pairs, level)
            if stands_out(one):
                say(f"once more, it stands out: {one}")
                one = look(2 * pairs, level)
            found.append(one)
            say(str(one))
        return found


def _own(body: Any, id: str) -> Any:
    if isinstance(body, dict):
        return {
            key: [id if one == "{own}" else one for one in v] if isinstance(v, list) else v for key, v in body.items()
        }
    return body


def _compared(
    name: str, stranger: Connection, route: Route, ids: Sequence[str], pairs: int, level: float
) -> dict[str, Any]:
    """Milliseconds of an absent id at the median, and how much longer the other's takes, with its interval."""
    chance = random.Random(f"{name} {pairs}")
    absent_ms, apart_ms, status = [], [], 0
    asked = cycle([(id, _nobodys(id)) for id in ids])
    for turn, (theirs, nobodys) in enumerate(islice(asked, pairs + _WARM)):
        order = (theirs, nobodys) if chance.random() < 0.5 else (nobodys, theirs)
        took, told = {}, {}
        for id in order:
            request = route.named(id)
            began = time.perf_counter()
            status, answer = stranger.ask(*request)
            took[id] = ms_since(began)
            told[id] = status, str(answer.get("detail", "")).replace(id, "ID")
        if told[theirs] != told[nobodys]:
            raise RuntimeError(f"{name}: {told[theirs]} for another's, {told[nobodys]} for nobody's")
        status = told[theirs][0]
        if turn >= _WARM:
            absent_ms.append(took[nobodys])
            apart_ms.append(took[theirs] - took[nobodys])
    low, high = interval(apart_ms, level=level)
    return {
        "route": name,
        "status": status,
        "pairs": pairs,
        "absent_ms": quantile(absent_ms, 0.5),
        "apart_ms": quantile(apart_ms, 0.5),
        "low_ms": low,
        "high_ms": high,
    }


def stands_out(row: Mapping[str, Any]) -> bool:
    """Whether a row's interval leaves out nought."""
    return not row["low_ms"] <= 0 <= row["high_ms"]


def interval(values: Sequence[float], *, level: float) -> tuple[float, float]:
    """The interval of the median by the sign test: from the k-th smallest value to the k-th largest, where fair coins fall k - 1
    times or less on one side no more often than the level allows. The whole range where there are too few values for that."""
    held, count = sorted(values), len(values)
    most, tail, k = Fraction((1 - level) / 2) * 2**count, 0, 0
    while k < count // 2 and tail + math.comb(count, k) <= most:
        tail += math.comb(count, k)
        k += 1
    return (held[k - 1], held[count - k]) if k else (held[0], held[-1])


def _nobodys(id: str) -> str:
    """An id of the same form and neighbourhood that nobody has: its last eight digits are drawn anew."""
    return _DIGITS.sub(lambda found: f"{random.Random(found[0]).getrandbits(32):08x}", id)


def _filled(one: Connection, *, first: int) -> Mapping[str, Sequence[str]]:
    """Tells a tenant something of every kind; its ids by kind."""
    made = facts(_FACTS, first=first)
    receipts: list[str] = []
    traces: list[str] = []
    jobs: list[str] = []
    skills: list[str] = []
    hooks: list[str] = []
    keys: list[str] = []
    while batch := list(islice(made, 20)):
        receipts.append(one.must("POST", "/v1/facts", {"facts": batch})["id"])
    said = list(messages(_MESSAGES, first=first))
    episodes = one.must("POST", "/v1/episodes", {"episodes": said, "extract": "none"})["episodes"]
    for number in range(_OF_A_KIND):
        traces.append(one.must("POST", "/v1/recall", {"query": f"Who works here, number {number}?"})["trace_id"])
    for number in range(_FEW):
        later = {"episodes": [{**said[0], "external_id": f"later-{number}"}], "mode": "async"}
        jobs.append(one.must("POST", "/v1/episodes", later)["job"])
        gone = {"episodes": [{**said[0], "external_id": f"gone-{number}"}], "extract": "none"}
        episode = one.must("POST", "/v1/episodes", gone)["episodes"][0]["id"]
        one.must("POST", "/v1/purge", {"scope": {"episode": episode}, "reason": "to try"})
        one.must("POST", "/v1/holds", {"scope": {"episode": episodes[number]["id"]}, "reason": "to try"})
        skill = {
            "op": "create",
            "type": "skill",
            "content": f"When order {number} is late: check the stock, then call.",
        }
        changed = one.must("POST", "/v1/commands", {"memory_commands": [skill]})["changes"]
        skills += [change["id"] for change in changed if change["kind"] == "skill"]
        hook = {"url": f"https://crm.example/{first}/{number}", "events": ["job.failed"]}
        hooks.append(one.must("POST", "/v1/webhooks", hook)["id"])
        keys.append(one.must("POST", "/v1/keys", {"role": "reader", "name": f"to try {number}"})["id"])
        _review(one, number)
    listed = partial(_listed, one)
    return {
        "fact": listed("/v1/facts"),
        "episode": [episode["id"] for episode in episodes][_FEW:],
        "entity": listed("/v1/entities"),
        "receipt": receipts,
        "trace": traces,
        "skill": skills,
        "job": jobs,
        "review": listed("/v1/reviews"),
        "certificate": listed("/v1/certificates"),
        "hold": listed("/v1/holds"),
        "key": keys,
        "webhook": hooks,
    }


def _review(one: Connection, number: int) -> None:
    """Two claims that exclude each other, of one start: somebody must decide."""
    rivals = [
        {
            "subject": {"name": f"Rival Person {number}", "type": "person"},
            "relation": "works_for",
            "object": {"name": name, "type": "company"},
            "valid_at": "2025-01-01T00:00:00Z",
        }
        for name in (f"First {number}", f"Second {number}")
    ]
    one.must("POST", "/v1/facts", {"facts": rivals})


def _listed(one: Connection, path: str) -> list[str]:
    return [found["id"] for found in one.must("GET", path)["items"]][:_OF_A_KIND]
