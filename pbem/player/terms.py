"""The terms of a game in words: what its players agree on beside the rules and options."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from pbem.i18n import _
from pbem.ledger.kept import TERM, seats_of
from pbem.ledger.register import PLACE, ROUND, place_in_register, round_said

if TYPE_CHECKING:
    from pbem.kernel import Json


def told_terms(terms: Mapping[str, Json]) -> list[str]:
    """Return the terms of a game as short sentences."""
    lines = []
    if not terms["hours"]:
        lines.append(_("no limit of time"))
    elif "late" not in terms:  # between two
        lines.append(_("{hours} hours for an answer, as a courtesy: nobody enforces it", hours=terms["hours"]))
    else:
        lines.append(
            _("at least {hours} and at most {most} hours for an answer", hours=terms["hours"], most=terms["most"])
        )
        if terms["grace"]:
            lines.append(_("{grace} hours of grace on top", grace=terms["grace"]))
        late = terms["late"] == "claim"
        lines.append(_("then an opponent may claim the game") if late else _("then a default answer is taken"))
        if terms["leave"]:
            lines.append(_("{hours} hours of leave in the whole game", hours=terms["leave"]))
    if terms.get("rated"):
        lines.append(_("a rated game"))
    if terms.get("event"):
        lines.append(_("part of {event}", event=terms["event"]))
    if number := round_said(terms):
        lines.append(_("round {n} of the event", n=number))
    if "odds" in terms:
        lines.append(_("programs show chances") if terms["odds"] else _("programs show no chances"))
    lines += [
        _(
            "{seat} is the built-in player {player}, version {ver}, with {playouts} playouts",
            seat=seat,
            player=player["player"],
            ver=player["ver"],
            playouts=player["playouts"],
        )
        for seat, player in terms.get("built_in", {}).items()
    ]
    if terms.get("built_in"):
        lines.append(_("against a built-in player, the host is both host and opponent"))
    if place := place_in_register({"terms": terms}):
        lines.append(_("to be found in the host's register, below line {number}", number=place[0] + 1))
    if may := seats_of(terms):
        lines.append(
            _(
                "the host may keep the keys of {seats} and sign for their players; if it keeps all other "
                "seats, it knows every die roll",
                seats=", ".join(may),
            )
        )
    known = ({PLACE} if place else set()) | ({ROUND} if number else set()) | ({TERM} if may else set())
    lines += [
        _("and, unknown here: {name}", name=name) for name in terms if name.startswith("x:") and name not in known
    ]
    return lines
