"""The context block: what goes into a prompt, in order, inside a budget, fenced off from instructions."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, tzinfo
from typing import Final

from muniment.engine.assemble.fence import NonceSource, closing, opening, random_nonce
from muniment.engine.assemble.items import ContextItem, Line, render, says_all
from muniment.engine.assemble.lapsed import NO_LAPSES, Lapse
from muniment.engine.assemble.sections import SHARES, chosen_sections, is_pinned, section_of
from muniment.engine.assemble.template import ENGLISH, ContextTemplate
from muniment.engine.assemble.tokens import TokenCounter, estimate_tokens
from muniment.engine.ingest.given import whole
from muniment.engine.rank.hits import Hit, Omitted
from muniment.engine.retrieve.question import is_question
from muniment.graph_schema.ids import EntityId, fold
from muniment.graph_schema.records import Episode, Fact, Status

DEFAULT_BUDGET_TOKENS: Final = 900
_FAR_BELOW: Final = 0.12  # of the best hit's score
_TOUCHED: Final = 0.5  # of the best hit's score
_UNTOUCHED: Final = 1 / 3  # of the room, for standing constraints that the question does not touch
_COVERED: Final = 1.6  # an episode up to this many times as long as what was drawn from it says little more


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextSection:
    name: str
    tokens: int
    items: tuple[ContextItem, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """The block. `tokens` is never over the budget by the counter that was used; `omitted` names all that was left out."""

    text: str
    tokens: int
    sections: tuple[ContextSection, ...]
    omitted: tuple[Omitted, ...]


def assemble(
    hits: Sequence[Hit],
    *,
    pinned: Sequence[Hit] = (),
    omitted: Sequence[Omitted] = (),
    budget_tokens: int = DEFAULT_BUDGET_TOKENS,
    sections: Iterable[str] | None = None,
    template: ContextTemplate = ENGLISH,
    count_tokens: TokenCounter = estimate_tokens,
    nonce: NonceSource = random_nonce,
    shares: Mapping[str, float] = SHARES,
    zone: tzinfo = UTC,
    decided: Callable[[Hit], bool] = lambda _: False,
    rivals: Mapping[str, Sequence[str]] | None = None,
    lapses: Mapping[str, Sequence[Lapse]] = NO_LAPSES,
    about: Collection[EntityId] = (),
) -> Context:
    """A block from ranked hits, best first; its dates are told in `zone`.

    `decided` says of a hit that it is a fact of which only one value can hold: while it does, it is not left out because
    something else in the text that tells it is over.

    `rivals` names by the id of a memory those that contradict it, whether they stand in the block or not (`disputes.py`): it is
    marked as what one source said, with their ids, so that no side of a conflict is told as plain truth. Without it the
    facts' own word is taken.

    `lapses` names by the id of a memory what of it does not hold any more (`lapsed.py`): it is marked, with what holds instead. A text
    is not judged by what it lost for words that are so marked, where it says more than they do.

    `about` are the entities that are asked about: their constraints come first, before those of whoever speaks and of others.

    `pinned` are memories that belong in every block: what somebody pinned, and standing constraints. What was pinned, and
    constraints that the hits hold too, are placed before anything else, cut at sentence borders only where the whole
    budget cannot hold them. Constraints that the question does not touch follow, in a third of the room at most: a tenant
    has as many as it has clients. Then each section fills its share with its best hits, and what is left over goes to the
    best of the rest. `omitted` from the search is passed on.
    Raises Invalid for an unknown section or a budget below 1.
    """
    whole("budget_tokens", budget_tokens, 1)
    names = chosen_sections(sections)
    near, far = _near(hits, lambda hit: _said(hit, decided, lapses))
    own = [hit for hit in (*near, *pinned) if section_of(hit) == "constraints" and _nearness(hit, about) == 0]
    touched = [*own, *_touched(near, hits, lambda hit: _said(hit, decided, lapses))]
    wanted, left_out = _wanted([*touched, *_first(pinned), *near], names)
    left_out += far
    fence = nonce()
    frame = [template.first_line, template.data_line, opening(fence), closing(fence)]
    plan = _Plan(
        template=template,
        count_tokens=count_tokens,
        room=budget_tokens,
        rivals=_own_word(wanted) if rivals is None else rivals,
        lapses=lapses,
        zone=zone,
    )
    plan.room -= sum(count_tokens(line + "\n") for line in frame)
    if plan.room <= 0:
        gone = [Omitted(id=hit.id, reason="budget", kind=hit.kind) for hit in wanted]
        return Context(text="", tokens=0, sections=(), omitted=_once([*gone, *left_out, *omitted], ()))
    _place(plan, wanted, names, shares=shares, first={hit.id for hit in touched})
    plan.sort("constraints", {hit.id: _nearness(hit, about) for hit in wanted})
    text, tokens = _settled(plan, frame, budget_tokens)
    gone = [
        Omitted(id=hit.id, reason="duplicate" if hit.id in plan.retold else "budget", kind=hit.kind)
        for hit in wanted
        if hit.id not in plan.lines
    ]
    built = [
        ContextSection(
            name=name,
            tokens=sum(line.tokens for line in plan.section(name)) + count_tokens(_heading(template, name) + "\n"),
            items=tuple(line.item for line in plan.section(name)),
        )
        for name in names
        if plan.section(name)
    ]
    return Context(
        text=text,
        tokens=tokens,
        sections=tuple(built),
        omitted=_once([*gone, *left_out, *omitted], plan.lines.keys()),
    )


class _Plan:
    """What has been placed so far, and how much room is left."""

    def __init__(
        self,
        *,
        template: ContextTemplate,
        count_tokens: TokenCounter,
        room: int,
        rivals: Mapping[str, Sequence[str]],
        lapses: Mapping[str, Sequence[Lapse]],
        zone: tzinfo,
    ) -> None:
        self.template = template
        self.count_tokens = count_tokens
        self.room = room
        self.rivals = rivals
        self.lapses = lapses
        self.zone = zone
        self.lines: dict[str, Line] = {}
        self.retold: set[str] = set()  # episodes left out for what stands here of them
        self._cut: dict[str, Hit] = {}  # what stands here shortened
        self._told: dict[str, int] = {}  # episode -> length of what stands here that was drawn from it
        self.placed: dict[str, list[str]] = {}  # by section, in order

    def section(self, name: str) -> list[Line]:
        return [self.lines[id] for id in self.placed.get(name, [])]

    def add(self, hit: Hit, *, room: int) -> bool:
        """Places the hit within `room` tokens, heading included where it is the section's first; not an episode of which
        nearly all stands here already."""
        is_episode = isinstance(hit.memory, Episode)
        if is_episode and not is_pinned(hit) and len(hit.text) <= _COVERED * self._told.get(hit.id, 0):
            self.retold.add(hit.id)
            return False
        name = section_of(hit)
        heading = 0 if name in self.placed else self.count_tokens(_heading(self.template, name) + "\n")
        line = self._line(hit, min(room, self.room) - heading)
        if line is None:
            return False
        self.lines[hit.id] = line
        if line.item.shortened:
            self._cut[hit.id] = hit
        self.placed.setdefault(name, []).append(hit.id)
        self.room -= line.tokens + heading
        for episode in () if is_episode else hit.episodes:
            self._told[episode] = self._told.get(episode, 0) + len(hit.text)
        return True

    def lengthen(self) -> None:
        """Gives what is left of the room to those that were cut for the share of their section, in the order they came."""
        for id, hit in self._cut.items():
            before = self.lines[id]
            line = self._line(hit, before.tokens + self.room)
            if line is not None and line.tokens > before.tokens:
                self.lines[id] = line
                self.room -= line.tokens - before.tokens

    def _line(self, hit: Hit, room: int) -> Line | None:
        return render(
            hit,
            template=self.template,
            count_tokens=self.count_tokens,
            rivals=self.rivals,
            lapses=self.lapses,
            room=room,
            zone=self.zone,
        )

    def sort(self, name: str, places: Mapping[str, int]) -> None:
        """Puts what stands in a section in the order of these places; those of one place stay as they are."""
        if name in self.placed:
            self.placed[name].sort(key=places.__getitem__)

    def remove(self, id: str) -> None:
        del self.lines[id]
        for name, ids in list(self.placed.items()):
            if id in ids:
                ids.remove(id)
            if not ids:
                del self.placed[name]


def _place(
    plan: _Plan, wanted: Sequence[Hit], names: Sequence[str], *, shares: Mapping[str, float], first: Collection[str]
) -> None:
    for hit in wanted:
        if hit.id in first or getattr(hit.memory, "pinned", False):
            plan.add(hit, room=plan.room)
    others = [hit for hit in wanted if hit.id not in plan.lines and is_pinned(hit)]
    _fill(plan, others, int(plan.room * _UNTOUCHED))
    kept = {hit.id for hit in others}
    rest = [hit for hit in wanted if hit.id not in plan.lines and hit.id not in kept]
    start = plan.room
    for name in names:
        _fill(plan, [hit for hit in rest if section_of(hit) == name], int(start * shares.get(name, 0.0)))
    for hit in rest:
        if hit.id not in plan.lines:
            plan.add(hit, room=plan.room)
    plan.lengthen()


def _fill(plan: _Plan, hits: Iterable[Hit], allowance: int) -> None:
    """Places what fits of these, together within the allowance."""
    for hit in hits:
        before = plan.room
        if plan.add(hit, room=allowance):
            allowance -= before - plan.room


def _settled(plan: _Plan, frame: Sequence[str], budget_tokens: int) -> tuple[str, int]:
    """The text and its tokens; a tokenizer that counts a whole text higher than its lines costs the last items."""
    while True:
        text = _text(plan, frame)
        tokens = plan.count_tokens(text)
        if tokens <= budget_tokens:
            return text, tokens
        if not plan.lines:
            return "", 0
        plan.remove(next(reversed(plan.lines)))


def _text(plan: _Plan, frame: Sequence[str]) -> str:
    first, data, start, end = frame
    if not plan.lines:
        return "\n".join([first, data, start, end])
    lines = [first, data, start]
    for name in _ordered(plan):
        lines.append(_heading(plan.template, name))
        lines += [line.rendered for line in plan.section(name)]
    return "\n".join([*lines, end])


def _ordered(plan: _Plan) -> list[str]:
    return [name for name in chosen_sections(None) if name in plan.placed]


def _heading(template: ContextTemplate, name: str) -> str:
    return f"## {template.headings[name]}"


def _near(hits: Sequence[Hit], said: Callable[[Hit], float]) -> tuple[list[Hit], list[Omitted]]:
    """The hits that say something to the question. A store always has ten best memories, but where the tenth is far below
    the first it is noise, and noise in a prompt costs more than room left free. Standing constraints are not judged so, and
    a kept question, which is like every question, sets no measure.
    """
    best = max((hit.score for hit in hits if not _only_asks(hit)), default=0.0)
    least = min(best, _FAR_BELOW * best)  # a score may be below nothing
    far = {hit.id for hit in hits if said(hit) < least and not is_pinned(hit)}
    gone = [Omitted(id=hit.id, reason="limit", kind=hit.kind) for hit in hits if hit.id in far]
    return [hit for hit in hits if hit.id not in far], gone


def _touched(near: Sequence[Hit], hits: Sequence[Hit], said: Callable[[Hit], float]) -> list[Hit]:
    """The constraints among the hits that the question is about, and not about others who have the like."""
    best = max((hit.score for hit in hits), default=0.0)
    return [hit for hit in near if section_of(hit) == "constraints" and said(hit) >= _TOUCHED * best > 0]


def _first(pinned: Sequence[Hit]) -> list[Hit]:
    """Standing memories: what was pinned, then constraints of whoever speaks, then those of others, each as they came."""
    return sorted(pinned, key=lambda hit: (not getattr(hit.memory, "pinned", False), _is_of_others(hit)))


def _nearness(hit: Hit, about: Collection[EntityId]) -> int:
    """0 for a constraint of or on something that is asked about, 1 for what was pinned or is the speaker's own, 2 for others."""
    memory = hit.memory
    if isinstance(memory, Fact) and (memory.subject.id in about or memory.object.id in about):
        return 0
    return 1 if getattr(memory, "pinned", False) or not _is_of_others(hit) else 2


def _is_of_others(hit: Hit) -> bool:
    memory = hit.memory
    return isinstance(memory, Fact) and memory.subject.name not in (memory.scope.user, "user")


def _only_asks(hit: Hit) -> bool:
    return isinstance(hit.memory, Episode) and is_question(hit.text)


def _said(hit: Hit, decided: Callable[[Hit], bool], lapses: Mapping[str, Sequence[Lapse]]) -> float:
    """The score by what the hit says; of a decided fact in force without what it lost for the text that tells it, of a text
    without what it lost for words that are marked as over, where it says more."""
    if isinstance(hit.memory, Episode):
        over = lapses.get(hit.id, ())
        return hit.score - min(0.0, hit.parts.get("superseded", 0.0)) if over and not says_all(hit, over) else hit.score
    in_force = hit.status is Status.CURRENT and decided(hit)
    return hit.score - min(0.0, hit.parts.get("evidence", 0.0)) if in_force else hit.score


def _wanted(hits: Sequence[Hit], names: Sequence[str]) -> tuple[list[Hit], list[Omitted]]:
    """The hits of the asked sections, each text once: a preference or a fact rather than the text that says no more, since
    it stands in its own section."""
    kept: dict[str, Hit] = {}  # by text, in order
    left_out: list[Omitted] = []
    seen_ids: set[str] = set()
    for hit in hits:
        if hit.id in seen_ids:
            continue
        seen_ids.add(hit.id)
        if section_of(hit) not in names:
            left_out.append(Omitted(id=hit.id, reason="limit", kind=hit.kind))
            continue
        text = fold(hit.text).rstrip(".")
        first = kept.setdefault(text, hit)
        if first is hit:
            continue
        if isinstance(first.memory, Episode) and not isinstance(hit.memory, Episode) and not is_pinned(first):
            kept[text] = hit
            left_out.append(Omitted(id=first.id, reason="duplicate", kind=first.kind))
        else:
            left_out.append(Omitted(id=hit.id, reason="duplicate", kind=hit.kind))
    return list(kept.values()), left_out


def _own_word(hits: Sequence[Hit]) -> Mapping[str, Sequence[str]]:
    """What the facts say themselves of their rivals; what is to come contradicts nothing that holds."""
    ahead = {hit.id: hit.status is Status.FUTURE for hit in hits}
    found: dict[str, list[str]] = {}
    for hit in hits:
        for id in hit.memory.conflicts_with if isinstance(hit.memory, Fact) else ():
            if ahead.get(id, ahead[hit.id]) is ahead[hit.id]:
                found.setdefault(hit.id, []).append(id)
                found.setdefault(id, []).append(hit.id)
    return {id: sorted(set(against)) for id, against in found.items()}


def _once(omitted: Iterable[Omitted], placed: Iterable[str]) -> tuple[Omitted, ...]:
    """Each left-out memory once. What is not true yet counts as superseded: for now something else holds."""
    seen = set(placed)
    out = []
    for entry in omitted:
        if entry.id not in seen:
            seen.add(entry.id)
            out.append(replace(entry, reason="superseded") if entry.reason == "not_yet" else entry)
    return tuple(out)
