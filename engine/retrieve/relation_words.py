"""The words of questions against the relations of the ontology: which relation a group of words asks for, and from which end."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from muniment.engine.ingest.language import has_han
from muniment.engine.ingest.terms import fold, stem
from muniment.graph_schema.ontology import Alias, Direction, Ontology, Part, Relation

_WORD: Final = re.compile(r"[^\W_]+")
_FUNCTION: Final = frozenset(
    "a an the our their its his her my your is are was were be been being has have had do does did and or to of in on at by for with from "
    "as that which who whom whose where what when it this these those now also then into we us than".split()
)
_LINKS: Final = frozenset("by to for in at of from on with under".split())
# Past forms that a stemmer does not bring back; general English.
_IRREGULAR: Final[Mapping[str, str]] = {
    "led": "lead", "took": "take", "taken": "take", "sat": "sit", "sold": "sell", "bought": "buy", "held": "hold",
    "made": "make", "ran": "run", "heard": "hear", "went": "go", "gone": "go", "brought": "bring", "sung": "sing",
    "sang": "sing", "wrote": "write", "written": "write", "built": "build", "taught": "teach", "left": "leave",
    "found": "find", "met": "meet", "paid": "pay", "sent": "send", "gave": "give", "given": "give", "kept": "keep",
    "won": "win", "known": "know", "knew": "know", "born": "born", "oversaw": "oversee", "overseen": "oversee",
    "begun": "begin", "began": "begin", "drawn": "draw", "married": "marry", "spoke": "speak", "spoken": "speak",
    "grew": "grow", "grown": "grow", "chose": "choose", "chosen": "choose", "drove": "drive", "driven": "drive",
    "flew": "fly", "flown": "fly", "fought": "fight", "lost": "lose", "meant": "mean", "said": "say", "stood": "stand",
    "told": "tell", "thought": "think", "won't": "will", "wore": "wear", "worn": "wear", "practise": "practice",
    "organisation": "organization", "licence": "license", "overruled": "overrule",
}  # fmt: skip
# Too general to be a relation of their own: they say what kind of thing is meant, and cost little to skip.
LIGHT_WORDS: Final = frozenset(
    "person people one someone somebody company country city place name thing firm organisation organization case man woman matter account "
    "location kind type".split()
)

NOUN_SURE: Final = 1.0
_NOUN_LAST: Final = 0.9
_NOUN_INSIDE: Final = 0.6
_VERB_SURE: Final = 0.9
_VERB_IN_NOUNS: Final = 0.5
_HINT: Final = 0.75
_HAN: Final = 0.9


class Known(NamedTuple):
    """A relation and which of its ends the question already has: the subject, or else the object."""

    relation: str
    subject: bool


class Role:
    """What the known end is to the verb of a chunk."""

    SUBJECT = "subject"
    OBJECT = "object"
    NONE = ""


@dataclass(frozen=True, slots=True)
class _Verb:
    stems: tuple[str, ...]
    passive: bool
    relation: str
    forward: bool


def stems(text: str) -> list[str]:
    """Stems of the words of a text in order, function words included, irregular past forms brought back."""
    return [stem(_IRREGULAR.get(word, word)) for word in _words(text)]


def content_stems(text: str) -> list[str]:
    """The same without function words."""
    return [stem(_IRREGULAR.get(word, word)) for word in _words(text) if word not in _FUNCTION]


def _words(text: str) -> list[str]:
    return _WORD.findall(fold(text))


LIGHT_STEMS: Final = frozenset(stem(word) for word in LIGHT_WORDS)


class RelationWords:
    """An index over an ontology's wordings, built once for each."""

    def __init__(self, ontology: Ontology) -> None:
        self.ontology = ontology
        self._nouns: dict[tuple[str, ...], list[tuple[Known, float]]] = defaultdict(list)
        self._verbs: dict[str, list[_Verb]] = defaultdict(list)
        self._han: dict[str, list[Known]] = defaultdict(list)
        for relation in ontology.relations:
            self._add_name(relation)
            for alias in relation.aliases:
                self._add(relation, alias)
        self._longest = max((len(key) for key in self._nouns), default=1)
        self._longest_han = max((len(key) for key in self._han), default=1)

    def asked(self, words: Sequence[str], role: str = Role.NONE) -> dict[Known, float]:
        """What a chunk of a question may ask for, each with how sure that is, in (0, 1].

        `role` is what the end that is already known is to the chunk's verb, empty for a chunk without one.
        """
        text = " ".join(words)
        if has_han(text):
            return self._asked_han(text)
        out: dict[Known, float] = {}
        found = content_stems(text)
        self._ask_nouns(found, out)
        for i, first in enumerate(found):
            for verb in self._verbs.get(first, ()):
                self._ask_verb(verb, found[i:], role, out)
        return out

    def steps_han(self, text: str) -> list[str]:
        """A piece of a Chinese question cut where a wording of the ontology ends and more is said: 上级住 into 上级 and 住.

        A piece that is a wording itself stays whole: 总部位于.
        """
        if text not in self._han:
            for size in range(len(text) - 1, 1, -1):
                if text[:size] in self._han:
                    return [text[:size], *self.steps_han(text[size:])]
        return [text]

    def _ask_nouns(self, found: Sequence[str], out: dict[Known, float]) -> None:
        for size in range(min(self._longest, len(found)), 0, -1):
            for i in range(len(found) - size + 1):
                for known, sure in self._nouns.get(tuple(found[i : i + size]), ()):
                    whole = size > 1 or len(found) == 1
                    place = NOUN_SURE if whole else _NOUN_LAST if i + size == len(found) else _NOUN_INSIDE
                    out[known] = max(out.get(known, 0.0), place * sure)

    def _ask_verb(self, verb: _Verb, found: Sequence[str], role: str, out: dict[Known, float]) -> None:
        rest = [word for word in verb.stems[1:] if word not in _LINKS]
        if not all(word in found for word in rest):
            return
        # An active verb's subject is the relation's subject where the wording runs forward; a passive's turns it round.
        known_is_agent = role == Role.SUBJECT
        known_is_subject = known_is_agent == (verb.forward != verb.passive)
        known = Known(verb.relation, known_is_subject)
        sure = _VERB_SURE if role else _VERB_IN_NOUNS
        if role or len(verb.stems) == 1 + len(rest):
            out[known] = max(out.get(known, 0.0), sure)

    def _asked_han(self, text: str) -> dict[Known, float]:
        out: dict[Known, float] = {}
        for size in range(min(self._longest_han, len(text)), 0, -1):
            for i in range(len(text) - size + 1):
                for known in self._han.get(text[i : i + size], ()):
                    sure = _HAN * (0.5 + 0.5 * size / len(text))
                    out[known] = max(out.get(known, 0.0), sure)
        return out

    def _add_name(self, relation: Relation) -> None:
        first, *rest = relation.name.split("_")
        if first != "has" and (first.endswith("s") or relation.name.rpartition("_")[2] in _LINKS | {"of", "after"}):
            return  # a verb or half a phrase ("manages", "price_of"): its wordings say it better
        key = tuple(content_stems(" ".join(rest if first == "has" else [first, *rest])))
        if key:
            self._nouns[key].append((Known(relation.name, True), NOUN_SURE))

    def _add(self, relation: Relation, alias: Alias) -> None:
        forward = alias.direction is Direction.FORWARD
        if has_han(alias.text):
            for part in alias.text.split("…"):
                if len(part) > 1:
                    self._han[part].append(Known(relation.name, forward))
        elif alias.part is Part.VERB:
            words = [word for word in stems(alias.text) if word != "be" and word not in ("a", "an", "the")]
            if words:
                verb = _Verb(tuple(words), alias.text.endswith(" by"), relation.name, forward)
                self._verbs[next((w for w in words if w not in _LINKS), words[0])].append(verb)
        else:
            key = tuple(content_stems(alias.text))
            if key:
                self._nouns[key].append(
                    (Known(relation.name, forward), _HINT if alias.part is Part.HINT else NOUN_SURE)
                )
