"""The example game can be found by its id. `make page` makes the built page, and what needs it is skipped where it is missing."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.page.single import BUILT
from tests.project.source import ROOT


@pytest.fixture(autouse=True, scope="session")
def the_example_game_is_found() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PBEM_GAMES", str(ROOT / "examples"))
        yield


@pytest.fixture(scope="session")
def page() -> Path:
    """The folder of a built page: PBEM_PAGE, or where `make page` lays it."""
    folder = Path(os.environ.get("PBEM_PAGE", BUILT))
    if not (folder / "signing.mjs").exists():
        pytest.skip("there is no built page here (make page, which needs npm)")
    return folder


@pytest.fixture(scope="session")
def node() -> None:
    """What needs Node is skipped where it is missing."""
    if shutil.which("node") is None:
        pytest.skip("Node is not installed")


@pytest.fixture(scope="session")
def signing(page: Path) -> Path:
    """The page's signing, where Node can run it."""
    if shutil.which("node") is None:
        pytest.skip("Node is not installed")
    return page / "signing.mjs"
