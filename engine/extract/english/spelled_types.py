"""What the spelling of an English name says of its type: a legal form, a court, a first name, a word for a place."""

from __future__ import annotations

import re

from muniment.engine.extract.english import words
from muniment.engine.extract.mentions import PERSON, PLACE

# Surnames in a row and partners: few but lawyers call themselves so.
_LAW_FIRM = re.compile(
    r"[A-Z][\w’'-]+(?:, [A-Z][\w’'-]+)+,? (?:&|and) (?:Partners|Associates)(?:,? (?:LLP|Solicitors|Lawyers))?"
)


def type_by_spelling(name: str) -> tuple[str, bool]:
    """The type that the words of a name say, empty where they say none, and whether that is sure."""
    if name.casefold() in words.DEPARTMENTS | words.DEPARTMENT_NAMES:
        return "department", False
    parts = [part.casefold().strip(".,’'") for part in name.split()]
    last, cased = parts[-1], name.split()[-1]
    if len(parts) > 1 and last in words.LEGAL_FORMS and (last not in words.CASED_LEGAL_FORMS or cased[:1].isupper()):
        return "company", True
    if _LAW_FIRM.fullmatch(name):
        return "law_firm", True
    if "&" in parts or (len(parts) > 2 and parts[-2] == "and" and last in words.AFTER_AND):
        return "company", True
    if len(parts) > 1:
        for word in (
            (last, parts[0])
            if parts[0] in ("university", "bank", "ministry", "department", "court", "institute")
            else (last,)
        ):
            if word in words.ORGANISATION_OF:
                return words.ORGANISATION_OF[word], False
        if "court" in parts:
            return "court", True
        if last in words.PLACE_WORDS:
            return PLACE, False
        if parts[0] in words.FEMALE_NAMES | words.MALE_NAMES | (words.WORD_NAMES - {"art", "hope", "summer", "may"}):
            return PERSON, False
        if parts[0] in ("project", "programme", "program") and last not in words.OF_A_PROJECT | words.ROLE_HEADS:
            return "project", False
        if len(parts) < 4 and re.fullmatch(r"[A-Z]\.(?:\s?[A-Z]\.)*\s[A-Z][\w’'-]+", name):
            return PERSON, True
    if parts[0] in words.TOOLS and len(parts) < 3:
        return "software", False
    if len(parts) == 1 and (last in words.FEMALE_NAMES or last in words.MALE_NAMES):
        return PERSON, False
    return "", False


_LAW_WORD = re.compile(
    r"\b(?:acts?|laws?|code|regulations?|directive|rules?|treaty|convention|statutes?|constitution|bill|amendment|section|article|clause"
    r"|ordinance|decree|charter|protocol|accords?|agreement)\b|\d",
    re.IGNORECASE,
)


def may_be_law(name: str) -> bool:
    """Whether a name may be a law's: the tagger takes some people of short names for laws ("Bo Roe")."""
    return " " not in name or _LAW_WORD.search(name) is not None
