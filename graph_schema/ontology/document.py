"""The reference page of the base ontology; `python -m muniment.graph_schema.ontology.document` prints it."""

from collections.abc import Iterator

from muniment.graph_schema.ontology.load import accepted_ambiguities, base_ontology, base_relations_by_area
from muniment.graph_schema.ontology.model import Direction, EntityType, Part, Relation

WORDINGS_SHOWN = 4  # of each language and direction; the rest stands in the data files

_INTRODUCTION = """\
# The base ontology

This page is written from the data in `graph_schema/ontology/base/` by
`python -m muniment.graph_schema.ontology.document`; a test compares the two.

A relation is stored in one direction, from the *subject* to the *object*. The inverse is the name under which it is
read from the object's side; a fact told under its inverse or under a backward wording is turned round before it is
stored, so `Acme employs Ann` and `Ann works_for Acme` are one fact. Of a relation with cardinality **one** a subject
has at most one object at a time, so a newer object ends the older one; with **many** nothing ends by itself. Relations
that are opposites cannot hold of the same subject and object at the same time.

A name is understood in any case, width, spacing or hyphenation: the names in the tables, the inverse names, every
wording, and regular spellings of English wordings (`works_at`, `is_employed_by`, `has_employer`, `employer_of`).
A bare word that is a noun and a verb is read as the noun. An unknown name becomes a relation of its own, in
snake_case, many-valued. Nothing is matched by likeness.

## A tenant's own words

`PUT /v1/ontology`, `muniment ontology set FILE` and `set_ontology` lay a tenant's declarations over this page:

- A declaration with the name of a relation below changes that relation; aliases and opposites are added, everything
  else is replaced. One with an inverse name turns that relation round. Any other name is a new relation.
- Where two declarations are each other's inverse, one is stored: the single-valued one, else the first. They must agree: a
  relation's inverse may not be a name of another relation (`likes` with the inverse `employs`) unless that one gives it up.
- What a tenant declares as a wording is taken from the relation that had it. A relation that lists the *name* of a
  relation below as an alias takes it over with all its wordings; a new one does so too when it names a relation below,
  or the inverse of one, as its inverse or alias.
- `default_cardinality: one` makes every relation single-valued that the tenant does not itself give a cardinality,
  those below included: it says that nothing in this tenant's data has two values at a time. `default_cardinality:
  many` says what holds of unknown relations anyway, and changes none of those below.
- A type named in `from` or `to` is thereby declared.
- `time_zone` is where the tenant's days begin and end: a name such as `Asia/Shanghai` or
  an offset such as `+08:00`. "On 25 July" in a text or a question is read in it, "yesterday" too. UTC where absent; times are
  stored, given and taken with their offset whatever it is.

`aliases` run from subject to object, `inverse_aliases` the other way.
"""


def reference_page() -> str:
    """The page as Markdown, ending in a newline."""
    return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    ontology = base_ontology()
    yield _INTRODUCTION
    yield f"## Entity types ({len(ontology.entity_types)})\n"
    yield "| type | is a | 中文 | also called |"
    yield "|---|---|---|---|"
    yield from (_type_row(kind) for kind in ontology.entity_types)
    yield f"\n## Relations ({len(ontology.relations)})"
    for area, relations in base_relations_by_area().items():
        yield f"\n### {area.capitalize()} ({len(relations)})\n"
        yield "| relation | from → to | cardinality | inverse | wordings | 说法 |"
        yield "|---|---|---|---|---|---|"
        yield from (_relation_row(relation) for relation in relations)
    yield "\n## Ambiguous spellings\n"
    yield "As the name of a relation these are refused, that is, they stay unknown, because they could mean either:\n"
    yield "| spelling | could mean |"
    yield "|---|---|"
    for spelling, names in sorted(accepted_ambiguities().items()):
        yield f"| `{spelling}` | {', '.join(f'`{name}`' for name in names)} |"


def _type_row(kind: EntityType) -> str:
    return (
        f"| `{kind.name}` | {f'`{kind.parent}`' if kind.parent else ''} | {kind.label_zh} | {', '.join(kind.aliases)} |"
    )


def _relation_row(relation: Relation) -> str:
    marks = [relation.cardinality.value]
    if relation.symmetric:
        marks.append("symmetric")
    if relation.event:
        marks.append("event")
    if relation.opposites:
        marks.append("excludes " + ", ".join(f"`{name}`" for name in relation.opposites))
    target = "/".join(relation.object_types)
    if relation.value_kind != "entity":
        target += f" ({relation.value_kind.value})"
    return (
        f"| `{relation.name}` {relation.label_zh} | {'/'.join(relation.subject_types)} → {target} | {'; '.join(marks)} "
        f"| {f'`{relation.inverse}`' if relation.inverse else ''} | {_wordings(relation, 'en')} "
        f"| {_wordings(relation, 'zh')} |"
    )


def _wordings(relation: Relation, lang: str) -> str:
    shown = []
    for direction, arrow in ((Direction.FORWARD, "→"), (Direction.BACKWARD, "←")):
        texts = [
            alias.text
            for alias in relation.aliases
            if alias.lang == lang and alias.direction is direction and alias.part is not Part.HINT
        ]
        if texts:
            shown.append(f"{arrow} {', '.join(texts[:WORDINGS_SHOWN])}")
    return "; ".join(shown)


if __name__ == "__main__":
    print(reference_page(), end="")
