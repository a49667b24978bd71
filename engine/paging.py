"""Every item of a list that comes in pages, without handling its cursors."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from typing import Any, TypeVar

from muniment.engine.retrieve.browse import Slice

Item = TypeVar("Item")


async def every(verb: Callable[..., Awaitable[Slice[Item]]], **filters: Any) -> AsyncIterator[Item]:
    """All items of a list, page after page: `async for fact in every(memory.facts, relation="works_for")`.

    `limit` is then the size of a page. What others write meanwhile shifts nothing.
    """
    page = await verb(**filters)
    while True:
        for item in page.items:
            yield item
        if page.next_cursor is None:
            return
        page = await verb(**{**filters, "cursor": page.next_cursor})


def each(verb: Callable[..., Slice[Item]], **filters: Any) -> Iterator[Item]:
    """The same over the synchronous verbs: `for fact in each(memory.facts, relation="works_for")`."""
    page = verb(**filters)
    while True:
        yield from page.items
        if page.next_cursor is None:
            return
        page = verb(**{**filters, "cursor": page.next_cursor})
