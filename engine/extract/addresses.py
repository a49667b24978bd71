"""Postal addresses as they are written: street and number, postcode and town; and the town that one names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from muniment.engine.extract.links import Link
from muniment.engine.extract.mentions import Mention
from muniment.engine.extract.wordings import Wordings
from muniment.engine.ports.models import Analysis, Token

ADDRESS: Final = "address"
_SURE_ENOUGH: Final = 0.4  # what an end of an unknown type reaches
_CAP: Final = r"[A-ZÀ-ÖØ-Þ][\w'’.-]*"
_WAY: Final = (
    r"(?:Street|St|Road|Rd|Avenue|Ave|Lane|Ln|Drive|Dr|Square|Sq|Boulevard|Blvd|Way|Court|Place|Pl|Terrace|Close|Crescent|Row|Quay|Parade"
    r"|Highway|Hwy|Gardens|Walk|Wharf|Mews|Broadway|Circus|Embankment|Parkway|Pkwy|Estate)\b\.?"
)
_NUMBER: Final = r"\d{1,5}[A-Za-z]?(?:\s?[-–/]\s?\d{1,4}[A-Za-z]?)?"
_ROOM: Final = (
    rf"(?:(?:Suite|Unit|Flat|Floor|Room|Apt\.?|Apartment|Office) [\w-]+|{_CAP}(?: {_CAP})? (?:House|Tower|Building))"
)
_BRITISH_CODE: Final = r"[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}"
_STATE_CODE: Final = r"[A-Z]{2} \d{5}(?:-\d{4})?"
_TOWN: Final = rf"{_CAP}(?:[ -](?:(?:upon|on|le|am|an der|in der|sur|de|la)[ -])?{_CAP}){{0,2}}"
# What may stand behind the street: town and postcode in the orders that the posts of several countries use.
_PLACE: Final = rf"(?:{_TOWN},? {_BRITISH_CODE}|{_BRITISH_CODE}|{_TOWN},? {_STATE_CODE}|(?:[A-Z]{{1,2}}-)?\d{{4,5}} (?:[A-Z]{{2}} )?{_TOWN})\b"
_ENGLISH: Final = rf"(?:{_ROOM}, )?{_NUMBER},? (?:(?:[NSEW]\.? )?(?:{_CAP}|\d{{1,3}}(?:st|nd|rd|th)) ?){{1,4}}?(?<= ){_WAY}(?: (?:North|South|East|West|[NSEW]{{1,2}})\b)?"
_ROMANCE: Final = rf"{_NUMBER}(?: bis| ter)?,? (?:rue|avenue|boulevard|place|quai|chemin|allée|impasse)(?: (?:de|du|des|la|le|les|d['’]\w+|l['’]\w+|{_CAP})){{1,5}}"
_NAMED_FIRST: Final = (
    rf"(?:[A-ZÀ-ÖØ-Þ][\w.-]*(?:straße|strasse|str\.|weg|platz|gasse|allee|ring|damm|ufer|laan|straat|gracht|plein|gatan|vägen|gata|veien)"
    rf"|(?:Via|Viale|Piazza|Calle|Plaza|Avenida|Rua|Am|An der|Unter den) {_CAP}(?: {_CAP})?),? {_NUMBER}"
)
_STREET: Final = re.compile(
    rf"(?<![\w./-])(?:{_ENGLISH}|{_ROMANCE}|(?<![A-Z]){_NAMED_FIRST})(?:,? {_ROOM})?(?P<place>(?:, {_TOWN})?(?:,? ?{_PLACE}))?(?![\w])"
)
_BOX: Final = re.compile(rf"\bP\.?O\.? Box \d+(?:,? {_PLACE})?")
_TOWN_BEHIND: Final = re.compile(rf", (?P<town>{_TOWN})(?=[.,;)]|$| and\b| in\b| since\b| from\b)")
_CODE: Final = re.compile(rf"(?:{_BRITISH_CODE}|(?:, )?{_STATE_CODE}|(?:[A-Z]{{1,2}}-)?\b\d{{4,5}}\b)")

# Open phrases that, before an address, say where somebody is.
_LOCATED: Final = re.compile(
    r"^(?:now )?(?:be|sit|stand|have (?:\w+ )*(?:office|headquarters|seat|premises|depot|branch|home)|move|relocate)(?: \w+)? (?:at|to|in)$|(?:搬|迁)(?:到|至|往|入)$|(?:设|落户|坐落)(?:在|于)$|^在$"
)

_ROAD_ZH: Final = re.compile(
    r"(?:大道|大街|路|街|巷|胡同|弄|道)(?:[东西南北中]段?)?\s?[\d一二三四五六七八九十百]{1,5}(?:-\d{1,4})?\s?(?:号|弄)"
    r"(?:[A-Za-z\d一二三四五六七八九十]{1,4}(?:号楼|栋|幢|座|楼|层|室|单元)|[\u4e00-\u9fffA-Za-z\d]{2,8}(?:大厦|广场|大楼|国际中心|科技园)|\d{3,4}室?)*"
)
_PART_OF_ONE_ZH: Final = frozenset({"LOC", "ns", "nz", "n", "nw", "f", "s"})
_NO_PART_ZH: Final = frozenset(
    "地址 公司 总部 办公室 仓库 门店 工厂 办公地点 住址 新址 地点 位置 注册地址 客户".split()
)
_CITY_ZH: Final = re.compile(
    r"(?:[\u4e00-\u9fff]{2,8}?(?:省|自治区))?(?P<city>[\u4e00-\u9fff]{2,4}?市|北京|上海|天津|重庆)"
)


def addresses(text: str, analysis: Analysis, *, lang: str) -> Iterator[Mention]:
    """The postal addresses of a text, each a value; a street without a number is none."""
    for start, end in _chinese(text, analysis.tokens) if lang == "zh" else _latin(text, analysis):
        yield Mention(
            start=start, end=end, text=text[start:end], type=ADDRESS, is_value=True, sure=True, rule="id.address"
        )


def town_of(address: Mention) -> Mention | None:
    """The town in an address, as a place of its own; None where it names none."""
    city = _CITY_ZH.match(address.text)
    if city is not None:
        return _place(address, city.start("city"), city.end("city"))
    parts = [(m.start(), m.group()) for m in re.finditer(r"[^,]+", address.text)]
    for at, part in reversed(parts[1:]):
        bare = _CODE.sub("", f"{part}").strip()
        if bare and not re.fullmatch(r"[A-Z]{2}", bare) and not re.search(r"\d", bare):
            start = at + part.index(bare)
            return _place(address, start, start + len(bare))
    return None


def at_towns(links: Sequence[Link], wordings: Wordings) -> list[Link]:
    """The links, those to a postal address told twice: of whom has one, as its address, and of the town in it as before."""
    postal = wordings.ontology.relation("has_address").relation
    out: list[Link] = []
    for link in links:
        if link.object.type != ADDRESS or not link.object.is_value:
            out.append(link)
            continue
        if not link.relation:
            is_located = postal.known and link.subject.type and _LOCATED.search(link.phrase)
            out.append(replace(link, relation=postal.name, name="") if is_located else link)
            continue
        town = town_of(link.object)
        is_kept = (
            not postal.known or link.subject.is_value or wordings.fit(postal, link.subject, link.object) < _SURE_ENOUGH
        )
        out.append(link if is_kept else replace(link, relation=postal.name))
        if town is not None:
            relation = link.relation if link.relation != postal.name else "located_in"
            out.append(replace(link, relation=relation, object=town))
    return out


def _place(address: Mention, start: int, end: int) -> Mention:
    at = address.start + start
    return Mention(start=at, end=at + end - start, text=address.text[start:end], type="place", rule="id.address")


def _latin(text: str, analysis: Analysis) -> Iterator[tuple[int, int]]:
    for found in _STREET.finditer(text):
        end = found.end()
        town = _TOWN_BEHIND.match(text, end) if found["place"] is None else None
        if town is not None and any(
            s.label == "LOC" and s.start < town.end() and town.start("town") < s.end for s in analysis.entities
        ):
            end = town.end()
        yield found.start(), end
    for found in _BOX.finditer(text):
        yield found.span()


def _chinese(text: str, tokens: Sequence[Token]) -> Iterator[tuple[int, int]]:
    """From the road and its number back over the places in front of it."""
    for found in _ROAD_ZH.finditer(text):
        start = found.start()
        for token in reversed(tokens):
            if token.start >= found.start():
                continue
            if token.end < start or token.tag not in _PART_OF_ONE_ZH or token.text in _NO_PART_ZH:
                break
            start = min(start, token.start)
        if start < found.start():
            yield start, found.end()
