"""How one hit reads as a line of the block."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from types import MappingProxyType
from typing import Final

from muniment.engine.assemble.fence import as_data
from muniment.engine.assemble.lapsed import NO_LAPSES, Lapse
from muniment.engine.assemble.shorten import shorten
from muniment.engine.assemble.template import ContextTemplate
from muniment.engine.assemble.tokens import TokenCounter
from muniment.engine.rank.hits import Hit
from muniment.graph_schema.records import Episode, Fact, Kind, Status

_RIVALS = 3  # so many are named
_LAPSES = 3
_QUOTED = 160  # characters of what is over, and of what holds instead
_MOST = 0.6  # of a text: the rest says little
_PRONOUN = re.compile(r"(?:she|he|they|it|her|his|their|its|i|my)\b|[她他它](?:们)?", re.IGNORECASE)

NO_RIVALS: Final[Mapping[str, Sequence[str]]] = MappingProxyType({})


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextItem:
    """One memory in the block. `text` is what stands there, `source` who or what it is from."""

    id: str
    text: str
    date: datetime | None
    source: str
    shortened: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """An item and the exact text of its line, with the line's tokens."""

    item: ContextItem
    rendered: str
    tokens: int


def render(
    hit: Hit,
    *,
    template: ContextTemplate,
    count_tokens: TokenCounter,
    rivals: Mapping[str, Sequence[str]] = NO_RIVALS,
    lapses: Mapping[str, Sequence[Lapse]] = NO_LAPSES,
    room: int | None = None,
    zone: tzinfo = UTC,
) -> Line | None:
    """The hit's line; with `room`, shortened to that many tokens, or None where nothing useful fits.

    `rivals`: by the id of a memory the ids of those that say otherwise. A fact that has some is told as what its source said; a
    text that tells it, and much else, only names them. `lapses`: by the id what of it is over.
    """
    date = _date(hit)
    source = source_of(hit)
    when = _format(date, zone) if date else template.undated
    head = f"- [{as_data(hit.id, one_line=True)}] ({', '.join(part for part in (when, source) if part)}) "
    against = rivals.get(hit.id, ())
    if against and not isinstance(hit.memory, Episode):
        head += template.disputed.format(source=source or template.unknown_source, date=when) + " "
    tail = _standing(hit, lapses.get(hit.id, ()), template, zone)
    if against:
        tail += " " + template.otherwise.format(id=", ".join(as_data(id, one_line=True) for id in against[:_RIVALS]))
    body = as_data(_told(hit))
    line = head + body + tail
    tokens = count_tokens(line + "\n")
    if room is None or tokens <= room:
        item = ContextItem(id=hit.id, text=body, date=date, source=source)
        return Line(item=item, rendered=line, tokens=tokens)
    tail += " " + template.shortened.format(id=hit.id)
    short = shorten(body, room - count_tokens(head + tail + "\n") - 1, count_tokens)
    if short is None:
        return None
    line = head + short + tail
    item = ContextItem(id=hit.id, text=short, date=date, source=source, shortened=True)
    return Line(item=item, rendered=line, tokens=count_tokens(line + "\n"))


def _told(hit: Hit) -> str:
    """The hit's words, with the name in front where they do not say whom they are about, since their context is gone:
    a sentence that says only "she", a wish that says only "never call before ten"."""
    memory = hit.memory
    if not isinstance(memory, Fact) or memory.subject.name.casefold() in hit.text.casefold():
        return hit.text
    if memory.kind is Kind.PREFERENCE or _PRONOUN.match(hit.text):
        return f"{memory.subject.name}: {hit.text}"
    return hit.text


def source_of(hit: Hit) -> str:
    """Who said it or where it stands, on one line; empty where nobody told."""
    memory = hit.memory
    if isinstance(memory, Episode):
        return as_data(memory.speaker or memory.title or memory.source, one_line=True)
    if isinstance(memory, Fact):
        named = memory.attributes.get("source") or memory.attributes.get("speaker") or ""
        return as_data(str(named) or (hit.episodes[0] if hit.episodes else ""), one_line=True)
    return ""


def _standing(hit: Hit, lapses: Sequence[Lapse], template: ContextTemplate, zone: tzinfo) -> str:
    """What the hit's mark says of it, or of what in it is over, and what holds instead; that it is a guess."""
    parts = [template.guess] if isinstance(hit.memory, Fact) and hit.memory.is_guess else []
    whole = _mark(hit, template, zone)
    if whole and (not lapses or says_all(hit, lapses)):
        parts.append(whole)
        told = lapses[:1]
    else:
        told = lapses[:_LAPSES]
        for lapse in told:
            words = _short(lapse.words)
            over = template.over if lapse.since else template.wrong
            parts.append(over.format(words=words, date=_format(lapse.since, zone) if lapse.since else ""))
    named = {lapse.by: template.instead.format(words=_short(lapse.now), id=lapse.by) for lapse in told if lapse.by}
    return "".join(f" {part}" for part in (*parts, *named.values()))


def says_all(hit: Hit, lapses: Sequence[Lapse]) -> bool:
    """Whether what is over is most of what the hit says, so that nothing is left of it."""
    return not isinstance(hit.memory, Episode) or sum(len(one.words) for one in lapses) >= _MOST * len(hit.text.strip())


def _short(words: str) -> str:
    told = as_data(words, one_line=True)
    return told if len(told) <= _QUOTED else told[: _QUOTED - 1].rstrip() + "…"


def _mark(hit: Hit, template: ContextTemplate, zone: tzinfo) -> str:
    if hit.status is Status.FUTURE and hit.valid_at:
        return template.begins.format(date=_format(hit.valid_at, zone))
    if hit.status is Status.REJECTED:
        return template.corrected
    if hit.superseded:
        return template.ended.format(date=_format(hit.invalid_at, zone)) if hit.invalid_at else template.stale
    return ""


def _date(hit: Hit) -> datetime | None:
    return hit.occurred_at or hit.valid_at


def _format(moment: datetime, zone: tzinfo) -> str:
    return moment.astimezone(zone).isoformat(timespec="seconds" if moment.second else "minutes")
