"""Tells the story to an engine, asks it, and keeps what it answered. Nothing here says anything itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from muniment.api.demo.story import Chapter, Question, Story
from muniment.api.demo.trespass import Refusal, trespass
from muniment.engine.assemble.context import Context
from muniment.engine.bootstrap import Engine
from muniment.engine.memory import Memory
from muniment.engine.rank.hits import Hit
from muniment.engine.retrieve.history import History
from muniment.graph_schema.errors import NotFound
from muniment.graph_schema.ids import FactId
from muniment.graph_schema.records import HELD_KINDS, Action, Change, Episode, Fact, Receipt


class StoryClock:
    """The engine's clock while the story runs: each chapter is heard on its own day."""

    def __init__(self, at: datetime) -> None:
        self.at = at

    def __call__(self) -> datetime:
        return self.at


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeShown:
    """A change of a receipt, with the fact as it stood after it."""

    change: Change
    fact: Fact


@dataclass(frozen=True, slots=True, kw_only=True)
class ChapterTold:
    """What the engine made of a chapter."""

    chapter: Chapter
    receipts: tuple[Receipt, ...]
    episodes: tuple[Episode, ...]
    changes: tuple[ChangeShown, ...]

    @property
    def closings(self) -> tuple[ChangeShown, ...]:
        """What this chapter ended, without what began and ended in it."""
        created = {shown.fact.id for shown in self.changes if shown.change.action is Action.CREATED}
        return tuple(
            shown for shown in self.changes if shown.change.action is Action.CLOSED and shown.fact.id not in created
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """A question with its answer: all hits, and the facts of the path that leads to the farthest of them."""

    question: Question
    as_of: datetime
    hits: tuple[Hit, ...]
    path: tuple[Fact, ...]
    took_ms: float

    @property
    def answer(self) -> Hit | None:
        """The hit at the end of the path."""
        return _farthest(self.hits)


@dataclass(frozen=True, slots=True, kw_only=True)
class Corrected:
    """A mistake that was told and taken back: who held the slot before, with it, and after the undo."""

    told: ChapterTold
    undo: Receipt
    before: tuple[Fact, ...]
    mistaken: tuple[Fact, ...]
    after: tuple[Fact, ...]
    undone: tuple[ChangeShown, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Demonstration:
    """Everything the demonstration shows, as the engine gave it."""

    story: Story
    told: tuple[ChapterTold, ...]
    now: Answered
    earlier: Answered
    chinese: Answered
    late_then: tuple[Fact, ...]  # what was known on the earlier day
    late_now: tuple[Fact, ...]  # what is known today of the same moment
    history: History
    context: Context
    refusal: Refusal
    corrected: Corrected


async def demonstrate(engine: Engine, clock: StoryClock, story: Story) -> Demonstration:
    """Runs the whole story on an engine whose clock is `clock`."""
    told = [await tell(engine, clock, story.tenant, chapter) for chapter in story.chapters]
    clock.at = story.today
    memory = engine.for_tenant(story.tenant, actor="ines")
    late = story.late
    current = await _holders(memory, *story.slot)
    context = await memory.context(story.context_query, budget_tokens=story.context_budget)
    return Demonstration(
        story=story,
        told=tuple(told),
        now=await ask(memory, story.three_hop, story.today),
        earlier=await ask(memory, story.three_hop, story.earlier),
        chinese=await ask(memory, story.chinese, story.today),
        late_then=await _holders(memory, late.subject, late.relation, as_of=late.as_of, known_at=late.known_at),
        late_now=await _holders(memory, late.subject, late.relation, as_of=late.as_of),
        history=await memory.history(await _predecessor(memory, current[0])),
        context=context.context,
        refusal=await trespass(engine, story, current[0]),
        corrected=await mistake(engine, clock, story),
    )


async def tell(engine: Engine, clock: StoryClock, tenant: str, chapter: Chapter) -> ChapterTold:
    """Remembers a chapter on its day."""
    clock.at = chapter.at
    memory = engine.for_tenant(tenant, actor=chapter.actor)
    receipts = [await memory.remember(chapter.episodes)]
    ids = {status.external_id: status.id for status in receipts[0].episodes}
    if chapter.facts:
        facts = [{**fact, "evidence": [ids[name] for name in fact.get("evidence", ())]} for fact in chapter.facts]
        receipts.append(await memory.assert_facts(facts))
    return ChapterTold(
        chapter=chapter,
        receipts=tuple(receipts),
        episodes=tuple([await memory.episode(id) for id in ids.values()]),
        changes=tuple([shown for receipt in receipts for shown in await changes_of(memory, receipt)]),
    )


async def changes_of(memory: Memory, receipt: Receipt) -> Sequence[ChangeShown]:
    """The changes of facts and preferences, each with its fact; one that the receipt took away is left out."""
    shown = []
    for change in receipt.changes:
        if change.kind in HELD_KINDS:
            fact = (await memory.history(change.id)).fact
            shown.append(ChangeShown(change=change, fact=fact))
    return shown


async def ask(memory: Memory, question: Question, as_of: datetime) -> Answered:
    """Recalls, and fetches the facts of the path to the farthest hit."""
    answer = await memory.recall(question.query, hops=question.hops, as_of=as_of)
    farthest = _farthest(answer.recall.hits)
    steps = farthest.path if farthest is not None else ()
    return Answered(
        question=question,
        as_of=as_of,
        hits=answer.recall.hits,
        path=tuple([(await memory.history(step.fact)).fact for step in steps]),
        took_ms=answer.took_ms,
    )


async def mistake(engine: Engine, clock: StoryClock, story: Story) -> Corrected:
    """Tells the mistake, undoes it, and looks at the slot each time."""
    memory = engine.for_tenant(story.tenant, actor="ines")
    before = await _holders(memory, *story.slot)
    told = await tell(engine, clock, story.tenant, story.mistake)
    clock.at = story.today
    mistaken = await _holders(memory, *story.slot)
    undo = await memory.undo(told.receipts[0].id, reason="the mail belongs to another customer")
    return Corrected(
        told=told,
        undo=undo,
        before=before,
        mistaken=mistaken,
        after=await _holders(memory, *story.slot),
        undone=tuple(await changes_of(memory, undo)),
    )


async def _holders(
    memory: Memory, subject: str, relation: str, *, as_of: datetime | None = None, known_at: datetime | None = None
) -> tuple[Fact, ...]:
    """Who or what held a slot at a moment."""
    found = await memory.facts(subject=subject, relation=relation, as_of=as_of, known_at=known_at, status="current")
    return found.items


async def _predecessor(memory: Memory, current: Fact) -> FactId:
    """The fact that the current one took the place of."""
    story = await memory.history(current.id)
    for rival in story.rivals:
        if rival.superseded_by == current.id:
            return rival.id
    raise NotFound(f"fact {current.id!r} took nobody's place")


def _farthest(hits: Sequence[Hit]) -> Hit | None:
    """The hit with the longest path, the first of them; None where no hit has one."""
    walked = [hit for hit in hits if hit.path]
    return max(walked, key=lambda hit: len(hit.path)) if walked else None
