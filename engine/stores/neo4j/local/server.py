"""Starting, asking after and stopping a local Neo4j server."""

from __future__ import annotations

import importlib.util
import logging
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from muniment.engine.stores.neo4j.local import child
from muniment.engine.stores.neo4j.local.folders import default_cache_dir, default_data_dir
from muniment.engine.stores.neo4j.local.jars import OnProgress, ensure_jars, pinned_jars
from muniment.engine.stores.neo4j.local.ports import free_port, is_free
from muniment.engine.stores.neo4j.local.runtime import ensure_runtime, find_jvm
from muniment.engine.stores.neo4j.local.state import (
    HOST,
    Phase,
    ServerState,
    clear_state,
    lock_holder,
    log_file,
    read_release,
    read_state,
)
from muniment.engine.stores.neo4j.local.versions import DEFAULT_VERSION, ServerVersion, Tuning, find_version
from muniment.graph_schema.errors import Conflict, Invalid, StoreUnavailable

logger = logging.getLogger(__name__)

USUAL_PORT = 7687
ANY_PORT = 0
# Neo4j refuses shorter ones, but only after a boot of ten seconds.
MIN_PASSWORD_LENGTH = 8
_START_TIMEOUT_S = 180.0
_STOP_TIMEOUT_S = 60.0
_KILL_TIMEOUT_S = 10.0
_POLL_S = 0.05
_PORT_TRIES = 3
_PORT_TAKEN = "Address already in use"


@dataclass(frozen=True, slots=True, kw_only=True)
class RunningNeo4j:
    """A server that answers. Without `auth` anyone on this machine may use it."""

    url: str
    version: str
    pid: int
    port: int
    data_dir: Path
    auth: bool
    reused: bool = False  # it was running already


class LocalNeo4j:
    """One local Neo4j Community server and its data folder.

    The server is a process of its own and outlives this object, unless `end_with_parent` is set. It listens on 127.0.0.1
    only. Any number of objects may name the same folder: what is true is read from the folder.
    """

    def __init__(
        self,
        version: str = DEFAULT_VERSION,
        *,
        data_dir: Path | None = None,
        port: int | None = None,
        auth: bool = False,
        password: str | None = None,
        cache_dir: Path | None = None,
        download: bool = True,
        repository_url: str | None = None,
        end_with_parent: bool = False,
        heap_mb: int = 1024,
        page_cache_mb: int = 256,
        tuning: Tuning = Tuning.THROUGHPUT,
    ) -> None:
        """Names a server; nothing is started or written yet.

        `port` None means the one it had last, else 7687, else any free one; ANY_PORT means any free one. `password` is that of
        the user `neo4j` from this start on; it may be left out once it was set. `end_with_parent` ends the server when the
        process that started it is gone, however that ended. Raises Invalid for a version, port or password that cannot work.
        """
        self.version: ServerVersion = find_version(version)
        self.data_dir = (data_dir or default_data_dir(self.version.series)).expanduser().resolve()
        self.cache_dir = (cache_dir or default_cache_dir()).expanduser().resolve()
        if port is not None and not 0 <= port <= 65535:
            raise Invalid(f"port: {port} is not between 0 and 65535", field="port")
        if password is not None and not auth:
            raise Invalid("password: given for a server without authentication; ask for auth too", field="password")
        if password is not None and len(password) < MIN_PASSWORD_LENGTH:
            raise Invalid(f"password: Neo4j wants at least {MIN_PASSWORD_LENGTH} characters", field="password")
        self._port = port
        self._auth = auth
        self._password = password
        self._download = download
        self._repository_url = repository_url
        self._end_with_parent = end_with_parent
        self._heap_mb = heap_mb
        self._page_cache_mb = page_cache_mb
        self._tuning = tuning

    def start(self, *, on_progress: OnProgress | None = None, timeout_s: float = _START_TIMEOUT_S) -> RunningNeo4j:
        """The running server, started now unless it runs already.

        The first start of a release downloads it. Raises Conflict when the folder belongs to another release or its running
        server has another port or authentication than asked for; StoreUnavailable when it cannot be had or does not come up
        within `timeout_s`, with the place of its log.
        """
        running = self.status()
        if running is not None:
            return self._same_or_conflict(running)
        self._check_release()
        if importlib.util.find_spec("jpype") is None:  # the process that loads it can only say so in its log
            raise StoreUnavailable("JPype1 is not installed; run: pip install 'muniment[neo4j-local]'")
        runtime = ensure_runtime(self.version, cache_dir=self.cache_dir, download=self._download)
        jars = ensure_jars(
            self.version,
            cache_dir=self.cache_dir,
            download=self._download,
            repository_url=self._repository_url,
            on_progress=on_progress,
        )
        self.data_dir.mkdir(parents=True, exist_ok=True)
        orders = child.Orders(
            version=self.version.full,
            jvm_library=str(find_jvm(runtime)),
            jvm_options=(*self.version.jvm_options, *self._tuning.jvm_options),
            jars=tuple(str(jars / jar.file_name) for jar in pinned_jars(self.version)),
            data_dir=str(self.data_dir),
            port=self._choose_port(),
            auth=self._auth,
            password=self._password,
            heap_mb=self._heap_mb,
            page_cache_mb=self._page_cache_mb,
            watch_pid=os.getpid() if self._end_with_parent else None,
        )
        state = self._launch_until_ready(orders, timeout_s)
        logger.info("local neo4j started", extra={"version": state.version, "port": state.port, "pid": state.pid})
        return self._running(state, reused=False)

    def _launch_until_ready(self, orders: child.Orders, timeout_s: float) -> ServerState:
        for _ in range(_PORT_TRIES - 1):
            try:
                return self._launch_once(orders, timeout_s)
            except StoreUnavailable as error:
                # The seconds of its boot are long enough for somebody else to take the port that was free.
                if self._port or _PORT_TAKEN not in str(error):
                    raise
                logger.info("local neo4j lost its port", extra={"port": orders.port})
                orders = replace(orders, port=free_port())
        return self._launch_once(orders, timeout_s)

    def _launch_once(self, orders: child.Orders, timeout_s: float) -> ServerState:
        process = self._launch(orders)
        try:
            return self._wait_until_ready(process, timeout_s)
        except BaseException:
            _end(process)
            raise

    def status(self) -> RunningNeo4j | None:
        """The server that runs in the data folder and answers, of whatever release; None when there is none."""
        if lock_holder(self.data_dir) is None:
            return None
        state = read_state(self.data_dir)
        if state is None or state.phase is not Phase.READY:
            return None
        return self._running(state, reused=True)

    def stop(self, *, timeout_s: float = _STOP_TIMEOUT_S) -> bool:
        """Ends the server of the data folder after its clean shutdown; False when none was running.

        One that is still there after `timeout_s` is killed: Neo4j recovers from its log at the next start.
        """
        pid = lock_holder(self.data_dir)
        if pid is None:
            if self.data_dir.is_dir():
                clear_state(self.data_dir)
            return False
        _signal(pid, signal.SIGTERM)
        if not self._wait_until_free(timeout_s):
            logger.info("local neo4j is killed before its shutdown is done", extra={"pid": pid})
            _signal(pid, signal.SIGKILL)
            if not self._wait_until_free(_KILL_TIMEOUT_S):
                raise StoreUnavailable(f"the server process {pid} cannot be ended")
        _reap(pid)
        clear_state(self.data_dir)
        logger.info("local neo4j stopped", extra={"pid": pid})
        return True

    def _running(self, state: ServerState, *, reused: bool) -> RunningNeo4j:
        return RunningNeo4j(
            url=state.url,
            version=state.version,
            pid=state.pid,
            port=state.port,
            data_dir=self.data_dir,
            auth=state.auth,
            reused=reused,
        )

    def _same_or_conflict(self, running: RunningNeo4j) -> RunningNeo4j:
        wanted = (self.version.full, self._port or running.port, self._auth)
        if wanted != (running.version, running.port, running.auth):
            raise Conflict(
                f"{self.data_dir} is in use by Neo4j {running.version} on port {running.port} "
                f"(authentication {'on' if running.auth else 'off'}); stop it first"
            )
        return running

    def _check_release(self) -> None:
        release = read_release(self.data_dir)
        if release is not None and release.version != self.version.full:
            raise Conflict(
                f"{self.data_dir} was made by Neo4j {release.version} and is not opened with {self.version.full}; "
                "choose another data folder"
            )

    def _choose_port(self) -> int:
        if self._port is not None and self._port != ANY_PORT:
            if not is_free(self._port):
                raise StoreUnavailable(f"port {self._port} on {HOST} is taken; choose another one")
            return self._port
        if self._port is None:
            release = read_release(self.data_dir)
            for port in (release.port, USUAL_PORT) if release else (USUAL_PORT,):
                if is_free(port):
                    return port
        return free_port()

    def _launch(self, orders: child.Orders) -> subprocess.Popen[str]:
        # The child must find the same `muniment`, also where it is on the path by pytest's setting only.
        package_root = str(Path(__file__).parents[5])
        paths = [package_root, *filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))]
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
        with log_file(self.data_dir).open("a", encoding="utf-8") as log:
            process = subprocess.Popen(
                [sys.executable, "-m", child.__name__],
                stdin=subprocess.PIPE,
                stdout=log,
                stderr=subprocess.STDOUT,
                cwd=self.data_dir,
                env=environment,
                text=True,
                start_new_session=True,  # Ctrl+C in the user's terminal is not meant for the server
            )
        assert process.stdin is not None
        with suppress(BrokenPipeError):  # it died at once; the wait says why
            process.stdin.write(orders.to_line() + "\n")
            process.stdin.close()
        return process

    def _wait_until_ready(self, process: subprocess.Popen[str], timeout_s: float) -> ServerState:
        deadline = time.monotonic() + timeout_s
        while time.monotonic() < deadline:
            code = process.poll()
            state = read_state(self.data_dir)
            if state is not None and state.pid == process.pid and state.phase is Phase.READY and code is None:
                return state
            if code == child.EXIT_FOLDER_TAKEN:
                raise Conflict(f"{self.data_dir} is being started or in use by another process")
            if code is not None:
                detail = state.detail if state is not None and state.pid == process.pid else ""
                raise StoreUnavailable(
                    f"Neo4j {self.version.full} did not start: {detail or f'exit code {code}'}; "
                    f"its log is {log_file(self.data_dir)}"
                )
            time.sleep(_POLL_S)
        raise StoreUnavailable(
            f"Neo4j {self.version.full} was not ready after {timeout_s:.0f} s; its log is {log_file(self.data_dir)}"
        )

    def _wait_until_free(self, timeout_s: float) -> bool:
        deadline = time.monotonic() + timeout_s
        while lock_holder(self.data_dir) is not None:
            if time.monotonic() > deadline:
                return False
            time.sleep(_POLL_S)
        return True


def _signal(pid: int, number: signal.Signals) -> None:
    if pid > 0:  # 0 is a server that has not written its id yet; to the kernel it would mean our whole group
        with suppress(ProcessLookupError):
            os.kill(pid, number)


def _reap(pid: int) -> None:
    """Collects the exit of a child of ours, so that no zombie is left; another process's child is not ours to collect."""
    with suppress(ChildProcessError):
        os.waitpid(pid, 0)


def _end(process: subprocess.Popen[str]) -> None:
    if process.poll() is None:
        process.kill()
    process.wait()
