"""The clauses of a Chinese sentence, each with its names and with what was spoken of before it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from muniment.engine.extract.mentions import Mention
from muniment.engine.ports.models import Token

_CLAUSE_END = re.compile(r"[，。；！!;\n]|,(?!\d)")
# Adverbs between a name and its verb that change nothing.
NOW = r"(?:目前|现在|现|仍|还|也|就|都|已经?|一直|原来|正|则|主要)*"


@dataclass(frozen=True, slots=True, kw_only=True)
class Clause:
    start: int
    end: int
    text: str
    mentions: tuple[Mention, ...]
    topic: Mention | None  # what earlier clauses spoke of, for one that names no subject


def clauses(text: str, mentions: Sequence[Mention]) -> Iterator[Clause]:
    """The clauses of a sentence, brackets kept whole, each with the topic before it."""
    start = 0
    topic: Mention | None = None
    ends = [m.end() for m in _CLAUSE_END.finditer(text) if not in_brackets(text, m.start())] + [len(text)]
    for end in ends:
        inside = tuple(m for m in mentions if start <= m.start < end)
        if text[start:end].strip():
            yield Clause(start=start, end=end, text=text[start:end], mentions=inside, topic=topic)
        subjects = [
            m
            for m in inside
            if not m.is_value
            and (not m.pronoun or m.same_as or m.text in ("我", "本人"))
            and m.type not in ("date", "role", "place")
        ]
        if subjects and not _is_object(text, start, subjects[0]):
            topic = subjects[0]
        start = end


def in_brackets(text: str, at: int) -> bool:
    before = text[:at]
    return before.count("（") + before.count("(") > before.count("）") + before.count(")")


def _is_object(text: str, start: int, mention: Mention) -> bool:
    """A name behind the clause's verb or preposition is not what the next clause is about."""
    return (
        bool(re.search(r"(?:了|给|把|向|对|跟|和|与|在|由|从|被|用|是|到|于)$", text[start : mention.start]))
        and mention.start - start > 0
    )


_SINCE = re.compile(r"(?:自|从|打)[^，。；自从]{1,14}$")


def since_apart(text: str, tokens: Sequence[Token]) -> list[Token]:
    """The tokens with the 起 of 自…起 apart from the verb behind it: the tagger often takes 起住 in 自六月起住在 for one word."""
    out: list[Token] = []
    for token in tokens:
        if len(token.text) > 1 and token.text[0] == "起" and token.tag == "v" and _SINCE.search(text[: token.start]):
            rest = token.text[1:]
            out.append(replace(token, text="起", lemma="起", tag="f", end=token.start + 1))
            out.append(replace(token, text=rest, lemma=rest, start=token.start + 1))
        else:
            out.append(token)
    return out


def usable_mentions(clause: Clause) -> list[Mention]:
    return [m for m in clause.mentions if (not m.pronoun or m.same_as or m.text in ("我", "本人")) and m.type != "date"]
