"""Names of a question that no alias has: part of a longer name, or one written wrongly."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import Final

from muniment.engine.ingest.spelling import spelling_key
from muniment.engine.ingest.stopwords import ENGLISH
from muniment.engine.ports.store import EntityQuery, Page, Reader
from muniment.engine.retrieve.seeds import Seed
from muniment.graph_schema.records import VALUE_TYPE, Entity

_CAPITALISED: Final = re.compile(r"[^\W\d_]*[A-ZÀ-ÞĀ-Ž][\w\-]{2,}")
_MAX_GUESSES: Final = 3
_PAGE: Final = Page(limit=50)
_PREFIX: Final = 3  # letters that a misspelling is taken to have right
_LIKE: Final = 0.84  # of SequenceMatcher's ratio: one letter wrong in six
_WEIGHT: Final = 0.5  # below any name that was found as it stands


async def guess_seeds(reader: Reader, text: str, seeds: Sequence[Seed]) -> tuple[Seed, ...]:
    """Seeds for capitalised words that `seeds` do not cover, each where exactly one entity fits.

    First as a whole word of a longer name, then as a name of the same beginning and nearly the same letters.
    """
    found: list[Seed] = []
    words = [m for m in _CAPITALISED.finditer(text) if m.start() > 0 and m.group().lower() not in ENGLISH]
    free = [m for m in words if not any(s.start < m.end() and m.start() < s.end for s in seeds)]
    for match in free[:_MAX_GUESSES]:
        word = spelling_key(match.group())
        listed = await reader.list_entities(EntityQuery(text=word), _PAGE)
        fits = [e for e in listed if e.type != VALUE_TYPE and _has_word(e, word)]
        if not fits:
            listed = await reader.list_entities(EntityQuery(prefix=word[:_PREFIX]), _PAGE)
            fits = [e for e in listed if e.type != VALUE_TYPE and _is_like(e, word)]
        if len(fits) == 1:
            found.append(
                Seed(start=match.start(), end=match.end(), text=match.group(), entities=(fits[0],), weight=_WEIGHT)
            )
    return tuple(found)


def _has_word(entity: Entity, word: str) -> bool:
    return any(word in re.findall(r"[\w\-]+", alias.key) for alias in entity.aliases)


def _is_like(entity: Entity, word: str) -> bool:
    return any(
        SequenceMatcher(None, part, word).ratio() >= _LIKE
        for alias in entity.aliases
        for part in (alias.key, *alias.key.split())
        if abs(len(part) - len(word)) <= 2
    )
