"""Relations that a verb tells: its subject, its objects, and the words on the way from one to the other."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from muniment.engine.extract.english import words
from muniment.engine.extract.english.ending_verbs import ENDING_VERBS, OF_NAMES
from muniment.engine.extract.english.other_senses import has_other_sense, is_travel, is_when_of_a_deed, sureness
from muniment.engine.extract.english.parse import Parse
from muniment.engine.extract.english.reach import Reach, is_kind, keys_of, names_inside, reach
from muniment.engine.extract.english.stance import clause_stance, quoted
from muniment.engine.extract.fitting import fitted, retyped
from muniment.engine.extract.links import ENDED, HEARSAY, HYPOTHESIS, Link, Stance
from muniment.engine.extract.mentions import ORGANISATION, PERSON, Mention
from muniment.engine.extract.rulebook import confidence_of
from muniment.engine.extract.wordings import MIN_FIT, Chosen, Wordings
from muniment.engine.ingest.terms import stem
from muniment.graph_schema.records import Says

# In a longer sentence a common noun as subject ("the audience") is nobody that another text would name.
MAX_PLAIN_WORDS = 16
# Nouns through which a name acts itself: "the brief in X relies on Y" is said of X.
_TRANSPARENT = frozenset(
    "brief claim deal account case matter team company group side office complaint action suit appeal proceeding dispute".split()
)
# "no longer good law after X" says plainly that X overruled it.
_SAID_BY_ENDING = frozenset({"overrules"})
# What is signed or sent stands for itself even where a name says with whom.
_PAPERS = {
    "contract": "contract",
    "agreement": "contract",
    "lease": "contract",
    "policy": "contract",
    "licence": "contract",
    "license": "contract",
    **dict.fromkeys(("msa", "nda", "sow", "dpa", "sla", "mou", "loi"), "contract"),
}
_LIGHT = frozenset({"have", "do", "make", "take", "get", "give"})
_AROUND = frozenset({"in", "at", "on", "during", "by", "near", "within", "around"})
_LEVELS = frozenset("level grade stage status phase priority position department team step rank tier".split())
_NOT_LINKING = frozenset(
    """
    say tell ask think know mean see hear let please thank hope guess believe feel seem appear note read mention stress emphasise
    emphasize forget remember worry wonder doubt regret apologise apologize
    """.split()
)


def verb_links(parse: Parse, wordings: Wordings, above: Stance) -> Iterator[Link]:
    """Typed and open relations of every verb of a text."""
    for verb in dict.fromkeys(parse.predicates()):
        stance = clause_stance(parse, verb).under(above)
        if stance.silent:
            continue
        yield from _of_verb(parse, wordings, verb, stance)


def _of_verb(parse: Parse, wordings: Wordings, verb: int, stance: Stance) -> Iterator[Link]:
    token = parse.tokens[verb]
    if quoted(parse.text, token.start, token.end):
        stance = stance.under(HEARSAY)
    about = parse.relative_object(verb)
    reaches = list(reach(parse, verb, wordings))
    if about is not None:
        reaches += [Reach(head=head, path=(), short=()) for head in parse.spread(about)]
    passive = parse.is_passive(verb)
    subjects = list(_subjects(parse, verb))
    reaches = [found for found in reaches if not _in_charge(parse, found)]
    share = None if passive else _share(parse, verb, reaches)
    if share is not None:
        yield from _shareholders(parse, wordings, verb, subjects, share, stance)
        reaches = [found for found in reaches if found.head not in (share.part, share.whole.head)]
    typed: set[int] = set()
    ended = False
    for subject in subjects:
        linked = [(r, link) for r in reaches if (link := _typed(parse, wordings, verb, subject, r, passive, stance))]
        typed |= {found.head for found, _ in linked}
        # "entered an appearance for X": the noun is a word of what is said of X, and nothing that was entered
        carrying = {found.last_noun for found, _ in linked if found.preposition != "of" and token.lemma != "be"}
        for found, link in linked:
            if found.head not in carrying or not link.object.is_value:
                yield link
            for end in _handed_over(parse, wordings, verb, link, reaches):
                ended = True
                yield end
    for subject in subjects:
        for found in reaches:
            if found.head not in typed and not (ended and found.preposition == "from"):
                yield from _open(parse, verb, subject, found, passive, stance, typed)
    yield from _complained(parse, wordings, verb, subjects, stance)
    if not reaches:
        yield from _announced(parse, wordings, verb, subjects, stance)


def _in_charge(parse: Parse, found: Reach) -> bool:
    """ "the partner in charge of X": nobody is a partner in a charge."""
    return found.preposition == "in" and parse.tokens[found.head].lemma.casefold() == "charge"


_HOLDING = frozenset({"own", "hold", "control"})
_PART = re.compile(r"\d\s?(?:%|percent|per cent)$")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Share:
    """ "own 30% of X": the token of the part, and how the verb reaches the whole."""

    part: int
    whole: Reach


def _share(parse: Parse, verb: int, reaches: list[Reach]) -> _Share | None:
    if parse.tokens[verb].lemma.casefold() not in _HOLDING:
        return None
    parts = [found.head for found in reaches if _PART.search(parse.as_mention(found.head).text)]
    wholes = [found for found in reaches if found.preposition == "of" and parse.mention_at(found.head) is not None]
    return _Share(part=parts[0], whole=wholes[0]) if parts and wholes else None


def _shareholders(
    parse: Parse, wordings: Wordings, verb: int, subjects: list[Doer], share: _Share, stance: Stance
) -> Iterator[Link]:
    """Who owns a part of a firm is a shareholder of it, and owns no percentage."""
    relation = wordings.ontology.relation("shareholder_of").relation
    whole = parse.as_mention(share.whole.head)
    for doer in subjects:
        fit = wordings.fit(relation, doer.mention, whole)
        if relation.known and not doer.through and fit >= 0.25 and not _same(doer.mention, whole):
            chosen = Chosen(relation=relation, subject=doer.mention, object=whole, fit=fit)
            yield _link(
                parse,
                chosen,
                "en.verb",
                parse.tokens[verb].start,
                _phrase(parse, verb, share.whole, False),
                stance,
                1.0,
            )


_HANDED = frozenset(
    {"has_account_manager", "has_responsible_person", "presided_by", "led_by", "assigned_to", "owned_by"}
)


_MOVED = frozenset(
    {"lives_in", "headquartered_in", "uses", "works_for", "in_department", "sits_at", "has_role", "located_in"}
)
_MOVING = frozenset("move switch migrate transfer relocate change go convert shift upgrade".split())


def _handed_over(parse: Parse, wordings: Wordings, verb: int, link: Link, reaches: list[Reach]) -> Iterator[Link]:
    """Ends told along: "took over X from Y" and "moved from Y to X" say that Y was so until then."""
    moved = link.relation in _MOVED and parse.tokens[verb].lemma in _MOVING
    if (link.relation not in _HANDED and not moved) or link.stance.says is not Says.HOLDS:
        return
    relation = wordings.ontology.relation(link.relation).relation
    for found in reaches:
        giver = parse.mention_at(found.head) if found.preposition == "from" else None
        if giver is None or giver.start in (link.subject.start, link.object.start):
            continue
        if wordings.fit(relation, link.subject, giver) >= 0.4:
            rule = "en.moved" if moved else "en.ended.verb"
            yield replace(link, object=giver, rule=rule, stance=link.stance.under(ENDED))


@dataclass(frozen=True, slots=True, kw_only=True)
class Doer:
    """A verb's subject; `through` is the noun by which a name takes part: the brief in X relies on Y."""

    mention: Mention
    through: str = ""
    phrase: tuple[str, ...] = ()  # the noun with the words in front of it: official language


def _subjects(parse: Parse, verb: int) -> Iterator[Doer]:
    heads = parse.subjects(verb)
    for head in heads:
        if _is_identified(parse, verb, head) or _is_label(parse, head):
            continue
        mention = parse.as_mention(head, short=True)
        if parse.mention_at(head) is not None or mention.pronoun:
            yield Doer(mention=mention)
            continue
        noun = parse.tokens[head].lemma.casefold()
        carried = [*names_inside(parse, head), *_behind(parse, head)]
        for inner in carried:
            yield Doer(mention=parse.as_mention(inner), through=noun, phrase=tuple(parse.words_of(head)))
        if noun in _PAPERS:
            whole = parse.as_mention(head)
            yield Doer(mention=replace(whole, is_value=False, type=_PAPERS[noun]))
        elif not carried and len(parse.tokens) <= MAX_PLAIN_WORDS:
            yield Doer(mention=replace(mention, is_value=False))
    if not heads and parse.tokens[verb].dep == "ROOT":
        yield from _by_place(parse, verb)


def _is_label(parse: Parse, head: int) -> bool:
    """Whether a noun only says what follows its colon: "Correction: …"."""
    return parse.mention_at(head) is None and parse.text[parse.tokens[head].end :].lstrip().startswith(":")


def _is_identified(parse: Parse, verb: int, head: int) -> bool:
    """Whether a relative clause is about a noun that the sentence itself puts a name to: "the firm that built X is Acme"."""
    above = parse.tokens[head].head
    return (
        parse.tokens[verb].dep == "relcl"
        and parse.tokens[verb].head == head
        and parse.mention_at(head) is None
        and above != head
        and parse.tokens[above].lemma == "be"
        and any(parse.mention_at(c) is not None for c in parse.dep_children(above, "attr", "nsubj"))
    )


def _behind(parse: Parse, head: int) -> list[int]:
    """Names that a preposition ties to a noun: "the deal with X"."""
    found: list[int] = []
    for prep in parse.dep_children(head, "prep"):
        if parse.tokens[prep].lemma.casefold() in ("of", "in", "for", "with", "against", "at", "from"):
            found += [c for c in parse.dep_children(prep, "pobj") if parse.mention_at(c) is not None]
    return [c for c in found if (m := parse.mention_at(c)) is not None and not m.pronoun and m.type != "date"]


def _by_place(parse: Parse, verb: int) -> Iterator[Doer]:
    """Where the parse lost the subject: the few words in front of a sentence's verb."""
    first = min([verb, *parse.dep_children(verb, "aux", "auxpass")])
    start = parse.tokens[0].start if parse.tokens else 0
    text = parse.text[start : parse.tokens[first].start].strip()
    before = [m for m in parse.mentions if m.end <= parse.tokens[first].start]
    if [m.text for m in before] == [text] and parse.is_passive(verb):
        yield Doer(mention=before[0])
        return
    if (0 < len(text.split()) <= 4 and not before and parse.is_passive(verb)) or (
        parse.dep_children(verb, "auxpass") and text and len(text.split()) <= 4 and not before
    ):
        yield Doer(mention=Mention(start=start, end=start + len(text), text=text, rule="en.phrase"))


def _complained(parse: Parse, wordings: Wordings, verb: int, subjects: list[Doer], stance: Stance) -> Iterator[Link]:
    """ "complained that deliveries are late": the clause is what was complained about."""
    token = parse.tokens[verb]
    relation = wordings.ontology.relation("complained_about").relation
    if token.lemma not in ("complain", "grumble", "moan", "protest") or not relation.known:
        return
    for clause in parse.dep_children(verb, "ccomp"):
        inside = [i for i, t in enumerate(parse.tokens) if t.start > token.end and t.pos != "PUNCT"]
        start = min(
            (parse.tokens[i].start for i in inside if parse.tokens[i].text.casefold() != "that"),
            default=parse.tokens[clause].start,
        )
        text = parse.text[start:].rstrip(" .!")
        value = Mention(start=start, end=start + len(text), text=text, type="text", is_value=True, rule="en.literal")
        for doer in subjects:
            chosen = Chosen(relation=relation, subject=doer.mention, object=value, fit=1.0)
            yield _link(parse, chosen, "en.verb", token.start, "complain that", stance, 1.0)


def _announced(parse: Parse, wordings: Wordings, verb: int, subjects: list[Doer], stance: Stance) -> Iterator[Link]:
    """ "Acme announced that Ana has joined": whom she joined is who says so."""
    token = parse.tokens[verb]
    if token.lemma not in ("join", "leave", "retire", "resign") or token.dep != "ccomp":
        return
    firms = [m for h in parse.subjects(token.head) if (m := parse.mention_at(h)) is not None]
    relation = wordings.ontology.relation("works_for").relation
    for firm in firms:
        for doer in subjects:
            if (
                relation.known
                and wordings.ontology.is_a(firm.type or "thing", ORGANISATION)
                and doer.mention.type in (PERSON, "")
            ):
                chosen = Chosen(relation=relation, subject=doer.mention, object=firm, fit=1.0)
                own = stance if token.lemma == "join" else stance.under(ENDED)
                yield _link(parse, chosen, "en.verb", token.start, token.lemma, own, 0.97)


def _typed(
    parse: Parse, wordings: Wordings, verb: int, doer: Doer, found: Reach, passive: bool, stance: Stance
) -> Link | None:
    token = parse.tokens[verb]
    subject = doer.mention
    object_ = parse.as_mention(found.head)
    if _same(subject, object_) or _is_anyone(parse, subject):
        return None
    object_ = _whole_value(parse, found, object_)
    if found.type_noun and found.preposition == "of" and not object_.type and not object_.pronoun:
        object_ = replace(object_, type=found.type_noun)
    if doer.through == "deadline" and token.lemma in _SETTING and object_.type == "date":
        relation = wordings.ontology.relation("due_on").relation
        fit = wordings.fit(relation, subject, object_)
        if relation.known and fit >= MIN_FIT:
            due = Chosen(relation=relation, subject=subject, object=object_, fit=fit)
            return _link(parse, due, "en.verb", token.start, _phrase(parse, verb, found, passive), stance, 1.0)
        return None
    set_for = object_.type == "date" and doer.through in _GATHERINGS  # the hearing in X is set for a day
    if doer.through and doer.through not in _TRANSPARENT and token.lemma != "be" and not set_for:
        return None  # what the head of Acme does is not what Acme does
    keys = list(keys_of(parse, verb, found, passive))
    staged = _staged(parse, wordings, subject, found, object_)
    if staged is not None:
        return _link(parse, staged, "en.noun.is", token.start, _phrase(parse, verb, found, passive), stance, 0.97)
    counted = _counted(wordings, token.lemma.casefold(), subject, object_)
    if counted is not None:
        return _link(parse, counted, "en.verb", token.start, _phrase(parse, verb, found, passive), stance, 1.0)
    if has_other_sense(parse, verb, object_):
        return None
    chosen = wordings.verb(keys, subject, object_)
    if chosen is not None and is_when_of_a_deed(parse, verb, chosen):
        return None
    if chosen is not None and chosen.relation.name in _SAID_BY_ENDING:
        stance = replace(stance, says=Says.HOLDS, reasons=tuple(r for r in stance.reasons if r != "ended"))
    if chosen is None and found.type_noun and found.preposition == "of" and found.last_noun >= 0:
        chosen = (
            wordings.noun([(stem(found.short[-2]),)], subject, object_)
            if len(found.short) >= 2 and token.lemma in ("play", "have", "hold", "speak", "be")
            else None
        )
    if chosen is not None and chosen.relation.name == "has_role":
        return None  # told better by the rules of roles
    if chosen is None and doer.through and token.lemma == "be":
        phrases = dict.fromkeys((doer.phrase or (doer.through,), (doer.through,)))
        chosen = wordings.noun([tuple(map(stem, words_)) for words_ in phrases], subject, object_)
    if chosen is not None:
        return _link(
            parse,
            chosen,
            "en.verb",
            token.start,
            _phrase(parse, verb, found, passive),
            stance,
            sureness(parse, verb, found, chosen),
        )
    if stance.cap <= HYPOTHESIS.cap or (_is_plain(subject) and _is_plain(object_)) or is_travel(token.lemma, object_):
        return None  # an end that is only supposed; "the rooms the patients left"
    for key in keys:
        for name in ENDING_VERBS.get(tuple(map(stem, key)), ()):
            if name in OF_NAMES and _is_plain(object_):
                continue  # "left her job": no firm of that name
            relation = wordings.ontology.relation(name).relation
            fit = wordings.fit(relation, subject, object_)
            if relation.known and fit >= 0.25:
                ended = Chosen(relation=relation, subject=subject, object=object_, fit=fit)
                phrase = _phrase(parse, verb, found, passive)
                return _link(parse, ended, "en.ended.verb", token.start, phrase, stance.under(ENDED), 1.0)
    return None


def _whole_value(parse: Parse, found: Reach, object_: Mention) -> Mention:
    """All words of a value that a noun of kind brings, where the parse took its last for an adverb: power *forward*."""
    if not object_.is_value or found.last_noun < 0 or not is_kind(parse.tokens[found.last_noun].lemma.casefold()):
        return object_
    end = object_.end
    for token in parse.tokens:
        if token.start == end + 1 and token.pos in ("NOUN", "ADJ", "ADV") and token.text.islower():
            end = token.end
    return replace(object_, end=end, text=parse.text[object_.start : end])


def _staged(parse: Parse, wordings: Wordings, subject: Mention, found: Reach, object_: Mention) -> Chosen | None:
    """ "works at level X", "is at stage X": the noun in front of the value says which of its relations is meant."""
    if found.preposition not in ("at", "in", "on", "to"):
        return None
    for child in parse.dep_children(found.head, "compound", "nmod", "amod"):
        noun = parse.tokens[child].lemma.casefold()
        if noun in _LEVELS and parse.mention_at(child) is not object_:
            value = object_
            if parse.mention_at(found.head) is None:  # "at stage proposal": the value is the proposal alone
                start = parse.tokens[child].end + 1
                value = replace(object_, start=start, text=parse.text[start : object_.end])
            return _at_level(wordings, noun, subject, value)
    for at in (found.head, found.head - 1):  # "at level E4", the code taken for a name beside the noun
        behind = parse.mention_at(at + 1) if 0 <= at < len(parse.tokens) - 1 else None
        noun = parse.tokens[at].lemma.casefold()
        if behind is not None and noun in _LEVELS and parse.mention_at(at) is None and behind.rule == "id.code":
            return _at_level(wordings, noun, subject, replace(behind, type="value", is_value=True))
    first = parse.text[object_.start : object_.end].split()
    if len(first) > 1 and first[0].casefold() in _LEVELS and object_.is_value:
        value = replace(object_, start=object_.start + len(first[0]) + 1, text=" ".join(first[1:]))
        return _at_level(wordings, first[0].casefold(), subject, value)
    return None


_GATHERINGS = frozenset("hearing meeting trial call review appointment workshop audit mediation conference".split())
# What is done to a deadline: the day it goes to is its new day.
_SETTING = frozenset("move extend postpone push defer prolong reschedule bring set fix adjourn".split())
_STAFF = re.compile(
    r"\d\s*(?:permanent |full-time |salaried )?(?:employees|staff(?: members)?|workers|members of staff|ftes?)$", re.I
)


def _counted(wordings: Wordings, verb: str, subject: Mention, object_: Mention) -> Chosen | None:
    """ "has 85 employees": what is counted says which amount of a firm it is."""
    relation = wordings.ontology.relation("employee_count").relation
    if verb not in ("have", "employ", "count") or not relation.known or not _STAFF.search(object_.text):
        return None
    fit = wordings.fit(relation, subject, object_) if subject.type != PERSON else 0.0
    return Chosen(relation=relation, subject=subject, object=object_, fit=fit) if fit >= 0.25 else None


def _at_level(wordings: Wordings, noun: str, subject: Mention, value: Mention) -> Chosen | None:
    found = wordings.noun([(stem(noun),)], subject, value)
    if found is not None or subject.type not in (PERSON, "") or noun not in ("level", "grade", "rank", "tier"):
        return found
    relation = wordings.ontology.relation("job_level").relation
    return Chosen(relation=relation, subject=subject, object=value, fit=0.7) if relation.known else None


def _link(parse: Parse, chosen: Chosen, rule: str, anchor: int, phrase: str, stance: Stance, factor: float) -> Link:
    return Link(
        subject=retyped(chosen.subject, chosen.relation.subject_types),
        object=retyped(chosen.object, chosen.relation.object_types),
        relation=chosen.relation.name,
        phrase=phrase,
        rule=rule,
        confidence=fitted(rule, chosen.fit) * factor,
        anchor=anchor,
        stance=stance,
    )


def _is_plain(mention: Mention) -> bool:
    """Whether it is no name but a noun, made an end because the sentence is short."""
    return mention.rule == "en.phrase" and not mention.type and not mention.pronoun


_ANY = re.compile(r"\b(?:either|neither|each|every|any|no|both|all|some|another)\b\s*$", re.IGNORECASE)


def _is_anyone(parse: Parse, mention: Mention) -> bool:
    """Whether it is a noun that means nobody in particular: either side, every guest."""
    if not _is_plain(mention):
        return False
    first = mention.text.split()[0] if mention.text.split() else ""
    return bool(_ANY.search(parse.text[: mention.start]) or _ANY.fullmatch(first))


def _open(
    parse: Parse, verb: int, doer: Doer, found: Reach, passive: bool, stance: Stance, told: set[int]
) -> Iterator[Link]:
    token = parse.tokens[verb]
    subject = doer.mention
    object_ = parse.mention_at(found.head)
    if object_ is None or _same(subject, object_) or subject.is_value or token.lemma in _NOT_LINKING:
        return
    if (object_.pronoun and not object_.same_as) or (object_.is_value and object_.type == "date"):
        return
    if token.lemma == "be" and not found.path:
        return  # A is B: said by the nominal rules, or the same thing twice
    if HYPOTHESIS.reasons[0] in stance.reasons or _is_anyone(parse, subject):
        return  # what may or must be, and what is said of "either side", is no fact about a name
    objects = set(parse.dep_children(verb, "dobj"))
    if found.preposition in _AROUND and len(found.short) > 1 and objects & told:
        return  # "makes cloth in Leeds": where or when it is done, and what is done has been told
    if token.lemma in _LIGHT and found.preposition in _AROUND and not found.path[1:] and objects:
        return  # "had coffee in Leeds": without its object the verb says nothing
    if doer.through in _PAPERS:
        return  # told of the paper itself: "the Acme contract needs the signature of Ana"
    phrase = _phrase(parse, verb, found, passive)
    yield Link(
        subject=subject, object=object_, relation="", phrase=f"{doer.through} {phrase}".strip(), rule="en.open.verb",
        confidence=confidence_of("en.open.verb") * (0.85 if found.through else 1.0), anchor=token.start, stance=stance,
        name="_".join(filter(None, (doer.through, _name(parse, verb, found, passive)))),
    )  # fmt: skip


def _phrase(parse: Parse, verb: int, found: Reach, passive: bool) -> str:
    token = parse.tokens[verb]
    parts = [("be " if passive else "") + (token.text.casefold() if passive else token.lemma.casefold()), *found.path]
    return " ".join(parts)


def _name(parse: Parse, verb: int, found: Reach, passive: bool) -> str:
    token = parse.tokens[verb]
    head = token.text.casefold() if passive else token.lemma.casefold()
    return "_".join([head, *found.short])


def _same(one: Mention, other: Mention) -> bool:
    return one.start < other.end and other.start < one.end


__all__ = ["Reach", "fitted", "keys_of", "reach", "retyped", "verb_links", "words"]
