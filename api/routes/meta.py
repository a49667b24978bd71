"""Routes that say how the service is; open to everybody, and silent about tenants."""

from __future__ import annotations

import logging
from typing import Any

from fastapi import APIRouter, Response

from muniment import __version__
from muniment.api.metrics import CONTENT_TYPE
from muniment.api.routes.parts import ServiceDep, answer

router = APIRouter(tags=["health"])
logger = logging.getLogger(__name__)


@router.get("/healthz", summary="Is the process alive?", response_model=dict[str, Any])
async def healthz(service: ServiceDep) -> Response:
    """Always 200; `degraded` where jobs fail or wait too long, or the store does not answer, with `causes`."""
    report = await service.health.report()
    status = "ok" if report.status == "ok" else "degraded"
    return answer({"status": status, "version": __version__, "causes": list(report.causes)})


@router.get(
    "/readyz",
    summary="Can it answer?",
    response_model=dict[str, Any],
    responses={503: {"description": "Not now; `causes` says why."}},
)
async def readyz(service: ServiceDep) -> Response:
    """Whether the store answers; `degraded`, but ready, where jobs fail or wait too long."""
    report = await service.health.report()
    if report.status == "unavailable":
        logger.error("the store does not answer", extra={"code": report.causes[0]})
        return answer({"status": "unavailable", "causes": list(report.causes)}, status=503)
    status = "ready" if report.status == "ok" else "degraded"
    return answer({"status": status, "causes": list(report.causes)})


@router.get("/metrics", summary="Counters for Prometheus", response_class=Response)
async def metrics(service: ServiceDep) -> Response:
    text = service.metrics.text(
        await service.health.report(), search_memory_bytes=service.engine.database.search_memory_bytes
    )
    return Response(text, headers={"Content-Type": CONTENT_TYPE})
