"""The role that a person has in a Chinese clause, and the firm where it is."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from muniment.engine.extract.chinese import words
from muniment.engine.extract.chinese.clauses import NOW, Clause, usable_mentions
from muniment.engine.extract.chinese.stance import clause_stance
from muniment.engine.extract.fitting import retyped
from muniment.engine.extract.links import ENDED, Link, Stance
from muniment.engine.extract.mentions import ORGANISATION, PERSON, Mention
from muniment.engine.extract.rulebook import confidence_of
from muniment.engine.extract.wordings import Wordings
from muniment.graph_schema.records import Says

_ROLE_VERB = re.compile(
    r"(?:担任|出任|就任|升任|接任|兼任|任职?|当选为?|被任命为|受聘为|晋升为|是|为|做)(?:了|其|他们的|我们的|该公司)?$"
)


def role_links(clause: Clause, wordings: Wordings, above: Stance) -> Iterator[Link]:
    relation = wordings.ontology.relation("has_role").relation
    works_for = wordings.ontology.relation("works_for").relation
    if not relation.known:
        return
    for m in words.ROLE.finditer(clause.text):
        start = clause.start + m.start()
        role_start, firm = _role_start(clause, start, clause.start + m.end(), wordings)
        text = clause.text[role_start - clause.start : m.end()]
        if any(x.start < clause.start + m.end() and role_start < x.end for x in clause.mentions if x.type == PERSON):
            continue
        if not text or re.match(r"^(?:的|是|为|任|了|和|与)", text):
            continue
        person = _holder(clause, role_start, clause.start + m.end(), firm)
        if person is None:
            continue
        stance = above.under(clause_stance(clause.text, m.start()))
        if re.search(r"(?:前任?|原任?|前)$", clause.text[: role_start - clause.start]) and not re.search(
            r"(?:目前|提前|之前|以前)$", clause.text[: role_start - clause.start]
        ):
            stance = stance.under(ENDED)
        role = Mention(start=role_start, end=clause.start + m.end(), text=text, type="role", rule="zh.role")
        if _GIVES_UP.search(
            clause.text, max(0, person.end - clause.start), (firm.start if firm else role_start) - clause.start
        ):
            yield from _left_post(clause, wordings, replace(person, type=PERSON), role, firm, above)
            continue
        successor = _successor(clause, person)
        if successor is not None:
            stance = stance.under(ENDED)
            held = replace(successor, type=PERSON)
            yield Link(
                subject=held, object=role, relation=relation.name, phrase="改为", rule="zh.role",
                confidence=confidence_of("zh.role"), anchor=role_start, stance=above,
            )  # fmt: skip
        yield Link(
            subject=replace(person, type=PERSON),
            object=role,
            relation=relation.name,
            phrase="是",
            rule="zh.role",
            confidence=confidence_of("zh.role"),
            anchor=role_start,
            stance=stance,
        )
        if firm is not None and works_for.known:
            yield Link(
                subject=replace(person, type=PERSON), object=retyped(firm, works_for.object_types), relation=works_for.name, phrase=text,
                rule="zh.role.employer", confidence=confidence_of("zh.role.employer"), anchor=role_start, stance=stance,
            )  # fmt: skip


# 辞去蓝湖科技总经理职务, 不再担任总经理: who had the post has it no more.
_GIVES_UP = re.compile(
    r"(?<![未没不])(?:不再(?:担任|兼任|出任|任|是)|卸任|卸去|辞去|辞任|辞掉|免去|离任|让出|交出)了?(?:其|在)?$"
)


def _left_post(
    clause: Clause, wordings: Wordings, person: Mention, role: Mention, firm: Mention | None, above: Stance
) -> Iterator[Link]:
    """The role as ended, and the post at the firm that is named with it; where else one works is not told."""
    given_up = clause_stance(clause.text, (firm.start if firm else role.start) - clause.start)
    at = next((m.start() for m in re.finditer(r"不再|卸|辞|免|离|让|交", clause.text)), 0)
    stance = above.under(replace(clause_stance(clause.text, at), says=Says.HOLDS)).under(ENDED)
    if given_up.silent:
        return
    yield Link(
        subject=person, object=role, relation="has_role", phrase="卸任", rule="zh.role", confidence=confidence_of("zh.role"),
        anchor=role.start, stance=stance,
    )  # fmt: skip
    chosen = wordings.choose(wordings.han_nouns.get(role.text, ()), firm, person) if firm is not None else None
    if chosen is not None and chosen.object.start == person.start:
        yield Link(
            subject=retyped(chosen.subject, chosen.relation.subject_types), object=person, relation=chosen.relation.name, phrase=role.text,
            rule="zh.ended.verb", confidence=confidence_of("zh.ended.verb"), anchor=role.start, stance=stance,
        )  # fmt: skip


def _successor(clause: Clause, person: Mention) -> Mention | None:
    """由郭亮改为陈静: who has the post from now on."""
    after = clause.text[person.end - clause.start :]
    m = re.match(r"(?:改为|变更为|换成|调整为|更换为|换为|改由)", after)
    if m is None:
        return None
    return next((x for x in usable_mentions(clause) if x.start == person.end + m.end()), None)


def _role_start(clause: Clause, start: int, end: int, wordings: Wordings) -> tuple[int, Mention | None]:
    """Where the role begins behind the firm that it is at, and the firm."""
    for mention in clause.mentions:
        if (
            mention.end <= end
            and mention.start >= clause.start
            and wordings.ontology.is_a(mention.type or "thing", ORGANISATION)
        ):
            gap = clause.text[mention.end - clause.start : end - clause.start]
            inner = re.match(r"(?:公司)?(?:的|这边的|那边的|新任|前任?|原|现任|(?=\S))+", gap)
            if len(gap) <= 12 and not re.search(r"[，。；是任为（(]", gap):
                skip = len(inner.group()) if inner else 0
                return mention.end + skip, mention
    text = clause.text[: end - clause.start]
    m = re.search(
        r"(?:是|为|任|担任|出任|升任|接任|兼任|任命为|当选|当选为|聘为|晋升为|的|由|，|（|\(|其|做|当|位|名|我们|我司|新|和)(?=[\u4e00-\u9fffA-Z]{2,8}$)",
        text,
    )
    best = start
    for m in re.finditer(
        r"是|担任|出任|升任|接任|兼任|任命为|当选为|聘为|晋升为|任|的|由|（|其|做|名|位|为|向|给|跟|和|与|叫|找|请|让|被|把|对|从|约|见|问",
        text[: len(text) - 1],
    ):
        if len(text) - m.end() >= 2:
            best = clause.start + m.end()
    inside = [x for x in clause.mentions if x.end <= end - 2]
    return max([best, *(x.end for x in inside)]), None


def _holder(clause: Clause, start: int, end: int, firm: Mention | None) -> Mention | None:
    """Who has the role: the name right behind it, or the subject of 是 and 担任 in front of it."""
    usable = [m for m in usable_mentions(clause) if m.type in (PERSON, "") and not m.is_value]
    right = next((m for m in usable if 0 <= m.start - end <= 1), None)
    by = re.match(r"(?:一职)?(?:目前|现在|现|则|暂)?(?:由|是|为|：|:)", clause.text[end - clause.start :])
    if by:
        found = next((m for m in usable if m.start >= end + by.end() and m.start - end - by.end() <= 1), None)
        if found is not None:
            return found
    if right is not None:
        return right
    # 陈静接替郭亮担任: who takes a post over has it, not whom he follows
    usable = [
        m for m in usable if not re.search(r"(?:接替|替代|取代|代替|接任|顶替)$", clause.text[: m.start - clause.start])
    ]
    before = clause.text[: (firm.start if firm else start) - clause.start]
    subject = next((m for m in reversed(usable) if m.end <= (firm.start if firm else start)), None)
    if subject is None and clause.topic is not None and clause.topic.type == PERSON:
        return clause.topic if _ROLE_VERB.search(before) or not before.strip() else None
    if subject is None:
        return None
    gap = clause.text[subject.end - clause.start : (firm.start if firm else start) - clause.start]
    for mention in clause.mentions:
        gap = gap.replace(mention.text, "") if mention.type == "date" else gap
    gap = re.sub(r"(?:接替|替代|取代|代替|顶替)[\u4e00-\u9fff]{1,4}?(?=担任|出任|任|为)", "", gap)
    return (
        subject
        if re.fullmatch(
            rf"{NOW}(?:起|开始)?{NOW}(?:是|为|任|担任|出任|就任|升任|接任|兼任|当选为?|被任命为|受聘为|晋升为|做|当|不再(?:担任|兼任|出任|任|是)|卸任|卸去|辞去|辞任|辞掉|离任|，|（|\(|在)?(?:了|我们的|我司的?|该公司的?|新任|现任|其|新)?",
            gap,
        )
        and gap.strip()
        else None
    )
