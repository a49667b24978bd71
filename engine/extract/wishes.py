"""What a preference is, and the attitudes that words of liking and wishing tell."""

from __future__ import annotations

from dataclasses import dataclass

from muniment.engine.extract.links import PLAIN, Stance
from muniment.engine.extract.mentions import Mention
from muniment.engine.extract.rulebook import confidence_of
from muniment.engine.extract.topics import ban_topic, liking_topic, wish_topic

POSITIVE, NEGATIVE = "positive", "negative"


@dataclass(frozen=True, slots=True, kw_only=True)
class Preference:
    """Who wishes what; `strength` 1 to 5, `constraint` if it must be kept rather than should."""

    subject: Mention
    value: Mention
    topic: str
    relation: str
    polarity: str
    strength: int
    constraint: bool = False
    phrase: str
    rule: str
    confidence: float
    stance: Stance = PLAIN


@dataclass(frozen=True, slots=True, kw_only=True)
class Attitude:
    relation: str
    polarity: str
    strength: int
    wish: bool = False  # a choice among several: topic by family
    constraint: bool = False


LIKE = Attitude(relation="likes", polarity=POSITIVE, strength=3)
LOVE = Attitude(relation="likes", polarity=POSITIVE, strength=5)
PREFER = Attitude(relation="prefers", polarity=POSITIVE, strength=4, wish=True)
DISLIKE = Attitude(relation="dislikes", polarity=NEGATIVE, strength=3)
HATE = Attitude(relation="dislikes", polarity=NEGATIVE, strength=5)
INSIST = Attitude(relation="must", polarity=POSITIVE, strength=5, wish=True, constraint=True)
ALLERGY = Attitude(relation="allergic_to", polarity=NEGATIVE, strength=5, constraint=True)
NEVER = Attitude(relation="must_not", polarity=NEGATIVE, strength=5, wish=True, constraint=True)
ALWAYS = Attitude(relation="must", polarity=POSITIVE, strength=5, wish=True, constraint=True)

ALLOW = Attitude(relation="allows", polarity=POSITIVE, strength=2, wish=True)
"""Leave to do what was barred: it takes the ban's place and asks for nothing."""


def literal(text: str, start: int, end: int) -> Mention:
    while end > start and text[end - 1] in " .,;!?。，；":
        end -= 1
    while start < end and text[start].isspace():
        start += 1
    return Mention(start=start, end=end, text=text[start:end], is_value=True, type="text", rule="preference.value")


def made(
    subject: Mention,
    value: Mention,
    attitude: Attitude,
    phrase: str,
    stance: Stance,
    *,
    topic: str = "",
    rule: str = "en.preference",
) -> Preference:
    return Preference(
        subject=subject, value=value, topic=topic or topic_of(attitude, value.text),
        relation=attitude.relation, polarity=attitude.polarity, strength=attitude.strength, constraint=attitude.constraint,
        phrase=phrase, rule=rule, confidence=confidence_of(rule), stance=stance,
    )  # fmt: skip


def topic_of(attitude: Attitude, value: str) -> str:
    if not attitude.wish:
        return liking_topic(value)
    return ban_topic(value) if attitude.polarity == NEGATIVE or attitude is ALLOW else wish_topic(value)


def turned(attitude: Attitude) -> Attitude | None:
    """The attitude under "not": "does not like", "does not mind" (which says little)."""
    if attitude in (LIKE, LOVE, PREFER):
        return DISLIKE
    return None
