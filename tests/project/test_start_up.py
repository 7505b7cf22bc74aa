"""Start-up is quick because it imports little; measured by what is loaded, not by a clock (`make bench` prints the time)."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from bench.start import prepare

HEAVY = {
    "aiosmtpd", "asyncio", "cryptography", "css_inline", "imap_tools", "jinja2", "nacl", "PIL", "pydantic", "resvg_py", "rich",
    "smtplib", "dkim", "dns", "sqlite_utils", "starlette", "uvicorn",
}  # fmt: skip
"""What takes long to load, but for Typer; pydantic brings `email` with it, cryptography bcrypt."""
PARTS = {
    "engine", "games", "host", "kernel", "ledger", "look", "mail", "page", "player", "referee", "releasing", "reports", "resources",
}  # fmt: skip
OF_A_LOG = "cryptography ledger reports games"
OF_A_DESK = f"{OF_A_LOG} pydantic kernel mail player referee"
OF_A_HOST = f"{OF_A_LOG} pydantic sqlite_utils kernel look mail referee host resources"
SHOWN = "jinja2 look resources hammer bots"
LOADED = {
    "--version": "",
    "--help": "",
    "order --help": "",
    "verify LOG": f"{OF_A_LOG} resources nacl",
    "replay LOG": f"{OF_A_LOG} pydantic kernel look player resources hammer",
    "show LOG": f"{OF_A_LOG} pydantic kernel look player resources hammer",
    "send": OF_A_DESK,
    "games": f"{OF_A_DESK} look hammer",
    "read MAIL": f"{OF_A_DESK} {SHOWN} nacl",
    "board": f"{OF_A_DESK} {SHOWN}",
    "host status": OF_A_HOST,
    "host run --once": OF_A_HOST,
}
"""What each command loads of these, of the parts of pbem, and of a game: `hammer` is its rules, `bots` its players."""
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


@pytest.fixture(scope="module")
def commands(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    return prepare(tmp_path_factory.mktemp("start"))


def _modules(words: list[str]) -> set[str]:
    run = [sys.executable, "-c", SHOWS_LOADED, *words]
    said = subprocess.run(run, capture_output=True, text=True, check=True, stdin=subprocess.DEVNULL, env=_env()).stdout
    return set(said.splitlines()[-1].split())


def _env() -> dict[str, str]:
    return {
        name: value for name, value in os.environ.items() if name not in ("PBEM_GAMES", "PBEM_HOME", "PBEM_LANGUAGE")
    }


def _named(modules: set[str]) -> set[str]:
    """What of a command's modules the table tells of."""
    found = {name for name in modules if name in HEAVY}
    found |= {part for part in PARTS if f"pbem.{part}" in modules}
    found |= {"hammer"} if "pbem.games.hammer.rules" in modules else set()
    return found | ({"bots"} if "pbem.games.hammer.bots" in modules else set())


@pytest.mark.variants
@pytest.mark.parametrize("command", LOADED)
def test_a_command_loads_no_more_than_the_table_says(command: str, commands: dict[str, list[str]]) -> None:
    modules = _modules(commands[command])
    assert "typer" in modules
    assert _named(modules) <= set(LOADED[command].split())


@pytest.mark.slow
def test_a_text_or_a_path_is_read_without_typer_s_adapters(commands: dict[str, list[str]]) -> None:
    for command in ("order --help", "verify LOG", "send"):
        assert "typer._adapters" not in _modules(commands[command])


def test_the_other_commands_are_not_imported(commands: dict[str, list[str]]) -> None:
    modules = _modules(commands["verify LOG"])
    assert "pbem.cli.disputes" in modules
    assert not {f"pbem.cli.{name}" for name in ("host", "turn", "play", "page", "letters")} & modules


def test_every_command_of_the_bench_is_in_the_table(commands: dict[str, list[str]]) -> None:
    assert set(commands) - set(LOADED) == {"play"}, "it plays: it needs nearly everything"
