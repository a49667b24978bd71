"""No statement of a store may touch a row without naming its space: each table, node and relationship carries it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

SQL = Path("engine/stores/sqlite/statements")
CYPHER = Path("engine/stores/neo4j/statements")
MIGRATIONS = Path("graph_schema/sqlite")

# Statements that serve the operator and the workers of all tenants, and nobody else.
OF_ALL_SPACES = {
    "job_claim.sql": "workers take due jobs of any space, and are told which",
    "job_load.sql": "health counts the jobs of all spaces, and tells none",
    "space_list.sql": "the operator's list of spaces",
    "space_floor.sql": "keeps the counter of one space in `meta`",
    "gone_forget.sql": "drops notes of what went, of every space",
}
# Tables that hold no tenant's rows.
NOT_TENANTS = {
    "meta": "what holds for the whole database",
    "tokens": "hashes of space and term, which meet one space only",
}

# --- SQL

_REFERENCE = re.compile(r"\b(FROM|JOIN|UPDATE|INTO)\s+([a-z_]+)(?:\s+AS\s+([a-z_]+))?", re.IGNORECASE)
_TABLE = re.compile(r"CREATE TABLE (\w+) \((.*?)\n\)", re.DOTALL)


def tables_of(root: Path) -> dict[str, str]:
    """Every table that the migrations make, with its text."""
    scripts = sorted((root / MIGRATIONS).glob("*.sql"))
    return {name: body for script in scripts for name, body in _TABLE.findall(script.read_text())}


def faults_in_sql(text: str, tables: set[str]) -> Iterator[str]:
    """What in a statement reads or writes a tenant's table without its space."""
    bare = "\n".join(line.partition("--")[0] for line in text.splitlines())
    for part in re.split(r";\s*\n", bare):
        aliases: list[str] = []
        for verb, table, alias in _REFERENCE.findall(part):
            if table not in tables or table in NOT_TENANTS:
                continue
            if verb.upper() == "INTO":
                if not re.search(rf"INTO {table}\s*\((\w+, )?space,", part):
                    yield f"{table} is written without its space"
            elif not alias:
                yield f"{table} has no alias"
            elif alias in aliases:
                yield f"alias {alias} stands for two tables"
            elif not re.search(rf"\b{alias}\.space = (:space|\?)", part):
                yield f"{table} AS {alias} is read without its space"
            aliases.append(alias)


def test_every_sql_statement_names_the_space_of_every_table(root: Path) -> None:
    files = sorted((root / SQL).glob("*.sql"))
    tables = set(tables_of(root))
    assert len(files) > 50
    assert "facts" in tables
    found = {
        file.name: list(faults_in_sql(file.read_text(), tables)) for file in files if file.name not in OF_ALL_SPACES
    }
    assert {name: faults for name, faults in found.items() if faults} == {}


def test_exceptions_are_statements_that_exist(root: Path) -> None:
    assert [name for name in OF_ALL_SPACES if not (root / SQL / name).is_file()] == []
    assert [name for name in OF_ALL_SPACES_CYPHER if not (root / CYPHER / name).is_file()] == []


@pytest.mark.parametrize(
    ("statement", "fault"),
    [
        ("SELECT f.id FROM facts AS f WHERE f.id = :id", "facts AS f is read without its space"),
        (
            "SELECT f.id FROM facts AS f JOIN episodes AS e ON e.id = f.id WHERE f.space = :space",
            "episodes AS e is read without its space",
        ),
        (
            "SELECT 1 FROM facts AS f WHERE f.space = :space AND f.id IN (SELECT u.id FROM uses AS u)",
            "uses AS u is read without its space",
        ),
        ("SELECT id FROM facts WHERE space = :space", "facts has no alias"),
        ("DELETE FROM facts AS f WHERE f.id = :id", "facts AS f is read without its space"),
        (
            "UPDATE facts AS f SET rejected = 1 WHERE f.id = :id -- f.space = :space",
            "facts AS f is read without its space",
        ),
        ("INSERT INTO facts (id, text) VALUES (?, ?)", "facts is written without its space"),
        (
            "SELECT f.id FROM facts AS f WHERE f.space = :space UNION SELECT f.id FROM facts AS f",
            "alias f stands for two tables",
        ),
    ],
)
def test_a_bad_sql_statement_is_caught(statement: str, fault: str) -> None:
    assert list(faults_in_sql(statement, {"facts", "episodes", "uses"})) == [fault]


def test_every_table_has_its_space_first(root: Path) -> None:
    tables = tables_of(root)
    assert len(tables) > 10
    for name, body in tables.items():
        if name in NOT_TENANTS:
            continue
        keys = re.findall(r"(?:PRIMARY KEY|UNIQUE) \((\w+)", body)
        assert "space TEXT NOT NULL" in body, name
        # `gone` is a log and has no key; its index starts with the space as well.
        assert set(keys) <= {"space"}, name


def test_every_index_starts_with_the_space(root: Path) -> None:
    scripts = "".join(path.read_text() for path in (root / MIGRATIONS).glob("*.sql"))
    first = dict(re.findall(r"CREATE (?:UNIQUE )?INDEX (\w+) ON \w+ \((\w+)", scripts))
    assert len(first) > 10
    # Workers look for due jobs in all spaces, and health for failed ones.
    assert {name: column for name, column in first.items() if column != "space"} == {
        "jobs_due": "state",
        "jobs_failed": "due_at",
    }


def test_sql_stands_in_statement_files_only(root: Path, modules: list[Path]) -> None:
    tables = "|".join(set(tables_of(root)) - set(NOT_TENANTS))
    pattern = re.compile(rf"\b(FROM|JOIN|INTO|UPDATE)\s+({tables})\b")
    assert pattern.search("SELECT * FROM facts")
    store = [path for path in modules if path.parts[:3] == ("engine", "stores", "sqlite")]
    assert store
    assert [str(path) for path in store if pattern.search((root / path).read_text())] == []


# --- Cypher

OF_ALL_SPACES_CYPHER = {
    "job_list_due.cypher": "workers look whether any space has due jobs",
    "job_lock_due.cypher": "workers take due jobs of any space, and are told which",
    "job_load.cypher": "health counts the jobs of all spaces, and tells none",
    "job_set.cypher": "writes the jobs that workers took, each in the space it was taken from",
    "space_list.cypher": "the operator's list of spaces",
    "meta_get.cypher": "what holds for the whole database",
    "meta_lock.cypher": "what holds for the whole database",
    "meta_make.cypher": "what holds for the whole database",
    "meta_strangers.cypher": "whether a database without a stamp is another program's",
    "meta_set.cypher": "what holds for the whole database",
}

_CLAUSE = re.compile(r"\b(?:MATCH|MERGE|CREATE|UNION)\b")
_NODE = re.compile(r"(?<![\w`])\(\s*(?P<name>\w*)\s*(?P<label>:[\w\s:|&!]+)?(?P<map>\{[^{}]*\})?\s*\)")
_EDGE = re.compile(r"-\[\s*(?P<name>\w*)\s*(?P<label>:[\w\s:|&!]+)?(?:\*[\d.]*)?\s*(?P<map>\{[^{}]*\})?[^\]]*\]-")
_BARE_EDGE = re.compile(r"\)\s*<?--+>?\s*\(")
_YIELDED = re.compile(r"\bYIELD\s+(?:node|relationship)(?:\s+AS\s+(\w+))?")
_SPACE_IN_MAP = re.compile(r"\bgroup_id:\s*\$space\b")
_STRING = re.compile(r"'(?:[^'\\]|\\.)*'")


def faults_in_cypher(text: str) -> Iterator[str]:
    """What in a statement meets a node or a relationship without its space."""
    bare = re.sub(r"//.*", "", _STRING.sub("''", text))
    for name in _YIELDED.findall(bare):
        if not _is_bound(name or "node", bare):
            yield f"what an index yields as {name or 'node'} is taken without its space"
    if _BARE_EDGE.search(bare):
        yield "a relationship without a name has no space"
    safe: set[str] = set()
    for segment in _segments(bare):
        patterns = sorted([*_NODE.finditer(segment), *_EDGE.finditer(segment)], key=lambda found: found.start())
        for found in patterns:
            name, label, properties = found["name"], found["label"], found["map"]
            if _SPACE_IN_MAP.search(properties or "") or (name and _is_bound(name, segment)):
                safe.add(name)
            elif not name and not label and not properties and found[0].startswith("("):
                continue  # the end of a relationship that has the space itself
            elif label or properties or found.re is _EDGE or (name not in safe and _is_in_pattern(found, segment)):
                yield f"{found[0]} has no space"


def _segments(text: str) -> Iterator[str]:
    """The text from each clause that meets rows to the next."""
    starts = [found.start() for found in _CLAUSE.finditer(text)]
    for start, end in zip(starts, [*starts[1:], len(text)][: len(starts)], strict=True):
        yield text[start:end]


def _is_bound(name: str, text: str) -> bool:
    return bool(re.search(rf"\b{name}\.group_id = \$space\b", re.split(r"\bSET\b", text)[0]))


def _is_in_pattern(found: re.Match[str], text: str) -> bool:
    """Whether a name in brackets is a node of a pattern, and not an expression."""
    before, after = text[: found.start()].rstrip(), text[found.end() :].lstrip()
    return before.endswith(("MATCH", "MERGE", "CREATE", "-", "->")) or after.startswith(("-", "<-"))


def test_every_cypher_statement_names_the_space_of_every_pattern(root: Path) -> None:
    files = sorted((root / CYPHER).glob("*.cypher"))
    assert len(files) > 50
    found = {
        file.name: list(faults_in_cypher(file.read_text())) for file in files if file.name not in OF_ALL_SPACES_CYPHER
    }
    assert {name: faults for name, faults in found.items() if faults} == {}


@pytest.mark.parametrize(
    ("statement", "fault"),
    [
        ("MATCH (n:Entity {uuid: $id}) RETURN n", "(n:Entity {uuid: $id}) has no space"),
        ("MATCH (n:Entity) WHERE n.wall IN $walls RETURN n", "(n:Entity) has no space"),
        (
            "MATCH (n:Entity {group_id: $space})-[r:RELATES_TO]-(m:Entity {group_id: $space}) RETURN r",
            "-[r:RELATES_TO]- has no space",
        ),
        (
            "MATCH (n:Entity {group_id: $space})-[r:RELATES_TO {group_id: $space}]-(m:Entity) RETURN m",
            "(m:Entity) has no space",
        ),
        ("MATCH (n:Entity {group_id: $other}) RETURN n", "(n:Entity {group_id: $other}) has no space"),
        ("MATCH (n:Entity) // WHERE n.group_id = $space", "(n:Entity) has no space"),
        (
            "MATCH (:A {group_id: $space})-->(:B {group_id: $space}) RETURN 1",
            "a relationship without a name has no space",
        ),
        ("MATCH (a:Entity {group_id: $space}) MATCH (a)-[:KNOWS]->() RETURN a", "-[:KNOWS]- has no space"),
        ("MERGE (n:Entity {uuid: $id}) SET n.group_id = $space", "(n:Entity {uuid: $id}) has no space"),
        (
            "CALL db.index.fulltext.queryNodes('x', $q) YIELD node AS n RETURN n",
            "what an index yields as n is taken without its space",
        ),
        (
            "MATCH (a:Entity {group_id: $space}) RETURN a UNION MATCH (a:Entity) RETURN a",
            "(a:Entity) has no space",
        ),
    ],
)
def test_a_bad_cypher_statement_is_caught(statement: str, fault: str) -> None:
    assert list(faults_in_cypher(statement)) == [fault]


@pytest.mark.parametrize(
    "statement",
    [
        "MATCH (n:Entity {group_id: $space, uuid: id}) WHERE ($all_walls OR n.wall IN $walls) RETURN n",
        "MATCH (n:Entity) WHERE n.group_id = $space RETURN count(n)",
        "MATCH ()-[r:RELATES_TO {group_id: $space}]->() RETURN startNode(r)",
        "MATCH (a:Entity {group_id: $space}) MATCH (a)-[r:KNOWS {group_id: $space}]->(b:Entity {group_id: $space}) RETURN b",
        "CALL db.index.fulltext.queryNodes('x', $q) YIELD node AS n WHERE n.group_id = $space RETURN n",
    ],
)
def test_a_good_cypher_statement_passes(statement: str) -> None:
    assert list(faults_in_cypher(statement)) == []
