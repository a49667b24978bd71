"""A local Neo4j server: its life, its data, its refusals. All on the real server."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import LiteralString

import pytest
from neo4j import GraphDatabase
from neo4j.exceptions import AuthError
from typer.testing import CliRunner

from muniment.api.cli.neo4j import EXIT_NOT_RUNNING, app
from muniment.engine.stores.neo4j.local import server as server_module
from muniment.engine.stores.neo4j.local.ports import free_port
from muniment.engine.stores.neo4j.local.server import ANY_PORT, LocalNeo4j
from muniment.engine.stores.neo4j.local.state import hold_lock
from muniment.graph_schema.errors import Conflict, Invalid, StoreUnavailable

MakeServer = Callable[..., LocalNeo4j]


def ask(url: str, query: LiteralString, auth: tuple[str, str] | None = None) -> list[object]:
    with GraphDatabase.driver(url, auth=auth, telemetry_disabled=True) as driver:
        return [record[0] for record in driver.execute_query(query, database_="neo4j").records]


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.parametrize(("version", "release"), [("2026", "2026.08.1"), ("5", "5.26.30")])
def test_what_was_written_is_there_after_stop_and_start(local_neo4j: MakeServer, version: str, release: str) -> None:
    server = local_neo4j(version)
    first = server.start()
    assert ask(first.url, "CALL dbms.components() YIELD versions RETURN versions[0]")[0] == release
    ask(first.url, "CREATE (:Kept {name: '北京'})")
    assert server.status() == server.start()  # asking again starts no second one

    assert server.stop()
    assert not is_alive(first.pid)
    assert server.status() is None
    assert not server.stop()

    assert ask(server.start().url, "MATCH (n:Kept) RETURN n.name") == ["北京"]


def test_only_this_machine_is_served(local_neo4j: MakeServer) -> None:
    running = local_neo4j().start()
    listening = {line.split()[1] for line in _socket_table(running.pid) if line.split()[3] == "0A"}
    # The kernel's spelling of 127.0.0.1 in tables of IPv4 and of IPv4 within IPv6.
    assert {address.partition(":")[0] for address in listening} == {"0000000000000000FFFF00000100007F"}
    assert [int(address.partition(":")[2], 16) for address in listening] == [running.port]


def _socket_table(pid: int) -> list[str]:
    """Lines of the kernel's TCP tables for the sockets that the process has open."""
    links = [os.readlink(entry) for entry in Path(f"/proc/{pid}/fd").iterdir() if entry.is_symlink()]
    inodes = {link[8:-1] for link in links if link.startswith("socket:[")}
    tables = [Path(f"/proc/{pid}/net/{name}").read_text().splitlines()[1:] for name in ("tcp", "tcp6")]
    return [line for table in tables for line in table if line.split()[9] in inodes]


def test_a_password_is_asked_for_and_kept(local_neo4j: MakeServer) -> None:
    running = local_neo4j(auth=True, password="correct-horse").start()
    assert ask(running.url, "RETURN 1", ("neo4j", "correct-horse")) == [1]
    with pytest.raises(AuthError):
        ask(running.url, "RETURN 1", ("neo4j", "neo4j-wrong"))
    written = [path.read_bytes() for path in running.data_dir.iterdir() if path.is_file()]
    assert not any(b"correct-horse" in content for content in written)
    with pytest.raises(Conflict, match="authentication on"):
        local_neo4j().start()

    local_neo4j().stop()
    again = local_neo4j(auth=True).start()
    assert ask(again.url, "RETURN 1", ("neo4j", "correct-horse")) == [1]


def test_a_folder_of_another_release_is_refused(local_neo4j: MakeServer, tmp_path: Path) -> None:
    folder = tmp_path / "neo4j"
    folder.mkdir()
    (folder / "release.json").write_text(json.dumps({"version": "5.26.30", "port": 7687}))
    with pytest.raises(Conflict, match=r"made by Neo4j 5\.26\.30"):
        local_neo4j().start()


def test_a_folder_in_use_by_a_server_that_is_not_ready_is_refused(local_neo4j: MakeServer, tmp_path: Path) -> None:
    (tmp_path / "neo4j").mkdir()
    lock = hold_lock(tmp_path / "neo4j")
    assert lock is not None
    with lock, pytest.raises(Conflict, match="in use by another process"):
        local_neo4j().start()


def test_files_of_a_server_that_was_killed_are_not_believed(local_neo4j: MakeServer) -> None:
    server = local_neo4j()
    first = server.start()
    ask(first.url, "CREATE (:Kept)")
    os.kill(first.pid, signal.SIGKILL)
    os.waitpid(first.pid, 0)
    assert (first.data_dir / "server.json").is_file()  # it could not tidy up
    assert server.status() is None

    second = server.start()
    assert second.pid != first.pid
    assert ask(second.url, "MATCH (n:Kept) RETURN count(n)") == [1]


def test_a_taken_port_is_named(local_neo4j: MakeServer) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        with pytest.raises(StoreUnavailable, match=f"port {port} .* is taken"):
            local_neo4j(port=port).start()


def test_a_port_that_is_taken_while_it_boots_is_left_for_another(
    local_neo4j: MakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        taken = other.getsockname()[1]
        ports = iter((taken, free_port()))
        monkeypatch.setattr(server_module, "free_port", lambda: next(ports))
        running = local_neo4j(port=ANY_PORT).start()
    assert running.port != taken
    assert ask(running.url, "RETURN 1") == [1]


def test_the_server_says_why_it_does_not_start(local_neo4j: MakeServer, tmp_path: Path) -> None:
    home = tmp_path / "neo4j" / "home"
    home.parent.mkdir()
    home.write_text("a file where a folder must be")
    with pytest.raises(StoreUnavailable, match=r"did not start: .*log is .*server\.log"):
        local_neo4j().start()
    assert local_neo4j().status() is None


def test_the_server_ends_with_the_process_that_started_it(local_neo4j: MakeServer) -> None:
    server = local_neo4j()
    script = (
        "import sys; from pathlib import Path; from muniment.engine.stores.neo4j.local.server import LocalNeo4j; "
        "print(LocalNeo4j(data_dir=Path(sys.argv[1]), port=0, end_with_parent=True, heap_mb=512).start().pid)"
    )
    source = str(Path(__file__).parents[2] / "src")
    done = subprocess.run(
        [sys.executable, "-c", script, str(server.data_dir)],
        env={**os.environ, "PYTHONPATH": source},
        capture_output=True,
        text=True,
        check=True,
    )
    pid = int(done.stdout)
    for _ in range(600):
        if not is_alive(pid):
            break
        time.sleep(0.1)
    assert not is_alive(pid)
    assert server.status() is None


def test_the_command_that_starts_it_names_what_was_asked_for(tmp_path: Path) -> None:
    asked = ["--version", "5.26", "--data", str(tmp_path / "a folder")]
    told = CliRunner().invoke(app, ["status", *asked]).stdout
    assert told.strip().endswith(f"muniment neo4j start --version 5.26 --data '{tmp_path / 'a folder'}'")


def test_the_command_line_starts_reports_and_stops(local_neo4j: MakeServer, tmp_path: Path) -> None:
    folder = local_neo4j().data_dir  # ends what a failing test leaves
    options = ["--data", str(folder), "--json"]
    runner = CliRunner()
    stopped = runner.invoke(app, ["status", *options])
    assert (stopped.exit_code, json.loads(stopped.stdout)["state"]) == (EXIT_NOT_RUNNING, "stopped")

    started = runner.invoke(app, ["start", "--port", "0", *options])
    assert started.exit_code == 0, started.output
    answer = json.loads(started.stdout)
    assert ask(answer["url"], "RETURN 1") == [1]
    assert json.loads(runner.invoke(app, ["status", *options]).stdout) == answer

    shown = runner.invoke(app, ["start", "--data", str(folder)])
    assert f"Store URL: {answer['url']}" in shown.stdout
    assert "GPLv3" in shown.stderr

    assert json.loads(runner.invoke(app, ["stop", *options]).stdout)["was_running"] is True
    assert not is_alive(answer["pid"])


@pytest.mark.parametrize(
    "options",
    [
        {"version": "4.4"},
        {"port": 70000},
        {"password": "without-auth"},
        {"auth": True, "password": "short"},
    ],
)
def test_what_cannot_work_is_refused_before_anything_starts(tmp_path: Path, options: dict[str, object]) -> None:
    with pytest.raises(Invalid):
        LocalNeo4j(data_dir=tmp_path, **options)  # type: ignore[arg-type]  # wrong values are the point
