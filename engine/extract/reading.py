"""An episode's text as pieces that can be evidence: without quoted mail, signatures and context handed back."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from muniment.engine.extract.layout import Turn, farewell, labelled_parts, mail_heads, turns
from muniment.engine.extract.plain import Plain, plain
from muniment.engine.extract.tables import find_tables, without_tables
from muniment.engine.extract.wrapping import unwrapped
from muniment.engine.ingest.language import CHINESE, ENGLISH, language_of
from muniment.engine.ingest.sentences import sentence_spans

# The blocks that recall hands out (see engine/assemble/fence.py), and tags by which agents mark them.
_FENCE = re.compile(
    r"<<memory [0-9a-f]+>>.*?(?:<<end of memory [0-9a-f]+>>|\Z)|<(?P<tag>muniment-context|muniment|memory-context|context-block)\b[^>]*>.*?(?:</(?P=tag)>|\Z)",
    re.DOTALL | re.IGNORECASE,
)
_QUOTED_LINE = re.compile(r"^\s*>\s?.*$", re.MULTILINE)
_REPLY_HEAD = re.compile(
    r"^(?:On .{5,120} wrote:|-{2,}\s*(?:Original Message|Forwarded message|原始邮件|转发邮件)\s*-{2,}|在.{4,60}写道[：:]|(?<=\n)发件人[：:].*)\s*$.*\Z",
    re.MULTILINE | re.DOTALL,
)
_SIGNATURE = re.compile(r"^(?:--\s*|_{3,}|Sent from my .*|发自我的.*)$.*\Z", re.MULTILINE | re.DOTALL)
_CODE = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
# Signs of bullets, headings and numbers at the beginning of a line; "-5" and "3.5" are none.
_PREFIX = re.compile(
    r"(?:\s*(?:(?:[-*+–—]|#{1,6})(?=\s)|[•·▪◦●○■]+|\[[ xX]\](?=\s)|\d{1,2}(?:\.\d{1,2}){1,3}\.?(?=\s+[A-Z\u4e00-\u9fff])|\d{1,2}(?:[.．](?!\d)|[)、])|[（(]\d{1,2}[)）]|[一二三四五六七八九十]{1,2}、|第[一二三四五六七八九十百\d]{1,5}[条章节款][：:、]?(?=\s))\s*)+"
)
_KEY_VALUE = re.compile(
    r"^(?P<key>[A-Za-z\u4e00-\u9fff][\w \u4e00-\u9fff/&()-]{0,40}?)\s*(?:[:：=])\s*(?P<value>\S.*)$"
)
# A sentence longer than this is a list or no prose; the parser gains nothing from it.
MAX_SENTENCE_CHARS = 600


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentence:
    """One sentence with its place in the episode's text, and its language; `key` is set for a `key: value` line.

    `text` is what was written with one space for each run of them, `left_out` what that leaves out (`plain.py`). `speaker`
    is set for what somebody says in a chat that the text writes out.
    """

    start: int
    end: int
    text: str
    lang: str
    left_out: tuple[tuple[int, int], ...] = ()
    key: str = ""
    value_start: int = -1
    speaker: str = ""

    def place(self, at: int) -> int:
        """Where a character of `text` stands in the episode's text."""
        return self.start + Plain(self.text, self.left_out).place(at)


def readable_sentences(text: str) -> list[Sentence]:
    """The sentences that count as evidence, in order; quoted parts and context blocks handed back are left out.

    Tables are left out too: `tables.find_tables` reads them by rows.
    """
    readable = blanked(text)
    return list(_sentences(unwrapped(without_tables(readable, find_tables(readable)))))


def blanked(text: str) -> str:
    """The text with what is no evidence of its own overwritten by spaces, so that offsets stay.

    Of the head of a mail the subject stays; a head that stands behind other text begins a mail that is quoted.
    """
    for head in list(mail_heads(text)):
        if text[: head.start].strip():
            text = _overwritten(text, head.start, len(text))
            break
        about = head.about if head.about[1] else (head.end, head.end)
        text = _overwritten(_overwritten(text, head.start, about[0]), about[1], head.end)
    for pattern in (_FENCE, _CODE, _REPLY_HEAD, _SIGNATURE, _QUOTED_LINE):
        text = pattern.sub(lambda m: re.sub(r"[^\n]", " ", m.group()), text)
    end = farewell(text)[0]
    return text if end < 0 else _overwritten(text, end, len(text))


def _overwritten(text: str, start: int, end: int) -> str:
    return text[:start] + re.sub(r"[^\n]", " ", text[start:end]) + text[end:]


def writer_of(text: str) -> str:
    """Who wrote a mail, as its head or the greeting at its end says; empty where neither does."""
    head = next(mail_heads(text), None)
    if head is not None and head.sender and not text[: head.start].strip():
        return head.sender
    return farewell(text)[1]


def has_own_context(text: str) -> bool:
    """Whether a context block that was given out stands in the text."""
    return _FENCE.search(text) is not None


def _sentences(text: str) -> Iterator[Sentence]:
    said = turns(text)
    for start, end in _parts(text, _with_their_validity(text, sentence_spans(text))):
        turn = _turn_of(said, start)
        if turn is not None and start < turn.said:
            start = min(turn.said, end)
        prefix = _PREFIX.match(text, start, end)
        first = prefix.end() if prefix else start
        while first < end and text[first].isspace():
            first += 1
        piece = text[first:end]
        if len(piece) < 2 or len(piece) > MAX_SENTENCE_CHARS:
            continue
        lang = CHINESE if language_of(piece) == CHINESE else ENGLISH
        told = plain(piece)
        pair = _KEY_VALUE.match(told.text)
        yield Sentence(
            start=first, end=end, text=told.text, lang=lang, left_out=told.left_out, key=pair["key"].strip() if pair else "",
            value_start=pair.start("value") if pair else -1, speaker=turn.who if turn else "",
        )  # fmt: skip


def _parts(text: str, spans: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    for start, end in spans:
        for first, last in labelled_parts(text[start:end]):
            yield start + first, start + last


def _turn_of(said: list[Turn], at: int) -> Turn | None:
    """The turn in which a place lies; a line that begins anew without a name goes on with the one before it."""
    return next((turn for turn in reversed(said) if turn.start <= at), None)


_VALIDITY_ONLY = re.compile(
    r"[（(\[]\s*(?:in effect|in force|effective|valid|since|as of|as from|as at|from|until|till|through|with effect|applicable|starting"
    r"|自|从|截至|有效|生效)[^）)\]]{0,60}[）)\]][.。]?$",
    re.IGNORECASE,
)


def _with_their_validity(text: str, spans: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Sentences; a bracket behind the full stop that only says since when belongs to the sentence before it."""
    pending: tuple[int, int] | None = None
    for start, end in spans:
        if pending is not None and _VALIDITY_ONLY.match(text[start:end]) and "\n" not in text[pending[1] : start]:
            pending = (pending[0], end)
            continue
        if pending is not None:
            yield pending
        pending = (start, end)
    if pending is not None:
        yield pending
