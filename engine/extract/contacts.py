"""How somebody is reached: the people in the head of a mail, and addresses and numbers that a sentence gives beside a name."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from muniment.engine.extract.fitting import retyped
from muniment.engine.extract.layout import mail_heads
from muniment.engine.extract.links import Link, Stance
from muniment.engine.extract.mentions import ORGANISATION, PERSON, Mention
from muniment.engine.extract.rulebook import confidence_of
from muniment.engine.extract.wordings import Wordings

CONTACTS: Final = {"email": "has_email", "phone": "has_phone"}
_PARTY: Final = re.compile(
    r"(?P<q>[\"'“]?)(?P<name>[^\W\d_][^<>\"“”;\n]{1,60}?)(?P=q)[\"”]?\s*[<(（\[](?:mailto:)?(?P<mail>[A-Za-z0-9][\w.+-]*@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+)[>)）\]]"
)
_PARTY_LINE: Final = re.compile(
    r"^[ \t]*(?:\*\*)?(?:From|To|Cc|Bcc|Reply-To|发件人|收件人|抄送)(?:\*\*)?[ \t]*[:：](?P<value>.*)$",
    re.IGNORECASE | re.MULTILINE,
)
_PERSONAL: Final = re.compile(r"[A-ZÀ-Þ][\w'’-]*(?:[ ][A-ZÀ-Þ][\w.'’-]*){1,3}|[\u4e00-\u9fff]{2,4}")
_SHARED: Final = re.compile(
    r"\b(?:team|sales|support|info|office|desk|help|service|services|accounts?|billing|admin|group|list|no-?reply|noreply|newsletter|department|dept|hr|marketing|legal|ltd|inc|gmbh|llc|plc|via)\b"
    r"|[部组队处科室司]$|公司|团队|客服",
    re.IGNORECASE,
)
_FAMILY_FIRST: Final = re.compile(r"^([^,，]+)[,，]\s*([^,，]+)$")
# What may stand between a name and how it is reached; a comma ends one bearer's list where a name follows.
_WORD: Final = r"(?:e-?mail(?: address)?|mail(?: address)?|(?:mobile |cell |direct |tele)?phone(?: number)?|mobile(?: number)?|cell|tel|telephone|direct line|direct|office|m|t|e|p|邮箱|电子邮件|邮件|电话|手机|联系电话|座机)\.?"
_BESIDE: Final = re.compile(
    rf"\s*(?:[(（\[<]|[,，:：–-]|['’]s(?=\s+{_WORD})|的(?={_WORD}))?\s*(?:{_WORD}\s*(?:number|address)?\s*(?:is|are|:|：|为|是)?\s*)?|\s+(?:at|on|via|under)\s+",
    re.IGNORECASE,
)
_AND: Final = re.compile(
    rf"\s*[)>\]]?\s*(?:[,，;；/、|]|\band\b|\bor\b|,\s*(?:and|or)\b|和|或)\s*(?:(?:at|on|via|under)\s+)?(?:{_WORD}\s*(?:is|:|：|为|是)?\s*)?",
    re.IGNORECASE,
)


def mail_people(text: str) -> Iterator[Mention]:
    """The people whom the head of a mail names with their addresses, where the text is a mail of its own and none quoted; their
    address is a strong identifier. Lists and teams are no people."""
    head = next(mail_heads(text), None)
    if head is None or text[: head.start].strip():
        return
    for line in _PARTY_LINE.finditer(text, head.start, head.end):
        for party in _PARTY.finditer(line["value"]):
            name = _FAMILY_FIRST.sub(r"\2 \1", party["name"].strip(" ,，"))
            if _PERSONAL.fullmatch(name) and not _SHARED.search(name):
                start = line.start("value") + party.start("name")
                written = party["name"]
                yield Mention(
                    start=start, end=start + len(written), text=written, type=PERSON, sure=True,
                    same_as=name if name != written else "", identifiers=(f"email:{party['mail'].casefold()}",), rule="name.mail",
                )  # fmt: skip


def contact_links(
    text: str, mentions: Sequence[Mention], links: Sequence[Link], wordings: Wordings, above: Stance
) -> list[Link]:
    """The links, and one for each address or number right beside a person or firm that no typed link tells; it takes the
    place of an open one."""
    found: list[Link] = []
    bearer: Mention | None = None
    last = -1
    told = {link.object.start for link in links if link.relation}
    for mention in mentions:
        name = CONTACTS.get(mention.type)
        if name is None:
            bearer, last = (mention, mention.end) if _may_be_reached(mention, wordings) else (None, -1)
            continue
        if bearer is None:
            continue
        gap = text[last : mention.start]
        beside = _BESIDE.fullmatch(gap) if last == bearer.end else _AND.fullmatch(gap)
        if not beside:
            bearer = None
            continue
        last = mention.end
        relation = wordings.ontology.relation(name).relation
        if mention.start in told or not relation.known or above.silent:
            continue
        found.append(
            Link(
                subject=retyped(bearer, (PERSON,)), object=mention, relation=relation.name, phrase=gap.strip(" ,(:"),
                rule="contact", confidence=confidence_of("contact"), anchor=mention.start, stance=above,
            )
        )  # fmt: skip
    new = {link.object.start for link in found}
    return [*(link for link in links if link.relation or link.object.start not in new), *found]


def _may_be_reached(mention: Mention, wordings: Wordings) -> bool:
    if mention.is_value or (mention.pronoun and not mention.same_as):
        return False
    return mention.type in (PERSON, "") or wordings.ontology.is_a(mention.type or "thing", ORGANISATION)
