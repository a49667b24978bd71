"""Recall: from a question to ranked hits, with why."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Final, Protocol

from muniment.engine.ports.clock import Clock
from muniment.engine.ports.models import Analyzer, Embedder, Reranker, Vector
from muniment.engine.ports.search import ReadFilter
from muniment.engine.ports.spans import span
from muniment.engine.ports.store import Reader
from muniment.engine.rank.answer import FOUND_KINDS, Recall, RecallRequest
from muniment.engine.rank.around import add_neighbours
from muniment.engine.rank.asked import AS_IT_IS, Asked, Under
from muniment.engine.rank.base import ScoringInput
from muniment.engine.rank.board import Board, episode_key, is_chat
from muniment.engine.rank.chains import chain_over_names
from muniment.engine.rank.emptiness import not_recognised
from muniment.engine.rank.hop import hop_over_names, title_lifts
from muniment.engine.rank.kinds import lift_kinds
from muniment.engine.rank.misses import LOOKED_AT, lately_used
from muniment.engine.rank.policy import RankingPolicy
from muniment.engine.rank.present import present
from muniment.engine.rank.reread import reread
from muniment.engine.rank.same_day import hop_over_days
from muniment.engine.rank.scored import Findings, Ranked
from muniment.engine.rank.sentences import (
    Embed,
    Sentences,
    asks_course,
    demote_notes,
    find_sentences,
    join_history,
    keep_down,
)
from muniment.engine.rank.spread import spread
from muniment.engine.rank.standing import Standing, demote, find_closed
from muniment.engine.rank.walked import add_walked, asks_history, keep_older_down, read_walk, tie_facts, walk_question
from muniment.engine.retrieve.guesses import guess_seeds
from muniment.engine.retrieve.matching import Matcher
from muniment.engine.retrieve.names import NameLinks
from muniment.engine.retrieve.namesakes import Namesakes
from muniment.engine.retrieve.pool import Pool
from muniment.engine.retrieve.question import Question, read_question
from muniment.engine.retrieve.relation_words import RelationWords
from muniment.engine.retrieve.seeds import Seed, find_seeds
from muniment.engine.retrieve.statistics import StatisticsView
from muniment.engine.retrieve.steps import StepReader
from muniment.engine.retrieve.titles import find_titles
from muniment.engine.retrieve.totals import BoundReader, StatisticsCache
from muniment.graph_schema.errors import ModelUnavailable
from muniment.graph_schema.ids import EpisodeId
from muniment.graph_schema.ontology import Ontology
from muniment.graph_schema.ontology.zones import zone_of
from muniment.graph_schema.records import EpisodeKind, Kind
from muniment.graph_schema.temporal import Clocks

_ANSWERED: Final = 0.75  # a walk that met this much of the question needs no looser links
_WIDER: Final = 3  # times as many candidates where the time of telling may find what the words do not

logger = logging.getLogger(__name__)


def _asks_of_years(asked: Asked) -> bool:
    """Whether the question names years and no moment is given: then what was told of earlier ones is no old news."""
    return bool(asked.question.time.years) and asked.request.as_of is None and asked.question.time.day is None


def _asks_when_told(asked: Asked) -> bool:
    """Whether the question names days, weeks or a month by which what was told then fits, and no moment is given."""
    time = asked.question.time
    return asked.request.as_of is None and bool(time.start or time.day or (time.month and time.year))


class QueryEmbedders(Protocol):
    """The embedders in use: `english` reads English only, `other` many languages; they may be one."""

    @property
    def english(self) -> Embedder: ...
    @property
    def other(self) -> Embedder: ...
    @property
    def fingerprints(self) -> tuple[str, ...]:
        """Of the models in use."""
        ...

    @property
    def degraded(self) -> tuple[str, ...]: ...

    def embed_query(self, text: str, *, held: Collection[str] | None = None) -> Mapping[str, Vector]: ...


class Respelling(Protocol):
    """Finds the names that a question spells wrongly, where `known` ones do not stand."""

    async def __call__(
        self, reader: Reader, text: str, known: Sequence[Seed], ontology: Ontology
    ) -> tuple[Seed, ...]: ...


class Retriever:
    """Answers questions over one space at a time. It holds no memories; statistics of spaces are cached by space."""

    def __init__(
        self,
        *,
        embedders: QueryEmbedders | None,
        analyzer: Analyzer | None,
        ontology: Ontology,
        policy: RankingPolicy,
        clock: Clock,
        reranker: Reranker | None = None,
        notes: tuple[str, ...] = (),
        respell: Respelling | None = None,
    ) -> None:
        """`notes` are what every answer says in `degraded`. Without `respell` names count only as they are written."""
        self._respell = respell
        self._reranker = reranker
        self._notes = notes
        self._embedders = embedders
        self._steps = StepReader(analyzer)
        self._ontology = ontology
        self._policy = policy
        self._clock = clock
        self._statistics = StatisticsCache()
        self._words = RelationWords(ontology)

    async def recall(self, reader: BoundReader, request: RecallRequest, under: Under = AS_IT_IS) -> Recall:
        """The best memories for a question, at most `limit`, and what else there is to say about them.

        Any text is answered: one without content words by meaning alone, one that nothing fits by an empty list
        whose trace says what was looked at.
        """
        with span("recall.read"):
            asked = await self._read(reader, request, under)
        # On a server this waits for the network, not for the ranking.
        used = asyncio.create_task(lately_used(reader, asked, recent=asked.policy.recent))
        try:
            with span("recall.score", seeds=len(asked.seeds)):
                ranked = await self._reread(await self._score(reader, asked), under)
            with span("recall.present"):
                return await present(reader, ranked, await used)
        finally:
            used.cancel()

    async def ranked(self, reader: BoundReader, request: RecallRequest, under: Under = AS_IT_IS) -> Ranked:
        """Everything that was considered for a question, with its scores, as it is before the answer is cut from it."""
        return await self._reread(await self._score(reader, await self._read(reader, request, under)), under)

    async def _reread(self, ranked: Ranked, under: Under) -> Ranked:
        if self._reranker is None or not ranked.asked.policy.rerank or under.reread is False:
            return ranked
        return replace(ranked, reread=await reread(ranked, self._reranker, bounded=under.reread is None))

    async def _read(self, reader: BoundReader, request: RecallRequest, under: Under) -> Asked:
        now = under.now or self._clock()
        question = read_question(
            request.query,
            asked_at=request.asked_at,
            read_time_words=request.read_time_words,
            zone=zone_of(request.time_zone),
            now=now,
            as_of=request.as_of,
        )
        statistics, seeds, titles = await asyncio.gather(
            self._statistics.view(reader, seq=under.statistics_seq),
            self._seeds(reader, question.text),
            find_titles(reader, question.text),
        )
        vectors, degraded = await self._vectors(question, statistics)
        han = {"zh": True, "en": False}.get(question.lang)
        named = question.time.day.last if question.time.day and not question.wants_history else now
        clocks = Clocks(as_of=request.as_of or named, known_at=request.known_at or now)
        return Asked(
            request=request,
            policy=under.policy or self._policy,
            ontology=self._ontology.fingerprint,
            question=question,
            filter=ReadFilter(
                clocks=clocks,
                scope=request.scope,
                kinds=FOUND_KINDS,
                types=request.types,
                relations=request.relations,
                min_importance=request.min_importance,
                include_superseded=request.include_superseded or (question.wants_history and request.as_of is None),
                include_archived=request.include_archived,
                include_future=question.looks_ahead,
            ),
            statistics=statistics,
            vectors=vectors,
            weights={term: statistics.idf(term, han=han) for term in question.terms},
            seeds=seeds,
            titles=titles,
            degraded=(
                *not_recognised(question, statistics, named=bool(seeds or titles)),
                *degraded,
                *self._notes,
            ),
            now=now,
        )

    async def _seeds(self, reader: BoundReader, text: str) -> tuple[Seed, ...]:
        seeds = await find_seeds(reader, text)
        if self._respell is not None:
            sure = [seed for seed in seeds if seed.proper]
            meant = await self._respell(reader, text, sure, self._ontology)
            apart = [seed for seed in seeds if not any(seed.start < m.end and m.start < seed.end for m in meant)]
            seeds = tuple(sorted((*apart, *meant), key=lambda seed: seed.start))
        return seeds if any(seed.proper for seed in seeds) else (*seeds, *await guess_seeds(reader, text, seeds))

    async def _vectors(
        self, question: Question, statistics: StatisticsView
    ) -> tuple[Mapping[str, Vector], tuple[str, ...]]:
        held = statistics.fingerprints
        if self._embedders is None:
            return {}, ("no embedder is set up: ranked by words and graph only",)
        if not held:
            waits = statistics.documents > 0
            return {}, ("no memory has a vector yet: ranked by words and graph only",) if waits else ()
        try:
            vectors = await asyncio.to_thread(self._embedders.embed_query, question.said, held=held)
        except ModelUnavailable as cause:
            logger.warning("query embedder failed", extra={"error": type(cause).__name__})
            return {}, ("the embedder does not answer: ranked by words and graph only",)
        usable = {fingerprint: vector for fingerprint, vector in vectors.items() if fingerprint in held}
        if not usable:
            return {}, ("stored vectors are of another model: ranked by words and graph until they are made anew",)
        if held <= set(self._embedders.fingerprints):
            return usable, self._embedders.degraded
        others = "some stored vectors are of another model: what they are of is ranked by words and graph until they are made anew"
        return usable, (*self._embedders.degraded, others)

    async def _score(self, reader: BoundReader, asked: Asked) -> Ranked:
        pool = Pool(
            reader,
            asked.filter,
            vectors=asked.vectors,
            weights=asked.weights,
            limit=asked.policy.candidates * (_WIDER if _asks_when_told(asked) else 1),
            hidden=LOOKED_AT,
        )
        links = NameLinks(reader, asked.filter)
        matcher = Matcher(self._words)
        titles, strolled = await asyncio.gather(
            self._fill(pool, links, asked), walk_question(reader, asked, matcher, self._steps, asked.policy)
        )
        board = Board(pool, self._scoring_input(asked))
        for id, lift in titles.items():
            board.add(episode_key(id), "title", lift)
        if asked.question.same_day:
            await hop_over_days(board, asked.question)
        walked = await read_walk(reader, asked, board, strolled, self._ontology)
        first = await add_walked(board, walked)
        await pool.want([(Kind.FACT, id) for fact in pool.facts() if fact.is_guess for id in fact.conflicts_with])
        board.refresh()
        standing, sentences, before = Standing(), Sentences(), {}
        ahead = asked.question.looks_ahead
        standing = await find_closed(reader, asked, board, matcher, walked.chunks)
        if asks_history(asked):
            standing = standing.as_history()
        else:
            demote(board, standing, looks_ahead=ahead)
        if asks_course(asked):
            await join_history(reader, board)
        elif not _asks_of_years(asked):
            sentences = await find_sentences(reader, asked, board, self._embed)
            before = demote_notes(board, sentences, already=standing.closed)
        if not (walked.sure and walked.best >= _ANSWERED):
            await self._follow_names(reader, board, links, asked, standing, sentences)
            if not asks_history(asked):
                late = await find_closed(reader, asked, board, matcher, walked.chunks, before=standing)
                demote(board, late, looks_ahead=ahead)
                standing = standing.with_late(late)
        keep_down(board, sentences, before)
        lift_kinds(board)
        await add_neighbours(board, reader, asked.filter)
        keep_older_down(board, walked)
        apart = tie_facts(board, walked, asked.filter.clocks.as_of, sentences.has_ended)
        findings = Findings(first=tuple(first), walked=walked, standing=standing, sentences=sentences, apart=apart)
        return Ranked(asked=asked, board=board, findings=findings)

    async def _fill(self, pool: Pool, links: NameLinks, asked: Asked) -> Mapping[EpisodeId, float]:
        """Puts what the channels find into the pool; gives the episodes that are named by title, and what that lifts."""
        titles = await title_lifts(links, asked.titles, asked.policy.title)
        await pool.search(wanted=(episode_key(id) for id in titles))
        return titles

    async def _follow_names(
        self,
        reader: BoundReader,
        board: Board,
        links: NameLinks,
        asked: Asked,
        standing: Standing,
        sentences: Sentences,
    ) -> None:
        """Passages with titles lead one step, notes several; never out of what no longer holds."""
        if not asked.request.hops:
            return
        if asked.policy.spread:
            await spread(board, NameLinks(reader, asked.filter, Namesakes(reader)), asked.entities)
        kinds = {e.kind for e in board.episodes().values() if not is_chat(e)}
        if EpisodeKind.DOCUMENT in kinds:
            # Words find nothing by a name that the question spells otherwise, so a step over it is no repetition.
            written = frozenset(id for seed in asked.seeds if not seed.respelt for id in seed.ids)
            await hop_over_names(board, links, written.union(*asked.titles))
        if kinds - {EpisodeKind.DOCUMENT}:
            loose = NameLinks(reader, asked.filter, Namesakes(reader))
            entities = await loose.grouped(asked.entities)
            await chain_over_names(
                board, loose, entities, rounds=asked.request.hops + 1, closed=standing.closed, sentences=sentences
            )

    @property
    def _embed(self) -> Embed | None:
        embedders = self._embedders
        return None if embedders is None else lambda text, held: embedders.embed_query(text, held=held)

    def _scoring_input(self, asked: Asked) -> ScoringInput:
        english = self._embedders.english.fingerprint if self._embedders else ""
        return ScoringInput(
            question=asked.question,
            statistics=asked.statistics,
            policy=asked.policy,
            weights=asked.weights,
            vectors=asked.vectors,
            english=english if self._embedders and self._reads_only_english(self._embedders) else "",
            means={},
            now=asked.filter.clocks.as_of,
            asker=asked.request.speaker,
            time_counts=asked.request.as_of is None,
        )

    @staticmethod
    def _reads_only_english(embedders: QueryEmbedders) -> bool:
        return embedders.english.fingerprint != embedders.other.fingerprint
