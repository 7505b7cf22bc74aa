"""What the seats of a game heard is read once: nothing is read twice, and what is undone was not heard."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pbem.host import StoredLedger
from pbem.kernel import Json

from .post import Club, a_club


def _told(club: Club, *, kept: bool) -> list[list[list[Json]]]:
    game = club.robot.house.game(club.number)
    ledger = game.ledger if kept else StoredLedger(club.office.store, club.number, tuple(game.seats))
    return [ledger.told(seat, since) for seat in ("", *game.seats) for since in (0, 3, ledger.n - 2)]


def test_what_is_kept_is_what_the_log_tells(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with a_club(tmp_path, players=3, turns=2) as club:
        club.begin()
        club.turn()
        assert _told(club, kept=True) == _told(club, kept=False)
        read: list[int] = []
        entries = StoredLedger.entries

        def watched(ledger: StoredLedger, first: int = 0) -> list[dict[str, Json]]:
            read.append(first)
            return entries(ledger, first)

        monkeypatch.setattr(StoredLedger, "entries", watched)
        again, n = _told(club, kept=True), club.robot.house.game(club.number).ledger.n
        assert not read
        club.turn()
        assert _told(club, kept=True) != again
        assert read
        assert min(read) > n - 3, "only what came since is read"


def test_what_is_undone_was_not_heard(tmp_path: Path) -> None:
    with a_club(tmp_path, players=3, turns=2) as club:
        club.begin()
        ledger = club.robot.house.game(club.number).ledger
        before = _told(club, kept=True)
        with pytest.raises(ZeroDivisionError):
            _tell_and_undo(club, ledger.n + 1, before)
        assert _told(club, kept=True) == before
        club.turn()
        assert _told(club, kept=True) == _told(club, kept=False)


def _tell_and_undo(club: Club, n: int, before: list[list[list[Json]]]) -> None:
    entry = {"k": "tell", "pub": {"facts": [{"f": "nothing"}], "view": {}}, "seals": {}}
    with club.office.store.decision():
        club.office.store.insert("entries", game=club.number, n=n, hash="f" * 64, line=json.dumps(entry).encode())
        assert _told(club, kept=True) != before
        raise ZeroDivisionError
