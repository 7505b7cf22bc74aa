"""The command web: the page on this machine, over the same folder as all commands."""

from __future__ import annotations

from functools import partial
from typing import Annotated

import typer

from pbem.errors import WorldError, system_said
from pbem.i18n import _

from . import screen
from .common import HOME, rules_lent
from .desk import Home


def web(
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port. Default: a free one.")] = 0,
    no_open: Annotated[bool, typer.Option("--no-open", help="Open no browser: only print the address.")] = False,
    home: Home = HOME,
) -> None:
    """Play in your browser, alone or by mail. Serves a page to this machine alone, until you press Ctrl-C.

    Anybody with the address can use your desk: it has a token, a different one each time.
    """
    from pbem.page.service import Service
    from pbem.page.serving import DeskServer

    try:
        service = Service(home)
        service.lends = partial(rules_lent, None)
        server = DeskServer(service, port)
    except OSError as error:
        raise WorldError(_("Port {port} cannot be opened: {why}.", port=port, why=system_said(error))) from error
    with server:
        screen.say(_("Open {address} in a browser of this machine. Ctrl-C ends it.", address=server.address))
        if not no_open:
            _open(server.address)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            screen.echo("")


def _open(address: str) -> None:
    """Open the page, where there is a browser."""
    import webbrowser

    try:
        webbrowser.open(address)
    except (webbrowser.Error, OSError):
        screen.say(_("No browser could be opened from here."))
