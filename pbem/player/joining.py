"""Taking a seat: answers to an invitation and to the list of keys, and what is signed when a key changes.

It decides which answer a mail asks for, and whose keys are to be compared by telephone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import count
from pathlib import Path

from pbem import private
from pbem.errors import RecordError, UsageError
from pbem.ledger import Course, Log, PrivateKey, fingerprint, read_line, sha256_hex
from pbem.mail import Incoming, plain_address
from pbem.referee import Envelope, Pen
from pbem.words import _

from .folder import sense
from .notes import Notes
from .reading import Reader, check_lines, opened

_TOKEN = re.compile(r"[0-9a-f]{32}")


class Joiner(Reader):
    """A desk at which seats are taken."""

    def join(self, raw: bytes, at: str, rules: str = "", *, seat: str = "", token: str = "", host: str = "") -> str:
        """Take up an invitation, or say ready to a roster: write the letter, and return what to compare by telephone.

        `rules` is the beginning of a fingerprint of rules that are not known here, and that are wanted all the same. `seat`,
        `token` and `host` (his address) are what the player reads in an invitation of which he has only what was attached.
        """
        mail, bare = opened(raw)
        if bare or (mail.token and not mail.seat):  # the head of an invitation is lost, as where it was handed on
            mail = replace(mail, seat=seat, token=token.strip().lower() or mail.token, sender=host)
            check_lines(mail.log)
            self._check_bare(mail)
        elif mail.token:
            self._check_reader(mail, seat)
        self._change_seat(mail)
        reading = self._take(mail, bare=bare)
        if not reading.game:
            raise UsageError(
                _(
                    "This mail is neither an invitation nor a list of keys: nothing in it is signed by a host. Name the "
                    "host's mail as you have saved it, or what is attached to it and ends in .pbem; if it was handed on to you, "
                    "have it sent as an attachment."
                )
            )
        notes = self.notes(reading.game)
        if mail.token:
            notes.token, notes.host = mail.token, host or notes.host
            self._keep(notes)
        course, log = self.course(notes), self.copy(notes).log
        self._check_format(notes)
        known = self._check_rules(notes, rules)
        own = course.seats[notes.seat].key
        if not any(seat.key for seat in course.seats.values()):
            self._seen_before(notes, log)
            follows = self._follows_from(notes, log)
            self._take_seat(notes, at)
            return "\n".join(
                [
                    _(
                        "You take the seat {seat} in game {game}.\nThe host's key is\n  {host_key}\nYours is\n  {own_key}\n"
                        "Compare them by telephone.",
                        seat=notes.seat,
                        game=notes.game[:8],
                        host_key=fingerprint(course.host),
                        own_key=fingerprint(self.key_line),
                    ),
                    *self._agreed_on(log, known),
                    *follows,
                ]
            )
        if course.phase == "roster":
            raise UsageError(_("This mail asks for neither joining nor being ready. “pbem read MAIL” shows it."))
        if course.phase != "over" and own in (key.key_line for key in self._kept()) and own != self.key_line:
            raise UsageError(
                _(
                    "By the log {seat} has the key that you had before. If your change is still on its way, wait for the host's "
                    "answer, and read it. If he has refused it, “pbem rekey --back” takes that key again; then join by this mail "
                    "once more.",
                    seat=notes.seat,
                )
            )
        if notes.token and own != self.key_line and course.phase not in ("ready", "over"):
            self._in_order(notes)
            self._seen_before(notes, log)
            self._take_seat(notes, at)
            return "\n".join(
                [
                    _(
                        "You would take the seat {seat}; the others are asked.\nThe host's key is\n  {host_key}\nCompare it by "
                        "telephone.",
                        seat=notes.seat,
                        host_key=fingerprint(course.host),
                    ),
                    *self._agreed_on(log, known),
                ]
            )
        if course.phase == "called":
            said = self._ready_again(notes, course, at)
            return "\n".join([*reading.warnings, said, *self._agreed_on(log, known)])
        if course.phase != "ready" or course.seats[notes.seat].is_ready:
            raise UsageError(_("This mail asks for neither joining nor being ready. “pbem read MAIL” shows it."))
        if own != self.key_line:
            raise RecordError(
                _(
                    "The host has entered another key for {seat} than yours. Do not go on; tell the others.",
                    seat=notes.seat,
                )
            )
        self._in_order(notes)
        self._write(notes, "ready", self._pen(notes).ready(log.head), "I have seen the keys and am ready.", at)
        return "\n".join(
            [
                *(f"{name}\n  {fingerprint(seat.key)}" for name, seat in course.seats.items()),
                _("the host\n  {key}", key=fingerprint(course.host)),
                _("Compare each with its owner by telephone before you send."),
                *self._agreed_on(log, known),
            ]
        )

    def _check_bare(self, mail: Incoming) -> None:
        """Raise UsageError where what was attached to an invitation is all there is, and the rest was not said."""
        if mail.token and not _TOKEN.fullmatch(mail.token):
            raise UsageError(
                _(
                    "“{token}” is no token: it has 32 digits and letters from a to f, and stands behind the word TOKEN in the "
                    "invitation.",
                    token=mail.token,
                )
            )
        first = read_line(mail.log.split(b"\n", 1)[0])
        if not isinstance(first, dict) or first.get("k") != "game":
            return
        game = Log.parse(mail.log).game
        if (mail.seat and mail.token and mail.sender) or any(
            one.game == game and mail.seat in ("", one.seat) for one in self.games()
        ):
            return
        raise UsageError(
            _(
                "This is what was attached to the invitation, and no more: which seat is yours ({seats}), the token and the host's "
                "address stand in the mail itself. Save the whole mail, or add what you read in it: --seat SEAT --token TOKEN "
                "--host ADDRESS.",
                seats=", ".join(map(str, first.get("seats", []))),
            )
        )

    def _check_reader(self, mail: Incoming, seat: str) -> None:
        """Raise UsageError where an invitation is written to somebody else, or for another seat, than who joins says.

        Whoever sees one can take the seat; who does so by a slip keeps out him for whom it is.
        """
        if seat and seat != mail.seat:
            raise UsageError(_("This invitation is for the seat {seat}, not for {other}.", seat=mail.seat, other=seat))
        if not seat and (others := self.written_to(mail)):
            raise UsageError(
                _(
                    "This invitation is written to {others}, and you are {address}: the seat {seat} is not meant for you, and "
                    "nothing has been signed. If it is yours all the same, add “--seat {seat}”.",
                    others=others,
                    address=self.settings.address,
                    seat=mail.seat,
                )
            )

    def written_to(self, mail: Incoming) -> str:
        """To whom a mail is written, if it is not to this player; "" where it is, or where it does not say."""
        own = plain_address(self.settings.address)
        return "" if own in map(plain_address, mail.to) else ", ".join(mail.to)

    def _follows_from(self, notes: Notes, log: Log) -> list[str]:
        """Hold a game that says from which other it follows against what that one named. Raises RecordError where it is
        not that."""
        first, pack = log.entries[0].fields, self._pack(log)
        if not (head := first["opts"].get("after")):
            return []
        before = next((one for one in self.games() if self.copy(one).log.entries[-1].hash == head), None)
        if before is None:
            return [
                _(
                    "  It says that it follows from a game that is not on this desk: whether that named it, nobody here can tell."
                )
            ]
        named = self.copy(before).log.entries[-1].fields["result"].get("games", [])
        with sense():
            fits = any(
                game["game"] == first["rules"]["id"]
                and game["seats"].get(notes.seat) == before.seat
                and pack.complete({**game["options"], "after": head}) == first["opts"]
                for game in named
            )
        if not fits:
            raise RecordError(
                _(
                    "This is none of the games that follow from {title}, {game}, by its log: another side, bid, scenario "
                    "or option. Do "
                    "not join; tell the others.",
                    title=before.title,
                    game=before.game[:8],
                )
            )
        return [_("  It follows from {title}, {game}, as its log says.", title=before.title, game=before.game[:8])]

    def _seen_before(self, notes: Notes, log: Log) -> None:
        """Refuse a nonce that was used in another game: its host could know numbers of this one. Remember this one."""
        path, nonce = self.home / "games" / "nonces", str(log.entries[0].fields["nonce"])
        seen = dict(line.split(" ", 1) for line in path.read_text("ascii").splitlines()) if path.exists() else {}
        if seen.get(nonce, notes.game) != notes.game:
            raise RecordError(
                _(
                    "The host uses a number that it has used in another game, {game}, though each game needs one of its own: "
                    "dice and cards could be known beforehand. Do not join; tell the others.",
                    game=seen[nonce][:8],
                )
            )
        if nonce not in seen:
            with private.opened(path, "ab") as file:
                file.write(f"{nonce} {notes.game}\n".encode("ascii"))

    def _take_seat(self, notes: Notes, at: str) -> None:
        """Write the letter by which this player takes a seat."""
        pen = Pen(self.key, notes.game, notes.seat)
        joining = pen.join(self.recovery_line, notes.token)
        self._write(notes, "join", joining, f"I take the seat {notes.seat}.", at)

    def _ready_again(self, notes: Notes, course: Course, at: str) -> str:
        """Say again to be ready, after a new anchor."""
        log, call, holder = self.copy(notes).log, course.call, course.seats[notes.seat]
        if notes.seat not in course.missing or call is None:
            raise UsageError(_("You have said that you are ready already, or nobody asks for it."))
        if holder.key != self.key_line:
            raise RecordError(
                _("By the log, {seat} has another key than yours. Do not go on; tell the others.", seat=notes.seat)
            )
        self._in_order(notes)
        # by this history no order could be sent ahead for that mark; but he may have given its link in another
        if not holder.fresh and call.mark <= max(map(int, notes.ahead), default=0):
            raise RecordError(
                _(
                    "The host calls to be ready with a link that may be known already (mark {mark}). Do not go on; tell the "
                    "others.",
                    mark=call.mark,
                )
            )
        ready = self._pen(notes).ready(log.head, call.mark)
        self._write(notes, f"ready.{call.mark}", ready, "I have seen the keys and am ready.", at)
        host = [_("the host") + f"\n  {fingerprint(course.host)}"] if course.moved else []
        said = [*(f"{name}\n  {fingerprint(seat.key)}" for name, seat in course.seats.items()), *host]
        return "\n".join([*said, *self._what_a_key_brings(log, call.first)])

    @staticmethod
    def _what_a_key_brings(log: Log, since: int) -> list[str]:
        """Warn of a seat that has changed its key before: each time other dice come."""
        changes = [entry for entry in log.entries if entry.k == "rekey"]
        again = [
            e for e in changes if e.n >= since and any(c.fields["by"] == e.fields["by"] for c in changes if c.n < e.n)
        ]
        return [
            _(
                "{seat} has changed the key before. With each change other dice come: who knows those of before, and the host with "
                "him, can prefer them. Ask why.",
                seat=entry.fields["by"],
            )
            for entry in again
        ]

    def rekey(self, new: PrivateKey, at: str, recovery: PrivateKey | None = None) -> list[str]:
        """Put a new key in the place of the desk's, and write to every game that goes on; return the titles of those games.

        The key before signs, or the recovery key, if that is given. The key before is kept, as `key.before`. Raises UsageError
        where a change that was made before may still be under way: the host could enter that one, and its key would be gone.
        """
        signed: list[tuple[Notes, Envelope]] = []
        for notes in self.games():
            log, course = self.copy(notes).log, self.course(notes)
            holder = course.seats[notes.seat]
            if log.finished or not holder.key or holder.gone:
                continue
            self._in_order(notes)
            if recovery is None and holder.key != self.key.key_line:
                raise UsageError(
                    _(
                        "{title}: another key counts there than the one in {home}. If you have changed it before, "
                        "send that letter, and read the host's answer first; if he has refused it, “pbem rekey --back” takes the "
                        "key before again. Without that key “pbem rekey --recovery FILE” takes your seat back.",
                        title=notes.title,
                        home=self.home,
                    )
                )
            pen = Pen(new, notes.game, notes.seat, begun=course.next_no(notes.seat))
            bound = holder.next or (sha256_hex(self.recovery_line.encode()) if self.recovery_line else "")
            signer = recovery or self.key
            rekeyed = pen.rekey(signer, log.head, self._after(notes), bound, recovery=recovery is not None)
            if objection := self._objection(notes, "rekey", rekeyed.say, at):
                raise UsageError(_("{title}: {why}", title=notes.title, why=objection))
            signed.append((notes, rekeyed))
        # the key is kept before anything tells of it: one that was told of and lost would lose the seats
        self._take_key(new)
        for notes, envelope in signed:
            self._write(notes, f"rekey.{re.sub('[^0-9]', '', at)}", envelope, "I have another key from now on.", at)
        return [notes.title for notes, _ in signed]

    def key_back(self) -> list[Path]:
        """Take the key again that counts in the games that go on, one of those that were kept: the host has refused another.

        The letters that tell of the other are laid aside. Return those of them that had been sent, and of which nothing signed
        has come: the host may still take them. Raises UsageError where no key is there that counts in all games, or where it is
        the present one.
        """
        lines = set()
        for notes in self.games():
            holder = self.course(notes).seats[notes.seat]
            if not self.copy(notes).log.finished and holder.key and not holder.gone:
                lines.add(holder.key)
        if lines == {self.key_line}:
            raise UsageError(_("The key in {home} is the one that counts: there is none to take back.", home=self.home))
        found = next((key for key in self._kept() if lines == {key.key_line}), None)
        if found is None:
            raise UsageError(
                _("None of the keys that are kept in {home} counts in the games that go on.", home=self.home)
            )
        self._take_key(found)
        under_way = self._changes(path for notes in self.games() for path in self.missed(notes))
        for path in [*self._changes(self.unsent()), *under_way]:
            self._lay_aside(path)
        return under_way

    @staticmethod
    def _changes(letters: Iterable[Path]) -> list[Path]:
        """Those of some letters by which a key is changed."""
        return [path for path in letters if path.name.split(".")[1] == "rekey"]

    def _kept(self) -> Iterator[PrivateKey]:
        """The keys that this desk had before, and has kept."""
        return (PrivateKey.load(path.read_bytes(), self._passphrase) for path in self.home.glob("key.before*"))

    def _take_key(self, new: PrivateKey) -> None:
        """Let the desk have another key; the one that it has is kept."""
        if (self.home / "key").exists():
            (self.home / "key").replace(_unused(self.home / "key.before"))
        private.put(self.home / "key", new.dump(self._passphrase))
        private.put(self.home / "key.pub", f"{new.key_line}\n".encode())
        self._key = new

    def renew(self, notes: Notes, at: str) -> None:
        """Go on in a game from a new chain of links, with the same key, where few links are left. Raises UsageError."""
        course = self.course(notes)
        self._in_order(notes)
        pen = Pen(self.key, notes.game, notes.seat, begun=course.next_no(notes.seat))
        next_ = course.seats[notes.seat].next
        renewed = pen.rekey(self.key, self.copy(notes).log.head, self._after(notes), next_)
        if objection := self._objection(notes, "rekey", renewed.say, at):
            raise UsageError(objection)
        self._write(notes, f"rekey.{re.sub('[^0-9]', '', at)}", renewed, "I go on with other links from now on.", at)

    @property
    def recovery_line(self) -> str:
        """The line of the recovery key that new seats are taken with, or ""."""
        path = self.home / "recovery.pub"
        return path.read_text("utf-8").strip() if path.is_file() else ""

    def _change_seat(self, mail: Incoming) -> None:
        """Let another invitation to a game of which no more is known count instead, as when the first was for a friend."""
        for notes in self.games():
            log = self.copy(notes).log
            if len(log.lines) == 1 and mail.log == log.dump() and mail.seat in log.entries[0].fields["seats"]:
                notes.seat = mail.seat
                self._keep(notes)
                del self._copies[notes.game]


def _unused(path: Path) -> Path:
    """Return a name of which there is no file yet: this one, else with a number behind it."""
    return next(one for n in count(1) if not (one := path.with_name(path.name + f".{n}" * (n > 1))).exists())
