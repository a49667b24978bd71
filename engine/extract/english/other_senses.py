"""Where a verb and its end have another sense than the relation that their words name, or may have one."""

from __future__ import annotations

from typing import Final

from muniment.engine.extract.english.parse import Parse
from muniment.engine.extract.english.places import is_known_place
from muniment.engine.extract.english.reach import Reach
from muniment.engine.extract.mentions import ORGANISATION, PLACE, Mention
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


def is_travel(verb: str, object_: Mention) -> bool:
    """ "left Oslo on Monday": who leaves a town has left no employer, and perhaps no home."""
    return verb in ("leave", "quit", "depart") and object_.type == PLACE and is_known_place(object_.text)


def is_when_of_a_deed(parse: Parse, verb: int, chosen: Chosen) -> bool:
    """ "left Acme on Monday": the day is that of what was done, and none that somebody departs on."""
    if chosen.object.type != "date" or parse.is_passive(verb):
        return False
    return any((m := parse.mention_at(c)) is not None and m.type != "date" for c in parse.dep_children(verb, "dobj"))


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
