"""One key for a value however it is written, and different keys for different values."""

from __future__ import annotations

import pytest

from muniment.engine.ingest.value_keys import value_key
from muniment.graph_schema.ids import fold


@pytest.mark.parametrize(
    "alike",
    [
        ("EUR 100", "100 EUR", "100eur", "€100", "€ 100.00", "１００ EUR"),
        ("1,234,567.50 USD", "USD 1234567.5"),
        ("30 days", "30days", "30  Days"),
        ("5 %", "5%"),
    ],
)
def test_spellings_of_one_value_share_a_key(alike: tuple[str, ...]) -> None:
    assert len({value_key(text) for text in alike}) == 1


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("EUR 100", "EUR 1000"),
        ("EUR 100", "USD 100"),
        ("$100", "100 USD"),
        ("1.5 EUR", "15 EUR"),
        ("-5 EUR", "5 EUR"),
        ("1,5 EUR", "15 EUR"),
        ("12 34", "1234"),
        ("30 days", "31 days"),
        ("flat 2 b", "flat 2 c"),
    ],
)
def test_different_values_have_different_keys(one: str, other: str) -> None:
    assert value_key(one) != value_key(other)


@pytest.mark.parametrize("text", ["Ana\u200b Ruiz", "\ufeffAna Ruiz", "A\u00adna Ruiz", "Ana\u2060 Ruiz\u200e"])
def test_what_nobody_sees_makes_no_other_name(text: str) -> None:
    assert fold(text) == "ana ruiz"


@pytest.mark.parametrize("text", ["\u200b", "\u00ad\u2060"])
def test_a_text_of_nothing_that_is_seen_keeps_a_key(text: str) -> None:
    assert fold(text)
    assert fold(fold(text)) == fold(text)
