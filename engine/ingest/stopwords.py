"""Words that carry no content, dropped from what is indexed and from what is asked."""

from __future__ import annotations

# Question words and pronouns are among them on purpose: under BM25 with a small k1, "when did I" otherwise outweighs
# the rare word that a question is about.
ENGLISH = frozenset(
    """
    a about above after again against all am an and any are aren as at be because been before being below between both
    but by can cannot could couldn d did didn do does doesn doing don down during each ever few for from further had
    hadn has hasn have haven having he her here hers herself him himself his how i if in into is isn it its itself just
    ll m me more most my myself no nor not now of off on once only or other our ours ourselves out over own re s same
    she should shouldn so some such t than that the their theirs them themselves then there these they this those
    through to too under until up us ve very was wasn we were weren what when where which while who whom whose why will
    with won would wouldn you your yours yourself yourselves
    th st nd rd im ive id youre dont didnt doesnt isnt arent wasnt whats whos
    tell show give know please also many much
    """.split()
)

# Asked with, never answered with. Longest first, so that 什么时候 is not cut to 时候.
CHINESE_QUESTION = tuple(
    sorted(
        """
        什么时候 什么时间 什么地方 什么样 为什么 是什么 有什么 什么 是谁 谁是 谁 哪一个 哪一家 哪一位 哪里 哪儿 哪个 哪些 哪家 哪位 哪天
        哪年 哪 怎么样 怎么 怎样 如何 多少 多久 几个 几次 是否 有没有 是不是 请问 请告诉我 告诉我 吗 呢 嘛
        """.split(),
        key=len,
        reverse=True,
    )
)
