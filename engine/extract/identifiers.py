"""Spellings that identify by themselves: addresses, numbers of matters and orders, amounts of money."""

from __future__ import annotations

import re
from collections.abc import Iterator

from muniment.engine.extract.mentions import Mention, without_overlaps

_CODE = r"(?=[A-Za-z0-9./-]*\d)[A-Za-z0-9]+(?:[-/.][A-Za-z0-9]+)*(?:\([a-z0-9]{1,4}\))*"
# Nouns in front of a number that make it a name: the noun, the type, the prefix of the strong identifier.
_NUMBERED_EN: tuple[tuple[str, str, str], ...] = (
    (r"matter|case|docket|file|cause", "matter", "matter"),
    (r"ticket|incident|issue|bug|case no", "ticket", "ticket"),
    (r"order|purchase order|po", "order", "order"),
    (r"invoice|inv", "invoice", "invoice"),
    (r"contract|agreement", "contract", "contract"),
    (r"claim", "matter", "claim"),
    (r"policy", "contract", "policy"),
    (r"shipment|tracking", "shipment", "shipment"),
    (r"clause|section|sec\.|article|art\.|paragraph|para\.?|schedule|exhibit|annex|§", "clause", ""),
    (r"rule|regulation|act|statute|directive", "law", ""),
    (r"patent", "patent", "patent"),
    (r"room|ward|bay|dock|berth|pier|hall|gate|lift|line|unit|building|floor|warehouse|store|platform", "", ""),
    (r"machine|pump|valve|engine|press|boiler|chiller|autoclave|generator|robot|server|printer|truck|van|tank|turbine", "asset", ""),
)  # fmt: skip
_NUMBERED_ZH: tuple[tuple[str, str, str], ...] = (
    (r"案件|案号|卷宗", "matter", "matter"),
    (r"工单|问题单", "ticket", "ticket"),
    (r"订单|采购单", "order", "order"),
    (r"发票", "invoice", "invoice"),
    (r"合同", "contract", "contract"),
)
_SEPARATOR = r"(?:\s+(?:no\.?|number|nr\.?|#)\s*|\s+#?|\s*#\s*)"
_MAIL = re.compile(r"(?<![\w.+-])[A-Za-z0-9][\w.+-]*@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+", re.ASCII)
_URL = re.compile(r"\bhttps?://[^\s<>()\"'，。；、]+|\bwww\.[^\s<>()\"'，。；、]+[\w/]", re.ASCII)
# A telephone number as people group it: +44 (0)20 7946 0011, 010-8888 6666, +33 1 23 45 67 89, 0171/1234567.
_PHONE = re.compile(
    r"(?<![\w.+/-])(?:\+\d{1,3}[\s.-]?)?(?:\(\+?\d{1,5}\)\s?-?)?\d{1,14}(?:(?:[\s\u00a0.–/-]|\s?-\s|\s?\(\d{1,4}\)\s?)\d{1,8}){0,6}(?![\w-]|[./]\w)",
    re.ASCII,
)
_MOBILE_ZH = re.compile(r"(?:\+?86)?1[3-9]\d{9}")
# Blocks of two to four figures, or a dialling code that begins with 0 before a longer block.
_PLAIN_BLOCKS = re.compile(
    r"\d{2,4}(?:[\s-]\d{2,4}){1,4}|\(\d{1,5}\)[\s-]?\d{2,8}(?:[\s-]\d{2,8}){0,4}|0\d{1,4}(?:[\s–-]\d{2,8}){1,5}|0\d{2,5}\s?/\s?\d{4,9}(?:[ -]\d{2,6})*"
)
_GROUPED = r"(?=[0-9A-Z -]{8,20}\b)[0-9A-Z]{2,14}(?:[ -][0-9A-Z]{2,12}){0,4}"
_TAX = re.compile(
    rf"(?i:(?:VAT|tax|TVA|USt-?Id)\W{{0,3}}(?:ID|no\.?|nr\.?|number|reg(?:istration)?)?(?:\s+(?:no\.?|number))?(?:\W{{0,3}}|\s+is\s+))"
    rf"(?P<n>[A-Z]{{2}}[ -]?(?=[0-9A-Z]*\d){_GROUPED}|\d[\d-]{{7,14}}|\d{{2,3}}(?:[ /]\d{{2,5}}){{2,3}})(?![\w-])",
    re.ASCII,
)
_CREDIT_CODE = re.compile(
    r"(?:统一社会信用代码|税号|纳税人识别号)\s*(?:[:：为是]\s*)?(?P<n>[0-9A-Z]{15,20}|(?=[0-9A-Z ]{15,24}(?![0-9A-Z ]))[0-9A-Z]{2,8}(?: [0-9A-Z]{2,8}){2,6})",
    re.ASCII,
)
_IBAN = re.compile(r"(?<![\w-])[A-Z]{2}\d{2}(?: ?[0-9A-Z]{4}){3,7}(?: ?[0-9A-Z]{1,3})?(?![\w-])", re.ASCII)
# Thousands are parted by commas, or by spaces as much of Europe writes them.
_NUMBER = r"(?:\d{1,3}(?:[ \u00a0\u202f]\d{3})+(?!\d)|\d(?:[\d,]*\d)?)(?:\.\d+)?"
_MONEY_EN = re.compile(
    rf"(?:(?P<sign>[$€£¥])\s?(?P<a>{_NUMBER})(?:\s?(?P<ma>k|m|bn|million|billion|thousand)\b)?"
    rf"|\b(?P<code>USD|EUR|GBP|CHF|CNY|RMB|JPY|AUD|CAD|SEK|NOK|DKK|INR|SGD|HKD)\s?(?P<b>{_NUMBER})(?:\s?(?P<mb>k|m|bn|million|billion|thousand)\b)?"
    rf"|\b(?P<c>{_NUMBER})\s?(?P<mc>k|m|bn|million|billion|thousand)?\s?(?P<unit>USD|EUR|GBP|CHF|CNY|RMB|JPY|AUD|CAD|SEK|NOK|DKK|INR|SGD|HKD|euros?|dollars?|pounds?|yuan|francs|rupees|yen)\b)"
    rf"(?:\s?(?:per|a|an|/)\s?(?:user|month|year|day|hour|week|seat|unit|piece|head|annum|licence|license))*",
    re.ASCII,
)  # fmt: skip
_MONEY_ZH = re.compile(
    r"(?:[￥¥]\s?\d[\d,]*(?:\.\d+)?\s?(?:千|万|百万|亿)?|(?:人民币|约|每[人月年天件台户条]){0,3}[\d一二三四五六七八九十百千两][\d,.一二三四五六七八九十百千零两]*\s?(?:千|万|百万|亿)?(?:元|块钱|美元|欧元|英镑|港币|港元|日元))(?:人民币)?(?:[/每](?:人|月|年|天|件|台|户|条线)|每[人月年天件台户])?"
)
_QUANTITY_EN = re.compile(
    r"(?<![\w.-])\d[\d,]*(?:\.\d+)?\s?(?:%|percent\b|per cent\b|days?\b|weeks?\b|months?\b|years?\b|hours?\b|minutes?\b|users?\b|seats?\b|licen[cs]es\b|employees\b|people\b|units?\b|pieces\b|branches\b|kg\b|tons?\b|tonnes\b|litres\b|km\b|mg\b|ml\b|GB\b|TB\b|bar\b|kW\b)",
    re.ASCII,
)
_QUANTITY_ZH = re.compile(
    r"\d[\d,]*(?:\.\d+)?\s?(?:%|％|个月|天|年|小时|分钟|人|名|台|套|件|家|个|吨|公斤|平方米|个百分点|用户)|百分之[一二三四五六七八九十百零点两]+"
)
_TIME = re.compile(r"(?:(?:day|week|month|year|hour|minute)s?|个月|天|年|小时|分钟)$")
_YEAR_ZH = re.compile(r"(?:19|20)\d\d年")
_CITATION = re.compile(
    r"\b[A-Z][\w&'’.-]*(?:(?:\s(?:of|and|the|&))?\s[A-Z][\w&'’.-]*)*\sv\.?s?\.?\s[A-Z][\w&'’-]*(?:(?:\s(?:of|and|the|&))*\s[A-Z][\w&'’-]*)*(?:\s[\[(]\d{4}[\])])?"
)
_NAMED_CODE = re.compile(r"\b(?:[A-Z]{1,6}[-_]?\d{1,8}(?:[-/.][A-Z0-9]+)*|[A-Z]{2,6}(?:-[A-Z0-9]{2,})+)\b", re.ASCII)
_SIGNS = {"$": "USD", "€": "EUR", "£": "GBP", "¥": "CNY", "￥": "CNY"}


def _numbered(words: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?P<noun>(?i:{words})){_SEPARATOR}(?P<code>{_CODE})(?![\w-])")


_NUMBERED = tuple((_numbered(words), type_, prefix) for words, type_, prefix in _NUMBERED_EN)
_NUMBERED_HAN = tuple(
    (
        re.compile(rf"(?:{words})(?:编?号)?\s*(?:[:：为是]\s*)?(?P<code>{_CODE})(?![A-Za-z0-9年月日/-])(?:号)?"),
        type_,
        prefix,
    )
    for words, type_, prefix in _NUMBERED_ZH
)


def find_identifiers(text: str, *, lang: str) -> list[Mention]:
    """Identifiers, amounts and codes of a text, none overlapping another; amounts and addresses are values.

    Strong identifiers stand in `Mention.identifiers` as `kind:value`, folded so that equal ones are equal strings.
    """
    return without_overlaps(list(_found(text, lang)))


def _found(text: str, lang: str) -> Iterator[Mention]:
    for match in _MAIL.finditer(text):
        yield _value(match, "email", f"email:{match.group().casefold()}", "id.mail")
    for match in _URL.finditer(text):
        yield _value(match, "url", "", "id.url")
    for match in _IBAN.finditer(text):
        yield _value(match, "identifier", f"iban:{match.group().replace(' ', '')}", "id.iban")
    for pattern in (_TAX, _CREDIT_CODE):
        for match in pattern.finditer(text):
            number = match["n"]
            yield Mention(
                start=match.start("n"), end=match.end("n"), text=number, type="identifier", is_value=True, sure=True,
                identifiers=(f"tax:{re.sub(r'[^0-9A-Z]', '', number)}",), rule="id.tax",
            )  # fmt: skip
    yield from _money(text, lang)
    if lang != "zh":
        for match in _CITATION.finditer(text):
            yield Mention(
                start=match.start(), end=match.end(), text=match.group(), type="judgment", sure=True, rule="id.citation"
            )
    for pattern, type_, prefix in _NUMBERED_HAN if lang == "zh" else _NUMBERED:
        for match in pattern.finditer(text):
            code = match["code"]
            marks = (f"{prefix}:{code.casefold()}",) if prefix else ()
            yield Mention(
                start=match.start(), end=match.end(), text=match.group(), type=type_, sure=bool(type_),
                identifiers=marks, rule="id.numbered",
            )  # fmt: skip
    for match in _PHONE.finditer(text):
        written = match.group()
        # the (0) behind a country's code is dialled at home only
        digits = re.sub(r"\D", "", written.replace("(0)", "") if written.startswith("+") else written)
        if 7 <= len(digits) <= 15 and _is_phone(written, digits):
            yield _value(match, "phone", f"phone:{digits}", "id.phone")
    for match in (_QUANTITY_ZH if lang == "zh" else _QUANTITY_EN).finditer(text):
        lasts = _TIME.search(match.group()) is not None
        if not _YEAR_ZH.fullmatch(match.group()):
            yield _value(match, "duration" if lasts else "quantity", "", "id.quantity")
    for match in _NAMED_CODE.finditer(text):
        yield Mention(start=match.start(), end=match.end(), text=match.group(), rule="id.code")


def _is_phone(written: str, digits: str) -> bool:
    """Whether a run of figures is grouped as a telephone number; one in a single block only with +, or as a Chinese mobile."""
    if _is_date_like(written):
        return False
    if written.startswith("+"):
        return len(digits) >= 8
    return bool(_MOBILE_ZH.fullmatch(digits) or _PLAIN_BLOCKS.fullmatch(written))


def _is_date_like(text: str) -> bool:
    return bool(
        re.fullmatch(
            r"(?:19|20)\d\d[\s/.-]\d{1,2}[\s/.-]\d{1,2}|\d{1,2}[\s/.-]\d{1,2}[\s/.-](?:19|20)\d\d|(?:19|20)\d\d\s?-\s?(?:19|20)\d\d",
            text,
        )
    )


def _value(match: re.Match[str], type_: str, mark: str, rule: str) -> Mention:
    return Mention(
        start=match.start(), end=match.end(), text=match.group(), type=type_, is_value=True, sure=True,
        identifiers=(mark,) if mark else (), rule=rule,
    )  # fmt: skip


def _money(text: str, lang: str) -> Iterator[Mention]:
    for match in _MONEY_EN.finditer(text):
        if match["c"] and not match["unit"]:
            continue
        yield _value(match, "money", "", "id.money")
    if lang == "zh":
        for match in _MONEY_ZH.finditer(text):
            yield _value(match, "money", "", "id.money")
