"""The server's own process: boots Neo4j inside a Java machine, and ends it cleanly on SIGTERM.

Run by `LocalNeo4j` as `python -m muniment.engine.stores.neo4j.local.child`, with its orders as one JSON line on standard
input, since the password must not stand among the arguments, where every user of the machine can read it.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
import time
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from types import FrameType
from typing import Any

from muniment.engine.stores.neo4j.local.state import (
    HOST,
    Phase,
    Release,
    ServerState,
    clear_state,
    hold_lock,
    write_release,
    write_state,
)

EXIT_FAILED = 1
EXIT_FOLDER_TAKEN = 3
_POLL_S = 0.5
_DATABASE_WAIT_MS = 60_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Orders:
    """What the parent wants to run."""

    version: str
    jvm_library: str
    jvm_options: tuple[str, ...]
    jars: tuple[str, ...]
    data_dir: str
    port: int
    auth: bool
    password: str | None
    heap_mb: int
    page_cache_mb: int
    watch_pid: int | None  # end when this process, our parent, is gone

    def to_line(self) -> str:
        """One line of JSON, read back by `from_line`."""
        return json.dumps(asdict(self))

    @classmethod
    def from_line(cls, line: str) -> Orders:
        """The orders that `to_line` wrote."""
        raw = json.loads(line)
        return cls(**{**raw, "jvm_options": tuple(raw["jvm_options"]), "jars": tuple(raw["jars"])})


def main() -> int:
    """Serves until told to end. Exit code 0 after a clean shutdown."""
    orders = Orders.from_line(sys.stdin.readline())
    data_dir = Path(orders.data_dir)
    lock = hold_lock(data_dir)
    if lock is None:
        print(f"another server holds {data_dir}", flush=True)
        return EXIT_FOLDER_TAKEN
    stopping = threading.Event()
    state = ServerState(
        phase=Phase.STARTING, pid=os.getpid(), version=orders.version, port=orders.port, auth=orders.auth
    )
    write_state(data_dir, state)
    if orders.watch_pid is not None:
        threading.Thread(target=_watch_parent, args=(orders.watch_pid, stopping), daemon=True).start()
    try:
        management = _boot(orders, stopping)
    except Exception as error:
        # Java's exceptions have no narrower common type here; the parent tells the user what this says.
        write_state(data_dir, replace(state, phase=Phase.FAILED, detail=_describe(error)))
        print(f"FAILED {_describe(error)}", flush=True)
        return EXIT_FAILED
    write_release(data_dir, Release(version=orders.version, port=orders.port))
    write_state(data_dir, replace(state, phase=Phase.READY))
    print(f"READY {state.url} pid {os.getpid()}", flush=True)
    while not stopping.wait(_POLL_S):
        pass
    management.shutdown()
    clear_state(data_dir)
    print("STOPPED", flush=True)
    lock.close()
    return 0


def _boot(orders: Orders, stopping: threading.Event) -> Any:
    """Neo4j's management service, with Bolt open and the database available."""
    import jpype

    jpype.startJVM(
        orders.jvm_library,
        f"-Xms{min(512, orders.heap_mb)}m",
        f"-Xmx{orders.heap_mb}m",
        "-Xrs",  # signals are ours: else the Java machine ends at once, without Neo4j's shutdown
        *orders.jvm_options,
        classpath=list(orders.jars),
    )

    def on_signal(_number: int, _frame: FrameType | None) -> None:
        stopping.set()

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, on_signal)

    builder_class = jpype.JClass("org.neo4j.dbms.api.DatabaseManagementServiceBuilder")
    path_of = jpype.JClass("java.nio.file.Path").of
    conf = Path(orders.data_dir) / "neo4j.conf"
    conf.write_text("".join(f"{name}={value}\n" for name, value in _settings(orders).items()), encoding="utf-8")
    home = path_of(str(Path(orders.data_dir) / "home"))
    management = builder_class(home).loadPropertiesFromFile(path_of(str(conf))).build()
    if not management.database("neo4j").isAvailable(_DATABASE_WAIT_MS):
        raise TimeoutError("the database did not become available")
    if orders.auth and orders.password is not None:
        _set_password(management, orders.password)
    return management


def _settings(orders: Orders) -> dict[str, str]:
    address = f"{HOST}:{orders.port}"
    return {
        "server.default_listen_address": HOST,
        "server.bolt.enabled": "true",
        "server.bolt.listen_address": address,
        "server.bolt.advertised_address": address,
        "dbms.security.auth_enabled": "true" if orders.auth else "false",
        "server.memory.pagecache.size": f"{orders.page_cache_mb}m",
        "db.transaction.timeout": "300s",
        # Made for servers with backups and replicas: half a gigabyte of empty log from the start, two once it is used.
        "db.tx_log.preallocate": "false",
        "db.tx_log.rotation.retention_policy": "256M size",
        # The databases are closed in half a second; without these Bolt then waits ten more for nobody.
        "internal.server.bolt.thread_pool_shutdown_wait_time": "1s",
        "internal.server.bolt.connection_shutdown_wait_time": "1s",
        "dbms.usage_report.enabled": "false",  # on by default: it would report to Neo4j's makers
    }


def _set_password(management: Any, password: str) -> None:
    import jpype

    parameters = jpype.JClass("java.util.HashMap")()
    parameters.put("password", password)
    management.database("system").executeTransactionally(
        "ALTER USER neo4j SET PLAINTEXT PASSWORD $password CHANGE NOT REQUIRED", parameters
    )


def _describe(error: BaseException) -> str:
    """The innermost cause: Neo4j wraps what matters in several layers of "failed to start"."""
    cause: Any = error
    while getattr(cause, "getCause", None) is not None and cause.getCause() is not None:
        cause = cause.getCause()
    return " ".join(str(cause).split()) or type(cause).__name__


def _watch_parent(parent_pid: int, stopping: threading.Event) -> None:
    """Ends this process when its parent is gone, be it by kill -9: nobody else would."""
    while os.getppid() == parent_pid:
        time.sleep(_POLL_S)
    stopping.set()


if __name__ == "__main__":
    code = main()
    sys.stdout.flush()
    # Java keeps threads that are no daemons; after a shutdown nothing of theirs is worth waiting for.
    os._exit(code)
