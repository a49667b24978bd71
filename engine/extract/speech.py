"""Words that a text puts into somebody's mouth: "Ana said: call me", 王芳说：请打给我. "I" in them is who says them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from muniment.engine.extract.mentions import PERSON, Mention

_SAYS_EN = re.compile(
    r"\s+(?:has |had )?(?:also |then |just )?(?:says?|said|writes|wrote|asks?|asked|tells|told|repl(?:ies|ied)|adds|added|answer(?:s|ed)|insist(?:s|ed)|request(?:s|ed))"
    r"(?:\s+(?:to\s+)?(?:us|me|you|them|everyone|the team))?\s*(?:[:–—]\s*[\"“]?|,\s*[\"“]?|(?=[\"“])[\"“])",
    re.IGNORECASE,
)
_SAYS_ZH = re.compile(
    r"(?:今天|昨天|刚才|刚刚|已|又|还|也|再三|特别|明确)*(?:说|表示|写道|写信说|来信说|回复|答复|要求|强调|告诉我们|跟我们说|对我们说|补充|留言|叮嘱|提醒我们)(?:道|说)?\s*[：:，,]\s*[“\"「]?"
)
_CLOSES = re.compile(r"[\"”」]")
_NOT_SAID = re.compile(r"\b(?:as|like|what|whatever)\s+$", re.IGNORECASE)
_I = frozenset({"i", "me", "my", "mine", "myself", "我", "本人", "我的"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Speech:
    """A stretch of a sentence, [start, end), and who says it there; `open` where the next sentence goes on with it."""

    start: int
    end: int
    by: Mention
    open: bool = False


def speeches(text: str, mentions: Sequence[Mention]) -> Iterator[Speech]:
    """What the people of a sentence say in it in their own words, up to the closing mark or the sentence's end."""
    for mention in mentions:
        if mention.is_value or mention.type not in (PERSON, "") or (mention.pronoun and not mention.same_as):
            continue
        if _is_i(mention) or _NOT_SAID.search(text, 0, mention.start):
            continue
        opened = _SAYS_EN.match(text, mention.end) or _SAYS_ZH.match(text, mention.end)
        if opened is not None:
            marked = opened.group()[-1] in '"“「'
            closed = _CLOSES.search(text, opened.end()) if marked else None
            end = closed.start() if closed else len(text)
            yield Speech(start=opened.end(), end=end, by=mention, open=marked and closed is None)


def carried_on(text: str, by: Mention) -> Speech:
    """What stands in a sentence up to the mark that closes a speech begun before it."""
    closed = _CLOSES.search(text)
    return Speech(start=0, end=closed.start() if closed else len(text), by=by, open=closed is None)


def said_by(spoken: Sequence[Speech], mention: Mention, at: int) -> Mention:
    """The mention, an "I" at this place told to be the one who says it there."""
    if not mention.pronoun or not _is_i(mention):
        return mention
    own = next((speech.by for speech in spoken if speech.start <= at < speech.end), None)
    return mention if own is None else replace(mention, same_as=own.same_as or own.text, type=PERSON)


def _is_i(mention: Mention) -> bool:
    return mention.text.casefold() in _I


__all__ = ["Speech", "carried_on", "said_by", "speeches"]
