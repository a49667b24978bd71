"""Shapes of changes to what is held true, of identity, of erasing, and of the record of all that."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, ConfigDict, Field, WithJsonSchema

from muniment.api.schemas.base import Flag, In, Moment, Out
from muniment.api.schemas.graph import AssertionOut
from muniment.api.schemas.reading import EntityOut, FactOut
from muniment.api.schemas.writing import DryRun, EndIn, Reason, RejectedOut


class UndoIn(In):
    """Why."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"reason": "the wrong file"}]})

    reason: Reason | None = None


class ReasonIn(UndoIn):
    """Why, and whether it is to be done."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"reason": "the customer told us so by phone"}]})

    dry_run: DryRun | None = None


class EndFactIn(ReasonIn):
    model_config = ConfigDict(json_schema_extra={"examples": [{"at": "2026-05-01T00:00:00Z", "reason": "moved on"}]})

    at: Annotated[Moment | None, Field(description="Since when it is no longer so; now where absent.")] = None


class CorrectIn(ReasonIn):
    """What is right; what is absent stays."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"object": {"name": "Initech"}, "reason": "a slip"}]})

    object: Annotated[EndIn | str | None, Field(description="What is right; a bare string is a name.")] = None
    valid_at: Annotated[Moment | None, Field(description="Since when it is true.")] = None
    invalid_at: Annotated[Moment | None, Field(description="Until when, that moment excluded.")] = None
    text: Annotated[str | None, Field(description="The sentence that says it.")] = None


class MergeIn(ReasonIn):
    model_config = ConfigDict(json_schema_extra={"examples": [{"ids": ["n_1", "n_2"], "reason": "one person"}]})

    ids: Annotated[list[str], Field(min_length=2, max_length=100, description="The first stays.")]


class ForbidMergeIn(ReasonIn):
    model_config = ConfigDict(json_schema_extra={"examples": [{"a": "n_1", "b": "n_2", "reason": "father and son"}]})

    a: str
    b: str


class ChoiceIn(ReasonIn):
    model_config = ConfigDict(
        json_schema_extra={"examples": [{"choice": "f_1", "reason": "checked with the customer"}]}
    )

    choice: Annotated[str, Field(description="One of the review's choices.")]


class ChoiceOut(Out):
    choice: str
    effect: str


class ReviewOut(Out):
    """Something that evidence alone does not decide."""

    id: str
    kind: Annotated[str, Field(description="Id of the rule that could not decide.")]
    status: Literal["open", "resolved", "settled"]
    created_at: str | None
    facts: Annotated[list[FactOut], Field(description="The sides.")]
    raised_by: list[AssertionOut]
    entities: Annotated[list[EntityOut], Field(description="The sides, where it is about identity.")]
    score: Annotated[float | None, Field(description="How alike the names are, in [0, 1].")]
    features: Annotated[dict[str, float], Field(description="What the score is made of.")]
    choices: list[ChoiceOut]


class ReviewsOut(Out):
    items: list[ReviewOut]
    next_cursor: str | None


class ForgetIn(ReasonIn):
    model_config = ConfigDict(json_schema_extra={"examples": [{"ids": ["e_1"], "reason": "sent by mistake"}]})

    ids: Annotated[
        list[str], Field(min_length=1, max_length=1000, description="Ids of episodes, facts, preferences or skills.")
    ]


class SubjectIn(In):
    """An entity by its id or name."""

    id: str | None = None
    name: str | None = None


def _whole_tenant(value: object) -> object:
    if value is False:
        raise ValueError(
            "scope.tenant is false: true is all of your tenant; leave it out where another field says what is meant"
        )
    return value


class EraseScopeIn(In):
    """What is meant: exactly one of the fields, and `wall` beside it to narrow it."""

    episode: Annotated[str | None, Field(description="Id of an episode.")] = None
    external_id: Annotated[str | None, Field(description="Your own id of an episode.")] = None
    fact: Annotated[str | None, Field(description="Id of a fact.")] = None
    subject: Annotated[str | SubjectIn | None, Field(description="Name or id of an entity.")] = None
    user: str | None = None
    agent: str | None = None
    session: str | None = None
    wall: Annotated[str | None, Field(description="A closed area; alone, all that stands in it.")] = None
    tenant: Annotated[
        Literal[True] | str | None,
        BeforeValidator(_whole_tenant),
        Field(description="true: all of the tenant."),
        WithJsonSchema({"type": "boolean", "const": True}),
    ] = None


class PurgeIn(ReasonIn):
    """What to erase."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"scope": {"episode": "e_1"}, "reason": "asked to"}]})

    scope: EraseScopeIn
    when_released: Annotated[
        Flag, Field(description="Where a hold is in the way: wait for its end instead of giving up.")
    ] = False


class CertificateOut(Out):
    """That it is gone."""

    id: str
    scope: Annotated[dict[str, Any], Field(description="As it is kept: ids as they are, names as hashes.")]
    at: str | None
    actor: str
    reason: str
    counts: Annotated[dict[str, int], Field(description="Rows that are gone, by kind.")]
    remaining: Annotated[int, Field(description="How many of them a second look found: 0.")]
    derived: Annotated[list[str], Field(description="What went because what it derived from went.")]
    kept: Annotated[int, Field(description="Facts that stayed on other evidence.")]
    held: list[str]
    scrubbed: Annotated[bool, Field(description="Whether the files no longer have the bytes either.")]
    dry_run: bool
    digest: str


class CertificatesOut(Out):
    items: list[CertificateOut]
    next_cursor: str | None


class HoldIn(In):
    """What must not be erased, and on what ground."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"scope": {"episode": "e_1"}, "reason": "case 44/26"}]})

    scope: EraseScopeIn
    reason: Reason
    dry_run: DryRun = False


class HoldOut(Out):
    id: str
    scope: dict[str, Any]
    reason: str
    actor: str
    created_at: str | None
    released_at: str | None
    released_by: str | None
    dry_run: bool


class HoldsOut(Out):
    items: list[HoldOut]
    next_cursor: str | None


class ReleasedOut(Out):
    """The hold that ended, and the purges that had waited for it."""

    hold: HoldOut
    purged: list[CertificateOut]
    dry_run: bool


class AuditEntryOut(Out):
    seq: int
    at: str | None
    actor: str
    verb: str
    outcome: Literal["done", "refused", "failed"]
    ids: list[str]
    detail: dict[str, Any]
    previous: str
    hash: Annotated[str, Field(description="Covers the entry and the hash of the one before.")]


class AuditOut(Out):
    items: list[AuditEntryOut]
    next_cursor: str | None


class AuditCheckOut(Out):
    ok: bool
    entries: int
    last_hash: str
    broken_at: int | None
    reason: str | None


class ImportedOut(Out):
    """What an import did, by sort of record."""

    lines: int
    created: dict[str, int]
    existed: dict[str, int]
    refused: Annotated[dict[str, int], Field(description="Erased here before, and so not taken in again.")]
    rejected: list[RejectedOut]
    receipts: list[str]
    complete: Annotated[bool, Field(description="Whether the end of the file was there and counted right.")]
    dry_run: bool
