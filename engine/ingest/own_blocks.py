"""Context blocks that an agent hands back: what memory said must not become evidence for itself."""

from __future__ import annotations

import re

_BLOCK = re.compile(r"<<memory ([0-9a-f]{16})>>.*?<<end of memory \1>>", re.DOTALL)


def without_own_blocks(text: str) -> str:
    """The text with every whole context block blanked out; everything else keeps its place."""
    return _BLOCK.sub(lambda block: " " * len(block.group()), text)
