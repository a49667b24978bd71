"""Memory around a chat model: what one conversation said is known in the next. The model here is a stand-in that repeats what
it is shown; any client of OpenAI's kind goes in its place.

pip install 'muniment[local]'
"""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

from muniment.api.adapters.messages import ChatMemory, Conversation
from muniment.engine.bootstrap import open_engine


def model(messages: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """In its place: client.chat.completions.create(model=…, messages=messages).choices[0].message.model_dump()"""
    shown = [line for one in messages[:-1] for line in one["content"].splitlines() if line.startswith("- [")]
    return {"role": "assistant", "content": "\n".join(shown) or "Noted."}


async def talk(memory: Any, conversation: str, said: str) -> None:
    chat = ChatMemory(memory, Conversation(id=conversation, user="ana", speaker="Ana Ruiz"))
    messages = [{"role": "system", "content": "You help."}, {"role": "user", "content": said}]
    answer = model(await chat.abefore(messages))
    print(f"user: {said}\nassistant: {answer['content']}")
    await chat.aafter([*messages, answer])


async def main() -> None:
    async with open_engine("sqlite://") as engine:
        memory = engine.for_tenant("acme", actor="assistant")
        await talk(memory, "monday", "I work for Globex now, and I prefer calls before noon.")
        await talk(memory, "friday", "When should we call me, and who do I work for?")


asyncio.run(main())
