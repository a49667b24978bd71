"""When two spellings are one name: the canonical key of a name, and the shorter keys under which it is also looked up."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from muniment.engine.ingest.spelling import spelling_key

# Spellings of one legal form, by the form they are written as in a key. Different forms are different companies.
_LEGAL_FORMS = {
    "ltd": ("ltd", "limited"),
    "inc": ("inc", "incorporated"),
    "corp": ("corp", "corporation"),
    "co": ("co", "company"),
    "llc": ("llc", "l.l.c"),
    "llp": ("llp", "l.l.p"),
    "plc": ("plc", "p.l.c"),
    "gmbh": ("gmbh",),
    "ag": ("ag",),
    "kg": ("kg",),
    "se": ("se",),
    "sa": ("sa", "s.a"),
    "sarl": ("sarl", "s.a.r.l", "s.à r.l", "sàrl"),
    "srl": ("srl", "s.r.l"),
    "spa": ("spa", "s.p.a"),
    "bv": ("bv", "b.v"),
    "nv": ("nv", "n.v"),
    "ab": ("ab",),
    "as": ("as", "a/s"),
    "oy": ("oy",),
    "pty ltd": ("pty ltd", "pty limited"),
    "sp. z o.o": ("sp. z o.o", "sp z o.o", "spzoo"),
}
_FORM_OF = {spelling: form for form, spellings in _LEGAL_FORMS.items() for spelling in spellings}
_LATIN_FORM = re.compile(
    r"[ ,]+(" + "|".join(sorted((re.escape(s) for s in _FORM_OF), key=len, reverse=True)) + r")\.?$"
)
_CHINESE_FORM = re.compile(r"(股份有限公司|有限责任公司|有限公司|集团有限公司)$")
_PERSON_TITLE = re.compile(
    r"^(?:mr|mrs|ms|miss|dr|prof|professor|sir|dame|judge|justice|herr|frau|m|mme)\.? +(?=\S)|(?:先生|女士|小姐)$"
)
PERSON = "person"
ORGANISATION = "organisation"


@dataclass(frozen=True, slots=True, kw_only=True)
class NameKeys:
    """How a name is compared. `key` is its canonical form; `short` what is left without legal form or title, else ''.

    `form` is the legal form in its one spelling ('' where there is none): two names of different forms are never one.
    """

    key: str
    short: str = ""
    form: str = ""


# Names repeat within and between writes; a pure function of the text may be remembered.
_REMEMBERED = 16_384


@lru_cache(_REMEMBERED)
def name_keys(name: str, root: str = "") -> NameKeys:
    """The keys of a name; `root` is the broad type whose rules apply: person, organisation, '' where it is not known,
    anything else for names that have neither titles nor legal forms. Only punctuation, case, width, and spelling of titles and legal forms are ironed out.

    Digits always count: `Room 101` and `Room 102` have different keys.
    """
    base = spelling_key(name)
    if root == PERSON:
        short = _PERSON_TITLE.sub("", base).strip()
        return NameKeys(key=base, short=short if short != base else "")
    if root in ("", ORGANISATION):
        return _organisation_keys(base)
    return NameKeys(key=base)


def alias_key(name: str) -> str:
    """The key under which a spelling is looked up, whatever the type."""
    return spelling_key(name)


@lru_cache(_REMEMBERED)
def lookup_keys(name: str, root: str = "") -> tuple[str, ...]:
    """Every key under which an entity of this name may be found, the surest first."""
    keys = name_keys(name, root)
    return tuple(dict.fromkeys(k for k in (spelling_key(name), keys.key, keys.short) if k))


def _organisation_keys(base: str) -> NameKeys:
    chinese = _CHINESE_FORM.search(base)
    if chinese and chinese.start() > 0:
        form = chinese.group(1).replace("有限责任公司", "有限公司")
        short = base[: chinese.start()]
        return NameKeys(key=short + form, short=short, form=form)
    latin = _LATIN_FORM.search(base)
    if latin and latin.start() > 0:
        form = _FORM_OF[latin.group(1)]
        short = base[: latin.start()].rstrip(" ,.")
        return NameKeys(key=f"{short} {form}", short=short, form=form)
    return NameKeys(key=base)
