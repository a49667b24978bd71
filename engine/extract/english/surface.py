"""Open relations from the words between neighbouring names, where neither verb nor noun rules found any."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from muniment.engine.extract.english.parse import Parse
from muniment.engine.extract.english.stance import MODALS
from muniment.engine.extract.fitting import fitted, retyped
from muniment.engine.extract.links import DENIED, ENDED, HYPOTHESIS, Link, Stance
from muniment.engine.extract.mentions import PLACE, Mention
from muniment.engine.extract.rulebook import confidence_of
from muniment.engine.extract.wordings import Chosen, Key, Wordings, spread, stem_key
from muniment.engine.ingest.stopwords import ENGLISH
from muniment.engine.ports.models import Token

MAX_GAP_WORDS = 9
# A sentence longer than this says more than one thing; a lone name in it owns none of its literals for sure.
MAX_LONE_WORDS = 16
_WORD = re.compile(r"[A-Za-z][\w’'-]*")
_LITERAL = re.compile(
    r"(?:\b(?:to|at|of|in|for|is|are|as|by|on|was|with|under)\b|:)\s+(?:the |a |an |our )?(?P<v>[\w€$£][^.;:!?()]{0,60})$"
)
# Words that begin another clause: what stands behind them says nothing of the name before.
_OTHER_CLAUSE = frozenset("so because but while when if although though since unless whereas and or".split())
# Comments of the writer's: they say nothing of the names around them, and what stands behind begins anew.
_ASIDE = re.compile(
    r"\bas\s+(?:(?:we|I|you|they|both|already|always|previously|just|was|were|per|is)\s+)*(?:agreed|discussed|promised|requested|asked|mentioned|noted|stated|said|"
    r"arranged|planned|expected|usual|ever|before|above|below|instructed|confirmed|announced|per|outlined|advised|explained|known|you know)\b",
    re.IGNORECASE,
)
_SAYING = frozenset(
    "say tell ask think know mean hear let thank hope guess believe feel announce note add mention stress see speak talk remind forget".split()
)
_MEANT_ONLY = frozenset(
    "ask want need hope plan try intend seem remember forget like wish expect decide refuse promise offer look wait worry remind".split()
)
_BRACKET = re.compile(r"\([^()]*\)")
_LISTING = re.compile(r"^\s*(?:,|and|&|or|/|;|,\s*and)\s*$")


def gap_links(
    parse: Parse, wordings: Wordings, above: Stance, linked: set[frozenset[int]], anchors: set[int]
) -> Iterator[Link]:
    """Links for neighbouring mentions that have none; `linked` holds pairs of offsets that are linked already, `anchors` where.

    A verb that already says something of others says nothing new between its neighbours.
    """
    usable = [m for m in parse.mentions if (not m.pronoun or m.same_as) and m.type != "date"]
    for first, second in pairwise(usable):
        if frozenset((first.start, second.start)) in linked or first.is_value or second.pronoun:
            continue
        if _share_an_end(linked, first.start, second.start) or any(
            first.end < anchor < second.start for anchor in anchors
        ):
            continue
        if first.pronoun and any(
            frozenset((other.start, second.start)) in linked
            for other in parse.mentions
            if first.same_as in (other.text, other.same_as)
        ):
            continue  # "Ana lost her badge in Leeds": what joins the two has been said of Ana
        link = _gap(parse, wordings, first, second, above)
        if link is not None:
            yield link


def _share_an_end(linked: set[frozenset[int]], one: int, other: int) -> bool:
    """Two objects of one subject are linked through it already."""
    mates = [pair - {one} for pair in linked if one in pair]
    return any(frozenset((*mate, other)) in linked for mate in mates if mate)


def _gap(parse: Parse, wordings: Wordings, first: Mention, second: Mention, above: Stance) -> Link | None:
    between = re.sub(r"^\.(?=\s+[a-z])", "", parse.text[first.end : second.start])  # "Acme Inc. is"
    if _LISTING.match(_BRACKET.sub("", between)) or re.search(r"[.!?;]\s|\n", between):
        return None
    if _ASIDE.search(between):
        return None
    told = [m for m in parse.mentions if m.type == "date"]
    tokens = [
        t
        for t in parse.tokens
        if first.end <= t.start < second.start
        and t.pos not in ("PUNCT", "SPACE")
        and not any(m.start <= t.start < m.end for m in told)
    ]
    if (
        len(tokens) > MAX_GAP_WORDS
        or any(t.text.casefold() in _OTHER_CLAUSE for t in tokens)
        or any(t.lemma in _SAYING for t in tokens)
    ):
        return None
    stance = above
    folded = {t.text.casefold() for t in tokens}
    if folded & {"not", "n't", "never"}:
        stance = stance.under(DENIED)
    if "longer" in folded or "anymore" in folded:
        stance = stance.under(ENDED)
    telling = [t for t in tokens if t.lemma.casefold() not in wordings.type_nouns] or tokens  # "manages the vendor X"
    keys = list(_gap_keys([t.lemma.casefold() for t in tokens], [t.text.casefold() for t in tokens]))
    keys += _gap_keys([t.lemma.casefold() for t in telling], [t.text.casefold() for t in telling])
    keys = [key for key in keys if not _is_what_a_verb_takes(key, tokens)]
    owned = bool(tokens) and tokens[0].tag == "POS"  # "Oriel's works at Marsh" are works, and no job
    chosen = None if owned else wordings.verb(keys, first, second)
    phrase = " ".join(t.text.casefold() for t in tokens) or between.strip()
    if chosen is not None and chosen.fit >= 0.4:
        return Link(
            subject=retyped(chosen.subject, chosen.relation.subject_types), object=retyped(chosen.object, chosen.relation.object_types),
            relation=chosen.relation.name, phrase=phrase, rule="en.verb", confidence=fitted("en.verb", chosen.fit) * 0.88,
            anchor=first.end, stance=stance,
        )  # fmt: skip
    if folded & MODALS or HYPOTHESIS.reasons[0] in stance.reasons:
        return None  # what might be links nothing
    if owned and tokens[-1].pos == "ADP":
        return None  # "X's works at Y" says where the works are
    content = [t for t in tokens if t.text.casefold() not in ENGLISH and t.pos not in ("DET", "ADV", "NUM")]
    carried = content or _before(parse, first)
    told_before = any(t.pos == "VERB" for t in parse.tokens if t.end <= first.start)
    if not content and told_before and second.type == PLACE and all(t.pos in ("ADP", "DET") for t in tokens):
        return None  # "had coffee with X in Y": where it was, and nothing of X
    if not content and any(t.lemma.casefold() in _SAYING for t in carried):
        return (
            None  # "spoke with X about Y", "told X that Y": words of the writer's and of others, between no two of them
        )
    if not carried or any(t.pos == "AUX" or t.text.casefold() in MODALS for t in carried):
        return None  # "either side may end it with notice": words of a clause, and no heading
    if any(t.text.casefold() == "no" and parse.tokens[t.head] in carried for t in parse.tokens):
        return None  # "no calls to Ana": what is not, or not to be
    name = "_".join(
        [t.lemma.casefold() for t in carried]
        + [t.lemma.casefold() for t in tokens[-1:] if t.pos == "ADP" and t not in carried]
    )
    return Link(
        subject=first, object=second, relation="", phrase=phrase if content else " ".join(t.text.casefold() for t in carried),
        rule="en.open.gap", confidence=confidence_of("en.open.gap"), anchor=first.end, stance=stance, name=name,
    )  # fmt: skip


def _is_what_a_verb_takes(key: Key, tokens: Sequence[Token]) -> bool:
    """Whether the words are the object of another verb between the names: "to send the report to" is no reporting."""
    verbs = {word for t in tokens if t.pos == "VERB" for word in (t.lemma.casefold(), t.text.casefold())}
    taken = {word for t in tokens if t.dep == "dobj" for word in (t.lemma.casefold(), t.text.casefold())}
    return bool(verbs) and key[0] in taken and not verbs & set(key)


def _before(parse: Parse, first: Mention) -> list[Token]:
    """Content words in front of the first name, where the words between say nothing: "Main precedent in A: B"."""
    before = [t for t in parse.tokens if t.end <= first.start]
    return [t for t in before[-6:] if t.pos in ("NOUN", "ADJ", "VERB") and t.text.casefold() not in ENGLISH]


def _gap_keys(lemmas: Sequence[str], texts: Sequence[str]) -> Iterator[Key]:
    """Runs of the words between, the longest first, as lemmas and as written."""
    drop = {"the", "a", "an", "our", "its", "their", "his", "her", "now", "have", "has", "had", "also"}
    for parts in (lemmas, texts):
        kept = [part for part in parts if part not in drop]
        size = len(kept)
        for length in range(size, 0, -1):
            for start in range(size - length + 1):
                if start + length == size or length > 1:
                    yield tuple(kept[start : start + length])


_SET = r"(?:set to|changed to|moved to|moved on to|went to|is now|is|was|are|now|at)"
_VALUE = r"(?P<v>[A-Za-z0-9€$£][^.;:!?()\[\],]{0,50})"
_LEAD = r"^(?:[’']s)?\s*(?:[:,–-]\s*|(?:deal|account|project|opportunity|ticket|case)\s+)?(?:the\s+|our\s+|its\s+)?"
_VALUE_AFTER = (
    re.compile(rf"{_LEAD}(?P<n>[A-Za-z][\w-]*(?:\s+[a-z][\w-]*){{0,2}}?)\s*(?:\s(?:has been\s+)?{_SET}\s|[:=])\s*{_VALUE}$", re.IGNORECASE),
    re.compile(rf"{_LEAD}(?:(?:is|stands|sits|remains|moved|went|now|advanced|up|back)\s+){{0,2}}(?:at|in|on|to)\s+(?:the\s+)?(?P<n>[a-z][\w-]*(?:\s+[a-z][\w-]*)?)\s+{_VALUE}$", re.IGNORECASE),
)  # fmt: skip
_NOUN_BEFORE = re.compile(r"(?P<n>[A-Za-z][\w-]*(?:\s+[\w-]+){0,3}?)\s+(?:of|for|in|with|on|at)\s+(?:the\s+)?$")
_VALUE_ONLY = re.compile(
    rf"^\s*(?:deal|account|project)?\s*(?::|=|is|was|are|has been|(?:has |have )?(?:moved|advanced|progressed|changed|went|dropped|rose|been set|set)\s+(?:on\s+)?to)\s*(?:now\s+)?(?:the\s+|a\s+)?{_VALUE}$",
    re.IGNORECASE,
)
_DENYING = re.compile(r"(?:not|no|never|neither)\b", re.IGNORECASE)  # "is not $10" gives no value "not $10"
_DEAL = frozenset({"deal", "opportunity", "pipeline", "negotiation"})


def value_links(parse: Parse, wordings: Wordings, above: Stance) -> Iterator[Link]:
    """Typed literals of the only name: "Acme: stage set to won", "deal with Acme moved to won", "Acme is at stage X"."""
    names = [m for m in parse.mentions if not m.is_value and not m.pronoun]
    if len(names) != 1:
        return
    owner = names[0]
    rest = re.sub(r"\s*[(\[][^)\]]*[)\]]\s*$", "", parse.text[owner.end :].rstrip(" .!\n")).rstrip(" .!")
    for pattern in _VALUE_AFTER:
        m = pattern.match(rest)
        if m is None:
            continue
        value = _value(parse, owner.end + m.start("v"), m["v"])
        if _DENYING.match(value.text):
            return
        chosen = wordings.noun(spread(m["n"].split()), owner, value)
        if chosen is not None:
            yield _value_link(chosen, m["n"], owner, above)
            return
    before = _NOUN_BEFORE.search(parse.text[: owner.start])
    m = _VALUE_ONLY.match(rest)
    if before is not None and m is not None:
        value = _value(parse, owner.end + m.start("v"), m["v"])
        if _DENYING.match(value.text):
            return
        noun = before["n"].split()
        keys = [*spread(noun), *([stem_key("stage")] if noun[-1].casefold() in _DEAL else [])]
        chosen = wordings.noun(keys, owner, value)
        if chosen is not None:
            yield _value_link(chosen, before["n"], owner, above)


def _value(parse: Parse, start: int, text: str) -> Mention:
    known = next((m for m in parse.mentions if m.start == start), None)
    return known or Mention(
        start=start, end=start + len(text.rstrip()), text=text.rstrip(), type="text", is_value=True, rule="en.literal"
    )


def _value_link(chosen: Chosen, noun: str, owner: Mention, above: Stance) -> Link:
    return Link(
        subject=retyped(chosen.subject, chosen.relation.subject_types), object=chosen.object, relation=chosen.relation.name, phrase=noun,
        rule="en.noun.colon", confidence=fitted("en.noun.colon", chosen.fit), anchor=owner.end, stance=above,
    )  # fmt: skip


def lone_links(parse: Parse, above: Stance) -> Iterator[Link]:
    """The literal that a short sentence gives for its only name: "Acme moved to negotiation"."""
    names = [m for m in parse.mentions if not m.is_value and (not m.pronoun or m.same_as)]
    if len(names) != 1 or len(_WORD.findall(parse.text)) > MAX_LONE_WORDS:
        return
    owner = names[0]
    values = [m for m in parse.mentions if m.is_value and m.type != "date" and m.start > owner.end]
    if values:
        value = values[0]
    else:
        found = _LITERAL.search(parse.text.rstrip(" .!\n"), owner.end)
        if found is None:
            return
        start = found.start("v")
        text = found["v"].strip()
        if any(m.type == "date" and m.start < start + len(text) and start < m.end for m in parse.mentions):
            return
        if len(text.split()) > 6 or text.casefold() in ENGLISH:
            return
        value = Mention(start=start, end=start + len(text), text=text, type="text", is_value=True, rule="en.literal")
    tokens = [
        t
        for t in parse.tokens
        if (owner.end <= t.start < value.start or t.end <= owner.start) and t.pos not in ("PUNCT", "SPACE", "DET")
    ]
    if _ASIDE.search(parse.text, owner.end, value.start):
        return
    aside = [m.span() for m in _ASIDE.finditer(parse.text)]
    tokens = [t for t in tokens if not any(start <= t.start < end for start, end in aside)]
    content = [t for t in tokens if t.text.casefold() not in ENGLISH and t.pos != "ADV"]
    if not content or any(t.text.casefold() in MODALS for t in tokens):
        return  # what may or must be is no value
    if any(t.lemma.casefold() in _SAYING | _MEANT_ONLY for t in content):
        return  # "asked for help", "wants to be called": what is said or meant is no value of whoever says it
    folded = {t.text.casefold() for t in tokens}
    if folded & {"not", "n't", "n’t", "never"}:
        above = above.under(DENIED)
    yield Link(
        subject=owner, object=value, relation="", phrase=" ".join(t.text.casefold() for t in tokens), rule="en.open.value",
        confidence=confidence_of("en.open.value"), anchor=owner.end, stance=above,
        name="_".join(t.lemma.casefold() for t in content[:4]),
    )  # fmt: skip
