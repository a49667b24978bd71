"""Legal forms of companies in several languages: which spellings are one form, and what of a name is not the form."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

# Spellings of one legal form, by the form they are written as in a key. Different forms are different companies, so only
# spellings of the same thing stand together: an `inc` is not a `corp`. Dots inside and at the end are not written.
_LATIN = {
    "ltd": "ltd|limited|private limited|pvt ltd|pvt limited",
    "co ltd": "co ltd|company limited|co limited|corporation limited|corp ltd",
    "inc": "inc|incorporated",
    "corp": "corp|corporation",
    "co": "co|company|& co|and co|and company",
    "llc": "llc|limited liability company",
    "llp": "llp|limited liability partnership",
    "lp": "lp|limited partnership",
    "plc": "plc|public limited company",
    "pty ltd": "pty ltd|pty limited|proprietary limited",
    "na": "na|national association",
    "gmbh": "gmbh|gesellschaft mit beschränkter haftung|ges mbh|mbh",
    "gmbh & co kg": "gmbh & co kg|gmbh und co kg",
    "ag": "ag|aktiengesellschaft|akg",
    "kg": "kg|kommanditgesellschaft",
    "ohg": "ohg",
    "ug": "ug|ug haftungsbeschränkt",
    "ev": "e v|ev|eingetragener verein",
    "se": "se|societas europaea",
    "sa": "sa|société anonyme|sociedad anónima|sociedade anônima",
    "sas": "sas|société par actions simplifiée",
    "sarl": "sarl|sàrl|s à rl|société à responsabilité limitée",
    "sci": "sci",
    "sl": "sl|sociedad limitada",
    "sa de cv": "sa de cv",
    "srl": "srl|societatea cu răspundere limitată|società a responsabilità limitata",
    "spa": "spa|società per azioni",
    "ltda": "ltda|limitada",
    "bv": "bv|besloten vennootschap",
    "bvba": "bvba",
    "nv": "nv|naamloze vennootschap",
    "ab": "ab|aktiebolag",
    "as": "a/s|aktieselskab|aksjeselskap",
    "aps": "aps|anpartsselskab",
    "oy": "oy|osakeyhtiö",
    "oyj": "oyj",
    "sp zoo": "sp z oo|spzoo|spółka z ograniczoną odpowiedzialnością",
    "jsc": "jsc|ojsc|pjsc|cjsc|joint stock company|open joint stock company|oao|pao|zao|ao|"
    "оао|пао|зао|ао|акционерное общество|открытое акционерное общество|публичное акционерное общество",
    "ooo": "ooo|ооо|общество с ограниченной ответственностью",
}
# A form may also open a name; the short ones are left out, which are words or initials of something else more often.
_FIRST = (
    "ooo|ооо|oao|оао|pao|пао|zao|зао|ао|jsc|ojsc|pjsc|cjsc|llc|srl|gmbh|joint stock company|limited liability company|"
    "общество с ограниченной ответственностью|акционерное общество|открытое акционерное общество|"
    "публичное акционерное общество|societatea cu răspundere limitată"
).split("|")
_CJK_LAST = {
    "股份有限公司": "股份有限公司",
    "集团有限公司": "集团有限公司",
    "有限责任公司": "有限公司",
    "有限公司": "有限公司",
    "股份公司": "股份公司",
    "有限責任公司": "有限公司",
    "集團有限公司": "集团有限公司",
    "株式会社": "株式会社",
    "合同会社": "合同会社",
    "有限会社": "有限会社",
    "주식회사": "주식회사",
    "유한회사": "유한회사",
}
_CJK_FIRST = ("株式会社", "合同会社", "有限会社", "주식회사", "유한회사")
_ABBREVIATED_KK = re.compile(r"^\(?株\) ?| ?\(株\)?$")

_FORM_OF = {spelling: form for form, spellings in _LATIN.items() for spelling in spellings.split("|")}


def _spelled(form: str) -> str:
    """A pattern of one spelling: dots and spaces come and go between and after short pieces (`S. A. R. L.`, `GmbH.`)."""
    words = form.split(" ")
    patterns = [_letters(word) for word in words]
    return r"[ .,]{1,3}".join(patterns) + r"\.?"


def _letters(word: str) -> str:
    return r"\.? ?".join(map(re.escape, word)) if 2 <= len(word) <= 4 and word.isalpha() else re.escape(word)


def _either(spellings: Sequence[str]) -> str:
    return "|".join(f"(?:{_spelled(s)})" for s in sorted(spellings, key=len, reverse=True))


_LAST = re.compile(rf"(?<=\S)(?:[ ,]+|(?<=[\"»”)])|, *)\(?(?P<form>{_either(list(_FORM_OF))})\)?$")
_OPENING = re.compile(rf"^(?P<form>{_either(_FIRST)})(?: +|(?=[\"«“„]))(?=\S)")
_QUOTES = "\"'“”„«»‹› "
_SAME = re.compile(r"[ .,]")


_BY_LETTERS = {_SAME.sub("", spelling): form for spelling, form in _FORM_OF.items()}


@lru_cache(2_048)
def split_form(folded: str) -> tuple[str, str]:
    """What a folded name is without its legal form, and the form in its one spelling ('' where there is none).

    A name that is nothing but a form keeps it.
    """
    text = _ABBREVIATED_KK.sub("株式会社", folded)
    for spelling in _CJK_LAST:
        if text.endswith(spelling) and len(text) > len(spelling):
            return text[: -len(spelling)].strip(" ,"), _CJK_LAST[spelling]
    for spelling in _CJK_FIRST:
        if text.startswith(spelling) and len(text) > len(spelling):
            return text[len(spelling) :].strip(" ,"), spelling
    found = _LAST.search(text) or _OPENING.match(text)
    if found is None or not found.group("form"):
        return folded, ""
    rest = (text[: found.start()] if found.end() == len(text) else text[found.end() :]).strip(_QUOTES + ",.(")
    form = _BY_LETTERS.get(_SAME.sub("", found.group("form")), "")
    return (rest, form) if rest and form else (folded, "")
