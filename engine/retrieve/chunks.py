"""The relation words of a question in the order in which a walk from a named entity must take them.

"Who is the manager of the person who represents Acme?": from Acme first "represents … person", then "manager". Read from
parts of speech alone: parsers attach "in X" wrongly in nested questions, and each such error breaks a whole chain.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from muniment.engine.ingest.language import has_han
from muniment.engine.ports.models import Analysis, Analyzer
from muniment.engine.retrieve.relation_words import Role

_STAND_IN: Final = "Zorbex"  # a made-up proper noun in place of the name, so that a tagger reads it as one
_DATE_LEAD: Final = re.compile(r"^(?:On|As of|In|At|By) (?:\d{4}-\d\d-\d\d|\w+ \d{1,2},? \d{4}|\w+ \d{4}|\d{4}),? ")
# They ask how things went, not for a step.
_COURSE: Final = re.compile(
    r"\b(?:over (?:time|the years)|in the course of (?:time|the years)|so far|in turn|one after the other|successively|ever"
    r"|previously|formerly|nowadays|these days|at present|right now|any more|anymore)\b",
    re.IGNORECASE,
)
_SLASH: Final = re.compile(r"\b(\w+)/(\w+)\b")
_EMPTY: Final = frozenset(
    "a an the our their its his her my your is are was were be been being has have had do does did and or to of in on at by for with from "
    "as that which who whom whose where what when it this these those now also then into we us than ours how many much hold holds held "
    "located originally belong belongs belonged serves served known current currently name tell me give please year".split()
)
_SKIPPED_POS: Final = frozenset({"ADP", "DET", "AUX", "PRON", "CCONJ", "PART", "SCONJ", "PUNCT", "SPACE"})
_RELATIVE_TAGS: Final = frozenset({"WDT", "WP", "WRB", "WP$"})
_POSSESSIVES: Final = frozenset({"'s", "’s", "'", "’", "s"})
_BE: Final = frozenset({"is", "was", "are", "were", "been", "being"})
_DO: Final = frozenset({"do", "does", "did"})
_RESUMING: Final = frozenset({"he", "she", "they", "it"})
_HAN_SKIP: Final = re.compile(
    r"什么时候|什么|是谁|谁是|谁|哪一个|哪一家|哪一位|哪里|哪儿|哪个|哪些|哪家|哪位|哪天|哪年|哪|多少|多久|请问|目前|现在|当前|如今|吗|呢|[是在了有？?，,。\s]"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunk:
    """Words that ask for one step. `role` is what the known end is to their verb, empty where they have none."""

    words: tuple[str, ...]
    role: str = Role.NONE

    @property
    def text(self) -> str:
        return " ".join(self.words)


class _Token(NamedTuple):
    kind: str  # N noun part, V verb, R relative pronoun, W leading question word, S break, X the seed
    text: str
    tag: str


@dataclass(slots=True)
class _Group:
    words: list[str]
    kind: str
    at: int = -1
    role: str = Role.NONE
    has_noun: bool = field(default=False)


def read_chunks(text: str, start: int, end: int, analyzer: Analyzer | None) -> list[Chunk]:
    """The steps that `text` asks for, outward from the name at [start, end); empty where it asks for none.

    Without an analyzer the words stand one a chunk, nearest first on the left, then on the right.
    """
    if has_han(text):
        return _han_chunks(text[:start], text[end:])
    left = _DATE_LEAD.sub("", text[:start].rstrip("\"“' "))
    right = re.sub(r"^[\"”]", "", text[end:])
    left, right = (_COURSE.sub("", _SLASH.sub(r"\1", side)) for side in (left, right))
    if analyzer is None:
        return _bare_chunks(left, right)
    analysis = analyzer.analyze(f"{left} {_STAND_IN}{right}".strip())
    at = next((i for i, token in enumerate(analysis.tokens) if token.text.startswith(_STAND_IN)), None)
    if at is None:
        return []
    groups = _Reader(_tokens(analysis, at), at).read()
    return [Chunk(words=tuple(group.words), role=group.role) for group in groups if group.words]


def _tokens(analysis: Analysis, at: int) -> list[_Token]:
    out: list[_Token] = []
    for i, token in enumerate(analysis.tokens):
        word = token.text.lower()
        before = analysis.tokens[i - 1] if i else None
        if i == at:
            kind = "X"
        elif token.tag in _RELATIVE_TAGS or (word == "that" and before is not None and before.pos in ("NOUN", "PROPN")):
            kind = "W" if i <= 2 and not any(t.kind in "NV" for t in out) else "R"
        elif word in _EMPTY or token.pos in _SKIPPED_POS:
            kind = "S"
        else:
            kind = "V" if token.pos == "VERB" else "N"
        out.append(_Token(kind, token.text, token.tag))
    return out


class _Reader:
    """Reads the groups of one question around its seed."""

    def __init__(self, tokens: Sequence[_Token], at: int) -> None:
        self.tokens = tokens
        self.low = [token.text.lower() for token in tokens]
        self.at = at

    def read(self) -> list[_Group]:
        possessed, tail_start = self._possessed()
        tail = self._tail(tail_start)
        lead, start = self._lead()
        relatives = [i for i in range(self.at) if self.tokens[i].kind == "R"]
        before = self._groups(start, self.at)
        if not possessed and tail and before and tail[0].kind == "N" and tail[0].at == tail_start:
            possessed, tail = [tail[0]], tail[1:]  # "the maker of the X lamp": the seed's own noun
        if self._is_resumed(tail):
            possessed, tail = [*possessed, _joined(tail)], []
        if relatives:
            return self._with_clause(possessed, tail, lead, start, relatives[-1])
        if tail and before and self._is_reduced(before[-1], tail[0], tail_start):
            first = _Group(words=tail[0].words + before[-1].words, kind="V", role=tail[0].role)
            found = [*possessed, first, *self._outward(start, before[-1].at)]
            tail = tail[1:]
        else:
            found = possessed + self._outward(start, self.at)
        last = [word for group in tail for word in group.words]
        if last:
            found.append(_Group(words=last, kind="V", role=tail[-1].role))
        if lead:
            found.append(_Group(words=lead, kind="N"))
        return found

    def _is_resumed(self, tail: Sequence[_Group]) -> bool:
        """ "…, in the sport he played": an afterthought that says of the seed itself, by a pronoun, which way is meant."""
        if len(tail) < 2 or tail[0].kind != "N" or tail[-1].kind != "V":
            return False
        return "," in self.low[self.at : tail[0].at] and bool(_RESUMING & set(self.low[tail[0].at : tail[-1].at]))

    def _is_reduced(self, noun: _Group, verb: _Group, tail_start: int) -> bool:
        """ "the firm X owns": a relative clause without its pronoun."""
        ends = noun.at + len(noun.words)
        return noun.kind == "N" and verb.kind == "V" and ends == self.at and verb.at == tail_start

    def _with_clause(
        self, possessed: list[_Group], tail: list[_Group], lead: list[str], start: int, relative: int
    ) -> list[_Group]:
        """First the clause that holds the seed, its verb included, then what the clause belongs to."""
        whose = self.low[relative] == "whose"
        inner, outer = self._outward(relative + 1, self.at, apart=whose), self._outward(start, relative)
        cut = next((i + 1 for i, group in enumerate(tail) if group.kind == "V"), len(tail))
        own, after = tail[:cut], tail[cut:]
        if own:
            words = [word for group in own for word in group.words]
            inner.append(_Group(words=words, kind=own[-1].kind, role=own[-1].role))
        if not whose and inner and inner[-1].kind == "V" and outer and outer[0].kind == "N":
            inner[-1].words = inner[-1].words + outer[0].words
            outer = outer[1:]
        found = possessed + inner + outer
        if after:
            found.append(_Group(words=[w for g in after for w in g.words], kind="V", role=after[-1].role))
        if lead:
            found.append(_Group(words=lead, kind="N"))
        return found

    def _possessed(self) -> tuple[list[_Group], int]:
        """ "X's owner's boss": what the seed possesses, in order, and where that ends."""
        first = self.at + 1
        if first >= len(self.tokens) or self.low[first] not in _POSSESSIVES:
            return [], first
        end = first + 1
        while end < len(self.tokens) and (self.tokens[end].kind == "N" or self.low[end] in (*_POSSESSIVES, "current")):
            end += 1
        groups: list[_Group] = []
        words: list[str] = []
        for i in range(first + 1, end):
            if self.tokens[i].kind == "N":
                words.append(self.tokens[i].text)
            elif words:
                groups.append(_Group(words=words, kind="N"))
                words = []
        if words:
            groups.append(_Group(words=words, kind="N"))
        return groups, end

    def _tail(self, start: int) -> list[_Group]:
        """What follows the seed, with the seed's role in it."""
        tail = self._groups(start, len(self.tokens))
        if tail and _DO & set(self.low[: self.at]) and not any(group.kind == "V" for group in tail):
            tail[-1].kind = "V"  # "where does X report": taken for a noun
        passive = bool(_BE & set(self.low[: self.at]))
        for group in tail:
            if group.kind == "V":
                by = "by" in self.low[group.at :]
                done_to = self.tokens[group.at].tag == "VBN" and passive and by
                group.role = Role.OBJECT if done_to else Role.SUBJECT
        return tail

    def _lead(self) -> tuple[list[str], int]:
        """ "Which court …": the kind that is asked for, and where the rest begins."""
        question = next((i for i in range(min(3, self.at)) if self.tokens[i].kind == "W"), None)
        if question is None or question + 1 >= self.at or self.tokens[question + 1].kind != "N":
            return [], 0
        end = question + 1
        while end < self.at and self.tokens[end].kind == "N":
            end += 1
        return [token.text for token in self.tokens[question + 1 : end]], end

    def _outward(self, start: int, end: int, *, apart: bool = False) -> list[_Group]:
        """Groups from right to left; "N V-ed by" and "N who V" become one.

        `apart`: the first noun stays alone, since it is whose the clause is ("whose owner founded X": founder, then of what).
        """
        out: list[_Group] = []
        for group in reversed(self._groups(start, end)):
            last = out[-1] if out else None
            joins = last is not None and last.kind == "V" and group.kind == "N" and not last.has_noun
            joins = joins and not (apart and group.at == start)
            if joins and last is not None and self.tokens[last.at - 1].kind == "N":
                last.words = last.words + group.words
                last.has_noun = True
            else:
                out.append(group)
        return out

    def _groups(self, start: int, end: int) -> list[_Group]:
        out: list[_Group] = []
        i = start
        while i < end:
            kind, text, _ = self.tokens[i]
            if kind == "N":
                stop = i
                while stop < end and self.tokens[stop].kind == "N":
                    stop += 1
                out.append(_Group(words=[t.text for t in self.tokens[i:stop]], kind="N", at=i))
                i = stop
                continue
            if kind == "V":
                role = Role.SUBJECT if "by" in self.low[i + 1 : i + 3] else Role.OBJECT
                out.append(_Group(words=[text], kind="V", at=i, role=role))
            i += 1
        return out


def _joined(groups: Sequence[_Group]) -> _Group:
    return _Group(words=[word for group in groups for word in group.words], kind="V", role=groups[-1].role)


def _bare_chunks(left: str, right: str) -> list[Chunk]:
    def words(side: str) -> list[str]:
        return [word for word in re.findall(r"[^\W_]+", side) if word.lower() not in _EMPTY]

    return [Chunk(words=(word,)) for word in [*reversed(words(left)), *words(right)]]


def _han_chunks(left: str, right: str) -> list[Chunk]:
    """A chain with 的 runs from left to right after the name; what stands before the name is its verb."""
    after = [piece for part in right.split("的") for piece in _pieces(part)]
    before = [piece for part in left.split("的") for piece in _pieces(part)]
    return [Chunk(words=(piece,)) for piece in [*after, *reversed(before)]]


def _pieces(part: str) -> list[str]:
    return [piece for piece in _HAN_SKIP.split(part) if piece]
