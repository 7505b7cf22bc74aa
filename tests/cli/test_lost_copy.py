"""A copy of a game with a host that is lost or damaged: each command, and the page, says what brings it again, and it does."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pbem.cli.app import app
from pbem.errors import PbemError
from pbem.page.service import Service
from pbem.player import Desk
from tests.host.post import Club, a_club
from tests.page.calling import ok, refused
from tests.page.service import in_base64

LOST, DAMAGED = "is not here (", "is damaged ("


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Club]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PBEM_GAMES", str(Path(__file__).parents[2] / "examples"))
        with a_club(tmp_path_factory.mktemp("club")) as club:
            yield club.begin()


@pytest.fixture(params=[LOST, DAMAGED, "empty"])
def why(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def club(begun: Club, tmp_path: Path, why: str) -> Iterator[Club]:
    """Ann's copy is not what it was."""
    twin = begun.copy_to(tmp_path)
    path = copy_of(twin)
    if why == LOST:
        path.unlink()
    else:
        path.write_bytes(b"{ }\n" + path.read_bytes() if why == DAMAGED else b"")
    yield twin
    twin.office.close()


def copy_of(club: Club) -> Path:
    desk = Desk(club.folder / "ann")
    return desk.path(desk.notes(), "pbem")


def typed(club: Club, *words: object) -> tuple[int, str]:
    found = CliRunner().invoke(app, [*map(str, words), "--home", str(club.folder / "ann")])
    if found.exception is not None and not isinstance(found.exception, PbemError | SystemExit):
        raise found.exception
    return found.exit_code, found.output + str(found.exception or "")


@pytest.mark.parametrize(
    "words",
    [
        ("board",),
        ("order",),
        ("order", "-"),
        ("say",),
        ("say", "draw", "--yes"),
        ("check",),
        ("copy", "--yes"),
        ("rekey", "--yes"),
    ],
)
def test_each_command_says_what_brings_the_copy_again(club: Club, why: str, words: tuple[str, ...]) -> None:
    code, said = typed(club, *words)
    assert code == 1
    assert (DAMAGED if why == DAMAGED else LOST) in said
    assert f"“pbem resend --game {Desk(club.folder / 'ann').notes().game[:8]}” asks the host for it" in said


def test_the_lists_go_on(club: Club, why: str) -> None:
    code, said = typed(club, "games")
    assert (code, "pbem resend" in said) == (0, True)
    code, said = typed(club, "games", "--json")
    assert (code, '"unreadable"' in said, '"lost"' in said) == (0, why == DAMAGED, why != DAMAGED)
    ann = Service(club.folder / "ann", club.now)
    (row,) = ok(ann, "games")["games"]
    assert (row["state"], "damaged" in row["says"]) == ("broken", why == DAMAGED)
    assert ok(ann, "me")["games"][0]["game"] == row["game"]
    assert refused(ann, "position", game=row["game"])[0] == "record"


def test_what_the_host_sends_again_takes_its_place(begun: Club, club: Club, why: str, tmp_path: Path) -> None:
    before = copy_of(begun).read_bytes()
    code, said = typed(club, "resend")
    assert (code, "is asked for your copy" in said) == (0, True), said
    (letter,) = club.letters(Desk(club.folder / "ann"))
    _outcome, letters = club.answer_to(letter)
    (raw,) = letters["ann"]
    mail = tmp_path / "again.eml"
    mail.write_bytes(raw)
    code, said = typed(club, "read", mail)
    assert (code, "Which card do you play in turn 1?" in said, "WARNING" in said) == (0, True, False), said
    assert copy_of(club).read_bytes() == before
    assert copy_of(club).with_suffix(".damaged").is_file() == (why == DAMAGED)


def test_a_page_takes_what_the_host_sends_again(club: Club) -> None:
    ann = Service(club.folder / "ann", club.now)
    (row,) = ok(ann, "games")["games"]
    ok(ann, "resend", game=row["game"])
    (letter,) = club.letters(Desk(club.folder / "ann"))
    (raw,) = club.answer_to(letter)[1]["ann"]
    (came,) = ok(ann, "read", name="again.eml", data=in_base64(raw))["came"]
    assert came["kind"] == "report", came
    assert ok(ann, "games")["games"][0]["state"] == "mine"


def test_lines_that_are_sent_again_are_read_without_a_warning(begun: Club, tmp_path: Path) -> None:
    """Ann lacks the last letters, and asks for what follows her copy."""
    club = begun.copy_to(tmp_path)
    with closing(club.office):
        whole = copy_of(club).read_bytes().splitlines(keepends=True)
        heads = [no for no, line in enumerate(whole, 1) if line.startswith(b'["head"')]
        copy_of(club).write_bytes(b"".join(whole[: heads[-2]]))
        assert typed(club, "resend")[0] == 0
        (letter,) = club.letters(Desk(club.folder / "ann"))
        (raw,) = club.answer_to(letter)[1]["ann"]
        (tmp_path / "again.eml").write_bytes(raw)
        code, said = typed(club, "read", tmp_path / "again.eml")
        assert (code, "WARNING" in said) == (0, False), said
        assert copy_of(club).read_bytes() == b"".join(whole)
