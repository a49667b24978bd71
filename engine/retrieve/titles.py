"""What a question names by a title, and what a passage's names are the titles of: by their form without brackets and marks."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from muniment.engine.ingest.language import has_han
from muniment.engine.ingest.titles import keys_of_form, title_form
from muniment.engine.ports.store import Reader
from muniment.engine.retrieve.seeds import Run, runs_of
from muniment.graph_schema.ids import EntityId
from muniment.graph_schema.records import VALUE_TYPE, Entity


async def find_titles(reader: Reader, text: str) -> tuple[frozenset[EntityId], ...]:
    """For each title that the question names the entities of this title, whatever else stands in brackets behind theirs; of
    titles that overlap the longest.

    Where the question has capitals, a name of it has one too.
    """
    cased = any(char.isupper() for char in text[1:])
    runs = [run for run in runs_of(text) if not cased or _is_written_as_name(text[run.start : run.end])]
    forms = {run: title_form(text[run.start : run.end]) for run in runs}
    known = await entities_by_form(reader, forms.values(), beside=(key for run in runs for key in run.keys))
    named = dict.fromkeys(forms[run] for run in _longest(run for run in runs if known.get(forms[run])))
    return tuple(frozenset(entity.id for entity in known[form]) for form in named)


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


def _longest(runs: Iterable[Run]) -> Iterator[Run]:
    taken: list[Run] = []
    for run in sorted(runs, key=lambda run: (-run.tokens, run.start)):
        if not any(run.start < other.end and other.start < run.end for other in taken):
            taken.append(run)
            yield run


def _is_written_as_name(surface: str) -> bool:
    return has_han(surface) or any(char.isupper() or char.isdigit() for char in surface)
