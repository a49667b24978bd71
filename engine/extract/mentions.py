"""What a text names: people, things, places, identifiers, amounts, with the place where each stands."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from muniment.engine.extract.candidates import Named

PERSON = "person"
ORGANISATION = "organisation"
PLACE = "place"
VALUE_TYPES = frozenset({"money", "quantity", "date", "duration", "text", "value", "status", "email", "phone", "url"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Mention:
    """A stretch of text that can be an end of a relation; offsets are in characters of the text it was found in.

    `type` is a type of the ontology, or empty where nothing told it. `sure` marks a type that a spelling proves (a legal
    form, a matter number), which no relation may overrule. `head` is the index of its main token, -1 without a parse.
    `pronoun` mentions take part only once `same_as` says whom they mean.
    """

    start: int
    end: int
    text: str
    type: str = ""
    sure: bool = False
    is_value: bool = False
    pronoun: bool = False
    same_as: str = ""
    identifiers: tuple[str, ...] = ()
    head: int = field(default=-1, compare=False)
    rule: str = ""

    def moved(self, offset: int) -> Mention:
        return replace(self, start=self.start + offset, end=self.end + offset)

    def named(self) -> Named:
        return Named(
            name=self.text,
            type=self.type,
            is_value=self.is_value,
            same_as=self.same_as if self.same_as != self.text else "",
            identifiers=self.identifiers,
        )


def without_overlaps(mentions: list[Mention]) -> list[Mention]:
    """The mentions in order of place; of two that overlap the first given stays."""
    kept: list[Mention] = []
    for mention in mentions:
        if not any(mention.start < other.end and other.start < mention.end for other in kept):
            kept.append(mention)
    return sorted(kept, key=lambda m: m.start)
