"""Crowning a Scottish King: Bruce or Comyn at Fife, or Balliol who returns from exile. Rules 6.2, 6.21, 6.22."""

from __future__ import annotations

from pbem.kernel import Refusal, Run, changed

from . import told
from .asked import Asked
from .board import Board
from .defections import defect
from .printed import AREAS, BLOCKS, ENGLISH, FRENCH, KING, NOBLES, SCOTTISH, WALLACE, is_event
from .said import _

CANDIDATES = ("Bruce", "Comyn")
CROWNING_PLACE = "Fife"
BALLIOL_FROM = 1301


def coronation_refusal(view: Asked, candidate: str) -> Refusal | None:
    """Return why this candidate cannot be crowned now (6.21)."""
    if candidate not in CANDIDATES:
        return Refusal(_("the candidates are Bruce and Comyn"), "6.21")
    if found := _no_event(view):
        return found
    if WALLACE not in view.dead:  # ruling 6.2: the pool is not death
        return Refusal(_("nobody is crowned while Wallace lives"), "6.21")
    own = view.own(candidate)
    if not own or own.at != CROWNING_PLACE:
        return Refusal(_("{name} must be a Scottish block in {area}", name=candidate, area=CROWNING_PLACE), "6.21")
    return None


def return_refusal(view: Asked) -> Refusal | None:
    """Return why King Balliol cannot return now (6.22)."""
    if found := _no_event(view):
        return found
    if view.year < BALLIOL_FROM:
        return Refusal(_("King Balliol cannot return before {year}", year=BALLIOL_FROM), "6.22")
    french = view.own(FRENCH)
    if not french or french.at not in AREAS:
        return Refusal(_("the French Knights must be on the map"), "6.22")
    return None


def _no_event(view: Asked) -> Refusal | None:
    if view.seat != SCOTTISH:
        return Refusal(_("only the Scots crown a king"), "6.2")
    if not view.ask or not is_event(view.ask.get("card", "")):
        return Refusal(_("this takes the place of an event card"), "6.2")
    if view.king:
        return Refusal(_("a king can be crowned only once in a game"), "6.2")
    return None


def coronation(run: Run[Board], candidate: str) -> None:
    """Crown Bruce or Comyn: the King enters at Fife, and the other faction goes over to the English, Moray not."""
    run.tell(told.Coronation(CROWNING_PLACE, candidate))
    _enter(run, candidate, CROWNING_PLACE, "Comyn" if candidate == "Bruce" else "Bruce")


def return_of_the_king(run: Run[Board]) -> None:
    """Bring King Balliol to the French Knights; the Bruce faction goes over to the English."""
    area = run.board[FRENCH].at
    run.tell(told.Return(area))
    _enter(run, "Balliol", area, "Bruce")


def _enter(run: Run[Board], king: str, area: str, against: str) -> None:
    board = changed(run.board, king=king)
    run.board = board.put(board[KING]._replace(at=area, strength=BLOCKS[KING].max, known=1))  # ruling 6.21/6.22
    nobles = [name for name in NOBLES if board[name].side == SCOTTISH and BLOCKS[name].faction == against]
    defect(run, nobles, ENGLISH, "coronation")
