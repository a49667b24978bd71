"""One analysis of a whole text from analyses of its parts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from muniment.engine.ports.models import Analysis, Span, Token


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """The analysis of a stretch that begins at `start` of the whole text."""

    start: int
    analysis: Analysis


def stitch(parts: Sequence[Part], *, lang: str) -> Analysis:
    """All tokens, entities and sentences, in order, with offsets and heads counted in the whole text."""
    if len(parts) == 1 and parts[0].start == 0 and parts[0].analysis.lang == lang:
        return parts[0].analysis
    tokens: list[Token] = []
    entities: list[Span] = []
    sentences: list[tuple[int, int]] = []
    for part in parts:
        by, before = part.start, len(tokens)
        tokens.extend(_moved(token, by=by, before=before) for token in part.analysis.tokens)
        entities.extend(replace(span, start=span.start + by, end=span.end + by) for span in part.analysis.entities)
        sentences.extend((start + by, end + by) for start, end in part.analysis.sentences)
    return Analysis(lang=lang, tokens=tuple(tokens), entities=tuple(entities), sentences=tuple(sentences))


def with_entities(analysis: Analysis, extra: Sequence[Span]) -> Analysis:
    """The analysis with `extra` entities in place of those that they overlap."""
    if not extra:
        return analysis
    kept = [span for span in analysis.entities if all(_apart(span, other) for other in extra)]
    return replace(analysis, entities=tuple(sorted([*kept, *extra], key=lambda span: span.start)))


def _moved(token: Token, *, by: int, before: int) -> Token:
    head = token.head + before if token.head >= 0 else token.head
    return replace(token, start=token.start + by, end=token.end + by, head=head)


def _apart(one: Span, other: Span) -> bool:
    return one.end <= other.start or other.end <= one.start
