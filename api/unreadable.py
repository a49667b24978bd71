"""How the server answers what is no request at all, such as an address longer than its reader takes.

The application never sees it; without this the server would answer in plain text, and everything else that is wrong is a
problem (RFC 9457).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from muniment.api.context import REQUEST_ID_HEADER, request_id_from
from muniment.api.errors import PROBLEM_TYPE
from muniment.api.middleware import SECURITY_HEADERS, UNREADABLE
from muniment.api.rendering import json_bytes

if TYPE_CHECKING:
    from asyncio import Protocol

_LINGER_S: Final = 2.0


def answer_to_unreadable() -> bytes:
    """The whole answer, after which the connection is closed."""
    request_id = request_id_from(None)
    body = json_bytes(UNREADABLE.body(request_id))
    headers = {
        "Content-Type": PROBLEM_TYPE,
        "Content-Length": str(len(body)),
        "Connection": "close",
        REQUEST_ID_HEADER: request_id,
        **SECURITY_HEADERS,
    }
    lines = ["HTTP/1.1 400 Bad Request", *(f"{name}: {value}" for name, value in headers.items())]
    return "\r\n".join(lines).encode("ascii") + b"\r\n\r\n" + body


def http_protocol() -> type[Protocol]:
    """The server's reader of requests, whichever is installed, with answers of ours."""
    from uvicorn.protocols.http.auto import AutoHTTPProtocol

    reader: Any = AutoHTTPProtocol

    class Reader(reader):  # type: ignore[misc]  # one of two classes without a common type
        refused = False

        def data_received(self, data: bytes) -> None:
            if not self.refused:
                super().data_received(data)

        def send_400_response(self, msg: str) -> None:
            # To close with something unread would reset the connection, and the sender would not see the answer: what it
            # still sends is let go, for a moment.
            self.refused = True
            self.transport.write(answer_to_unreadable())
            if self.transport.can_write_eof():
                self.transport.write_eof()
            self.loop.call_later(_LINGER_S, self.transport.close)

    return Reader
