"""Mail programs against ways of answering: every program that is installed, each way it has, and the page that tells of them."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from pathlib import Path

import pytest

from . import matrix, programs, real

pytestmark = pytest.mark.slow


def on_the_page() -> Mapping[str, Mapping[str, str]]:
    """The page's table: program, way, what came of it."""
    rows = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in matrix.PAGE.read_text("utf-8").split("\n")
        if line.startswith("| ")
    ]
    (_, *ways), *cells = rows
    return {name: dict(zip(ways, found, strict=True)) for name, *found in cells}


def test_the_page_has_the_programs_and_ways_of_the_script() -> None:
    shown = on_the_page()
    assert list(shown) == list(programs.PROGRAMS)
    for cells in shown.values():
        assert list(cells) == list(programs.WAYS)
        assert set(cells.values()) <= {matrix.COUNTS, matrix.ANSWERED, matrix.NONE}, "nothing is lost"
        assert matrix.COUNTS in cells.values()
    text = matrix.PAGE.read_text("utf-8")
    assert all(f"- **{way}**: {meaning}." in text for way, meaning in programs.WAYS.items())


@pytest.fixture(scope="module")
def tried() -> Mapping[str, matrix.Player]:
    if why := real.missing():
        pytest.skip(f"tried without real mail servers: {why}")
    chosen = {name: program for name, program in programs.PROGRAMS.items() if not program.missing()}
    # in a folder of its own: another run of pytest would shut this one's to the servers' users
    with tempfile.TemporaryDirectory(prefix="matrix", ignore_cleanup_errors=True) as folder:
        return {player.program.name: player for player in matrix.played(Path(folder), chosen)}


@pytest.mark.parametrize("name", programs.PROGRAMS)
def test_an_answer_of_each_mail_program_counts_or_is_clearly_answered(
    name: str, request: pytest.FixtureRequest
) -> None:
    """And at least as well as the page says; where it has become better, the page is to be written anew."""
    if why := programs.PROGRAMS[name].missing():
        pytest.skip(f"{name} is not tried: {why} not installed")
    player = request.getfixturevalue("tried")[name]
    for way, shown in on_the_page()[name].items():
        fits = (matrix.COUNTS, shown) if shown == matrix.ANSWERED else (shown,)
        assert player.cells.get(way, matrix.NONE) in fits, f"{way}: {player.said.get(way)}"
