"""Who asked whom to do something: an open relation of the two, which says nothing of whether it was done."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from muniment.engine.extract.english.parse import Parse
from muniment.engine.extract.english.stance import clause_stance
from muniment.engine.extract.links import HYPOTHESIS, Link, Stance
from muniment.engine.extract.rulebook import confidence_of

_ASKING: Final = frozenset(
    "ask tell order instruct urge request remind invite advise encourage require persuade beg allow authorise authorize permit direct warn".split()
)
_TO_DO: Final = re.compile(r" (?P<not>not )?to (?P<verb>[a-z-]+)(?P<rest>[^.;!?]*)")
_MOST_BETWEEN: Final = 5  # "asked the "
_LONGEST_PHRASE: Final = 80


def asked_links(parse: Parse, above: Stance) -> Iterator[Link]:
    """`X asked Y to do Z`: X, `ask_to_do`, Y, with what was asked as the phrase."""
    for verb in dict.fromkeys(parse.predicates()):
        token = parse.tokens[verb]
        if token.lemma.casefold() not in _ASKING or token.tag not in ("VBD", "VBN", "VBZ", "VBP"):
            continue
        stance = clause_stance(parse, verb).under(above)
        if stance.silent or HYPOTHESIS.reasons[0] in stance.reasons:
            continue
        asked = next((m for m in parse.mentions if 0 < m.start - token.end <= _MOST_BETWEEN), None)
        to_do = _TO_DO.match(parse.text, asked.end) if asked is not None else None
        askers = [m for head in parse.subjects(verb) if (m := parse.mention_at(head)) is not None and not m.is_value]
        if (
            asked is None
            or to_do is None
            or asked.is_value
            or (asked.pronoun and not asked.same_as)
            or parse.is_passive(verb)
        ):
            continue
        lemma = token.lemma.casefold()
        for asker in askers:
            if asker.start != asked.start and (not asker.pronoun or asker.same_as):
                denied = "not_" if to_do["not"] else ""
                yield Link(
                    subject=asker, object=asked, relation="", phrase=f"{lemma}{to_do.group()}".strip()[:_LONGEST_PHRASE], rule="en.open.asked",
                    confidence=confidence_of("en.open.asked"), anchor=token.start, stance=stance, name=f"{lemma}_{denied}to_{to_do['verb']}",
                )  # fmt: skip
