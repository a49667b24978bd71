"""The embedded store: one SQLite file, no server."""
