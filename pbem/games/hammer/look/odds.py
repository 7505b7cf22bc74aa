"""The possible results of a battle, on a seat's request: exact for each volley, by a thousand trials for the whole battle.

It sees the view of one seat, and guesses the rest as `determinise` does, with another hidden reserve every now and then. In a trial
all fire whenever they may, nobody retreats, and the strongest take the hits (5.41), of equals the first. No rule uses it. With the
options that have one target, it gives only volleys.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from math import comb

from pbem.kernel import Chooser
from pbem.look import PageTable

from ..rules import (
    CELTIC,
    LETTERS,
    NOBLES,
    SIDES,
    Fight,
    enemy,
    forced_and_tied,
    has_one_target,
    home_bonus,
    ratings,
    schiltrom,
    take_hits,
)
from ..rules.said import _, named
from ..views import HammerView
from .words import capital, the

TRIALS, GUESSES = 1000, 20
"""The number of trials, and the number of guesses of a hidden enemy reserve during them."""
ROUNDS, PIPS, STAYS = 3, 6, 4
"""Rounds of a battle (5.3), sides of a die, and up to which die a Celtic block stays (5.2)."""
MOST_HITS = 3


def odds(view: HammerView, chooser: Chooser) -> Iterator[PageTable]:
    """Yield tables of the chances in the current battle; none without a battle."""
    battle = view.battle
    if battle is None:
        return
    yield _volleys(view, battle)
    if not has_one_target(view.variants):
        yield _trials(view, battle, chooser)


# A volley, exactly


def chances(dice: int, most: int) -> list[int]:
    """Return in how many of the 6^dice throws there are 0, 1, 2 … dice of at most `most`.

    >>> chances(2, 2)
    [16, 16, 4]
    """
    return [comb(dice, n) * most**n * (PIPS - most) ** (dice - n) for n in range(dice + 1)]


def percent(part: int, whole: int) -> str:
    """Return a part in percent, rounded.

    >>> percent(1, 3), percent(0, 5), percent(1, 1000)
    ('33 %', '0 %', '0 %')
    """
    return _("{n} %", n=(200 * part + whole) // (2 * whole) if whole else 0)


def _volleys(view: HammerView, battle: Fight) -> PageTable:
    rows = []
    for side in (enemy(battle.attacker), battle.attacker):
        for name, dice in battle.strengths(side).items():
            most = _rating(view, battle, name)
            found, all_throws = chances(dice, most), PIPS**dice
            at_least = (percent(sum(found[n:]), all_throws) for n in range(1, MOST_HITS + 1))
            rows.append((named(name), str(dice), f"1–{most}", *at_least))
    heads = _("Block"), _("Dice"), _("Hits on"), _("1 hit or more"), _("2 or more"), _("3 or more")
    return PageTable(_("What a volley may hit"), heads, tuple(rows))


def _rating(view: HammerView, battle: Fight, name: str) -> int:
    defends = name not in battle.front(battle.attacker)
    return (
        ratings(view.variants)[name].most
        + home_bonus(name, battle.area, defends, view.variants)
        + schiltrom(name, battle.english, view.variants)
    )


# A battle, by trials


@dataclass(slots=True)
class _Trial:
    """A battle on its way: by side its front line and its reserve, with strengths."""

    variants: tuple[str, ...]
    area: str
    attacker: str
    lines: dict[str, dict[str, int]]
    reserves: dict[str, dict[str, int]]
    round: int = 1
    turn: int = 0
    acted: tuple[str, ...] = ()
    lost: Counter[str] = field(default_factory=Counter)

    @property
    def winner(self) -> str:
        """The side that alone has blocks there; "" as long as both have."""
        left = [side for side in SIDES if self.lines[side] or self.reserves[side]]
        return left[0] if len(left) == 1 else ""

    def fight(self, chooser: Chooser) -> str:
        """Fight the battle to its end; return the winner, "" if the attackers must leave after three rounds."""
        while True:
            for turn in range(self.turn, len(LETTERS) * len(SIDES)):
                self._turn(turn, chooser)
                if self.winner:
                    return self.winner
            if self.round == ROUNDS:
                return ""
            self._next_round(chooser)

    def _turn(self, turn: int, chooser: Chooser) -> None:
        side = self.attacker if turn % 2 else enemy(self.attacker)
        rated = ratings(self.variants)
        for name in [
            one for one in self.lines[side] if rated[one].letter == LETTERS[turn // 2] and one not in self.acted
        ]:
            if not self.lines[enemy(side)]:
                break
            most = rated[name].most + home_bonus(name, self.area, side != self.attacker, self.variants)
            most += schiltrom(name, self.lines[SIDES[0]], self.variants)
            hits = sum(chooser.randrange(PIPS) < most for _die in range(self.lines[side][name]))
            if hits:
                self.strike(enemy(side), hits)
        self.acted = ()

    def strike(self, victim: str, hits: int) -> None:
        """Let hits fall on the front line of a side."""
        line = self.lines[victim]
        forced, tied, left = forced_and_tied(line, hits)
        self.lines[victim] = take_hits(line, (*forced, *tied[:left]))
        for name in line.keys() - self.lines[victim].keys():
            self.lost[name] += 1
            if name in NOBLES:  # 5.7: captured, he joins who has beaten him
                self.reserves[enemy(victim)][name] = 1

    def _next_round(self, chooser: Chooser) -> None:
        attacker = self.attacker
        if self.round == 1 and not self.lines[enemy(attacker)] and self.lines[attacker]:
            self.attacker = enemy(attacker)  # 5.32
        for side in SIDES:
            joins = {
                name: n
                for name, n in self.reserves[side].items()
                if name not in CELTIC or chooser.randrange(PIPS) < STAYS
            }
            self.lines[side] = {name: n for line in (self.lines[side], joins) for name, n in line.items()}
            self.reserves[side] = {}
        self.round, self.turn = self.round + 1, 0


def _trials(view: HammerView, battle: Fight, chooser: Chooser) -> PageTable:
    """Fight the battle to its end many times, and count."""
    won, lost = Counter[str](), Counter[str]()
    guesses = GUESSES if view.count(battle.area, view.enemy) > len(battle.front(view.enemy)) or not view.seat else 1
    for _guess in range(guesses):
        begun = _begun(view, battle, chooser)
        for _time in range(TRIALS // guesses):
            trial = _Trial(
                view.variants, battle.area, battle.attacker,
                {side: dict(line) for side, line in begun[0].items()}, {side: dict(line) for side, line in begun[1].items()},
                battle.round, battle.turn, battle.acted, Counter(),
            )  # fmt: skip
            trial.strike(enemy(battle.side), battle.hits)
            won[trial.fight(chooser)] += 1
            lost.update(dict.fromkeys(trial.lost, 1))
    made = sum(won.values())
    ends = [(_("{who} win", who=capital(the(side))), percent(won[side], made)) for side in SIDES]
    ends.append(
        (_("Nobody has won after three rounds: {who} must leave", who=the(battle.attacker)), percent(won[""], made))
    )
    named = [name for side in SIDES for name in battle.front(side)]
    gone = [(_("{block} is lost, or captured", block=name), percent(lost[name], made)) for name in named]
    note = _(
        "By {n} trials from what you know: all fire whenever they may, and nobody retreats. What is hidden from you is guessed.",
        n=made,
    )
    return PageTable(
        _("What the battle may come to"),
        (_("It may happen that"), _("In so many of 100 battles")),
        (*ends, *gone),
        note,
    )


def _begun(
    view: HammerView, battle: Fight, chooser: Chooser
) -> tuple[Mapping[str, dict[str, int]], Mapping[str, dict[str, int]]]:
    """Return the front lines, and the reserves as they may be, by side."""
    from .. import GAME  # the game is made of the rules and knows its look only by name

    board = GAME.determinise(view, chooser).board
    away = {*battle.leaving, *battle.english, *battle.scottish}
    lines = {side: dict(battle.strengths(side)) for side in SIDES}
    there = {side: [name for name in board.blocks_in(battle.area, side) if name not in away] for side in SIDES}
    return lines, {side: {name: board[name].strength for name in names} for side, names in there.items()}
