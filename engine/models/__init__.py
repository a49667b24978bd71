"""Embedders and analyzers that run offline, each file checked by its hash."""
