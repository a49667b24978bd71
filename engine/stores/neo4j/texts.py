"""What texts look like inside Neo4j: lossless where the protocol is not, and short where an index needs it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache

from muniment.graph_schema.ids import digest
from muniment.graph_schema.records import Scope

# Bolt carries UTF-8, which has no lone surrogates; each is written as this mark and its four hexadecimal digits.
_MARK = "\U0010fffd"
_UNCARRIED = re.compile(f"[\ud800-\udfff{_MARK}]")
_CARRIED = re.compile(f"{_MARK}([0-9a-f]{{4}})")
_MARK_ITSELF = "0000"

# A range index refuses keys over about 8 kB, and a composite key shares that among its parts.
_LONGEST_KEY = 300
# Graphiti indexes names by themselves; a longer one keeps its full text beside.
LONGEST_NAME = 1000

# Lucene refuses a query of more than 1,024 clauses.
_MOST_TERMS = 600


def encode(text: str) -> str:
    """The text as the driver can carry it; the same text unless it has lone surrogates or the mark itself."""
    if text.isascii() or not _UNCARRIED.search(text):
        return text
    return _UNCARRIED.sub(lambda m: _MARK + (_MARK_ITSELF if m[0] == _MARK else f"{ord(m[0]):04x}"), text)


def decode(text: str) -> str:
    """The text that was given to `encode`."""
    if _MARK not in text:
        return text
    return _CARRIED.sub(lambda m: _MARK if m[1] == _MARK_ITSELF else chr(int(m[1], 16)), text)


def key(text: str) -> str:
    """The text as it stands in an index: itself where it is short, else its beginning and a hash of the whole."""
    if len(text) <= _LONGEST_KEY:
        return encode(text)
    return encode(text[: _LONGEST_KEY - 40]) + "…" + digest(text)


def keys(texts: Iterable[str]) -> list[str]:
    """`key` of each, once, in the order given."""
    return list(dict.fromkeys(key(text) for text in texts))


@lru_cache(maxsize=4096)
def _hash(*parts: str) -> str:
    return digest(*parts, size=6)


def audience(wall: str, scope: Scope) -> str:
    """One sortable word for a wall and a scope: all of a wall share a prefix (see `wall_prefix`)."""
    return wall_prefix(wall) + _hash(scope.user, scope.agent, scope.session)


def wall_prefix(wall: str) -> str:
    """What every `audience` behind this wall begins with."""
    return "@" + _hash(wall)


def area(wall: str, scope: Scope) -> str:
    """The words by which the full text index finds a wall, a scope, and both together."""
    return f"{area_of_wall(wall)} {area_of_scope(scope)} {area_of(wall, scope)}"


def area_of_wall(wall: str) -> str:
    return "w" + _hash(wall)


def area_of_scope(scope: Scope) -> str:
    return "s" + _hash(scope.user, scope.agent, scope.session)


def area_of(wall: str, scope: Scope) -> str:
    return "b" + _hash(wall, scope.user, scope.agent, scope.session)


def words_query(space: str, areas: Iterable[str], terms: Iterable[str], weights: Mapping[str, float]) -> str:
    """A Lucene query for memories of the space, in one of the areas (none: anywhere), with any of the terms.

    Empty where there is no term. The heaviest terms are kept where there are more than Lucene takes.
    """
    weighted = {term: max(weights.get(term, 1.0), 1e-3) for term in terms if term.strip()}
    if not weighted:
        return ""
    heaviest = sorted(weighted.items(), key=lambda item: (-item[1], item[0]))[:_MOST_TERMS]
    words = " ".join(f"{_quoted(encode(term))}^{weight:.4f}" for term, weight in heaviest)
    clauses = [f"+group_id:{_quoted(space)}^0"]
    if named := [_quoted(name) for name in areas]:
        clauses.append(f"+area:({' '.join(named)})^0")
    clauses.append(f"+words:({words})")
    return " ".join(clauses)


def _quoted(text: str) -> str:
    """A quoted phrase: inside quotes only the quote and the backslash mean something."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
