"""Who plays one game with a host and one without: what a command does with one of them, with the other, and with both."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pbem.cli.app import app
from pbem.errors import PbemError, UsageError
from pbem.ledger.modes import united
from pbem.mail import read_message
from pbem.page.service import Service
from pbem.player import Desk
from tests.host.post import Club, a_club
from tests.page.calling import ok, refused


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Club]:
    """Ann plays with a host, and has invited a friend to a game without one."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PBEM_GAMES", str(Path(__file__).parents[2] / "examples"))
        with a_club(tmp_path_factory.mktemp("club"), hours=48, terms={"late": "default", "leave": 24}) as club:
            club.begin()
            code, said = typed(club.folder / "ann", "with", "bea@example.org", "--game", "tiny")
            assert code == 0, said
            yield club


@pytest.fixture
def home(begun: Club, tmp_path: Path) -> Path:
    shutil.copytree(begun.folder / "ann", tmp_path / "ann")
    return tmp_path / "ann"


@pytest.fixture
def ids(home: Path) -> tuple[str, str]:
    """The game with the host, and the one without."""
    hosted, pair = Desk(home).speakers()
    return hosted.notes.game[:8], pair.notes.game[:8]


def typed(home: Path, *words: object) -> tuple[int, str]:
    found = CliRunner().invoke(app, [*map(str, words), "--home", str(home)])
    if isinstance(found.exception, PbemError):
        return 2, found.output + str(found.exception)
    if found.exception is not None and not isinstance(found.exception, SystemExit):
        raise found.exception
    return found.exit_code, found.output


def waiting(home: Path) -> list[str]:
    return sorted(path.name.split(".")[0] for path in Desk(home).tray.unsent())


def test_send_again_lays_the_letters_of_all_games_ready(home: Path, ids: tuple[str, str]) -> None:
    tray = Desk(home).tray
    for path in tray.unsent():
        tray.sent(path)
    assert typed(home, "say", "draw", "--yes", "--game", ids[0])[0] == 0
    for path in tray.unsent():
        tray.given_out(path)
    code, said = typed(home, "send", "--again")
    assert (code, said.count("Laid ready again")) == (0, 2), said
    assert sorted(path.name.split(".")[0] for path in (home / "sent").glob("*.draw.*")) == [ids[0]]
    assert [path.name.split(".")[0] for path in (home / "sent").glob("*.two.*")] == [ids[1]]


def test_send_sends_the_letters_of_the_game_that_is_named_alone(
    home: Path, ids: tuple[str, str], tmp_path: Path
) -> None:
    for box in ("new", "cur", "tmp"):
        (tmp_path / "post" / box).mkdir(parents=True)
    Desk(home).change_settings(post=str(tmp_path / "post"))
    typed(home, "say", "draw", "--yes", "--game", ids[0])
    code, said = typed(home, "send", "--game", ids[0])
    assert (code, waiting(home)) == (0, [ids[1]]), said
    code, said = typed(home, "send", "--game", ids[0])
    assert (code, "Nothing waits to be sent." in said, waiting(home)) == (0, True, [ids[1]]), said
    typed(home, "send", "--game", ids[1])
    assert waiting(home) == []


def test_a_new_address_is_told_to_hosts_and_stands_in_letters_to_friends(home: Path, ids: tuple[str, str]) -> None:
    code, said = typed(home, "address", "ann@example.com", "--yes")
    assert (code, "(Tiny): your letters shall go to ann@example.com" in said) == (0, True), said
    assert "pbem address --friend ann@example.com" in " ".join(said.split())
    (letter,) = (path for path in Desk(home).tray.unsent() if path.name.startswith(ids[1]))
    assert read_message(letter.read_bytes()).sender == "ann@example.com"
    assert waiting(home) == sorted(ids)


def test_a_new_address_for_a_game_of_two_is_told_to_no_host(home: Path, ids: tuple[str, str]) -> None:
    code, said = typed(home, "address", "ann@example.com", "--yes", "--game", ids[1])
    assert (code, "pbem address --friend" in " ".join(said.split()), waiting(home)) == (0, True, [ids[1]]), said
    code, said = typed(home, "address", "ann@example.net", "--yes", "--game", ids[0])
    assert (code, waiting(home), Desk(home).settings.address) == (0, sorted(ids), "ann@example.com"), said


def test_a_friends_address_is_one_in_the_game_of_two(home: Path, ids: tuple[str, str], tmp_path: Path) -> None:
    code, said = typed(home, "address", "--friend", "bea@example.net")
    assert (code, "your letters go to bea@example.net" in said) == (0, True), said
    code, said = typed(home, "address", "--friend", "bea@example.net", "--game", ids[0])
    assert (code, "has a host" in said) == (2, True), said
    typed(tmp_path / "new", "key", "--address", "cleo@example.org")
    code, said = typed(tmp_path / "new", "address", "--friend", "bea@example.net")
    assert (code, "“pbem with ADDRESS” begins one" in said) == (2, True), said


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("say", "withdraw", "5"), "No number goes with “withdraw”"),
        (("say", "withdraw", "--anyway"), "--anyway is for games with a host"),
        (("copy", "--since", "3"), "--since is for games with a host"),
        (("resend", "--since", "3"), "--since is for games with a host"),
    ],
)
def test_what_says_nothing_in_a_game_of_two_is_refused_there(
    home: Path, ids: tuple[str, str], words: tuple[str, ...], why: str
) -> None:
    code, said = typed(home, *words, "--game", ids[1])
    assert (code, why in said) == (2, True), said
    with pytest.raises(UsageError, match="--anyway is for games with a host"):
        Desk(home).meant(ids[1]).answer("CARD c1", "", "2030-01-01T12:00:00Z", anyway=True)


def test_what_says_nothing_in_a_game_with_a_host_is_refused_there(home: Path, ids: tuple[str, str]) -> None:
    code, said = typed(home, "say", "draw", "--yes", "--anyway", "--game", ids[0])
    assert (code, "--anyway goes with “claim” alone" in said) == (2, True), said


def test_what_is_said_to_a_host_may_be_thrown_away(home: Path, ids: tuple[str, str]) -> None:
    assert typed(home, "say", "draw", "--yes", "--game", ids[0])[1].endswith(
        "“pbem send” sends it; until then you may throw it away.\n"
    )


def test_the_list_says_since_when_a_friend_is_waited_for(home: Path, ids: tuple[str, str]) -> None:
    assert "Your part is signed, but its letter is not sent yet" in typed(home, "games")[1]
    assert typed(home, "send", "--game", ids[1], "--eml", home / "1.eml")[0] == 0
    said = typed(home, "games")[1]
    (line,) = (line for line in said.splitlines() if "Not all seats are taken yet" in line)
    assert line.startswith("  Not all seats are taken yet: waiting for Bob since "), line


def test_logs_of_two_kinds_are_told_which_is_which(home: Path, ids: tuple[str, str], tmp_path: Path) -> None:
    hosted, pair = (home / "games" / f"{one.notes.game[:16]}.pbem" for one in Desk(home).speakers())
    for words in ((hosted, pair), (pair, hosted)):
        code, said = typed_alone("merge", *words, "--out", tmp_path / "united.pbem")
        assert (code, f"{pair} is the log of one without a host, and {hosted} of one with a host" in said) == (
            2,
            True,
        ), said
    with pytest.raises(PbemError, match=r"the second is the log of one without a host, and the first"):
        united(hosted.read_bytes(), pair.read_bytes(), ("the first", "the second"))


def test_a_hand_in_a_game_of_two_is_shown_by_replay(home: Path) -> None:
    _hosted, pair = (home / "games" / f"{one.notes.game[:16]}.pbem" for one in Desk(home).speakers())
    code, said = typed_alone("show", pair, "--hand", "ann")
    assert (code, "“pbem replay” shows what each had" in said) == (2, True), said


def test_a_page_names_no_command_where_a_number_is_missing(home: Path) -> None:
    service = Service(home)
    game = ok(service, "games")["games"][0]["game"]
    kind, said = refused(service, "say", game=game, what="leave")
    assert (kind, "pbem" in said, "a number of hours goes with" in said) == ("player", False, True), said


def test_a_page_asks_which_of_two_games_is_meant(home: Path) -> None:
    kind, said = refused(Service(home), "sayings", game="")
    assert (kind, "Which game?" in said) == ("player", True), said


def typed_alone(*words: object) -> tuple[int, str]:
    found = CliRunner().invoke(app, [*map(str, words)])
    return (
        (2, found.output + str(found.exception))
        if isinstance(found.exception, PbemError)
        else (found.exit_code, found.output)
    )
