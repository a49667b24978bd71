"""Keys that are no spelling: short digests in characters of Unicode's private use area, so that no search for letters finds
them."""

from __future__ import annotations

import hashlib
from typing import Final

FIRST_PRIVATE: Final = 0xE000
PRIVATE_BITS: Final = 12  # of each of the four characters of a key


def private_key(text: str) -> str:
    """Four private characters that stand for the text; the same for the same text."""
    number = int.from_bytes(hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=6).digest(), "big")
    return "".join(chr(FIRST_PRIVATE + ((number >> shift) & ((1 << PRIVATE_BITS) - 1))) for shift in (36, 24, 12, 0))
