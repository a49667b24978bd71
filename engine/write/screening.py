"""Secrets and personal data kept out of what is stored: taken out of the inputs, or the inputs refused."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from muniment.engine.extract.screen import Done, ScreenPolicy, screen, screen_value
from muniment.engine.ingest.inputs import EndIn, EpisodeIn, FactIn
from muniment.graph_schema.errors import Invalid
from muniment.graph_schema.records import Rejection, Screening

logger = logging.getLogger(__name__)

Input = TypeVar("Input")
Told = TypeVar("Told")
_LONG_NUMBER = 10**12
"""A number from here on may be a card's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """The inputs that may be stored, each with its place in the call."""

    inputs: tuple[Any, ...]
    numbers: tuple[int, ...]


@dataclass(slots=True)
class Screener:
    """Screens the inputs of one call. `report` and `rejected` say by kind and count what was found, never the values."""

    policy: ScreenPolicy
    _found: Counter[tuple[str, str, Done]] = field(default_factory=Counter)
    rejected: list[Rejection] = field(default_factory=list)

    @property
    def report(self) -> tuple[Screening, ...]:
        """By input and kind, in the order of the call."""
        return tuple(
            Screening(input=input, kind=kind, count=count, done=done.value)
            for (input, kind, done), count in self._found.items()
        )

    def episodes(self, given: Sequence[EpisodeIn]) -> Kept:
        """Text, title, source and the texts in the metadata."""
        return self._kept([(f"episodes[{n}]", one) for n, one in enumerate(given)], self._episode)

    def facts(self, given: Sequence[FactIn]) -> Kept:
        """The sentence and both ends."""
        return self._kept([(f"facts[{n}]", one) for n, one in enumerate(given)], self._fact)

    def command(self, given: Mapping[str, Any], input: str) -> Mapping[str, Any] | None:
        """Every text of a model's command; None where it must not be done."""
        read = _Reading(self.policy)
        out: Mapping[str, Any] = {
            name: value if name == "target" else read.value(value, str(name)) for name, value in given.items()
        }
        return out if self._take(read, input) else None

    def told(self, value: Told, input: str) -> Told:
        """One value as it may be stored. Raises Invalid where the settings refuse what stands in it."""
        read = _Reading(self.policy)
        clean: Told = read.value(value, "")
        if not self._take(read, input):
            raise Invalid(f"{input}: {self.rejected[-1].detail}", field=input)
        return clean

    def _kept(self, given: Sequence[tuple[str, Input]], screened: Any) -> Kept:
        kept: list[tuple[int, Input]] = []
        for number, (input, one) in enumerate(given):
            read = _Reading(self.policy)
            clean = screened(one, read)
            if self._take(read, input):
                kept.append((number, clean))
        if self._found:
            logger.info(
                "inputs screened",
                extra={"redacted": self._count(Done.REDACTED), "refused": self._count(Done.REFUSED)},
            )
        return Kept(inputs=tuple(one for _, one in kept), numbers=tuple(n for n, _ in kept))

    def _take(self, read: _Reading, input: str) -> bool:
        """Notes what was found; False where the input is refused for it."""
        for (kind, done), count in read.found.items():
            self._found[input, kind, done] += count
        refused = [f"{count} × {kind}" for (kind, done), count in read.found.items() if done is Done.REFUSED]
        if refused:
            detail = f"it holds {', '.join(refused)}, which the settings refuse: take it out and send it again"
            self.rejected.append(Rejection(input=input, code="invalid", detail=detail))
        return not refused

    def _count(self, done: Done) -> int:
        return sum(count for (_, _, how), count in self._found.items() if how is done)

    @staticmethod
    def _episode(one: EpisodeIn, read: _Reading) -> EpisodeIn:
        text, title, source = read.text(one.text), read.text(one.title), read.text(one.source)
        metadata = read.value(one.metadata, "")
        if not read.found:
            return one
        return replace(one, text=text, title=title, source=source, metadata=metadata)

    @staticmethod
    def _fact(one: FactIn, read: _Reading) -> FactIn:
        text = read.text(one.text)
        subject, object_ = _end(one.subject, read, ""), _end(one.object, read, one.relation)
        return replace(one, text=text, subject=subject, object=object_) if read.found else one


def _end(end: EndIn, read: _Reading, said: str) -> EndIn:
    """An end without secrets; `said` is the relation, which may say what the value is (`password`)."""
    return end if end.id is not None else replace(end, name=read.value(end.name, said.replace("_", " ")))


class _Reading:
    """What was found in one input."""

    def __init__(self, policy: ScreenPolicy) -> None:
        self._policy = policy
        self.found: Counter[tuple[str, Done]] = Counter()

    def text(self, text: str) -> str:
        if not text:
            return text
        result = screen(text, policy=self._policy)
        self.found.update((s.kind.value, done) for s, done in result.done)
        return result.text

    def value(self, value: Any, name: str) -> Any:
        """A JSON value with every text in it screened; the name beside a text may say what it is."""
        if isinstance(value, str):
            result = screen_value(name, value, policy=self._policy)
            self.found.update((s.kind.value, done) for s, done in result.done)
            return result.text
        if isinstance(value, int) and not isinstance(value, bool) and abs(value) >= _LONG_NUMBER:
            clean = self.value(str(value), name)
            return value if clean == str(value) else clean
        if isinstance(value, Mapping):
            return {key: self.value(one, str(key)) for key, one in value.items()}
        if isinstance(value, Sequence):
            return [self.value(one, name) for one in value]
        return value
