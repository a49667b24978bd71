"""Routes that say how the service is; open to everybody, and silent about tenants."""

from __future__ import annotations

import logging
from typing import Any

from fastapi import APIRouter, Response

from muniment import __version__
from muniment.api.metrics import CONTENT_TYPE
from muniment.api.routes.parts import ServiceDep, answer
from muniment.graph_schema.errors import MunimentError

router = APIRouter(tags=["health"])
logger = logging.getLogger(__name__)


@router.get("/healthz", summary="Is the process alive?", response_model=dict[str, Any])
async def healthz() -> Response:
    return answer({"status": "ok", "version": __version__})


@router.get(
    "/readyz",
    summary="Can it answer?",
    response_model=dict[str, Any],
    responses={503: {"description": "Not now; `causes` says why."}},
)
async def readyz(service: ServiceDep) -> Response:
    """Asks the store once."""
    try:
        await service.keys.is_empty()
    except MunimentError as error:
        logger.error("the store does not answer", extra={"code": error.code})
        return answer({"status": "unavailable", "causes": [error.code]}, status=503)
    return answer({"status": "ready", "causes": []})


@router.get("/metrics", summary="Counters for Prometheus", response_class=Response)
async def metrics(service: ServiceDep) -> Response:
    return Response(service.metrics.text(), headers={"Content-Type": CONTENT_TYPE})
