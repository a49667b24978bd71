"""A LlamaIndex retriever on a tenant's memory: what it finds, and what a model would be shown of it. Without a language model.

pip install 'muniment[local,llama-index]'
"""

import asyncio

from llama_index.core.schema import MetadataMode

from muniment.api.adapters.llama_index import MunimentRetriever
from muniment.engine.bootstrap import open_engine


async def main() -> None:
    async with open_engine("sqlite://") as engine:
        memory = engine.for_tenant("acme", actor="assistant")
        note = {"kind": "note", "occurred_at": "2026-01-10T09:00:00Z", "text": "Ana Ruiz works for Globex."}
        await memory.remember([note])
        for found in await MunimentRetriever(memory, limit=2).aretrieve("Who does Ana Ruiz work for?"):
            print(f"{found.score:.2f}", found.node.get_content(metadata_mode=MetadataMode.LLM))


asyncio.run(main())
