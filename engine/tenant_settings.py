"""What one tenant has set for itself, over what the process's settings say for all."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from muniment.engine.extract.screen import SecretPolicy
from muniment.graph_schema.errors import Invalid

_FLAGS: Final = ("log_only", "language_model")
_POLICIES: Final = ("secrets", "personal_data")
NAMES: Final = (*_FLAGS, *_POLICIES)


@dataclass(frozen=True, slots=True, kw_only=True)
class TenantSettings:
    """`log_only`: what is told is read and shown, and nothing is stored. `language_model`: whether texts may go to the
    configured endpoint. `secrets` and `personal_data`: what happens to texts that hold such; None: as for all tenants.
    """

    log_only: bool = False
    language_model: bool = True
    secrets: SecretPolicy | None = None
    personal_data: SecretPolicy | None = None


def settings_changes(given: object) -> dict[str, Any]:
    """Changes of a tenant's settings; null means back to the default. Raises Invalid naming setting and value."""
    if not isinstance(given, Mapping) or not given:
        raise Invalid(f"settings are {given!r}: give an object with some of {', '.join(NAMES)}", field="settings")
    for name, value in given.items():
        at = f"settings.{name}"
        if name not in NAMES:
            raise Invalid(f"{at} is not known: use {', '.join(NAMES)}", field=at)
        if value is None:
            continue
        if name in _FLAGS and not isinstance(value, bool):
            raise Invalid(f"{at} is {value!r}: use true or false", field=at)
        if name in _POLICIES and value not in tuple(SecretPolicy):
            raise Invalid(f"{at} is {value!r}: use {', '.join(SecretPolicy)}", field=at)
    return dict(given)


def settings_of(body: Mapping[str, Any]) -> TenantSettings:
    """The settings that a tenant's record keeps; what it does not know is left aside."""
    policies = {name: SecretPolicy(body[name]) for name in _POLICIES if body.get(name)}
    flags = {name: bool(body[name]) for name in _FLAGS if body.get(name) is not None}
    return TenantSettings(**flags, **policies)  # type: ignore[arg-type]  # each under its own name
