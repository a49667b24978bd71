"""The Python client of a server: the engine's verbs and records, over HTTP."""
