"""How an English clause stands to what it says: plainly, as ended, denied, asked, supposed, planned or heard."""

from __future__ import annotations

import re

from muniment.engine.extract.english.parse import Parse
from muniment.engine.extract.links import (
    CORRECTED,
    DENIED,
    ENDED,
    FUTURE,
    HEARSAY,
    HYPOTHESIS,
    PLAIN,
    QUESTION,
    Stance,
)

MODALS = frozenset({"might", "may", "could", "would", "should", "can", "must", "ought"})
_CONDITIONS = frozenset({"if", "unless", "whether", "suppose", "supposing", "assuming", "lest"})
_PLANS = frozenset(
    """
    want wish hope plan intend consider think expect try aim refuse decline offer need like love prefer propose suggest
    threaten promise agree ask request demand mean aspire wait fail pretend
    """.split()
)
# What somebody is told, allowed or expected to do, they have not done yet: "told Ana to join", "expects Ana to join".
_URGING = frozenset(
    """
    expect tell allow permit order instruct urge advise require encourage invite direct remind forbid authorise authorize persuade
    convince challenge warn beg press lobby nominate await
    """.split()
)
_SAYING = frozenset("say tell ask write reply add insist request".split())
_ENDING = frozenset({"stop", "cease", "quit", "discontinue", "finish"})
_DOUBT_VERBS = frozenset(
    "deny dispute think believe guess suppose doubt imagine assume suspect wonder hear reckon presume seem appear hope feel fear dream pretend".split()
)
_HEARSAY = re.compile(
    r"\b(?:i(?:'ve| have)? heard|we(?:'ve| have)? heard|rumou?rs?|rumou?r has it|word is|word has it|they say|people say|someone (?:said|told)"
    r"|somebody (?:said|told)|apparently|reportedly|allegedly|supposedly|purportedly|it is said|is said to|are said to|is rumou?red|according to"
    r"|so i(?:'m| am) told|i(?:'m| am| was) told|hearsay|gossip|unconfirmed|not confirmed|claims? (?:that|to)|claimed (?:that|to)|if i remember|if i recall|as far as i know|afaik|iirc)\b",
    re.IGNORECASE,
)
_DOUBT = re.compile(
    r"\b(?:maybe|perhaps|possibly|probably|presumably|likely|not sure|unsure|uncertain|no idea|might be|may be|could be|allegedly|i think|i guess"
    r"|i believe|i suppose|hopefully|in theory|hypothetically|potentially|what if|imagine|let's say|say,|for example|for instance|e\.g\.|as if|as though|pretend|fictional|in the (?:story|novel|film|movie|game))\b",
    re.IGNORECASE,
)
_SUPPOSED = re.compile(
    r"^\W*(?:suppose|supposing|imagine|assume|assuming|pretend|let['’]s say|picture|what if|say)\b", re.IGNORECASE
)
_CORRECTION = re.compile(
    r"^\W*(?:correction|corrigendum|erratum|errata)\b|\b(?:was never (?:so|true|the case)|it was never|never was|was wrong(?:ly)?|were wrong(?:ly)?|was a mistake|by mistake|was incorrect|is incorrect|not correct|is not true|isn't true|was not true|wasn't true|is false)\b",
    re.IGNORECASE,
)
_IS_CORRECTION = re.compile(
    r"^\W*(?:(?:correction|corrigendum|erratum|errata)\b|(?:sorry,\s*)?(?:i|we)\s+(?:was|were)\s+(?:wrong|mistaken)\s*[:,;.–—-])",
    re.IGNORECASE,
)
_ENDED_WORDS = re.compile(
    r"\b(?:no longer|not any ?more|not any longer|any ?more|any longer|used to|formerly|previously|former|ex-|once was|until recently|not with .{1,40} any ?more)\b",
    re.IGNORECASE,
)
_FUTURE = re.compile(
    r"\b(?:will|shall|'ll|won't|going to|gonna|about to|due to (?=\w+\b)|is to|are to|plans? to|scheduled to|set to (?=join|become|take|leave|move|replace|start))\b",
    re.IGNORECASE,
)
_IMPERATIVE_TO_MEMORY = re.compile(
    r"\b(?:forget|erase|delete|wipe|purge|ignore|disregard|remove|override|overwrite)\b.{0,40}\b(?:everything|all|memor(?:y|ies)|instructions?|previous|prior|above|facts?|records?|history|what (?:you|i))\b"
    r"|\byou (?:must|should) (?:now )?(?:remember|forget|store|believe)\b|\b(?:system prompt|new instructions?)\b",
    re.IGNORECASE,
)
_MEMORY_ZH = re.compile(
    r"(?:忘记|忘掉|删除|清空|清除|抹掉|无视|忽略).{0,12}(?:一切|所有|全部|记忆|指令|记录|之前|以上|内容)|(?:记忆|指令|记录).{0,6}(?:删除|清空|清除|忘掉)"
)
_QUOTED = re.compile(r"[\"“][^\"”]{3,}[\"”]|(?<!\w)['‘][^'’]{8,}['’](?!\w)")


def orders_memory(text: str) -> bool:
    """Whether a text tells the memory what to do instead of telling something: it is kept as text and does nothing."""
    return bool(_IMPERATIVE_TO_MEMORY.search(text) or _MEMORY_ZH.search(text))


def sentence_stance(text: str) -> Stance:
    """What the words of a whole sentence say about everything in it."""
    if text.rstrip().rstrip("\"”')").endswith("?"):
        return QUESTION
    stance = PLAIN
    if _CORRECTION.search(text):
        stance = stance.under(CORRECTED) if _denies(text) else stance
    if _HEARSAY.search(text):
        stance = stance.under(HEARSAY)
    if _DOUBT.search(text):
        stance = stance.under(HYPOTHESIS)
    if _SUPPOSED.match(text):
        stance = stance.under(HYPOTHESIS)
    if re.search(r"\b(?:if|unless|whether)\b", text, re.IGNORECASE) and not re.search(r"\bas if\b", text):
        stance = stance.under(HYPOTHESIS)
    return stance


def _denies(text: str) -> bool:
    """ "Correction: A is B" states; "it was never so" takes back."""
    if (opening := _IS_CORRECTION.match(text)) is not None:  # each clause says for itself what was not so
        return bool(re.search(r"\b(?:wrong|mistake|incorrect|false)\b", text[opening.end() :], re.IGNORECASE))
    return True


def is_correction(text: str) -> bool:
    """Whether a sentence calls itself one: "Correction: …"."""
    return _IS_CORRECTION.match(text) is not None


def clause_stance(parse: Parse, verb: int, depth: int = 0) -> Stance:
    """What a verb's own words and the clauses above it say about it."""
    tokens = parse.tokens
    token = tokens[verb]
    stance = PLAIN
    words = {tokens[c].text.casefold() for c in parse.children[verb]}
    named = [m for m in parse.mentions if not m.is_value and not m.pronoun]
    auxiliaries = {  # Will Grant and May Lin are no auxiliaries
        tokens[c].text.casefold()
        for c in parse.dep_children(verb, "aux")
        if not any(m.start <= tokens[c].start < m.end for m in named)
    }
    negated = (
        bool(parse.dep_children(verb, "neg"))
        or bool(words & {"never", "hardly", "nor"})
        or _negative_subject(parse, verb)
    )
    around = _around(parse, verb)
    if negated or "longer" in words:
        ended = "longer" in words or re.search(r"\b(?:no longer|any ?more|any longer)\b", around, re.IGNORECASE)
        if ended:
            stance = stance.under(ENDED)
        elif "never" in words and token.tag in ("VBD", "VBN"):
            stance = stance.under(CORRECTED)
        else:
            stance = stance.under(DENIED)
    if token.lemma == "use" and token.tag in ("VBD", "VBN") and parse.dep_children(verb, "xcomp"):
        stance = stance.under(ENDED)
    if words & {"almost", "nearly", "barely", "supposedly"}:
        stance = stance.under(HYPOTHESIS)
    if words & {"formerly", "previously", "once"}:
        stance = stance.under(ENDED)
    # "shall be governed by": a contract says so of itself, from now on
    agreed = "shall" in auxiliaries and token.lemma in ("govern", "construe") and token.tag == "VBN"
    if (auxiliaries & {"will", "shall", "'ll", "wo"} and not agreed) or (
        token.lemma == "go" and parse.dep_children(verb, "xcomp") and token.tag == "VBG"
    ):
        stance = stance.under(FUTURE)
    if auxiliaries & MODALS:
        stance = stance.under(HYPOTHESIS)
    if any(tokens[c].text.casefold() in _CONDITIONS for c in parse.dep_children(verb, "mark")):
        stance = stance.under(HYPOTHESIS)
    if (
        token.tag == "VB"
        and not auxiliaries
        and token.dep == "ROOT"
        and not parse.dep_children(verb, "nsubj", "nsubjpass")
    ):
        stance = stance.under(Stance(silent=True, reasons=("order",)))
    if (  # "she said: please don't call"
        token.tag == "VB"
        and auxiliaries <= {"do"}
        and token.dep in ("ccomp", "xcomp", "parataxis")
        and tokens[token.head].lemma in _SAYING
        and not parse.dep_children(verb, "nsubj", "nsubjpass")
    ):
        stance = stance.under(Stance(silent=True, reasons=("order",)))
    return stance.under(_from_above(parse, verb, depth))


def _from_above(parse: Parse, verb: int, depth: int) -> Stance:
    """The stance of the verb that governs this one: "plans to join", "stopped using", "used to live", "heard that"."""
    token = parse.tokens[verb]
    if token.head == verb or depth > 4:
        return PLAIN
    head = parse.tokens[token.head]
    if token.dep == "pcomp":  # "instead of joining", "without telling", "thought about leaving"
        return HYPOTHESIS
    if head.pos not in ("VERB", "AUX", "ADJ") and token.dep not in ("relcl", "acl"):
        return PLAIN
    bare = token.tag == "VB" and any(parse.tokens[c].text.casefold() == "to" for c in parse.dep_children(verb, "aux"))
    if bare and token.dep in ("ccomp", "xcomp", "advcl") and head.lemma in _PLANS | _URGING:
        return clause_stance(parse, token.head, depth + 1).under(HYPOTHESIS)
    if token.dep == "xcomp" or (token.dep == "ccomp" and head.lemma in _DOUBT_VERBS | {"say", "tell", "claim"}):
        above = clause_stance(parse, token.head, depth + 1)
        if head.lemma in _ENDING:
            return above.under(ENDED)
        if head.lemma in _DOUBT_VERBS and token.dep == "ccomp":
            return above.under(HEARSAY)
        if head.lemma in ("say", "tell", "claim") and token.dep == "ccomp":
            return above.under(HEARSAY) if head.lemma == "claim" else above
        if head.lemma in _PLANS or head.pos == "ADJ" or (head.lemma == "go" and head.tag == "VBG"):
            return above.under(HYPOTHESIS)
        return above
    if token.dep == "conj":
        above = clause_stance(parse, token.head, depth + 1)
        own = parse.dep_children(verb, "nsubj", "nsubjpass", "aux")
        shared = [r for r in above.reasons if r in ("hypothesis", "future", "hearsay", "order")]
        return (
            Stance(cap=above.cap if not own else 1.0, silent=above.silent and not own, reasons=tuple(shared))
            if shared
            else PLAIN
        )
    if token.dep == "advcl" and any(
        parse.tokens[c].text.casefold() in ("instead", "rather") for c in parse.children[verb]
    ):
        return HYPOTHESIS
    if token.dep == "acl" and bare:  # "the plan to join"
        return HYPOTHESIS
    return PLAIN


def _negative_subject(parse: Parse, verb: int) -> bool:
    for child in parse.dep_children(verb, "nsubj", "nsubjpass", "dobj", "attr"):
        if parse.tokens[child].text.casefold() in ("nobody", "none", "nothing"):
            return True
        if any(parse.tokens[c].text.casefold() in ("no", "neither") for c in parse.dep_children(child, "det")):
            return True
    return False


def _around(parse: Parse, verb: int) -> str:
    """The words from the verb's first child to the end of its clause."""
    first = min([verb, *parse.children[verb]])
    rest = parse.text[parse.tokens[first].start :]
    return re.split(r"[;.]\s|,\s(?:but|and|so)\b", rest, maxsplit=1)[0]


def quoted(text: str, start: int, end: int) -> bool:
    """Whether the stretch lies inside quotation marks: somebody's words, not the text's own."""
    return any(m.start() < start and end <= m.end() for m in _QUOTED.finditer(text))


def is_past(text: str) -> bool:
    return bool(_ENDED_WORDS.search(text))


def is_future(text: str) -> bool:
    return bool(_FUTURE.search(text))
