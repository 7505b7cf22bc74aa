"""The host's post: makes its letters and lays them in the outbox, in the transaction of the decision they tell of.

A letter's Message-ID follows from what it is about, so the same letter made twice is the same letter, and laid once. Headers
tell other robots that a robot speaks (RFC 3834). Letters go to registered addresses only. What is an answer to a mail has an
empty envelope sender, so that nothing comes back from it; every other letter has a way back of its own.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from pathlib import Path

from pbem.kernel import Json
from pbem.ledger import Talk, cj, fingerprint, sha256_hex
from pbem.mail import SEAT_HEADER, WORDING_HEADER, Deadline, Letter, game_address, way_back, write_block
from pbem.referee import PUBLIC, AnswersDue, EndDue, Envelope, Referee
from pbem.reports.text import Report, groups, render
from pbem.words import ENGLISH, N_, _, languages, speaking, spoken

from .ahead import Kept
from .hosted import HostedGame, House, Receipt, written
from .hours import ALWAYS, shown
from .store import WAITING
from .troubles import apart
from .wording import Wording

ANSWERS = ("receipt", "refusal", "reply")
"""Kinds of letters that answer a mail."""
_REMINDERS = {
    "half": N_("your answer is awaited"),
    "over": N_("your time is over"),
    "claim": N_("an answer is late"),
}
CAPS = {"refusal": (10, 1, 10), "reply": (60, 6, 20)}
"""Of each kind of answer to what nobody signed: in so many minutes so many, and so many in a day."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """What a letter holds beside its text: HTML with the pictures that it calls, and a page that stands alone."""

    html: str = ""
    images: Mapping[str, bytes] = field(default_factory=dict)
    page: str = ""


class Post:
    """The letters of one host.

    `tags`: mail to its address with a part after `+` comes to it as well; `pictures`: its reports come as HTML, too, with the
    game's map. `language` is that of seats which have chosen none; `templates` a folder with templates of the host's own.
    """

    def __init__(
        self,
        house: House,
        address: str,
        *,
        tags: bool = True,
        pictures: bool = False,
        language: str = ENGLISH,
        templates: Path | None = None,
    ) -> None:
        self.house, self.address, self.tags, self.pictures, self.language = house, address, tags, pictures, language
        self.wording = Wording(house.store, templates)
        self._domain = re.sub(r"[^A-Za-z0-9.-]", "", address.rpartition("@")[2]) or "localhost"

    def at_hand(self, language: str) -> str:
        """Return a language that is stored, or the host's own where none is, or where it has no words here any more."""
        return language if language in languages() else self.language

    def telling(self, game: HostedGame, seat: str, language: str = "") -> AbstractContextManager[None]:
        """Speak the language of a seat, or one that stands in for it."""
        return speaking(language or self.at_hand(game.seats[seat]["language"]))

    def invitations(self, game: HostedGame, at: str) -> None:
        """Invite every player to his seat."""
        for seat in game.seats:
            with self.telling(game, seat):
                others = [(game.name(name), other["address"]) for name, other in game.seats.items() if name != seat]
                text = self.wording.text(
                    "invitation",
                    at,
                    game=game.pack.rules.title,
                    title=game.title,
                    seat=game.name(seat),
                    others=others,
                    options=game.pack.told(game.options),
                    time=_time_of(game, seat),
                    host_key=fingerprint(self.house.key.key_line),
                    game_id=game.g[:8],
                )
                growth = self._growth(game, seat)
                self._lay(game, seat, f"invitation.{seat}", _("you are invited"), text, at, growth)

    def rosters(self, game: HostedGame, at: str, changed: str = "", *, moved: bool = False) -> None:
        """Tell everybody all keys, to be compared by telephone; `changed` is the seat that has another one now, if any.

        `moved`: this host has taken the game over.
        """
        name = f"keys.{game.ledger.n}" if changed or moved else "roster"
        for seat in game.seats:
            with self.telling(game, seat):
                text = self.wording.text(
                    "roster",
                    at,
                    title=game.title,
                    changed=game.name(changed) if changed else "",
                    moved=moved,
                    keys=[(game.name(name), fingerprint(other["key"])) for name, other in game.seats.items()],
                    host_key=fingerprint(self.house.key.key_line),
                    game_id=game.g[:8],
                    entry=game.ledger.n,
                    head=groups(game.ledger.head),
                )
                growth = self._growth(game, seat)
                self._lay(game, seat, f"{name}.{seat}", _("compare the keys"), text, at, growth)

    def newcomer(self, game: HostedGame, seat: str, address: str, at: str, language: str = "") -> None:
        """Invite somebody to a seat whose player has vanished, with all that the seat's copy holds."""
        lines = b"".join(line + b"\n" for line in game.ledger.lines_for(seat, -1))
        with speaking(self.at_hand(language)):
            text = self.wording.text(
                "newcomer",
                at,
                game=game.pack.rules.title,
                title=game.title,
                seat=game.name(seat),
                others=[(game.name(name), other["address"]) for name, other in game.seats.items() if name != seat],
                host_key=fingerprint(self.house.key.key_line),
                game_id=game.g[:8],
            )
            self._lay(game, seat, f"newcomer.{game.ledger.n}.{seat}", _("you are invited"), text, at, lines, to=address)

    def takes_over(self, game: HostedGame, to: str, proposal: Envelope, n: int, at: str) -> None:
        """Ask a seat whether it agrees that this host goes on with a game, from entry `n`."""
        with self.telling(game, to):
            text = self.wording.text(
                "another_host",
                at,
                game=game.pack.rules.title,
                title=game.title,
                game_id=game.g[:8],
                seat=game.name(to),
                n=n,
                host=self.address,
                key=fingerprint(self.house.key.key_line),
                block=write_block(proposal),
            )
            self._lay(game, to, f"proposal.{proposal.sig[:16]}.{to}", _("another host for your game"), text, at)

    def proposal(self, game: HostedGame, to: str, seat: str, newcomer: Envelope, at: str) -> None:
        """Ask a seat whether it agrees to a newcomer in another one."""
        with self.telling(game, to):
            key = fingerprint(newcomer.say["key"])
            text = self.wording.text(
                "proposal", at, title=game.title, seat=game.name(seat), key=key, block=write_block(newcomer)
            )
            self._lay(game, to, f"proposal.{newcomer.sig[:16]}.{to}", _("somebody else for a seat"), text, at)

    def report(
        self,
        game: HostedGame,
        referee: Referee,
        seat: str,
        at: str,
        until: str,
        news: str = "",
        unused: tuple[str, ...] = (),
    ) -> None:
        """Send a seat its report, with all lines that its copy grows by; `news` is the message that says what it is about, if
        it is no move, and `unused` says why an order that it sent ahead does not answer what it is asked.
        """
        with self.telling(game, seat):
            due = referee.due()
            told = tuple(map(tuple, game.ledger.told(seat, game.seats[seat]["sent_n"])))
            report = replace(self._report(game, referee, seat, told, until), unused=unused)
            over = isinstance(due, EndDue)
            subject = _(news) if news else _("the game is over") if over else _("your move")
            name = f"report.{game.ledger.n}.{seat}"
            asked = isinstance(due, AnswersDue) and seat in due.to
            promised = game.pace.promised or until
            deadline = self._deadline(game, seat, game.ledger.n, promised, at) if asked and until else None
            if over:
                deadline = self._last_deadline(game, seat, at)
            text, drawn = self._rendered(game, report, at), self._drawn(game, report, at)
            self._lay(game, seat, name, subject, text, at, self._growth(game, seat), deadline=deadline, drawn=drawn)

    def _rendered(self, game: HostedGame, report: Report, at: str) -> str:
        """Return the text of a report."""
        return self.wording.made("report.txt.j2", lambda env: render(report, game.pack, env), at)

    def _drawn(self, game: HostedGame, report: Report, at: str) -> Drawn:
        """Return what a report holds beside its text: nothing where the host sends text alone, or cannot draw it.

        A drawing that fails is noted as a trouble of the host; the order that led to it counts, and the text goes out.
        """
        drawn = Drawn()
        if self.pictures:
            with speaking(ENGLISH):  # a trouble has one name, whoever reads the report
                reader = game.name(report.seat) if report.seat else "those who look on"
            with apart(self.house.store, f"drawing for {reader} in game {game.id}", at):
                drawn = self._draw(game, report, at)
        return drawn

    def _draw(self, game: HostedGame, report: Report, at: str) -> Drawn:
        """Return a report as HTML, with its map, and as a page."""
        from pbem.reports.html import MAP, mail, page
        from pbem.reports.picture import png

        svg, cid = report.picture(game.pack), f"{MAP}@{self._domain}"
        images = {cid: png(svg)} if svg else {}
        html, alone = (
            self.wording.made("report.html.j2", make, at)
            for make in (
                lambda env: mail(report, game.pack, cid if svg else "", env),
                lambda env: page(report, game.pack, env),
            )
        )
        return Drawn(html, images, alone)

    @staticmethod
    def _report(
        game: HostedGame, referee: Referee, seat: str, told: tuple[tuple[Json, ...], ...], until: str
    ) -> Report:
        due = referee.due()
        heard = [fact for facts in game.ledger.told(seat, 0) for fact in facts]
        return Report(
            game_id=game.g,
            seat=seat,
            view=referee.views()[seat or PUBLIC],
            told=told,
            asked=due.to if isinstance(due, AnswersDue) else (),
            entry=game.ledger.n,
            head=game.ledger.head,
            due=until if isinstance(due, AnswersDue) else "",
            result=due.result if isinstance(due, EndDue) else None,
            earlier=tuple(heard[: len(heard) - sum(map(len, told))]),
            complete=True,
        )

    def receipt(self, game: HostedGame, seat: str, order: Receipt, at: str, again: str = "") -> None:
        """Send the signed receipt for an order, and how it was read; `again` names the request to send it once more."""
        with self.telling(game, seat):
            text = self.wording.text(
                "receipt",
                at,
                title=game.title,
                lines=str(order.answer.order).split("\n")
                + ([f"PLANS: {order.answer.plans}"] if order.answer.plans else []),
                waiting=[game.name(other) for other in order.waiting],
                rev=order.say["rev"],
                otherwise=order.otherwise,
            )
            name = f"reply.{again}.receipt" if again else f"receipt.{order.got[2][:16]}"
            due = game.pace.promised
            deadline = self._deadline(game, seat, game.ledger.n, due, at, over=True) if due else None
            self._lay(game, seat, name, _("your order is here"), text, at, order.lines(), deadline=deadline)

    def kept(self, game: HostedGame, seat: str, kept: Sequence[Kept], at: str) -> None:
        """Send the signed receipts for orders sent ahead."""
        with self.telling(game, seat):
            said = [{"mark": one.mark, "lines": one.lines, "answers": one.answers} for one in kept]
            text = self.wording.text("ahead", at, title=game.title, kept=said)
            lines = b"".join(cj(list(one.got)) + b"\n" + cj(written(one.envelope)) + b"\n" for one in kept)
            self._lay(game, seat, f"ahead.{kept[0].got[2][:16]}", _("what you sent ahead"), text, at, lines)

    def ready(self, game: HostedGame, seat: str, got: Sequence[Json], at: str) -> None:
        """Send the signed receipt for a seat's word that it is ready again."""
        with self.telling(game, seat):
            text = self.wording.text(
                "notice",
                at,
                text=_(
                    "In {title} you have said that you are ready. This mail carries the host's signed receipt: keep it.",
                    title=game.title,
                ),
            )
            self._lay(game, seat, f"receipt.{got[2][:16]}", _("you are ready"), text, at, cj(list(got)) + b"\n")

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

    def reminder(self, game: HostedGame, seat: str, kind: str, late: Sequence[str], at: str) -> None:
        """Remind a seat of its time: half of it is over, or all; or of the time of others, who are late."""
        with self.telling(game, seat):
            clock, due = game.clock(seat), game.row["due"]
            talk = Talk.read(game.ledger.entries())
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
                leave=talk.leave - talk.taken.get(seat, 0) if asked else 0,
                question=look.question(view) if asked else "",
                template=look.template(view) if asked else "",
            )
            subject = _(_REMINDERS[kind])
            digits = re.sub("[^0-9]", "", due)
            self._lay(game, seat, f"reminder.{game.row['ask']}.{kind}.{digits}.{seat}", subject, text, at)

    def called_off(self, game: HostedGame, at: str) -> None:
        """Tell everybody that the game will not begin."""
        for seat in game.seats:
            with self.telling(game, seat):
                said = _("The host has called off {title} before it began.", title=game.title)
                text = self.wording.text("notice", at, text=said)
                self._lay(game, seat, f"cancelled.{seat}", _("called off"), text, at)

    def may_answer(self, kind: str, address: str, at: str) -> bool:
        """May an address get an answer of that kind to what it did not sign? Two robots that do not know each other must rest."""
        minutes, few, many = CAPS[kind]
        found = self.house.store.row(
            "select count(*) as day, coalesce(sum(at > ?), 0) as lately from outbox where address = ? and kind = ? and at > ?",
            *(later(at, minutes=-minutes), address, kind, later(at, hours=-24)),
        )
        return found is not None and found["lately"] < few and found["day"] < many

    def is_own(self, address: str) -> bool:
        """Is it the host's own address, or a way to it?"""
        local, _, domain = address.lower().rpartition("@")
        return f"{local.partition('+')[0]}@{domain}" == self.address.lower()

    # -- answers to requests ----------------------------------------------------------------------------------------

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
                    "due": game.row["due"] or "",
                    "order": order,
                    "moves": game.seats[seat]["moves"],
                    "clock": str(game.clock(seat)) if game.clock(seat) != ALWAYS else "",
                    "clocks": game.seats[seat]["clocks"],
                    "address": game.seats[seat]["address"],
                }
                for game, seat, order in games
            ]
            text = self.wording.text("status", at, games=told)
            self._lay(game, seat, f"reply.{digest[:16]}", _("how it stands"), text, at)

    def board(self, game: HostedGame, seat: str, digest: str, at: str) -> None:
        """Send the board as this seat sees it."""
        with self.telling(game, seat):
            self._lay(game, seat, f"reply.{digest[:16]}.{seat}", _("the board"), self._standing(game, seat, at), at)

    def resend(self, game: HostedGame, seat: str, since: int, digest: str, at: str) -> None:
        """Send the lines of a seat's copy after entry `since` once more, and the receipt for an order that waits.

        A copy ends where a signature of the host covers it, or is the invitation.
        """
        with self.telling(game, seat):
            lines = game.ledger.lines_for(seat, since)
            signed = max((no for no, line in enumerate(lines, 1) if line.startswith(b'["head"')), default=0)
            lines = lines[: signed or int(since < 0)]
            standing = self._standing(game, seat, at)
            text = self.wording.text("resend", at, since=since, lines=len(lines), standing=standing, stage=game.stage)
            log = b"".join(line + b"\n" for line in lines)
            self._lay(game, seat, f"reply.{digest[:16]}.{seat}", _("your copy once more"), text, at, log)
            if order := game.order_here(seat):
                self.receipt(game, seat, order, at, f"{digest[:16]}.{seat}")

    def _standing(self, game: HostedGame, seat: str, at: str) -> str:
        if game.row["snapshot"] is None:
            waiting = game.names(*game.waiting()) or _("nobody")
            return _("{title} has not begun; it waits for {seats}.", title=game.title, seats=waiting)
        referee = game.resume()
        return self._rendered(game, self._report(game, referee, seat, (), game.row["due"] or ""), at)

    def moved(self, game: HostedGame, seat: str, no: int, old: str, at: str) -> None:
        """Tell a player at both addresses that his letters go to another."""
        with self.telling(game, seat):
            address = game.seats[seat]["address"]
            text = self.wording.text(
                "moved", at, title=game.title, seat=game.name(seat), address=address, old=old, no=no
            )
            for place, to in (("new", address), ("old", old)):
                self._lay(game, seat, f"moved.{seat}.{no}.{place}", _("your address"), text, at, to=to)

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

    def welcome_observer(self, game: HostedGame, address: str, at: str, language: str = "") -> None:
        """Tell somebody that he looks on."""
        with speaking(self.at_hand(language)):
            seats, rules = [game.name(seat) for seat in game.seats], game.pack.rules
            text = self.wording.text(
                "observer", at, game=rules.title, title=game.title, seats=seats, game_id=game.g[:8]
            )
            self._lay(game, "", _observer(address), _("you look on"), text, at, to=address)

    def language_set(self, game: HostedGame, seat: str, address: str, digest: str, at: str) -> None:
        """Say, in the language that is spoken, that letters come in it from now on; `seat` is "" for one who looks on."""
        # Translators: name your own language here, not English
        said = _("The letters of {title} come to you in English from now on.", title=game.title)
        text = self.wording.text("notice", at, text=said)
        self._lay(game, seat, f"reply.{digest[:16]}.{game.id}.{seat}", _("your language"), text, at, to=address)

    def looks_away(self, game: HostedGame, address: str, digest: str, at: str) -> None:
        """Tell somebody that he looks on no more."""
        said = _("You do not look on at {title} any more: this is the last letter about it.", title=game.title)
        text = self.wording.text("notice", at, text=said)
        self._lay(game, "", f"reply.{digest[:16]}.{game.id}", _("you look on no more"), text, at, to=address)

    def public_report(
        self,
        game: HostedGame,
        referee: Referee,
        addresses: Sequence[str],
        told: tuple[tuple[Json, ...], ...],
        at: str,
        until: str,
        language: str = "",
    ) -> None:
        """Send those who look on what the public sees, in one language: one report, drawn once."""
        report = self._report(game, referee, "", told, until)
        with speaking(self.at_hand(language)):
            subject = _("the game is over") if report.result is not None else _("what happened")
            text, drawn = self._rendered(game, report, at), self._drawn(game, report, at)
            for address in addresses:
                name = f"public.{game.ledger.n}.{_observer(address)}"
                self._lay(game, "", name, subject, text, at, to=address, drawn=drawn)

    def clock(self, game: HostedGame, seat: str, no: int, at: str) -> None:
        """Confirm when time counts for a seat."""
        with self.telling(game, seat):
            hours, grace = game.row["hours"], game.pace.grace
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

    def _deadline(self, game: HostedGame, seat: str, n: int, due: str, at: str, *, over: bool = False) -> Deadline:
        """The entry for a player's calendar, numbered by log entry `n`: moved by each question, struck out by the answer."""
        return Deadline(
            uid=f"{game.g[:16]}.{seat}@{self._domain}",
            sequence=2 * n + over,
            made=at,
            due=due,
            title=_("{title}: your move", title=game.title),
            organizer=self.address,
            over=over,
            hours=max(1, min(12, game.row["hours"] // 4)),
        )

    def _last_deadline(self, game: HostedGame, seat: str, at: str) -> Deadline | None:
        """Strike the last question that a seat was asked out of his calendar, when the game is over."""
        for n in range(game.ledger.n, 0, -1):
            entry = game.ledger.entry(n)
            if entry["k"] == "ask":
                due = entry.get("due") if seat in entry["to"] else None
                return self._deadline(game, seat, game.ledger.n, due, at, over=True) if due else None
        return None

    def _growth(self, game: HostedGame, seat: str) -> bytes:
        """Return the lines that the seat's copy grows by with the letter being written."""
        lines = game.ledger.lines_for(seat, game.seats[seat]["sent_n"])
        game.change_seat(seat, sent_n=game.ledger.n)
        return b"".join(line + b"\n" for line in lines)

    def _lay(
        self,
        game: HostedGame,
        seat: str,
        name: str,
        subject: str,
        text: str,
        at: str,
        log: bytes = b"",
        to: str = "",
        deadline: Deadline | None = None,
        drawn: Drawn = Drawn(),
    ) -> None:
        """Lay a letter in the outbox; `name` tells it from all others of its game, and begins with its kind."""
        to, store = to or game.seats[seat]["address"], self.house.store
        message_id, kind = f"{game.g[:16]}.{name}@{self._domain}", name.partition(".")[0]
        if store.row("select id from outbox where message_id = ?", message_id):
            return
        automatic = kind in ANSWERS
        headed = _("{title}: {subject}", title=game.title, subject=subject)
        token = None if automatic or not self.tags else self.house.root.token(message_id)
        letter = Letter(
            sender=f"pbem <{self.address}>",
            to=to,
            subject=f"[pbem {game.id}] {headed}",
            text=text,
            message_id=message_id,
            date=datetime.fromisoformat(at),
            thread=f"{game.g[:16]}.{f'invitation.{seat}' if seat else _observer(to)}@{self._domain}",
            headers={
                "Auto-Submitted": "auto-replied" if automatic else "auto-generated",
                "X-Auto-Response-Suppress": "All",
                "X-Loop": self.address,
                "Precedence": "bulk",
                "List-Id": f"<{game.g[:16]}.{self._domain}>",
            }
            | ({WORDING_HEADER: "own"} if self.wording.has("report.txt.j2") else {})
            | ({SEAT_HEADER: seat} if seat else {})
            | ({"Reply-To": game_address(self.address, game.id)} if self.tags else {}),
            html=drawn.html,
            images=drawn.images,
            page=drawn.page,
            language=spoken(),
            log=log,
            log_name=f"{game.g[:8]}.pbem",
            deadline=deadline,
            return_path="" if automatic else way_back(self.address, token) if token else self.address,
        )
        store.insert(
            "outbox", message_id=message_id, game=game.id, seat=seat, address=to, at=at, kind=kind, token=token,
            sender=letter.return_path, sent=WAITING, attempts=0, not_before="", last_error="", raw=letter.raw(),
        )  # fmt: skip


def _observer(address: str) -> str:
    """What tells the letters to one who looks on from those to others."""
    return f"observer.{sha256_hex(address.lower().encode())[:16]}"


def _time_of(game: HostedGame, seat: str) -> list[str]:
    """What an invitation says of the time to answer, as lines."""
    hours, grace, terms = game.row["hours"], game.pace.grace, game.ledger.entry(0).get("terms", {})
    if not hours:
        return [_("no limit")]
    clock = game.clock(seat)
    if grace:
        given = _("{hours} hours for an answer, and {grace} hours of grace", hours=hours, grace=grace)
    else:
        given = _("{hours} hours for an answer", hours=hours)
    return [
        given,
        *([_("counted by this clock: {clock}", clock=str(clock))] if clock != ALWAYS else []),
        _("then an opponent may claim the game") if game.claims else _("then a default answer is taken"),
        *([_("{hours} hours of leave in the whole game", hours=terms["leave"])] if terms.get("leave") else []),
    ]


def later(at: str, **time: int) -> str:
    """Return the time so many hours or minutes after `at` (RFC 3339)."""
    return (datetime.fromisoformat(at) + timedelta(**time)).strftime("%Y-%m-%dT%H:%M:%SZ")
