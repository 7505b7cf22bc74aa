"""Reading the host's mails: their lines go into the copy, and what is shown is made from the copy alone.

It decides to which game a mail belongs, and what is believed of it: lines that continue the copy, and receipts that the host has
signed. It signs nothing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from email.utils import parseaddr
from typing import TYPE_CHECKING

from pbem import private
from pbem.errors import FormError, RecordError, UsageError
from pbem.games import GamePack, find
from pbem.kernel import Fit, Json, choose, tidy
from pbem.ledger import Log, check_key_line, read_line
from pbem.ledger.fields import seconds_between
from pbem.mail import MAX_FROM_HOST, Incoming, attached_messages, lines_of_a_log, read_message
from pbem.reports.text import VOIDED, Report, render
from pbem.words import N_, _, languages, speaking, spoken

from .folder import sense
from .notes import Ahead, Notes
from .receipts import Receipt
from .tray import Tray, revision, says

if TYPE_CHECKING:
    from markupsafe import Markup

_ATTACHED = re.compile(rb"\[\"")

_OVERTAKEN = N_(
    "The host has an order of yours for this question that was not written here. The letter that waited here would have been "
    "refused and lies in “replaced” now; order again to replace the one that the host has."
)

_CALLED = N_(
    "A seat has another key from now on. Compare the new one by telephone, then say that you are ready, with “pbem join” and this "
    "mail: the game goes on when all have."
)

_MOVED = N_(
    "The game goes on under another host, as all agreed. Compare his key by telephone, then say that you are ready, with "
    "“pbem join” and this mail: the open question is put again when all have."
)

_SLACK = 3600
"""So many seconds a letter may be on its way, or clocks differ, whatever grace was agreed on."""

_OLDER = N_("You have read a later mail of this game already. This is how it stands now:")


@dataclass(frozen=True, slots=True)
class Reading:
    """What came of reading a mail: the game, "" where nothing in it is signed; the text to show, made from what is; warnings.

    `since` is the entry after which its report begins. `words` are those of the mail where the text does not stand for them:
    anybody may have written them; `host` is the host of ours who wrote them, by the mail's own word. `cut`: they are not all.
    `bare`: only what was attached to the mail was there.
    """

    game: str
    text: str
    warnings: tuple[str, ...] = ()
    since: int | None = None
    words: str = ""
    host: str = ""
    cut: bool = False
    bare: bool = False


def opened(raw: bytes) -> tuple[Incoming, bool]:
    """Return the mail in what was saved, and whether it is only what was attached to one: then nothing else of it is known.

    Where a mail brings no lines of a log, the one that is attached to it and does is read: it was handed on.
    """
    if lines := lines_of_a_log(raw):
        return Incoming(log=lines), True
    mail = read_message(raw, MAX_FROM_HOST)
    if mail.log or mail.problem:
        return mail, False
    inside = (read_message(one, MAX_FROM_HOST) for one in attached_messages(raw))
    return next((one for one in inside if one.log), mail), False


def check_lines(log: bytes) -> None:
    """Raise RecordError where lines of a log are cut off or damaged."""
    try:
        for line in log.removesuffix(b"\n").split(b"\n"):
            read_line(line)
    except FormError as error:
        raise RecordError(
            _(
                "The lines of the log in this mail are damaged, or not all of them came ({why}): nothing has been taken from it. "
                "Save the mail once more; if that does not help, write to the host a mail with the line “RESEND”.",
                why=error,
            )
        ) from error


class Reader(Tray):
    """A desk at which mails are read."""

    def read(self, raw: bytes) -> Reading:
        """Take the lines of a mail into the copy, and return the report made from it.

        The bytes are those of a message, or of what is attached to one.
        """
        mail, bare = opened(raw)
        return replace(self._take(mail, bare=bare), bare=bare, cut=mail.cut)

    def _take(self, mail: Incoming, *, bare: bool) -> Reading:
        """Take the lines of a mail into the copy; `bare`: they are all that is known of it."""
        if mail.problem:
            raise UsageError(mail.problem)
        if not mail.log:
            ours = mail.sender.lower() in {notes.host.lower() for notes in self.games()}
            return Reading("", "", words=mail.text, host=mail.sender if ours else "")
        check_lines(mail.log)
        if mail.log.startswith(b'["got"'):
            return self._keep_receipt(mail)
        notes = self._notes_for(mail.log, mail.sender, mail.seat)
        if mail.seat and mail.seat != notes.seat:
            raise UsageError(
                _(
                    "This mail is for the seat {seat}, yours is {own}: nothing has been taken from it.",
                    seat=mail.seat,
                    own=notes.seat,
                )
            )
        copy = self.copy(notes)
        host = self.course(notes).host if copy.log.entries else ""
        since = copy.grow(mail.log, notes.next_host)
        if host and host != self.course(notes).host:
            self._follow(notes, mail)
        verdict = copy.verdict()
        if verdict.verdict == "fault":
            raise RecordError(
                _(
                    "DO NOT GO ON: entry {entry}, {code}, at fault: {party}. {reason} The host has signed it; {copy} "
                    "is the evidence. Show it to the other players.",
                    entry=verdict.entry,
                    code=verdict.code,
                    party=verdict.at_fault,
                    reason=verdict.reason,
                    copy=copy.path.name,
                )
            )
        if not copy.tells():
            return Reading(notes.game, self._before_it_begins(notes), words=mail.text)
        self._check_public(notes, since)
        doubts = self._doubts(notes, mail, since)
        text = self.report(notes, since)
        if since + sum(line.startswith(b"{") for line in mail.log.split(b"\n")) < copy.log.head[0]:
            return Reading(notes.game, "\n\n".join([_(_OLDER), text]), since=since)
        if self.course(notes).phase == "called":
            called = _(_MOVED) if self.course(notes).moved else _(_CALLED)
            return Reading(notes.game, f"{called}\n\n{text}", doubts, since)
        warnings = doubts
        if not bare and not self._says(mail, notes, since):
            if mail.own_words:
                warnings += (_("This host words its mails in its own way; this report is made from the log alone."),)
            else:
                warnings += (_("The text of the mail is not what the log says; this report is made from the log."),)
        return Reading(notes.game, text, warnings, since)

    def _doubts(self, notes: Notes, mail: Incoming, since: int) -> tuple[str, ...]:
        """Hold the moments that the host names against when the letter came; return what is to be said, and remember it.

        A question that is dated long before its letter gives less time than was agreed; a log that runs ahead of the clock may
        declare somebody late too soon.
        """
        course = self.course(notes)
        on = course.call if course.phase == "called" else course.question if course.phase == "asked" else None
        if not mail.arrived or not course.terms.hours or on is None or on.n <= since:
            return ()
        most = max(3600 * course.terms.grace, _SLACK)
        late, ahead = seconds_between(on.at, mail.arrived), seconds_between(mail.arrived, course.clock)
        found = {"n": on.n, "at": on.at, "arrived": mail.arrived, "due": course.due}
        if late > most:
            why = _(
                "Entry {n} is dated {at}, but its letter came at {arrived}: the time to answer ({due}) is shorter "
                "than was agreed, by "
                "the host or by the mail. Keep this mail, and ask the host for more time.",
                **found,
            )
        elif ahead > most:
            why = _(
                "The letter came at {arrived}, but the log is at {clock} already: the host's clock is wrong, or it "
                "declares somebody late "
                "too soon. Keep this mail, and tell the others.",
                arrived=mail.arrived,
                clock=course.clock,
            )
        else:
            return ()
        notes.doubts = {str(on.n): why}
        self._keep(notes)
        return (why,)

    def _says(self, mail: Incoming, notes: Notes, since: int) -> bool:
        """Is the text of a mail what its language has for the report of this seat?"""
        with speaking(mail.language if mail.language in languages() else spoken()):
            return self._says_the_same(mail.text, notes, since)

    def _says_the_same(self, text: str, notes: Notes, since: int) -> bool:
        """Does a mail say what the log does? What was sent ahead and not used the host may tell at its end, without the log."""
        report, pack = self.standing(notes, since)
        with sense():
            own, more = (tidy(render(replace(report, unused=unused), pack)).split() for unused in ((), ("",)))
        said, head = tidy(text).split(), more[len(own) :]
        return said == own or (bool(head) and said[: len(more)] == more)

    def _unused(self, notes: Notes) -> tuple[str, ...]:
        """Why what was sent ahead does not answer the question that is put now; nothing where none was sent for it."""
        log, course = self.copy(notes).log, self.course(notes)
        asked = notes.seat in course.waiting and course.question
        mark = (asked.mark or None) if asked else None
        sent = notes.sent_ahead(mark)
        if not sent.text:
            return ()
        if sent.seen < course.since:
            return (VOIDED,)
        rules = self._pack(log).rules
        with sense():
            found = choose(rules, rules.read_view(self.copy(notes).tells()[-1].view), sent.text)
        if isinstance(found, Fit):
            return (
                _(
                    "It fits: {line}. If the host has sent you a receipt for it, it should have been used.",
                    line=found.line,
                ),
            )
        return tuple(map(str, found))

    def _follow(self, notes: Notes, mail: Incoming) -> None:
        """Let a game's letters go to the host who has taken it over; orders that waited for the former one are laid aside."""
        notes.host, notes.next_host, notes.next_key = parseaddr(mail.sender)[1] or notes.host, "", ""
        notes.revisions = {}  # the open question is void, and what was lost had other questions
        self._keep(notes)
        for path in self._unsent_orders(notes):
            self._lay_aside(path)

    def _keep_receipt(self, mail: Incoming) -> Reading:
        """Keep the host's receipts for orders beside the copy, and learn from them what the host has."""
        receipts = Receipt.read(mail.log)
        notes = self.notes(receipts[0].game)
        first, *rest = (entry.fields for entry in self.copy(notes).log.entries)
        keys = {entry["say"]["key"] for entry in rest if entry["k"] in ("join", "rekey") and entry["by"] == notes.seat}
        hosts = {first["host"]} | {entry["key"] for entry in rest if entry["k"] == "host"}
        for receipt in receipts:
            receipt.check(hosts, keys | {self.key_line}, notes.seat)
        path = self._path(notes, "receipts")
        kept = path.read_bytes() if path.exists() else b""
        more = [receipt.line for receipt in receipts if receipt.line not in kept.split(b"\n")]
        if more:
            private.put(path, kept + b"".join(line + b"\n" for line in more))
        warnings: tuple[str, ...] = ()
        for receipt in receipts:
            if receipt.order and receipt.order["say"]["act"] == "ahead":
                self._learn_ahead(notes, receipt.order["say"], receipt.text)
            elif receipt.order and receipt.order["say"]["act"] == "order":
                warnings += self._learn(notes, receipt.order["say"])
        told = "\n".join(self._told(receipt) for receipt in receipts)
        return Reading(notes.game, told, warnings, words=mail.text)

    def _before_it_begins(self, notes: Notes) -> str:
        """Say how a game stands of which nothing has been told yet."""
        seats = self.course(notes).seats
        return _(
            "{title}, game {game}: you have the seat {seat}. It has not begun. "
            "Have taken their seats: {joined}; are ready: {ready}.",
            title=notes.title,
            game=notes.game[:8],
            seat=notes.seat,
            joined=", ".join(name for name, seat in seats.items() if seat.key) or _("nobody"),
            ready=", ".join(name for name, seat in seats.items() if seat.is_ready) or _("nobody"),
        )

    def _told(self, receipt: Receipt) -> str:
        """Say what a receipt, which has been checked, is for."""
        game, say = receipt.game[:8], receipt.order["say"] if receipt.order else {}
        match say.get("act"):
            case "order":
                text = _(
                    "Kept: the host's receipt for your order in game {game} (question {ask}, revision {rev}).",
                    game=game, ask=say["ask"], rev=say["rev"],
                )  # fmt: skip
            case "ahead":
                text = _(
                    "Kept: the host's receipt for your order sent ahead in game {game} (mark {mark}, revision {rev}).",
                    game=game, mark=say["link_n"], rev=say["rev"],
                )  # fmt: skip
            case _:
                text = _("Kept: the host's receipt for what you signed in game {game}.", game=game)
        return text

    def _learn_ahead(self, notes: Notes, say: Json, text: str) -> None:
        """Take note of an order sent ahead that the host has, perhaps signed on another machine."""
        if say["rev"] >= notes.sent_ahead(say["link_n"]).rev:
            notes.note_ahead(say["link_n"], Ahead(say["rev"], text, say["seen"][0]))
            self._keep(notes)

    def _learn(self, notes: Notes, say: Json) -> tuple[str, ...]:
        """Take note of an order that the host has, perhaps signed on another machine; return warnings.

        An order that waits here for the same question, and is no later revision, would be refused: it is laid aside.
        """
        ask, rev = say["ask"], say["rev"]
        if (ask, rev) > max(((int(n), r) for n, r in notes.revisions.items()), default=(-1, -1)):
            notes.revisions = {str(ask): rev}
            self._keep(notes)
        overtaken = [path for path in self._unsent_orders(notes) if revision(path) <= (ask, rev) and says(path) != say]
        for path in overtaken:
            self._lay_aside(path)
        return (_(_OVERTAKEN),) if overtaken else ()

    def _notes_for(self, log: bytes, sender: str, seat: str) -> Notes:
        """Return the notes of the game that the lines belong to; an invitation begins new ones."""
        first = read_line(log.split(b"\n", 1)[0])
        if isinstance(first, dict) and first.get("k") == "game":
            game = Log.parse(log).game
            check_key_line(first["host"])
            known = next((notes for notes in self.games() if notes.game == game), None)
            if known is not None:
                return known
            if seat not in first["seats"]:
                raise UsageError(
                    _(
                        "The mail does not say which seat is yours. The game has {seats}.",
                        seats=", ".join(first["seats"]),
                    )
                )
            notes = Notes(game, seat, find(first["rules"]["id"]).rules.title, parseaddr(sender)[1])
            self._keep(notes)
            return notes
        n, prev = (first.get("n"), first.get("prev")) if isinstance(first, dict) else ("?", None)
        for notes in self.games():
            entries = self.copy(notes).log.entries
            if isinstance(n, int) and 0 < n <= len(entries) and entries[n - 1].hash == prev:
                return notes
        raise UsageError(
            _(
                "The lines of this mail begin at entry {n} and continue no copy here: an earlier mail is missing. To have "
                "the lines once more, write to the host a mail with the line “RESEND{since}”.",
                n=n,
                since=self._since(log),
            )
        )

    def _since(self, log: bytes) -> str:
        """From where the lines of a mail's game are missing here; attachments name their game."""
        named = {str(line[1]) for line in map(read_line, filter(_ATTACHED.match, log.splitlines())) if len(line) > 1}
        ends = [self.copy(notes).log.head[0] for notes in self.games() if notes.game in named]
        return f" since {ends[0]}" if ends else ""

    def report(self, notes: Notes, since: int) -> str:
        """Return the report of this seat from its copy: all that was told after entry `since`, and how things stand."""
        report, pack = self.standing(notes, since)
        with sense():
            return render(report, pack)

    def page(self, notes: Notes, since: int) -> str:
        """Return the same report as an HTML page that stands alone."""
        from pbem.reports.html import page

        report, pack = self.standing(notes, since)
        with sense():
            return page(report, pack)

    def picture(self, notes: Notes) -> Markup:
        """Return the drawing of how a game stands as SVG, empty where the game has none."""
        report, pack = self.standing(notes, 0)
        with sense():
            return report.picture(pack)

    def standing(self, notes: Notes, since: int) -> tuple[Report, GamePack]:
        """Return what a report of this seat is made of, and the game. Raises UsageError before anything has been told."""
        tells, log = self.copy(notes).tells(), self.copy(notes).log
        if not tells:
            raise UsageError(_("The game has not begun: nothing has been told yet."))
        last, course = log.entries[-1], self.course(notes)
        report = Report(
            game_id=notes.game,
            seat=notes.seat,
            view=tells[-1].view,
            told=tuple(tell.facts for tell in tells if tell.n > since),
            asked=course.waiting,
            entry=last.n,
            head=last.hash,
            due=course.due if course.waiting else "",
            result=last.fields["result"] if last.k == "end" else None,
            earlier=tuple(fact for tell in tells if tell.n <= since for fact in tell.facts),
            complete=True,
            unused=self._unused(notes),
        )
        return report, self._pack(log)
