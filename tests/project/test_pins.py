"""What is installed is pinned by version and by the hash of each file, for every Python and system."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FILES = ("requirements.txt", "requirements-dev.txt")


def pins(name: str) -> dict[str, tuple[str, list[str]]]:
    """The packages of a file: version and hashes of each."""
    text = "\n".join(line for line in (ROOT / name).read_text("utf-8").splitlines() if not line.startswith("#"))
    found = {}
    for block in re.split(r"\n(?=\S)", text.strip()):
        one = re.match(r"([A-Za-z0-9_.-]+)==([^\s;]+)", block)
        assert one, block
        found[_plain(one[1])] = one[2], re.findall(r"--hash=sha256:([0-9a-f]{64})(?=\s|$)", block)
        assert len(re.findall("--hash", block)) == len(found[_plain(one[1])][1])
    return found


def _plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


@pytest.mark.parametrize("name", FILES)
def test_every_pinned_version_has_the_hashes_of_its_files(name: str) -> None:
    """Somebody replaces a package at its source. Only a Python newer than the tested ones installs without hashes."""
    found = pins(name)
    assert len(found) > 35
    assert all(hashes for _version, hashes in found.values())
    assert "//" not in (ROOT / name).read_text("utf-8"), "where a file comes from is not said"
    # one that is compiled has a wheel for each system and Python
    for compiled in ("pydantic-core", "pillow", "markupsafe"):
        assert len(found[compiled][1]) > 20, compiled


def test_the_files_pin_what_constraints_pin() -> None:
    lines = (ROOT / "constraints.txt").read_text("utf-8").splitlines()
    told = {_plain(name): version for name, version in (line.split("==") for line in lines if "==" in line)}
    assert {name: version for name, (version, _hashes) in pins("requirements-dev.txt").items()} == told
    assert pins("requirements.txt").items() <= pins("requirements-dev.txt").items()


def test_whatever_installs_pbem_asks_for_the_hashes() -> None:
    """The Makefile, and the checks that run in a clean checkout."""
    make, ci = ((ROOT / name).read_text("utf-8") for name in ("Makefile", ".ci/run"))
    assert "--require-hashes -r $(2)" in make
    assert "--require-hashes -r requirements.txt" in ci
    for text in (make, ci):
        for line in text.splitlines():
            if "pip install" in line and "-e '$(1)'" not in line and "venv" not in line:
                assert "--require-hashes" in line or "--no-deps" in line or line.rstrip().endswith('version-check"'), (
                    line
                )
