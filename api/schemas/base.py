"""What the shapes are made of: times with an offset, scopes, strict numbers, closed objects."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Final

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    GetJsonSchemaHandler,
    JsonValue,
    Strict,
    WithJsonSchema,
)
from pydantic_core import CoreSchema

from muniment.api.schemas.words import described
from muniment.graph_schema.errors import Invalid
from muniment.graph_schema.temporal import parse_time, require_aware


def _time(value: object) -> datetime:
    try:
        if isinstance(value, datetime):
            return require_aware(value)
        if isinstance(value, str):
            return parse_time(value)
    except Invalid as error:
        raise ValueError(str(error).removeprefix("time ")) from error
    raise ValueError("is not a time: use RFC 3339 with an offset, such as 2026-03-01T09:00:00+01:00")


_TIME_SCHEMA: Final = {"type": "string", "format": "date-time", "examples": ["2026-03-01T09:00:00+01:00"]}
Moment = Annotated[datetime, BeforeValidator(_time), WithJsonSchema(_TIME_SCHEMA)]
"""A moment as RFC 3339 with an offset; a naive one is refused."""

# Said in the document and checked by the engine, whose words for it are better.
_SAID: Final[dict[str, JsonValue]] = {"minLength": 1, "pattern": r"\S"}
NOT_EMPTY: Final[dict[str, JsonValue]] = {"minItems": 1}
Words = Annotated[str, Field(json_schema_extra=_SAID)]
"""A text that is not empty."""

Whole = Annotated[int, Strict()]
Number = Annotated[float, Strict()]
Flag = Annotated[bool, Strict()]
Importance = Annotated[int, Strict(), Field(ge=1, le=5, description="How much it matters: 1 hardly, 5 most.")]
Wall = Annotated[str, Field(description="The closed area that it stands in; empty is open to the whole tenant.")]


class _Told(BaseModel):
    """A shape whose JSON schema says of every field what it means."""

    @classmethod
    def __get_pydantic_json_schema__(cls, core_schema: CoreSchema, handler: GetJsonSchemaHandler, /) -> dict[str, Any]:
        made = super().__get_pydantic_json_schema__(core_schema, handler)
        inherited = tuple(one.__name__ for one in cls.__mro__[1:] if issubclass(one, _Told))
        described(cls.__name__, handler.resolve_ref_schema(made), inherited)
        return made


class In(_Told):
    """A shape that comes in: unknown fields are refused, so that a misspelt one is not silently lost."""

    model_config = ConfigDict(extra="forbid", str_strip_whitespace=False)

    def given(self) -> dict[str, Any]:
        """What the caller said: nothing that was left out, and null is the same as left out."""
        return {name: value for name, value in self.model_dump(exclude_unset=True).items() if value is not None}


class Out(_Told):
    """A shape that goes out."""

    model_config = ConfigDict(extra="forbid")


class ScopeIn(In):
    """Whose memory it is; an absent field means shared."""

    user: Annotated[str | None, Field(description="A person whom the tenant serves.")] = None
    agent: Annotated[str | None, Field(description="An agent of the tenant.")] = None
    session: Annotated[
        str | None, Field(description="One live conversation or run; what is in it is seen in it only.")
    ] = None


class ScopeOut(Out):
    user: str | None
    agent: str | None
    session: str | None
