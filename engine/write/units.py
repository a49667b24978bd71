"""One transaction of work, done anew where the store took it back in favour of another."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from typing import Final, TypeVar

from muniment.engine.ports.store import TenantStore, Unit
from muniment.graph_schema.errors import StoreUnavailable

logger = logging.getLogger(__name__)

TRIES: Final = 5

Result = TypeVar("Result")


async def in_unit(store: TenantStore, work: Callable[[Unit], Awaitable[Result]]) -> Result:
    """What `work` gives, once its transaction is committed; it may be run up to `TRIES` times, each time in one anew.

    So it must change nothing but the unit. Raises what `work` and the store raise; then nothing of it was written.
    """
    for attempt in range(1, TRIES + 1):
        try:
            async with store.write() as unit:
                return await work(unit)
        except StoreUnavailable as error:
            if not error.gave_way or attempt == TRIES:
                raise
            logger.info("write tried again", extra={"attempt": attempt})
    raise AssertionError("unreachable: the last try returns or raises")
