"""The command host register: the list of a host's rated games, given out, brought back, handed over."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pbem.errors import UsageError
from pbem.i18n import _, _n

from . import screen
from .common import Yes, now, read_bytes, write_bytes
from .host import HERE, Dir, host_in


def register(
    out: Annotated[Path | None, typer.Option("--out", "-o", metavar="FILE", help="Where the register goes.")] = None,
    from_: Annotated[
        Path | None, typer.Option("--from", metavar="FILE", help="Add the further lines of this register.")
    ] = None,
    successor: Annotated[
        str,
        typer.Option(metavar="KEY", help="The key line of the host that continues the register: “ssh-ed25519 …”."),
    ] = "",
    yes: Yes = False,
    dir: Dir = HERE,  # noqa: A002
) -> None:
    """Write the register of this host's rated games for everybody. It has games, keys and times, but no secrets."""
    from pbem.host.registering import hand_over, register_of, take_back
    from pbem.ledger import fingerprint

    if successor and from_:
        raise UsageError(_("--from and --successor are two acts; give one of them."))
    if successor:
        screen.sure(
            _(
                "From now on no rated game can be opened here. The register continues with another key, and "
                "only its holder can enter games. This cannot be undone."
            ),
            yes=yes,
        )
    with host_in(dir) as office:
        if from_:
            taken = take_back(office.robot.house, read_bytes(str(from_)))
            screen.echo(_n("{n} line was taken in.", "{n} lines were taken in.", taken))
        if successor:
            hand_over(office.robot.house, successor, now())
        found = register_of(office.store)
    if not found.lines:
        raise UsageError(_("This host has no register yet: it has opened no rated game (“pbem host new --rated”)."))
    if out:
        write_bytes(out, found.dump(), for_all=True)
    screen.echo(
        _(
            "Lines: {n}; games opened: {opened}, begun: {begun}; the last line has the hash\n  {head}",
            n=len(found.lines), opened=len(found.opened), begun=len(found.begun), head=found.head[1],
        )
    )  # fmt: skip
    screen.echo(_("It is kept by the key {key}.", key=fingerprint(found.key)))
