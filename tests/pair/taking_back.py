"""Games of two in which answers are taken back, again and again: what stands in the end is what would have stood without."""

from __future__ import annotations

import json
import random
from typing import Any

from pbem.games import GamePack
from pbem.kernel import Json
from pbem.ledger import Entry, cj, sha256_hex
from pbem.ledger.pair import known_course, signed_word
from pbem.referee.pair import PairPlay

from .hosted import Watched
from .playing import Couple

AGREE: Json = {"do": "say", "what": "agree"}


def asked_back(couple: Couple, seat: str) -> Json:
    """What a seat says when it wants its last answers back."""
    return signed_word(couple.keys[seat], couple.plays[seat].vault, couple.plays[seat].course.head, "back")


def taken_back(couple: Couple) -> None:
    """Whoever was on turn last takes his answers back, and the other consents."""
    course = next(iter(couple.plays.values())).course
    friend = course.baton
    couple.give(
        friend, couple.plays[friend].turn(couple.keys[friend], None, [asked_back(couple, course.other(friend)), AGREE])
    )


class Hesitant(Watched):
    """Two who answer by what they see; with `doubts` of a hundred they answer otherwise first, or the same, and take it back."""

    def __init__(self, pack: GamePack, options: Json, seed: str, doubts: int, rules: str = "0" * 64) -> None:
        super().__init__(pack, options, seed, rules_sha256=rules)
        self.doubts, self.backs, self._chance = doubts, 0, random.Random(f"doubts {seed}")

    def answer(self, _game: Any, view: Any) -> str:
        seat = next(iter(self.plays.values())).course.baton
        own = cj(self.plays[seat].peer.own)
        self.seen[seat].append(own)
        rng = random.Random(sha256_hex(f"{self.seed} {seat} ".encode() + own))
        return str(self._bots[seat].answer(view, rng))

    def play(self, answer: Any, most: int = 100_000) -> bool:
        for _mail in range(most):
            course = next(iter(self.plays.values())).course
            if course.is_over:
                return True
            seat = course.baton
            while self._chance.randrange(100) < self.doubts and (other := self._otherwise(seat)):
                self.give(seat, other)
                self._back()
            asked = len(self.seen[seat])
            self.give(seat, self._made(self.plays[seat]))
            if self._chance.randrange(100) < self.doubts and self.plays[seat].course.can_go_back(seat):
                self._back()
                del self.seen[seat][asked:]
        return False

    def _back(self) -> None:
        taken_back(self)
        self.backs += 1

    def _made(self, play: PairPlay, rng: random.Random | None = None) -> list[Entry]:
        made = play.turn(self.keys[play.seat])
        while not made:
            text = str(play.game.options(play.view).sample(rng)) if rng else self.answer(play.game, play.view)
            made = play.turn(self.keys[play.seat], text)
        return made

    def _otherwise(self, seat: str) -> list[Entry]:
        """A turn of chance that could be taken back; none where the one that was tried could not."""
        play, knowing = self.plays[seat], self.pack.knowing
        kept = play.kept()
        if kept is None or knowing is None or play.result is not None:
            return []
        trial = PairPlay.again(knowing, known_course(self.entries), play.vault, read(kept))
        made = self._made(trial, self._chance)
        if not trial.course.can_go_back(seat):
            return []
        self.plays[seat] = trial
        return made


def read(kept: Json) -> Json:
    """As it is when it was written down and read."""
    return json.loads(cj(kept))
