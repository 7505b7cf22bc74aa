"""A player who reads French: what the commands answer, kept as a file; and no answer that a catalogue cannot hold."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pbem.cli.app import app
from pbem.cli.language import of_the_machine
from pbem.errors import PbemError, UsageError
from pbem.i18n import speaking, spoken
from pbem.mail import read_message
from pbem.player import PlayerSettings
from tests.hammer.golden import compare
from tests.host.post import Club, a_club
from tests.i18n import BRACKETS, outside

EXAMPLES = Path(__file__).parents[2] / "examples"
MASKS = (
    (r"SHA256:\S+\n  \S+", "SHA256:…\n  …"),
    (r"\b[0-9a-f]{4}( [0-9a-f]{4}){3,}", "…"),
    (r"\b[0-9a-f]{8,}…?", "…"),
    (r"\d{4}-\d\d-\d\dT[0-9:]+Z", "…"),
    (r"\b(?<=[ct])\d+|\b([ct])\d+", r"\1#"),
)
"""What no two runs have in common: keys, heads, moments, and the cards that were dealt."""


@pytest.fixture(autouse=True, scope="module")
def the_example_game_is_found() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PBEM_GAMES", str(EXAMPLES))
        yield


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Club]:
    with a_club(tmp_path, hours=48, terms={"late": "default", "leave": 24}) as club:
        yield club


@pytest.fixture(scope="module")
def french(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Club, list[tuple[str, str]]]]:
    """A club after a session in French, and what was seen in it."""
    with a_club(tmp_path_factory.mktemp("french"), hours=48, terms={"late": "default", "leave": 24}) as club:
        with speaking("fr"):
            told = list(session(club))
        yield club, told


def typed(*words: object, given: str = "") -> str:
    """What is seen after a command."""
    found = CliRunner().invoke(app, [*map(str, words)], input=given)
    assert found.exception is None or isinstance(found.exception, PbemError | SystemExit), found.exception
    refused = f"pbem: {found.exception}\n" if isinstance(found.exception, PbemError) else ""
    return found.output + refused


def masked(text: str, club: Club) -> str:
    text = text.replace(str(club.folder), "…")
    for wanted, mask in MASKS:
        text = re.sub(wanted, mask, text)
    return text


def session(club: Club, *, asking: bool = True) -> Iterator[tuple[str, str]]:
    """Go through what Ann types, and what she sees, from her invitation to a verdict."""
    home, mail = club.folder / "ann", club.folder / "mail.eml"

    def ann(*words: object, given: str = "") -> tuple[str, str]:
        shown = " ".join(Path(str(word)).name for word in words)
        return shown, typed(*words, "--home", home, given=given)

    mail.write_bytes(club.deliver()["ann"][0])
    yield ann("read", mail)
    yield ann("join", mail, *(["--language", "fr"] if asking else []))
    for desk in club.desks.values():
        desk._copies.clear()
    club.desks["bob"].join(club.received["bob"][0], club.now())
    for desk in club.desks.values():
        for letter in club.letters(desk):
            club.take(letter)
    mail.write_bytes(club.deliver()["ann"][0])
    yield ann("join", mail)
    club.desks["bob"].join(club.received["bob"][-1], club.now())
    for desk in club.desks.values():
        for letter in club.letters(desk):
            club.take(letter)
    mail.write_bytes(club.deliver()["ann"][0])
    yield ann("read", mail)
    yield ann("order", "-", given="HOLD c1\n")
    yield ann("order", given="9\nplans\n1\n\n")
    yield ann("order", given="1\ny\n")
    yield ann("say", "leave", 30, "--yes")
    yield ann("say", "shout")
    yield ann("plan")
    yield ann("address", "ann@example.net")
    yield ann("send", "--eml", club.folder / "letter.eml")
    yield ann("board")
    yield ann("check")
    yield "play", typed("play", "--game", "tiny", "--no-keep", "--seed", "1", given="0\nquit\n")
    copy = next((home / "games").glob("*.pbem"))
    yield "verify nothing.pbem", typed("verify", "nothing.pbem")
    yield "verify", typed("--language", spoken(), "verify", copy) if asking else typed("verify", copy)
    bad = club.folder / "bad.pbem"
    bad.write_bytes(copy.read_bytes().replace(b'"secret":"until resolved"', b'"secret":"until end"', 1))
    for check in ("verify", "audit"):
        words = (check, bad, "--evidence", club.folder / "evidence")
        yield f"{check} bad.pbem --evidence evidence", typed("--language", "fr", *words) if asking else typed(*words)


def test_a_session_in_french(french: tuple[Club, list[tuple[str, str]]]) -> None:
    club, told = french
    text = "\n".join(f"$ pbem {words}\n{output.rstrip()}\n" for words, output in told)
    compare("french_session.txt", masked(text, club), "tiny")


@pytest.mark.slow
def test_what_the_commands_answer_are_messages(club: Club) -> None:
    with speaking(BRACKETS):
        told = dict(session(club, asking=False))
    of_the_game = {"read mail.eml", "board", "order", "play"}  # the example game has no words in other languages
    left = {w for words, output in told.items() if words not in of_the_game for w in outside(masked(output, club))}
    assert left == {"pbem", "SHA", "Bob", "bob", "example", "org"}, "whom Ann meets, with his address"


def test_the_host_is_asked_to_write_in_french_and_does(french: tuple[Club, list[tuple[str, str]]]) -> None:
    club, _ = french
    letters = [read_message(raw) for raw in club.received["ann"]]
    assert [letter.language for letter in letters[1:3]] == ["fr", "fr"]
    assert PlayerSettings.read(club.folder / "ann" / "settings.json").language == "fr"


def test_programs_and_third_persons_read_english(french: tuple[Club, list[tuple[str, str]]]) -> None:
    club, _ = french
    bad, evidence = club.folder / "bad.pbem", club.folder / "evidence"
    assert json.loads(typed("--language", "fr", "verify", "--json", bad)) == json.loads(typed("verify", "--json", bad))
    assert (evidence / "README.txt").read_text("utf-8").startswith("The evidence for: The signed head over entry")


def test_the_engine_is_spoken_to_in_english() -> None:
    asked = '{"do": "nothing"}\n{"id": 1, "do": "new", "game": "chess"}\n'
    assert "There is no game “chess” here" in typed("engine", given=asked)
    assert typed("--language", "fr", "engine", given=asked) == typed("engine", given=asked)


def test_one_language_goes_before_another(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    home = club.folder / "ann"
    assert "“en”" in typed("language", "--home", home)
    assert "en français" in typed("language", "fr", "--home", home)
    assert "en «\u00a0fr\u00a0»" in typed("language", "--home", home), "his own"
    assert "“en”" in typed("--language", "en", "language", "--home", home), "what is asked for goes before it"
    monkeypatch.setenv("PBEM_LANGUAGE", "en")
    assert "“en”" in typed("language", "--home", home), "and so does the environment"
    assert "The languages are: en, fr." in typed("language", "de", "--home", home)


ROOT = Path(__file__).parents[2]
LOG = ROOT / "tests" / "golden" / "logs" / "lords-2.pbem"
BARE = (
    ("verify", LOG), ("audit", LOG), ("show", LOG), ("replay", LOG), ("verify", ROOT / "README.md"), ("host", "--help"),
    ("puzzle",),
)  # fmt: skip
"""Commands that open no folder of a player."""


@pytest.mark.variants
@pytest.mark.parametrize("words", BARE, ids=lambda words: " ".join(map(str, words)).rpartition("/")[2])
def test_a_player_s_own_language_is_spoken_by_commands_that_open_no_folder_of_his(
    club: Club, monkeypatch: pytest.MonkeyPatch, words: tuple[object, ...]
) -> None:
    english = typed(*words)
    monkeypatch.setenv("PBEM_HOME", str(club.folder / "ann"))
    assert typed(*words) == english, "he has chosen none"
    typed("language", "fr")
    assert typed(*words) == typed("--language", "fr", *words) != english
    assert typed("--language", "en", *words) == english, "what is asked for goes before it"
    assert typed("engine", given='{"do": "nothing"}\n') == typed(
        "--language", "en", "engine", given='{"do": "nothing"}\n'
    )


@pytest.mark.parametrize(
    ("environ", "language"),
    [
        ({}, "en"),
        ({"LANG": "fr_FR.UTF-8"}, "fr"),
        ({"LANG": "fr_FR.UTF-8", "LC_MESSAGES": "en_GB"}, "en"),
        ({"LC_ALL": "fr_CA@euro", "LANG": "C"}, "fr"),
        ({"LANG": "de_DE.UTF-8"}, "en"),
        ({"LC_ALL": "", "LANG": "fr"}, "fr"),
    ],
)
def test_the_machine_s_language_is_spoken_where_it_has_words(environ: dict[str, str], language: str) -> None:
    assert of_the_machine(environ) == language


def test_settings_in_a_language_without_words_are_refused_by_name(club: Club) -> None:
    place = club.folder / "ann" / "settings.json"
    place.write_text(place.read_text().replace('"language": ""', '"language": "xx"'))
    with pytest.raises(UsageError, match="“language” is one of en, fr"):
        PlayerSettings.read(place)
    assert "“language” is one of en, fr" in typed("board", "--home", club.folder / "ann")
