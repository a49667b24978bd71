"""Where people and firms move to, live and come from: towns and countries that the tagger took for people or firms."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from muniment.engine.extract.english import words
from muniment.engine.extract.mentions import PLACE, Mention

KNOWN_PLACES: Final = frozenset(
    re.split(
        r"\s*,\s*",
        """
        london, york, leeds, manchester, birmingham, liverpool, bristol, sheffield, newcastle, nottingham, leicester, coventry, bradford,
        cardiff, swansea, edinburgh, glasgow, aberdeen, dundee, inverness, belfast, derry, dublin, cork, galway, limerick, oxford,
        cambridge, brighton, bath, exeter, plymouth, southampton, portsmouth, reading, norwich, ipswich, hull, sunderland, wolverhampton,
        paris, lyon, marseille, toulouse, nice, nantes, strasbourg, bordeaux, lille, rennes, grenoble, berlin, hamburg, munich, cologne,
        frankfurt, stuttgart, düsseldorf, dusseldorf, dortmund, essen, leipzig, dresden, hanover, nuremberg, bremen, bonn, vienna, graz,
        salzburg, innsbruck, linz, zurich, zürich, geneva, basel, bern, lausanne, lugano, rome, milan, naples, turin, florence, bologna,
        genoa, venice, verona, palermo, madrid, barcelona, valencia, seville, malaga, bilbao, zaragoza, lisbon, porto, brussels, antwerp,
        ghent, bruges, liège, amsterdam, rotterdam, the hague, utrecht, eindhoven, groningen, luxembourg, copenhagen, aarhus, odense,
        stockholm, gothenburg, malmö, malmo, uppsala, oslo, bergen, trondheim, stavanger, helsinki, espoo, tampere, turku, reykjavik,
        tallinn, riga, vilnius, warsaw, krakow, kraków, gdansk, wroclaw, poznan, lodz, prague, brno, ostrava, bratislava, budapest,
        bucharest, cluj, sofia, belgrade, zagreb, split, ljubljana, sarajevo, skopje, tirana, athens, thessaloniki, istanbul, ankara,
        izmir, kyiv, kiev, lviv, odesa, kharkiv, minsk, moscow, saint petersburg, st petersburg, tbilisi, yerevan, baku, tel aviv,
        jerusalem, haifa, beirut, amman, damascus, baghdad, tehran, riyadh, jeddah, dubai, abu dhabi, doha, kuwait city, muscat, manama,
        cairo, alexandria, casablanca, rabat, tunis, algiers, lagos, abuja, accra, dakar, abidjan, nairobi, mombasa, kampala, kigali,
        addis ababa, dar es salaam, lusaka, harare, johannesburg, pretoria, cape town, durban, karachi, lahore, islamabad, delhi,
        new delhi, mumbai, bangalore, bengaluru, chennai, kolkata, hyderabad, pune, ahmedabad, jaipur, colombo, dhaka, kathmandu,
        yangon, bangkok, chiang mai, hanoi, ho chi minh city, saigon, phnom penh, kuala lumpur, penang, singapore, jakarta, bandung,
        surabaya, manila, cebu, hong kong, macau, taipei, kaohsiung, beijing, shanghai, guangzhou, shenzhen, hangzhou, nanjing, suzhou,
        chengdu, chongqing, wuhan, xi'an, xian, tianjin, qingdao, dalian, xiamen, ningbo, changsha, zhengzhou, kunming, harbin,
        shenyang, jinan, hefei, fuzhou, wuxi, dongguan, foshan, seoul, busan, incheon, daegu, tokyo, osaka, kyoto, yokohama, nagoya,
        sapporo, fukuoka, kobe, hiroshima, sendai, ulaanbaatar, almaty, astana, tashkent, sydney, melbourne, brisbane, perth, adelaide,
        canberra, hobart, darwin, auckland, wellington, christchurch, dunedin, new york, new york city, brooklyn, los angeles, chicago,
        houston, phoenix, philadelphia, san antonio, san diego, dallas, san jose, austin, fort worth, columbus, charlotte, san francisco,
        indianapolis, seattle, denver, boston, el paso, nashville, detroit, portland, las vegas, memphis, louisville, baltimore,
        milwaukee, albuquerque, tucson, sacramento, kansas city, atlanta, miami, oakland, minneapolis, tulsa, tampa, new orleans,
        cleveland, honolulu, cincinnati, pittsburgh, st louis, saint louis, orlando, buffalo, salt lake city, anchorage, boise,
        raleigh, richmond, hartford, providence, palo alto, mountain view, toronto, montreal, vancouver, calgary, ottawa, edmonton,
        winnipeg, halifax, quebec city, mexico city, guadalajara, monterrey, havana, san juan, panama city, bogota, bogotá, medellin,
        medellín, cali, quito, guayaquil, lima, la paz, santiago, valparaiso, buenos aires, cordoba, montevideo, asuncion, são paulo,
        sao paulo, rio de janeiro, brasilia, salvador, recife, fortaleza, curitiba, porto alegre, caracas,
        england, scotland, wales, northern ireland, ireland, france, germany, austria, switzerland, italy, spain, portugal, belgium,
        the netherlands, netherlands, denmark, sweden, norway, finland, iceland, estonia, latvia, lithuania, poland, czechia, slovakia,
        hungary, romania, bulgaria, serbia, croatia, slovenia, greece, turkey, ukraine, russia, israel, egypt, morocco, tunisia,
        nigeria, ghana, kenya, uganda, rwanda, ethiopia, tanzania, south africa, india, pakistan, bangladesh, sri lanka, nepal,
        thailand, vietnam, cambodia, malaysia, indonesia, the philippines, philippines, taiwan, china, japan, south korea, australia,
        new zealand, canada, mexico, cuba, colombia, ecuador, peru, chile, argentina, brazil, uruguay, venezuela, the united states,
        the united kingdom, the us, the uk, the usa, california, texas, florida, ohio, oregon, nevada, arizona, colorado, michigan,
        massachusetts, pennsylvania, illinois, minnesota, wisconsin, tennessee, alabama, louisiana, utah, hawaii, alaska, ontario,
        quebec, alberta, british columbia, queensland, bavaria, catalonia, tuscany, sicily, brittany, normandy, cornwall, devon, kent,
        essex, surrey, yorkshire, lancashire
        """.strip(),
    )
)  # fmt: skip
"""Large towns, countries and regions of the world, folded. Some are names of people or words as well, so that one counts only
where the words around it speak of a place."""

_GOING = (
    r"(?:mov(?:e|es|ed|ing)|relocat(?:e|es|ed|ing)|emigrat(?:e|es|ed|ing)|transfer(?:s|red|ring)?|return(?:s|ed|ing)?|travel(?:s|led|ling|ed|ing)?|"
    r"fl(?:y|ies|ew|ying)|dr(?:ive|ives|ove)|went|go(?:es|ing)?|came?|com(?:es|ing)|commut(?:e|es|ed|ing)|settl(?:e|es|ed|ing)|"
    r"li(?:ve|ves|ved|ving)|resid(?:e|es|ed|ing)|born|grew up|based|headquartered|located|situated|head office|headquarters|hq)"
)
_TO_A_PLACE: Final = re.compile(
    rf"\b{_GOING}\b(?: (?:back|away|out|over|here|down|up|house|home|permanently|recently|its|their|his|her|our|the|head|main|registered|office|offices|"
    r"headquarters|family)){0,4} (?:to|in|near|from|into)$",
    re.IGNORECASE,
)
_LEAVING: Final = re.compile(r"\b(?:left|leav(?:e|es|ing)|visit(?:s|ed|ing)?|reach(?:es|ed)?)$", re.IGNORECASE)
_MOVES: Final = re.compile(
    r"\b(?:mov(?:e|es|ed|ing)|relocat(?:e|es|ed|ing)|transfer(?:s|red|ring)?|return(?:s|ed|ing)?|emigrat(?:e|es|ed|ing))\b",
    re.IGNORECASE,
)
_FROM_TO: Final = re.compile(r"(?P<one>from|to) (?:the )?$", re.IGNORECASE)
_ARTICLE: Final = re.compile(r" the$", re.IGNORECASE)


def is_known_place(name: str) -> bool:
    """Whether a name is that of a large town, a country or a region."""
    return name.casefold() in KNOWN_PLACES


def moved_to(names: Sequence[Mention], text: str) -> list[Mention]:
    """The names, those of known places as places where the words before them speak of one, and so the other end of "from A to B"
    where one is known and nothing proves the other to be anything else."""
    out = [_as_place(m) if _may_be_place(m) and _is_told_as_place(m, text) else m for m in names]
    for at, first in enumerate(out[:-1]):
        second = out[at + 1]
        if not _is_from_to(first, second, text):
            continue
        ends = (first, second)
        if any(is_known_place(m.text) for m in ends) and all(is_known_place(m.text) or _may_be_place(m) for m in ends):
            out[at], out[at + 1] = _as_place(first), _as_place(second)
    return out


def _as_place(mention: Mention) -> Mention:
    return mention if mention.sure else replace(mention, type=PLACE)


def _may_be_place(mention: Mention) -> bool:
    known = mention.rule == "name.known" and mention.type
    return not (mention.sure or mention.is_value or mention.pronoun or known)


def _is_told_as_place(mention: Mention, text: str) -> bool:
    if not is_known_place(mention.text):
        return False
    before = _ARTICLE.sub("", text[: mention.start].rstrip())
    if _TO_A_PLACE.search(before):
        return True
    person = mention.text.casefold() in words.FEMALE_NAMES | words.MALE_NAMES
    return not person and _LEAVING.search(before) is not None


def _is_from_to(first: Mention, second: Mention, text: str) -> bool:
    """Whether two names stand as "moved from A to B" or "moved to B from A"."""
    led = _FROM_TO.search(text[: first.start])
    if led is None or not _MOVES.search(text[: led.start()]):
        return False
    other = "to" if led["one"].casefold() == "from" else "from"
    return re.fullmatch(rf"\s+{other}\s+(?:the\s+)?", text[first.end : second.start], re.IGNORECASE) is not None
