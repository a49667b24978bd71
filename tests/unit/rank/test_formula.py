from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.engine.rank.formula import importance_part, recency_part, word_share
from muniment.engine.rank.policy import DEFAULT_POLICY
from muniment.graph_schema.errors import Invalid

DAY = 86_400.0


def test_a_memory_with_every_rare_word_beats_one_with_the_common_word() -> None:
    weights = {"lease": 5.0, "client": 0.5}

    both = word_share("lease client", weights, average_length=4)
    common = word_share("client client client", weights, average_length=4)

    assert both > 5 * common


def test_words_that_no_memory_has_keep_the_share_low() -> None:
    known = word_share("lease", {"lease": 3.0}, average_length=4)
    half = word_share("lease", {"lease": 3.0, "zeppelin": 3.0}, average_length=4)

    assert half == pytest.approx(known / 2)


@given(
    words=st.lists(st.sampled_from("abcdef"), max_size=40),
    weights=st.dictionaries(st.sampled_from("abcxyz"), st.floats(0.01, 9)),
)
def test_a_share_lies_between_nothing_and_all(words: list[str], weights: dict[str, float]) -> None:
    assert 0 <= word_share(" ".join(words), weights, average_length=5) < 1


def test_recency_fades_by_the_half_life_and_never_below_zero() -> None:
    new = recency_part(0, 90, DEFAULT_POLICY)
    old = recency_part(20 * 365 * DAY, 90, DEFAULT_POLICY)

    assert new == DEFAULT_POLICY.recency
    assert 0 <= old < 1e-9
    assert recency_part(-5, 90, DEFAULT_POLICY) == new


def test_decay_and_importance_together_weigh_less_than_a_sixth_of_the_words() -> None:
    most = recency_part(0, 90, DEFAULT_POLICY) + importance_part(5, DEFAULT_POLICY)

    assert most - importance_part(1, DEFAULT_POLICY) < DEFAULT_POLICY.lexical / 6


def test_weights_can_be_changed_one_by_one() -> None:
    changed = DEFAULT_POLICY.with_weights({"dense": 0.5, "half_life_days": {"note": 10}, "hop_from": 5.0})

    assert (changed.dense, changed.hop_from, changed.half_life_days["note"]) == (0.5, 5, 10)
    assert changed.half_life_days["message"] == DEFAULT_POLICY.half_life_days["message"]


@pytest.mark.parametrize(
    "weights", [{"luck": 1}, {"dense": "much"}, {"dense": -1}, {"dense": True}, {"half_life_days": 3}]
)
def test_senseless_weights_are_refused(weights: dict[str, object]) -> None:
    with pytest.raises(Invalid):
        DEFAULT_POLICY.with_weights(weights)
