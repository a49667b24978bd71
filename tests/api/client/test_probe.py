"""`muniment doctor --server` against a real server, a stopped one and one that is something else."""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from typer.testing import CliRunner

from muniment import __version__
from muniment.api.cli.main import app
from muniment.api.client.probe import probe
from muniment.graph_schema.errors import Invalid
from tests.api.client.live import Live


def test_a_server_that_is_well_says_so_and_whether_a_key_is_taken(server: Live) -> None:
    report = probe(server.url)
    assert (report["ok"], report["version"], report["status"], report["key"]) == (
        True, __version__, "ready", "not tried",
    )  # fmt: skip
    assert probe(server.url, key=server.key("acme", "reader"))["key"] == "taken"
    assert probe(server.url, key=server.key("", "operator"))["key"] == "taken"
    wrong = CliRunner().invoke(app, ["doctor", "--server", server.url, "--json"], env={"MUNIMENT_KEY": "mk_a_b"})
    assert wrong.exit_code == 5
    told = json.loads(wrong.stdout)
    assert (told["ok"], told["status"], told["key"]) == (False, "ready", "refused")
    assert CliRunner().invoke(app, ["doctor", "--server", server.url]).exit_code == 0


def test_nobody_and_somebody_else_are_told_apart() -> None:
    class Other(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b"hello")

        def log_message(self, format: str, *args: object) -> None:
            return

    other = ThreadingHTTPServer(("127.0.0.1", 0), Other)
    url = f"http://127.0.0.1:{other.server_port}"
    thread = threading.Thread(target=other.serve_forever)
    thread.start()
    try:
        assert probe(url)["status"] == "foreign"
    finally:
        other.shutdown()
        other.server_close()
        thread.join()
    gone = probe(url)
    assert (gone["ok"], gone["status"], gone["causes"]) == (False, "unreachable", ["ConnectError"])


@pytest.mark.parametrize("url", ["", "memory.example", "ftp://memory.example", "http://u:p@memory.example", "http://"])
def test_what_is_no_address_is_refused(url: str) -> None:
    with pytest.raises(Invalid):
        probe(url)


def test_a_key_does_not_cross_a_network_in_the_clear() -> None:
    with pytest.raises(Invalid, match="https"):
        probe("http://memory.example", key="mk_a_b")
