"""How a relation's name is written, and which exact spellings name the same relation.

Nothing here is fuzzy: a spelling either is one of the listed forms or it is unknown.
"""

import re
import unicodedata
from collections.abc import Iterator

_NOT_WORD = re.compile(r"[\W_]+")
_CAMEL_EDGE = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_BE_FORMS = ("be", "is", "are", "was", "were")

# Past forms that the rules below would get wrong; only first words of the base relations' verbs are listed.
_IRREGULAR_PAST = {
    "beat": "beat",
    "become": "became",
    "begin": "began",
    "bring": "brought",
    "build": "built",
    "buy": "bought",
    "come": "came",
    "fight": "fought",
    "find": "found",
    "get": "got",
    "give": "gave",
    "go": "went",
    "grow": "grew",
    "have": "had",
    "hear": "heard",
    "hold": "held",
    "leave": "left",
    "lose": "lost",
    "make": "made",
    "meet": "met",
    "pay": "paid",
    "read": "read",
    "run": "ran",
    "see": "saw",
    "sell": "sold",
    "send": "sent",
    "sing": "sang",
    "speak": "spoke",
    "take": "took",
    "teach": "taught",
    "win": "won",
    "write": "wrote",
}


def relation_key(text: str) -> str:
    """The snake_case key of a relation or type name: NFKC, case-folded, runs of other characters become one `_`.

    >>> relation_key("Works-For"), relation_key("Ｗｏｒｋｓ　ｆｏｒ"), relation_key("客户 经理")
    ('works_for', 'works_for', '客户_经理')

    Text without a letter or digit gives the empty string, which names nothing.
    """
    if text.isascii():
        folded = text.lower()
    else:
        # Case-folding can undo the composition that NFKC made, so normalise once more.
        folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    return _NOT_WORD.sub("_", folded).strip("_")


def camel_key(text: str) -> str:
    """As `relation_key`, but `worksFor` is read as two words."""
    return relation_key(_CAMEL_EDGE.sub(" ", text))


def third_person(verb: str) -> str:
    """The present form after "she": `work` gives `works`, `carry` gives `carries`."""
    if verb == "have":
        return "has"
    if verb.endswith(("s", "x", "z", "ch", "sh", "o")):
        return verb + "es"
    if verb.endswith("y") and verb[-2:-1] not in tuple("aeiou"):
        return verb[:-1] + "ies"
    return verb + "s"


def past(verb: str) -> str:
    """The simple past: `found` gives `founded`, `buy` gives `bought`."""
    if verb in _IRREGULAR_PAST:
        return _IRREGULAR_PAST[verb]
    if verb.endswith("e"):
        return verb + "d"
    if verb.endswith("y") and verb[-2:-1] not in tuple("aeiou"):
        return verb[:-1] + "ied"
    return verb + "ed"


def verb_keys(key: str, *, event: bool) -> Iterator[str]:
    """Other spellings of an English verb alias, given by the key of its base form.

    `work_at` gives `works_at`; `be_employed_by` gives `employed_by`, `is_employed_by` and so on; an event's verb also
    gives its past (`acquire`: `acquires`, `acquired`). A state has no past form here: "worked_for" tells that it ended.
    """
    verb, _, rest = key.partition("_")
    tail = f"_{rest}" if rest else ""
    if verb == "be":
        if rest:
            yield rest
            yield from (f"{form}{tail}" for form in _BE_FORMS[1:])
        return
    yield third_person(verb) + tail
    if event:
        yield past(verb) + tail
