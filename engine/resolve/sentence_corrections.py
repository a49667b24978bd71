"""Which earlier note a correction speaks against: the nearest in names and content, or the one it names by its day."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Final

from muniment.engine.extract.change.kept import CORRECTED, Succession
from muniment.engine.ingest.language import has_han
from muniment.engine.resolve.succession import Likeness, Rarity, Told

_LEAST: Final = 0.5
_WORDS: Final = 0.5
_ALIKE: Final = 0.1
_NAME: Final = 0.15  # for each name in common
_HEARSAY: Final = 0.2  # what was said with doubt is what is usually put right
_SPEAKER: Final = 0.15  # one's own words are put right by oneself
_QUOTED: Final = 0.3  # an amount of the earlier one is named: "not 19,900"
_DAY: Final = 0.5  # "what I wrote on the 1st"
_DAY_WITHIN: Final = 32
_USUAL: Final = 0.5  # how alike Chinese sentences are taken to be
_AGE: Final = 0.002  # less for each day between
_STRONG: Final = 1.0


def corrections(note: Sequence[Told], earlier: Sequence[Told], rarity: Rarity, likeness: Likeness) -> list[Succession]:
    """What the corrections of a note take back, from the beginning on; of hearsay the whole note. None without a correction.

    `earlier` are sentences of notes told before it that share a name with it.
    """
    if not any(one.sentence.corrects for one in note):
        return []
    names = {name for one in note for name in (*one.sentence.names, *one.sentence.near)}
    days = {day for one in note for day in one.sentence.days}
    by_note: dict[str, list[Told]] = defaultdict(list)
    for old in earlier:
        by_note[old.note].append(old)
    best: tuple[float, Told] | None = None
    for old in earlier:
        # Of hearsay the whole note is taken back, so all that it names counts.
        about = by_note[old.note] if old.sentence.doubtful else [old]
        common = names & {name for one in about for name in one.sentence.names}
        if not common or old.told_at >= note[0].told_at:
            continue
        score = _fit(old, note, len(common), days, rarity, likeness)
        if best is None or score > best[0]:
            best = score, old
    if best is None or best[0] < _LEAST:
        return []
    wrong = best[1]
    right = max(note, key=lambda one: (likeness(wrong, one), rarity.overlap(wrong.sentence.words, one.sentence.words)))
    taken = by_note[wrong.note] if wrong.sentence.doubtful else [wrong]
    return [
        Succession(
            old=old.key, new=right.key, since=None, rule=CORRECTED, strength=_STRONG, parts={"fit": round(best[0], 3)}
        )
        for old in taken
    ]


def _fit(old: Told, note: Sequence[Told], common: int, days: set[int], rarity: Rarity, likeness: Likeness) -> float:
    unknown = any(has_han(one.sentence.masked) for one in (old, *note))
    age = (note[0].told_at - old.told_at).days
    words = max(rarity.overlap(old.sentence.words, one.sentence.words) for one in note)
    score = (
        _WORDS * words
        + _ALIKE * (_USUAL if unknown else max(likeness(old, one) for one in note))
        + _NAME * common
        - _AGE * age
    )
    score += _HEARSAY * old.sentence.doubtful
    score += _QUOTED * any(old.sentence.amounts & one.sentence.amounts for one in note)
    score += _SPEAKER * bool(old.speaker and old.speaker == note[0].speaker)
    return score + _DAY * (old.told_at.day in days and age < _DAY_WITHIN)
