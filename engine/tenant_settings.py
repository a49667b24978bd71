"""What one tenant has set for itself, over what the process's settings say for all."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from muniment.engine.assemble.sections import SHARES, shares_from
from muniment.engine.assemble.template import ENGLISH, TEMPLATE_PARTS, ContextTemplate, template_from
from muniment.engine.extract.screen import SecretPolicy
from muniment.engine.rank.policy import BOUNDS, DEFAULT_POLICY, HALF_LIVES, RankingPolicy
from muniment.graph_schema.errors import Invalid

_FLAGS: Final = ("log_only", "language_model")
_POLICIES: Final = ("secrets", "personal_data")
RANKING: Final = "ranking"
CONTEXT: Final = "context"
_SHARES: Final = "shares"
NAMES: Final = (*_FLAGS, *_POLICIES, RANKING, CONTEXT)


@dataclass(frozen=True, slots=True, kw_only=True)
class TenantSettings:
    """`log_only`: what is told is read and shown, and nothing is stored. `language_model`: whether texts may go to the
    configured endpoint. `secrets` and `personal_data`: what happens to texts that hold such; None: as for all tenants.
    `ranking`: the weights by which its memories are ranked; `template` and `shares`: the words of
    its context blocks, and what part of the budget each section may take.
    """

    log_only: bool = False
    language_model: bool = True
    secrets: SecretPolicy | None = None
    personal_data: SecretPolicy | None = None
    ranking: RankingPolicy = field(default=DEFAULT_POLICY)
    template: ContextTemplate = field(default=ENGLISH)
    shares: Mapping[str, float] = field(default_factory=lambda: SHARES)


def settings_changes(given: object) -> dict[str, Any]:
    """Changes of a tenant's settings; null means back to the default, within `ranking` and `context` too.

    Raises Invalid naming setting and value.
    """
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
        if name in _READERS:
            if not isinstance(value, Mapping) or not value:
                raise Invalid(f"{at} is {value!r}: give an object with what is to change", field=at)
            _read(name, value)
    return dict(given)


def settings_with(there: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """What a tenant's record keeps after some changes: objects are changed name by name, nulls and empty ones go."""
    out = dict(there)
    for name, value in changes.items():
        if isinstance(value, Mapping):
            held = out.get(name)
            value = settings_with(held if isinstance(held, Mapping) else {}, value)
        if value is None or value == {}:
            out.pop(name, None)
        else:
            out[name] = value
    return out


def settings_of(body: Mapping[str, Any]) -> TenantSettings:
    """The settings that a tenant's record keeps; what it does not know is left aside."""
    values: dict[str, Any] = {name: SecretPolicy(body[name]) for name in _POLICIES if body.get(name)}
    values |= {name: bool(body[name]) for name in _FLAGS if body.get(name) is not None}
    ranking, (template, shares) = _kept(RANKING, body, DEFAULT_POLICY), _kept(CONTEXT, body, (ENGLISH, SHARES))
    return TenantSettings(ranking=ranking, template=template, shares=shares, **values)


def _block(given: Mapping[str, Any]) -> tuple[ContextTemplate, Mapping[str, float]]:
    words = {name: value for name, value in given.items() if name != _SHARES}
    return template_from(words), shares_from(given.get(_SHARES, {}))


_READERS: Final[Mapping[str, Callable[[Mapping[str, Any]], Any]]] = {
    RANKING: DEFAULT_POLICY.with_weights,
    CONTEXT: _block,
}
_PARTS: Final[Mapping[str, frozenset[str]]] = {
    RANKING: frozenset({*BOUNDS, HALF_LIVES}),
    CONTEXT: TEMPLATE_PARTS | {_SHARES},
}


def _kept(name: str, body: Mapping[str, Any], default: Any) -> Any:
    """What a record says under a name; the default where another version wrote what this one cannot read."""
    try:
        return _READERS[name](body[name]) if body.get(name) else default
    except Invalid:
        return default


def _read(name: str, value: Mapping[str, Any]) -> None:
    """Raises Invalid where a part of the value is wrong, or a null stands under a name that is not known."""
    at = f"settings.{name}"
    unknown = sorted(part for part, one in value.items() if one is None and part not in _PARTS[name])
    if unknown:
        raise Invalid(
            f"{at} has no {unknown[0]!r}: use some of {', '.join(sorted(_PARTS[name]))}", field=f"{at}.{unknown[0]}"
        )
    try:
        _READERS[name](settings_with({}, value))
    except Invalid as cause:
        raise Invalid(f"{at}: {cause}", field=f"{at}.{cause.field.removeprefix(f'{name}.')}") from cause
