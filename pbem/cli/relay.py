"""The command relay: a mailbox for friends who play without a host."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer

from pbem.i18n import _

from . import screen

_MIB = 1024 * 1024


def relay(
    address: Annotated[
        str, typer.Option(metavar="ADDRESS", help="The address that players know: https, or this machine's own.")
    ] = "",
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port to listen at; 0: a free one.")] = 8026,
    listen: Annotated[
        str, typer.Option(metavar="HOST", help="The address to listen at. It speaks no TLS: a proxy does.")
    ] = "127.0.0.1",
    proxied: Annotated[
        bool, typer.Option("--proxied", help="A proxy names each caller's address, as the last in X-Forwarded-For.")
    ] = False,
    store: Annotated[Path, typer.Option(metavar="FILE", help="The file with the letters.")] = Path("relay.sqlite"),
    page: Annotated[
        str, typer.Option(metavar="FOLDER", help="The folder with the page (default: the page of this installation).")
    ] = "",
    letters: Annotated[int, typer.Option(min=1, help="The most letters in a box.")] = 64,
    box: Annotated[int, typer.Option(min=1, help="The most MiB in a box.")] = 8,
    most: Annotated[int, typer.Option("--all", min=1, help="The most MiB in all.")] = 1024,
    posts: Annotated[int, typer.Option(min=1, help="The most letters from an IP address in a day.")] = 2000,
    boxes: Annotated[
        int, typer.Option(min=1, help="The most letters from an IP address into empty boxes in a day.")
    ] = 1000,
    waits: Annotated[int, typer.Option(min=1, help="The most requests of an IP address that wait at a time.")] = 16,
    days: Annotated[
        int, typer.Option(min=1, help="Letters that nobody fetched are forgotten after this number of days.")
    ] = 180,
) -> None:
    """Run a relay, until you press Ctrl-C: a mailbox for friends who play without a host.

    It keeps sealed letters, and can read none. Nobody needs an account. It also serves pbem's page.
    """
    from pbem.host.door.server import check_installed

    check_installed()
    from pbem.host.relay.limits import RelayLimits
    from pbem.host.relay.server import RelayPlace, RelayServer
    from pbem.host.relay.store import Room
    from pbem.mail.relay import relay_address
    from pbem.page.single import BUILT

    named = relay_address(address) if address else ""
    shown = page or (str(BUILT) if BUILT.is_dir() else "")
    place = RelayPlace(named or "http://localhost/", listen, port, store, shown, proxied=proxied)
    room = Room(letters, box * _MIB, most * _MIB)
    server = RelayServer(place, room, RelayLimits(posts, boxes, waits, days), lambda why: screen.say(why, err=True))
    where = named or f"http://localhost:{server.port}/"
    screen.say(
        _("The relay is at {address}, and listens at {host}:{port}.", address=where, host=listen, port=server.port)
    )
    if not shown:
        screen.say(_("It serves no page, because none is built here: “make page” builds it. Programs need none."))
    with suppress(KeyboardInterrupt):
        server.run()
