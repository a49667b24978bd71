"""Erasing for good: what a scope names, legal holds, purging, and the list that keeps erased things erased."""
