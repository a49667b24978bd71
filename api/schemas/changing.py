"""Shapes of changes to what is held true, of identity, of erasing, and of the record of all that."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field

from muniment.api.schemas.base import In, Moment, Out
from muniment.api.schemas.graph import AssertionOut
from muniment.api.schemas.reading import FactOut
from muniment.api.schemas.writing import DryRun, EndIn, Reason


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

    object: EndIn | str | None = None
    valid_at: Moment | None = None
    invalid_at: Moment | None = None
    text: str | None = None


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
    status: Literal["open", "resolved"]
    created_at: str | None
    facts: Annotated[list[FactOut], Field(description="The sides.")]
    raised_by: list[AssertionOut]
    choices: list[ChoiceOut]


class ReviewsOut(Out):
    items: list[ReviewOut]
    next_cursor: str | None


class ForgetIn(ReasonIn):
    model_config = ConfigDict(json_schema_extra={"examples": [{"ids": ["e_1"], "reason": "sent by mistake"}]})

    ids: Annotated[list[str], Field(min_length=1, max_length=1000, description="Episodes, facts or entities.")]


class PurgeScopeIn(In):
    """What is to be erased; exactly one."""

    episode: str | None = None
    subject: Annotated[str | None, Field(description="Name or id of an entity.")] = None
    user: str | None = None
    session: str | None = None
    tenant: Annotated[Literal[True] | str | None, Field(description="true: all of the tenant.")] = None


class PurgeIn(ReasonIn):
    model_config = ConfigDict(json_schema_extra={"examples": [{"scope": {"user": "u-17"}, "reason": "asked to"}]})

    scope: PurgeScopeIn


class CertificateOut(Out):
    """That it is gone."""

    model_config = ConfigDict(extra="allow")

    id: str
    scope: dict[str, Any]
    at: str | None
    actor: str
    counts: dict[str, int]
    remaining: int
    derived: list[Any]
    held: list[Any]
    digest: str


class HoldIn(In):
    model_config = ConfigDict(json_schema_extra={"examples": [{"scope": {"user": "u-17"}, "reason": "case 44/26"}]})

    scope: PurgeScopeIn
    reason: Reason


class HoldOut(Out):
    model_config = ConfigDict(extra="allow")

    id: str
    scope: dict[str, Any]
    reason: str
    created_at: str | None
    released_at: str | None


class HoldsOut(Out):
    items: list[HoldOut]
    next_cursor: str | None


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
    model_config = ConfigDict(extra="allow")
