"""The host's post: all its letters. Here are those that answer a player's mail, hand his words on, or remind him of his time.

`door` has those that say who plays, `reporting` those that tell how the game goes; `outbox` lays them all.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from pbem.ledger import cj
from pbem.referee import Envelope, receipt
from pbem.reports.text import groups
from pbem.words import N_, _, _n, languages

from .door import Door
from .hosted import HostedGame, written
from .hours import ALWAYS, shown
from .outbox import Drawn
from .reporting import Reports

_REMINDERS = {
    "half": N_("your answer is awaited"),
    "over": N_("your time is over"),
    "claim": N_("an answer is late"),
}


class Post(Door, Reports):
    """The letters of one host."""

    def refusal(
        self,
        game: HostedGame,
        seat: str,
        why: str,
        received: list[str],
        digest: str,
        at: str,
        log: bytes = b"",
        language: str = "",
    ) -> None:
        """Say why a mail was not taken, what of it was read, and what is asked; `log` is what his program must know.

        `language` is the one that the mail asked for, if it did.
        """
        with self.telling(game, seat, language):
            question = template = ""
            if seat in game.asked():
                view, look = game.resume().view(seat), game.pack.look
                question, template = look.question(view), look.template(view)
            text = self.wording.text(
                "refusal", at, why=why, received=received, question=question, template=template, learns=bool(log)
            )
            self._lay(game, seat, f"refusal.{digest[:16]}", _("your mail was not taken"), text, at, log)

    def help(self, game: HostedGame, seat: str, digest: str, at: str) -> None:
        """Say what can be written to the robot."""
        with self.telling(game, seat):
            text = self.wording.text(
                "help", at, address=self.address, title=game.title, number=game.id, languages=languages()
            )
            self._lay(game, seat, f"reply.{digest[:16]}", _("help"), text, at)

    def status(self, games: Sequence[tuple[HostedGame, str, list[str]]], digest: str, at: str) -> None:
        """Say how the games of one address stand: the game, the seat, and the lines of an order that waits for others."""
        game, seat, _order = games[0]
        with self.telling(game, seat):
            told = [
                {
                    "number": game.id,
                    "title": game.title,
                    "seat": game.name(seat),
                    "stage": game.stage,
                    "entry": game.ledger.n,
                    "head": groups(game.ledger.head),
                    "mine": seat in game.waiting(),
                    "waiting": [game.name(other) for other in game.waiting() if other != seat],
                    "due": game.row.due or "",
                    "order": order,
                    "moves": game.seats[seat].moves,
                    "clock": str(game.clock(seat)) if game.clock(seat) != ALWAYS else "",
                    "clocks": game.seats[seat].clocks,
                    "address": game.seats[seat].address,
                }
                for game, seat, order in games
            ]
            text = self.wording.text("status", at, games=told)
            self._lay(game, seat, f"reply.{digest[:16]}", _("how it stands"), text, at)

    def held(self, game: HostedGame, seat: str, due: str, unread: str, most: int | None, at: str) -> None:
        """Tell a seat why a question is not closed though its time is over."""
        with self.telling(game, seat):
            clock = game.clock(seat)
            text = _(
                "In {title} the time to answer was over at {due}, but nobody is late yet: this host could not read all its mail "
                "({unread}), and an answer that came in time may be there. What has come in time counts. You need not send "
                "anything again.",
                title=game.title, due=shown(due, clock), unread=unread,
            )  # fmt: skip
            if most is not None:
                text += " " + _n(
                    "If that lasts, the host waits for {n} day, and then goes on without.",
                    "If that lasts, the host waits for {n} days, and then goes on without.",
                    most,
                )
            digits = re.sub("[^0-9]", "", due)
            name, text = f"held.{game.row.ask}.{digits}.{seat}", self.wording.text("notice", at, text=text)
            self._lay(game, seat, name, _("the time to answer is held"), text, at)

    def late(self, game: HostedGame, envelope: Envelope, due: str, at: str) -> None:
        """Say, signed, that an order came in time, and was read when its question was closed already."""
        seat, got = str(envelope.say["seat"]), receipt(self.house.key, game.g, envelope.say, at)
        with self.telling(game, seat):
            clock = game.clock(seat)
            said = _(
                "In {title} your order came at {at}, in time: until {due} it would have counted. The host read it when the "
                "question was closed already, so it is not in the log. That is no fault of yours. This mail carries the host's "
                "signed receipt, which says when your order came: keep it.",
                title=game.title, at=shown(at, clock), due=shown(due, clock),
            )  # fmt: skip
            text, lines = (
                self.wording.text("notice", at, text=said),
                cj(list(got)) + b"\n" + cj(written(envelope)) + b"\n",
            )
            self._lay(game, seat, f"receipt.{got[2][:16]}", _("your order was read too late"), text, at, lines)

    def moving(self, game: HostedGame, seat: str, address: str, no: int, code: str, at: str) -> None:
        """Ask at a new address whether a player reads his letters there, with a code, and tell the one he has.

        Without a code the address is the one that he has, and that is told.
        """
        old = game.seats[seat].address
        for place, to in (("new", address), ("old", old)) if code else (("old", old),):
            with self.telling(game, seat):
                text = self.wording.text(
                    "moving", at, title=game.title, seat=game.name(seat), address=address, no=no, asked=bool(code),
                    code=code if place == "new" else "",
                )  # fmt: skip
                kind = "moving" if place == "new" else "moved"
                self._lay(game, seat, f"{kind}.{seat}.{no}.asked", _("your address"), text, at, to=to)

    def moved(self, game: HostedGame, seat: str, no: int, old: str, at: str) -> None:
        """Tell a player at both addresses that his letters go to another."""
        with self.telling(game, seat):
            address = game.seats[seat].address
            text = self.wording.text(
                "moved", at, title=game.title, seat=game.name(seat), address=address, old=old, no=no
            )
            for place, to in (("new", address), ("old", old)):
                self._lay(game, seat, f"moved.{seat}.{no}.{place}", _("your address"), text, at, to=to)

    def clock(self, game: HostedGame, seat: str, no: int, at: str) -> None:
        """Confirm when time counts for a seat."""
        with self.telling(game, seat):
            hours, grace = game.course.terms.hours, game.course.terms.grace
            text = self.wording.text(
                "clock",
                at,
                title=game.title,
                seat=game.name(seat),
                clock=str(game.clock(seat)),
                hours=hours,
                grace=grace,
                no=no,
            )
            self._lay(game, seat, f"clock.{seat}.{no}", _("your time"), text, at)

    def language_set(self, game: HostedGame, seat: str, address: str, digest: str, at: str) -> None:
        """Say, in the language that is spoken, that letters come in it from now on; `seat` is "" for one who looks on."""
        # Translators: name your own language here, not English
        said = _("The letters of {title} come to you in English from now on.", title=game.title)
        text = self.wording.text("notice", at, text=said)
        self._lay(game, seat, f"reply.{digest[:16]}.{game.id}.{seat}", _("your language"), text, at, to=address)

    def pictures_set(self, game: HostedGame, seat: str, size: str, digest: str, at: str) -> None:
        """Say how a player's maps come from now on."""
        with self.telling(game, seat):
            if not self.pictures:
                said = _("This host sends no maps.")
            elif size == "off":
                said = _("Your letters come without the map from now on. “PICTURES ON” brings it back.")
            elif size == "small":
                said = _("Your letters come with a small map from now on. “PICTURES ON” makes it large again.")
            else:
                said = _("Your letters come with the map from now on.")
            text = self.wording.text("notice", at, text=said)
            self._lay(game, seat, f"reply.{digest[:16]}.{game.id}.{seat}", _("your maps"), text, at)

    def press(
        self,
        game: HostedGame,
        writer: str,
        readers: Sequence[str],
        seat: str,
        text: str,
        signed: bool,
        name: str,
        at: str,
    ) -> None:
        """Hand words of one player on to a seat, or his copy to himself; `text` is marked as his, line by line."""
        with self.telling(game, seat):
            letter = self.wording.text(
                "press",
                at,
                own=seat == writer,
                writer=game.name(writer),
                readers=[_("you") if reader == seat else game.name(reader) for reader in readers],
                title=game.title,
                text=text,
                signed=signed,
                answer=writer.upper(),
            )
            subject = _("your press") if seat == writer else _("press from {seat}", seat=game.name(writer))
            html = self.wording.page("press", at, title=subject, text=letter) if self.pictures else ""
            self._lay(game, seat, f"press.{name}.{seat}", subject, letter, at, drawn=Drawn(html))

    def reminder(self, game: HostedGame, seat: str, kind: str, late: Sequence[str], at: str) -> None:
        """Remind a seat of its time: half of it is over, or all; or of the time of others, who are late."""
        with self.telling(game, seat):
            clock, due = game.clock(seat), game.row.due
            course = game.course
            view, look = game.resume().view(seat), game.pack.look
            asked = seat in game.waiting()
            text = self.wording.text(
                "reminder",
                at,
                kind=kind,
                title=game.title,
                promised=shown(game.pace.promised, clock),
                due=shown(due, clock) if due > game.pace.promised else "",
                past=at > due,
                claims=game.claims,
                late=[game.name(other) for other in late],
                leave=course.terms.leave - course.seats[seat].leave if asked else 0,
                called=course.phase == "called",
                question=look.question(view) if asked and course.phase != "called" else "",
                template=look.template(view) if asked and course.phase != "called" else "",
            )
            subject = _(_REMINDERS[kind])
            digits = re.sub("[^0-9]", "", due)
            self._lay(game, seat, f"reminder.{game.row.ask}.{kind}.{digits}.{seat}", subject, text, at)
