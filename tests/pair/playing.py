"""Two seats that play a game without a host, and send each other what their programs make."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from pbem.games import GamePack, find
from pbem.kernel import Json
from pbem.ledger import Entry, PrivateKey, group, keys, player_root, sha256_hex, shuffle
from pbem.ledger.makers import ladder
from pbem.ledger.pair import (
    PairCourse,
    Vault,
    append,
    checked,
    first_entry,
    joined,
)
from pbem.ledger.pair.vault import secret_of
from pbem.referee.pair import PairPlay

Player = Callable[[Any, Any], str]
"""What a seat orders, by the game and its own view."""


def key_of(name: str) -> PrivateKey:
    return PrivateKey.from_seed(bytes.fromhex(sha256_hex(name.encode())))


def forgotten() -> None:
    """Let the program know nothing of what it has reckoned: else one seat's program lives by what the other's has."""
    for kept in (
        shuffle.proves,
        group._element, group.multiple, ladder._written, group.hashed, group._holds, keys._unusable, keys._public_key,
    ):  # fmt: skip
        kept.cache_clear()


class Couple:
    """Two programs, and all entries so far; `play` goes on to the end."""

    def __init__(self, pack: GamePack, options: Json, seed: str = "1", rules_sha256: str = "0" * 64) -> None:
        self.pack, self.seed = pack, seed
        self.options = pack.ending(dict(options))
        self.seats = pack.rules.seats(self.options)
        rules = {"id": pack.rules.id, "ver": pack.rules.version, "sha256": rules_sha256}
        first = append(
            (-1, "0" * 64), first_entry(rules, self.options, self.seats, sha256_hex(seed.encode()), {"hours": 0})
        )
        self.entries: list[Entry] = [first]
        self.keys = {seat: key_of(f"{seed} {seat}") for seat in self.seats}
        for seat in self.seats:
            vault = Vault(first.hash, seat, secret_of(player_root(self.keys[seat]), first.hash, seat))
            last = self.entries[-1]
            cards = pack.knowing.next_deck() if pack.knowing else ()
            said = joined(self.keys[seat], vault, (last.n, last.hash), self.seats, cards)
            self.entries.append(append((last.n, last.hash), said))
        self.plays = {seat: self.again(seat) for seat in self.seats}
        self.mails = self.decisions = 0
        self.plans: dict[str, str] = {}
        """By seat, the plans that it pledges itself to where a contest begins."""

    def again(self, seat: str) -> PairPlay:
        """What a seat's program makes of the log by itself."""
        assert self.pack.knowing is not None
        return PairPlay.of(self.pack.knowing, self.entries, self.keys[seat])

    def give(self, seat: str, made: list[Entry]) -> None:
        """Send what a seat has signed to the other."""
        self.entries += made
        self.mails += bool(made)
        for entry in made:
            self.plays[self.plays[seat].other].take_entry(entry)

    def play(self, answer: Player, most: int = 100_000) -> bool:
        """Let both go on until the game is over (True), or so many mails were sent."""
        for _mail in range(most):
            course = next(iter(self.plays.values())).course
            if course.is_over:
                return True
            seat = course.baton
            play, plans = self.plays[seat], self.plans.get(seat, "")
            made = play.turn(self.keys[seat], plans=plans)
            while not made:
                assert play.question, play.needs()
                self.decisions += 1
                made = play.turn(self.keys[seat], answer(self.pack.rules, play.view), plans=plans)
            self.give(seat, made)
        return False

    def dump(self) -> bytes:
        return b"".join(entry.line + b"\n" for entry in self.entries)


def at_random(seed: int) -> Player:
    rng = random.Random(seed)

    def answer(game: Any, view: Any) -> str:
        return str(game.options(view).sample(rng))

    return answer


__all__ = ["Couple", "PairCourse", "at_random", "checked", "find", "forgotten", "key_of"]


def offering() -> tuple[Couple, str]:
    """A game in which a draw is offered with an order, and the other then decides nothing in his turn."""
    couple = Couple(find("tiny"), {"players": 2})
    couple.play(at_random(1), most=12)
    for _turn in range(50):
        seat = couple.plays["ann"].course.baton
        play, other = couple.plays[seat], couple.plays[seat].other
        draw = [{"do": "say", "what": "draw"}]
        if made := play.turn(couple.keys[seat]):
            couple.give(seat, made)
            continue
        couple.give(seat, play.turn(couple.keys[seat], str(play.game.default(play.view)), besides=draw))
        if made := couple.plays[other].turn(couple.keys[other]):
            couple.give(other, made)
            return couple, seat
        couple.give(
            other, couple.plays[other].turn(couple.keys[other], at_random(1)(play.game, couple.plays[other].view))
        )
    raise AssertionError
