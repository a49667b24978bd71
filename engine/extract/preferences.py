"""Likes, dislikes, wishes and constraints of a person or firm, typed by topic, value, polarity and strength."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from muniment.engine.extract.english.parse import Parse
from muniment.engine.extract.english.stance import clause_stance, sentence_stance
from muniment.engine.extract.links import ENDED, PLAIN, Stance
from muniment.engine.extract.mentions import PERSON, Mention
from muniment.engine.extract.reading import Sentence
from muniment.engine.extract.rulebook import confidence_of
from muniment.engine.extract.topics import ban_topic, liking_topic, wish_topic
from muniment.engine.extract.wordings import Wordings
from muniment.engine.ports.models import Analysis
from muniment.graph_schema.records import Says

POSITIVE, NEGATIVE = "positive", "negative"


@dataclass(frozen=True, slots=True, kw_only=True)
class Preference:
    """Who wishes what; `strength` 1 to 5, `constraint` if it must be kept rather than should."""

    subject: Mention
    value: Mention
    topic: str
    relation: str
    polarity: str
    strength: int
    constraint: bool = False
    phrase: str
    rule: str
    confidence: float
    stance: Stance = PLAIN


@dataclass(frozen=True, slots=True, kw_only=True)
class _Attitude:
    relation: str
    polarity: str
    strength: int
    wish: bool = False  # a choice among several: topic by family
    constraint: bool = False


_LIKE = _Attitude(relation="likes", polarity=POSITIVE, strength=3)
_LOVE = _Attitude(relation="likes", polarity=POSITIVE, strength=5)
_PREFER = _Attitude(relation="prefers", polarity=POSITIVE, strength=4, wish=True)
_DISLIKE = _Attitude(relation="dislikes", polarity=NEGATIVE, strength=3)
_HATE = _Attitude(relation="dislikes", polarity=NEGATIVE, strength=5)
_INSIST = _Attitude(relation="must", polarity=POSITIVE, strength=5, wish=True, constraint=True)
_ALLERGY = _Attitude(relation="allergic_to", polarity=NEGATIVE, strength=5, constraint=True)
_NEVER = _Attitude(relation="must_not", polarity=NEGATIVE, strength=5, wish=True, constraint=True)
_ALWAYS = _Attitude(relation="must", polarity=POSITIVE, strength=5, wish=True, constraint=True)

_EN_VERBS = {
    "prefer": _PREFER, "favor": _PREFER, "favour": _PREFER, "like": _LIKE, "enjoy": _LIKE, "appreciate": _LIKE, "love": _LOVE,
    "adore": _LOVE, "dislike": _DISLIKE, "mind": _DISLIKE, "avoid": _DISLIKE, "hate": _HATE, "loathe": _HATE, "detest": _HATE,
    "despise": _HATE, "insist": _INSIST,
}  # fmt: skip
_EN_STATES = {
    "allergic": _ALLERGY, "intolerant": _ALLERGY, "fond": _LOVE, "keen": _LIKE, "crazy": _LOVE, "passionate": _LOVE, "averse": _DISLIKE,
    "sick": _HATE, "tired": _HATE, "partial": _LIKE,
}  # fmt: skip
_EN_CANNOT = re.compile(
    r"\b(?:can(?:'t|’t|not| not)|could(?:n't|n’t| not)) (?:stand|bear|abide|tolerate)\s+(?P<v>[^.,;!?]+)", re.IGNORECASE
)
_EN_FAN = re.compile(
    r"\b(?P<not>not |n't |n’t |no )?(?:a |an )?(?:big |huge |great )?fan of\s+(?P<v>[^.,;!?]+)", re.IGNORECASE
)
_EN_DIET = re.compile(
    r"\b(?:am|is|'m|’m|are|was|became|went)\s+(?:a |an )?(?:strict )?(?P<v>vegetarian|vegan|teetotal|lactose intolerant|coeliac|celiac|diabetic)\b",
    re.IGNORECASE,
)
_EN_FAVOURITE = re.compile(
    r"\bfavou?rite\s+(?P<n>[a-z][\w ]{1,30}?)\s+(?:is|are|was|has always been)\s+(?P<v>[^.,;!?]+)", re.IGNORECASE
)
_EN_RATHER = re.compile(r"\b(?:would|'d|’d) rather\s+(?P<v>[^.,;!?]+)", re.IGNORECASE)
_EN_NOTED = re.compile(
    r"\b(?:preferences?|preferred|wish|request)\b[^:.;]{0,30}?\b(?:for|of|by|from)\s+(?P<who>[^:;]{2,60}?)\s*(?::|\bis\b|=)\s*(?P<v>[^.;!?()]+)",
    re.IGNORECASE,
)
_EN_ORDER = re.compile(
    r"^\W*(?:(?:also|and|but|so|ok|note|reminder|from now on|in future|in the future|going forward|as a rule|important)[,:]?\s+)*(?P<please>please[, ]+)?"
    r"(?P<v>(?P<cue>never|always|do not|don['’]t|only ever|only)\s+(?:ever\s+)?(?P<verb>[a-z]+)\b[^.;!?]*)",
    re.IGNORECASE,
)
_EN_ASK_NOT = re.compile(
    r"\b(?:asked|asks|told|tells|wants|wanted) (?:us|me|you|that)?\s*(?:we |you |nobody )?(?P<v>(?P<cue>not to|never to|never|not)\s+(?P<verb>[a-z]+)[^.;!?]*)",
    re.IGNORECASE,
)
_EN_ASKED = re.compile(
    r"\b(?:asked|asks|wants|wanted|would like|expects|requested|requests|'d like)\s+(?:that\s+)?(?:us|me|you|everyone|the team)?\s*(?:to\s+)?(?P<v>(?P<verb>[a-z]+)\s[^.;!?]*\b(?:from now on|always|in future|in the future|going forward|every time|instead|by post|by e-?mail|by phone|only)\b[^.;!?]*)",
    re.IGNORECASE,
)
# Many of a kind, and more than once: a habit rather than one request.
_EN_ASKED_FOR = re.compile(
    r"\b(?:asked|asks|has asked|insists?|insisted) (?:for|on) (?P<v>(?!the |a |an |our |his |her |their )(?:[\w-]+ ){0,2}[a-z]{2,}s)\s+(?:again|from now on|in future|in the future|going forward|only|instead|as always|as usual)\b",
    re.IGNORECASE,
)
_CONTACT = frozenset(
    "call ring phone email mail text contact message write visit disturb address cc copy invite send".split()
)
_NOT_STANDING = frozenset(
    "worry forget mind hesitate bother think know be have panic get tell say care hurry give miss lose need see".split()
)
_INSTRUCTIVE = frozenset(
    "call ring phone email mail text contact message write visit disturb address cc copy invite send use schedule book format include add ask share reply answer show put keep make start deliver ship invoice bill pay store commit deploy merge push explain summarize summarise translate speak discuss mention offer quote assign".split()
)
_ZH_ORDER = re.compile(
    r"(?P<v>(?P<cue>请勿|切勿|请不要|请别|千万别|千万不要|不要|别|严禁|禁止|不得|不准|不许|务必|请务必|必须|一定要|一律|只能|只接受|只用|只通过|仅限)(?P<rest>[^，。；！？,;!?]{2,40}))"
)
_ZH_ALLERGY = re.compile(r"对(?P<v>[^，。；,;、]{1,12}(?:、[^，。；,;]{1,12})*?)(?:严重|有点|有些|都)?过敏")
_ZH_LIKE = re.compile(
    r"(?P<neg>不太|不怎么|并不|不再|从不|不)?(?P<much>最|非常|特别|更|很|比较|一直|尤其|还是|都|也|就)*(?P<cue>喜欢|偏好|偏爱|喜爱|热爱|钟爱|倾向于|倾向|讨厌|厌恶|反感|受不了|忌讳|爱吃|爱喝|爱看|习惯用|习惯)"
    r"(?!的(?:是|就是))(?P<v>[^，。；！？,;!?]{1,30})"
)
_ZH_FAVOURITE = re.compile(r"最(?:喜欢|爱)的(?P<n>[^，。；是]{1,10})是(?P<v>[^，。；！？,;!?]{1,20})")
_ZH_DIET = re.compile(
    r"(?:是|为)?(?P<v>素食者|素食主义者|吃素|不吃[^，。；,;]{1,8}|不喝[^，。；,;]{1,8}|忌口[^，。；,;]{1,8})"
)
_CONTENT = re.compile(
    r"(?!(?:其实|一般|平时|通常|现在|以后|今后|请|还是|也|都|就|一直|比较|更|很|最|特别|非常|另外|不过|但是|但|而且|因为|所以|对了|顺便说一下)+[，, ]?$)"
    r"[\u4e00-\u9fffA-Za-z]{2,}"
)
_ZH_CUES = {
    "喜欢": _LIKE, "喜爱": _LIKE, "爱吃": _LIKE, "爱喝": _LIKE, "爱看": _LIKE, "热爱": _LOVE, "钟爱": _LOVE, "偏爱": _PREFER,
    "偏好": _PREFER, "倾向于": _PREFER, "倾向": _PREFER, "习惯用": _PREFER, "习惯": _PREFER, "讨厌": _HATE, "厌恶": _HATE, "反感": _DISLIKE,
    "受不了": _HATE, "忌讳": _DISLIKE,
}  # fmt: skip


def preferences_of(
    sentence: Sentence, analysis: Analysis, mentions: Sequence[Mention], wordings: Wordings
) -> list[Preference]:
    """The preferences that a sentence tells, in order of place; none from a question."""
    above = sentence_stance(sentence.text)
    if above.silent or sentence.text.rstrip().endswith("？"):
        return []
    found = list(
        _chinese(sentence.text, mentions)
        if sentence.lang == "zh"
        else _english(sentence.text, analysis, mentions, above)
    )
    kept: list[Preference] = []
    for preference in found:
        if not any(preference.value.start < k.value.end and k.value.start < preference.value.end for k in kept):
            kept.append(preference)
    return kept


def _english(text: str, analysis: Analysis, mentions: Sequence[Mention], above: Stance) -> Iterator[Preference]:
    parse = Parse(text, analysis, mentions)
    for pattern, attitude in (
        (_EN_CANNOT, _HATE),
        (_EN_FAVOURITE, None),
        (_EN_FAN, None),
        (_EN_DIET, None),
        (_EN_RATHER, _PREFER),
    ):
        for m in pattern.finditer(text):
            subject = _subject_before(parse, m.start())
            if subject is None:
                continue
            value = _literal(text, m.start("v"), m.start("v") + len(re.split(r"\s+than\s+", m["v"])[0]))
            if pattern is _EN_FAVOURITE:
                subject = _owner_before(parse, m.start()) or subject
                yield _made(
                    subject,
                    value,
                    replace(_LOVE, relation="prefers"),
                    "favourite",
                    above,
                    topic=f"favourite {liking_topic(m['n'])}",
                )
            elif pattern is _EN_FAN:
                yield _made(subject, value, _DISLIKE if m["not"] else _LOVE, "fan of", above)
            elif pattern is _EN_DIET:
                yield _made(subject, value, _INSIST, "diet", above, topic="diet")
            elif attitude is not None:
                yield _made(subject, value, attitude, m.group().split(m["v"])[0].strip(), above)
    for m in _EN_NOTED.finditer(text):
        who = next(
            (x for x in mentions if m.start("who") <= x.start and x.end <= m.end("who") + 1 and not x.is_value), None
        )
        if who is not None:
            yield _made(who, _literal(text, m.start("v"), m.end("v")), _PREFER, "preference", above)
    for m in _EN_ASKED_FOR.finditer(text):
        asker = _subject_before(parse, m.start())
        if asker is not None:
            yield _made(
                asker, _literal(text, m.start("v"), m.end("v")), replace(_PREFER, strength=3), "asked for", above
            )
    yield from _english_orders(parse, above)
    for verb in dict.fromkeys(parse.predicates()):
        yield from _english_verb(parse, verb, above)


def _english_verb(parse: Parse, verb: int, above: Stance) -> Iterator[Preference]:
    token = parse.tokens[verb]
    attitude = _EN_VERBS.get(token.lemma.casefold())
    phrase = token.lemma
    at = verb
    if attitude is None and token.lemma in ("be", "become", "get"):
        state = next(
            (c for c in parse.dep_children(verb, "acomp", "attr") if parse.tokens[c].text.casefold() in _EN_STATES),
            None,
        )
        if state is None:
            return
        attitude, at, phrase = _EN_STATES[parse.tokens[state].text.casefold()], state, parse.tokens[state].text
    if attitude is None or (token.lemma == "like" and token.pos == "ADP"):
        return
    stance = clause_stance(parse, verb)
    if "hypothesis" in stance.reasons and parse.dep_children(verb, "aux"):
        modal = {parse.tokens[c].text.casefold() for c in parse.dep_children(verb, "aux")}
        if modal <= {"would", "'d", "’d", "do", "does"} and token.lemma in ("prefer", "like", "love"):
            attitude, stance = replace(_PREFER, strength=3), PLAIN  # "I'd like X" is a wish, not a supposition
    if stance.says is Says.CORRECTED:
        attitude = _turned(attitude)
        stance = PLAIN
    if attitude is None or stance.silent:
        return
    stance = above.under(replace(stance, reasons=tuple(r for r in stance.reasons if r != "order")))
    subjects = [parse.as_mention(s, short=True) for s in parse.subjects(verb)]
    subjects = [s for s in subjects if s.type == PERSON or s.pronoun or not s.is_value]
    if not subjects and token.dep == "ROOT" and token.tag in ("VBZ", "VBD") and parse.mentions:
        subjects = [m for m in parse.mentions if m.type == PERSON][:1]
    for subject in subjects:
        for value in _values(parse, at, verb):
            if value.start <= subject.start < value.end:
                continue
            yield _made(subject, value, attitude, phrase, stance)


def _turned(attitude: _Attitude) -> _Attitude | None:
    """The attitude under "not": "does not like", "does not mind" (which says little)."""
    if attitude in (_LIKE, _LOVE, _PREFER):
        return _DISLIKE
    return None


def _values(parse: Parse, at: int, verb: int) -> Iterator[Mention]:
    """The things liked: objects, what a preposition brings, or a clause ("likes working with X")."""
    heads: list[int] = []
    for child in parse.children[at]:
        token = parse.tokens[child]
        if child < at:
            continue
        if token.dep in ("dobj", "attr", "oprd"):
            heads += parse.spread(child)
        elif token.dep in ("prep",) and (at != verb or parse.tokens[verb].lemma == "insist"):
            heads += [h for c in parse.dep_children(child, "pobj", "pcomp") for h in parse.spread(c)]
        elif token.dep in ("xcomp", "ccomp"):
            heads.append(child)
    for head in heads:
        known = parse.mention_at(head)
        if known is not None and not known.pronoun:
            yield known
            continue
        if parse.tokens[head].pos == "PRON":
            continue
        start, end = parse.phrase_span(head, stop=("relcl", "appos", "conj", "cc", "punct", "mark", "aux"))
        over = re.match(r"\s+(?:over|rather than|instead of)\s+[^.,;!?]+", parse.text[end:])
        text = parse.text[start : end + (over.end() if over else 0)]
        cut = re.split(r"\s+(?:over|rather than|instead of)\s+", text)[0]
        yield _literal(parse.text, start, start + len(cut))


def _english_orders(parse: Parse, above: Stance) -> Iterator[Preference]:
    """Standing instructions: "never call before 10", "please don't mail Ana at weekends"."""
    m = _EN_ASKED.search(parse.text)
    if m is not None and m["verb"].casefold() in _INSTRUCTIVE:
        subject = _subject_before(parse, m.start())
        if subject is not None:
            yield _made(
                subject,
                _literal(parse.text, m.start("v"), m.end("v")),
                replace(_PREFER, relation="prefers"),
                "asked to",
                above,
            )
    for pattern in (_EN_ORDER, _EN_ASK_NOT):
        m = pattern.search(parse.text)
        if m is None:
            continue
        verb, cue = m["verb"].casefold(), m["cue"].casefold()
        if verb in _NOT_STANDING or (verb not in _INSTRUCTIVE):
            continue
        positive = cue in ("always", "only", "only ever")
        if cue in ("do not", "don't", "don’t") and verb not in _CONTACT:
            continue
        subject = _whom(parse, m, pattern is _EN_ASK_NOT)
        if subject is None:
            continue
        value = _literal(parse.text, m.start("v"), m.end("v"))
        yield _made(subject, value, _ALWAYS if positive else _NEVER, cue, above)


def _whom(parse: Parse, m: re.Match[str], told: bool) -> Mention | None:
    """The person that the instruction is for: the one called, the one who asked, or the speaker."""
    inside = [x for x in parse.mentions if m.start("v") <= x.start < m.end("v") and x.type == PERSON and not x.pronoun]
    before = [x for x in parse.mentions if x.end <= m.start() + 1 or x.end <= m.start("v")]
    people = [x for x in before if x.type == PERSON or x.same_as]
    if told and people:
        return people[-1]
    if inside and m["verb"].casefold() in _CONTACT:
        return inside[0]
    if told:
        return None
    return Mention(start=m.start("v"), end=m.start("v"), text="I", type=PERSON, pronoun=True)


def _subject_before(parse: Parse, at: int) -> Mention | None:
    before = [
        m
        for m in parse.mentions
        if m.start < at and (m.type == PERSON or m.pronoun or m.type.startswith("org") or not m.is_value)
    ]
    return before[-1] if before else None


def _owner_before(parse: Parse, at: int) -> Mention | None:
    before = [m for m in parse.mentions if m.end <= at and parse.text[m.end : at].strip(" ’'s") == ""]
    return before[-1] if before else None


def _literal(text: str, start: int, end: int) -> Mention:
    while end > start and text[end - 1] in " .,;!?。，；":
        end -= 1
    while start < end and text[start].isspace():
        start += 1
    return Mention(start=start, end=end, text=text[start:end], is_value=True, type="text", rule="preference.value")


def _made(
    subject: Mention,
    value: Mention,
    attitude: _Attitude,
    phrase: str,
    stance: Stance,
    *,
    topic: str = "",
    rule: str = "en.preference",
) -> Preference:
    return Preference(
        subject=subject, value=value, topic=topic or _topic(attitude, value.text),
        relation=attitude.relation, polarity=attitude.polarity, strength=attitude.strength, constraint=attitude.constraint,
        phrase=phrase, rule=rule, confidence=confidence_of(rule), stance=stance,
    )  # fmt: skip


def _topic(attitude: _Attitude, value: str) -> str:
    if not attitude.wish:
        return liking_topic(value)
    return ban_topic(value) if attitude.polarity == NEGATIVE else wish_topic(value)


def _chinese(text: str, mentions: Sequence[Mention]) -> Iterator[Preference]:
    speaker = Mention(start=0, end=0, text="我", type=PERSON, pronoun=True)
    stance = PLAIN
    if re.search(r"听说|据说|传言|可能|也许|或许|如果|假如|要是|是否|吗", text):
        stance = Stance(cap=0.45, reasons=("hypothesis",))
    for m in _ZH_ALLERGY.finditer(text):
        for part in re.split(r"、|和|及|与", m["v"]):
            start = text.find(part, m.start("v"))
            if re.search(r"不$|没有?$", text[: m.start()]):
                continue
            yield _made(
                _zh_subject(text, mentions, m.start()) or speaker,
                _literal(text, start, start + len(part)),
                _ALLERGY,
                "过敏",
                stance,
                rule="zh.preference",
            )
    for m in _ZH_FAVOURITE.finditer(text):
        yield _made(
            _zh_subject(text, mentions, m.start()) or speaker,
            _literal(text, m.start("v"), m.end("v")),
            replace(_LOVE, relation="prefers"),
            "最喜欢",
            stance,
            topic=f"最喜欢的{m['n']}",
            rule="zh.preference",
        )
    for m in _ZH_LIKE.finditer(text):
        attitude: _Attitude | None = _ZH_CUES[m["cue"]]
        own = stance
        if m["neg"] == "不再" and attitude is not None:
            own = stance.under(ENDED)
        elif m["neg"]:
            attitude = _turned(attitude) if attitude is not None else None
        elif m["much"] and "更" in m["much"] and attitude is _LIKE:
            attitude = _PREFER
        subject = _zh_subject(text, mentions, m.start())
        if subject is None and not _zh_speaks(text[: m.start()]):
            continue
        value = re.sub(r"^(?:了|的|过)", "", m["v"])
        if attitude is None or not value:
            continue
        start = text.find(value, m.start("v"))
        for part_start, part_end in _zh_parts(text, start, start + len(value), attitude):
            yield _made(
                subject or speaker, _literal(text, part_start, part_end), attitude, m["cue"], own, rule="zh.preference"
            )
    for m in _ZH_DIET.finditer(text):
        subject = _zh_subject(text, mentions, m.start())
        if subject is not None:
            yield _made(
                subject,
                _literal(text, m.start("v"), m.end("v")),
                _INSIST if "素" in m["v"] else _NEVER,
                "饮食",
                stance,
                topic="diet" if "素" in m["v"] else "",
                rule="zh.preference",
            )
    for m in _ZH_ORDER.finditer(text):
        positive = m["cue"] in ("务必", "请务必", "必须", "一定要", "一律", "只能", "只接受", "只用", "只通过", "仅限")
        if not re.search(
            r"打|发|联系|致电|来电|电话|邮件|微信|沟通|开票|付款|送|约|叫|用|走|加|催|抄送|提单|通知|回复|预约",
            m["rest"],
        ):
            continue
        before = (
            _zh_subject(text, mentions, m.start())
            if re.search(r"(?:要求|强调|希望|说|让我们|叮嘱|提醒|规定)[^，。]{0,8}$", text[: m.start()])
            else None
        )
        called = next(
            (x for x in mentions if m.start() <= x.start < m.end() and x.type == PERSON and not x.pronoun), None
        )
        if (
            before is None
            and re.search(r"[\u4e00-\u9fff]$", text[: m.start()])
            and not re.search(r"(?:请|以后|今后|事项请|均|都|等|请以后)$", text[: m.start()])
        ):
            continue
        yield _made(
            before or called or speaker,
            _literal(text, m.start("v"), m.end("v")),
            _ALWAYS if positive else _NEVER,
            m["cue"],
            stance,
            rule="zh.preference",
        )


def _zh_parts(text: str, start: int, end: int, attitude: _Attitude) -> Iterator[tuple[int, int]]:
    """绿茶和咖啡 are two likes; a verb phrase is one."""
    piece = text[start:end]
    if attitude.wish or not re.fullmatch(r"[^和与及、]{1,6}(?:(?:和|与|及|、)[^和与及、]{1,6})+", piece):
        yield start, end
        return
    at = start
    for part in re.split(r"和|与|及|、", piece):
        yield at, at + len(part)
        at += len(part) + 1


def _zh_speaks(before: str) -> bool:
    """Whether nobody else is named in front: the speaker's own wish."""
    return "我" in before or not _CONTENT.search(before)


def _zh_subject(text: str, mentions: Sequence[Mention], at: int) -> Mention | None:
    """The last person, firm or pronoun before, in this clause or, where it names none, an earlier one."""
    before = [
        m for m in mentions if m.end <= at and not m.is_value and m.type not in ("date", "place", "role", "software")
    ]
    return before[-1] if before else None
