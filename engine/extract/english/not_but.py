"""What is put right within one sentence: "the fee is not $10 but $12", "works not for Acme but for Halden", "isn't A, it's B"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final

from muniment.engine.extract.english.parse import Parse
from muniment.engine.extract.links import DENIED, Link, Stance
from muniment.engine.extract.mentions import Mention
from muniment.engine.extract.wordings import Wordings
from muniment.graph_schema.records import Says

_LEAD: Final = (
    r"(?:(?:in|at|for|with|by|to|from|on|of|called|named|worth)\s+)?(?:(?:the|a|an|our|its|their)\s+)?(?:about\s+)?"
)
_NOT: Final = re.compile(
    rf"(?:\bnot|n['’]t)\s+(?!only\b|just\b|merely\b)(?:(?!only\b|just\b|merely\b)[a-z]+\s+){{0,2}}?{_LEAD}$",
    re.IGNORECASE,
)
_BUT: Final = re.compile(
    rf"[^.;!?,]{{0,20}}?,?\s*(?:but\s+(?:rather\s+|instead\s+|now\s+)?|[,;–—]\s*(?:but\s+)?(?:it|he|she|they|that)(?:['’]s|['’]re|\s+(?:is|are|was|were))\s+(?:now\s+)?)"
    rf"{_LEAD}",
    re.IGNORECASE,
)
_LEAST_FIT: Final = 0.4


def put_right(parse: Parse, links: Sequence[Link], wordings: Wordings, above: Stance) -> Iterator[Link]:
    """The links, of two ends of which the first is denied and the second put in its place: the first as denied, and the same said of
    the second."""
    pairs = list(_denied(parse))
    told = {(link.relation, link.subject.start, link.object.start) for link in links}
    rights = {right.start for _, right in pairs}
    for link in links:
        if link.object.start in rights or link.subject.start in rights:  # the parse has the denial reach both
            denied = DENIED.reasons[0] in link.stance.reasons
            yield replace(link, stance=_without_denial(link.stance, above)) if denied else link
            continue
        right = next((b for a, b in pairs if a.start in (link.object.start, link.subject.start)), None)
        if right is None or not link.relation:
            yield link
            continue
        yield link if link.stance.says is not Says.HOLDS else replace(link, stance=link.stance.under(DENIED))
        is_object = any(a.start == link.object.start for a, _ in pairs)
        meant = replace(link, object=right) if is_object else replace(link, subject=right)
        relation = wordings.ontology.relation(link.relation).relation
        if wordings.fit(relation, meant.subject, meant.object) < _LEAST_FIT:
            continue
        if (meant.relation, meant.subject.start, meant.object.start) not in told:
            yield replace(meant, stance=_without_denial(link.stance, above), anchor=right.start)


def _denied(parse: Parse) -> Iterator[tuple[Mention, Mention]]:
    """Pairs of neighbouring names or values: what it is not, and what it is."""
    usable = [m for m in parse.mentions if not m.pronoun]
    for wrong, right in pairwise(usable):
        if not _BUT.fullmatch(parse.text, wrong.end, right.start) or _does_something(parse, right):
            continue
        if _NOT.search(parse.text[: wrong.start]):
            yield wrong, right


def _does_something(parse: Parse, mention: Mention) -> bool:
    """Whether a verb stands right behind: "did not call Ana but Tom called" puts nothing right. Not of "not A but B is the N"."""
    behind = next((t for t in parse.tokens if t.start >= mention.end), None)
    return behind is not None and behind.pos in ("VERB", "AUX") and not re.match(r"\W*not\b", parse.text, re.IGNORECASE)


def _without_denial(stance: Stance, above: Stance) -> Stance:
    """The stance but for the denial; what else made the words unsure goes on to do so."""
    others = tuple(r for r in stance.reasons if r not in DENIED.reasons)
    return replace(
        above,
        cap=min(above.cap, stance.cap if others else 1.0),
        reasons=tuple(dict.fromkeys((*above.reasons, *others))),
    )
