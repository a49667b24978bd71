"""Fetching a release's jars, from a Maven repository on this machine that serves the real files."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from muniment.engine.stores.neo4j.local.folders import default_cache_dir
from muniment.engine.stores.neo4j.local.jars import (
    DownloadProgress,
    are_jars_cached,
    ensure_jars,
    jars_dir,
    pinned_jars,
)
from muniment.engine.stores.neo4j.local.runtime import ensure_runtime
from muniment.engine.stores.neo4j.local.server import LocalNeo4j
from muniment.engine.stores.neo4j.local.versions import NEO4J_5, NEO4J_2026, SERVER_VERSIONS, ServerVersion
from muniment.graph_schema.errors import StoreUnavailable

VERSION = NEO4J_2026
ONE_JAR = next(jar for jar in pinned_jars(VERSION) if jar.artifact == "neo4j")


class Repository(ThreadingHTTPServer):
    """Serves the cached jars under their Maven paths; `broken` says how often to answer wrong bytes for one path."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.files: dict[str, Path] = {}
        self.broken: dict[str, int] = {}

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/maven"


class _Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        assert isinstance(self.server, Repository)
        file = self.server.files.get(self.path)
        if file is None:
            self.send_error(404)
            return
        body = file.read_bytes()
        if self.server.broken.get(self.path, 0) > 0:
            self.server.broken[self.path] -= 1
            body = b"not " + body
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Says nothing: two hundred lines would hide what failed."""


def maven_path(group: str, artifact: str, version: str, classifier: str) -> str:
    tail = f"-{classifier}" if classifier else ""
    return f"/maven/{group.replace('.', '/')}/{artifact}/{version}/{artifact}-{version}{tail}.jar"


ONE_PATH = maven_path(ONE_JAR.group, ONE_JAR.artifact, ONE_JAR.version, ONE_JAR.classifier)


@pytest.fixture
def empty_repository() -> Iterator[Repository]:
    server = Repository()
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield server
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture
def repository(empty_repository: Repository, local_neo4j: Callable[..., LocalNeo4j]) -> Repository:
    local_neo4j()  # has the jars on this machine, or leaves the test out
    folder = jars_dir(VERSION, cache_dir=default_cache_dir())
    for jar in pinned_jars(VERSION):
        path = maven_path(jar.group, jar.artifact, jar.version, jar.classifier)
        empty_repository.files[path] = folder / jar.file_name
    return empty_repository


def test_a_download_is_whole_and_tells_how_far_it_is(repository: Repository, tmp_path: Path) -> None:
    steps: list[DownloadProgress] = []
    folder = ensure_jars(VERSION, cache_dir=tmp_path, repository_url=repository.url, on_progress=steps.append)

    assert are_jars_cached(VERSION, cache_dir=tmp_path)
    assert {file.name for file in folder.glob("*.jar")} == {jar.file_name for jar in pinned_jars(VERSION)}
    assert [step.files for step in steps] == list(range(1, len(pinned_jars(VERSION)) + 1))
    assert steps[-1].bytes == steps[-1].total_bytes
    assert [entry.name for entry in folder.parent.iterdir()] == [VERSION.full]  # nothing half-done is left

    repository.files.clear()
    assert ensure_jars(VERSION, cache_dir=tmp_path, repository_url=repository.url) == folder  # asks nobody


def test_a_file_that_came_wrong_once_is_fetched_again(repository: Repository, tmp_path: Path) -> None:
    repository.broken[ONE_PATH] = 1
    ensure_jars(VERSION, cache_dir=tmp_path, repository_url=repository.url)
    assert repository.broken[ONE_PATH] == 0
    assert are_jars_cached(VERSION, cache_dir=tmp_path)


def test_a_file_with_another_content_is_refused(repository: Repository, tmp_path: Path) -> None:
    repository.broken[ONE_PATH] = 1000
    with pytest.raises(StoreUnavailable, match=f"{ONE_JAR.artifact}.* has sha256 .*, expected {ONE_JAR.sha256}"):
        ensure_jars(VERSION, cache_dir=tmp_path, repository_url=repository.url)
    assert not are_jars_cached(VERSION, cache_dir=tmp_path)
    assert list((tmp_path / "neo4j").iterdir()) == []


def test_a_damaged_folder_is_downloaded_anew(repository: Repository, tmp_path: Path) -> None:
    folder = ensure_jars(VERSION, cache_dir=tmp_path, repository_url=repository.url)
    (folder / ONE_JAR.file_name).write_bytes(b"")
    assert not are_jars_cached(VERSION, cache_dir=tmp_path)
    ensure_jars(VERSION, cache_dir=tmp_path, repository_url=repository.url)
    assert (folder / ONE_JAR.file_name).stat().st_size == ONE_JAR.size_bytes


def test_a_repository_without_the_release_is_named_as_the_reason(empty_repository: Repository, tmp_path: Path) -> None:
    with pytest.raises(StoreUnavailable, match=r"cannot download .* for Neo4j 2026\.08\.1, 3 tries: .*not found"):
        ensure_jars(VERSION, cache_dir=tmp_path, repository_url=empty_repository.url)


def test_a_repository_that_does_not_answer_is_named_as_the_reason(tmp_path: Path) -> None:
    with pytest.raises(StoreUnavailable, match=r"cannot download .* 3 tries: ConnectionError"):
        ensure_jars(VERSION, cache_dir=tmp_path, repository_url="http://127.0.0.1:9/maven")


@pytest.mark.parametrize("version", SERVER_VERSIONS, ids=lambda version: version.full)
def test_without_leave_nothing_is_downloaded(tmp_path: Path, version: ServerVersion) -> None:
    with pytest.raises(StoreUnavailable, match="downloading is not allowed; run: muniment neo4j start"):
        ensure_jars(version, cache_dir=tmp_path, download=False)
    assert list(tmp_path.iterdir()) == []


def test_without_leave_no_runtime_is_installed(tmp_path: Path) -> None:
    with pytest.raises(StoreUnavailable, match=r"Java 21 .* downloading is not allowed"):
        ensure_runtime(NEO4J_5, cache_dir=tmp_path, download=False)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("version", SERVER_VERSIONS, ids=lambda version: version.full)
def test_every_pinned_file_has_a_whole_hash_and_a_place_of_its_own(version: ServerVersion) -> None:
    jars = pinned_jars(version)
    assert len({jar.file_name for jar in jars}) == len(jars) > 200
    assert all(len(jar.sha256) == 64 and int(jar.sha256, 16) and jar.size_bytes > 0 for jar in jars)
    assert [jar.version for jar in jars if (jar.group, jar.artifact) == ("org.neo4j", "neo4j")] == [version.full]


def test_without_the_extra_the_command_that_installs_it_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "jpype", None)
    with pytest.raises(StoreUnavailable, match=r"pip install 'muniment\[neo4j-local\]'"):
        LocalNeo4j(data_dir=tmp_path / "data", cache_dir=tmp_path / "cache", download=False).start()
    assert not (tmp_path / "data").exists()
