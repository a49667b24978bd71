"""Exports of a CRM as facts: keys become identifiers, the same file twice changes nothing, a changed row is news."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from muniment.api.cli.files import Layout, items_in
from muniment.api.cli.main import app
from muniment.api.cli.records import RecordKind
from muniment.graph_schema.errors import Invalid
from tests.engines import everything, memory_on

ACCOUNTS = """Account ID,Account Name,Industry,Billing City,Account Owner,Tier
A-1,Kestrel Freight Ltd,logistics,Leeds,Ana Ruiz,gold
A-2,Brightwell Foods,food,Oslo,Ana Ruiz,
"""
CONTACTS = """Contact ID,First Name,Last Name,Account ID,Account Name,Title,Email,Phone
C-1,Tom,Lee,A-1,KESTREL,head of procurement,tom@kestrel.example,+44 113 496 0000
C-2,Nora,Lind,A-2,,finance director,nora@brightwell.example,
"""
DEALS = """Opportunity ID,Opportunity Name,Account ID,Stage,Amount,Close Date,Owner
D-1,Kestrel renewal,A-1,{stage},"EUR 12,000",2026-09-30,Ana Ruiz
"""


def files(folder: Path, stage: str = "proposal") -> dict[str, Path]:
    given = {"accounts": ACCOUNTS, "contacts": CONTACTS, "deals": DEALS.format(stage=stage)}
    for name, text in given.items():
        (folder / f"{name}.csv").write_text(text, encoding="utf-8")
    return {name: folder / f"{name}.csv" for name in given}


def _ingest(store: str, files: dict[str, Path], *more: str, at: str = "2026-03-01T00:00:00Z") -> list[dict[str, Any]]:
    told = []
    for kind, path in files.items():
        words = [
            "ingest",
            str(path),
            "--records",
            kind,
            "--tenant",
            "acme",
            "--store",
            store,
            "--at",
            at,
            "--json",
            *more,
        ]
        result = CliRunner().invoke(app, words, env={"MUNIMENT_ENVIRONMENT": "test"})
        assert result.exit_code == 0, result.output
        told.append(json.loads(result.output))
    return told


async def ingest(store: str, files: dict[str, Path], *more: str, **given: str) -> list[dict[str, Any]]:
    return await asyncio.to_thread(lambda: _ingest(store, files, *more, **given))


async def test_three_exports_make_one_graph_by_their_keys(tmp_path: Path) -> None:
    store = f"sqlite:///{tmp_path / 'm.db'}"
    told = await ingest(store, files(tmp_path))
    assert [t["episodes"]["created"] for t in told] == [2, 2, 1]
    assert [t["rejected"] for t in told] == [[], [], []]
    again = await ingest(store, files(tmp_path))
    assert [(t["episodes"], t["facts"]) for t in again] == [
        ({"created": 0, "exists": n}, 0) for n in (2, 2, 1)
    ]  # fmt: skip
    moved = await ingest(store, {"deals": files(tmp_path, "won")["deals"]}, at="2026-04-01T00:00:00Z")
    assert moved[0]["episodes"] == {"created": 1, "exists": 0}
    async with memory_on(store) as memory:
        firms = [e.entity for e in (await memory.entities(type="company")).items]
        assert sorted(f.name for f in firms) == ["Brightwell Foods", "Kestrel Freight Ltd"], (
            "A-1 is one firm, however named"
        )
        facts = {(f.subject.name, f.relation, f.object.name) for f in (await memory.facts(limit=200)).items}
        assert {
            ("Kestrel Freight Ltd", "in_industry", "logistics"),
            ("Kestrel Freight Ltd", "headquartered_in", "Leeds"),
            ("Kestrel Freight Ltd", "has_account_manager", "Ana Ruiz"),
            ("Tom Lee", "works_for", "Kestrel Freight Ltd"),
            ("Tom Lee", "has_role", "head of procurement"),
            ("Tom Lee", "has_email", "tom@kestrel.example"),
            ("Nora Lind", "works_for", "Brightwell Foods"),
            ("Kestrel renewal", "opportunity_with", "Kestrel Freight Ltd"),
            ("Kestrel renewal", "value_of_deal", "EUR 12,000"),
            ("Kestrel renewal", "assigned_to", "Ana Ruiz"),
            ("Kestrel renewal", "stage_of", "won"),
        } <= facts
        texts = {f.text for f in (await memory.facts(limit=200)).items}
        assert {"Nora Lind works for Brightwell Foods", "Kestrel renewal is at stage won"} <= texts
        assert not [text for text in texts if "account A-" in text or ":" in text]
        old = [
            f
            for f in (await memory.facts(relation="stage_of", include_superseded=True)).items
            if f.object.name == "proposal"
        ]
        assert [str(f.invalid_at)[:10] for f in old] == ["2026-04-01"]
        episode = (await memory.episodes(q="gold")).items[0]
        assert (episode.title, episode.metadata["Tier"]) == ("Kestrel Freight Ltd", "gold")


async def test_row_by_row_gives_the_same_graph_as_all_at_once(tmp_path: Path) -> None:
    one, all_ = (f"sqlite:///{tmp_path / name}.db" for name in ("one", "all"))
    await ingest(one, files(tmp_path), "--batch", "1")
    await ingest(all_, files(tmp_path))
    async with memory_on(one) as first, memory_on(all_) as second:
        graph = await everything(first)
        assert graph == await everything(second)
        assert len(graph) == 18


def test_a_broken_row_keeps_those_before_it_and_the_mended_file_goes_on(tmp_path: Path) -> None:
    store = f"sqlite:///{tmp_path / 'm.db'}"
    path = tmp_path / "accounts.csv"
    path.write_text(ACCOUNTS + "A-3,,retail,Rome,,\n", encoding="utf-8")
    words = ["ingest", str(path), "--records", "accounts", "--tenant", "acme", "--store", store, "--json"]
    broken = CliRunner().invoke(app, words)
    assert broken.exit_code == 2
    assert json.loads(broken.stdout)["episodes"]["created"] == 2
    assert "line 4" in broken.output
    path.write_text(ACCOUNTS + "A-3,Corvid Retail,retail,Rome,,\n", encoding="utf-8")
    mended = json.loads(CliRunner().invoke(app, words).stdout)
    assert mended["episodes"] == {"created": 1, "exists": 2}


def test_columns_are_named_where_their_headings_do_not_tell(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text("Nr,Wer,Firma,Firma-Nr\n7,Lena Krug,Orlow,K9\n", encoding="utf-8")
    columns = {"name": "Wer", "key": "Nr", "account": "Firma", "account_key": "Firma-Nr"}
    (item,) = items_in(
        path, Layout(records=RecordKind.CONTACTS, columns=columns, defaults={"occurred_at": "2026-01-01T00:00:00Z"})
    )
    (fact,) = item.facts
    assert fact["subject"] == {"name": "Lena Krug", "type": "person", "identifiers": ["contact:7"]}
    assert fact["object"] == {"name": "Orlow", "type": "company", "identifiers": ["account:K9"]}
    assert item.episode.text == "Contact Lena Krug: Nr 7; Firma Orlow; Firma-Nr K9."


@pytest.mark.parametrize(
    ("columns", "told"),
    [({}, "which column names the contact"), ({"name": "Wo"}, "no column 'Wo'"), ({"shoe": "Nr"}, "--map shoe")],
)
def test_a_column_that_is_not_there_is_told_with_those_that_are(
    tmp_path: Path, columns: dict[str, str], told: str
) -> None:
    path = tmp_path / "x.csv"
    path.write_text("Nr,Wer\n7,Lena Krug\n", encoding="utf-8")
    with pytest.raises(Invalid, match=told):
        list(items_in(path, Layout(records=RecordKind.CONTACTS, columns=columns)))


def test_an_unknown_kind_of_records_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text("a\n1\n", encoding="utf-8")
    run = CliRunner().invoke(
        app, ["ingest", str(path), "--records", "shoes", "--tenant", "acme", "--store", "sqlite://"]
    )
    assert run.exit_code == 2
    assert "accounts, contacts, deals" in run.output
