"""Structured facts as sentences, so that what a record says and what a note says can take one another's place."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from muniment.engine.extract.candidates import Named
from muniment.engine.extract.change.notes import NoteReading, SentenceReading
from muniment.engine.extract.change.wordlists import change_words
from muniment.engine.extract.mentions import PERSON
from muniment.engine.ingest.language import CHINESE, ENGLISH, has_han
from muniment.engine.ingest.terms import index_terms
from muniment.graph_schema.records import Episode

_WORD: Final = re.compile(r"[^\W_]+")
_TYPED: Final = 3  # votes of a type that the caller gave


@dataclass(frozen=True, slots=True, kw_only=True)
class ToldFact:
    """A fact that an episode proves, with the names of its ends."""

    subject: Named
    relation: str
    object: Named
    since: datetime | None


def read_facts(episode: Episode, facts: Sequence[ToldFact]) -> NoteReading:
    """The episode as a note of one sentence a fact. A record says what is so from its date on, hence always a change."""
    named: dict[str, Named] = {}
    persons: dict[str, int] = {}
    sentences: list[SentenceReading] = []
    for fact in facts:
        ends = [end for end in (fact.subject, fact.object) if not end.is_value]
        for end in ends:
            named.setdefault(end.name.casefold(), end)
            if end.type:
                persons[end.name.casefold()] = _TYPED if end.type == PERSON else -_TYPED
        lists = change_words(CHINESE if has_han(fact.relation) else ENGLISH)
        words = [word.casefold() for word in _WORD.findall(fact.relation.replace("_", " "))]
        stand_ins = lists.stand_ins
        value = stand_ins["amount"] if fact.object.is_value else stand_ins["thing"]
        masked = f"{stand_ins['thing']} {' '.join(words)} {value}"
        sentences.append(
            SentenceReading(
                start=0,
                end=len(episode.text),
                names=tuple(dict.fromkeys(end.name.casefold() for end in ends)),
                placed=tuple(end.name.casefold() for end in ends if end is fact.object),
                amounts=frozenset({re.sub(r"[\s,]", "", fact.object.name.casefold())})
                if fact.object.is_value
                else frozenset(),
                relations=lists.relations_within(fact.relation) if lists.runs_on else lists.relations_of(words),
                words=frozenset(words),
                masked=masked,
                terms=" ".join(index_terms(masked)),
                changes=True,
                since=fact.since,
                starts=fact.since is not None,
            )
        )
    return NoteReading(episode=episode.id, sentences=tuple(sentences), named=named, persons=persons, asserted=True)
