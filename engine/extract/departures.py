"""What ends along with a job: who left a firm holds no post there either, though the sentence names it: "Ana, CEO of Acme, left the firm"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from muniment.engine.extract.candidates import Candidate, CandidateKind
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


_SURELY: Final = 0.5  # what is less sure changes nothing


def posts_left(found: Sequence[Candidate], ontology: Ontology) -> Iterator[Candidate]:
    """The ends of posts that one text gives a person at a firm and that a later sentence of it says they left: "Ana is Acme's chief
    executive. … In May she left Acme." Each has the words and day of the departure."""
    facts = [c for c in found if c.kind is CandidateKind.FACT and c.confidence >= _SURELY]
    jobs = [c for c in facts if c.relation == EMPLOYER]
    for left in (c for c in jobs if c.assertion is Says.ENDED and c.rule in _OF_DEPARTURE):
        back = any(c.assertion is Says.HOLDS and c.start > left.start and _ends(c) == _ends(left) for c in jobs)
        for held in facts if not back else ():
            if held.assertion is not Says.HOLDS or held.start >= left.start or held.relation == EMPLOYER:
                continue
            if _is_post_of(held, left, jobs, ontology) and not _is_told(held, facts):
                yield replace(
                    held, text=left.text, start=left.start, end=left.end, rule=left.rule, assertion=Says.ENDED,
                    confidence=min(held.confidence, left.confidence), valid_at=None, invalid_at=left.invalid_at, attributes={},
                )  # fmt: skip


def _is_post_of(held: Candidate, left: Candidate, jobs: Sequence[Candidate], ontology: Ontology) -> bool:
    """Whether a fact is a post or role that the one who left had at the firm that they left."""
    person, firm = _ends(left)
    if held.relation == ROLE:  # where it is, the same sentence must say
        firms = {
            _ends(c)[1] for c in jobs if c.start == held.start and _ends(c)[0] == person and c.assertion is Says.HOLDS
        }
        return _ends(held)[0] == person and firms == {firm}
    return is_post(held.relation, ontology) and _ends(held) == (firm, person)


def _is_told(held: Candidate, facts: Sequence[Candidate]) -> bool:
    """Whether the text itself says that the fact ended."""
    return any(c.assertion is Says.ENDED and c.relation == held.relation and _ends(c) == _ends(held) for c in facts)


def _ends(candidate: Candidate) -> tuple[str, str]:
    subject, object_ = (
        (end.same_as or end.name).casefold() if end else "" for end in (candidate.subject, candidate.object)
    )
    return subject, object_
