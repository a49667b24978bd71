"""A tenant's declarations laid over the base ontology.

The rules, in the order in which they are applied:

1. A declaration with the name of a base relation changes that relation: what it says replaces, aliases and opposites
   are added. One with the name of a base relation's *inverse* turns that relation round, so that it is stored as the
   tenant declared it. Any other name is a new relation.
2. Where two declarations are each other's inverse, one relation is stored: the single-valued one, else the first.
3. Every wording that a tenant declares is its own. It is taken from the base relation that had it. A relation that
   lists the *name* of a base relation as an alias takes over that relation with all its wordings; a new one does so too
   when it names a base relation, or the inverse of one, as its inverse or alias.
4. Cardinality: what is declared holds. Else `default_cardinality: one` makes every relation single-valued, those of
   the base too: it says that in this tenant's data nothing has two values at a time. `default_cardinality: many` is
   what the base says of unknown relations anyway and changes no base relation.
5. A type named in `from` or `to` is thereby declared.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from muniment.graph_schema.errors import Invalid
from muniment.graph_schema.ontology.declarations import (
    Declarations,
    RelationDeclaration,
    TypeDeclaration,
    Wording,
    parse_overlay,
)
from muniment.graph_schema.ontology.model import (
    ANY_TYPE,
    Alias,
    Cardinality,
    Direction,
    EntityType,
    Part,
    Relation,
    Vocabulary,
)
from muniment.graph_schema.ontology.naming import relation_key


def lay_over(base: Vocabulary, overlay: Mapping[str, Any]) -> Vocabulary:
    """`base` with the declarations of `overlay` applied. Raises `Invalid` naming field, value and remedy."""
    declarations = parse_overlay(overlay)
    declared = [_without_known_wordings(declaration, base) for declaration in declarations.relations]
    declared = _fold_inverse_pairs(declared, base)
    _check_inverses(declared, base)
    _check_wordings(declared)
    types = _merge_types(base, declarations, declared)
    relations = {relation.name: relation for relation in base.relations}
    taken = {declaration.name: declaration.name for declaration in declared}
    for declaration in declared:
        taken |= _apply(declaration, relations, types, taken=taken)
    for declaration in declared:
        _claim_wordings(declaration, relations)
    _rename_opposites(taken, relations)
    _link_opposites(declared, relations)
    if declarations.default_cardinality is Cardinality.ONE:
        stated = {declaration.name for declaration in declared if declaration.cardinality}
        relations = {
            name: relation if name in stated else replace(relation, cardinality=Cardinality.ONE)
            for name, relation in relations.items()
        }
    return Vocabulary(
        entity_types=tuple(types.values()),
        relations=tuple(relations.values()),
        default_cardinality=declarations.default_cardinality or base.default_cardinality,
    )


def _without_known_wordings(declaration: RelationDeclaration, base: Vocabulary) -> RelationDeclaration:
    """`declaration` without the wordings that the base relation of that name has anyway, ambiguous ones among them."""
    old = next((relation for relation in base.relations if relation.name == declaration.name), None)
    if old is None:
        return declaration
    known = {(relation_key(alias.text), alias.direction) for alias in old.aliases if alias.part is not Part.HINT}
    wordings = tuple(
        wording for wording in declaration.wordings if (relation_key(wording.text), wording.direction) not in known
    )
    return replace(declaration, wordings=wordings)


def _fold_inverse_pairs(declared: Iterable[RelationDeclaration], base: Vocabulary) -> list[RelationDeclaration]:
    """The declarations, each pair of inverses made into one."""
    kept: dict[str, RelationDeclaration] = {}
    base_inverses = {relation.name: relation.inverse for relation in base.relations if relation.inverse}
    base_inverses |= {inverse: name for name, inverse in base_inverses.items()}
    for declaration in declared:
        partner = _partner(declaration, kept, base_inverses)
        if partner is None:
            kept[declaration.name] = declaration
            continue
        for one, other in ((partner, declaration), (declaration, partner)):
            if one.symmetric and other.inverse == one.name:
                raise Invalid(
                    f"{other.field}.inverse is {one.name!r}, which is symmetric and so its own inverse;"
                    " it must be a name that is free",
                    field=f"{other.field}.inverse",
                )
            if one.inverse not in (None, other.name):
                raise Invalid(
                    f"{one.field}.inverse is {one.inverse!r}, while {other.name!r} is declared as the other side of"
                    f" {one.name!r}; it must be {other.name!r}, or one of the two must go",
                    field=f"{one.field}.inverse",
                )
        main, other = partner, declaration
        if declaration.cardinality is Cardinality.ONE and partner.cardinality is not Cardinality.ONE:
            main, other = declaration, partner
        folded = replace(
            main,
            inverse=other.name,
            subject_types=main.subject_types or other.object_types,
            object_types=main.object_types or other.subject_types,
            wordings=(*main.wordings, *(_turned_wording(wording) for wording in other.wordings)),
        )
        kept = {folded.name if name == partner.name else name: entry for name, entry in kept.items()}
        kept[folded.name] = folded
    return list(kept.values())


def _partner(
    declaration: RelationDeclaration, kept: Mapping[str, RelationDeclaration], base_inverses: Mapping[str, str]
) -> RelationDeclaration | None:
    """An earlier declaration that is the other side of this one: one of the two says so, or neither and the base does."""
    if declaration.inverse is not None and declaration.inverse in kept:
        return kept[declaration.inverse]
    for other in kept.values():
        if other.inverse == declaration.name:
            return other
    by_base = kept.get(base_inverses.get(declaration.name, ""))
    return by_base if by_base is not None and declaration.inverse is None and by_base.inverse is None else None


def _check_inverses(declared: Iterable[RelationDeclaration], base: Vocabulary) -> None:
    """Refuses a base relation with a name of another one as its inverse: it would take the other's facts as its own.

    An inverse that the other relation gives up for one that the tenant declares is free.
    """
    declared = list(declared)
    names = {relation.name for relation in base.relations}
    given_up = {
        relation.inverse
        for relation in base.relations
        for declaration in declared
        if declaration.name == relation.name and declaration.inverse not in (None, relation.inverse)
    }
    for declaration in declared:
        key = declaration.inverse
        if key is None or key in given_up or declaration.name not in names:
            continue
        for other in base.relations:
            if other.name != declaration.name and key in (other.name, other.inverse):
                own = next(relation.inverse for relation in base.relations if relation.name == declaration.name)
                raise Invalid(
                    f"{declaration.field}.inverse is {key!r}, a name of {other.name!r} in the base ontology;"
                    f" it must be {own!r} or a name that is free",
                    field=f"{declaration.field}.inverse",
                )


def _check_wordings(declared: Iterable[RelationDeclaration]) -> None:
    owners: dict[str, str] = {}
    for declaration in declared:
        for key in _own_keys(declaration):
            if owners.setdefault(key, declaration.name) != declaration.name:
                raise Invalid(
                    f"{declaration.field} uses {key!r}, which {owners[key]!r} uses too; a wording names one relation",
                    field=declaration.field,
                )


def _merge_types(
    base: Vocabulary, declarations: Declarations, declared: Iterable[RelationDeclaration]
) -> dict[str, EntityType]:
    types = {kind.name: kind for kind in base.entity_types}
    for declaration in declarations.entity_types:
        types[declaration.name] = _merged_type(declaration, types.get(declaration.name))
        own = {relation_key(alias) for alias in declaration.aliases} | {declaration.name}
        for name, kind in types.items():
            if name != declaration.name and any(relation_key(alias) in own for alias in kind.aliases):
                kept = tuple(alias for alias in kind.aliases if relation_key(alias) not in own)
                types[name] = replace(kind, aliases=kept)
    known = _type_names(types)
    mentioned = [entry.parent for entry in declarations.entity_types if entry.parent]
    for relation in declared:
        mentioned += [*(relation.subject_types or ()), *(relation.object_types or ())]
    for name in mentioned:
        if name not in known:
            types[name] = EntityType(name=name, label=name.replace("_", " "))
            known[name] = name
    return {name: _with_parent_name(kind, known) for name, kind in types.items()}


def _merged_type(declaration: TypeDeclaration, old: EntityType | None) -> EntityType:
    kind = old or EntityType(name=declaration.name, label=declaration.name.replace("_", " "))
    return replace(
        kind,
        label=declaration.label or kind.label,
        label_zh=declaration.label_zh or kind.label_zh,
        parent=declaration.parent or kind.parent,
        aliases=tuple(dict.fromkeys((*kind.aliases, *declaration.aliases))),
    )


def _type_names(types: Mapping[str, EntityType]) -> dict[str, str]:
    names = {relation_key(alias): name for name, kind in types.items() for alias in kind.aliases}
    return names | {name: name for name in types}


def _with_parent_name(kind: EntityType, known: Mapping[str, str]) -> EntityType:
    return replace(kind, parent=known[kind.parent]) if kind.parent else kind


def _apply(
    declaration: RelationDeclaration,
    relations: dict[str, Relation],
    types: Mapping[str, EntityType],
    *,
    taken: Mapping[str, str],
) -> dict[str, str]:
    """Put what `declaration` says into `relations`, under its name; gives new names of relations that it took over.

    `taken` holds the names that are declared or were taken over already: those stay.
    """
    name = declaration.name
    renamed: dict[str, str] = {}
    old = relations.get(name)
    is_new = old is None
    for key, direction in _claims(declaration):
        target, target_direction = _named(key, direction, relations)
        if target is None or target.name == name or target.name in taken:
            continue
        if not is_new and key != target.name:
            continue  # a mere wording of the other relation, which is claimed later
        relations.pop(target.name)
        renamed[target.name] = name
        absorbed = target if target_direction is Direction.FORWARD else _turned(target, declaration)
        old = replace(absorbed, name=name) if old is None else _with_wordings_of(old, absorbed)
        if key != target.name and target_direction is Direction.FORWARD:
            old = replace(old, aliases=(*old.aliases, _phrase(target.name, Direction.FORWARD)))
    if is_new:
        label = declaration.label or name
        old = Relation(name=name, label=label) if old is None else replace(old, label=label, label_zh="")
    assert old is not None
    relations[name] = _merged(old, declaration, _type_names(types))
    return renamed


def _claims(declaration: RelationDeclaration) -> list[tuple[str, Direction]]:
    """The keys by which a declaration may take over a base relation, its own name as that relation's inverse first."""
    claims = [(declaration.name, Direction.FORWARD)]
    claims += [(relation_key(wording.text), wording.direction) for wording in declaration.wordings]
    return [*claims, (declaration.inverse, Direction.BACKWARD)] if declaration.inverse else claims


def _named(key: str, direction: Direction, relations: Mapping[str, Relation]) -> tuple[Relation | None, Direction]:
    """The relation with that name or inverse name, and its direction as seen from a relation that uses it so."""
    if key in relations:
        return relations[key], direction
    found = next((relation for relation in relations.values() if relation.inverse == key), None)
    return found, direction.turned


def _merged(old: Relation, declaration: RelationDeclaration, type_names: Mapping[str, str]) -> Relation:
    symmetric = old.symmetric if declaration.symmetric is None else declaration.symmetric
    inverse = declaration.inverse or old.inverse
    if declaration.inverse is not None and declaration.symmetric is None:
        symmetric = False
    aliases = [*old.aliases]
    if old.inverse and old.inverse != inverse:
        aliases.append(_phrase(old.inverse, Direction.BACKWARD))
    known = {(relation_key(alias.text), alias.direction) for alias in aliases if alias.part is not Part.HINT}
    for wording in declaration.wordings:
        if (relation_key(wording.text), wording.direction) not in known:
            aliases.append(_phrase(wording.text, wording.direction))
    half_life = old.half_life_days if declaration.half_life_days is None else declaration.half_life_days
    own_label = declaration.label if declaration.label and relation_key(declaration.label) != old.name else None
    return replace(
        old,
        label=own_label or old.label,
        label_zh=declaration.label_zh or old.label_zh,
        cardinality=declaration.cardinality or old.cardinality,
        subject_types=_resolved(declaration.subject_types, type_names) or old.subject_types,
        object_types=_resolved(declaration.object_types, type_names) or old.object_types,
        inverse=None if symmetric else inverse,
        symmetric=symmetric,
        event=old.event if declaration.event is None else declaration.event,
        value_kind=declaration.value_kind or old.value_kind,
        importance=declaration.importance or old.importance,
        half_life_days=half_life,
        aliases=tuple(aliases),
    )


def _resolved(names: tuple[str, ...] | None, type_names: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(type_names.get(name, ANY_TYPE) for name in names or ()))


def _claim_wordings(declaration: RelationDeclaration, relations: dict[str, Relation]) -> None:
    """Take the declared wordings from every other relation, and from the declared one where they ran the other way."""
    own = _own_keys(declaration)
    directions = {relation_key(wording.text): wording.direction for wording in declaration.wordings}
    for name, relation in relations.items():
        if name == declaration.name:
            kept = tuple(
                alias
                for alias in relation.aliases
                if directions.get(relation_key(alias.text), alias.direction) is alias.direction
            )
            relations[name] = replace(relation, aliases=kept)
            continue
        kept = tuple(
            alias for alias in relation.aliases if alias.part is Part.HINT or relation_key(alias.text) not in own
        )
        inverse = None if relation.inverse in own else relation.inverse
        if inverse != relation.inverse or len(kept) != len(relation.aliases):
            relations[name] = replace(relation, aliases=kept, inverse=inverse)


def _link_opposites(declared: Iterable[RelationDeclaration], relations: dict[str, Relation]) -> None:
    inverses = {relation.inverse: relation.name for relation in relations.values() if relation.inverse}
    for declaration in declared:
        for i, other in enumerate(declaration.opposites):
            at = f"{declaration.field}.opposites[{i}]"
            if other == declaration.name:
                raise Invalid(f"{at} is {other!r}, the relation itself; it must be another relation", field=at)
            if other in inverses:
                raise Invalid(f"{at} is {other!r}, an inverse; it must be {inverses[other]!r}", field=at)
            if other not in relations:
                raise Invalid(f"{at} is {other!r}, which names no relation; declare it under relations", field=at)
            for one, two in ((declaration.name, other), (other, declaration.name)):
                opposites = tuple(dict.fromkeys((*relations[one].opposites, two)))
                relations[one] = replace(relations[one], opposites=opposites)


def _rename_opposites(renamed: Mapping[str, str], relations: dict[str, Relation]) -> None:
    """Let opposites follow the relations that were taken over; one that would exclude itself is dropped."""
    for name, relation in relations.items():
        opposites = dict.fromkeys(renamed.get(other, other) for other in relation.opposites)
        kept = tuple(other for other in opposites if other != name)
        if kept != relation.opposites:
            relations[name] = replace(relation, opposites=kept)


def _turned(relation: Relation, declaration: RelationDeclaration) -> Relation:
    """The same relation stored from its object's side, for `declaration`."""
    if relation.opposites:
        raise Invalid(
            f"{declaration.field}.name {declaration.name!r} is an inverse of {relation.name!r}, which excludes"
            f" {relation.opposites[0]!r}; declare {relation.name!r} instead",
            field=f"{declaration.field}.name",
        )
    return replace(
        relation,
        inverse=None if relation.symmetric else relation.name,
        subject_types=relation.object_types,
        object_types=relation.subject_types,
        cardinality=Cardinality.MANY,  # nothing is known of this side unless the tenant says it
        aliases=tuple(replace(alias, direction=alias.direction.turned) for alias in relation.aliases),
    )


def _with_wordings_of(relation: Relation, absorbed: Relation) -> Relation:
    inverse = () if absorbed.inverse is None else (_phrase(absorbed.inverse, Direction.BACKWARD),)
    return replace(relation, aliases=(*relation.aliases, *absorbed.aliases, *inverse))


def _own_keys(declaration: RelationDeclaration) -> set[str]:
    keys = {declaration.name, *(relation_key(wording.text) for wording in declaration.wordings)}
    return keys | {declaration.inverse} if declaration.inverse else keys


def _turned_wording(wording: Wording) -> Wording:
    return replace(wording, direction=wording.direction.turned)


def _phrase(text: str, direction: Direction) -> Alias:
    return Alias(text=text, lang="", part=Part.PHRASE, direction=direction)
