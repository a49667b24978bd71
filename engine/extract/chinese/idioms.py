"""Chinese wordings beside the ontology's own: `…` stands for the other argument."""

from __future__ import annotations

from typing import Final

# wording, relation, and whether the subject of the wording is that of the relation
IDIOMS: Final[tuple[tuple[str, str, bool], ...]] = (
    ("在…负责采购", "buyer_at", True),
    ("在…管采购", "buyer_at", True),
    ("替…采购", "buyer_at", True),
    ("为…采购", "buyer_at", True),
    ("住在", "lives_in", True),
    ("家住", "lives_in", True),
    ("定居", "lives_in", True),
    ("在…住", "lives_in", True),
    ("在…居住", "lives_in", True),
    ("在…定居", "lives_in", True),
    *((word, "lives_in", True) for word in ("搬家到", "搬回", "搬至", "搬往", "移居", "移居到", "迁居", "迁居到")),
    *((word, "headquartered_in", True) for word in ("搬到", "搬至", "搬往", "迁到", "迁至", "迁往", "迁回", "搬回")),
    ("在…办公", "works_for", True),
    ("在…做", "works_for", True),
    ("跟着…干", "reports_to", True),
    ("不满", "complained_about", True),
    ("对…不满", "complained_about", True),
    ("对…很不满意", "complained_about", True),
    ("对…不满意", "complained_about", True),
    ("归…跟", "has_account_manager", True),
    ("由…跟进", "has_account_manager", True),
    ("由…对接", "has_account_manager", True),
)
