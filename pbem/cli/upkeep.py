"""Commands for a host's own safety: upgrade, drill, ban, unban, person."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from pbem import private
from pbem.i18n import _, _n

from . import screen
from .common import check_address, echo_json, end, now
from .host import HERE, Dir, host_in


def upgrade(
    copy: Annotated[
        Path | None,
        typer.Option("--copy", metavar="FILE", help="Do it, and save the store to this file first."),
    ] = None,
    dir: Dir = HERE,  # noqa: A002
) -> None:
    """Show what the store of an older pbem lacks. With --copy, save it, try the update on a copy, then update it.

    The host must be stopped for --copy. Exit code 1 if the store lacks something still.
    """
    from pbem.host.auditing import faults
    from pbem.host.locks import nobody_else
    from pbem.host.settings import Settings
    from pbem.host.store import place_of
    from pbem.host.store.upgrading import planned
    from pbem.host.store.upgrading import upgrade as bring_up

    plan = planned(place_of(dir, Settings.of(dir / "host.toml").store))
    if not plan.lacking:
        screen.echo(_("The store {path} is that of this pbem. There is nothing to update.", path=plan.shown))
        return
    screen.echo(_("The store {path} lacks: {lacking}", path=plan.shown, lacking=", ".join(plan.lacking)))
    for change in plan.changes:
        screen.echo(f"  {change}")
    if copy is None:
        screen.echo(
            _(
                "Stop the host, then type: pbem host upgrade --copy FILE. It saves the store to FILE, tries the update on a copy, "
                "and updates the store. No older pbem can read it after that. FILE it can."
            )
        )
        raise typer.Exit(1)
    with nobody_else(dir):
        found = bring_up(plan, copy, faults)
    screen.echo(_("The store {path} is updated. {saved} has it as it was.", path=plan.shown, saved=copy))
    if found:
        end(
            [
                _n("{n} log is damaged, as it was before:", "{n} logs are damaged, as they were before:", len(found)),
                *found,
            ]
        )


def drill(
    backup: Annotated[Path, typer.Argument(metavar="FILE", help="A backup, or a folder: then its newest backup.")],
) -> None:
    """Restore a backup into a scratch folder, audit all its games there, and say what was found. Exit code 1 if anything is wrong.

    It needs no host and no key. A backup that is older than 26 hours is wrong: last night's is missing.
    """
    from pbem.host.drill import drilled, newest

    well = True
    for right, sentence in drilled(newest(backup), now()):
        screen.echo("  ".join([_("well ") if right else _("WRONG"), sentence]))
        well = well and right
    if not well:
        raise typer.Exit(1)


def ban(
    who: Annotated[str, typer.Argument(metavar="WHO", help="An address, or a key (ssh-ed25519 AAAA…).")],
    why: Annotated[str, typer.Option(help="The reason. You and who asks for his data read it.")] = "",
    dir: Dir = HERE,  # noqa: A002
) -> None:
    """Take nothing new from an address or a key, and answer it nothing. Running games continue, without words to others.

    The status counts the mails that were turned away. “pbem host unban” lifts the ban.
    """
    from pbem.host import banned

    with host_in(dir) as office:
        on = banned.ban(office.store, who, why, now())
        screen.echo(_("{who} is banned.", who=banned.shown(banned.named(who))))
    if on:
        games = ", ".join(map(str, on))
        screen.echo(
            _(
                "Its games {games} continue: orders count there. To end one, let the other players agree on its end, or replace "
                "the player once he is late (“pbem host replace”).",
                games=games,
            )
        )


def unban(
    who: Annotated[str, typer.Argument(metavar="WHO", help="An address, or a key (ssh-ed25519 AAAA…).")],
    dir: Dir = HERE,  # noqa: A002
) -> None:
    """Lift the ban of an address or a key. Mails that were turned away stay so."""
    from pbem.host import banned

    with host_in(dir) as office:
        count = banned.unban(office.store, who)
    screen.echo(
        _n("The ban is lifted. It turned away {n} mail.", "The ban is lifted. It turned away {n} mails.", count)
    )


def person(
    address: Annotated[str, typer.Argument(metavar="ADDRESS", help="An address of the person who asks.")],
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="FILE", help="Write it there, readable for you alone.")
    ] = None,
    dir: Dir = HERE,  # noqa: A002
) -> None:
    """Print as JSON everything that the store has about a person, without secrets of others, codes and letters.

    Logs of games have no addresses, and are not in it. “pbem host forget” erases what is not needed any more.
    """
    from pbem.host.store.person import held_about

    check_address(address)
    with host_in(dir) as office:
        found = held_about(office.store, address)
    if out is None:
        echo_json(found)
        return
    private.write(out, f"{json.dumps(found, ensure_ascii=False, indent=2)}\n".encode())
    rows = sum(map(len, found.values()))
    screen.echo(
        _n("{out} has {n} row about {address}.", "{out} has {n} rows about {address}.", rows, out=out, address=address)
    )
