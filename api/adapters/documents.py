"""What a found memory says about itself, for frameworks that pass texts with metadata around."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from muniment.api import shapes

if TYPE_CHECKING:
    from muniment.engine.rank.hits import Hit


def metadata_of(hit: Hit, *, trace_id: str) -> dict[str, Any]:
    """Id, kind, status, dates (RFC 3339 or None), score with its parts, path, and the evidence with quotes; the trace to
    `explain` it by, and the episodes that it is or cites.

    Plain JSON values throughout, so that it survives whatever a framework keeps it in.
    """
    told = shapes.hit(hit)
    del told["text"]
    return {**told, "episodes": list(hit.episodes), "trace_id": trace_id}
