"""The fixtures that give tests their stores, seen as a person running the tests sees them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from neo4j import GraphDatabase

from tests._stores import Leg, Servers, choice_from

# Nothing listens there, so a download fails at once.
NO_NETWORK = "http://127.0.0.1:9"


def test_a_store_is_empty_for_each_test(store_url: str, store_leg: Leg) -> None:
    if store_leg is Leg.SQLITE:
        assert not Path(store_url.removeprefix("sqlite:///")).exists()
    else:
        assert _count_nodes(store_url) == 0


def test_a_server_is_emptied_and_keeps_its_indexes(neo4j_store_url: str, neo4j_servers: Servers) -> None:
    with GraphDatabase.driver(neo4j_store_url) as driver:
        driver.execute_query("CREATE INDEX kept_by_wipe IF NOT EXISTS FOR (n:Wiped) ON (n.name)", database_="neo4j")
        driver.execute_query("UNWIND range(1, 100) AS i CREATE (:Wiped {name: i})-[:NEXT]->(:Wiped)", database_="neo4j")
        assert _count_nodes(neo4j_store_url) == 200
        neo4j_servers.wipe(neo4j_store_url)
        assert _count_nodes(neo4j_store_url) == 0
        indexes = driver.execute_query("SHOW INDEXES YIELD name", database_="neo4j").records
        driver.execute_query("DROP INDEX kept_by_wipe", database_="neo4j")
    assert "kept_by_wipe" in [record["name"] for record in indexes]


def _count_nodes(url: str) -> object:
    with GraphDatabase.driver(url) as driver:
        return driver.execute_query("MATCH (n) RETURN count(n)", database_="neo4j").records[0][0]


def run_one_store_test(tmp_path: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Runs the first test of this file in a process of its own, with no jars at hand."""
    inherited = {name: value for name, value in os.environ.items() if not name.upper().endswith("_PROXY")}
    inherited.pop("CI", None)
    inherited.pop("MUNIMENT_TEST_NEO4J_URL", None)
    inherited |= {"MUNIMENT_CACHE_DIR": str(tmp_path), "HTTPS_PROXY": NO_NETWORK, "PYTEST_ADDOPTS": ""}
    test = f"{Path(__file__)}::{test_a_store_is_empty_for_each_test.__name__}"
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", test]
    root = Path(__file__).parents[2]
    return subprocess.run(
        command, env={**inherited, **environment}, cwd=root, capture_output=True, text=True, check=False
    )


def test_without_a_server_the_rest_is_tested_and_the_last_line_says_what_was_not(tmp_path: Path) -> None:
    done = run_one_store_test(tmp_path, MUNIMENT_TEST_STORES="sqlite,neo4j-2026")
    closing, last = done.stdout.splitlines()[-2:]
    assert done.returncode == 0
    assert "1 passed, 1 skipped" in closing
    assert last.startswith("NOT TESTED: Neo4j (neo4j-2026: cannot ")


def test_without_a_server_ci_fails(tmp_path: Path) -> None:
    done = run_one_store_test(tmp_path, MUNIMENT_TEST_STORES="sqlite,neo4j-2026", CI="true")
    assert done.returncode == 1
    assert "1 passed, 1 error" in done.stdout.splitlines()[-1]


def test_a_given_server_that_does_not_answer_is_not_replaced_by_ours(tmp_path: Path) -> None:
    done = run_one_store_test(
        tmp_path, MUNIMENT_TEST_STORES="neo4j-2026", MUNIMENT_TEST_NEO4J_URL="bolt://127.0.0.1:9", CI="true"
    )
    assert done.returncode == 1
    assert "does not answer" in done.stdout


def test_a_given_server_with_data_is_left_alone(neo4j_store_url: str, tmp_path: Path) -> None:
    with GraphDatabase.driver(neo4j_store_url) as driver:
        driver.execute_query("CREATE (:Precious)", database_="neo4j")
    done = run_one_store_test(
        tmp_path, MUNIMENT_TEST_STORES="neo4j-2026", MUNIMENT_TEST_NEO4J_URL=neo4j_store_url, CI="true"
    )
    assert done.returncode == 1
    assert "holds data" in done.stdout
    assert _count_nodes(neo4j_store_url) == 1


def test_a_given_server_is_used_and_emptied(neo4j_store_url: str, tmp_path: Path) -> None:
    done = run_one_store_test(tmp_path, MUNIMENT_TEST_STORES="neo4j-2026", MUNIMENT_TEST_NEO4J_URL=neo4j_store_url)
    assert done.returncode == 0, done.stdout
    assert _count_nodes(neo4j_store_url) == 0


def test_the_choice_of_stores_is_read_from_the_environment() -> None:
    assert choice_from({}).store_legs == (Leg.SQLITE, Leg.NEO4J_2026)
    assert choice_from({"MUNIMENT_TEST_STORES": "neo4j-5, sqlite,neo4j-5"}).store_legs == (Leg.NEO4J_5, Leg.SQLITE)
    given = {"MUNIMENT_TEST_STORES": "neo4j-5,neo4j-2026,sqlite", "MUNIMENT_TEST_NEO4J_URL": "bolt://127.0.0.1:1"}
    assert choice_from(given).store_legs == (Leg.NEO4J_5, Leg.SQLITE)
    with pytest.raises(ValueError, match="neo4j-4 chosen; known are sqlite"):
        choice_from({"MUNIMENT_TEST_STORES": "sqlite,neo4j-4"})
