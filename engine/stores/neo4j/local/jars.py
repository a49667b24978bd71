"""The jars of a Neo4j release, downloaded once and checked byte for byte.

Each release has a pinned list (`pins/`): Maven's own resolution of the server, with the sha256 of every file. So nothing is
resolved at run time, a changed file is noticed, and the files can be fetched side by side.
"""

from __future__ import annotations

import hashlib
import logging
import os
import shutil
import tempfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path

from muniment.engine.stores.neo4j.local.versions import ServerVersion
from muniment.graph_schema.errors import StoreUnavailable

logger = logging.getLogger(__name__)

# Sixteen at a time: the files are small, so waiting for answers is what takes the time (35 s in place of 53 with eight).
_PARALLEL_DOWNLOADS = 16
_TRIES = 3
_REQUEST_TIMEOUT_S = 60
_MARKER = "complete"


@dataclass(frozen=True, slots=True, kw_only=True)
class Jar:
    """One pinned file of a release."""

    group: str
    artifact: str
    version: str
    classifier: str  # "" for the main file
    sha256: str
    size_bytes: int

    @property
    def file_name(self) -> str:
        """Unique within a release: two groups may use one artifact name."""
        tail = f"-{self.classifier}" if self.classifier else ""
        return f"{self.group}.{self.artifact}-{self.version}{tail}.jar"


@dataclass(frozen=True, slots=True, kw_only=True)
class DownloadProgress:
    """How far a download has come."""

    files: int
    total_files: int
    bytes: int
    total_bytes: int


OnProgress = Callable[[DownloadProgress], None]


def pinned_jars(version: ServerVersion) -> tuple[Jar, ...]:
    """Every jar of that release, in the order of the class path."""
    text = (Path(__file__).parent / "pins" / f"neo4j-{version.full}.tsv").read_text(encoding="utf-8")
    jars = []
    for line in text.splitlines():
        if line.startswith("#"):
            continue
        group, artifact, number, classifier, sha256, size = line.split("\t")
        jars.append(
            Jar(
                group=group,
                artifact=artifact,
                version=number,
                classifier=classifier,
                sha256=sha256,
                size_bytes=int(size),
            )
        )
    return tuple(jars)


def jars_dir(version: ServerVersion, *, cache_dir: Path) -> Path:
    """Where that release's jars are kept, whether they are there or not."""
    return cache_dir / "neo4j" / version.full


def are_jars_cached(version: ServerVersion, *, cache_dir: Path) -> bool:
    """Whether every jar was downloaded and checked, and is still there with its size."""
    folder = jars_dir(version, cache_dir=cache_dir)
    if not (folder / _MARKER).is_file():
        return False
    for jar in pinned_jars(version):
        file = folder / jar.file_name
        if not file.is_file() or file.stat().st_size != jar.size_bytes:
            return False
    return True


def ensure_jars(
    version: ServerVersion,
    *,
    cache_dir: Path,
    download: bool = True,
    repository_url: str | None = None,
    on_progress: OnProgress | None = None,
) -> Path:
    """The folder with all jars of that release, downloaded when they are not there yet.

    `repository_url` names another Maven repository than Maven Central. The folder appears whole or not at all, so several
    processes may ask at once. Raises StoreUnavailable when the jars are missing and cannot, or may not, be downloaded.
    """
    folder = jars_dir(version, cache_dir=cache_dir)
    if are_jars_cached(version, cache_dir=cache_dir):
        return folder
    if not download:
        raise StoreUnavailable(
            f"Neo4j {version.full} is not in {folder} and downloading is not allowed; "
            f"run: muniment neo4j start --version {version.series}"
        )
    folder.parent.mkdir(parents=True, exist_ok=True)
    staging = Path(tempfile.mkdtemp(prefix=f".{version.full}-", dir=folder.parent))
    try:
        _download_all(version, staging, repository_url=repository_url, on_progress=on_progress)
        _put_in_place(staging, folder, version, cache_dir)
    finally:
        shutil.rmtree(staging, ignore_errors=True)
    logger.info("neo4j jars downloaded", extra={"version": version.full})
    return folder


def _download_all(
    version: ServerVersion, staging: Path, *, repository_url: str | None, on_progress: OnProgress | None
) -> None:
    try:
        from jgo.maven import MavenContext
    except ImportError as error:
        raise StoreUnavailable("jgo is not installed; run: pip install 'muniment[neo4j-local]'") from error

    # A repository folder of its own: jgo trusts any file it finds in one, a half-written file included.
    downloads = staging / ".downloads"
    remotes = {"chosen": repository_url.rstrip("/")} if repository_url else None
    context = MavenContext(repo_cache=downloads, remote_repos=remotes, timeout=_REQUEST_TIMEOUT_S)
    jars = pinned_jars(version)
    total_bytes = sum(jar.size_bytes for jar in jars)

    def fetch(jar: Jar) -> Jar:
        artifact = context.project(jar.group, jar.artifact).at_version(jar.version).artifact(jar.classifier)
        for attempt in range(1, _TRIES + 1):
            try:
                _move_checked(artifact.resolve(), staging / jar.file_name, jar)
                return jar
            # jgo lets through what its HTTP client and the disk raise, and RuntimeError for "not found".
            except (OSError, RuntimeError, StoreUnavailable) as error:
                if artifact.cached_path is not None:
                    artifact.cached_path.unlink(missing_ok=True)
                if attempt == _TRIES:
                    # The HTTP client's own words are long, and hold nothing that the file's name does not say.
                    reason = type(error).__name__ if isinstance(error, OSError) else str(error)
                    raise StoreUnavailable(
                        f"cannot download {jar.group}:{jar.artifact}:{jar.version} for Neo4j {version.full}, "
                        f"{_TRIES} tries: {reason}"
                    ) from error
        raise AssertionError("unreachable: the last try returns or raises")

    files = done_bytes = 0
    with ThreadPoolExecutor(max_workers=_PARALLEL_DOWNLOADS) as pool:
        futures = [pool.submit(fetch, jar) for jar in jars]
        try:
            for future in as_completed(futures):
                files += 1
                done_bytes += future.result().size_bytes
                if on_progress is not None:
                    on_progress(
                        DownloadProgress(files=files, total_files=len(jars), bytes=done_bytes, total_bytes=total_bytes)
                    )
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    shutil.rmtree(downloads)


def _move_checked(source: Path, target: Path, jar: Jar) -> None:
    digest = hashlib.sha256(source.read_bytes()).hexdigest()
    if digest != jar.sha256:
        raise StoreUnavailable(f"{jar.file_name} has sha256 {digest}, expected {jar.sha256}")
    source.rename(target)


def _put_in_place(staging: Path, folder: Path, version: ServerVersion, cache_dir: Path) -> None:
    (staging / _MARKER).write_text(f"{version.full}\n", encoding="utf-8")
    if folder.exists() and not are_jars_cached(version, cache_dir=cache_dir):
        shutil.rmtree(folder, ignore_errors=True)  # left incomplete by hand or by a cleaner of caches
    try:
        os.rename(staging, folder)
    except OSError as error:
        if not are_jars_cached(version, cache_dir=cache_dir):
            raise StoreUnavailable(f"cannot write {folder}: {error}") from error
        # Another process finished the same download first; its files are as good as ours.
