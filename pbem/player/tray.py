"""The tray of a desk: the letters that he has signed and not sent, and the ways on which they go.

It decides what a letter looks like and where it lies: `out/` until it is sent, `sent/` after, `replaced/` where another took its
place before. One that was handed to another program lies in `given/` until the host's receipt or log shows that it arrived:
whether its writer pressed “send” there, nobody here can know. It does not know what a letter says, but for the question and
revision of an order.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from datetime import datetime
from pathlib import Path

from pbem import private
from pbem.errors import UsageError
from pbem.kernel import Json
from pbem.ledger import cj, make_attachment, sha256_hex
from pbem.mail import Letter, Maildir, carrier, read_block, read_message, write_block
from pbem.mail.settings import Smtp
from pbem.referee import Envelope
from pbem.words import ENGLISH, _, spoken

from .folder import Folder
from .notes import Notes

CONFIRMED = ("order", "ahead", "join", "ready", "rekey", "resign", "draw", "agree", "takeback", "leave", "claim")
"""What a host confirms, by a receipt or an entry; the rest (press, clocks, requests) he answers as he likes."""


class Tray(Folder):
    """A folder with letters to be sent."""

    def _write(
        self, notes: Notes, name: str, envelope: Envelope, said: str, at: str, to: str = "", log: bytes = b""
    ) -> None:
        """Lay a letter ready for the host, or for another one at `to`; with lines of a log, where they belong to it."""
        letter = Letter(
            sender=self.settings.address,
            to=to or notes.host,
            subject=f"{notes.title} {notes.game[:8]}: {name.split('.', maxsplit=1)[0]}",
            text=f"{self._wish()}{said}\nEND\n\n{write_block(envelope)}\n",
            message_id=f"{notes.game[:16]}.{name}.{notes.seat}@{self._domain}",
            date=datetime.fromisoformat(at),
            log=log,
            log_name=f"{notes.game[:8]}.{notes.seat}.pbem",
        )
        private.put(self.home / "out" / f"{notes.game[:8]}.{name}.eml", letter.raw())

    def confirm(self, host: str, code: str, at: str) -> Path:
        """Lay the answer ready by which a host learns that this player reads his letters at this address."""
        letter = Letter(
            sender=self.settings.address,
            to=host,
            subject="CONFIRM",
            text=f"CONFIRM {code}\n",
            message_id=f"confirm.{code}@{self._domain}",
            date=datetime.fromisoformat(at),
        )
        path = self.home / "out" / f"{code[:8]}.confirm.{code}.eml"
        private.write(path, letter.raw())
        return path

    @property
    def _domain(self) -> str:
        return re.sub(r"[^A-Za-z0-9.-]", "", self.settings.address.rpartition("@")[2]) or "localhost"

    def _wish(self) -> str:
        """The line that asks the host to write in this player's language; English, of which nobody spoke, is not asked for."""
        language = self.settings.language or spoken()
        return f"LANGUAGE {language}\n\n" if self.settings.language or language != ENGLISH else ""

    def unsent(self) -> list[Path]:
        """Return the letters that wait in `out/`."""
        return sorted((self.home / "out").glob("*.eml"))

    def _send_again(self, notes: Notes, entered: Collection[bytes]) -> list[Path]:
        """Lay what was sent in a game ready once more, but for what the log holds (by its canonical bytes); return the letters."""
        laid = []
        for path in [*self._lying("given", notes), *self._lying("sent", notes)]:
            if path.name.split(".")[1] not in ("copy", "press", "resend") and cj(says(path)) not in entered:
                laid.append(self.home / "out" / path.name)
                private.put(laid[-1], path.read_bytes())
        return laid

    def _lay_aside(self, path: Path) -> None:
        private.make_folder(self.home / "replaced")
        path.replace(self.home / "replaced" / path.name)

    def _unsent_orders(self, notes: Notes) -> list[Path]:
        """Return the orders for a game that wait: were one sent before the order that replaces it, it could be taken."""
        return [path for path in self.unsent() if path.name.startswith(f"{notes.game[:8]}.order.")]

    def _unsent_agreements(self, notes: Notes) -> list[Path]:
        """Return what waits of agreements to another host."""
        return [path for path in self.unsent() if path.name.startswith(f"{notes.game[:8]}.host.")]

    def _unsent_says(self, notes: Notes, no: int) -> list[Path]:
        """Return what waits of things said besides orders with this number: the host would take only one of them."""
        return [path for path in self.unsent() if path.match(f"{notes.game[:8]}.*.{no}.*") and says(path)["no"] == no]

    def next_unsent(self, game: str = "") -> Path:
        """Return the letter that waits, of the game whose id begins so. Raises UsageError when there is none, or several."""
        waiting = [path for path in self.unsent() if path.name.startswith(game.lower()[:8])]
        if not waiting:
            raise UsageError(_("Nothing waits to be sent."))
        games = sorted({path.name.partition(".")[0] for path in waiting})
        if len(games) > 1:
            raise UsageError(_("Letters of several games wait. Name one with --game: {games}.", games=", ".join(games)))
        return waiting[0]

    def sent(self, path: Path) -> Path:
        """Lay a letter that was sent into `sent/`."""
        return path.replace(self.home / "sent" / path.name)

    def given_out(self, path: Path) -> Path:
        """Lay a letter that another program is to send into `given/`; what no host ever confirms counts as sent."""
        if _act(path) not in CONFIRMED:
            return self.sent(path)
        private.make_folder(self.home / "given")
        return path.replace(self.home / "given" / path.name)

    def settle(self) -> None:
        """Lay what was given out into `sent/` where the copy or a receipt shows that it arrived, or that it is out of time.

        What waits of joining, and has arrived all the same, was sent by hand.
        """
        for notes in self.games():
            for path in self._lying("out", notes):
                if _act(path) in ("join", "ready") and sha256_hex(cj(says(path))) in self._confirmed(notes):
                    self.sent(path)
            for path in self._lying("given", notes):
                if not self._is_missed(notes, path):
                    self.sent(path)
                    (self.home / "drafts" / path.name).unlink(missing_ok=True)

    def draft(self, name: str, data: bytes) -> Path:
        """Keep a letter as a mail program opens it, until it has arrived; return its file."""
        private.make_folder(self.home / "drafts")
        path = self.home / "drafts" / name
        private.write(path, data)
        return path

    def missed(self, notes: Notes) -> list[Path]:
        """Return the letters of a game that have left this desk and that the host has not confirmed, though they still count."""
        return [p for folder in ("given", "sent") for p in self._lying(folder, notes) if self._is_missed(notes, p)]

    def give_again(self, notes: Notes) -> list[Path]:
        """Lay the letters that the host has not confirmed ready once more, as they were signed; return them."""
        return [path.replace(self.home / "out" / path.name) for path in self.missed(notes)]

    def written(self, notes: Notes, name: str) -> Path | None:
        """Return the letter of a game with this name, waiting or gone; None where none was written."""
        places = (self.home / folder / f"{notes.game[:8]}.{name}.eml" for folder in ("out", "given", "sent"))
        return next((path for path in places if path.is_file()), None)

    def said_ready(self, notes: Notes) -> Path | None:
        """Return the letter by which this player says that he is ready, for the call that is on; None where none was written."""
        course = self.course(notes)
        mark = course.call.mark if course.phase == "called" and course.call else None
        return self.written(notes, "ready" if mark is None else f"ready.{mark}")

    def withdraw(self, path: Path) -> None:
        """Lay a letter that waits aside: it is not sent."""
        self._lay_aside(path)

    def out_of_time(self, notes: Notes) -> list[Path]:
        """Lay orders aside that wait for a question which is open no more; return them. What goes ahead with one keeps it."""
        course = self.course(notes)
        open_now = course.question.n if course.question and notes.seat in course.waiting else -1
        old = [path for path in self._unsent_orders(notes) if revision(path)[0] != open_now and not ahead_in(path)]
        for path in old:
            self._lay_aside(path)
        return old

    def _lying(self, folder: str, notes: Notes) -> list[Path]:
        return sorted((self.home / folder).glob(f"{notes.game[:8]}.*.eml"))

    def _is_missed(self, notes: Notes, path: Path) -> bool:
        """Has the host said nothing of a letter that still counts for the game?"""
        course = self.course(notes)
        open_now = course.question.n if course.question and notes.seat in course.waiting else -1
        if self.copy(notes).log.finished or (_is_order(path) and revision(path)[0] != open_now):
            return False
        say = says(path)
        if not isinstance(say, dict) or say.get("act") not in CONFIRMED:
            return False
        match say["act"]:
            case "order":
                counts = say["rev"] == notes.revisions.get(str(say["ask"]), say["rev"])
            case "ahead":
                counts = say["rev"] == notes.sent_ahead(say["link_n"]).rev and say["link_n"] > course.mark
            case "join":
                counts = course.phase == "roster"
            case "ready":
                counts = course.phase in ("ready", "called")
            case _:
                counts = say["no"] >= course.next_no(notes.seat)
        return counts and sha256_hex(cj(say)) not in self._confirmed(notes)

    def _confirmed(self, notes: Notes) -> set[str]:
        """The digests of what the host has confirmed: by an entry, by a receipt in the copy, or by one beside it."""
        log, beside = self.copy(notes).log, self._path(notes, "receipts")
        lines = [a.fields for a in log.attachments if a.k == "got"]
        lines += [
            make_attachment(line).fields for line in (beside.read_bytes() if beside.exists() else b"").splitlines()
        ]
        entered = {sha256_hex(cj(entry.fields["say"])) for entry in log.entries if "say" in entry.fields}
        return entered | {str(line[2]) for line in lines}

    def send(self, at: int | None = None, but: Collection[Path] = ()) -> list[Path]:
        """Hand every waiting letter over, `but` for some, and return their files in `sent/`; `at` as in Maildir.

        They go into the host's Maildir, else to the mail server of the settings. Raises WorldError or NotTaken where one
        cannot go: it stays, with those behind it.
        """
        going = [path for path in self.unsent() if path not in but]
        if self.settings.post:
            post = Maildir(post_box(self.settings.post))
            return [self.sent(path) for path in going if post.deliver(path.read_bytes(), at)]
        if not self.settings.smtp:
            raise UsageError(
                _(
                    "Name the host's Maildir as “post”, or a mail server as “smtp”, in {settings}; or send by hand.",
                    settings=self.home / "settings.json",
                )
            )
        server = carrier(
            Smtp.read(self.settings.smtp, _("“smtp” in {settings}", settings=self.home / "settings.json")), self.home
        )
        sent = []
        try:
            for path in going:
                raw = path.read_bytes()
                server.carry(self.settings.address, read_message(raw).to[0], raw)
                sent.append(self.sent(path))
        finally:
            server.close()
        return sent


def post_box(where: str) -> Path:
    """Return the host's Maildir. Raises UsageError where there is none: into a folder that is made here nobody looks."""
    if not (Path(where) / "new").is_dir():
        raise UsageError(
            _(
                "{where} is no mail folder (Maildir): there is no “new” in it. Name the one that the host takes its mail from.",
                where=where,
            )
        )
    return Path(where)


def revision(letter: Path) -> tuple[int, int]:
    """The question and revision of a letter in `out/`, by its name."""
    ask, rev = letter.name.split(".")[2:4]
    return int(ask), int(rev)


def ahead_in(letter: Path) -> tuple[Envelope, ...]:
    """The orders sent ahead that go with a letter in `out/`."""
    envelope = read_block(read_message(letter.read_bytes()).text)
    return envelope.ahead if envelope else ()


def _is_order(letter: Path) -> bool:
    return letter.name.split(".")[1] == "order"


def _act(letter: Path) -> str:
    say = says(letter)
    return str(say.get("act")) if isinstance(say, dict) else ""


def says(letter: Path) -> Json:
    """What is signed in a letter; None where nothing is."""
    envelope = read_block(read_message(letter.read_bytes()).text)
    return envelope.say if envelope else None
