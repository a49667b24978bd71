"""Likes, dislikes, wishes and standing instructions of a Chinese sentence."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from muniment.engine.extract.chinese.stance import sentence_stance
from muniment.engine.extract.chinese.words import ENDING_TYPE
from muniment.engine.extract.links import ENDED, PLAIN, Stance
from muniment.engine.extract.mentions import PERSON, Mention
from muniment.engine.extract.wishes import (
    ALLERGY,
    ALLOW,
    ALWAYS,
    DISLIKE,
    HATE,
    INSIST,
    LIKE,
    LOVE,
    NEVER,
    PREFER,
    Attitude,
    Preference,
    literal,
    made,
    turned,
)

_TIMES = r"(?:每?(?:周|星期|礼拜)[一二三四五六日天末]|周末|节假日|早上|上午|中午|下午|晚上|夜里|傍晚|[\d一二三四五六七八九十两]{1,3}点(?:半|钟)?(?:以前|以后|之前|之后|前|后)?)"
_ZH_ORDER = re.compile(
    rf"(?P<v>(?:在?{_TIMES}{{1,3}}(?:都|就|也|均)?(?=请?(?:勿|不要|别|千万|只|从不|绝不|禁止)))?"
    r"(?P<cue>请勿|切勿|请不要|请别|千万别|千万不要|不要|别(?![人的处墅名样])|严禁|禁止|不得|不准|不许|不能|不可以|从不|绝不|绝不能|永远不要|务必|请务必|必须|一定要|一律|只能|只接受|只用|只通过|仅限)(?P<rest>[^，。；！？,;!?]{2,40}))"
)
_ZH_REACHING = re.compile(r"联系|致电|来电|电话|邮件|微信|短信|打扰|联络|拜访")
# What is not to be done to somebody who is named: 不得向王芳提供折扣.
_ZH_TREATING = re.compile(
    r"^(?:再)?(?:向|给|对|为|替)[^，。；]{1,12}?(?:提供|报价|推销|披露|透露|泄露|赠送|收取|推荐|承诺|收费|赊账)"
)
_BARRED = frozenset({"不能", "不可以"})
# What is only told of us unless it is to be remembered: 请记住，我们从不给王芳打电话.
_TOLD = frozenset({"从不", "绝不"})
_ZH_REMEMBER = re.compile(r"(?:记住|记得|牢记|切记|注意|提醒|记下|备注|别忘了)")
# What somebody wished once, or only at another time.
_ZH_THEN = re.compile(
    r"(?:去年|前年|当年|当时|那时|曾经?|以前|之前|过去|原先|原来|起初|早先|[\d一二三四五六七八九十]年前)[^，。；]{0,12}(?:要求|希望|说|让|叮嘱|提醒|交代|嘱咐)"
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
    "喜欢": LIKE, "喜爱": LIKE, "爱吃": LIKE, "爱喝": LIKE, "爱看": LIKE, "热爱": LOVE, "钟爱": LOVE, "偏爱": PREFER,
    "偏好": PREFER, "倾向于": PREFER, "倾向": PREFER, "习惯用": PREFER, "习惯": PREFER, "讨厌": HATE, "厌恶": HATE, "反感": DISLIKE,
    "受不了": HATE, "忌讳": DISLIKE,
}  # fmt: skip


def chinese_wishes(text: str, mentions: Sequence[Mention]) -> Iterator[Preference]:
    speaker = Mention(start=0, end=0, text="我", type=PERSON, pronoun=True)
    if sentence_stance(text).silent:
        return
    stance = PLAIN
    if re.search(r"听说|据说|传言|可能|也许|或许|如果|假如|要是|是否|吗", text):
        stance = Stance(cap=0.45, reasons=("hypothesis",))
    for m in _ZH_ALLERGY.finditer(text):
        for part in re.split(r"、|和|及|与", m["v"]):
            start = text.find(part, m.start("v"))
            if re.search(r"不$|没有?$", text[: m.start()]):
                continue
            yield made(
                _zh_subject(text, mentions, m.start()) or speaker,
                literal(text, start, start + len(part)),
                ALLERGY,
                "过敏",
                stance,
                rule="zh.preference",
            )
    for m in _ZH_FAVOURITE.finditer(text):
        yield made(
            _zh_subject(text, mentions, m.start()) or speaker,
            literal(text, m.start("v"), m.end("v")),
            replace(LOVE, relation="prefers"),
            "最喜欢",
            stance,
            topic=f"最喜欢的{m['n']}",
            rule="zh.preference",
        )
    for m in _ZH_LIKE.finditer(text):
        attitude: Attitude | None = _ZH_CUES[m["cue"]]
        own = stance
        if m["neg"] == "不再" and attitude is not None:
            own = stance.under(ENDED)
        elif m["neg"]:
            attitude = turned(attitude) if attitude is not None else None
        elif m["much"] and "更" in m["much"] and attitude is LIKE:
            attitude = PREFER
        subject = _zh_subject(text, mentions, m.start())
        if subject is None and not _zh_speaks(text[: m.start()]):
            continue
        value = re.sub(r"^(?:了|的|过)", "", m["v"])
        if attitude is None or not value:
            continue
        start = text.find(value, m.start("v"))
        for part_start, part_end in _zh_parts(text, start, start + len(value), attitude):
            yield made(
                subject or speaker, literal(text, part_start, part_end), attitude, m["cue"], own, rule="zh.preference"
            )
    for m in _ZH_DIET.finditer(text):
        subject = _zh_subject(text, mentions, m.start())
        if subject is not None:
            yield made(
                subject,
                literal(text, m.start("v"), m.end("v")),
                INSIST if "素" in m["v"] else NEVER,
                "饮食",
                stance,
                topic="diet" if "素" in m["v"] else "",
                rule="zh.preference",
            )
    yield from _zh_permissions(text, mentions, stance) if not _ZH_THEN.search(text) else ()
    for m in _ZH_ORDER.finditer(text) if not _ZH_THEN.search(text) else ():
        if m["cue"] in _TOLD and not _ZH_REMEMBER.search(text, 0, m.start()):
            continue
        positive = m["cue"] in ("务必", "请务必", "必须", "一定要", "一律", "只能", "只接受", "只用", "只通过", "仅限")
        acts = re.search(
            r"打|发|联系|致电|来电|电话|邮件|微信|沟通|开票|付款|送|约|叫|用|走|加|催|抄送|提单|通知|回复|预约",
            m["rest"],
        )
        treats = not acts and _ZH_TREATING.search(m["rest"])
        if not (acts or treats):
            continue
        before = (
            _zh_subject(text, mentions, m.start())
            if re.search(r"(?:要求|强调|希望|说|让我们|叮嘱|提醒|规定)[^，。]{0,8}$", text[: m.start()])
            else None
        )
        if re.search(r"^(?:给|向|对|联系|打扰|致电)?[她他]", m["rest"]) and not any(
            x.same_as for x in mentions if x.pronoun and m.start("rest") <= x.start < m.end()
        ):
            continue  # 别给她打电话, and nobody knows whom
        called = next(
            (
                x
                for x in mentions
                if m.start() <= x.start < m.end()
                and (x.type == PERSON or x.type in ENDING_TYPE.values())
                and (x.same_as or not x.pronoun)
            ),
            None,
        )
        if treats and called is None:
            continue
        if m["cue"] in _BARRED and (called is None or not _ZH_REACHING.search(m["rest"])):
            continue  # 我们不能给蓝湖发货: what cannot be done is no order
        if (
            before is None
            and re.search(r"[\u4e00-\u9fff]$", text[: m.start()])
            and not re.search(
                r"(?:请|以后|今后|事项请|均|都|等|请以后|我们|咱们|大家|你们|您|任何人|谁都|所有人|所以|因此|而且|但是|但|那边|这边)$",
                text[: m.start()],
            )
        ):
            continue
        yield made(
            before or called or speaker,
            literal(text, m.start("v"), m.end("v")),
            ALWAYS if positive else NEVER,
            m["cue"],
            stance,
            rule="zh.preference",
        )


_ZH_WAY = r"(?:打(?:个)?电话|(?:致电|联系|联络|拜访|打扰)[^，。；！？了,;]{0,8}?|来电|打来|发(?:邮件|微信|短信|信息|消息)|写信|上门|用(?:电话|邮件|微信|短信)(?:联系|沟通)?)"
_ZH_MAY = re.compile(
    rf"(?P<lead>(?:现在|以后|今后|又|也|已经|都|重新|从现在起|随时)*)(?<![不没未无])可以(?P<again>(?:再|重新|随时|继续|直接|开始)*)"
    rf"(?P<v>(?:再|给|向|跟|和|对)?[^，。；！？,;!?]{{0,8}}?{_ZH_WAY}(?:给[^，。；！？了]{{1,8}})?)(?P<end>了?)(?=$|[，。；！,;!\s])"
)
_ZH_IS_FINE = re.compile(
    rf"(?P<v>(?:给|向|跟|和|对)?[^，。；！？,;!?]{{0,8}}?{_ZH_WAY}(?:给[^，。；！？]{{1,8}}?)?)(?:现在|也|又|都|已经|以后)*(?:可以|没问题|没关系|行)(?P<end>了?)(?=$|[，。；！,;!\s])"
)


def _zh_permissions(text: str, mentions: Sequence[Mention], stance: Stance) -> Iterator[Preference]:
    """打电话也可以了, 现在可以给王芳打电话了: leave to do what was barred."""
    speaker = Mention(start=0, end=0, text="我", type=PERSON, pronoun=True)
    found = [m for m in _ZH_MAY.finditer(text) if m["lead"] or m["again"] or m["end"]]
    for m in found or _ZH_IS_FINE.finditer(text):
        if re.search(r"不|没|未|别|是否|能否|如果|要是", m.group()):
            continue
        inside = [x for x in mentions if m.start("v") <= x.start < m.end("v") and not x.is_value]
        if any(x.pronoun and not x.same_as and x.text not in ("我", "本人") for x in inside):
            continue
        named = next((x for x in inside if x.type == PERSON or x.type in ENDING_TYPE.values()), None)
        spoken = re.search(r"(?:说|表示|告知|回复|称|同意|允许)[，：,:]?$", text[: m.start()])
        yield made(
            named or (_zh_subject(text, mentions, m.start()) if spoken else None) or speaker,
            literal(text, m.start("v"), m.end("v")), ALLOW, "可以", stance, rule="zh.preference",
        )  # fmt: skip


def _zh_parts(text: str, start: int, end: int, attitude: Attitude) -> Iterator[tuple[int, int]]:
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
