"""How well two mentions fit a relation: what that does to its confidence, and to a type that was unknown."""

from __future__ import annotations

from dataclasses import replace

from muniment.engine.extract.mentions import ORGANISATION, PERSON, Mention
from muniment.engine.extract.rulebook import confidence_of


def fitted(rule: str, fit: float) -> float:
    """The rule's confidence, less where the ends' types were unknown or had to give way."""
    return confidence_of(rule) * (1.0 if fit >= 0.45 else 0.93)


def retyped(mention: Mention, allowed: tuple[str, ...]) -> Mention:
    """The mention with the type that its relation asks for, where its own was unknown."""
    wanted = [t for t in allowed if t != "thing"]
    if mention.sure or mention.pronoun or not wanted or mention.type in wanted:
        return mention
    if not mention.type:
        return replace(mention, type=wanted[0])
    main = {PERSON, ORGANISATION, "place", "product", "company"}
    if (
        len(wanted) == 1
        and wanted[0] in main
        and mention.type in main | {"work", "law", "event"}
        and not (mention.type == "company" and wanted[0] == ORGANISATION)
    ):
        return replace(mention, type=wanted[0])
    return mention
