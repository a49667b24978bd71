"""The figures about names, on names of our own."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.benchmarks.entities import judged_pairs, main, right_first, score_pairs

PAIRS = [
    ("Person", "Parvez Rahman", "Rahman, Parvez", "true"),
    ("Person", "Sergei Volkov", "Sergey Volkov", "true"),
    ("Company", "Fund III Ltd", "Fund IV Ltd", "false"),
    ("Person", "Ines Marlow", "Cato Vane", "false"),
]


def test_the_best_threshold_and_what_needs_no_person_are_told_apart() -> None:
    names = ("schema", "name1", "name2", "is_match")
    found = score_pairs(judged_pairs(dict(zip(names, row, strict=True)) for row in PAIRS))
    assert (found.pairs, found.f1) == (4, 1.0)
    assert (found.sure, found.sure_precision) == (1, 1.0)


def test_the_right_name_first_is_counted() -> None:
    known = [("n", "Northern Harbour Court"), ("s", "Southern Harbour Court"), ("h", "High Tribunal of Osprey")]
    asked = [("Harbour Court, Northern Division", "n"), ("Osprey High Tribunal", "h"), ("Harbour Court Southern", "n")]
    assert right_first(known, asked) == pytest.approx(2 / 3)


def test_an_empty_folder_has_nothing_to_say(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(tmp_path)
    assert capsys.readouterr().out == ""
