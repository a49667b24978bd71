"""`muniment serve` with TLS as a process of its own, whose workers do a job and tell a receiver of it."""

from __future__ import annotations

import signal
import ssl
import subprocess
import time
from pathlib import Path

import httpx

from muniment.engine.stores.neo4j.local.ports import free_port
from tests.api.calling import EPISODE
from tests.api.test_server_process import ANSWERS_WITHIN_S, PROGRAM, ROOT, Server, environment
from tests.api.test_webhooks import Receiver, certificate


class TlsServer(Server):
    """A server that speaks TLS and may call receivers on this machine."""

    def __init__(self, store: str, log: Path, folder: Path) -> None:
        self.chain, key = certificate(folder, "localhost")
        self.log = log.open("wb")
        options = ["--tls-certificate", str(self.chain), "--tls-key", str(key)]
        settings = {"MUNIMENT_WEBHOOKS": "true", "MUNIMENT_WEBHOOK_NETWORKS": "127.0.0.0/8"}
        self.port = free_port()
        command = [*PROGRAM, "serve", "--store", store, "--port", str(self.port), *options]
        self.process = subprocess.Popen(
            command, cwd=ROOT, env={**environment(), **settings}, stdout=self.log, stderr=self.log
        )
        trust = ssl.create_default_context(cafile=str(self.chain))
        self.client = httpx.Client(base_url=f"https://localhost:{self.port}", timeout=30, verify=trust)


def test_a_server_with_tls_does_jobs_and_tells_of_them(tmp_path: Path) -> None:
    log, receiver = tmp_path / "server.log", Receiver()
    server = TlsServer(f"sqlite:///{tmp_path / 'served.db'}", log, tmp_path)
    try:
        server.wait()
        key = next(line for line in log.read_text().splitlines() if line.startswith("mk_"))
        headers = {"Authorization": f"Bearer {key}"}
        hook = {"url": receiver.url, "events": ["job.done"]}
        made = server.client.post("/v1/webhooks", json=hook, headers=headers)
        assert made.status_code == 200, made.text
        assert "max-age" in made.headers["strict-transport-security"]
        body = {"episodes": [EPISODE], "mode": "async"}
        job = server.client.post("/v1/episodes", json=body, headers=headers).json()["job"]
        until = time.monotonic() + ANSWERS_WITHIN_S
        while not receiver.got and time.monotonic() < until:
            time.sleep(0.1)
        assert [(one["type"], one["data"]["job"]) for one in receiver.told()] == [("job.done", job)]
        server.client.close()  # one that idles and does not answer the end of TLS is waited for, 30 seconds at most
        server.process.send_signal(signal.SIGTERM)
        assert server.process.wait(timeout=30) == 0
        assert made.json()["secret"] not in log.read_text()
    finally:
        server.client.close()
        if server.process.poll() is None:
            server.process.kill()
            server.process.wait()
        server.log.close()
        receiver.close()
