"""Products on one thread: several threads gain a millisecond on an idle machine and lose many on a busy one, where they spin."""

from __future__ import annotations

from contextlib import AbstractContextManager
from functools import cache
from importlib import import_module
from typing import Any


@cache
def _controller() -> Any:
    """Found once, after numpy has loaded its library; finding it costs more than a search."""
    threadpoolctl: Any = import_module("threadpoolctl")  # it has no types
    return threadpoolctl.ThreadpoolController()


def on_one_thread() -> AbstractContextManager[Any]:
    """Within it numpy multiplies on the calling thread only."""
    limited: AbstractContextManager[Any] = _controller().limit(limits=1, user_api="blas")
    return limited
