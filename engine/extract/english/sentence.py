"""All relations of one English sentence, the surest reading of each pair of ends kept."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from muniment.engine.extract.context import pronouns
from muniment.engine.extract.contrast import without_excluded
from muniment.engine.extract.dates import DateSpan
from muniment.engine.extract.english.asked import asked_links
from muniment.engine.extract.english.frames import verb_links
from muniment.engine.extract.english.names import find_names
from muniment.engine.extract.english.nominal import noun_links
from muniment.engine.extract.english.not_but import put_right
from muniment.engine.extract.english.of_title import title_links
from muniment.engine.extract.english.pairs import pair_links
from muniment.engine.extract.english.parse import Parse
from muniment.engine.extract.english.parties import party_links, side_links
from muniment.engine.extract.english.resigned import resigned
from muniment.engine.extract.english.roles import role_links
from muniment.engine.extract.english.stance import is_correction, sentence_stance
from muniment.engine.extract.english.surface import gap_links, lone_links, value_links
from muniment.engine.extract.lines import open_line
from muniment.engine.extract.links import CORRECTED, DENIED, Link
from muniment.engine.extract.mentions import Mention, without_overlaps
from muniment.engine.extract.reading import Sentence
from muniment.engine.extract.rulebook import confidence_of
from muniment.engine.extract.wordings import Wordings, spread
from muniment.engine.ports.models import Analysis

# "Dear Ms Lind," and "Hi Tom and Ana -": whom a text is for, of whom the sentence says nothing.
_SALUTATION = re.compile(
    r"^\W*(?i:dear|hi|hello|hey|hiya|greetings|good (?:morning|afternoon|evening|day)|morning|afternoon|evening)\b,?\s+"
    r"(?:(?i:mr|mrs|ms|miss|dr|prof|sir|madam)\b\.?\s*)?[A-Z][\w.'’-]*(?:\s+[A-Z][\w'’-]*){0,3}"
    r"(?:\s*(?:,|and|&)\s+[A-Z][\w'’-]*(?:\s+[A-Z][\w'’-]*)?){0,2}\s*(?:[,:!;–—-]|$)"
)


def _without_salutation(text: str, mentions: Sequence[Mention]) -> list[Mention]:
    found = _SALUTATION.match(text)
    return [m for m in mentions if found is None or m.start >= found.end()]


def sentence_links(parse: Parse, wordings: Wordings, owner: Mention | None = None) -> list[Link]:
    """Links in order of place; none from a question. Open ones only between ends that no typed one joins."""
    above = sentence_stance(parse.text)
    if above.silent:
        return []
    typed = [*noun_links(parse, wordings, above), *role_links(parse, wordings, above)]
    from_verbs = list(verb_links(parse, wordings, above))
    typed += [link for link in from_verbs if link.relation]
    typed += value_links(parse, wordings, above)
    typed += pair_links(parse, wordings, above)
    typed = [*_not_of_papers(typed, parties := list(party_links(parse, wordings, above))), *parties]
    typed += side_links(parse, wordings, above, owner)
    typed += title_links(parse, wordings, above, owner)
    typed = list(_outside_roles(typed))
    ended = list(resigned(parse, typed, above))
    typed = [
        link
        for link in typed
        if all(
            link.relation != e.relation or link.subject.start != e.subject.start or link.object.start != e.object.start
            for e in ended
        )
    ] + ended
    joined = _pairs(typed)
    asked = [link for link in asked_links(parse, above) if _pair(link) not in joined]
    joined |= _pairs(asked)
    opened = asked + [link for link in from_verbs if not link.relation and _pair(link) not in joined]
    joined |= _pairs(opened)
    opened += gap_links(parse, wordings, above, joined, {link.anchor for link in from_verbs})
    found = [link for link in (*typed, *opened) if not _is_to_do(link, parse.text)]
    if not any(not link.subject.pronoun for link in found):
        found += lone_links(parse, above)
    found = list(put_right(parse, list(without_excluded(parse.text, found)), wordings, above))
    return [_put_right(link, parse.text) for link in best_of(found)]


def _outside_roles(links: Sequence[Link]) -> Iterator[Link]:
    """The links without those to a plain word inside a role: who is "head of operations" heads no firm of that name."""
    roles = [(link.object.start, link.object.end) for link in links if link.relation == "has_role"]
    for link in links:
        inside = (
            start <= end.start and end.end <= stop and end.text[:1].islower()
            for end in (link.subject, link.object)
            for start, stop in roles
        )
        if link.relation == "has_role" or not any(inside):
            yield link


def _not_of_papers(links: Sequence[Link], parties: Sequence[Link]) -> Iterator[Link]:
    """The links, those of a contract told by its parties under that one name: what is signed is what is between them."""
    for link in links:
        subject = link.subject
        for told in parties:
            paper = told.object
            if (
                not subject.pronoun
                and paper.start <= subject.start
                and subject.end <= paper.end
                and subject.type in ("contract", "")
            ):
                subject = paper
        inside = any(p.object.start <= link.subject.start and link.object.end <= p.object.end for p in parties)
        if not inside:
            yield replace(link, subject=subject)


def _put_right(link: Link, text: str) -> Link:
    """What a correction denies in plain words is corrected: "Correction: Ana does not work for Acme"."""
    if is_correction(text) and link.stance.reasons == DENIED.reasons:
        return replace(link, stance=CORRECTED)
    return link


_WISHED = frozenset({"wants", "requested", "prefers", "likes", "needs"})
_TO_DO = re.compile(r"\s+to\s+[a-z]+\b")


def _is_to_do(link: Link, text: str) -> bool:
    """ "wants Ana to join": not she is wanted, but that she joins."""
    return link.relation in _WISHED and not link.object.is_value and bool(_TO_DO.match(text, link.object.end))


def best_of(links: Iterable[Link]) -> list[Link]:
    """One link for each (subject, relation, object), the most confident; in order of place."""
    best: dict[tuple[int, str, int], Link] = {}
    for link in links:
        key = (link.subject.start, link.relation or link.name, link.object.start)
        kept = best.get(key)
        if kept is None or link.confidence > kept.confidence:
            best[key] = link
    return sorted(best.values(), key=lambda link: (link.subject.start, link.object.start))


def _pair(link: Link) -> frozenset[int]:
    return frozenset((link.subject.start, link.object.start))


def _pairs(links: Iterable[Link]) -> set[frozenset[int]]:
    return {_pair(link) for link in links}


def find_mentions(
    text: str, analysis: Analysis, dates: Sequence[DateSpan], given: Sequence[Mention] = ()
) -> list[Mention]:
    """Names, identifiers, dates and pronouns of a sentence, in order of place; `given` are names known already."""
    names = find_names(text, analysis, dates=[(d.bare_start, d.end) for d in dates], given=given)
    told = [_date(text, date, analysis) for date in dates]
    return without_overlaps([*names, *told, *pronouns(text, analysis.tokens, "en")])


def _date(text: str, date: DateSpan, analysis: Analysis) -> Mention:
    inside = [i for i, t in enumerate(analysis.tokens) if t.start < date.end and date.bare_start < t.end]
    head = next((i for i in inside if analysis.tokens[i].head not in inside), inside[0] if inside else -1)
    return Mention(
        start=date.bare_start, end=date.end, text=text[date.bare_start : date.end], type="date", sure=True, is_value=True,
        same_as=date.since.date().isoformat(), head=head, rule=date.rule,
    )  # fmt: skip


def find_links(
    sentence: Sentence, analysis: Analysis, mentions: Sequence[Mention], wordings: Wordings, *, owner: Mention | None
) -> list[Link]:
    """All relations of a sentence."""
    told = _without_salutation(sentence.text, mentions)
    links = sentence_links(Parse(sentence.text, analysis, told), wordings, owner)
    if sentence.key and owner is not None:
        links += line_links(sentence, mentions, wordings, owner, links)
    return links


def line_links(
    sentence: Sentence, mentions: Sequence[Mention], wordings: Wordings, owner: Mention, links: Sequence[Link]
) -> list[Link]:
    """What a line `Industry: logistics` says about the thing that the text is about."""
    if any(m.start < sentence.value_start for m in mentions) or any(link.relation for link in links):
        return []
    value = next((m for m in mentions if m.start >= sentence.value_start and not m.pronoun), None)
    if value is None or value.start != sentence.value_start:
        text = sentence.text[sentence.value_start :].rstrip(" .;,。；")
        value = Mention(
            start=sentence.value_start, end=sentence.value_start + len(text), text=text, type="text", is_value=True
        )
    keys = spread(sentence.key.split())
    chosen = wordings.noun(keys, owner, value)
    if chosen is None:
        return open_line(sentence, owner, value, "en.open.line")
    return [
        Link(
            subject=chosen.subject, object=chosen.object, relation=chosen.relation.name, phrase=sentence.key,
            rule="en.noun.line", confidence=confidence_of("en.noun.line") * (1.0 if chosen.fit > 0.3 else 0.9), anchor=sentence.value_start,
        )
    ]  # fmt: skip
