"""Nothing that others have made is taken unless it is, byte for byte, what is pinned; and no address stands in the repository."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from pbem.errors import WorldError
from pbem.page import build
from pbem.page.parts import PINNED, BuildParts
from tests.project.source import ROOT


def test_another_archive_than_the_pinned_one_is_not_taken(tmp_path: Path) -> None:
    pins = tomllib.loads(PINNED.read_text("utf-8"))
    (tmp_path / f"pyodide-{pins['npm'][0]['version']}.tgz").write_bytes(b"other")
    with pytest.raises(WorldError, match="is not what is pinned"):
        BuildParts(tmp_path).npm("pyodide")
    (tmp_path / f"{pins['wheel'][0]['name']}-{pins['wheel'][0]['version']}-py3-none-any.whl").write_bytes(b"other")
    with pytest.raises(WorldError, match="is not what is pinned"):
        next(BuildParts(tmp_path).wheels())


def test_pins_are_exact_and_name_no_place() -> None:
    text = PINNED.read_text("utf-8")
    assert "//" not in text
    pins = tomllib.loads(text)
    assert all(re.fullmatch(r"[0-9.]+", one["version"]) for one in [*pins["npm"], *pins["wheel"]])
    assert all(re.fullmatch(r"[A-Za-z0-9+/]{86}==", one["sha512"]) for one in pins["npm"])
    assert all(re.fullmatch(r"[0-9a-f]{64}", one["sha256"]) for one in pins["wheel"])


def test_what_runs_in_the_browser_is_what_the_tests_run_with() -> None:
    constraints = dict(
        line.lower().split("==") for line in (ROOT / "constraints.txt").read_text().splitlines() if "==" in line
    )
    for one in tomllib.loads(PINNED.read_text("utf-8"))["wheel"]:
        pinned = {constraints.get(name) for name in (one["name"], one["name"].replace("_", "-"))} - {None}
        assert pinned <= {one["version"]}, one["name"]


def test_a_folder_that_is_no_page_is_not_replaced(tmp_path: Path) -> None:
    (tmp_path / "letters.txt").write_text("dear")
    with pytest.raises(WorldError, match="no folder with a page"):
        build.build(tmp_path, BuildParts(tmp_path / "parts"))
    assert (tmp_path / "letters.txt").read_text() == "dear"
