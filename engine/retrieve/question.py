"""What a question asks for, as far as its words alone tell."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from typing import Final

from muniment.engine.ingest.language import language_of
from muniment.engine.ingest.terms import query_terms
from muniment.engine.retrieve.moments import without_moment
from muniment.engine.retrieve.timewords import NO_TIME, AskedTime, asked_time

_LATEST: Final = re.compile(
    r"\b(?:current(?:ly)?|now|latest|(?:most )?recent(?:ly)?|so far|these days|nowadays|still|yet|updated?)\b"
    r"|现在|目前|如今|当前|最新|眼下",
    re.IGNORECASE,
)
# One value, asked for in the present.
_ONE_VALUE: Final = re.compile(
    r"\b(?:how (?:many|much|often|long|old|far|big|tall)|where|what (?:time|day|type|kind|size|color|colour|brand)"
    r"|what(?:'s| is)|who(?:'s| is)|which)\b",
    re.IGNORECASE,
)
_NOT_PRESENT: Final = re.compile(r"\b(?:did|was|were|would|will|likely|might)\b", re.IGNORECASE)
# Earlier values, sums, spans and comparisons need all the evidence; wishes for advice need none in particular.
_NOT_ONE: Final = re.compile(
    r"\b(?:previous(?:ly)?|before|used to|first|original(?:ly)?|initial(?:ly)?|earlier|former(?:ly)?|old|prior|ago|past"
    r"|at the time|back then|in the beginning|total|altogether|combined|average|passed|between|differen\w+"
    r"|the day i|when i|had|tips?|suggest\w*|recommend\w*|ideas?|advice)\b"
    r"|以前|曾经|过去|之前|原来|总共|一共|平均|建议",
    re.IGNORECASE,
)
_HISTORY: Final = re.compile(
    r"\b(?:over (?:the years|time)|history|develop(?:ed|ment)|changed?|in the course of|one after the other|so far"
    r"|success(?:ive(?:ly)?|ion of)|have had|has had|has been|have been|ever|in turn|all the|and from when|each of the|evolv(?:ed?|ing)|sequence"
    r"|timeline|chronolog\w+|previous(?:ly)?|former(?:ly)?)\b"
    r"|历次|历任|先后|变化|几次|依次|历年|怎么变|沿革|都有谁|哪几|过程|一路|历史|曾经|以前",
    re.IGNORECASE,
)
# What is to come. 会 and 将 alone stand in too many words.
_AHEAD: Final = re.compile(
    r"(?-i:\bwill\b|^Will\b)|\bgoing to\b|\bupcoming\b|\bfrom now on\b|\b(?:next|coming) (?:week|month|quarter|year|spring|summer|autumn|winter)\b"
    r"|\btomorrow\b|将[要会于在从]|即将|(?<![协机商社大委])会(?=[变涨降升改换到在])|明[天年]|下个?(?:周|月|季度|星期)|今后",
    re.IGNORECASE,
)
_SAME_DAY: Final = re.compile(
    r"\b(?:the same (?:day|date)|on the (?:very )?day (?:that|when|on which|of)|that (?:same|very) day)\b"
    r"|当天|当日|同一?天|同日|那一?天",
    re.IGNORECASE,
)
_FIRST_PERSON: Final = re.compile(r"\b(?:i|my|me|i'm|i've|i’m|i’ve|mine|myself)\b|我(?!们)", re.IGNORECASE)
_QUESTION: Final = re.compile(r"(?:[^.!?。！？\n]|\.(?=\w))+[?？]+")
_WORD: Final = re.compile(r"\w+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question, read. `said` is its text without the words for the moment that its caller gives as well, `terms` are the
    index terms of that; the flags say which rules of ranking apply to it."""

    text: str
    said: str
    lang: str
    terms: tuple[str, ...]
    words: frozenset[str]
    time: AskedTime = NO_TIME
    wants_now: bool = False  # one value that holds at present: of rivals the newest is meant
    wants_history: bool = False  # how something went over time: what has ended is wanted too
    first_person: bool = False
    same_day: bool = False  # something else of the day on which something was
    looks_ahead: bool = False  # what is to come: what was announced and has not begun is wanted too


def read_question(
    text: str,
    *,
    asked_at: datetime | None = None,
    read_time_words: bool = True,
    zone: tzinfo = UTC,
    now: datetime | None = None,
    as_of: datetime | None = None,
) -> Question:
    """What the words of `text` ask for. Works for any string; a text without content words has no terms.

    Days that it names are those of `zone`. Where the caller gives `as_of`, words for the same moment ask for nothing more.
    """
    history = bool(_HISTORY.search(text))
    asked = asked_time(text, asked_at, zone=zone, now=now) if read_time_words else NO_TIME
    lang = language_of(text)
    said = without_moment(text, as_of, zone) if as_of is not None and read_time_words else text
    return Question(
        text=text,
        said=said,
        lang=lang,
        terms=tuple(query_terms(said)),
        words=frozenset(word.casefold() for word in _WORD.findall(text)),
        time=asked,
        wants_now=asked.day is None and _wants_now(text),
        wants_history=history,
        first_person=bool(_FIRST_PERSON.search(text)),
        same_day=read_time_words and bool(_SAME_DAY.search(text)),
        looks_ahead=bool(_AHEAD.search(text)) or _is_after(asked, as_of or now, zone),
    )


def is_question(text: str) -> bool:
    """Whether a text is one question and nothing else, so that it tells nothing."""
    return _QUESTION.fullmatch(text.strip()) is not None


def _is_after(asked: AskedTime, moment: datetime | None, zone: tzinfo) -> bool:
    """Whether a time that is asked about lies after the moment."""
    if moment is None:
        return False
    here = moment.astimezone(zone)
    if asked.day is not None:
        return asked.day.start > moment
    last = max(asked.years, default=0)
    return last > here.year or (last == here.year and asked.month is not None and asked.month > here.month)


def _wants_now(text: str) -> bool:
    if _NOT_ONE.search(text):
        return False
    return bool(_LATEST.search(text) or (_ONE_VALUE.search(text) and not _NOT_PRESENT.search(text)))
