"""The wheel: all of the product, nothing else, importable on its own."""

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

PACKAGES = ("graph_schema", "engine", "api")


@pytest.fixture(scope="module")
def wheel(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(root)]
    subprocess.run(command, check=True, capture_output=True)
    (built,) = folder.glob("*.whl")
    return built


def test_the_wheel_holds_every_file_of_the_packages(wheel: Path, project_files: list[Path]) -> None:
    held = set(zipfile.ZipFile(wheel).namelist())
    wanted = {f"muniment/{path.as_posix()}" for path in project_files if path.parts[0] in PACKAGES}
    assert wanted
    assert wanted - held == set()
    assert {"muniment/__init__.py", "muniment/py.typed"} <= held


def test_the_wheel_holds_nothing_else_than_the_product_and_its_licences(wheel: Path) -> None:
    held = zipfile.ZipFile(wheel).namelist()
    assert {name.partition("/")[0].partition("-")[0] for name in held} == {"muniment"}
    licences = {Path(name).name for name in held if ".dist-info/licenses/" in name}
    assert licences == {"LICENSE", "NOTICE"}


def test_the_wheel_imports_without_the_source_tree(wheel: Path, tmp_path: Path) -> None:
    zipfile.ZipFile(wheel).extractall(tmp_path)
    code = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); import muniment.engine as e; print(e.__file__)"
    ran = subprocess.run([sys.executable, "-I", "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert Path(ran.stdout.strip()).is_relative_to(tmp_path)
