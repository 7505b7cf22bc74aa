"""A whole game of each, as a player reads it who has asked for French: letters, reports, the help of all commands."""

from __future__ import annotations

import re
from collections.abc import Iterator
from email import message_from_bytes
from email.policy import default
from html import unescape
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from pbem.cli.app import app
from pbem.cli.demo import Demo
from pbem.cli.helping import texts
from pbem.games import find
from pbem.i18n import languages, speaking
from tests.french import faults
from tests.project.source import ROOT

GAMES = {
    "tiny": {},
    "tournament": {},
    "lords": {"players": 2, "goal": 20},
    "swords": {"players": 2},
    "hammer": {"years": 2},
}
SEED = 2


@pytest.fixture(autouse=True)
def the_example_game_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_GAMES", str(ROOT / "examples"))


def _read(game: str, folder: Path) -> Iterator[tuple[str, str]]:
    """Play a game by chance, and go through all that its players have read in French: what the letters say, and the program."""
    with speaking("fr"):
        pack = find(game)
        seats = pack.rules.seats(pack.ending(GAMES[game]))
        demo = Demo(folder / game, SEED, pack, GAMES[game], dict.fromkeys(seats, "random"))
        lines: list[str] = []
        demo.play(lines.append)
    yield "what all may hear", "\n".join(line for line in lines if not line.endswith((": join", ": ready")))
    for path in sorted((folder / game / "reports").rglob("*.txt")):
        if path.stem != "001":  # the invitation, before anybody has said what he reads
            yield path.name, path.read_text("utf-8")
    for path in sorted((folder / game / "mail").rglob("*.eml")):
        message = message_from_bytes(path.read_bytes(), policy=default)
        if message.get("content-language") == "fr":
            for part in message.walk():
                if part.get_content_type() in ("text/plain", "text/html") and not part.get_filename():
                    yield (
                        path.name,
                        unescape(re.sub(r"<style.*?</style>|<[^>]+>", " ", part.get_content(), flags=re.DOTALL)),
                    )


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_a_whole_game_is_told_in_french(game: str, tmp_path: Path) -> None:
    read = list(_read(game, tmp_path))
    assert len(read) > 10
    assert {fault: name for name, text in read for fault in faults(text)} == {}


@pytest.mark.slow
def test_the_help_of_all_commands_is_french() -> None:
    def helped(command: object, words: list[str]) -> Iterator[str]:
        yield CliRunner(env={"PBEM_LANGUAGE": "fr"}).invoke(app, [*words, "--help"]).output
        for name, below in getattr(command, "commands", {}).items():
            yield from helped(below, [*words, name])

    pages = list(helped(typer.main.get_command(app), []))
    assert len(pages) > 50
    said = "\n".join(_columns(page.partition("Autres commandes")[0]) for page in pages)  # names of commands follow
    assert {fault for fault in faults(said) if not fault.startswith("sign")} == set()


def _columns(page: str) -> str:
    """What a page of help says, without the names of options and what goes with them."""
    return re.sub(
        r"^Usage.*|\w+(?:\|\w+)+|--?[\w-]+|<[^>]*>|\[[^\]]*\]|[A-Z]{2,}\S*|“[^”]*”|«[^»]*»|\w+=\w*|^  \w\S*  ",
        " ",
        page,
        flags=re.MULTILINE,
    )


@pytest.mark.parametrize("language", languages()[1:])
def test_every_paragraph_of_help_has_its_words(language: str) -> None:
    with speaking(language):
        from pbem.i18n import _

        untold = [text for text in texts(typer.main.get_command(app)) if _(text) == text]
    assert untold == []


def test_help_speaks_the_language_that_the_player_has_chosen(tmp_path: Path) -> None:
    home = ["--home", str(tmp_path)]
    CliRunner().invoke(app, ["key", "--address", "ann@example.org", *home])
    CliRunner().invoke(app, ["language", "fr", *home])
    shown = CliRunner(env={"PBEM_HOME": str(tmp_path)}).invoke(app, ["order", "--help"]).output
    assert "Donner l’ordre qu’un courrier demande" in shown
    assert "Usage\u00a0:" in shown
    english = CliRunner(env={"PBEM_HOME": str(tmp_path), "PBEM_LANGUAGE": "en"}).invoke(app, ["order", "--help"]).output
    assert "Give the order that a letter asks for" in english


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        (["fly"], "Il n’y a pas de commande «\u00a0fly\u00a0»."),
        (["order", "--bad"], "Il n’y a pas d’option --bad ici."),
        (["show"], "Il manque 'FILE'."),
        (["host", "new", "--hours", "x"], "'--hours' ne convient pas"),
    ],
)
def test_what_was_typed_wrong_is_said_in_french(typed: list[str], said: str) -> None:
    found = CliRunner(env={"PBEM_LANGUAGE": "fr"}).invoke(app, typed)
    assert found.exit_code == 2
    assert said in found.output
    assert "Usage\u00a0: pbem" in found.output
    assert not list(faults(found.output.split("pbem: ")[1].split(" -h")[0].partition(":")[0]))
    assert "Error" in CliRunner(env={"PBEM_LANGUAGE": "en"}).invoke(app, typed).output
