"""A tenant that others try to look into: something of every kind, marked, and all that a stranger could learn to name it by."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tests.api.calling import EPISODE, GLOBEX, SKILL, Caller

MARK = "quagmarrow"
"""Stands in every text of the victim, and in nothing that a stranger sends."""
NAMES = ("Ana Ruiz", "Initech")
_AT = "2026-03-05T09:00:00Z"
_NOTE = {**EPISODE, "text": f"Ana Ruiz prefers {MARK} tea and works for {MARK.title()} Mills.", "title": MARK}
_ID = re.compile(r"[a-z]+_[0-9a-f]{10,64}")
_KEY = "victims-order-77"


@dataclass(frozen=True, slots=True, kw_only=True)
class Victim:
    """What there is to try. Cursors by the path of their list; the rest under the names of the fields that hold such ids."""

    tenant: str
    ids: frozenset[str]
    cursors: Mapping[str, str]
    tokens: tuple[str, ...]
    idempotency_key: str
    told: Mapping[str, Any]  # the body that was sent with that key

    def of(self, *marks: str) -> list[str]:
        """Ids that begin with one of these marks, one of each kind."""
        return [found for mark in marks if (found := next((id for id in sorted(self.ids) if id.startswith(mark)), ""))]

    @property
    def one_of_each(self) -> list[str]:
        """One id of every kind, by the letters before its mark; keys have none and come last."""
        kinds: dict[str, str] = {}
        for id in sorted(self.ids):
            kinds.setdefault(id.partition("_")[0] if "_" in id else "", id)
        return list(kinds.values())


def victim(caller: Caller, tenant: str, document: Mapping[str, Any]) -> Victim:
    """Fills the caller's tenant and gathers every id, cursor and token that its own answers show."""
    told: list[Any] = []

    def ok(method: str, path: str, body: Any = None, **options: Any) -> Any:
        told.append(caller.ok(method, path, body, **options))
        return told[-1]

    episode = ok("POST", "/v1/episodes", {"episodes": [_NOTE]})["episodes"][0]["id"]
    works = {**GLOBEX, "text": f"Ana Ruiz works for Globex, {MARK}.", "evidence": [episode]}
    rivals = [{**GLOBEX, "object": {"name": name}, "text": f"{name} {MARK}"} for name in ("Initech", "Umbrella")]
    ok("POST", "/v1/facts", {"facts": [works, *rivals]})  # of one start: a review
    ok("POST", "/v1/commands", json.loads(json.dumps(SKILL).replace("an invoice", f"a {MARK} invoice")))
    later = {"episodes": [{**_NOTE, "external_id": "note-later"}], "mode": "async"}
    ok("POST", "/v1/episodes", later)
    ok("POST", "/v1/recall", {"query": f"What does Ana Ruiz like, {MARK}?"})
    entities = ok("GET", "/v1/entities", params={"limit": 200})["items"]
    pair = sorted(one["id"] for one in entities if one["name"] in ("Globex", "Initech"))
    ok("POST", "/v1/merges", {"ids": pair})
    gone = ok("POST", "/v1/episodes", {"episodes": [{**_NOTE, "external_id": "gone"}], "extract": "none"})
    ok("POST", "/v1/purge", {"scope": {"episode": gone["episodes"][0]["id"]}, "reason": MARK})
    ok("POST", "/v1/holds", {"scope": {"episode": episode}, "reason": MARK})
    ok("POST", "/v1/webhooks", {"url": f"https://crm.example/{MARK}", "events": ["job.failed"]})
    ok("POST", "/v1/keys", {"role": "reader", "name": MARK})
    body = {"episodes": [{**EPISODE, "external_id": "order"}], "extract": "none"}
    ok("POST", "/v1/episodes", body, headers={"Idempotency-Key": _KEY})
    for path in lists_in(document):
        answer = caller("GET", path)
        if answer.is_success and answer.headers["content-type"] == "application/json":
            told.append(answer.json())
    return Victim(
        tenant=tenant,
        ids=frozenset(_ids_in(told)),
        cursors=dict(_cursors(caller, document)),
        tokens=tuple(dict.fromkeys(one["token"] for one in told if one.get("token"))),
        idempotency_key=_KEY,
        told=body,
    )


def memories_of(caller: Caller) -> str:
    """All that the caller's tenant holds, without the line that says when it was written out."""
    return str(caller("GET", "/v1/export").text).partition("\n")[2]


def lists_in(document: Mapping[str, Any]) -> list[str]:
    """The paths that can be read without naming anything."""
    return [
        path
        for path, methods in document["paths"].items()
        if path.startswith("/v1/")
        and "{" not in path
        and "get" in methods
        and not any(one.get("required") for one in methods["get"].get("parameters", ()))
    ]


def _cursors(caller: Caller, document: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for path in lists_in(document):
        if "cursor" in {one["name"] for one in document["paths"][path]["get"].get("parameters", ())}:
            answer = caller("GET", path, params={"limit": 1})
            if answer.is_success and answer.json()["next_cursor"]:  # an operator's lists are not the caller's
                yield path, answer.json()["next_cursor"]


def _ids_in(value: Any) -> Iterator[str]:
    """Whatever in an answer is an id by its place or its form."""
    if isinstance(value, str) and _ID.fullmatch(value):
        yield value
    if isinstance(value, list):
        for one in value:
            yield from _ids_in(one)
    if isinstance(value, dict):
        if isinstance(id := value.get("id"), str):
            yield id
        for one in value.values():
            yield from _ids_in(one)
