"""Chat history cut down to a budget: a pure function over messages.

What belongs together stays together: an assistant's tool calls and the results that answer them are kept or dropped
as one. System messages are never dropped. The order never changes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from muniment.engine.assemble.tokens import TokenCounter, estimate_tokens
from muniment.engine.ingest.given import whole
from muniment.graph_schema.errors import ContextHardStop, Invalid

Message = Mapping[str, Any]

DEFAULT_KEEP_LAST: Final = 4
_MESSAGE_OVERHEAD: Final = 4  # role and separators, as chat formats add them
_OPAQUE_PART_TOKENS: Final = 85  # a picture or file at low detail; its bytes are not text
_OPAQUE_PARTS: Final = frozenset(
    "image image_url input_image audio input_audio video file input_file media".split()  # as providers name them
)
_NOTICE: Final = "Earlier messages were left out to fit the context limit."
_CUT_MARK: Final = " … [shortened to fit the context limit]"
_PINNED_ROLES: Final = frozenset({"system", "developer"})


class OnOverflow(StrEnum):
    """What to do when history is still over the hard limit."""

    RAISE = "raise"
    DEGRADE = "degrade"


@dataclass(frozen=True, slots=True, kw_only=True)
class Trimmed:
    """History inside the budget. `dropped` counts messages left out; `degraded` says whether the hard limit was met by force."""

    messages: tuple[Message, ...]
    tokens: int
    dropped: int
    degraded: bool


def trim(
    messages: Sequence[Message],
    *,
    soft: int,
    hard: int,
    on_overflow: OnOverflow | str = OnOverflow.RAISE,
    keep_last: int = DEFAULT_KEEP_LAST,
    count_tokens: TokenCounter = estimate_tokens,
) -> Trimmed:
    """`messages` with the oldest non-system ones dropped until they fit `soft` tokens.

    The last `keep_last` messages are not dropped for the soft limit. What is then still over `hard` raises
    ContextHardStop, or with `degrade` becomes: system messages, a notice, and as many of the last `keep_last` as
    fit, the very last one shortened if it must be. Raises ContextHardStop in any mode where the system messages
    alone are over `hard`, and Invalid for limits or messages that make no sense.
    """
    _check(messages, soft=soft, hard=hard, keep_last=keep_last)
    policy = _overflow(on_overflow)
    blocks = _blocks(messages)
    size = [sum(message_tokens(messages[i], count_tokens) for i in block) for block in blocks]
    total = sum(size)
    kept = set(range(len(blocks)))
    protected = _tail(blocks, messages, keep_last)
    for number, block in enumerate(blocks):
        if total <= soft:
            break
        if number not in protected and not _is_pinned(messages[block[0]]):
            kept.discard(number)
            total -= size[number]
    chosen = sorted(i for number in kept for i in blocks[number])
    if total <= hard:
        out = tuple(messages[i] for i in chosen)
        return Trimmed(messages=out, tokens=total, dropped=len(messages) - len(out), degraded=False)
    if policy is OnOverflow.RAISE:
        raise ContextHardStop(
            f"messages take {total} tokens after trimming, over the hard limit of {hard}; "
            "raise it, shorten the messages, or ask for on_overflow='degrade'",
            field="messages",
        )
    return _degraded(messages, blocks, protected, hard=hard, count_tokens=count_tokens)


def message_tokens(message: Message, count_tokens: TokenCounter = estimate_tokens) -> int:
    """Tokens of one message: all that it says, in whatever field or part, and a small overhead; a picture, a sound or another
    file counts a flat amount."""
    total = _MESSAGE_OVERHEAD + _content_tokens(message.get("content"), count_tokens)
    for field, value in message.items():
        if field not in ("role", "content") and value:
            total += count_tokens(str(value))
    return total


def _content_tokens(content: Any, count_tokens: TokenCounter) -> int:
    if content is None:
        return 0
    if isinstance(content, str):
        return count_tokens(content)
    if not isinstance(content, Sequence):
        return count_tokens(str(content))
    return sum(_part_tokens(part, count_tokens) for part in content)


def _part_tokens(part: Any, count_tokens: TokenCounter) -> int:
    if isinstance(part, str):
        return count_tokens(part)
    if not isinstance(part, Mapping):
        return count_tokens(str(part))
    if part.get("type") in _OPAQUE_PARTS or _is_encoded(part.get("source")):
        return _OPAQUE_PART_TOKENS
    if part.get("type") == "tool_result":
        return _content_tokens(part.get("content"), count_tokens)
    if isinstance(part.get("text"), str):
        return count_tokens(part["text"])
    return count_tokens(str({name: value for name, value in part.items() if name != "type"}))


def _is_encoded(source: Any) -> bool:
    return isinstance(source, Mapping) and source.get("type") != "text"


def _check(messages: Sequence[Message], *, soft: int, hard: int, keep_last: int) -> None:
    whole("soft", soft, 1)
    whole("hard", hard, 1)
    whole("keep_last", keep_last, 1)
    if hard < soft:
        raise Invalid(f"hard {hard!r} is below soft {soft!r}: use the same or more", field="hard")
    if isinstance(messages, str | bytes | Mapping) or not isinstance(messages, Sequence):
        raise Invalid(
            f"messages is {type(messages).__name__}: give a list of {{'role': …, 'content': …}}", field="messages"
        )
    for i, message in enumerate(messages):
        if not isinstance(message, Mapping) or not isinstance(message.get("role"), str):
            raise Invalid(f"messages[{i}] has no role: use {{'role': …, 'content': …}}", field=f"messages[{i}].role")


def _overflow(value: OnOverflow | str) -> OnOverflow:
    try:
        return OnOverflow(value)
    except ValueError as cause:
        raise Invalid(f"on_overflow {value!r} is unknown: use 'raise' or 'degrade'", field="on_overflow") from cause


def _is_pinned(message: Message) -> bool:
    return message["role"] in _PINNED_ROLES


def _calls_tools(message: Message) -> bool:
    if message.get("tool_calls") or message.get("function_call"):
        return True
    return any(part.get("type") in ("tool_use", "tool_call") for part in _parts(message))


def _is_tool_result(message: Message) -> bool:
    if message["role"] in ("tool", "function"):
        return True
    return any(part.get("type") == "tool_result" for part in _parts(message))


def _parts(message: Message) -> list[Mapping[str, Any]]:
    content = message.get("content")
    if isinstance(content, str) or not isinstance(content, Sequence):
        return []
    return [part for part in content if isinstance(part, Mapping)]


def _blocks(messages: Sequence[Message]) -> list[list[int]]:
    """Places of messages that may not be parted: a message that calls tools and the results that answer it, which its calls'
    ids tell wherever they stand; a result without an id answers the call before it."""
    blocks: list[list[int]] = []
    calls: dict[str, int] = {}  # id of a call -> its block
    latest = -1  # block of the latest message that is no system one
    for i, message in enumerate(messages):
        owner = _owner(message, messages, blocks, calls, latest)
        if owner is None:
            owner = len(blocks)
            blocks.append([])
        blocks[owner].append(i)
        calls |= dict.fromkeys(_called(message), owner)
        if not _is_pinned(message):
            latest = owner
    return blocks


def _owner(
    message: Message,
    messages: Sequence[Message],
    blocks: Sequence[Sequence[int]],
    calls: Mapping[str, int],
    latest: int,
) -> int | None:
    """The block that a tool's result belongs to; None for any other message, and for a result without a call."""
    if not _is_tool_result(message):
        return None
    told = next((calls[id] for id in _answered(message) if id in calls), None)
    if told is not None or latest < 0:
        return told
    before = messages[blocks[latest][-1]]
    return latest if _calls_tools(before) or _is_tool_result(before) else None


def _called(message: Message) -> list[str]:
    """The ids of the calls that a message makes."""
    calls = message.get("tool_calls")
    told = [call for call in calls if isinstance(call, Mapping)] if isinstance(calls, Sequence) else []
    parts = [part for part in _parts(message) if part.get("type") in ("tool_use", "tool_call")]
    return [str(one["id"]) for one in (*told, *parts) if one.get("id")]


def _answered(message: Message) -> list[str]:
    """The ids of the calls that a message answers."""
    parts = (part.get("tool_use_id") or part.get("tool_call_id") for part in _parts(message))
    return [str(id) for id in (message.get("tool_call_id"), *parts) if id]


def _tail(blocks: Sequence[Sequence[int]], messages: Sequence[Message], keep_last: int) -> set[int]:
    """The last blocks that together hold at least `keep_last` non-system messages."""
    found: set[int] = set()
    held = 0
    for number in sorted(range(len(blocks)), key=lambda number: -blocks[number][-1]):
        if _is_pinned(messages[blocks[number][0]]):
            continue
        if held >= keep_last:
            break
        found.add(number)
        held += len(blocks[number])
    return found


def _degraded(
    messages: Sequence[Message],
    blocks: Sequence[Sequence[int]],
    tail: set[int],
    *,
    hard: int,
    count_tokens: TokenCounter,
) -> Trimmed:
    system = {i for i, message in enumerate(messages) if _is_pinned(message)}
    used = sum(message_tokens(messages[i], count_tokens) for i in system)
    if used > hard:
        raise ContextHardStop(
            f"the system messages alone take {used} tokens, over the hard limit of {hard}", field="messages"
        )
    notice: dict[str, Any] = {"role": "system", "content": _NOTICE}
    notice_tokens = message_tokens(notice, count_tokens)
    with_notice = used + notice_tokens <= hard
    room = hard - used - (notice_tokens if with_notice else 0)
    kept: dict[int, Message] = {}
    for number in sorted(tail, key=lambda number: -blocks[number][-1]):
        block = blocks[number]
        tokens = sum(message_tokens(messages[i], count_tokens) for i in block)
        if tokens <= room:
            kept.update({i: messages[i] for i in block})
            room -= tokens
            continue
        if not kept:
            kept.update(_shortened_block({i: messages[i] for i in block}, room, count_tokens))
        break
    out: list[Message] = []
    placed = not with_notice
    for i in sorted(system | kept.keys()):
        if not placed and i in kept:
            out.append(notice)
            placed = True
        out.append(kept.get(i, messages[i]))
    if not placed:
        out.append(notice)
    return Trimmed(
        messages=tuple(out),
        tokens=sum(message_tokens(message, count_tokens) for message in out),
        dropped=len(messages) - len(system) - len(kept),
        degraded=True,
    )


def _shortened_block(block: Mapping[int, Message], room: int, count_tokens: TokenCounter) -> dict[int, Message]:
    """The block with its message, or its tools' results, cut to fit `room`; nothing where not even a few words do."""
    cut = {i for i, message in block.items() if len(block) == 1 or _is_tool_result(message)}
    left = room - sum(message_tokens(message, count_tokens) for i, message in block.items() if i not in cut)
    out = dict(block)
    for done, i in enumerate(sorted(cut, key=lambda i: message_tokens(block[i], count_tokens))):
        share = left // (len(cut) - done)
        if message_tokens(block[i], count_tokens) > share:
            short = _shortened(block[i], share, count_tokens)
            if short is None:
                return {}
            out[i] = short
        left -= message_tokens(out[i], count_tokens)
    return out


def _shortened(message: Message, room: int, count_tokens: TokenCounter) -> Message | None:
    """The message with only as much of its text as fits `room`, or None where not even a few words do."""
    low, high = 0, len(_text_of(message))
    while low < high:
        middle = (low + high + 1) // 2
        if message_tokens(_cut(message, middle), count_tokens) <= room:
            low = middle
        else:
            high = middle - 1
    return _cut(message, low) if low > 0 else None


def _text_of(message: Message) -> str:
    content = message.get("content")
    if isinstance(content, str):
        return content
    told = (part["content"] if part.get("type") == "tool_result" else part.get("text") for part in _parts(message))
    return "\n".join(text if isinstance(text, str) else str(text) for text in told if text)


def _cut(message: Message, length: int) -> Message:
    """The message with the first `length` characters of its text; a tool's result stays one, with its call's id."""
    text = _text_of(message)[:length] + _CUT_MARK
    results = [part for part in _parts(message) if part.get("type") == "tool_result"]
    if not results:
        return {**message, "content": text}
    return {
        **message,
        "content": [{**results[0], "content": text}, *({**one, "content": _CUT_MARK} for one in results[1:])],
    }
