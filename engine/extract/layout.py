"""How the lines of a text are laid out: turns of a chat, the head of a mail, a greeting at its end, labelled parts of a line."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

NAMING: Final = frozenset(
    {
        "name", "full name", "customer", "customer name", "client", "client name", "company", "company name", "account", "account name",
        "organisation", "organization", "contact", "person", "employee", "supplier", "vendor", "partner", "project", "product", "matter",
        "contract", "case", "deal", "opportunity", "姓名", "名称", "客户", "客户名称", "公司", "公司名称", "企业名称", "单位", "供应商", "联系人",
        "员工", "项目", "项目名称", "产品", "合同", "合同名称", "案件",
    }
)  # fmt: skip
"""Labels that name what the lines behind them are about."""
_NAME: Final = r"[A-Z][\w.'’-]*(?: [A-Z][\w.'’-]*){0,2}|[\u4e00-\u9fff]{2,4}"
_CLOCK: Final = r"[\[(（]?\d{1,2}:\d{2}(?::\d{2})?(?:\s?[AaPp][Mm])?[\])）]?"
_TURN: Final = re.compile(
    rf"^[ \t]*(?:{_CLOCK}[ \t]*[-–]?[ \t]*)?(?P<who>{_NAME})[ \t]*(?:{_CLOCK}[ \t]*)?[:：][ \t]*(?=\S)", re.MULTILINE
)
_NOBODY: Final = frozenset("q a note notes action actions todo step example 问 答 备注 说明".split())
_MOST_HEAD_LINES: Final = 12
_HEAD_LINE: Final = re.compile(
    r"[ \t]*(?:\*\*)?(?P<key>From|To|Cc|Bcc|Sent|Date|Subject|Reply-To|发件人|收件人|抄送|发送时间|发送日期|日期|时间|主题)(?:\*\*)?[ \t]*[:：][ \t]*(?P<value>.*)$",
    re.IGNORECASE,
)
_FROM: Final = frozenset({"from", "发件人"})
_ABOUT: Final = frozenset({"subject", "主题"})
# "Kind regards," alone on its line, and the few short lines behind it: who wrote it, where they sit, how to reach them.
_FAREWELL: Final = re.compile(
    r"^[ \t]*(?:(?:with )?(?:(?:best|kind|kindest|warm|warmest|many) )?(?:regards|wishes)|yours(?: (?:sincerely|faithfully|truly))?"
    r"|sincerely(?: yours)?|all the best|best|cheers|many thanks|thanks(?: and regards)?|此致|敬礼|祝好|顺祝商祺|顺颂商祺|祝商祺|谢谢)[,，.。!！]?[ \t]*$"
    r"(?P<rest>(?:\n+[^\n]{1,80}(?<![.!?。！？;；]))*)\s*\Z",
    re.IGNORECASE | re.MULTILINE,
)
_WRITER: Final = re.compile(
    r"\s*(?:敬礼[!！]?\s*)?(?P<who>[A-Z][\w'’-]+(?: [A-Z][\w.'’-]*){1,2}|[\u4e00-\u9fff]{2,3})[ \t]*(?:\n|\Z)"
)
MOST_FAREWELL_LINES: Final = 8
_PART: Final = re.compile(r"[ \t]*[;；|][ \t]*(?=[A-Za-z\u4e00-\u9fff][\w &/'’-]{0,30}?[ \t]?[:：=][ \t]*\S)")
_LABEL: Final = r"[A-Z][\w/'’-]*(?: [\w/&'’-]+){0,2}"
_COMMA_PART: Final = re.compile(rf",[ \t]+(?={_LABEL}: \S)|，[ \t]*(?=[\u4e00-\u9fff]{{2,6}}：\S)")
_LABELLED: Final = re.compile(rf"(?:{_LABEL}: \S|[\u4e00-\u9fff]{{2,6}}：\S)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One person's turn in a written-out chat: its line begins at `start`, what was said at `said`."""

    start: int
    said: int
    who: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MailHead:
    """The lines `From:` … of a mail; `about` is the stretch of its subject, (0, 0) without one."""

    start: int
    end: int
    sender: str
    about: tuple[int, int]


def turns(text: str) -> list[Turn]:
    """The turns of a chat that was written out line by line, in order; empty where the text is none.

    It is one where two or more names stand before a colon at the beginning of lines, and one of them does so again: labels
    of a form are told once each.
    """
    found = [m for m in _TURN.finditer(text) if m["who"].casefold() not in _NOBODY]
    names = Counter(m["who"] for m in found)
    if len(names) < 2 or max(names.values()) < 2:
        return []
    return [Turn(start=m.start(), said=m.end(), who=m["who"]) for m in found]


def mail_heads(text: str) -> Iterator[MailHead]:
    """The heads of mails in a text: two or more such lines in a row, one of which names the sender."""
    at = 0
    while at < len(text):
        head = _head_at(text, at)
        if head is not None:
            yield head
        end = text.find("\n", head.end if head else at)
        at = end + 1 if end >= 0 else len(text)


def _head_at(text: str, at: int) -> MailHead | None:
    start, sender, about, count = at, "", (0, 0), 0
    while at < len(text) and count < _MOST_HEAD_LINES:
        end = text.find("\n", at)
        end = len(text) if end < 0 else end
        line = _HEAD_LINE.match(text, at, end)
        if line is None:
            break
        key = line["key"].casefold()
        if key in _FROM:
            sender = re.sub(r"[<(（\[].*|[\w.+-]+@\S+", "", line["value"]).strip(" \"'")
        elif key in _ABOUT:
            about = line.span("value")
        elif not count and key not in ("to", "收件人", "subject", "主题"):
            return None  # "Date: 5 May" opens a form
        count += 1
        at = end + 1
    last = min(max(at - 1, start), len(text))
    if count < 2 or not any(
        text[start:last].casefold().lstrip(" *\n").find(f"{key}{mark}") >= 0 for key in _FROM for mark in ":：*"
    ):
        return None
    return MailHead(start=start, end=last, sender=sender, about=about)


def farewell(text: str) -> tuple[int, str]:
    """Where the greeting at the end of a mail begins, and who signs there; (-1, "") without one."""
    for found in _FAREWELL.finditer(text):
        if (
            found["rest"].strip()
            and len(found["rest"].split("\n")) <= MOST_FAREWELL_LINES
            and text[: found.start()].strip()
        ):
            writer = _WRITER.match(found["rest"])
            return found.start(), writer["who"] if writer else ""
    return -1, ""


def labelled_parts(text: str) -> Iterator[tuple[int, int]]:
    """(start, end) of the parts of a line that each begin with a label, `Customer: A; Term: until May`; else the whole."""
    cuts = list(_PART.finditer(text))
    if _LABELLED.match(text):
        cuts += _COMMA_PART.finditer(text)
    start = 0
    for cut in sorted(cuts, key=lambda m: m.start()):
        if cut.start() > start:
            yield start, cut.start()
        start = max(start, cut.end())
    if start < len(text):
        yield start, len(text)
