"""All mentions and relations of one Chinese sentence."""

from __future__ import annotations

from collections.abc import Sequence

from muniment.engine.extract.chinese.names import find_names
from muniment.engine.extract.chinese.relations import find_relations
from muniment.engine.extract.chinese.stance import sentence_stance
from muniment.engine.extract.context import pronouns
from muniment.engine.extract.dates import DateSpan
from muniment.engine.extract.links import Link
from muniment.engine.extract.mentions import Mention, without_overlaps
from muniment.engine.extract.reading import Sentence
from muniment.engine.extract.rulebook import confidence_of
from muniment.engine.extract.wordings import Wordings
from muniment.engine.ports.models import Analysis


def find_mentions(
    text: str, analysis: Analysis, dates: Sequence[DateSpan], given: Sequence[Mention] = ()
) -> list[Mention]:
    """Names, identifiers, dates and pronouns of a sentence, in order of place; `given` are names known already."""
    names = find_names(text, analysis, dates=[(d.bare_start, d.end) for d in dates], given=given)
    told = [
        Mention(
            start=d.bare_start, end=d.end, text=text[d.bare_start : d.end], type="date", sure=True, is_value=True,
            same_as=d.since.date().isoformat(), rule=d.rule,
        )
        for d in dates
    ]  # fmt: skip
    return without_overlaps([*names, *told, *pronouns(text, analysis.tokens, "zh")])


def find_links(
    sentence: Sentence, analysis: Analysis, mentions: Sequence[Mention], wordings: Wordings, *, owner: Mention | None
) -> list[Link]:
    """All relations of a sentence; none from a question."""
    above = sentence_stance(sentence.text)
    if above.silent:
        return []
    links = find_relations(sentence.text, analysis.tokens, mentions, wordings, above)
    if sentence.key and owner is not None and not any(m.start < sentence.value_start for m in mentions):
        links += _line(sentence, mentions, wordings, owner)
    return links


def _line(sentence: Sentence, mentions: Sequence[Mention], wordings: Wordings, owner: Mention) -> list[Link]:
    """客户经理：张伟 under a title."""
    value = next((m for m in mentions if m.start == sentence.value_start and not m.pronoun), None)
    if value is None:
        text = sentence.text[sentence.value_start :].rstrip(" .;,。；，")
        value = Mention(
            start=sentence.value_start, end=sentence.value_start + len(text), text=text, type="text", is_value=True
        )
    chosen = wordings.choose(wordings.han_nouns.get(sentence.key, ()), owner, value)
    if chosen is None:
        return []
    return [
        Link(
            subject=chosen.subject, object=chosen.object, relation=chosen.relation.name, phrase=sentence.key, rule="zh.noun.colon",
            confidence=confidence_of("zh.noun.colon") * (1.0 if chosen.fit > 0.3 else 0.9), anchor=sentence.value_start,
        )
    ]  # fmt: skip
