"""The maximum number of letters of each kind to one receiver, whoever causes them; set only here.

Letters without which a game cannot continue have no budget (`COURSE`): a report follows from entries, an invitation from a game.
The letters that a single player can cause again and again are limited where he asks for them (`MOST_SAID`). All others have a
budget, including kinds not named here (`OTHERS`). A letter beyond its budget is not written. The last letter within it says so,
and `status` shows it. The receipt for the order that counts follows once there is room (`owed`).
"""

from __future__ import annotations

from collections.abc import Iterator

from pbem.i18n import _
from pbem.kernel import Json
from pbem.records import dataclass
from pbem.referee import Refused

from .moments import later
from .store import Store


@dataclass(frozen=True, slots=True)
class Budget:
    """The maximum number of letters to one address, in a number of minutes and in a day."""

    minutes: int
    few: int
    many: int


COURSE = frozenset(
    (
        "report", "public", "invitation", "newcomer", "roster", "keys", "cancelled", "copy", "held", "reminder", "moving", "moved",
        "observer", "stranger", "contested", "closed", "wanted", "reply", "told", "resent", "register", "club",
    )
)  # fmt: skip
"""Kinds that follow from what a game, a deadline or the operator does; and answers, which `outbox.CAPS` bounds before."""
BUDGETS = {
    "receipt": Budget(60, 40, 400), "ahead": Budget(60, 40, 400), "refusal": Budget(60, 60, 300), "press": Budget(60, 60, 200),
    "table": Budget(60, 3, 10), "proposal": Budget(60, 6, 20), "clock": Budget(60, 10, 30), "post": Budget(60, 10, 30),
}  # fmt: skip
OTHERS = Budget(60, 20, 60)
MOST_SAID = Budget(60, 20, 60)
"""The maximum number of statements of one seat that are sent to all others: offers, take-backs, agreements."""
MOST_KEYS = Budget(60, 3, 6)
"""The maximum number of key changes of one seat: each asks all players to compare the keys again."""
_HELD = "budget "
"""So the note of a budget begins that was used up; kind and address follow."""
_OWED = "owed "


def left(store: Store, kind: str, address: str, at: str) -> int | None:
    """Return how many more letters of a kind an address may get now; None: as many as there are."""
    if kind in COURSE:
        return None
    return _left(BUDGETS.get(kind, OTHERS), store.letters_since(address, kind, later(at, hours=-24)), at)


def _left(budget: Budget, today: list[str], at: str) -> int:
    now = sum(then > later(at, minutes=-budget.minutes) for then in today)
    return min(budget.few - now, budget.many - len(today))


def last_one(kind: str) -> str:
    """Return what the last letter within a budget says of that."""
    if kind == "receipt":
        return _(
            "This is the last receipt for now, because you have received many letters. What you send "
            "counts as before. The receipt for the order that counts follows when there is room again."
        )
    return _(
        "This is the last letter of this kind for now, because you have received many. STATUS reports on your games."
    )


def hold_back(store: Store, kind: str, address: str, at: str, game: int | None, seat: str) -> None:
    """Note that a letter was not written, or a mail not read, for `status`; and whom the receipt for an order is owed."""
    since, count = _noted(store.note(f"{_HELD}{kind} {address}"))
    if not since or since <= later(at, hours=-24):
        since, count = at, 0
    store.put_note(f"{_HELD}{kind} {address}", f"{since} {count + 1}")
    if kind == "receipt" and game is not None and seat:
        store.put_note(f"{_OWED}{game} {seat}", at)


def owed(store: Store) -> Iterator[tuple[int, str]]:
    """Go through the games and seats with a last receipt that was not written."""
    for name in store.notes(_OWED):
        game, _blank, seat = name.partition(" ")
        yield int(game), seat


def paid(store: Store, game: int, seat: str) -> None:
    """Note that a seat has got its receipt, or needs none any more."""
    store.forget(f"{_OWED}{game} {seat}")


def exhausted(store: Store, at: str) -> list[dict[str, Json]]:
    """Return which budgets were used up within a day, as `status` shows them."""
    found: list[dict[str, Json]] = []
    for name, noted in store.notes(_HELD).items():
        kind, _blank, address = name.partition(" ")
        since, count = _noted(noted)
        if since > later(at, hours=-24):
            why = _("Letters not written, or mails not read: {n}. Somebody may be making the host work.", n=count)
            found.append({"budget": f"{kind} {address}", "since": since, "why": why})
    return found


def forget_old(store: Store, at: str) -> None:
    """Delete notes of budgets more than a day old."""
    old = [name for name, noted in store.notes(_HELD).items() if _noted(noted)[0] <= later(at, hours=-24)]
    if old:
        store.forget(*(f"{_HELD}{name}" for name in old))


def check_said(before: list[str], budget: Budget, at: str) -> None:
    """Raise Refused where a seat has said too much lately: `before` are the moments."""
    if _left(budget, [then for then in before if then > later(at, hours=-24)], at) <= 0:
        raise Refused(
            "ASK",
            _(
                "You have made too many statements in this game lately: each one sends a letter to all. Wait "
                "an hour, and send this one again."
            ),
        )


def _noted(noted: str) -> tuple[str, int]:
    since, _blank, count = noted.partition(" ")
    return since, int(count or 0)
