"""A LangGraph agent with a memory of its user: what is put in one run is found in the next. Without a language model.

pip install 'muniment[local,langgraph]'
"""

import asyncio
from typing import TypedDict

from langgraph.graph import END, START, StateGraph
from langgraph.store.base import BaseStore

from muniment.api.adapters.langgraph import MunimentStore
from muniment.engine.bootstrap import open_engine


class State(TypedDict, total=False):
    user: str
    said: str
    answer: str


async def answer(state: State, *, store: BaseStore) -> State:
    mine = ("users", state["user"], "notes")
    found = await store.asearch(mine, query=state["said"], limit=2)
    await store.aput(mine, f"note-{len(await store.asearch(mine))}", {"text": state["said"]})
    return {"answer": " / ".join(item.value["text"] for item in found) or "I know nothing of that yet."}


async def main() -> None:
    async with open_engine("sqlite://") as engine:
        memory = engine.for_tenant("acme", actor="assistant")
        graph = StateGraph(State).add_node(answer).add_edge(START, "answer").add_edge("answer", END)
        agent = graph.compile(store=MunimentStore(memory))
        for said in ("I drink my coffee without sugar.", "How do I take my coffee?"):
            print("user:", said)
            print("agent:", (await agent.ainvoke({"user": "ana", "said": said}))["answer"])
        block = await memory.context("How does the user take coffee?", scope={"user": "ana"})
        print(block.text)


asyncio.run(main())
