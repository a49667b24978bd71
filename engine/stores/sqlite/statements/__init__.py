"""The SQL of the store: one statement, one file, `<noun>_<verb>.sql`; its header says what, parameters, columns.

Short notations are filled in when a file is read, so that a list of columns or a filter is written once:

- `{fact:f}` the columns of a fact read from alias `f`; `{fact}` their bare names, `{fact?}` as many question marks,
  `{fact=}` `column = excluded.column` for all but the key;
- `{walls:f}` the rows of `f` that the caller may see; `{held:f}`, `{told:e}`, `{summed:s}` the read filter (port
  `ReadFilter`) on facts, episodes and summaries, `{listed:f}` a `FactQuery` on facts, walls included.

The space is never hidden in a notation: it stands in each file, where an architecture test reads it.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Final

from muniment.engine.stores.sqlite.rows import COLUMNS
from muniment.graph_schema.records import FORGOTTEN

_HERE: Final = Path(__file__).parent
_NOTATION: Final = re.compile(r"\{(\w+)([?=]|:(\w+))?\}")
_KEYS: Final = frozenset({"id", "version"})

# A plus before a column keeps the planner from choosing an index on it: the keys beside a filter are always better.
_WALLS = "(:all_walls OR {a}.wall IN (SELECT value FROM json_each(:walls)))"
_SCOPE = """(NOT :scoped OR (
    {a}.user IN ('', :user) AND {a}.agent IN ('', :agent) AND {a}.session IN ('', :session)))"""
_FILTERS: Final = {
    "walls": _WALLS,
    "held": f"""{_WALLS}
    AND +{{a}}.created_at <= :known_at AND :known_at < {{a}}.expired_at AND NOT {{a}}.rejected
    AND (:include_superseded OR ((:include_future OR {{a}}.valid_at <= :as_of) AND :as_of < {{a}}.invalid_at))
    AND (:include_archived OR NOT {{a}}.archived)
    AND {{a}}.importance >= :min_importance
    AND {{a}}.kind IN (SELECT value FROM json_each(:kinds))
    AND ({{a}}.kind <> 'fact' OR :relations = '[]' OR {{a}}.relation IN (SELECT value FROM json_each(:relations)))
    AND ({{a}}.kind <> 'fact' OR :types = '[]' OR {{a}}.subject_type IN (SELECT value FROM json_each(:types))
        OR {{a}}.object_type IN (SELECT value FROM json_each(:types)))
    AND {_SCOPE}""",
    "listed": f"""{_WALLS}
    AND {{a}}.created_at <= :after_ms AND ({{a}}.created_at < :after_ms OR {{a}}.id > :after_id)
    AND {{a}}.kind IN (SELECT value FROM json_each(:kinds))
    AND (:relations = '[]' OR {{a}}.relation IN (SELECT value FROM json_each(:relations)))
    AND (:types = '[]' OR {{a}}.subject_type IN (SELECT value FROM json_each(:types))
        OR {{a}}.object_type IN (SELECT value FROM json_each(:types)))
    AND (:user = '' OR {{a}}.user = :user)
    AND (:session = '' OR {{a}}.session = :session)
    AND CASE WHEN :known_at IS NULL THEN {{a}}.expired_at = :open_end OR {{a}}.closed_by = '{FORGOTTEN}'
        ELSE {{a}}.created_at <= :known_at AND (:known_at < {{a}}.expired_at OR {{a}}.closed_by = '{FORGOTTEN}') END
    AND CASE WHEN :status = '' THEN
        NOT {{a}}.rejected
        AND (:include_archived OR NOT {{a}}.archived)
        AND (:include_superseded OR ({{a}}.valid_at <= :as_of AND :as_of < {{a}}.invalid_at))
    ELSE :status = CASE
        WHEN {{a}}.rejected THEN 'rejected'
        WHEN {{a}}.archived THEN 'archived'
        WHEN :as_of < {{a}}.valid_at THEN 'future'
        WHEN :as_of < {{a}}.invalid_at THEN 'current'
        WHEN {{a}}.superseded_by <> '' THEN 'superseded'
        ELSE 'ended' END
    END
    AND (:text = '' OR instr(lowered({{a}}.text), :text) > 0)""",
    "told": f"""{_WALLS}
    AND +{{a}}.recorded_at <= :known_at
    AND (:include_archived OR NOT {{a}}.archived)
    AND {{a}}.importance >= :min_importance
    AND 'episode' IN (SELECT value FROM json_each(:kinds))
    AND {_SCOPE}""",
    "summed": f"""{_WALLS}
    AND +{{a}}.created_at <= :known_at
    AND (:include_archived OR NOT {{a}}.archived)
    AND 'summary' IN (SELECT value FROM json_each(:kinds))
    AND {_SCOPE}""",
}


@cache
def statement(name: str) -> str:
    """The SQL of `<name>.sql`, notations filled in."""
    return _NOTATION.sub(_filled, (_HERE / f"{name}.sql").read_text(encoding="utf-8"))


def _filled(found: re.Match[str]) -> str:
    noun, mode, alias = found.groups()
    if noun in _FILTERS:
        return _FILTERS[noun].replace("{a}", alias)
    columns = COLUMNS[noun]
    if mode == "?":
        return ", ".join("?" for _ in columns)
    if mode == "=":
        return ", ".join(f"{name} = excluded.{name}" for name in columns if name not in _KEYS)
    return ", ".join(f"{alias}.{name}" if alias else name for name in columns)


@cache
def statements(name: str) -> tuple[str, ...]:
    """The statements of a file that has several."""
    return tuple(part for part in statement(name).split(";\n") if part.strip())
