"""A desk's tray: letters that the player has signed and not sent, and how they are sent.

This module decides what a letter looks like and where it is kept. A letter is in `out/` until it is sent, in `sent/` afterwards,
or in `replaced/` if another replaced it before. A letter handed to another program is in `given/` until the host's receipt or log
shows that it arrived. Nobody here can know whether its writer pressed “send” in that program. The tray does not know what a letter
says, except for the question and revision of an order.

If the host reads short blocks, an order goes in a short block. The same letter with the full block is in `signed/`, under the same
name, for a complaint, or for a host that asks for it. It is written before the letter is.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from contextlib import closing, suppress
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from pbem import private
from pbem.errors import FormError, FullWanted, RecordError, UsageError
from pbem.games.words import newest, words
from pbem.i18n import ENGLISH, _, spoken
from pbem.ledger import SAYS, cj, make_attachment, sha256_hex
from pbem.mail import (
    VERSION,
    KnownLog,
    Letter,
    Maildir,
    carrier,
    read_block,
    read_message,
    shorten,
    write_block,
    write_short,
)
from pbem.mail.settings import Smtp

if TYPE_CHECKING:
    from pbem.kernel import Json
    from pbem.referee import Envelope

    from .folder import Folder
    from .notes import Notes

CONFIRMED = ("order", "ahead", "join", "ready", "rekey", *SAYS)
"""What a host confirms, by a receipt or an entry; the rest (press, clocks, requests) he answers as he likes."""
TO_PLAYERS = ("sealed", "reached")
"""What goes to other players, about when an order was sent: into a host's Maildir it does not."""
RESENT = ("two", "talk")
"""So letters to a friend are called, that “pbem resend” lays ready again as long as he has not answered."""
_GONE = ("given", "sent")
"""Where letters lie that have left."""


def code_file(home: Path, code: str) -> Path:
    """Return the place of a letter with a code that waits for an answer."""
    return home / "asking" / f"{code}.code"


class Tray:
    """The letters in the folder of a desk."""

    def __init__(self, folder: Folder) -> None:
        self.folder, self.home = folder, folder.home

    # -- writing --------------------------------------------------------------------------------------------------------

    def write(
        self, notes: Notes, name: str, envelope: Envelope, said: str, at: str, to: str = "", log: bytes = b""
    ) -> None:
        """Lay a letter ready for the host, or for another one at `to`; with lines of a log, where they belong to it."""

        def letter(block: str, form: str = "") -> bytes:
            return Letter(
                sender=self.folder.settings.address,
                to=to or notes.host,
                subject=f"{notes.title} {notes.game[:8]}: {name.split('.', maxsplit=1)[0]}",
                text=f"{self._wish()}{said}\nEND\n\n{block}\n",
                message_id=f"{notes.game[:16]}.{name}.{form}{notes.seat}@{self._domain}",
                date=datetime.fromisoformat(at),
                log=log,
                log_name=f"{notes.game[:8]}.{notes.seat}.pbem",
            ).raw()

        file, full = f"{notes.game[:8]}.{name}.eml", write_block(envelope)
        short = self._short_block(notes, envelope)
        kept = self.home / "signed" / file
        if short:  # some servers throw a second mail with one Message-ID away, so the full form has another
            private.make_folder(kept.parent)
            private.put(kept, letter(full, "full."))
        else:
            kept.unlink(missing_ok=True)
        private.put(self.home / "out" / file, letter(short or full))

    def _short_block(self, notes: Notes, envelope: Envelope) -> str:
        """Return an envelope as a short block, or "" if the host or the player's settings require the full form."""
        if self.folder.settings.block == "full" or envelope.say["act"] not in ("order", "ahead"):
            return ""
        version, most = notes.reads or (0, 0)
        if version < VERSION:
            return ""
        log = self.folder.copy(notes).log
        pack = self.folder.pack(log)
        known, dictionary = KnownLog(log, partial(words, pack)), min(most, newest(pack))
        with suppress(FormError):  # a text that is too long, or holds what parts them, goes in full
            if said := shorten(envelope, known, dictionary):
                return write_short(said, words(pack, dictionary) or b"")
        return ""

    def confirm(self, host: str, code: str, at: str) -> None:
        """Lay the answer ready that sends a code back to a host: the player reads his letters here, or wants the code's subject."""
        letter = Letter(
            sender=self.folder.settings.address,
            to=host,
            subject="CONFIRM",
            text=f"CONFIRM {code}\n",
            message_id=f"confirm.{code}@{self._domain}",
            date=datetime.fromisoformat(at),
        )
        private.put(self.home / "out" / f"{code[:8]}.confirm.{code}.eml", letter.raw())
        code_file(self.home, code).unlink(missing_ok=True)

    def write_to_club(self, name: str, raw: bytes) -> None:
        """Lay a letter to a club ready."""
        private.put(self.home / "out" / f"club.{name}.{sha256_hex(raw)[:12]}.eml", raw)

    @property
    def _domain(self) -> str:
        return re.sub(r"[^A-Za-z0-9.-]", "", self.folder.settings.address.rpartition("@")[2]) or "localhost"

    def _wish(self) -> str:
        """The line that asks the host to write in this player's language; English, of which nobody spoke, is not asked for."""
        language = self.folder.settings.language or spoken()
        return f"LANGUAGE {language}\n\n" if self.folder.settings.language or language != ENGLISH else ""

    def in_full(self, path: Path) -> None:
        """Let a letter that waits go with its full block."""
        if (full := _full(path)).is_file():
            private.put(path, full.read_bytes())

    # -- what lies here -------------------------------------------------------------------------------------------------

    def unsent(self, game: str = "") -> list[Path]:
        """Return the letters that wait in `out/`, of the game with an id that begins so, or all."""
        return [path for path in sorted((self.home / "out").glob("*.eml")) if path.name.startswith(game.lower()[:8])]

    def stamps(self, before: Mapping[Path, int] | None = None) -> dict[Path, int]:
        """Return the waiting letters, each with its time of writing; given `before`, only those written since."""
        at = {path: path.stat().st_mtime_ns for path in self.unsent()}
        return {path: time for path, time in at.items() if (before or {}).get(path) != time}

    def lying(self, notes: Notes, act: str = "", *folders: str) -> list[Path]:
        """Return the letters of a game that wait, or lie in other folders; `act`: only those that say this, as “order.”."""
        return [p for f in folders or ("out",) for p in sorted((self.home / f).glob(f"{notes.game[:8]}.{act}*.eml"))]

    def next_unsent(self, game: str = "") -> Path:
        """Return the waiting letter of the game with an id that begins with `game`. Raises UsageError unless exactly one game has
        any."""
        waiting = self.unsent(game)
        games = sorted({path.name.partition(".")[0] for path in waiting or self.unsent()})
        if not waiting and games:
            raise UsageError(
                _(
                    "Of game {game} nothing waits to be sent; letters of {games} wait.",
                    game=game[:8],
                    games=", ".join(games),
                )
            )
        if not waiting:
            raise UsageError(_("Nothing waits to be sent."))
        if len(games) > 1:
            raise UsageError(_("Letters of several games wait. Name one with --game: {games}.", games=", ".join(games)))
        return waiting[0]

    def written(self, notes: Notes, name: str) -> bool:
        """Is there a letter of a game with this name, waiting or gone?"""
        return any((self.home / f / f"{notes.game[:8]}.{name}.eml").is_file() for f in ("out", *_GONE))

    def revised(self, notes: Notes, ask: int) -> int:
        """Return the highest revision of the orders for a question stored anywhere here, or -1 if there is none."""
        orders = map(revision, self.lying(notes, f"order.{ask}.", "out", "replaced", *_GONE))
        return max((rev for _ask, rev in orders), default=-1)

    def said_ready(self, notes: Notes) -> bool:
        """Is there a letter by which this player says that he is ready, for the call that is on?"""
        course = self.folder.course(notes)
        called = course.phase == "called" and course.call
        return self.written(notes, f"ready.{called.mark}" if called else "ready")

    # -- where they go --------------------------------------------------------------------------------------------------

    def lay_aside(self, *letters: Path) -> None:
        """Lay letters that wait into `replaced/`: they are not sent."""
        for path in letters:
            self._lay(path, "replaced")

    def sent(self, path: Path) -> Path:
        """Lay a letter that was sent into `sent/`."""
        return self._lay(path, "sent")

    def given_out(self, path: Path) -> Path:
        """Lay a letter that another program is to send into `given/`; what no host ever confirms counts as sent."""
        return self._lay(path, "given" if says(path).get("act") in CONFIRMED else "sent")

    def _lay(self, path: Path, folder: str) -> Path:
        private.make_folder(self.home / folder)
        return path.replace(self.home / folder / path.name)

    def draft(self, name: str, data: bytes) -> Path:
        """Keep a letter as a mail program opens it, until it has arrived; return its file."""
        private.make_folder(self.home / "drafts")
        path = self.home / "drafts" / name
        private.write(path, data)
        return path

    def settle(self) -> None:
        """Move given letters to `sent/` if the copy or a receipt shows that they arrived, or if they are out of time.

        Join and ready letters that wait here although they have arrived were sent by hand.
        """
        for notes in self.folder.games():
            with suppress(RecordError):  # without its copy nothing is known of what arrived
                for path in [*self.lying(notes, "join"), *self.lying(notes, "ready")]:
                    if sha256_hex(cj(says(path))) in self._confirmed(notes):
                        self.sent(path)
                for path in self.lying(notes, "", "given"):
                    if not self._is_missed(notes, path):
                        self.sent(path)
                        (self.home / "drafts" / path.name).unlink(missing_ok=True)

    def give_again(self, notes: Notes) -> list[Path]:
        """Lay the letters that the host has not confirmed ready once more, as they were signed; return them."""
        return [self._lay(path, "out") for path in self.missed(notes)]

    def give_in_full(self, notes: Notes) -> None:
        """Lay the letters that the host has not confirmed ready with their full blocks, if they went in short ones; so those
        that wait."""
        for path in self.missed(notes):
            full = _full(path)
            if full.is_file() and full.read_bytes() != path.read_bytes():
                self._lay(path, "out")
        for path in self.lying(notes):
            self.in_full(path)

    def send_again(self, notes: Notes, entered: Collection[bytes]) -> int:
        """Put the letters sent in a game in the tray again, except those in the log (by canonical bytes); return their number."""
        once = ("copy", "press", "resend", "passed", *TO_PLAYERS)
        gone = [path for path in self.lying(notes, "", *_GONE) if path.name.split(".")[1] not in once]
        again = [path for path in gone if cj(says(path)) not in entered]
        for path in again:
            private.put(self.home / "out" / path.name, path.read_bytes())
        return len(again)

    def out_of_time(self, notes: Notes) -> list[Path]:
        """Set aside waiting orders for a question that is closed; return them. An order with premoves is kept."""
        open_now = self._open_now(notes)
        old = [
            p
            for act in ("order.", "sealed.")
            for p in self.lying(notes, act)
            if revision(p)[0] != open_now and not ahead_in(p)
        ]
        self.lay_aside(*old)
        return old

    def _open_now(self, notes: Notes) -> int:
        """The question that is open to the seat; -1: none is."""
        course = self.folder.course(notes)
        return course.question.n if course.question and notes.seat in course.waiting else -1

    # -- what has arrived -----------------------------------------------------------------------------------------------

    def missed(self, notes: Notes) -> list[Path]:
        """Return the letters of a game that have left this desk and that the host has not confirmed, though they still count."""
        return [path for path in self.lying(notes, "", *_GONE) if self._is_missed(notes, path)]

    def _is_missed(self, notes: Notes, path: Path) -> bool:
        """Has the host said nothing of a letter that still counts for the game?"""
        is_order = path.name.split(".")[1] == "order"
        if self.folder.copy(notes).log.finished or (is_order and revision(path)[0] != self._open_now(notes)):
            return False
        course, say = self.folder.course(notes), says(path)
        match say.get("act"):
            case "order":
                counts = say["rev"] == notes.revisions.get(str(say["ask"]), say["rev"])
            case "ahead":
                counts = say["rev"] == notes.sent_ahead(say["link_n"]).rev and say["link_n"] > course.mark
            case "join":
                counts = course.phase == "roster"
            case "ready":
                counts = course.phase in ("ready", "called")
            case act if act in CONFIRMED:
                counts = say["no"] >= course.next_no(notes.seat)
            case _:
                return False
        return counts and sha256_hex(cj(say)) not in self._confirmed(notes)

    def _confirmed(self, notes: Notes) -> set[str]:
        """The digests of what the host has confirmed: by an entry, by a receipt in the copy, or by one beside it."""
        log, beside = self.folder.copy(notes).log, self.folder.path(notes, "receipts")
        entered = {sha256_hex(cj(entry.fields["say"])) for entry in log.entries if "say" in entry.fields}
        kept = beside.read_bytes().splitlines() if beside.exists() else []
        got = [*(one for one in log.attachments if one.k == "got"), *map(make_attachment, kept)]
        return entered | {str(one.fields[2]) for one in got}

    # -- sending --------------------------------------------------------------------------------------------------------

    def send(self, at: int | None = None, but: Collection[Path] = ()) -> list[Path]:
        """Send every waiting letter except those in `but`, and return their files in `sent/`; `at` as in Maildir.

        They go into the host's Maildir, otherwise to the mail server in the settings. Raises WorldError or NotTaken if one cannot
        be sent: it stays, with those after it.
        """
        going, settings, place = [p for p in self.unsent() if p not in but], self.folder.settings, "settings.json"
        if settings.post:
            post = Maildir(post_box(settings.post))
            return [
                self.sent(path) for path in going
                if path.name.split(".")[1] not in TO_PLAYERS and post.deliver(path.read_bytes(), at)
            ]  # fmt: skip
        if not settings.smtp:
            raise UsageError(
                _(
                    "Name the host's Maildir as “post”, or a mail server as “smtp”, in {settings}; or send by hand.",
                    settings=self.home / place,
                )
            )
        where = _("“smtp” in {settings}", settings=self.home / place)
        sent = []
        with closing(carrier(Smtp.read(settings.smtp, where), self.home)) as server:
            for path in going:
                raw = path.read_bytes()
                server.carry(settings.address, read_message(raw).to[0], raw)
                sent.append(self.sent(path))
        return sent


def post_box(where: str) -> Path:
    """Return the host's Maildir. Raises UsageError if there is none: nobody would look into a folder made here."""
    if not (Path(where) / "new").is_dir():
        raise UsageError(
            _(
                "{where} is not a mail folder (Maildir): it has no “new”. Name the folder that the host "
                "takes its mail from.",
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
    envelope = signed_in(letter)
    return envelope.ahead if envelope else ()


def says(letter: Path) -> dict[str, Json]:
    """Return the signed part of a letter; empty if nothing is signed."""
    envelope = signed_in(letter)
    return envelope.say if envelope else {}


def signed_in(letter: Path) -> Envelope | None:
    """Return the signed envelope in a desk's letter; for a short block, from the full form that was kept.

    Returns None if nothing is signed or the full form is missing.
    """
    full = _full(letter)
    with suppress(FullWanted):
        return read_block(read_message((full if full.is_file() else letter).read_bytes()).text)
    return None


def _full(letter: Path) -> Path:
    """Return the path of a letter's full form, if it is sent as a short block."""
    return letter.parent.parent / "signed" / letter.name


def digits(at: str) -> str:
    """Return a moment as a number that rises."""
    return re.sub("[^0-9]", "", at)
