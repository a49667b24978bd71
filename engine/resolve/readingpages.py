"""The pages of the rules by which texts are read: what each finds, with its example. Written out by `rulepages`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from muniment.engine.extract.rule_list import Area, ListedRule, listed_rules


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingPage:
    """A rule of a candidate in words; `example` is a text that it reads, empty where only its surroundings show it."""

    id: str
    reads: str
    effect: str
    example: str = ""


_FACT: Final = (
    "A candidate with a confidence of at most {confidence}, less where an end's type fits badly or the words doubt it. Written, it is an "
    "assertion under the rules of its slot."
)
_NAME: Final = "A name of the text: it leads to the entity that it means, or makes one. See docs/identity.md."
_IDENTIFIER: Final = "A spelling that identifies by itself: the end of what is told of it, and a name to ask for."
_END: Final = "It gives the end of a fact that another rule finds."
_MODEL: Final = (
    "A candidate with a confidence of at most 0.6 and the lowest rank, so that it closes nothing that a rule read or a caller asserted: "
    "where they differ, a review asks."
)
_ENDS: Final = (
    ("en.literal", "words that are no name where a relation has a text for its object"),
    ("en.phrase", "a phrase that is no name, as the end of a relation"),
    ("zh.phrase", "a phrase that is no name, as the end of a relation, in Chinese"),
    ("en.name.weak", "a capital that alone would not make a name"),
    ("preference.value", "what is wished, liked or refused"),
    ("pronoun", "he, she, they, 他, 她: the person whom it means"),
    ("pronoun.firm", "we, the company: the firm that it means"),
    ("pronoun.object", "him, her, them: the person whom it means, as an object"),
    ("pronoun.paper", "the agreement, this letter: the paper that it means"),
    ("pronoun.term", "a term that the text itself defines"),
)
_MODELS: Final = (
    ("name", "a name"),
    ("fact", "a fact, in words that stand in the text"),
    ("preference", "a wish or a constraint, in words that stand in the text"),
)
_DIALECTS: Final = {"model": "this project's prompt", "graphiti": "graphiti-core's prompts"}


def reading_pages() -> tuple[ReadingPage, ...]:
    """One for each rule that a candidate, or the assertion made of it, may name."""
    return tuple(_pages())


def reading_page(rule: ReadingPage) -> str:
    """The page of a rule as Markdown."""
    example = f"\n**Example.**\n\n```text\n{rule.example}\n```\n" if rule.example else ""
    back = "Retract the evidence that names it, or undo the write that brought it; the timeline is worked out anew."
    return f"# `{rule.id}`\n\n**When.** It reads {rule.reads}.\n\n**Effect.** {rule.effect}\n\n**Taking it back.** {back}\n{example}"


def _pages() -> Iterator[ReadingPage]:
    for rule in listed_rules():
        effect = _effect(rule)
        if effect:
            yield ReadingPage(id=rule.id, reads=rule.reads, effect=effect, example=rule.example)
    for id, reads in _ENDS:
        yield ReadingPage(id=id, reads=reads, effect=_END)
    for dialect, prompt in _DIALECTS.items():
        for what, reads in _MODELS:
            yield ReadingPage(
                id=f"{dialect}.{what}", reads=f"{reads}, by a language model with {prompt}", effect=_MODEL
            )


def _effect(rule: ListedRule) -> str:
    """What a finding of the rule is; '' for rules that give no candidate."""
    match rule.area:
        case Area.FACT if rule.id != "name":
            return _FACT.format(confidence=rule.confidence)
        case Area.FACT | Area.NAME:
            return _NAME
        case Area.IDENTIFIER:
            return _IDENTIFIER
        case _:
            return ""
