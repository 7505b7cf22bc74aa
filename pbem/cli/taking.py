"""The command host take: one mail from a mail server's pipe, left for the host that is at work, or decided here."""

from __future__ import annotations

import sys
from contextlib import suppress
from typing import Annotated, NoReturn

import typer

from pbem import spool
from pbem.errors import LATER, PbemError
from pbem.i18n import _

from . import screen
from .common import now
from .host import HERE, Dir, host_in

REFUSED = 67
MOST = 12_000_000
"""The number of bytes of the largest mail, `MAX_MAIL` of `pbem.mail.incoming`, which takes long to load."""


def take(
    sender: Annotated[
        str | None, typer.Option(help="The sender of the mail's envelope, as the mail server has it.")
    ] = None,
    recipient: Annotated[str | None, typer.Option(help="The receiver of the mail's envelope.")] = None,
    dir: Dir = HERE,  # noqa: A002
) -> None:
    """Take one mail from standard input, for a mail server's pipe. Exit code 0 taken, 75 try again later, 67 refused.

    If “pbem host run” is at work in the folder, the mail is left for it. It takes the mail when it looks around next.
    """
    raw = sys.stdin.buffer.read(MOST + 1)
    while sys.stdin.buffer.read(MOST):  # a mail server that cannot hand over all of it sends it again
        pass
    if not raw.strip():
        _refuse(_("no mail came on standard input"))
    try:
        if len(raw) <= MOST and spool.leave(dir, raw, sender, recipient):
            screen.echo(_("left for the host that is at work"))
            return
        with host_in(dir) as office:
            if recipient and not office.settings.is_ours(recipient):
                own = office.settings.address
                _refuse(
                    _(
                        "{recipient} is not an address of this host, which is {address}",
                        recipient=recipient,
                        address=own,
                    )
                )
            office.expect(now())
            screen.echo(office.robot.take(raw, now(), "pipe", sender, recipient))
            for trouble in office.send(now()):
                screen.echo(f"pbem: {trouble}", err=True)  # the letter is kept, and the mail has been taken
    except typer.Exit:
        raise
    except Exception as error:  # whatever it is: by any other code a mail server takes the mail for refused
        from pbem.host.office import turn_away

        turn_away(dir, now())
        said = str(error) if isinstance(error, PbemError | OSError) else f"{type(error).__name__}: {error}"
        with suppress(OSError):  # nobody may be there to hear it
            screen.echo(f"pbem: {said}", err=True)
        raise typer.Exit(LATER) from error


def _refuse(why: str) -> NoReturn:
    screen.echo(f"pbem: {why}", err=True)
    raise typer.Exit(REFUSED)
