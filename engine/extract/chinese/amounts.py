"""Amounts told of a thing: what it costs (标准版的月费是80元), how many a firm employs (蓝湖科技有85名员工)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from muniment.engine.extract.chinese.stance import clause_stance
from muniment.engine.extract.links import DENIED, Link, Stance
from muniment.engine.extract.mentions import ORGANISATION, PERSON, Mention
from muniment.engine.extract.rulebook import confidence_of
from muniment.engine.extract.wordings import Wordings

_TIME = r"(?:每(?:个)?(?:小时|天|日|周|月|季度|季|年|人|件|台|套|次|吨|箱|用户|席位|人天))"
_PRICE = re.compile(
    r"(?P<x>[\u4e00-\u9fffA-Za-z0-9·《》+-]{2,20}?)(?:的)(?P<n>价格|单价|售价|报价|标价|定价|月费|年费|费用|费率|小时费率|收费标准|收费)"
    r"(?P<be>(?:目前|现在|现|仍|还|已经?|最新|从[^，。；]{1,14}起|自[^，。；]{1,14}起)*(?:是|为|：|:|调整为|调整到|改为|变为|涨到|涨至|上调至|上调到|降到|降至|下调至|下调到|定为|达到))\s*"
    rf"(?P<v>{_TIME}?\s*(?:人民币|约)?\s*[\d,，.]+\s*(?:万|亿|千)?\s*(?:元|块|美元|欧元|港元|日元|英镑)(?:人民币)?(?:\s*[/／每]\s*(?:小时|天|日|周|个?月|季度?|年|人|件|台|套|次|吨|箱|用户|席位|人天))?)"
)
_NO_THING = re.compile(r"^(?:它|其|该|这|那|我们|你们|他们|对方|双方|产品|服务|整体|总体|所有|全部|市场|平均)$")


def price_links(text: str, mentions: Sequence[Mention], wordings: Wordings, above: Stance) -> Iterator[Link]:
    """The price that a sentence gives to a thing, with the time or piece that it is for; the thing need be no name."""
    relation = wordings.ontology.relation("price_of").relation
    for m in _PRICE.finditer(text) if relation.known else ():
        start, end = m.span("x")
        known = [x for x in mentions if start <= x.start and x.end == end and not x.is_value and x.type != "date"]
        before = re.split(r"(?:称|说|表示|确认|通知|得知|起|后)", m["x"])[-1]
        thing = Mention(start=end - len(before), end=end, text=before, type=relation.subject_types[0], rule="zh.phrase")
        if known:
            thing = replace(known[-1], type=known[-1].type or thing.type)
        elif _NO_THING.match(thing.text) or len(thing.text) < 2:
            continue
        value = Mention(
            start=m.start("v"),
            end=m.end("v"),
            text=m["v"].strip(),
            type="money",
            is_value=True,
            sure=True,
            rule="id.money",
        )
        stance = above.under(clause_stance(text, m.start("be")))
        yield Link(
            subject=thing, object=value, relation=relation.name, phrase=m["n"], rule="zh.noun.is",
            confidence=confidence_of("zh.noun.is"), anchor=m.start("n"), stance=stance,
        )  # fmt: skip


_V = r"(?:人民币|约)?\s*[\d,，.]+\s*(?:万|亿|千)?\s*(?:元|块|美元|欧元|港元|日元|英镑)(?:人民币)?"
_SUM = re.compile(
    rf"(?P<n>(?:采购|销售|服务|租赁|总)?(?:合同|协议|合约)(?:的)?(?:总?金额|总额|总?价款|总价|额))"
    rf"(?:(?:并?不是|并非)\s*(?P<wrong>{_V})\s*[，,]\s*(?:而|应该?|其实|实际)?(?:是|为)|(?:目前|现在|现|仍|已经?|共|共计|合计|最终)*(?:是|为|共|达|：|:|改为|变更为|调整为|增至|增加到|降至|降到))\s*(?P<v>{_V})"
)
_OF = re.compile(r"(?:公司)?(?:项目|一案|订单)?(?:的|签订的|签署的)?")


def sum_links(text: str, mentions: Sequence[Mention], wordings: Wordings, above: Stance) -> Iterator[Link]:
    """What a contract is worth, of whom it is named with (甲的合同金额为80万元) or of the two that it is between."""
    relation = wordings.ontology.relation("contract_value").relation
    for m in _SUM.finditer(text) if relation.known else ():
        named = [x for x in mentions if x.end <= m.start() and not x.is_value and not x.pronoun and x.type != "date"]
        if not named or not _OF.fullmatch(text, named[-1].end, m.start()):
            continue
        owner = named[-1]
        if len(named) > 1 and re.fullmatch(r"\s*(?:与|和|同|跟|及)\s*", text[named[-2].end : owner.start]):
            end = m.start() + re.search(r"合同|协议|合约", m["n"]).end()  # type: ignore[union-attr]
            owner = Mention(
                start=named[-2].start, end=end, text=text[named[-2].start : end], type="contract", is_value=True, rule="zh.phrase"
            )  # fmt: skip
        for group, stance in (("wrong", above.under(DENIED)), ("v", above.under(clause_stance(text, m.start("n"))))):
            if m[group]:
                value = Mention(
                    start=m.start(group), end=m.end(group), text=m[group].strip(), type="money", is_value=True, sure=True, rule="id.money"
                )  # fmt: skip
                yield Link(
                    subject=owner, object=value, relation=relation.name, phrase=m["n"], rule="zh.noun.is",
                    confidence=confidence_of("zh.noun.is") * (1.0 if owner.type == "contract" else 0.93), anchor=m.start("n"), stance=stance,
                )  # fmt: skip


_STAFF = re.compile(
    r"(?:目前|现在|现|共|总共|一共|约)*(?:有|拥有|雇有|雇用了?)(?:约|近|超过)?(?P<v>\d[\d,]*\s*(?:多|余)?(?:名|位|个)?(?:正式|全职|在职)?(?:员工|职工|雇员))"
)


def staff_links(text: str, mentions: Sequence[Mention], wordings: Wordings, above: Stance) -> Iterator[Link]:
    """How many people a firm employs."""
    relation = wordings.ontology.relation("employee_count").relation
    for firm in mentions if relation.known else ():
        m = None if firm.is_value or firm.type == PERSON else _STAFF.match(text, firm.end)
        if m is not None and wordings.ontology.is_a(firm.type or ORGANISATION, ORGANISATION):
            value = Mention(
                start=m.start("v"), end=m.end("v"), text=m["v"], type="quantity", is_value=True, rule="id.quantity"
            )
            yield Link(
                subject=firm, object=value, relation=relation.name, phrase="有", rule="zh.verb", confidence=confidence_of("zh.verb"),
                anchor=m.start(), stance=above.under(clause_stance(text, m.start("v"))),
            )  # fmt: skip
