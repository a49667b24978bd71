"""Shapes of keys and tenants."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field, WithJsonSchema

from muniment.api.schemas.base import Flag, In, Moment, Out, Whole

RoleName = Literal["reader", "writer", "curator", "admin", "operator"]


class KeyIn(In):
    """What the key is to allow."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"role": "reader", "name": "support bot"}]})

    role: RoleName
    walls: Annotated[tuple[str, ...], Field(max_length=1000, description="Closed areas that it may see.")] = ()
    name: Annotated[str | None, Field(description="What it is for, to tell keys apart.")] = None
    expires_at: Moment | None = None
    tenant: Annotated[
        str | None,
        Field(description="For an operator: whose key; an admin's is the own tenant."),
        WithJsonSchema({"type": "string", "minLength": 1}),
    ] = None


class KeyOut(Out):
    id: str
    tenant: str | None
    role: RoleName
    walls: list[str]
    name: str | None
    created_at: str | None
    expires_at: str | None
    revoked_at: str | None


class NewKeyOut(KeyOut):
    key: Annotated[str, Field(description="The key itself, shown this once.")]


class KeysOut(Out):
    items: list[KeyOut]
    next_cursor: str | None


class RotateIn(In):
    model_config = ConfigDict(json_schema_extra={"examples": [{"overlap_s": 3600}]})

    overlap_s: Annotated[Whole, Field(ge=0, le=2_592_000, description="How long the old key goes on working.")] = 3600


class TenantIn(In):
    model_config = ConfigDict(json_schema_extra={"examples": [{"name": "acme"}]})

    name: str


PolicyName = Literal["refuse", "redact", "keep"]


class TenantSettingsIn(In):
    """What is to change; null takes a setting back to the default, what is left out stays."""

    model_config = ConfigDict(
        json_schema_extra={
            "minProperties": 1,
            "examples": [{"log_only": True, "ranking": {"lexical": 0.8}, "context": {"language": "zh"}}],
        }
    )

    log_only: Annotated[Flag | None, Field(description="Read and show what is told, and store nothing.")] = None
    language_model: Annotated[Flag | None, Field(description="Whether texts may go to the configured model.")] = None
    secrets: Annotated[PolicyName | None, Field(description="What happens to texts with keys or passwords.")] = None
    personal_data: Annotated[PolicyName | None, Field(description="The same for account and identity numbers.")] = None

    ranking: Annotated[
        dict[str, Any] | None,
        Field(description="Weights by name, of those in docs/recall.md; what is not named stays, null takes one back."),
    ] = None
    context: Annotated[
        dict[str, Any] | None,
        Field(
            description="Words of the context block: `language` (en or zh), `headings` by section, `first_line` …; `shares` of its budget."
        ),
    ] = None

    def changes(self) -> dict[str, Any]:
        """What the caller named, null included."""
        return self.model_dump(exclude_unset=True)


class TenantOut(Out):
    name: str
    created_at: str | None
    settings: dict[str, Any]


class TenantsOut(Out):
    items: list[TenantOut]
    next_cursor: str | None


class DayOfUseOut(Out):
    day: Annotated[str, Field(description="The day, in UTC.")]
    calls: int
    tokens_in: int
    tokens_out: int
    failed_calls: int
    repaired_answers: int
    rejected_answers: int
    rejected_statements: int
    cost: Annotated[float, Field(description="In the currency of the configured prices; 0 where none are.")]
    set_aside_tokens: Annotated[int, Field(description="Of calls under way, or whose process died.")]


class ModelUseOut(Out):
    items: list[DayOfUseOut]
    next_cursor: str | None
