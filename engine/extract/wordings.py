"""Which relation of the ontology a wording means, and in which direction, judged with the types of its two ends."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from muniment.engine.extract.chinese.idioms import IDIOMS
from muniment.engine.extract.english.idioms import Idiom, idioms, noun_idioms
from muniment.engine.extract.english.words import FEMALE_NAMES, MALE_NAMES
from muniment.engine.extract.keys import Key, stem_key
from muniment.engine.extract.mentions import Mention
from muniment.engine.ingest.terms import fold, stem
from muniment.graph_schema.ontology import Direction, Ontology, Part, Relation, ValueKind

_AMOUNTS = frozenset({"money", "quantity", "duration"})
_WITH = ("与", "和", "跟", "同")  # one word as good as the other: 与…结婚, 跟…结婚
# How well a mention's type fits a relation's end. Below the threshold the wording does not name the relation.
_FITS, _UNKNOWN, _RETYPED, _NEVER = 1.0, 0.7, 0.4, 0.0
MIN_FIT = 0.15


@dataclass(frozen=True, slots=True, kw_only=True)
class Wording:
    """A relation that a wording may mean; `forward` if the subject is named first."""

    relation: Relation
    forward: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Circumfix:
    """A Chinese wording; `before` and `after` are its parts around the other argument, `after` empty for a plain one."""

    before: str
    after: str
    wording: Wording


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """The relation that was chosen, with its subject and object, and how well the types fit, in (0, 1]."""

    relation: Relation
    subject: Mention
    object: Mention
    fit: float


class Wordings:
    """An index of an ontology's aliases; built once an ontology, read by all rules."""

    def __init__(self, ontology: Ontology) -> None:
        self.ontology = ontology
        self._verbs: dict[Key, list[Wording]] = {}
        self._exact: dict[Key, list[Wording]] = {}
        self._nouns: dict[Key, list[Wording]] = {}
        self._idioms = idioms()
        self._noun_idioms = noun_idioms()
        self._han_verbs: dict[str, list[Circumfix]] = {}
        self.han_nouns: dict[str, list[Wording]] = {}
        self.type_nouns: dict[str, str] = {}
        for relation in ontology.relations:
            self._add_relation(relation)
        for entity_type in ontology.entity_types:
            for name in (entity_type.name.replace("_", " "), *entity_type.aliases):
                self.type_nouns.setdefault(name.casefold(), entity_type.name)
        for text, name, forward in IDIOMS:
            relation = ontology.relation(name).relation
            if relation.known:
                self._add_han(text, Part.VERB, Wording(relation=relation, forward=forward))
        self._han_openings: dict[str, list[str]] = {}
        for opening in sorted(self._han_verbs, key=len, reverse=True):
            self._han_openings.setdefault(opening[0], []).append(opening)

    def _add_relation(self, relation: Relation) -> None:
        for alias in relation.aliases:
            if alias.part is Part.HINT:
                continue
            forward = relation.symmetric or alias.direction is Direction.FORWARD
            wording = Wording(relation=relation, forward=forward)
            if alias.lang == "zh" or not alias.text.isascii():
                self._add_han(alias.text, alias.part, wording)
            else:
                index = self._verbs if alias.part is Part.VERB else self._nouns
                index.setdefault(stem_key(alias.text), []).append(wording)
                if alias.part is Part.VERB:
                    self._exact.setdefault(tuple(fold(alias.text).split()), []).append(wording)
        if not relation.known:
            return
        plain = relation.name.replace("_", " ")
        index = self._verbs if " " in plain and not plain.startswith("has ") else self._nouns
        index.setdefault(stem_key(plain.removeprefix("has ")), []).append(Wording(relation=relation, forward=True))

    def _add_han(self, text: str, part: Part, wording: Wording) -> None:
        if part is Part.NOUN:
            self.han_nouns.setdefault(text, []).append(wording)
            return
        before, _, after = text.partition("…")
        if before in _WITH and after:
            for other in _WITH:
                circumfix = Circumfix(before=other, after=after, wording=wording)
                known = self._han_verbs.setdefault(other, [])
                known += [] if circumfix in known else [circumfix]
        elif before or after:
            circumfix = Circumfix(before=before, after=after, wording=wording)
            self._han_verbs.setdefault(before or after, []).append(circumfix)

    def han_verbs_at(self, text: str, at: int) -> Iterator[tuple[str, list[Circumfix]]]:
        """Chinese wordings whose first part stands at an offset, the longest first, each with its ways to go on."""
        for opening in self._han_openings.get(text[at], ()):
            if text.startswith(opening, at):
                yield opening, self._han_verbs[opening]

    def verb(self, keys: Iterable[Key], first: Mention, second: Mention) -> Chosen | None:
        """What the first known of `keys` means between the ends, in the order in which they are said."""
        keys = list(keys)
        for words in keys:
            key = tuple(map(stem, words))
            typed = self._idiom(self._idioms.get(key, ()), first, second)
            if typed is not None:
                return typed
            # "be found by" and "be founded by" have the same stems: the very words go first
            found = self._exact.get(words) or self._verbs.get(key)
            chosen = self.choose(found, first, second) if found else None
            if chosen is not None:
                return chosen
        for words in keys:
            loose = self._loose_idiom(self._idioms.get(tuple(map(stem, words)), ()), first, second)
            if loose is not None:
                return loose
        return None

    def _idiom(self, known: Sequence[Idiom], first: Mention, second: Mention) -> Chosen | None:
        """What a general phrase means between two ends of the right types."""
        for idiom in known:
            if self._is_any(first.type, idiom.first) and self._is_any(second.type, idiom.second):
                chosen = self._as_told(idiom, first, second, _FITS)
                if chosen is not None:
                    return chosen
        return None

    def _loose_idiom(self, known: Sequence[Idiom], first: Mention, second: Mention) -> Chosen | None:
        """The same where one end's type is unknown or a mere guess, if then only one idiom fits."""
        if first.pronoun or second.pronoun or first.is_value or second.is_value:
            return None
        found: list[Chosen] = []
        for idiom in known:
            fits = (self._is_any(first.type, idiom.first), self._is_any(second.type, idiom.second))
            if any(fits) and (fits[0] or not is_firm(first)) and (fits[1] or not is_firm(second)):
                chosen = self._as_told(idiom, first, second, _UNKNOWN)
                found += [chosen] if chosen is not None else []
        return found[0] if len(found) == 1 else None

    def _as_told(self, idiom: Idiom, first: Mention, second: Mention, fit: float) -> Chosen | None:
        relation = self.ontology.relation(idiom.relation).relation
        subject, object_ = (first, second) if idiom.forward else (second, first)
        return Chosen(relation=relation, subject=subject, object=object_, fit=fit) if relation.known else None

    def _is_any(self, type_: str, wanted: Sequence[str]) -> bool:
        return "*" in wanted or (bool(type_) and any(self.ontology.is_a(type_, one) for one in wanted))

    def noun(self, keys: Iterable[Key], owner: Mention, value: Mention) -> Chosen | None:
        """What "the N of `owner` is `value`" means."""
        for key in keys:
            typed = self._idiom(self._noun_idioms.get(key, ()), owner, value)
            if typed is not None:
                return typed
            found = self._nouns.get(key)
            if found:
                chosen = self.choose(found, owner, value)
                if chosen is not None:
                    return chosen
        return None

    def is_noun(self, key: Key) -> bool:
        return key in self._nouns

    def is_verb(self, key: Key) -> bool:
        return key in self._verbs

    def choose(self, wordings: Sequence[Wording], first: Mention, second: Mention) -> Chosen | None:
        """The reading whose types fit best; None where none fits, or where two different ones fit alike."""
        rated: list[tuple[float, Chosen]] = []
        for wording in wordings:
            subject, object_ = (first, second) if wording.forward else (second, first)
            fit = self.fit(wording.relation, subject, object_)
            if fit >= MIN_FIT:
                chosen = Chosen(relation=wording.relation, subject=subject, object=object_, fit=fit)
                rated.append((fit, chosen))
        if not rated:
            return None
        best = max(fit for fit, _ in rated)
        winners = [chosen for fit, chosen in rated if fit == best]
        return winners[0] if len({w.relation.name for w in winners}) == 1 else None

    def fit(self, relation: Relation, subject: Mention, object_: Mention) -> float:
        """How well the ends' types suit the relation, in [0, 1]."""
        return self._end_fit(subject, relation.subject_types) * self._object_fit(object_, relation)

    def _object_fit(self, mention: Mention, relation: Relation) -> float:
        kind = relation.value_kind
        if kind is ValueKind.AMOUNT:
            if mention.type == "money" and tuple(relation.object_types) == ("quantity",):
                return _NEVER  # a score or a headcount is no sum of money
            return _FITS if mention.type in _AMOUNTS else _RETYPED if any(c.isdigit() for c in mention.text) else _NEVER
        if kind is ValueKind.DATE:
            return _FITS if mention.type == "date" else _NEVER
        if kind is ValueKind.TEXT:
            types = [t for t in relation.object_types if t not in ("thing", "text", "value")]
            if mention.type in types or not types:
                return _FITS
            return _UNKNOWN if not mention.type or (mention.is_value and mention.type == "text") else _RETYPED
        if mention.is_value and mention.type in ("date", "money", "email", "phone", "url"):
            return _NEVER
        return self._end_fit(mention, relation.object_types)

    def _end_fit(self, mention: Mention, allowed: Sequence[str]) -> float:
        if "thing" in allowed:
            return _FITS if mention.type else _UNKNOWN
        if not mention.type or mention.pronoun:
            return _UNKNOWN
        for type_ in allowed:
            if self.ontology.is_a(mention.type, type_) or self.ontology.is_a(type_, mention.type):
                return _FITS
        return _NEVER if is_firm(mention) else _RETYPED


def is_firm(mention: Mention) -> bool:
    """Whether a mention's type stands against what a sentence seems to make of it.

    The tagger's guess gives way; a proven spelling does not, nor a full personal name with a known first name.
    """
    names = FEMALE_NAMES | MALE_NAMES
    parts = mention.text.casefold().split()
    return mention.sure or mention.pronoun or (mention.type == "person" and len(parts) > 1 and parts[0] in names)


def spread(words: Sequence[str]) -> Iterator[Key]:
    """Keys of a noun phrase, from the whole to its last word: `new account manager`, `account manager`, `manager`."""
    stems = [s for word in words for s in stem_key(word)]
    for start in range(len(stems)):
        yield tuple(stems[start:])


__all__ = ["Chosen", "Circumfix", "Key", "Wording", "Wordings", "spread", "stem_key"]
