"""The role that a person has, and the firm where it is: "the IT manager at Acme", "as head of procurement"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from muniment.engine.extract.english import words
from muniment.engine.extract.english.nominal import NOW, ROLE_BE, stance_between
from muniment.engine.extract.english.parse import Parse
from muniment.engine.extract.fitting import retyped
from muniment.engine.extract.links import DENIED, ENDED, FUTURE, PLAIN, Link, Stance
from muniment.engine.extract.mentions import PERSON, Mention
from muniment.engine.extract.rulebook import confidence_of
from muniment.engine.extract.wordings import Wordings, spread


def role_links(parse: Parse, wordings: Wordings, above: Stance) -> Iterator[Link]:
    """The role that a person has, and the firm where it is named: "the IT manager at Acme", "as head of procurement"."""
    relation = wordings.ontology.relation("has_role").relation
    if not relation.known:
        return
    people = [m for m in parse.mentions if m.type in (PERSON, "") and not m.is_value and (not m.pronoun or m.same_as)]
    for person in people:
        found = _role_after(parse, person) or _role_before(parse, person)
        if found is None:
            continue
        role, at, stance = found
        given_up = _given_up(parse, person, role)
        if given_up is not None:
            yield from _left_post(parse, wordings, person, role, above.under(given_up))
            continue
        yield Link(
            subject=replace(person, type=PERSON), object=role, relation=relation.name, phrase="as", rule="en.role",
            confidence=confidence_of("en.role"), anchor=role.start, stance=above.under(stance),
        )  # fmt: skip
        if DENIED.reasons[0] not in stance.reasons:  # who is not its head may well work there
            yield from _employer(parse, wordings, person, role, at, above.under(stance))


_ROLE_AFTER = re.compile(
    rf"(?P<link>\s*[,(–—]\s*|,?\s+{NOW}{ROLE_BE}\s+{NOW}|[^.;!?]{{0,60}}?\s+as\s+)(?:(?:the|a|an|our|their|its|his|her)\s+)?(?P<new>(?:new|former|current|acting|interim|deputy|then|outgoing|ex)[\s-]+)*"
    r"(?P<role>(?!no\b|not\b|as\b)[A-Za-z][\w-]*(?:\s+(?!as\b|of\b|at\b|for\b|in\b|from\b|and\b|is\b|was\b|who\b)[A-Za-z][\w&/-]*){0,4}?)(?P<of>\s+of\s+(?!the\b)(?-i:[a-z])[\w-]+(?:\s+(?:and\s+)?(?-i:[a-z])[\w-]+)?)?(?P<end>\s+(?:of|at|for|in|from|with|since|and|but|here|there|who|by|on|until)\b|[,.;)!]|\s*$)",
    re.IGNORECASE,
)


def _role_after(parse: Parse, person: Mention) -> tuple[Mention, int, Stance] | None:
    rest = parse.text[person.end :]
    m = _ROLE_AFTER.match(rest)
    if (
        m is None
        or not (_is_role(m["role"]) or _at_a_firm(parse, person, m))
        or re.match(r"(?:not|no|never|nor|neither)\b|.*\bto\b", m["role"], re.IGNORECASE)
    ):
        return None
    if m["role"].casefold().split()[-1] in _OWNING and (m["of"] or m["end"].split()[:1] == ["of"]):
        return None
    if " as " in m["link"] or m["link"].strip().endswith("as"):
        if _FOLLOWED.search(parse.text[: person.start]):
            return None  # "Omar replaced Greta as head": Omar is head now
        between = [
            x for x in parse.mentions if person.end <= x.start < person.end + m.start("role") and x.type == PERSON
        ]
        if between and not _FOLLOWED.search(parse.text[person.end : between[0].start]):
            return None
    start = person.end + m.start("role")
    end = person.end + (m.end("of") if m["of"] else m.end("role"))
    link = m["link"]
    stance = stance_between(link)
    if (
        re.search(r"\b(?:was|were|served as|worked as)\b", link)
        and not re.search(r"\b(?:was (?:appointed|elected|named)|has been)\b", link)
    ) or (m["new"] or "").strip().casefold() in ("former", "ex", "outgoing", "then"):
        stance = (
            stance.under(ENDED)
            if (m["new"] or "").strip().casefold() in ("former", "ex", "outgoing") or "used to" in link
            else stance
        )
    return _role(parse.text, start, end), end, stance


def _at_a_firm(parse: Parse, person: Mention, m: re.Match[str]) -> bool:
    """ "a cardiologist at X": whatever the noun, what one is at a firm is one's role."""
    if m["end"].strip() != "at" or not re.search(
        r"\b(?:a|an|the)\s+$", m.group()[: m.start("role") - m.start()], re.IGNORECASE
    ):
        return False
    at = person.end + m.end()
    firm = next((x for x in parse.mentions if x.start >= at), None)
    return (
        firm is not None
        and not firm.is_value
        and firm.start - at <= 5
        and firm.type not in (PERSON, "place", "date", "event")
        and len(m["role"].split()) <= 3
    )


# "stepped down as", "is no longer the", "was dismissed as": who had the post has it no more.
_GIVES_UP = re.compile(
    r"\b(?:no longer|not\b.{1,40}\bany ?more|(?:step(?:s|ped|ping)?|stand(?:s|ing)?|stood) down|resign(?:s|ed|ing)?|retir(?:es?|ed|ing)|quit(?:s|ting)?|left|leaves|leaving|"
    r"depart(?:s|ed)?|(?:was|were|been|is|got|being) (?:\w+ly )?(?:removed|dismissed|fired|sacked|ousted|relieved|replaced|let go)|ceased|stopped)\b",
    re.IGNORECASE,
)
_ANY_MORE = re.compile(r"[^.;,!?]{0,60}?\bany ?(?:more|longer)\b", re.IGNORECASE)
_BEGINS = re.compile(
    r"\b(?:join|becom|becam|start|work|serv|act|appoint|promot|nam|made|make|hir|return|t[oa]+k|elect|mov|to be)\w*\b",
    re.IGNORECASE,
)
_NOT_DONE = re.compile(r"\b(?:not|n['’]t|never|nobody|refus\w+|declin\w+)\b", re.IGNORECASE)
_TO_COME = re.compile(
    r"\b(?:will|shall|would|may|might|could|can|should|must|to|plans?|going|about|consider\w*|expect\w*|wants?)\b",
    re.IGNORECASE,
)


def _given_up(parse: Parse, person: Mention, role: Mention) -> Stance | None:
    """That the words between a person and a role say the post was given up, silent where they say that it was not; else None."""
    between = parse.text[person.end : role.start] if person.end <= role.start else ""
    if _NOT_DONE.search(between) and _ANY_MORE.match(parse.text, role.end):
        return ENDED
    found = _GIVES_UP.search(between)
    if found is None or _BEGINS.search(between, found.end()):
        return None
    led = between[: found.start()]
    if _NOT_DONE.search(led):
        return Stance(silent=True)
    return ENDED.under(FUTURE) if _TO_COME.search(led) else ENDED


def _left_post(parse: Parse, wordings: Wordings, person: Mention, role: Mention, stance: Stance) -> Iterator[Link]:
    """The role as ended, and the post at the firm that is named with it; where else one works is not told."""
    holder = replace(person, type=PERSON)
    relation = wordings.ontology.relation("has_role").relation
    yield Link(
        subject=holder, object=role, relation=relation.name, phrase="as", rule="en.role",
        confidence=confidence_of("en.role"), anchor=role.start, stance=stance,
    )  # fmt: skip
    after = re.match(r"\s+(?:at|of|for)\s+(?:the\s+)?", parse.text[role.end :])
    firm = _mention_at(parse.mentions, role.end + after.end()) if after else None
    chosen = wordings.noun(spread(role.text.split()), firm, holder) if firm is not None and not firm.is_value else None
    if firm is not None and chosen is not None and chosen.object.start == holder.start:
        yield Link(
            subject=retyped(chosen.subject, chosen.relation.subject_types), object=holder, relation=chosen.relation.name, phrase=role.text,
            rule="en.ended.verb", confidence=confidence_of("en.ended.verb"), anchor=role.start, stance=stance,
        )  # fmt: skip


_FOLLOWED = re.compile(
    r"\b(?:replac(?:es|ed|ing)|succeed(?:s|ed|ing)?|follow(?:s|ed|ing)|took over from|takes over from|taking over from)\s+(?:(?:Mr|Mrs|Ms|Dr)\.?\s+)?$",
    re.IGNORECASE,
)
_FIRMS = frozenset("organisation company bank hospital school insurer law_firm government_body team".split())
# "author of X" is a relation to X rather than a post.
_OWNING = frozenset("author owner founder editor buyer judge agent developer designer leader".split())


def _role_before(parse: Parse, person: Mention) -> tuple[Mention, int, Stance] | None:
    """`account manager Karim Haddad`, `their IT manager, Ana`."""
    m = re.search(
        r"(?:^|[\s(,])(?P<ex>(?:former|ex|outgoing|previous)[\s-]+)?(?P<role>[A-Za-z][\w-]*(?:\s+[a-z][\w-]*){0,2}(?:\s+of\s+[a-z]+)?),?\s+$",
        parse.text[: person.start],
    )
    if m is None:
        return None
    parts = _own_words(parse, person.start, m["role"].split())
    while parts and not _is_role(" ".join(parts)):
        parts.pop(0)
    while len(parts) > 1 and (
        parts[0].casefold()
        in (
            "the",
            "our",
            "their",
            "my",
            "his",
            "her",
            "its",
            "a",
            "an",
            "new",
            "current",
            "and",
            "with",
            "by",
            "to",
            "from",
            "met",
            "for",
        )
        or parts[0].casefold() in words.STARTERS
    ):
        parts.pop(0)
    role = " ".join(parts)
    if any(
        m.end > person.start - len(m.text) - 60 and m.end <= person.start and m.text.split()[-1] in parts
        for m in parse.mentions
    ):
        return None  # the words belong to another name
    if not parts or not _is_role(role) or len(role) < 3 or role.casefold() in words.PERSON_TITLES:
        return None
    start = parse.text.rfind(role, 0, person.start)
    return _role(parse.text, start, start + len(role)), start + len(role), ENDED if m["ex"] else PLAIN


def _own_words(parse: Parse, end: int, parts: list[str]) -> list[str]:
    """The words without those at their beginning that are the end of a firm's name: Orlow Systems | purchasing director."""
    before = [x for x in parse.mentions if x.end < end and x.type in _FIRMS]
    if not before or not parse.text[before[-1].end : end].strip():
        return parts
    behind = parse.text[before[-1].end : end].split()
    return parts[-len(behind) :] if len(behind) < len(parts) else parts


def _role(text: str, start: int, end: int) -> Mention:
    return Mention(start=start, end=end, text=text[start:end], type="role", is_value=False, rule="en.role")


def _is_role(phrase: str) -> bool:
    parts = phrase.casefold().split(" of ")[0].split()
    return bool(parts) and parts[-1] in words.ROLE_HEADS and parts[0] not in ("same", "only", "good", "great", "bad")


# Who serves a client from outside, where the words say whose they are rather than where they work.
_SERVING = re.compile(
    r"\b(?:(?:key )?(?:account|client|customer success|relationship|customer relationship|key accounts?) (?:manager|executive|director|lead|owner)|consultant|advis[eo]r|accountant|broker|banker|tax agent|bookkeeper|barrister|contractor)$",
    re.IGNORECASE,
)


def _employer(
    parse: Parse, wordings: Wordings, person: Mention, role: Mention, at: int, stance: Stance
) -> Iterator[Link]:
    relation = wordings.ontology.relation("works_for").relation
    if not relation.known:
        return
    after = re.match(r"\s+(at|of|with|in|from|for)\s+(?:the\s+)?", parse.text[role.end :])
    firm = _mention_at(parse.mentions, role.end + after.end()) if after else None
    if firm is None:
        owner = re.search(r"[’']s?\s+(?:new |former |current )?$", parse.text[: role.start])
        firm = next((m for m in parse.mentions if owner and m.end == owner.start()), None)
        if firm is None and role.end <= person.start:  # "Orlow Systems purchasing director Lena Krug"
            firm = next((m for m in parse.mentions if m.type in _FIRMS and 0 < role.start - m.end <= 1), None)
    if (
        firm is None
        or firm.is_value
        or firm.type in (PERSON, "place", "matter", "judgment", "work", "country", "city", "project", "court", "role")
    ):
        return
    if (
        after
        and after.group(1) == "for"
        and re.search(r"\b(?:account|customer|client|sales|key|lead|contact)\b", role.text, re.IGNORECASE)
    ):
        return  # an account manager for X is not X's own
    if (after is None or after.group(1) in ("of", "for", "to")) and _SERVING.search(role.text):
        return  # the account manager, lawyer or adviser of X works for a firm of their own
    if after and after.group(1) in ("in", "with") and firm.type == "":
        return
    if role.text.casefold().split()[-1] in (
        "owner",
        "author",
        "judge",
        "counsel",
        "lawyer",
        "attorney",
        "solicitor",
        "agent",
        "representative",
        "editor",
        "auditor",
    ):
        return
    yield Link(
        subject=replace(person, type=PERSON), object=retyped(firm, relation.object_types), relation=relation.name,
        phrase=f"{role.text} at", rule="en.role.employer", confidence=confidence_of("en.role.employer"), anchor=role.start, stance=stance,
    )  # fmt: skip


def _mention_at(mentions: Sequence[Mention], start: int) -> Mention | None:
    return next((m for m in mentions if m.start == start), None)
