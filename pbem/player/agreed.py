"""What a player agrees on by taking part in a game: its terms, in words, and its rules, if they are known here.

It goes by entry 0 of the log, which is what all have signed, and not by any letter.
"""

from __future__ import annotations

from collections.abc import Mapping

from pbem.games import GamePack, manifest, releases
from pbem.kernel import Json
from pbem.words import _


def told_terms(terms: Mapping[str, Json]) -> list[str]:
    """Return the terms of a game as short sentences."""
    lines = []
    if not terms["hours"]:
        lines.append(_("no limit of time"))
    else:
        lines.append(
            _("{hours} hours for an answer at the least, {most} at the most", hours=terms["hours"], most=terms["most"])
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
    lines += [_("and, unknown here: {name}", name=name) for name in terms if name.startswith("x:")]
    return lines


def told_rules(pack: GamePack, rules: Mapping[str, Json]) -> str | None:
    """Return by which rules a game is played, as a sentence; None where they are not known here, so that nothing can be judged."""
    told = {"game": pack.rules.title, "ver": rules["ver"]}
    if rules["ver"] == pack.rules.version and rules["sha256"] == manifest(pack)[1]:
        return _("{game}, version {ver} of the rules: those that are installed here", **told)
    known = releases.known(str(rules["id"]), int(rules["ver"]), str(rules["sha256"]))
    if known is not None and rules["ver"] == pack.rules.version:
        return _(
            "{game}, version {ver} of the rules: those of pbem {release}, which play as the installed ones",
            **told,
            release=known.release,
        )
    if known is not None:
        return _("{game}, version {ver} of the rules: those of pbem {release}", **told, release=known.release)
    return None
