"""Faces of a tenant's memory for agent frameworks, each loaded only by who imports it and needing its own extra:

`langgraph` (a `BaseStore`), `langchain` (a retriever), `llama_index` (a memory block), and `messages` (before and after a call to any
chat model that takes messages with a role and content; needs nothing). They take what the engine's `for_tenant` gives, or a
client of a server: both have the same verbs.
"""
