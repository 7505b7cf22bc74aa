"""The host's letters about how a game goes: reports, receipts, the board, a copy once more; with pictures and calendar entries."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.i18n import ENGLISH, _, moments, speaking
from pbem.kernel import Json
from pbem.ledger import cj
from pbem.ledger.terms import goes_again
from pbem.mail import Deadline
from pbem.referee import PUBLIC, AnswersDue, EndDue, Envelope, Referee
from pbem.reports.reckoned import Reckoned, brief, render
from pbem.reports.report import Report, Ways

from .ahead import Kept
from .codes import taken
from .hosted import HostedGame, Receipt, signed_lines
from .outbox import Draft, Drawn, Outbox, joined, letter, observer, reported
from .registering import register_head
from .store import SENT
from .store.rows import KEPT, LetterRow
from .troubles import apart

SMALL = 500
"""A small map has this many pixels across: every letter's, unless its reader wants a large one."""


class Reports(Outbox):
    """Letters that tell a seat, or all observers, the state of a game, and letters about the result of an order."""

    @letter
    def report(
        self,
        game: HostedGame,
        seat: str,
        at: str,
        referee: Referee,
        until: str,
        news: str = "",
        unused: tuple[str, ...] = (),
    ) -> Draft:
        """Send a seat its report, with all new lines for its copy.

        `news` is the subject if the letter is not about a move. `unused` says why a premove does not answer the question.
        """
        due, n = referee.due(), game.ledger.n
        made = self._report(game, referee, seat, game.seats[seat].sent_n, until, unused)
        over = isinstance(due, EndDue)
        deadline = self._last_deadline(game, seat, at) if over else None
        if made.mine and until:
            deadline = self._deadline(game, seat, n, game.pace.promised or until, at)
        subject = _(news) if news else _("the game is over") if over else self._your_move(made)
        text, drawn = self._rendered(made, at), self._drawn(game, made, at)
        return Draft(
            f"report.{n}.{seat}",
            subject,
            text,
            self._growth(game, seat),
            deadline=deadline,
            drawn=drawn,
            asks=made.question if self.door else "",
            brief=brief(made) if game.seats[seat].mail == "short" else "",
        )

    def ways(self, game: HostedGame, until: str, seat: str) -> Ways:
        """Return how a seat answers a question of a game that is open until then ("": without a limit)."""
        by_reply = bool(seat) and game.seats[seat].kept == KEPT
        return Ways(
            self.page, game.course.terms.late if until else "", by_reply, by_reply and goes_again(game.ledger.entry(0))
        )

    @staticmethod
    def _your_move(made: Reckoned) -> str:
        """Return the subject of a mail that asks: by when, and what about."""
        report, about = made.report, made.about
        by = moments.day(report.due, report.zone, report.clock) if about and report.due else ""
        if by:
            return _("your move by {day}: {about}", day=by, about=about)
        return _("your move: {about}", about=about) if about else _("your move")

    def has_told(self, game: HostedGame, seat: str, before: int) -> bool:
        """Has a report with the question that is open been sent to a seat before that letter, a row of the outbox?"""
        return any(
            reported(one.message_id) >= (game.row.ask or 0)
            for one in self.house.store.find(LetterRow, game=game.id, seat=seat, kind="report", sent=SENT)
            if one.id < before
        )

    def public_report(
        self,
        game: HostedGame,
        referee: Referee,
        addresses: Sequence[str],
        since: int,
        at: str,
        until: str,
        language: str = "",
    ) -> None:
        """Send those who look on what the public was told after entry `since`, in one language: one report, drawn once."""
        made = self._report(game, referee, "", since, until)
        with speaking(self.at_hand(language)):
            subject = _("the game is over") if made.report.result is not None else _("what happened")
            text, drawn = self._rendered(made, at), self._drawn(game, made, at)
            for address in addresses:
                name = f"public.{game.ledger.n}.{observer(address)}"
                self.lay(game, "", at, Draft(name, subject, text, to=address, drawn=drawn))

    @letter
    def receipt(self, game: HostedGame, seat: str, at: str, order: Receipt, again: str = "") -> Draft:
        """Send the signed receipt for an order, and how it was read; `again` names the request to send it once more.

        It waits for a report that has it, but for an order typed into a reply that can be changed: a program shows what it signs.
        """
        read, due, by_reply = order.answer, game.pace.promised, game.seats[seat].kept == KEPT
        text = (
            taken(game, seat, at, order)
            if by_reply
            else self.wording.text(
                "receipt",
                at,
                title=game.title,
                lines=str(read.order).split("\n") + ([f"PLANS: {read.plans}"] if read.plans else []),
                unsaid=game.pack.look.unsaid(order.view, str(read.order)),
                waiting=[game.name(other) for other in order.waiting],
                rev=order.envelope.say["rev"],
                otherwise=order.otherwise,
            )
        )
        return Draft(
            f"{again}.receipt" if again else f"receipt.{order.got[2][:16]}",
            _("your order is here"),
            text,
            signed_lines(order.got, order.envelope),
            deadline=self._deadline(game, seat, game.ledger.n, due, at, over=True) if due else None,
            waits=not (again or order.otherwise or (by_reply and order.waiting)),
        )

    @letter
    def kept(self, game: HostedGame, seat: str, at: str, kept: Sequence[Kept]) -> Draft:
        """Send the signed receipts for orders sent ahead."""
        said = [{"mark": one.mark, "lines": one.lines, "answers": one.answers} for one in kept]
        text = self.wording.text("ahead", at, title=game.title, kept=said)
        lines = b"".join(signed_lines(one.got, one.envelope) for one in kept)
        return Draft(f"ahead.{kept[0].got[2][:16]}", _("what you sent ahead"), text, lines)

    @letter
    def ready(self, game: HostedGame, seat: str, at: str, got: Sequence[Json]) -> Draft:
        """Send the signed receipt for a seat's word that it is ready again."""
        said = _(
            "In {title} you have said that you are ready. This mail carries the host's signed receipt: keep it.",
            title=game.title,
        )
        return Draft(f"receipt.{got[2][:16]}", _("you are ready"), self._notice(at, said), cj(list(got)) + b"\n")

    @letter
    def noted(self, game: HostedGame, seat: str, at: str, envelope: Envelope, got: Sequence[Json]) -> Draft:
        """Send the signed receipt for something said that counts only behind an order of its seat."""
        said = _(
            "Your statement in {title} is here. You had signed an order before it, so it takes effect "
            "with that order. This mail carries the host's signed receipt: keep it.",
            title=game.title,
        )
        return Draft(
            f"receipt.{got[2][:16]}", _("what you have said"), self._notice(at, said), signed_lines(got, envelope)
        )

    @letter
    def board(self, game: HostedGame, seat: str, at: str, digest: str) -> Draft:
        """Send the board as this seat sees it."""
        return Draft(f"reply.{digest[:16]}.{seat}", _("the board"), self._standing(game, seat, at))

    def resend(self, game: HostedGame, seat: str, at: str, since: int, name: str) -> None:
        """Send the lines of a seat's copy after entry `since` once more, and the receipt for an order that waits.

        `name` begins the names of both letters, with their kind.
        """
        self._copy(game, seat, at, since, name)
        if order := game.order_here(seat):
            self.receipt(game, seat, at, order, name)

    @letter
    def _copy(self, game: HostedGame, seat: str, at: str, since: int, name: str) -> Draft:
        """A copy ends where a signature of the host covers it, or is the invitation."""
        lines = game.ledger.lines_for(seat, since)
        signed = max((no for no, line in enumerate(lines, 1) if line.startswith(b'["head"')), default=0)
        lines = lines[: signed or int(since < 0)]
        text = self.wording.text(
            "resend",
            at,
            since=since,
            lines=len(lines),
            standing=self._standing(game, seat, at),
            stage=game.stage,
            token=self.token(game, seat) if game.stage == "joining" else "",
            kept=game.seats[seat].kept == KEPT,
        )
        return Draft(name, _("your copy once more"), text, joined(lines))

    def _notice(self, at: str, text: str) -> str:
        return self.wording.text("notice", at, text=text)

    def _standing(self, game: HostedGame, seat: str, at: str) -> str:
        if game.row.snapshot is None:
            return _(
                "{title} has not begun; it waits for {seats}.",
                title=game.title,
                seats=game.names(*game.waiting()) or _("nobody"),
            )
        return self._rendered(self._report(game, game.resume(), seat, game.ledger.n, game.row.due), at)

    def _rendered(self, made: Reckoned, at: str) -> str:
        """Return the text of a report."""
        return self.wording.made("report.txt.j2", lambda env: render(made, env), at)

    def _drawn(self, game: HostedGame, made: Reckoned, at: str) -> Drawn:
        """Return a report's parts other than the text: empty if the host sends only text, or cannot draw the position.

        A drawing that fails is noted as a trouble of the host; the order that led to it counts, and the text goes out.
        """
        drawn = Drawn()
        if self.pictures:
            with speaking(ENGLISH):  # a trouble has one name, whoever reads the report
                reader = game.name(made.report.seat) if made.report.seat else "those who look on"
            with apart(self.house.store, f"drawing for {reader} in game {game.id}", at):
                drawn = self._draw(game, made, at)
        return drawn

    def _draw(self, game: HostedGame, made: Reckoned, at: str) -> Drawn:
        """Return a report as HTML, with its map, and as a page."""
        from pbem.look.markup import markup
        from pbem.look.pixels import png
        from pbem.reports.html import MAP, mail, page

        seat = made.report.seat
        size = game.seats[seat].pictures if seat else ""
        svg, cid = made.picture if size != "off" else markup(""), f"{MAP}@{self._domain}"
        images = {cid: png(svg) if size == "on" else png(svg, SMALL)} if svg else {}
        html, alone = (
            self.wording.made("report.html.j2", make, at)
            for make in (
                lambda env: mail(made, cid if svg else "", env),
                lambda env: page(made, env),
            )
        )
        return Drawn(html, images, alone if size == "on" else "")  # the page holds the map once more

    def _report(
        self, game: HostedGame, referee: Referee, seat: str, since: int, until: str, unused: tuple[str, ...] = ()
    ) -> Reckoned:
        """The report of a seat, or for those who look on (""), that tells what happened after entry `since`."""
        due, told = referee.due(), tuple(map(tuple, game.ledger.told(seat, since)))
        heard = [fact for facts in game.ledger.told(seat, 0) for fact in facts]
        report = Report(
            game_id=game.g,
            seat=seat,
            view=referee.views()[seat or PUBLIC],
            told=told,
            # The program of a player with his own key writes this letter again, and knows of no answer that is not in the log.
            asked=tuple(
                one
                for one in due.to
                if one != seat or game.seats[seat].kept != KEPT or seat not in game.answers(due.ask)
            )
            if isinstance(due, AnswersDue)
            else (),
            entry=game.ledger.n,
            head=game.ledger.head,
            due=until if isinstance(due, AnswersDue) else "",
            result=due.result if isinstance(due, EndDue) else None,
            earlier=tuple(heard[: len(heard) - sum(map(len, told))]),
            complete=True,
            unused=unused,
            zone=game.clock(seat).zone if seat else "UTC",
            clock=game.course.clock,
            marked=bool(referee.open_mark),
            ways=self.ways(game, until, seat),
            register=register_head(game),
        )
        return Reckoned(report, game.pack)

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
            hours=max(1, min(12, game.course.terms.hours // 4)),
        )

    def _last_deadline(self, game: HostedGame, seat: str, at: str) -> Deadline | None:
        """Strike the last question that a seat was asked out of his calendar, when the game is over."""
        for n in range(game.ledger.n, 0, -1):
            entry = game.ledger.entry(n)
            if entry["k"] == "ask" and seat in entry["to"]:
                due = entry.get("due")
                return self._deadline(game, seat, game.ledger.n, due, at, over=True) if due else None
        return None
