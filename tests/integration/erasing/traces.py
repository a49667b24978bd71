"""Looks for a word everywhere a store may keep one: in the bytes of files, in every property of a graph."""

from __future__ import annotations

import json
from collections.abc import Collection
from pathlib import Path
from typing import LiteralString
from urllib.parse import urlsplit

from neo4j import GraphDatabase

_HELD: tuple[LiteralString, ...] = (
    "MATCH (n) RETURN labels(n) AS what, properties(n) AS held",
    "MATCH ()-[r]->() RETURN type(r) AS what, properties(r) AS held",
)
_INDEXED: tuple[LiteralString, ...] = (
    "CALL db.index.fulltext.queryRelationships('muniment_fact_words', $word) YIELD relationship RETURN relationship AS found",
    "CALL db.index.fulltext.queryNodes('muniment_told_words', $word) YIELD node RETURN node AS found",
)


def places_of(word: str, url: str) -> list[str]:
    """Where the word stands, in any case; empty where nowhere. Looks at the store as it lies, past our own code."""
    return places_of_each([word], url)[word]


def places_of_each(words: Collection[str], url: str) -> dict[str, list[str]]:
    """The same for each of some words, with one look at the store."""
    return _in_files(words, url) if url.startswith("sqlite") else _in_graph(words, url)


def _in_files(words: Collection[str], url: str) -> dict[str, list[str]]:
    path = Path(url.removeprefix("sqlite:///"))
    files = {file: file.read_bytes() for file in sorted(path.parent.rglob("*")) if file.is_file()}
    assert path in files
    found: dict[str, list[str]] = {}
    for word in words:
        wanted = [word.encode(), word.lower().encode(), word.upper().encode(), word.encode("utf-16-le")]
        found[word] = [file.name for file, held in files.items() if any(one in held for one in wanted)]
    return found


def _in_graph(words: Collection[str], url: str) -> dict[str, list[str]]:
    parts = urlsplit(url)
    found: dict[str, list[str]] = {word: [] for word in words}
    address = f"{parts.scheme}://{parts.netloc}"
    with (
        GraphDatabase.driver(address, telemetry_disabled=True) as driver,
        driver.session(database="neo4j") as session,
    ):
        for query in _HELD:
            for row in session.run(query):
                held = json.dumps(row["held"], default=str, ensure_ascii=False)
                for word in words:
                    if word.lower() in held.lower():
                        found[word].append(f"{row['what']}: {held[:300]}")
        for query in _INDEXED:
            for word in words:
                rows = session.run(query, word=word.lower())
                found[word] += [f"word index: {row['found']}" for row in rows]
    return found
