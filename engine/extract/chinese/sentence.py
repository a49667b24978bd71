"""All mentions and relations of one Chinese sentence."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from muniment.engine.extract.chinese.clauses import NOW
from muniment.engine.extract.chinese.names import find_names
from muniment.engine.extract.chinese.relations import find_relations
from muniment.engine.extract.chinese.stance import sentence_stance
from muniment.engine.extract.context import pronouns
from muniment.engine.extract.dates import DateSpan
from muniment.engine.extract.lines import open_line
from muniment.engine.extract.links import DENIED, Link, Stance
from muniment.engine.extract.mentions import Mention, without_overlaps
from muniment.engine.extract.reading import Sentence
from muniment.engine.extract.rulebook import confidence_of
from muniment.engine.extract.wordings import Chosen, Wording, Wordings
from muniment.engine.ports.models import Analysis


def find_mentions(
    text: str, analysis: Analysis, dates: Sequence[DateSpan], given: Sequence[Mention] = ()
) -> list[Mention]:
    """Names, identifiers, dates and pronouns of a sentence, in order of place; `given` are names known already."""
    names = find_names(text, analysis, dates=[(d.bare_start, d.end) for d in dates], given=given)
    told = [
        Mention(
            start=d.bare_start, end=d.end, text=text[d.bare_start : d.end], type="date", sure=True, is_value=True,
            same_as=d.since.date().isoformat(), rule=d.rule,
        )
        for d in dates
    ]  # fmt: skip
    return without_overlaps([*names, *told, *pronouns(text, analysis.tokens, "zh")])


def find_links(
    sentence: Sentence, analysis: Analysis, mentions: Sequence[Mention], wordings: Wordings, *, owner: Mention | None
) -> list[Link]:
    """All relations of a sentence; none from a question."""
    above = sentence_stance(sentence.text)
    if above.silent:
        return []
    links = find_relations(sentence.text, analysis.tokens, mentions, wordings, above)
    if sentence.key and owner is not None and not any(m.start < sentence.value_start for m in mentions):
        links += _line(sentence, mentions, wordings, owner)
    elif owner is not None and not links:
        links += _of_owner(sentence, mentions, wordings, owner, above)
    return links + _expiry(sentence.text, mentions, wordings, owner, above)


_ENDS = re.compile(r"\s*(?:正式|自动|自然)?(?:到期|届满|期满|失效|止|截止)")
_ENDS_WITH = re.compile(r"\s*(?:正式|自动|自然)?(?:到期|届满|期满|失效|为止|截止|止)$")
_ENDS_BEFORE = re.compile(
    r"(?:到期日|到期时间|届满日|失效日期?|终止日期?|有效期|期限)(?:为|是|至|到|：|:|截至|截止到?)*\s*$"
)
_AGREED = re.compile(
    r"(?P<c>(?:本|该|此|这份|上述)?(?:[\u4e00-\u9fff]{0,8}?)(?:合同|协议|合约|租约|租赁|保单|许可证?|授权|质保期?|服务期))"
    r"(?:的?有效期|的?期限|的?服务期)?(?:目前|现|即|将|会|已|定|应|于|在|至|到|自|，|,|、|\s)*$"
)
_LINKED = re.compile(r"(?:双方|所)?(?:签订|签署|签)?(?:了)?的?")


def _expiry(
    text: str, mentions: Sequence[Mention], wordings: Wordings, owner: Mention | None, above: Stance
) -> list[Link]:
    """蓝湖科技的合同将于2026年底到期: when something agreed ends, said of the thing itself or of what the text is about."""
    relation = wordings.ontology.relation("expires_on").relation
    if not relation.known:
        return []
    for moment in mentions:
        date = moment
        if date.type != "date":
            continue
        before = text[: date.start]
        lead = _ENDS_BEFORE.search(before)
        told = _ENDS_WITH.search(date.text)  # a date is read with the word that says what it does
        if not lead and not told and not _ENDS.match(text, date.end):
            continue
        if told:
            date = replace(date, end=date.start + told.start(), text=date.text[: told.start()])
        thing = _agreed(text, before[: lead.start()] if lead else before, mentions, owner)
        if thing is not None:
            chosen = Chosen(relation=relation, subject=thing, object=date, fit=1.0)
            return [
                Link(
                    subject=chosen.subject, object=date, relation=relation.name, phrase="到期", rule="zh.verb",
                    confidence=confidence_of("zh.verb"), anchor=date.start, stance=above,
                )
            ]  # fmt: skip
    return []


def _agreed(text: str, before: str, mentions: Sequence[Mention], owner: Mention | None) -> Mention | None:
    """What ends: a contract named right before, a contract told by whose it is, or the one that the text is about."""
    named = [m for m in mentions if m.type == "contract" and not m.pronoun and m.end <= len(before)]
    if named and re.fullmatch(r"[\s，,、]*(?:目前|现|即|将|会|于|在)*", before[named[-1].end :]):
        return named[-1]
    found = _AGREED.search(before)
    if found is None:
        return None
    start, end = found.span("c")
    holders = [m for m in mentions if not m.is_value and not m.pronoun and m.end <= end and m.type != "date"]
    for holder in reversed(holders):
        between = _LINKED.match(text, holder.end)
        if between is not None and between.end() >= start and holder.start <= start + 8:
            name = text[holder.start : end]
            return Mention(start=holder.start, end=end, text=name, type="contract", is_value=True, rule="zh.phrase")
    if owner is not None and re.search(r"(?:合同|协议|合约|租约|保单)", owner.text):
        return owner
    return None


_NOUN_IS = re.compile(rf"^(?:该|其|本)?(?P<n>[\u4e00-\u9fffA-Z]{{2,10}}?){NOW}(?P<be>是|为|并?不是|并非)")
_BUT_IS = re.compile(r"\s*[，,]?\s*(?:而|而应该?|应该?|其实|实际)?(?:是|为)")
# What 金额 alone is of, by what the text is about.
_SUMS = (("合同 协议 合约 租约 保单", "contract_value"), ("订单 商机 项目", "value_of_deal"))


def _of_owner(
    sentence: Sentence, mentions: Sequence[Mention], wordings: Wordings, owner: Mention, above: Stance
) -> list[Link]:
    """主要联系人是张敏 in a text about a firm: a noun of the ontology that the sentence gives to nobody else; of 不是甲，是乙 both."""
    found = _NOUN_IS.match(sentence.text)
    value = next((m for m in mentions if found and m.start == found.end() and not m.pronoun), None)
    if found is None or value is None or any(m.start < value.start for m in mentions):
        return []
    is_denied = found["be"] not in ("是", "为")
    told = [(value, above.under(DENIED) if is_denied else above)]
    right = next((m for m in mentions if m.start > value.start and not m.pronoun), None) if is_denied else None
    if right is not None and _BUT_IS.fullmatch(sentence.text, value.end, right.start):
        told.append((right, above))
    links: list[Link] = []
    for one, stance in told:
        chosen = wordings.choose(_noun_of(found["n"], owner, wordings), owner, one)
        if chosen is None or chosen.subject.start != owner.start:
            continue
        links.append(
            Link(
                subject=chosen.subject, object=chosen.object, relation=chosen.relation.name, phrase=found["n"], rule="zh.noun.colon",
                confidence=confidence_of("zh.noun.colon") * (1.0 if chosen.fit > 0.3 else 0.9), anchor=one.start, stance=stance,
            )
        )  # fmt: skip
    return links


def _noun_of(noun: str, owner: Mention, wordings: Wordings) -> Sequence[Wording]:
    """What a noun means of the thing at hand; a bare 金额 is that of a contract or order."""
    if noun not in ("金额", "总金额", "总额"):
        return wordings.han_nouns.get(noun, ())
    for words, name in _SUMS:
        relation = wordings.ontology.relation(name).relation
        if relation.known and any(word in owner.text for word in words.split()):
            return (Wording(relation=relation, forward=True),)
    return ()


def _line(sentence: Sentence, mentions: Sequence[Mention], wordings: Wordings, owner: Mention) -> list[Link]:
    """客户经理：张伟 under a title."""
    value = next((m for m in mentions if m.start == sentence.value_start and not m.pronoun), None)
    if value is None:
        text = sentence.text[sentence.value_start :].rstrip(" .;,。；，")
        value = Mention(
            start=sentence.value_start, end=sentence.value_start + len(text), text=text, type="text", is_value=True
        )
    chosen = wordings.choose(wordings.han_nouns.get(sentence.key, ()), owner, value)
    if chosen is None:
        return open_line(sentence, owner, value, "zh.open.line")
    return [
        Link(
            subject=chosen.subject, object=chosen.object, relation=chosen.relation.name, phrase=sentence.key, rule="zh.noun.colon",
            confidence=confidence_of("zh.noun.colon") * (1.0 if chosen.fit > 0.3 else 0.9), anchor=sentence.value_start,
        )
    ]  # fmt: skip
