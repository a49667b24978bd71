"""Facts and questions made up for these tests: paraphrases with few words in common."""

from __future__ import annotations

from typing import Final

ENGLISH: Final = (
    ("Priya Raman heads purchasing at Ostwind Bearings.", "Who decides what Ostwind buys?"),
    ("The Larkspur renewal was signed on the ninth of May.", "When did the Larkspur contract get extended?"),
    ("Tomasz is allergic to peanuts and carries an injector.", "Which food must be kept away from Tomasz?"),
    ("Server room B lost power for two hours on Sunday night.", "Was there an outage in the data centre?"),
    ("Please never phone Mrs. Okafor before ten in the morning.", "At what hour may I ring Mrs. Okafor?"),
    ("The hydraulic press order costs 84,000 euro net.", "How expensive is the press?"),
    ("Their lawyer moved from Norton & Hale to a firm in Ghent.", "Where does the attorney work nowadays?"),
    ("The customer complained that the crates arrived wet.", "Which delivery was damaged by water?"),
    ("Anya learned to sail on the lakes near Szczecin.", "What sport did Anya pick up?"),
    ("The warehouse in Graz closes for stocktaking in August.", "When is the Austrian depot shut?"),
    ("Invoices above ten thousand need two signatures.", "Who has to approve a large bill?"),
    ("Our test rig uses Postgres, not Oracle.", "What database do we run in testing?"),
)

CHINESE: Final = (
    ("陈立群在苏州分公司担任财务主管。", "苏州那边谁管钱？"),
    ("合同将于明年三月到期，需要提前两个月续签。", "协议什么时候结束？"),
    ("赵敏不吃海鲜，聚餐请安排素菜。", "赵敏有什么忌口？"),
    ("仓库的空调坏了，周五之前要修好。", "哪台设备需要维修？"),
    ("客户抱怨上一批零件有划痕。", "客户对产品质量有什么不满？"),
    ("项目经理改由林晓峰担任。", "现在谁负责这个项目？"),
    ("报价单有效期为三十天。", "价格能保留多久？"),
    ("培训安排在杭州总部的二楼会议室。", "上课的地点在哪里？"),
)

ACROSS: Final = (
    ("陈立群在苏州分公司担任财务主管。", "Who is in charge of finance in Suzhou?"),
    ("客户抱怨上一批零件有划痕。", "The customer complained about scratches on the parts."),
    ("仓库的空调坏了，周五之前要修好。", "The air conditioning in the warehouse is broken."),
    ("赵敏不吃海鲜，聚餐请安排素菜。", "Who does not eat seafood?"),
    ("合同将于明年三月到期，需要提前两个月续签。", "The agreement expires next spring."),
    ("项目经理改由林晓峰担任。", "The project has a new manager."),
    ("报价单有效期为三十天。", "How many days is the quotation valid?"),
    ("培训安排在杭州总部的二楼会议室。", "On which floor is the training?"),
)

ROUGH_TEXTS: Final = (
    "",
    " ",
    "\x00",
    "before\x00after",
    "\ud800 a lone surrogate \udfff",
    "🎉👩‍👩‍👧🏽 🇨🇭",
    "مرحبا بالعالم",
    "\u202eright to left",
    "e\u0301" * 500,
    "a" * 5_000,
    "王" * 5_000,
    "word " * 40_000,
    "一二三。" * 50_000,
    "\n\n\t  \r\n",
    "- [x] <b>&amp;</b> {json: [1,2]} $$",
)
