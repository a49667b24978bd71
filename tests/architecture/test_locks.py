"""The locks: complete, hashed, and free of addresses."""

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

LOCKS = ("build", "dev", "serve")


@pytest.fixture(params=LOCKS)
def lock(request: pytest.FixtureRequest, root: Path) -> str:
    return (root / "locks" / f"{request.param}.lock").read_text()


def test_a_lock_names_no_address(lock: str) -> None:
    assert "://" not in lock
    assert not [line for line in lock.splitlines() if line.startswith("-")]


def test_every_pin_is_exact_and_hashed(lock: str) -> None:
    blocks = re.split(r"\n(?=\S)", "\n".join(line for line in lock.splitlines() if not line.startswith("#")))
    assert blocks
    for block in blocks:
        assert re.match(r"[\w.-]+==\S+", block), block.splitlines()[0]
        assert re.search(r"--hash=sha256:[0-9a-f]{64}", block), block.splitlines()[0]


def test_the_lock_for_work_pins_all_that_the_project_asks_for(root: Path) -> None:
    project = tomllib.loads((root / "pyproject.toml").read_text())
    pinned = _pinned((root / "locks" / "dev.lock").read_text())
    asked = list(_asked(project))
    assert len(asked) > 20
    for requirement in asked:
        versions = pinned.get(canonicalize_name(requirement.name), [])
        assert versions, f"{requirement.name} is not in the lock; run: make lock"
        assert all(requirement.specifier.contains(version, prereleases=True) for version in versions), str(requirement)


def test_one_version_everywhere(root: Path) -> None:
    dev = _pinned((root / "locks" / "dev.lock").read_text())
    for name in ("serve", "build"):
        other = _pinned((root / "locks" / f"{name}.lock").read_text())
        assert {package: versions for package, versions in other.items() if dev.get(package) != versions} == {}


def test_the_typescript_client_is_pinned_and_hashed_without_addresses_too(root: Path) -> None:
    folder = root / "clients" / "typescript"
    package, lock = (json.loads((folder / name).read_text()) for name in ("package.json", "package-lock.json"))
    asked = {**package["dependencies"], **package["devDependencies"]}
    packages = {name: one for name, one in lock["packages"].items() if name}
    assert {name: packages[f"node_modules/{name}"]["version"] for name in asked} == asked
    assert [name for name, one in packages.items() if "sha512-" not in one["integrity"] or "resolved" in one] == []


def _pinned(lock: str) -> dict[str, list[str]]:
    """Package name -> its versions; more than one where the version of Python decides."""
    found: dict[str, list[str]] = {}
    for name, version in re.findall(r"^([\w.-]+)==(\S+)", lock, flags=re.MULTILINE):
        found.setdefault(canonicalize_name(name), []).append(version)
    return found


def _asked(project: dict[str, Any]) -> list[Requirement]:
    """All requirements of base, extras and groups, less the project's own extras."""
    extras = project["project"]["optional-dependencies"].values()
    groups = project["dependency-groups"].values()
    texts = [*project["project"]["dependencies"], *(text for texts in (*extras, *groups) for text in texts)]
    found = [Requirement(text) for text in texts if isinstance(text, str)]
    return [requirement for requirement in found if requirement.name != "muniment"]
