"""Verb phrases that name a relation only between ends of the right types: "is before" between a matter and a judge.

They are too general for the ontology's own list, where a wording must mean the same everywhere.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from muniment.engine.extract.keys import Key, stem_key


@dataclass(frozen=True, slots=True, kw_only=True)
class Idiom:
    """`first` and `second` are the types that the ends must have, in the order in which they are said."""

    relation: str
    forward: bool
    first: tuple[str, ...]
    second: tuple[str, ...]


_PERSON = ("person",)
_ORG = ("organisation",)
_MATTER = ("matter",)
_LAW = ("law", "clause")
_PRODUCT = ("product",)

_TABLE: Final[tuple[tuple[str, str, bool, tuple[str, ...], tuple[str, ...]], ...]] = (
    ("be before, come before, go before, be heard by, be listed before, be reassigned to, go to, be with", "presided_by", True, _MATTER, _PERSON),
    ("preside in, preside over, hear, decide, try, sit on, take over", "presided_by", False, _PERSON, _MATTER),
    ("sit in, sit at, serve on, serve in, move to, be appointed to, be assigned to, transfer to, go to, join", "sits_at", True, _PERSON, ("court",)),
    ("be governed by, rest on, turn on, fall under, come under, be subject to, be decided under, hinge on, depend on, be based on", "governed_by", True, _MATTER, _LAW),
    ("rely on, cite, follow, rest on, turn on, lean on, quote", "cites", True, _MATTER, ("judgment",)),
    ("be law after, be good law after, be bad law after, be overruled by, be overturned by, be superseded by, be reversed by", "overrules", False, ("judgment",), ("judgment",)),
    ("be served in, be sued in, be named in, defend", "defendant_in", True, (*_ORG, *_PERSON), _MATTER),
    ("name, be against, be brought against", "defendant_in", False, _MATTER, (*_ORG, *_PERSON)),
    ("be brought by, be filed by, be lodged by", "plaintiff_in", False, _MATTER, (*_ORG, *_PERSON)),
    ("be partner in charge of, be lawyer in charge of, be in charge of, have charge of", "has_responsible_person", False, _PERSON, _MATTER),
    ("between, be between, be signed between, be made between, be concluded between, be agreed between", "party_to", False, (*_MATTER, "contract"), (*_ORG, *_PERSON)),
    ("file, bring, lodge, commence", "plaintiff_in", True, (*_ORG, *_PERSON), _MATTER),
    ("enter appearance for, appear for, act for, enter appearance in, appear in", "represents", True, (*_PERSON, "law_firm"), (*_ORG, *_PERSON)),
    ("be with, move to, go to, practise at, practice at, work with, start at, begin at, come from, sit with, sign with", "works_for", True, _PERSON, _ORG),
    ("move under, come under, be under, sit under, serve under", "reports_to", True, _PERSON, _PERSON),
    ("work in, be in, move to, transfer to, move into, sit in, belong to", "in_department", True, _PERSON, ("department",)),
    ("sign for, run on, run, go live with, go live on, sign up for, migrate to, move to, switch to, deploy, roll out, adopt, go with, rely on, license", "uses", True, _ORG, _PRODUCT),
    ("be live at, be deployed at, be in use at, be installed at, run at, be rolled out at, go live at", "uses", False, _PRODUCT, _ORG),
    ("take over account, take over, pick up, look after, take on, own account, handle account, handle, manage, cover, keep", "has_account_manager", False, _PERSON, ("customer",)),
    ("take over account, own account, handle account, run account, manage account, keep account", "has_account_manager", False, _PERSON, _ORG),
    ("sit with, go to, pass to, be reassigned to, be followed by, be looked after by, be with", "has_account_manager", True, _ORG, _PERSON),
    ("buy, take over, acquire, swallow, purchase", "acquired", True, _ORG, _ORG),
    ("belong to group, be part of group, belong to, be owned by, be daughter of, be part of, sit under", "owned_by", True, _ORG, _ORG),
    ("move to, move back to, move head office to, move seat to, move headquarters to, sit in, be in, relocate to, be based in, be located in", "headquartered_in", True, _ORG, ("place",)),
    ("be in, move to, move back to, relocate to, transfer to, settle in, stay in", "lives_in", True, _PERSON, ("place",)),
    ("lead, head, run, manage, own, drive", "led_by", False, _PERSON, (*_PRODUCT, "project")),
    ("be run by, be headed by, be managed by, be owned by", "led_by", True, (*_PRODUCT, "project"), _PERSON),
    ("run, chair, head", "led_by", False, _PERSON, ("organisation",)),
    ("allow, give, set deadline of", "term_of", True, _LAW, ("quantity", "duration")),
    ("buy for, purchase for, order for, procure for, source for, buy * for, purchase * for, order * for, procure * for, source * for", "buyer_at", True, _PERSON, _ORG),
    ("be unhappy with, be unhappy about, be dissatisfied with, be annoyed with, be annoyed by, be annoyed about, be angry about, be frustrated with, be frustrated by, be upset about, be upset with, be disappointed with, be disappointed by, be disappointed in, moan about, grumble about, be cross about, object to, protest about, protest against", "complained_about", True, ("person", "organisation"), ("*",)),
    ("introduce to, introduce * to, put in touch with, put * in touch with, connect * with", "introduced", True, _PERSON, ("person", "organisation")),
    ("be moved to, move to, be pushed to, be pushed back to, be moved back to, be moved forward to, be deferred to, be delayed to, be shifted to", "next_meeting_on", True, ("*",), ("date",)),
    ("charge, bill", "price_of", True, _PERSON, ("money",)),
    ("employ", "employee_count", True, _ORG, ("quantity",)),
    ("be created in, originate in, come from, originate from, be from", "country_of_origin", True, ("product", "sport", "work"), ("place",)),
)  # fmt: skip


_NOUNS: Final[tuple[tuple[str, str, bool, tuple[str, ...], tuple[str, ...]], ...]] = (
    ("manager, boss, supervisor, line manager, superior, team lead", "reports_to", True, _PERSON, _PERSON),
    ("contact, contact person, main contact, key contact, primary contact, point of contact", "has_primary_contact", True, _ORG, _PERSON),
    ("buyer, purchaser, purchasing agent, procurement manager, purchasing manager", "buyer_at", False, _ORG, _PERSON),
    ("director", "directed_by", True, ("work",), _PERSON),
    ("director", "has_managing_director", True, _ORG, _PERSON),
    ("head, boss, chief", "led_by", True, _ORG, _PERSON),
    ("rate, hourly rate, daily rate, day rate, weekly rate, monthly rate, billing rate, hourly fee, daily fee, retainer", "price_of", True, ("*",), ("money",)),
    ("lawyer, attorney, counsel, solicitor, barrister", "represents", False, (*_ORG, *_PERSON), (*_PERSON, "law_firm")),
)  # fmt: skip


def noun_idioms() -> dict[Key, tuple[Idiom, ...]]:
    """Nouns that name a relation only between an owner and a value of the right types."""
    return _indexed(_NOUNS)


def idioms() -> dict[Key, tuple[Idiom, ...]]:
    """All idioms by the stems of their words; earlier ones of a key go first."""
    return _indexed(_TABLE)


def _indexed(
    table: tuple[tuple[str, str, bool, tuple[str, ...], tuple[str, ...]], ...],
) -> dict[Key, tuple[Idiom, ...]]:
    found: dict[Key, tuple[Idiom, ...]] = {}
    for phrases, relation, forward, first, second in table:
        idiom = Idiom(relation=relation, forward=forward, first=first, second=second)
        for phrase in phrases.split(","):
            key = stem_key(phrase)
            found[key] = (*found.get(key, ()), idiom)
    return found
