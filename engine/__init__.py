"""The memory engine: what happened, what follows from it, and how to recall it."""
