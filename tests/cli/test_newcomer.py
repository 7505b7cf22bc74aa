"""What somebody does wrong who is new here, at his desk and at his host: nothing is lost by it, and he is told how to go on."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer

from pbem.ledger import PrivateKey
from pbem.player import Desk
from tests.host.post import Club, a_club

from .program import Program

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture(autouse=True)
def the_example_game_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_GAMES", str(EXAMPLES))
    monkeypatch.delenv("PBEM_HOME", raising=False)
    monkeypatch.delenv("PBEM_HOST", raising=False)


@pytest.fixture
def pbem(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Program:
    return Program(monkeypatch, capsys)


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Club]:
    with a_club(tmp_path) as club:
        yield club.begin()


# -- a host that lost a part of its folder ---------------------------------------------------------------------------


def test_a_host_that_lost_its_settings_keeps_its_key(pbem: Program, tmp_path: Path) -> None:
    folder = tmp_path / "club"
    made = pbem("host", "init", folder, "--address", "club@example.org")[1]
    key = (folder / "key").read_bytes()
    (folder / "host.toml").unlink()
    code, said = pbem("host", "status", "--dir", folder)
    assert code == 2
    assert f"“pbem host init {folder} --address club@example.org” writes a new one and keeps the key" in said
    code, said = pbem("host", "init", folder, "--address", "club@example.org")
    assert code == 0
    assert (folder / "key").read_bytes() == key
    assert made.splitlines()[1] in said.splitlines()
    assert "It is the key that was there; the settings are new." in said
    assert pbem("host", "status", "--dir", folder)[0] == 0


@pytest.mark.slow
def test_a_locked_key_that_cannot_be_opened_makes_no_half_a_host(
    pbem: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "club"
    monkeypatch.setenv("PBEM_PASSPHRASE", "sesame")
    pbem("host", "init", folder, "--address", "club@example.org")
    (folder / "host.toml").unlink()
    monkeypatch.delenv("PBEM_PASSPHRASE")
    code, said = pbem("host", "init", folder, "--address", "club@example.org")
    assert (code, said) == (
        1,
        "pbem: The key file is locked with a passphrase, and none was given: set PBEM_PASSPHRASE.\n",
    )
    assert not (folder / "host.toml").exists()


def test_a_store_without_its_key_gets_no_other_key(pbem: Program, tmp_path: Path) -> None:
    folder = tmp_path / "club"
    pbem("host", "init", folder, "--address", "club@example.org")
    (folder / "key").unlink()
    code, said = pbem("host", "run", "--once", "--dir", folder)
    assert code == 1
    assert "Put your copy of the key back." in said
    assert "“pbem host adopt”" in said
    (folder / "host.toml").unlink()
    code, said = pbem("host", "init", folder, "--address", "club@example.org")
    assert code == 2
    assert "without its key" in said
    assert not (folder / "key").exists()


def test_who_stands_above_the_hosts_folder_is_told_its_name(
    pbem: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    code, said = pbem("host", "games")
    assert code == 2
    assert "There is no host in “.”. Name its folder with --dir, or make one" in said
    pbem("host", "init", "our club", "--address", "club@example.org")
    code, said = pbem("host", "games")
    assert (code, said) == (2, "pbem: There is no host in “.”, but there is one below it: use --dir 'our club'.\n")


@pytest.mark.slow
def test_a_list_of_games_says_which_stand_still_and_what_they_wait_for(pbem: Program, club: Club) -> None:
    club.robot.hold(club.now(), "brought back")
    code, said = pbem("host", "games", "--dir", club.folder / "host")
    assert code == 0
    assert said.endswith(", paused, without the copies of ann, bob\n")
    assert "waiting for" not in said


@pytest.mark.slow
def test_games_are_chosen_by_an_address_not_by_a_seat(pbem: Program, club: Club) -> None:
    for option in ("--waiting", "--player"):
        code, said = pbem("host", "games", option, "ann", "--dir", club.folder / "host")
        assert (code, said) == (2, "pbem: “ann” is not an e-mail address; one looks like alice@example.org.\n")


# -- keys, and where letters go --------------------------------------------------------------------------------------


def test_a_recovery_key_is_written_over_no_file(pbem: Program, tmp_path: Path) -> None:
    (tmp_path / "spare").write_text("of another desk")
    arguments = ("key", "--home", tmp_path / "ann", "--address", "ann@example.org", "--recovery")
    code, said = pbem(*arguments, tmp_path / "spare")
    assert code == 2
    assert "is there already; it is not written over" in said
    assert (tmp_path / "spare").read_text() == "of another desk"
    assert pbem(*arguments, tmp_path / "nowhere" / "spare")[0] == 1
    assert not (tmp_path / "ann").exists()
    assert pbem(*arguments, tmp_path / "stick")[0] == 0
    spare = PrivateKey.load((tmp_path / "stick").read_bytes())
    assert (tmp_path / "ann" / "recovery.pub").read_text().strip() == spare.key_line


def test_a_second_key_for_a_desk_leaves_no_recovery_key_behind(pbem: Program, tmp_path: Path) -> None:
    arguments = ("key", "--home", tmp_path / "ann", "--address", "ann@example.org")
    assert pbem(*arguments)[0] == 0
    code, said = pbem(*arguments, "--recovery", tmp_path / "stick")
    assert code == 2
    assert "There is a key in" in said
    assert not (tmp_path / "stick").exists()


def test_letters_are_put_into_no_folder_that_nobody_looks_into(pbem: Program, tmp_path: Path) -> None:
    wrong = tmp_path / "mail" / "hst"
    code, said = pbem("key", "--home", tmp_path / "ann", "--address", "ann@example.org", "--post", wrong)
    assert code == 2
    assert f"{wrong} is not a mail folder (Maildir)" in said
    assert not (tmp_path / "ann").exists()


@pytest.mark.slow
def test_letters_wait_while_the_hosts_folder_is_not_there(pbem: Program, club: Club) -> None:
    home, away = club.folder / "ann", club.folder / "away"
    pbem("say", "resign", "--yes", "--home", home)
    settings = json.loads((home / "settings.json").read_text())
    (home / "settings.json").write_text(json.dumps(settings | {"post": str(away)}))
    waiting = sorted((home / "out").iterdir())
    assert waiting
    code, said = pbem("send", "--home", home)
    assert code == 2
    assert "is not a mail folder (Maildir)" in said
    assert sorted((home / "out").iterdir()) == waiting
    assert not away.exists()


@pytest.mark.slow
def test_a_key_that_is_changed_twice_is_not_lost(pbem: Program, club: Club) -> None:
    """The host takes one change; were the key of that one gone, the seat would be lost."""
    home = club.folder / "ann"
    assert pbem("rekey", "--yes", "--home", home)[0] == 0
    key = (home / "key").read_bytes()
    code, said = pbem("rekey", "--yes", "--home", home)
    assert code == 2
    assert "the valid key is not the one in" in said
    assert (home / "key").read_bytes() == key
    (first,) = (home / "out").iterdir()
    assert first.name.split(".")[1] == "rekey"


@pytest.mark.slow
def test_a_refused_change_of_key_can_be_withdrawn(pbem: Program, club: Club) -> None:
    """The host has refused the change. The program withdraws the letter, because the host accepts only the old key."""
    home = club.folder / "ann"

    def lines(name: str) -> list[str]:
        return [PrivateKey.load(path.read_bytes()).key_line for path in home.glob(name)]

    before = lines("key")
    code, said = pbem("rekey", "--yes", "--home", home, "--back")
    assert code == 2
    assert "is already the valid one: there is no key change to take back" in said
    assert pbem("rekey", "--yes", "--home", home)[0] == 0
    (changed,) = lines("key")
    code, said = pbem("say", "--yes", "--home", home, "draw")
    assert code == 2
    assert "according to your copy, the valid key is not the one in" in said
    code, said = pbem("rekey", "--yes", "--home", home, "--back")
    assert code == 0
    assert "Your key is again the one that counts" in said
    assert lines("key") == before
    assert changed in lines("key.before*"), "the other is kept, too"
    assert "But the change was already sent" not in said
    assert list((home / "out").iterdir()) == [], "what was not sent would change the key after all"
    assert club.take(club.order("ann")) == "order: ann"


@pytest.mark.slow
def test_taking_a_key_back_names_a_change_that_is_under_way(pbem: Program, club: Club) -> None:
    """The letter has gone, so the program says what to do if the host accepts it. It does not send it again."""
    home = club.folder / "ann"
    assert pbem("rekey", "--yes", "--home", home)[0] == 0
    Desk(home).tray.sent(Desk(home).tray.unsent()[0])
    code, said = pbem("rekey", "--yes", "--home", home, "--back")
    assert code == 0
    assert "But the change was already sent, and no signed answer has come" in said
    assert pbem("send", "--home", home, "--again") == (0, "Nothing waits to be sent.\n"), "it is not sent once more"


def test_each_key_before_is_kept(pbem: Program, tmp_path: Path) -> None:
    home = tmp_path / "ann"
    pbem("key", "--home", home, "--address", "ann@example.org")
    keys = []
    for _ in range(3):
        keys.append((home / "key").read_bytes())
        assert pbem("rekey", "--yes", "--home", home)[0] == 0
    kept = [home / name for name in ("key.before", "key.before.2", "key.before.3")]
    assert [path.read_bytes() for path in kept] == keys


@pytest.mark.slow
def test_who_lost_his_key_file_takes_his_seat_back_with_the_recovery_key(pbem: Program, tmp_path: Path) -> None:
    spare = PrivateKey.from_seed(b"s" * 32)
    (tmp_path / "stick").write_bytes(spare.dump())
    (tmp_path / "other").write_bytes(PrivateKey.from_seed(b"o" * 32).dump())
    with a_club(tmp_path / "club") as club:
        home = club.folder / "ann"
        (home / "recovery.pub").write_text(f"{spare.key_line}\n")
        club.begin()
        (home / "key").unlink()
        code, said = pbem("order", "--home", home)
        assert code == 2
        assert "“pbem rekey --recovery FILE” takes your seats back" in said
        assert "is not the recovery key" in pbem("rekey", "--yes", "--home", home, "--recovery", tmp_path / "other")[1]
        assert not (home / "key").exists()
        code, said = pbem("rekey", "--yes", "--home", home, "--recovery", tmp_path / "stick")
        assert code == 0
        assert "“pbem send” tells the host: Tiny." in said
        (letter,) = (home / "out").iterdir()
        assert club.take(letter.read_bytes()) == "rekey: ann"


def test_a_folder_of_nobody_is_no_desk(pbem: Program, tmp_path: Path) -> None:
    code, said = pbem("rekey", "--yes", "--home", tmp_path, "--recovery", __file__)
    assert code == 2
    assert said.startswith(f"pbem: There is no key in {tmp_path}. “pbem setup” makes one")


def test_more_time_is_given_for_a_reason(pbem: Program, club: Club) -> None:
    code, said = pbem("host", "extend", 1, 48, "--yes", "--why", " ", "--dir", club.folder / "host")
    assert code == 2
    assert "Give the reason" in said


# -- at the desk -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", ["en", "fr"])
def test_who_leaves_an_order_by_ctrl_c_is_told_that_nothing_is_signed(
    pbem: Program, club: Club, monkeypatch: pytest.MonkeyPatch, language: str
) -> None:
    def stopped(*_: object, **__: object) -> str:
        raise typer.Abort

    monkeypatch.setattr(typer, "prompt", stopped)
    code, said = pbem("--language", language, "order", "--home", club.folder / "ann")
    assert code == 1
    assert {"en": "Nothing has been signed.", "fr": "Rien n’a été signé."}[language] == said.splitlines()[-1]


@pytest.mark.variants
@pytest.mark.parametrize("word", ["help", "?", "AIDE"])
def test_an_order_file_that_asks_for_help_gets_it(pbem: Program, club: Club, word: str) -> None:
    (file := club.folder / "order.txt").write_text(f"{word}\n")
    code, said = pbem("order", file, "--home", club.folder / "ann")
    assert code == 1
    assert re.search(r"\nCARD c\d\n# CARD c\d\n", said), "the orders that are possible"
    assert said.splitlines()[-1] == "Nothing has been signed."


@pytest.mark.variants
@pytest.mark.parametrize(("language", "yes"), [("en", "Yes"), ("en", ""), ("fr", "o"), ("fr", "oui"), ("fr", "y")])
def test_yes_is_said_in_the_language_that_is_spoken(
    pbem: Program, club: Club, monkeypatch: pytest.MonkeyPatch, language: str, yes: str
) -> None:
    answers = iter(["1", "perhaps", yes])
    asked: list[str] = []

    def answer(question: str, **_: object) -> str:
        asked.append(question)
        return next(answers)

    monkeypatch.setattr(typer, "prompt", answer)
    code, said = pbem("--language", language, "order", "--home", club.folder / "ann")
    assert code == 0
    assert asked[-1] == {"en": "Is that right? [Y/n]", "fr": "Est-ce bien cela\xa0? [O/n]"}[language]
    assert {"en": "Say yes or no.", "fr": "Répondez par oui ou par non."}[language] in said


def test_several_games_are_named_with_how_one_is_chosen(pbem: Program, club: Club) -> None:
    home, game = club.folder / "ann", club.notes("ann").game
    (first,) = (home / "games").glob("*.json")
    first.with_name("0" * 16 + ".json").write_text(first.read_text().replace(game, "0" * 64))
    code, said = pbem("say", "draw", "--yes", "--home", home)
    assert code == 2
    assert f"There are 00000000 (Tiny), {game[:8]} (Tiny). Name one by --game 00000000." in said


@pytest.mark.parametrize("command", ["verify", "audit"])
def test_a_file_that_is_no_copy_is_said_to_be_none(pbem: Program, club: Club, command: str) -> None:
    mail = club.folder / "mail.eml"
    mail.write_bytes(club.received["ann"][-1])
    code, said = pbem(command, mail)
    assert code == 1
    assert "This looks like no copy of a game at all" in said
    copy = next((club.folder / "ann" / "games").glob("*.pbem"))
    assert "no copy of a game" not in pbem(command, copy)[1]


# -- several games -----------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_one_game_that_asks_is_the_one_that_is_answered(pbem: Program, club: Club) -> None:
    """`pbem order` shows an order while you write it. An order from a file must name its game."""
    first = club.log().entries[0].fields
    addresses = {seat: f"{seat}@example.org" for seat in club.desks}
    club.robot.new_game("tiny", first["opts"], addresses, "Rematch", first["terms"], "again", club.now())
    desk = club.desks["ann"]
    desk.read(club.deliver()["ann"][-1])
    code, said = pbem("order", "--home", desk.home, typed="1\ny\n")
    assert code == 0, said
    assert said.startswith(f"Tiny, game {club.log().game[:8]}. You play Ann.\n")
    assert "Signed:" in said
    sheet = club.folder / "sheet"
    sheet.write_text("CARD c1")
    for words in (("order", sheet), ("say", "resign", "--yes")):
        code, said = pbem(*words, "--home", desk.home)
        assert (code, "Which game?" in said) == (2, True)
