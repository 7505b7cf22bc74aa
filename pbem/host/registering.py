"""The host's register in its store: the rated games in it, and which may be entered.

A game is entered inside the decision that opens it, and again inside the decision by which it begins; each pair succeeds or fails
together. Only rated games are entered: a register is given out, and the players of others have not agreed to be named. For the
content of a line and the chain of lines see `ledger.register`.
"""

from __future__ import annotations

from collections.abc import Mapping

from pbem.errors import FormError, UsageError
from pbem.i18n import _
from pbem.kernel import Json
from pbem.ledger import check_key_line, fingerprint, sha256_hex
from pbem.ledger.register import PLACE, Register, begun, is_rated, opened, opening, place_in_register

from .hosted import HostedGame, House
from .store import Store
from .store.rows import GameRow


def register_of(store: Store) -> Register:
    """Return the register in the store. Raises FormError if a line is damaged."""
    found, why = _sound(store)
    if why:
        raise FormError(
            _(
                "Line {number} of the register in the host's store is damaged: {why}. Restore the register "
"from a copy that was given out (“pbem host register --from FILE”), or the store from a "
"backup. Until then no rated game is opened.",
                number=len(found.lines) + 1, why=why,
            )
        )  # fmt: skip
    return found


def check_register(store: Store) -> str:
    """Read the register; return a sentence. Raises UsageError for a damaged line."""
    try:
        found = register_of(store)
    except FormError as error:
        raise UsageError(str(error)) from error
    return _("The register of rated games is in order, to its line {n}.", n=len(found.lines))


def _sound(store: Store) -> tuple[Register, str]:
    """Return the register's lines before the first damaged one, and the damage; "" if there is none."""
    found = Register()
    for line in store.values("register", "line"):
        try:
            found.add(bytes(line))
        except FormError as error:
            return found, str(error)
    return found, ""


def with_place(house: House, terms: Mapping[str, Json]) -> Mapping[str, Json]:
    """Return the terms of a new game; for a rated game, with the line of the register after which it will be entered.

    Raises UsageError if another key now keeps the register.
    """
    if not terms.get("rated"):
        return terms
    register = _begun_register(house)
    if register.key != house.key.key_line:
        raise UsageError(
            _(
                "The register of this host is kept by another key now, {key}: open rated games there.",
                key=fingerprint(register.key),
            )
        )
    return {**terms, PLACE: list(register.head)}


def enter_opened(house: House, g: str, first: Mapping[str, Json]) -> None:
    """Enter a rated game that is opened; a game already entered is left as it is.

    A game restored from a copy is entered at the place that its entry 0 names, or not at all. If the register has lost that line,
    take back the lines that were given out first.
    """
    if not is_rated(first):
        return
    register = _begun_register(house)
    if g not in register.opened and place_in_register(first) == register.head and register.key == house.key.key_line:
        _enter(house, register, opened(g, first))


def enter_begun(game: HostedGame) -> None:
    """Enter that a rated game begins, where it was opened in this register and its line is not there yet."""
    if not is_rated(game.ledger.entry(0)):
        return
    register = register_of(game.house.store)
    if game.g not in register.opened or game.g in register.begun or register.key != game.house.key.key_line:
        return
    if said := begun(game.g, game.ledger.entries(), game.ledger.hash_of):
        _enter(game.house, register, said)


def misses(game: HostedGame) -> bool:
    """Is a game rated, and opened in no line of the register here?"""
    return is_rated(game.ledger.entry(0)) and game.g not in register_of(game.house.store).opened


def register_head(game: HostedGame) -> tuple[int, str] | None:
    """Return number and hash of the register's last line, as letters of a rated game tell it; None for other games.

    Of a register that was read when its lines were entered nothing is checked again: letters are many.
    """
    if not is_rated(game.ledger.entry(0)) or (last := game.house.store.last_in_register()) is None:
        return None
    return last[0], sha256_hex(last[1])


def take_back(house: House, data: bytes) -> int:
    """Add the further lines of a register that was given out; return their number.

    This is for a host that restored a backup or lost its store, and for a host whose key continues another one's register. Damaged
    lines are replaced. Raises UsageError if the register here is not a beginning of the other, or is longer and damaged, or
    another key keeps it.
    """
    try:
        given = Register.parse(data)
    except FormError as error:
        raise UsageError(_("This register is not in order: {why}.", why=error)) from error
    with house.store.decision():
        own, why = _sound(house.store)
        if (parting := own.parting(given)) is not None:
            raise UsageError(
                _(
                    "The two registers differ from line {number} on: the store's lines were signed again after a "
                    "backup was restored. Restore the backup again, and take in the register before you do "
                    "anything more.",
                    number=parting + 1,
                )
            )
        if given.key != house.key.key_line:
            raise UsageError(
                _(
                    "This register is kept by the key {key}, and this host has {own}.",
                    key=fingerprint(given.key), own=fingerprint(house.key.key_line),
                )
            )  # fmt: skip
        further = given.lines[len(own.lines) :]
        damaged = house.store.values("register", "n")[len(own.lines) :] if why else []
        if len(damaged) > len(further):
            raise UsageError(
                _(
                    "The register in the store is damaged from line {number} on. It has {n} lines, but the one "
"you gave has {given}, so the remaining lines would be lost. Use the longest register that "
"was given out, or restore the store from a backup.",
                    number=len(own.lines) + 1, n=len(own.lines) + len(damaged), given=len(given.lines),
                )
            )  # fmt: skip
        for n in damaged:
            house.store.delete("register", n=n)
        for entry in further:
            house.store.insert("register", n=entry.n, line=entry.line)
    return len(further)


def hand_over(house: House, key_line: str, at: str) -> None:
    """Name the key that continues the register. Raises UsageError while a rated game is opened and has not begun."""
    try:
        check_key_line(key_line)
    except FormError as error:
        raise UsageError(_("Nothing can be handed over to this key: {why}.", why=error)) from error
    with house.store.decision():
        register = register_of(house.store)
        if register.key != house.key.key_line:
            raise UsageError(_("This host has no register to hand over."))
        open_still = [row.id for row in house.store.find(GameRow, stage="joining") if row.g in register.opened]
        if open_still:
            raise UsageError(
                _(
                    "Game {number} is rated and has not begun: wait until all its seats are taken, or call it off.",
                    number=open_still[0],
                )
            )
        try:
            _enter(house, register, {"k": "key", "key": key_line, "at": at})
        except FormError as error:
            raise UsageError(_("Nothing can be handed over to this key: {why}.", why=error)) from error


def _begun_register(house: House) -> Register:
    register = register_of(house.store)
    if not register.lines:
        _enter(house, register, opening(house.key.key_line))
    return register


def _enter(house: House, register: Register, said: Mapping[str, Json]) -> None:
    entry = register.sign(house.key, said)
    house.store.insert("register", n=entry.n, line=entry.line)
