"""Likes, dislikes, wishes and standing instructions of an English sentence."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from muniment.engine.extract.english.leave import permissions
from muniment.engine.extract.english.parse import Parse
from muniment.engine.extract.english.stance import clause_stance
from muniment.engine.extract.links import PLAIN, Stance
from muniment.engine.extract.mentions import PERSON, Mention
from muniment.engine.extract.topics import liking_topic, wish_family
from muniment.engine.extract.wishes import (
    ALLERGY,
    ALWAYS,
    DISLIKE,
    HATE,
    INSIST,
    LIKE,
    LOVE,
    NEVER,
    PREFER,
    Preference,
    literal,
    made,
    turned,
)
from muniment.engine.ports.models import Analysis
from muniment.graph_schema.records import Says

_EN_VERBS = {
    "prefer": PREFER, "favor": PREFER, "favour": PREFER, "like": LIKE, "enjoy": LIKE, "appreciate": LIKE, "love": LOVE,
    "adore": LOVE, "dislike": DISLIKE, "mind": DISLIKE, "avoid": DISLIKE, "hate": HATE, "loathe": HATE, "detest": HATE,
    "despise": HATE, "insist": INSIST,
}  # fmt: skip
_EN_STATES = {
    "allergic": ALLERGY, "intolerant": ALLERGY, "fond": LOVE, "keen": LIKE, "crazy": LOVE, "passionate": LOVE, "averse": DISLIKE,
    "sick": HATE, "tired": HATE, "partial": LIKE,
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
# "Ana asked us: never call on Mondays", "Ana said: please don't ring me"
_EN_SAID = re.compile(
    r"\b(?:asked|asks|told|tells|says?|said|writes|wrote|replied|added|requested|requests|insist(?:s|ed))(?: (?:to )?(?:us|me|you|everyone|the team))?\s*[:,–—]\s*[\"“]?\s*(?:please,?\s+)?"
    r"(?P<v>(?P<cue>never|do not|don['’]t|always|only(?: ever)?)\s+(?:ever\s+)?(?P<verb>[a-z-]+)\b[^.;!?\"”]*)",
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
_CHANNEL = (
    r"(?:(?:by|via|through|over|on|per)\s+(?:the\s+)?)?(?:e-?mails?|mail|post|letters?|phone(?: calls?)?|telephone|calls?|text(?: messages?)?|sms|fax|"
    r"whatsapp|wechat|slack|teams|video calls?|courier|portal|in person)"
)
# One way and not the other: "by e-mail, not by post".
_EN_NOT_THAT_WAY = re.compile(
    rf"(?:\b(?P<what>[a-z]{{3,}})\s+)?\b(?P<v>{_CHANNEL})\b(?:,?\s+(?:please|only))*\s*[,;(–—-]?\s*(?:and\s+|but\s+)?(?:not|never|rather than|instead of)\s+{_CHANNEL}\b",
    re.IGNORECASE,
)
_REACHING = frozenset("call ring phone telephone email e-mail mail text contact message write disturb visit".split())
_REACHED = r"(?:called|rung|phoned|telephoned|e-?mailed|mailed|texted|contacted|messaged|disturbed|visited|written to)"
_NOT = r"(?:never|(?:do|must|should|may|can|are|is) not|(?:do|must|should|is|are)n['’]t|can['’]t|cannot)(?: to| allowed to)?"
# "remember that we never call Ana", "note: no one may call Ana", "make sure you only mail her"
_EN_REMEMBERED = re.compile(
    rf"\b(?:remember|note|keep in mind|bear in mind|be aware|make sure|ensure|see to it|mind|remind \w+|mark down|jot down|save|record)\b(?:,? please)?"
    rf"(?:,? that|\s*[:,–—-])?\s+(?:(?:we|you|they|nobody|no one|i|one|staff|everyone|the team)\s+)?"
    rf"(?P<v>(?P<cue>{_NOT}|always|only(?: ever)?|nobody|no one)\s+(?:ever\s+)?(?P<verb>[a-z-]+?)(?:(?<=call|mail|text|hone|ring)s)?\b[^.;!?]*)",
    re.IGNORECASE,
)
# "…, and please don't email her after six", "Ana is ill, so never call her"
_EN_BEHIND_A_CLAUSE = re.compile(
    r"(?:[,;–—]\s*|\b(?:and|but|so)\s+)(?:(?:and|but|so|then)\s+)?(?:please,?\s+)?(?P<v>(?P<cue>never|do not|don['’]t|always|only(?: ever)?)\s+(?:ever\s+)?(?P<verb>[a-z-]+)\b[^.;!?]*)",
    re.IGNORECASE,
)
_EN_WE_MAY_NOT = re.compile(
    r"\b(?:we|you|(?P<none>nobody|no one)|anyone|they)\s+(?P<v>(?P<cue>(?:must|should|may|can|are)(?:\s+not|n['’]t|\s+never)(?:\s+to|\s+allowed to)?|cannot|(?(none)may|(?!))|must never)\s+(?:ever\s+)?(?P<verb>[a-z-]+)\b[^.;!?]*)",
    re.IGNORECASE,
)
# "Ana must not be called before noon", "Ana is only to be mailed"
_EN_NOT_TO_BE_REACHED = re.compile(
    rf"\b(?:must|should|may|can|is|are|wants?|would like|prefers?|does|do|ask(?:s|ed)|request(?:s|ed)|wish(?:es|ed)|begged|demand(?:s|ed)|insist(?:s|ed)|said|says)(?:\b|(?=n['’]t))(?=[^.;!?]*\bbe\b)"
    rf"(?: that (?:he|she|they)(?: (?:is|are|must|should|may|wants?))?)?\s*(?P<v>(?P<cue>not|never|only|n['’]t)\s+(?:to\s+|ever\s+|(?:want|like|wish)\s+to\s+)*be\s+{_REACHED}\b[^.;!?]*)",
    re.IGNORECASE,
)
# "Ana must never be offered credit", "Bolt Ltd is not to be sent drafts"
_EN_NOT_TO_BE_TREATED = re.compile(
    r"\b(?:must|should|may|can(?=not)|shall|is|are|must(?=n)|should(?=n))\s*(?P<v>(?P<cue>not|never|n['’]t)\s+(?:(?:to|ever|again)\s+)*be\s+"
    r"(?:offered|sold|upsold|given|shown|told|sent|charged|billed|invoiced|quoted|served|copied|named|pitched|credited|refunded|added|asked)\b[^.;!?]*)",
    re.IGNORECASE,
)
_EN_ONLY_TAKES = re.compile(
    r"(?<=\s)(?P<v>(?P<cue>only|never)\s+(?:takes?|answers?|accepts?|picks? up|reads?)\s+(?:phone |video )?(?:calls?|e-?mails?|texts?|messages|the phone|voicemails?|letters?|faxes|visitors)\b[^.;!?]*)",
    re.IGNORECASE,
)
# "No calls to Ana before noon"
_EN_NO_CALLS = re.compile(
    r"^\W*(?:(?:also|and|but|so|note|reminder|important|please)[,:]?\s+)*(?P<v>(?P<cue>no)\s+(?:(?:more|further|direct|phone|video|sales|marketing|cold|personal|unannounced)\s+)*"
    r"(?P<verb>calls?|calling|phoning|e-?mails?|mails?|mailings?|letters?|texts?|messages?|visits?|visitors|faxes|newsletters?|contact)\b[^.;!?]*)",
    re.IGNORECASE,
)
_BEFORE_ASKING = re.compile(
    r"\s*(?:(?:has|have|also|again|now|explicitly|expressly|specifically|kindly|once more)\s+)*"
)
_OF_US = re.compile(r"\b(?:I|we|they|you)\b", re.IGNORECASE)
_LASTING_CUES = frozenset({"never", "always", "only", "only ever"})
# What is not to be done this once is no standing wish.
_EN_ONCE = re.compile(
    r"\b(?:yet|today|tonight|right now|just now|this (?:morning|afternoon|evening|week|time|once))\b", re.IGNORECASE
)
# What somebody wished at another time, or had wished.
_EN_THEN = re.compile(
    r"\b(?:had (?:asked|wanted|told|insisted|requested)|used to|back then|at the time|in those days|originally|formerly|previously|last year|years? ago|in (?:19|20)\d\d)\b",
    re.IGNORECASE,
)
_SOMEBODY_UNKNOWN = re.compile(r"\s+(?:him|her|them|it)\b", re.IGNORECASE)
_FIRMS = frozenset(
    {"organisation", "company", "law_firm", "bank", "insurer", "school", "hospital", "court", "government_body"}
)
_WISHING = frozenset("want ask prefer need like request wish expect require insist".split())
_CONTACT = frozenset(
    "call ring phone email mail text contact message write visit disturb address cc copy invite send".split()
)
_NOT_STANDING = frozenset(
    "worry forget mind hesitate bother think know be have panic get tell say care hurry give miss lose need see".split()
)
_INSTRUCTIVE = frozenset(
    "call ring phone email mail text contact message write visit disturb address cc copy invite send use schedule book format include add ask share reply answer show put keep make start deliver ship invoice bill pay store commit deploy merge push explain summarize summarise translate speak discuss mention offer quote assign".split()
)


def english_wishes(text: str, analysis: Analysis, mentions: Sequence[Mention], above: Stance) -> Iterator[Preference]:
    parse = Parse(text, analysis, mentions)
    for pattern, attitude in (
        (_EN_CANNOT, HATE),
        (_EN_FAVOURITE, None),
        (_EN_FAN, None),
        (_EN_DIET, None),
        (_EN_RATHER, PREFER),
    ):
        for m in pattern.finditer(text):
            subject = _subject_before(parse, m.start())
            if subject is None:
                continue
            value = literal(text, m.start("v"), m.start("v") + len(re.split(r"\s+than\s+", m["v"])[0]))
            if pattern is _EN_FAVOURITE:
                subject = _owner_before(parse, m.start()) or subject
                yield made(
                    subject,
                    value,
                    replace(LOVE, relation="prefers"),
                    "favourite",
                    above,
                    topic=f"favourite {liking_topic(m['n'])}",
                )
            elif pattern is _EN_FAN:
                yield made(subject, value, DISLIKE if m["not"] else LOVE, "fan of", above)
            elif pattern is _EN_DIET:
                yield made(subject, value, INSIST, "diet", above, topic="diet")
            elif attitude is not None:
                yield made(subject, value, attitude, m.group().split(m["v"])[0].strip(), above)
    for m in _EN_NOTED.finditer(text):
        who = next(
            (x for x in mentions if m.start("who") <= x.start and x.end <= m.end("who") + 1 and not x.is_value), None
        )
        if who is not None:
            yield made(who, literal(text, m.start("v"), m.end("v")), PREFER, "preference", above)
    for m in _EN_ASKED_FOR.finditer(text):
        asker = _subject_before(parse, m.start())
        if asker is not None:
            yield made(asker, literal(text, m.start("v"), m.end("v")), replace(PREFER, strength=3), "asked for", above)
    yield from _one_way_only(parse, above)
    yield from _english_orders(parse, above)
    for verb in dict.fromkeys(parse.predicates()):
        yield from _english_verb(parse, verb, above)


def _one_way_only(parse: Parse, above: Stance) -> Iterator[Preference]:
    """ "Invoices by e-mail, not by post": how somebody wants to be reached or served, but for what was done once."""
    found = _EN_NOT_THAT_WAY.search(parse.text)
    if found is None:
        return
    root = next((t for t in parse.tokens if t.dep == "ROOT"), None)
    lemmas = {t.lemma.casefold() for t in parse.tokens}
    asked = bool(lemmas & _WISHING) or "please" in parse.text.casefold()
    if root is None or lemmas & {"prefer"} or (root.tag in ("VBD", "VBN") and not asked):
        return
    people = [m for m in parse.mentions if m.end <= found.start() and m.type == PERSON and not m.is_value]
    called = root.tag == "VB" and root.lemma.casefold() in _INSTRUCTIVE and not parse.subjects(parse.tokens.index(root))
    whose = people[-1] if people and not called else None
    place = found.start("v")
    speaker = Mention(start=place, end=place, text="I", type=PERSON, pronoun=True)
    inside = [m for m in parse.mentions if m.type == PERSON and not m.is_value and called]
    topic = wish_family(found["what"] or "") or ("delivery" if lemmas & {"ship", "deliver"} else "")
    value = literal(parse.text, found.start("what" if found["what"] and topic else "v"), found.end("v"))
    yield made(
        whose or (inside[0] if inside else speaker), value, replace(PREFER, strength=4), "not the other way", above,
        topic=topic or "contact channel",
    )  # fmt: skip


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
            attitude, stance = replace(PREFER, strength=3), PLAIN  # "I'd like X" is a wish, not a supposition
    if stance.says is Says.CORRECTED:
        attitude = turned(attitude)
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
            yield made(subject, value, attitude, phrase, stance)


_TO_DO = re.compile(r"\s+to\s+[a-z]+\b")


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
    taken = -1
    for head in heads:
        known = parse.mention_at(head)
        if known is not None and not known.pronoun:
            if not _TO_DO.match(parse.text, known.end):  # "would like Acme to use Jira": what is liked is that it does
                yield known
            continue
        word_end = _written(parse.text, parse.tokens[head].end)
        if parse.tokens[head].pos == "PRON" or word_end == taken:
            continue
        taken = word_end  # "e-mail" is three tokens, each of which is parsed as a thing of its own
        start, end = parse.phrase_span(head, stop=("relcl", "appos", "conj", "cc", "punct", "mark", "aux"))
        end = max(end, word_end)
        over = re.match(r"\s+(?:over|rather than|instead of)\s+[^.,;!?]+", parse.text[end:])
        text = parse.text[start : end + (over.end() if over else 0)]
        cut = re.split(r"\s+(?:over|rather than|instead of)\s+", text)[0]
        yield literal(parse.text, start, start + len(cut))


def _written(text: str, end: int) -> int:
    """Where the word that a token belongs to ends, its parts after a hyphen included."""
    found = re.compile(r"(?:-?\w+)*").match(text, end)
    return found.end() if found else end


def _english_orders(parse: Parse, above: Stance) -> Iterator[Preference]:
    """Standing instructions: "never call before 10", "please don't mail Ana at weekends"."""
    m = _EN_ASKED.search(parse.text)
    if m is not None and m["verb"].casefold() in _INSTRUCTIVE:
        subject = _subject_before(parse, m.start())
        if subject is not None:
            yield made(
                subject,
                literal(parse.text, m.start("v"), m.end("v")),
                replace(PREFER, relation="prefers"),
                "asked to",
                above,
            )
    if is_told_of_then(parse.text):
        return
    for pattern in (_EN_ORDER, _EN_ASK_NOT, _EN_SAID):
        m = pattern.search(parse.text)
        if m is None:
            continue
        verb, cue = m["verb"].casefold(), m["cue"].casefold()
        if verb in _NOT_STANDING or (verb not in _INSTRUCTIVE):
            continue
        positive = cue in ("always", "only", "only ever")
        if cue in ("do not", "don't", "don’t") and verb not in _CONTACT:
            continue
        subject = _whom(parse, m, pattern is not _EN_ORDER)
        if subject is None:
            continue
        value = literal(parse.text, m.start("v"), m.end("v"))
        yield made(subject, value, ALWAYS if positive else NEVER, cue, above)
    yield from _orders_inside(parse, above)
    yield from permissions(parse, _whom, above)


def is_told_of_then(text: str) -> bool:
    """Whether a text tells what somebody wished once, which says nothing of what they wish now."""
    return _EN_THEN.search(text) is not None


def _orders_inside(parse: Parse, above: Stance) -> Iterator[Preference]:
    """Instructions within a sentence: to be remembered, behind a clause, or said of the one who is to be reached."""
    for pattern in (_EN_REMEMBERED, _EN_BEHIND_A_CLAUSE, _EN_WE_MAY_NOT):
        for m in pattern.finditer(parse.text):
            verb, cue = m["verb"].casefold(), m["cue"].casefold()
            lasting = _INSTRUCTIVE if cue in _LASTING_CUES else _REACHING
            told = _OF_US.search(parse.text, 0, m.start("v")) and "please" not in m.group().casefold()
            if pattern is _EN_BEHIND_A_CLAUSE and cue in _LASTING_CUES and told:
                continue  # "we greet Tom and never call Ana" tells what we do
            if verb not in lasting or verb in _NOT_STANDING or _EN_ONCE.search(m["v"]):
                continue
            subject = _whom(parse, m, told=False)
            if subject is not None and not (pattern is _EN_WE_MAY_NOT and subject.text == "I"):
                start = (
                    m.start("verb") if cue == "may" else m.start("v")
                )  # "nobody may call her": calling is what is barred
                value = literal(parse.text, start, m.end("v"))
                yield made(subject, value, ALWAYS if cue in ("always", "only", "only ever") else NEVER, cue, above)
    yield from _no_calls(parse, above)
    for pattern in (_EN_NOT_TO_BE_REACHED, _EN_NOT_TO_BE_TREATED, _EN_ONLY_TAKES):
        for m in pattern.finditer(parse.text):
            whose = [x for x in parse.mentions if _BEFORE_ASKING.fullmatch(parse.text, x.end, m.start())]
            if not whose or _EN_ONCE.search(m["v"]) or not (whose[-1].type == PERSON or whose[-1].type in _FIRMS):
                continue
            if whose[-1].pronoun and not whose[-1].same_as and whose[-1].text.casefold() != "i":
                continue
            positive = m["cue"].casefold() in ("only", "always")
            value = literal(parse.text, m.start("v"), m.end("v"))
            yield made(whose[-1], value, ALWAYS if positive else NEVER, m["cue"].casefold(), above)


def _no_calls(parse: Parse, above: Stance) -> Iterator[Preference]:
    """A ban told as a noun: "no calls to Ana before noon", but not "no calls to Ana were answered"."""
    m = _EN_NO_CALLS.match(parse.text)
    if m is None or _EN_ONCE.search(m["v"]) or any(t.tag in ("VBD", "VBZ", "VBP", "MD") for t in parse.tokens):
        return
    named = [
        x for x in parse.mentions
        if m.start("v") <= x.start < m.end("v") and (x.type == PERSON or x.type in _FIRMS) and (x.same_as or not x.pronoun)
    ]  # fmt: skip
    speaker = Mention(start=m.start("v"), end=m.start("v"), text="I", type=PERSON, pronoun=True)
    if named or "please" in parse.text.casefold():
        value = literal(parse.text, m.start("v"), m.end("v"))
        yield made(named[0] if named else speaker, value, NEVER, "no", above)


def _whom(parse: Parse, m: re.Match[str], told: bool) -> Mention | None:
    """The person that the instruction is for: the one called, the one who asked, or the speaker."""
    if _SOMEBODY_UNKNOWN.match(parse.text, m.end("verb")) and not any(
        x.same_as for x in parse.mentions if x.pronoun and 0 <= x.start - m.end("verb") <= 1
    ):
        return None  # "don't call her", and nobody knows whom
    named = [x for x in parse.mentions if x.type == PERSON and (x.same_as or not x.pronoun)]
    inside = [x for x in named if m.start("v") <= x.start < m.end("v")]
    before = [x for x in parse.mentions if x.end <= m.start() + 1 or x.end <= m.start("v")]
    people = [x for x in before if x.type == PERSON or x.same_as]
    if told and inside and m["verb"].casefold() in _REACHING:
        return inside[0]  # "Ana asked us never to call Tom"
    if told and people:
        return ([x for x in people if x.end <= m.start() + 1] or people)[-1]
    if inside and m["verb"].casefold() in _CONTACT:
        return inside[0]
    if told:
        return None
    firms = [x for x in parse.mentions if x.start == m.end("verb") + 1 and x.type in _FIRMS]
    if firms and m["verb"].casefold() in _REACHING:
        return firms[0]
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
