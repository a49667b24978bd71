"""What ends along with a job: who left a firm holds no post there either, though the sentence names it: "Ana, CEO of Acme, left the firm"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from muniment.engine.extract.links import ENDED, PLAIN, Link
from muniment.engine.extract.mentions import PERSON, Mention
from muniment.graph_schema.ontology import Ontology
from muniment.graph_schema.records import Says

EMPLOYER: Final = "works_for"
ROLE: Final = "has_role"
_JOBS: Final = frozenset({EMPLOYER, "buyer_at"})
_OF_DEPARTURE: Final = frozenset({"en.ended.verb", "zh.ended.verb"})


def with_posts_ended(links: Sequence[Link], ontology: Ontology) -> Iterator[Link]:
    """The links of one sentence; where it tells that a person left a firm, the post, role and job that it gives them there as ended
    at the same time."""
    left = [k for k in links if k.relation == EMPLOYER and k.rule in _OF_DEPARTURE and k.stance.says is Says.ENDED]
    for link in links:
        end = next((k for k in left if k is not link and _goes_with(link, k, links, ontology)), None)
        if end is None:
            yield link
        elif end.stance.cap < PLAIN.cap:
            yield link  # an end to come leaves what is so until then
        elif link.relation != EMPLOYER:  # the job's own end is told already
            yield replace(link, stance=link.stance.under(end.stance).under(ENDED), anchor=end.anchor)


def _goes_with(link: Link, left: Link, links: Sequence[Link], ontology: Ontology) -> bool:
    if link.stance.says is not Says.HOLDS or link.relation == "":
        return False
    if link.relation == ROLE:
        firms = [k.object for k in links if k.relation == EMPLOYER and _is(k.subject, link.subject)]
        return _is(link.subject, left.subject) and all(_is(firm, left.object) for firm in firms)
    if link.relation in _JOBS:
        return _is(link.subject, left.subject) and _is(link.object, left.object)
    return is_post(link.relation, ontology) and _is(link.object, left.subject) and _is(link.subject, left.object)


def is_post(relation: str, ontology: Ontology) -> bool:
    """Whether a relation gives a firm the one person who has a post there: its chief executive, its spokesperson."""
    known = ontology.relation(relation).relation
    return (
        known.known
        and relation.startswith("has_")
        and tuple(known.object_types) == (PERSON,)
        and ontology.is_functional(relation)
    )


def _is(one: Mention, other: Mention) -> bool:
    """Whether two mentions name the same."""
    names = {one.text, one.same_as} - {""}
    return bool(names & ({other.text, other.same_as} - {""}))
