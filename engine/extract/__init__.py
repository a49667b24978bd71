"""Extraction: from episodes to candidates, never further."""
