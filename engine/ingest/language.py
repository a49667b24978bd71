"""Which language a text, or a stretch of it, is written in, told by its script."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

ENGLISH = "en"
CHINESE = "zh"
OTHER = "und"  # ISO 639-2 "undetermined": a script no analyzer of ours reads

_HAN = r"\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_RUN = re.compile(rf"(?P<zh>[{_HAN}]+)|(?P<en>[A-Za-z\u00c0-\u024f]+)|(?P<und>[^\W\d_])")
_HAN_CHAR = re.compile(f"[{_HAN}]")
_SENTENCE_END = re.compile(r"[。！？!?\n]|\.(?=\s|$)")

# A Chinese character says about as much as two Latin letters of a word of five: with this weight "我用Salesforce管理客户" counts
# as Chinese and "the 张伟 account was closed" as English.
_HAN_WEIGHT = 3.0
_PARTICLE = re.compile(r"[的是在了由被把]")
_PARTICLE_WEIGHT = 12.0  # more: a sentence held together by Chinese particles is one, whatever names stand in it


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """A stretch of whole sentences in one language; offsets are in characters of the text given."""

    start: int
    end: int
    lang: str


def has_han(text: str) -> bool:
    return _HAN_CHAR.search(text) is not None


def language_of(text: str) -> str:
    """`zh`, `en`, or `und` where neither script leads; a text without letters is `und`."""
    weights = {CHINESE: 0.0, ENGLISH: 0.0, OTHER: 0.0}
    for match in _RUN.finditer(text):
        lang = match.lastgroup or OTHER
        weights[lang] += len(match.group()) * (_HAN_WEIGHT if lang == CHINESE else 1.0)
        if lang == CHINESE:
            weights[lang] += _PARTICLE_WEIGHT * len(_PARTICLE.findall(match.group()))
    best = max(weights, key=lambda lang: weights[lang])
    return best if weights[best] > 0 else OTHER


def language_runs(text: str) -> list[Run]:
    """The text cut into neighbouring stretches of one language, at ends of sentences only; covers every character.

    A sentence without letters goes with the one before it.
    """
    runs: list[Run] = []
    for start, end in _pieces(text):
        lang = language_of(text[start:end])
        if runs and lang in (OTHER, runs[-1].lang):
            runs[-1] = Run(start=runs[-1].start, end=end, lang=runs[-1].lang)
        elif runs and runs[-1].lang == OTHER:
            runs[-1] = Run(start=runs[-1].start, end=end, lang=lang)
        else:
            runs.append(Run(start=start, end=end, lang=lang))
    return runs


def _pieces(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for match in _SENTENCE_END.finditer(text):
        yield start, match.end()
        start = match.end()
    if start < len(text):
        yield start, len(text)
