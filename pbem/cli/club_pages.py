"""The command host pages: the public facts of a host's games, as pages for any web server.

A game in which nothing has happened since the last time keeps its files, and is skipped. The list that comes with the pages records
what they were made from. The command deletes only files of games that are no longer shown.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import asdict, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pbem import __version__
from pbem.errors import PbemError, UsageError, system_said
from pbem.i18n import _, speaking, spoken
from pbem.private import PART
from pbem.records import dataclass

from .common import rules_lent
from .ratings import named_keys

if TYPE_CHECKING:
    from pbem.club.pages import GameListed, PublicGame, TableListed
    from pbem.club.rating_list import RatingList
    from pbem.club.results import LeftOut, RatedGame
    from pbem.games.shelf import Lender
    from pbem.host import Office
    from pbem.host.settings import ClubPages

_OURS = re.compile(r"games/[0-9a-f]{16}(-replay|-story(-[a-z][a-z0-9_]*)?|-feed)?\.(html|png|pbem|xml)")


def write(
    office: Office, settings: ClubPages, language: str = "", out: Path | None = None, *, anew: bool = False
) -> Site:
    """Write a host's pages, as named by its settings; return the pages written. Raises UsageError."""
    from pbem.host.door.publishing import check_folder

    folder = out or office.folder / settings.folder
    check_folder(folder, office.folder, office.settings.door)
    names = dict(named_keys(office.folder / settings.names)) if settings.names else {}
    with speaking(language or office.settings.language):
        site = Site(office, folder, names, anew=anew)
        try:
            site.write(settings.title, settings.watch)
        except OSError as error:
            raise UsageError(
                _("The pages cannot be written to {folder}: {why}.", folder=site.folder, why=system_said(error))
            ) from error
    return site


@dataclass
class Site:
    """The folder with the pages, as it is brought up to date once."""

    office: Office
    folder: Path
    called: Mapping[str, str]
    anew: bool = False
    rows: list[GameListed] = field(default_factory=list)
    made: int = 0
    troubles: list[str] = field(default_factory=list)

    def write(self, title: str, watch: str) -> None:
        """Write the new pages, then the list, then delete the pages no longer shown."""
        from pbem.club.pages import Club
        from pbem.host import observers
        from pbem.host.registering import register_of
        from pbem.ledger import fingerprint

        old = self._old()
        with rules_lent(None) as lent:
            for row in observers.shown(self.office.store, watch):
                try:
                    self.rows.append(self._row(row.id, row.title, old, lent))
                except PbemError as error:
                    self.troubles.append(_("Game {number} is not shown: {why}", number=row.id, why=error))
        self.rows.sort(key=lambda row: (row.at, row.id), reverse=True)
        register = register_of(self.office.store)
        club = Club(
            title, fingerprint(self.office.robot.house.key.key_line), __version__, self.rows,
            self._ratings(),
            (register.head[0] + 1, register.head[1]) if register.lines else None, self.called, self._tables(),
            self.office.settings.address if self.office.settings.club else "",
            [json.loads(told) for _name, told in sorted(self.office.store.notes(observers.STANDING).items())],
        )  # fmt: skip
        whole = [*club.files(), *([("register.jsonl", register.dump())] if register.lines else [])]
        for name, data in whole:
            self._put(name, data)
        self._sweep({name for row in self.rows for name in row.files})

    def _sweep(self, kept: set[str]) -> None:
        """Delete the files of games that are no longer shown, by file name: the list may be wrong if a run was killed."""
        games = self.folder / "games"
        for path in games.iterdir() if games.is_dir() else ():
            name = f"games/{path.name}"
            if name not in kept and _OURS.fullmatch(name.removesuffix(PART)):
                path.unlink(missing_ok=True)

    def _tables(self) -> list[TableListed]:
        """Return what everybody may know of the tables that wait."""
        from pbem.club.pages import TableListed
        from pbem.host import tables

        house, found = self.office.robot.house, list[TableListed]()
        for table in tables.waiting(self.office.store) if self.office.settings.club else ():
            said = tables.told(house, table)
            lines = [*said["options"], *said["terms"]]
            found.append(TableListed(table.id, said["game"], lines, tables.free(house, table)))
        return found

    def _ratings(self) -> RatingList:
        """Return the lists of ratings; none, which is said, where the library for them is missing."""
        from pbem.club.rating_list import RatingList

        try:
            return RatingList.of(_result(row.rated) for row in self.rows if row.rated)
        except UsageError as error:
            self.troubles.append(str(error))
            return RatingList.of(())

    def _old(self) -> dict[str, GameListed]:
        """Return the rows of the folder's list, by game id; empty if this release did not write that list in this form."""
        from pbem.club.pages import FORMAT, LIST, GameListed

        try:
            told = json.loads((self.folder / LIST).read_text("utf-8"))
            if (told["format"], told["pbem"], told["language"]) != (FORMAT, __version__, spoken()):
                return {}
            return {row["id"]: GameListed(**row) for row in told["games"]}
        except (OSError, ValueError, LookupError, TypeError):
            return {}

    def _row(self, number: int, title: str, old: Mapping[str, GameListed], lent: Lender) -> GameListed:
        from pbem.club.pages import GameListed, PublicGame
        from pbem.games import find
        from pbem.host import observers
        from pbem.host.sound import damaged, log_fault
        from pbem.i18n.visible import in_a_line
        from pbem.reports.told import sense

        game = self.office.robot.house.game(number)
        before = old.get(game.g)
        if before and before.head == game.ledger.head and not self.anew and self._has(before):
            return replace(before, title=in_a_line(title))
        if why := log_fault(self.office.store, game.row):
            if before and self._has(before):  # it was made of the whole log
                kept = _(
                    "The published pages of game {number} stay as they were. {why}",
                    number=number,
                    why=damaged(game.row, why),
                )
                self.troubles.append(kept)
                return replace(before, title=in_a_line(title))
            raise UsageError(damaged(game.row, why))
        log = observers.shown_log(game.ledger)
        shown = PublicGame(title, log, find(game.row.game))
        rated: Any = None
        if shown.over:
            shown, rated = self._judged(shown, lent)
        with sense(_("What its log tells makes no sense to these rules.")):
            files = dict(shown.files([("../index.html", _("All games"))]))
        for name, data in files.items():
            self._put(f"games/{name}", data)
        self.made += 1
        return GameListed.of(shown, [f"games/{name}" for name in files], rated)

    def _judged(self, game: PublicGame, lent: Lender) -> tuple[PublicGame, Any]:
        """Return a finished game with its audit's result, and its contribution to the ratings."""
        from pbem.club.results import result_of
        from pbem.games import installed
        from pbem.ledger.register import is_rated
        from pbem.referee.audit import audit

        data = game.log.dump()
        verdict = audit(data, installed, lent).verdict
        rated = asdict(result_of(data, installed, lent)) if is_rated(game.first) else None
        return replace(game, verdict=verdict.verdict), rated

    def _has(self, row: GameListed) -> bool:
        paths = [self.folder / name for name in row.files]
        # an empty one: the power failed behind its name
        return all(path.is_file() and path.stat().st_size for path in paths)

    def _put(self, name: str, data: bytes) -> None:
        """Write a file that everybody can read, whole or not at all; one that is the same already is left alone."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_name(f"{path.name}{PART}")
        part.unlink(missing_ok=True)
        if path.is_file() and path.read_bytes() == data:
            return
        with part.open("xb") as file:  # never through a link that somebody has laid there
            file.write(data)
        part.replace(path)


def _result(told: Mapping[str, Any]) -> RatedGame | LeftOut:
    """Return what a row keeps of what its game gives to the ratings."""
    from pbem.club.results import LeftOut, RatedGame

    if "why" in told:
        return LeftOut(**told)
    keys = {seat: tuple(keys) for seat, keys in told["keys"].items()}
    return RatedGame(**{**told, "hosts": tuple(told["hosts"]), "keys": keys, "winners": tuple(told["winners"])})
