"""Logs as lines for people and machines: time, level, message, then what was passed beside it. Never a memory's text."""

from __future__ import annotations

import json
import logging
import sys
from typing import Final

from muniment.api.context import RequestIdFilter

_ALWAYS_THERE: Final = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName"}


class LineFormatter(logging.Formatter):
    """One JSON object a line."""

    def format(self, record: logging.LogRecord) -> str:
        told = {
            "at": self.formatTime(record, "%Y-%m-%dT%H:%M:%S%z"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
            **{name: value for name, value in vars(record).items() if name not in _ALWAYS_THERE and value != ""},
        }
        if record.exc_info and record.exc_info[0] is not None:
            told["error"] = record.exc_info[0].__name__  # its message may repeat a text
        return json.dumps(told, ensure_ascii=True, default=str)


def configure(level: str) -> None:
    """Sends the process's logs to standard error."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(LineFormatter())
    handler.addFilter(RequestIdFilter())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level.upper())
    logging.getLogger("uvicorn.access").disabled = True
    logging.getLogger("mcp").setLevel(logging.ERROR)  # below that it repeats messages and headers
