"""Whether a model's file is the one we know."""

from __future__ import annotations

import hashlib
import logging
from pathlib import Path
from threading import Lock
from typing import Final

from muniment.graph_schema.errors import ModelUnavailable

logger = logging.getLogger(__name__)

_CHUNK: Final = 1 << 20
_known_good: set[tuple[str, int, int, str]] = set()
_guard = Lock()


def sha256_of(path: Path) -> str:
    """Hex SHA-256 of the file's bytes. Raises OSError when it cannot be read."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(_CHUNK):
            digest.update(block)
    return digest.hexdigest()


def verify(path: Path, sha256: str) -> None:
    """Return if the file has this hash; raise ModelUnavailable if it is missing or another file.

    A file that passed is not read again in this process while its size and time of change stay the same.
    """
    try:
        stat = path.stat()
        key = (str(path), stat.st_size, stat.st_mtime_ns, sha256)
        with _guard:
            if key in _known_good:
                return
        found = sha256_of(path)
    except OSError as error:
        raise ModelUnavailable(f"model file {path} cannot be read: {error.strerror or error}") from error
    if found != sha256:
        logger.error("model file has another hash", extra={"file": path.name, "expected": sha256, "found": found})
        raise ModelUnavailable(
            f"model file {path} is not the known one: its sha256 is {found}, expected {sha256}. "
            "It was damaged or replaced; it is not loaded. Reinstall the package that brought it."
        )
    with _guard:
        _known_good.add(key)
