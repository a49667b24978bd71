"""Who is a party to what: "the MSA between A and B", and who stands to us in a role: "opposing counsel is Ana Ruiz"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from muniment.engine.extract.english import words
from muniment.engine.extract.english.parse import Parse
from muniment.engine.extract.links import Link, Stance
from muniment.engine.extract.mentions import ORGANISATION, PERSON, PLACE, Mention
from muniment.engine.extract.rulebook import confidence_of
from muniment.engine.extract.wordings import Wordings, stem_key

PAPERS = r"(?:agreement|contract|lease|licen[cs]e|MSA|NDA|SOW|DPA|SLA|MoU|LOI)"
_BETWEEN = re.compile(
    rf"(?P<c>(?:\b(?!(?:the|a|an|this|that|our|their|its|and|of|under|in|by|new)\b)[A-Za-z-]+ ){{0,3}}\b{PAPERS}(?: (?:no\.? ?)?[A-Z]{{0,4}}-?\d[\w/-]*)?)"
    r"(?:\s*\([^)]{1,30}\))?\s+(?:by and )?(?:between|among)\s+(?:the\s+)?$",
    re.IGNORECASE,
)
_AND = re.compile(r",?\s+(?:and|&)\s+(?:the\s+)?|,\s+(?:the\s+)?")


def party_links(parse: Parse, wordings: Wordings, above: Stance) -> Iterator[Link]:
    """Every firm or person that a contract is told to be between, as a party to it."""
    relation = wordings.ontology.relation("party_to").relation
    named = [
        m
        for m in parse.mentions
        if not m.is_value and m.type not in ("date", "contract") and (m.same_as or not m.pronoun)
    ]
    for at, first in enumerate(named):
        m = _BETWEEN.search(parse.text[: first.start]) if relation.known else None
        if m is None:
            continue
        parties = [first]
        for other in named[at + 1 :]:
            if _AND.fullmatch(parse.text, parties[-1].end, other.start) is None:
                break
            parties.append(other)
        if len(parties) < 2:
            continue
        contract = _contract(parse, m.start("c"), m.end("c"), parties[-1].end)
        for party in parties:
            yield Link(
                subject=party if party.type else replace(party, type=ORGANISATION), object=contract, relation=relation.name,
                phrase="between", rule="en.noun.is", confidence=confidence_of("en.noun.is"), anchor=m.start("c"), stance=above,
            )  # fmt: skip


def _contract(parse: Parse, start: int, end: int, last: int) -> Mention:
    """The contract as it is named, else as what is between these parties."""
    own = next(
        (m for m in parse.mentions if start <= m.start and m.end <= end and m.type == "contract" and not m.pronoun),
        None,
    )
    if own is not None:
        return own
    return Mention(start=start, end=last, text=parse.text[start:last], type="contract", rule="en.phrase")


_SIDES = frozenset(
    "client customer opponent claimant plaintiff defendant respondent appellant witness landlord tenant insured".split()
)
_ROLE_IS = re.compile(
    r"^\W*(?:(?:our|the|their|his|her|your|my)\s+)?(?P<role>[A-Za-z-]+(?:\s+[a-z-]+){0,2})\s+(?:is|remains|will be)\s+(?:now\s+|still\s+)?$",
    re.IGNORECASE,
)


def side_links(parse: Parse, wordings: Wordings, above: Stance, owner: Mention | None) -> Iterator[Link]:
    """ "Opposing counsel is Ana Ruiz": her role, and her place in the matter that the text is about."""
    for person in parse.mentions:
        m = _ROLE_IS.match(parse.text[: person.start])
        if m is None or not _is_person(person, m["role"]):
            continue
        person = replace(person, type=PERSON)
        role = Mention(start=m.start("role"), end=m.end("role"), text=m["role"].casefold(), type="role", rule="en.role")
        if wordings.ontology.relation("has_role").relation.known:
            yield Link(
                subject=person, object=role, relation="has_role", phrase="is", rule="en.role", confidence=confidence_of("en.role"),
                anchor=role.start, stance=above,
            )  # fmt: skip
        if owner is not None and owner.type in ("matter", "case"):
            chosen = wordings.noun([stem_key(role.text)], owner, person)
            if chosen is not None:
                yield Link(
                    subject=chosen.subject, object=chosen.object, relation=chosen.relation.name, phrase=role.text,
                    rule="en.noun.is", confidence=confidence_of("en.noun.is"), anchor=role.start, stance=above,
                )  # fmt: skip


def _is_person(mention: Mention, role: str) -> bool:
    if mention.is_value or mention.pronoun or mention.sure:
        return False
    last = role.casefold().split()[-1]
    if last not in words.ROLE_HEADS | _SIDES or len(role) < 3:
        return False
    # nobody's client is a town: what the tagger took for one is a person's name
    return mention.type == PERSON or (
        mention.type in ("", PLACE)
        and 2 <= len(mention.text.split()) <= 3
        and (mention.type == PLACE or last in words.ROLE_HEADS)
    )


__all__ = ["PAPERS", "party_links", "side_links"]
