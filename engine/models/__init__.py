"""Embedders and analyzers that run offline, each file checked by its hash. Nothing heavy loads before its first use."""
