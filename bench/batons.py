"""Why the letters of a game of two change hands, and what sparing some would save: counted on games that were played.

    python -m bench.batons [--games 4] [--keep FOLDER] [--option NAME=VALUE]

The planning players of Hammer sit at desks of their own, as in `bench.of_two`. With `--keep` the logs are kept, and not played
again. A letter is counted by what stands first in it: for that it had to be its author's turn. Each step that one seat tells is
asked whether the other could have told it: a few positions that look to him like the true one all give the same.

What a remedy would save is reckoned on the same games, but where plans are pledged: whoever has the baton says all he can, and what
may be known before is taken for said. It is the most that it could save. As things are, that gives the letters of the log one for
one, which is checked.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from bench.games import chosen
from pbem.games import find
from pbem.kernel import Chance
from pbem.kernel.knowing import is_going
from pbem.ledger import cj
from pbem.ledger.pair import Spoken, known_course, read_pair, verify_pair_checked
from pbem.ledger.pair.course import JOINS
from pbem.referee.pair.as_it_was import TrueSteps, heard_by
from tests.pair.planners import MODES, Planner, played, seated

HAMMER = find("hammer")
GUESSES = 6
"""So many positions the other guesses."""
RIDE_ALONG = ("number", "open", "play", "pledge")
"""What never waits for a letter of its own: a number; what opens cards, which is of the question for them; a pledge."""
TOGETHER = {"part": "part", "link": "link", "share": "share", "over": "over"}
"""What both say, in either order."""
IN_BATTLE = ("battle action", "hits", "retreats", "regroup")


@dataclass
class Item:
    """Something that has to be said before the game goes on: by one, or by each of `by`."""

    what: str
    by: list[str]
    step: str = ""
    asks: str = ""
    in_advance: bool = False
    """Was it answered by a plan, or an order sent ahead?"""
    open: bool = False
    """Could the other have said it, too, by what he knows?"""
    battle: int = -1
    """Where the battle began, of which it is."""


class Kept(NamedTuple):
    """A game that was played."""

    data: bytes
    put: Mapping[str, Collection[int]]
    """By seat, which of its questions a person was asked."""


def game_of(mode: int, seed: int, keep: Path | None, options: Mapping[str, str], *, shows: bool) -> Kept:
    """Play a game, or take what was kept of it; if each `shows` his plans they are pledged in battles."""
    place = keep / f"{HAMMER.rules.id}-{mode}{'-shown' if shows else ''}-{seed}.json" if keep else None
    if place and place.exists():
        found = json.loads(place.read_text())
        return Kept(found["log"].encode(), found["put"])
    with TemporaryDirectory() as folder:
        people = [Planner(HAMMER.rules.id, MODES[mode], f"{seed} {seat}") for seat in (0, 1)]
        desks = seated(Path(folder), HAMMER.rules.id, str(seed), (people[0], people[1]), shows=shows, options=options)
        played(*desks)
        kept = Kept(desks[0].log, {desk.notes.seat: desk.put for desk in desks})
    if place:
        place.write_text(json.dumps({"log": kept.data.decode(), "put": kept.put}))
    return kept


class Told(TrueSteps):
    """A game that is over, from both secrets: all that was said, in its order."""

    def __init__(self, put: Mapping[str, Collection[int]], *about: Any) -> None:
        self.put, self.items, self.mails = put, list[Item](), list[tuple[Item, bool]]()
        """Of each letter what stands first in it; does it hold a decision?"""
        self.asked, self.battle, self.ordered = Counter[str](), -1, (0, 0)
        self._chance, self._n = random.Random(1), -1
        super().__init__(*about)

    def take(self, at: Spoken, act: Mapping[str, Any]) -> None:
        what, goes_on = act["do"], self.result is None
        frame = self.state.stack[-1] if goes_on else None
        item = Item(what, [at.seat], f"{frame.at}.{frame.step}" if frame else "", battle=self.battle)
        if what in ("order", "seal"):
            item.what, item.asks = "answer", self._ask().what
            item.in_advance = self.asked[at.seat] not in self.put.get(at.seat, ())
            self.asked[at.seat] += 1
        if what in ("tell", "part"):
            item.open = self._is_open(at, act)
        if item.step == "battle.action" and what == "tell":
            self.ordered = (frame.round, frame.turn)  # type: ignore[union-attr]
        self._keep(at, item)
        super().take(at, act)

    def _keep(self, at: Spoken, item: Item) -> None:
        if at.n != self._n:
            self.mails.append((item, False))
            self._n = at.n
        if item.what == "answer":
            self.mails[-1] = (self.mails[-1][0], True)
        if item.what in RIDE_ALONG or (item.what == "deck" and not item.step.endswith(".deal")):
            return
        last = self.items[-1] if self.items else None
        both = item.asks if item.asks in ("card", "build") else TOGETHER.get(item.what)
        if both and last and last.what == both and (item.by[0] not in last.by or both == "share"):
            last.by += [seat for seat in item.by if seat not in last.by]
            last.open = last.open and item.open
            return
        if item.step.startswith("battles.") and item.what == "part":
            self.battle = item.battle = len(self.items)
        self.items.append(
            Item(both or item.what, item.by, item.step, item.asks, item.in_advance, item.open, item.battle)
        )

    def _is_open(self, at: Spoken, act: Mapping[str, Any]) -> bool:
        """Does what the other sees tell him the same?"""
        knowing, state, other = self.knowing, self.state, self.course.other(at.seat)
        frame, given = state.stack[-1], self._inputs()
        wanted = None if is_going(state) else self.game.wants(state)
        is_own = isinstance(wanted, Chance) and wanted.owner == at.seat
        if is_own or any(answer.shut for answer in self.given.answers.values()):
            return False
        if frame.at == "battle" and frame.step == "turn":
            may_be_ordered = frame.waiting(state.board) and (frame.round, frame.turn) == self.ordered
            if frame.leaving or (may_be_ordered and not frame.is_over(state.board)):
                return False
        sees = knowing.view(state, other)
        after, events = knowing.go(state, given)
        true = cj([heard_by(events, other), knowing.view(after, other)])
        try:
            for _guess in range(GUESSES):
                guessed, heard = knowing.go(knowing.guess(sees, self._chance), given)
                if cj([heard_by(heard, other), knowing.view(guessed, other)]) != true:
                    return False
        except Exception:  # noqa: BLE001 - what he guesses does not go on: he does not know
            return False
        return True


def told(kept: Kept) -> Told:
    """Go through a game."""
    verdict, course, entries = verify_pair_checked(kept.data, str)
    assert verdict.verdict == "clean", verdict
    assert HAMMER.knowing is not None
    again = known_course(entries[: JOINS + 1], goes_on=True)
    steps = Told(kept.put, HAMMER.knowing, again, {seat: course.vault(seat) for seat in course.names})
    for entry in entries[JOINS + 1 :]:
        steps.take_turn(entry)
    return steps


# -- what a remedy would save ------------------------------------------------------------------------------------------


class Remedy(NamedTuple):
    """What is said before it is due, or not at all."""

    name: str
    links: bool = False
    """Each letter shows a link for dice that may fall before anybody answers again."""
    shares: bool = False
    """It gives the shares of the next deal as well, where nobody answers before it."""
    spared: bool = False
    """What one seat tells and the other could know is not told."""
    ahead: int = 0
    """So many answers to come a plan says in the open, within a battle."""
    beyond: bool = False
    """The same for all plans, whatever they are of."""
    no_reveals: bool = False
    """Nothing that one knows is told: no remedy, but what is left then are answers and dice."""


MANY = 10_000
REMEDIES = (
    Remedy("as it is"),
    Remedy("(c) a link with each letter", links=True),
    Remedy("(d) and the shares of the next deal", links=True, shares=True),
    Remedy("(b) not told: what both know", spared=True),
    Remedy("(b), (c) and (d)", links=True, shares=True, spared=True),
    Remedy("(a) one answer shown in advance", links=True, ahead=1),
    Remedy("(a) all of a battle", links=True, ahead=MANY),
    Remedy("(a) all of a battle, and (b)", links=True, spared=True, ahead=MANY),
    Remedy("(a) all plans, and (b)", links=True, spared=True, ahead=MANY, beyond=True),
    Remedy("the same, nothing hidden", links=True, spared=True, ahead=MANY, beyond=True, no_reveals=True),
)


class Batons:
    """One game again, by a remedy: how many letters it takes."""

    def __init__(self, items: Sequence[Item], seats: tuple[str, str], first: str, remedy: Remedy) -> None:
        self.items, self.seats, self.remedy, self.holder = items, seats, remedy, first
        self.ends: dict[str, list[int]] = {seat: [-1] for seat in seats}
        """By seat, before which item each of its turns ended."""
        self.letters, self.at = [False], 0
        """Of each letter, whether it holds a decision."""

    def count(self) -> tuple[int, int]:
        """Return how many letters it takes, and how many of them hold no decision."""
        for at, item in enumerate(self.items):
            self.at = at
            self._say(item)
        return len(self.letters), self.letters.count(False)

    def _other(self) -> str:
        return self.seats[1 - self.seats.index(self.holder)]

    def _hand_on(self) -> None:
        self.ends[self.holder].append(self.at)
        self.holder = self._other()
        self.letters.append(False)

    def _say(self, item: Item) -> None:
        if item.what == "card":  # sealed, answered, opened
            self.letters[-1] = True
            self._hand_on()
            self.letters[-1] = True
            self._hand_on()
            return
        if item.what in ("tell", "part") and self._is_spared(item):
            return
        for seat in sorted(item.by, key=lambda seat: seat != self.holder):
            if seat != self.holder:
                if item.what == "link" and self.remedy.links and self._was_shown(seat):
                    continue
                if item.what == "share" and self.remedy.shares and self._was_shown(seat):
                    continue
                if item.what == "answer" and self._was_said(self.at, self.ends[seat][-1]):
                    continue
                self._hand_on()
            if item.what in ("answer", "build"):
                self.letters[-1] = True

    def _is_spared(self, item: Item) -> bool:
        if self.remedy.no_reveals or (self.remedy.spared and item.open):
            return True
        answer = self.items[self.at - 1] if item.step in ("battle.action", "regroup.places", "retreat.places") else None
        if item.step == "battle.turn":
            answer = next((one for one in reversed(self.items[: self.at]) if one.asks == "battle action"), None)
        return bool(answer and self.remedy.ahead and answer.in_advance)

    def _was_said(self, at: int, end: int) -> bool:
        """Was an answer shown in its author's turn that ended there?"""
        item = self.items[at]
        is_of_battle = item.asks in IN_BATTLE
        if not item.in_advance or end < 0 or not (is_of_battle or self.remedy.beyond):
            return False
        if is_of_battle and end <= item.battle:
            return False  # the front lines were not known yet
        between = [one for one in self.items[end:at] if one.what == "answer" and one.by == item.by]
        return len(between) < self.remedy.ahead

    def _was_shown(self, seat: str) -> bool:
        """May what is wanted now have been shown in a seat's last turn? Behind it the other has decided nothing."""
        end = self.ends[seat][-1]
        if end < 0:
            return False
        own = [one for one in self.ends[self.holder] if one <= end][-1]
        for at, item in enumerate(self.items[end : self.at], end):
            if item.what in ("card", "build"):
                return False
            if item.what == "answer" and item.by == [self.holder] and not self._was_said(at, own):
                return False
            if item.what == "answer" and item.by == [seat] and not self.remedy.ahead:
                return False
        return True


# -- the tables --------------------------------------------------------------------------------------------------------


WINTER = ("nobles_go_home", "disbanding", "builds", "levy", "winter")


def kind(item: Item, *, steps: bool = False) -> str:
    """Why it had to be its author's turn; `steps`: each step of the rules by itself."""
    if item.what == "answer":
        return "an answer said in advance" if item.in_advance else "an answer that was typed"
    if item.what not in ("tell", "part"):
        return {"open": "a card is opened", "link": "a link for dice"}.get(item.what, item.what)
    at = item.step.partition(".")[0]
    where = {"battles": "who stands in front", "battle": "of a battle", "turn": "at the end of a turn"}.get(at, "else")
    told = f"told: {item.step if steps else 'in winter' if at in WINTER else where}"
    return f"{told}, the other could know" if item.open else told


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(prog="python -m bench.batons", description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--games", type=int, default=4)
    parser.add_argument("--keep", type=Path, help="a folder for the logs")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--steps", action="store_true", help="each step of the rules by itself")
    parser.add_argument("--modes", type=int, nargs="+", default=range(len(MODES)), choices=range(len(MODES)))
    args = parser.parse_args()
    if args.keep:
        args.keep.mkdir(parents=True, exist_ok=True)
    for mode, shows in (
        *((mode, False) for mode in args.modes),
        *((mode, True) for mode in args.modes if mode),
    ):
        games = []
        for seed in range(1, args.games + 1):
            kept = game_of(mode, seed, args.keep, chosen(args.option), shows=shows)
            games.append((told(kept), read_pair(kept.data)[1][JOINS + 1].fields["by"]))
        _print_mode(MODES[mode].strip(), games, shows=shows, steps=args.steps)


def _print_mode(name: str, games: Sequence[tuple[Told, str]], *, shows: bool, steps: bool) -> None:
    shown = ", plans shown in battles" if shows else ""
    print(f"{HAMMER.rules.title}, {name}{shown}, {len(games)} games (medians)", flush=True)
    letters = statistics.median(len(game.mails) for game, _first in games)
    of_game = [[(kind(item, steps=steps), decides) for item, decides in game.mails] for game, _first in games]
    rows = []
    for what in {one for game in of_game for one, _decides in game}:
        counts = [(game.count((what, True)), game.count((what, False))) for game in of_game]
        bare = statistics.median(none for _some, none in counts)
        rows.append((statistics.median(some + none for some, none in counts), bare, what))
    print(f"  {'first in a letter':<56}{'letters':>8}{'of all':>8}{'no decision':>13}")
    for n, bare, what in sorted(rows, reverse=True):
        if n >= 1:
            print(f"  {what:<56}{n:>8.0f}{100 * n / letters:>7.1f}%{bare:>13.0f}")
    if shows:
        return  # what would be spared is reckoned for answers that somebody signs
    print(f"  {'what it would take':<56}{'letters':>8}{'saved':>8}{'no decision':>13}")
    for remedy in REMEDIES:
        found = [Batons(game.items, game.seats, first, remedy).count() for game, first in games]
        if remedy == REMEDIES[0]:
            real = [(len(game.mails), sum(not decides for _item, decides in game.mails)) for game, _first in games]
            assert found == real, (found, real)
        n, bare = (statistics.median(column) for column in zip(*found, strict=True))
        print(f"  {remedy.name:<56}{n:>8.0f}{100 * (1 - n / letters):>7.1f}%{bare:>13.0f}")


if __name__ == "__main__":
    main()
