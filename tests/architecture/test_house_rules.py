"""Rules that hold for every file or module of the project."""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

LONGEST_MODULE = 500  # lines; near it a module answers two questions
# Written in pieces, so that this file does not break its own rule.
REGISTRIES = [
    ".".join(words)
    for words in (
        ("pypi", "org"),
        ("python" + "hosted", "org"),
        ("repo1", "maven"),
        ("repo", "maven"),
        ("npmjs", "org"),
        ("npmjs", "com"),
        ("deb", "debian", "org"),
        ("proxy", "golang"),
        ("static", "crates"),
    )
]
FOLDERS = [
    "/".join(("", *words)) for words in (("work", ""), ("farm", ""), ("opt", "venv"), ("root", ""), ("home", ""))
]
FORBIDDEN = re.compile(
    r"(?<![\w.])(?:" + "|".join(map(re.escape, FOLDERS)) + ")|" + "|".join(map(re.escape, REGISTRIES))
)
# Who may read the environment beside engine/settings.py, and why.
ENVIRONMENT_READERS = {
    "engine/stores/neo4j/local/folders.py": "where a machine keeps caches and data is its own convention (XDG)",
    "engine/stores/neo4j/local/server.py": "hands the whole environment on to the server's process",
}


def test_no_file_names_a_folder_of_one_machine_or_a_package_registry(root: Path, project_files: list[Path]) -> None:
    found = [
        f"{path}:{number}: {line.strip()[:120]}"
        for path in project_files
        for number, line in enumerate(_text(root / path).splitlines(), start=1)
        if FORBIDDEN.search(line)
    ]
    assert found == []


def test_the_pattern_of_forbidden_names_finds_them() -> None:
    assert FORBIDDEN.search(f"see {FOLDERS[0]}notes")
    assert FORBIDDEN.search(f"index = https://{REGISTRIES[0]}/simple")
    assert not FORBIDDEN.search("the framework/notes, src/work/file")


def test_no_module_is_longer_than_one_question_needs(root: Path, modules: list[Path]) -> None:
    lengths = {str(path): len(_text(root / path).splitlines()) for path in modules}
    assert modules
    assert {path: lines for path, lines in lengths.items() if lines > LONGEST_MODULE} == {}


def test_every_module_says_what_it_is(root: Path, modules: list[Path]) -> None:
    assert modules
    assert [str(path) for path in modules if not ast.get_docstring(ast.parse(_text(root / path)))] == []


def test_the_schema_needs_only_the_standard_library(root: Path, modules: list[Path]) -> None:
    allowed = sys.stdlib_module_names | {"muniment"}
    foreign = [
        f"{path}: {name}"
        for path in modules
        if path.parts[0] == "graph_schema"
        for name in _imported(ast.parse(_text(root / path)))
        if name.partition(".")[0] not in allowed
    ]
    assert foreign == []


def test_only_the_settings_read_the_environment(root: Path, modules: list[Path]) -> None:
    readers = {str(path) for path in modules if _reads_environment(ast.parse(_text(root / path)))}
    assert readers - {"engine/settings.py"} - ENVIRONMENT_READERS.keys() == set()


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace")


def _imported(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            yield node.module or ""


def _reads_environment(tree: ast.AST) -> bool:
    names = {"environ", "environb", "getenv"}
    return any(
        (
            isinstance(node, ast.Attribute)
            and node.attr in names
            and isinstance(node.value, ast.Name)
            and node.value.id == "os"
        )
        or (isinstance(node, ast.ImportFrom) and node.module == "os" and any(a.name in names for a in node.names))
        for node in ast.walk(tree)
    )
