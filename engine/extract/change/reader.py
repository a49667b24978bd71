"""Reads a note's sentences for comparison, out of what the rule extractor found in them: nothing is tagged twice."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import pairwise
from typing import Final

from muniment.engine.extract.candidates import Candidate, Named
from muniment.engine.extract.change.notes import NoteReading, SentenceReading
from muniment.engine.extract.change.wordlists import ChangeWords, Value, change_words
from muniment.engine.extract.dates import DateSpan, Role
from muniment.engine.extract.english import words as english_words
from muniment.engine.extract.mentions import PERSON, Mention
from muniment.engine.extract.reading import Sentence
from muniment.engine.extract.tables import Table
from muniment.engine.ingest.language import ENGLISH, has_han, language_of
from muniment.engine.ingest.terms import index_terms
from muniment.engine.ports.models import Analysis
from muniment.graph_schema.records import Episode, EpisodeKind

MOST_SENTENCES: Final = 60  # of one note; what is longer is a text to look things up in, not a note of what changes
_AMOUNT: Final = re.compile(
    r"(?:[£€$¥]\s?\d[\d.,]*\s?(?:k|m|bn|million|thousand)?\b"
    r"|\b\d[\d.,]*\s?(?:k\b|m\b|%|percent|per cent|months?\b|days?\b|weeks?\b|years?\b|hours?\b|minutes?\b|hrs?\b|mins?\b|wks?\b|yrs?\b"
    r"|bar\b|°\s?C?)"
    r"|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|sixty|ninety)"
    r"\s+(?:months?|days?|weeks?|years?|hours?|minutes?)\b"
    r"|\b\d{1,3}(?:,\d{3})+\b|\b\d+(?:\.\d+)+\b|\b\d{2,}\b)",
    re.IGNORECASE,
)
_ROLES: Final = frozenset({"", "user", "assistant", "system", "tool", "human", "ai", "agent", "bot"})
_MONEY: Final = re.compile(r"[£€$¥]\s?\d|\d,\d{3}\b")
# "the account is Ana's", "nights are Ana Ruiz's from then on"; "that is Ana's house" is another thing
_OWNED_BY: Final = re.compile(
    r"\b(?:is|are|was|were|be|becomes) (?:now )?[A-Z]\w+(?: [A-Z]\w+)*[’']s?(?=\s*(?:[.,;:!)–—]|$)|\s+(?:from|since|now|again|until|as|on|for)\b)"
)
_HOW_LONG: Final = re.compile(
    r"(?:within|in)?\s*(?:\d+|[a-z]+)\s?(?:hours?|hrs?|minutes?|mins?|days?|weeks?|months?|years?)", re.IGNORECASE
)
_CONTENT: Final = frozenset({"NOUN", "VERB", "ADJ", "PROPN"})
_SHORTEST: Final = 3
_SHORTEST_HAN: Final = 2
_AMOUNT_HAN: Final = re.compile(
    r"[£€$¥]?\d[\d,.]*\s?[万亿]?(?:元|块|美元|欧元|英镑|%|个百分点|小时|分钟|秒|个?工作日|天|周|个月|年|个?月|度|台|条|个|份|页|号线|吨|公斤|升|米)?"
    r"|[一二两三四五六七八九十百千半]+(?:万元|元|小时|分钟|个工作日|天|周|个月|年|成|折)"
)
_MONEY_HAN: Final = re.compile(r"\d[万亿]?元|[£€$¥]\s?\d|\d万(?!公里)")
_LEFT_TO: Final = re.compile(r"归$")  # 归王芳, in front of a name
_REFUSED: Final = re.compile(r"(?:别|不要|勿|不必|不用|不再)[^，,；;。]*$")  # whom a clause tells not to ask
_GENDERED: Final = frozenset(
    {"he", "she", "him", "her", "his", "hers", "himself", "herself", "i", "me", "my", "他", "她", "我", "本人"}
)
_PERSON_AFTER: Final = re.compile(r",? (?:he|she|who)\b")
_AT: Final = re.compile(r"\b(?:at|inside|joined|within)\s$")
_TITLED: Final = 3  # votes of a title or a speaker's name
_SURE_THING: Final = 5  # of a legal form
_WORD: Final = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_PLACED: Final = re.compile(r"\b(?:at|in|into|to|on|under|near|inside|behind|beside)\s(?:the\s)?$", re.IGNORECASE)
_OWNED_NOUN: Final = re.compile(r"[’']s? ([a-z]{3,})\b")
_LISTED: Final = re.compile(r"\s*(?:\([^)]*\)|（[^）]*）)?\s*(?:,|、|，|和|与|及|&|\band\b|,\s*and\b)\s*")
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
        own = tuple(
            dict.fromkeys(
                self._key(m.named())
                for m in mentions
                if not m.pronoun and not m.is_value and not _REFUSED.search(sentence.text[: max(0, m.start)])
            )
        )
        meant = tuple(dict.fromkeys(self._meant(m) for m in mentions if m.pronoun and m.same_as))
        for mention in mentions:
            if not mention.is_value:
                self._persons[self._meant(mention) if mention.pronoun else mention.text.casefold()] += _person_vote(
                    mention, sentence.text
                )
        text = sentence.text
        lists = change_words(sentence.lang)
        lemmas, words = _words_of(analysis, mentions, shortest=_SHORTEST_HAN if lists.runs_on else _SHORTEST)
        changes = bool(lists.changes.search(text)) or any(d.role is Role.SINCE for d in dates)
        since, starts = self._since(sentence, dates, changes, lists)
        masked = _masked(text, mentions, dates, lists)
        around = tuple(dict.fromkeys((*self._topics, *self._before)))
        self._sentences.append(
            SentenceReading(
                start=sentence.start,
                end=sentence.end,
                names=own,
                meant=meant,
                around=around,
                placed=self._keys_where(_PLACED, mentions, text),
                owning=self._owning(mentions, text, lists),
                listed=self._listed(mentions, text),
                amounts=_amounts(text, dates, lists),
                dates=frozenset(_plain(text[d.bare_start : d.end]) for d in dates),
                relations=_relations(text, lemmas, mentions, lists),
                words=words,
                masked=masked,
                terms=" ".join(index_terms(masked)),
                changes=changes,
                corrects=bool(lists.corrections.search(text)),
                doubtful=bool(lists.doubts.search(text)) or text.rstrip().endswith(("?", "？")),
                past=bool(lists.past.search(text)),
                denies=bool(lists.denials.search(text)),
                days=frozenset(int(day) for day in lists.correction_of_day.findall(text)),
                since=since,
                starts=starts,
            )
        )
        self._before |= dict.fromkeys(own)
        if not self._topics and own:
            self._topics = own

    def add_rows(self, table: Table) -> None:
        """Reads a table's rows: each is about what its first cell names, in the words of the header."""
        titles = " ".join(cell.replace("_", " ") for cell in table.header)
        lists = change_words(language_of(titles) or ENGLISH)
        header = [word.casefold() for word in _WORD.findall(titles)]
        relations = lists.relations_within(titles) if lists.runs_on else lists.relations_of(header)
        masked = " ".join((lists.stand_ins["thing"], *header))
        for row in table.rows[: MOST_SENTENCES - len(self._sentences)]:
            name = row[0].text
            if not _is_name_of_row(name):
                continue
            amounts = frozenset(_plain(c.text) for c in row[1:] if re.fullmatch(r"[£€$¥]?\d[\d.,]*", c.text))
            self._sentences.append(
                SentenceReading(
                    start=row[0].start,
                    end=row[-1].end,
                    names=(self._key(Named(name=name)),),
                    amounts=amounts,
                    relations=relations,
                    words=frozenset(header),
                    masked=masked,
                    terms=" ".join(index_terms(masked)),
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

    def _keys_where(self, before: re.Pattern[str], mentions: Sequence[Mention], text: str) -> tuple[str, ...]:
        """The names right behind such words."""
        return tuple(self._key(m.named()) for m in _names(mentions) if before.search(text[: m.start]))

    def _owning(self, mentions: Sequence[Mention], text: str, lists: ChangeWords) -> tuple[str, ...]:
        """The names of which a part is spoken of: a noun behind their genitive that tells by whom, how much or when no
        relation is."""
        found: list[str] = []
        for mention in _names(mentions):
            noun = _OWNED_NOUN.match(text, mention.end)
            told = lists.relations.get((noun[1].casefold(),), frozenset()) if noun else frozenset()
            if noun and all(lists.values[name] is Value.NAME for name in told):
                found.append(self._key(mention.named()))
        return tuple(found)

    def _listed(self, mentions: Sequence[Mention], text: str) -> tuple[str, ...]:
        named = [m for m in _names(mentions) if not text[: m.start].rstrip().endswith(("(", "（"))]
        pairs = [(a, b) for a, b in pairwise(named) if _LISTED.fullmatch(text, a.end, b.start)]
        return tuple(dict.fromkeys(self._key(m.named()) for pair in pairs for m in pair))

    def _meant(self, pronoun: Mention) -> str:
        full = pronoun.same_as.casefold()
        return self._full.get(full, full)

    def _since(
        self, sentence: Sentence, dates: Sequence[DateSpan], changes: bool, lists: ChangeWords
    ) -> tuple[datetime | None, bool]:
        """The start that the sentence names: the last of those that say since, else the first date; with a cue of change and
        no date the start that the sentence before told."""
        told = [d for d in dates if d.role not in _BOUND]
        since = [d for d in told if d.role in (Role.SINCE, Role.AFTER, Role.BETWEEN)]
        if since:
            last = since[-1]
            return (last.until if last.role is Role.AFTER else last.since), True
        if told:
            return told[0].since, bool(lists.starts.search(sentence.text))
        if changes and self._sentences and self._sentences[-1].starts:
            return self._sentences[-1].since, True
        return None, False


def _names(mentions: Sequence[Mention]) -> list[Mention]:
    return [m for m in mentions if not m.pronoun and not m.is_value and m.start >= 0]


def _relations(text: str, lemmas: Sequence[str], mentions: Sequence[Mention], lists: ChangeWords) -> frozenset[str]:
    if lists.runs_on:
        bare = text  # 物流 in a firm's name tells nothing of transport
        for m in _names(mentions):
            bare = bare if m.type == "role" else bare[: m.start] + " " * (m.end - m.start) + bare[m.end :]
        found = lists.relations_within(bare)
        if any(_LEFT_TO.search(text[: m.start]) for m in mentions if m.start > 0 and not m.is_value):
            found |= {"care"}
        return found | {"price"} if _MONEY_HAN.search(text) else found
    words = [word.casefold() for word in _WORD.findall(text.replace("-", " "))]
    found = lists.relations_of(lemmas, words)
    if _OWNED_BY.search(text):
        found |= {"care"}
    return found | {"price"} if _MONEY.search(text) else found


def _masked(text: str, mentions: Sequence[Mention], dates: Sequence[DateSpan], lists: ChangeWords) -> str:
    """The sentence with a word that stands for each name, day and amount."""
    spans = [
        (m.start, m.end, lists.stand_ins["person" if m.type == PERSON else "thing"])
        for m in mentions
        if not m.pronoun and not m.is_value and m.start >= 0
    ]
    spans += [(d.bare_start, d.end, lists.stand_ins["day"]) for d in dates]
    out, at = "", 0
    for start, end, word in sorted(spans):
        if start >= at:
            out += text[at:start] + word
            at = end
    return (_AMOUNT_HAN if lists.runs_on else _AMOUNT).sub(lists.stand_ins["amount"], out + text[at:])


def _is_name_of_row(text: str) -> bool:
    """Whether a table's first cell can name what its row is about."""
    if has_han(text):
        return len(text) >= _SHORTEST_HAN
    return len(text) >= _SHORTEST and text[0].isupper()


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


def _words_of(analysis: Analysis, mentions: Sequence[Mention], *, shortest: int) -> tuple[list[str], frozenset[str]]:
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
        if token.pos in _CONTENT and not token.is_stop and len(token.text) >= shortest and not inside:
            words.add(lemma)
    return lemmas, frozenset(words)


def _amounts(text: str, dates: Sequence[DateSpan], lists: ChangeWords) -> frozenset[str]:
    rest = text
    for date in dates:
        if _HOW_LONG.fullmatch(text[date.start : date.end]):
            continue  # "within 4 hours" is as much an amount as a date
        rest = rest[: date.bare_start] + " " * (date.end - date.bare_start) + rest[date.end :]
    found = frozenset(_plain(m.group()) for m in (_AMOUNT_HAN if lists.runs_on else _AMOUNT).finditer(rest))
    return frozenset(amount for amount in found if len(amount) > 1) if lists.runs_on else found


def _plain(text: str) -> str:
    """A value without spaces, separators of thousands and the sign of its currency."""
    return re.sub(r"[\s,£€$¥]", "", text.casefold()).rstrip(".")
