"""The demonstration: a story told to the real engine, and what the engine then answers."""
