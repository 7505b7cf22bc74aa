"""A player's folder: his key, his settings, and his copy of each game with the notes beside it.

It decides which game is meant, which key signs and over which copies nothing is signed. It reads no mail and writes no letter.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Self

from pbem import private
from pbem.errors import KeyFileError, RecordError, UsageError, system_said
from pbem.games import GamePack, find
from pbem.kernel import Json
from pbem.ledger import Course, Log, PrivateKey, objection
from pbem.ledger.fields import plus_seconds
from pbem.referee import After, Pen, last_orders
from pbem.reports import told
from pbem.words import _

from .agreed import told_rules, told_terms
from .copy import Copy
from .notes import Notes, Settings
from .public import same_board, unheard

_ENOUGH = 16
"""So many digits of a fingerprint are enough to name rules by."""


@contextmanager
def sense() -> Iterator[None]:
    """Turn what breaks on a report that makes no sense into a RecordError."""
    nonsense = _(
        "What the host has told you is signed, but it is no report of this game: either your rules are of another "
        "version than his, or he lies. Do not go on; an audit will tell."
    )
    with told.sense(nonsense):
        yield


class Folder:
    """What lies in the folder `home`."""

    def __init__(self, home: Path, passphrase: bytes | None = None, *, keyless: bool = False) -> None:
        """Open it. Raises UsageError where no key lies in it; `keyless`: where nobody has ever had one there."""
        self.home = home
        keyless = keyless and (home / "settings.json").is_file()
        if not (home / "key").is_file() and not keyless:
            raise UsageError(_no_key(home))
        for part in ("key", "games", "out", "sent", "replaced"):
            private.shut(home / part)
        self.settings = Settings.read(home / "settings.json")
        self._passphrase = passphrase
        self._key: PrivateKey | None = None
        self._copies: dict[str, Copy] = {}
        self._packs: dict[str, GamePack] = {}

    @classmethod
    def create(cls, home: Path, key: PrivateKey, settings: Settings, passphrase: bytes | None = None) -> Self:
        """Set a desk up with a key. Raises UsageError where there is one already."""
        if (home / "key").exists():
            raise UsageError(
                _("There is a key in {home} already; a key that is lost or overwritten cannot be had back.", home=home)
            )
        for part in ("games", "out", "sent"):
            private.make_folder(home / part)
        private.put(home / "key", key.dump(passphrase))
        private.put(home / "key.pub", f"{key.key_line}\n".encode())
        settings.write(home / "settings.json")
        return cls(home, passphrase)

    def choose_language(self, language: str) -> None:
        """Let this be what the player reads, of the languages that have words."""
        self.settings = replace(self.settings, language=language)
        self.settings.write(self.home / "settings.json")

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
                raise KeyFileError(
                    _("The key in {home} cannot be read: {why}.", home=self.home, why=system_said(error))
                ) from error
        return self._key

    def games(self) -> Iterator[Notes]:
        """Go through the games of this desk."""
        for path in sorted((self.home / "games").glob("*.json")):
            yield Notes.read(path)

    def notes(self, game: str = "") -> Notes:
        """Return the notes of the game whose id begins with `game`; without it, of the only game there is, or that is not over."""
        fits = [notes for notes in self.games() if notes.game.startswith(game.lower())]
        if not game and len(fits) > 1:
            fits = [notes for notes in fits if not self.copy(notes).log.finished] or fits
        if len(fits) == 1:
            return fits[0]
        if not fits and game:
            raise UsageError(
                _(
                    "There is no game {game} on this desk. “pbem join MAIL” takes up an invitation; if you have lost your "
                    "copy, write to the host a mail with the line RESEND.",
                    game=game[:8],
                )
            )
        if not fits:
            raise UsageError(
                _(
                    "There is no game yet on this desk. “pbem join MAIL” takes up an invitation; if you have lost your copy, "
                    "write to the host a mail with the line RESEND."
                )
            )
        names = ", ".join(f"{one.game[:8]} ({one.title})" for one in fits)
        raise UsageError(
            _("Which game? There are {games}. Name one by --game {first}.", games=names, first=fits[0].game[:8])
        )

    def copy(self, notes: Notes) -> Copy:
        """Return the copy of a game."""
        if notes.game not in self._copies:
            self._copies[notes.game] = Copy(self._path(notes, "pbem"), notes.seat)
        return self._copies[notes.game]

    def _path(self, notes: Notes, ending: str) -> Path:
        return self.home / "games" / f"{notes.game[:16]}.{ending}"

    def _keep(self, notes: Notes) -> None:
        notes.write(self._path(notes, "json"))

    def course(self, notes: Notes) -> Course:
        """Return how far a game has come: what is asked, what was said, whose keys count."""
        with sense():
            return self.copy(notes).course

    def _pack(self, log: Log) -> GamePack:
        game = log.entries[0].fields["rules"]["id"]
        if game not in self._packs:
            self._packs[game] = find(game)
        return self._packs[game]

    def _pen(self, notes: Notes) -> Pen:
        """The pen of this seat, with the chain that it has by now."""
        return Pen.at(self.key, notes.game, notes.seat, self.course(notes))

    def _after(self, notes: Notes, course: Course | None = None) -> After:
        """The last orders that were signed, as a say names them: by the notes, or by the log where they are lost.

        `course` is the game as far as it counts, where that is not all of the copy.
        """
        course = course or self.course(notes)
        holder, signed = course.seats[notes.seat], notes.revisions.items()
        answer = max([holder.answer, *((int(ask), rev) for ask, rev in signed if int(ask) < course.next)])
        ahead = max([holder.ahead, *((int(mark), int(sent[0])) for mark, sent in notes.ahead.items())])
        return last_orders(answer if answer[0] >= 0 else None, ahead if ahead[0] >= 0 else None)

    def _check_public(self, notes: Notes, since: int) -> None:
        """Hold what this seat was told after an entry against what all were told. Raises RecordError where they differ."""
        copy = self.copy(notes)
        own, public = copy.tells(), copy.public()
        if not own:
            return
        if self.course(notes).rules["sha256"] in notes.rules:
            return  # rules that are not known here: nothing of what they say can be held against anything
        with sense():
            differs = not same_board(self._pack(copy.log).rules, own[-1].view, public[-1].view)
            missing = unheard([t for t in own if t.n > since], [t for t in public if t.n > since])
        if differs or missing:
            n = missing[0] if missing else own[-1].n
            raise RecordError(
                _(
                    "DO NOT GO ON: what the host has told you differs from what it has told everybody (entry {entry}). "
                    "It has signed "
                    "both; {copy} is the evidence. Show it to the other players.",
                    entry=n,
                    copy=copy.path.name,
                )
            )

    def _check_rules(self, notes: Notes, wanted: str = "") -> str:
        """Return by which rules a game is played, in a sentence. Raises UsageError where they are not known here.

        `wanted` is the beginning of their fingerprint, from a player who wants to play by them all the same.
        """
        log = self.copy(notes).log
        pack, rules = self._pack(log), self.course(notes).rules
        if said := told_rules(pack, rules):
            return said
        sha256 = str(rules["sha256"])
        if len(wanted) >= _ENOUGH and sha256.startswith(wanted.lower()) and sha256 not in notes.rules:
            notes.rules.append(sha256)
            self._keep(notes)
        found = {"game": pack.rules.title, "ver": rules["ver"], "sha256": sha256[:_ENOUGH]}
        if sha256 in notes.rules:
            return _(
                "{game}, version {ver} of the rules with the fingerprint {sha256}…: NOT KNOWN HERE. If the host "
                "reports falsely, no "
                "audit with the rules that you have can tell.",
                **found,
            )
        raise UsageError(
            _(
                "This game is to be played by version {ver} of the rules of {game} with the fingerprint {sha256}…, "
                "and those are not "
                "known here: what the host says could not be judged by anybody who has not got them. Ask the host for a version of "
                "pbem that knows them. If you want to play by them all the same, add “--rules {sha256}”.",
                **found,
            )
        )

    def _agreed_on(self, log: Log, known: str) -> list[str]:
        """What the player agrees to by taking part: rules, options and terms, as entry 0 has them, whatever a letter says."""
        first, pack = log.entries[0].fields, self._pack(log)
        options = pack.told(first["opts"])
        lines = [_("What entry 0 of the log says, which counts, whatever a letter may say:"), f"  {known}"]
        return ["", *lines, *(f"  {line}" for line in [*options, *told_terms(first["terms"])])]

    def _objection(self, notes: Notes, kind: str, say: Mapping[str, Json], at: str) -> str:
        """Return why the log could not hold what is to be signed, as far as this copy goes, or ""."""
        course = self.course(notes)
        entry: dict[str, Json] = {"k": kind, "by": notes.seat, "say": dict(say), "at": max(at, course.clock)}
        if kind == "rekey" and course.terms.hours:
            entry["due"] = plus_seconds(entry["at"], course.call_length())
        found = objection(course, entry)
        return found.reason if found else ""

    def _check_format(self, notes: Notes) -> None:
        """Sign nothing in a game of a former format, which holds a host to less. Raises UsageError."""
        if self.course(notes).former:
            raise UsageError(
                _(
                    "The log of this game is of a former format, in which no new game is played: it holds a host to less. It can "
                    "only be looked at here. Do not join; ask the host for a game of now."
                )
            )

    def _in_order(self, notes: Notes) -> None:
        """Sign nothing over a copy that is at fault, nor for a host that was given up. Raises RecordError or UsageError."""
        self._check_format(notes)
        if notes.next_host:
            raise UsageError(
                _(
                    "You have agreed that this game goes on under another host; for the former one nothing more is signed. "
                    "Wait for the mail that all have agreed."
                )
            )
        verdict = self.copy(notes).verdict()
        if verdict.verdict == "fault":
            raise RecordError(
                _(
                    "Your copy is at fault, so nothing is signed: entry {entry}, {code}. {reason}",
                    entry=verdict.entry,
                    code=verdict.code,
                    reason=verdict.reason,
                )
            )
        tells = self.copy(notes).tells()
        self._check_public(notes, tells[-1].n - 1 if tells else 0)


def _no_key(home: Path) -> str:
    """What to do where there is no key: it was lost, or nobody has made one."""
    if next((home / "games").glob("*.pbem"), None) is None:
        return _(
            "There is no key in {home}. “pbem setup” makes one, and names your mail account; “pbem key” makes one alone. "
            "If you have one elsewhere, name its folder with --home.",
            home=home,
        )
    return _(
        "There is no key in {home}, though there are games. Put your copy of it back, as {key}; if there is none left, “pbem rekey "
        "--recovery FILE” takes your seats back with the recovery key.",
        home=home,
        key=home / "key",
    )
