"""Where a verb and its end have another sense than the relation that their words name, or may have one."""

from __future__ import annotations

from typing import Final

from muniment.engine.extract.english.parse import Parse
from muniment.engine.extract.english.reach import Reach
from muniment.engine.extract.mentions import ORGANISATION, Mention
from muniment.engine.extract.wordings import Chosen

_PLACE_OR_FIRM: Final = 0.6
"""What a move is worth where nothing tells a town from a firm: too little to close anything."""


def has_other_sense(parse: Parse, verb: int, object_: Mention) -> bool:
    """ "joined the gym", "joined the call": no employer without a name; "left Acme a message": nobody left Acme."""
    lemma = parse.tokens[verb].lemma
    if lemma == "join":
        return object_.rule == "en.phrase" and not object_.type
    if lemma == "leave":
        return bool(parse.dep_children(verb, "dative")) or len(parse.dep_children(verb, "dobj")) > 1
    return False


def sureness(parse: Parse, verb: int, found: Reach, chosen: Chosen) -> float:
    """How sure the relation is, in (0, 1]: "moved to York" tells of an employer only if York is known to be one."""
    end = chosen.object
    is_bare = end.rule == "en.name.run" and end.type == ORGANISATION and " " not in end.text
    if (
        chosen.relation.name == "works_for"
        and parse.tokens[verb].lemma == "move"
        and found.preposition == "to"
        and is_bare
    ):
        return _PLACE_OR_FIRM
    return 0.9 if found.through else 1.0
