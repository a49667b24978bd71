"""Terms that a contract gives its parties: "Oakmere Foods plc (the “Supplier”)", 甲方：上海远帆科技有限公司."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from muniment.engine.extract.mentions import Mention

# Right behind a name, with at most another bracket or an address between.
_BEHIND: Final = re.compile(
    r"\s*(?:\([^()\"“”]{1,60}\)\s*)?(?:,[^()\"“”]{0,120},?\s*)?"
    r"\((?:(?:hereinafter|hereafter|herein|together|each|referred|to|called|as|collectively|the)\s*,?\s*)*"
    r"[\"“'‘](?:the\s+)?(?P<term>[A-Z][\w-]*(?: [A-Z][\w-]*){0,2})[\"”'’]\)"
)
_BEHIND_HAN: Final = re.compile(
    r"\s*[（(](?:以下|下)?(?:统?简?称|称为|称作)?(?:为)?[“\"「]?(?P<term>[\u4e00-\u9fff]{2,6})[”\"」]?[）)]"
)
_CALLS_HAN: Final = re.compile(r"[（(](?:以下|下)?(?:统?简?称|称为|称作)")
_PARTY_HAN: Final = re.compile(
    r"(?P<term>[甲乙丙丁]方|出租[方人]|承租[方人]|买[方受]人?|卖方|发包[方人]|承包[方人]|委托[方人]|受托[方人]|供[货应]?方|需方|采购方|许可方|被许可方)"
    r"(?:[（(][^（）()]{1,10}[）)])?\s*[:：为是]?\s*$"
)


_PAPER = re.compile(r"(?:the )?(?:agreement|contract|lease|licen[cs]e)|本?(?:协议|合同|租约)", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class DefinedTerm:
    """A term and what it stands for; `start` and `end` are where it is defined."""

    term: str
    meant: Mention
    start: int
    end: int


def defined_terms(text: str, mentions: Sequence[Mention]) -> Iterator[DefinedTerm]:
    """The terms that a sentence defines for names that it gives."""
    for mention in mentions:
        if mention.is_value or mention.pronoun or mention.type == "date":
            continue
        for pattern in (_BEHIND, _BEHIND_HAN):
            found = pattern.match(text, mention.end)
            if found is not None and _PAPER.fullmatch(found["term"]) and mention.type != "contract":
                continue  # "between A and B (the “Agreement”)": not B, but what is between them
            if found is not None and (pattern is _BEHIND or _CALLS_HAN.search(found.group())):
                yield DefinedTerm(term=found["term"], meant=mention, start=found.start("term"), end=found.end("term"))
        before = _PARTY_HAN.search(text, 0, mention.start)
        if before is not None:
            yield DefinedTerm(term=before["term"], meant=mention, start=before.start("term"), end=before.end("term"))


def with_terms(
    text: str, mentions: Sequence[Mention], terms: Mapping[str, Mention], new: Sequence[DefinedTerm]
) -> list[Mention]:
    """The mentions of a sentence, each defined term among them as what it means; where it is defined it names nothing."""
    out = [m for m in mentions if not any(t.start <= m.start and m.end <= t.end for t in new)]
    for term, meant in terms.items():
        edge = r"\b" if term.isascii() else ""
        for found in re.finditer(rf"{edge}{re.escape(term)}{edge}", text):
            start, end = found.span()
            if any(t.start < end and start < t.end for t in new):
                continue
            there = [m for m in out if m.start < end and start < m.end]
            if any((m.start < start or end < m.end) and not m.pronoun for m in there):
                continue  # a part of a longer name
            head = there[0].head if there else -1
            out = [m for m in out if m not in there]
            full = meant.same_as or meant.text
            out.append(
                replace(
                    meant, start=start, end=end, text=term, pronoun=True, same_as=full, head=head, rule="pronoun.term"
                )
            )
    return sorted(out, key=lambda m: m.start)
