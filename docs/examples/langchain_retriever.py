"""A LangChain chain that answers from a tenant's memory, with the evidence for each line. Without a language model.

pip install 'muniment[local,langchain]'
"""

import asyncio

from langchain_core.documents import Document
from langchain_core.runnables import RunnableLambda

from muniment.api.adapters.langchain import MunimentRetriever
from muniment.engine.bootstrap import open_engine

NOTES = [
    {"kind": "note", "occurred_at": "2026-01-10T09:00:00Z", "text": "Ana Ruiz works for Globex."},
    {"kind": "note", "occurred_at": "2026-06-03T09:00:00Z", "text": "Since 1 June 2026 Ana Ruiz works for Initech."},
]


def lines(found: list[Document]) -> str:
    return "\n".join(f"{one.page_content} (since {one.metadata['valid_at']})" for one in found)


async def main() -> None:
    async with open_engine("sqlite://") as engine:
        memory = engine.for_tenant("acme", actor="assistant")
        await memory.remember(NOTES)
        for day in ("2026-03-01T00:00:00Z", "2026-07-01T00:00:00Z"):
            retriever = MunimentRetriever(memory=memory, limit=1, options={"as_of": day, "kinds": ["fact"]})
            print(day, await (retriever | RunnableLambda(lines)).ainvoke("Who does Ana Ruiz work for?"))


asyncio.run(main())
