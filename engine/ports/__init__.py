"""What the engine needs from outside: stores, models, the clock. Nothing here names a database or a library's model."""
