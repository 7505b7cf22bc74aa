"""Trying a game at once: one person in the terminal against a built-in player, with the whole log behind it."""

from __future__ import annotations

import random
import secrets
from pathlib import Path

from pbem import private
from pbem.games import GamePack, manifest
from pbem.i18n import _
from pbem.kernel import Json, read_plans, take_apart
from pbem.ledger import Log
from pbem.referee import EndDue
from pbem.referee.table import Table
from pbem.reports.text import fact_text, wrap
from pbem.reports.told import told

from . import screen
from .common import bot_of, seat_of
from .compose import compose


class Sitting:
    """One sitting at a table in this process."""

    def __init__(self, pack: GamePack, options: Json, seat: str | None, against: str, seed: str | None) -> None:
        self.pack = pack
        self.seed = seed or secrets.token_hex(4)
        self.table = Table(pack.rules, options, self.seed, manifest(pack)[1])
        self.seat = seat_of(self.table.seats, seat or self.table.seats[0])
        self.bot = bot_of(pack, against)
        self.chooser = random.Random(self.seed)  # noqa: S311 - a player's whims, not the game's dice
        self.heard = 0
        self.plans = ""

    def play(self, out: Path | None) -> None:
        """Play until the end or until the person leaves; write the log to `out`."""
        if out is not None:
            private.touch(out)  # better now than at the end
        try:
            self._sit()
        finally:
            if out is not None:
                private.write(out, self.table.whole())
                screen.echo(_("The log is in {out}.", out=out))

    def _sit(self) -> None:
        look = self.pack.look
        screen.echo(
            _(
                "{title}: you play {seat}. The seed is {seed}.",
                title=self.pack.rules.title,
                seat=look.seat_name(self.seat),
                seed=self.seed,
            )
        )
        while (due := self.table.open) is not None:
            orders = {}
            if self.seat in due.to:
                self._tell()
                text = compose(self.pack, self.table.referee.view(self.seat), self.plans)
                if text is None:
                    screen.echo(_("You have left the game."))
                    break
                sheet = take_apart(text)
                self.plans = read_plans(self.pack.rules, sheet.plans)
                orders[self.seat] = (sheet.order, self.plans)
            for seat in due.to:
                if seat != self.seat:
                    view = self.table.referee.view(seat)
                    orders[seat] = (str(self.bot.answer(view, self.chooser)), self.bot.plans(view))
            self.table.answer(orders)
        end = self.table.referee.due()
        if isinstance(end, EndDue):
            self._tell()
            screen.echo(look.result(end.result))

    def _tell(self) -> None:
        tells = told(Log.parse(self.table.copy(self.seat)), self.seat)
        for tell in tells[self.heard :]:
            for fact in tell.facts:
                if text := fact_text(fact, self.seat, self.pack):
                    screen.echo(wrap(text, "  ", "- "))
        self.heard = len(tells)
        view = self.table.referee.view(self.seat)
        screen.echo("")
        screen.show_position(self.pack.look, view)
