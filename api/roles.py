"""What each role may do: verb by role, as data."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from muniment.engine.keys import Role


class Verb(StrEnum):
    """What a caller may ask for; each route is exactly one of these."""

    RECALL = "recall"
    CONTEXT = "context"
    TRIM = "trim"
    EXPLAIN = "explain"
    EXTRACT = "extract"
    BROWSE = "browse"
    REMEMBER = "remember"
    ASSERT = "assert"
    COMMANDS = "commands"
    OUTCOME = "outcome"
    JOBS = "jobs"
    CORRECT = "correct"
    MERGE = "merge"
    REVIEW = "review"
    UNDO = "undo"
    FORGET = "forget"
    ONTOLOGY = "ontology"
    PURGE = "purge"
    HOLD = "hold"
    AUDIT = "audit"
    EXPORT = "export"
    IMPORT = "import"
    KEYS = "keys"
    SETTINGS = "settings"
    WEBHOOKS = "webhooks"
    TENANTS = "tenants"
    HEALTH = "health"


_READER: Final = frozenset({Verb.RECALL, Verb.CONTEXT, Verb.TRIM, Verb.EXPLAIN, Verb.EXTRACT, Verb.BROWSE})
_WRITER: Final = _READER | {Verb.REMEMBER, Verb.ASSERT, Verb.COMMANDS, Verb.OUTCOME, Verb.JOBS}
_CURATOR: Final = _WRITER | {Verb.CORRECT, Verb.MERGE, Verb.REVIEW, Verb.UNDO, Verb.FORGET, Verb.ONTOLOGY}
_ADMIN: Final = _CURATOR | {
    Verb.PURGE,
    Verb.HOLD,
    Verb.AUDIT,
    Verb.EXPORT,
    Verb.IMPORT,
    Verb.KEYS,
    Verb.SETTINGS,
    Verb.WEBHOOKS,
}
_OPERATOR: Final = frozenset({Verb.TENANTS, Verb.KEYS, Verb.HEALTH})

ALLOWED: Final[Mapping[Role, frozenset[Verb]]] = {
    Role.READER: _READER,
    Role.WRITER: _WRITER,
    Role.CURATOR: _CURATOR,
    Role.ADMIN: _ADMIN,
    Role.OPERATOR: _OPERATOR,
}


def may(role: Role, verb: Verb) -> bool:
    """Whether the role allows the verb."""
    return verb in ALLOWED[role]


# What is done once for an idempotency key: writes. Their answers hold ids and are kept. Answers to questions hold memories;
# such requests are simply done again.
KEPT: Final = frozenset(
    {
        Verb.REMEMBER,
        Verb.ASSERT,
        Verb.COMMANDS,
        Verb.OUTCOME,
        Verb.CORRECT,
        Verb.MERGE,
        Verb.REVIEW,
        Verb.UNDO,
        Verb.FORGET,
        Verb.ONTOLOGY,
        Verb.JOBS,
        Verb.PURGE,
        Verb.HOLD,
        Verb.IMPORT,
        Verb.KEYS,
        Verb.SETTINGS,
        Verb.WEBHOOKS,
        Verb.TENANTS,
    }
)

# Of them those whose answers are told once and not kept: secrets, and certificates of what was erased.
TOLD_ONCE: Final = frozenset({(Verb.KEYS, "POST"), (Verb.WEBHOOKS, "POST"), (Verb.PURGE, "POST")})

# Which calls of an administrator leave a row in the audit chain though they change nothing, or nothing that the engine itself
# writes down: an export above all.
SEEN: Final[Mapping[Verb, frozenset[str]]] = {
    Verb.PURGE: frozenset({"GET"}),
    Verb.HOLD: frozenset({"GET"}),
    Verb.AUDIT: frozenset({"GET"}),
    Verb.EXPORT: frozenset({"GET"}),
    Verb.KEYS: frozenset({"GET"}),
    Verb.SETTINGS: frozenset({"GET"}),
    Verb.WEBHOOKS: frozenset({"GET"}),
    Verb.TENANTS: frozenset({"GET", "POST"}),
}
