"""The demonstration as tables. Every cell is something that the engine returned."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from muniment.api.demo.telling import Answered, ChangeShown, Demonstration
from muniment.graph_schema.records import Action, EntityRef, Fact, Status
from muniment.graph_schema.temporal import BEGINNING_MS, to_ms

_STYLES = {Status.CURRENT: "green", Status.FUTURE: "cyan", Status.REJECTED: "red"}
_TOP_HITS = 4
_LONGEST = 110
_LONGEST_LINE = 260  # of a fact's story, whose end is the quote
_CALLED = {"must_not": "constraint"}  # its object is the sentence, with its own "never"


def show_told(console: Console, shown: Demonstration) -> None:
    """What was stored, chapter by chapter, and what was derived from it."""
    console.print(Text(shown.story.about, style="italic"))
    for told in shown.told:
        _heading(console, f"{_day(told.chapter.at)}  {told.chapter.title}")
        for episode in told.episodes:
            who = episode.speaker or episode.title
            console.print(Padding(Text(f"{episode.kind}, {who}: {episode.text}", style="dim"), (0, 0, 0, 2)))
        console.print(Padding(_changes(told.changes), (0, 0, 0, 2)))


def show_answer(console: Console, answered: Answered, *, title: str) -> None:
    """A question, the facts that lead to the answer, and the best of the other hits."""
    _heading(console, title)
    console.print(Text(f"Q: {answered.question.query}", style="bold"))
    console.print(Text(f"as of {_day(answered.as_of)}, {answered.took_ms:.0f} ms", style="dim"))
    table = _table("hop", "fact", "holds", "said in")
    steps = answered.answer.path if answered.answer else ()
    for number, (step, fact) in enumerate(zip(steps, answered.path, strict=True), 1):
        table.add_row(
            str(number),
            Text.assemble(
                f"{step.source.name} {_relation(fact, step.source)} ",
                (step.target.name, "bold green" if number == len(steps) else "bold"),
            ),
            _holds(fact),
            _cited(fact),
        )
    console.print(table)
    others = [hit for hit in answered.hits if not hit.path][:_TOP_HITS]
    for hit in others:
        console.print(Padding(Text(f"also {hit.kind}: {_short(hit.text)}", style="dim"), (0, 0, 0, 2)))


def show_late(console: Console, shown: Demonstration) -> None:
    """One moment, seen with what was known on two days."""
    late = shown.story.late
    _heading(console, f"Told late: {late.subject} · {_words(late.relation)}, as of {_day(late.as_of)}")
    table = _table("known on", "answer", "said in", "told on")
    for known_at, facts in ((late.known_at, shown.late_then), (shown.story.today, shown.late_now)):
        for fact in facts:
            table.add_row(_day(known_at), fact.object.name, _cited(fact), _day(fact.created_at))
    console.print(table)


def show_closings(console: Console, shown: Demonstration) -> None:
    """What each chapter ended, by which rule and on what evidence; then one fact's whole story."""
    _heading(console, "What was closed, and why")
    table = _table("told on", "closed", "until", "because of")
    facts: dict[str, Fact] = {fact.id: fact for told in shown.told for fact in (change.fact for change in told.changes)}
    episodes = {episode.id: episode for told in shown.told for episode in told.episodes}
    for told in shown.told:
        for closing in told.closings:
            because = closing.change.because
            table.add_row(
                _day(told.chapter.at),
                _claim(closing.fact),
                _moment(closing.fact.invalid_at),
                "\n".join(
                    (
                        *(_claim(facts[id]) for id in because.by if id in facts),
                        f"in {', '.join(episodes[id].external_id or id for id in because.evidence if id in episodes)}",
                        f"by {because.rule}",
                    )
                ),
            )
    console.print(table)
    console.print(Text(f"The story of: {_claim(shown.history.fact)}", style="bold"))
    table = _table("known since", "what", "rule")
    for line in shown.history.story:
        table.add_row(_day(line.at), _short(line.what, _LONGEST_LINE), line.rule)
    console.print(table)


def show_context(console: Console, shown: Demonstration) -> None:
    """The block that goes into a prompt."""
    tokens, budget = shown.context.tokens, shown.story.context_budget
    _heading(console, f"The context block: {tokens} tokens of {budget}")
    console.print(Text(f"Q: {shown.story.context_query}", style="bold"))
    console.print(Text(shown.context.text))


def show_refusal(console: Console, shown: Demonstration) -> None:
    """What another tenant got, and what its audit chain says of it."""
    refusal, story = shown.refusal, shown.story
    _heading(console, f"Another tenant, {story.other_tenant}, tries to read {story.tenant}")
    table = _table("try", "answer")
    table.add_row(f"recall: {story.trespass}", f"{refusal.hits} hits")
    table.add_row(f"a fact of {story.tenant} by its id", refusal.by_id)
    table.add_row("an id that nobody has", refusal.by_absent_id)
    table.add_row(f"HTTP recall, own key, X-Muniment-Tenant: {story.tenant}", f"{refusal.status}: {refusal.problem}")
    console.print(table)
    table = _table("row", "at", "who", "what")
    for entry in refusal.audit:
        detail = ", ".join(f"{name} {value}" for name, value in entry.detail.items())
        table.add_row(
            str(entry.seq),
            _day(entry.at),
            entry.actor,
            f"{entry.verb} {entry.outcome}: {detail}; hash {entry.hash[:12]}…",
        )
    console.print(table)
    chain = "whole" if refusal.chain.ok else f"broken at {refusal.chain.broken_at}"
    console.print(Text(f"  the chain of {refusal.chain.entries} entries is {chain}", style="dim"))


def show_undo(console: Console, shown: Demonstration) -> None:
    """A mistake and its undoing: who held the slot each time, and what the undo changed."""
    corrected = shown.corrected
    subject, relation = shown.story.slot
    _heading(console, f"{corrected.told.chapter.title}, and is taken back")
    table = _table("when", f"{subject} · {_words(relation)}", "receipt")
    names = {"before": corrected.before, "with the mistake": corrected.mistaken, "after undo": corrected.after}
    receipts = ("", corrected.told.receipts[0].id, corrected.undo.id)
    for (when, facts), receipt in zip(names.items(), receipts, strict=True):
        table.add_row(when, ", ".join(fact.object.name for fact in facts), receipt)
    console.print(table)
    console.print(_changes(corrected.undone))


def _changes(changes: Iterable[ChangeShown]) -> Table:
    table = _table("change", "what", "holds", "rule")
    for shown in changes:
        fact, change = shown.fact, shown.change
        status = fact.status_at(fact.created_at)
        table.add_row(
            Text(change.action, style="yellow" if change.action is Action.CLOSED else ""),
            _claim(fact),
            Text(_holds(fact), style=_STYLES.get(status, "yellow")),
            change.because.rule,
        )
    return table


def _heading(console: Console, text: str) -> None:
    console.print()
    console.print(Text(text, style="bold cyan"))


def _table(*columns: str) -> Table:
    table = Table(header_style="bold", pad_edge=False, box=None, padding=(0, 2, 0, 0))
    for column in columns:
        fixed = column in (
            "holds",
            "rule",
            "until",
            "told on",
            "known on",
            "known since",
            "hop",
            "at",
            "change",
            "receipt",
        )
        table.add_column(column, overflow="fold", no_wrap=fixed)
    return table


def _claim(fact: Fact) -> str:
    return f"{fact.subject.name} · {_words(fact.relation)} · {fact.object.name}"


def _relation(fact: Fact, source: EntityRef) -> str:
    words = _words(fact.relation)
    return words if fact.subject.id == source.id else f"← {words}"


def _words(relation: str) -> str:
    return _CALLED.get(relation, relation.replace("_", " "))


def _cited(fact: Fact) -> str:
    return _short(next((quote.quote for quote in fact.evidence if quote.quote), fact.text))


def _holds(fact: Fact) -> str:
    until = f" – {_moment(fact.invalid_at)}" if fact.invalid_at else ""
    return f"{_moment(fact.valid_at)}{until}"


def _moment(at: datetime | None) -> str:
    if at is None or to_ms(at) == BEGINNING_MS:
        return "…"
    return _day(at)


def _day(at: datetime) -> str:
    return at.date().isoformat()


def _short(text: str, longest: int = _LONGEST) -> str:
    text = " ".join(text.split())
    return text if len(text) <= longest else text[: longest - 1] + "…"
