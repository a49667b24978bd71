"""What a long-running process asks of the C library and of the garbage collector."""

from __future__ import annotations

import platform
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
# How many pools the C library made for threads that all held memory of their own at the same time.
POOLS = """
import ctypes, gc, re, sys, threading
from muniment.api.cli import allocator

taken = allocator.settle() if "settle" in sys.argv else None
together = threading.Barrier(9)

def hold():
    libc.malloc(50_000)
    together.wait()

libc = ctypes.CDLL(None)
libc.malloc.argtypes, libc.malloc.restype = [ctypes.c_size_t], ctypes.c_void_p
threads = [threading.Thread(target=hold) for _ in range(8)]
for thread in threads:
    thread.start()
together.wait()
for thread in threads:
    thread.join()
libc.fopen.restype = ctypes.c_void_p
libc.malloc_info.argtypes = [ctypes.c_int, ctypes.c_void_p]
libc.fclose.argtypes = [ctypes.c_void_p]
file = libc.fopen(sys.argv[1].encode(), b"w")
libc.malloc_info(0, file)
libc.fclose(file)
print(taken, len(re.findall("<heap ", open(sys.argv[1]).read())))
"""


def pools(file: Path, *words: str, **more: str) -> list[str]:
    command = [sys.executable, "-c", POOLS, str(file), *words]
    environment = {"PYTHONPATH": str(ROOT / "src"), **more}
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout.split()


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="another C library has no such pools")
def test_threads_share_two_pools_unless_the_operator_says_otherwise(tmp_path: Path) -> None:
    before = int(pools(tmp_path / "before")[1])
    assert before > 2
    assert pools(tmp_path / "after", "settle") == ["True", "2"]
    assert pools(tmp_path / "own", "settle", MALLOC_ARENA_MAX="3") == ["True", "3"]


def test_what_stays_is_walked_no_more_and_garbage_is_found_soon() -> None:
    script = (
        "import gc\n"
        "from muniment.api.cli import allocator\n"
        "stays = [[] for _ in range(1_000_000)]\n"
        "allocator.leave_alone_what_stays()\n"
        "assert gc.get_freeze_count() > 1_000_000\n"
        "full = gc.get_stats()[2]['collections']\n"
        "kept = [[] for _ in range(150_000)]\n"  # far fewer than a quarter of what stays
        "assert gc.get_stats()[2]['collections'] > full\n"
    )
    subprocess.run([sys.executable, "-c", script], env={"PYTHONPATH": str(ROOT / "src")}, check=True)
