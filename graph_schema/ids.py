"""Typed ids, and how a space is named."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from typing import NewType

from muniment.graph_schema.errors import Invalid, TenantRequired

Space = NewType("Space", str)
"""Environment and tenant as one physical key, `prod/acme`."""

EpisodeId = NewType("EpisodeId", str)
EntityId = NewType("EntityId", str)
AssertionId = NewType("AssertionId", str)
FactId = NewType("FactId", str)
PreferenceId = NewType("PreferenceId", str)
SkillId = NewType("SkillId", str)
SummaryId = NewType("SummaryId", str)
ReceiptId = NewType("ReceiptId", str)
ReviewId = NewType("ReviewId", str)
JobId = NewType("JobId", str)
TraceId = NewType("TraceId", str)
KeyId = NewType("KeyId", str)
HoldId = NewType("HoldId", str)
MergeId = NewType("MergeId", str)

# Unicode's Default_Ignorable_Code_Point: what is stored but never shown.
_UNSEEN = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f"
    "\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)

# What may stand in a tenant's or environment's name: one path segment, no separator, nothing that a shell or a
# pattern could read as "all".
_NAME = re.compile(r"[^\W_](?:[\w.\-]{0,62}[\w])?")
_EVERYBODY = frozenset({"", "*", "null", "none", "undefined", "all"})


def is_nobody(tenant: str) -> bool:
    """Whether a text names no tenant, or could mean everybody."""
    return tenant.strip().casefold() in _EVERYBODY


def space_of(environment: str, tenant: str | None) -> Space:
    """The physical key of a tenant inside an environment.

    Raises TenantRequired where the tenant is missing or could mean everybody, Invalid where a name has other
    characters than letters, digits, `_`, `.` and `-` or is longer than 64.
    """
    if not isinstance(tenant, str) or is_nobody(tenant):
        raise TenantRequired(f"a tenant is required, got {tenant!r}; name one tenant, there is no word for all of them")
    for field, name in (("environment", environment), ("tenant", tenant)):
        if not _NAME.fullmatch(name):
            raise Invalid(
                f"{field} {name!r} is not a name: use 1 to 64 letters, digits, '_', '.' or '-', not starting or ending with a mark",
                field=field,
            )
    return Space(f"{environment}/{tenant}")


def tenant_of(space: Space) -> str:
    """The tenant's own name, without the environment."""
    return space.split("/", 1)[1]


def fold(text: str) -> str:
    """One spelling for all ways to write a text: NFKC, case-folded, single spaces, in any script.

    Characters that nobody sees (zero-width spaces and joiners, soft hyphens, marks of direction) are left out, as in
    Unicode's NFKC_Casefold; a text of nothing else stays. Folding can compose anew (`ﬃ`, `İ`), so it is normalised once more;
    the result is a fixed point.
    """
    if text.isascii():
        return " ".join(text.lower().split())
    folded = unicodedata.normalize("NFKC", text).casefold()
    folded = unicodedata.normalize("NFKC", _UNSEEN.sub("", folded) or folded)
    return " ".join(folded.split())


def digest(*parts: str, size: int = 16) -> str:
    """A short stable hash of parts, hexadecimal, `2 * size` characters; parts cannot run into each other."""
    h = hashlib.blake2b(digest_size=size)
    for part in parts:
        raw = part.encode("utf-8", "surrogatepass")
        h.update(len(raw).to_bytes(8, "big"))
        h.update(raw)
    return h.hexdigest()
