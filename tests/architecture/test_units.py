"""The units for systemd: what they start exists, with those options, as nobody special and with hardly any rights."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

from muniment.api.cli.main import app

UNITS = Path("deploy") / "systemd"
NAMES = ("muniment.service", "muniment-worker@.service", "muniment-maintain.service")
HARDENED = {
    "NoNewPrivileges": "true",
    "CapabilityBoundingSet": "",
    "ProtectSystem": "strict",
    "ProtectHome": "true",
    "PrivateTmp": "true",
    "PrivateDevices": "true",
    "RestrictNamespaces": "true",
    "RestrictSUIDSGID": "true",
    "UMask": "0077",
    "StateDirectoryMode": "0700",
}


def entries(path: Path) -> Iterator[tuple[str, str]]:
    for line in path.read_text(encoding="utf-8").splitlines():
        name, mark, value = line.partition("=")
        if mark and not line.startswith("#"):
            yield name, value


def test_every_unit_is_looked_at(root: Path) -> None:
    assert {path.name for path in (root / UNITS).iterdir()} == {*NAMES, "muniment-maintain.timer"}


@pytest.mark.parametrize("name", NAMES)
def test_a_unit_starts_a_command_that_is_there_as_nobody_special(root: Path, name: str) -> None:
    said = dict(entries(root / UNITS / name))
    program, command, *options = shlex.split(said["ExecStart"])
    assert program.endswith("/bin/muniment")
    group: Any = get_command(app)
    known = {option for one in group.commands[command].params for option in (*one.opts, *one.secondary_opts)}
    assert {option for option in options if option.startswith("--")} <= known
    assert said["User"] == "muniment"
    assert {key: said.get(key) for key in HARDENED} == HARDENED
    assert "Environment" not in said or "MUNIMENT" not in said["Environment"]  # settings are in the file, secrets too


def test_the_service_of_a_unit_is_not_open_to_the_network(root: Path) -> None:
    said = dict(entries(root / UNITS / "muniment.service"))
    assert "--host 127.0.0.1" in said["ExecStart"]
