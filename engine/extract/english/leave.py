"""Leave to do what was barred: "you can call me again", "calls are fine now", "Ana may be mailed again"."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final

from muniment.engine.extract.english.parse import Parse
from muniment.engine.extract.english.stance import sentence_stance
from muniment.engine.extract.links import Stance
from muniment.engine.extract.mentions import PERSON, Mention
from muniment.engine.extract.wishes import ALLOW, Preference, literal, made

Whom = Callable[[Parse, "re.Match[str]", bool], Mention | None]

_REACH = r"(?:call|ring|phone|telephone|e-?mail|mail|text|message|contact|write(?: to)?|visit)"
_REACHED = r"(?:called|rung|phoned|telephoned|e-?mailed|mailed|texted|messaged|contacted|visited|written to)"
_REACHING = r"(?:call(?:ing|s)|ringing|phon(?:ing|e calls)|telephoning|e-?mail(?:ing|s)|mailing|text(?:ing|s)|messag(?:ing|es)|visit(?:ing|s)|letters)"
_FINE = r"(?:fine|ok(?:ay)?|all right|alright|welcome|possible|allowed|no problem|not a problem)"
_THEN = r"(?:(?:now|again|also|once more|perfectly|quite|absolutely|all)\s+)*"
_ANEW: Final = re.compile(
    r"\b(?:again|now|once more|from now on|any ?time|at any time|after all|too|as well)\b", re.IGNORECASE
)
_YOU_CAN: Final = re.compile(
    rf"\b(?:you|we|they|everyone|everybody|anyone|people|the team)\s+{_THEN}(?:can|may|are\s+{_THEN}(?:allowed|free|welcome)\s+to)\s+{_THEN}(?P<v>(?P<verb>{_REACH})\b[^.;!?,]*)",
    re.IGNORECASE,
)
_FINE_TO: Final = re.compile(
    rf"\bit(?:['’]s|\s+is)\s+{_THEN}{_FINE}\s+{_THEN}to\s+{_THEN}(?P<v>(?P<verb>{_REACH})\b[^.;!?,]*)", re.IGNORECASE
)
_MAY_BE: Final = re.compile(
    rf"\b(?P<may>can|may|is\s+{_THEN}(?:allowed|happy|willing)\s+to)\s+{_THEN}(?P<v>be\s+{_REACHED}\b[^.;!?,]*)",
    re.IGNORECASE,
)
_CALLS_ARE: Final = re.compile(
    rf"(?:^|[.;:,]\s*|\b(?:and|but|so)\s+)(?P<v>(?P<verb>{_REACHING})(?:\s+(?:to\s+)?(?P<who>[\w’' -]{{2,40}}?))?)\s+(?:is|are)\s+{_THEN}{_FINE}\b",
    re.IGNORECASE,
)
# One call more, or what can be done, is no leave for good.
_ONLY_ONCE: Final = re.compile(
    r"\b(?:yet|today|tonight|tomorrow|right now|just now|next (?:week|month|time)|(?:on|until) (?:mon|tues|wednes|thurs|fri)day|this (?:morning|afternoon|evening|week|time|once))\b",
    re.IGNORECASE,
)


def permissions(parse: Parse, whom: Whom, above: Stance) -> Iterator[Preference]:
    """What may be done again, of the one who is to be reached; `whom` finds them, as for an order."""
    for pattern in (_YOU_CAN, _FINE_TO):
        for m in pattern.finditer(parse.text):
            if _ONLY_ONCE.search(m["v"]) or (pattern is _YOU_CAN and not _ANEW.search(m.group())):
                continue
            who = whom(parse, m, False)
            if who is not None:
                yield made(who, literal(parse.text, m.start("v"), m.end("v")), ALLOW, "may", above)
    for m in _MAY_BE.finditer(parse.text):
        before = [x for x in parse.mentions if x.end <= m.start() and not parse.text[x.end : m.start()].strip()]
        named = before and not before[-1].is_value and (before[-1].same_as or not before[-1].pronoun)
        if named and _ANEW.search(m["v"]) and not _ONLY_ONCE.search(m["v"]):
            stance = sentence_stance(parse.text[: m.start()] + "can" + parse.text[m.end("may") :])  # no "may be"
            yield made(before[-1], literal(parse.text, m.start("v"), m.end("v")), ALLOW, "may", stance)
    for m in _CALLS_ARE.finditer(parse.text):
        who = _named_in(parse, m)
        if who is not None:
            yield made(who, literal(parse.text, m.start("v"), m.end("v")), ALLOW, "fine", above)


def _named_in(parse: Parse, m: re.Match[str]) -> Mention | None:
    """Whom "calls to Ana are fine" is about; the speaker where it names nobody, none where it names somebody unknown."""
    place = m.start("v")
    if not m["who"] or m["who"].strip().casefold() in ("me", "us"):
        return Mention(start=place, end=place, text="I", type=PERSON, pronoun=True)
    inside = [x for x in parse.mentions if m.start("who") <= x.start < m.end("who") and not x.is_value]
    return next((x for x in inside if x.same_as or not x.pronoun), None)
