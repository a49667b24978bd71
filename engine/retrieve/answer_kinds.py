"""The kind of answer that a question wants (an age, a sum, a length of time, a rule), and which texts tell one."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class AnswerKind(StrEnum):
    """What an answer is made of."""

    AGE = "age"
    MONEY = "money"
    SPAN = "span"  # a length of time
    DAY = "day"
    CLOCK = "clock"  # a time of day
    NUMBER = "number"  # by which something is rung or found
    SHARE = "share"  # a part in a hundred
    RULE = "rule"  # what somebody wishes, forbids or asks for


@dataclass(frozen=True, slots=True, kw_only=True)
class _Reading:
    asked: re.Pattern[str]
    told: re.Pattern[str]


_COUNT: Final = (
    r"(?:\d[\d.,]*|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|sixty|ninety"
    r"|half an?|several|a few|a couple of)"
)
_UNITS: Final = (
    r"(?:seconds?|minutes?|mins?|hours?|hrs?|days?|nights?|weeks?|fortnights?|months?|quarters?|years?|yrs?|decades?)"
)
_HAN: Final = r"(?:\d[\d.]*|[零一二两三四五六七八九十百半几]+)"
_MONTHS: Final = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:t(?:ember)?)?|oct(?:ober)?|nov(?:ember)?"
    r"|dec(?:ember)?)"
)
_WEEKDAYS: Final = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"


def _reading(asked: str, told: str) -> _Reading:
    return _Reading(asked=re.compile(asked, re.IGNORECASE), told=re.compile(told, re.IGNORECASE))


_READINGS: Final = {
    AnswerKind.AGE: _reading(
        r"\bhow old\b|\bwhat age\b|\b(?:my|his|her|their|whose|\w+['’]s) age\b|\byears (?:older|younger)\b"
        r"|\bhow many years will\b|多大(?:年纪|岁数|了)|几岁|年龄|岁数|年纪",
        r"\b\d{1,3}[- ]years?[- ]olds?\b|\baged \d|\bage of \d"
        r"|\b(?:i['’]?m|i am|he['’]?s|she['’]?s|is|was|am|turn(?:ed|s|ing)?|be) (?:only |just |now |almost |nearly |about )*\d{1,2}\b"
        r"(?![\d:.%]|,\d| ?(?:am|pm|percent|%|minutes?|hours?|days?|weeks?|months?|miles?|km|kilo\w*|dollars?|pounds?)\b)"
        r"|\b\d{1,3}(?:st|nd|rd|th) birthday\b|\bin (?:my|his|her|their) (?:\d0s|(?:twen|thir|for|fif|six|seven|eigh|nine)ties)\b"
        r"|\bborn (?:in|on)\b|\d岁|[一二三四五六七八九十]岁|出生|生于",
    ),
    AnswerKind.MONEY: _reading(
        r"\bhow much (?:money|(?:do|does|did|will|would|should|must|can|is|are|was|were|has|have)\b.*?\b(?:pay|paid|cost|charged?|spen[dt]"
        r"|earn(?:ed)?|owed?|worth|make|made|raised?|save|saved|claim(?:ed)?|demand(?:ed|ing)?|invoiced?|billed?|fee|rent|price|salary))\b"
        r"|\bwhat\b.{0,80}\b(?:pay|charged?|costs?|prices?|fees?|salary|wages?|rent|budget|premium|deductible|excess|fine|sum|amount|worth"
        r"|turnover|revenue)\b|\bhow (?:expensive|cheap)\b"
        r"|多少钱|价格|价钱|单价|费用|年费|收费|金额|预算|工资|薪水|月薪|年薪|租金|报价|付.{0,6}多少|收.{0,4}多少",
        r"[£$€¥￥]\s?\d|\d[\d.,]*\s?(?:k|m|bn|million|thousand|hundred)?\s?(?:pounds?|dollars?|euros?|usd|eur|gbp|chf|quid|pence|cents?|bucks"
        r"|yuan|rmb|francs|kroner|crowns|yen)\b|\b(?:usd|eur|gbp|chf|rmb|cny)\s?\d|\b\d{1,3},\d{3}\b|\b\d+(?:\.\d+)?(?:k|m|bn)\b"
        r"|\d\s*(?:元|块|万|亿|美元|欧元|美金)|[一二两三四五六七八九十百千]+(?:元|块钱|万)|(?<!\d)\d{5,}(?!\d)",
    ),
    AnswerKind.SPAN: _reading(
        r"\bhow (?:long|fast|soon|quickly)\b|\bhow many (?:working |business )?(?:minutes|hours|days|nights|weeks|months|years)\b"
        r"|\bhow much (?:time|notice|warning)\b|\bhow far (?:in advance|ahead)\b|\bhow many years\b"
        r"|\bwhat\b.{0,60}\b(?:notice period|lead time|response time|duration|term|deadline|warranty|period)\b"
        r"|多久|多长时间|几(?:天|周|个月|年|个?小时|个?工作日|个星期)|多少(?:天|年|小时|个月|个工作日)|期限|时限|时效|工期|交期",
        rf"\b{_COUNT}[- ](?:and a half |more |full |working |business |calendar |clear )*{_UNITS}\b|\b\d+\s?{_UNITS}\b"
        rf"|{_HAN}个?(?:小时|钟头|工作日|天|日内|周|星期|月|年|分钟)",
    ),
    AnswerKind.DAY: _reading(
        r"(?:^|[,.;] ?|\b(?:since|until|till|by|from|and) )when\b|\bwhat (?:date|day|month|year)\b|\b(?:on|in|by) which (?:day|date|month|year)\b"
        r"|\bwhat(?:['’]s| is| was) the (?:\w+ )?(?:date|deadline|day)\b"
        r"|什么时候|何时|哪[一]?天|几号|几月|哪年|哪一年|哪个月|日期|截止",
        rf"\b\d{{1,2}}(?:st|nd|rd|th)?(?: of)? {_MONTHS}\b|\b{_MONTHS}\.? \d{{1,4}}(?:st|nd|rd|th)?\b|\b(?:in|since|by|until|end of|early|late|mid) {_MONTHS}\b"
        rf"|\b{_WEEKDAYS}s?\b|\b\d{{4}}-\d\d-\d\d\b|\b\d{{1,2}}[/.]\d{{1,2}}\b|\b(?:in|since|by|until) (?:19|20)\d\d\b"
        r"|\b(?:yesterday|today|tonight|tomorrow|ago)\b|\b(?:last|next|this) (?:week|weekend|month|year|spring|summer|autumn|fall|winter|night|morning)\b"
        r"|\d月|\d[日号]|\d{4}年|星期[一二三四五六日天]|周[一二三四五六日末]|昨天|今天|明天|前天|后天|[上下]个?(?:周|月|星期)|月[底初中]|年[底初]|[去今明]年",
    ),
    AnswerKind.CLOCK: _reading(
        r"\b(?:what|which) (?:time|hours?)\b|\b(?:opening|visiting|office) hours\b|几点|什么时间|什么时段|时间段",
        r"\b\d{1,2}[:.]\d\d\b|\b\d{1,2}\s?(?:am|pm|a\.m\.|p\.m\.|o['’]?clock)(?!\w)|\b(?:noon|midnight|midday)\b"
        r"|\b(?:before|after|until|till|from|at) (?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\d{1,2})\b(?! ?(?:days?|weeks?|months?|years?))"
        r"|\d[点时](?!\w*间)|[一二两三四五六七八九十]+点",
    ),
    AnswerKind.NUMBER: _reading(
        r"\b(?:what|which)\b.{0,40}\b(?:number|extension|ext|pin|postcode|code)\b|\bnumber\b.{0,30}\b(?:rung|called|reached|dialled)\b"
        r"|电话|分机|手机号|号码|编号|工号|单号",
        r"(?<![\d,.])\+?\d[\d ()-]{2,}\d(?![\d,.])|\b(?:ext|extension|no|nr|number)\b\W{0,3}\d",
    ),
    AnswerKind.SHARE: _reading(
        r"\bwhat (?:percent\w*|share|proportion|fraction|(?:interest |tax |discount )?rate)\b|\bpercentage\b|\bhow (?:big|large|much) (?:a |of a )?(?:share|stake|discount|reduction)\b"
        r"|百分之几|比例|占比|利率|税率|折扣|几折",
        r"\d\s?(?:%|％|percent\b|per cent\b)|\b(?:half|third|quarter|fifth) of\b|百分之|[一二三四五六七八九\d]折",
    ),
    AnswerKind.RULE: _reading(
        r"\b(?:prefers?|preferred|preferences?|insist(?:s|ed)?|likes?|dislikes?|wish(?:es)?|wants?|wanted|requires?|required|requirements?"
        r"|demands?|expects?|minds?|objects?|rules?|allowed|permitted|permission|forbidden|banned|supposed|must|should|shall|allerg\w+|avoid"
        r"|have to|has to|need to|needs to|may (?:i|we|one|you)|can (?:i|we|one|you)|could (?:i|we)|keep in mind|watch out|mind)\b"
        r"|\bhow (?:do|can|would|does) (?:i|we|one|you|he|she|they)\b|\b(?:best|right) (?:way|time)\b|\bwhat (?:channel|way)\b"
        r"|喜欢|偏好|偏爱|爱(?:吃|喝|用)|习惯|讨厌|忌|讲究|要求|规定|规矩|注意|必须|需要|应该|应当|该(?:怎么|如何|走|用|找)|能不能|能否|可不可以|可以|允许"
        r"|怎么(?:联系|送|发|报|申请|走|约|通知)|(?:走|用|通过)?(?:什么|哪种|哪个|何种)(?:途径|渠道|方式|条件|手续)|什么条件|如何",
        r"\b(?:must(?:n['’]t)?|shall|should(?:n['’]t)?|never|always|only|please|don['’]t|do not|nobody|no one|not allowed|forbidden"
        r"|prohibited|banned|insists?|prefers?|dislikes?|hates?|allergic|required?|requires|expects|wants?|would like|asks?(?: that| for| to| us)?"
        r"|asked (?:that|us|for|to|not)|won['’]t|refuses?|may not|cannot|has to|have to|needs? to|instead of|rather than|unless|without|in writing"
        r"|at (?:the )?latest|at least|strict(?:ly)?|adamant)\b|(?:^|[.;:!?] )(?:no|not|keep|use|leave|send|call|mail|write) "
        r"|请勿|勿|切勿|不得|不要|不许|不准|不能|别(?!的|处|人|墅)|务必|必须|一律|只(?:能|收|认|接|看|用|走|许|准|吃|喝)|要求|规定|严禁|禁止|不接|不收|从不|从来不"
        r"|喜欢|讨厌|偏爱|最烦|忌|得先|先要|须|才(?:能|行|可以|见|收|给)|否则|不超过|以内|之前[^，。]{0,12}(?:要|得|把)|都得",
    ),
}
_WHO: Final = re.compile(r"^\W*(?:(?:and|but|so) )?(?:who|whose|whom)\b|谁", re.IGNORECASE)
# What kind of thing is asked for by name. Told in the trace; nothing is ranked by it, since steps of relations say it better.
_ENDS: Final = {
    "person": re.compile(r"\b(?:who|whom|whose)\b|谁|哪位|何人", re.IGNORECASE),
    "place": re.compile(
        r"\bwhere\b|\b(?:which|what) (?:place|city|town|country|street|room|office|address)\b|哪里|哪儿|何处|哪个?(?:城市|国家|地方)",
        re.IGNORECASE,
    ),
    "organization": re.compile(
        r"\b(?:which|what) (?:company|firm|organi[sz]ation|employer|supplier|customer|client|court|bank|agency)\b|哪家|哪个?(?:公司|机构|单位|法院|银行)",
        re.IGNORECASE,
    ),
    "count": re.compile(r"\bhow many\b|多少(?:个|人|次|家|件|台|份|名)|几(?:个|人|次|家|件|台|份|名)", re.IGNORECASE),
}
_SENTENCE: Final = re.compile(r"[^.!?。！？；\n]*(?:[.!?](?!\s|$)[^.!?。！？；\n]*)*(?:[.!?。！？；\n]+|$)")


def asked_kinds(text: str) -> frozenset[AnswerKind]:
    """The kinds of answer that a question wants, as far as its words say; empty for most. Who must do something is a person."""
    kinds = frozenset(kind for kind, reading in _READINGS.items() if reading.asked.search(text))
    return kinds - {AnswerKind.RULE} if _WHO.search(text) else kinds


def expected(text: str) -> frozenset[str]:
    """What kind of answer a question asks for, for people to read: the kinds above, a person, a place, an organization, a
    count; empty where its words do not say."""
    return frozenset((*asked_kinds(text), *(name for name, words in _ENDS.items() if words.search(text))))


def tells(kinds: frozenset[AnswerKind], text: str) -> bool:
    """Whether a text tells something of one of the kinds."""
    return any(_READINGS[kind].told.search(text) for kind in kinds)


def telling_share(kinds: frozenset[AnswerKind], text: str) -> float:
    """The share of a text's sentences that tell something of one of the kinds and do not ask, in [0, 1]."""
    if not tells(kinds, text):
        return 0.0
    sentences = [sentence for found in _SENTENCE.findall(text) if (sentence := found.strip())]
    telling = [s for s in sentences if not s.endswith(("?", "？")) and tells(kinds, s)]
    return len(telling) / max(1, len(sentences))
