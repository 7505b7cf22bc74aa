"""The command host audit: all games of a host by their rules, without its key; damage is noted for the status."""

from __future__ import annotations

from contextlib import closing, suppress
from typing import Annotated, Any

import typer

from pbem.errors import UsageError, WorldError
from pbem.i18n import _

from . import screen
from .common import echo_json, end, now
from .host import HERE, Dir, Json


def audit(
    games: Annotated[
        list[int] | None, typer.Argument(metavar="[GAME]...", help="The numbers of the games here.", show_default=False)
    ] = None,
    all_: Annotated[bool, typer.Option("--all", help="All games, and all that is stored beside them.")] = False,
    json: Json = False,
    dir: Dir = HERE,  # noqa: A002
) -> None:
    """Audit games in the store by their rules: a line for each, damaged ones first. Exit code 1 if anything is wrong.

    It needs neither the host's key nor a disk that can be written to. “pbem host status” tells what “--all” has found.
    """
    from pbem.host.auditing import audited, note_damage
    from pbem.host.condition import Condition
    from pbem.host.found_well import FoundWell
    from pbem.host.hosted import row_of
    from pbem.host.store import Store

    if bool(games) == all_:
        raise UsageError(_("Name games by their numbers, or type --all. “pbem host games” lists them."))
    at = now()
    with Condition.of(dir) as host:
        place = host.store.path
        for number in games or ():
            row_of(host.store, number)
        notes = FoundWell(host.store, at, trust=False)
        found = sorted(audited(host.store, games) if games else notes.audited(), key=lambda one: not one.damage)
        if all_:
            with suppress(WorldError), closing(Store(place)) as store:  # where it can be written to
                note_damage(store, found, at)
                notes.keep(store)
    if json:
        echo_json([one.to_json() for one in found])
    else:
        for one in found:
            _show(one)
    if wrong := sum(bool(one.damage) for one in found):
        end([_("Wrong: {n} of {all}.", n=wrong, all=len(found))])


def _show(one: Any) -> None:
    told = _("Game {number} ({title}): {verdict}", number=one.number, title=one.title, verdict=one.verdict)
    if one.verdict == "cannot_judge":
        told = f"{told}. {one.reason}"
    screen.echo("  ".join([_("WRONG") if one.damage else _("well "), one.damage or told]))
