"""The host's post: makes its letters and lays them in the outbox, in the transaction of the decision they tell of.

A letter's Message-ID follows from what it is about, so the same letter made twice is the same letter, and laid once. Headers
tell other robots that a robot speaks (RFC 3834). Letters go to registered addresses only.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime, timedelta

from pbem.kernel import Json
from pbem.ledger import cj, fingerprint
from pbem.mail import SEAT_HEADER, Letter
from pbem.referee import Answer, AnswersDue, EndDue, Referee
from pbem.reports.text import Report, environment, groups, render

from .hosted import HostedGame, House
from .store import WAITING


class Post:
    """The letters of one host."""

    def __init__(self, house: House, address: str) -> None:
        self.house, self.address = house, address
        self._domain = re.sub(r"[^A-Za-z0-9.-]", "", address.rpartition("@")[2]) or "localhost"

    def invitations(self, game: HostedGame, at: str) -> None:
        """Invite every player to his seat."""
        for seat, row in game.seats.items():
            others = [(game.name(name), other["address"]) for name, other in game.seats.items() if name != seat]
            text = _text(
                "invitation",
                game=game.pack.rules.title,
                title=game.title,
                seat=game.name(row["seat"]),
                others=others,
                options=[f"{name}: {value}" for name, value in game.options.items()],
                host_key=fingerprint(self.house.key.key_line),
                game_id=game.g[:8],
            )
            self._lay(game, seat, f"invitation.{seat}", "you are invited", text, at, self._growth(game, seat))

    def rosters(self, game: HostedGame, at: str) -> None:
        """Tell everybody all keys, to be compared by telephone."""
        for seat in game.seats:
            text = _text(
                "roster",
                title=game.title,
                keys=[(game.name(name), fingerprint(other["key"])) for name, other in game.seats.items()],
                host_key=fingerprint(self.house.key.key_line),
                game_id=game.g[:8],
                entry=game.ledger.n,
                head=groups(game.ledger.head),
            )
            self._lay(game, seat, f"roster.{seat}", "compare the keys", text, at, self._growth(game, seat))

    def report(self, game: HostedGame, referee: Referee, seat: str, at: str, until: str, news: str = "") -> None:
        """Send a seat its report, with all lines that its copy grows by; `news` is what it is about, if not a move."""
        due = referee.due()
        report = Report(
            game_id=game.g,
            seat=seat,
            view=referee.views()[seat],
            told=tuple(map(tuple, game.ledger.told(seat, game.seats[seat]["sent_n"]))),
            asked=due.to if isinstance(due, AnswersDue) else (),
            entry=game.ledger.n,
            head=game.ledger.head,
            due=until if isinstance(due, AnswersDue) else "",
            result=due.result if isinstance(due, EndDue) else None,
        )
        subject = news or ("the game is over" if isinstance(due, EndDue) else "your move")
        name = f"report.{game.ledger.n}.{seat}"
        self._lay(game, seat, name, subject, render(report, game.pack), at, self._growth(game, seat))

    def receipt(
        self,
        game: HostedGame,
        seat: str,
        answer: Answer,
        rev: int,
        waiting: Sequence[str],
        got: Sequence[Json],
        at: str,
    ) -> None:
        """Send the signed receipt for an order, and how it was read."""
        text = _text(
            "receipt",
            headline=f"Your order for {game.title} has been read as",
            lines=str(answer.order).split("\n") + ([f"PLANS: {answer.plans}"] if answer.plans else []),
            waiting=[game.name(other) for other in waiting],
            replace=bool(waiting),
            rev=rev,
        )
        self._lay(game, seat, f"receipt.{got[2][:16]}", "your order is here", text, at, cj(list(got)) + b"\n")

    def refusal(self, game: HostedGame, seat: str, why: str, received: list[str], digest: str, at: str) -> None:
        """Say why a mail was not taken, what of it was read, and what is asked."""
        question = template = ""
        if game.stage == "playing":
            referee = game.resume()
            due = referee.due()
            if isinstance(due, AnswersDue) and seat in due.to:
                view, look = referee.view(seat), game.pack.look
                question, template = look.question(view), look.template(view)
        text = _text("refusal", why=why, received=received, question=question, template=template)
        self._lay(game, seat, f"refusal.{digest[:16]}", "your mail was not taken", text, at)

    def called_off(self, game: HostedGame, at: str) -> None:
        """Tell everybody that the game will not begin."""
        text = _text("notice", text=f"The host has called off {game.title} before it began.")
        for seat in game.seats:
            self._lay(game, seat, f"cancelled.{seat}", "called off", text, at)

    def may_refuse(self, address: str, at: str) -> bool:
        """May an address get an answer to what it did not sign? Two robots that do not know each other must come to rest."""
        sql = (
            "select count(*) as day, sum(at > ?) as lately from outbox "
            "where address = ? and at > ? and kind = 'refusal'"
        )
        row = self.house.store.row(sql, later(at, minutes=-10), address, later(at, hours=-24)) or {}
        return not row.get("lately") and int(row.get("day") or 0) < 10

    def _growth(self, game: HostedGame, seat: str) -> bytes:
        """Return the lines that the seat's copy grows by with the letter being written."""
        lines = game.ledger.lines_for(seat, game.seats[seat]["sent_n"])
        game.change_seat(seat, sent_n=game.ledger.n)
        return b"".join(line + b"\n" for line in lines)

    def _lay(self, game: HostedGame, seat: str, name: str, subject: str, text: str, at: str, log: bytes = b"") -> None:
        """Lay a letter in the outbox; `name` tells it from all others of its game."""
        to, store = game.seats[seat]["address"], self.house.store
        letter = Letter(
            sender=f"pbem <{self.address}>",
            to=to,
            subject=f"[pbem {game.id}] {game.title}: {subject}",
            text=text,
            message_id=f"{game.g[:16]}.{name}@{self._domain}",
            date=datetime.fromisoformat(at),
            thread=f"{game.g[:16]}.invitation.{seat}@{self._domain}",
            headers={
                "Auto-Submitted": "auto-generated",
                "X-Auto-Response-Suppress": "All",
                "X-Loop": self.address,
                "Precedence": "bulk",
                "List-Id": f"<{game.g[:16]}.{self._domain}>",
                SEAT_HEADER: seat,
            },
            log=log,
            log_name=f"{game.g[:8]}.pbem",
        )
        kind = name.partition(".")[0]
        if not store.row("select id from outbox where message_id = ?", letter.message_id):
            row = {"message_id": letter.message_id, "game": game.id, "seat": seat, "address": to, "raw": letter.raw()}
            store.insert(
                "outbox",
                **row,
                kind=kind,
                at=at,
                sent=WAITING,
                sender=self.address,
                attempts=0,
                not_before="",
                last_error="",
            )


def _text(letter: str, /, **values: Json) -> str:
    return environment().get_template(f"mail/{letter}.txt.j2").render(**values)


def later(at: str, **time: int) -> str:
    """Return the time so many hours or minutes after `at` (RFC 3339)."""
    return (datetime.fromisoformat(at) + timedelta(**time)).strftime("%Y-%m-%dT%H:%M:%SZ")
