"""How many questions have one legal answer, and how many of them are still asked of who keeps the lines of his reports.

    python -m bench.only hammer 10

plays so many games at random and as many between sensible players. What a report offers without a mark is taken as it stands: an
order that goes ahead with it answers the question that it is for.
"""

from __future__ import annotations

import random
import sys
from collections import Counter

from pbem.games import GamePack, find
from pbem.kernel import Ask, Chance, End, Stop
from pbem.look.touches import parts
from pbem.reports.choices import only
from tests.conformance import Given, outcome


class Counted:
    """What is counted over some games: questions by kind, those with one answer, and those that were answered ahead."""

    def __init__(self, pack: GamePack, player: str) -> None:
        self.pack, self.bot = pack, pack.bots[player]()
        self.asked, self.forced, self.spared = Counter[str](), Counter[str](), Counter[str]()
        self._ahead: set[str] = set()
        """The seats whose next marked question is answered."""

    def play(self, seed: int) -> None:
        """Play a game to its end."""
        rules, rng = self.pack.rules, random.Random(f"only {seed}")
        self._ahead.clear()
        stop = rules.start(self.pack.ending({}))
        while not isinstance(stop.wants, End):
            stop = rules.step(stop.state, self._given(stop, rng))

    def _given(self, stop: Stop, rng: random.Random) -> Given:
        if isinstance(stop.wants, Chance):
            return outcome(stop.wants, rng)
        assert isinstance(stop.wants, Ask)
        found = {}
        for seat in stop.wants.seats:
            view = self.pack.rules.read_view(self.pack.rules.view(stop.state, seat))
            kind = f"{stop.wants.what}{', marked' if stop.wants.mark else ''}"
            self.asked[kind] += 1
            if only(view, self.pack):
                self.forced[kind] += 1
                self.spared[kind] += stop.wants.mark and seat in self._ahead
            if stop.wants.mark:
                lines = parts([line for line in self.pack.look.template(view).split("\n") if line[:1] != "#"])
                self._ahead = self._ahead - {seat} | ({seat} if lines.ahead else set())
            found[seat] = self.bot.answer(view, rng)
        return found


def main(game: str, games: int) -> None:
    """Print the figures of both kinds of players."""
    for player in ("random", "sensible"):
        counted = Counted(find(game), player)
        for seed in range(games):
            counted.play(seed)
        asked, forced, spared = (sum(n.values()) for n in (counted.asked, counted.forced, counted.spared))
        print(
            f"{game}, {player}: {asked} questions in {games} games; {forced} have one answer ({forced / asked:.1%}), of which "
            f"{spared} were sent ahead: {forced - spared} are asked ({(forced - spared) / asked:.1%})"
        )
        for kind, n in counted.forced.most_common():
            print(f"  {kind}: {n} of {counted.asked[kind]}, {counted.spared[kind]} ahead")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "hammer", int(sys.argv[2]) if len(sys.argv) > 2 else 10)
