"""Identifiers that are told as facts ("Ana Ruiz's email is …"): whose they are, and whether sharing one makes two names one.

Nothing is kept of them beside the facts: who has an identifier follows from the facts that stand, so retracting, undoing, merging
and erasing a fact takes the identifier along. A shared one only helps names that fit: people and firms of other names who share a
mailbox or a switchboard are asked about, and of an address that stands for an office nobody is.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from muniment.engine.extract.candidates import Named
from muniment.engine.ingest.names import PERSON
from muniment.engine.ingest.private_keys import private_key
from muniment.engine.resolve.matching import Match, match_names
from muniment.engine.resolve.parts import parts_of
from muniment.engine.resolve.statements import RANK_GUESS, Statement
from muniment.graph_schema.ids import fold
from muniment.graph_schema.ontology import Direction, Ontology
from muniment.graph_schema.records import Assertion, Entity, Kind, Says

IDENTIFYING: Final[Mapping[str, str]] = {
    "has_email": "email",
    "has_phone": "phone",
    "tax_number": "tax",
    "registration_number": "registration",
}
"""Relations whose object identifies their subject, with the kind of identifier."""

ONE_EACH: Final = frozenset({"tax_number", "registration_number"})
"""Those of which a thing has one, so that differing ones keep two things apart."""

KINDS: Final = frozenset(IDENTIFYING.values())
KINDS_OF_ONE: Final = frozenset(IDENTIFYING[relation] for relation in ONE_EACH)

SAME_IDENTIFIER: Final = "same_identifier"
"""The feature of a match that rests on a shared identifier."""

SHARED_BY_FEW: Final = 3
"""By how many others an identifier may be had for anybody to be asked: what more share is the number of a house."""

_OFFICES: Final = frozenset(
    "info sales office support contact hello admin mail team hr jobs careers press media noreply no-reply billing accounts accounting "
    "invoices service services help helpdesk kontakt buero enquiries inquiries reception legal marketing post".split()
)
_GENERATIONS: Final = frozenset("jr sr junior senior i ii iii iv".split())
# Of these one may have several, so that another one says nothing; all other kinds tell two things apart.
_SEVERAL: Final = frozenset({"email", "phone", "url", "handle"})
_COMPARED: Final = 8  # spellings of an entity
_GUESSED: Final = frozenset({"sound", "spelling"})


def identifier_of(kind: str, written: str) -> str:
    """The strong identifier that is written so, `kind:value` in the form in which equal ones are equal; '' where it is none."""
    text = " ".join(written.split())
    if kind == "email":
        return f"email:{text.casefold()}" if re.fullmatch(r"[^@\s]+@[^@\s]+\.[^@\s]+", text) else ""
    if kind == "phone":
        digits = re.sub(r"\D", "", text.replace("(0)", "") if text.startswith("+") else text)
        digits = digits.removeprefix("00")
        return f"phone:{digits}" if 7 <= len(digits) <= 15 else ""
    plain = "".join(c for c in text.upper() if c.isalnum())
    return f"{kind}:{plain}" if sum(c.isdigit() for c in plain) >= 4 else ""


def in_one_form(identifiers: Iterable[str]) -> tuple[str, ...]:
    """Identifiers as a caller gave them in the form of told ones; kinds that no fact tells are left out."""
    parts = (i.partition(":") for i in identifiers)
    found = (identifier_of(kind, value) for kind, _, value in parts if kind in KINDS)
    return tuple(dict.fromkeys(i for i in found if i))


def identifier_key(identifier: str) -> str:
    """The alias key under which the literal of an identifier is found, however it is written."""
    return private_key(f"identifier|{identifier}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Telling:
    """The identifiers that one telling gives names, by the folded name, and those that its statements end in, by their number."""

    names: Mapping[str, tuple[str, ...]]
    literals: Mapping[int, str]

    def known(self, end: Named) -> Named:
        """The name with what the telling gives it."""
        told = () if end.is_value else self.names.get(_called(end), ())
        return replace(end, told=told) if told else end

    def statement(self, statement: Statement, number: int) -> Statement:
        """The statement with both ends so."""
        if not self.literals:
            return statement
        subject, object_ = statement.subject, statement.object
        if isinstance(subject, Named):
            subject = self.known(subject)
        if isinstance(object_, Named):
            literal = self.literals.get(number)
            object_ = replace(object_, told=(literal,)) if literal else self.known(object_)
        return replace(statement, subject=subject, object=object_)


def telling_of(statements: Sequence[Statement], ontology: Ontology) -> Telling:
    """What the statements of one telling say of identifiers."""
    names: dict[str, dict[str, None]] = {}
    literals: dict[int, str] = {}
    for number, s in enumerate(statements):
        identifier = _told_by(s, ontology)
        if identifier:
            literals[number] = identifier
            if isinstance(s.subject, Named):
                names.setdefault(_called(s.subject), {}).setdefault(identifier)
    return Telling(names={name: tuple(found) for name, found in names.items()}, literals=literals)


def told_by(a: Assertion, written: str) -> str:
    """The identifier of its subject that an assertion tells whose object is written so; '' where it tells none."""
    kind = IDENTIFYING.get(a.relation)
    is_told = a.kind is Kind.FACT and a.says is Says.HOLDS and a.rank > RANK_GUESS
    return identifier_of(kind, written) if kind is not None and is_told else ""


def same_by_identifier(name: str, entity: Entity, root: str, identifier: str) -> bool:
    """Whether a name fits an entity that has the identifier, so that both are one: an initial, a short form, fewer words.

    For people a name that merely sounds or is spelled alike is another's: brothers share a telephone.
    """
    if root == PERSON and is_shared(identifier):
        return False
    spellings = _spellings(entity)
    matches = [match_names(name, spelling, root) for spelling in spellings]
    if any(match.vetoes for match in matches):
        return False
    least = 2 if root == PERSON and identifier.startswith("phone:") else 1
    return any(
        (match.is_likely and not (root == PERSON and _GUESSED & match.features.keys()))
        or _is_part(name, spelling, root, least=least)
        for match, spelling in zip(matches, spellings, strict=True)
        if not (_words(name, root) ^ _words(spelling, root)) & _GENERATIONS
    )


def likeness_by_identifier(name: str, entity: Entity, root: str) -> Match:
    """How alike a name is to an entity's that has the same identifier, for a person to decide."""
    matches = [match_names(name, spelling, root) for spelling in _spellings(entity)]
    best = max(matches, key=lambda match: match.score)
    return Match(score=best.score, features={**best.features, SAME_IDENTIFIER: 1.0})


def is_shared(identifier: str) -> bool:
    """Whether it is an address of an office and not of a person."""
    kind, _, value = identifier.partition(":")
    return kind == "email" and value.partition("@")[0] in _OFFICES


def identifiers_differ(have: Sequence[str], new: Sequence[str]) -> bool:
    """Whether two sets of identifiers have a kind in common, of which a thing has one, and no value of it."""
    mine = _by_kind(have)
    theirs = _by_kind(new)
    return any(not (mine[kind] & theirs[kind]) for kind in (mine.keys() & theirs.keys()) - _SEVERAL)


def _told_by(s: Statement, ontology: Ontology) -> str:
    if s.kind is not Kind.FACT or s.says is not Says.HOLDS or s.rank <= RANK_GUESS or not isinstance(s.object, Named):
        return ""
    reading = ontology.relation(s.relation)
    kind = IDENTIFYING.get(reading.relation.name)
    if kind is None or reading.direction is Direction.BACKWARD:
        return ""
    return identifier_of(kind, s.object.name)


def _called(end: Named) -> str:
    return fold(end.same_as or end.name)


def _spellings(entity: Entity) -> list[str]:
    return [alias.name for alias in entity.aliases if alias.name][:_COMPARED] or [entity.name]


def _is_part(one: str, other: str, root: str, *, least: int) -> bool:
    """Whether all words of one of the names are words of the other."""
    few, many = sorted((_words(one, root), _words(other, root)), key=len)
    telling = {w.text for w in parts_of(one, root).words if w.weight >= 1 and len(w.text) > 1}
    return len(few) >= least and few <= many and bool(few & telling)


def _words(name: str, root: str) -> set[str]:
    return {w.text for w in parts_of(name, root).words}


def _by_kind(identifiers: Sequence[str]) -> dict[str, set[str]]:
    kinds: dict[str, set[str]] = defaultdict(set)
    for identifier in identifiers:
        kind, _, value = identifier.partition(":")
        kinds[kind].add(value)
    return kinds
