"""Words and the plainest names of any text, by patterns alone: what is left when no model is installed.

It knows shapes (capitals, legal forms, titles, dates, amounts), not meaning. A capitalised name whose type no shape tells
is labelled NAME. There is no parse, and parts of speech are those that a shape can tell.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from muniment.engine.ingest.sentences import sentence_spans
from muniment.engine.ingest.stopwords import ENGLISH as STOPWORDS
from muniment.engine.models.language import HAN, language_of, readable
from muniment.engine.ports.models import Analysis, Span, Token

_MONTH: Final = (
    r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?"
    r"|Nov(?:ember)?|Dec(?:ember)?)"
)
_CAPITALISED: Final = r"[A-Z\u00c0-\u00de][\w'’-]*"
_NAME: Final = rf"{_CAPITALISED}(?:(?: (?:of|de|van|von|&) | ){_CAPITALISED})*"
_LINKING: Final = "在于与和到由为是的从给向把被跟"  # no part of a company's name: they stand before it
_FAMILY_NAMES: Final = "王李张刘陈杨黄赵吴周徐孙马朱胡郭何高林罗郑梁谢宋唐许韩冯邓曹彭曾肖田董袁潘蒋蔡余杜叶程苏魏吕丁任沈姚卢姜崔钟谭陆汪范金石廖贾夏韦付方白邹孟熊秦邱江尹薛闫段雷侯龙史陶黎贺顾毛郝龚邵万钱严覃武戴莫孔向汤"

# In order: where two overlap, the earlier one stands.
_SHAPES: Final = (
    ("EMAIL", re.compile(r"[\w.+-]+@[\w-]+\.[\w.-]*\w")),
    ("URL", re.compile(r"https?://[^\s，。；、）)]+")),
    ("DATE", re.compile(r"\b\d{4}-\d{2}-\d{2}\b|\b\d{1,2}[./]\d{1,2}[./]\d{4}\b")),
    ("DATE", re.compile(rf"\b\d{{1,2}}(?:st|nd|rd|th)?(?: of)? {_MONTH}(?:,? \d{{4}})?\b")),
    ("DATE", re.compile(rf"\b{_MONTH} \d{{1,2}}(?:st|nd|rd|th)?(?:,? \d{{4}})?\b|\b{_MONTH} \d{{4}}\b")),
    ("DATE", re.compile(r"(?:\d{4}年)?\d{1,2}月(?:\d{1,2}[日号])?|\d{4}年")),
    ("MONEY", re.compile(r"[$€£¥] ?\d[\d.,]*\d?(?: ?(?:million|billion|[mk])\b)?|\b\d[\d.,]* ?(?:euros?|dollars?|USD|EUR|CHF|GBP|CNY)\b")),
    ("MONEY", re.compile(r"\d[\d.,]*(?:万|亿)?(?:元|美元|欧元|人民币)")),
    ("PERSON", re.compile(rf"[{_FAMILY_NAMES}][{HAN}]{{1,2}}?(?=先生|女士|经理|总监|老师|主任|说|表示|在|是|担任|负责|和|与)")),
    ("ORG", re.compile(rf"(?:(?![{_LINKING}])[{HAN}]){{2,8}}?(?:(?:科技|技术)?(?:有限)?公司|集团|银行|大学|医院|科技|律师事务所)")),
    ("ORG", re.compile(rf"{_CAPITALISED}(?: (?:& )?{_CAPITALISED})*,? (?:GmbH|AG|Inc|Ltd|LLC|LLP|Corp|Corporation|Industries|Labs|Group|Bank|University)\b\.?")),
    ("PERSON", re.compile(rf"(?:Mr|Mrs|Ms|Dr|Prof)\.? {_CAPITALISED}(?: {_CAPITALISED})*")),
    ("NAME", re.compile(_NAME)),
)  # fmt: skip
_TOKEN: Final = re.compile(rf"[{HAN}]|[^\W{HAN}]+(?:['’.-][^\W{HAN}]+)*|[^\w\s]")
_NUMBER: Final = re.compile(r"\d[\d.,]*")


class RegexAnalyzer:
    """Texts of any language analysed without a model; equal on every machine."""

    @property
    def fingerprint(self) -> str:
        return "regex@1"

    def analyze(self, text: str) -> Analysis:
        clean = readable(text)
        sentences = tuple(sentence_spans(clean))
        starts = {start for start, _ in sentences}
        tokens = tuple(_token(text, match, opens=match.start() in starts) for match in _TOKEN.finditer(clean))
        entities = tuple(_entities(text, clean, starts))
        return Analysis(lang=language_of(text), tokens=tokens, entities=entities, sentences=sentences)

    def analyze_many(self, texts: Sequence[str]) -> list[Analysis]:
        return [self.analyze(text) for text in texts]


def _token(text: str, match: re.Match[str], *, opens: bool) -> Token:
    written = text[match.start() : match.end()]
    is_stop = written.lower() in STOPWORDS
    return Token(
        text=written,
        lemma=written.lower(),
        pos=_part_of_speech(written, is_stop=is_stop, opens=opens),
        start=match.start(),
        end=match.end(),
        is_stop=is_stop,
    )


def _part_of_speech(word: str, *, is_stop: bool, opens: bool) -> str:
    if not word[0].isalnum():
        return "PUNCT"
    if _NUMBER.fullmatch(word):
        return "NUM"
    return "PROPN" if word[0].isupper() and not is_stop and not opens else "X"


def _entities(text: str, clean: str, starts: set[int]) -> Iterator[Span]:
    taken = bytearray(len(clean))
    found: list[Span] = []
    for label, shape in _SHAPES:
        for match in shape.finditer(clean):
            start, end = _without_opening(clean, match, starts) if label == "NAME" else match.span()
            if end > start and not any(taken[start:end]):
                taken[start:end] = b"\x01" * (end - start)
                found.append(Span(text=text[start:end], start=start, end=end, label=label))
    yield from sorted(found, key=lambda span: span.start)


def _without_opening(text: str, match: re.Match[str], starts: set[int]) -> tuple[int, int]:
    """A name without function words in front; a single word that opens a sentence may be any word, so it is none."""
    start, end = match.span()
    opens = start in starts
    words = match.group().split(" ")
    while words and words[0].lower() in STOPWORDS:
        start += len(words.pop(0)) + 1
        opens = False
    if not words or (opens and len(words) == 1):
        return start, start
    return start, end
