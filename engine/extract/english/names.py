"""The names of an English text: runs of capitals, the tagger's names and identifiers, each with the type it seems to be."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum

from muniment.engine.extract.addresses import addresses
from muniment.engine.extract.chinese import words as chinese_words
from muniment.engine.extract.english import words
from muniment.engine.extract.english.firms import retyped_by_place
from muniment.engine.extract.english.first_words import (
    IN_A_MONTH,
    begins_with_month_name,
    is_first_name,
    names_its_kind,
)
from muniment.engine.extract.english.places import moved_to
from muniment.engine.extract.english.spelled_types import may_be_law, type_by_spelling
from muniment.engine.extract.english.titles import whole_titles
from muniment.engine.extract.identifiers import find_identifiers
from muniment.engine.extract.mentions import ORGANISATION, PERSON, PLACE, Mention, without_overlaps
from muniment.engine.ingest.language import has_han
from muniment.engine.ports.models import Analysis, Span, Token

TYPE_OF_LABEL = {
    "PERSON": PERSON,
    "ORG": ORGANISATION,
    "LOC": PLACE,
    "GPE": PLACE,
    "FAC": PLACE,
    "PRODUCT": "product",
    "WORK_OF_ART": "work",
    "EVENT": "event",
    "LAW": "law",
    "NORP": "ethnic_group",
    "LANGUAGE": "language",
}
WEAK_RULE = "en.name.weak"
_LETTER = r"[^\W\u4e00-\u9fff]"  # a Chinese word begins where it begins, with or without a space
_WORD = rf"[A-ZÀ-ÖØ-ÞĀ-Ž](?:{_LETTER}|[’'-])*(?:\.[A-Za-z]\b)*|[a-z]{{1,3}}[A-Z]{_LETTER}+|\d+[A-Z](?:{_LETTER}|-)*"
_RUN_TOKEN = re.compile(
    rf"(?P<cap>{_WORD})(?P<dot>\.)?|(?P<number>\d{{1,4}}(?!\d|[-/.]\d))|(?P<link>[a-z]+)|(?P<mark>[&+,])"
)
_POSSESSIVE = re.compile(r"[’']s?$")
# "Acme I have not decided": who speaks, not a number
_SPEAKING = re.compile(
    r"[’'](?:m|ve|ll|d)\b| (?:have|haven|am|was|will|would|can|could|do|don|did|had|think|know|want|need|said|told|asked)\b"
)
_POSTCODE = re.compile(r" [A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}$")  # Leeds LS1 4AP
_PARENTHESIS_YEAR = re.compile(r"\s?\((?:19|20)\d\d\)")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Piece:
    """One word of a run of capitals."""

    start: int
    end: int
    text: str
    kind: str  # cap | number | link | mark

    @property
    def folded(self) -> str:
        return self.text.casefold().strip(".’'")


def find_names(
    text: str, analysis: Analysis, *, dates: Sequence[tuple[int, int]], given: Sequence[Mention] = ()
) -> list[Mention]:
    """Names in order of place, none overlapping another or a date.

    `given` are names that are known already; they keep their extent and, where they have one, their type.
    """
    identifiers = [m for m in find_identifiers(text, lang="en") if not _inside(m.start, m.end, dates) or m.identifiers]
    if identifiers:
        dates = [d for d in dates if not any(m.start < d[1] and d[0] < m.end and m.sure for m in identifiers)]
    lead = [
        *addresses(text, analysis, lang="en"),
        *(m for m in identifiers if m.sure),
        *_firm_lists(text, analysis),
        *_long_places(text, analysis),
    ]
    runs_and_weak = [
        m for m in _runs(text, analysis) if not _inside(m.start, m.end, dates) or begins_with_month_name(m)
    ]
    runs = [m for m in runs_and_weak if m.rule != WEAK_RULE]
    weak = [m for m in runs_and_weak if m.rule == WEAK_RULE]
    tagged = [m for m in _tagged(text, analysis) if not _inside(m.start, m.end, dates)]
    loose = [m for m in identifiers if not m.sure]
    insets = list(_insets(text))
    lead += [m for m in insets if m.type]
    weak += [m for m in insets if not m.type]
    names = without_overlaps([*_untorn(given, lead, runs), *lead, *_grown(runs, loose), *loose, *tagged, *weak])
    names = whole_titles(text, analysis, names)
    typed = [_with_head(_plan(_typed(m, analysis), text), analysis) for m in names]
    return moved_to([retyped_by_place(m, text, analysis) for m in typed], text)


def _inside(start: int, end: int, spans: Sequence[tuple[int, int]]) -> bool:
    return any(a < end and start < b for a, b in spans)


def _untorn(given: Sequence[Mention], lead: Sequence[Mention], runs: Sequence[Mention]) -> Iterator[Mention]:
    """Known names, but not where they are only a part of a longer name: "Acme" in "Acme Holdings plc"."""
    for mention in given:
        longer = [
            m
            for m in (*lead, *runs)
            if m.start <= mention.start and mention.end <= m.end and m.end - m.start > mention.end - mention.start
        ]
        if not longer:
            yield mention


def _grown(runs: Sequence[Mention], loose: Sequence[Mention]) -> Iterator[Mention]:
    """Runs as they are; a run that lies inside a numbered thing ("Lift 4") gives way to it."""
    for run in runs:
        if not any(other.start <= run.start and run.end <= other.end for other in loose):
            yield run


_PLANS = frozenset(
    "standard basic premium pro professional enterprise starter business plus gold silver platinum bronze team free essential essentials advanced ultimate".split()
)
_PLAN_NOUN = re.compile(r" (?:plan|package|tier|edition|subscription|bundle|licen[cs]e)\b")


def _plan(mention: Mention, text: str) -> Mention:
    """ "the Premium plan": a word of rank and its noun are what is sold under that name."""
    noun = _PLAN_NOUN.match(text, mention.end) if mention.text.casefold() in _PLANS else None
    if noun is None:
        return mention
    return replace(mention, end=noun.end(), text=text[mention.start : noun.end()], type="product")


_INSET = re.compile(r"[\u4e00-\u9fff]{2,12}")


def _insets(text: str) -> Iterator[Mention]:
    """Chinese words inside an English sentence: what a writer of English leaves so is a name."""
    for match in _INSET.finditer(text) if has_han(text) else ():
        ending = chinese_words.ENDING.search(match.group())
        type_ = chinese_words.ENDING_TYPE[ending.group()] if ending else ""
        yield Mention(start=match.start(), end=match.end(), text=match.group(), type=type_, rule="en.name.inset")


_LIST_OF_SURNAMES = re.compile(r"\b[A-Z][a-z’'-]+(?:, [A-Z][a-z’'-]+)+,? and [A-Z][a-z’'-]+\b(?! [A-Z])")


def _firm_lists(text: str, analysis: Analysis) -> Iterator[Mention]:
    """`Roe, Poe and Lee has`: surnames in a row, treated as one thing, are a firm's name."""
    for match in _LIST_OF_SURNAMES.finditer(text):
        parts = re.split(r", | and |,", match.group())
        folded = {part.casefold() for part in parts}
        if (
            folded & (words.TOOLS | words.NOT_NAMES - {"may"} | words.STARTERS)
            or folded <= words.FEMALE_NAMES | words.MALE_NAMES
        ):
            continue
        places = sum(
            span.label in ("LOC", "PRODUCT") and span.start < match.end() and match.start() < span.end
            for span in analysis.entities
        )
        # Many surnames are also names of places; one that is not tells a firm from a list of towns, where firms are meant.
        likely_a_firm = re.search(r"\b(?:for|with|by|vendor|firm|client|customer|supplier)\s+$", text[: match.start()])
        if places > 1 and (places >= len(parts) or not likely_a_firm):
            continue
        if re.search(r"[A-Z][\w’'-]* $", text[: match.start()]):
            continue
        singular = re.match(r"\s+(?:has|is|was|uses|owns|runs|needs|wants|[a-z]+es|[a-z]{3,}s)\b", text[match.end() :])
        if singular or re.search(
            r"\b(?:for|with|by|vendor|firm|client|customer|supplier|of|at)\s+$", text[: match.start()]
        ):
            yield Mention(
                start=match.start(),
                end=match.end(),
                text=match.group(),
                type="company",
                sure=True,
                rule="en.name.firm-list",
            )


def _long_places(text: str, analysis: Analysis) -> Iterator[Mention]:
    """Names of countries with "and" in them, which the tagger knows as a whole."""
    for span in analysis.entities:
        if (
            span.label == "LOC"
            and " and " in span.text
            and re.search(r"\b(?:Kingdom|Republic|States|Federation|Union|Islands)\b", span.text)
        ):
            start, end = _trimmed(text, span)
            yield Mention(start=start, end=end, text=text[start:end], type=PLACE, rule="en.name.tagger")


def _runs(text: str, analysis: Analysis) -> Iterator[Mention]:
    starts = _sentence_starts(text, analysis)
    tags = {token.start: token for token in analysis.tokens}
    pending: list[_Piece] = []
    for match in _RUN_TOKEN.finditer(text):
        kind = str(match.lastgroup if match.lastgroup != "dot" else "cap")
        piece = _Piece(start=match.start(), end=match.end(), text=match.group(), kind=kind)
        if pending and not _continues(pending, piece, text):
            yield from _closed(pending, text, starts, tags, analysis)
            pending = []
        is_initial = match["dot"] is not None and _INITIAL_AND_NAME.match(text, piece.start) is not None
        month = piece.folded in words.MONTH_NAMES and is_first_name(
            piece.folded, piece.start, piece.end, text, analysis
        )
        opens = is_initial or month or not (piece.folded in words.NOT_NAMES or _is_month(piece, text))
        if pending or (kind == "cap" and opens):
            pending.append(piece)
            if _POSSESSIVE.search(piece.text) or (match["dot"] and not _is_abbreviation(piece.text)):
                yield from _closed(pending, text, starts, tags, analysis)
                pending = []
    yield from _closed(pending, text, starts, tags, analysis)


_NUMBER_BEHIND = re.compile(r",? \d")


def _is_month(piece: _Piece, text: str) -> bool:
    """A month behind "in" and the like, a day or before a number, which is no first name of who stands behind it: in March Ana
    Ruiz left, on 1 May 2026 Ana Ruiz left."""
    return piece.folded in words.CALENDAR and (
        IN_A_MONTH.search(text, 0, piece.start) is not None or _NUMBER_BEHIND.match(text, piece.end) is not None
    )


_INITIAL_AND_NAME = re.compile(r"[A-Z]\. [A-Z][\w’'-]+")  # "I. Duarte" is no "I"


def _is_abbreviation(word: str) -> bool:
    bare = word.rstrip(".").casefold()
    return (
        len(bare) == 1 or bare in words.PERSON_TITLES or bare in words.LEGAL_FORMS or bare in ("st", "mt", "jr", "sr")
    )


def _continues(pending: Sequence[_Piece], piece: _Piece, text: str) -> bool:
    last = pending[-1]
    gap = text[last.end : piece.start]
    if piece.kind == "mark":
        return (
            gap.strip() == ""
            and len(gap) < 2
            and last.kind == "cap"
            and not (piece.text == "," and last.text.endswith("."))
        )
    if gap != " ":
        return False
    if piece.kind == "cap":
        if last.text.endswith(".") and last.folded.rstrip(".") in words.LEGAL_FORMS and len(pending) > 1:
            return piece.folded.rstrip(".") in words.LEGAL_FORMS  # "Acme Ltd. Against: …": the form ends the name
        if _is_month(piece, text):
            return False
        if piece.folded in words.CALENDAR and piece.folded not in ("may", "sun", "mar", "march"):
            return False
        if piece.text == "I" and _SPEAKING.match(text, piece.end):
            return False
        if last.kind == "mark" and last.text == ",":
            return _is_firm_list(text, piece.start)
        return not (last.kind == "link" and last.folded == "and") or piece.folded in words.AFTER_AND
    if piece.kind == "number":
        return last.kind == "cap" and last.folded not in words.PERSON_TITLES
    if last.kind != "cap":
        return piece.folded == "the" and last.folded == "of"
    if piece.folded in words.LEGAL_FORMS:
        return piece.folded not in words.CASED_LEGAL_FORMS
    if piece.folded == "for":
        return pending[0].folded in words.JOINING_FOR or last.folded in words.JOINING_FOR
    if piece.folded == "and":
        following = text[piece.end + 1 : piece.end + 12].split(" ", 1)[0].rstrip(".,;:’'s").casefold()
        return following in words.AFTER_AND or bool(
            re.match(r" (?:Sons|Partners|Co|Associates|Brothers)\b", text[piece.end :])
        )
    if piece.folded == "of":
        if _is_full_name(pending) and _FIRM_BEHIND.match(text, piece.end):
            return False  # "Stefan Kroll of Kroll & Partner": who, and where
        return last.folded not in words.ROLE_HEADS | words.AFTER_NAMES
    return piece.folded in words.LINKING


_FIRM_BEHIND = re.compile(
    r" (?:the )?[A-Z][\w’'-]+(?:,? [A-Z][\w’'-]+){0,3}(?:,? (?:&|and) [A-Z]| (?:Ltd|Limited|Inc|LLP|LLC|plc|GmbH|AG|SA|BV|AB|AS|Oy|KG|Partners|Associates|Solicitors|Chambers)\b)"
)


def _is_full_name(pending: Sequence[_Piece]) -> bool:
    """Whether the words so far are as many as a person's name has, and none says that they are a body's."""
    bodies = words.ORGANISATION_OF.keys() | words.LEGAL_FORMS | words.PLACE_WORDS
    return 2 <= len(pending) <= 3 and all(p.kind == "cap" and p.folded not in bodies for p in pending)


def _is_firm_list(text: str, at: int) -> bool:
    """`Roe, Poe & Partners`, `Roe, Poe and Sons`."""
    return bool(
        re.match(
            r"[A-Z][\w’'-]*(?:, [A-Z][\w’'-]*)*,? (?:& [A-Z]|and (?:Partners|Sons|Co\b|Associates|Company))", text[at:]
        )
    )


def _closed(
    pending: Sequence[_Piece], text: str, starts: set[int], tags: Mapping[int, Token], analysis: Analysis
) -> Iterator[Mention]:
    pieces = list(pending)
    while pieces and pieces[-1].kind in ("link", "mark") and pieces[-1].folded not in words.LEGAL_FORMS:
        pieces.pop()
    while pieces and (pieces[0].start in starts or _after_colon(text, pieces[0].start)):
        if len(pieces) > 1 and (
            _INITIAL_AND_NAME.match(text, pieces[0].start)
            or (pieces[1].kind == "cap" and names_its_kind(pieces[0].folded, pieces[1].folded))
            or (
                pieces[0].folded in words.WORD_NAMES
                and pieces[1].kind == "cap"
                and is_first_name(pieces[0].folded, pieces[0].start, pieces[0].end, text, analysis)
            )
        ):
            break
        only = _only_looks_so(pieces, tags, hard=pieces[0].start in starts)
        if not only:
            break
        if only is _Looks.WEAK and len(pieces) == 1:
            yield Mention(start=pieces[0].start, end=pieces[0].end, text=pieces[0].text.rstrip(".’'"), rule=WEAK_RULE)
        first = pieces.pop(0)
        while pieces and pieces[0].kind != "cap":
            pieces.pop(0)
        if len(pieces) > 1 and first.folded in words.NAMING_NOUNS and pieces[0].folded in words.ROLE_HEADS:
            pieces.pop(0)  # "Project Manager Ana Ruiz"
        if not pieces or first.folded not in words.STARTERS:
            break
        starts = starts | {pieces[0].start} if pieces[0].folded in words.STARTERS else starts
    titled = False
    while pieces and pieces[0].folded in words.PERSON_TITLES and len(pieces) > 1:
        titled = True
        pieces.pop(0)
        while pieces and pieces[0].kind != "cap":
            pieces.pop(0)
    while len(pieces) > 1 and pieces[0].folded == "the" and pieces[0].start in starts:
        pieces.pop(0)
    if not pieces:
        return
    start, end = pieces[0].start, pieces[-1].end
    postcode = _POSTCODE.search(text[start:end])
    if postcode is not None:
        end = start + postcode.start()
    name = text[start:end]
    cut = _POSSESSIVE.search(name.removesuffix("."))
    if cut:
        end = start + cut.start()
    if text[end - 1] == "." and not re.search(r"\b[A-Z]\.$", text[start:end]):
        end -= 1
    year = _PARENTHESIS_YEAR.match(text, end)
    if year and len(pieces) > 1:
        end = year.end()
    name = text[start:end]
    if (
        len(name) < 2
        or name.casefold() in words.NOT_NAMES
        or (len(pieces) == 1 and name.casefold() in words.PERSON_TITLES)
    ):
        return
    yield Mention(
        start=start, end=end, text=name, type=PERSON if titled else "", sure=titled, rule="en.name.titled" if titled else "en.name.run"
    )  # fmt: skip


class _Looks(Enum):
    """Whether a sentence's first word is a name, surely none, or one only if the tenant knows it."""

    NONE = "none"
    WEAK = "weak"


def _only_looks_so(pieces: Sequence[_Piece], tags: Mapping[int, Token], *, hard: bool) -> _Looks | None:
    """A first word that is capital only because it stands first; None for a name."""
    first = pieces[0]
    token = tags.get(first.start)
    if first.folded in words.STARTERS:
        return _Looks.NONE if len(pieces) == 1 or pieces[1].kind != "mark" else None
    named = first.folded in words.FEMALE_NAMES or first.folded in words.MALE_NAMES
    if (named and len(pieces) > 1 and pieces[1].kind in ("cap", "number")) or token is None or not hard:
        return None
    if token.pos in ("PROPN", "X") or (first.text.isupper() and len(first.text) > 1):
        return None
    if len(pieces) > 1 and pieces[1].kind in ("cap", "mark"):
        firm = any(p.folded in words.LEGAL_FORMS or p.folded in words.ORGANISATION_OF for p in pieces[1:])
        if token.pos != "VERB" or firm or pieces[1].text == "&":
            return None
    return _Looks.WEAK


def _after_colon(text: str, at: int) -> bool:
    return text[:at].rstrip().endswith(":")


def _sentence_starts(text: str, analysis: Analysis) -> set[int]:
    found = {start for start, _ in analysis.sentences}
    found |= {m.end() for m in re.finditer(r"(?:^|[.!?;\n\"“(>–]\s*|\s-\s+|^\s*[-*•]\s+|\d[.)]\s+)(?=[A-Z])", text)}
    return found


def _tagged(text: str, analysis: Analysis) -> Iterator[Mention]:
    for span in analysis.entities:
        type_ = TYPE_OF_LABEL.get(span.label)
        if type_ is None or (not span.text[:1].isupper() and span.label != "PRODUCT" and not has_han(span.text[:1])):
            continue
        start, end = _trimmed(text, span)
        if end - start > 1 and text[start:end].rstrip(".").casefold() not in words.NOT_NAMES | words.STARTERS:
            yield Mention(start=start, end=end, text=text[start:end], type=type_, rule="en.name.tagger")


def _trimmed(text: str, span: Span) -> tuple[int, int]:
    """Without an article in front and a possessive behind, and without what "w/" stands behind: "Call w/ Acme"."""
    start, end = span.start, span.end
    start = text.rfind("w/ ", start, end) + 3 if "w/ " in text[start:end] else start
    article = re.match(r"(?:the|a|an|our|my|their|his|her)\s+", text[start:end], re.IGNORECASE)
    start += article.end() if article else 0
    cut = _POSSESSIVE.search(text[start:end])
    end -= len(cut.group()) if cut else 0
    return start, end


def _typed(mention: Mention, analysis: Analysis) -> Mention:
    if mention.sure or (mention.type and mention.rule == "name.known"):
        return mention
    spelled, sure = type_by_spelling(mention.text)
    if mention.text.casefold() in words.ALSO_PLACES and _label(mention, analysis.entities) == PLACE:
        spelled = PLACE
    if spelled:
        return replace(mention, type=spelled, sure=sure)
    label = "" if mention.rule == "id.code" else _label(mention, analysis.entities)
    if label == "law" and not may_be_law(mention.text):
        label = ""
    return replace(mention, type=label) if label else mention


def _label(mention: Mention, entities: Sequence[Span]) -> str:
    """The tagger's label of the span that covers most of the name."""
    best, size = "", 0
    for span in entities:
        common = min(mention.end, span.end) - max(mention.start, span.start)
        if common > size and span.label in TYPE_OF_LABEL:
            best, size = TYPE_OF_LABEL[span.label], common
    return best


def _with_head(mention: Mention, analysis: Analysis) -> Mention:
    """The token of the name whose syntactic head lies outside of it."""
    inside = [i for i, t in enumerate(analysis.tokens) if t.start < mention.end and mention.start < t.end]
    for index in inside:
        head = analysis.tokens[index].head
        if head == index or head not in inside:
            if analysis.tokens[index].dep == "punct":
                continue
            return replace(mention, head=index)
    return replace(mention, head=inside[-1]) if inside else mention
