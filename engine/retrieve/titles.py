"""What a question names by a title, and what a passage's names are the titles of: by their form without brackets and marks."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from muniment.engine.ingest.language import has_han
from muniment.engine.ingest.spelling import spelling_key
from muniment.engine.ingest.titles import keys_of_form, title_form
from muniment.engine.ports.store import Reader
from muniment.engine.retrieve.seeds import Run, runs_of
from muniment.graph_schema.ids import EntityId
from muniment.graph_schema.records import VALUE_TYPE, Entity

_BRACKET: Final = re.compile(r"[(（]")
_MOST_WORDS: Final = 6  # of a part of a name


async def find_titles(reader: Reader, text: str) -> tuple[frozenset[EntityId], ...]:
    """For each title that the question names the entities of this title, whatever stands in brackets behind theirs unless the
    question says it; of titles that overlap the longest.

    Where the question has capitals, a name of it has one too.
    """
    cased = any(char.isupper() for char in text[1:])
    runs = [run for run in runs_of(text) if not cased or _is_written_as_name(text[run.start : run.end])]
    forms = {run: title_form(text[run.start : run.end]) for run in runs}
    known = await entities_by_form(reader, forms.values(), beside=(key for run in runs for key in run.keys))
    named = dict[frozenset[EntityId], None]()
    for run in _longest(run for run in runs if known.get(forms[run])):
        whole = _in_full(text[run.start : run.end], known[forms[run]])
        named[frozenset(entity.id for entity in whole)] = None
    return tuple(named)


def _in_full(surface: str, titled: Sequence[Entity]) -> Sequence[Entity]:
    """Of the entities of one title form those that are meant: where the brackets are given, the ones that have the same."""
    exact = [entity for entity in titled if spelling_key(entity.name) == spelling_key(surface)]
    return exact if exact and _BRACKET.search(surface) else titled


async def entities_by_form(
    reader: Reader, forms: Iterable[str], *, beside: Iterable[str] = ()
) -> Mapping[str, tuple[Entity, ...]]:
    """For each title form the entities whose own name has it; those that are only called so beside are left out.

    `beside` are further keys to look under: what was kept before there were keys of forms is found by its spelling only.
    """
    wanted = set(forms) - {""}
    keys = sorted({*beside, *(key for form in wanted for key in keys_of_form(form))})
    found: dict[str, dict[EntityId, Entity]] = defaultdict(dict)
    for entities in (await reader.entities_by_alias(keys)).values() if keys else ():
        for entity in entities:
            form = title_form(entity.name)
            if form in wanted and entity.type != VALUE_TYPE:
                found[form][entity.id] = entity
    return {form: tuple(entities.values()) for form, entities in found.items()}


def forms_in(name: str) -> tuple[str, ...]:
    """The title form of a name, then those of the parts of it that could be a name of their own, the longest first: two words
    or more, the first of them written as a name."""
    words = name.split()
    parts = (
        " ".join(words[first : first + size])
        for size in range(min(len(words) - 1, _MOST_WORDS), 1, -1)
        for first in range(len(words) - size + 1)
        if _is_written_as_name(words[first])
    )
    return tuple(dict.fromkeys(form for part in (name, *parts) if (form := title_form(part))))


def _longest(runs: Iterable[Run]) -> Iterator[Run]:
    taken: list[Run] = []
    for run in sorted(runs, key=lambda run: (-run.tokens, run.start)):
        if not any(run.start < other.end and other.start < run.end for other in taken):
            taken.append(run)
            yield run


def _is_written_as_name(surface: str) -> bool:
    return has_han(surface) or any(char.isupper() or char.isdigit() for char in surface)
