"""The place of letters to built-in players: they never leave the host. The module does not know the players or their answers.

An address below `.invalid` can be nobody's (RFC 2606), so no letter to one goes out by mistake.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from pbem import private
from pbem.errors import system_said
from pbem.games import GamePack
from pbem.games.manifests import players_version
from pbem.i18n import _
from pbem.kernel import Json

from .hosted import HostedGame, House
from .store.keeping import OVER
from .store.rows import LetterRow, SeatRow

DOMAIN = "built-in.invalid"
FOLDER = "built-in"
DESK = "desk"
"""The folder of a player's client, in the player's folder."""
WHOLE = ("key", "key.pub", "settings.json")
"""The files that every desk has."""
_NAMED = re.compile(r"([1-9][0-9]{0,17})\.([a-z][a-z0-9_]*)")
"""The name of a seat's folder: the number of its game, and the seat."""


def address_of(seat: str, player: str) -> str:
    """Return the address of a seat that a built-in player fills."""
    return f"{seat}.{player}@{DOMAIN}"


def player_named(pack: GamePack, name: str) -> dict[str, Json]:
    """Return a built-in player of a game as entry 0 names it."""
    return {"player": name, "ver": players_version(pack), "playouts": pack.bots[name]().playouts}


def is_built_in(address: str) -> bool:
    """Is it the address of a built-in player?"""
    return address.endswith(f"@{DOMAIN}")


def make_folder(host: Path, game: int, seat: str) -> None:
    """Create a seat's folder for its letters. If that fails, only this seat's letters wait, and they report the fault."""
    with suppress(OSError):
        private.make_folder(_folder(host, game, seat))


def folder_for(house: House, host: Path, letter: LetterRow) -> Path | None:
    """Return the folder for a letter to a built-in player, whether or not it exists; None for all others."""
    if letter.game is None or not is_built_in(letter.address):
        return None
    folder = _folder(host, letter.game, letter.seat)
    return folder if letter.seat and (_is_there(folder) or _is_his(house.game(letter.game), letter.seat)) else None


def _is_there(folder: Path) -> bool:
    """Is there such a folder, and can it be looked into?"""
    with suppress(OSError):
        return folder.is_dir()
    return False


def _folder(host: Path, game: int, seat: str) -> Path:
    return host / FOLDER / f"{game}.{seat}"


def _is_his(game: HostedGame, seat: str) -> bool:
    """Is it a built-in player that was given a seat? Anybody can name an address of that kind."""
    return seat in game.ledger.entry(0)["terms"].get("built_in", {})


def without_folder(house: House, host: Path) -> list[tuple[HostedGame, str]]:
    """Return the seats of built-in players without a folder in running games: only the store was restored."""
    return [(game, seat) for game, seat, folder in _seats(house, host) if not _is_there(folder)]


def _seats(house: House, host: Path) -> Iterator[tuple[HostedGame, str, Path]]:
    """Go through the seats that built-in players fill in games that are on, with their folders."""
    for row in house.store.find(SeatRow, order="game, seat"):
        if is_built_in(row.address):
            game = house.game(row.game)
            if game.stage not in OVER and _is_his(game, row.seat):
                yield game, row.seat, _folder(host, row.game, row.seat)


def seated(host: Path) -> list[tuple[int, str, Path]]:
    """Return the game number, seat and folder of each seat with a folder here, by game. Other files beside them are ignored."""
    found = ((_NAMED.fullmatch(path.name), path) for path in (host / FOLDER).glob("*.*") if _is_there(path))
    return sorted((int(named[1]), named[2], path) for named, path in found if named)


def folders(host: Path) -> list[Path]:
    """Return the folders of all seats that built-in players fill, by number and seat."""
    return [path for _game, _seat, path in seated(host)]


def check(house: House, host: Path) -> Iterator[str]:
    """Go through what keeps built-in players from their games that are on, in sentences."""
    for _game, _seat, folder in _seats(house, host):
        for path in (host / FOLDER, folder, folder / "in", folder / "out", folder / DESK):
            try:
                if path.exists() and not path.is_dir():
                    yield _("{path} is not a folder: a built-in player waits until you move it away.", path=path)
                elif path.exists() and not os.access(path, os.W_OK | os.X_OK):
                    yield _("Nothing can be written to {path}, where a built-in player is at work.", path=path)
            except OSError as error:
                yield _("{path} cannot be used by a built-in player: {why}.", path=path, why=system_said(error))
        lost = [name for name in WHOLE if not (folder / DESK / name).is_file()] if _is_there(folder / DESK) else []
        if lost:
            yield _(
                "The desk {path} of a built-in player is incomplete. Missing: {names}. The host makes the "
"desk again when it next works.",
                path=folder / DESK, names=", ".join(lost),
            )  # fmt: skip
