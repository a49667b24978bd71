"""When two spellings are one name: the canonical key of a name, and the shorter keys under which it is also looked up.

What is ironed out depends on the type: titles and the order of names for people, legal forms and dotted capitals for
organisations, nothing but case, width and marks for everything else. Digits, diacritics and scripts always count.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from muniment.engine.ingest.legal_forms import split_form
from muniment.engine.ingest.spelling import spelling_key

PERSON = "person"
ORGANISATION = "organisation"

_TITLES = (
    "mr mrs ms miss mx dr prof professor sir dame lord lady judge justice hon honourable rev reverend fr father sister "
    "president präsident minister senator sen gov capt captain col gen lt sgt maj "
    "herr frau dipl-ing ing mag mme mlle maître me monsieur madame docteur sr sra srta don doña dott dra sig sigra avv "
    "shaikh sheikh haji hajji mullah maulavi г-н г-жа"
).split()
_TITLE_FIRST = re.compile(rf"^(?:(?:{'|'.join(_TITLES)})\.? +)+(?=\S)")
_TITLE_LAST = re.compile(r"(?<=\S)(?:,? +(?:esq|phd|ph\.d|md|m\.d|qc|kc|sc|mba|llm|cpa|obe|mbe)\.?)+$")
_TITLE_CJK = re.compile(r"(?<=[\u3400-\u9fff])(?:先生|女士|小姐|夫人|老师|教授|博士|律师|法官|经理|总监|様|さん|氏)$")
# After a comma these belong to the name before it; anything else means that the family name was put first.
_SUFFIX = re.compile(r"^(?:jr|sr|ii|iii|iv|v)\.?$")
_INITIAL_DOT = re.compile(r"(?<![^\W\d_])([^\W\d_])\.(?=[ \-]|$)")
_INITIALS_RUN = re.compile(r"(?<![^\W_])(?:[^\W\d_]\.){2,}[^\W\d_]?(?![^\W_])")


@dataclass(frozen=True, slots=True, kw_only=True)
class NameKeys:
    """How a name is compared. `key` is its canonical form; `short` what is left without legal form or title, else ''.

    `form` is the legal form in its one spelling ('' where there is none): two names of different forms are never one.
    """

    key: str
    short: str = ""
    form: str = ""


REMEMBERED = 16_384
"""Names repeat within and between writes, also as those with which a new one is compared, so what follows from a name alone is
remembered. A tenant of 50,000 facts has some 20,000 names; fewer places than names would be of no use at all."""


@lru_cache(REMEMBERED)
def name_keys(name: str, root: str = "") -> NameKeys:
    """The keys of a name; `root` is the broad type whose rules apply: person, organisation, '' where it is not known,
    anything else for names that have neither titles nor legal forms.

    Digits always count: `Room 101` and `Room 102` have different keys.
    """
    base = spelling_key(name)
    if root == PERSON:
        return _person_keys(base)
    if root in ("", ORGANISATION):
        return _organisation_keys(base)
    return NameKeys(key=base)


def alias_key(name: str) -> str:
    """The key under which a spelling is looked up, whatever the type."""
    return spelling_key(name)


@lru_cache(REMEMBERED)
def lookup_keys(name: str, root: str = "") -> tuple[str, ...]:
    """Every key under which an entity of this name may be found, the surest first."""
    keys = name_keys(name, root)
    return tuple(dict.fromkeys(k for k in (spelling_key(name), keys.key, keys.short) if k))


def _person_keys(base: str) -> NameKeys:
    """Given name first, without dots after initials; titles only in `key`."""
    key = _given_first(_split_initials(base))
    short = _TITLE_CJK.sub("", _TITLE_LAST.sub("", _TITLE_FIRST.sub("", key))).strip(" ,")
    return NameKeys(key=key, short=short if short != key else "")


def _split_initials(text: str) -> str:
    """`j.c. penn` and `j. c. penn` as `j c penn`."""
    text = _INITIALS_RUN.sub(lambda run: " ".join(run.group().replace(".", "")), text)
    return _INITIAL_DOT.sub(r"\1", text)


def _given_first(text: str) -> str:
    """`rahman, p` as `p rahman`; `ruiz, jr` stays."""
    family, comma, given = text.partition(",")
    if not comma or "," in given or not family.strip() or not given.strip():
        return text
    if _SUFFIX.match(given.strip()) or _TITLE_LAST.search(text):
        return text.replace(",", "")
    return f"{given.strip()} {family.strip()}"


def _organisation_keys(base: str) -> NameKeys:
    text = _INITIALS_RUN.sub(lambda run: run.group().replace(".", ""), base)
    core, form = split_form(text)
    if not form:
        return NameKeys(key=text)
    joint = "" if _is_cjk(core[-1]) and _is_cjk(form[0]) else " "
    return NameKeys(key=f"{core}{joint}{form}", short=core, form=form)


def _is_cjk(char: str) -> bool:
    return "\u2e80" <= char <= "\u9fff" or "\uac00" <= char <= "\ud7af"
