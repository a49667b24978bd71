"""A note as its sentences are compared with those of other notes: names, values, relations, cues, start of validity."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from muniment.engine.extract.candidates import Named
from muniment.graph_schema.ids import EpisodeId
from muniment.graph_schema.temporal import from_ms, to_ms


@dataclass(frozen=True, slots=True, kw_only=True)
class SentenceReading:
    """One sentence. `start` and `end` are its offsets in the episode's text.

    Names are keys: folded spellings as the extractor gives them, ids of entities once these are known. `names` stand in
    the sentence, in order; `meant` are those that its pronouns mean; `around` those that the note named before, its
    title among them. `amounts` and `dates` are as they were written, without spaces. `relations` are of the word lists,
    `words` the lemmas of its content words without its names. `masked` is the sentence with names and values stood in for,
    `terms` the index terms of that.
    `placed` are names behind a word of place, `owning` those of which something else is told ("X's warehouse"), `listed` those
    that stand in a list beside each other.
    `since` is the start of validity that it names; `starts` whether words such as "from" say that it is one.
    """

    start: int
    end: int
    names: tuple[str, ...] = ()
    meant: tuple[str, ...] = ()
    around: tuple[str, ...] = ()
    placed: tuple[str, ...] = ()
    owning: tuple[str, ...] = ()
    listed: tuple[str, ...] = ()
    amounts: frozenset[str] = frozenset()
    dates: frozenset[str] = frozenset()
    relations: frozenset[str] = frozenset()
    words: frozenset[str] = frozenset()
    masked: str = ""
    terms: str = ""
    changes: bool = False
    corrects: bool = False
    doubtful: bool = False
    past: bool = False
    denies: bool = False
    row: bool = False
    days: frozenset[int] = frozenset()  # days of the month on which something that it corrects was said
    since: datetime | None = None
    starts: bool = False

    @property
    def near(self) -> tuple[str, ...]:
        """Names that the sentence has from its note only, those of pronouns first."""
        return tuple(dict.fromkeys(key for key in (*self.meant, *self.around) if key not in self.names))

    def renamed(self, ids: Mapping[str, str]) -> SentenceReading:
        """The sentence with other keys for its names; those without one are left out."""

        def moved(keys: tuple[str, ...]) -> tuple[str, ...]:
            return tuple(dict.fromkeys(ids[key] for key in keys if key in ids))

        return replace(
            self,
            names=moved(self.names),
            meant=moved(self.meant),
            around=moved(self.around),
            placed=moved(self.placed),
            owning=moved(self.owning),
            listed=moved(self.listed),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteReading:
    """The sentences of an episode that is no turn of a conversation; `named` leads from the names' keys to the names."""

    episode: EpisodeId
    sentences: tuple[SentenceReading, ...]
    named: Mapping[str, Named] = field(default_factory=dict)
    persons: Mapping[str, int] = field(
        default_factory=dict
    )  # of a name: what speaks for a person, less what for a thing
    asserted: bool = False  # made of structured facts; what was read of the episode's text before stands


_SETS = ("amounts", "dates", "relations", "words")
_LISTS = ("names", "meant", "around", "placed", "owning", "listed")
_FLAGS = ("changes", "corrects", "doubtful", "past", "denies", "row", "starts")


def sentence_to_json(sentence: SentenceReading) -> dict[str, Any]:
    """The sentence as JSON-able data, empty parts left out."""
    body: dict[str, Any] = {"at": [sentence.start, sentence.end], "masked": sentence.masked, "terms": sentence.terms}
    body |= {name: sorted(value) for name in (*_SETS, "days") if (value := getattr(sentence, name))}
    body |= {name: list(value) for name in _LISTS if (value := getattr(sentence, name))}
    flags = [name for name in _FLAGS if getattr(sentence, name)]
    if flags:
        body["flags"] = flags
    if sentence.since is not None:
        body["since"] = to_ms(sentence.since)
    return body


def sentence_from_json(body: Mapping[str, Any]) -> SentenceReading:
    """The sentence of such data."""
    flags = frozenset(body.get("flags", ()))

    def several(name: str) -> frozenset[str]:
        return frozenset(body.get(name, ()))

    def ordered(name: str) -> tuple[str, ...]:
        return tuple(body.get(name, ()))

    return SentenceReading(
        start=body["at"][0],
        end=body["at"][1],
        masked=body["masked"],
        terms=body.get("terms", ""),
        names=ordered("names"),
        meant=ordered("meant"),
        around=ordered("around"),
        placed=ordered("placed"),
        owning=ordered("owning"),
        listed=ordered("listed"),
        amounts=several("amounts"),
        dates=several("dates"),
        relations=several("relations"),
        words=several("words"),
        days=frozenset(body.get("days", ())),
        changes="changes" in flags,
        corrects="corrects" in flags,
        doubtful="doubtful" in flags,
        past="past" in flags,
        denies="denies" in flags,
        row="row" in flags,
        starts="starts" in flags,
        since=from_ms(body["since"]) if "since" in body else None,
    )
