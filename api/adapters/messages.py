"""Memory around a call to any chat model that takes messages with a role and content, as OpenAI's do.

`before` puts what memory knows in front of the user's message, `after` keeps what was said. Needs nothing but the engine.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import groupby
from typing import TYPE_CHECKING, Any, Final

from muniment.api.adapters.bridge import Bridge
from muniment.engine.assemble.template import CHINESE, ENGLISH
from muniment.engine.ingest.own_blocks import without_own_blocks
from muniment.engine.sync import SyncMemory
from muniment.engine.verbs import Verbs
from muniment.graph_schema.errors import Invalid

if TYPE_CHECKING:
    from muniment.graph_schema.records import Episode, Receipt

Message = Mapping[str, Any]

_INSTRUCTING: Final = frozenset({"system", "developer"})
_OWN_LINES: Final = frozenset(f"{words.first_line}\n{words.data_line}" for words in (ENGLISH, CHINESE))
_PAGE: Final = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """Whose words are kept, and where.

    `id` names the conversation: its turns are kept in one thread. `user` and `agent` say whose memory it is (shared in the
    tenant where empty), `speaker` the user's name, by which "I" and "my" are read. `kept` are the roles whose messages are
    kept; facts are derived only from those of `learned_from`, so that a model's guesses do not become evidence.
    """

    id: str
    user: str = ""
    agent: str = ""
    speaker: str = ""
    kept: Sequence[str] = ("user", "assistant")
    learned_from: Sequence[str] = ("user",)

    @property
    def scope(self) -> dict[str, str]:
        return {name: value for name, value in (("user", self.user), ("agent", self.agent)) if value}


class ChatMemory:
    """The two hooks of one conversation, plain (`before`, `after`) and asynchronous (`abefore`, `aafter`).

    `role` is that of the message with the context block; raises Invalid for one that instructs (system, developer), since
    what memory says is data. `options` are those of `context`.
    """

    def __init__(
        self,
        memory: Verbs | SyncMemory,
        conversation: Conversation,
        *,
        role: str = "user",
        budget_tokens: int = 900,
        **options: Any,
    ) -> None:
        if role in _INSTRUCTING:
            raise Invalid(f"role is {role!r}: what memory says is data, use user, assistant or tool", field="role")
        if not conversation.id.strip():
            raise Invalid("conversation.id is empty: name the conversation", field="conversation.id")
        self._bridge = Bridge(memory)
        self._conversation = conversation
        self._role = role
        self._options = {"budget_tokens": budget_tokens, **options}

    def before(self, messages: Sequence[Message]) -> list[dict[str, Any]]:
        """`abefore`, for plain code."""
        return self._bridge.run(lambda: self._before(messages))

    async def abefore(self, messages: Sequence[Message]) -> list[dict[str, Any]]:
        """The messages with the context block for the last one of the user in front of it.

        A block from an earlier call is taken out. Without a user's message, or where memory has nothing to say, nothing is
        added. The messages given stay as they are.
        """
        return await self._bridge.arun(lambda: self._before(messages))

    def after(self, messages: Sequence[Message]) -> list[Receipt]:
        """`aafter`, for plain code."""
        return self._bridge.run(lambda: self._after(messages))

    async def aafter(self, messages: Sequence[Message]) -> list[Receipt]:
        """Keeps the turns that are new, and gives the receipts.

        `messages` are the conversation so far, with the model's answer; they may have lost their beginning. What was kept
        by an earlier call is not kept again, and context blocks are never learned from.
        """
        return await self._bridge.arun(lambda: self._after(messages))

    async def _before(self, messages: Sequence[Message]) -> list[dict[str, Any]]:
        kept = [dict(one) for one in messages if not is_context_block(one)]
        last = next((n for n in reversed(range(len(kept))) if kept[n].get("role") == "user"), None)
        query = text_of(kept[last]).strip() if last is not None else ""
        if last is None or not query:
            return kept
        told = self._conversation
        options = {"scope": told.scope or None, "speaker": told.speaker, **self._options}
        found = await self._bridge.memory.context(query[-8000:], messages=kept, **options)
        if any(section.items for section in found.context.sections):
            kept.insert(last, {"role": self._role, "content": found.context.text})
        return kept

    async def _after(self, messages: Sequence[Message]) -> list[Receipt]:
        told = self._conversation
        said = [
            _Said(role=str(one["role"]), text=text_of(one))
            for one in messages
            if one.get("role") in told.kept and not is_context_block(one) and text_of(one).strip()
        ]
        before = await self._kept_before()
        first = before[-1].position + 1 if before else 0
        new = _new(said, [str(one.metadata.get("said", "")) for one in before])
        receipts = []
        for learned, turns in groupby(enumerate(new, start=first), key=lambda turn: turn[1].role in told.learned_from):
            episodes = [self._episode(one, place=place) for place, one in turns]
            receipts.append(await self._bridge.memory.remember(episodes, extract="auto" if learned else "none"))
        return receipts

    def _episode(self, said: _Said, *, place: int) -> dict[str, Any]:
        told = self._conversation
        names = {"user": told.speaker or told.user, "assistant": told.agent}
        return {
            "kind": "tool" if said.role == "tool" else "message",
            "text": said.text,
            "occurred_at": datetime.now(UTC),
            "external_id": f"chat/{told.id}/{place}-{said.digest}",
            "speaker": names.get(said.role) or said.role,
            "thread": self._thread,
            "source": "chat",
            "scope": told.scope,
            "metadata": {"role": said.role, "said": said.digest},
        }

    @property
    def _thread(self) -> str:
        return f"chat:{self._conversation.id}"

    async def _kept_before(self) -> list[Episode]:
        """The newest kept turns, oldest first."""
        page = await self._bridge.memory.episodes(thread=self._thread, limit=_PAGE)
        return sorted(page.items, key=lambda one: one.position)


def is_context_block(message: Message) -> bool:
    """Whether the message is a context block and nothing else."""
    text = text_of(message)
    rest = without_own_blocks(text)
    return rest != text and "\n".join(line for line in rest.splitlines() if line.strip()).strip() in {"", *_OWN_LINES}


def text_of(message: Message) -> str:
    """The words of a message, whose content is a text, a list of parts, or nothing."""
    content = message.get("content")
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list | tuple) else ()
    texts = [part if isinstance(part, str) else part.get("text") for part in parts if isinstance(part, str | Mapping)]
    return "\n".join(text for text in texts if isinstance(text, str))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Said:
    role: str
    text: str

    @property
    def digest(self) -> str:
        return hashlib.sha256(f"{self.role}\0{self.text}".encode("utf-8", "surrogatepass")).hexdigest()[:20]


def _new(said: Sequence[_Said], before: Sequence[str]) -> list[_Said]:
    """The turns that come after those kept before, which are the newest, as digests, oldest first.

    What is at hand is laid over the end of what was kept, as far as they agree: so neither a lost beginning nor words that
    were said before mislead it. Where they agree nowhere (an answer was made anew), a turn is new unless the same was kept.
    """
    digests = [one.digest for one in said]
    kept = list(before)
    if len(kept) >= _PAGE:  # what is at hand may begin earlier than what was read
        for end in range(len(kept), len(digests) + 1):
            if digests[end - len(kept) : end] == kept:
                return list(said[end:])
    for overlap in range(min(len(digests), len(kept)), 0, -1):
        if digests[:overlap] == kept[-overlap:]:
            return list(said[overlap:])
    return [one for one, digest in zip(said, digests, strict=True) if digest not in kept]
