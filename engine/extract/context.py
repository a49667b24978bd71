"""Whom a pronoun or a short name means, told by the episode alone: its speaker, its title and what it named before."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from muniment.engine.extract.english import words
from muniment.engine.extract.mentions import ORGANISATION, PERSON, PLACE, Mention
from muniment.engine.ports.models import Token
from muniment.graph_schema.ontology import Ontology

_FIRST = frozenset({"i", "me", "my", "mine", "myself", "我", "本人", "我的", "俺"})
_SHE = frozenset({"she", "her", "hers", "herself", "她", "她的"})
_HE = frozenset({"he", "him", "his", "himself", "他", "他的"})
_IT = frozenset({"it", "its", "itself", "它", "它的", "其", "该"})
POSSESSIVE_PRONOUNS = frozenset({"my", "his", "her", "its", "their", "our", "your"})
_THE_FIRM_EN = re.compile(
    r"\b(?:the|this|that) (?:company|firm|client|customer|supplier|vendor|organi[sz]ation|business|bank|agency|group)\b",
    re.IGNORECASE,
)
_THE_PAPER_EN = re.compile(
    r"\b(?:the|this|that|said) (?:agreement|contract|lease|MSA|NDA|SOW|DPA|SLA|MoU)\b(?! (?:between|with|for|of|to|from|on|no|number|dated|signed|is (?:between|with)|[A-Z]?\d))",
    re.IGNORECASE,
)
_THE_FIRM_ZH = re.compile(r"(?:该|这家|此|本)(?:公司|企业|客户|单位|机构|集团|供应商|厂)|对方公司|他们公司|他们家")
_THE_PERSON_ZH = re.compile(r"(?:该|这位)(?:人|员工|同事|律师|经理|先生|女士)|此人|对方(?!公司)")
_ZH_SURNAME_TITLE = re.compile(
    r"^([\u4e00-\u9fff])(?:总|工|经理|老师|主任|律师|先生|女士|小姐|董|局|处长|科长|院长|法官|医生|教授|师傅|部长|主管|总监)$"
)
_ZH_NICK = re.compile(r"^(?:老|小|阿)([\u4e00-\u9fff])$")
MIN_SHARED = 2


@dataclass(slots=True)
class EpisodeContext:
    """What an episode has named so far. One a episode; it is told each sentence's names in order."""

    ontology: Ontology
    speaker: str = ""
    title: str = ""
    people: list[Mention] = field(default_factory=list)
    things: list[Mention] = field(default_factory=list)
    names: dict[str, Mention] = field(default_factory=dict)
    paper: Mention | None = None  # the contract that was last told by its name or its parties
    own_firm: Mention | None = None  # for whom the speaker works, once the text has said so
    addressed: set[str] = field(default_factory=set)  # whom a greeting names: they are "you", nobody's "she"

    def resolve(
        self, mentions: Sequence[Mention], known: Mapping[str, tuple[tuple[str, str], ...]], text: str = ""
    ) -> list[Mention]:
        """The mentions with `same_as` set where one reading fits; a pronoun without one stays open. `text` is the sentence that
        they stand in."""
        out: list[Mention] = []
        for mention in mentions:
            if mention.rule.endswith(".weak") and not self._is_known(mention, known):
                continue
            if mention.rule == "pronoun.paper" and not mention.same_as:
                if self.paper is not None:
                    out.append(replace(mention, same_as=_full(self.paper), type=self.paper.type))
                continue
            if mention.pronoun and mention.same_as:
                out.append(mention)  # a term that the text defines
                continue
            resolved = self._pronoun(mention) if mention.pronoun else self._name(mention, known)
            out.append(resolved)
            if not resolved.pronoun:
                self._remember(resolved)
                if text and resolved.type in (PERSON, "") and not resolved.is_value:
                    self._address(resolved, greeted=is_greeted(text, resolved))
        return out

    def longer_names(self) -> list[Mention]:
        """The episode's names that a later sentence may repeat as they are; of Chinese ones those of three or more characters."""
        return [
            m
            for m in self.names.values()
            if len(m.text) > MIN_SHARED and m.type != PLACE and not m.rule.endswith(".weak")
        ]

    def only_person(self) -> Mention | None:
        """The one person that has been named so far; None where nobody, or more than one, was."""
        return self.people[0] if len(self.people) == 1 else None

    def _is_known(self, mention: Mention, known: Mapping[str, tuple[tuple[str, str], ...]]) -> bool:
        folded = mention.text.casefold()
        return folded in known or folded in self.names or self._longer(mention) is not None

    def _pronoun(self, mention: Mention) -> Mention:
        word = mention.text.casefold()
        if word in _FIRST:
            return replace(mention, same_as=self.speaker, type=PERSON)
        if word in _SHE or word in _HE:
            gender = "f" if word in _SHE else "m"
            chosen = self._last_fitting(gender)
            return replace(mention, same_as=_full(chosen), type=PERSON) if chosen else mention
        if _THE_PERSON_ZH.fullmatch(mention.text):
            others = self._others()
            return replace(mention, same_as=_full(others[-1]), type=PERSON) if others else mention
        if word in _IT:
            return (
                replace(mention, same_as=_full(self.things[-1]), type=self.things[-1].type) if self.things else mention
            )
        firms = [t for t in self.things if self.ontology.is_a(t.type or "thing", ORGANISATION)]
        return replace(mention, same_as=_full(firms[-1]), type=firms[-1].type) if firms else mention

    def _others(self) -> list[Mention]:
        """The people named so far but for who speaks and who is spoken to, in order of their last mention."""
        return [p for p in self.people if _full(p) not in self.addressed and _full(p) != self.speaker]

    def _last_fitting(self, gender: str) -> Mention | None:
        """The person named last whose name does not speak against the gender; nobody where that name tells none and an earlier
        one does, for either may be meant."""
        others = self._others()
        fitting = [p for p in reversed(others) if gender_of(p.text) in ("", gender)]
        surely = [p for p in fitting if gender_of(p.text) == gender]
        return fitting[0] if fitting and (not surely or surely[0] == fitting[0]) else None

    def _address(self, mention: Mention, *, greeted: bool) -> None:
        """Whom a greeting names is spoken to until a sentence tells of them."""
        (self.addressed.add if greeted else self.addressed.discard)(_full(mention))

    def know(self, mention: Mention) -> None:
        """Takes in a name that stands outside the sentences, as in the head of a mail: short forms of it mean it."""
        self.names.setdefault(_full(mention).casefold(), mention)

    def _name(self, mention: Mention, known: Mapping[str, tuple[tuple[str, str], ...]]) -> Mention:
        if mention.is_value:
            return mention
        earlier = self._longer(mention)
        if earlier is not None:
            type_ = earlier.type or mention.type
            return replace(mention, same_as=_full(earlier), type=type_ if not mention.sure else mention.type)
        meant = known.get(mention.text.casefold(), ())
        if len(meant) == 1 and meant[0][0] != mention.text:
            return replace(mention, same_as=meant[0][0], type=meant[0][1] or mention.type)
        return mention

    def _longer(self, mention: Mention) -> Mention | None:
        """The one name of the episode that this one is a part of: "Ruiz" after "Ana Ruiz", "Acme" after "Acme Robotics"."""
        folded = mention.text.casefold()
        if folded in self.names:
            return None
        parts = folded.split()
        fitting: dict[str, Mention] = {}
        for name, earlier in self.names.items():
            longer = name.split()
            if (
                (longer[0] == "project" and longer[1:] == parts)
                or (
                    len(longer) > len(parts)
                    and len(parts) == 1
                    and (
                        longer[0] == folded or (earlier.type == PERSON and longer[-1] == folded and "of" not in longer)
                    )
                )
                or self._is_short_han(mention.text, earlier)
            ):
                fitting[_full(earlier)] = earlier
        return next(iter(fitting.values())) if len(fitting) == 1 else None

    @staticmethod
    def _is_short_han(short: str, earlier: Mention) -> bool:
        """王总 or 老王 after 王伟; 蓝海 after 蓝海科技."""
        name = earlier.text
        if not "\u4e00" <= short[:1] <= "\u9fff" or name == short:
            return False
        called = _ZH_SURNAME_TITLE.match(short) or _ZH_NICK.match(short)
        if called:
            return (
                earlier.type == PERSON
                and 2 <= len(name) <= 4
                and name.startswith(called.group(1))
                and not _ZH_SURNAME_TITLE.match(name)
            )
        return earlier.type != PERSON and len(short) >= MIN_SHARED and len(name) > len(short) and name.startswith(short)

    def _remember(self, mention: Mention) -> None:
        if mention.is_value or mention.type in ("role", "date"):
            return
        self.names.setdefault(mention.text.casefold(), mention)
        if mention.type == PERSON:
            self.people = [p for p in self.people if _full(p) != _full(mention)] + [mention]
        elif mention.type != PLACE:
            self.things = [t for t in self.things if _full(t) != _full(mention)] + [mention]


_GREETING = re.compile(
    r"^[\"“'\s]*(?:hi|hello|hey|hiya|dear|morning|good (?:morning|afternoon|evening|day)|thanks|thank you|cheers|welcome)\b,?"
    r"(?:[ ]+(?:there|again|all|both))?,?(?:[ ]+(?:mr|mrs|ms|miss|mx|dr|prof)\b\.?)*(?:[ ]+[^\W\d_][\w.'’-]*(?:[ ][^\W\d_][\w.'’-]*)?(?:,| and| &))*[ ]+$",
    re.IGNORECASE,
)
_AFTER_GREETED = re.compile(r"\s*(?:[,，!！.:：;–—-]|and\b|&|$)")
_GREETING_ZH = re.compile(
    r"^(?:尊敬的|亲爱的|敬爱的|(?:你|您|大家)好[，,!！]?|(?:早上|上午|下午|晚上)好[，,!！]?|hi\s*|hello\s*)$",
    re.IGNORECASE,
)
_GREETED_ZH = re.compile(
    r"(?:总|经理|老师|主任|律师|先生|女士|小姐)?[，,]?\s*(?:您好|你好|早上好|上午好|下午好|晚上好|好[，,!！])"
)


def is_greeted(text: str, mention: Mention) -> bool:
    """Whether a name stands in a greeting: "Hi Anna, …", "Dear Ms Vale", 张总您好."""
    before, after = text[: mention.start], text[mention.end :]
    if _GREETING.match(before) and _AFTER_GREETED.match(after):
        return True
    return bool(_GREETING_ZH.match(before)) or (not before.strip() and bool(_GREETED_ZH.match(after)))


def gender_of(name: str) -> str:
    """`f` or `m` where the first name tells, else empty."""
    first = name.split()[0].casefold() if name.split() else ""
    female, male = first in words.FEMALE_NAMES, first in words.MALE_NAMES
    if name.endswith(("女士", "小姐", "太太")):
        return "f"
    if name.endswith("先生"):
        return "m"
    return "" if female == male else "f" if female else "m"


def pronouns(text: str, tokens: Sequence[Token], lang: str) -> Iterator[Mention]:
    """Pronouns and "the company" as mentions still without a meaning; "we" means nobody in particular."""
    known = _FIRST | _SHE | _HE | _IT
    for index, token in enumerate(tokens):
        word = token.text.casefold()
        # "it is raining", "it is likely that": no thing is meant
        if word in known and word not in ("其", "该") and not (word == "it" and _is_empty_it(tokens, index)):
            rule = "pronoun.object" if token.dep in ("dobj", "pobj", "dative") else "pronoun"
            yield Mention(start=token.start, end=token.end, text=token.text, pronoun=True, head=index, rule=rule)
    patterns = (_THE_FIRM_ZH, _THE_PERSON_ZH) if lang == "zh" else (_THE_FIRM_EN, _THE_PAPER_EN)
    for pattern in patterns:
        for match in pattern.finditer(text):
            head = max(
                (i for i, t in enumerate(tokens) if t.start < match.end() and match.start() <= t.start), default=-1
            )
            # "the company that made X": said at once which one
            if not re.match(r"\s+(?:that|which|who|of|behind)\b", text[match.end() :]):
                yield Mention(
                    start=match.start(),
                    end=match.end(),
                    text=match.group(),
                    pronoun=True,
                    head=head,
                    rule="pronoun.paper" if pattern is _THE_PAPER_EN else "pronoun.firm",
                )


def _is_empty_it(tokens: Sequence[Token], index: int) -> bool:
    token = tokens[index]
    if token.dep == "expl":
        return True
    following = [t.text.casefold() for t in tokens[index + 1 : index + 4]]
    return (
        bool(following)
        and following[0] in ("is", "was", "'s", "’s", "seems")
        and any(
            w in ("that", "to", "clear", "likely", "possible", "true", "raining", "important") for w in following[1:]
        )
    )


def _full(mention: Mention) -> str:
    return mention.same_as or mention.text
