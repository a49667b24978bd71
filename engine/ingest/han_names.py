"""How names written in Chinese are called for short: 远江冷链 is 远江, 成都远江餐饮 is 远江, 李建国 is 老李 or 建国."""

from __future__ import annotations

from typing import Final

from muniment.engine.ingest.language import has_han
from muniment.engine.ingest.private_keys import private_key

PLACES: Final = frozenset(
    """
    中国 北京 上海 天津 重庆 河北 山西 辽宁 吉林 江苏 浙江 安徽 福建 江西 山东 河南 湖北 湖南 广东 海南 四川 贵州 云南 陕西 甘肃 青海 台湾 内蒙古
    广西 西藏 宁夏 新疆 香港 澳门 黑龙江 华北 华东 华南 华中 西南 西北 东北 石家庄 太原 沈阳 大连 长春 哈尔滨 南京 苏州 无锡 常州 南通 徐州 扬州 杭州
    宁波 温州 嘉兴 绍兴 金华 舟山 台州 合肥 福州 厦门 泉州 漳州 南昌 济南 青岛 烟台 郑州 洛阳 武汉 宜昌 长沙 广州 深圳 珠海 佛山 东莞 中山 惠州 南宁
    海口 三亚 成都 绵阳 贵阳 昆明 拉萨 西安 兰州 西宁 银川 乌鲁木齐 昆山 义乌 台北 新加坡 日本 韩国 美国 德国 英国 法国
    """.split()
)
"""Places that everybody knows: as the first part of a name they say where, and alone they are no name of a firm."""

_GROUP_ENDINGS: Final = ("集团", "公司", "银行")
_CALLED: Final = ("老{}", "小{}", "{}总", "{}工", "{}经理", "{}老师", "{}律师", "{}主任", "{}师傅")
_DOUBLE_SURNAMES: Final = frozenset(
    "欧阳 司马 上官 诸葛 夏侯 东方 皇甫 尉迟 公孙 慕容 令狐 司徒 司空 端木 百里 呼延 南宫 西门 独孤 长孙 宇文 轩辕 闻人".split()
)
SHORTEST: Final = 2
_LONGEST_PERSON: Final = 3
_LONGEST_SHORT: Final = 4


def is_han_name(key: str) -> bool:
    """Whether a name is written in Chinese, without spaces."""
    return has_han(key) and " " not in key


def surname_of(key: str) -> str:
    """Whose surname a form of address has: 陆 of 老陆 or 陆总; empty where it is none."""
    for form in _CALLED:
        before, after = form.split("{}")
        if key.startswith(before) and key.endswith(after) and len(key) == len(before) + len(after) + 1:
            return key.removeprefix(before).removesuffix(after)
    return ""


def given_name_of(key: str) -> str:
    """The given name of a person's whole name, of two characters: 晓芳 of 王晓芳 and of 欧阳晓芳; empty where there is none."""
    surname = 2 if key[:2] in _DOUBLE_SURNAMES else 1
    is_whole = is_han_name(key) and len(key) == surname + SHORTEST and not surname_of(key)
    return key[surname:] if is_whole else ""


def given_key(name: str) -> str:
    """The key under which people are found by a given name of two characters alone; empty for any other name."""
    return private_key(f"given|{name}") if len(name) == SHORTEST and is_han_name(name) else ""


def without_place(key: str) -> str:
    """The name without a well-known place in front, where something is left."""
    for place in sorted(PLACES, key=len, reverse=True):
        if key.startswith(place) and len(key) - len(place) >= SHORTEST:
            return key[len(place) :]
    return key


def short_forms(key: str, *, is_person: bool) -> tuple[str, ...]:
    """What a full name may be called for short, the longest first; empty for what is short already."""
    if not is_han_name(key):
        return ()
    if is_person:
        if len(key) != _LONGEST_PERSON or surname_of(key):
            return ()
        return (key[1:], *(form.format(key[0]) for form in _CALLED))
    core = without_place(key)
    forms = [core] if core != key else []
    forms += [core[:size] for size in range(len(core) - 1, SHORTEST - 1, -1)]
    forms += [core[:SHORTEST] + end for end in _GROUP_ENDINGS if core.endswith(end) and len(core) > SHORTEST + len(end)]
    return tuple(form for form in dict.fromkeys(forms) if form not in PLACES)


def may_be_short(key: str) -> bool:
    """Whether a name may stand for a longer one that begins with it."""
    return is_han_name(key) and SHORTEST <= len(key) <= _LONGEST_SHORT and key not in PLACES
