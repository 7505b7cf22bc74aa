"""Which blocks may winter where they are, and which disband: the English, with Edward, then the Scots, with Wallace.

Rules 7.3, 7.4 and 7.5. By now the nobles are home, so everybody can count the other blocks of an area; only their owner knows
their identities. A side is asked unless those counts leave it no choice, whichever blocks they are. Legality is decided from the
view of the side that disbands.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from pbem.kernel import Ask, Order, Refusal, Run, changed

from .. import orders
from . import told
from .asked import Asked
from .board import Board, by_roster
from .frame import Procedure, answer
from .printed import AREAS, BLOCKS, DEAD, EDWARD, ENGLAND, ENGLISH, KING, MORAY, NORSE, SCOTTISH, WALLACE
from .said import _
from .winter_limits import disband, must_stay, others_by_area, room, tell_winter_move, wants_no_room

SELKIRK = "Selkirk"
SELKIRK_STEPS = 2
LAST_YEAR_OF_EDWARD_I = 1306


# What is legal


class Quarters(NamedTuple):
    """What the rules leave a side to choose: `forced` must disband; of the blocks in `areas` as many stay as there is room."""

    forced: tuple[str, ...]
    areas: Mapping[str, tuple[int, tuple[str, ...]]]


def why_edward_goes(year: int, edward: int, wintered: int) -> str:
    """Return why, for all to see, Edward cannot winter in Scotland, or "" if he may (7.4)."""
    if edward != 1:
        return _("Edward II may not winter in Scotland")
    if year == LAST_YEAR_OF_EDWARD_I:
        return _("Edward I may not winter in Scotland in {year}", year=year)
    if wintered and wintered == year - 1:
        return _("Edward I cannot spend two winters in a row in Scotland")
    return ""


def edward_refusal(view: Asked) -> Refusal | None:
    """Return why Edward may not winter in Scotland."""
    own = view.own(EDWARD)
    if own is None or own.at not in AREAS or own.at == ENGLAND:
        return Refusal(_("Edward is not in Scotland"), "7.4")
    why = why_edward_goes(view.year, view.edward, view.wintered)
    return Refusal(why, "7.4") if why else None


def wallace_refusal(view: Asked) -> Refusal | None:
    """Return why Wallace may not go to Selkirk."""
    own = view.own(WALLACE)
    if own is None or own.at not in AREAS:
        return Refusal(_("Wallace is not on the map"), "7.5")
    if view.count(SELKIRK, view.enemy):
        return Refusal(_("Selkirk is occupied by the enemy"), "7.5")
    return None


def wallace_winters_in_selkirk(at: str, order: orders.Disband) -> bool:
    """Does Wallace go to Selkirk, or stay there if he is there already?"""
    return order.wallace or (at == SELKIRK and WALLACE not in order.blocks)


def quarters(
    side: str, groups: Mapping[str, Sequence[str]], order: orders.Disband, variants: tuple[str, ...]
) -> Quarters:
    """Return a side's blocks, by area, that must go and that may stay, given the orders for Edward and Wallace."""
    forced: list[str] = []
    areas: dict[str, tuple[int, tuple[str, ...]]] = {}
    for area, names in groups.items():
        if area not in AREAS:
            continue
        there = [name for name in names if not must_stay(name)]
        nobles = len(names) - len(there)
        if side == ENGLISH:
            free, with_edward = room(area, ENGLISH, nobles), order.edward and EDWARD in there
            able = [name for name in there if with_edward or BLOCKS[name].type == "infantry"]
            forced += [name for name in there if name not in able]  # 7.31
            if with_edward:
                able.remove(EDWARD)
                free = len(able)  # 7.4: regardless of the Castle Limit
        else:
            free = room(area, SCOTTISH, nobles)
            # ruling 7.5: Wallace in Selkirk does not count
            able = [name for name in there if name != WALLACE or not wallace_winters_in_selkirk(area, order)]
            able = [name for name in able if not wants_no_room(name, area, variants)]
        if area == ENGLAND or not free:
            forced += able  # 7.3; ruling 7.2-7.5: so do Scots left in England
        else:
            areas[area] = free, tuple(able)
    return Quarters(tuple(forced), areas)


def disband_refusals(view: Asked, order: orders.Disband) -> Iterator[tuple[str, Refusal]]:
    """Go through all that is wrong: the block or area, and why."""
    if order.edward:
        refusal = edward_refusal(view) if view.seat == ENGLISH else Refusal(_("Edward is not yours"), "7.4")
        if refusal:
            yield EDWARD, refusal
        elif EDWARD in order.blocks:
            yield EDWARD, Refusal(_("Edward winters in Scotland or disbands, not both"), "7.4")
    if order.wallace:
        refusal = wallace_refusal(view) if view.seat == SCOTTISH else Refusal(_("Wallace is not yours"), "7.5")
        if refusal:
            yield WALLACE, refusal
        elif WALLACE in order.blocks:
            yield WALLACE, Refusal(_("Wallace goes to Selkirk or disbands, not both"), "7.5")
    rule = "7.32" if view.seat == ENGLISH else "7.5"
    for i, name in enumerate(order.blocks):
        own = view.own(name)
        if own is None or own.at not in AREAS:
            yield name, Refusal(_("{name} is not one of your blocks on the map", name=name), rule)
        elif must_stay(name):
            yield name, Refusal(_("{name} is a noble, and nobles cannot disband", name=name), "7.1")
        elif name in order.blocks[:i]:
            yield name, Refusal(_("{block} is named twice", block=name), rule)
    for area, (free, able) in quarters(view.seat, view.groups, order, view.variants).areas.items():
        left = [name for name in able if name not in order.blocks]
        if len(left) > free:
            more = len(left) - free
            why = _(
                "{n} may winter in {area} beside the nobles, so {more} more must disband", n=free, area=area, more=more
            )
            yield area, Refusal(why, rule)


def keep_as_many_as_may_stay(view: Asked) -> orders.Disband:
    """Return the answer of silence: the strongest stay; Edward goes home, for the levy's sake.

    Wallace goes to Selkirk from England, and from where there is no room for all.
    """
    order = orders.Disband()
    if view.seat == SCOTTISH and not wallace_refusal(view) and _wallace_is_crowded(view):
        order = orders.Disband(wallace=True)
    gone: list[str] = []
    for free, able in quarters(view.seat, view.groups, order, view.variants).areas.values():
        gone += sorted(able, key=lambda name: _worth(view, name))[: max(0, len(able) - free)]
    return order.model_copy(update={"blocks": tuple(gone)})


def _wallace_is_crowded(view: Asked) -> bool:
    plan = quarters(view.seat, view.groups, orders.Disband(), view.variants)
    return WALLACE in plan.forced or any(WALLACE in able and len(able) > free for free, able in plan.areas.values())


def _worth(view: Asked, name: str) -> tuple[bool, int]:
    own = view.own(name)
    return name in (KING, MORAY), own.strength if own else 0


# What happens


@dataclass(frozen=True, slots=True)
class Disbanding(Procedure, at="disbanding"):
    """7.3 to 7.5, the English first."""

    def do_english(self, run: Run[Board]) -> None:
        if english_have_a_choice(run.board):
            run.goto("english_choose")
        else:
            self._english(run, orders.Disband())

    def want_english_choose(self, board: Board) -> Ask:
        return Ask((ENGLISH,), "disband", "until end")

    def take_english_choose(self, run: Run[Board], given: Mapping[str, Order]) -> None:
        self._english(run, answer(given, orders.Disband))

    def _english(self, run: Run[Board], order: orders.Disband) -> None:
        board = run.board
        run.goto("scots")
        if order.edward:
            run.board = changed(board, wintered=board.year)
            run.tell(told.EdwardWinters(board[EDWARD].at), ENGLISH)
        _disband_all(run, ENGLISH, order)

    def do_scots(self, run: Run[Board]) -> None:
        if scots_have_a_choice(run.board):
            run.goto("scots_choose")
        else:
            self._scots(run, orders.Disband())

    def want_scots_choose(self, board: Board) -> Ask:
        return Ask((SCOTTISH,), "disband", "until end")

    def take_scots_choose(self, run: Run[Board], given: Mapping[str, Order]) -> None:
        self._scots(run, answer(given, orders.Disband))

    def _scots(self, run: Run[Board], order: orders.Disband) -> None:
        wallace = run.board[WALLACE]
        run.done()
        if wallace.on_map and wallace_winters_in_selkirk(wallace.at, order):
            # 7.5, ruling: up to two steps, also if he is there already
            strength = min(BLOCKS[WALLACE].max, wallace.strength + SELKIRK_STEPS)
            tell_winter_move(run, WALLACE, SELKIRK, strength)
            run.board = run.board.put(wallace._replace(at=SELKIRK, strength=strength))
        _disband_all(run, SCOTTISH, order)


def _disband_all(run: Run[Board], side: str, order: orders.Disband) -> None:
    """Disband those named, and those whom the rules do not let stay."""
    groups = {area: names for area in AREAS if (names := run.board.blocks_in(area, side))}
    gone = {*quarters(side, groups, order, run.board.variants).forced, *order.blocks}
    disband(run, side, by_roster(gone))


def english_have_a_choice(board: Board) -> bool:
    """Can the English have a choice, for all that everybody can count?"""
    for area, (nobles, others) in others_by_area(board, ENGLISH).items():
        if area == ENGLAND or not others:
            continue
        if room(area, ENGLISH, nobles) or not why_edward_goes(board.year, board.edward, board.wintered):
            return True
    return False


def scots_have_a_choice(board: Board) -> bool:
    """Can the Scots have a choice, for all that everybody can count?"""
    selkirk_is_open = board[WALLACE].at != DEAD and not board.blocks_in(SELKIRK, ENGLISH)
    for area, (nobles, others) in others_by_area(board, SCOTTISH).items():
        norse_may_stay = board[NORSE].at != DEAD and wants_no_room(NORSE, area, board.variants)
        if others and (selkirk_is_open or norse_may_stay or room(area, SCOTTISH, nobles)):
            return True
    return False
