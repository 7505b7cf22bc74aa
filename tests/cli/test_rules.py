"""`pbem rules`: which rules are here, and what counts of them, so that two people can compare."""

from __future__ import annotations

import hashlib
import json
import subprocess
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pbem.cli.app import app
from pbem.errors import UsageError
from pbem.games import manifest, shipped

ROOT = Path(__file__).resolve().parents[2]
pytestmark = pytest.mark.usefixtures("rules_have_their_own_hash")


def said(*words: str) -> str:
    done = CliRunner().invoke(app, ["rules", *words])
    if done.exception:
        raise done.exception
    return done.output


def test_all_games_with_their_version_and_sha256() -> None:
    lines = said().splitlines()
    assert len(lines) >= len(shipped())
    assert f"Lords of Scotland, version 1: {manifest('lords')[1]} (as the next release has them)" in lines
    assert [about["sha256"] for about in json.loads(said("--json")) if about["game"] == "lords"] == [
        manifest("lords")[1]
    ]


def test_the_manifest_of_a_game() -> None:
    text, sha256 = manifest("lords")
    first, rest = said("lords").split("\n", 1)
    assert sha256 in first
    assert rest == text
    assert said("lords", "--rules", str(ROOT)) == said("lords")
    assert json.loads(said("lords", "--json"))["manifest"] == text


def test_what_counts_can_be_written_and_checked(tmp_path: Path) -> None:
    said("lords", "--out", str(tmp_path))
    text, sha256 = manifest("lords")
    assert hashlib.sha256((tmp_path / "MANIFEST").read_bytes()).hexdigest() == sha256
    for line in text.splitlines():
        digest, path = line.split("  ")
        assert hashlib.sha256((tmp_path / path).read_bytes()).hexdigest() == digest
        assert said("lords", "--show", path) == (tmp_path / path).read_text("utf-8")
    checked = subprocess.run(["sha256sum", "--check", "MANIFEST"], cwd=tmp_path, capture_output=True, check=False)
    assert checked.returncode == 0


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--show", "pbem/kernel/game.py"], "For which game"),
        (["lords", "--show", "README.md"], "README.md is not one of the files that count as rules of “lords”"),
        (["lords", "--rules", ".", "--out", "x"], "run the command there"),
        (["chess"], "There is no game “chess” here"),
    ],
)
def test_what_cannot_be_shown(words: list[str], why: str) -> None:
    with pytest.raises(UsageError, match=why):
        said(*words)


def test_the_rules_of_a_game_can_be_read() -> None:
    read = said("hammer", "--read")
    assert "5.32: Blocks that start together" in read
    assert "Lancaster Knights" in read
    assert all(len(line) <= 72 for line in read.splitlines())
    with pytest.raises(UsageError, match="no lesson"):
        said("tournament", "--read")
    with pytest.raises(UsageError, match="For which game"):
        said("--read")
