"""Rated games for tests: tables of Tiny, whose players have keys of their own."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

from tiny_game.rules import Tiny

from pbem.games import manifest
from pbem.ledger import Log, PrivateKey, fingerprint, sha256_hex
from pbem.ledger.register import PLACE, Register, begun, opened, opening
from pbem.referee.table import Table

CLUB = "the club"
EXAMPLES = Path(__file__).parents[2] / "examples"


def key(name: str) -> PrivateKey:
    """Return the key of somebody, by what he is called here."""
    return PrivateKey.from_seed(bytes.fromhex(sha256_hex(name.encode())))


def known(name: str) -> str:
    """Return the fingerprint of that key."""
    return fingerprint(key(name).key_line)


def table(seed: str, *players: str, host: str = CLUB, turns: int = 2, **more: Any) -> Table:
    """Return a rated game of Tiny that has begun; the players take its seats in their order."""
    options = {"players": len(players), "turns": turns}
    keys = dict(zip(Tiny().seats(options), map(key, players), strict=True)) | {"host": key(host)}
    return Table(Tiny(), options, seed, manifest("tiny")[1], keys=keys, **{"hours": 24, "rated": True, **more})


def to_its_end(played: Table) -> bytes:
    """Play on at random, and return the log."""
    chance = random.Random(played.id)
    played.play(lambda seat, view: str(played.game.options(view).sample(chance)))
    return played.whole()


def ended(seed: str, *players: str, **more: Any) -> bytes:
    """Return the log of a rated game that was played to its end."""
    return to_its_end(table(seed, *players, **more))


def a_register(host: str = CLUB) -> Register:
    """Return the register of a host that has opened no game yet."""
    register = Register()
    register.sign(key(host), opening(key(host).key_line))
    return register


def below(register: Register) -> dict[str, Any]:
    """Return the term of a game that will be entered below the last line of a register."""
    return {PLACE: list(register.head)}


def entered(register: Register, seed: str, *players: str, host: str = CLUB, begins: bool = True, **more: Any) -> Table:
    """Return a rated game as `table` does, that a host enters in its register when it is opened, and when it begins."""
    played = table(seed, *players, host=host, **below(register), **more)
    log = Log.parse(played.whole())
    register.sign(key(host), opened(played.id, log.entries[0].fields))
    if begins:
        said = begun(played.id, [entry.fields for entry in log.entries], lambda n: log.entries[n].hash)
        assert said is not None
        register.sign(key(host), said)
    return played
