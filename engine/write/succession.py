"""New notes beside earlier ones that share a name: what was read of them, and which sentences take which one's place.

Runs inside the transaction of the write, so that two writers that tell of one thing at once find each other. What is kept
depends on the notes alone, not on their order of coming.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

import numpy as np

from muniment.engine.extract.change.kept import (
    READING,
    SUCCESSION,
    KeptNote,
    Key,
    Succession,
    kept_notes,
    note_document,
    successions_document,
    successions_in,
)
from muniment.engine.extract.change.notes import NoteReading
from muniment.engine.ingest.language import has_han
from muniment.engine.ports.models import Vector
from muniment.engine.ports.store import Unit
from muniment.engine.resolve.identity import Register
from muniment.engine.resolve.sentence_corrections import corrections
from muniment.engine.resolve.succession import Likeness, Names, Rarity, Told, follow_ups, successions, told_of
from muniment.engine.retrieve.namesakes import Namesakes
from muniment.engine.write.erase.scan import EVERYTHING
from muniment.engine.write.indexing import Indexer
from muniment.graph_schema.ids import EntityId, EpisodeId
from muniment.graph_schema.records import Document, Entity, Episode, MentionRole

CROWD: Final = 200  # a name in more notes than this tells nothing of what belongs together
_PER_NAME: Final = 60  # earlier notes looked at for one name, the latest first
_MOST_NOTES: Final = 1500  # earlier notes of one write
_MOST_SHORT: Final = 400  # short names looked up for longer ones
_SHORTEST: Final = 3  # letters of a person's short name
_MOST_COMPARED: Final = 256  # sentences embedded in one write for comparison
_PERSON: Final = "person"
_SURELY_NONE: Final = 3  # votes against a person
# Of bge-small over pairs of sentences without their names, in notes: what is usual, and how far it varies.
_USUAL_COSINE: Final = 0.62
_COSINE_SPREAD: Final = 0.085


@dataclass(frozen=True, slots=True, kw_only=True)
class NewNotes:
    """The notes of a write with lasting ids, and its episodes."""

    readings: Sequence[NoteReading]
    episodes: Mapping[EpisodeId, Episode]


async def compare_notes(
    unit: Unit, new: NewNotes, register: Register, indexer: Indexer, *, at: datetime
) -> list[Document]:
    """The documents that keep these notes and the successions that they bring; none where there are no notes."""
    notes = {r.episode: _kept(r, new.episodes[r.episode], register) for r in new.readings if r.episode in new.episodes}
    there = await unit.documents_by_id(READING, [r.episode for r in new.readings if r.asserted])
    notes = {id: note for id, note in notes.items() if note.sentences and id not in {row.id for row in there}}
    if not notes:
        return []
    circle = await _circle(unit, notes, new)
    comparison = _Comparison(circle=circle, new=frozenset(notes))
    asked: dict[Key, Told] = {}
    comparison.run(lambda old, later: float(bool(asked.update({old.key: old, later.key: later}))))
    likeness = _Likeness(await _vectors(indexer, list(asked.values())[:_MOST_COMPARED]))
    found = await _with_earlier(unit, comparison.run(likeness.between))
    filled = await _with_vectors(indexer, [circle.kept[id] for id in found if id in circle.kept])
    return [
        *(note_document(note, at=at) for note in ({**notes, **filled}).values()),
        *(successions_document(id, rows, at=at) for id, rows in found.items()),
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Circle:
    """The new notes and the earlier ones around them, as they are `kept` and with one key for all entities that may be one
    name."""

    kept: Mapping[EpisodeId, KeptNote]
    notes: Mapping[EpisodeId, KeptNote]
    walls: Mapping[EpisodeId, str]
    names: Names
    crowded: frozenset[str]


async def _circle(unit: Unit, notes: Mapping[EpisodeId, KeptNote], new: NewNotes) -> _Circle:
    namesakes = Namesakes(unit, most_short=_MOST_SHORT, shortest=_SHORTEST)
    own = sorted({EntityId(name) for note in notes.values() for name in _names_of(note)})
    groups = await namesakes.groups_of(own)
    members = sorted({member for group in set(groups.values()) for member in namesakes.members_of(group)})
    found = await unit.mentions_of_entities(members, EVERYTHING, per_entity=_PER_NAME) if members else None
    walls = {id: new.episodes[id].wall for id in notes}
    wanted: dict[EpisodeId, str] = {}
    allowed = set(walls.values())
    for mention in found.mentions if found else ():
        if mention.role is not MentionRole.SPEAKER and mention.episode not in notes and mention.wall in allowed:
            wanted[mention.episode] = mention.wall
    earlier = await kept_notes(unit, list(wanted)[:_MOST_NOTES])
    walls |= {id: wanted[id] for id in earlier}
    everyone = sorted(
        {EntityId(n) for note in (*notes.values(), *earlier.values()) for n in (*_names_of(note), *note.persons)}
    )
    groups = await namesakes.groups_of(everyone)
    votes = _votes(
        (groups[EntityId(n)], v) for note in (*earlier.values(), *notes.values()) for n, v in note.persons.items()
    )
    common = {word for note in (*earlier.values(), *notes.values()) for s in note.sentences for word in s.words}
    names = _names_among(await unit.entities(everyone), groups, votes, common)
    counts: dict[str, int] = defaultdict(int)
    for member, count in (found.counts if found else {}).items():
        counts[groups.get(member, member)] += count
    kept = {**earlier, **notes}
    return _Circle(
        kept=kept,
        notes={id: _grouped(note, groups) for id, note in kept.items()},
        walls=walls,
        names=names,
        crowded=frozenset(group for group, count in counts.items() if count > CROWD),
    )


class _Comparison:
    """All pairs of sentences of which one is new, by the names that they share."""

    def __init__(self, *, circle: _Circle, new: frozenset[EpisodeId]) -> None:
        self._circle = circle
        self._new = new
        self._told = {id: told_of(note) for id, note in circle.notes.items()}
        self._rarity = Rarity(one for told in self._told.values() for one in told)
        self._by_name: dict[str, list[Told]] = defaultdict(list)
        for told in self._told.values():
            for one in told:
                for name in (*one.sentence.names, *one.sentence.near):
                    self._by_name[name].append(one)

    def run(self, likeness: Likeness) -> list[Succession]:
        names = self._circle.names
        found = successions(self._pairs(), names, self._rarity, likeness)
        for id in self._new:
            told = self._told[id]
            if any(one.sentence.corrects for one in told):
                found += corrections(told, self._around(told), self._rarity, likeness)
        return found

    def _pairs(self) -> Iterator[tuple[str, Told, Told]]:
        walls = self._circle.walls
        for name, rows in self._by_name.items():
            if name in self._circle.crowded:
                continue
            for at, one in enumerate(rows):
                if one.note not in self._new:
                    continue
                for place, other in enumerate(rows):
                    if other.note == one.note or walls[other.note] != walls[one.note]:
                        continue
                    if other.note in self._new and place < at:
                        continue
                    yield name, one, other
                    yield name, other, one

    def _around(self, told: Sequence[Told]) -> list[Told]:
        names = {n for one in told for n in (*one.sentence.names, *one.sentence.near)} - self._circle.crowded
        notes = {row.note for name in names for row in self._by_name[name]} - {told[0].note}
        wall = self._circle.walls[told[0].note]
        return [one for id in sorted(notes) if self._circle.walls[id] == wall for one in self._told[id]]


class _Likeness:
    """How alike sentences are without their names, in standard deviations; 0 where one has no vector."""

    def __init__(self, vectors: Mapping[Key, Vector]) -> None:
        self._vectors = vectors

    def between(self, one: Told, other: Told) -> float:
        a, b = self._vectors.get(one.key), self._vectors.get(other.key)
        if a is None or b is None or a.shape != b.shape:
            return 0.0
        return (float(a @ b) - _USUAL_COSINE) / _COSINE_SPREAD


async def _vectors(indexer: Indexer, told: Sequence[Told]) -> dict[Key, Vector]:
    told = [one for one in told if not has_han(one.sentence.masked)]  # no model tells Chinese relations apart
    texts = await indexer.vectors_of([one.sentence.masked for one in told])
    found: dict[Key, Vector] = {}
    for one in told:
        for rows in list(texts.get(one.sentence.masked, {}).values())[:1]:
            found[one.key] = rows[0]
    return found


async def _with_vectors(indexer: Indexer, notes: Sequence[KeptNote]) -> dict[EpisodeId, KeptNote]:
    """The notes with vectors of all their sentences, those left out that have them already."""
    bare = [note for note in notes if not note.vectors]
    made = await indexer.vectors_of([s.masked for note in bare for s in note.sentences])
    out: dict[EpisodeId, KeptNote] = {}
    for note in bare:
        rows = [made.get(s.masked, {}) for s in note.sentences]
        models = set(rows[0]).intersection(*rows[1:]) if rows else set()
        if models:
            vectors = {model: np.stack([row[model][0] for row in rows]) for model in sorted(models)}
            out[note.episode] = replace(note, vectors=vectors)
    return out


async def _with_earlier(unit: Unit, found: Sequence[Succession]) -> dict[EpisodeId, list[Succession]]:
    """The successions of each episode that gained some, with those it had, and those that follow from both."""
    every = {(one.old, one.new): one for one in found}
    before = await _earlier(unit, every.values())
    further = follow_ups([*({**before, **every}).values()])
    every |= {(one.old, one.new): one for one in further}
    before |= await _earlier(unit, further)
    touched = {key[0] for one in every.values() for key in (one.old, one.new)}
    kept: dict[EpisodeId, list[Succession]] = {id: [] for id in sorted(touched)}
    for one in ({**before, **every}).values():
        for id in touched & {one.old[0], one.new[0]}:
            kept[id].append(one)
    return kept


async def _earlier(unit: Unit, found: Iterable[Succession]) -> dict[tuple[Key, Key], Succession]:
    touched = sorted({key[0] for one in found for key in (one.old, one.new)})
    rows = await unit.documents_by_id(SUCCESSION, touched) if touched else []
    return {(one.old, one.new): one for row in rows for one in successions_in(row)}


def _kept(reading: NoteReading, episode: Episode, register: Register) -> KeptNote:
    """The note with ids for names."""
    ids = {key: str(register.find(named, wall=episode.wall).id) for key, named in reading.named.items()}
    return KeptNote(
        episode=reading.episode,
        told_at=episode.occurred_at,
        sentences=tuple(sentence.renamed(ids) for sentence in reading.sentences),
        speaker=episode.speaker,
        persons=_votes((ids[key], vote) for key, vote in reading.persons.items() if key in ids and vote),
    )


def _names_of(note: KeptNote) -> Iterable[str]:
    return (name for s in note.sentences for name in (*s.names, *s.meant, *s.around))


def _grouped(note: KeptNote, groups: Mapping[EntityId, EntityId]) -> KeptNote:
    ids = {name: str(groups.get(EntityId(name), name)) for name in _names_of(note)}
    return replace(note, sentences=tuple(s.renamed(ids) for s in note.sentences))


def _votes(given: Iterable[tuple[str, int]]) -> dict[str, int]:
    votes: Counter[str] = Counter()
    for name, vote in given:
        votes[name] += vote
    return dict(votes)


def _names_among(
    entities: Iterable[Entity], groups: Mapping[EntityId, EntityId], votes: Mapping[str, int], common: set[str]
) -> Names:
    """Which groups are people: by what spoke for it in the notes, else by their types; and which may be, of two words of
    letters, no common ones, that nothing speaks about."""
    people: set[str] = {name for name, vote in votes.items() if vote > 0}
    likely: set[str] = set()
    typed: Counter[str] = Counter()
    for entity in entities:
        group = groups[entity.id]
        words = entity.name.split()
        vote = votes.get(group, 0)
        if vote == 0:
            typed[group] += 1 if entity.type == _PERSON else -1
        if -_SURELY_NONE < vote <= 0 and len(words) == 2 and all(map(str.isalpha, words)):
            likely |= {group} if not _is_common(words[-1].casefold(), common) else set()
    people |= {group for group, more in typed.items() if more > 0}
    return Names(people=frozenset(people), likely=frozenset(likely - people))


def _is_common(word: str, common: set[str]) -> bool:
    """Whether the notes have the word as a common one: then the name is rather a firm's ("Harbour Panels")."""
    return word in common or word.removesuffix("s") in common
