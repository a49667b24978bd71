"""Episodes cut into pieces for a language model, and pieces packed into calls."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from muniment.engine.extract.reading import blanked
from muniment.engine.ingest.sentences import sentence_spans
from muniment.graph_schema.records import Episode

PIECE_CHARS: Final = 6_000
"""A longer text is read in pieces: small models lose what stands in the middle of long ones."""
CALL_CHARS: Final = 12_000
CALL_PIECES: Final = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """A stretch [start, end) of an episode's text as the model may read it: what is no evidence is blanked out."""

    episode: Episode
    start: int
    end: int
    text: str


def pieces_of(episodes: Sequence[Episode]) -> Iterator[Piece]:
    """The pieces of all episodes in order, whole sentences where they are not too long; none of an empty one."""
    for episode in episodes:
        text = blanked(episode.text)
        for start, end in _stretches(text):
            if text[start:end].strip():
                yield Piece(episode=episode, start=start, end=end, text=text[start:end])


def calls_of(pieces: Sequence[Piece]) -> Iterator[tuple[Piece, ...]]:
    """Pieces that are asked about together: one call for many short episodes."""
    call: list[Piece] = []
    size = 0
    for piece in pieces:
        length = piece.end - piece.start
        if call and (size + length > CALL_CHARS or len(call) == CALL_PIECES):
            yield tuple(call)
            call, size = [], 0
        call.append(piece)
        size += length
    if call:
        yield tuple(call)


def _stretches(text: str) -> Iterator[tuple[int, int]]:
    if len(text) <= PIECE_CHARS:
        yield 0, len(text)
        return
    start = 0
    end = 0
    for _, sentence_end in sentence_spans(text):
        if sentence_end - start > PIECE_CHARS and end > start:
            yield start, end
            start = end
        while sentence_end - start > PIECE_CHARS:  # one sentence without an end
            yield start, start + PIECE_CHARS
            start += PIECE_CHARS
        end = sentence_end
    if len(text) > start:
        yield start, len(text)
