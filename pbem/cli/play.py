"""Trying a game at once: one person in the terminal against a built-in player, with the whole log behind it."""

from __future__ import annotations

from contextlib import nullcontext, suppress
from pathlib import Path

from pbem import private
from pbem.errors import UsageError
from pbem.i18n import N_, _
from pbem.i18n.moments import day
from pbem.kernel import Json
from pbem.ledger import TAKEBACK
from pbem.page.alone import Shelf, Solo
from pbem.reports.text import fact_text, story

from . import screen
from .compose import GoBack, compose
from .fitting import show_first


def left_here(shelf: Shelf, *, ask: bool) -> Solo | None:
    """Return the last game played that is not over; if `ask`, only if the player wants to continue it."""
    for name in shelf.names()[: 1 if ask else None]:
        with (
            suppress(UsageError) if ask else nullcontext()
        ):  # what cannot be played on is no reason not to begin another
            solo = shelf.get(name)
            if solo.result is not None:
                continue
            if ask:
                screen.say(_left(shelf, solo))
            if not ask or screen.agreed(_("Continue?"), default=True):
                return solo
    return None


def _left(shelf: Shelf, solo: Solo) -> str:
    return _(
        "You have left a game of {title} as {seat}, on {day}.",
        title=solo.pack.rules.title,
        seat=solo.pack.look.seat_name(solo.seat),
        day=day(shelf.last(solo.name)),
    )


def say_left(*, kept: bool = True) -> None:
    """Say that the player left the game, and how to continue if it is kept."""
    goes_on = _("You have left the game. “pbem play” continues it.")
    screen.echo(goes_on if kept else _("You have left the game."))


_PLAYERS = {
    "sensible": N_("a sensible player"),
    "normal": N_("a player who looks ahead"),
    "hard": N_("a player who looks far ahead"),
    "planning": N_("a player who plans ahead"),
    "random": N_("one who plays at random"),
}
"""The built-in players, as the page names them."""


class Sitting:
    """One sitting over a game alone."""

    def __init__(self, solo: Solo) -> None:
        self.solo, self.pack, self.seat = solo, solo.pack, solo.seat
        self.heard, self._drawn = 0, False

    def play(self, out: Path | None) -> None:
        """Play until the end or until the person leaves; write the log to `out`, of an unfinished game the person's own copy."""
        if out is not None:
            private.touch(out)  # better now than at the end
        try:
            self._sit()
        finally:
            if out is not None:
                over, table = self.solo.result is not None, self.solo.table
                private.write(out, table.whole() if over else table.copy(self.seat))
                screen.echo(
                    _("The log is in {out}.", out=out)
                    if over
                    else _("Your copy of the log is in {out}; what is hidden from you opens at the end.", out=out)
                )

    def _sit(self) -> None:
        look, solo = self.pack.look, self.solo
        screen.say(
            _(
                "{title}: you play {seat}, against {player}.",
                title=self.pack.rules.title,
                seat=look.seat_name(self.seat),
                player=_(_PLAYERS.get(solo.begun.against, solo.begun.against)),
            )
        )
        if solo.answered:
            self.heard = solo.told_since()
        else:
            self._welcome()
        while solo.asked:
            if solo.more:
                if only := solo.go_on():
                    screen.say(_("You have only one answer: {order}.", order=only.replace("\n", "; ")))
                continue
            self._tell()
            try:
                text = compose(self.pack, solo.view, solo.plans, signs=False, back=solo.back is not None)
            except GoBack:
                solo.take_back()
                screen.say(_("Your last answer is taken back."))
                continue
            if text is None:
                say_left(kept=solo.path is not None)
                break
            solo.answer(text)
        if solo.result is not None:
            self._tell()
            screen.echo(look.result(solo.result))

    def _welcome(self) -> None:
        """Say to who begins how he answers, and that he may leave."""
        screen.say(_("Answer by a number, or in words; “?” says at every prompt what can be said."))
        said = [_("The game is kept after every answer: leave it with “quit” when you like.")] if self.solo.path else []
        screen.say(
            " ".join(
                [*said, _("Its seed is {seed}: with “--seed” the same dice fall again.", seed=self.solo.begun.seed)]
            )
        )

    def _tell(self) -> None:
        """Show the news; if a turn has begun, show the board above it.

        Within a turn the news describes the changes, and `board` shows the board.
        """
        new = [fact for tell in self.solo.tells()[self.heard :] for fact in tell.facts if fact["f"] != TAKEBACK]
        texts = list(filter(None, (fact_text(fact, self.seat, self.pack) for fact in new)))
        while self.solo.asked and texts and texts[-1].startswith("\n") and "\n" not in texts[-1][1:]:
            texts.pop()  # a heading with nothing under it: the question says the same
        news = f"\n{story(texts)}" if texts else ""
        if not self._drawn or any(map(self._begins_a_turn, new)):
            screen.echo("")
            show = screen.show_position if self._drawn else show_first(self.pack, news)
            show(self.pack.look, self.solo.view)
        if news:
            screen.echo(news)
        self.heard, self._drawn = len(self.solo.tells()), True

    def _begins_a_turn(self, fact: Json) -> bool:
        part = self.pack.look.chapter(fact)
        return part is not None and not part.depth and not part.adds
