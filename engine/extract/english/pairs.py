"""What two do to each other, told of both at once: "Ana and Tom are divorced", "Acme and Halden merged"."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from muniment.engine.extract.english.parse import Parse
from muniment.engine.extract.english.stance import clause_stance
from muniment.engine.extract.fitting import fitted, retyped
from muniment.engine.extract.links import Link, Stance
from muniment.engine.extract.mentions import Mention
from muniment.engine.extract.wordings import Chosen, Wordings

RULE: Final = "en.pair"
_LEAST_FIT: Final = 0.4
_TIES: Final = ("to", "from", "with")


def pair_links(parse: Parse, wordings: Wordings, above: Stance) -> Iterator[Link]:
    """Relations that read the same both ways, of a verb or state whose subject is two names and which says nothing of a third."""
    for verb in dict.fromkeys(parse.predicates()):
        pair = _pair(parse, verb)
        if pair is None:
            continue
        state = _state(parse, verb)
        stance = clause_stance(parse, verb).under(above)
        if not state or stance.silent:
            continue
        for tie in ("", *_TIES):
            chosen = wordings.verb([tuple(filter(None, (*state, tie)))], *pair)
            if chosen is not None and chosen.relation.symmetric and chosen.fit >= _LEAST_FIT:
                yield _link(chosen, " ".join(state), parse.tokens[verb].start, stance)
                break


def _pair(parse: Parse, verb: int) -> tuple[Mention, Mention] | None:
    """The two names that are the subject together, where nothing else is."""
    heads = parse.subjects(verb) or [
        head for aux in parse.dep_children(verb, "auxpass", "aux") for head in parse.subjects(aux)
    ]  # the parse may hang the subject on the auxiliary
    if len(heads) != 2 or not any(parse.dep_children(head, "cc") for head in heads):
        return None
    if any(parse.tokens[c].text.casefold() in ("or", "nor") for head in heads for c in parse.dep_children(head, "cc")):
        return None
    one, other = (parse.mention_at(head) for head in heads)
    if one is None or other is None or one.start == other.start:
        return None
    return (one, other) if all(not m.is_value and (not m.pronoun or m.same_as) for m in (one, other)) else None


def _state(parse: Parse, verb: int) -> tuple[str, ...]:
    """The words of the verb or state: ("be", "divorced"); none where an object or a "with" brings a third."""
    token = parse.tokens[verb]
    if any(_is_third(parse, c) for c in parse.dep_children(verb, "dobj", "attr", "dative", "oprd")):
        return ()
    if any(parse.tokens[c].lemma.casefold() in _TIES for c in parse.dep_children(verb, "prep", "agent")):
        return ()
    if token.lemma == "be":
        told = parse.dep_children(verb, "acomp")
        return ("be", parse.tokens[told[0]].text.casefold()) if len(told) == 1 else ()
    if token.lemma == "get" or parse.dep_children(verb, "auxpass"):
        told = parse.dep_children(verb, "acomp", "xcomp") if token.lemma == "get" else [verb]
        return ("be", parse.tokens[told[0]].text.casefold()) if len(told) == 1 else ()
    return (token.lemma.casefold(),)


def _is_third(parse: Parse, child: int) -> bool:
    """Whether an object is more than "each other" or the day on which it was."""
    mention = parse.mention_at(child)
    return parse.tokens[child].text.casefold() not in ("other", "another") and (
        mention is None or mention.type != "date"
    )


def _link(chosen: Chosen, phrase: str, anchor: int, stance: Stance) -> Link:
    return Link(
        subject=retyped(chosen.subject, chosen.relation.subject_types),
        object=retyped(chosen.object, chosen.relation.object_types),
        relation=chosen.relation.name,
        phrase=phrase,
        rule=RULE,
        confidence=fitted(RULE, chosen.fit),
        anchor=anchor,
        stance=stance,
    )
