"""Keeps the memory of a process that runs for long near what it uses.

The C library gives each thread a pool of its own to take memory from, and what one thread freed in its pool the others cannot
have; threads of a service come and go at its work, so such memory piles up for hours without being in use. Two pools and a fixed
size from which on memory is given back at once keep some 50 MiB less, at the same speed.
"""

from __future__ import annotations

import ctypes
import gc
from typing import Final

# glibc's malloc.h: the number of each setting, its value here, and the variable by which an operator sets it.
_SETTINGS: Final = (
    (-8, 2, "MALLOC_ARENA_MAX"),  # pools
    (-3, 1024 * 1024, "MALLOC_MMAP_THRESHOLD_"),  # bytes: what is as large has a place of its own, given back with it
    (-1, 4 * 1024 * 1024, "MALLOC_TRIM_THRESHOLD_"),  # bytes that may lie free at the end of the first pool
)


def settle() -> bool:
    """To be called before threads start: whether the C library took the settings, which is glibc's alone to do.

    What stands in the environment is the operator's, and stays as it is.
    """
    from muniment.engine.settings import is_set_for_all

    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (AttributeError, OSError, TypeError):
        return False
    taken = [mallopt(number, value) == 1 for number, value, name in _SETTINGS if not is_set_for_all(name)]
    return all(taken)


def leave_alone_what_stays() -> None:
    """Takes the modules and routes that are there out of what full collections walk, in the midst of requests.

    The second collection, over nothing, lets the collector count from there: else it waits until as much again as a quarter of
    all that was taken out is garbage.
    """
    gc.collect()
    gc.freeze()
    gc.collect()
