"""Facts that a walk found: the steps of the best paths, in order, before everything else when the walk is sure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Final

from muniment.engine.ports.search import ReadFilter
from muniment.engine.ports.store import Reader
from muniment.engine.rank.answer import DEFAULT_HOPS
from muniment.engine.rank.asked import Asked
from muniment.engine.rank.board import Board, episode_key, is_chat
from muniment.engine.rank.hits import PathStep
from muniment.engine.rank.policy import RankingPolicy
from muniment.engine.retrieve.chunks import Chunk
from muniment.engine.retrieve.matching import Matcher
from muniment.engine.retrieve.pool import Key
from muniment.engine.retrieve.slots import rivals_of
from muniment.engine.retrieve.steps import StepReader
from muniment.engine.retrieve.walk import Walk, WalkPath, WalkPolicy, older_rival
from muniment.graph_schema.ids import EntityId, EpisodeId
from muniment.graph_schema.ontology import Ontology
from muniment.graph_schema.records import EntityRef, Episode, EpisodeKind, Fact, Kind, Quote, Status

_MAX_SEEDS: Final = 3
_MAX_ENTITIES: Final = 12  # of one name
_MAX_PATHS: Final = 40
_HAIR: Final = 0.02
_RIVAL_MARGIN: Final = 0.3
_SURE_PROSE: Final = 0.9
_PROSE: Final = 0.1  # of the usual lift, for what was told in a conversation or a passage


@dataclass(frozen=True, slots=True, kw_only=True)
class Walked:
    """What the walk found: the facts to show first, in order, each with its path; `sure` whether to trust the order.

    `leads` tells of the facts of paths that are not sure (`found`) what they are worth, in [0, 1].
    """

    sure: tuple[Fact, ...] = ()
    leads: dict[str, float] = field(default_factory=dict)
    found: tuple[Fact, ...] = ()
    older: tuple[Fact, ...] = ()  # values that newer ones of sure paths take the place of
    paths: dict[Key, tuple[PathStep, ...]] = field(default_factory=dict)
    best: float = 0.0
    read: tuple[tuple[str, tuple[Chunk, ...]], ...] = ()  # each seed and the steps that the question asks from it

    @property
    def chunks(self) -> tuple[Chunk, ...]:
        """The steps read from the surest seed."""
        return self.read[0][1] if self.read else ()


NOTHING: Final = Walked()


@dataclass(frozen=True, slots=True, kw_only=True)
class Strolled:
    """The paths that a walk found, best first, with the chunks each was walked by; and what was read from each seed."""

    paths: tuple[tuple[WalkPath, Sequence[Chunk]], ...] = ()
    read: tuple[tuple[str, tuple[Chunk, ...]], ...] = ()


async def walk_question(
    reader: Reader, asked: Asked, matcher: Matcher, steps: StepReader, ranking: RankingPolicy
) -> Strolled:
    """Walks from the surest names of the question along what it asks for."""
    if not asked.seeds or not asked.request.hops:
        return Strolled()
    filter = _walk_filter(asked)
    policy = WalkPolicy(per_node=ranking.per_node)
    if asked.request.hops < DEFAULT_HOPS:
        policy = replace(policy, max_hops=asked.request.hops)
    found: list[tuple[WalkPath, Sequence[Chunk]]] = []
    read: list[tuple[str, tuple[Chunk, ...]]] = []
    cased = any(char.isupper() for char in asked.question.text[1:])
    proper = [seed for seed in asked.seeds if seed.proper or not cased]
    for seed in sorted(proper, key=lambda s: (-s.weight, s.start))[:_MAX_SEEDS]:
        chunks = matcher.steps(await steps.read(asked.question.text, seed.start, seed.end))
        read.append((seed.text, tuple(chunks)))
        paths = await Walk(reader, filter, matcher, policy).run(seed.ids[:_MAX_ENTITIES], chunks)
        found += [(path, chunks) for path in paths[:_MAX_PATHS]]
        if paths and paths[0].share >= ranking.walk_sure:
            break
    found.sort(key=lambda row: (-row[0].score, len(row[0].facts)))
    return Strolled(paths=tuple(found), read=tuple(read))


async def read_walk(reader: Reader, asked: Asked, board: Board, strolled: Strolled, ontology: Ontology) -> Walked:
    """What the paths say for the ranking, now that the candidates are there."""
    if not strolled.paths:
        return replace(NOTHING, read=strolled.read)
    return await _chosen(reader, asked, board, strolled, ontology)


async def _chosen(reader: Reader, asked: Asked, board: Board, strolled: Strolled, ontology: Ontology) -> Walked:
    found, read = strolled.paths, strolled.read
    policy = board.given.policy
    best = found[0][0]
    paths: dict[Key, tuple[PathStep, ...]] = {}
    is_clear = best.share >= policy.walk_sure or _stands_alone(found, policy, ontology)
    if not is_clear or not await _is_written_down(board, best):
        leads: dict[str, float] = {}
        led: dict[str, Fact] = {}
        for path, _ in found:
            for fact in path.facts if path.share > 0 else ():
                led[fact.id] = fact
                leads[fact.id] = max(leads.get(fact.id, 0.0), path.share)
                paths.setdefault((fact.kind, fact.id), _steps(path, fact))
        return Walked(leads=leads, found=tuple(led.values()), paths=paths, best=best.share, read=read)
    facts: dict[str, Fact] = {}
    episodes: set[EpisodeId] = set()
    near = [row for row in found if row[0].score >= best.score - policy.walk_margin]
    if asks_history(asked):
        taken, passed = [path for path, _ in near], list[Fact]()
    else:
        taken, passed = _without_older(near, found[len(near) :], ontology)
    for path in taken:
        if len(episodes) >= policy.walk_episodes:
            break
        for fact in await _with_history(reader, asked, path):
            facts.setdefault(fact.id, fact)
            paths.setdefault((fact.kind, fact.id), _steps(path, fact))
            episodes.update(quote.episode for quote in fact.evidence)
    older = tuple({f.id: f for f in passed if f.id not in facts and not _is_only_followed(f, asked)}.values())
    return Walked(sure=tuple(facts.values()), older=older, paths=paths, best=best.share, read=read)


def _is_only_followed(fact: Fact, asked: Asked) -> bool:
    """Whether the fact holds, and what a question that looks ahead found in its place is yet to come."""
    return asked.question.looks_ahead and fact.status_at(asked.filter.clocks.as_of) is Status.CURRENT


def _stands_alone(found: Sequence[tuple[WalkPath, Sequence[Chunk]]], policy: RankingPolicy, ontology: Ontology) -> bool:
    """Whether the best path, though some of its words met nothing, leads where no other path comes near: of several steps,
    all words behind it, and every path to another end far below."""
    best, chunks = found[0]
    if best.share < policy.walk_alone or len(best.facts) < 2 or best.met[-1] < len(chunks):
        return False
    rivals = [
        path for path, _ in found[1:] if not _same_way(path, best) and _older(path, best, chunks, ontology) is None
    ]
    return all(path.score <= best.score - policy.walk_alone_by for path in rivals)


def _same_way(one: WalkPath, other: WalkPath) -> bool:
    """Whether one path is the beginning of the other, or goes through the same nodes."""
    shorter = min(len(one.nodes), len(other.nodes))
    return one.nodes[:shorter] == other.nodes[:shorter]


def _without_older(
    found: Sequence[tuple[WalkPath, Sequence[Chunk]]],
    further: Sequence[tuple[WalkPath, Sequence[Chunk]]],
    ontology: Ontology,
) -> tuple[list[WalkPath], list[Fact]]:
    """The paths without those that give an older value where one gives a newer, and without those that lead on from one; and
    the facts that were passed over, in the `further` paths too.

    A newer value wins even if its words fit a little less: "handled by" tells of an account's owner as well.
    """
    taken: list[WalkPath] = []
    passed: list[Fact] = []
    for path, chunks in found:
        newer = next((fact for other in taken if (fact := _older(path, other, chunks, ontology))), None)
        if newer is not None:
            passed.append(newer)
            continue
        gone = {
            place: fact
            for place, other in enumerate(taken)
            if (fact := _older(other, path, chunks, ontology)) and other.score - path.score <= _RIVAL_MARGIN
        }
        passed += gone.values()
        place = min(gone, default=len(taken))
        taken = [other for i, other in enumerate(taken) if i not in gone]
        taken.insert(place, path)
    best = taken[0].facts if taken else ()
    passed += [fact for path, chunks in further for other in taken if (fact := _older(path, other, chunks, ontology))]
    gone_ids = {fact.id for fact in passed} - {fact.id for fact in best}
    return [path for path in taken if gone_ids.isdisjoint(fact.id for fact in path.facts)], passed


def _older(path: WalkPath, other: WalkPath, chunks: Sequence[Chunk], ontology: Ontology) -> Fact | None:
    """As `older_rival`, but two single-valued relations that lead to different kinds of things are no rivals: a lawyer's firm
    is not the older value of an employer."""
    mine = older_rival(path, other, chunks)
    if mine is None:
        return None
    theirs = other.facts[path.facts.index(mine)]
    one, two = (ontology.relation(fact.relation).relation for fact in (mine, theirs))
    unlike = mine.object.type != theirs.object.type and set(one.object_types).isdisjoint(two.object_types)
    apart = one.is_functional and two.is_functional and unlike
    return None if apart else mine


async def _is_written_down(board: Board, path: WalkPath) -> bool:
    """Whether a path's facts were noted as such: facts read out of talk or of long passages lead no ranking by
    themselves, whole chains of them do."""
    if len(path.facts) > 1 and path.share >= _SURE_PROSE:
        return True
    told_by = [quote.episode for fact in path.facts for quote in fact.evidence]
    await board.pool.want_episodes(told_by)
    board.refresh()
    episodes = board.episodes()
    return not any(id in episodes and _is_prose(episodes[id]) for id in told_by)


def _is_prose(episode: Episode) -> bool:
    return episode.kind is EpisodeKind.DOCUMENT or is_chat(episode)


async def _with_history(reader: Reader, asked: Asked, path: WalkPath) -> Sequence[Fact]:
    """The facts of a path; where the question asks how things went, the last slot's whole timeline in place of one value."""
    if not asks_history(asked):
        return path.facts
    last = path.facts[-1]
    known_at = asked.filter.clocks.known_at
    timeline = [f for f in await rivals_of(reader, [last]) if not f.rejected and f.created_at <= known_at]
    return [*path.facts[:-1], *(timeline or [last])]


def asks_history(asked: Asked) -> bool:
    """Whether ended facts are wanted: the words ask for the past, and no moment is given."""
    return asked.question.wants_history and asked.request.as_of is None


def _walk_filter(asked: Asked) -> ReadFilter:
    return replace(asked.filter, kinds=frozenset({Kind.FACT, Kind.PREFERENCE}))


def _steps(path: WalkPath, until: Fact) -> tuple[PathStep, ...]:
    """The path up to a fact of it (or up to its end, for another value of the last slot)."""
    out: list[PathStep] = []
    for fact, source in zip(path.facts, path.nodes, strict=False):
        out.append(PathStep(fact=fact.id, source=_end(fact, source), target=_other(fact, source)))
        if fact.id == until.id:
            break
    return tuple(out)


def _end(fact: Fact, id: EntityId) -> EntityRef:
    return fact.subject if fact.subject.id == id else fact.object


def _other(fact: Fact, id: EntityId) -> EntityRef:
    return fact.object if fact.subject.id == id else fact.subject


async def add_walked(board: Board, walked: Walked) -> list[Key]:
    """Puts what was walked on the board; gives the keys that come first, in order."""
    weight = board.given.policy.walk_lead
    keys = [(fact.kind, str(fact.id)) for fact in walked.sure]
    sources = (q.episode for fact in (*walked.sure, *walked.found, *board.pool.facts()) for q in fact.evidence[:2])
    await board.pool.want([*keys, *((f.kind, f.id) for f in walked.found), *map(episode_key, sources)])
    board.refresh()
    episodes = board.episodes()
    lifts: dict[Key, float] = {}
    for fact in board.pool.facts():
        lead = weight * walked.leads.get(fact.id, 0.0)
        lifts[fact.kind, fact.id] = lead
        for quote in fact.evidence if lead else ():
            told = episodes.get(quote.episode)
            share = _PROSE if told is not None and _is_prose(told) else 1.0
            key = episode_key(quote.episode)
            lifts[key] = max(lifts.get(key, 0.0), share * lead)
    for key, lift in lifts.items():
        board.add(key, "graph", lift)
    return [key for key in keys if key in board.parts]


def keep_older_down(board: Board, walked: Walked) -> None:
    """Takes the weight off what tells an older value, after everything that could have lifted it."""
    shown = {quote.episode for fact in walked.sure for quote in fact.evidence}
    for episode in {quote.episode for fact in walked.older for quote in fact.evidence} - shown:
        board.add(episode_key(episode), "older", -board.given.policy.older)


def tie_facts(board: Board, walked: Walked, as_of: datetime, has_ended: Callable[[Quote], bool]) -> frozenset[Key]:
    """Lets a fact stand where its evidence stands: never above it by more than a hair, since it says less.

    What an episode lost for other things that it tells does not count against a fact in force; `has_ended` says of its words
    that they are what does not hold. Gives the facts that stand above all that tells them.
    """
    apart: set[Key] = set()
    older = {fact.id for fact in walked.older}
    for fact in board.pool.facts():
        key = (fact.kind, str(fact.id))
        told = [(q, k) for q in fact.evidence if (k := episode_key(q.episode)) in board.parts]
        if not told:
            continue
        holds = fact.status_at(as_of) is Status.CURRENT and fact.id not in older
        scores = [board.score(k) - (0.0 if not holds or has_ended(q) else _lost(board, k)) for q, k in told]
        board.add(key, "evidence", min(0.0, max(scores) + _HAIR - board.score(key)))
        if board.score(key) > max(board.score(k) for _, k in told) + 2 * _HAIR:
            apart.add(key)
    return frozenset(apart)


def _lost(board: Board, key: Key) -> float:
    """What was taken off an episode because something that it tells does not hold."""
    return sum(min(0.0, board.parts[key].get(part, 0.0)) for part in ("superseded", "older"))
