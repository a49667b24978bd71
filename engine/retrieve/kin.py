"""Relations that people use for one another: who bought a firm is its owner, who manages somebody is whom they report to.

A question that asks for one of a group is answered, if less surely, by a fact told as another of it. `-name` is the
relation read from its object.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Final

_GROUPS: Final = (
    "owned_by subsidiary_of -acquired -shareholder_of part_of",
    "reports_to -manages",
    "led_by -manages has_ceo has_managing_director has_president has_chairperson has_responsible_person",
    "has_account_manager assigned_to has_responsible_person",
    "counsel_for represents",
    "works_for practises_at partner_at member_of in_department",
    "due_on term_of notice_period payment_terms expires_on",
    "governed_by complies_with subject_to_jurisdiction",
    "headquartered_in located_in registered_office has_address",
    "lives_in located_in has_address",
    "stored_at installed_at located_in",
    "supplied_by bought_from preferred_supplier -delivers_to manufactured_by",
    "uses subscribed_to bought ordered",
    "price_of contract_value value_of_deal invoice_amount rent_of",
    "created_by written_by developed_by designed_by invented_by composed_by",
    "status_of stage_of",
    "maintained_by cleaned_by operated_by inspected_by",
)


@cache
def kin_of(relation: str) -> Mapping[str, bool]:
    """The relations that stand in for `relation`: True where they run its way, False where turned round."""
    found: dict[str, bool] = {}
    for group in _GROUPS:
        signs = {name.removeprefix("-"): not name.startswith("-") for name in group.split()}
        if relation in signs:
            for name, sign in signs.items():
                if name != relation:
                    found.setdefault(name, sign == signs[relation])
    return found
