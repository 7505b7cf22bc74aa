"""Where letters to built-in players lie: they never leave the host. Who they are and what they answer is not its business.

An address below `.invalid` can be nobody's (RFC 2606), so no letter to one goes out by mistake.
"""

from __future__ import annotations

from pathlib import Path

from pbem import private
from pbem.games import GamePack
from pbem.games.manifests import players_version
from pbem.kernel import Json

from .hosted import HostedGame, House
from .store.keeping import OVER
from .store.rows import LetterRow, SeatRow

DOMAIN = "built-in.invalid"
FOLDER = "built-in"


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
    """Make the folder of a seat, so that its letters go there; nobody else's do, whatever address he names."""
    private.make_folder(host / FOLDER / f"{game}.{seat}")


def seat_folder(host: Path, game: int | None, seat: str) -> Path | None:
    """Return the folder of a seat; None where no built-in player was given it."""
    folder = host / FOLDER / f"{game}.{seat}"
    return folder if seat and folder.is_dir() else None


def folder_for(house: House, host: Path, letter: LetterRow) -> Path | None:
    """Return the folder in which a letter to a built-in player lies, made anew where it has been lost; None for all others."""
    if letter.game is None or not is_built_in(letter.address):
        return None
    if not (folder := seat_folder(host, letter.game, letter.seat)) and _is_his(house.game(letter.game), letter.seat):
        make_folder(host, letter.game, letter.seat)
        folder = seat_folder(host, letter.game, letter.seat)
    return folder


def _is_his(game: HostedGame, seat: str) -> bool:
    """Is it a built-in player that was given a seat? Anybody can name an address of that kind."""
    return seat in game.ledger.entry(0)["terms"].get("built_in", {})


def without_folder(house: House, host: Path) -> list[tuple[HostedGame, str]]:
    """Return the seats of games that are on whose built-in players have no folder: only the store was brought back."""
    found = []
    for row in house.store.find(SeatRow, order="game, seat"):
        if is_built_in(row.address) and seat_folder(host, row.game, row.seat) is None:
            game = house.game(row.game)
            if game.stage not in OVER and _is_his(game, row.seat):
                found.append((game, row.seat))
    return found


def folders(host: Path) -> list[Path]:
    """Return the folders of all seats that built-in players fill, by number and seat."""
    found = (path for path in (host / FOLDER).glob("*.*") if path.is_dir())
    return sorted(found, key=lambda path: (int(path.name.partition(".")[0]), path.name))
