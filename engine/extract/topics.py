"""What a preference is about, so that a newer one on the same topic replaces it and others stay beside it."""

from __future__ import annotations

import re

from muniment.engine.ingest.terms import fold, stem

# Wishes within one of these fill one place: who prefers mail no longer prefers the telephone.
_FAMILIES: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (topic, re.compile(pattern, re.IGNORECASE))
    for topic, pattern in (
        ("contact time", r"\b(?:before|after|between|until)\s+(?:\d|noon|midday|nine|ten|eleven|lunch)|\b(?:mornings?|afternoons?|evenings?|weekends?|office hours|on (?:mon|tues|wednes|thurs|fri|satur|sun)days?)\b|\d+\s*点(?:以?前|以?后|之前|之后)|(?:早上|上午|中午|下午|晚上|周末|夜间|工作时间|午休)"),
        ("contact channel", r"\b(?:e-?mails?|mails?|phone(?: calls?)?|telephone|calls?|ring(?:s|ing)?|call(?:s|ed|ing)?|text(?:s|ing| messages?)?|sms|whatsapp|wechat|slack|teams|video calls?|letters?|by post|fax|in person|face[- ]to[- ]face|tickets?|messages?|zoom|portal)\b|邮件|邮箱|电话|微信|短信|钉钉|视频会议|面谈|当面|打电话|来电|致电|沟通|联系|语音|QQ|飞书|工单|信函|平台"),
        ("payment terms", r"\bnet[- ]?\d+|\bpayment terms?\b|\b(?:pay|paid|payment)s? (?:by|via|in)\b|付款方式|账期|月结|结算"),
        ("invoicing", r"\binvoic(?:e|es|ing)\b|\bbilling\b|\bbills?\b|发票|开票|账单|对账"),
        ("language", r"\b(?:english|german|french|spanish|italian|chinese|mandarin|cantonese|japanese|korean|dutch|portuguese|russian|arabic|hindi|polish|swedish)\b|中文|英文|英语|普通话|粤语|日语|德语|法语"),
        ("meeting format", r"\bmeetings?\b|会议|开会"),
        ("delivery", r"\bdeliver(?:y|ies|ed)?\b|\bshipping\b|\bshipments?\b|送货|交货|配送|发货"),
        ("seat", r"\b(?:aisle|window) seats?\b|靠窗|靠走道"),
        ("diet", r"\b(?:vegetarian|vegan|halal|kosher|gluten[- ]free|dairy[- ]free)\b|素食|吃素|清真"),
        ("file format", r"\b(?:pdf|excel|csv|word documents?|spreadsheets?|powerpoint|slides)\b|表格|文档格式"),
        ("report format", r"\breports?\b|\bsummar(?:y|ies)\b|\bbullet points?\b|报告|周报|汇总"),
    )
)  # fmt: skip
# One way to reach somebody under its several names, so that a ban on calls and leave to phone are about the same.
_CHANNELS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (name, re.compile(pattern, re.IGNORECASE))
    for name, pattern in (
        ("call", r"^(?:tele)?phone|^call|^ring|电话|来电|致电"),
        ("email", r"^e-?mail|邮件|邮箱"),
        ("text", r"^text|^sms|短信"),
        ("letter", r"^letter|^by post|信函"),
        ("wechat", r"^wechat|微信"),
        ("visit", r"^in person|^face|面谈|当面"),
    )
)
_OVER = re.compile(r"\s+(?:over|to|rather than|instead of|and not|not)\s+|(?:而不是|而非|胜过|多于)", re.IGNORECASE)
_TRAILING = re.compile(
    r"\s+(?:at|in|on|for|when|if|because|since|during|by|with|from|before|after)\b.*$", re.IGNORECASE
)
_PLURAL = re.compile(r"(?:ing|ed|s)$")
_ARTICLE = re.compile(r"^(?:the|a|an|to|using|working with|his|her|their|my|our)\s+", re.IGNORECASE)


def wish_topic(value: str) -> str:
    """The topic of what somebody prefers: a family such as `contact channel`, else the thing chosen among its like."""
    return wish_family(value) or head_of(_OVER.split(value)[0])


def ban_topic(value: str) -> str:
    """The topic of what somebody forbids. Each barred channel stands alone: no calls and no faxes go together."""
    family = wish_family(value)
    if family != "contact channel":
        return family or liking_topic(value)
    barred = next(m.group() for topic, pattern in _FAMILIES if topic == family for m in [pattern.search(value)] if m)
    channel = next((name for name, words in _CHANNELS if words.search(barred)), _PLURAL.sub("", fold(barred)))
    return f"contact channel: not {channel}"


def wish_family(value: str) -> str:
    """The family of wishes that a text belongs to, such as `contact channel`; empty where it is of none."""
    texts = (_OVER.split(value)[0], value)  # what is chosen decides; then what it is chosen over
    return next((topic for text in texts for topic, pattern in _FAMILIES if pattern.search(text)), "")


def liking_topic(value: str) -> str:
    """The topic of a like or dislike: the thing itself, so that tea and coffee can both be liked."""
    return " ".join(stem(word) for word in fold(_ARTICLE.sub("", value)).split()) or fold(value)


def head_of(value: str) -> str:
    """`net-60 terms` → `term`: another kind of terms replaces it; Chinese values stand for themselves."""
    plain = _TRAILING.sub("", _ARTICLE.sub("", fold(value)))
    words = plain.split()
    return stem(words[-1]) if words else fold(value)
