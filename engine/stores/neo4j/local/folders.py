"""Where downloads and local servers' data are kept on this machine."""

from __future__ import annotations

import os
import sys
from pathlib import Path

CACHE_VARIABLE = "MUNIMENT_CACHE_DIR"


def default_cache_dir() -> Path:
    """The folder for what can be downloaded again: MUNIMENT_CACHE_DIR, or the user's cache folder."""
    if chosen := os.environ.get(CACHE_VARIABLE):
        return Path(chosen).expanduser()
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "muniment"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "muniment"


def default_data_dir(series: str) -> Path:
    """The folder of the user's own local server of that series."""
    if sys.platform == "darwin":
        base = Path.home() / "Library" / "Application Support"
    else:
        base = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
    return base / "muniment" / f"neo4j-{series}"
