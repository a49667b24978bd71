"""Who speaks and for which firm, as the text itself says: "I'm Jane Poe, head of procurement at Norwick. Our terms are …"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from muniment.engine.extract.links import PLAIN, Link
from muniment.engine.extract.mentions import ORGANISATION, PERSON, Mention
from muniment.engine.ports.models import Token
from muniment.graph_schema.ontology import Ontology

_EMPLOYERS: Final = frozenset({"works_for", "practises_at"})
_I_AM: Final = re.compile(
    r"(?:^|[.!?,]\s*)(?:(?:hi|hello|hey|good (?:morning|afternoon|evening))\b[^.!?]{0,30}[,.!–-]\s*)?(?:I['’]m|I am|my name is|this is)\s+$",
    re.IGNORECASE,
)
_I_AM_ZH: Final = re.compile(r"(?:我是|我叫|我的名字是|我名叫)[\u4e00-\u9fff]{0,20}$")
_WE_AT: Final = re.compile(r"\b(?:we|us|here) at (?:the )?$", re.IGNORECASE)
_WE_AT_ZH: Final = re.compile(r"(?:我们|咱们)$")
_WE: Final = frozenset({"we", "our", "us", "ours"})
_WE_ZH: Final = re.compile(r"我司|我们公司|本公司|我们")


def introduced(text: str, mentions: Sequence[Mention]) -> str:
    """The name that a speaker gives of themselves; empty where the text has none."""
    for mention in mentions:
        before = text[: mention.start]
        if mention.type == PERSON and not mention.pronoun and (_I_AM.search(before) or _I_AM_ZH.search(before)):
            return mention.same_as or mention.text
    return ""


def own_firm(
    text: str, mentions: Sequence[Mention], links: Sequence[Link], speakers: frozenset[str], ontology: Ontology
) -> Mention | None:
    """For whom one of `speakers`, the names of who speaks, works, as a sentence says plainly; what "our" means from there on."""
    for link in links:
        is_speaker = (link.subject.same_as or link.subject.text) in speakers
        if link.relation in _EMPLOYERS and is_speaker and link.stance == PLAIN and not link.object.is_value:
            return link.object
    for mention in mentions:
        before = text[: mention.start]
        if ontology.is_a(mention.type or "thing", ORGANISATION) and (_WE_AT.search(before) or _WE_AT_ZH.search(before)):
            return mention
    return None


def we_mentions(text: str, tokens: Sequence[Token], lang: str, firm: Mention) -> Iterator[Mention]:
    """ "we" and "our" as the firm."""
    meant = replace(firm, pronoun=True, same_as=firm.same_as or firm.text, identifiers=(), rule="pronoun")
    if lang == "zh":
        for found in _WE_ZH.finditer(text):
            yield replace(meant, start=found.start(), end=found.end(), text=found.group())
        return
    for index, token in enumerate(tokens):
        if token.text.casefold() in _WE:
            yield replace(meant, start=token.start, end=token.end, text=token.text, head=index)


def is_of_us(link: Link) -> bool:
    """Whether an open link has "we" as an end: what we do all day is nothing about the firm."""
    return not link.relation and any(
        end.pronoun and (end.text.casefold() in _WE or _WE_ZH.fullmatch(end.text))
        for end in (link.subject, link.object)
    )
