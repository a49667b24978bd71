"""Cosines of a space's vectors: the same for few wanted entries, which are gathered, as for many, which are not."""

from __future__ import annotations

import numpy as np
import pytest

from muniment.engine.stores.sqlite.image import Vectors

ENTRIES = 60


@pytest.mark.parametrize("parts_each", [1, 3])
@pytest.mark.parametrize("wanted_every", [1, 2, 20, ENTRIES + 1])
def test_the_best_part_of_each_wanted_entry_counts(parts_each: int, wanted_every: int) -> None:
    chance = np.random.default_rng(3)
    counts = chance.integers(1, parts_each + 1, size=ENTRIES)
    parts = chance.standard_normal((int(counts.sum()), 8)).astype(np.float32)
    question = chance.standard_normal(8).astype(np.float32)
    held = Vectors(8)
    held.extend(np.arange(ENTRIES), counts, parts)
    wanted = np.arange(1, ENTRIES + 1) % wanted_every == 0

    entries, cosines = held.best_cosines(question, wanted)

    ends = np.cumsum(counts)
    best = [float((parts[end - count : end] @ question).max()) for end, count in zip(ends, counts, strict=True)]
    assert entries.tolist() == np.flatnonzero(wanted).tolist()
    assert cosines.tolist() == pytest.approx([best[entry] for entry in entries], abs=1e-5)
