"""What people type by mistake, and files that are not what they should be: each gets a sentence to act on and its exit code."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer

from pbem import __version__
from pbem.cli.commands import GROUPS, OF_A_PLAYER, OF_ALL, TABLES, UNLISTED, AllCommands, functions
from pbem.cli.demo import Demo
from pbem.games import find
from pbem.mail import Maildir, read_message
from pbem.player.desk import sayable_words
from pbem.player.pair.saying import SAYS
from tests.chaos.installed import PBEM
from tests.cli.odd_uses import pbem, the_example_game_is_found
from tests.host.post import Club, a_club

from .program import Program

__all__ = ["pbem", "the_example_game_is_found"]  # fixtures


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("odd") / "demo"
    Demo(out, 4, find("tiny"), {}, {}).play(lambda _: None)
    return out / "game.pbem"


# -- places that cannot be written to, files that are no logs ---------------------------------------------------------


@pytest.mark.parametrize(
    "arguments",
    [
        ("merge", "LOG", "LOG", "--out", "WALL"),
        ("export-sig", "LOG", "1", "--out", "WALL"),
        ("audit", "NOLOG", "--evidence", "WALL"),
        ("replay", "LOG", "--html", "WALL"),
        ("key", "--address", "a@example.org", "--home", "WALL"),
        ("host", "init", "WALL", "--address", "a@example.org"),
        ("play", "--game", "tiny", "--no-keep", "--out", "WALL"),
        ("demo", "--game", "tiny", "--out", "WALL"),
    ],
)
def test_a_place_that_cannot_be_used_is_named(
    pbem: Program, log: Path, tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    (tmp_path / "file").write_text("hello\n")
    places = {"LOG": log, "NOLOG": tmp_path / "file", "WALL": tmp_path / "file" / "below"}
    code, said = pbem(*(places.get(a, a) for a in arguments))
    assert code == 1
    assert said.splitlines()[-1].startswith(f"pbem: {tmp_path / 'file'}")
    assert said.endswith("cannot be used: Not a directory.\n")


def test_a_disk_that_is_full_is_said_of_which_file_and_leaves_nothing_half_written(
    pbem: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same command works once there is room."""
    assert pbem("key", "--address", "ann@example.org", "--home", tmp_path / "ann")[0] == 0
    pbem("with", "bob@example.org", "--game", "tiny", "--home", tmp_path / "ann")
    (notes,) = (tmp_path / "ann" / "games").glob("*.two")
    (plans := tmp_path / "plans").write_text("")

    def files() -> dict[Path, bytes]:
        return {path: path.read_bytes() for path in (tmp_path / "ann").rglob("*") if path.is_file()}

    def full(_file: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    before = files()
    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        code, said = pbem("plan", plans, "--home", tmp_path / "ann")
    assert (code, said) == (
        1,
        f"pbem: {notes} cannot be used: No space left on device. Free some space and try again; the old content is unchanged.\n",
    )
    assert files() == before
    assert pbem("plan", plans, "--home", tmp_path / "ann")[0] == 0


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="it takes no byte, and is of Linux")
def test_a_file_for_the_mail_program_on_a_full_disk_is_named(pbem: Program, tmp_path: Path) -> None:
    pbem("key", "--address", "ann@example.org", "--home", tmp_path)
    pbem("with", "bob@example.org", "--game", "tiny", "--home", tmp_path)
    waiting = list((tmp_path / "out").iterdir())
    code, said = pbem("send", "--eml", "/dev/full", "--home", tmp_path)
    assert (code, "/dev/full cannot be used: No space left on device. Free some space" in said) == (1, True), said
    assert list((tmp_path / "out").iterdir()) == waiting, "it counts as given out once it is written"


@pytest.mark.parametrize("content", ["", "hello\n", "hello", "{}\n"])
@pytest.mark.parametrize("command", ["show", "replay", "merge", "export-sig"])
def test_a_file_that_is_no_log_is_named(pbem: Program, log: Path, tmp_path: Path, command: str, content: str) -> None:
    (tmp_path / "notes.txt").write_text(content)
    more = {"merge": (log, "--out", tmp_path / "x"), "export-sig": (1,)}
    code, said = pbem(command, tmp_path / "notes.txt", *more.get(command, ()))
    assert code == 1
    assert said.startswith(f"pbem: {tmp_path / 'notes.txt'} is not a .pbem file, or it is damaged: ")


@pytest.mark.slow
def test_standard_input_may_be_closed(tmp_path: Path) -> None:
    """A mail server may close it; the mail is refused, not lost in a crash."""
    run = f"{PBEM} host take --dir {tmp_path} <&-"
    ended = subprocess.run(["/bin/sh", "-c", run], capture_output=True, check=False, env=dict(os.environ))
    assert (ended.returncode, ended.stderr) == (67, b"pbem: no mail came on standard input\n")


@pytest.mark.slow
def test_a_console_of_few_letters_gets_a_sign_for_the_others(tmp_path: Path) -> None:
    """As that of Windows where the output goes to a file: it is no reason to break off."""
    mail = tmp_path / "mail.eml"
    mail.write_text("Subject: x\n\nWas nun, Jürg, Ψ?\n", "utf-8")
    run = [str(PBEM)]
    few = os.environ | {"PYTHONIOENCODING": "cp1252", "PBEM_HOME": str(tmp_path / "ann")}
    assert (
        subprocess.run(
            [*run, "key", "--address", "a@example.org"], capture_output=True, check=False, env=few
        ).returncode
        == 0
    )
    ended = subprocess.run([*run, "read", str(mail)], capture_output=True, check=False, env=few)
    assert (ended.returncode, ended.stdout) == (0, "| Was nun, Jürg, ??\n".encode("cp1252"))


def test_a_store_that_is_damaged_makes_the_mail_come_again(pbem: Program, tmp_path: Path) -> None:
    assert pbem("host", "init", tmp_path / "club", "--address", "club@example.org")[0] == 0
    (tmp_path / "club" / "pbem.sqlite").write_bytes(b"no database" * 1000)
    code, said = pbem("host", "take", "--dir", tmp_path / "club", typed="From: a@example.org\n\nhello\n")
    assert code == 75
    assert f"The host's store {tmp_path / 'club' / 'pbem.sqlite'} is damaged" in said
    assert "Try again" not in said
    assert pbem("host", "games", "--dir", tmp_path / "club")[0] == 65


# -- wrong usage -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("demo", "--game", "tiny", "--out", "x", "--bot", "random"), "write --bot SEAT=random"),
        (
            ("demo", "--game", "tiny", "--out", "x", "--bot", "eve=random"),
            "There is no seat “eve”; the seats are ann, ",
        ),
        (("demo", "--game", "tiny", "--out", __file__), "is there already; name a new folder"),
        (("key", "--address", "alice"), "“alice” is not an e-mail address"),
        (("host", "init", "club", "--address", "club"), "“club” is not an e-mail address"),
        (("host", "new", "--seat", "ann=ann"), "“ann” is neither an e-mail address nor a built-in player"),
        (("key", "--address", "ann@Bücher.example"), "write ann@xn--bcher-kva.example"),
        (("host", "new", "--seat", "ann=ann@bücher.example"), "write ann@xn--bcher-kva.example"),
        (("host", "new", "--seat", "ann=a@example.org", "--hours", "-1"), "greater than or equal to 0"),
        (("host", "new", "--seat", "ann=a@example.org", "--hours", "99999999999"), "less than or equal to 87600"),
        (("host", "tidy", "--days", "999999999"), "less than or equal to 36500"),
        (("host", "games", "--idle", "999999999"), "less than or equal to 36500"),
        (("verify", "LOG", "--seat", "eve"), "This game has no seat “eve”; its seats are ann, "),
        (("replay", "LOG", "--at", "0"), "The first tell that it opens is entry "),
    ],
)
def test_wrong_usage_is_answered_with_what_would_be_right(
    pbem: Program, log: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    code, printed = pbem(*(log if a == "LOG" else a for a in arguments))
    assert code == 2
    assert said in printed
    assert not list(tmp_path.iterdir()), "nothing has been made"


# -- mail folders and orders ------------------------------------------------------------------------------------------


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Club]:
    with a_club(tmp_path) as club:
        yield club.begin()


def _box(club: Club, *mails: bytes) -> Path:
    """A mail folder in which these have arrived, the first one first."""
    box = Maildir(club.folder / "box")
    for minute, raw in enumerate(mails):
        box.deliver(raw, minute)
    return box.path


@pytest.mark.slow
def test_mails_of_a_folder_are_read_whatever_their_order(pbem: Program, club: Club) -> None:
    """One that has overtaken another waits for it; one that cannot be taken stays new, and stops no other."""
    club.new_desk("ann", "laptop")
    box = _box(club, *reversed(club.received["ann"]), club.received["bob"][0])
    code, said = pbem("read", "--home", club.folder / "laptop", box)
    assert code == 1, "one is left"
    assert "This mail is for the seat bob, yours is ann" in said
    assert len(list((box / "new").iterdir())) == 1
    assert len(list((box / "cur").iterdir())) == len(club.received["ann"]) == 3
    assert (club.folder / "laptop" / "games").joinpath(f"{club.log().game[:16]}.pbem").read_bytes() == (
        club.folder / "ann" / "games" / f"{club.log().game[:16]}.pbem"
    ).read_bytes()


@pytest.mark.slow
def test_joining_from_a_folder_takes_only_what_asks_for_it(pbem: Program, club: Club) -> None:
    club.new_desk("ann", "laptop")
    box = _box(club, b"From: a@example.org\n\nhello\n", club.received["ann"][0])
    code, said = pbem("join", "--home", club.folder / "laptop", box)
    assert code == 1
    assert "You play Ann" in said
    assert "This mail is neither an invitation nor a list of keys: no host or friend has signed anything in it." in said
    (left,) = (box / "new").iterdir()
    assert left.read_bytes().endswith(b"hello\n")


@pytest.mark.slow
def test_a_folder_without_new_mail_says_where_the_rest_is(pbem: Program, club: Club) -> None:
    box = _box(club)
    for command, code in (("read", 0), ("join", 2)):
        found, said = pbem(command, "--home", club.folder / "ann", box)
        assert found == code
        assert f"There is no new mail in {box}. Mail that was read before is in {box / 'cur'}" in said


@pytest.mark.slow
def test_a_folder_that_holds_no_mail_is_left_as_it_is(pbem: Program, club: Club, tmp_path: Path) -> None:
    (tmp_path / "letters").mkdir()
    code, said = pbem("read", "--home", club.folder / "ann", tmp_path / "letters")
    assert code == 2
    assert "is not a mail folder (Maildir)" in said
    assert not list((tmp_path / "letters").iterdir())


@pytest.mark.variants
@pytest.mark.parametrize("end", ["", "\x1a", "\x1a\r\n", "\r\n\x1a\x1a"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_an_order_may_be_saved_as_editors_save_it(pbem: Program, club: Club, encoding: str, end: str) -> None:
    """Some editors end a file with Ctrl-Z."""
    _, view, pack = club.desks["ann"].question(club.notes("ann"))
    order = str(next(iter(pack.rules.options(view))))
    (club.folder / "order.txt").write_bytes(f"{order.lower()}  # für Ann\r\n{end}".encode(encoding))
    code, said = pbem("order", "--home", club.folder / "ann", club.folder / "order.txt")
    assert (code, said) == (0, f"Signed:\n  {order}\n“pbem send” sends it.\n")


@pytest.mark.slow
def test_a_file_of_something_else_is_not_answered_line_by_line(pbem: Program, club: Club) -> None:
    (club.folder / "order.txt").write_text("nonsense\n" * 500)
    code, said = pbem("order", "--home", club.folder / "ann", club.folder / "order.txt")
    assert code == 1
    assert said.count("\n") == 11
    assert "And 490 more lines cannot be read. Is this the right file?" in said


@pytest.mark.slow
def test_a_report_copied_by_hand_is_said_to_be_unverified(pbem: Program, club: Club, tmp_path: Path) -> None:
    home, report = club.folder / "ann", club.received["ann"][-1]
    assert "signed by the host" not in pbem("read", "--home", home, "-", typed=report.decode())[1]
    (tmp_path / "pasted.txt").write_text(read_message(report).text, "utf-8")
    code, said = pbem("read", "--home", home, tmp_path / "pasted.txt")
    assert code == 0
    assert "Nothing in this mail is signed by a host, or by a friend" in said


@pytest.mark.slow
def test_a_second_answer_is_said_to_be_one(pbem: Program, club: Club, tmp_path: Path) -> None:
    home = club.folder / "ann"
    desk = club.desks["ann"]
    _, view, pack = desk.question(desk.notes())
    (tmp_path / "order.txt").write_text(str(next(iter(pack.rules.options(view)))), "utf-8")
    assert "You have answered this before" not in pbem("order", "--home", home, tmp_path / "order.txt")[1]
    assert (
        "You have answered this before. This is revision 1" in pbem("order", "--home", home, tmp_path / "order.txt")[1]
    )


@pytest.mark.slow
def test_the_board_is_that_of_the_players_copy(pbem: Program, club: Club) -> None:
    code, said = pbem("board", "--home", club.folder / "ann")
    assert code == 0
    assert "\nTiny, game " in said
    assert "Hand: " in said
    assert pbem("board", "--home", club.folder / "ann", "--as", "json")[0] == 2


def test_no_command_hides_another() -> None:
    names = [*OF_A_PLAYER, *OF_ALL, *GROUPS, *UNLISTED]
    assert len(names) == len(set(names))
    for table in (OF_A_PLAYER, OF_ALL, *TABLES.values()):
        made = [typer.main.get_command_name(found.__name__.strip("_")) for found in functions(table).values()]
        assert made == list(table), "each is found under the name of its function"


@pytest.mark.slow
def test_without_a_way_to_the_host_the_letters_are_named(pbem: Program, club: Club) -> None:
    home = club.folder / "eve"
    assert pbem("key", "--home", home, "--address", "eve@example.org")[0] == 0
    (home / "out" / "a letter.eml").write_bytes(b"hello")
    code, said = pbem("send", "--home", home)
    assert code == 0
    assert f"move to {home / 'sent'}:\n  {home / 'out' / 'a letter.eml'}\n" in said
    assert "“pbem setup”" in said


def test_a_game_that_is_broken_off_leaves_its_log(pbem: Program, tmp_path: Path) -> None:
    code, said = pbem("play", "--game", "tiny", "--out", tmp_path / "game.pbem", typed="1\ny\n")
    assert code == 0
    assert "You have left the game." in said
    assert f"Your copy of the log is in {tmp_path / 'game.pbem'}; what is hidden from you opens at the end." in said
    assert pbem("show", tmp_path / "game.pbem")[0] == 0


def test_python_runs_the_package_as_the_command() -> None:
    said = subprocess.run(
        [sys.executable, "-m", "pbem", "--version"], capture_output=True, text=True, check=True
    ).stdout
    assert said == f"pbem {__version__}\n"


def test_all_that_say_says_is_known_when_it_is_typed_alone() -> None:
    """A word that is said, and is a command as well, would be taken away from it."""
    assert {*SAYS, "withdraw", "leave", "claim"} <= sayable_words()
    assert not sayable_words() & {*AllCommands.table}
