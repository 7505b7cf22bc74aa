"""Mails over which the program stumbles, or dies: each holds the deadlines of its game, and none for ever."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.cli.host import _told
from pbem.host.condition import figures
from pbem.host.mending import SpareLog
from pbem.host.moments import later
from pbem.host.stuck import games
from tests.stored import stored_rows

from .in_time import club, due, held, ordered, skipped, stuck
from .post import Club

__all__ = ["club"]

pytestmark = pytest.mark.usefixtures("letters_kept")


@pytest.fixture
def deadly(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """While the file that is returned is there, every process that begins dies over each mail that is signed."""
    folder = tmp_path_factory.mktemp("deadly")
    sign = folder / "sign"
    sign.touch()
    (folder / "sitecustomize.py").write_text(
        "import os, pathlib\n"
        f"if pathlib.Path({str(sign)!r}).exists():\n"
        "    from pbem.host.deciding import Decider\n"
        "    Decider._handle = lambda *_: os._exit(9)\n",
        "utf-8",
    )
    monkeypatch.syspath_prepend(str(folder))
    return sign


@pytest.mark.slow
def test_a_mail_over_which_the_program_dies_is_decided_apart_and_holds_its_game(club: Club, deadly: Path) -> None:
    """After three deaths the host decides the mail in a separate process. If that dies too, the mail is shown as stuck."""
    over, at = due(club), later(due(club), hours=-2)
    raw = club.order("ann")
    club.office.work(at)
    number = club.robot.keep(raw, at, "imap")
    club.office.store.put("meta", name=f"dies over {number}", value="3")  # so often it was begun and not ended
    club.robot.catch_up()  # this process lives
    (one,) = stuck(club)
    assert (one["mail"], one["games"], one["tries"], one["since"]) == (number, [1], 1, at)
    assert one["next"] == later(at, minutes=1)
    assert club.office.status()["troubles"][0] == one, "it stands first"
    assert figures(club.robot.store)["mails_stuck"] == 1
    _, troubles = club.office.work(later(at, minutes=2))
    assert troubles == [f"mail {number} is not decided: the program died over it, time and again"]
    assert (stuck(club)[0]["tries"], stuck(club)[0]["next"]) == (2, later(at, minutes=7))
    club.office.work(later(over, hours=2))
    assert skipped(club) == [], "it may be an order that came in time"
    assert held(club)[0]["why"] == f"mail {number}"
    first, second = (_told(trouble) for trouble in club.office.status()["troubles"])
    assert first.startswith(f"The program stumbles over mail {number} (games 1), since {at}; after 3 tries")
    assert second.startswith(f"The deadline of game 1 was over at {over}, and is held since")
    deadly.unlink()
    club.office.work(later(over, hours=5))
    assert ordered(club) == [("ann", at)]
    assert skipped(club) == ["bob"]
    assert stuck(club) == []
    assert held(club) == []


def test_over_a_damaged_log_it_says_so_and_how_it_is_mended_and_goes_on_at_once(club: Club) -> None:
    """A mail arrives before anybody has checked. `run` and `status` name the log and `pbem host mend`, after which the
    host retries the mail at once."""
    over, store = due(club), club.office.store
    raw = club.order("ann")
    with store.decision():
        store.db.execute("update entries set line = ? where n = 7", [b'{"n" 7}'])
    said = "The log of game 1 (A test) is damaged in the store: line 8: the line is not JSON. "
    at = later(over, hours=-2)
    club.office.work(at)
    assert club.robot.take(raw, at, "imap").startswith(f"failed: {said}")
    assert stuck(club)[0]["why"].startswith(said)
    assert "pbem host mend" in stuck(club)[0]["why"]
    given = SpareLog("ann.pbem", club.desks["ann"].copy(club.notes("ann")).log)
    club.robot.mend(1, given, at, {})
    club.office.work(at)
    assert stuck(club) == []
    assert [row["seat"] for row in stored_rows(store, "select seat from answers")] == ["ann"]


def test_a_mail_over_which_the_program_stumbles_holds_its_game_and_is_tried_again(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The mail had an order, so the host holds the deadline for up to `hold_days`."""
    over, at = due(club), later(due(club), hours=-2)
    raw = club.order("ann")
    club.office.work(at)
    with monkeypatch.context() as patch:

        def stumble(*_: object) -> str:
            raise ZeroDivisionError("a fault of ours")

        patch.setattr("pbem.host.play.GamesInPlay.order", stumble)
        assert club.robot.take(raw, at, "imap").startswith("failed: ZeroDivisionError")
        club.office.work(later(over, hours=1))
        assert skipped(club) == []
        assert stuck(club)[0]["why"] == "ZeroDivisionError: a fault of ours"
        assert stuck(club)[0]["tries"] == 2
    club.office.work(later(over, hours=8))
    assert ordered(club) == [("ann", at)]
    assert skipped(club) == ["bob"]


def test_a_mail_over_which_the_program_stumbles_holds_nothing_for_ever(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    over, raw = due(club), club.order("ann")
    monkeypatch.setattr("pbem.host.deciding.read_block", lambda _: 1 // 0)
    club.office.work(later(over, hours=-3))
    club.robot.take(raw, later(over, hours=-2), "imap")
    for days in (0, 2, 4, 6):
        club.office.work(later(over, hours=1 + 24 * days))
        assert skipped(club) == []
    club.office.work(later(over, hours=24 * 8))
    assert skipped(club) == ["ann", "bob"]


@pytest.mark.variants
@pytest.mark.parametrize(
    ("raw", "recipient", "held"),
    [
        (b"From: x@example.net\r\n\r\n", "host+g1@example.org", (1,)),
        (b"From: x@example.net\r\nSubject: Re: [pbem 1] your move\r\n\r\n", "", (1,)),
        (b"From: x@example.net\r\n\r\nGAME 1\r\nhm", "", (1,)),
        (b"From: Ann <ANN@example.org>\r\n\r\nhm", "", (1,)),
        (b"From: Ann <ann@example.org>\r\nSubject: [pbem 77]\r\n\r\nhm", "", (1,)),
        (b"From: x@example.net\r\nSubject: [pbem 77]\r\n\r\nhm", "", ()),
        (b"", "", ()),
        (b"From: " + b"@" * 60_000, "", ()),
        (b"X: y\r\n" * 20_000 + b"From: ann@example.org\r\n\r\n", "", (1,)),
    ],
)
def test_which_games_a_mail_holds_is_told_without_taking_it_apart(
    club: Club, raw: bytes, recipient: str, held: tuple[int, ...]
) -> None:
    assert games(club.office.store, raw, recipient) == held


def test_no_mail_waits_longer_than_any_wait_where_the_clock_was_put_back(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = later(due(club), hours=-23)
    raw = club.order("ann")
    club.office.work(at)
    with monkeypatch.context() as patch:
        patch.setattr("pbem.host.play.GamesInPlay.order", lambda *_: 1 // 0)
        club.robot.take(raw, at, "imap")
        club.office.work(later(at, hours=20))
    club.office.work(later(at, minutes=2))
    assert not stuck(club), "a day earlier, and mended"
    assert [row["seat"] for row in stored_rows(club.office.store, "select seat from answers")] == ["ann"]
