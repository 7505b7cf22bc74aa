"""Agreement to a successor of somebody who has vanished: a newcomer in a seat, or another host.

This module decides which parts of a proposal to believe, and ensures that nobody continues a game with two hosts at once.
"""

from __future__ import annotations

from email.utils import parseaddr
from typing import TYPE_CHECKING

from pbem.errors import RecordError, UsageError
from pbem.i18n import _, _n
from pbem.ledger import (
    MOVE,
    SAY,
    Course,
    check_key_line,
    cj,
    fingerprint,
    make_entry,
    objection,
    sha256_hex,
    to_compare,
    verify_sig,
)
from pbem.ledger.course import read
from pbem.mail import MAX_FROM_HOST, attached_messages, read_block, read_message
from pbem.records import dataclass
from pbem.referee import Envelope, check_form

from .saying import HostSpeaker
from .seat import Seat

if TYPE_CHECKING:
    from pbem.kernel import Json

    from .folder import Folder
    from .notes import Notes
    from .tray import Tray


def about(raw: bytes) -> str:
    """Return the id of the game of which a mail proposes something, "" where it proposes nothing. Raises FormError."""
    block = read_block(read_message(raw, MAX_FROM_HOST).text)
    return str(block.say.get("game", "")) if block else ""


def proposed(raw: bytes) -> str:
    """Return what a mail proposes: "host" or "player", "" where it proposes nothing. Raises FormError."""
    block = read_block(read_message(raw, MAX_FROM_HOST).text)
    return {"host": "host", "join": "player"}.get(str(block.say.get("act") if block else ""), "")


@dataclass(frozen=True, slots=True)
class Newcomers:
    """Where a desk agrees to newcomers."""

    folder: Folder
    tray: Tray

    def welcome(self, raw: bytes, at: str, *, another: bool = False) -> str:
        """Agree to the proposal in the block of a mail; return what to compare by telephone.

        The proposal is a newcomer in a vanished player's seat, or another host in place of one who has vanished. `another`: agree
        even if the player agreed to a different host before. Raises UsageError if the mail has no such block.
        """
        mail = read_message(raw, MAX_FROM_HOST)
        newcomer = read_block(mail.text)
        inside = (read_message(one, MAX_FROM_HOST) for one in attached_messages(raw))
        mail = next(
            (one for one in inside if newcomer and one.text == mail.text), mail
        )  # it was handed on, and is whose it was
        if newcomer is not None and newcomer.say.get("act") == "host":
            return self._agree_to_host(newcomer, parseaddr(mail.sender)[1], at, another=another)
        if newcomer is None or newcomer.say.get("act") != "join":
            raise UsageError(_("This mail contains no offer to take a seat."))
        notes, say = self.folder.notes(str(newcomer.say["game"])), newcomer.say
        check_form(newcomer)
        if not verify_sig(say["key"], SAY, cj(dict(say)), newcomer.sig):
            raise RecordError(_("The newcomer has not signed this: the block was forged, or changed on its way."))
        HostSpeaker(Seat(self.folder, notes), self.tray).say(
            "agree", at, what=sha256_hex(cj({"player": {"say": say, "sig": newcomer.sig}}))
        )
        return f"{say['seat']}\n  {to_compare(say['key'])}"

    def _agree_to_host(self, proposal: Envelope, address: str, at: str, *, another: bool) -> str:
        """Agree that another host continues a game."""
        notes = self.folder.notes(str(proposal.say.get("game", "")))
        seat, host = Seat(self.folder, notes), _host_of(proposal)
        course, log, (n, h) = _where_he_goes_on(seat, host), seat.log, host["seen"]
        what = sha256_hex(cj({"host": host}))
        if notes.next_host not in ("", what) and not another:
            raise UsageError(
                _(
                    "You have already agreed to another host, or to another beginning. If that one has given up, "
                    "add --another; otherwise two hosts would continue one game."
                )
            )
        notes.next_host = ""
        known = seat.check_rules()
        seat.check()
        # what was signed beyond the entry from which he goes on counts no more
        statement = {
            "act": "agree",
            "no": course.next_no(notes.seat),
            "seen": [n, h],
            "after": seat.after(course),
            "what": what,
        }
        if found := objection(course, {"k": "say", "by": notes.seat, "say": statement, "at": max(at, course.clock)}):
            raise UsageError(found.reason)
        # an agreement that waits and was given up would make a second game of this one
        self.tray.lay_aside(
            *self.tray.lying(notes, "host."), *(self.tray.lying(notes, "rekey.") if notes.spare else ())
        )
        envelope = seat.pen_at(course).say(statement)
        self.tray.write(
            notes,
            f"host.{n}.{what[:8]}",
            envelope,
            _("I agree that {host} continues as host from entry {n}.", host=address, n=n),
            at,
            to=address,
        )
        notes.next_host, notes.next_key = what, fingerprint(host["key"])
        seat.keep()
        # they were for the former host, and the question is void
        self.tray.lay_aside(*self.tray.lying(notes, "order."))
        lost = len(log.entries) - 1 - n
        lines = [f"{address}\n  {to_compare(host['key'])}", _("The game continues from entry {n}.", n=n)]
        if lost:
            lines.append(_n("{n} entry of your copy counts no more.", "{n} entries of your copy count no more.", lost))
        if wrote := seat.course.clock:
            lines.append(
                _(
                    "The host of now, {host}, wrote last at {at}, by his log. If he may only be late, ask him before you "
                    "send: from then on nothing is signed for him. “pbem welcome --withdraw {game}” takes it back, as long as it "
                    "has not been sent.",
                    host=notes.host,
                    at=wrote,
                    game=notes.game[:8],
                )
            )
        if notes.spare:
            lines.append(
                _(
                    "The present host knows your seat's key too. When the game continues, type “pbem join "
                    "spare.json” and “pbem send” again: from then on only your own key is valid."
                )
            )
        return "\n".join([*lines, *seat.agreed_on(known)])

    def stay(self, notes: Notes) -> str:
        """Take back an agreement to another host if its letter has not been sent; return a sentence about it. Raises UsageError."""
        if not notes.next_host:
            raise UsageError(_("You have agreed to no other host in this game."))
        letters = self.tray.lying(notes, "host.")
        self.tray.lay_aside(*letters)
        notes.next_host = notes.next_key = ""
        self.folder.keep(notes)
        if letters:
            return _("The letter by which you agreed was not sent, and is laid aside. The game stays where it is.")
        return _(
            "The letter with your agreement has been sent: if all others agree as well, the game still "
            "moves. Until then you may continue with the present host."
        )


def _host_of(proposal: Envelope) -> dict[str, Json]:
    """Return what a new host proposes, if he has signed it and an entry can hold it. Raises RecordError or FormError."""
    host = proposal.say.get("host")
    # as an entry would hold it
    moment = "2000-01-01T00:00:00Z"
    fields: dict[str, Json] = {"k": "host", "at": moment, **(host if isinstance(host, dict) else {}), "agreed": [1]}
    made = make_entry(1, "0" * 64, fields).fields
    check_key_line(made["key"])
    if not verify_sig(made["key"], MOVE, cj(proposal.say), proposal.sig):
        raise RecordError(_("The new host has not signed this: the block was forged, or changed on its way."))
    return {name: made[name] for name in ("chains", "deals", "key", "mark", "seen")}


def _where_he_goes_on(seat: Seat, host: dict[str, Json]) -> Course:
    """Return the state of a game from which a new host would continue. Raises RecordError if nobody should agree to him."""
    log, (n, h) = seat.log, host["seen"]
    if n >= len(log.entries) or log.entries[n].hash != h:
        raise RecordError(
            _(
                "The new host would continue from entry {n}. That entry is from another history than your "
                "copy's, or your copy has not reached it. Do not agree; send him your copy.",
                n=n,
            )
        )
    if log.finished:
        raise RecordError(
            _("According to your copy this game is over, so nobody can continue it. Tell the others about this mail.")
        )
    course = read(entry.fields for entry in log.entries[: n + 1])
    given = [entry.fields["mark"] for entry in log.entries if "mark" in entry.fields]
    highest = max((seat.course.mark, *given, *map(int, seat.notes.ahead)))
    if host["mark"] > highest + 100:  # another seat's copy may go further than one's own
        raise RecordError(
            _("The new host would use up the links of your chain for nothing (mark {mark}).", mark=host["mark"])
        )
    if host["mark"] < max(highest + 1, course.next_mark_of_call):
        raise RecordError(
            _(
                "The new host calls to be ready with a link that may be known already (mark {mark}).",
                mark=host["mark"],
            )
        )
    if host["key"] in [holder.key for holder in course.seats.values()]:
        raise RecordError(_("The key of the new host is that of a seat of this game. A host is never a player."))
    if host["key"] in course.keys:
        raise RecordError(
            _(
                "The new host's key is the key of a former host, who signed another history of this game "
                "with it. The new host needs a key of his own."
            )
        )
    return course
