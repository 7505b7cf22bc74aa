"""The players' agreement before a game, in the form of entry 0 of its log."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pbem.errors import UsageError
from pbem.i18n import _
from pbem.ledger.canon import Json
from pbem.ledger.entries import MAX_EVENT
from pbem.ledger.fields import MAX_HOURS
from pbem.ledger.register import ROUND

MONTH = 720


def terms(
    hours: int,
    grace: int = 0,
    late: str = "default",
    leave: int = 0,
    most: int | None = None,
    *,
    odds: bool = True,
    rated: bool = False,
    event: str = "",
    number: int = 0,
    built_in: Mapping[str, Json] | None = None,
) -> dict[str, Json]:
    """Return the terms of a game. Raises UsageError if they are impossible.

    `hours` is the minimum time for a question (0: no limit), `grace` is added to it, and `most` is the maximum, whatever clocks say
    (default: a month longer). `leave` is the total number of hours of leave for a seat. Without `odds`, the players' programs show
    no chances during the game. A `rated` game counts in rating lists, and in those of its `event` (round `number`) if it has one.
    No seat of it is `built_in`, played by a player that comes with the game.
    """
    least = hours + grace if hours else 0
    most = (min(least + MONTH, MAX_HOURS) if hours else 0) if most is None else most
    for name, value in (("hours", hours), ("grace", grace), ("leave", leave), ("most", most)):
        if not 0 <= value <= MAX_HOURS:
            raise UsageError(
                _("“{name}” is {value} hours; 0 to {most} can be agreed on.", name=name, value=value, most=MAX_HOURS)
            )
    if most < least:
        raise UsageError(
            _(
                "With grace, a question has at least {least} hours, so {most} cannot be the maximum.",
                least=least,
                most=most,
            )
        )
    found: dict[str, Json] = {
        "late": late,
        "leave": leave,
        "hours": hours,
        "grace": grace if hours else 0,
        "most": most,
    }
    if len(event) > MAX_EVENT:
        raise UsageError(_("The name of an event can have up to {most} letters.", most=MAX_EVENT))
    if number and not event:
        raise UsageError(_("A round is one of an event: say which (--event)."))
    if built_in and rated:
        raise UsageError(_("A rated game has no built-in player: its seats are people's."))
    said = {"rated": True} if rated else {}
    more: dict[str, Json] = {"odds": False} if not odds else {}
    if built_in:
        more["built_in"] = dict(built_in)
    if event:
        more["event"] = event
    return found | more | said | ({ROUND: number} if number else {})


def agreed(
    hours: int,
    late: str,
    leave: int,
    grace: int = 0,
    most: int | None = None,
    *,
    more: bool = False,
    odds: bool = True,
    rated: bool = False,
    event: str = "",
    number: int = 0,
    built_in: Mapping[str, Json] | None = None,
) -> dict[str, Json]:
    """Return what the players agree on, `leave` in days; `more`: they need a time for other things, too. Raises UsageError."""
    if late not in ("default", "claim"):
        raise UsageError(_("“{late}” says not what becomes of a late answer: that is “default” or “claim”.", late=late))
    usual = late == "default" and not leave
    if not hours and (more or grace or most or not usual):
        raise UsageError(
            _("Without a time for an answer (hours) nobody is late, and nobody needs leave, grace or a clock.")
        )
    found = terms(
        hours, grace, late, 24 * leave, most, odds=odds, rated=rated, event=event, number=number, built_in=built_in
    )
    if rated and not hours:
        raise UsageError(
            _(
                "A rated game needs a time limit, or somebody who loses may never answer: say the hours for an answer, as 72."
            )
        )
    return found


def goes_again(first: Mapping[str, Any]) -> bool:
    """Return whether a kept seat may ask for another game when the one with this entry 0 is over.

    Not in an event or a tournament, nor with a built-in player: the host's operator opens those.
    """
    terms = first["terms"]
    return not any(terms.get(name) for name in ("rated", "event", "built_in")) and not first["opts"].get("after")
