"""The rest of a trial: who acts still, the end of the turn, and what it comes to. Compiled where `pbem-native` is installed.

The wheel of `pbem/extras/native` does the same in C, number by number: pure Python plays exactly alike, only slower. For this the
dice are our own (SplitMix64), as they are easily the same in both.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from importlib import import_module
from itertools import chain
from types import ModuleType
from typing import Any, NamedTuple

from ...rules import CARDS_A_YEAR, ROSTER, card_value, is_event
from . import features, numbers
from .marches import NEARBY
from .model import SmallGame
from .numbers import AREA_NAMES, ENGLISH, LIMIT, LIMITS, MASK, SCOTS, WAYS, Dice, Thrown
from .outlook import hope
from .turns import act, battles
from .weights import AT_FIRST, WEIGHTS
from .winter import winter

DOING, WINTER, LATER, PURPOSES = range(len(AREA_NAMES), len(AREA_NAMES) + 4)
"""The purposes of dice other than battles, which have the numbers of their areas."""
_EVENTS = {"Herald": 4, "Victuals": 5, "Truce": 6}


class Act(NamedTuple):
    """A side does with a card what comes to mind; `whim` is the share of chance in its moves.

    The last to act may try several moves: the one that is best for it in the end counts.
    """

    side: int
    card: str
    first: bool
    whim: float = 0.3
    tries: int = 1


class Later(NamedTuple):
    """The cards of the turns to come this year: what the searching side has, and what its enemy may have."""

    side: int
    mine: tuple[str, ...]
    theirs: tuple[str, ...]


def player_1(english: str, scottish: str) -> int:
    """Return the side of the card that goes first (3.12, 4.1): an event, then the higher card, then the English."""
    if is_event(english) or is_event(scottish):
        return ENGLISH if is_event(english) else SCOTS
    return ENGLISH if card_value(english) >= card_value(scottish) else SCOTS


def end_turn(model: SmallGame, dice: Callable[[int], Dice]) -> None:
    """Fight the battles, and let the winter come after the last turn of a year; in the last year it is the count."""
    if model.winner < 0:
        battles(model, dice)
    model.forget()
    if model.winner < 0 and not model.left:
        winter(model, dice(WINTER))
        model.left = CARDS_A_YEAR


def finish(model: SmallGame, seed: int, doing: Thrown, acts: Sequence[Act], later: Later | None = None) -> int:
    """Let sides act with the dice `doing`, end the turn with the dice from `seed` on, and return the hope of the English.

    With `later` the rest of the year is played as well, its winter too: both sides do what comes to mind.
    """
    if COMPILED is None:
        return in_python(model, seed, doing, acts, later)
    coded = tuple((one.side, _code(one.card), one.first, one.whim, one.tries) for one in acts)
    cards = (later.side, _codes(later.mine), _codes(later.theirs)) if later else None
    return int(COMPILED.finish(model, seed & MASK, doing.at, coded, cards))


def in_python(model: SmallGame, seed: int, doing: Dice, acts: Sequence[Act], later: Later | None = None) -> int:
    """Do the same in Python; the model is changed."""
    for one in acts[:-1]:
        act(model, one.side, one.card, one.first, doing, one.whim)
    if not acts or acts[-1].tries <= 1:
        return _ended(model, seed, doing, acts[-1:], later)
    found = [_ended(model.copy(), seed, doing, acts[-1:], later) for _ in range(acts[-1].tries)]
    return max(found) if acts[-1].side == ENGLISH else min(found)


def _ended(model: SmallGame, seed: int, doing: Dice, acts: Sequence[Act], later: Later | None) -> int:
    year = model.year
    for one in acts:
        act(model, one.side, one.card, one.first, doing, one.whim)
    end_turn(model, lambda purpose: Thrown(seed + purpose))
    if later:
        _play_on(model, year, later, Thrown(seed + LATER))
    return hope(model)


def _play_on(model: SmallGame, year: int, later: Later, dice: Dice) -> None:
    hands = [list(later.mine), list(later.theirs)] if later.side == ENGLISH else [list(later.theirs), list(later.mine)]
    while model.winner < 0 and model.year == year and hands[ENGLISH] and hands[SCOTS]:
        cards = [hand.pop(int(dice.random() * len(hand))) for hand in hands]
        model.left = 0 if all(map(is_event, cards)) else model.left - 1
        first = player_1(*cards)
        for side in (first, 1 - first):
            act(model, side, cards[side], side == first, dice)
        seed = int(dice.random() * (1 << 32)) * PURPOSES
        end_turn(model, lambda purpose, seed=seed: Thrown(seed + purpose))  # type: ignore[misc]


def _code(card: str) -> int:
    return card_value(card) or _EVENTS.get(card, 7)


@cache
def _codes(cards: tuple[str, ...]) -> tuple[int, ...]:
    return tuple(map(_code, cards))


def tables() -> dict[str, tuple[Any, ...]]:
    """Return board, blocks and weights as flat tables, for the compiled part."""
    areas = range(len(AREA_NAMES))
    borders = [(a, b, LIMIT[a, b], most) for a in areas for b, most in features.BESIDE[a]]
    flat = chain.from_iterable
    ways = [(w.start, len(w.route), *(*w.route, 0, 0)[:3], w.limit, w.end, w.via) for way in WAYS for w in way]
    named = (
        len(AREA_NAMES),
        numbers.ENGLAND,
        numbers.SELKIRK,
        numbers.EDWARD,
        numbers.WALLACE,
        numbers.KING,
        numbers.MORAY,
    )
    return {
        "letter": numbers.LETTER, "rating": numbers.RATING, "most": numbers.MOST, "pace": numbers.PACE,
        "cross": numbers.CROSS, "celt": tuple(b in numbers.CELTS for b in range(len(ROSTER))), "turns": numbers.TURNS,
        "infantry": numbers.INFANTRY, "owner": numbers.OWNERS, "force": numbers.FORCE,
        "named": (*named, numbers.NORSE, numbers.FRENCH, features.NORTH, features.SOUTH),
        "homes": tuple(flat((*homes, -1, -1)[:2] for homes in numbers.HOMES)), "limits": tuple(flat(LIMITS)),
        "lives": tuple(len(lords) for lords in numbers.LIVES_IN), "inland": tuple(a in numbers.INLAND for a in areas),
        "churches": numbers.CHURCHES, "coasts": numbers.COASTS, "borders": tuple(flat(borders)),
        "two_away": tuple(flat((a, b) for a in areas for b in features.TWO_AWAY[a])), "ways": tuple(flat(ways)),
        "nearby": tuple(flat(NEARBY)), "at_first": AT_FIRST,
        "weights": tuple(flat(WEIGHTS[name] for name in features.NAMES)),
        "lost": (features.NAMES.index("English lost"), features.NAMES.index("Scottish lost")),
    }  # fmt: skip


def compiled() -> ModuleType | None:
    """Return the compiled part, if it is installed and fits these tables."""
    try:
        found = import_module("pbem_native")
    except ImportError:
        return None
    found.setup(tables())
    return found


COMPILED = compiled()
