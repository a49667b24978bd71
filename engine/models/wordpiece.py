"""WordPiece: the pieces that an uncased BERT reads.

After Devlin et al. 2019 (`BasicTokenizer` and `WordpieceTokenizer` of the reference code), for the uncased English
vocabulary. It differs in one thing: the spelling of a special token inside a text ("[SEP]") is text, not a token.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from pathlib import Path
from typing import Final

from muniment.engine.models.language import HAN

_MAX_WORD_CHARS: Final = 100  # as in the reference: a longer "word" is unknown
_CACHED_WORDS: Final = 100_000
_CHARS_PER_PIECE: Final = 24  # no need to read further than the pieces asked for can reach in ordinary text


class WordPiece:
    """Piece numbers for texts, by one vocabulary file (one piece a line)."""

    def __init__(self, vocabulary: Path) -> None:
        lines = vocabulary.read_text(encoding="utf-8").split("\n")
        self._ids = {piece.rstrip("\r"): number for number, piece in enumerate(lines)}
        self.unknown = self._ids["[UNK]"]
        self.first = self._ids["[CLS]"]
        self.separator = self._ids["[SEP]"]
        self._pieces_of = lru_cache(maxsize=_CACHED_WORDS)(self._split_word)

    def pieces(self, text: str, *, limit: int) -> list[int]:
        """Numbers of the first `limit` pieces of `text`, without special tokens."""
        out: list[int] = []
        for word in words(text[: limit * _CHARS_PER_PIECE]):
            out.extend(self._pieces_of(word))
            if len(out) >= limit:
                return out[:limit]
        return out

    def _split_word(self, word: str) -> tuple[int, ...]:
        """Longest piece first, from the left; a word with a rest that fits nothing is one unknown piece."""
        if len(word) > _MAX_WORD_CHARS:
            return (self.unknown,)
        out: list[int] = []
        start = 0
        while start < len(word):
            for end in range(len(word), start, -1):
                piece = self._ids.get(word[start:end] if start == 0 else "##" + word[start:end])
                if piece is not None:
                    out.append(piece)
                    start = end
                    break
            else:
                return (self.unknown,)
        return tuple(out)


def words(text: str) -> list[str]:
    """Lower-case words without accents; each punctuation mark and each Chinese character stands alone."""
    if not text.isascii():
        decomposed = unicodedata.normalize("NFD", text.lower())
        text = "".join(char for char in decomposed if unicodedata.category(char) != "Mn")
    return _word_pattern().findall(_INVISIBLE.sub("", text.lower()))


# Control and format characters (categories Cc and Cf but for white space) and U+FFFD are dropped, as in the reference.
_INVISIBLE: Final = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\xad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufffd]"
)


@lru_cache(maxsize=1)
def _word_pattern() -> re.Pattern[str]:
    """Punctuation is category P, and every ASCII sign that is neither letter nor digit; other symbols are letters."""
    marks = [chr(code) for code in range(0x80, 0x10000) if unicodedata.category(chr(code)).startswith("P")]
    ascii_marks = [chr(code) for code in range(33, 127) if not chr(code).isalnum()]
    mark = re.escape("".join(ascii_marks + marks))
    return re.compile(f"[{HAN}]|[{mark}]|[^\\s{HAN}{mark}]+")
