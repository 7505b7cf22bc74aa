"""Templates and schemas are found from a checkout, from an editable installation and from an installed wheel alike."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from importlib.util import find_spec
from pathlib import Path

import pytest

from pbem.errors import WorldError
from pbem.resources import folder
from tests.project.source import ROOT

SHOW = "from pbem.resources import folder; print(folder('templates')); print(folder('schemas'))"
RUN = "from pbem.cli import main; main()"


def python(code: str, *arguments: str, cwd: Path, path: Path | None = None) -> str:
    """Run Python away from the checkout, with `path` in front of what is installed; return what it prints."""
    env = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "PBEM_GAMES")}
    env |= {"PYTHONPATH": str(path)} if path else {}
    env["PBEM_GAMES"] = str(ROOT / "examples")
    run = subprocess.run(
        [sys.executable, "-c", code, *arguments], cwd=cwd, env=env, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr
    return run.stdout


def test_a_checkout_has_them_beside_the_package(tmp_path: Path) -> None:
    found = python(SHOW, cwd=tmp_path, path=ROOT).splitlines()
    assert found == [str(ROOT / "templates"), str(ROOT / "schemas")]


def test_what_is_installed_here_finds_them(tmp_path: Path) -> None:
    if find_spec("pbem") is None or _installed_from() is None:
        pytest.skip("pbem is not installed in this environment, only on its path")
    for line in python(SHOW, cwd=tmp_path).splitlines():
        assert any(Path(line).iterdir())


def _installed_from() -> str | None:
    from importlib.metadata import PackageNotFoundError, distribution

    try:
        return distribution("pbem").version
    except PackageNotFoundError:
        return None


def test_a_missing_folder_is_a_sentence() -> None:
    with pytest.raises(WorldError, match="Install pbem again"):
        folder("pictures")  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel of this checkout, built without a network."""
    if find_spec("hatchling") is None:
        pytest.skip("hatchling, which builds the wheel, is not installed (it is one of the dev extras)")
    place = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(place)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (made,) = place.glob("*.whl")
    return made


def test_the_wheel_holds_code_templates_and_schemas_and_nothing_else(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    for name in ("templates", "schemas"):
        here = {str(path.relative_to(ROOT / name)) for path in (ROOT / name).rglob("*") if path.is_file()}
        there = {
            entry.removeprefix(f"pbem/_data/{name}/") for entry in names if entry.startswith(f"pbem/_data/{name}/")
        }
        assert there == here
    assert "pbem/py.typed" in names
    assert {entry.split("/")[0] for entry in names if ".dist-info/" not in entry} == {"pbem"}
    assert not [entry for entry in names if "__pycache__" in entry or "/tests/" in entry]


@pytest.mark.slow
def test_an_installed_wheel_finds_them_and_plays(wheel: Path, tmp_path: Path) -> None:
    site = tmp_path / "site"
    with zipfile.ZipFile(wheel) as archive:  # a wheel of pure Python is installed by unpacking it
        archive.extractall(site)
    found = python(SHOW, cwd=tmp_path, path=site).splitlines()
    assert found == [str(site / "pbem" / "_data" / name) for name in ("templates", "schemas")]
    said = python(RUN, "demo", "--game", "tiny", "--option", "turns=1", "--out", "played", cwd=tmp_path, path=site)
    assert "The audit says: clean." in said
