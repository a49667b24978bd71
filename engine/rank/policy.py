"""The weights of the ranking: one record, with the reason for each default."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from types import MappingProxyType
from typing import Any, Final

from muniment.graph_schema.errors import Invalid

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
    time: float = 0.15  # it fits the time that the question names
    short: float = 0.1  # taken off texts of fewer than four content words that are no message
    # names
    title: float = 0.4  # it is about what the question names; divided by the root of how many are
    hop: float = 0.6  # one step over a name from one of the best episodes
    hop_from: int = 3  # how many of the best episodes the step starts from
    hop_max_mentions: int = 30  # a name in more episodes than this links nothing
    # around a message
    previous: float = 0.2
    previous_question: float = 0.5  # the turn before asks: this one is likely to answer
    next: float = 0.3
    neighbour_words: int = 50  # a turn of more words needs its neighbours less, in proportion
    thread: float = 0.4  # the best score in its thread
    # chains over names in notes
    chain_from: int = 4
    chain_width: int = 6
    chain_rounds: int = 3
    chain_decay: float = 0.8
    chain_rarity: float = 0.4
    chain_own: float = 0.7
    # walks over typed relations
    walk_sure: float = 0.55  # of what a walk could score; from here its steps come before everything else
    walk_lead: float = 0.3  # a less sure walk only lifts what it found, times its share of what it could score
    walk_margin: float = 0.8  # paths whose score is this far below the best are not shown
    walk_episodes: int = 8  # at most so many episodes come from paths
    # what is no longer, or not yet, so
    superseded: float = 0.5
    older: float = 0.25  # an older value where a sure walk found a newer one, and the question asks for one
    superseded_talk: float = 0.1  # the same for a turn of a conversation, which says more than its facts
    rivals_depth: int = 10  # among so many first hits the newest of rivals comes first, if the question asks for now
    rivals_close: float = 0.7
    rivals_alike: float = 0.1  # of their weighted words: rivals tell one thing in other words
    # gentle re-ranking: together less than the difference of one word of the question
    recency: float = 0.01  # times exp(-age / half_life)
    importance: float = 0.01  # times (importance - 3) / 2
    use: float = 0.005  # times 1 - 1 / (1 + ln(1 + uses))
    pinned: float = 0.05
    half_life_days: Mapping[str, float] = field(default_factory=lambda: _HALF_LIVES)
    # limits
    candidates: int = 100  # from each channel and group of memories
    per_node: int = 200  # facts looked at around one entity
    recent: int = 5  # how many recently used memories are given besides
    near_copy: float = 0.98  # two hits that share this much of their words are one

    def with_weights(self, weights: Mapping[str, Any]) -> RankingPolicy:
        """This policy with some weights changed. Raises Invalid for an unknown name or a value of the wrong kind."""
        known = {f.name for f in fields(RankingPolicy)}
        for name, value in weights.items():
            if name not in known:
                raise Invalid(f"policy has no weight {name!r}: use one of {', '.join(sorted(known))}", field=name)
            wants_map = name == "half_life_days"
            ok = isinstance(value, Mapping) if wants_map else isinstance(value, int | float)
            if not ok or isinstance(value, bool) or (not wants_map and value < 0):
                raise Invalid(f"policy.{name} {value!r} is no weight: use a number of at least 0", field=name)
        changes: dict[str, Any] = {n: int(v) if isinstance(getattr(self, n), int) else v for n, v in weights.items()}
        if "half_life_days" in changes:
            changes["half_life_days"] = {**self.half_life_days, **weights["half_life_days"]}
        return replace(self, **changes)

    def differences(self, other: RankingPolicy) -> dict[str, Any]:
        """The weights that differ from another policy's; `other.with_weights` of them is this one."""
        pairs = {f.name: (getattr(self, f.name), getattr(other, f.name)) for f in fields(RankingPolicy)}
        out = {name: own for name, (own, theirs) in pairs.items() if own != theirs}
        if "half_life_days" in out:
            out["half_life_days"] = dict(out["half_life_days"])
        return out


DEFAULT_POLICY: Final = RankingPolicy()
