"""Commands of a player: key, join, read, order, say, address, time, check, send; and what board shows of his copy."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pbem.errors import PbemError, UsageError
from pbem.words import N_, _, _n, languages, spoken

from . import screen
from .common import (
    Html,
    Pictures,
    check_address,
    echo_json,
    fresh_key,
    now,
    passphrase,
    read_bytes,
    read_text,
    write_bytes,
)
from .language import ask_for, for_programs, of_the_player

if TYPE_CHECKING:
    from pbem.games import GamePack
    from pbem.player import Desk, Notes
    from pbem.reports.text import Report

Home = Annotated[
    Path, typer.Option("--home", envvar="PBEM_HOME", callback=of_the_player, help="Your folder with key and games.")
]
Game = Annotated[str, typer.Option("--game", help="The first letters of the game's id, when you play several.")]
Mail = Annotated[str, typer.Argument(metavar="MAIL", help="A saved mail, a Maildir, or - for standard input.")]

HOME = Path("~/.pbem").expanduser()

_SENDS = N_("“pbem send” sends it.")
_NEEDS = {
    "agree": N_("Say which: “pbem say agree N”, where N is the entry of the offer."),
    "takeback": N_("Say which: “pbem say takeback N”, where N is the question."),
    "leave": N_("Say which: “pbem say leave N”, where N is the number of hours."),
}

UNSIGNED = N_(
    "Nothing in this mail is signed by the host: nothing of it was verified, and nothing went into your copy.\n"
    "If it was handed on to you or copied by hand, save the mail that the host sent, with what is attached to it."
)


def _desk(home: Path) -> Desk:
    from pbem.player import Desk

    return Desk(home, passphrase())


def key(
    address: Annotated[str, typer.Option(help="Your e-mail address.")],
    post: Annotated[
        str, typer.Option(help="The host's Maildir, if you can write to it; else send with your mail program.")
    ] = "",
    smtp: Annotated[
        str, typer.Option(help="Your mail server for sending; the password is read from PBEM_SMTP_PASSWORD.")
    ] = "",
    take: Annotated[Path | None, typer.Option("--import", help="An ed25519 key of OpenSSH that you have.")] = None,
    recovery: Annotated[
        Path | None, typer.Option(help="Where to write a second key, to be kept elsewhere in case this one is lost.")
    ] = None,
    home: Home = HOME,
) -> None:
    """Make your key, or import one. Keep it safe: with key and log you can go on anywhere."""
    from pbem.ledger import PrivateKey, fingerprint
    from pbem.player import Desk, Settings

    check_address(address)
    made = PrivateKey.load(read_bytes(str(take)), passphrase()) if take else fresh_key()
    server = {"host": smtp, "user": address, "password_env": "PBEM_SMTP_PASSWORD"} if smtp else {}
    Desk.create(home, made, Settings(address, str(Path(post).resolve()) if post else "", server), passphrase())
    typer.echo(
        _(
            "Your key lies in {path}. Its fingerprint, to be compared by telephone:\n  {fingerprint}",
            path=home / "key",
            fingerprint=fingerprint(made.key_line),
        )
    )
    if recovery is not None:
        spare = fresh_key()
        recovery.touch(mode=0o600)
        recovery.write_bytes(spare.dump(passphrase()))
        (home / "recovery.pub").write_text(spare.key_line + "\n", "utf-8")
        typer.echo(
            _(
                "Keep {recovery} away from this machine: with it, “pbem rekey --recovery” takes your seats back.",
                recovery=recovery,
            )
        )
    if passphrase() is None:
        typer.echo(_("It has no passphrase; set PBEM_PASSPHRASE before making a key to protect it with one."))


def rekey(
    recovery: Annotated[
        Path | None, typer.Option(help="Your recovery key, if the key itself is lost or in other hands.")
    ] = None,
    home: Home = HOME,
) -> None:
    """Make a new key in the place of yours, in all games that go on; everybody says again that he is ready."""
    from pbem.ledger import PrivateKey, fingerprint

    desk, made = _desk(home), fresh_key()
    spare = PrivateKey.load(read_bytes(str(recovery)), passphrase()) if recovery else None
    if spare is not None and spare.key_line != desk.recovery_line:
        raise UsageError(_("{recovery} is not the recovery key that your seats were taken with.", recovery=recovery))
    games = desk.rekey(made, now(), spare)
    typer.echo(_("Your new key, to be compared by telephone:\n  {fingerprint}", fingerprint=fingerprint(made.key_line)))
    typer.echo(
        _("“pbem send” tells the host: {games}.", games=", ".join(games)) if games else _("No game is going on.")
    )


def language(
    wanted: Annotated[
        str | None,
        typer.Argument(metavar="[LANGUAGE]", callback=ask_for, help="en or fr; without it the present one is named."),
    ] = None,
    home: Home = HOME,
) -> None:
    """Choose the language in which pbem answers you; your letters ask every host to write to you in it."""
    desk = _desk(home)
    if wanted is None:
        typer.echo(
            _("pbem answers in “{language}”; it has {languages}.", language=spoken(), languages=", ".join(languages()))
        )
        return
    desk.choose_language(wanted)
    # Translators: say it of your own language
    typer.echo(_("pbem answers you in English from now on, and your letters ask each host to write in English."))


def _each_mail(where: str, do: Callable[[bytes], None]) -> int:
    """Do something with the mail at a place: a file, standard input, or each new one of a Maildir; return with how many.

    In a Maildir a mail with which it failed stays new, and is tried again after the others: it may have overtaken one of
    them. The program ends with code 1 when one is left.
    """
    from pbem.mail import Maildir

    if where == "-" or not Path(where).is_dir():
        do(read_bytes(where))
        return 1
    if not (Path(where) / "new").is_dir():
        raise UsageError(
            _("{where} is no mail folder (Maildir): there is no “new” in it. Name a mail that you saved.", where=where)
        )
    folder = Maildir(Path(where))
    waiting = [(path, raw) for path, raw, _since in folder.new()]
    count, done = len(waiting), -1
    while done:
        done, failed = 0, []
        for path, raw in waiting:
            try:
                do(raw)
            except PbemError as error:
                failed.append((path, raw, error))
            else:
                folder.done(path)
                done += 1
        waiting = [(path, raw) for path, raw, _why in failed]
    for path, _raw, why in failed:
        typer.echo(f"pbem: {path}: {why}", err=True)
    if failed:
        raise typer.Exit(1)
    return count


def _nothing_new(mail: str) -> str:
    return _(
        "There is no new mail in {mail}. What was read before lies in {path}: name the file.",
        mail=mail,
        path=Path(mail) / "cur",
    )


def join(
    mail: Mail,
    tongue: Annotated[
        str,
        typer.Option(
            "--language",
            callback=ask_for,
            help="What you read: en or fr. The host is asked to write in it; see “pbem language”.",
        ),
    ] = "",
    home: Home = HOME,
) -> None:
    """Take up an invitation, or say that you are ready once all keys are known; compare the fingerprints, then send."""
    desk = _desk(home)
    if tongue:
        desk.choose_language(tongue)

    def answer(raw: bytes) -> None:
        typer.echo("\n".join([desk.join(raw, now()), _("“pbem send” sends the answer.")]))

    if not _each_mail(mail, answer):
        raise UsageError(_nothing_new(mail))


def read(mail: Mail, html: Html = None, home: Home = HOME) -> None:
    """Take a mail's log lines into your copy, verify it, and show the report made from the copy."""
    desk = _desk(home)
    bad = False

    def show(raw: bytes) -> None:
        nonlocal bad
        reading = desk.read(raw)
        for warning in reading.warnings:
            bad = True
            typer.echo(_("WARNING: {warning}", warning=warning) + "\n", err=True)
        typer.echo(reading.text)
        if not reading.game:
            typer.echo(_(UNSIGNED), err=True)
        if html is not None and reading.since is not None:
            write_bytes(html, desk.page(desk.notes(reading.game), reading.since).encode())

    if not _each_mail(mail, show):
        typer.echo(
            _(
                "There is no new mail in {mail}. What was read before lies in {path}.",
                mail=mail,
                path=Path(mail) / "cur",
            )
        )
    if bad:
        raise typer.Exit(1)


def show_copy(game: str, home: Path, pictures: Pictures) -> None:
    """Show the position, the hand, and what is asked, from the player's copy of a game: in words, or drawn into files."""
    desk = _desk(home)
    notes = desk.notes(game)
    since = desk.copy(notes).log.head[0]
    if pictures:
        pictures.write(lambda: desk.picture(notes), lambda: desk.page(notes, since))
    elif screen.in_colour():
        _show_at_a_glance(*desk.standing(notes, since))
    else:
        typer.echo(desk.report(notes, since))


def _show_at_a_glance(report: Report, pack: GamePack) -> None:
    """Show in a terminal what is asked and how things stand; what happened is told by the report."""
    from pbem.reports.text import result_text

    look, view = pack.look, report.typed(pack)
    typer.echo(
        _(
            "{title}, game {game}. You play {seat}.",
            title=pack.rules.title,
            game=report.game_id[:8],
            seat=look.seat_name(report.seat),
        )
    )
    screen.show_position(look, view)
    if report.result is not None:
        typer.echo(f"\n{result_text(report.result, pack)}")
        return
    mine = report.seat in report.asked
    if mine:
        typer.echo(f"\n{look.question(view)}")
    if others := ", ".join(look.seat_name(seat) for seat in report.asked if seat != report.seat):
        said = _("Asked at the same time: {seats}.", seats=others) if mine else _("Waiting for {seats}.", seats=others)
        typer.echo(f"\n{said}")
    if report.due:
        said = _("Answer before {due}.", due=report.due) if mine else _("They answer before {due}.", due=report.due)
        typer.echo(f"\n{said}")
    if mine:
        typer.echo("\n" + _("“pbem order” composes your answer step by step."))


def order(
    file: Annotated[
        str | None, typer.Argument(metavar="[FILE]", help="Your order as text, or -; else composed here.")
    ] = None,
    plans: Annotated[str, typer.Option(help="A file with plans for what may be asked next.")] = "",
    game: Game = "",
    home: Home = HOME,
) -> None:
    """Give the order that is asked for: it is read, checked, signed and laid ready to be sent.

    Lines that begin with PLAN or AHEAD go with it; AHEAD lines may be sent alone, also when nothing is asked.
    """
    from pbem.kernel import read_lines, take_apart

    from .compose import compose

    desk = _desk(home)
    notes = desk.notes(game)
    text: str | None = read_text(file) if file else None
    before = None
    if text is None or read_lines(take_apart(text).order):
        to, view, pack = desk.question(notes)
        before = notes.revisions.get(str(to.ask))
        text = text if text is not None else compose(pack, view, notes.plans, desk.next_marks(notes))
    if text is None:
        typer.echo(_("Nothing has been signed."))
        raise typer.Exit(1)
    planned = read_text(plans) if plans else ""
    said = desk.order(notes, text, planned, now())
    typer.echo("\n".join([_("Signed:"), *(f"  {line}" for line in said.split("\n"))]))
    if before is not None:
        typer.echo(
            _(
                "You have answered this before: this is revision {rev}, and counts if the question is still open.",
                rev=before + 1,
            )
        )
    typer.echo(_(_SENDS))


def plan(
    file: Annotated[
        str | None, typer.Argument(metavar="[FILE]", help="Plans as text, or -; without it they are shown.")
    ] = None,
    none: Annotated[bool, typer.Option("--none", help="Have none any more.")] = False,
    game: Game = "",
    home: Home = HOME,
) -> None:
    """Keep standing plans, which go with every order that brings none of its own; or show them."""
    if none and file:
        raise UsageError(_("Plans and --none do not go together."))
    desk = _desk(home)
    notes = desk.notes(game)
    said = desk.plan(notes, read_text(file) if file else "") if file or none else notes.plans
    lines = [f"  PLAN {line}" for line in said.splitlines()]
    typer.echo(
        "\n".join([_("Your standing plans in this game:"), *lines])
        if lines
        else _("You have no standing plans in this game.")
    )


def say(
    what: Annotated[str, typer.Argument(metavar="WHAT", help="resign, draw, agree, takeback, leave, claim or rules.")],
    number: Annotated[
        int | None,
        typer.Argument(metavar="[N]", help="The offer's entry (agree), the question's (takeback), hours (leave)."),
    ] = None,
    game: Game = "",
    home: Home = HOME,
) -> None:
    """Say something besides an order: resign, offer or agree to something, take leave, claim a game whose time is over."""
    desk = _desk(home)
    notes = desk.notes(game)
    if what == "rules":
        typer.echo(_("Signed: agreed to go on by {rules}", rules=desk.agree_to_rules(notes, now())))
        typer.echo(_(_SENDS))
        return
    if what not in ("resign", "draw", "agree", "takeback", "leave", "claim"):
        raise UsageError(
            _("“{what}” cannot be said; what can is resign, draw, agree, takeback, leave, claim and rules.", what=what)
        )
    name = {"agree": "about", "takeback": "about", "leave": "hours"}.get(what)
    if name and number is None:
        number = _only_number(desk, notes, what)
    if number is not None and not name:
        raise UsageError(_("No number goes with “{what}”.", what=what))
    said = desk.say(notes, what, now(), **({name: number} if name else {}))
    typer.echo(_("Signed: {said}", said=said))
    typer.echo(_("“pbem send” sends it; until then you may throw it away."))


def welcome(
    mail: Annotated[str, typer.Argument(metavar="MAIL", help="The mail that asks you.")],
    another: Annotated[
        bool, typer.Option("--another", help="You have agreed to another host before, and that one has given up.")
    ] = False,
    home: Home = HOME,
) -> None:
    """Agree to who comes in place of one who has vanished, a player or the host; compare his key by telephone, then send."""
    desk = _desk(home)

    def agree(raw: bytes) -> None:
        typer.echo("\n".join([desk.welcome(raw, now(), another=another), _("“pbem send” sends your agreement.")]))

    if not _each_mail(mail, agree):
        raise UsageError(_nothing_new(mail))


def _only_number(desk: Desk, notes: Notes, what: str) -> int:
    """The number that is meant where none was typed: of the only offer, or of the last question that this seat answered."""
    found = []
    if what == "agree":
        found = [n for n, offer in desk.talk(notes).offers.items() if offer.seat != notes.seat]
    elif what == "takeback":
        log = desk.copy(notes).log
        found = [entry.n for entry in log.entries if entry.k == "ask" and entry.fields["to"] == [notes.seat]][-1:]
    if len(found) == 1:
        return int(found[0])
    raise UsageError(_(_NEEDS[what]))


def address(
    new: Annotated[str, typer.Argument(metavar="ADDRESS", help="Where the letters shall go from now on.")],
    number: Annotated[
        int | None, typer.Option(min=1, help="The number of the change, when the host asks for another.")
    ] = None,
    game: Annotated[str, typer.Option("--game", help="The first letters of a game's id; without it, all games.")] = "",
    home: Home = HOME,
) -> None:
    """Have the host's letters go to another address, by a signed mail to each game's host."""
    check_address(new)
    desk = _desk(home)
    chosen = [desk.notes(game)] if game else list(desk.games())
    if not chosen:
        raise UsageError(
            _("There is no game on this desk; your address stands in {settings}.", settings=home / "settings.json")
        )
    for notes in chosen:
        no = desk.move(notes, new, number, now())
        typer.echo(
            _(
                "{game} ({title}): your letters shall go to {new} (change {no}).",
                game=notes.game[:8],
                title=notes.title,
                new=new,
                no=no,
            )
        )
    typer.echo(_("“pbem send” sends it. The host answers at both addresses."))


def time(
    zone: Annotated[str, typer.Option(help="Your time zone, as Europe/Paris.")],
    quiet: Annotated[
        str, typer.Option(metavar="FROM-TO", help="Hours of your day that do not count, as 22-08; or off.")
    ] = "off",
    weekends: Annotated[
        str, typer.Option(metavar="on|off|DAYS", help="“off”: Saturday and Sunday do not count; or days, as fri,sat.")
    ] = "on",
    number: Annotated[
        int | None, typer.Option(min=1, help="The number of the statement, when the host asks for another.")
    ] = None,
    game: Annotated[str, typer.Option("--game", help="The first letters of a game's id; without it, all games.")] = "",
    home: Home = HOME,
) -> None:
    """Say when time counts for you, by a signed mail to each game's host; it holds from the next question on."""
    from pbem.host.hours import Hours

    hours = Hours.read(zone, quiet, weekends)
    desk = _desk(home)
    chosen = [desk.notes(game)] if game else list(desk.games())
    if not chosen:
        raise UsageError(_("There is no game on this desk."))
    for notes in chosen:
        no = desk.set_clock(notes, hours.zone, hours.quiet, hours.weekends, number, now())
        typer.echo(
            _(
                "{game} ({title}): time counts by this clock: {hours} (number {no}).",
                game=notes.game[:8],
                title=notes.title,
                hours=hours,
                no=no,
            )
        )
    typer.echo(_(_SENDS))


def press(
    text: Annotated[str | None, typer.Argument(metavar="[TEXT]", help="What you have to say.")] = None,
    file: Annotated[str, typer.Option(metavar="FILE", help="A file that holds it, or - for standard input.")] = "",
    to: Annotated[str, typer.Option(metavar="SEAT", help="For one seat alone; else for all others.")] = "",
    game: Game = "",
    home: Home = HOME,
) -> None:
    """Write to the other players through the host, which hands it on without addresses. It stands in no log."""
    if (text is None) == (not file):
        raise UsageError(_('Write what you have to say, as “pbem press "A truce?"”, or name a file with --file.'))
    desk = _desk(home)
    notes = desk.notes(game)
    desk.press(notes, (text if text is not None else read_text(file)).strip(), to.lower(), now())
    typer.echo(_("Signed, for {seat}.", seat=to) if to else _("Signed, for all others."))
    typer.echo(_(_SENDS))


def check(
    game: Game = "",
    json: Annotated[bool, typer.Option("--json", callback=for_programs, help="Print JSON.")] = False,
    home: Home = HOME,
) -> None:
    """Verify the whole of your copy."""
    desk = _desk(home)
    verdict = desk.copy(desk.notes(game)).verdict()
    if json:
        echo_json(verdict.to_json())
    else:
        typer.echo(_("{verdict}: {reason}", verdict=verdict.outcome, reason=verdict.reason))
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
    game: Game = "",
    home: Home = HOME,
) -> None:
    """Send the letters that wait: into the host's Maildir or by your mail server, if you named one; else say where they lie.

    With --eml or --mailto one letter is handed to your mail program.
    """
    desk = _desk(home)
    if eml or mailto:
        _hand_over(desk, game, eml)
        return
    if not desk.unsent():
        typer.echo(_("Nothing waits to be sent."))
        return
    if not desk.settings.ways:
        waiting = "\n".join(f"  {path}" for path in desk.unsent())
        typer.echo(_("Send with your mail program, then move to {folder}:", folder=desk.home / "sent") + f"\n{waiting}")
        typer.echo(_("Or let “pbem send --eml FILE” or “pbem send --mailto” hand it to your mail program."))
        settings = desk.home / "settings.json"
        typer.echo(
            _(
                "Or name a mail server as “smtp”, or the host's Maildir, if you can write to it,\nas “post” in {settings}.",
                settings=settings,
            )
        )
        return
    for path in desk.send():
        typer.echo(_("sent: {name}", name=path.name))


def _hand_over(desk: Desk, game: str, eml: Path | None) -> None:
    """Give the letter that waits to a mail program: as a file, or as a link on standard output."""
    from pbem.mail import as_draft, as_link

    path = desk.next_unsent(game)
    raw = path.read_bytes()
    if eml:
        write_bytes(eml, as_draft(raw))
        typer.echo(_("Open it with your mail program and send it."))
    elif link := as_link(raw):
        typer.echo(link)
    else:
        raise UsageError(
            _(
                "The letter is too long for a link: some programs would cut it. “pbem send --eml FILE” writes it as a "
                "file."
            )
        )
    kept = desk.sent(path)
    typer.echo(
        _("It is kept as {kept}; to send it again, move it back to {folder}.", kept=kept, folder=path.parent),
        err=not eml,
    )
    if left := len(desk.unsent()):
        typer.echo(_n("{n} more letter waits.", "{n} more letters wait.", left), err=not eml)


def add_to(app: typer.Typer) -> None:
    """Add these commands to the program."""
    for command in (key, rekey, language, join, read, order, plan, say, welcome, address, time, press, check, send):
        app.command()(command)
