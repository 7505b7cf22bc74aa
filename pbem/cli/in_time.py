"""The command cc, and the complaint that other players bear out: that an order was sent in time."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pbem import private
from pbem.errors import UsageError
from pbem.i18n import _

from . import screen
from .common import HOME, check_address, log_in, read_bytes, rules_lent
from .desk import Game, Home, desk_in

if TYPE_CHECKING:
    from pbem.ledger import Verdict
    from pbem.player import Desk, Notes


def cc(
    to: Annotated[
        list[str] | None,
        typer.Argument(metavar="[ADDRESS]...", help="Whom the copies go to: other players of the game."),
    ] = None,
    everybody: Annotated[
        bool, typer.Option("--all", help="All other players with an address in the invitation.")
    ] = False,
    none: Annotated[bool, typer.Option("--none", help="Send no copies any more.")] = False,
    always: Annotated[
        bool,
        typer.Option("--always", help="With --all or --none: in every game for which you have made no other choice."),
    ] = False,
    game: Game = "",
    home: Home = HOME,
) -> None:
    """Send a copy of each order to the other players, sealed for the host: their programs sign that it came in time.

    They see when you answered, and how often, never what. Without an address it is shown to whom copies go.
    """
    from pbem.player.in_time import others_at

    if ((none or everybody) and (to or (none and everybody))) or (always and not (none or everybody)):
        raise UsageError(_("Name addresses, or give one of --all and --none."))
    desk = desk_in(home)
    if always:
        desk.change_settings(cc="all" if everybody else "")
        kept = _("From now on copies go to all other players, except in games where you have chosen otherwise.")
        screen.say(kept if everybody else _("Copies go only where you have said so for a game."))
        return
    notes = desk.notes(game)
    if to or everybody or none:
        for address in to or ():
            check_address(address)
        found = list(to or (others_at(desk.seat(notes)) if everybody else []))
        if everybody and not found:
            raise UsageError(_("The invitation told no address of another player: name them, “pbem cc ADDRESS…”."))
        if found and desk.settings.post:
            raise UsageError(
                _(
                    "Your letters go straight into the host's Maildir (“post” in your settings): nothing brings a copy to others."
                )
            )
        notes.cc = found
        desk.keep(notes)
    _told(desk, notes)


def _told(desk: Desk, notes: Notes) -> None:
    from pbem.player.in_time import copies_to

    if not (to := copies_to(desk.seat(notes))):
        screen.say(_("{title}: no copies of your orders go to other players.", title=notes.title))
        return
    screen.say(
        _(
            "{title}: a copy of each order of yours goes to {who}, sealed for the host. They see when you answered, and how often, "
            "not what. Their programs answer by themselves, and “pbem read” keeps what they sign, in {path}.",
            title=notes.title,
            who=", ".join(to),
            path=desk.path(notes, "heard"),
        )
    )


def complained(
    file: str, data: bytes, letter: str, sent: str | None, heard: str, out: Path | None, rules: list[Path] | None
) -> Verdict:
    """Judge whether an order, or a kept seat's reply, was left out, by the other players' acknowledgements."""
    from pbem.games import installed
    from pbem.ledger import cj
    from pbem.mail import read_block, read_message
    from pbem.player.tray import signed_in
    from pbem.player.unheard import acknowledgements, judged, of_order

    log_in(file, data)
    if sent is not None:
        from pbem.host.in_time import reply_judged

        return reply_judged(read_bytes(sent), acknowledgements(read_bytes(heard)), data)
    path = Path(letter)
    envelope = (signed_in(path) if path.is_file() else None) or read_block(read_message(read_bytes(letter)).text)
    if envelope is None:
        raise UsageError(_("{letter} contains no signed block.", letter=letter))
    papers = of_order(heard, read_bytes(heard), envelope.say)
    if out is not None:
        private.write(out, b"".join(cj(paper) + b"\n" for paper in papers))
    with rules_lent(rules) as lent:
        return judged(envelope, papers, data, installed, lent)
