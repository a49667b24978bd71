"""Every operation of the document, tried by another tenant with each id, name, cursor, token and key of a victim.

Whatever the document has is tried, a route of tomorrow too: in its path, its query, its body and its headers. No answer may
tell anything of the victim; an id that is another's and one that is nobody's get the same answer; every refusal is written
down; and the victim is afterwards as it was.
"""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest

from tests.api.attacking import HOLDS_IDS, is_refusal, nobodys, still, written_down
from tests.api.calling import Caller
from tests.api.marking import examples, places, takes_text
from tests.api.running import Running
from tests.api.test_routes import DOCUMENT
from tests.api.victims import MARK, NAMES, Victim

Json = dict[str, Any]
# Reading or making a store's tenants is the operator's, who is above them and reads no memories.
OPERATIONS = [
    (method.upper(), path)
    for path, methods in DOCUMENT["paths"].items()
    for method in methods
    if path.startswith("/v1/")
]
NDJSON = "application/x-ndjson"


@dataclass(frozen=True, slots=True)
class Try:
    """One request; `said` is what it has of the victim."""

    said: str
    path: str
    query: Mapping[str, str] = field(default_factory=dict)
    body: Any = None
    headers: Mapping[str, str] = field(default_factory=dict)

    def instead(self, other: str) -> Try:
        """The same with something that nobody has."""

        def turned(value: Any) -> Any:
            return json.loads(json.dumps(value).replace(self.said, other))

        return Try(
            other, self.path.replace(self.said, other), turned(self.query), turned(self.body), turned(self.headers)
        )


def test_the_victim_has_something_of_every_kind(harmed: Victim) -> None:
    kinds = {id.partition("_")[0] for id in harmed.ids if "_" in id}
    assert kinds >= set("efnrtmhj"), kinds
    assert {"/v1/facts", "/v1/episodes", "/v1/entities", "/v1/audit"} <= set(harmed.cursors)
    assert len(harmed.tokens) > 3


@pytest.mark.parametrize(("method", "path"), OPERATIONS, ids=[" ".join(one) for one in OPERATIONS])
def test_a_stranger_learns_nothing_and_every_refusal_is_written_down(
    method: str, path: str, attacked: Running, harmed: Victim
) -> None:
    attacker = attacked.caller(f"attacker-{OPERATIONS.index((method, path))}")
    refused: dict[str, Try] = {}
    tries = list(_tries(method, path, harmed))
    for one in tries:
        answer = _sent(attacker, method, one)
        assert answer.status_code < 500, (one, answer.text)
        assert MARK not in answer.text.casefold() + str(answer.headers).casefold(), one
        assert "idempotency-replayed" not in answer.headers
        if answer.status_code in (400, 403, 404, 422) and is_refusal(answer.json()):
            refused[answer.headers["x-request-id"]] = one
        if (other := nobodys(one.said)) is not None:
            absent = _sent(attacker, method, one.instead(other))
            assert absent.status_code == answer.status_code, (one, answer.text, absent.text)
            if method == "GET" or not answer.is_success:
                assert _shown(answer) == _shown(absent), one
    assert not {id: refused[id] for id in refused.keys() - written_down(attacker)}


def test_a_strangers_list_takes_a_victims_cursor_as_it_takes_a_broken_one(attacked: Running, harmed: Victim) -> None:
    attacker = attacked.caller("attacker-cursors")
    tried: set[str] = set()
    for path, cursor in harmed.cursors.items():
        told = []
        for given in (cursor, "x" * len(cursor)):
            answer = attacker("GET", path, params={"cursor": given})
            assert answer.status_code == 422, (path, answer.text)
            tried.add(answer.headers["x-request-id"])
            told.append({**still(answer.json()), "detail": answer.json()["detail"].replace(given[:100], "CURSOR")})
        assert {**told[0], "errors": 0} == {**told[1], "errors": 0}
        assert [one["field"] for one in told[0]["errors"]] == ["cursor"]
    assert tried <= written_down(attacker)


@pytest.mark.parametrize("name", ["", "victim"])
def test_a_stranger_under_the_victims_name_is_refused(name: str, attacked: Running, harmed: Victim) -> None:
    attacker = attacked.caller("attacker-named")
    for path in ("/v1/facts", "/v1/export", "/v1/audit"):
        answer = attacker("GET", path, headers={"X-Muniment-Tenant": name})
        assert answer.status_code == (403 if name else 400)
        assert answer.headers["x-request-id"] in written_down(attacker)


def test_a_key_is_made_of_both_its_halves(attacked: Running, harmed: Victim) -> None:
    mine = attacked.key("attacker-keys").split("_")
    (theirs,) = harmed.of("k_") or [next(id for id in sorted(harmed.ids) if re.fullmatch(r"[0-9a-f]{16}", id))]
    answers = [
        Caller(attacked.client, f"mk_{id}_{secret}")("GET", "/v1/facts")
        for id in (theirs, "0" * len(theirs))
        for secret in (mine[2], "", "0" * 64)
    ]
    assert {one.status_code for one in answers} == {401}
    assert len({one.json()["detail"] for one in answers}) == 1


def _tries(method: str, path: str, harmed: Victim) -> Iterator[Try]:
    """The operation with something of the victim's in each place that takes a text."""
    operation = DOCUMENT["paths"][path][method.lower()]
    parameters = operation.get("parameters", ())
    bodies = list(examples(DOCUMENT, operation)) or ([{}] if "requestBody" in operation else [None])
    inside = [one["name"] for one in parameters if one["in"] == "path"]
    plain = _filled(path, inside, harmed)
    needed = {one["name"]: NAMES[0] for one in parameters if one["in"] == "query" and one.get("required")}
    if NDJSON in operation.get("requestBody", {}).get("content", {}):
        bodies = [None]
    for name in inside:
        for id in [*harmed.one_of_each, harmed.tenant]:
            spot = path.replace("{" + name + "}", id)
            yield Try(id, _filled(spot, inside, harmed), needed, copy.deepcopy(bodies[0]))
    for one in parameters:
        if one["in"] == "query" and takes_text(DOCUMENT, one["schema"]):
            given = harmed.of("e_", "f_", "n_", "j_") + list(NAMES[:1])
            if one["name"] == "cursor":
                given = list(dict.fromkeys(harmed.cursors.values()))
            if one["name"] == "tenant":
                given = [harmed.tenant]
            for id in given:
                yield Try(id, plain, {**needed, one["name"]: id}, copy.deepcopy(bodies[0]))
    for body in bodies:
        for said, turned in _bodies(operation, body, harmed):
            yield Try(said, plain, needed, turned)
    names = {one["name"] for one in parameters if one["in"] == "header"}
    if "X-Muniment-Read-After" in names:
        for token in harmed.tokens:
            yield Try(token, plain, needed, copy.deepcopy(bodies[0]), {"X-Muniment-Read-After": token})
    if "Idempotency-Key" in names:
        key = harmed.idempotency_key
        yield Try(key, plain, needed, copy.deepcopy(bodies[0]), {"Idempotency-Key": key})
    yield Try(harmed.tenant, plain, needed, copy.deepcopy(bodies[0]), {"X-Muniment-Tenant": harmed.tenant})


def _filled(path: str, inside: list[str], harmed: Victim) -> str:
    """The path with an id of the victim's in what is still open: of the kind that its collection has, if it is known."""
    for name in inside:
        collection = path.split("/")[2]
        mark = {"facts": "f_", "episodes": "e_", "entities": "n_", "receipts": "r_", "traces": "t_", "skills": "f_"}
        fitting = harmed.of(mark.get(collection, "")) if collection in mark else []
        path = path.replace("{" + name + "}", (fitting or [harmed.tenant])[0])
    return path


def _bodies(operation: Json, example: Any, harmed: Victim) -> Iterator[tuple[str, Any]]:
    """The example with each text in it replaced, and with each field that it leaves out."""
    if not isinstance(example, dict):
        return
    schema = operation["requestBody"]["content"].get("application/json", {}).get("schema", {})
    for place in places(DOCUMENT, example, schema):
        holds_ids = HOLDS_IDS.search(place.name) is not None
        for said in harmed.one_of_each if holds_ids else [*harmed.of("f_"), *NAMES[:1]]:
            yield said, place.turned(example, said)


def _sent(caller: Caller, method: str, one: Try) -> Any:
    return caller(method, one.path, one.body, params=dict(one.query), headers=dict(one.headers))


def _shown(answer: Any) -> Any:
    return still(answer.json()) if answer.headers.get("content-type", "").endswith("json") else None
