"""Commands for a player's mail: join, read, send; and check, for the copy that it makes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pbem import private
from pbem.errors import PbemError, UsageError
from pbem.i18n import N_, _, _n
from pbem.i18n.visible import in_a_line

from . import doors, friends, screen
from .common import HOME, Html, check_address, echo_json, now, write_bytes
from .desk import Game, Home, Mails, desk_in, nothing_new
from .games import how_it_begins, show_how_it_goes_on, trouble_of
from .language import ask_for, for_programs

if TYPE_CHECKING:
    from pbem.mail import Saved
    from pbem.player import Desk

UNSIGNED = N_(
    "Nothing in this mail is signed by a host, or by a friend you play with without one. Nothing "
    "was verified, and nothing went into your copy.\nIf somebody forwarded the mail or copied it "
    "by hand, save the original mail or its attachment.\nThese are its words, each line after a "
    "“|”; anybody may have written them:"
)
ANSWER = N_(
    "This letter says that it is of {host}, your host. It brings nothing of the log, as answers and refusals do: nothing in it is "
    "signed, and nothing went into your copy.\n"
    "These are its words, each line behind a “|”; anybody may have written them:"
)
WORDS = N_(
    "The rest of the mail is words that nobody has signed, each line behind a “|”; anybody may have written them:"
)
BARE = N_(
    "You have read only the attachment; what the host signed in it was verified as always. The "
    "rest of the mail, its seat and its date are not known here."
)


def join(
    mail: Mails,
    tongue: Annotated[
        str,
        typer.Option(
            "--language",
            callback=ask_for,
            help="What you read: en or fr. The host is asked to write in it; see “pbem language”.",
        ),
    ] = "",
    rules: Annotated[
        str,
        typer.Option(metavar="FINGERPRINT", help="Fingerprint of the rules to play by, if they are not known here."),
    ] = "",
    seat: Annotated[str, typer.Option(help="Your seat, where you have only the file that was attached.")] = "",
    token: Annotated[str, typer.Option(help="The token in the invitation, if you have only the attachment.")] = "",
    host: Annotated[
        str,
        typer.Option(
            metavar="ADDRESS", help="The address of the host or your friend, if you have only the attachment."
        ),
    ] = "",
    home: Home = HOME,
) -> None:
    """Join a game from its invitation. Later, once all keys are known, say that you are ready: compare the fingerprints first."""
    desk = desk_in(home)
    if tongue:
        desk.change_settings(language=tongue)

    if host:
        check_address(host)

    def answer(saved: Saved) -> None:
        if invited := desk.joiner_by(saved.raw).told_invitation(saved.raw):  # what is agreed on is told first
            screen.say(invited + "\n")
            if screen.in_colour() and not screen.agreed(_("Join?"), default=False):
                screen.echo(_("Nothing has been signed."))
                return
        told = desk.join(
            saved.raw, now(), rules, seat=seat, token=token, host=host, relay=(link := friends.link_of(saved))
        )
        screen.say(told + friends.answers(desk, link))

    if not friends.each(desk, mail, answer):
        raise UsageError(nothing_new(mail))


def read(
    mail: Annotated[
        list[str] | None,
        typer.Argument(metavar="[MAIL]...", help="As for “join”. None: what waits at relays and hosts' doors."),
    ] = None,
    html: Html = None,
    instead: Annotated[
        bool,
        typer.Option(
            "--instead",
            help="In a game of two: replace your log by your friend's, if you have signed two turns, or your friend has "
            "refused one.",
        ),
    ] = False,
    home: Home = HOME,
) -> None:
    """Take a mail's log lines into your copy, verify it, and show the report made from the copy."""
    from pbem.player.showing import page

    desk = desk_in(home)
    bad = False

    def show(saved: Saved) -> None:
        nonlocal bad
        reading = desk.read(saved.raw, instead=instead)
        if reading.invites:
            screen.say(desk.joiner_by(saved.raw).told_invitation(saved.raw))
            screen.say(_("Nothing has been signed. “pbem join MAIL”, with this mail, joins."))
            return
        for warning in reading.warnings:
            bad = True
            screen.echo(_("WARNING: {warning}", warning=warning) + "\n", err=True)
        if reading.text:
            screen.say(reading.text)
        if reading.goes_on:
            show_how_it_goes_on(desk, reading.game, html)
        elif reading.game and (asks := how_it_begins(desk.speaker(desk.notes(reading.game)))):
            screen.say(asks)
        if not reading.game:
            said = _(ANSWER, host=in_a_line(reading.host)) if reading.host else _(UNSIGNED)
            bad = bad or bool(reading.lacking)
            screen.say((reading.lacking or said) + "\n", err=True)
        elif reading.words:
            screen.say("\n" + _(WORDS) + "\n")
        if reading.words:
            screen.quote(reading.words)
            if reading.cut:
                screen.echo(_("Not everything is shown: the mail is too long, or has too many parts."), err=True)
        if reading.bare:
            screen.echo("\n" + _(BARE), err=True)
        if html is not None and reading.since is not None:
            write_bytes(html, page(desk.seat(desk.notes(reading.game)), reading.since).encode())

    if not friends.each(desk, mail, show) and mail:
        screen.echo(
            _(
                "There is no new mail in {mail}. Mail that was read before is in {path}.",
                mail=", ".join(mail),
                path=Path(mail[0]) / "cur",
            )
        )
    if bad:
        raise typer.Exit(1)


def check(
    game: Game = "",
    json: Annotated[bool, typer.Option("--json", callback=for_programs, help="Print JSON.")] = False,
    home: Home = HOME,
) -> None:
    """Verify the whole of your copy."""
    desk = desk_in(home)
    speaker = desk.meant(game)
    verdict = speaker.seat.verdict()
    if json:
        echo_json(verdict.to_json())
    else:
        screen.echo(_("{verdict}: {reason}", verdict=verdict.outcome, reason=in_a_line(verdict.reason)))
        for said in speaker.seat.evidence():
            screen.say(said)
    if verdict.verdict == "fault":
        raise typer.Exit(1)


def send(
    eml: Annotated[
        Path | None,
        typer.Option("--eml", metavar="FILE", help="Write the letter for your mail program to open and send."),
    ] = None,
    mailto: Annotated[
        bool, typer.Option("--mailto", help="Print a link that opens the letter in your mail program.")
    ] = False,
    opened: Annotated[
        bool, typer.Option("--open", help="Open the letter in your desktop's mail program, to be sent there.")
    ] = False,
    again: Annotated[
        bool, typer.Option("--again", help="First re-queue letters that were sent but have no receipt.")
    ] = False,
    full: Annotated[
        bool,
        typer.Option(
            "--full", help="With their signed blocks in full, as a host asks where he cannot read short ones."
        ),
    ] = False,
    game: Game = "",
    home: Home = HOME,
) -> None:
    """Send the waiting letters: to the host's door if there is one, by your mail server, or into the host's Maildir. Otherwise say
    where they are.

    With --open, --eml or --mailto one letter is handed to your mail program. It counts as handed over until its receipt arrives.
    """
    if sum((bool(eml), mailto, opened)) > 1:
        raise UsageError(_("A letter is handed over in one way: give one of --open, --eml and --mailto."))
    from pbem.player.desk import how_it_stands

    desk = desk_in(home)
    desk.tray.settle()
    if again:
        for speaker in [desk.meant(game)] if game else desk.speakers(going=True):
            try:
                for path in speaker.again(now()):
                    screen.echo(_("Laid ready again: {name}", name=path.name))
            except PbemError as error:  # what is wrong with one game keeps no letter here
                screen.say(trouble_of(speaker, error))
    if full:
        for path in desk.tray.unsent(game):
            desk.tray.in_full(path)
    for one in desk.friends(game):  # who sends without an answer to a friend's offer plays on
        try:
            if said := one.plays_on(now()):
                screen.say(said)
        except PbemError as error:  # what is wrong with one game keeps no letter here
            screen.say(trouble_of(one, error))
    if (eml or mailto or opened) and desk.tray.unsent():
        _hand_over(desk, game, eml, opened=opened)
        return
    if not desk.tray.unsent(game):
        asked = [
            " ".join((one.seat.heading, _("It is your turn: “pbem order” answers.")))
            for one in desk.friends(game)
            if how_it_stands(one) == "mine"
        ]
        said = "\n".join([_("Nothing waits to be sent."), *asked])
        if eml or mailto or opened:
            raise UsageError(said)
        screen.echo(said)
        return
    others = [path for path in desk.tray.unsent() if path not in desk.tray.unsent(game)]
    for raw in friends.bring(desk, others):
        doors.show(desk, raw)
    if not set(desk.tray.unsent(game)) - set(others := friends.kept_back(desk, others)):
        return
    if not desk.settings.ways:
        waiting = "\n".join(f"  {path}" for path in desk.tray.unsent(game))
        screen.echo(
            _("Send with your mail program, then move to {folder}:", folder=desk.home / "sent") + f"\n{waiting}"
        )
        screen.echo(_("Or let “pbem send --open” hand it to your mail program; --eml FILE and --mailto do so by hand."))
        screen.echo(_("Or name your mail account with “pbem setup”: then “pbem turn” fetches and sends by itself."))
        return
    for path in desk.tray.send(but=others):
        screen.echo(_("sent: {name}", name=path.name))


def _hand_over(desk: Desk, game: str, eml: Path | None, *, opened: bool) -> None:
    """Give the letter that waits to a mail program: opened there, as a file, or as a link on standard output."""
    from pbem.mail import as_draft, as_link
    from pbem.player.tray import RESENT

    path = desk.tray.next_unsent(game)
    friends.check_goes_by_hand(desk, path)
    raw = path.read_bytes()
    on_the_side = not eml and not opened
    if opened:
        _open(desk, path.name, raw)
    elif eml:
        private.write(eml, as_draft(raw))
    elif link := as_link(raw):
        screen.echo(link)
    else:
        raise UsageError(
            _(
                "This letter does not fit into a link. It is too long and some programs would cut it, or it "
                "has an attachment. “pbem send --eml FILE” writes it as a file, “pbem send --open” opens it."
            )
        )
    kept = desk.tray.given_out(path)
    if opened:
        screen.echo(_("Your mail program has the letter: send it there."))
    elif eml:  # said once it counts as given out: nobody may be listening
        screen.echo(_("Written: {path}", path=eml))
        screen.echo(_("Open it with your mail program and send it."))
    if path.name.split(".")[1] in RESENT:
        said = _("It is kept as {kept}. If it does not arrive, “pbem resend” lays it ready again.", kept=kept)
    elif kept.parent.name == "given":
        said = _(
            "It is kept as {kept}. “pbem games” says whether its receipt has come; “pbem send --again” hands it out once more.",
            kept=kept,
        )
    else:
        said = _(
            "It is kept as {kept}. No receipt comes for it: if it does not arrive, send that file once more.", kept=kept
        )
    screen.say(said, err=on_the_side)
    if left := len(desk.tray.unsent()):
        screen.echo(_n("{n} more letter waits.", "{n} more letters wait.", left), err=on_the_side)


def _open(desk: Desk, name: str, raw: bytes) -> None:
    """Open a letter in the desktop's mail program: by a link if it fits into one, otherwise as a file."""
    from pbem.mail import as_draft, as_link

    from .desktop import open_with_desktop

    if link := as_link(raw):
        open_with_desktop(link)
    else:
        open_with_desktop(desk.tray.draft(name, as_draft(raw)))
