"""Reads a note's sentences for comparison, out of what the rule extractor found in them: nothing is tagged twice."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from muniment.engine.extract.candidates import Candidate, Named
from muniment.engine.extract.change.notes import NoteReading, SentenceReading
from muniment.engine.extract.change.wordlists import ChangeWords, change_words
from muniment.engine.extract.dates import DateSpan, Role
from muniment.engine.extract.english import words as english_words
from muniment.engine.extract.mentions import PERSON, Mention
from muniment.engine.extract.reading import Sentence
from muniment.engine.extract.tables import Table
from muniment.engine.ingest.terms import index_terms
from muniment.engine.ports.models import Analysis
from muniment.graph_schema.records import Episode, EpisodeKind

MOST_SENTENCES: Final = 60  # of one note; what is longer is a text to look things up in, not a note of what changes
_AMOUNT: Final = re.compile(
    r"(?:[£€$¥]\s?\d[\d.,]*\s?(?:k|m|bn|million|thousand)?\b"
    r"|\b\d[\d.,]*\s?(?:k\b|m\b|%|percent|per cent|months?\b|days?\b|weeks?\b|years?\b|hours?\b|minutes?\b|bar\b|°\s?C?)"
    r"|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|sixty|ninety)"
    r"\s+(?:months?|days?|weeks?|years?|hours?|minutes?)\b"
    r"|\b\d{1,3}(?:,\d{3})+\b|\b\d+(?:\.\d+)+\b|\b\d{2,}\b)",
    re.IGNORECASE,
)
_ROLES: Final = frozenset({"", "user", "assistant", "system", "tool", "human", "ai", "agent", "bot"})
_MONEY: Final = re.compile(r"[£€$¥]\s?\d|\d,\d{3}\b")
_OWNED_BY: Final = re.compile(r"\b(?:is|are|was|were|be|becomes) [A-Z]\w+[’']s(?:\W|$)")  # "the account is Ana's"
_CONTENT: Final = frozenset({"NOUN", "VERB", "ADJ", "PROPN"})
_SHORTEST: Final = 3
_GENDERED: Final = frozenset({"he", "she", "him", "her", "his", "hers", "himself", "herself", "i", "me", "my"})
_PERSON_AFTER: Final = re.compile(r",? (?:he|she|who)\b")
_AT: Final = re.compile(r"\b(?:at|inside|joined|within)\s$")
_TITLED: Final = 3  # votes of a title or a speaker's name
_SURE_THING: Final = 5  # of a legal form
_WORD: Final = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_BOUND: Final = frozenset({Role.UNTIL, Role.BY, Role.BEFORE})


def is_note(episode: Episode) -> bool:
    """Whether its sentences are compared: those of tools and of the parts in a chat with an assistant are not."""
    if episode.kind is EpisodeKind.MESSAGE:
        return episode.speaker.casefold() not in _ROLES
    return episode.kind is not EpisodeKind.TOOL


@dataclass(slots=True)
class NoteReader:
    """Reads the sentences of one episode in order."""

    episode: Episode
    lists: ChangeWords = field(default_factory=change_words)
    _sentences: list[SentenceReading] = field(default_factory=list)
    _full: dict[str, str] = field(default_factory=dict)  # a full name -> the key of the name that stood for it here
    _before: dict[str, None] = field(default_factory=dict)
    _topics: tuple[str, ...] = ()
    _persons: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        if self.episode.speaker:
            self._persons[self.episode.speaker.strip().casefold()] += _TITLED
        if self.episode.title.strip():
            self._topics = (self._key(Named(name=self.episode.title.strip())),)

    def add(
        self, sentence: Sentence, analysis: Analysis, mentions: Sequence[Mention], dates: Sequence[DateSpan]
    ) -> None:
        """Reads the next sentence; what it names is in `mentions`, pronouns with what they mean."""
        if len(self._sentences) >= MOST_SENTENCES:
            return
        own = tuple(dict.fromkeys(self._key(m.named()) for m in mentions if not m.pronoun and not m.is_value))
        meant = tuple(dict.fromkeys(self._meant(m) for m in mentions if m.pronoun and m.same_as))
        for mention in mentions:
            if not mention.is_value:
                self._persons[self._meant(mention) if mention.pronoun else mention.text.casefold()] += _person_vote(
                    mention, sentence.text
                )
        text = sentence.text
        lemmas, words = _words_of(analysis, mentions)
        changes = bool(self.lists.changes.search(text))
        since, starts = self._since(sentence, dates, changes)
        masked = self._masked(text, mentions, dates)
        around = tuple(dict.fromkeys((*self._topics, *self._before)))
        self._sentences.append(
            SentenceReading(
                start=sentence.start,
                end=sentence.end,
                names=own,
                meant=meant,
                around=around,
                amounts=_amounts(text, dates),
                dates=frozenset(_plain(text[d.bare_start : d.end]) for d in dates),
                relations=self._relations(text, lemmas),
                words=words,
                masked=masked,
                terms=" ".join(index_terms(masked)),
                changes=changes,
                corrects=bool(self.lists.corrections.search(text)),
                doubtful=bool(self.lists.doubts.search(text)) or text.rstrip().endswith("?"),
                past=bool(self.lists.past.search(text)),
                days=frozenset(int(day) for day in self.lists.correction_of_day.findall(text)),
                since=since,
                starts=starts,
            )
        )
        self._before |= dict.fromkeys(own)
        if not self._topics and own:
            self._topics = own

    def add_rows(self, table: Table) -> None:
        """Reads a table's rows: each is about what its first cell names, in the words of the header."""
        header = [word.casefold() for cell in table.header for word in _WORD.findall(cell.replace("_", " "))]
        relations = self.lists.relations_of(header)
        for row in table.rows[: MOST_SENTENCES - len(self._sentences)]:
            name = row[0].text
            if len(name) < _SHORTEST or not name[0].isupper():
                continue
            rest = [cell.text for cell in row[1:]]
            amounts = frozenset(_plain(text) for text in rest if re.fullmatch(r"[£€$¥]?\d[\d.,]*", text))
            self._sentences.append(
                SentenceReading(
                    start=row[0].start,
                    end=row[-1].end,
                    names=(self._key(Named(name=name)),),
                    amounts=amounts,
                    relations=relations,
                    words=frozenset(header),
                    masked=" ".join((self.lists.stand_ins["thing"], *header)),
                    terms=" ".join(index_terms(" ".join((self.lists.stand_ins["thing"], *header)))),
                    row=True,
                )
            )

    def reading(self, seen: Mapping[str, Candidate]) -> NoteReading:
        """The note as read; `seen` are the extractor's entities by folded spelling, which know the names' types best."""
        named = {key: found.subject for key, found in seen.items() if found.subject is not None}
        return NoteReading(
            episode=self.episode.id, sentences=tuple(self._sentences), named=named, persons=dict(self._persons)
        )

    def _key(self, named: Named) -> str:
        key = named.name.casefold()
        if named.same_as:
            self._full.setdefault(named.same_as.casefold(), key)
        return key

    def _meant(self, pronoun: Mention) -> str:
        full = pronoun.same_as.casefold()
        return self._full.get(full, full)

    def _since(self, sentence: Sentence, dates: Sequence[DateSpan], changes: bool) -> tuple[datetime | None, bool]:
        """The start that the sentence names: the last of those that say since, else the first date; with a cue of change and
        no date the start that the sentence before told."""
        told = [d for d in dates if d.role not in _BOUND]
        since = [d for d in told if d.role in (Role.SINCE, Role.AFTER, Role.BETWEEN)]
        if since:
            last = since[-1]
            return (last.until if last.role is Role.AFTER else last.since), True
        if told:
            return told[0].since, bool(self.lists.starts.search(sentence.text))
        if changes and self._sentences and self._sentences[-1].starts:
            return self._sentences[-1].since, True
        return None, False

    def _relations(self, text: str, lemmas: Sequence[str]) -> frozenset[str]:
        words = [word.casefold() for word in _WORD.findall(text.replace("-", " "))]
        found = self.lists.relations_of(lemmas, words)
        if _OWNED_BY.search(text):
            found |= {"care"}
        if _MONEY.search(text):
            found |= {"price"}
        return found

    def _masked(self, text: str, mentions: Sequence[Mention], dates: Sequence[DateSpan]) -> str:
        stand_ins = self.lists.stand_ins
        spans = [
            (m.start, m.end, stand_ins["person" if m.type == PERSON else "thing"])
            for m in mentions
            if not m.pronoun and not m.is_value and m.start >= 0
        ]
        spans += [(d.bare_start, d.end, stand_ins["day"]) for d in dates]
        out, at = "", 0
        for start, end, word in sorted(spans):
            if start >= at:
                out += text[at:start] + word
                at = end
        return _AMOUNT.sub(stand_ins["amount"], out + text[at:])


def _person_vote(mention: Mention, text: str) -> int:
    """What the mention says for a person, above 0, or for a thing, below. The tagger is believed of names of several words
    only: of one word alone it guesses."""
    if mention.pronoun:
        return mention.text.casefold() in _GENDERED
    vote = _TITLED * bool(_PERSON_AFTER.match(text, mention.end)) - _TITLED * bool(
        _AT.search(text[: max(0, mention.start)])
    )
    if mention.sure:
        return vote + (_TITLED if mention.type == PERSON else -_SURE_THING)
    first = mention.text.split()[0].casefold()
    vote += first in english_words.FEMALE_NAMES or first in english_words.MALE_NAMES
    parts = mention.text.split()
    if not mention.type or len(parts) < 2:
        return vote
    if any(part.isupper() and len(part) > 1 and part.casefold() not in english_words.AFTER_NAMES for part in parts):
        return vote - 1  # an acronym in it: "Harbour CMC"
    return vote + (1 if mention.type == PERSON else -1)


def _words_of(analysis: Analysis, mentions: Sequence[Mention]) -> tuple[list[str], frozenset[str]]:
    """All lemmas in order, and those of content words outside of names."""
    spans = [(m.start, m.end) for m in mentions if not m.pronoun and m.start >= 0]
    lemmas: list[str] = []
    words: set[str] = set()
    for token in analysis.tokens:
        if token.pos == "PUNCT" or not token.text.strip():
            continue
        lemma = token.lemma.casefold()
        lemmas.append(lemma)
        inside = any(start <= token.start < end for start, end in spans)
        if token.pos in _CONTENT and not token.is_stop and len(token.text) >= _SHORTEST and not inside:
            words.add(lemma)
    return lemmas, frozenset(words)


def _amounts(text: str, dates: Sequence[DateSpan]) -> frozenset[str]:
    rest = text
    for date in dates:
        rest = rest[: date.bare_start] + " " * (date.end - date.bare_start) + rest[date.end :]
    return frozenset(_plain(match.group()) for match in _AMOUNT.finditer(rest))


def _plain(text: str) -> str:
    """A value without spaces, separators of thousands and the sign of its currency."""
    return re.sub(r"[\s,£€$¥]", "", text.casefold()).rstrip(".")
