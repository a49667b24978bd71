"""What a sentence names only to say that it is not meant: "chose A instead of B", "in Leeds, not York", 选了甲而不是乙."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from muniment.engine.extract.links import Link

_EXCLUDES = re.compile(
    r"(?:\b(?:instead of|rather than|as opposed to|in place of|but not)|,\s*(?:and\s+|but\s+)?not|\(not)\s+(?:(?:in|at|for|with|by|to|from|on|of)\s+)?(?:the\s+)?$"
    r"|(?:而不是|而非|而不选|而不用)(?:在|由|选|用|向|给|去|找)?$",
    re.IGNORECASE,
)


def without_excluded(text: str, links: Iterable[Link]) -> Iterator[Link]:
    """The links without those to an end that the words before it exclude."""
    for link in links:
        if not any(end.start >= 0 and _EXCLUDES.search(text[: end.start]) for end in (link.subject, link.object)):
            yield link
