"""A tenant's overlay, parsed: what it declares about types and relations. Every error names field, value and remedy."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NoReturn

from muniment.graph_schema.errors import Invalid
from muniment.graph_schema.ontology.model import Cardinality, Direction, ValueKind
from muniment.graph_schema.ontology.naming import relation_key
from muniment.graph_schema.ontology.zones import zone_name

MAX_WORDING = 200  # characters of a name or alias; the longest of the base files has about 40

_TOP_FIELDS = ("default_cardinality", "entity_types", "relations", "time_zone")
_ANSWER_FIELDS = ("fingerprint", "overlay")  # stand in what is given out; ignored, so that an answer can be sent back
_TYPE_FIELDS = ("name", "aliases", "parent", "label", "label_zh")
_RELATION_FIELDS = (
    "name",
    "cardinality",
    "aliases",
    "inverse_aliases",
    "from",
    "to",
    "inverse",
    "opposites",
    "symmetric",
    "event",
    "value_kind",
    "importance",
    "half_life_days",
    "label",
    "label_zh",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Wording:
    """A tenant's word for a relation, and the direction in which it runs."""

    text: str
    direction: Direction


@dataclass(frozen=True, slots=True, kw_only=True)
class TypeDeclaration:
    """What a tenant says of one entity type; None where it says nothing."""

    name: str
    aliases: tuple[str, ...] = ()
    parent: str | None = None
    label: str | None = None
    label_zh: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RelationDeclaration:
    """What a tenant says of one relation; None where it says nothing."""

    name: str
    field: str  # its path in the overlay, for messages
    label: str | None = None
    label_zh: str | None = None
    cardinality: Cardinality | None = None
    wordings: tuple[Wording, ...] = ()
    subject_types: tuple[str, ...] | None = None
    object_types: tuple[str, ...] | None = None
    inverse: str | None = None
    opposites: tuple[str, ...] = ()
    symmetric: bool | None = None
    event: bool | None = None
    value_kind: ValueKind | None = None
    importance: int | None = None
    half_life_days: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Declarations:
    """A whole overlay."""

    default_cardinality: Cardinality | None
    entity_types: tuple[TypeDeclaration, ...]
    relations: tuple[RelationDeclaration, ...]
    time_zone: str = ""


def parse_overlay(overlay: Mapping[str, Any]) -> Declarations:
    """The declarations in `overlay`. Raises `Invalid` at the first value that is wrong."""
    if not isinstance(overlay, Mapping):
        _refuse("ontology", overlay, "an object with relations, entity_types, default_cardinality and time_zone")
    _check_fields(overlay, "ontology", (*_TOP_FIELDS, *_ANSWER_FIELDS), shown=_TOP_FIELDS)
    declarations = Declarations(
        default_cardinality=_cardinality(overlay, "default_cardinality", ""),
        entity_types=tuple(
            _entity_type(entry, f"entity_types[{i}]") for i, entry in enumerate(_list(overlay, "entity_types", ""))
        ),
        relations=tuple(_relation(entry, f"relations[{i}]") for i, entry in enumerate(_list(overlay, "relations", ""))),
        time_zone=zone_name(overlay.get("time_zone")),
    )
    _check_unique([declared.name for declared in declarations.entity_types], "entity_types")
    _check_unique([declared.name for declared in declarations.relations], "relations")
    return declarations


def _entity_type(entry: Any, at: str) -> TypeDeclaration:
    if isinstance(entry, str):
        return TypeDeclaration(name=_key(entry, f"{at}"))
    _check_fields(entry, at, _TYPE_FIELDS)
    parent = _optional_text(entry, "parent", at)
    return TypeDeclaration(
        name=_key(entry.get("name"), f"{at}.name"),
        aliases=_texts(entry, "aliases", at),
        parent=None if parent is None else _key(parent, f"{at}.parent"),
        label=_optional_text(entry, "label", at),
        label_zh=_optional_text(entry, "label_zh", at),
    )


def _relation(entry: Any, at: str) -> RelationDeclaration:
    _check_fields(entry, at, _RELATION_FIELDS)
    name = _key(entry.get("name"), f"{at}.name")
    inverse = _optional_text(entry, "inverse", at)
    symmetric = _optional_bool(entry, "symmetric", at)
    inverse_key = None if inverse is None else _key(inverse, f"{at}.inverse")
    if symmetric and inverse_key not in (None, name):
        _refuse(f"{at}.inverse", inverse, "no inverse, because a symmetric relation is its own")
    return RelationDeclaration(
        name=name,
        field=at,
        label=_optional_text(entry, "label", at) or str(entry["name"]).strip(),
        label_zh=_optional_text(entry, "label_zh", at),
        cardinality=_cardinality(entry, "cardinality", at),
        wordings=(
            *(Wording(text=text, direction=Direction.FORWARD) for text in _texts(entry, "aliases", at)),
            *(Wording(text=text, direction=Direction.BACKWARD) for text in _texts(entry, "inverse_aliases", at)),
        ),
        subject_types=_type_names(entry, "from", at),
        object_types=_type_names(entry, "to", at),
        inverse=None if inverse_key == name else inverse_key,
        opposites=tuple(_key(text, f"{at}.opposites[{i}]") for i, text in enumerate(_texts(entry, "opposites", at))),
        symmetric=True if inverse_key == name else symmetric,
        event=_optional_bool(entry, "event", at),
        value_kind=_value_kind(entry, at),
        importance=_importance(entry, at),
        half_life_days=_half_life(entry, at),
    )


def _cardinality(entry: Mapping[str, Any], name: str, at: str) -> Cardinality | None:
    value = entry.get(name)
    if value is None:
        return None
    if value not in tuple(Cardinality):
        _refuse(_path(at, name), value, "'one' or 'many'")
    return Cardinality(value)


def _value_kind(entry: Mapping[str, Any], at: str) -> ValueKind | None:
    value = entry.get("value_kind")
    if value is None:
        return None
    if value not in tuple(ValueKind):
        _refuse(f"{at}.value_kind", value, "'entity', 'text', 'amount' or 'date'")
    return ValueKind(value)


def _importance(entry: Mapping[str, Any], at: str) -> int | None:
    value = entry.get("importance")
    if value is None:
        return None
    if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= 5:
        _refuse(f"{at}.importance", value, "a whole number from 1 to 5")
    return value


def _half_life(entry: Mapping[str, Any], at: str) -> float | None:
    value = entry.get("half_life_days")
    if value is None:
        return None
    if not isinstance(value, int | float) or isinstance(value, bool) or not 0 < value < float("inf"):
        _refuse(f"{at}.half_life_days", value, "a number of days above 0")
    return float(value)


def _type_names(entry: Mapping[str, Any], name: str, at: str) -> tuple[str, ...] | None:
    if entry.get(name) is None:
        return None
    return tuple(_key(text, f"{at}.{name}") for text in _texts(entry, name, at)) or None


def _texts(entry: Mapping[str, Any], name: str, at: str) -> tuple[str, ...]:
    """The texts of a field that holds a list of texts, or one text."""
    value = entry.get(name)
    values = [value] if isinstance(value, str) else _list(entry, name, at)
    for i, text in enumerate(values):
        _key(text, f"{_path(at, name)}[{i}]")
    return tuple(text.strip() for text in values)


def _list(entry: Mapping[str, Any], name: str, at: str) -> list[Any]:
    value = entry.get(name)
    if value is None:
        return []
    if not isinstance(value, list | tuple):
        _refuse(_path(at, name), value, "a list")
    return list(value)


def _key(value: Any, at: str) -> str:
    if not isinstance(value, str) or len(value) > MAX_WORDING or not relation_key(value):
        _refuse(at, value, f"a text of at most {MAX_WORDING} characters with a letter or digit in it")
    return relation_key(value)


def _optional_text(entry: Mapping[str, Any], name: str, at: str) -> str | None:
    value = entry.get(name)
    if value is None or value == "":
        return None
    _key(value, _path(at, name))
    return str(value).strip()


def _optional_bool(entry: Mapping[str, Any], name: str, at: str) -> bool | None:
    value = entry.get(name)
    if value is not None and not isinstance(value, bool):
        _refuse(_path(at, name), value, "true or false")
    return value


def _check_fields(entry: Any, at: str, allowed: tuple[str, ...], *, shown: tuple[str, ...] = ()) -> None:
    if not isinstance(entry, Mapping):
        _refuse(at, entry, "an object")
    for name in entry:
        if name not in allowed:
            raise Invalid(
                f"{at} has the unknown field {name!r}; its fields are {', '.join(shown or allowed)}",
                field=f"{at}.{name}",
            )


def _check_unique(names: list[str], at: str) -> None:
    for i, name in enumerate(names):
        if name in names[:i]:
            raise Invalid(f"{at}[{i}].name {name!r} is declared twice; declare it once", field=f"{at}[{i}].name")


def _path(at: str, name: str) -> str:
    return f"{at}.{name}" if at else name


def _refuse(at: str, value: Any, right: str) -> NoReturn:
    raise Invalid(f"{at} is {value!r}; it must be {right}", field=at)
