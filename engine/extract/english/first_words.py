"""First words of names that are common words, months or class nouns too: May Lin, Will Grant, Project Falcon."""

from __future__ import annotations

import re

from muniment.engine.extract.english import words
from muniment.engine.extract.mentions import Mention
from muniment.engine.ports.models import Analysis

IN_A_MONTH = re.compile(
    r"\b(?:in|since|until|till|by|during|early|late|mid|last|next|this|\d{1,2}(?:st|nd|rd|th)?(?: of)?)[ -]$",
    re.IGNORECASE,
)
_CAPITAL_BEHIND = re.compile(r" (?P<next>[A-Z][\w’'-]+)")
# How a sentence goes on behind its subject; a question with "Will" or "May" goes on with a bare verb.
_GOES_ON = re.compile(
    r"(?: [A-Z][\w’'-]+)?(?:['’]s\b|,| ?\(| (?:is|was|has|had|will|can|could|would|should|does|did|and(?= [A-Z])|from|at|of|who|also|now|never|no longer"
    r"|left|met|led|ran|sent|told|said|wrote|took|gave|became|bought|sold|spoke|came|went|made|got|won|lost|held|saw|knew|kept|thought|put|found"
    r"|(?!as\b|his\b|its\b|this\b)[a-z]{2,}s|[a-z]{2,}ed)\b)"
)
# A name behind one of these is somebody's, a month is not.
_OF_SOMEBODY = re.compile(
    r"\b(?:(?:\w+ed|run|led|held|made|sold|built|sent|written|given|taken|known|won) by|with|asked?|told|met|called|emailed|thanked|saw|reports to|spoke to|hired|replaced|Mr|Ms|Mrs|Dr)\.? $"
)
_BESIDE_A_NAME = re.compile(
    r"(?:^|[a-z]\w* )(?!(?:In|On|By|Since|Until|From|May|June|April|August|March|July)\b)[A-Z][\w’'-]+ (?:[A-Z][\w’'-]+ )?(?:and|or) $"
)
_THE_MONTH = re.compile(r"\b(?:the|our|a|an|this|each|every|your|their|its|his|her|for|since|per) $", re.IGNORECASE)


def is_first_name(folded: str, start: int, end: int, text: str, analysis: Analysis) -> bool:
    """Whether a word or month before a capital is a first name: "May Lin runs the depot", "led by June Hill"."""
    behind = _CAPITAL_BEHIND.match(text, end)
    if behind is None or behind["next"].casefold() in words.CALENDAR | words.OF_A_PROJECT:
        return False
    before = text[:start]
    if not before.strip() or re.search(r"[.!?:;]\s+$|\n\s*$", before):
        return bool(_GOES_ON.match(text, behind.end())) and not (
            text.rstrip().endswith("?") and folded in ("will", "may")
        )
    if _OF_SOMEBODY.search(before):
        return True
    if IN_A_MONTH.search(before) or _THE_MONTH.search(before):
        return False
    tagged = any(s.label == "PERSON" and s.start < behind.end() and start < s.end for s in analysis.entities)
    return tagged or _BESIDE_A_NAME.search(before) is not None


def names_its_kind(first: str, second: str) -> bool:
    """Whether a sentence's first word is a class noun that belongs to the name behind it: Project Falcon, Team Blue."""
    return first in words.NAMING_NOUNS and second not in words.OF_A_PROJECT | words.ROLE_HEADS | words.CALENDAR


def begins_with_month_name(mention: Mention) -> bool:
    first, _, rest = mention.text.partition(" ")
    return bool(rest[:1].isupper()) and first.casefold() in words.MONTH_NAMES
