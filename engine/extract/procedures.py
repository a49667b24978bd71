"""Procedures told as steps: what triggers them and the steps in order."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

_STEP = re.compile(
    r"(?:^|(?<=[\s。；;.:：]))(?:step\s+)?(?:(?P<n>\d{1,2})[.)、．:：]|[（(](?P<p>\d{1,2})[)）]|第(?P<zh>[一二三四五六七八九十])步[，,:：]?|(?P<zn>[一二三四五六七八九十])、)\s*(?P<text>[^\n]+?)(?=\s+(?:step\s+)?\d{1,2}[.)、．:：]\s|(?<=[。；;])\s*\d{1,2}[.)、．](?!\d)|\s*[（(]\d{1,2}[)）]|\s*第[一二三四五六七八九十]步|\n|$)",
    re.IGNORECASE,
)
_FIRST_THEN = re.compile(
    r"\b(?:first|to begin with|start by)\b,?\s*(?P<first>[^.;]+)[.;,]\s*(?:(?:and\s+)?(?:then|next|after that|afterwards|second|secondly)\b,?\s*[^.;]+[.;,]?\s*)+(?:(?:and\s+)?(?:finally|lastly)\b,?\s*[^.;]+)?",
    re.IGNORECASE,
)
_FIRST_ZH = re.compile(
    r"(?:首先|先)[，,]?(?P<first>[^，。；]{2,40})[，。；](?:(?:然后|接着|再|其次|之后|随后)[，,]?[^，。；]{2,40}[，。；])+(?:最后[，,]?[^，。；]{2,40})?"
)
_SPLIT_EN = re.compile(
    r"[.;,]\s*(?:and\s+)?(?:then|next|after that|afterwards|secondly|second|finally|lastly)\b,?\s*", re.IGNORECASE
)
_SPLIT_ZH = re.compile(r"[，。；](?:然后|接着|再|其次|之后|随后|最后)[，,]?")
_TRIGGER = re.compile(
    r"(?:how to|to|when|whenever|if|in order to|procedure for|process for|steps (?:to|for)|instructions for)\s+(?P<t>[^.:\n,]{3,80})\s*[:,]?\s*$"
    r"|(?P<zh>(?:如何|怎样|怎么|当|如果|遇到|处理)[^。：\n，]{2,40}?)(?:时|的时候|的步骤|的流程|步骤|流程)?\s*[：:，]?\s*$"
    r"|(?P<head>[^.\n。]{3,80}?)(?:的?(?:步骤|流程|操作方法))?\s*[:：]\s*$",
    re.IGNORECASE,
)
_VERB_FIRST = re.compile(
    r"^(?:open|press|click|select|choose|go|check|enter|type|call|ask|send|confirm|close|save|run|restart|turn|remove|add|create|update|log|sign|fill|attach|copy|paste|verify|review|approve|notify|contact|set|make|start|stop|wait|install|download|upload|export|import|test|deploy|merge|push|pull|build|write|read|find|search|look|get|take|put|move|drain|unplug|plug|replace|clean|rinse|lock|unlock|record|note|file|issue|refund|submit|print|scan|measure|inspect|prepare|collect|assign|escalate|schedule|book|use|apply|configure|enable|disable|switch|stir|mix|heat|cut|pour|draft|serve|give|tell|never|always|do|don't|then|if)\b"
    r"|^(?:请)?(?:打开|点击|选择|进入|输入|填写|提交|确认|检查|核对|联系|通知|发送|关闭|保存|重启|登录|下载|上传|导出|导入|安装|运行|删除|添加|新建|创建|更新|审批|审核|登记|记录|拔|插|更换|清洗|清理|打印|扫描|拨打|致电|找|把|将|先|按|在|用|取|等待|退|拨|切断|断开|启动|停止|设置)",
    re.IGNORECASE,
)
_HEADING = re.compile(r"^#{1,6} +(?P<head>[^\n]+)", re.MULTILINE)
MIN_STEPS = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Procedure:
    """`trigger` says when the steps apply; offsets are in the text given."""

    trigger: str
    steps: tuple[str, ...]
    start: int
    end: int


def find_procedures(text: str, title: str = "") -> Iterator[Procedure]:
    """The procedures that a text tells, in order; of a text with Markdown headings those of each part."""
    heads = [m.start() for m in _HEADING.finditer(text)]
    if len(heads) < 2:
        found = find_procedure(text, title)
        if found is not None:
            yield found
        return
    bounds: list[int] = [*([0] if heads[0] else []), *heads, len(text)]
    for start, end in pairwise(bounds):
        heading = _HEADING.match(text, start)
        found = find_procedure(text[start:end], heading["head"].strip(" #") if heading else title)
        if found is not None:
            yield replace(found, start=found.start + start, end=found.end + start)


_MARK = re.compile(
    r"^\s*(?:[-*+•·–—]\s+|\[[ xX]\]\s+|(?:step\s+)?\d{1,2}\s?[.)、．:：]\s*|[（(]\d{1,2}[)）]\s*|第[一二三四五六七八九十]步[，,:：]?\s*|[一二三四五六七八九十]、)+",
    re.IGNORECASE,
)


def procedure_told(text: str) -> tuple[str, tuple[str, ...]]:
    """(trigger, steps) of a text that is said to be a skill: as `find_procedures` reads it, else its first line and the others,
    without their numbers and bullets."""
    lines = [line for line in text.splitlines() if line.strip()]
    first = _MARK.sub("", lines[0]).strip(" #:：") if lines else ""
    found = next(iter(find_procedures(text, first)), None)
    if found is not None and len(found.steps) + 1 >= len(lines):
        return found.trigger, found.steps
    return first, tuple(step for line in lines[1:] if (step := _MARK.sub("", line).strip()))


def find_procedure(text: str, title: str = "") -> Procedure | None:
    """The procedure that a text tells: two or more numbered steps that tell what to do, or "first … then …"; else None."""
    found = list(_STEP.finditer(text))
    steps = [m["text"].strip().rstrip(".。;；") for m in found]
    doing = sum(1 for step in steps if _VERB_FIRST.match(step))
    # Minutes are numbered too; a procedure's items tell what to do.
    if len(steps) >= MIN_STEPS and doing >= max(MIN_STEPS, round(0.6 * len(steps))) and _numbered_up(found):
        trigger = _trigger(text[: found[0].start()]) or title.strip()
        return (
            Procedure(
                trigger=trigger, steps=tuple(steps), start=0 if trigger else found[0].start(), end=found[-1].end()
            )
            if trigger
            else None
        )
    for pattern, split in ((_FIRST_THEN, _SPLIT_EN), (_FIRST_ZH, _SPLIT_ZH)):
        m = pattern.search(text)
        if m is None:
            continue
        body = text[m.start("first") : m.end()]
        parts = tuple(part.strip(" .,;。，；") for part in split.split(body) if part.strip(" .,;。，；"))
        trigger = _trigger(text[: m.start()]) or title.strip()
        if len(parts) >= MIN_STEPS and trigger and sum(1 for p in parts if _VERB_FIRST.match(p)) >= MIN_STEPS:
            return Procedure(trigger=trigger, steps=parts, start=max(0, text.find(trigger)), end=m.end())
    return None


def _numbered_up(found: list[re.Match[str]]) -> bool:
    numbers = [int(m["n"] or m["p"]) for m in found if m["n"] or m["p"]]
    return not numbers or (numbers[: len(numbers)] == sorted(numbers) and numbers[0] <= 2)


def _trigger(before: str) -> str:
    line = before.rstrip().rsplit("\n", 1)[-1]
    m = _TRIGGER.search(line.strip()) if line.strip() else None
    return next((part.strip() for part in (m["t"], m["zh"], m["head"]) if part), "") if m else ""
