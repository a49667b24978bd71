"""Whole names that a question spells wrongly, found by the keys under which names like them are kept.

Which names may be meant is one look-up by sound, initials and words run together (`blocking.py`), so it costs no more where
a tenant has a hundred thousand names; which is meant is told by their letters.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from rapidfuzz.distance import OSA

from muniment.engine.ingest.names import ORGANISATION, PERSON
from muniment.engine.ingest.spelling import spelling_key
from muniment.engine.ingest.stopwords import ENGLISH
from muniment.engine.ports.store import Reader
from muniment.engine.resolve.blocking import blocking_keys
from muniment.engine.resolve.matching import LIKELY, match_names
from muniment.engine.retrieve.seeds import Seed
from muniment.graph_schema.ontology import Ontology
from muniment.graph_schema.records import VALUE_TYPE, Entity

_TOKEN: Final = re.compile(r"[^\W\d_][\w\-’']*|&")
_POSSESSIVE: Final = re.compile(r"['’]s?$")
_JOINING: Final = frozenset("of and & de del van von der den la le du di da".split())
_MOST_WORDS: Final = 5
_MOST_RUNS: Final = 8
_LETTERS: Final = 6  # of a name of one word: shorter ones are like too many
_SHORT: Final = 5  # words up to here have one letter wrong at most, longer ones two
_VOWELS: Final = frozenset("aeiouy")
_WEIGHT: Final = 0.6  # a little above a part of a name, below any name that stands there as it is


async def names_spelt_like(reader: Reader, text: str, known: Sequence[Seed], ontology: Ontology) -> tuple[Seed, ...]:
    """Seeds for whole names of persons, organisations and other things that stand in `text` with an error in typing, each
    where one name alone fits; not where `known` ones stand, but for one word of the name (another Anna than `Anna Ruis`)."""
    runs = [run for run in _runs(text) if not any(_stands(seed, run) for seed in known)][:_MOST_RUNS]
    taken: list[tuple[int, int]] = []
    keys = {run: _keys(text[run[0] : run[1]]) for run in runs}
    wanted = list(dict.fromkeys(key for of_run in keys.values() for key in of_run))
    held = await reader.entities_by_alias(wanted) if wanted else {}
    found: list[Seed] = []
    for run in runs:
        entities = () if _meets(run, taken) else _meant(text[run[0] : run[1]], keys[run], held, ontology)
        if entities:
            taken.append(run)
            surface = text[run[0] : run[1]]
            found.append(Seed(start=run[0], end=run[1], text=surface, entities=entities, weight=_WEIGHT, respelt=True))
    return tuple(sorted(found, key=lambda seed: seed.start))


def _stands(seed: Seed, run: tuple[int, int]) -> bool:
    """Whether a known name has the place of a run; one word within it may be a part of what was meant."""
    if not _meets(run, [(seed.start, seed.end)]):
        return False
    inside = run[0] <= seed.start and seed.end <= run[1] and (seed.start, seed.end) != run
    return not inside or " " in seed.text


def _meets(run: tuple[int, int], taken: Iterable[tuple[int, int]]) -> bool:
    return any(run[0] < end and start < run[1] for start, end in taken)


def _runs(text: str) -> list[tuple[int, int]]:
    """Where capitalised words stand that could be a whole name, the longest first: several, or a long one that does not open
    the question."""
    tokens = [(m.start(), m.start() + len(_POSSESSIVE.sub("", m.group()))) for m in _TOKEN.finditer(text)]
    out: list[tuple[int, int]] = []
    for first, (start, _) in enumerate(tokens):
        for last in range(first, min(len(tokens), first + _MOST_WORDS)):
            words = [text[a:b] for a, b in tokens[first : last + 1]]
            if last > first and not _follow(text, tokens[last - 1][1], tokens[last][0]):
                break
            if not all(_is_name(word) or word.lower() in _JOINING for word in words):
                break
            if not (_is_name(words[0]) and _is_name(words[-1])) or words[0].lower() in ENGLISH:
                continue
            if len(words) > 1 or (start > 0 and len(words[0]) >= _LETTERS):
                out.append((start, tokens[last][1]))
    return sorted(out, key=lambda run: (run[0] - run[1], run[0]))


def _follow(text: str, end: int, start: int) -> bool:
    return text[end:start] in (" ", ". ")


def _is_name(word: str) -> bool:
    return word[:1].isupper()


def _keys(surface: str) -> tuple[str, ...]:
    """Under which keys the name may be kept that was meant: with two letters the other way round, or without one of them."""
    forms = dict.fromkeys([surface, *_mended(surface)])
    return tuple(dict.fromkeys(key for form in forms for root in ("", PERSON) for key in blocking_keys(form, root)))


def _mended(surface: str) -> Iterator[str]:
    for at in range(1, len(surface)):
        if surface[at].isalpha():
            yield surface[:at] + surface[at + 1 :]
            if at + 1 < len(surface) and surface[at + 1].isalpha():
                yield surface[:at] + surface[at + 1] + surface[at] + surface[at + 2 :]


def _meant(
    surface: str, keys: Iterable[str], held: Mapping[str, tuple[Entity, ...]], ontology: Ontology
) -> tuple[Entity, ...]:
    """The entities of the one name that it may be a misspelling of; nothing where several names may be meant."""
    near = {entity.id: entity for key in keys for entity in held.get(key, ()) if entity.type != VALUE_TYPE}
    fits: dict[str, dict[str, Entity]] = {}
    for entity in near.values():
        root = next((root for root in (PERSON, ORGANISATION) if ontology.is_a(entity.type, root)), entity.type)
        names = dict.fromkeys([entity.name, *(alias.name for alias in entity.aliases if alias.name)])
        if any(is_misspelt(surface, name, root) for name in names):
            fits.setdefault(spelling_key(entity.name), {})[entity.id] = entity
    return tuple(next(iter(fits.values())).values()) if len(fits) == 1 else ()


def is_misspelt(surface: str, name: str, root: str) -> bool:
    """Whether one whole name may be the other with an error in typing: the same words in the same order, each with a
    letter or two wrong. Another vowel in a short word makes another name (`Tom`, `Tim`), and so do other numbers."""
    ours, theirs = spelling_key(surface).split(), spelling_key(name).split()
    if len(ours) != len(theirs) or ours == theirs or not all(map(_may_be, ours, theirs)):
        return False
    match = match_names(surface, name, root, least=LIKELY)
    return match.is_likely


def _may_be(word: str, other: str) -> bool:
    if word == other:
        return True
    shorter = min(len(word), len(other))
    apart = OSA.distance(word, other)
    if apart > (1 if shorter <= _SHORT else 2) or shorter < 3:
        return False
    same_size = len(word) == len(other) and apart == 1 and shorter <= _SHORT
    changed = [(a, b) for a, b in zip(word, other, strict=False) if a != b]
    return not (same_size and len(changed) == 1 and {*changed[0]} <= _VOWELS)
