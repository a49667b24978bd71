"""Likes, dislikes, wishes and constraints of a sentence, typed by topic, value, polarity and strength."""

from __future__ import annotations

from collections.abc import Sequence

from muniment.engine.extract.chinese.wishes import chinese_wishes
from muniment.engine.extract.english.stance import sentence_stance
from muniment.engine.extract.english.wishes import english_wishes
from muniment.engine.extract.mentions import Mention
from muniment.engine.extract.reading import Sentence
from muniment.engine.extract.wishes import Preference
from muniment.engine.extract.wordings import Wordings
from muniment.engine.ports.models import Analysis


def preferences_of(
    sentence: Sentence, analysis: Analysis, mentions: Sequence[Mention], wordings: Wordings
) -> list[Preference]:
    """The preferences that a sentence tells, in order of place; none from a question."""
    above = sentence_stance(sentence.text)
    if above.silent or sentence.text.rstrip().endswith("？"):
        return []
    found = list(
        chinese_wishes(sentence.text, mentions)
        if sentence.lang == "zh"
        else english_wishes(sentence.text, analysis, mentions, above)
    )
    kept: list[Preference] = []
    for preference in found:
        if not any(preference.value.start < k.value.end and k.value.start < preference.value.end for k in kept):
            kept.append(preference)
    return kept
