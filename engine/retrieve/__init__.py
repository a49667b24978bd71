"""Retrieval: from a question to candidates found in the store."""
