"""`make bench`: the own judged set, judged sets in a folder (each alone, or poured together), the speed, growth and load runs, and
how long absent ids take beside another tenant's; with `--write`, into `docs/benchmarks.md` and `docs/security.md`."""

from __future__ import annotations

import argparse
import asyncio
import json
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from muniment.engine.bootstrap import open_engine
from muniment.engine.settings import Settings
from muniment.engine.stores.neo4j.local.server import ANY_PORT, LocalNeo4j
from tests.benchmarks import absent, load, mixed, own, report, sets
from tests.benchmarks.scoring import Scored
from tests.benchmarks.timing import say

PARTS: Final = ("own", "sets", "mixed", "speed", "growth", "load", "absent")
STORES: Final = ("sqlite", "neo4j-2026", "neo4j-5")
_SMALL: Final = ["--sizes", "1000", "--tenants", "0", "--messages", "100"]
_SMALL_GROWTH: Final = ["--sizes", "1000,5000", "--documents", "200"]
_MIB: Final = 1024 * 1024


def main() -> None:
    """Runs what is asked for and prints its tables."""
    given = _read_arguments()
    command = "make bench" + (f' BENCH_ARGS="{shlex.join(given.told)}"' if given.told else "")
    parts = given.only or (["own", "sets"] if given.sets else ["own", "speed"])
    for part in parts:
        say(f"==> {part}")
        body = _part(part, given)
        print(f"{body}\n", flush=True)
        if given.write:
            report.update(part, f"{report.circumstances(command)}\n\n{body}")
    if given.write:
        say(f"written: {', '.join(sorted({report.page_of(part).name for part in parts}))}")


def _part(part: str, given: argparse.Namespace) -> str:
    if part == "own":
        return "\n\n".join(f"{store}:\n\n{report.own_table(asyncio.run(_own(store)))}" for store in given.stores)
    if part == "sets":
        if given.sets is None:
            raise SystemExit("error: which sets? name their folder: --sets DIR")
        return report.sets_table(list(_sets(given.sets, given.out, only=given.set or ())))
    if part == "mixed":
        if given.sets is None:
            raise SystemExit("error: which sets? name their folder: --sets DIR")
        return _mixed(given.sets, given.stores, given.out, only=given.set or ())
    if part == "load":
        return report.load_table({store: _load(store, given) for store in given.stores})
    if part == "absent":
        return report.absent_table({store: _absent(store, given) for store in given.stores})
    if part == "growth":
        grown = {store: _measured("growth", store, [] if given.full else _SMALL_GROWTH) for store in given.stores}
        return report.growth_tables(grown)
    return report.speed_tables(
        {store: _measured("speed", store, [] if given.full else _SMALL) for store in given.stores}
    )


async def _own(store: str) -> list[Scored]:
    with store_of(store) as (url, _):
        async with open_engine(url, settings=Settings(environment="bench")) as engine:
            return await own.run(engine)


def _sets(folder: Path, out: Path | None, *, only: Sequence[str]) -> Iterator[sets.SetRun]:
    runner = sets.find_runner(folder)
    with tempfile.TemporaryDirectory(prefix="muniment-bench-") as scratch:
        for one in sets.sets_in(folder):
            if only and one.name not in only:
                continue
            say(f"--> {one.name}")
            place = (out or Path(scratch)) / one.name
            if (place / "score.json").exists():  # finished in an earlier run
                yield sets.read_run(one.name, place, baselines=sets.page_beside(folder))
                continue
            yield sets.run_set(runner, one, store=f"sqlite:///{Path(scratch).resolve() / one.name}.db", out=place)


def _mixed(folder: Path, stores: Sequence[str], out: Path | None, *, only: Sequence[str]) -> str:
    places = [place for place in sets.sets_in(folder) if not only or place.name in only]
    worlds = {place.name: mixed.worlds_of(place) for place in places}
    worlds = {name: one for name, one in worlds.items() if one}
    if out is not None:
        out.mkdir(parents=True, exist_ok=True)
    found = {}
    for store in stores:
        kept = None if out is None else out / f"mixed-{store}.jsonl"
        with store_of(store) as (url, (scratch, _)):
            found[store] = asyncio.run(_poured(url, worlds, scratch, kept))
    figures = {name: sets.main_figure(name, sets.page_beside(folder)) for name in worlds}
    return report.mixed_table(found, figures)


async def _poured(
    url: str, worlds: Mapping[str, Sequence[mixed.World]], scratch: Path, kept: Path | None
) -> list[mixed.Compared]:
    async with open_engine(url, settings=Settings(environment="bench")) as engine:
        await mixed.fill(engine, worlds, scratch)
        return await mixed.ask(engine, worlds, kept=kept)


def _measured(run: str, store: str, options: Sequence[str]) -> Mapping[str, Any]:
    """The figures of one store, measured in a process of its own so that its memory is its own."""
    say(f"--> {store}")
    with store_of(store) as (url, running):
        command = [sys.executable, "-m", f"tests.benchmarks.{run}", url, *options]
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
        found: dict[str, Any] = json.loads(done.stdout)
        folder, pid = running
        found["disk_mib"] = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file()) / _MIB
        if pid is not None:
            found["server_mib"] = _resident_mib(pid)
    return found


def _load(store: str, given: argparse.Namespace) -> Mapping[str, Any]:
    say(f"--> {store}")
    with store_of(store) as (url, _):
        return load.run(url, minutes=given.minutes, count=given.facts, clients=given.clients)


def _absent(store: str, given: argparse.Namespace) -> Sequence[Mapping[str, Any]]:
    say(f"--> {store}")
    with store_of(store) as (url, _):
        return absent.run(url, pairs=given.pairs)


@contextmanager
def store_of(store: str) -> Iterator[tuple[str, tuple[Path, int | None]]]:
    """The URL of an empty store, with the folder it fills and the process that serves it."""
    with tempfile.TemporaryDirectory(prefix="muniment-bench-") as scratch:
        folder = Path(scratch).resolve()
        if store == "sqlite":
            yield f"sqlite:///{folder / 'bench.db'}", (folder, None)
            return
        version = store.removeprefix("neo4j-")
        say("starting Neo4j")
        # Ends with this process, also where that is killed; a server for a user goes on.
        server = LocalNeo4j(version, data_dir=folder, port=ANY_PORT, end_with_parent=True)
        running = server.start()
        try:
            yield running.url, (folder / "data" if (folder / "data").exists() else folder, running.pid)
        finally:
            server.stop()


def _resident_mib(pid: int) -> int | None:
    try:
        status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    except OSError:
        return None
    return next(int(line.split()[1]) // 1024 for line in status.splitlines() if line.startswith("VmRSS"))


def _read_arguments() -> argparse.Namespace:
    reader = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__)
    reader.add_argument("--sets", type=Path, help="a folder of judged sets, with run_engine.sh in it or above it")
    reader.add_argument("--set", action="append", help="only this one of them; repeat it")
    reader.add_argument("--only", action="append", choices=PARTS, help="only this part; repeat it")
    reader.add_argument("--stores", type=_stores, default=["sqlite"], help=f"some of {','.join(STORES)}")
    reader.add_argument(
        "--full",
        action="store_true",
        help="the speed run up to 50,000 facts and 20 tenants, the growth run up to 100,000",
    )
    reader.add_argument("--minutes", type=float, default=1, help="how long the load run loads each store")
    reader.add_argument("--facts", type=int, default=load.FACTS, help="how many facts the load run begins with")
    reader.add_argument("--clients", type=int, default=load.CLIENTS, help="how many clients the load run has")
    reader.add_argument("--pairs", type=int, default=absent.PAIRS, help="pairs of ids that each route is asked for")
    reader.add_argument("--out", type=Path, help="where the runs of the sets are kept, and taken from when finished")
    reader.add_argument("--write", action="store_true", help="put the tables into docs/")
    given = reader.parse_args()
    given.told = [argument for argument in sys.argv[1:] if argument != "--write"]
    if given.sets is not None:  # the page names no folder of anybody's machine
        given.told = [argument.replace(str(given.sets), "DIR") for argument in given.told]
    if given.out is not None:
        given.told = [argument for argument in given.told if argument not in ("--out", str(given.out))]
    return given


def _stores(text: str) -> list[str]:
    names = [name.strip() for name in text.split(",") if name.strip()]
    if unknown := [name for name in names if name not in STORES]:
        raise argparse.ArgumentTypeError(f"no store {unknown[0]!r}: use {', '.join(STORES)}")
    return names


if __name__ == "__main__":
    main()
