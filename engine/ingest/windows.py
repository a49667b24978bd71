"""Windows of whole sentences: the pieces of an episode that get a vector each."""

from __future__ import annotations

import re
from collections.abc import Iterator

from muniment.engine.ingest.sentences import sentence_spans

# A small embedder blurs what is longer; about 80 words and 8 windows were best on chats, passages and notes alike.
WINDOW_WORDS = 80
MAX_WINDOWS = 8
_HAN = re.compile(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")
_WORD = re.compile(r"[^\s\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]+")
# A Chinese word has two characters on average.
_CHARS_PER_WORD = 2


def windows(text: str, *, title: str = "", speaker: str = "") -> list[str]:
    """The text in pieces of whole sentences of about `WINDOW_WORDS` words, at most `MAX_WINDOWS`, never none.

    Each begins with "Title. " or else "Speaker: ", so that it can be understood alone. A sentence of more than one and a
    half windows is cut. What lies behind the last window is left out.
    """
    head = f"{title}. " if title else f"{speaker}: " if speaker else ""
    out: list[str] = []
    for piece in _packed(text):
        out.append(head + piece)
        if len(out) == MAX_WINDOWS:
            break
    return out or [(head + text).strip()]


def count_words(text: str) -> int:
    """Words of a text; two Chinese characters count as one word."""
    han = len(_HAN.findall(text))
    return len(_WORD.findall(text)) + (han + _CHARS_PER_WORD - 1) // _CHARS_PER_WORD


def _packed(text: str) -> Iterator[str]:
    pending: list[str] = []
    size = 0
    for start, end in sentence_spans(text):
        for piece in _cut(text[start:end]):
            count = count_words(piece)
            if pending and size + count > WINDOW_WORDS:
                yield _join(pending)
                pending, size = [], 0
            pending.append(piece)
            size += count
    if pending:
        yield _join(pending)


def _cut(sentence: str) -> Iterator[str]:
    """The sentence itself, or pieces of a window's size where it is far too long."""
    if count_words(sentence) <= WINDOW_WORDS * 1.5:
        yield " ".join(sentence.split())
        return
    words = sentence.split()
    if len(words) < len(sentence) / (WINDOW_WORDS * _CHARS_PER_WORD):
        # Hardly any space in it: Chinese, or one endless token.
        step = WINDOW_WORDS * _CHARS_PER_WORD
        yield from (sentence[at : at + step] for at in range(0, len(sentence), step))
        return
    yield from (" ".join(words[at : at + WINDOW_WORDS]) for at in range(0, len(words), WINDOW_WORDS))


def _join(pieces: list[str]) -> str:
    """Chinese sentences stand side by side, others with a space between."""
    out = pieces[0]
    for piece in pieces[1:]:
        out += piece if _HAN.match(piece) and out[-1] in "。！？；…”" else " " + piece
    return out
