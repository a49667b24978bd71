"""A walk over facts that takes the relation words of a question in their order.

A beam search from the named entity: each step follows a fact and uses up one chunk of the question, or two that stand side by
side, or none (once). Far better than PageRank or repeated retrieval on chains, since those know neither order nor
direction.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from muniment.engine.ingest.spelling import spelling_key
from muniment.engine.ports.search import ReadFilter
from muniment.engine.ports.store import Reader
from muniment.engine.retrieve.chunks import Chunk
from muniment.engine.retrieve.matching import Matcher
from muniment.graph_schema.ids import EntityId
from muniment.graph_schema.records import VALUE_TYPE, EntityRef, Fact

_LEAST: Final = 0.2  # a worse match is none
_LEAST_OF_TWO: Final = 0.3
_BOTH: Final = 0.3  # two chunks, each of which the fact meets
_SECOND: Final = 0.35  # two chunks of which it meets one: the other was not answered
_SECOND_LIGHT: Final = 0.05  # unless that one only says what kind of thing is meant
_STEP: Final = 0.02
_CROWD: Final = 0.05  # per log of how many facts of one relation and phrase leave the node
_CROWD_FROM: Final = 4
_OLDER: Final = 0.03  # for each newer fact of the same relation: of several values the latest is likelier meant
_MAX_TWINS: Final = 4
_OLDER_MOST: Final = 4
_MAX_OF_A_KIND: Final = 12  # facts of one relation and phrase followed from one node
_READ_OF_A_RELATION: Final = 36  # facts of one relation read at one node: they may have several phrases
_FREE_HUB: Final = 60  # no free step from a node with more facts
_FREE_CROWD: Final = 4
_SKIP_LIGHT: Final = 0.1


@dataclass(frozen=True, slots=True, kw_only=True)
class WalkPolicy:
    """How a walk pays. `free` is the price of a step that no word asks for, `skip` of a word that no step takes."""

    free: float = 0.45
    free_degree: float = 0.08
    skip: float = 0.5
    max_hops: int = 5
    beam: int = 16
    per_node: int = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class WalkPath:
    """Facts from the seed to the end, in order. `score` is 1 for each chunk met without a doubt, less what was paid.

    `share` is the score by the number of chunks: 1 where every word was met. `nodes` begin with the seed; `met` says for
    each fact how many chunks were used up with it.
    """

    score: float
    share: float
    facts: tuple[Fact, ...]
    nodes: tuple[EntityId, ...]
    met: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class _State:
    score: float
    node: EntityId
    next: int
    facts: tuple[Fact, ...]
    nodes: tuple[EntityId, ...]
    free: int
    met: tuple[int, ...] = ()


class Walk:
    """One walk. Each hop is one call to the store."""

    def __init__(self, reader: Reader, filter: ReadFilter, matcher: Matcher, policy: WalkPolicy) -> None:
        self._reader = reader
        self._filter = filter
        self._matcher = matcher
        self._policy = policy
        self._around: dict[EntityId, tuple[Fact, ...]] = {}
        self._degrees: dict[EntityId, int] = {}
        self._crowds: dict[tuple[EntityId, str, bool], int] = {}

    async def run(self, seeds: Sequence[EntityId], chunks: Sequence[Chunk]) -> list[WalkPath]:
        """Paths from the seeds, best first. None where the question asks for nothing of them."""
        if not seeds or not chunks:
            return []
        skips = [_SKIP_LIGHT if self._matcher.is_light(chunk) else self._policy.skip for chunk in chunks]
        beam = [_State(0.0, seed, 0, (), (seed,), 0) for seed in seeds]
        done: list[WalkPath] = []
        for _ in range(min(self._policy.max_hops, len(chunks) + 1)):
            await self._load(state.node for state in beam)
            reached: dict[tuple[EntityId, int, int], _State] = {}
            for state in beam:
                for step in self._steps(state, chunks, skips):
                    key = (step.node, step.next, step.free)
                    if key not in reached or reached[key].score < step.score:
                        reached[key] = step
            beam = sorted(reached.values(), key=lambda s: (-(s.score - 0.5 * sum(skips[s.next :])), s.nodes))
            beam = beam[: self._policy.beam]
            for state in beam:
                score = state.score - sum(skips[state.next :])
                done.append(
                    WalkPath(
                        score=score, share=score / len(chunks), facts=state.facts, nodes=state.nodes, met=state.met
                    )
                )
            beam = await self._spread(beam, len(chunks))
            if not beam:
                break
        return sorted(done, key=lambda path: (-path.score, len(path.facts), path.nodes))

    async def _spread(self, beam: Sequence[_State], steps: int) -> list[_State]:
        """The states that can go on, each also from other entities of the same name.

        One name may stand for two entities (a firm taken for a person in one note); and no walk passes through a literal
        value, but where its words name an entity, it goes on from that.
        """
        going = [state for state in beam if state.next < steps]
        keys = {spelling_key(_end_of(state).name) for state in going}
        named = await self._reader.entities_by_alias(sorted(keys)) if keys else {}
        out = [state for state in beam if not _end_of(state).is_value]
        for state in going:
            for entity in named.get(spelling_key(_end_of(state).name), ())[:_MAX_TWINS]:
                if entity.type != VALUE_TYPE and entity.id not in state.nodes:
                    out.append(replace(state, node=entity.id, nodes=(*state.nodes[:-1], entity.id)))
        return out

    async def _load(self, nodes: Iterable[EntityId]) -> None:
        new = [node for node in dict.fromkeys(nodes) if node not in self._around]
        if not new:
            return
        found = await self._reader.edges(
            new, self._filter, per_node=self._policy.per_node, per_kind=_READ_OF_A_RELATION
        )
        around: dict[EntityId, list[Fact]] = {node: [] for node in new}
        for fact in found.facts:
            for end in {fact.subject.id, fact.object.id}:
                if end in around:
                    around[end].append(fact)
        self._around.update({node: tuple(facts) for node, facts in around.items()})
        self._degrees.update(found.degrees)
        self._crowds.update(found.crowds)

    def _steps(self, state: _State, chunks: Sequence[Chunk], skips: Sequence[float]) -> Iterable[_State]:
        degree = self._degrees.get(state.node, 0)
        free_left = _MAX_OF_A_KIND
        newer = self._newer_rivals(state.node)
        for (relation, _, is_subject), facts in self._kinds(state.node).items():
            options = list(self._options(facts[0], state, chunks, skips))
            size = self._size(state.node, relation, is_subject, len(facts))
            if not state.free and state.next < len(chunks) and degree <= _FREE_HUB and size <= _FREE_CROWD:
                price = self._policy.free + self._policy.free_degree * math.log1p(degree)
                options.append((-price, state.next, 1))
            crowd = _STEP + _CROWD * max(0.0, math.log(size / _CROWD_FROM))
            taken = 0
            for fact in facts if options else ():
                target = fact.object.id if fact.subject.id == state.node else fact.subject.id
                if target in state.nodes:
                    continue
                taken += 1
                if taken > _MAX_OF_A_KIND:
                    break
                price = crowd + _OLDER * min(newer[fact.id], _OLDER_MOST)
                for gain, following, free in options:
                    if free and free_left <= 0:
                        continue
                    free_left -= free
                    yield _State(
                        state.score + gain - price,
                        target,
                        following,
                        (*state.facts, fact),
                        (*state.nodes, target),
                        state.free + free,
                        (*state.met, following),
                    )

    def _size(self, node: EntityId, relation: str, is_subject: bool, read: int) -> float:
        """About how many facts of a kind there are, of which so many were read: a phrase's share of its relation's."""
        crowd = self._crowds.get((node, relation, is_subject), read)
        return read * max(1.0, crowd / _READ_OF_A_RELATION)

    def _options(
        self, fact: Fact, state: _State, chunks: Sequence[Chunk], skips: Sequence[float]
    ) -> Iterable[tuple[float, int, int]]:
        """Ways to take the fact: (gain, next chunk, free steps used)."""
        skipped = 0.0
        for i in range(state.next, min(state.next + 3, len(chunks))):
            one = self._matcher.match(fact, state.node, chunks[i])
            if one >= _LEAST:
                yield one - skipped, i + 1, 0
            if i + 1 < len(chunks):
                pair = Chunk(words=chunks[i + 1].words + chunks[i].words, role=chunks[i].role)
                two = self._matcher.match(fact, state.node, pair)
                if two >= _LEAST_OF_TWO:
                    both = one > _LEAST_OF_TWO and self._matcher.match(fact, state.node, chunks[i + 1]) > _LEAST_OF_TWO
                    light = min(skips[i], skips[i + 1]) <= _SKIP_LIGHT
                    cost = _SECOND_LIGHT if light or both else _SECOND
                    yield two + (_BOTH if both else 0.0) - cost - skipped, i + 2, 0
            skipped += skips[i] * 0.9

    def _newer_rivals(self, node: EntityId) -> Mapping[str, int]:
        """For each fact at the node, how many of its relation and direction began later."""
        rivals: dict[tuple[str, bool], list[Fact]] = defaultdict(list)
        for fact in self._around.get(node, ()):
            rivals[fact.relation, fact.subject.id == node].append(fact)
        return {
            fact.id: place
            for facts in rivals.values()
            for place, fact in enumerate(sorted(facts, key=lambda f: f.valid_at, reverse=True))
        }

    def _kinds(self, node: EntityId) -> Mapping[tuple[str, str, bool], list[Fact]]:
        kinds: dict[tuple[str, str, bool], list[Fact]] = defaultdict(list)
        for fact in self._around.get(node, ()):
            phrase = str(fact.attributes.get("phrase") or "")
            kinds[fact.relation, phrase, fact.subject.id == node].append(fact)
        return kinds


def _end_of(state: _State) -> EntityRef:
    """The end of the last fact at which the state stands."""
    last = state.facts[-1]
    return last.subject if last.subject.id == state.node else last.object


def older_rival(path: WalkPath, other: WalkPath, chunks: Sequence[Chunk]) -> Fact | None:
    """The fact over which `path` leaves `other` at a step that both take for the same words, if it began no later.

    Then the two give different values of one thing, and the words ask for one. Steps that ask for several ("products")
    have no rivals.
    """
    for i, (mine, theirs) in enumerate(zip(path.facts, other.facts, strict=False)):
        if mine.id == theirs.id:
            continue
        before = path.met[i - 1] if i else 0
        same_words = path.met[i] == other.met[i] > before
        if path.nodes[i] != other.nodes[i] or not same_words or mine.valid_at > theirs.valid_at:
            return None
        plural = any(_is_plural(word) for chunk in chunks[before : path.met[i]] for word in chunk.words)
        return None if plural else mine
    return None


def _is_plural(word: str) -> bool:
    low = word.lower()
    return low.endswith("s") and not low.endswith(("ss", "us", "is")) and len(low) > 3
