"""Large batches are worked on with the collector off, and leave it as it was."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest

from muniment.engine.batches import uncollected

LARGE = 1_000


@pytest.fixture(autouse=True)
def collector() -> Iterator[None]:
    gc.enable()
    yield
    gc.enable()


def test_a_large_batch_is_not_walked_and_a_small_one_is() -> None:
    with uncollected(LARGE):
        assert not gc.isenabled()
    assert gc.isenabled()
    with uncollected(1):
        assert gc.isenabled()


def test_a_batch_that_fails_leaves_the_collector_on() -> None:
    with pytest.raises(LookupError), uncollected(LARGE):
        raise LookupError
    assert gc.isenabled()


def test_a_collector_that_was_off_stays_off() -> None:
    gc.disable()
    with uncollected(LARGE):
        assert not gc.isenabled()
    assert not gc.isenabled()


def test_of_batches_that_overlap_the_end_of_the_first_turns_it_on() -> None:
    first, second = uncollected(LARGE), uncollected(LARGE)
    first.__enter__()
    second.__enter__()
    first.__exit__(None, None, None)
    assert gc.isenabled()
    second.__exit__(None, None, None)
    assert gc.isenabled()
