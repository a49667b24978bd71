"""The weights of the ranking: one record, with the reason for each default."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from types import MappingProxyType
from typing import Any, Final

from muniment.graph_schema.errors import Invalid
from muniment.graph_schema.records import HELD_KINDS, EpisodeKind

_HALF_LIVES: Final[Mapping[str, float]] = MappingProxyType(
    {"message": 90.0, "event": 90.0, "tool": 30.0, "note": 365.0, "document": 1095.0, "summary": 365.0, "fact": 730.0}
)


@dataclass(frozen=True, slots=True, kw_only=True)
class RankingPolicy:
    """Weights of the parts of a score. All parts stand on one scale: a share of the question's words in [0, 1] plus a
    cosine less the mean cosine of the tenant's memories of that kind; the others are small additions in that unit.

    The defaults were chosen on public question sets (see docs/recall.md for what each part is worth).
    """

    # meaning and words
    lexical: float = 0.7  # words: BM25 as a share of the most that this question could get
    dense: float = 0.9  # cosine by the English model, less the mean
    dense_own: float = 0.15  # by the multilingual model inside one language: weak on passages, kept for paraphrase
    dense_across: float = 0.6  # by the multilingual model where languages meet, or where it is the only model
    k1: float = 1.2  # BM25 saturation
    b: float = 0.75  # BM25 length normalisation
    # cheap facts about an episode
    speaker: float = 0.1  # it was said by someone whom the question names
    time: float = 0.15  # it fits the time that the question names, by a year in it or by its date; not with an `as_of`
    kind: float = 0.03  # it tells a thing of the kind that is asked for: an age, a sum, a length of time, a day
    rule: float = 0.05  # a rule or a wish is asked for: times the share of a text's sentences that tell one
    short: float = 0.1  # taken off texts of fewer than four content words that are no message
    # names
    title: float = 0.4  # it is about what the question names; divided by the root of how many are
    hop: float = 0.6  # one step over a name from one of the best episodes
    hop_from: int = 3  # how many of the best episodes the step starts from
    hop_rest: float = 1.5  # how much more it lends to what has the words of the question that the first one lacks
    hop_max_mentions: int = 30  # a name in more episodes than this links nothing
    spread: float = 0.0  # personalised PageRank over names and episodes; times the best score
    # around a message
    previous: float = 0.2  # a turn gets this share of the score of the one before it
    previous_question: float = 0.5  # the turn before asks: this one is likely to answer
    next: float = 0.3  # and this share of the one after it
    neighbour_words: int = 80  # a turn of more words needs its neighbours less, in proportion
    thread: float = 0.4  # the best score in its thread
    # chains over names in notes
    chain_from: int = 4  # how many of the best notes chains start from
    chain_width: int = 6  # chains that are followed further
    chain_rounds: int = 3  # steps at most
    chain_decay: float = 0.8  # what a step keeps of the score it comes from
    chain_rarity: float = 0.4  # how much a name that stands in many notes links less
    chain_own: float = 0.7  # the share of the reached note's own score
    # walks over typed relations
    walk_sure: float = 0.55  # of what a walk could score; from here its steps come before everything else
    walk_alone: float = 0.25  # as sure is a walk of this share to which no other comes near
    walk_alone_by: float = 0.4  # how far below it the best path to another end must be
    walk_lead: float = 0.3  # a less sure walk only lifts what it found, times its share of what it could score
    walk_margin: float = 0.8  # paths whose score is this far below the best are not shown
    walk_episodes: int = 8  # at most so many episodes come from paths
    # what is no longer, or not yet, so
    superseded: float = 0.5  # taken off what tells, of what is asked, only what does not hold
    older: float = 0.5  # an older value where a sure walk found a newer one, and the question asks for one
    superseded_talk: float = 0.1  # the same for a turn of a conversation, which says more than its facts
    rivals_depth: int = 10  # among so many first hits the newest of rivals comes first, if the question asks for now
    rivals_close: float = 0.7  # rivals have at least this share of the best one's score
    rivals_alike: float = 0.1  # of their weighted words: rivals tell one thing in other words
    # gentle re-ranking: together less than the difference of one word of the question
    recency: float = 0.01  # times exp(-age / half_life)
    importance: float = 0.01  # times (importance - 3) / 2
    pinned: float = 0.05  # somebody pinned it
    half_life_days: Mapping[str, float] = field(default_factory=lambda: _HALF_LIVES)
    # the best hits read once more, where the process has a reranker
    rerank: float = 0.1  # times how much better than their mean each answers; 0 switches it off
    rerank_depth: int = 10  # hits that are read
    rerank_close: float = 0.8  # only where the second has at least this share of the first one's score
    rerank_ms: int = 400  # where this does not suffice, the order stays as it was
    # limits
    candidates: int = 100  # from each channel and group of memories
    per_node: int = 200  # facts looked at around one entity
    recent: int = 5  # how many recently used memories are given besides
    near_copy: float = 0.98  # two hits that share this much of their words are one

    def with_weights(self, weights: Mapping[str, Any]) -> RankingPolicy:
        """This policy with some weights changed. Raises Invalid for an unknown name or a value out of its range."""
        changes = {name: _checked(name, value) for name, value in weights.items()}
        if HALF_LIVES in changes:
            changes[HALF_LIVES] = {**self.half_life_days, **changes[HALF_LIVES]}
        return replace(self, **changes)

    def differences(self, other: RankingPolicy) -> dict[str, Any]:
        """The weights that differ from another policy's; `other.with_weights` of them is this one."""
        pairs = {f.name: (getattr(self, f.name), getattr(other, f.name)) for f in fields(RankingPolicy)}
        out = {name: own for name, (own, theirs) in pairs.items() if own != theirs}
        if "half_life_days" in out:
            out["half_life_days"] = dict(out["half_life_days"])
        return out


DEFAULT_POLICY: Final = RankingPolicy()

HALF_LIVES: Final = "half_life_days"
_GROUPS: Final = frozenset({*map(str, EpisodeKind), *map(str, HELD_KINDS), "summary"})
_LONGEST_DAYS: Final = 36_500.0
_WEIGHT: Final = (0.0, 2.0)
BOUNDS: Final[Mapping[str, tuple[float, float]]] = MappingProxyType(
    {f.name: _WEIGHT for f in fields(RankingPolicy) if isinstance(getattr(DEFAULT_POLICY, f.name), float)}
    | dict.fromkeys(("b", "chain_decay", "rivals_close", "rivals_alike"), (0.0, 1.0))
    | {"k1": (0.0, 3.0), "chain_rarity": (0.0, 5.0), "walk_margin": (0.0, 5.0), "near_copy": (0.5, 1.0)}
    | dict.fromkeys(("hop_from", "chain_from"), (0, 20))
    | dict.fromkeys(("chain_width", "walk_episodes", "rivals_depth", "recent"), (0, 50))
    | {"chain_rounds": (0, 5), "hop_max_mentions": (0, 1000), "neighbour_words": (1, 1000)}
    | {"rerank_close": (0.0, 1.0), "rerank_depth": (2, 50), "rerank_ms": (1, 10_000)}
    | {"candidates": (10, 1000), "per_node": (1, 2000)}
)
"""The least and the most of each weight; those whose default is a whole number take whole numbers only."""


def _checked(name: str, value: Any) -> Any:
    """The value of one weight. Raises Invalid."""
    if name == HALF_LIVES:
        return _half_lives(value)
    if name not in BOUNDS:
        known = ", ".join(sorted([*BOUNDS, HALF_LIVES]))
        raise Invalid(f"policy has no weight {name!r}: use one of {known}", field=name)
    least, most = BOUNDS[name]
    whole = isinstance(getattr(DEFAULT_POLICY, name), int)
    ok = isinstance(value, int | float) and not isinstance(value, bool) and least <= value <= most
    if not ok or (whole and value != int(value)):
        kind = "a whole number" if whole else "a number"
        raise Invalid(f"policy.{name} {value!r} is no weight: use {kind} from {least:g} to {most:g}", field=name)
    return int(value) if whole else float(value)


def _half_lives(value: Any) -> dict[str, float]:
    if not isinstance(value, Mapping) or not value.keys() <= _GROUPS:
        raise Invalid(
            f"policy.{HALF_LIVES} {value!r}: use days by kind, of {', '.join(sorted(_GROUPS))}", field=HALF_LIVES
        )
    for group, days in value.items():
        if isinstance(days, bool) or not isinstance(days, int | float) or not 0 <= days <= _LONGEST_DAYS:
            field = f"{HALF_LIVES}.{group}"
            raise Invalid(f"policy.{field} {days!r}: use a number of days from 0 to {_LONGEST_DAYS:g}", field=field)
    return {group: float(days) for group, days in value.items()}
