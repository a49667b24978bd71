"""The entities that a question names, found by looking up runs of its words among the tenant's aliases."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from muniment.engine.ingest.han_names import given_key, given_name_of
from muniment.engine.ingest.language import has_han
from muniment.engine.ingest.spelling import spelling_key
from muniment.engine.ingest.stopwords import ENGLISH
from muniment.engine.ports.store import Reader
from muniment.graph_schema.ids import EntityId
from muniment.graph_schema.records import VALUE_TYPE, Entity

_MAX_WORDS: Final = 12
_MAX_HAN: Final = 12
_MAX_TOKENS: Final = (
    160  # a longer question is searched by words and meaning; its names are looked for in its beginning
)
_TOKEN: Final = re.compile(r"[^\W_][\w.&/@+\-’']*|&|\S")
_HAN_RUN: Final = re.compile(r"[\u3400-\u9fff\uf900-\ufaff\w·・.\-]+")
_POSSESSIVE: Final = re.compile(r"['’]s?$")
_ARTICLE: Final = re.compile(r"^(?:the|a|an) ", re.IGNORECASE)
_CAPITAL_BONUS: Final = 2.0
_GIVEN: Final = (
    0.5  # the weight of a given name by which nobody was called yet: below any name that stands there as it is
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Seed:
    """A name in the question: where it stands and which entities it may mean. `weight` is higher for surer names; `respelt` ones
    stand there in another spelling than any that is known."""

    start: int
    end: int
    text: str
    entities: tuple[Entity, ...]
    weight: float
    proper: bool = True  # written like a name, not like a common word
    respelt: bool = False

    @property
    def ids(self) -> tuple[EntityId, ...]:
        return tuple(entity.id for entity in self.entities)


@dataclass(frozen=True, slots=True)
class Run:
    """Some words of a question that follow one another, without marks at their edges, and the keys to look them up by."""

    start: int
    end: int
    tokens: int
    first: int  # number of its first token
    keys: tuple[str, ...]


async def find_seeds(reader: Reader, text: str) -> tuple[Seed, ...]:
    """The names in `text`, the longest first where they overlap, in order of place; one look-up for all of them."""
    runs = list(runs_of(text))
    keys = list(dict.fromkeys(key for run in runs for key in run.keys))
    if not keys:
        return ()
    known = await reader.entities_by_alias(keys)
    return tuple(sorted(_chosen(text, runs, known), key=lambda seed: seed.start))


def _chosen(text: str, runs: list[Run], known: Mapping[str, tuple[Entity, ...]]) -> Iterator[Seed]:
    taken: list[tuple[int, int]] = []
    cased = any(char.isupper() for char in text[1:])
    for run in sorted(runs, key=lambda r: (-r.tokens, r.start)):
        if any(run.start < end and start < run.end for start, end in taken):
            continue
        surface = text[run.start : run.end]
        entities = next((known[key] for key in run.keys if key in known), ())
        entities = tuple(e for e in entities if e.type != VALUE_TYPE) or entities
        is_given = not any(alias.name and alias.key in run.keys for e in entities for alias in e.aliases)
        if entities and is_given and given_key(surface) in run.keys:
            entities = tuple(e for e in entities if given_name_of(e.name) == surface)
            if len(entities) == 1:
                taken.append((run.start, run.end))
                yield Seed(start=run.start, end=run.end, text=surface, entities=entities, weight=_GIVEN)
            continue
        if not entities:
            continue
        capital = any(char.isupper() or char.isdigit() for char in surface) or has_han(surface)
        if cased and not capital and not any(entity.name.islower() for entity in entities):
            continue  # a common word that happens to be spelled like a name ("the merchant")
        taken.append((run.start, run.end))
        weight = run.tokens + (_CAPITAL_BONUS if capital else 0.0)
        yield Seed(start=run.start, end=run.end, text=surface, entities=entities, weight=weight, proper=capital)


def runs_of(text: str) -> Iterator[Run]:
    """Every run of words of a question that could be a name, from its beginning on."""
    tokens = [(m.start(), m.end()) for m in _TOKEN.finditer(text)][:_MAX_TOKENS]
    for first in range(len(tokens)):
        for last in range(first, min(len(tokens), first + _MAX_WORDS)):
            run = _run(text, tokens[first][0], tokens[last][1], last - first + 1, first)
            if run is not None:
                yield run
    if has_han(text):
        yield from _han_runs(text)


def _run(text: str, start: int, end: int, tokens: int, first: int) -> Run | None:
    surface = text[start:end]
    stripped = _POSSESSIVE.sub("", surface.rstrip("?.,!;:\"'”’") if not surface.endswith(("'s", "’s")) else surface)
    if not any(char.isalnum() for char in stripped):
        return None
    if tokens == 1 and stripped.lower() in ENGLISH and not (stripped.isupper() and len(stripped) > 1):
        return None  # a pronoun or function word, but "IT" or "US" may be names
    keys = [spelling_key(stripped), spelling_key(surface)]
    if tokens > 1:
        keys.append(spelling_key(_ARTICLE.sub("", stripped)))
    unique = tuple(dict.fromkeys(key for key in keys if key))
    return Run(start, start + len(stripped), tokens, first, unique)


def _han_runs(text: str) -> Iterator[Run]:
    """Every stretch of two to twelve characters of a Chinese run: Chinese has no spaces to cut at."""
    for match in _HAN_RUN.finditer(text[: _MAX_TOKENS * 2]):
        run = match.group()
        for at in range(len(run)):
            for size in range(2, min(_MAX_HAN, len(run) - at) + 1):
                piece = run[at : at + size]
                if has_han(piece):
                    start = match.start() + at
                    given = given_key(piece)
                    keys = (spelling_key(piece), given) if given else (spelling_key(piece),)
                    yield Run(start, start + size, size, -1, keys)
