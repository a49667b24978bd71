"""Shapes of explanations: why one memory is no hit, and an earlier answer given once more."""

from __future__ import annotations

from typing import Annotated

from pydantic import ConfigDict, Field

from muniment.api.schemas.base import Out, Words
from muniment.api.schemas.reading import RecallIn


class WhyNotIn(RecallIn):
    """A memory, and a question with the options of recall."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"id": "f_1", "query": "Who is head of purchasing at Globex?", "limit": 5}]}
    )

    id: Annotated[Words, Field(description="Of the memory that is asked about.")]


class LastHitOut(Out):
    """The last hit, which a memory would have had to beat."""

    id: str
    rank: int
    score: float
    parts: dict[str, float]


class WhyNotOut(Out):
    """What stopped one memory from being a hit."""

    id: str
    kind: str
    stopped_by: Annotated[
        str,
        Field(
            description="shown, rejected, retracted, archived, unknown_then, scope, kind, type, relation, importance, not_yet, "
            "superseded, ended, duplicate, limit, not_found, wall, or what a context block left it out for (budget)."
        ),
    ]
    why: Annotated[str, Field(description="The same as a sentence.")]
    by: Annotated[list[str], Field(description="What it gave way to.")]
    since: Annotated[str | None, Field(description="From when on that is so.")]
    rank: int | None
    score: float | None
    parts: Annotated[dict[str, float], Field(description="What its score is made of, or would be.")]
    last_hit: LastHitOut | None
    trace_id: str | None


class MovedOut(Out):
    """A hit that is not where it was."""

    id: str
    kind: str
    rank_then: int | None
    rank_now: int | None
    score_then: float | None
    score_now: float | None
    why: str


class ReplayOut(Out):
    """An earlier answer given once more over what is stored now."""

    trace_id: str
    equal: Annotated[bool, Field(description="The same hits in the same order with the same scores.")]
    hits: Annotated[list[str], Field(description="Of the answer as it is now.")]
    moved: list[MovedOut]
    reasons: Annotated[list[str], Field(description="What has changed of that on which an answer depends.")]
