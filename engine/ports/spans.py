"""Spans of what the engine does, for OpenTelemetry where that is installed; nothing where it is not.

Where they go is for the SDK that the operator sets up (`opentelemetry-instrument muniment serve`); without one they cost a
few microseconds. Attributes are ids, names of stages and counts: never a memory's text, a question or a key, and
of an error its class and code only, since its message may repeat a text.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from types import ModuleType
from typing import Any, Final, Literal

from muniment.graph_schema.errors import MunimentError

Value = str | int | float | bool
SpanKind = Literal["internal", "server", "consumer"]

PREFIX: Final = "muniment."


class Span:
    """A span under way."""

    def __init__(self, inner: Any = None) -> None:
        self._inner = inner

    def set(self, **attributes: Value) -> None:
        """Adds attributes, each under our prefix."""
        if self._inner is not None:
            self._inner.set_attributes({PREFIX + name: value for name, value in attributes.items()})

    def set_plain(self, attributes: Mapping[str, Value]) -> None:
        """Adds attributes under their own names, such as those that OpenTelemetry fixes."""
        if self._inner is not None:
            self._inner.set_attributes(dict(attributes))

    def rename(self, name: str) -> None:
        if self._inner is not None:
            self._inner.update_name(name)

    def failed(self, kind: str, code: str = "") -> None:
        """Marks it as an error, by the error's class and code."""
        if self._inner is not None:
            api = _api()
            assert api is not None
            self._inner.set_attributes({"error.type": kind, **({PREFIX + "code": code} if code else {})})
            self._inner.set_status(api.Status(api.StatusCode.ERROR))


_NOTHING: Final = Span()


@contextmanager
def span(
    name: str, /, *, kind: SpanKind = "internal", headers: Mapping[str, str] | None = None, **attributes: Value
) -> Iterator[Span]:
    """A span around a block, below the one that is open here, or the one that `headers` (W3C trace context) name."""
    api = _api()
    if api is None or isinstance(api.get_tracer_provider(), api.ProxyTracerProvider):  # nobody has set the SDK up
        yield _NOTHING
        return
    with api.get_tracer("muniment").start_as_current_span(
        name,
        kind=api.SpanKind[kind.upper()],
        context=_context_in(headers) if headers is not None else None,
        attributes={PREFIX + key: value for key, value in attributes.items()},
        record_exception=False,
        set_status_on_exception=False,
    ) as inner:
        opened = Span(inner)
        try:
            yield opened
        except Exception as error:
            opened.failed(type(error).__name__, error.code if isinstance(error, MunimentError) else "")
            raise


@cache
def _api() -> ModuleType | None:
    """OpenTelemetry's tracing API, looked for when the first span is opened."""
    try:
        from opentelemetry import trace
    except ImportError:
        return None
    return trace


def _context_in(headers: Mapping[str, str]) -> Any:
    from opentelemetry import propagate

    return propagate.extract(headers)
