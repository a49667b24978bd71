"""Traditional characters read as simplified ones, in which the rules are written, and put back into what they find."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from muniment.engine.extract.links import Link
from muniment.engine.extract.mentions import Mention
from muniment.engine.extract.reading import Sentence
from muniment.engine.extract.wishes import Preference
from muniment.engine.ingest.han import simplified
from muniment.engine.ports.models import Analysis


@dataclass(slots=True)
class Writing:
    """How an episode writes the names that were read in simplified characters. One a episode."""

    _written: dict[str, str] = field(default_factory=dict)

    def read(self, sentence: Sentence, analysis: Analysis) -> tuple[Sentence, Analysis]:
        """Both in simplified characters, with the same offsets; as they are where that changes nothing or the length."""
        plain = simplified(sentence.text)
        if plain == sentence.text or len(plain) != len(sentence.text):
            return sentence, analysis
        tokens = tuple(
            replace(t, text=plain[t.start : t.end], lemma=plain[t.start : t.end] if t.lemma == t.text else t.lemma)
            for t in analysis.tokens
        )
        entities = tuple(replace(span, text=plain[span.start : span.end]) for span in analysis.entities)
        read = replace(sentence, text=plain, key=simplified(sentence.key))
        return read, replace(analysis, tokens=tokens, entities=entities)

    def learn(self, mentions: Sequence[Mention], sentence: Sentence) -> None:
        """Remembers how `sentence`, which is as it was written, has what was found in it."""
        for mention in mentions:
            if mention.start >= 0:
                written = sentence.text[mention.start : mention.end]
                if len(written) == len(mention.text) and written != mention.text:
                    self._written.setdefault(mention.text, written)

    def mention(self, mention: Mention) -> Mention:
        if not self._written:
            return mention
        text = self._written.get(mention.text, mention.text)
        return replace(mention, text=text, same_as=self._written.get(mention.same_as, mention.same_as))

    def link(self, link: Link) -> Link:
        if not self._written:
            return link
        return replace(link, subject=self.mention(link.subject), object=self.mention(link.object))

    def preference(self, preference: Preference) -> Preference:
        if not self._written:
            return preference
        return replace(preference, subject=self.mention(preference.subject), value=self.mention(preference.value))
