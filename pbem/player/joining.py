"""Taking a seat: answers to an invitation, to the list of keys, and to a new ready round.

This module decides which answer a mail asks for, and which keys you should compare by telephone.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from pbem import private
from pbem.errors import RecordError, UsageError
from pbem.i18n import N_, _
from pbem.ledger import Log, read_line, to_compare
from pbem.mail import Incoming, plain_address
from pbem.records import dataclass
from pbem.referee import Pen

from .copy import check_lines, sense
from .partners import Met, is_rated, met, of_the_host, of_the_seats
from .reading import Inbox, damaged, opened
from .seat import Seat
from .taking_over import spare_in, take_over

if TYPE_CHECKING:
    from .folder import Folder
    from .tray import Tray

_NEITHER = N_("This mail asks for neither joining nor being ready. “pbem read MAIL” shows it.")
_READY = "I have seen the keys and am ready."


@dataclass(frozen=True, slots=True)
class Joiner:
    """Where a desk takes its seats."""

    folder: Folder
    tray: Tray
    inbox: Inbox

    def join(
        self, raw: bytes, at: str, rules: str = "", *, seat: str = "", token: str = "", host: str = "", relay: str = ""
    ) -> str:
        """Accept an invitation, or confirm a roster: write the letter, and return what to compare by telephone.

        `rules` is the beginning of the fingerprint of rules that are not known here but that the player accepts. `seat`, `token`
        and `host` (the host's address) come from the text of an invitation if you have only its attachment. `relay` is for friends.
        """
        if spare := spare_in(raw):
            return take_over(self.folder, self.tray, spare, at)
        mail, bare = opened(raw)
        if mail.token and mail.seat:
            self._check_reader(mail, seat)
        elif bare or mail.token:  # the head of an invitation is lost, as where it was handed on
            mail = replace(mail, seat=seat, token=token.strip().lower() or mail.token, sender=host)
            check_lines(mail.log, damaged)
            self._check_bare(mail)
        self._change_seat(mail)
        reading = self.inbox.take(mail, bare=bare)
        if not reading.game:
            raise UsageError(
                _(
                    "This mail is neither an invitation nor a list of keys: no host or friend has signed "
                    "anything in it. Name the mail as you saved it, or its attached file that ends in .pbem. If "
                    "it was forwarded to you, have it sent as an attachment."
                )
            )
        mine = Seat(self.folder, self.folder.notes(reading.game))
        if mail.token:
            mine.notes.token, mine.notes.host = mail.token, host or mine.notes.host
            mine.notes.players = dict(mail.players) or mine.notes.players
            mine.keep()
        agreed = mine.agreed_on(mine.check_rules(rules))
        if not any(holder.key for holder in mine.course.seats.values()):
            host_met = met(self.folder, reading.game, [of_the_host(mine)])
            self._seen_before(mine)
            follows = self._follows_from(mine)
            self._take_seat(mine, at)
            return "\n".join([mine.heading, *host_met.without_due.lines, *agreed, *follows])
        return "\n".join([*self._answer(mine, reading.warnings, at), *agreed])

    def told_invitation(self, _raw: bytes) -> str:
        """Return "": the terms are said by the invitation itself, and once more with the answer."""
        return ""

    def to_compare(self, seat: Seat) -> bool:
        """Are keys to be compared by telephone before what this seat says of being ready is sent?"""
        return seat.course.phase != "ready" or bool(self.met(seat).due)

    def met(self, seat: Seat) -> Met:
        """Return the keys that are new, or to be compared, in a game that is to begin. Raises KeyChanged."""
        host = of_the_host(seat)
        found = met(self.folder, seat.notes.game, [*of_the_seats(seat), host], rated=is_rated(seat))
        return Met(tuple(one for one in found.new if one != host), found.due)  # it was told of with the invitation

    def _answer(self, seat: Seat, warnings: tuple[str, ...], at: str) -> list[str]:
        """Answer the host's request when the log has keys; return what to compare."""
        course, name, own_line = seat.course, seat.notes.seat, seat.own_line
        own = course.seats[name].key
        if course.phase == "roster":
            raise UsageError(_(_NEITHER))
        if course.phase != "over" and own != own_line and own in (key.key_line for key in self.folder.keys_before()):
            raise UsageError(
                _(
                    "By the log {seat} has the key that you had before. If your change is still on its way, wait for the host's "
                    "answer, and read it. If he has refused it, “pbem rekey --back” takes that key again; then join by this mail "
                    "once more.",
                    seat=name,
                )
            )
        if seat.notes.token and own != own_line and course.phase not in ("ready", "over"):
            seat.check()
            self._seen_before(seat)
            self._take_seat(seat, at)
            return [
                _(
                    "You would take the seat {seat}; the others are asked.\nThe host's key is\n  {host_key}\nCompare it by "
                    "telephone.",
                    seat=name,
                    host_key=to_compare(course.host),
                )
            ]
        if course.phase == "called":
            return [*warnings, *self._ready_again(seat, at)]
        if course.phase != "ready" or course.seats[name].is_ready:
            raise UsageError(_(_NEITHER))
        if own != own_line:
            raise RecordError(
                _("The host has entered another key for {seat} than yours. Do not play on; tell the others.", seat=name)
            )
        seat.check()
        partners = self.met(seat)
        self.tray.write(seat.notes, "ready", seat.pen.ready(seat.log.head), _READY, at)
        return [seat.heading, *partners.lines]

    def _check_bare(self, mail: Incoming) -> None:
        """Check that the seat, token and host's address are known if only an invitation's attachment is here. Raises UsageError."""
        if mail.token and not re.fullmatch(r"[0-9a-f]{32}", mail.token):
            raise UsageError(
                _(
                    "“{token}” is not a token. A token has 32 characters, digits and letters from a to f, and "
                    "follows the word TOKEN in the invitation.",
                    token=mail.token,
                )
            )
        first = read_line(mail.log.split(b"\n", 1)[0])
        if not isinstance(first, dict) or first.get("k") != "game":
            return
        game = Log.parse(mail.log).game
        if (mail.seat and mail.token and mail.sender) or any(
            one.game == game and mail.seat in ("", one.seat) for one in self.folder.games()
        ):
            return
        raise UsageError(
            _(
                "This is only the file attached to the invitation. Which seat is yours ({seats}), the token "
                "and the host's address are in the mail itself. Save the whole mail, or add what it says: "
                "--seat SEAT --token TOKEN --host ADDRESS.",
                seats=", ".join(map(str, first.get("seats", []))),
            )
        )

    def _check_reader(self, mail: Incoming, seat: str) -> None:
        """Check that an invitation is meant for this player and seat. Raises UsageError.

        Anybody who sees an invitation can take the seat. Taking it by mistake would keep out the player whom it was meant for.
        """
        if seat and seat != mail.seat:
            raise UsageError(_("This invitation is for the seat {seat}, not for {other}.", seat=mail.seat, other=seat))
        if not seat and (others := self.written_to(mail)):
            raise UsageError(
                _(
                    "This invitation is addressed to {others}, but you are {address}: the seat {seat} is not "
                    "meant for you, and nothing was signed. If the invitation is yours, add “--seat {seat}”.",
                    others=others,
                    address=self.folder.settings.address,
                    seat=mail.seat,
                )
            )

    def written_to(self, mail: Incoming) -> str:
        """To whom a mail is written, if it is not to this player; "" where it is, or where it does not say."""
        return "" if plain_address(self.folder.settings.address) in map(plain_address, mail.to) else ", ".join(mail.to)

    def _follows_from(self, seat: Seat) -> list[str]:
        """Hold a game that says from which other it follows against what that one named. Raises RecordError where it is
        not that."""
        first, pack = seat.log.entries[0].fields, seat.pack
        if not (head := first["opts"].get("after")):
            return []
        ends = ((one, entry) for one in self.folder.games() for entry in self.folder.lying(one).log.entries[-1:])
        before = next((one for one, end in ends if end.hash == head), None)
        if before is None:
            return [
                _(
                    "  It says that it follows from a game that is not on this desk: whether that named it, nobody here can tell."
                )
            ]
        named = self.folder.copy(before).log.entries[-1].fields["result"].get("games", [])
        with sense():
            fits = any(
                game["game"] == first["rules"]["id"]
                and game["seats"].get(seat.notes.seat) == before.seat
                and pack.complete({**game["options"], "after": head}) == first["opts"]
                for game in named
            )
        if not fits:
            raise RecordError(
                _(
                    "According to its log, this is not one of the games that follow from {title}, {game}: its "
                    "side, bid, scenario or options differ. Do not join; tell the others.",
                    title=before.title,
                    game=before.game[:8],
                )
            )
        return [_("  It follows from {title}, {game}, as its log says.", title=before.title, game=before.game[:8])]

    def _seen_before(self, seat: Seat) -> None:
        """Refuse a nonce that was used in another game: its host could know numbers of this one. Remember this one."""
        game, path, nonce = (
            seat.notes.game,
            self.folder.home / "games" / "nonces",
            str(seat.log.entries[0].fields["nonce"]),
        )
        seen = dict(line.split(" ", 1) for line in path.read_text("ascii").splitlines()) if path.exists() else {}
        if seen.get(nonce, game) != game:
            raise RecordError(
                _(
                    "The host uses a number that it has used in another game, {game}. Each game needs a number "
                    "of its own, otherwise dice and cards could be known in advance. Do not join; tell the "
                    "others.",
                    game=seen[nonce][:8],
                )
            )
        if nonce not in seen:
            with private.opened(path, "ab") as file:
                file.write(f"{nonce} {game}\n".encode("ascii"))

    def _take_seat(self, seat: Seat, at: str) -> None:
        """Write the letter by which this player takes a seat."""
        notes = seat.notes
        self.tray.write(
            notes,
            "join",
            Pen(self.folder.key, notes.game, notes.seat).join(self.folder.recovery_line, notes.token),
            f"I take the seat {notes.seat}.",
            at,
        )

    def _ready_again(self, seat: Seat, at: str) -> list[str]:
        """Confirm again that the player is ready, after a new anchor; return what to compare."""
        notes, course, call = seat.notes, seat.course, seat.course.call
        holder = course.seats[notes.seat]
        if notes.seat not in course.missing or call is None:
            raise UsageError(_("You have said that you are ready already, or nobody asks for it."))
        if holder.key != seat.own_line:
            raise RecordError(
                _("In the log, the key of {seat} is not yours. Do not play on; tell the others.", seat=notes.seat)
            )
        seat.check()
        # by this history no order could be sent ahead for that mark; but he may have given its link in another
        if not holder.fresh and call.mark <= max(map(int, notes.ahead), default=0):
            raise RecordError(
                _(
                    "The host starts a ready round with a link that may be known already (mark {mark}). Do not "
                    "play on; tell the others.",
                    mark=call.mark,
                )
            )
        self.tray.write(notes, f"ready.{call.mark}", seat.pen.ready(seat.log.head, call.mark), _READY, at)
        host = [_("the host") + f"\n  {to_compare(course.host)}"] if course.moved else []
        return [*_keys(seat), *host, *_what_a_key_brings(seat.log, call.first)]

    def _change_seat(self, mail: Incoming) -> None:
        """Let another invitation to a game replace the first, if only the game's beginning is known.

        The first may have been meant for a friend.
        """
        for notes in self.folder.games():
            log = self.folder.lying(notes).log
            if len(log.lines) == 1 and mail.log == log.dump() and mail.seat in log.entries[0].fields["seats"]:
                self.folder.change_seat(notes, mail.seat)


def _keys(seat: Seat) -> list[str]:
    """Return the owners of the keys, by the log."""
    return [f"{seat.called(name)}\n  {to_compare(holder.key)}" for name, holder in seat.course.seats.items()]


def _what_a_key_brings(log: Log, since: int) -> list[str]:
    """Warn of a seat that has changed its key before: each time other dice come."""
    changes = [entry for entry in log.entries if entry.k == "rekey"]
    again = [e for e in changes if e.n >= since and any(c.fields["by"] == e.fields["by"] for c in changes if c.n < e.n)]
    return [
        _(
            "{seat} has changed the key before. With each change other dice come: who knows those of before, and the host with "
            "him, can prefer them. Ask why.",
            seat=entry.fields["by"],
        )
        for entry in again
    ]
