"""A witness, to whom two friends send copies of their letters: keeps their log, and notes when each part came.

A witness has no key of the game, so they cannot read hidden information, and see only the faults that anybody can see. They decide
nothing. Their copy replaces one lost with a disk, and their times show since when somebody has been waiting.
"""

from __future__ import annotations

import json
import re
from datetime import datetime
from typing import TYPE_CHECKING, Any

from pbem import private
from pbem.errors import PbemError, RecordError
from pbem.i18n import _
from pbem.ledger import read_line, sha256_hex
from pbem.ledger.first_line import TWO, WORD, mode_of_lines
from pbem.player.copy import check_lines
from pbem.player.reading import opened
from pbem.records import dataclass

from .letters import game_of
from .table import PairTable, damaged
from .talk import apart, check_word

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


_ID = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class Came:
    """What a letter brought: up to which entry, and when it was read; `word` is one that was said and signed beside the log."""

    n: int
    at: str
    word: dict[str, Any] | None = None


class Witnessed:
    """One game that a witness watches: its log, and when what came."""

    def __init__(self, folder: Path, game: str) -> None:
        self.table = PairTable(folder / f"{game[:16]}.pbem", folder / f"{game[:16]}.none")
        self._times = folder / f"{game[:16]}.times"

    @property
    def came(self) -> list[Came]:
        """All letters, in the order of their arrival. Raises RecordError if their file is damaged."""
        if not self._times.is_file():
            return []
        try:
            return [_came(json.loads(line)) for line in self._times.read_text("utf-8").splitlines()]
        except (LookupError, TypeError, ValueError) as why:
            raise RecordError(
                _(
                    "The times {path} are damaged ({why}). Move the file away: the log is not touched by it, and later letters are "
                    "noted in a new one.",
                    path=self._times,
                    why=why,
                )
            ) from why

    @property
    def name(self) -> str:
        """Which game it is."""
        rules = self.table.entries[0].fields["rules"]
        try:
            title = self.table.pack.rules.title
        except PbemError:  # a witness needs not have the game
            title = str(rules["id"])
        return _("{title}, game {game}", title=title, game=self.table.game[:8])

    def seat_name(self, seat: str) -> str:
        """Return the name of a seat, or the seat itself if the game is not installed."""
        try:
            return self.table.pack.look.seat_name(seat)
        except PbemError:
            return seat

    @property
    def standing(self) -> str:
        """The game's state without using the rules: the seat to move, or that it is over."""
        return self.table.verdict(self.seat_name).reason

    @property
    def forks(self) -> list[Path]:
        """The evidence of turns that were signed twice, or against the form, beside the log."""
        return [one for one in map(self.table.path.with_suffix, (".fork", ".fault")) if one.is_file()]

    def take(self, log: bytes, at: str) -> list[int]:
        """Take the lines of a letter; return the numbers of the entries that are new. Raises RecordError: then nothing is taken."""
        came = self.came
        new = self.table.brought(log).entries
        if new:
            trial = self.table.beside()
            trial.entries += new
            verdict = trial.verdict(self.seat_name if self.table.entries else str)
            if verdict.verdict == "fault":
                raise RecordError(_("Nothing has been taken from this letter: {why}", why=verdict.reason))
            private.make_folder(self.table.path.parent)
            self.table.grow(new)
        if max((one.n for one in came), default=-1) < self.table.head[0]:  # also where he was stopped in between
            self._note([*came, Came(self.table.head[0], at)])
        return [entry.n for entry in new]

    def hear(self, word: dict[str, Any], at: str) -> str:
        """Take a statement made outside the log; return its word. Raises RecordError if no player of this game made it now."""
        came = self.came
        what = check_word(word, self.table, "")
        if all(one.word != word for one in came):
            self._note([*came, Came(self.table.head[0], at, word)])
        return what

    def _note(self, came: list[Came]) -> None:
        lines = [
            json.dumps({"n": one.n, "at": one.at} | ({"word": one.word} if one.word else {}), sort_keys=True)
            for one in came
        ]
        private.put(self._times, "".join(f"{line}\n" for line in lines).encode())


def _came(line: Any) -> Came:
    n, at, word = line["n"], line["at"], line.get("word")
    if type(n) is not int or not isinstance(at, str) or not (word is None or isinstance(word, dict)):
        raise ValueError(_("a line is not from a witness"))
    datetime.fromisoformat(at)
    return Came(n, at, word)


class Witness:
    """A folder in which the games of others are kept."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def games(self, troubles: list[str] | None = None) -> Iterator[Witnessed]:
        """Yield all games, the most recently active last.

        A damaged game is reported in `troubles`, and stops no other. Without `troubles` it raises RecordError.
        """
        found = []
        for path in sorted(self.folder.glob("*.pbem")):
            try:
                game = Witnessed(self.folder, path.stem)
                found.append(([came.at for came in game.came[-1:]], path, game))
            except PbemError as why:
                if troubles is None:
                    raise
                troubles.append(str(why))
        for _last, _path, game in sorted(found, key=lambda one: one[:2]):
            yield game

    def read(self, raw: bytes, at: str) -> str:
        """Take a letter that two friends send each other; return what it brought. Raises RecordError, with nothing taken."""
        log, _words = apart(opened(raw)[0].log)  # what the two write to each other is not for him
        if mode_of_lines(log) != TWO:
            raise RecordError(
                _(
                    "This is not a letter of a game that two play without a host: a witness keeps only such "
                    "games. Their letters come as mails, as files (.eml), or as logs (.pbem)."
                )
            )
        check_lines(log, damaged)
        line = log.split(b"\n", 1)[0]
        first = read_line(line)
        begins = first.get("k") == "game"
        game = self._watched(sha256_hex(line) if begins else game_of(log))
        if not (game.table.entries or begins):
            raise RecordError(
                _(
                    "No letter of this game has come here before, and this one does not begin with its first entry. Ask one of the "
                    "two for the whole log: “pbem copy” sends it."
                )
            )
        if first.get("do") == WORD:
            what = game.hear(first, at)
            seat = game.seat_name(first["say"]["seat"])
            return _("{game}: {seat} says “{what}”, beside the log; noted.", game=game.name, seat=seat, what=what)
        new = game.take(log, at)
        if not new:
            return _("{game}: nothing in this letter is new.", game=game.name)
        seat = game.seat_name(game.table.entries[-1].fields["by"])
        if len(new) == 1:
            return _("{game}: entry {n} is kept, of {seat}.", game=game.name, n=new[0], seat=seat)
        return _("{game}: entries {n} to {last} are kept.", game=game.name, n=new[0], last=new[-1])

    def _watched(self, game: str) -> Witnessed:
        if not _ID.fullmatch(game):  # it becomes the name of a file
            raise RecordError(
                _("“{game}” is not the id of a game: nothing has been taken from this letter.", game=game[:80])
            )
        return Witnessed(self.folder, game)
