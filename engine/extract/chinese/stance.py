"""How a Chinese clause stands to what it says."""

from __future__ import annotations

import re

from muniment.engine.extract.links import CORRECTED, DENIED, ENDED, FUTURE, HEARSAY, HYPOTHESIS, PLAIN, QUESTION, Stance

_QUESTION = re.compile(
    r"[？?]\s*[”\"’]?\s*$|吗[。！]?$|(?:是否|有没有|是不是|会不会|能不能|要不要|谁知道|请问|哪一位|怎么样|呢[。]?$)"
)
_HYPOTHESIS = re.compile(
    r"如果|假如|假设|要是|倘若|万一|若是|若(?=[\u4e00-\u9fff]{1,12}[，,])|可能|也许|或许|大概|恐怕|说不定|应该|考虑|除非|不确定|还没定|未定|待定|比如|例如|假装|本来要|差点"
)
_HEARSAY = re.compile(
    r"听说|据说|据传|传闻|传言|有人说|好像|似乎|据称|听闻|据悉|疑似|谣传|小道消息|风传|貌似|据(?:[\u4e00-\u9fff]{1,4})(?:透露|介绍)|我猜|我觉得|估计|记得好像|如果没记错|未经证实"
)
_FUTURE = re.compile(r"(?:将要?|即将|快要|马上要|就要|会(?=在|于|去|来|加入|接|成为|担任|调)|预计|届时)")
_CORRECTION = re.compile(
    r"更正|纠正|勘误|从来(?:不是|没有|没|不)|从未|从没|根本不是|搞错|弄错|写错|记错|说错|有误|不属实|并非事实|误传"
)
# 之前说错了，…: what comes next is right, and so is what stands before ，不是乙.
_PUT_RIGHT = re.compile(
    r"^[^，,：:。]{0,8}(?:搞错|弄错|写错|记错|说错)(?:了)?[，,：:]\s*|^\s*(?:更正|纠正|勘误)(?:一下)?[，,：:]\s*"
)
_CONTRASTED = re.compile(r"[，,]\s*(?:而)?(?:不是|并非|不在)[^，。,；;]*")
_TAKEN_BACK = re.compile(r"不是|从未|从没|没有|并非|搞错|弄错|写错|记错|说错|有误|不属实|误传|从来")
_ENDED = re.compile(
    r"不再|已不|早已不|已经不|已(?:离职|卸任|退休|停用|解约|终止|离开)|曾经?|原(?=任|为|系|来是)|前任|以前(?=是|在|用|任)|过去(?=是|在|用|任)|之前(?=是|在|用|任)"
)
_DENIED = re.compile(r"(?:不是|并非|并不是|没有|并未|未|没|不|别|无)$")


# Right in front of a verb these tell what is only meant, tried or refused.
_INTENT = re.compile(
    r"(?:打算|计划|想要?|准备|希望|拟|考虑|有意|争取|拒绝|不愿意?|不肯|试图|尝试|未能|没能|无法|放弃|推迟|避免|差点儿?|险些|几乎|正要|愿意|申请|要求|建议|劝|允许|禁止)(?:要|去|在|将|让|其|再)?$"
)


# And in front of the one who is to do it: 希望张敏负责; 应客户要求由张敏负责 tells what is so.
_URGED = re.compile(
    r"(?<![按应照据依])(?:希望|要求|建议|期望|期待|盼|想让|想请|请求|鼓励|催促|敦促|责令|允许|准许|禁止|劝说?|邀请|提醒|嘱咐|叮嘱|吩咐|(?<![转出])让(?![步利渡])|(?<!名)叫(?![做作])|(?<![邀申聘])请(?![假示])|催)(?:由|让)?[^，。；、：\s]{1,14}$"
)
_CAME_ABOUT = re.compile(r"[\u4e00-\u9fff]{1,3}?[了过]")
# What is asked for, or not to be done, says nothing of what is so: 请不要给我打电话, 任何人不得联系他.
_ORDERED = re.compile(
    r"(?:请勿|切勿|请不要|不要|(?<![特分级区个差告辨识])别(?![的人墅处])|不得|不准|不许|严禁|禁止|不能|不可以?|不应该?|(?:^|[，。；：:“])\s*(?:麻烦|烦请|务必|请(?![假示教求客款问])))[^，。；：]{0,14}$"
)
_ON_DEMAND = re.compile(r"(?:按照?|根据|应|依照?|遵照)[^，。；]{0,8}(?:要求|建议|期望|请求)")


_LASTING = re.compile(r"是|在|用|任|担任|当|做|归|由|住|叫|负责|管|属于|跟|为|有")


def sentence_stance(text: str) -> Stance:
    """What the words of a whole sentence say about everything in it."""
    if _QUESTION.search(text):
        return QUESTION
    stance = PLAIN
    if _HEARSAY.search(text):
        stance = stance.under(HEARSAY)
    told = _CONTRASTED.sub("", _PUT_RIGHT.sub("", text))
    if _CORRECTION.search(text) and _TAKEN_BACK.search(told):
        stance = stance.under(CORRECTED)
    if re.search(r"如果|假如|假设|要是|倘若|万一|除非", text):
        stance = stance.under(HYPOTHESIS)
    return stance


def clause_stance(clause: str, at: int) -> Stance:
    """The stance of the verb at offset `at` of a clause."""
    before = clause[:at]
    stance = PLAIN
    if (
        re.search(r"不再|已不|已经不|早已不|早就不", before[-6:])
        or re.search(r"曾经?(?!任命)|(?:以前|过去|原先|原来)(?=.{0,6}$)", before)
        # 见他之前: before he was seen, and nothing that was so formerly
        or (re.search(r"之前(?:一直|都|就|还|也)?$", before) and _LASTING.match(clause, at))
    ):
        stance = stance.under(ENDED)
    elif re.search(r"(?:从来?不|从来?没|从未)", before):
        stance = stance.under(CORRECTED)
    elif _DENIED.search(before) or re.search(
        r"(?:不|没有|未|别)(?:在|向|由|给|跟|和|与|为|归|用|属于)[^，。]{0,10}$", before
    ):
        stance = stance.under(DENIED)
    if _ORDERED.search(before):
        stance = stance.under(Stance(silent=True, reasons=("order",)))
    # 牵线让我认识了她: what came about is no mere request
    urged = _URGED.search(before)
    if urged and (_ON_DEMAND.search(before) or _CAME_ABOUT.match(clause, at) or re.search(r"[了过]", urged.group())):
        urged = None
    if _HYPOTHESIS.search(before[-14:]) or _INTENT.search(before) or urged:
        stance = stance.under(HYPOTHESIS)
    if _FUTURE.search(before[-10:]) and not re.search(r"已将|一直将", before):
        stance = stance.under(FUTURE)
    return stance
