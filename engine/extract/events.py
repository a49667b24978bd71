"""Things that happen at a time: meetings, hearings, launches, calls."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from muniment.engine.extract.candidates import Named
from muniment.engine.extract.dates import DateSpan, Granularity, Role
from muniment.engine.extract.english.stance import sentence_stance
from muniment.engine.extract.links import Link
from muniment.engine.extract.mentions import Mention
from muniment.engine.extract.reading import Sentence
from muniment.engine.extract.rulebook import confidence_of

_EN = re.compile(
    r"\b(?P<e>(?:kick-?off |board |sales |status |review |follow-?up |first |next |annual |quarterly |weekly |court |team |video |site )?(?:meeting|hearing|call|demo|demonstration|workshop|conference|trial|appointment|interview|visit|launch|go-live|audit|inspection|training|webinar|deadline|renewal|review|lunch|dinner|flight|birthday|wedding|anniversary|party|deposition|mediation|arbitration|signing|delivery|shipment|installation|migration|release|outage|kick-?off|CMC))\b",
    re.IGNORECASE,
)
_ZH = re.compile(
    r"(?P<e>(?:首次|启动|例行|季度|年度|视频|电话)?(?:会议|开庭|听证会|庭审|会谈|演示|培训|发布会|验收|签约|拜访|面试|评审|审计|检查|上线|交付|到货|生日|婚礼|聚餐|出差|航班|巡检|约谈|复诊))"
)
# What a sentence says happens at least this exactly has a place in a calendar.
_FINE = frozenset({Granularity.HOUR, Granularity.DAY, Granularity.WEEK, Granularity.PART, Granularity.MONTH})


@dataclass(frozen=True, slots=True, kw_only=True)
class Happening:
    title: str
    type: str
    about: Named | None
    at: datetime
    until: datetime
    granularity: str
    confidence: float


def event_of(
    sentence: Sentence, mentions: Sequence[Mention], dates: Sequence[DateSpan], links: Sequence[Link]
) -> Happening | None:
    """The event that a sentence tells, with its time; None where it names no event or no date fit for one."""
    fitting = [d for d in dates if d.role in (Role.AT, Role.BETWEEN) and d.granularity in _FINE]
    m = (_ZH if sentence.lang == "zh" else _EN).search(sentence.text)
    if m is None or not fitting:
        return None
    stance = sentence_stance(sentence.text)
    if (
        stance.silent
        or stance.cap < 0.5
        or re.search(r"\b(?:cancel|postpone|no |without|never)|取消|推迟|没有", sentence.text)
    ):
        return None
    date = min(fitting, key=lambda d: abs(d.bare_start - m.start()))
    who = [x for x in mentions if not x.is_value and not x.pronoun and x.type != "date"]
    return Happening(
        title=sentence.text[:160], type=m["e"].casefold().strip(), about=who[0].named() if who else None,
        at=date.since, until=date.until, granularity=date.granularity.value, confidence=confidence_of("event"),
    )  # fmt: skip
