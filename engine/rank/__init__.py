"""Ranking: one formula, every part of it kept on the hit."""
