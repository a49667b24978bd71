"""Who gives up work without a word of where: "Halden's head of sales Ana Ruiz has resigned"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from muniment.engine.extract.departures import EMPLOYER
from muniment.engine.extract.english.parse import Parse
from muniment.engine.extract.english.stance import clause_stance
from muniment.engine.extract.links import ENDED, HYPOTHESIS, Link, Stance
from muniment.engine.extract.rulebook import confidence_of
from muniment.graph_schema.records import Says

_RULE: Final = "en.ended.verb"
_GIVING_UP: Final = frozenset({"resign", "retire", "quit"})
_OF_WHAT: Final = frozenset({"as", "from", "of"})


def resigned(parse: Parse, links: Sequence[Link], above: Stance) -> Iterator[Link]:
    """The end of the job that the sentence gives to whom it says to have resigned."""
    for verb in dict.fromkeys(parse.predicates()):
        token = parse.tokens[verb]
        led = {parse.tokens[c].text.casefold() for c in parse.dep_children(verb, "prep")}
        if token.lemma not in _GIVING_UP or parse.dep_children(verb, "dobj") or led & _OF_WHAT:
            continue
        stance = clause_stance(parse, verb).under(above)
        if stance.silent or stance.says is not Says.HOLDS or HYPOTHESIS.reasons[0] in stance.reasons:
            continue
        whose = {m.start for head in parse.subjects(verb) if (m := parse.mention_at(head)) is not None}
        for link in links:
            if link.relation == EMPLOYER and link.stance.says is Says.HOLDS and link.subject.start in whose:
                yield replace(
                    link, rule=_RULE, phrase=token.lemma, confidence=confidence_of(_RULE), anchor=token.start,
                    stance=stance.under(ENDED),
                )  # fmt: skip
