"""What a sentence that names nobody says of the thing that its text is headed with: "The fee is $12" under "Halden Portal"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from muniment.engine.extract.english.nominal import BE, NOW, noun_keys, stance_between
from muniment.engine.extract.english.parse import Parse
from muniment.engine.extract.fitting import retyped
from muniment.engine.extract.links import Link, Stance
from muniment.engine.extract.mentions import Mention
from muniment.engine.extract.rulebook import confidence_of
from muniment.engine.extract.wordings import Wordings

TITLE: Final = -2
"""Where an owner stands that a title or a line names."""
_RULE: Final = "en.noun.line"
_NOUN_IS: Final = re.compile(
    rf"^\W*(?:the|its|their)\s+(?P<n>[a-z][\w’'/-]*(?:\s+[a-z][\w’'&/-]*){{0,3}}?)\s+{NOW}{BE}\s+{NOW}(?P<no>not\s+)?(?:(?:in|at)\s+)?(?:the\s+)?$",
    re.IGNORECASE,
)


def title_links(parse: Parse, wordings: Wordings, above: Stance, owner: Mention | None) -> Iterator[Link]:
    """The relation that the sentence's noun names between the title and the first thing behind "is"."""
    value = next((m for m in parse.mentions if not m.pronoun), None)
    if owner is None or owner.start != TITLE or value is None:
        return
    found = _NOUN_IS.match(parse.text[: value.start])
    if found is None:
        return
    chosen = wordings.noun(noun_keys(found["n"]), owner, value)
    if chosen is not None and chosen.subject.start == owner.start:
        yield Link(
            subject=chosen.subject, object=retyped(chosen.object, chosen.relation.object_types), relation=chosen.relation.name,
            phrase=found["n"], rule=_RULE, confidence=confidence_of(_RULE) * (1.0 if chosen.fit > 0.3 else 0.9), anchor=value.start,
            stance=above.under(stance_between(f" {found['be']} {found['no'] or ''}")),
        )  # fmt: skip
