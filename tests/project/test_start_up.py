"""Start-up is quick because it imports little; measured by what is loaded, not by a clock."""

from __future__ import annotations

import subprocess
import sys

import pytest

OURS = {
    "imap_tools",
    "aiosmtpd",
    "smtplib",
    "pbem.ledger",
    "pbem.games",
    "pbem.host",
    "pbem.player",
    "cryptography",
    "jinja2",
    "sqlite_utils",
    "rich",
}
SHOWS_LOADED = """
import sys
from pbem.cli import main
sys.argv = ["pbem", *sys.argv[1:]]
try:
    main()
except SystemExit as stop:
    assert not stop.code, stop.code
print("\\n" + " ".join(sys.modules))
"""


@pytest.mark.parametrize(
    ("arguments", "heavy"),
    [
        (["--help"], OURS | {"pydantic"}),
        (["--version"], OURS | {"pydantic"}),
        (["host", "--help"], OURS),  # Typer itself takes pydantic to read a command's arguments
        (["order", "--help"], OURS),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_help_loads_nothing_heavy(arguments: list[str], heavy: set[str]) -> None:
    run = subprocess.run([sys.executable, "-c", SHOWS_LOADED, *arguments], capture_output=True, text=True, check=True)
    loaded = set(run.stdout.splitlines()[-1].split())
    assert "typer" in loaded
    assert not loaded & heavy
