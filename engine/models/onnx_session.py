"""One ONNX model, opened the same way everywhere: on the processor, one thread, nothing printed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, Final, Protocol, cast

import numpy as np
from numpy.typing import NDArray

from muniment.graph_schema.errors import ModelUnavailable

INSTALL_RUNTIME: Final = "pip install onnxruntime"
_ONLY_FATAL: Final = 4  # onnxruntime's log levels: 2 would print warnings about the machine to stderr


class Session(Protocol):
    """The part of onnxruntime's session that we use; `run` may be called from several threads at once."""

    def run(self, output_names: Sequence[str] | None, input_feed: Mapping[str, NDArray[Any]]) -> list[NDArray[Any]]: ...


def open_session(path: Path) -> Session:
    """A session for the model file. Raises ModelUnavailable without onnxruntime, or when it cannot read the file.

    One thread: on a machine shared by several workers more threads made every model slower.
    """
    try:
        runtime: Any = import_module("onnxruntime")
    except ImportError as error:
        raise ModelUnavailable(f"onnxruntime is not installed; run: {INSTALL_RUNTIME}") from error
    options = runtime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.log_severity_level = _ONLY_FATAL
    try:
        return cast(Session, runtime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"]))
    except Exception as error:  # onnxruntime's errors share no public base
        raise ModelUnavailable(f"onnxruntime cannot open {path.name}: {error}") from error


def row(numbers: Sequence[int]) -> NDArray[np.int64]:
    """One text's piece numbers as the (1, n) array that the models take."""
    return np.asarray([numbers], dtype=np.int64)
