"""Relations of a Chinese sentence: the ontology's verbs and nouns as patterns over clauses, and open ones."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from muniment.engine.extract.addresses import ADDRESS
from muniment.engine.extract.chinese import words
from muniment.engine.extract.chinese.amounts import price_links, staff_links, sum_links
from muniment.engine.extract.chinese.clauses import NOW, Clause, clauses, in_brackets, since_apart, usable_mentions
from muniment.engine.extract.chinese.endings import departed, endings, made
from muniment.engine.extract.chinese.roles import role_links
from muniment.engine.extract.chinese.stance import clause_stance
from muniment.engine.extract.contrast import without_excluded
from muniment.engine.extract.links import Link, Stance
from muniment.engine.extract.mentions import ORGANISATION, PERSON, Mention
from muniment.engine.extract.rulebook import confidence_of
from muniment.engine.extract.wordings import Chosen, Circumfix, Wording, Wordings
from muniment.engine.ports.models import Token
from muniment.graph_schema.records import Says

_IS = rf"{NOW}(?:是|为|系|叫|即|属)"
_NAME_IS = re.compile(rf"的?(?P<n>[\u4e00-\u9fffA-Za-z]{{1,10}}?){NOW}(?:是|为|系|叫|位于|设在|在|定在|设于|：|:|由)$")
_OF = re.compile(r"(?:的|那边的|这边的|方面的)?(?P<n>[\u4e00-\u9fffA-Z]{1,10})$")
_HOLDS = re.compile(rf"{NOW}(?:是|为|任|担任|出任|当选为?|就任|升任|接任|兼任|受聘为|被任命为|系|做|当)$")
_AFTER_NOUN = re.compile(r"(?:那边|这边)?的?(?P<n>[\u4e00-\u9fffA-Z]{1,10})")
_LED_BY_PREPOSITION = re.compile(r"(?:在|于|从|向|对|给|把|用|由|自|往|至|到|经|通过)$")
_TAKEN_OVER_FROM = re.compile(r"(?:接替|代替|替代|取代|顶替|替换)了?$")
_COMPLAINT_MAX = 24
_ENDS_CLAUSE = re.compile(r"[了的吗吧呢]?\s*(?:[，,。；;！!、]|$)")
MAX_OPEN_GAP = 14


def find_relations(
    text: str, tokens: Sequence[Token], mentions: Sequence[Mention], wordings: Wordings, above: Stance
) -> list[Link]:
    """Links in order of place; open ones only between ends that no typed one joins."""
    found: list[Link] = []
    tokens = since_apart(text, tokens)
    for clause in clauses(text, mentions):
        typed = [
            *_nouns(clause, wordings, above),
            *_verbs(clause, tokens, wordings, above),
            *role_links(clause, wordings, above),
            *endings(clause, wordings, above),
            *departed(clause, wordings, above),
        ]
        joined = {frozenset((link.subject.start, link.object.start)) for link in typed}
        found += typed
        found += [link for link in _open(clause, tokens, above) if not _is_joined(link, joined)]
    priced = [
        found for rule in (price_links, sum_links, staff_links) for found in rule(text, mentions, wordings, above)
    ]
    inside = [(link.subject.start, link.object.end) for link in priced]
    found = [link for link in found if not any(a <= link.object.start < b for a, b in inside)] + priced
    found = [*without_excluded(text, found), *_contrasts(text, mentions, wordings, above)]
    best: dict[tuple[str, str, str], Link] = {}
    for link in found:
        key = (link.subject.text, link.relation or link.name, link.object.text)
        if key not in best or (best[key].confidence, best[key].rule == "zh.ended.verb") < (
            link.confidence,
            link.rule == "zh.ended.verb",
        ):
            best[key] = link
    return sorted(best.values(), key=lambda link: (link.anchor, link.object.start))


_NOT_SO = re.compile(
    r"的?(?P<n>[\u4e00-\u9fff]{0,10}?)(?:并|其实|已|早已)?(?:不再|不)(?:是|在|设在|位于|叫|归)(?:[^，。；]{0,2})$"
)
_BUT_SO = re.compile(r"\s*[，,]?\s*(?:而|却|而且)?(?:是)?(?:改)?(?:在|设在|位于|由|叫|为|是|归)$")


def _contrasts(text: str, mentions: Sequence[Mention], wordings: Wordings, above: Stance) -> Iterator[Link]:
    """总部不在甲，而是在乙: the second is meant, the first left out."""
    named = [m for m in mentions if m.type not in ("date", "role")]
    for first, wrong, right in zip(named, named[1:], named[2:], strict=False):
        denied = _NOT_SO.fullmatch(text[first.end : wrong.start])
        if denied is None or not re.match(r"\s*[，,]?\s*(?:而|却|是|在)", text[wrong.end :]):
            continue
        if not _BUT_SO.fullmatch(text[wrong.end : right.start]):
            continue
        noun = denied["n"] or ("总部" if wordings.ontology.is_a(first.type or "thing", ORGANISATION) else "位置")
        chosen = wordings.choose(_han_nouns(wordings, noun), first, right)
        if chosen is not None:
            yield made(chosen, "zh.noun.is", noun, right.start, above)


def _is_joined(link: Link, joined: set[frozenset[int]]) -> bool:
    """Whether both ends are linked already, to each other or to one third."""
    one, other = link.subject.start, link.object.start
    mates = [pair - {one} for pair in joined if one in pair]
    return frozenset((one, other)) in joined or any(frozenset((*mate, other)) in joined for mate in mates)


def _nouns(clause: Clause, wordings: Wordings, above: Stance) -> Iterator[Link]:
    usable = usable_mentions(clause)
    dated = [m for m in clause.mentions if m.type == "date"]
    chain = usable if not clause.topic or (usable and usable[0].start - clause.start < 2) else [clause.topic, *usable]
    for at, first in enumerate(chain):
        for second in chain[at + 1 : at + 3]:
            between = _between(clause, first, second)
            if between is None or len(between) > 24:
                continue
            for date in dated:
                between = between.replace(date.text, "")
            yield from _noun_pair(clause, wordings, first, second, between, above)


def _between(clause: Clause, first: Mention, second: Mention) -> str | None:
    """The words between two names; for a topic of an earlier clause those from this clause's beginning."""
    start = first.end if first.start >= clause.start else clause.start
    return clause.text[start - clause.start : second.start - clause.start] if second.start >= start else None


def _noun_pair(
    clause: Clause, wordings: Wordings, first: Mention, second: Mention, between: str, above: Stance
) -> Iterator[Link]:
    plain = re.sub(r"[（(][^）)]*[）)]", "", between).strip()
    stance = above.under(clause_stance(clause.text, second.start - clause.start))
    m = _NAME_IS.match(plain)
    if m and m.end() == len(plain):
        chosen = wordings.choose(_han_nouns(wordings, m["n"]), first, second)
        if chosen is not None:
            yield made(chosen, "zh.noun.is", m["n"], first.end, stance)
            return
    if (
        second.is_value
        and plain in wordings.han_nouns
        and second.type in ("phone", "email", "money", "identifier", "url", "quantity", "duration", ADDRESS)
    ):
        chosen = wordings.choose(wordings.han_nouns[plain], first, second)
        if chosen is not None:
            yield made(chosen, "zh.noun.colon", plain, first.end, stance)
            return
    if (
        plain in ("在", "坐落在", "地处", "位于", "就在", "坐落于")
        and second.type == "place"
        and clause.text[second.end - clause.start :].strip(" ，。；！") == ""
    ):
        name = "headquartered_in" if wordings.ontology.is_a(first.type or "thing", ORGANISATION) else "located_in"
        relation = wordings.ontology.relation(name).relation
        if relation.known and first.type != PERSON:
            yield made(
                Chosen(relation=relation, subject=first, object=second, fit=1.0), "zh.verb", plain, first.end, stance
            )
            return
    m = _HOLDS.fullmatch(plain)
    if m:
        after = _AFTER_NOUN.match(clause.text[second.end - clause.start :])
        for noun in _prefixes(after["n"]) if after else ():
            chosen = wordings.choose(_han_nouns(wordings, noun), second, first)
            if chosen is not None:
                yield made(chosen, "zh.noun.copula", noun, first.end, stance)
                break
    m = _OF.fullmatch(plain)
    if m and first.start >= clause.start:
        chosen = wordings.choose(_han_nouns(wordings, m["n"]), first, second)
        if chosen is not None and second.type in (PERSON, ORGANISATION, "company", ""):
            yield made(chosen, "zh.noun.name", m["n"], first.end, stance)
    if (
        plain in ("的", "那边的", "这边的")
        and second.type == PERSON
        and wordings.ontology.is_a(first.type or "thing", ORGANISATION)
        and first.start >= clause.start
    ):
        relation = wordings.ontology.relation("works_for").relation
        if relation.known:
            yield made(
                Chosen(relation=relation, subject=second, object=first, fit=1.0), "zh.of", "的", first.end, stance
            )
    if re.fullmatch(r"[（(]", between.strip()) and clause.text[second.end - clause.start :][:1] in ("）", ")"):
        relation = wordings.ontology.relation("works_for").relation
        if relation.known and first.type == PERSON and wordings.ontology.is_a(second.type or "thing", ORGANISATION):
            yield made(
                Chosen(relation=relation, subject=first, object=second, fit=1.0), "zh.of", "（）", first.end, stance
            )


def _han_nouns(wordings: Wordings, noun: str) -> list[Wording]:
    """What a noun means, or its end where its beginning only describes: 新任财务总监 → 财务总监."""
    for start in range(len(noun)):
        found = wordings.han_nouns.get(noun[start:])
        if found and (start == 0 or len(noun) - start >= 2):
            return found
    return []


def _prefixes(noun: str) -> Iterator[str]:
    for end in range(len(noun), 0, -1):
        yield noun[:end]


def _verbs(clause: Clause, tokens: Sequence[Token], wordings: Wordings, above: Stance) -> Iterator[Link]:
    used: list[tuple[int, int]] = []
    covered = [(m.start - clause.start, m.end - clause.start) for m in clause.mentions]
    covered += [m.span() for m in words.ROLE_WORD.finditer(clause.text)]
    starts = {t.start for t in tokens}
    starts |= {t.start + 1 for t in tokens if _DENIED_VERB.fullmatch(t.text) and t.tag.startswith("v")}
    for at in range(len(clause.text)):
        if clause.start + at not in starts:
            continue
        for opening, circumfixes in wordings.han_verbs_at(clause.text, at):
            span = (at, at + len(opening))
            if _overlaps(span, used) or _overlaps(span, covered) or not _on_words(*span, clause.start, tokens):
                continue
            if len(opening) > 1 and words.ROLE_WORD.match(clause.text, at + len(opening)):
                continue  # 采购经理 is a role, no purchase
            if _inside_noun(clause.start + at, clause.start + span[1], tokens):
                continue  # 联系人 and 投资方 are nouns, not what somebody did
            links, end = _first_that_fits(clause, circumfixes, at, tokens, wordings, above)
            if links:
                used.append((at, max(end, span[1])))
                yield from links
                break


_DENIED_VERB = re.compile(r"[不没未][\u4e00-\u9fff]{1,3}")  # 不住在 is taken for one word


def _inside_noun(start: int, end: int, tokens: Sequence[Token]) -> bool:
    """Whether the stretch begins a longer word that is a noun, or a word that a noun of who or what does it follows."""
    at = next((i for i, t in enumerate(tokens) if t.start == start), -1)
    if at < 0:
        return False
    token = tokens[at]
    if token.end > end:
        return token.tag in ("n", "nz", "nw")
    behind = tokens[at + 1] if at + 1 < len(tokens) else None
    return behind is not None and behind.start == end and behind.text in _DOERS


_DOERS = frozenset("人 者 方 员 单 书 函 费 额 率 人员 方式 电话 地址 邮箱 信息 记录 部 部门 日期 时间 编号".split())


def _first_that_fits(
    clause: Clause,
    circumfixes: Sequence[Circumfix],
    at: int,
    tokens: Sequence[Token],
    wordings: Wordings,
    above: Stance,
) -> tuple[list[Link], int]:
    """The links of the longest wording that fits, and where its last part ends."""
    for circumfix in sorted(circumfixes, key=lambda c: -len(c.after)):
        links = list(_verb_at(clause, circumfix, at, tokens, wordings, above))
        if links:
            behind = max(link.object.end for link in links) - clause.start
            closed = clause.text.find(circumfix.after, behind) if circumfix.before and circumfix.after else -1
            return links, closed + len(circumfix.after) if closed >= 0 else 0
    return [], 0


def _on_words(start: int, end: int, offset: int, tokens: Sequence[Token]) -> bool:
    """Whether a single character is a word: 在 inside 现在 is no preposition."""
    return end - start > 1 or any(t.end == end + offset for t in tokens)


def _overlaps(span: tuple[int, int], others: Sequence[tuple[int, int]]) -> bool:
    return any(span[0] < b and a < span[1] for a, b in others)


def _verb_at(
    clause: Clause, circumfix: Circumfix, at: int, tokens: Sequence[Token], wordings: Wordings, above: Stance
) -> Iterator[Link]:
    stance = above.under(clause_stance(clause.text, at))
    place = clause.start + at
    if not circumfix.after and _followed_by_verb(clause.text, at + len(circumfix.before), tokens, clause.start):
        return
    for subject in _subjects(clause, place):
        yield from _told(clause, circumfix, subject, place, wordings, stance)


def _followed_by_verb(text: str, at: int, tokens: Sequence[Token], offset: int) -> bool:
    """计划收购, 拒绝加入: what stands behind is not the object but another verb."""
    skipped = re.compile(r"[了过着]*").match(text, at)
    start = (skipped.end() if skipped else at) + offset
    return any(t.start == start and t.tag in ("v", "vd") for t in tokens)


def _subjects(clause: Clause, place: int) -> list[Mention]:
    """The subject and those joined to it: 甲公司与乙公司签订."""
    last = _subject(clause, place)
    if last is None:
        return []
    group = [last]
    for mention in reversed([m for m in usable_mentions(clause) if m.end <= last.start]):
        if re.fullmatch(
            r"\s*(?:和|与|及|、|跟)\s*", clause.text[mention.end - clause.start : group[0].start - clause.start]
        ):
            group.insert(0, mention)
    return group


def _told(
    clause: Clause, circumfix: Circumfix, subject: Mention, place: int, wordings: Wordings, stance: Stance
) -> Iterator[Link]:
    for object_ in _objects(clause, circumfix, place):
        if object_.start == subject.start:
            continue
        chosen = wordings.choose([circumfix.wording], subject, object_)
        if chosen is None and subject is not clause.topic:
            earlier = [m for m in usable_mentions(clause) if m.end <= subject.start]
            chosen = wordings.choose([circumfix.wording], earlier[0], object_) if earlier else None
        if chosen is not None and chosen.relation.name == "has_role":
            continue  # told better by the rule of roles
        if chosen is not None and chosen.relation.name in _ASKED_OF and not _is_last(clause, object_):
            continue  # 要求张敏加入: not her, but that she joins
        if chosen is not None and chosen.relation.name == "has_responsible_person" and chosen.subject.type == PERSON:
            continue  # 李强离职，现在由周敏负责: for what he did, not for him
        if chosen is None or (chosen.fit < 0.4 and object_.is_value and object_.type == "text"):
            continue
        if chosen.relation.name == "headquartered_in" and _OF_A_PART.match(clause.text, subject.end - clause.start):
            continue  # 蓝湖科技的仓库搬到苏州: not the firm
        phrase = circumfix.before + ("…" + circumfix.after if circumfix.after else "")
        yield made(chosen, "zh.verb", phrase, place, _with_end(clause, circumfix, object_, stance))


_OF_A_PART = re.compile(
    r"(?:那边|这边)?的?(?!总部|办公|公司|总公司)[\u4e00-\u9fff]{0,4}(?:仓库|工厂|门店|分公司|办事处|车间|产线|服务器|设备|项目|团队|部门)|的(?!总部|办公|公司|总公司|注册|地址)"
)


def _with_end(clause: Clause, circumfix: Circumfix, object_: Mention, stance: Stance) -> Stance:
    """The stance, with what stands in front of the last part of a wording: 和张伟没有离婚."""
    at = clause.text.find(circumfix.after, object_.end - clause.start) if circumfix.before and circumfix.after else -1
    return stance.under(clause_stance(clause.text, at)) if at >= 0 and stance.says is Says.HOLDS else stance


_ASKED_OF = frozenset({"wants", "requested", "plans_to"})


def _is_last(clause: Clause, mention: Mention) -> bool:
    """Whether nothing more is said behind a name, so that it is itself what was asked for; a plain word always is."""
    named = mention.type == PERSON or (not mention.is_value and mention.rule.startswith("zh.name.firm"))
    return not named or bool(_ENDS_CLAUSE.match(clause.text, mention.end - clause.start))


def _subject(clause: Clause, place: int) -> Mention | None:
    before = [m for m in usable_mentions(clause) if m.end <= place and not m.is_value and not _bracketed(clause, m)]
    while before:
        last = before[-1]
        gap = clause.text[last.end - clause.start : place - clause.start]
        # 华星制造的经理投诉: the owner in front of 的 is not the subject, but it is the nearest name
        led = clause.text[: last.start - clause.start]
        if _LED_BY_PREPOSITION.search(led) and not re.match(r"的", gap):
            before.pop()
            continue
        if _TAKEN_OVER_FROM.search(led) and len(before) > 1:
            before.pop()  # 李娜接替张伟负责: who does it now is she
            continue
        return last
    return clause.topic


def _bracketed(clause: Clause, mention: Mention) -> bool:
    return in_brackets(clause.text, mention.start - clause.start)


def _objects(clause: Clause, circumfix: Circumfix, place: int) -> Iterator[Mention]:
    if circumfix.before and circumfix.after:
        inner = [
            m
            for m in usable_mentions(clause)
            if m.start >= place + len(circumfix.before) and m.start - place - len(circumfix.before) <= 3
        ]
        if inner:
            group = _coordinated(clause, inner[0])
            rest = clause.text[group[-1].end - clause.start :]
            found = rest.find(circumfix.after)
            if 0 <= found <= 8:
                yield from group
        return
    end = place + len(circumfix.before or circumfix.after)
    after = [m for m in clause.mentions if m.start >= end and (not m.pronoun or m.same_as) and m.type != "date"]
    dates = [m for m in clause.mentions if m.type == "date" and m.start >= end]
    near = [m for m in after if m.start - end <= 8 and not (dates and end <= dates[0].start < m.start)]
    if near:
        yield from _coordinated(clause, near[0])
        return
    if dates and dates[0].start - end <= 3 and clause.text[dates[0].end - clause.start :][:1] != "的":
        yield dates[0]
        return
    text = re.sub(r"^(?:了|过|着|的|其|一下)+", "", clause.text[end - clause.start :].rstrip("，。；！!;, "))
    ends = re.search(r"(?:到期|届满|期满|失效)$", text)  # another clause: what was signed expires
    if 1 < len(text) <= _COMPLAINT_MAX and not after and not ends and text[0] not in "、（(“，":
        start = clause.text.find(text, end - clause.start) + clause.start
        yield Mention(start=start, end=start + len(text), text=text, type="text", is_value=True, rule="zh.phrase")


def _coordinated(clause: Clause, first: Mention) -> list[Mention]:
    """The mention and those joined to it by 和 or 、."""
    group = [first]
    for mention in usable_mentions(clause):
        if mention.start > group[-1].start and re.fullmatch(
            r"(?:和|与|及|以及|、|跟|，|,)",
            clause.text[group[-1].end - clause.start : mention.start - clause.start].strip(),
        ):
            group.append(mention)
    return group


def _open(clause: Clause, tokens: Sequence[Token], above: Stance) -> Iterator[Link]:
    usable = [m for m in usable_mentions(clause) if m.type != "role"]
    chain = (
        usable
        if usable and (not clause.topic or usable[0].start - clause.start < 2)
        else ([clause.topic, *usable] if clause.topic else usable)
    )
    for first, second in pairwise(chain):
        between = _between(clause, first, second)
        if between is None or first.is_value or not 0 < len(between) <= MAX_OPEN_GAP:
            continue
        if (
            first.start >= clause.start
            and _LED_BY_PREPOSITION.search(clause.text[: first.start - clause.start])
            and not between.startswith("的")
        ):
            continue
        start = first.end if first.start >= clause.start else clause.start
        inside = [t for t in tokens if start <= t.start < second.start]
        after = [t for t in tokens if second.end <= t.start < min(clause.end, second.end + 6)]
        verbs = (
            [t for t in inside if t.tag in ("v", "vn", "vd")] or [t for t in after if t.tag in ("v", "vn")][:1]
            if any(t.tag == "p" for t in inside) or inside
            else []
        )
        nouns = [t for t in inside if t.tag in ("n", "vn", "an", "nz")]
        carried = verbs or nouns
        if not carried or re.fullmatch(r"[、和与及，,\s]*", between):
            continue
        stance = above.under(clause_stance(clause.text, carried[0].start - clause.start))
        if re.search(r"不|没|未|非|无|别|[（(）)“”]", between):
            continue
        if verbs and verbs[-1].text == "是" and not _ENDS_CLAUSE.match(clause.text, second.end - clause.start):
            continue  # 是东莞某厂的厂长: what one is comes after the name
        yield Link(
            subject=first, object=second, relation="", phrase=between.strip("的了 ") + ("" if verbs and verbs[0] in inside else "".join(t.text for t in verbs)),
            rule="zh.open.verb", confidence=confidence_of("zh.open.verb") * (1.0 if verbs else 0.85), anchor=start, stance=stance,
            name="_".join(t.text for t in carried[:3]),
        )  # fmt: skip
