"""Extraction with more than rules, and what is kept out of memory."""
