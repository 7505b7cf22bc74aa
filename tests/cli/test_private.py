"""Nobody else on the machine reads what a host or a player keeps, whatever the umask says."""

from __future__ import annotations

import ast
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem import private
from pbem.host import Office
from pbem.mail import Maildir
from pbem.player import Desk
from tests.host.post import Club, a_club
from tests.project.source import ROOT, modules

from .odd_uses import pbem, the_example_game_is_found
from .program import Program

__all__ = ["pbem", "the_example_game_is_found"]

pytestmark = pytest.mark.skipif(os.name != "posix", reason="Windows has no such modes")


@pytest.fixture(autouse=True)
def no_umask() -> Iterator[None]:
    before = os.umask(0)
    yield
    os.umask(before)


def bare(folder: Path) -> list[str]:
    """What others could read or change, had they a way to it."""
    found = [folder, *folder.rglob("*")]
    assert len(found) > 5
    return [f"{path.relative_to(folder)} {path.stat().st_mode:o}" for path in found if path.stat().st_mode & 0o077]


@pytest.mark.slow
def test_a_demonstration_leaves_nothing_that_others_could_read(tmp_path: Path, pbem: Program) -> None:
    """Folders are 0700 and files 0600 under any umask."""
    assert pbem("demo", "--game", "tiny", "--seed", 5, "--out", tmp_path / "demo")[0] == 0
    assert bare(tmp_path / "demo") == []


@pytest.mark.slow
def test_nor_do_a_host_and_its_players(tmp_path: Path, pbem: Program) -> None:
    """Store, journal, copies, letters, receipts, notes, another key, templates, export, backup, and the store brought back."""
    with a_club(tmp_path / "all" / "club", turns=3) as club:
        club.begin()
        host, ann = club.folder / "host", club.folder / "ann"
        club.turn()
        club.take(club.order("ann"))
        club.desks["ann"].read(club.deliver()["ann"][0])  # its receipt
        club.desks["bob"].speaker(club.notes("bob")).write("A truce?", "", club.now())  # it waits to be sent
        pbem("host", "templates", "mail/invitation.txt.j2", "--dir", host)
        pbem("host", "backup", club.folder / "saved", "--dir", host)
        pbem("host", "export", 1, "--out", club.folder / "log", "--dir", host)
        pbem("key", "--home", club.folder / "eve", "--address", "eve@example.org", "--recovery", club.folder / "spare")
        pbem("rekey", "--yes", "--home", ann)
        pbem("board", "--home", ann, "--html", club.folder / "board.html", "--svg", club.folder / "board.svg")
        assert (host / "pbem.sqlite-wal").exists()
        assert (host / "pbem.sqlite-shm").exists()
        assert bare(tmp_path / "all") == []
        club.office.close()
        assert pbem("host", "restore", "--yes", club.folder / "saved", "--replace", "--dir", host)[0] == 0
        assert bare(tmp_path / "all") == []
        club.office = Office(host)
        for name in (
            "saved",
            "log",
            "spare",
            "ann/games/nonces",
            "ann/key.before",
            "host/pbem.sqlite.old",
            "host/sending",
        ):
            assert (club.folder / name).exists(), name


@pytest.fixture
def former(tmp_path: Path) -> Iterator[Club]:
    """A host and players of an older pbem, under the usual umask."""
    with a_club(tmp_path / "club") as club:
        club.begin()
        club.office.close()
        for path in (club.folder, *club.folder.rglob("*")):
            path.chmod(0o755 if path.is_dir() else 0o644)
        yield club


@pytest.mark.slow
def test_files_that_an_older_host_left_readable_are_closed_or_named(former: Club, pbem: Program) -> None:
    """Opening closes the store and the key to other accounts. `pbem host check` names other readable files and the
    command that closes them."""
    host = former.folder / "host"
    code, said = pbem("host", "check", "--dir", host)
    assert code == 1
    assert "WRONG  Others on this machine can look into" in said
    assert f"chmod -R go= {host}" in said
    assert not (host / "pbem.sqlite").stat().st_mode & 0o077, "it is shut when it is opened"
    for path in (host, *host.rglob("*")):
        path.chmod(path.stat().st_mode & 0o700)
    code, said = pbem("host", "check", "--dir", host)
    assert code == 0
    assert f"well   Nobody else can read {host}." in said
    (host / "host.toml").chmod(0o644)
    assert pbem("host", "check", "--dir", host)[0] == 0, "nobody comes to it"


def test_what_an_older_player_left_open_is_shut(former: Club) -> None:
    desk = Desk(former.desks["ann"].home)
    for name in ("key", "games", "out", "sent"):
        assert not (desk.home / name).stat().st_mode & 0o077


def test_what_is_written_over_is_shut_and_a_folder_is_left_alone(tmp_path: Path) -> None:
    file, folder = tmp_path / "file", tmp_path / "folder"
    file.write_bytes(b"before")
    folder.mkdir()
    private.write(file, b"now")
    assert (file.read_bytes(), file.stat().st_mode & 0o777) == (b"now", 0o600)
    with pytest.raises(IsADirectoryError):
        private.write(folder, b"now")
    private.make_folder(folder)
    assert folder.stat().st_mode & 0o777 == 0o777
    private.make_folder(folder / "a" / "b")
    assert (folder / "a").stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize(("folder", "letter"), [(0o700, 0o600), (0o755, 0o600), (0o770, 0o640), (0o1777, 0o644)])
def test_a_letter_is_for_its_folder_and_for_those_who_write_into_it(tmp_path: Path, folder: int, letter: int) -> None:
    """The host's folder for mail, into which players on the same machine put theirs."""
    box = Maildir(tmp_path / "mail")
    (tmp_path / "mail" / "new").chmod(folder)
    assert box.deliver(b"Subject: hm\n\nhello\n").stat().st_mode & 0o777 == letter


@pytest.mark.slow
def test_the_page_of_a_replay_is_for_all(tmp_path: Path, pbem: Program) -> None:
    pbem("demo", "--game", "tiny", "--seed", 5, "--out", tmp_path / "demo")
    log, public, own = tmp_path / "demo" / "game.pbem", tmp_path / "all.html", tmp_path / "own.html"
    pbem("replay", log, "--html", public)
    pbem("replay", log, "--seat", "ann", "--html", own)
    assert (public.stat().st_mode & 0o777, own.stat().st_mode & 0o777) == (0o666, 0o600)


@pytest.mark.slow
def test_what_is_drawn_of_a_puzzle_is_for_all_and_of_a_game_for_nobody_else(tmp_path: Path, pbem: Program) -> None:
    of_puzzle, of_game = tmp_path / "puzzle.html", tmp_path / "game.html"
    pbem("puzzle", "hammer", 1, "--html", of_puzzle)
    pbem("replay", ROOT / "tests" / "golden" / "logs" / "hammer-begun.pbem", "--at", 10, "--svg", of_game)
    assert (of_puzzle.stat().st_mode & 0o777, of_game.stat().st_mode & 0o777) == (0o666, 0o600)


WRITES = {"write_bytes", "write_text", "mkdir", "touch", "symlink_to", "mkstemp"}
LOOKS = {"which", "disk_usage"}
"""What `shutil` only looks at."""


def writers(tree: ast.Module) -> list[str]:
    """The calls by which a module makes a file or folder itself."""
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute | ast.Name):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else node.func.id
            of = ast.unparse(node.func.value) if isinstance(node.func, ast.Attribute) else ""
            modes = [arg.value for arg in node.args if isinstance(arg, ast.Constant) and isinstance(arg.value, str)]
            opens = name == "open" and any(set(mode) & set("wax+") and len(mode) < 4 for mode in modes)
            if of != "private" and (name in WRITES or opens or (of == "shutil" and name not in LOOKS)):
                found.append(ast.unparse(node))
    return found


def test_hosts_and_players_make_files_in_one_place() -> None:
    ours = [module for module in modules() if module.name.startswith(("pbem.host", "pbem.player", "pbem.mail"))]
    assert len(ours) > 50
    assert {module.name: found for module in ours if (found := writers(module.tree))} == {}


def test_a_file_that_is_made_elsewhere_is_seen() -> None:
    assert (
        len(
            writers(
                ast.parse(
                    "path.write_bytes(b'')\nopen(path, 'wb')\npath.open('a')\nfolder.mkdir()\nprivate.touch(path)"
                )
            )
        )
        == 4
    )
