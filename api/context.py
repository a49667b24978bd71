"""What belongs to one request and is needed far from it: its id, in answers, logs and audit rows."""

from __future__ import annotations

import logging
import re
import secrets
from typing import Final

from starlette.requests import HTTPConnection

from muniment.engine.ports.request import current_request_id

REQUEST_ID_HEADER: Final = "X-Request-Id"
_ACCEPTED: Final = re.compile(r"[A-Za-z0-9._:\-]{1,128}")


def request_id_from(given: str | None) -> str:
    """The caller's own id where it is a plain one, else a new one: it goes into logs, so not every text may."""
    return given if given is not None and _ACCEPTED.fullmatch(given) else f"req_{secrets.token_hex(8)}"


def request_id_of(connection: HTTPConnection) -> str:
    """The id of a request; the same in its answer, in the logs and in the audit log."""
    return str(connection.scope.get("muniment_request_id", ""))


class RequestIdFilter(logging.Filter):
    """Adds the id of the request under way to every log record."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.request_id = current_request_id.get()
        return True
