"""Extraction with a language model's help: it only ever adds candidates, and the rules' stand whatever becomes of it."""
