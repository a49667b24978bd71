"""What lies under a verb: its objects and the words that lead to each, and the spellings to look them up by."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from muniment.engine.extract.english.parse import KINDS, Parse
from muniment.engine.extract.english.words import ROLE_HEADS
from muniment.engine.extract.keys import Key
from muniment.engine.extract.wordings import Wordings

# Stands for the object in "buys … for X".
ANYTHING = "*"
# Nouns that only say what kind of thing the name behind "of" is: the city of X, the position of goalkeeper.
_PLACES = frozenset(
    "city town village municipality state province county country nation region continent island district".split()
)
_THROUGH = frozenset(
    {"as", "in", "at", "for", "from", "with", "to", "on", "about", "by", "under", "after", "into", "through"}
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """An object of a verb and the words that lead to it: `took a chat from X` is (chat, from)."""

    head: int
    path: tuple[str, ...]  # words after the verb, lemmas, nouns with their modifiers as separate words
    short: tuple[str, ...]  # the same with bare nouns
    last_noun: int = -1
    preposition: str = ""
    through: bool = False  # past another name: the preposition may belong to either
    type_noun: str = ""


def reach(parse: Parse, verb: int, wordings: Wordings) -> Iterator[Reach]:
    """Every noun phrase under a verb that is not its subject, nearest first."""
    particles = tuple(parse.tokens[c].lemma.casefold() for c in parse.dep_children(verb, "prt"))
    pending: list[tuple[int, Reach]] = [(verb, Reach(head=verb, path=particles, short=particles))]
    taken = [
        c
        for c in parse.dep_children(verb, "dobj", "attr")
        if parse.mention_at(c) is None and parse.tokens[c].pos == "NOUN"
    ]
    while pending:
        at, so_far = pending.pop(0)
        for child in parse.children[at]:
            dep = parse.tokens[child].dep
            if (
                dep in ("dobj", "attr", "oprd", "dative", "npadvmod")
                and at == verb
                and parse.tokens[child].pos != "VERB"
            ):
                if dep == "npadvmod" and (parse.mention_at(child) is None or child < verb):
                    continue
                if dep == "dative" and parse.tokens[child].pos == "ADP":
                    yield from _under_preposition(parse, child, so_far, pending, wordings)
                    continue
                yield from _noun(parse, child, so_far, pending, wordings)
            elif dep in ("prep", "agent") or (dep == "advmod" and parse.tokens[child].pos == "ADP"):
                step = so_far
                state = [c for c in parse.dep_children(verb, "acomp") if c < child] if at == verb else []
                if state:  # "is famous for", "is live at"
                    word = parse.tokens[state[0]].lemma.casefold()
                    step = replace(so_far, path=(*so_far.path, word), short=(*so_far.short, word))
                elif at == verb and taken and taken[0] < child:  # "took a chat from X": the chat belongs to the phrase
                    nouns = parse.words_of(taken[0])
                    step = replace(so_far, path=(*so_far.path, *nouns), short=(*so_far.short, nouns[-1]))
                yield from _under_preposition(parse, child, step, pending, wordings)
            elif dep == "acomp" and at == verb:
                step = replace(
                    so_far,
                    head=child,
                    path=(*so_far.path, parse.tokens[child].lemma.casefold()),
                    short=(*so_far.short, parse.tokens[child].lemma.casefold()),
                )
                pending.append((child, step))
            elif dep in ("acl",) and parse.tokens[child].tag == "VBN" and at != verb and parse.mention_at(at) is None:
                step = replace(
                    so_far,
                    head=child,
                    path=(*so_far.path, parse.tokens[child].text.casefold()),
                    short=(*so_far.short, parse.tokens[child].text.casefold()),
                )
                pending.append((child, step))


def _under_preposition(
    parse: Parse, prep: int, so_far: Reach, pending: list[tuple[int, Reach]], wordings: Wordings
) -> Iterator[Reach]:
    word = parse.tokens[prep].lemma.casefold()
    step = replace(so_far, path=(*so_far.path, word), short=(*so_far.short, word), preposition=word)
    for child in parse.children[prep]:
        token = parse.tokens[child]
        if token.dep in ("pobj", "pcomp") and token.pos != "VERB":
            yield from _noun(parse, child, step, pending, wordings)
        elif token.dep == "prep":  # "out of" is one; "from X about Y" are two of the same verb
            yield from _under_preposition(parse, child, step if child == prep + 1 else so_far, pending, wordings)


def _noun(
    parse: Parse, head: int, so_far: Reach, pending: list[tuple[int, Reach]], wordings: Wordings
) -> Iterator[Reach]:
    for one in parse.spread(head):
        mention = parse.mention_at(one)
        named = [] if mention is not None else _apposed(parse, one)
        if not named and (mention is not None or not _only_says_kind(parse, one)):
            yield replace(so_far, head=one)
        if mention is not None:
            if mention.type in ("quantity", "duration"):  # "bought 40 licences of X"
                pending.append((one, replace(so_far, head=one)))
                continue
            # A preposition after a name mostly belongs to the verb: "joined Acme in Berlin as CFO".
            if any(parse.tokens[c].lemma.casefold() in _THROUGH for c in parse.dep_children(one, "prep")):
                pending.append(
                    (one, replace(so_far, head=one, through=True, path=_verb_part(so_far), short=_verb_part(so_far)))
                )
            continue
        for apposed in named:  # "manages the vendor Acme"
            yield replace(so_far, head=apposed)
        nouns = tuple(parse.words_of(one))
        for inner in names_inside(parse, one):  # "took over the Acme account"
            yield replace(so_far, head=inner, path=(*so_far.path, *nouns), short=(*so_far.short, nouns[-1]))
        type_noun = wordings.type_nouns.get(" ".join(nouns)) or wordings.type_nouns.get(nouns[-1], "")
        step = replace(
            so_far,
            head=one,
            path=(*so_far.path, *nouns),
            short=(*so_far.short, nouns[-1]),
            last_noun=one,
            type_noun=type_noun,
        )
        pending.append((one, step))


def _only_says_kind(parse: Parse, head: int) -> bool:
    """Whether a noun is no thing of its own but the kind of what "of" brings: the continent of Asia, not the state of repair."""
    noun = parse.tokens[head].lemma.casefold()
    if noun not in _PLACES | KINDS:
        return False
    brought = [c for prep in parse.dep_children(head, "prep") for c in parse.dep_children(prep, "pobj")
               if parse.tokens[prep].lemma.casefold() == "of"]  # fmt: skip
    return bool(brought) and (noun in KINDS or any(parse.mention_at(c) is not None for c in brought))


def is_kind(noun: str) -> bool:
    """Whether a noun says of a plain word behind "of" what kind of thing it is: the position of wing back."""
    return noun in KINDS


def _apposed(parse: Parse, head: int) -> list[int]:
    """Names right behind a noun that says what they are: the vendor Acme."""
    return [child for child in parse.dep_children(head, "appos") if parse.mention_at(child) is not None]


def names_inside(parse: Parse, head: int) -> list[int]:
    """Heads of the names that stand in front of a noun as part of its phrase."""
    found: list[int] = []
    for child in parse.dep_children(head, "compound", "nmod", "poss", "amod"):
        mention = parse.mention_at(child)
        if mention is not None and not mention.pronoun and mention.head >= 0 and mention.type != "date":
            found.append(mention.head)
    return list(dict.fromkeys(found))


# Whoever manages these manages no more than that: not the firm whose account it is.
_SERVED = frozenset("account client customer relationship success key sales".split())


def _is_other_post(found: Reach) -> bool:
    """Whether words before a post make it one for a client: an account manager of X is no manager of X."""
    return bool((set(found.path) - set(found.short)) & _SERVED) and any(word in ROLE_HEADS for word in found.short)


def _verb_part(so_far: Reach) -> tuple[str, ...]:
    """The particles only: what led to the name does not lead past it."""
    return ()


def keys_of(parse: Parse, verb: int, found: Reach, passive: bool) -> Iterator[Key]:
    """Spellings of the verb phrase, the fullest first; words as they stand, not yet stemmed."""
    token = parse.tokens[verb]
    lemma = token.lemma.casefold()
    starts: list[tuple[str, ...]] = [(lemma,)]
    if passive:
        starts = [("be", token.text.casefold()), ("be", lemma)]
    elif token.lemma == "be":
        starts = [("be",)]
    ways = (found.path,) if token.lemma == "be" and _is_other_post(found) else (found.path, found.short)
    for path in dict.fromkeys(ways):
        for start in starts:
            yield (*start, *path)
    if len(found.short) == 2 and found.preposition:
        for start in starts:
            yield (*start, ANYTHING, found.preposition)
    # "born in the city of X" is "born in X"; "plays the position of X" is "plays the position".
    if found.type_noun and found.preposition == "of" and len(found.short) >= 2:
        for start in starts:
            yield (*start, *found.short[:-1])
            yield (*start, *found.short[:-2])
