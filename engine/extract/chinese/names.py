"""The names of a Chinese text: LAC's, firms pieced together from its words, products, roles and identifiers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from muniment.engine.extract.addresses import ADDRESS, addresses
from muniment.engine.extract.chinese import words
from muniment.engine.extract.english.words import FEMALE_NAMES, MALE_NAMES
from muniment.engine.extract.identifiers import find_identifiers
from muniment.engine.extract.mentions import PERSON, Mention, without_overlaps
from muniment.engine.ports.models import Analysis, Span, Token

TYPE_OF_LABEL = {"PERSON": PERSON, "ORG": "organisation", "LOC": "place", "PRODUCT": "product"}
GIVEN_NAMES = FEMALE_NAMES | MALE_NAMES
_NAME_TAGS = frozenset({"LOC", "ORG", "nz", "PER", "nw", "n", "nr", "ns", "nt"})
_SURE_TAGS = frozenset({"LOC", "ORG", "nz", "PER", "nw", "nr", "ns", "nt"})
_BOUNDARY = frozenset("，。；：、（(“\"'：！？ \n")
_AFTER_FIRM = frozenset("的在是与和跟由为向将已，。；、（(：从对把被也于使用负投目总有新去昨今上下打推签采买卖要想派")
_AT_WORK = ("工作", "任职", "上班", "担任", "就职", "实习")
_LATIN = re.compile(r"[A-Za-z][A-Za-z0-9.+&-]*(?:\s[A-Z][A-Za-z0-9.+&-]*)*")
_TITLE_WORK = re.compile(r"《(?P<t>[^》]{1,40})》")
# Two or more small words in a row are English words and no name.
_ENGLISH_PROSE = re.compile(r"(?<![A-Za-z])[a-z]{2,}(?: [a-z]{2,})+(?![A-Za-z])")
MAX_PIECES = 3
_TITLE_AND_VERB = re.compile(
    r"[\u4e00-\u9fff]{1,2}(?:总|经理|老师|主任|律师|医生|博士|先生|女士|小姐|工)[问说称讲答道让请要给找]"
)
_SURNAMES = "赵钱孙李周吴郑王冯陈褚卫蒋沈韩杨朱秦许何吕张孔曹严华金魏陶姜戚谢邹苏潘葛范彭鲁韦马方任袁柳唐罗薛雷贺倪汤滕殷毕郝安常乐于傅齐康伍余元顾孟黄穆萧尹姚邵湛汪祁毛狄米贝明戴宋庞熊纪舒屈项祝董梁杜阮蓝闵季麻强贾路娄江童颜郭梅盛林刁钟徐邱骆高夏蔡田樊胡凌霍虞万支柯昝管卢莫陆邓段谭廖龚石曲"
_PERSON_SHAPE = re.compile(rf"[{_SURNAMES}][\u4e00-\u9fff]{{1,2}}")
_ENDINGS = "|".join(sorted(words.ENDING_TYPE, key=len, reverse=True))
_JOINED = re.compile(rf"(?P<a>[\u4e00-\u9fff]{{2,8}}(?:{_ENDINGS}))[与和及](?P<b>[\u4e00-\u9fff]{{2,8}}(?:{_ENDINGS}))")


def find_names(
    text: str, analysis: Analysis, *, dates: Sequence[tuple[int, int]], given: Sequence[Mention] = ()
) -> list[Mention]:
    """Names in order of place, none overlapping another or a date."""
    firms = list(_firms(text, analysis))
    found = [
        *addresses(text, analysis, lang="zh"),
        *_untorn(given, firms),
        *find_identifiers(text, lang="zh"),
        *_works(text),
        *_things(text),
        *_products(text),
        *firms,
        *_foreign(text, analysis),
        *_tagged(text, analysis),
        *_latin(text),
    ]
    outside = [
        m for m in found if m.identifiers or m.type == ADDRESS or not any(a < m.end and m.start < b for a, b in dates)
    ]
    prose = [m.span() for m in _ENGLISH_PROSE.finditer(text)]
    kept = [
        m
        for m in outside
        if m.text not in words.NOT_NAMES
        and len(m.text) > 1
        and (m.identifiers or not any(a <= m.start and m.end <= b for a, b in prose))
    ]
    return [_with_head(m, analysis.tokens) for m in without_overlaps(kept)]


def _untorn(given: Sequence[Mention], firms: Sequence[Mention]) -> Iterator[Mention]:
    for mention in given:
        if not any(
            f.start <= mention.start and mention.end <= f.end and len(f.text) > len(mention.text) for f in firms
        ):
            yield mention


def _works(text: str) -> Iterator[Mention]:
    for m in _TITLE_WORK.finditer(text):
        yield Mention(start=m.start("t"), end=m.end("t"), text=m["t"], type="document", rule="zh.name.title")


def _things(text: str) -> Iterator[Mention]:
    for m in words.NUMBERED_THING.finditer(text):
        yield Mention(start=m.start(), end=m.end(), text=m.group(), type="asset", rule="zh.name.numbered")


def _products(text: str) -> Iterator[Mention]:
    for m in words.PRODUCTS.finditer(text):
        yield Mention(start=m.start(), end=m.end(), text=m.group(), type="software", rule="zh.name.product")


def _firms(text: str, analysis: Analysis) -> Iterator[Mention]:
    """Runs of words that end as firms do: 甬江/LOC 冷链/n, 华星/n 制造/v."""
    tokens = [t for t in analysis.tokens if not t.text.isspace()]
    at = 0
    while at < len(tokens):
        size = _firm_size(tokens, at, text)
        if size:
            first, last = tokens[at], tokens[at + size - 1]
            name = text[first.start : last.end]
            ending = words.ENDING.search(name)
            type_ = words.ENDING_TYPE[ending.group()] if ending else "company"
            yield Mention(start=first.start, end=last.end, text=name, type=type_, sure=True, rule="zh.name.firm")
        at += max(size, 1)


def _firm_size(tokens: Sequence[Token], at: int, text: str) -> int:
    """How many words from `at` make the longest name of a firm; 0 if none do."""
    first = tokens[at]
    if first.text in words.NOT_FIRST:
        return 0
    if first.tag not in _NAME_TAGS or first.text in words.NOT_NAMES or (first.tag == "PER" and len(first.text) > 2):
        return _alone(first)
    best = _alone(first)
    for size in range(2, MAX_PIECES + 1):
        if at + size > len(tokens):
            break
        last = tokens[at + size - 1]
        if last.start != tokens[at + size - 2].end or last.tag in ("w", "p", "c", "u", "r", "d", "TIME"):
            break
        if size > 2 and tokens[at + size - 2].tag not in _NAME_TAGS | {"vn", "a"}:
            break  # a verb in the middle: 张伟是蓝海科技
        if re.search(r"[与和及]", text[first.start : last.end]):
            break
        ending = words.ENDING.search(last.text)
        if ending is None or len(text[first.start : last.end]) - len(ending.group()) < 2:
            continue
        if ending.group() in words.WEAK_ENDINGS and not (
            first.tag in _SURE_TAGS or _stands_alone(tokens, at, last, text)
        ):
            continue
        if last.tag == "v" and text[last.end : last.end + 1] not in _AFTER_FIRM and last.end < len(text):
            continue
        best = size
    return best


def _alone(token: Token) -> int:
    """A single word that is a firm: 蓝海科技/ORG, 阿里巴巴集团/nz."""
    ending = words.ENDING.search(token.text)
    if any(token.text.startswith(word) and len(token.text) > len(word) + 2 for word in words.NOT_FIRST):
        return 0
    fits = (
        ending is not None
        and not re.search(r"[与和及]", token.text)
        and len(token.text) - len(ending.group()) >= 2
        and token.tag in ("ORG", "nz", "nt")
    )
    return 1 if fits else 0


def _stands_alone(tokens: Sequence[Token], at: int, last: Token, text: str) -> bool:
    """At the beginning of a clause or after a preposition, and followed by what follows a name."""
    before = tokens[at - 1] if at else None
    opened = (
        before is None
        or before.text[-1] in _BOUNDARY
        or before.tag in ("p", "c", "r")
        or before.text in ("客户", "供应商", "对手", "是", "为")
    )
    follows = text[last.end : last.end + 1]
    goes_on = not follows or follows in _AFTER_FIRM or text.startswith(_AT_WORK, last.end)
    return opened and goes_on and len(tokens[at].text) == 2


def _tagged(text: str, analysis: Analysis) -> Iterator[Mention]:
    for span in analysis.entities:
        type_ = TYPE_OF_LABEL.get(span.label)
        if type_ is None:
            continue
        start, end = _trimmed(text, span)
        both = _JOINED.fullmatch(text[start:end]) if type_ == "organisation" else None
        if both is not None:  # two firms taken for one
            for part in ("a", "b"):
                yield Mention(
                    start=start + both.start(part),
                    end=start + both.end(part),
                    text=both[part],
                    type="company",
                    rule="zh.name.tagger",
                )
            continue
        name = text[start:end]
        if type_ == PERSON and not re.search(r"[\u4e00-\u9fffA-Za-z]{2}", name):
            continue
        yield Mention(
            start=start,
            end=end,
            text=name,
            type=type_,
            sure=type_ == PERSON and bool(words.PERSON_SUFFIX.search(name)),
            rule="zh.name.tagger",
        )
    for token in analysis.tokens:
        if token.tag in ("nz", "nw") and len(token.text) > 1 and re.search(r"[\u4e00-\u9fffA-Za-z]", token.text):
            yield Mention(start=token.start, end=token.end, text=token.text, type="", rule="zh.name.proper")
    for m in re.finditer(
        rf"(?<![\u4e00-\u9fff])[老小阿][\u4e00-\u9fff](?![\u4e00-\u9fff]{{0,1}}(?:板|师|心|时|家|人|区))|(?<=[，。；、\s叫喊是由跟和])[老小][{_SURNAMES}]",
        text,
    ):
        yield Mention(start=m.start(), end=m.end(), text=m.group(), type=PERSON, rule="zh.name.nick")


def is_like_a_person(mention: Mention) -> bool:
    """Whether a name that nothing proves to be a firm's is built like a person's: a family name and one or two characters."""
    if mention.sure or mention.type == PERSON:
        return mention.type == PERSON
    return bool(_PERSON_SHAPE.fullmatch(mention.text)) and not re.search(rf"(?:{_ENDINGS})$", mention.text)


def _trimmed(text: str, span: Span) -> tuple[int, int]:
    start, end = span.start, span.end
    while end > start and text[end - 1] in "的 ，。、":
        end -= 1
    if span.label == "PERSON" and _TITLE_AND_VERB.fullmatch(text, start, end):
        end -= 1  # 沈总问: the tagger takes the verb with it
    for word in words.NOT_FIRST:  # 被告宏图贸易: what a firm is stands in front of its name
        if span.label == "ORG" and text.startswith(word, start) and end - start - len(word) >= 3:
            start += len(word)
            break
    return start, end


_SMALL_WORDS = re.compile(
    r"(?:(?:for|with|to|from|by|of|at|in|on|and|or|the|a|an|via|about|re|per|cc|is|are|was|vs)\s+)*(?!$)", re.IGNORECASE
)
_LATIN_FIRM = re.compile(
    r"\s(?:Ltd|Limited|Inc|LLC|LLP|Corp|GmbH|AG|S\.?A|B\.?V|Plc|PLC|Co|KG|SpA|Pty|Holdings|Group)\.?$"
)
COMPANY = "company"


def _latin(text: str) -> Iterator[Mention]:
    """Latin words inside Chinese are names of products or firms."""
    for m in _LATIN.finditer(text):
        start = m.start() + len(_SMALL_WORDS.match(m.group()).group())  # type: ignore[union-attr]
        name = text[start : m.end()]
        if not _LATIN_FIRM.search(name):
            name = name.rstrip(".")  # the full stop of a sentence
        if len(name) > 1 and name.casefold() not in ("ok", "vs", "pm", "am", "and", "the", "re"):
            type_ = COMPANY if _LATIN_FIRM.search(name) else "product" if name[0].isupper() else ""
            yield Mention(
                start=start, end=start + len(name), text=name, type=type_, sure=type_ == COMPANY, rule="zh.name.latin"
            )  # fmt: skip


def _foreign(text: str, analysis: Analysis) -> Iterator[Mention]:
    """Latin names of several words, which a tagger of Chinese tears apart; people where it takes a part for a person."""
    people = [span for span in analysis.entities if span.label == "PERSON"]
    for mention in _latin(text):
        if " " in mention.text:
            is_person = mention.text.split()[0].casefold() in GIVEN_NAMES or any(
                mention.start <= span.start < mention.end for span in people
            )
            yield replace(mention, type=PERSON) if is_person and not mention.sure else mention


def _with_head(mention: Mention, tokens: Sequence[Token]) -> Mention:
    inside = [i for i, t in enumerate(tokens) if t.start < mention.end and mention.start < t.end]
    return replace(mention, head=inside[-1]) if inside else mention
