"""What several tests need of given out: desktop."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest


@pytest.fixture
def desktop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], list[str]]:
    """A desktop that writes down what it is to open."""
    (tmp_path / "bin").mkdir()
    program, opened = tmp_path / "bin" / "xdg-open", tmp_path / "opened"
    program.write_text(f'#!/bin/sh\necho "$1" >> {opened}\n', "utf-8")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:/usr/bin:/bin")
    monkeypatch.setattr(sys, "platform", "linux")
    return lambda: opened.read_text("utf-8").splitlines() if opened.exists() else []
