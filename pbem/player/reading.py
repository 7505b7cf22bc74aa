"""Reading the host's mails: their lines go into the copy, and the report is made only from the copy.

This module decides to which game a mail belongs, and which parts to believe. These are lines that continue the copy, and receipts
that the host has signed. It signs nothing.
"""

from __future__ import annotations

import re
from dataclasses import replace
from email.utils import parseaddr
from typing import TYPE_CHECKING

from pbem import private
from pbem.errors import EarlierWanted, RecordError, UsageError
from pbem.games import find
from pbem.i18n import N_, _, languages, speaking, spoken
from pbem.i18n.moments import is_zone
from pbem.kernel import Json, tidy
from pbem.ledger import Log, check_key_line, read_line
from pbem.ledger.fields import seconds_between
from pbem.ledger.kept import is_kept
from pbem.ledger.register import head_read, place_in_register
from pbem.ledger.terms import goes_again
from pbem.mail import MAX_FROM_HOST, Incoming, attached_messages, lines_of_a_log, read_message
from pbem.mail.above import without_cut_line
from pbem.mail.door import announced
from pbem.mail.invitation import file_in, with_invitation
from pbem.records import dataclass
from pbem.reports.reckoned import Reckoned, brief, render
from pbem.reports.report import Ways
from pbem.reports.text import environment

from .club import clubs
from .copy import check_lines, sense
from .in_time import read_paper
from .notes import Ahead, Notes, RegisterSeen
from .receipts import ReceiptLine
from .seat import Seat
from .showing import material
from .tray import Tray, revision, says

if TYPE_CHECKING:
    from .folder import Folder

_ATTACHED = re.compile(rb"\[\"")

_OVERTAKEN = N_(
    "The host has an order of yours for this question that was not written here. The host would "
    "have refused the letter that waited here, so it is now in “replaced”. Order again to "
    "replace the order that the host has."
)

_CALLED = N_(
    "A seat now has a different key. Compare the new key by telephone, then say that you are "
    "ready, with “pbem join” and this mail. The game continues when everybody has done so."
)

_MOVED = N_(
    "The game continues under another host, as all agreed. Compare the new host's key by "
    "telephone, then say that you are ready, with “pbem join” and this mail. The open question "
    "is put again when everybody has done so."
)

_OF_FRIENDS = re.compile(r"[0-9a-f]{16}\.(?:two|whole|word|talk|seen)\.")
"""So the Message-IDs begin of letters between two who play without a host."""
WITHOUT_LINES = N_(
    "This mail claims to be a letter of a game for two without a host, but the attachment of "
    "such a letter is missing. Nothing was taken. Save the whole mail with its attachment, or "
    "only the attached file (….pbem), and read that. If nothing was attached, ask your friend to "
    "send it again: “pbem resend” does that."
)
_WITH_LINES = re.compile(r"[0-9a-f]{16}\.(?:report|invitation|newcomer|roster|keys|receipt|ahead|resent)\.")
"""So the Message-IDs begin of a host's letters that bring lines of the log."""
_STRIPPED = N_(
    "This letter of your game should bring lines of the log in a file (….pbem). They are not in it, so nothing was taken. Perhaps "
    "a mail gateway removed the file, or only the text was saved. Save the whole mail, or the file alone, and read that. If it "
    "came without the file, run “pbem resend”, or send the host a mail with the line “RESEND”."
)
_HEAD = re.compile(r"(?:[0-9a-f]{4} ){7}[0-9a-f]{4}")
"""So the text of a report shows the head that the log has with its lines."""
_SLACK = 3600
"""The minimum tolerance, in seconds, for a letter's delivery and for clock differences, whatever grace was agreed."""

_OLDER = N_("You have already read a later mail of this game. The game now:")


@dataclass(frozen=True, slots=True)
class Reading:
    """The result of reading a mail: the game ("" if nothing in the mail is signed), the text to show, made from signed facts, and
    warnings.

    `since` is the entry after which its report begins. `words` are the mail's own words if the text does not replace them; anybody
    may have written them. `host` is the known host who sent them, by the mail's own claim. `cut`: the words are incomplete.
    `bare`: only the mail's attachment was given. `lacking` says what helps if its lines are missing. `is_new`: it has something
    new. `invites`: it is an invitation to a game that is unknown here, and nothing was taken. `goes_on`: continue the game here
    before its state is shown.
    """

    game: str
    text: str
    warnings: tuple[str, ...] = ()
    since: int | None = None
    words: str = ""
    host: str = ""
    cut: bool = False
    bare: bool = False
    lacking: str = ""
    is_new: bool = True
    invites: bool = False
    goes_on: bool = False


def opened(raw: bytes) -> tuple[Incoming, bool]:
    """Return the mail in a saved file, and whether the file is only a mail's attachment, so that the rest is unknown.

    If a mail has no log lines, a forwarded mail attached to it that has some is read. The file of an invitation supplies the seat
    and the token if the mail does not name them.
    """
    if lines := lines_of_a_log(raw):
        return with_invitation(Incoming(log=lines), raw), True
    mail = read_message(raw, MAX_FROM_HOST)
    if not mail.log:
        inside = ((one, read_message(one, MAX_FROM_HOST)) for one in attached_messages(raw))
        raw, mail = next(((one, found) for one, found in inside if found.log), (raw, mail))
    return with_invitation(mail, file_in(raw) if mail.token else b""), False


def not_read(mail: Incoming) -> str:
    """Say why not all of a mail was read, and what helps."""
    return _(
        "{problem} No log lines were found in this mail, so nothing was taken. Save the file "
        "attached to the letter (….pbem) and read that. Or run “pbem resend”.",
        problem=mail.problem,
    )


def lacks_lines(mail: Incoming) -> str:
    """Return advice if a letter should have log lines but has none; "" for any other mail. Anybody can write such a mail.

    If a letter waits at the host's web address, the mail may have only its beginning.
    """
    if mail.log:
        return ""
    if _OF_FRIENDS.match(mail.message_id):
        return _(WITHOUT_LINES)
    is_renamed = mail.seat and not re.match(r"[0-9a-f]{16}\.", mail.message_id) and _HEAD.search(mail.text)
    if not mail.door and (_WITH_LINES.match(mail.message_id) or is_renamed):
        return " ".join(filter(None, [_(_STRIPPED), str(mail.unread or "")]))
    return ""


def damaged(why: object) -> RecordError:
    """Return the error for damaged lines in a host's mail."""
    return RecordError(
        _(
            "The lines of the log in this mail are damaged, or not all of them came ({why}): nothing has been taken from it. "
            "Save the mail once more; if that does not help, write to the host a mail with the line “RESEND”.",
            why=why,
        )
    )


class Inbox:
    """Where a desk reads its mails."""

    def __init__(self, folder: Folder, tray: Tray) -> None:
        self.folder, self.tray = folder, tray

    def read(
        self, raw: bytes, mail: Incoming, _at: str, *, bare: bool, instead: bool, game: str, fetched: bool
    ) -> Reading:
        """Take the lines of a mail into the copy, and return the report made from the copy; arguments as in `Desk.read`.

        `raw` is a message, or the attachment of one; `bare`: the mail has only lines.
        """
        if instead:
            raise UsageError(_("This is not a letter of a game of two: nothing has been changed."))
        if fetched and (invited := self.invites(mail)):
            return Reading(invited, "", invites=True)
        found = read_paper(self.folder, raw, mail)
        return Reading(*found) if found else replace(self.take(mail, bare=bare), bare=bare, cut=mail.cut)

    def invites(self, mail: Incoming) -> str:
        """The game to which a mail invites, of which nothing is known here; "" for every other mail."""
        if mail.log.count(b"\n", 0, -1) or not mail.log.startswith(b"{"):
            return ""
        log = Log.parse(mail.log.removesuffix(b"\n") + b"\n")
        return (
            log.game
            if log.entries
            and log.entries[0].k == "game"
            and all(notes.game != log.game for notes in self.folder.games())
            else ""
        )

    def take(self, mail: Incoming, *, bare: bool) -> Reading:
        """Take the lines of a mail into the copy; `bare`: the mail has only lines."""
        reading = self._taken(mail, bare=bare)
        if reading.game and mail.door:
            self._learn_door(self.folder.notes(reading.game), mail.door)
        if reading.game and mail.register:
            return replace(
                reading,
                warnings=(*reading.warnings, *self._learn_register(self.folder.notes(reading.game), mail.register)),
            )
        return reading

    def _learn_register(self, notes: Notes, said: str) -> tuple[str, ...]:
        """Note how far the host's register of rated games goes, if the host signed it; warn if it conflicts with what is known.

        In that case the notes stay unchanged: they are the evidence, and later letters are compared with them as well.
        """
        copy = self.folder.copy(notes)
        host = copy.course.host
        if not (found := head_read(said, notes.game, host)):
            return ()
        new = RegisterSeen(*found, host, said)
        known = [(one.game == notes.game, RegisterSeen(*one.register)) for one in self.folder.games() if one.register]
        first = copy.log.entries[0].fields
        if first["host"] == host and (place := place_in_register(first)):
            known.append((True, RegisterSeen(-1, *place, host)))
        for is_own, old in known:
            if old.host == host and _parts(new, old, in_order=is_own):
                return (
                    _(
                        "THE REGISTER OF RATED GAMES WAS CHANGED: this letter names line {number} with the head "
"{head}. Another letter, or the game's entry 0, named line {other} with the head {before}. "
"One register cannot have had both. The host signed them: keep both mails, and show them to "
"the other players.",
                        number=new.n + 1, head=new.head, other=old.n + 1, before=old.head,
                    ),
                )  # fmt: skip
        if not notes.register or new.host != notes.register[3] or new[:2] > tuple(notes.register[:2]):
            notes.register = list(new)
            self.folder.keep(notes)
        return ()

    def _learn_door(self, notes: Notes, said: str) -> None:
        """Take note of where the host's door is, if he has signed it; of two the one that he signed later counts."""
        found = announced(said, notes.game, self.folder.copy(notes).course.host)
        if found and found[0] >= notes.door_from and found != (notes.door_from, notes.door):
            notes.door_from, notes.door = found
            self.folder.keep(notes)

    def _taken(self, mail: Incoming, *, bare: bool) -> Reading:
        if mail.excess:
            raise UsageError(not_read(mail))
        if not mail.log:
            sender = mail.sender.lower()
            ours = [notes for notes in self.folder.games() if notes.host.lower() == sender]
            if ours and mail.reads == (0, 0):
                self._give_in_full(ours, mail)
            known = bool(ours) or sender in [club.address.lower() for club in clubs(self.folder.home)]
            host, lacking = mail.sender if known else "", lacks_lines(mail)
            return Reading("", "", words=mail.shown or mail.text, host=host, lacking=lacking)
        check_lines(mail.log, damaged)
        if mail.log.startswith(b'["got"'):
            return self._keep_receipt(mail)
        notes = self._notes_for(mail.log, mail.sender, mail.seat)
        seat, copy = Seat(self.folder, notes), self.folder.lying(notes)
        if mail.seat and mail.seat != notes.seat:
            raise UsageError(
                _(
                    "This mail is for the seat {seat}, yours is {own}: nothing has been taken from it.",
                    seat=mail.seat,
                    own=notes.seat,
                )
            )
        host = copy.course.host if copy.log.entries else ""
        since = copy.grow(mail.log, notes.next_host)
        if host and host != copy.course.host:
            self._follow(notes, mail)
        if mail.seat and not bare:  # the mail itself is here, and not only what was attached to it
            self._learn_what_is_read(notes, mail)
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
            return Reading(notes.game, _before_it_begins(seat), words=mail.shown or mail.text)
        seat.check_public(since)
        doubts = _doubts(seat, mail, since)
        with sense():
            text = render(_as_sent(seat, mail, since))
        if since + sum(line.startswith(b"{") for line in mail.log.split(b"\n")) < copy.log.head[0]:
            return Reading(notes.game, "\n\n".join([_(_OLDER), text]), since=since)
        if copy.course.phase == "called":
            return Reading(notes.game, "\n\n".join([_(_MOVED if copy.course.moved else _CALLED), text]), doubts, since)
        if bare or _says_the_same(seat, mail, since, text):
            return Reading(notes.game, text, doubts, since)
        other = _("The text of the mail is not what the log says; this report is made from the log.")
        if mail.own_words:
            other = _("This host words its mails in its own way; this report is made from the log alone.")
        return Reading(notes.game, text, (*doubts, other), since)

    def _learn_what_is_read(self, notes: Notes, mail: Incoming) -> None:
        """Take note of which blocks the host reads, and by which clock he tells moments."""
        zone = mail.zone if is_zone(mail.zone) else ""
        if (notes.reads, notes.zone) != (list(mail.reads), zone):
            notes.reads, notes.zone = list(mail.reads), zone
            self.folder.keep(notes)

    def _give_in_full(self, games: list[Notes], mail: Incoming) -> None:
        """Put letters with short blocks that the host could not expand in the tray in full, and write in full from then on.

        The request is not signed. A forged one only causes a letter to be sent twice, and the letter counts once.
        """
        threads = {named.game for named in mail.games if named.where == "thread"}
        for notes in games:
            if notes.game[:16] in threads:
                notes.reads = []
                self.folder.keep(notes)
                self.tray.give_in_full(notes)

    def _follow(self, notes: Notes, mail: Incoming) -> None:
        """Send a game's letters to the host who has taken it over; set aside orders that waited for the former host."""
        notes.host, notes.next_host, notes.next_key = parseaddr(mail.sender)[1] or notes.host, "", ""
        notes.door, notes.door_from, notes.at_door, notes.last_at_door = "", 0, 0, ""  # that was the former one's
        notes.revisions, notes.reads = {}, []  # the open question is void, and what was lost had other questions
        self.folder.keep(notes)
        self.tray.lay_aside(*self.tray.lying(notes, "order."))

    def _keep_receipt(self, mail: Incoming) -> Reading:
        """Keep the host's receipts for orders beside the copy, and learn from them what the host has."""
        receipts = ReceiptLine.read(mail.log)
        notes = self.folder.notes(receipts[0].game)
        first, *rest = (entry.fields for entry in self.folder.copy(notes).log.entries)
        keys = {entry["say"]["key"] for entry in rest if entry["k"] in ("join", "rekey") and entry["by"] == notes.seat}
        hosts = {first["host"]} | {entry["key"] for entry in rest if entry["k"] == "host"}
        for receipt in receipts:
            receipt.check(hosts, keys | {self.folder.key_line}, notes.seat)
        path = self.folder.path(notes, "receipts")
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
        return Reading(notes.game, "\n".join(map(_told, receipts)), warnings, words=mail.shown or mail.text)

    def _learn_ahead(self, notes: Notes, say: Json, text: str) -> None:
        """Take note of an order sent ahead that the host has, perhaps signed on another machine."""
        if say["rev"] >= notes.sent_ahead(say["link_n"]).rev:
            notes.note_ahead(say["link_n"], Ahead(say["rev"], text, say["seen"][0]))
            self.folder.keep(notes)

    def _learn(self, notes: Notes, say: Json) -> tuple[str, ...]:
        """Take note of an order that the host has, perhaps signed on another machine; return warnings.

        An order that waits here for the same question, and is no later revision, would be refused: it is laid aside.
        """
        ask, rev = say["ask"], say["rev"]
        if (ask, rev) > max(((int(n), r) for n, r in notes.revisions.items()), default=(-1, -1)):
            notes.revisions = {str(ask): rev}
            self.folder.keep(notes)
        orders = self.tray.lying(notes, "order.")
        overtaken = [path for path in orders if revision(path) <= (ask, rev) and says(path) != say]
        self.tray.lay_aside(*overtaken)
        return (_(_OVERTAKEN),) if overtaken else ()

    def _notes_for(self, log: bytes, sender: str, seat: str) -> Notes:
        """Return the notes of the game that the lines belong to; an invitation begins new ones."""
        first = read_line(log.split(b"\n", 1)[0])
        if isinstance(first, dict) and first.get("k") == "game":
            game = Log.parse(log).game
            check_key_line(first["host"])
            known = next((notes for notes in self.folder.games() if notes.game == game), None)
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
            self.folder.keep(notes)
            return notes
        n, prev = (first.get("n"), first.get("prev")) if isinstance(first, dict) else ("?", None)
        for notes in self.folder.games():
            entries = self.folder.lying(notes).log.entries
            if isinstance(n, int) and 0 < n <= len(entries) and entries[n - 1].hash == prev:
                return notes
        raise EarlierWanted(
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
        ends = [len(self.folder.lying(notes).log.entries) - 1 for notes in self.folder.games() if notes.game in named]
        return f" since {ends[0]}" if max(ends, default=-1) >= 0 else ""


def _parts(new: RegisterSeen, old: RegisterSeen, *, in_order: bool) -> bool:
    """Can no register that only grows have had both heads? `in_order`: entries of one game say which of them is the later."""
    if new.n == old.n:
        return new.head != old.head
    return in_order and new.entry != old.entry and (new.n > old.n) != (new.entry > old.entry)


def _doubts(seat: Seat, mail: Incoming, since: int) -> tuple[str, ...]:
    """Compare the host's times with the time the letter came; remember doubts, and return warnings.

    A question dated long before its letter gives less time than agreed. A log ahead of the clock may declare somebody late too
    soon.
    """
    course = seat.course
    on = course.call if course.phase == "called" else course.question if course.phase == "asked" else None
    if not mail.arrived or not course.terms.hours or on is None or on.n <= since:
        return ()
    most = max(3600 * course.terms.grace, _SLACK)
    late, ahead = seconds_between(on.at, mail.arrived), seconds_between(mail.arrived, course.clock)
    found = {"n": on.n, "at": on.at, "arrived": mail.arrived, "due": course.due}
    if late > most:
        why = _(
            "Entry {n} is dated {at}, but its letter arrived at {arrived}. The host or the mail has "
            "shortened the agreed time to answer (until {due}). Keep this mail, and ask the host for "
            "more time.",
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
    seat.notes.doubts = {str(on.n): why}
    seat.keep()
    return (why,)


def _says_the_same(seat: Seat, mail: Incoming, since: int, here: str) -> bool:
    """Return whether a mail says the same as the log, in the mail's language. `here` is the log's report in the player's language.

    At its end, the host may add unused premoves, which are not in the log, and a link to the page at the host's web address.
    """
    own, language = spoken(), mail.language if mail.language in languages() else spoken()
    with speaking(language), sense():
        made, said = _as_sent(seat, mail, since), tidy(without_cut_line(mail.text)).split()
        whole = tidy(here if language == own else render(made)).split()
        if said in (whole, tidy(brief(made)).split()) or said == tidy(_sent_again(seat, mail, since)).split():
            return True
        more = Reckoned(replace(made.report, unused=("",)), made.pack)
        longer = tidy(render(more)).split()  # it has a heading behind it, and begins what tells more
        return len(longer) > len(whole) and said[: len(longer)] == longer


def _sent_again(seat: Seat, mail: Incoming, since: int) -> str:
    """Return the text of a letter that sends lines again: the game's state after the last of them."""
    standing = render(_as_sent(seat, mail, seat.log.head[0]))
    kept = is_kept(seat.log.entries, seat.notes.seat)
    said = {"since": since, "lines": True, "standing": standing, "stage": "", "token": "", "kept": kept}
    return environment().get_template("mail/resend.txt.j2").render(**said)


def _as_sent(seat: Seat, mail: Incoming, since: int) -> Reckoned:
    """Return the report of a mail as its host should have sent it, made from the copy."""
    made, pack = material(seat, since)
    return Reckoned(replace(made, ways=_ways(seat, mail), register=_register(seat, mail)), pack)


def _ways(seat: Seat, mail: Incoming) -> Ways:
    """How a question can be answered: by the terms, and at the host's page, where the mail names the door that he has signed."""
    course = seat.course
    found = announced(mail.door, seat.notes.game, course.host)
    page = found[1] if found and found[1] in mail.text else ""
    by_reply, late = (
        is_kept(seat.log.entries, seat.notes.seat),
        course.terms.late if course.waiting and course.due else "",
    )
    return Ways(page, late, by_reply, by_reply and goes_again(seat.log.entries[0].fields))


def _register(seat: Seat, mail: Incoming) -> tuple[int, str] | None:
    """How far the host's register goes by this letter, as he has signed it."""
    found = head_read(mail.register, seat.notes.game, seat.course.host)
    return found[1:] if found else None


def _before_it_begins(seat: Seat) -> str:
    """Return a text about a game that has not begun yet."""
    seats, notes = seat.course.seats, seat.notes
    said = [
        _(
            "{title}, game {game}. You play {seat}. It has not begun yet.",
            title=notes.title,
            game=notes.game[:8],
            seat=seat.called(notes.seat),
        )
    ]
    if joined := ", ".join(seat.called(name) for name, held in seats.items() if held.key):
        said.append(_("Seats taken: {joined}.", joined=joined))
    if ready := ", ".join(seat.called(name) for name, held in seats.items() if held.is_ready):
        said.append(_("Ready: {ready}.", ready=ready))
    return "\n".join(said)


def _told(receipt: ReceiptLine) -> str:
    """Say what a receipt, which has been checked, is for."""
    game, say = receipt.game[:8], receipt.order["say"] if receipt.order else {}
    match say.get("act"):
        case "order":
            return _(
                "Kept: the host's receipt for your order in game {game} (question {ask}, revision {rev}).",
                game=game, ask=say["ask"], rev=say["rev"],
            )  # fmt: skip
        case "ahead":
            return _(
                "Kept: the host's receipt for your order sent ahead in game {game} (mark {mark}, revision {rev}).",
                game=game, mark=say["link_n"], rev=say["rev"],
            )  # fmt: skip
    return _("Kept: the host's receipt for what you signed in game {game}.", game=game)
