"""A dependency parse that can be walked: children, subjects, phrases, and which mention a token belongs to."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from muniment.engine.extract.mentions import PERSON, Mention
from muniment.engine.ports.models import Analysis, Token

_RELATIVE = frozenset({"who", "which", "that", "whom"})
_SUBJECTS = frozenset({"nsubj", "nsubjpass"})


def _mended(token: Token) -> Token:
    """The token with a better lemma where the lemmatizer is known to slip."""
    text = token.text.casefold()
    if token.tag == "VBZ" and text == token.lemma + "es" and not token.lemma.endswith(("s", "x", "z", "ch", "sh", "o")):
        return replace(token, lemma=text[:-1])  # hates → hat
    if token.lemma.endswith("ie") and token.text.casefold().endswith("ies") and len(token.lemma) > 4:
        return replace(token, lemma=token.lemma[:-2] + "y")  # relies, taken for a noun → relie
    return token


_ALSO_NOUNS = frozenset("work report live study answer lead head travel commute volunteer".split())


KINDS = frozenset("position sport game role language religion genre".split())
"""Nouns that say of a plain word behind "of" what kind of thing it is: the position of wing back."""


def _without_false_deeds(tokens: Sequence[Token]) -> Iterator[Token]:
    """The tokens, a participle behind such a noun as part of the name behind it: "the position of leading hand" is no deed."""
    turned: dict[int, int] = {}
    for index, token in enumerate(tokens):
        if token.dep != "pcomp" or token.tag != "VBG" or not 0 < token.head < index or index + 1 >= len(tokens):
            continue
        of, thing = tokens[token.head], tokens[index + 1]
        if (
            of.lemma == "of"
            and thing.pos == "NOUN"
            and thing.head == index
            and 0 <= of.head < len(tokens)
            and tokens[of.head].lemma.casefold() in KINDS
        ):
            turned[index] = index + 1
    by_thing = {thing: index for index, thing in turned.items()}
    for index, token in enumerate(tokens):
        if index in turned:
            yield replace(token, head=turned[index], dep="amod", pos="ADJ")
        elif index in by_thing:
            yield replace(token, head=tokens[by_thing[index]].head, dep="pobj")
        else:
            yield replace(token, head=turned[token.head]) if token.head in turned else token


class Parse:
    """One analysed text with its mentions. Token indexes are those of the analysis."""

    def __init__(self, text: str, analysis: Analysis, mentions: Sequence[Mention]) -> None:
        self.text = text
        self.tokens: tuple[Token, ...] = tuple(_without_false_deeds(tuple(map(_mended, analysis.tokens))))
        self.mentions = list(mentions)
        self.children: list[list[int]] = [[] for _ in self.tokens]
        for index, token in enumerate(self.tokens):
            if token.head != index and 0 <= token.head < len(self.tokens):
                self.children[token.head].append(index)
        self._of_token: dict[int, Mention] = {}
        for mention in self.mentions:
            for index, token in enumerate(self.tokens):
                if token.start < mention.end and mention.start < token.end:
                    self._of_token[index] = mention

    def mention_at(self, index: int) -> Mention | None:
        return self._of_token.get(index)

    def dep_children(self, index: int, *deps: str) -> list[int]:
        return [child for child in self.children[index] if self.tokens[child].dep in deps]

    def predicates(self) -> Iterator[int]:
        """Verbs, and forms of "be" and "have" that are no auxiliaries, in order."""
        for index, token in enumerate(self.tokens):
            if index and token.tag in ("VBZ", "VBP", "VB") and self.tokens[index - 1].tag == "POS":
                continue  # "Oriel's works at Marsh": a noun, whatever the tagger says
            if (
                (token.pos in ("VERB", "AUX") and token.dep not in ("aux", "auxpass") and index not in self._of_token)
                or (
                    token.dep in ("ROOT", "relcl", "conj", "ccomp", "advcl", "acl")
                    and token.tag.startswith("VB")
                    and index not in self._of_token
                )
                or (token.dep == "conj" and token.tag == "NN" and self._is_verb_after_all(index))
            ):
                yield index

    def _is_verb_after_all(self, index: int) -> bool:
        """ "I live in X and work at Y": the tagger takes the second verb for a noun."""
        token = self.tokens[index]
        if token.lemma not in _ALSO_NOUNS or index in self._of_token or not self.dep_children(index, "prep"):
            return False
        return not self.dep_children(index, "det", "amod", "compound", "poss") and self.tokens[index - 1].text == "and"

    def is_passive(self, verb: int) -> bool:
        token = self.tokens[verb]
        if self.dep_children(verb, "auxpass", "nsubjpass"):
            return True
        if token.dep == "acl" and token.tag == "VBN":
            return True
        if token.dep == "conj" and token.tag == "VBN" and not self.dep_children(verb, "aux", "nsubj"):
            return self.is_passive(token.head)
        return False

    def subjects(self, verb: int, depth: int = 0) -> list[int]:
        """Heads of the noun phrases that are the verb's grammatical subject, conjuncts included.

        Where a noun only says what a name is ("my colleague Mei"), the name is the subject.
        """
        return [self._named(head) for head in self._subject_heads(verb, depth)]

    def _named(self, head: int) -> int:
        if head in self._of_token:
            return head
        apposed = [
            c for c in self.dep_children(head, "appos") if (m := self._of_token.get(c)) is not None and not m.is_value
        ]
        return apposed[0] if apposed else head

    def _subject_heads(self, verb: int, depth: int) -> list[int]:
        token = self.tokens[verb]
        found: list[int] = []
        for child in self.dep_children(verb, *_SUBJECTS):
            if self.tokens[child].text.casefold() in _RELATIVE and token.dep in ("relcl", "ccomp", "acl"):
                found += self.spread(token.head)
            else:
                found += self.spread(child)
        if not found:
            found = [
                c
                for c in self.dep_children(verb, "npadvmod")
                if c < verb and (m := self._of_token.get(c)) is not None and m.type == PERSON
            ]
        if found or depth > 4:
            return found
        if token.dep in ("acl", "relcl") and token.tag in ("VBN", "VBG", "VB"):
            return self.spread(token.head)
        if token.dep == "conj" and self.tokens[token.head].pos == "NOUN" and self._is_verb_after_all(verb):
            above = token.head
            while self.tokens[above].pos not in ("VERB", "AUX") and self.tokens[above].head != above:
                above = self.tokens[above].head
            return self._subject_heads(above, depth + 1)
        if token.dep in ("conj", "xcomp", "advcl", "pcomp") and self.tokens[token.head].pos in ("VERB", "AUX"):
            return self._subject_heads(token.head, depth + 1)
        if token.dep == "pcomp" and self.tokens[token.head].head != token.head:
            governor = self.tokens[token.head].head
            return self._subject_heads(governor, depth + 1) if self.tokens[governor].pos in ("VERB", "AUX") else []
        return []

    def relative_object(self, verb: int) -> int | None:
        """What a relative clause without its own object is about: "the firm that Acme bought"."""
        token = self.tokens[verb]
        if token.dep != "relcl" or self.dep_children(verb, "dobj"):
            return None
        subjects = self.dep_children(verb, "nsubj")
        if not subjects or self.tokens[subjects[0]].text.casefold() in _RELATIVE:
            return None
        return token.head

    def spread(self, head: int) -> list[int]:
        """The head of a noun phrase and those of its conjuncts: "Ana and Tom"."""
        found = [head]
        for child in self.dep_children(head, "conj"):
            if self._is_verb_after_all(child):
                continue
            if self.tokens[child].pos in ("PROPN", "NOUN", "PRON", "NUM", "X") or child in self._of_token:
                found += self.spread(child)
        return found

    def words_of(self, head: int) -> list[str]:
        """Lemmas of a noun with the nouns and adjectives in front of it: `head`, `account manager`."""
        parts = [
            child
            for child in self.children[head]
            if self.tokens[child].dep in ("compound", "amod", "nmod") and child < head and child not in self._of_token
        ]
        nested = [p for part in parts for p in (*self.dep_children(part, "compound", "amod"), part)]
        return [self.tokens[i].lemma.casefold() for i in sorted({*nested, head})]

    def phrase_span(
        self, head: int, *, stop: Sequence[str] = ("relcl", "appos", "conj", "cc", "punct", "acl")
    ) -> tuple[int, int]:
        """[start, end) of a noun phrase without its article, relative clause and conjuncts."""
        wanted = {head}
        pending = [head]
        while pending:
            for child in self.children[pending.pop()]:
                token = self.tokens[child]
                if token.dep in stop or (token.dep in ("det", "poss") and not self._of_token.get(child)):
                    continue
                wanted.add(child)
                pending.append(child)
        first, last = min(wanted), max(wanted)
        # A hole (something left out in the middle) ends the phrase.
        for index in range(head, last + 1):
            if index not in wanted and self.tokens[index].dep != "punct" and not self._is_article_within(index):
                last = index - 1
                break
        for index in range(head, first - 1, -1):
            if index not in wanted and self.tokens[index].dep != "punct":
                first = index + 1
                break
        return self.tokens[first].start, self.tokens[last].end

    def _is_article_within(self, index: int) -> bool:
        """The article of what a preposition brings: the laws of *the* State."""
        token = self.tokens[index]
        return token.dep == "det" and self.tokens[token.head].dep == "pobj"

    def _with_joined_names(self, head: int, start: int, end: int) -> int:
        """Where a noun phrase ends whose last word is one of several names: the law of England *and Wales*."""
        last = next((i for i in range(len(self.tokens) - 1, -1, -1) if start <= self.tokens[i].start < end), -1)
        at = last
        while at not in (-1, head) and self.tokens[at].dep in ("compound", "nmod"):
            at = self.tokens[at].head
        if at in (-1, head) or self.tokens[at].dep != "pobj":
            return end
        if self.tokens[self.tokens[at].head].lemma.casefold() not in ("of", "between", "among"):
            return end
        for child in self.dep_children(at, "conj"):
            token = self.tokens[child]
            if token.pos == "PROPN" and re.fullmatch(
                r"\s*(?:,|and|&|or)\s+(?:the\s+)?", self.text[end : self.phrase_span(child)[0]]
            ):
                end = self.phrase_span(child)[1]
        return end

    def as_mention(self, head: int, *, rule: str = "en.phrase", short: bool = False) -> Mention:
        """The mention of a token, or its noun phrase as a literal."""
        known = self._of_token.get(head)
        if known is not None:
            return known
        stop = ("relcl", "appos", "conj", "cc", "punct", "acl", *(("prep",) if short else ()))
        start, end = self.phrase_span(head, stop=stop)
        end = self._with_joined_names(head, start, end)
        token = self.tokens[head]
        pronoun = token.pos == "PRON"
        return Mention(
            start=start, end=end, text=self.text[start:end], is_value=not pronoun, pronoun=pronoun, head=head, rule=rule
        )
