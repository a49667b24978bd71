"""How well names are told apart and found: `python -m tests.benchmarks.entities FOLDER`.

FOLDER holds `er_names/pairs.jsonl` (`schema`, `name1`, `name2`, `is_match`) and `er_courts` with `courts.jsonl` (`id`,
`name`) and `mentions*.jsonl` (`mention`, `court`); what is not there is left out. Nothing in it is part of the project.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from muniment.engine.ingest.names import ORGANISATION, PERSON
from muniment.engine.resolve.matching import Match, match_names
from muniment.engine.resolve.ranking import NameRanking

_ROOTS = {"Person": PERSON, "Company": ORGANISATION, "Organization": ORGANISATION, "LegalEntity": ORGANISATION}


@dataclass(frozen=True, slots=True, kw_only=True)
class PairsScored:
    """`f1` at the threshold where it is highest; of `sure` matches, which nobody is asked about, the share that is right."""

    pairs: int
    f1: float
    threshold: float
    sure: int
    sure_precision: float


def score_pairs(judged: Sequence[tuple[Match, bool]]) -> PairsScored:
    """Figures over matches and whether each is one; a vetoed match counts as none."""
    scores = [(0.0 if match.vetoes else match.score, right) for match, right in judged]
    f1, threshold = max((_f1(scores, at), at) for at in sorted({score for score, _ in scores if score > 0}))
    sure = [right for match, right in judged if match.is_sure]
    precision = sum(sure) / len(sure) if sure else 1.0
    return PairsScored(pairs=len(judged), f1=f1, threshold=threshold, sure=len(sure), sure_precision=precision)


def judged_pairs(rows: Iterator[dict[str, Any]]) -> list[tuple[Match, bool]]:
    return [
        (match_names(row["name1"], row["name2"], _ROOTS.get(row["schema"], "")), row["is_match"] == "true")
        for row in rows
    ]


def right_first(names: Sequence[tuple[str, str]], mentions: Sequence[tuple[str, str]]) -> float:
    """The share of mentions (text, id) of which the first of the known names (id, name) is the right one."""
    ranking = NameRanking([name for _, name in names], ORGANISATION)
    found = [ranking.best(text, limit=1) for text, _ in mentions]
    hits = sum(bool(best) and names[best[0][0]][0] == id for best, (_, id) in zip(found, mentions, strict=True))
    return hits / len(mentions)


def _f1(scores: Sequence[tuple[float, bool]], threshold: float) -> float:
    taken = [right for score, right in scores if score >= threshold]
    right = sum(taken)
    return 2 * right / (len(taken) + sum(right for _, right in scores)) if right else 0.0


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            if line.strip():
                yield json.loads(line)


def main(folder: Path) -> None:
    """Prints a line for each set that is there."""
    pairs = folder / "er_names" / "pairs.jsonl"
    if pairs.is_file():
        found = score_pairs(judged_pairs(_rows(pairs)))
        print(
            f"er_names: {found.pairs} pairs, F1 {found.f1:.3f} at {found.threshold:.2f}; "
            f"{found.sure} sure, precision {found.sure_precision:.3f}"
        )
    courts = folder / "er_courts"
    if (courts / "courts.jsonl").is_file():
        names = [(row["id"], row["name"]) for row in _rows(courts / "courts.jsonl")]
        mentions = [(r["mention"], r["court"]) for path in sorted(courts.glob("mentions*.jsonl")) for r in _rows(path)]
        print(
            f"er_courts: {len(mentions)} mentions of {len(names)} names, {right_first(names, mentions):.1%} right first"
        )


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python -m tests.benchmarks.entities FOLDER")
    main(Path(sys.argv[1]))
