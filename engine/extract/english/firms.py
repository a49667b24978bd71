"""Names of firms that the tagger took for something else, told by what stands around them or by what they do."""

from __future__ import annotations

import re
from dataclasses import replace

from muniment.engine.extract.english import words
from muniment.engine.extract.mentions import ORGANISATION, PLACE, Mention
from muniment.engine.ports.models import Analysis

# What only firms and people do; a lone name that the tagger calls a place or a product, and that does so, is a firm.
_ACTS = frozenset(
    """
    want need use renew sign order buy pay owe churn complain request switch migrate evaluate subscribe hire launch acquire
    ask insist prefer cancel negotiate agree refuse offer sell invest merge employ pilot escalate reject approve expand
    announce confirm adopt outsource
    """.split()
)
_BEFORE_FIRM = re.compile(
    r"\b(?:(?:our|the|their|new|biggest|largest|main|key|potential|former) )+(?:customer|client|vendor|supplier|partner|prospect|competitor|account|reseller|distributor|subcontractor|contractor|landlord|insurer|bank)s? $",
    re.IGNORECASE,
)
_BEFORE_EMPLOYER = re.compile(
    r"\b(?:work(?:s|ed|ing)?|job|role|career|interview(?:ed)?|position|internship|started|employed|hired|colleagues?|boss|manager|contract|deal|account|meeting|agreement|negotiations?|partnership) (?:at|for|by|with) $",
    re.IGNORECASE,
)
_AFTER_FIRM = re.compile(
    r"^(?:['’]s)? (?:deal|account|contract|renewal|opportunity|invoice|subscription|pilot|tender|proposal|licen[cs]es?|shares?|employees|staff|headquarters|ceo|cfo|cto|board)\b"
)
_IN_OFFICE = re.compile(
    rf"\b(?:{'|'.join(sorted(words.ROLE_HEADS))})(?: (?:of|for) (?:[a-z]+ )?[a-z]+)? at (?:the )?$", re.IGNORECASE
)
_MAY_BE_FIRM = frozenset({"", PLACE, "product", "work", "event", "law", "ethnic_group"})


def retyped_by_place(mention: Mention, text: str, analysis: Analysis) -> Mention:
    """A name of one or two words that the tagger mistook, told to be a firm by what stands around it or what it does."""
    if (
        mention.sure
        or mention.is_value
        or (mention.rule == "name.known" and mention.type)
        or mention.type not in _MAY_BE_FIRM
        or len(mention.text.split()) > 2
    ):
        return mention
    before, after = text[: mention.start], text[mention.end :]
    told = _BEFORE_FIRM.search(before) or _BEFORE_EMPLOYER.search(before) or _AFTER_FIRM.search(after)
    if told or _does_as_firms_do(mention, analysis):
        return replace(mention, type=ORGANISATION)
    if mention.type == PLACE and _IN_OFFICE.search(before):
        return replace(mention, type=ORGANISATION)
    if (
        re.search(r"\b(?:at|from) $", before)
        and mention.type in ("", "product", "work", "law")
        and mention.rule != "id.code"
    ):
        return replace(mention, type=ORGANISATION)
    return mention


def _does_as_firms_do(mention: Mention, analysis: Analysis) -> bool:
    if mention.head < 0:
        return False
    token = analysis.tokens[mention.head]
    return token.dep == "nsubj" and analysis.tokens[token.head].lemma in _ACTS
