"""The hooks around a chat model: a block in front of the question, never as an instruction, never learned from."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from muniment.api.adapters.messages import ChatMemory, Conversation, _new, _Said, is_context_block
from muniment.engine.memory import Memory
from muniment.engine.sync import SyncMemory
from muniment.graph_schema.errors import Invalid

SYSTEM = {"role": "system", "content": "You help."}
ANA = Conversation(id="c1", user="ana", speaker="Ana Ruiz", agent="helper")


def user(text: Any) -> dict[str, Any]:
    return {"role": "user", "content": text}


def assistant(text: Any) -> dict[str, Any]:
    return {"role": "assistant", "content": text}


async def kept(memory: Memory) -> list[tuple[str, str]]:
    """Who said what, in order."""
    return [(e.speaker, e.text) for e in sorted((await memory.episodes()).items, key=lambda e: e.position)]


async def test_the_block_comes_before_the_question_and_is_no_instruction(memory: Memory) -> None:
    chat = ChatMemory(memory, ANA)
    await chat.aafter([SYSTEM, user("Globex is headquartered in Lyon."), assistant("Noted.")])
    asked = [
        SYSTEM,
        user("Hello"),
        assistant("Hello!"),
        user([{"type": "text", "text": "Where is Globex headquartered?"}]),
    ]
    sent = await chat.abefore(asked)
    assert [one["role"] for one in sent] == ["system", "user", "assistant", "user", "user"]
    assert sent[:3] == asked[:3]
    assert sent[4] == asked[3]
    assert is_context_block(sent[3])
    assert "Globex is headquartered in Lyon." in sent[3]["content"]
    assert sent[0] == SYSTEM
    again = await chat.abefore(sent)
    assert [is_context_block(one) for one in again] == [False, False, False, True, False]


@pytest.mark.parametrize("messages", [[], [SYSTEM], [SYSTEM, user("")], [SYSTEM, user("Who is Bo?")]])
async def test_nothing_is_added_where_there_is_nothing_to_say(messages: list[Any], memory: Memory) -> None:
    assert await ChatMemory(memory, ANA).abefore(messages) == messages


@pytest.mark.parametrize("role", ["system", "developer"])
async def test_a_role_that_instructs_is_refused(role: str, memory: Memory) -> None:
    with pytest.raises(Invalid, match="is data"):
        ChatMemory(memory, ANA, role=role)
    with pytest.raises(Invalid, match="name the conversation"):
        ChatMemory(memory, Conversation(id=" "))


async def test_new_turns_are_kept_once_whatever_part_of_the_conversation_is_at_hand(memory: Memory) -> None:
    chat = ChatMemory(memory, ANA)
    talk = [user("Globex is in Lyon."), assistant("ok"), user("ok"), assistant("ok")]
    await chat.aafter([SYSTEM, *talk[:2]])
    await chat.aafter([SYSTEM, *talk[:2]])
    await chat.aafter([SYSTEM, *talk])
    assert await chat.aafter(talk[2:]) == []
    more = [user("ok"), assistant("ok")]
    await chat.aafter([*talk[1:], *more])
    assert [text for _, text in await kept(memory)] == [one["content"] for one in (*talk, *more)]
    assert {speaker for speaker, _ in await kept(memory)} == {"Ana Ruiz", "helper"}
    await chat.aafter([*talk, *more[:1], assistant("An answer made anew.")])
    assert (await kept(memory))[-1] == ("helper", "An answer made anew.")
    assert len(await kept(memory)) == 7


async def test_only_the_user_is_learned_from_and_a_block_never(memory: Memory) -> None:
    chat = ChatMemory(memory, ANA)
    fact = {"subject": {"name": "Bo Berg"}, "relation": "works_for", "object": {"name": "Initech"}}
    await memory.assert_facts([fact])
    block = (await memory.context("Where does Bo Berg work?")).context.text
    assert "Initech" in block
    await chat.aafter(
        [
            user(block),
            user(f"Ana Ruiz works for Globex.\n{block}"),
            {"role": "assistant", "content": None, "tool_calls": []},
            {"role": "tool", "content": "Bo Berg lives in Oslo."},
            assistant("Tom Berg works for Globex."),
        ]
    )
    facts = (await memory.facts(include_superseded=True)).items
    assert {(fact.subject.name, fact.object.name) for fact in facts} == {("Bo Berg", "Initech"), ("Ana Ruiz", "Globex")}
    (about_bo,) = [fact for fact in facts if fact.subject.name == "Bo Berg"]
    assert about_bo.evidence == ()
    assert [speaker for speaker, _ in await kept(memory)] == ["Ana Ruiz", "helper"]


async def test_what_one_user_says_is_not_told_to_another(memory: Memory) -> None:
    await ChatMemory(memory, ANA).aafter([user("My code word is Harbour."), assistant("Noted.")])
    question = [user("What is my code word?")]
    assert len(await ChatMemory(memory, Conversation(id="c2", user="ana", agent="helper")).abefore(question)) == 2
    assert await ChatMemory(memory, Conversation(id="c2", user="bo", agent="helper")).abefore(question) == question


def test_plain_code_has_the_same_hooks(plain_memory: SyncMemory) -> None:
    chat = ChatMemory(plain_memory, ANA)
    (receipt, _) = chat.after([user("Globex is headquartered in Lyon."), assistant("Noted.")])
    assert receipt.episodes
    assert len(chat.before([user("Where is Globex headquartered?")])) == 2


@settings(max_examples=200)
@given(words=st.lists(st.sampled_from("ab"), max_size=12), known=st.integers(0, 12), lost=st.integers(0, 12))
def test_turns_are_found_whatever_was_lost_at_the_beginning(words: list[str], known: int, lost: int) -> None:
    """Words of a growing kind, so that no part of the conversation looks like another; then nothing can be mistaken."""
    said = [_Said(role="user", text=f"{word}{n}") for n, word in enumerate(words)]
    before = [one.digest for one in said[:known]]
    at_hand = said[min(lost, known) :]
    assert _new(at_hand, before) == said[known:]
