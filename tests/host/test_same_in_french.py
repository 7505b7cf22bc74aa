"""A log knows no language: host and players speak French or English, and leave the same bytes."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.cli.demo import Demo
from pbem.games import find
from pbem.games.bot import Bot, RandomBot
from pbem.host import StoredLedger
from pbem.i18n import speaking
from pbem.kernel import View
from pbem.ledger.terms import terms

ENTRIES = 80
"""So long a log is compared, or to the end of the game: some turns, with plans."""


class Hasty(RandomBot):
    """Answers at random, and plans like a player who thinks."""

    def __init__(self, thinker: Bot, game: str) -> None:
        super().__init__(find(game).rules)
        self.thinker = thinker

    def plans(self, view: View) -> str:
        return self.thinker.plans(view)


def logged(out: Path, game: str, language: str) -> tuple[bytes, str]:
    """Return the log of a demonstration, as far as it is compared, and the texts of all letters."""
    with speaking(language):
        demo = Demo(out / language, 5, find(game), {}, {})
        for player in demo.players.values():
            player.bot = Hasty(player.bot, game)
        at, pack = demo.tick(), demo.pack
        addresses = {seat: f"{seat}@example.org" for seat in demo.seats}
        number = demo.office.robot.new_game(
            pack.rules.id, demo.options, addresses, "In two languages", terms(0), "seed", at
        )
        demo.office.send(at)
        ledger = StoredLedger(demo.office.store, number, demo.seats)
        while ledger.n < ENTRIES and sum(player.attend() for player in demo.players.values()) > 0:
            demo.office.work(demo.tick())
            ledger = StoredLedger(demo.office.store, number, demo.seats)
        whole = ledger.whole().dump()
        demo.office.close()
    letters = sorted((out / language / "reports").rglob("*.txt"))
    return whole, "".join(letter.read_text(encoding="utf-8") for letter in letters)


@pytest.mark.slow
@pytest.mark.parametrize("game", ["hammer", "lords", "tiny"])
def test_the_same_log_in_two_languages(game: str, tmp_path: Path) -> None:
    log, letters = logged(tmp_path, game, "en")
    journal, lettres = logged(tmp_path, game, "fr")
    assert b'"k":"order"' in log
    assert journal == log
    assert lettres != letters
