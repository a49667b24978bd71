"""`make fuzz`: schemathesis with all its checks against a served store, for as long as is asked for.

    python -m tests.fuzzing --stores sqlite,neo4j-2026 --minutes 30

The short look that the tests take (`tests/api/test_fuzz.py`) is the same in kind. Operations that would end the run (they
revoke the key it goes by, or empty the tenant) have a run of their own, with a key of their own.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from tests.benchmarks.__main__ import STORES, store_of
from tests.benchmarks.serving import TENANT, create_key, served

CONFIG: Final = Path(__file__).with_name("schemathesis.toml")
# What ends a run that goes by an administrator's key: it revokes the key, empties the tenant, or tells it to store nothing.
_ENDING: Final = ("^/v1/keys/", "^/v1/purge", "^/v1/settings")
_OPERATING: Final = "^/v1/tenants"
_TIME: Final = {"the most": 0.7, "what ends a run": 0.15, "tenants": 0.15}
_SETTINGS: Final = {"MUNIMENT_FAILED_KEYS_PER_MINUTE": "1000000", "MUNIMENT_READ_AFTER_WAIT_S": "0.1"}


def main() -> None:
    """Runs on each store; ends with 1 where anything failed."""
    reader = argparse.ArgumentParser(prog="python -m tests.fuzzing", description=__doc__)
    reader.add_argument("--stores", default="sqlite", help=f"some of {','.join(STORES)}")
    reader.add_argument("--minutes", type=float, default=30, help="for each store")
    given = reader.parse_args()
    failed = [store for store in given.stores.split(",") if not run(store, minutes=given.minutes)]
    sys.exit(f"failed on {', '.join(failed)}" if failed else 0)


def run(store: str, *, minutes: float) -> bool:
    """Whether every check held on a new store."""
    with store_of(store) as (url, _), served(url, **_SETTINGS) as (port, key, _):
        ending = create_key(url, tenant="other", role="admin")
        operator = create_key(url, tenant=TENANT, role="operator")
        runs = {
            "the most": (key, ["--exclude-path-regex", "|".join((*_ENDING, _OPERATING))]),
            "what ends a run": (ending, ["--include-path-regex", "|".join(_ENDING)]),
            "tenants": (operator, ["--include-path-regex", _OPERATING]),
        }
        good = True
        for name, (by, paths) in runs.items():
            print(f"==> {store}: {name}", flush=True)
            good &= _schemathesis(port, by, paths, seconds=max(5, round(minutes * 60 * _TIME[name])))
        return good


def _schemathesis(port: int, key: str, paths: Sequence[str], *, seconds: int) -> bool:
    with tempfile.TemporaryDirectory(prefix="muniment-fuzz-") as folder:  # it leaves files where it runs
        done = subprocess.run(
            [
                str(Path(sys.executable).with_name("schemathesis")),
                *("--config-file", str(CONFIG), "run", f"http://127.0.0.1:{port}/openapi.json"),
                *(
                    "--max-time",
                    str(seconds),
                    "--continue-on-failure",
                ),  # every check is on, but where the file says why not
                *("--header", f"Authorization: Bearer {key}", *paths),
            ],
            cwd=folder,
            env={**os.environ, "NO_COLOR": "1"},
        )
    return done.returncode == 0


if __name__ == "__main__":
    main()
