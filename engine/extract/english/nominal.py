"""Relations that a noun tells, read from the words between and around two names: "the N of A is B", "A's N B", "A: N B"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from muniment.engine.extract.context import POSSESSIVE_PRONOUNS
from muniment.engine.extract.english import words
from muniment.engine.extract.english.parse import Parse
from muniment.engine.extract.english.stance import is_future
from muniment.engine.extract.fitting import fitted, retyped
from muniment.engine.extract.links import DENIED, ENDED, FUTURE, PLAIN, Link, Stance
from muniment.engine.extract.mentions import ORGANISATION, PERSON, Mention
from muniment.engine.extract.rulebook import confidence_of
from muniment.engine.extract.wordings import Chosen, Wordings, spread, stem_key

_N = r"(?P<n>[A-Za-z][\w’'/-]*(?:\s+[\w’'/&-]+){0,5}?)"
_DET = r"(?:(?:the|a|an|our|my|his|her|their|its|one of (?:the|our|their)|another)\s+)?"
NOW = r"(?:(?:now|currently|also|still|again|today|since then|once more|meanwhile)\s+)*"
BE = r"(?P<be>is|are|was|were|remains?|stays?|became|becomes|has become|is now|has been|will be|shall be|is no longer|isn[’']t|is not|was not|wasn[’']t|used to be)"
ROLE_BE = rf"(?:was promoted to|has been promoted to|got promoted to|was made|was appointed(?: as)?|was elected(?: as)?|was named|{BE}|serves? as|served as|acts? as|works? as|worked as|was promoted to|has been promoted to|was made|got promoted to|took over as|takes over as|was appointed|was elected|was named|has been appointed|joined as|started as|starts as)"
_PREP = r"(?:of|at|for|in|to|with|on|from|by)"
_TYPE = r"(?:(?:the\s+)?(?:city|town|country|state|company|firm|sport|continent|language|matter|case|position|province|region|village)\s+(?:of\s+)?)?"

_POSSESSED_IS = re.compile(rf"[’']s?\s+{_N}\s+{BE}\s+{NOW}{_DET}{_TYPE}$", re.IGNORECASE)
_POSSESSED_COLON = re.compile(rf"[’']s?\s+{_N}\s*(?::|=|–|—)\s*$", re.IGNORECASE)
_POSSESSED = re.compile(rf"[’']s?\s+{_N},?\s*$", re.IGNORECASE)
_COPULA = re.compile(rf",?\s+{NOW}{ROLE_BE}\s+{NOW}{_DET}{_N}\s+{_PREP}\s+{_DET}{_TYPE}$", re.IGNORECASE)
_COPULA_OWNED = re.compile(rf"\s+{NOW}{ROLE_BE}\s+{NOW}$", re.IGNORECASE)
_APPOSITIVE = re.compile(rf"\s*[,(–—]\s*{NOW}{_DET}{_N}\s+{_PREP}\s+{_DET}$", re.IGNORECASE)
_OWNED_AFTER = re.compile(r"[’']s?\s+(?P<n>[a-z][\w-]*(?:\s+[a-z][\w-]*){0,3})", re.IGNORECASE)
_OF_BEFORE = re.compile(
    rf"(?:^|[.;:,(]\s*|\b(?:and|that|the|our|a|an|new|current|former)\s+)(?P<n>[A-Za-z][\w’'/-]*(?:\s+[\w’'/-]+){{0,5}}?)\s+(?:{_PREP}|cited in|named in|listed for)\s+(?:the\s+)?{_TYPE}$",
    re.IGNORECASE,
)
_IS = re.compile(
    rf"\s*(?:,[^,]+,)?\s*(?:[a-z]+\s+)?(?:{BE}|:|=|–|—|has been set to|was set to|set to|changed to|went to|goes to|passed to|has passed to)\s*{NOW}{_DET}{_TYPE}$",
    re.IGNORECASE,
)
_COLON = re.compile(
    rf"\s*(?::|–|—)\s*{_DET}{_N}\s*(?:{BE}|:|=|set to|changed to|moved to|now)?\s*{NOW}{_DET}{_TYPE}$", re.IGNORECASE
)
_AS_NOUN = re.compile(
    r"\s+as\s+(?:its|the|their|our|a|an|his|her)?\s*(?P<n>[a-z][\w-]*(?:\s+[a-z][\w-]*){0,3})", re.IGNORECASE
)
_NAMING = re.compile(
    r"\b(?:name[sd]?|appoint(?:s|ed)?|elect(?:s|ed)?|hire[sd]?|choose|chose|has chosen|retain(?:s|ed)?|nominate[sd]?|pick(?:s|ed)?|made|lists?|listed|has|have|had|took on|takes|engaged?)\s+(?:[\w’']+\s+)?$",
    re.IGNORECASE,
)
_TITLE_BEFORE = re.compile(r"(?:^|[\s,;:(])(?P<n>[A-Za-z][\w-]*(?:\s+[a-z][\w-]*){0,3})\s+$")
_AT_FIRM = re.compile(r"\s+(?:from|of|at|with|over at|out of)\s+(?:the\s+)?$", re.IGNORECASE)
_PARENTHESIS = re.compile(r"\s*\((?:at|from|of)?\s*$")
_RELATIVE = re.compile(
    r"(?:^|\bthe\s+|\ba\s+)(?P<n>[a-z]+)\s+(?:that|which|who)\s+(?P<v>[a-z]+)(?P<p>\s+(?:by|to|for|in|at|on|from|with))?\s+(?:the\s+)?$",
    re.IGNORECASE,
)
_WHERE = re.compile(
    r"\s+(?:is|was|were|got)\s+(?P<v>[a-z]+)(?:\s+(?:at|in))?\s+(?:is|was)\s+(?:the\s+)?", re.IGNORECASE
)
# "is our competitor in the X deal": ours, not X's.
_OURS = re.compile(r"\b(?:our|my)\s", re.IGNORECASE)
_NEGATED = re.compile(r"\b(?:not|isn[’']t|wasn[’']t|never|no longer|nor)\b", re.IGNORECASE)
_VERBISH = re.compile(r"\b(?:is|are|was|were|has|have|had|will|would|who|which|that)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Pair:
    """Two neighbouring mentions and the words around them, within one sentence."""

    first: Mention
    second: Mention
    before: str
    between: str
    after: str


def noun_links(parse: Parse, wordings: Wordings, above: Stance) -> Iterator[Link]:
    """Typed relations that nouns tell between neighbouring mentions."""
    for pair in _pairs(parse):
        yield from _of_pair(pair, parse, wordings, above)


def _pairs(parse: Parse) -> Iterator[_Pair]:
    usable = [m for m in parse.mentions if not m.pronoun or m.same_as]
    for at, first in enumerate(usable):
        for second in usable[at + 1 : at + 3]:
            yield _Pair(
                first=first,
                second=second,
                before=parse.text[: first.start],
                between=re.sub(r"^\.(?=\s+[a-z])", "", parse.text[first.end : second.start]),  # "Acme Inc. is"
                after=parse.text[second.end :],
            )


def _of_pair(pair: _Pair, parse: Parse, wordings: Wordings, above: Stance) -> Iterator[Link]:
    if len(pair.between) > 70 or re.search(r"[.!?;]\s", pair.between):
        return
    stance = above.under(stance_between(pair.between))
    for rule, noun, owner, value in _readings(pair):
        if _ends_in_verb(noun, pair, parse):
            continue
        chosen = wordings.noun(noun_keys(noun), owner, value)
        if chosen is not None:
            yield _made(chosen, rule, noun, pair, stance.under(_noun_stance(noun)))
            return
    named = _AS_NOUN.match(pair.after)
    if named and _NAMING.search(pair.between):
        chosen = wordings.noun(_heads_first(named["n"]), pair.first, pair.second)
        if chosen is not None:
            yield _made(chosen, "en.noun.is", named["n"], pair, stance)
            return
    yield from _relative(pair, wordings, stance)
    yield from _places(pair, wordings, stance)
    yield from _firm(pair, wordings, stance)


_QUALIFIERS = frozenset(
    "new current present former previous acting interim longtime long-time first second then late outgoing ex own main sole other next last chief"
    " our the a an their its his her my is now also".split()
)


def noun_keys(noun: str) -> Iterator[tuple[str, ...]]:
    """Keys of a noun phrase. Of a role only what describes it may go: an IT manager is not "the manager"."""
    parts = noun.split()
    in_office = (
        " of " in noun and noun.split(" of ")[0].split()[-1].casefold() in words.ROLE_HEADS
    )  # no head of design designs
    if not in_office and parts[-1].casefold() not in words.ROLE_HEADS:
        yield from spread(parts)
        return
    start = 0
    while True:
        yield tuple(key for part in parts[start:] for key in stem_key(part))
        if start >= len(parts) - 1 or parts[start].casefold() not in _QUALIFIERS:
            return
        start += 1


def _ends_in_verb(noun: str, pair: _Pair, parse: Parse) -> bool:
    """ "was handled by": a participle is no noun, whatever the ontology has of the same stem."""
    last = noun.split()[-1]
    for token in parse.tokens:
        if (
            token.text == last
            and pair.first.start - len(pair.before) <= token.start
            and token.end <= pair.second.end + 40
        ):
            return token.pos == "VERB" and token.tag in ("VBN", "VBD", "VBZ", "VBG", "VB", "VBP")
    return False


# Who is "account manager at Harrow" works there, and manages the accounts of others.
_SERVES_OTHERS_AT = re.compile(
    r"\b(?:account (?:manager|executive|director|handler)|client (?:partner|manager|director)|customer success manager|relationship manager|case (?:handler|manager))\s+at\s+(?:the\s+)?$",
    re.IGNORECASE,
)
_IN_CHARGE = re.compile(r"\bin (?:the )?charge\b")  # who is in charge of X is no charge of it


def _readings(pair: _Pair) -> Iterator[tuple[str, str, Mention, Mention]]:
    """(rule, noun, whose it is, what it is) of every pattern that fits."""
    first, second, between = pair.first, pair.second, pair.between
    for rule, pattern in (
        ("en.noun.possessive", _POSSESSED_IS),
        ("en.noun.possessive", _POSSESSED_COLON),
        ("en.noun.possessive", _POSSESSED),
    ):
        # "our auditor is X" as "Acme's auditor is X"
        m = pattern.fullmatch(
            f"’s{between}" if first.pronoun and first.text.casefold() in POSSESSIVE_PRONOUNS else between
        )
        if m and not (pattern is _POSSESSED and _VERBISH.search(m["n"])):
            yield rule, m["n"], first, second
    m = _IS.fullmatch(between)
    if m:
        before = _OF_BEFORE.search(pair.before)
        if before:
            yield "en.noun.is", before["n"], first, second
    m = _COPULA.fullmatch(between)
    foreign = _OURS.search(between) and re.search(r"\s(?:in|on|to|by)\s+(?:the\s+)?$", between)
    if m and not foreign and not _IN_CHARGE.search(between) and not _SERVES_OTHERS_AT.search(between):
        yield "en.noun.copula", m["n"], second, first
    if _COPULA_OWNED.fullmatch(between):
        owned = _OWNED_AFTER.match(pair.after)
        parts = owned["n"].split() if owned else []
        for end in range(len(parts), 0, -1):  # "Ana is Tom's wife since …"
            yield "en.noun.copula", " ".join(parts[:end]), second, first
    m = _APPOSITIVE.fullmatch(between)
    if m:
        yield "en.noun.appositive", m["n"], second, first
    m = _COLON.fullmatch(between)
    if m:
        yield "en.noun.colon", m["n"], first, second
    if re.fullmatch(r"\s+(?:of|at|from|for)\s+(?:the\s+)?", between):
        before = _TITLE_BEFORE.search(pair.before)
        if before:
            yield "en.noun.appositive", before["n"], second, first
    if re.fullmatch(r"\s*,\s*", between) and pair.before.rstrip().endswith(("of", "at", "in", "for")):
        before = _OF_BEFORE.search(pair.before)
        if before:  # "the auditor of Acme, Northgate, ..."
            yield "en.noun.appositive", before["n"], first, second


def stance_between(between: str) -> Stance:
    if re.search(r"\b(?:no longer|used to be)\b", between, re.IGNORECASE):
        return ENDED
    if _NEGATED.search(between):
        return DENIED
    return FUTURE if is_future(between) else PLAIN


def _noun_stance(noun: str) -> Stance:
    return (
        ENDED if re.match(r"(?:former|ex|previous|outgoing|late|one-time|erstwhile)\b", noun, re.IGNORECASE) else PLAIN
    )


def _made(chosen: Chosen, rule: str, noun: str, pair: _Pair, stance: Stance) -> Link:
    return Link(
        subject=retyped(chosen.subject, chosen.relation.subject_types),
        object=retyped(chosen.object, chosen.relation.object_types),
        relation=chosen.relation.name,
        phrase=" ".join(noun.split()),
        rule=rule,
        confidence=fitted(rule, chosen.fit),
        anchor=pair.first.end,
        stance=stance,
    )


def _heads_first(phrase: str) -> Iterator[tuple[str, ...]]:
    """Keys of the beginnings of a phrase, the longest first: what follows a noun may be another clause."""
    parts = phrase.split()
    for end in range(len(parts), 0, -1):
        yield from spread(parts[:end])


def _relative(pair: _Pair, wordings: Wordings, stance: Stance) -> Iterator[Link]:
    """The company that produced A is B."""
    where = _WHERE.fullmatch(pair.between)
    if where and re.search(r"\bwhere\s+$", pair.before):
        chosen = wordings.verb([("be", where["v"].casefold(), prep) for prep in ("at", "in")], pair.first, pair.second)
        if chosen is not None:
            yield _made(chosen, "en.relative", f"where {where['v']}", pair, stance)
        return
    if not re.fullmatch(r"\s+(?:is|was)\s+(?:the\s+)?", pair.between):
        return
    m = _RELATIVE.search(pair.before)
    if m is None:
        return
    verb = m["v"].casefold()
    rest = (m["p"] or "").split()
    stems = [
        (form, *rest)
        for form in dict.fromkeys((verb, verb.removesuffix("d"), verb.removesuffix("ed"), verb.removesuffix("s")))
    ]
    chosen = wordings.verb(stems, pair.second, pair.first)
    if chosen is not None:
        yield _made(chosen, "en.relative", f"{m['n']} that {verb}", pair, stance)


def _places(pair: _Pair, wordings: Wordings, stance: Stance) -> Iterator[Link]:
    """`Leeds, Yorkshire` lies there; `Ana Ruiz, 40, of Leeds` lives there."""
    first, second = pair.first, pair.second
    if not wordings.ontology.is_a(second.type or "thing", "place") or re.match(
        r",?\s+(?:and|or)\s+[A-Z]|,\s+[A-Z]", pair.after
    ):
        return
    name = ""
    if (
        pair.between == ", "
        and wordings.ontology.is_a(first.type or "thing", "place")
        and not re.search(r"(?:,|\band)\s+$", pair.before)
    ):
        name = "located_in"
    elif first.type == PERSON and re.fullmatch(r"(?:, (?:aged? )?\d{1,3},)? of ", pair.between):
        name = "lives_in"
    relation = wordings.ontology.relation(name).relation if name else None
    if relation is not None and relation.known:
        chosen = Chosen(relation=relation, subject=first, object=second, fit=1.0)
        yield _made(chosen, "en.place", pair.between.strip(" ,") or ",", pair, stance)


def _firm(pair: _Pair, wordings: Wordings, stance: Stance) -> Iterator[Link]:
    """Ana from Acme; Ana (Acme)."""
    person, firm = pair.first, pair.second
    if person.type not in (PERSON, "") or not wordings.ontology.is_a(firm.type or "thing", ORGANISATION):
        plain = (
            _AT_FIRM.fullmatch(pair.between)
            and person.type == PERSON
            and firm.type in ("", "work", PERSON)
            and "of" not in pair.between
        )
        if not plain or firm.is_value:
            return
    if person.type == "" and (person.is_value or len(person.text.split()) > 3):
        return
    at = _AT_FIRM.fullmatch(pair.between)
    if not at and not (_PARENTHESIS.fullmatch(pair.between) and pair.after.lstrip().startswith((")", ","))):
        return
    relation = wordings.ontology.relation("works_for").relation
    if (relation.known and wordings.ontology.is_a(firm.type or ORGANISATION, ORGANISATION)) or at:
        yield Link(
            subject=replace(person, type=PERSON), object=retyped(firm, relation.object_types), relation=relation.name,
            phrase=pair.between.strip(" ()") or "at", rule="en.from", confidence=confidence_of("en.from") * (1.0 if at else 0.9),
            anchor=pair.first.end, stance=stance,
        )  # fmt: skip
