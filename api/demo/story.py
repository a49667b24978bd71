"""The story of the demonstration, as data: what happens when, and what is asked about it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from importlib.resources import files
from typing import Any

from muniment.graph_schema.temporal import parse_time


@dataclass(frozen=True, slots=True, kw_only=True)
class Chapter:
    """What becomes known at one moment.

    `episodes` are episodes as callers give them; `facts` are structured ones, whose `evidence` names external ids.
    """

    title: str
    at: datetime
    actor: str
    episodes: tuple[Mapping[str, Any], ...]
    facts: tuple[Mapping[str, Any], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question in words, and how many facts an answer may be away."""

    query: str
    hops: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LateQuestion:
    """A single-valued relation, a moment, and an earlier day on which we knew less about it."""

    subject: str
    relation: str
    as_of: datetime
    known_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Story:
    """`chapters` in order of their telling; `mistake` is told last, to be taken back."""

    tenant: str
    other_tenant: str
    about: str
    today: datetime
    chapters: tuple[Chapter, ...]
    mistake: Chapter
    three_hop: Question
    chinese: Question
    earlier: datetime
    late: LateQuestion
    slot: tuple[str, str]  # subject and relation whose history is shown
    context_query: str
    context_budget: int
    trespass: str


def read_story() -> Story:
    """The story that comes with the package."""
    data = json.loads(files("muniment.api.demo").joinpath("story.json").read_text(encoding="utf-8"))
    asked = data["questions"]
    return Story(
        tenant=data["tenant"],
        other_tenant=data["other_tenant"],
        about=data["about"],
        today=_time(data["today"]),
        chapters=tuple(_chapter(chapter) for chapter in data["chapters"]),
        mistake=_chapter(data["mistake"]),
        three_hop=Question(**asked["three_hop"]),
        chinese=Question(**asked["chinese"]),
        earlier=_time(asked["earlier"]),
        late=LateQuestion(
            subject=asked["late"]["subject"],
            relation=asked["late"]["relation"],
            as_of=_time(asked["late"]["as_of"]),
            known_at=_time(asked["late"]["known_at"]),
        ),
        slot=(asked["slot"]["subject"], asked["slot"]["relation"]),
        context_query=asked["context"]["query"],
        context_budget=asked["context"]["budget_tokens"],
        trespass=asked["trespass"],
    )


def _chapter(data: Mapping[str, Any]) -> Chapter:
    return Chapter(
        title=data["title"],
        at=_time(data["at"]),
        actor=data["actor"],
        episodes=tuple(data["episodes"]),
        facts=tuple(data.get("facts", ())),
    )


def _time(text: str) -> datetime:
    return parse_time(text, field="story")
