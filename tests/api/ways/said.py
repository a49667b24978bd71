"""What is said to a surface and how it refuses: the same for all of them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

Json = dict[str, Any]
FactSaid = Mapping[str, Any]

_ENTITY_ID: Final = re.compile(r"n_[0-9a-f]{24}")


class Refused(Exception):
    """A verb was refused. `exit` is the exit code of its kind of error, which every surface's own code leads to."""

    def __init__(self, exit: int, said: str) -> None:
        super().__init__(said)
        self.exit = exit


def fact(subject: str, relation: str, object: str, since: str = "", until: str = "", **more: Any) -> FactSaid:
    """A fact to tell; dates are days, an end is a name or an entity's id. `type` is the type of its object, `text` its
    sentence."""
    return {"subject": subject, "relation": relation, "object": object, "since": since, "until": until, **more}


def body_of(said: FactSaid) -> Json:
    """The fact as the contract has it."""
    body: Json = {"subject": _end(said["subject"]), "relation": said["relation"], "object": _end(said["object"])}
    if "type" in said:
        body["object"]["type"] = said["type"]
    for name, day in (("valid_at", said["since"]), ("invalid_at", said["until"])):
        if day:
            body[name] = moment(day)
    if "text" in said:
        body["text"] = said["text"]
    return body


def moment(day: str) -> str:
    """Midnight of a day."""
    return f"{day}T00:00:00Z"


def made(receipt: Json, kind: str = "fact") -> str:
    """The id of the one thing of its kind that a write made."""
    (id,) = [c["id"] for c in receipt["changes"] if (c["action"], c["kind"]) == ("created", kind)]
    return str(id)


def texts(hits: list[Json]) -> str:
    return " ".join(hit["text"] for hit in hits)


def episode(text: str, **more: Any) -> Json:
    """An episode to keep."""
    return {"text": text, "kind": "note", "occurred_at": moment("2026-03-01"), **more}


def _end(said: str) -> Json:
    return {"id": said} if _ENTITY_ID.fullmatch(said) else {"name": said}
