"""What a Chinese clause says has ended, and what took its place: 离职, 离开, 停用, 从…搬到…."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

from muniment.engine.extract.chinese import words
from muniment.engine.extract.chinese.clauses import NOW, Clause, usable_mentions
from muniment.engine.extract.chinese.names import is_like_a_person
from muniment.engine.extract.chinese.stance import clause_stance
from muniment.engine.extract.fitting import fitted, retyped
from muniment.engine.extract.links import ENDED, Link, Stance
from muniment.engine.extract.mentions import ORGANISATION, PERSON, Mention
from muniment.engine.extract.wordings import Chosen, Wordings
from muniment.graph_schema.records import Says

_ENDED = (
    (re.compile(r"(?:已|已经|刚|刚刚)?(?:从|自)$"), re.compile(r"(?:公司)?(?:正式)?(?:离职|辞职|离开|退休|跳槽|卸任|退出|走人|离任)"), "works_for"),
    (re.compile(r"(?:已|已经|刚|刚刚|正式|上周|昨天)*(?:离开了?|退出了?|辞去了?|告别了?)$"), re.compile(r""), "works_for"),
    (re.compile(r"(?:已|已经|全面)*(?:停用了?|弃用了?|卸载了?|停止使用|不再使用|不用)$"), re.compile(r""), "uses"),
)  # fmt: skip
_MOVED = re.compile(r"(?:从|由)$")
_MOVED_TO = re.compile(r"(?:跳槽|转|调|调任|调往|搬|迁|换|转会|切换|迁移)(?:到|至|去|往|入)?了?$")


def made(chosen: Chosen, rule: str, phrase: str, anchor: int, stance: Stance) -> Link:
    """The link of a chosen relation, its ends typed as the relation asks."""
    return Link(
        subject=retyped(chosen.subject, chosen.relation.subject_types), object=retyped(chosen.object, chosen.relation.object_types),
        relation=chosen.relation.name, phrase=phrase, rule=rule, confidence=fitted(rule, chosen.fit), anchor=anchor, stance=stance,
    )  # fmt: skip


def _is_town(mention: Mention) -> bool:
    return mention.type == "place" and mention.text.removesuffix("市") in words.KNOWN_PLACES


def endings(clause: Clause, wordings: Wordings, above: Stance) -> Iterator[Link]:
    """What the verbs around a name end, and what a move from one place, firm or tool to another begins."""
    usable = [m for m in usable_mentions(clause) if not m.is_value]
    for mention in usable:
        before = clause.text[: mention.start - clause.start]
        after = clause.text[mention.end - clause.start :]
        subject = next((m for m in reversed(usable) if m.end <= mention.start), clause.topic)
        if subject is None or subject.start == mention.start:
            continue
        for opened, closed, name in _ENDED:
            relation = wordings.ontology.relation(name).relation
            if name == "works_for" and (
                _is_town(mention) or (before.endswith(("辞去", "辞去了")) and words.ROLE_WORD.search(after[:8]))
            ):
                continue  # who leaves a town has left no employer; who gives up a post may stay
            if (
                relation.known
                and opened.search(before)
                and closed.match(after)
                and wordings.fit(relation, subject, mention) >= 0.4
            ):
                chosen = Chosen(relation=relation, subject=subject, object=mention, fit=1.0)
                yield made(chosen, "zh.ended.verb", before[-4:] + "…" + after[:4], mention.start, above.under(ENDED))
        target = next((m for m in usable if m.start > mention.start), None)
        if (
            target is not None
            and _MOVED.search(before)
            and _MOVED_TO.search(clause.text[mention.end - clause.start : target.start - clause.start])
        ):
            if mention.type == "place" and is_like_a_person(subject):
                subject = replace(subject, type=PERSON)
            if subject.type == PERSON:
                names: tuple[str, ...] = ("works_for",) if mention.type != "place" else ("lives_in",)
            else:
                names = ("headquartered_in", "lives_in", "uses")
            for name in names:
                relation = wordings.ontology.relation(name).relation
                if relation.known and wordings.fit(relation, subject, target) >= 0.4:
                    yield made(
                        Chosen(relation=relation, subject=subject, object=mention, fit=1.0),
                        "zh.ended.verb",
                        "从…到",
                        mention.start,
                        above.under(ENDED),
                    )
                    yield made(
                        Chosen(relation=relation, subject=subject, object=target, fit=1.0),
                        "zh.verb",
                        "从…到",
                        target.start,
                        above,
                    )
                    break


_HAS_GONE = re.compile(
    rf"(?:一职)?{NOW}(?:将要?|即将|计划|打算|准备)?(?:于|在)?(?:正式|主动|突然|因[^，。；]{{1,8}})?{NOW}(?P<v>离职|辞职|退休|离任|离开了?(?:公司|我们公司|该公司|团队)|被(?:辞退|解雇|裁员?|开除|免职))"
)
_AT_FIRM = re.compile(
    rf"(?:公司)?(?:的|那边的|这边的)?(?:{words.ROLE_WORD.pattern}|[\u4e00-\u9fff]{{0,6}}(?:{words.ROLE_WORD.pattern}))?"
)


def departed(clause: Clause, wordings: Wordings, above: Stance) -> Iterator[Link]:
    """蓝湖科技总监王芳上周离职: who leaves, and the firm that they are told to be of."""
    relation = wordings.ontology.relation("works_for").relation
    usable = usable_mentions(clause)
    for firm, person in pairwise(m for m in usable if m.type != "role") if relation.known else ():
        between = clause.text[firm.end - clause.start : person.start - clause.start]
        if not wordings.ontology.is_a(firm.type or "thing", ORGANISATION) or not is_like_a_person(person):
            continue
        rest = clause.text[person.end - clause.start :]
        for date in (m for m in clause.mentions if m.type == "date" and m.start >= person.end):
            rest = rest.replace(date.text, "", 1)
        gone = _HAS_GONE.match(rest)
        if gone is None or not _AT_FIRM.fullmatch(between):
            continue
        at = clause.text.find(gone["v"], person.end - clause.start)
        chosen = Chosen(relation=relation, subject=replace(person, type=PERSON), object=firm, fit=1.0)
        stance = above.under(replace(clause_stance(clause.text, at), says=Says.HOLDS)).under(ENDED)
        yield made(chosen, "zh.ended.verb", gone["v"], person.end, stance)
