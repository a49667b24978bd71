"""Muniment: a knowledge-graph memory engine for agents."""

__version__ = "0.1.0"
