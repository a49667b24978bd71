"""Lanes: where a session's memories may live."""
