"""A tenant's data as JSON Lines: out, and in again."""
