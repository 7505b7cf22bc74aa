"""What several tests need of other rules: another, adopted."""

from __future__ import annotations

import shutil
from pathlib import Path

from typer.testing import CliRunner, Result

import pbem
from pbem.cli.app import app
from pbem.referee.table import Table

ROOT = Path(pbem.__file__).parents[1]
EXAMPLES = Path("examples").resolve()


def another(folder: Path, version: int) -> Path:
    """Lay another pbem into a folder."""
    parts = shutil.ignore_patterns("__pycache__", "fonts", "cli", "host", "mail", "player", "hammer", "lords")
    shutil.copytree(Path(pbem.__file__).parent, folder / "pbem", ignore=parts)
    shutil.copytree(EXAMPLES / "tiny_game", folder / "pbem" / "games" / "tiny", ignore=parts)
    for name, old, new in (("game", "version = 1", f"version = {version}"), ("turn", "BANKED = 3", "BANKED = 4")):
        file = folder / "pbem" / "games" / "tiny" / "rules" / f"{name}.py"
        text = file.read_text("utf-8")
        assert old in text
        file.write_text(text.replace(old, new), "utf-8")
    return folder


def adopted(table: Table, folder: Path, *folders: Path) -> Result:
    """What a new host says who takes the game over from the players' copies."""
    words: list[object] = ["host", "adopt", "--yes"]
    for seat in table.seats:
        (folder / f"{seat}.pbem").write_bytes(table.copy(seat))
        words += [folder / f"{seat}.pbem", "--seat", f"{seat}={seat}@example.org"]
    for other in folders:
        words += ["--rules", other]
    host = folder / "host"
    if not host.exists():
        CliRunner().invoke(app, ["host", "init", str(host), "--address", "host@example.org"])
    return CliRunner().invoke(app, [*map(str, words), "--dir", str(host)])
