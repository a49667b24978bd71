"""The first score of every candidate: meaning, words, and the cheap facts about it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from muniment.engine.ingest.language import has_han
from muniment.engine.ingest.terms import index_terms
from muniment.engine.ports.models import Vector
from muniment.engine.ports.search import Found
from muniment.engine.rank.formula import age_s, importance_part, recency_part, word_share
from muniment.engine.rank.policy import RankingPolicy
from muniment.engine.retrieve.question import Question
from muniment.engine.retrieve.statistics import StatisticsView, group_of, is_han, kind_of_group
from muniment.graph_schema.records import Episode, EpisodeKind, Fact, Kind

Parts = dict[str, float]

_SHORT_CHARS: Final = 120  # longer texts have four content words
_SHORT_TERMS: Final = 4
_LONG_ENOUGH: Final = 10  # words, among which there are as good as always four with content
_USUAL_ACROSS: Final = 0.12  # among many of another language the best are so much nearer than the mean by chance
_ROLES: Final = frozenset({"user", "assistant", "system", "tool"})


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoringInput:
    """What a score depends on beside the candidate itself."""

    question: Question
    statistics: StatisticsView
    policy: RankingPolicy
    weights: Mapping[str, float]
    vectors: Mapping[str, Vector]
    english: str  # fingerprint of the English model, empty where there is none of its own
    means: dict[tuple[str, str, bool], float]  # (fingerprint, group, in Chinese) -> mean cosine, filled as needed
    now: datetime
    asker: str = ""
    time_counts: bool = True  # off where `as_of` is given: it says the time already, and words of time then say no more


def base_parts(found: Found, given: ScoringInput) -> Parts:
    """The parts of a candidate's first score; parts that are nothing are left out."""
    memory = found.memory
    group, han = group_of(memory), is_han(found.words)
    policy = given.policy
    parts: Parts = {}
    share = word_share(
        found.words,
        given.weights,
        average_length=given.statistics.average_length(group, han=han),
        k1=policy.k1,
        b=policy.b,
    )
    _put(parts, "lexical", policy.lexical * share)
    if found.cosine is not None:
        _put(parts, "dense", _dense_weight(found, given) * _apart(found, group, given, han=han))
    if isinstance(memory, Episode):
        _episode_parts(memory, given, parts)
    _gentle_parts(memory, kind_of_group(group), given, parts)
    return parts


def total(parts: Mapping[str, float]) -> float:
    """The score that parts make."""
    return sum(parts.values())


def _put(parts: Parts, name: str, value: float) -> None:
    if value:
        parts[name] = value


def _dense_weight(found: Found, given: ScoringInput) -> float:
    policy = given.policy
    if found.fingerprint == given.english:
        return policy.dense
    asked_han = given.question.lang == "zh"
    return policy.dense_own if asked_han and has_han(found.memory.text) else policy.dense_across


def _apart(found: Found, group: str, given: ScoringInput, *, han: bool) -> float:
    """How much nearer to the question it is than its like on average."""
    key = (found.fingerprint, group, han)
    if key not in given.means:
        vector = given.vectors[found.fingerprint]
        given.means[key] = given.statistics.mean_cosine(found.fingerprint, vector, group, han=han)
    apart = (found.cosine or 0.0) - given.means[key]
    return apart - _USUAL_ACROSS if _is_stranger(han, given) else apart


def _is_stranger(han: bool, given: ScoringInput) -> bool:
    """Whether it is told in another language than the question, where there are memories in the question's own too."""
    asked_han = given.question.lang == "zh"
    return han is not asked_han and asked_han in given.statistics.languages()


def _episode_parts(episode: Episode, given: ScoringInput, parts: Parts) -> None:
    policy, question = given.policy, given.question
    if _is_asked_speaker(episode.speaker, given):
        parts["speaker"] = policy.speaker
    if question.time and given.time_counts:
        fit = max(question.time.fits(episode.text), question.time.fits_moment(episode.occurred_at))
        _put(parts, "time", policy.time * fit)
    if episode.kind is not EpisodeKind.MESSAGE and _is_short(episode.text):
        parts["short"] = -policy.short


def _is_short(text: str) -> bool:
    if len(text) > _SHORT_CHARS or len(text.split()) >= _LONG_ENOUGH or has_han(text):
        return False
    return len(index_terms(text)) < _SHORT_TERMS


def _is_asked_speaker(speaker: str, given: ScoringInput) -> bool:
    """Whether the question names who speaks, or says "I" and the asker is who speaks."""
    if not speaker:
        return False
    folded = speaker.casefold()
    if given.question.first_person and folded == (given.asker.casefold() or "user"):
        return True
    return folded not in _ROLES and folded.split()[0] in given.question.words


def _gentle_parts(memory: object, group: str, given: ScoringInput, parts: Parts) -> None:
    """Decay and importance: they re-rank what is nearly equal and hide nothing. Constraints and pinned ones do not age."""
    policy = given.policy
    if isinstance(memory, Fact):
        ageless = memory.pinned or bool(memory.attributes.get("constraint")) or memory.kind is Kind.SKILL
        moment, importance, pinned = memory.valid_at, memory.importance, memory.pinned
    elif isinstance(memory, Episode):
        ageless, moment, importance, pinned = memory.pinned, memory.occurred_at, memory.importance, memory.pinned
    else:
        return
    half_life = policy.half_life_days.get(group)
    if half_life and not ageless:
        _put(parts, "recency", recency_part(age_s(moment, given.now), half_life, policy))
    _put(parts, "importance", importance_part(importance, policy))
    if pinned:
        parts["pinned"] = policy.pinned
