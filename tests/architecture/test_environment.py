"""The script behind every make target."""

import importlib.util
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest


@pytest.fixture
def environment(root: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location("environment", root / "tools" / "environment.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("version", [(3, 10), (3, 14), (2, 7)])
def test_a_python_without_a_lock_is_refused_with_the_way_out(environment: ModuleType, version: tuple[int, int]) -> None:
    with pytest.raises(environment.CannotBuild, match="make PYTHON="):
        environment.check_python(version)


@pytest.mark.parametrize("version", [(3, 11), (3, 12), (3, 13)])
def test_each_supported_python_is_taken(environment: ModuleType, version: tuple[int, int]) -> None:
    environment.check_python(version)


def test_uv_comes_from_the_lock_with_all_its_hashes_and_nothing_else(environment: ModuleType) -> None:
    lines = environment.requirement("uv", environment.LOCK.read_text()).splitlines()
    assert lines[0].startswith("uv==")
    assert len(lines) > 1
    assert all(line.strip().startswith("--hash=sha256:") for line in lines[1:])


def test_an_environment_is_made_again_when_what_it_is_made_from_changed(
    environment: ModuleType, tmp_path: Path
) -> None:
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "python").touch()
    project = '[project]\nname = "muniment"\n[tool.ruff]\nline-length = 120\n'
    environment.stamp_of(tmp_path).write_text(environment.fingerprint("lock", project))
    assert environment.is_current(tmp_path, environment.fingerprint("lock", project.replace("120", "100")))
    assert not environment.is_current(tmp_path, environment.fingerprint("other lock", project))
    assert not environment.is_current(tmp_path, environment.fingerprint("lock", project.replace("muniment", "other")))


def test_a_python_that_can_make_no_environment_is_told_what_to_install(root: Path, tmp_path: Path) -> None:
    blocker = "raise ImportError('left out of this Python')\n"
    (tmp_path / "ensurepip.py").write_text(blocker)
    (tmp_path / "pip.py").write_text(blocker)
    command = [sys.executable, str(root / "tools" / "environment.py"), str(tmp_path / "made")]
    variables = {"PYTHONPATH": str(tmp_path), "PATH": str(tmp_path)}
    ran = subprocess.run(command, env=variables, capture_output=True, text=True, check=False)
    assert ran.returncode == 1
    assert "apt-get install python3-venv" in ran.stderr
    assert not (tmp_path / "made").exists()
