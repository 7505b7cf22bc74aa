"""The same seed gives the same bytes: logs, copies, reports and mails, in whatever time zone, language and order of sets."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from pbem.ledger import Log, verify
from tests.chaos.installed import PBEM

pytestmark = pytest.mark.slow

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def demonstrate(out: Path, seed: int, **environment: str) -> dict[str, bytes]:
    """Every file of a demonstration, but for the host's database and the key files, in which OpenSSH wants a random number."""
    command = [str(PBEM), "demo", "--game", "tiny", "--seed", str(seed)]
    env = {**os.environ, "PBEM_GAMES": str(EXAMPLES), **environment}
    done = subprocess.run([*command, "--out", str(out)], env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return {
        str(path.relative_to(out)): path.read_bytes()
        for path in sorted(out.rglob("*"))
        if path.is_file() and "pbem.sqlite" not in path.name and path.name != "key"
    }


@pytest.fixture(scope="module")
def demonstrations(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, bytes]]:
    folder = tmp_path_factory.mktemp("demonstrations")
    return [
        demonstrate(folder / "one", 5, PYTHONHASHSEED="1", TZ="UTC", LC_ALL="C.UTF-8"),
        demonstrate(folder / "two", 5, PYTHONHASHSEED="2", TZ="Asia/Tokyo", LC_ALL="C"),
        demonstrate(folder / "other", 6, PYTHONHASHSEED="1", TZ="UTC", LC_ALL="C.UTF-8"),
    ]


def test_the_same_seed_gives_the_same_bytes(demonstrations: list[dict[str, bytes]]) -> None:
    one, two, _ = demonstrations
    assert one.keys() == two.keys()
    for name, data in one.items():
        assert data.decode().replace("/one/", "/two/") == two[name].decode(), name


def test_it_leaves_logs_copies_mails_and_reports(demonstrations: list[dict[str, bytes]]) -> None:
    names = demonstrations[0].keys()
    assert {"game.pbem", "ann.pbem", "bob.pbem", "cat.pbem"} <= names
    for seat in ("ann", "bob", "cat"):
        assert any(name.startswith(f"reports/{seat}/") for name in names)
        assert any(name.startswith(f"mail/{seat}/cur/") for name in names)
        assert verify(demonstrations[0][f"{seat}.pbem"]).verdict == "clean"


def test_another_seed_gives_other_dice(demonstrations: list[dict[str, bytes]]) -> None:
    one, _, other = ([e.fields.get("res") for e in Log.parse(files["game.pbem"]).entries] for files in demonstrations)
    assert one != other
