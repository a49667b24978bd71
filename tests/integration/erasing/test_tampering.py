"""The audit chain: a row that was changed, removed or put elsewhere in the raw database is found."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any, LiteralString
from urllib.parse import urlsplit

import pytest
from neo4j import GraphDatabase

from tests.engines import engine_on, memory_on, told
from tests.integration.erasing.test_purge import kept

Rows = list[dict[str, Any]]
"""Audit rows of `acme` in order: `seq`, `id` and `body` as they lie in the store."""
Tamper = Callable[[Rows], Rows]

_READ: LiteralString = "MATCH (n:Document {group_id: 'test/acme', kind: 'audit'}) RETURN n.seq AS seq, n.uuid AS id, n.rest AS body ORDER BY n.seq"
_DROP: LiteralString = "MATCH (n:Document {group_id: 'test/acme', kind: 'audit'}) DETACH DELETE n"
_WRITE: LiteralString = (
    "CREATE (n:Document {group_id: 'test/acme', kind: 'audit', uuid: $id, seq: $seq, ref: '', status: '', rest: $body})"
)


def tampered(url: str, tamper: Tamper) -> None:
    """Rewrites the chain in the raw database, past our own code."""
    if url.startswith("sqlite"):
        _tamper_file(Path(url.removeprefix("sqlite:///")), tamper)
    else:
        _tamper_graph(url, tamper)


def _tamper_file(path: Path, tamper: Tamper) -> None:
    where = "space = 'test/acme' AND kind = 'audit'"
    with closing(sqlite3.connect(path)) as connection, connection:
        read = connection.execute(f"SELECT seq, id, body FROM documents WHERE {where} ORDER BY seq").fetchall()
        rows = tamper([{"seq": seq, "id": id, "body": body} for seq, id, body in read])
        whole = {row[2]: row for row in connection.execute(f"SELECT * FROM documents WHERE {where}").fetchall()}
        names = [row[1] for row in connection.execute("PRAGMA table_info(documents)")]
        connection.execute(f"DELETE FROM documents WHERE {where}")
        for row in rows:
            values = dict(zip(names, whole[row["id"]], strict=True)) | row
            marks = ", ".join("?" for _ in names)
            connection.execute(f"INSERT INTO documents VALUES ({marks})", [values[name] for name in names])


def _tamper_graph(url: str, tamper: Tamper) -> None:
    parts = urlsplit(url)
    with (
        GraphDatabase.driver(f"{parts.scheme}://{parts.netloc}", telemetry_disabled=True) as driver,
        driver.session(database="neo4j") as session,
    ):
        rows = tamper([dict(row) for row in session.run(_READ)])
        session.run(_DROP).consume()
        for row in rows:
            session.run(_WRITE, row).consume()


def _changed_actor(rows: Rows) -> Rows:
    rows[1] = {**rows[1], "body": rows[1]["body"].replace("tester", "nobody")}
    return rows


def _changed_verb(rows: Rows) -> Rows:
    rows[2] = {**rows[2], "body": rows[2]["body"].replace("assert_facts", "remember")}
    return rows


def _removed(rows: Rows) -> Rows:
    return [*rows[:1], *rows[2:]]


def _removed_first(rows: Rows) -> Rows:
    return rows[1:]


def _bodies(rows: Rows) -> list[Any]:
    return [json.loads(row["body"]) for row in rows]


def _reordered(rows: Rows) -> Rows:
    """Two entries change places: each has the other's number, as the store keeps it."""
    if isinstance(_bodies(rows)[0], dict):
        rows[1], rows[2] = {**rows[1], "body": rows[2]["body"]}, {**rows[2], "body": rows[1]["body"]}
        return rows
    first, second = _bodies(rows[1:3])
    first_seq, second_seq = first.index(rows[1]["seq"]), second.index(rows[2]["seq"])
    first[first_seq], second[second_seq] = rows[2]["seq"], rows[1]["seq"]
    rows[1], rows[2] = {**rows[1], "body": json.dumps(second)}, {**rows[2], "body": json.dumps(first)}
    return rows


@pytest.mark.parametrize("tamper", [_changed_actor, _changed_verb, _removed, _removed_first, _reordered])
async def test_a_tampered_chain_is_found(store_url: str, tamper: Tamper) -> None:
    async with memory_on(store_url) as memory:
        await kept(memory, "One.")
        await memory.assert_facts([told("Mira Holt", "uses", "tea")])
        await memory.assert_facts([told("Mira Holt", "uses", "ink")])
        await kept(memory, "Two.")
        assert (await memory.verify_audit()).ok
    tampered(store_url, tamper)
    async with memory_on(store_url) as memory:
        check = await memory.verify_audit()
        assert not check.ok
        assert check.broken_at in (1, 2, 3)
        assert check.reason


async def test_a_chain_that_was_only_read_and_written_back_holds(store_url: str) -> None:
    async with memory_on(store_url) as memory:
        await kept(memory, "One.")
        await kept(memory, "Two.")
    tampered(store_url, lambda rows: rows)
    async with memory_on(store_url) as memory:
        assert (await memory.verify_audit()).ok


@pytest.mark.parametrize("left", [0, 1])
async def test_a_cut_at_the_end_is_told_by_the_receipts_that_are_left(store_url: str, left: int) -> None:
    async with memory_on(store_url) as memory:
        await kept(memory, "One.")
        await kept(memory, "Two.")
    tampered(store_url, lambda rows: rows[:left])
    async with engine_on(store_url) as engine:
        check = await engine.for_tenant("acme").verify_audit()
        assert (check.ok, check.broken_at) == (False, left + 1)


async def test_a_cut_of_what_has_no_receipt_shows_against_the_hash_kept_elsewhere(store_url: str) -> None:
    async with memory_on(store_url) as memory:
        await kept(memory, "One.")
        await memory.refused("forget")
        known = (await memory.verify_audit()).last_hash
    tampered(store_url, lambda rows: rows[:-1])
    async with engine_on(store_url) as engine:
        check = await engine.for_tenant("acme").verify_audit()
        assert check.ok
        assert check.last_hash != known
