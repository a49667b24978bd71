"""Verbs that end what another relation says: leave, move out of, drop, divorce, hand over."""

from __future__ import annotations

from typing import Final

from muniment.engine.extract.wordings import Key, stem_key

_LEFT_JOBS: Final = tuple(
    f"{verb} {noun} {at}"
    for verb in ("leave", "quit", "give up", "lose", "resign from", "resign")
    for noun in ("job", "position", "post", "role")
    for at in ("at", "with", "in")
)
OF_NAMES: Final = frozenset({"works_for", "member_of", "lives_in"})
# Verbs that end what another relation says; the relation, tried in this order, whose types fit.
ENDING_VERBS: Final[dict[Key, tuple[str, ...]]] = {
    key: relations
    for words_, relations in (
        (("leave", "quit", "resign from", "depart from", "retire from", "step down from", "be fired by", "be let go by", "be dismissed by", "be laid off by", "part with", "part way with", *_LEFT_JOBS), ("works_for", "member_of", "lives_in")),
        (("move out of", "move away from"), ("lives_in", "headquartered_in", "located_in")),
        (("drop", "abandon", "ditch", "stop", "cancel", "uninstall", "retire", "phase out", "switch away from", "migrate off", "move off", "sunset"), ("uses", "subscribed_to")),
        (("divorce", "separate from"), ("spouse_of", "married_to")),
        (("hand over", "give up", "pass on"), ("has_account_manager", "has_responsible_person", "assigned_to", "led_by")),
        (("terminate contract with", "end contract with", "cancel contract with"), ("customer_of", "supplied_by", "partner_of")),
    )
    for word in words_
    for key in (stem_key(word),)
}  # fmt: skip
