"""One key for all ways to write a value: `EUR 100`, `100EUR`, `€ 100.00`."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from muniment.graph_schema.ids import fold

# Signs that stand for one currency only; "$" and "¥" are those of several and stay what they are.
_SIGNS: Final = {
    "€": "eur",
    "£": "gbp",
    "₹": "inr",
    "₩": "krw",
    "₽": "rub",
    "₺": "try",
    "₴": "uah",
    "₫": "vnd",
    "₪": "ils",
}
_CURRENCY: Final = r"[a-z]{3}|\$|¥|" + "|".join(_SIGNS)
_NUMBER: Final = r"[+-]?\d{1,3}(?:,\d{3})+(?:\.\d+)?|[+-]?\d+(?:\.\d+)?"
_AMOUNT: Final = re.compile(
    rf"(?:(?P<before>{_CURRENCY}) ?(?P<first>{_NUMBER})|(?P<last>{_NUMBER}) ?(?P<after>{_CURRENCY}))"
)
# A unit may touch its number or not: "30 days", "30days".
_LOOSE: Final = re.compile(r"(?<=\d) (?=[^\W\d_]|[%°€£$¥])|(?<=[€£$¥]) (?=\d)")


@lru_cache(4_096)
def value_key(text: str) -> str:
    """The text folded, without spaces between numbers and their units; an amount as its number, then its currency."""
    folded = fold(text)
    if not any(char.isdecimal() for char in folded):
        return folded
    if found := _AMOUNT.fullmatch(folded):
        number = (found["first"] or found["last"]).replace(",", "").removeprefix("+")
        if "." in number:
            number = number.rstrip("0").rstrip(".")
        currency = found["before"] or found["after"]
        return f"{number}{_SIGNS.get(currency, currency)}"
    return _LOOSE.sub("", folded)


def value_keys(text: str) -> tuple[str, ...]:
    """The key of a value, and what it is looked up by too: the key that it had before amounts had one spelling."""
    return tuple(dict.fromkeys((value_key(text), fold(text))))
