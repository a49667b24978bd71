"""The tables of `docs/benchmarks.md` and `docs/security.md`: each between two marks, replaced as a whole by the run that made it."""

from __future__ import annotations

import os
import platform
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

from tests.benchmarks.mixed import Compared
from tests.benchmarks.scoring import FIGURES, Scored, by_category, means
from tests.benchmarks.sets import SetRun

T = TypeVar("T")

_OWN_NAMES = {"path@10": "all@10", "right1": "first right"}  # what others call the figures of `scoring`
_OF_SIZES = ("facts_per_s", "p50_ms", "p95_ms")
_OF_GROWTH = ("p50 ms", "p95 ms", "context adds, ms", "trace, %")
_BAR = 40  # characters of the longest bar
DOCS = Path(__file__).resolve().parents[2] / "docs"


def replace_part(page: str, name: str, body: str) -> str:
    """The page with what stands between the marks of a part replaced. Raises ValueError where it has no such marks."""
    pattern = re.compile(rf"(<!-- {name} -->\n).*?(<!-- end of {name} -->)", flags=re.DOTALL)
    if not pattern.search(page):
        raise ValueError(f"no part {name!r} in the page")
    return pattern.sub(lambda found: f"{found[1]}{body.rstrip()}\n{found[2]}", page)


def update(name: str, body: str) -> None:
    """Writes a part of its page."""
    page = page_of(name)
    page.write_text(replace_part(page.read_text(encoding="utf-8"), name, body), encoding="utf-8")


def page_of(name: str) -> Path:
    """Where a part stands."""
    return DOCS / ("security.md" if name == "absent" else "benchmarks.md")


def circumstances(command: str) -> str:
    """Machine, date and command of a run."""
    load = os.getloadavg()[0]
    return (
        f"{_processor()}, {os.cpu_count()} cores, {_memory_gb()} GB, {platform.system()}, Python "
        f"{platform.python_version()}; {datetime.now(UTC):%Y-%m-%d}; load {load:.1f} at the end; `{command}`"
    )


def own_table(scored: Sequence[Scored]) -> str:
    """The own set by category, in per cent."""
    rows = [*by_category(scored).items(), ("**all**", list(scored))]
    names = [name for name in FIGURES if name in means(scored)]
    return table(
        ["category", "n", *names],
        ([name, len(group), *(_per_cent(means(group).get(figure)) for figure in names)] for name, group in rows),
    )


def sets_table(runs: Sequence[SetRun]) -> str:
    """Each set with its main figure, beside what baselines get on the same questions, in per cent."""
    baselines = list(dict.fromkeys(name for run in runs for name in run.baselines))
    return table(
        ["set", "questions", "figure", "Muniment", *baselines, "fresh", "leaks", "episodes/CPU s", "CPU ms a question"],
        (
            [
                run.name,
                run.questions,
                run.main,
                f"**{_per_cent(run.value)}**",
                *(f"{run.baselines[name]:.1f}" if name in run.baselines else "–" for name in baselines),
                _per_cent(run.figures.get("fresh")),
                run.forbidden,
                f"{run.ingest_per_s:.0f}",
                f"{run.rank_ms:.0f}",
            ]
            for run in runs
        ),
    )


def mixed_table(found: Mapping[str, Sequence[Compared]], figures: Mapping[str, str]) -> str:
    """Each set with its main figure, alone and among all the others, in per cent, on each store."""
    head = ["set", "questions", "figure"]
    head += [f"{store}: {what}" for store in found for what in ("alone", "mixed", "difference", "fresh alone", "mixed")]
    by_set = {one.set: {s: o for s, row in found.items() for o in row if o.set == one.set} for one in _first(found)}
    rows = []
    for name, on in by_set.items():
        figure = _OWN_NAMES.get(figures[name], figures[name])
        row: list[object] = [name, sum(figure in one.figures for one in next(iter(on.values())).alone), figures[name]]
        for store in found:
            alone, mixed = means(on[store].alone), means(on[store].mixed)
            apart = 100 * (mixed[figure] - alone[figure])
            row += [_per_cent(alone[figure]), _per_cent(mixed[figure]), f"{apart:+.1f}".replace("-", "−")]
            row += [_per_cent(alone.get("fresh")), _per_cent(mixed.get("fresh"))]
        rows.append(row)
    return table(head, rows)


def _first(found: Mapping[str, Sequence[T]]) -> Sequence[T]:
    return next(iter(found.values()), ())


def speed_tables(found: Mapping[str, Mapping[str, Any]]) -> str:
    """The speed run: a table of sizes, then one of the rest; a column a store."""
    stores = list(found)
    rows = {store: {row["facts"]: row for row in found[store]["one_tenant"]} for store in stores}
    sizes = table(
        ["facts in one tenant", *(f"{store}: {what}" for store in stores for what in ("facts/s", "p50 ms", "p95 ms"))],
        (
            [f"{size:,}", *(_cell(rows[store].get(size), key) for store in stores for key in _OF_SIZES)]
            for size in sorted({size for store in stores for size in rows[store]})
        ),
    )
    return f"{sizes}\n\n{table(['', *stores], _other_rows(found))}"


def growth_tables(found: Mapping[str, Mapping[str, Any]]) -> str:
    """The growth run: a table of sizes, a column a store, with a bar for each median to be seen at a glance."""
    rows = {store: {row["facts"]: row for row in one["sizes"]} for store, one in found.items()}
    first = next(iter(rows.values()))
    longest = max(row["p50_ms"] for one in rows.values() for row in one.values())
    sizes = table(
        ["facts", "documents", *(f"{store}: {what}" for store in found for what in _OF_GROWTH)],
        (
            [
                f"{size:,}",
                f"{first[size]['documents']:,}",
                *(cell for store in found for cell in _growth_cells(rows[store].get(size))),
            ]
            for size in first
        ),
    )
    bars = "\n".join(
        f"{store:>11} {size:>7,}  {'█' * max(1, round(_BAR * row['p50_ms'] / longest))} {row['p50_ms']} ms"
        for store, one in rows.items()
        for size, row in one.items()
    )
    orders = "; ".join(f"{store} {one['orders_first']} of 50" for store, one in found.items())
    return (
        f"{sizes}\n\nMedians drawn:\n\n```text\n{bars}\n```\n\nOrders asked for by number, right one first: {orders}."
    )


def _growth_cells(row: Mapping[str, Any] | None) -> list[object]:
    if row is None:
        return ["–"] * len(_OF_GROWTH)
    return [row["p50_ms"], row["p95_ms"], row["context_extra_ms"], f"{100 * row['trace_share']:.1f}"]


def load_table(found: Mapping[str, Mapping[str, Any]]) -> str:
    """The load run, a column a store."""

    def row(name: str, told: Callable[[Mapping[str, Any]], object]) -> list[object]:
        return [name, *(told(one) for one in found.values())]

    kinds = list(dict.fromkeys(what for one in found.values() for what in one["by_kind"]))
    return table(
        ["", *found],
        [
            row("one client alone: recall over HTTP p50, ms", lambda one: one["alone"]["p50_ms"]),
            row("… beyond the engine's own time, p50, ms", lambda one: one["alone"]["beyond_p50_ms"]),
            row("… beyond the engine's own time, p95, ms", lambda one: one["alone"]["beyond_p95_ms"]),
            row(
                "clients; minutes; facts at the start",
                lambda one: f"{one['clients']}; {one['minutes']:g}; {one['facts']:,}",
            ),
            row("requests; a second", lambda one: f"{one['requests']:,}; {one['per_s']}"),
            row("errors", lambda one: one["errors"] or 0),
            row("acknowledged writes", lambda one: f"{one['acknowledged']:,}"),
            row("… lost; there twice", lambda one: f"{one['lost']}; {one['twice']}"),
            row("jobs that did not end well", lambda one: one["jobs_not_done"]),
            row("all requests: p50, p99, ms", lambda one: f"{one['p50_ms']}, {one['p99_ms']}"),
            *(
                row(f"{what}: p50, p99, ms", lambda one, what=what: _spread(one["by_kind"].get(what)))  # type: ignore[misc]
                for what in kinds
            ),
            row("memory of the service at the end, MiB", lambda one: one["memory_mib"]),
            row("… growth a minute after the warm-up, MiB", lambda one: one["growth_mib_a_minute"]),
            row("… of it the search index, which holds what is told", lambda one: one["index_growth_mib_a_minute"]),
        ],
    )


def absent_table(found: Mapping[str, Sequence[Mapping[str, Any]]]) -> str:
    """How much longer another tenant's ids take than absent ones, a row a route; bold where chance does not explain it."""
    by_route = {
        one["route"]: {s: o for s, rows in found.items() for o in rows if o["route"] == one["route"]}
        for one in _first(found)
    }
    head = [
        "",
        "status",
        *(f"{store}: {what}" for store in found for what in ("absent, ms", "another's takes longer by, µs")),
    ]
    return table(
        head,
        (
            [
                route,
                next(iter(on.values()))["status"],
                *(cell for one in on.values() for cell in (f"{one['absent_ms']:.2f}", _apart(one))),
            ]
            for route, on in by_route.items()
        ),
    )


def _apart(one: Mapping[str, Any]) -> str:
    told = f"{1_000 * one['apart_ms']:+.0f} ({1_000 * one['low_ms']:+.0f} to {1_000 * one['high_ms']:+.0f})".replace(
        "-", "−"
    )
    return told if one["low_ms"] <= 0 <= one["high_ms"] else f"**{told}**"


def _spread(told: Mapping[str, Any] | None) -> str:
    return "–" if told is None else f"{told['p50_ms']}, {told['p99_ms']}"


def table(head: Sequence[object], rows: Iterable[Sequence[object]]) -> str:
    """A Markdown table."""
    lines = [f"| {' | '.join(map(str, head))} |", f"|{'---|' * len(head)}"]
    return "\n".join([*lines, *(f"| {' | '.join(map(str, row))} |" for row in rows)])


def _cell(row: Mapping[str, Any] | None, key: str) -> str:
    return "–" if row is None else f"{row[key]:,}"


def _other_rows(found: Mapping[str, Mapping[str, Any]]) -> list[list[object]]:
    def row(name: str, *keys: str, form: str = "{:,}") -> list[object]:
        return [name, *(form.format(value) if (value := _at(one, keys)) is not None else "–" for one in found.values())]

    return [
        row("version", "store", "version", form="{}"),
        row("closing one fact, p50, ms", "changes", "close_p50_ms"),
        row("closing one in a slot of 1,000 assertions, p50, ms", "changes", "close_in_slot_p50_ms"),
        row("undoing 1,000 facts that closed as many, ms", "changes", "undo_ms"),
        row("many tenants: facts in all", "many_tenants", "facts"),
        row("many tenants: facts/s", "many_tenants", "facts_per_s_mean"),
        row("many tenants: recall p50, ms", "many_tenants", "p50_ms"),
        row("many tenants: recall p95, ms", "many_tenants", "p95_ms"),
        row("opening to first answer, ms", "open_ms", form="{:.0f}"),
        row("chat messages/s, rules and embedding", "messages", "per_s"),
        row("facts per second of this process's processor time, first 1,000", "one_tenant", "0", "facts_per_cpu_s"),
        row("peak memory of this process, MiB", "peak_mib"),
        row("memory of the server, MiB", "server_mib"),
        row("size on disk at the end, MiB", "disk_mib", form="{:.0f}"),
    ]


def _at(value: Any, keys: Sequence[str]) -> Any:
    for key in keys:
        if isinstance(value, list) and key.isdigit() and int(key) < len(value):
            value = value[int(key)]
        elif isinstance(value, Mapping):
            value = value.get(key)
        else:
            return None
    return value


def _per_cent(value: float | None) -> str:
    return "–" if value is None else f"{100 * value:.1f}"


def _processor() -> str:
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        return platform.processor() or platform.machine()
    found = re.search(r"^model name\s*:\s*(.+)$", text, flags=re.MULTILINE)
    return found[1].strip() if found else platform.machine()


def _memory_gb() -> int:
    return round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1024**3)
