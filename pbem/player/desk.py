"""A player's desk: his key, his copy of each game, and the letters he has written but not sent.

It believes nothing that a mail says: lines are added to the copy only where they continue it, the whole copy is verified
before anything is signed, and the report that is shown is made from the copy. It knows no clock: times are handed in.

In its folder: `key`, `settings.json`, `games/<id>.pbem` (the copy), `games/<id>.json` (notes), `games/<id>.receipts`,
`out/*.eml` (letters to send), `sent/`, `replaced/` (orders that another took the place of before they were sent).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from email.utils import parseaddr
from pathlib import Path

from pbem.errors import KeyFileError, OrderError, Problem, RecordError, UsageError
from pbem.games import GamePack, find, manifest
from pbem.kernel import Json, View, take_apart, tidy
from pbem.ledger import SAY, Log, PrivateKey, Talk, check_key_line, cj, fingerprint, read_line, sha256_hex, verify_sig
from pbem.mail import MAX_FROM_HOST, Incoming, Letter, Maildir, carrier, read_block, read_message, write_block
from pbem.mail.press import marked
from pbem.mail.settings import Smtp
from pbem.referee import Envelope, Pen, Question, check_form
from pbem.reports.text import Report, render

from .copy import Copy
from .notes import Notes, Settings
from .receipts import Receipt

_NONSENSE = (
    "What the host has told you is signed, but it is no report of this game: either your rules are of another version "
    "than his, or he lies. Do not go on; an audit will tell."
)

_ATTACHED = re.compile(rb"\[\"")

_OVERTAKEN = (
    "The host has an order of yours for this question that was not written here. The letter that waited here would have been "
    "refused and lies in “replaced” now; order again to replace the one that the host has."
)

_CALLED = (
    "A seat has another key from now on. Compare the new one by telephone, then say that you are ready, with “pbem join” and this "
    "mail: the game goes on when all have."
)

_OLDER = "You have read a later mail of this game already. This is how it stands now:"


@contextmanager
def _sense() -> Iterator[None]:
    """Turn what breaks on a report that makes no sense into a RecordError."""
    try:
        yield
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        raise RecordError(f"{_NONSENSE} ({type(error).__name__})") from error


@dataclass(frozen=True, slots=True)
class Reading:
    """What came of reading a mail: the game, the text to show, warnings; `since` is the entry after which its report begins."""

    game: str
    text: str
    warnings: tuple[str, ...] = ()
    since: int | None = None


class Desk:
    """One player's folder."""

    def __init__(self, home: Path, passphrase: bytes | None = None) -> None:
        self.home = home
        if not (home / "key").is_file():
            raise UsageError(f"There is no key in {home}. Make one with “pbem key”.")
        self.settings = Settings.read(home / "settings.json")
        self._passphrase = passphrase
        self._key: PrivateKey | None = None
        self._copies: dict[str, Copy] = {}
        self._packs: dict[str, GamePack] = {}

    @classmethod
    def create(cls, home: Path, key: PrivateKey, settings: Settings, passphrase: bytes | None = None) -> Desk:
        """Set a desk up with a key. Raises UsageError where there is one already."""
        if (home / "key").exists():
            raise UsageError(f"There is a key in {home} already; a key that is lost or overwritten cannot be had back.")
        for part in ("games", "out", "sent"):
            (home / part).mkdir(parents=True, exist_ok=True)
        (home / "key").touch(mode=0o600)
        (home / "key").write_bytes(key.dump(passphrase))
        (home / "key.pub").write_text(key.key_line + "\n", "utf-8")
        settings.write(home / "settings.json")
        return cls(home, passphrase)

    @property
    def key_line(self) -> str:
        """The public key, as one line."""
        return (self.home / "key.pub").read_text("utf-8").strip()

    @property
    def key(self) -> PrivateKey:
        """The private key; read, and its passphrase asked for, only when something is signed."""
        if self._key is None:
            try:
                self._key = PrivateKey.load((self.home / "key").read_bytes(), self._passphrase)
            except OSError as error:
                raise KeyFileError(f"The key in {self.home} cannot be read: {error.strerror}.") from error
        return self._key

    # -- games ------------------------------------------------------------------------------------------------------

    def games(self) -> Iterator[Notes]:
        """Go through the games of this desk."""
        for path in sorted((self.home / "games").glob("*.json")):
            yield Notes.read(path)

    def notes(self, game: str = "") -> Notes:
        """Return the notes of the game whose id begins with `game`; without it, of the only game there is."""
        fits = [notes for notes in self.games() if notes.game.startswith(game.lower())]
        if len(fits) == 1:
            return fits[0]
        if not fits:
            raise UsageError(
                f"There is no game {game[:8] or 'yet'} on this desk. “pbem join MAIL” takes up an invitation; if you have lost "
                "your copy, write to the host a mail with the line RESEND."
            )
        raise UsageError("Which game? " + ", ".join(f"{notes.game[:8]} ({notes.title})" for notes in fits))

    def copy(self, notes: Notes) -> Copy:
        """Return the copy of a game."""
        if notes.game not in self._copies:
            self._copies[notes.game] = Copy(self._path(notes, "pbem"), notes.seat)
        return self._copies[notes.game]

    def _path(self, notes: Notes, ending: str) -> Path:
        return self.home / "games" / f"{notes.game[:16]}.{ending}"

    def _keep(self, notes: Notes) -> None:
        notes.write(self._path(notes, "json"))

    # -- reading ----------------------------------------------------------------------------------------------------

    def read(self, raw: bytes) -> Reading:
        """Take the lines of a mail into the copy, and return the report made from it."""
        mail = read_message(raw, MAX_FROM_HOST)
        if mail.problem:
            raise UsageError(mail.problem)
        if not mail.log:
            return Reading("", mail.text)
        if mail.log.startswith(b'["got"'):
            return self._keep_receipt(mail)
        notes = self._notes_for(mail.log, mail.sender, mail.seat)
        if mail.seat and mail.seat != notes.seat:
            raise UsageError(
                f"This mail is for the seat {mail.seat}, yours is {notes.seat}: nothing has been taken from it."
            )
        copy = self.copy(notes)
        since = copy.grow(mail.log)
        verdict = copy.verdict()
        if verdict.verdict == "fault":
            raise RecordError(
                f"DO NOT GO ON: entry {verdict.entry}, {verdict.code}, at fault: {verdict.party}. {verdict.reason} "
                f"The host has signed it; {copy.path.name} is the evidence. Show it to the other players."
            )
        if not copy.tells():
            return Reading(notes.game, mail.text)
        text = self.report(notes, since)
        if since + sum(line.startswith(b"{") for line in mail.log.split(b"\n")) < copy.log.head[0]:
            return Reading(notes.game, f"{_OLDER}\n\n{text}", since=since)
        if self.talk(notes).phase == "called":
            return Reading(notes.game, f"{_CALLED}\n\n{text}", since=since)
        warnings: tuple[str, ...] = ()
        if tidy(mail.text).split() != tidy(text).split():
            warnings += ("The text of the mail is not what the log says; this report is made from the log.",)
        return Reading(notes.game, text, warnings, since)

    def _keep_receipt(self, mail: Incoming) -> Reading:
        """Keep the host's receipt for an order beside the copy, and learn from it what the host has."""
        receipt = Receipt.read(mail.log)
        notes = self.notes(receipt.game)
        first, *rest = (entry.fields for entry in self.copy(notes).log.entries)
        keys = {entry["say"]["key"] for entry in rest if entry["k"] in ("join", "rekey") and entry["by"] == notes.seat}
        receipt.check(first["host"], keys | {self.key_line}, notes.seat)
        path = self._path(notes, "receipts")
        kept = path.read_bytes() if path.exists() else b""
        if receipt.line not in kept.split(b"\n"):
            path.write_bytes(kept + receipt.line + b"\n")
        return Reading(notes.game, mail.text, self._learn(notes, receipt.order["say"]) if receipt.order else ())

    def _learn(self, notes: Notes, say: Json) -> tuple[str, ...]:
        """Take note of an order that the host has, perhaps signed on another machine; return warnings.

        An order that waits here for the same question, and is no later revision, would be refused: it is laid aside.
        """
        ask, rev = say["ask"], say["rev"]
        if (ask, rev) > max(((int(n), r) for n, r in notes.revisions.items()), default=(-1, -1)):
            notes.revisions = {str(ask): rev}
            self._keep(notes)
        overtaken = [
            path for path in self._unsent_orders(notes) if _revision(path) <= (ask, rev) and _says(path) != say
        ]
        for path in overtaken:
            self._lay_aside(path)
        return (_OVERTAKEN,) if overtaken else ()

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
                    f"The mail does not say which seat is yours. The game has {', '.join(first['seats'])}."
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
            f"The lines of this mail begin at entry {n} and continue no copy here: an earlier mail is missing. To have the lines "
            f"once more, write to the host a mail with the line “RESEND{self._since(log)}”."
        )

    def _since(self, log: bytes) -> str:
        """From where the lines of a mail's game are missing here; attachments name their game."""
        named = {str(line[1]) for line in map(read_line, filter(_ATTACHED.match, log.splitlines())) if len(line) > 1}
        ends = [self.copy(notes).log.head[0] for notes in self.games() if notes.game in named]
        return f" since {ends[0]}" if ends else ""

    def report(self, notes: Notes, since: int) -> str:
        """Return the report of this seat from its copy: all that was told after entry `since`, and how things stand."""
        report, pack = self.standing(notes, since)
        with _sense():
            return render(report, pack)

    def page(self, notes: Notes, since: int) -> str:
        """Return the same report as an HTML page that stands alone."""
        from pbem.reports.html import page

        report, pack = self.standing(notes, since)
        with _sense():
            return page(report, pack)

    def picture(self, notes: Notes) -> str:
        """Return the drawing of how a game stands as SVG, "" where the game has none."""
        report, pack = self.standing(notes, 0)
        with _sense():
            return report.picture(pack)

    def standing(self, notes: Notes, since: int) -> tuple[Report, GamePack]:
        """Return what a report of this seat is made of, and the game. Raises UsageError before anything has been told."""
        tells, log = self.copy(notes).tells(), self.copy(notes).log
        if not tells:
            raise UsageError("The game has not begun: nothing has been told yet.")
        last, talk = log.entries[-1], self.talk(notes)
        report = Report(
            game_id=notes.game,
            seat=notes.seat,
            view=tells[-1].view,
            told=tuple(tell.facts for tell in tells if tell.n > since),
            asked=talk.waiting,
            entry=last.n,
            head=last.hash,
            due=(talk.due or "") if talk.waiting else "",
            result=last.fields["result"] if last.k == "end" else None,
            earlier=tuple(fact for tell in tells if tell.n <= since for fact in tell.facts),
            complete=True,
        )
        return report, self._pack(log)

    def _pack(self, log: Log) -> GamePack:
        game = log.entries[0].fields["rules"]["id"]
        if game not in self._packs:
            self._packs[game] = find(game)
        return self._packs[game]

    # -- joining ----------------------------------------------------------------------------------------------------

    def join(self, raw: bytes, at: str) -> str:
        """Take up an invitation, or say ready to a roster: write the letter, and return what to compare by telephone."""
        self._change_seat(read_message(raw, MAX_FROM_HOST))
        reading = self.read(raw)
        if not reading.game:
            raise UsageError("This mail is neither an invitation nor a list of keys.")
        notes = self.notes(reading.game)
        log = self.copy(notes).log
        host_key = fingerprint(log.entries[0].fields["host"])
        joined = {entry.fields["by"]: entry.fields["say"]["key"] for entry in log.entries if entry.k == "join"}
        seats = log.entries[0].fields["seats"]
        if not joined:
            self._write(
                notes, "join", self._pen(notes, log).join(self.recovery_line), f"I take the seat {notes.seat}.", at
            )
            return (
                f"You take the seat {notes.seat} in game {notes.game[:8]}.\n"
                f"The host's key is\n  {host_key}\nYours is\n  {fingerprint(self.key_line)}\nCompare them by telephone."
            )
        talk = self.talk(notes)
        if notes.seat in talk.absent and talk.keys[notes.seat] != self.key_line:
            self._in_order(notes)
            self._write(
                notes, "join", self._pen(notes, log).join(self.recovery_line), f"I take the seat {notes.seat}.", at
            )
            return (
                f"You would take the seat {notes.seat}; the others are asked.\n"
                f"The host's key is\n  {host_key}\nCompare it by telephone."
            )
        if talk.called:
            return self._ready_again(notes, talk, at)
        if set(joined) != set(seats) or any(entry.k == "ready" for entry in log.entries):
            raise UsageError("This mail asks for neither joining nor being ready. “pbem read MAIL” shows it.")
        if joined[notes.seat] != self.key_line:
            raise RecordError(
                f"The host has entered another key for {notes.seat} than yours. Do not go on; tell the others."
            )
        verdict = self.copy(notes).verdict()
        if verdict.verdict == "fault":
            raise RecordError(f"The host's log is at fault: entry {verdict.entry}, {verdict.code}. {verdict.reason}")
        self._write(notes, "ready", self._pen(notes, log).ready(log.head), "I have seen the keys and am ready.", at)
        lines = [f"{seat}\n  {fingerprint(key)}" for seat, key in joined.items()]
        return "\n".join(
            [*lines, f"the host\n  {host_key}", "Compare each with its owner by telephone before you send."]
        )

    def _ready_again(self, notes: Notes, talk: Talk, at: str) -> str:
        """Say again to be ready, after a seat has changed its key."""
        log = self.copy(notes).log
        if notes.seat not in talk.missing:
            raise UsageError("You have said that you are ready already, or nobody asks for it.")
        if talk.keys[notes.seat] != self.key_line:
            raise RecordError(f"By the log, {notes.seat} has another key than yours. Do not go on; tell the others.")
        self._in_order(notes)
        ready = self._pen(notes, log).ready(log.head, talk.mark)
        self._write(notes, f"ready.{talk.mark}", ready, "I have seen the keys and am ready.", at)
        return "\n".join(f"{seat}\n  {fingerprint(key)}" for seat, key in talk.keys.items())

    def rekey(self, new: PrivateKey, at: str, recovery: PrivateKey | None = None) -> list[str]:
        """Put a new key in the place of the desk's, and write to every game that goes on; return the titles of those games.

        The key before signs, or the recovery key, if that is given. The key before is kept, as `key.before`.
        """
        signed: list[tuple[Notes, Envelope]] = []
        for notes in self.games():
            log, talk = self.copy(notes).log, self.talk(notes)
            if log.finished or notes.seat not in talk.keys or notes.seat in talk.gone:
                continue
            self._in_order(notes)
            pen = Pen(new, notes.game, log.entries[0].fields["nonce"], notes.seat)
            bound = talk.recovery[notes.seat] or (sha256_hex(self.recovery_line.encode()) if self.recovery_line else "")
            signer, no = recovery or self.key, talk.next_no(notes.seat)
            signed.append((notes, pen.rekey(signer, no, log.head, bound, recovery=recovery is not None)))
        # the key is kept before anything tells of it: one that was told of and lost would lose the seats
        (self.home / "key").replace(self.home / "key.before")
        (self.home / "key").touch(mode=0o600)
        (self.home / "key").write_bytes(new.dump(self._passphrase))
        (self.home / "key.pub").write_text(new.key_line + "\n", "utf-8")
        self._key = new
        for notes, envelope in signed:
            self._write(notes, f"rekey.{re.sub('[^0-9]', '', at)}", envelope, "I have another key from now on.", at)
        return [notes.title for notes, _ in signed]

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

    def _pen(self, notes: Notes, log: Log) -> Pen:
        return Pen(self.key, notes.game, log.entries[0].fields["nonce"], notes.seat)

    # -- ordering ---------------------------------------------------------------------------------------------------

    def question(self, notes: Notes) -> tuple[Question, View, GamePack]:
        """Return the question that is open to this seat, its view, and the game. Raises UsageError when there is none."""
        copy = self.copy(notes)
        talk, pack = self.talk(notes), self._pack(copy.log)
        if notes.seat not in talk.waiting:
            raise UsageError("Nothing is asked of you in this game now. “pbem read” shows how it stands.")
        try:
            view = pack.rules.read_view(copy.tells()[-1].view)
        except (LookupError, ValueError) as error:
            raise RecordError(f"{_NONSENSE} ({type(error).__name__})") from error
        ask = copy.log.entries[talk.ask]
        return Question(ask.n, ask.fields["secret"], ask.fields.get("mark"), (ask.n, ask.hash)), view, pack

    def talk(self, notes: Notes) -> Talk:
        """Return what has been said in a game besides orders, and what is asked."""
        with _sense():
            return Talk.read(entry.fields for entry in self.copy(notes).log.entries)

    def say(self, notes: Notes, act: str, at: str, **more: Json) -> str:
        """Say something besides an order: verify the copy, sign, and write the letter; return what was signed.

        Raises UsageError where it may not be said as the game stands, and RecordError when the copy is not in order.
        """
        log, talk = self.copy(notes).log, self.talk(notes)
        if not self.copy(notes).tells() or log.finished:
            raise UsageError("There is nothing to say: the game has not begun, or it is over.")
        say = {"act": act, "no": talk.next_no(notes.seat), "seen": list(log.head), **more}
        entry = {"k": "say", "by": notes.seat, "say": say, "at": at}
        # who is asked nothing has not been sent the last entries: whether time is over, or a move may go back, the host knows
        if act in ("draw", "agree", "leave") and (objection := talk.objection(log.head[0] + 1, entry)):
            raise UsageError(objection.reason)
        self._in_order(notes)
        envelope = self._pen(notes, log).say(say)
        said = " ".join([act, *(f"{name} {value}" for name, value in more.items())])
        # what was refused as too early may be said again in the same words: it is another mail
        self._write(notes, f"{act}.{say['no']}.{re.sub('[^0-9]', '', at)}", envelope, said.upper(), at)
        return said

    def agree_to_rules(self, notes: Notes, at: str) -> str:
        """Agree to go on by the version of the rules that is installed here; return which. Raises UsageError where it is none."""
        pack, rules = self._pack(self.copy(notes).log), self.talk(notes).rules
        if pack.rules.version <= rules["ver"]:
            raise UsageError(
                f"This game is played by version {rules['ver']} of its rules; here is {pack.rules.version}."
            )
        sha256 = manifest(pack)[1]
        what = {"rules": {"id": pack.rules.id, "ver": pack.rules.version, "sha256": sha256}}
        self.say(notes, "agree", at, what=sha256_hex(cj(what)))
        return f"version {pack.rules.version} of the rules, fingerprint {sha256[:16]}…"

    def welcome(self, raw: bytes, at: str) -> str:
        """Agree that whoever signed the block in a mail takes the seat of a player who has vanished; return his key's fingerprint.

        Raises UsageError where the mail holds no such block.
        """
        newcomer = read_block(read_message(raw, MAX_FROM_HOST).text)
        if newcomer is None or newcomer.say.get("act") != "join":
            raise UsageError("This mail holds nobody's word that he would take a seat.")
        notes, say = self.notes(str(newcomer.say["game"])), newcomer.say
        check_form(newcomer)
        if not verify_sig(say["key"], SAY, cj(dict(say)), newcomer.sig):
            raise RecordError("The newcomer has not signed this: the block was forged, or changed on its way.")
        self.say(notes, "agree", at, what=sha256_hex(cj({"player": {"say": say, "sig": newcomer.sig}})))
        return f"{say['seat']}\n  {fingerprint(say['key'])}"

    def _in_order(self, notes: Notes) -> None:
        """Sign nothing over a copy that is at fault. Raises RecordError."""
        verdict = self.copy(notes).verdict()
        if verdict.verdict == "fault":
            raise RecordError(
                f"Your copy is at fault, so nothing is signed: entry {verdict.entry}, {verdict.code}. {verdict.reason}"
            )

    def order(self, notes: Notes, text: str, plans: str, at: str) -> str:
        """Read an order, verify the copy, sign, and write the letter; return the order's canonical text.

        The text may be headed `GAME …` and hold lines that begin with PLAN, beside those of `plans`; where there are neither,
        the standing plans go with it. They stand in what is returned, too.
        Raises OrderError, with every bad line, when it is not legal, and RecordError when the copy is not in order.
        """
        sheet = take_apart(text)
        if not notes.game.startswith(sheet.game):
            raise UsageError(
                f"This order is headed for game {sheet.game}, not for {notes.game[:8]}. Which one is meant?"
            )
        to, view, pack = self.question(notes)
        if pack.rules.version != (ver := self.talk(notes).rules["ver"]):
            raise UsageError(
                f"This game is played by version {ver} of its rules, and here is version {pack.rules.version}. Install the other, "
                "or go on by this one when all have agreed to it: “pbem say rules”."
            )
        order = pack.rules.parse(view, sheet.order)
        if refusal := pack.rules.why_not(view, order):
            raise OrderError(Problem(0, str(order), refusal.why, refusal.rule, refusal.legal))
        own = "\n".join(filter(None, (sheet.plans, plans)))
        planned = pack.rules.read_plans(own) if own else notes.plans
        self._in_order(notes)
        rev = notes.revisions.get(str(to.ask), -1) + 1
        envelope = self._pen(notes, self.copy(notes).log).order(to, str(order), planned, rev)
        for path in self._unsent_orders(notes):
            self._lay_aside(path)
        said = str(order) + (f"\nPLANS\n{planned}" if planned else "")
        self._write(notes, f"order.{to.ask}.{rev}", envelope, said, at)
        notes.revisions = {str(to.ask): rev}
        self._keep(notes)
        return "\n".join([str(order), *(f"PLAN {line}" for line in planned.splitlines())])

    def plan(self, notes: Notes, text: str) -> str:
        """Let these be the standing plans of a game, "" for none; return their canonical text. Raises OrderError."""
        notes.plans = self._pack(self.copy(notes).log).rules.read_plans(text)
        self._keep(notes)
        return notes.plans

    def move(self, notes: Notes, address: str, number: int | None, at: str) -> int:
        """Sign that the letters of a game go to another address, and write the letter; return the number of the change."""
        number = number or notes.moves + 1
        envelope = self._pen(notes, self.copy(notes).log).address(address, number)
        self._write(notes, f"address.{number}", envelope, f"My letters go to {address}.", at)
        notes.moves = number
        self._keep(notes)
        return number

    def set_clock(self, notes: Notes, zone: str, quiet: str, weekends: str, number: int | None, at: str) -> int:
        """Sign when time counts for this player in a game, and write the letter; return the number of the statement."""
        number = number or notes.clocks + 1
        envelope = self._pen(notes, self.copy(notes).log).time(zone, quiet, weekends, number)
        said = f"Time counts for me by the clock of {zone}, quiet {quiet or 'off'}, weekends {weekends or 'on'}."
        self._write(notes, f"time.{number}", envelope, said, at)
        notes.clocks = number
        self._keep(notes)
        return number

    def press(self, notes: Notes, text: str, to: str, at: str) -> None:
        """Sign words for another seat, or ("") for all others, and write the letter. The moment is its number."""
        number = int(re.sub("[^0-9]", "", at))
        envelope = self._pen(notes, self.copy(notes).log).press(text, to, number)
        self._write(notes, f"press.{number}", envelope, f"Press to {to or 'all'}:\n\n{marked(text)}", at)

    def _write(self, notes: Notes, name: str, envelope: Envelope, said: str, at: str) -> None:
        domain = re.sub(r"[^A-Za-z0-9.-]", "", self.settings.address.rpartition("@")[2]) or "localhost"
        letter = Letter(
            sender=self.settings.address,
            to=notes.host,
            subject=f"{notes.title} {notes.game[:8]}: {name.split('.', maxsplit=1)[0]}",
            text=f"{said}\nEND\n\n{write_block(envelope)}\n",
            message_id=f"{notes.game[:16]}.{name}.{notes.seat}@{domain}",
            date=datetime.fromisoformat(at),
        )
        (self.home / "out" / f"{notes.game[:8]}.{name}.eml").write_bytes(letter.raw())

    # -- sending ----------------------------------------------------------------------------------------------------

    def unsent(self) -> list[Path]:
        """Return the letters that wait in `out/`."""
        return sorted((self.home / "out").glob("*.eml"))

    def _lay_aside(self, path: Path) -> None:
        (self.home / "replaced").mkdir(exist_ok=True)
        path.replace(self.home / "replaced" / path.name)

    def _unsent_orders(self, notes: Notes) -> list[Path]:
        """Return the orders for a game that wait: were one sent before the order that replaces it, it could be taken."""
        return [path for path in self.unsent() if path.name.startswith(f"{notes.game[:8]}.order.")]

    def next_unsent(self, game: str = "") -> Path:
        """Return the letter that waits, of the game whose id begins so. Raises UsageError when there is none, or several."""
        waiting = [path for path in self.unsent() if path.name.startswith(game.lower()[:8])]
        if not waiting:
            raise UsageError("Nothing waits to be sent.")
        games = sorted({path.name.partition(".")[0] for path in waiting})
        if len(games) > 1:
            raise UsageError(f"Letters of several games wait. Name one with --game: {', '.join(games)}.")
        return waiting[0]

    def sent(self, path: Path) -> Path:
        """Lay a letter that was sent by hand into `sent/`."""
        return path.replace(self.home / "sent" / path.name)

    def send(self, at: int | None = None) -> list[Path]:
        """Hand every waiting letter over and return their files in `sent/`; `at` as in Maildir.

        They go into the host's Maildir, else to the mail server of the settings. Raises WorldError or NotTaken where one
        cannot go: it stays, with those behind it.
        """
        if self.settings.post:
            post = Maildir(Path(self.settings.post))
            return [self.sent(path) for path in self.unsent() if post.deliver(path.read_bytes(), at)]
        if not self.settings.smtp:
            raise UsageError(
                f"Name the host's Maildir as “post”, or a mail server as “smtp”, in {self.home / 'settings.json'}; or send "
                "by hand."
            )
        server = carrier(Smtp.read(self.settings.smtp, f"“smtp” in {self.home / 'settings.json'}"), self.home)
        sent = []
        try:
            for path in self.unsent():
                raw = path.read_bytes()
                server.carry(self.settings.address, read_message(raw).to[0], raw)
                sent.append(self.sent(path))
        finally:
            server.close()
        return sent


def _revision(letter: Path) -> tuple[int, int]:
    """The question and revision of a letter in `out/`, by its name."""
    ask, rev = letter.name.split(".")[2:4]
    return int(ask), int(rev)


def _says(letter: Path) -> Json:
    envelope = read_block(read_message(letter.read_bytes()).text)
    return envelope.say if envelope else None
