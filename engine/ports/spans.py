"""Spans of what the engine does, for OpenTelemetry where that is installed, and for whoever observes them here.

Where they go is for the SDK that the operator sets up (`opentelemetry-instrument muniment serve`); without one they cost a
few microseconds. Attributes are ids, names of stages and counts: never a memory's text, a question or a key, and
of an error its class and code only, since its message may repeat a text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from time import perf_counter
from types import ModuleType
from typing import Any, Final, Literal

from muniment.graph_schema.errors import MunimentError

Value = str | int | float | bool
SpanKind = Literal["internal", "server", "consumer"]

PREFIX: Final = "muniment."

Observer = Callable[[str, float, Mapping[str, Value]], None]
"""Hears of each span that ended without an error: its name, seconds and attributes (without the prefix)."""

_observer: ContextVar[Observer | None] = ContextVar("span_observer", default=None)


@contextmanager
def observing(observer: Observer) -> Iterator[None]:
    """Lets `observer` hear of the spans in this block and in the tasks that it starts."""
    token = _observer.set(observer)
    try:
        yield
    finally:
        _observer.reset(token)


class Span:
    """A span under way."""

    def __init__(self, inner: Any = None, *, heard: dict[str, Value] | None = None) -> None:
        self._inner = inner
        self._heard = heard  # what an observer is told, where there is one

    def set(self, **attributes: Value) -> None:
        """Adds attributes, each under our prefix."""
        if self._heard is not None:
            self._heard.update(attributes)
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
    observer = _observer.get()
    if observer is None:
        with _traced(name, kind, headers, attributes, None) as opened:
            yield opened
        return
    heard = dict(attributes)
    began = perf_counter()
    with _traced(name, kind, headers, attributes, heard) as opened:
        yield opened
    observer(name, perf_counter() - began, heard)


@contextmanager
def _traced(
    name: str,
    kind: SpanKind,
    headers: Mapping[str, str] | None,
    attributes: Mapping[str, Value],
    heard: dict[str, Value] | None,
) -> Iterator[Span]:
    """The span of the tracing API, where an operator has set its SDK up."""
    api = _api()
    if api is None or isinstance(api.get_tracer_provider(), api.ProxyTracerProvider):  # nobody has set the SDK up
        yield _NOTHING if heard is None else Span(heard=heard)
        return
    with api.get_tracer("muniment").start_as_current_span(
        name,
        kind=api.SpanKind[kind.upper()],
        context=_context_in(headers) if headers is not None else None,
        attributes={PREFIX + key: value for key, value in attributes.items()},
        record_exception=False,
        set_status_on_exception=False,
    ) as inner:
        opened = Span(inner, heard=heard)
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
