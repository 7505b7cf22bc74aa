"""What the commands of a player do in games of two, which have no host: with makes one; the others come here where one is meant."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pbem.errors import PbemError, UsageError
from pbem.i18n import _
from pbem.i18n.visible import in_a_line

from . import screen
from .common import (
    HOME,
    Edition,
    GameId,
    Option,
    Pictures,
    Scenario,
    check_address,
    chosen_game,
    game_options,
    now,
    write_bytes,
)
from .desk import SENDS, Home, desk_in

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pbem.player import Desk
    from pbem.player.pair.shelf import PairSeat
    from pbem.referee.pair import PairPlay

LONGEST = 24 * 366


def with_(
    friend: Annotated[str, typer.Argument(metavar="ADDRESS", help="Your friend's e-mail address.")],
    game: GameId = None,
    scenario: Scenario = None,
    edition: Edition = None,
    option: Option = None,
    side: Annotated[str, typer.Option(metavar="SEAT", help="Your seat; else the first one of the game.")] = "",
    hours: Annotated[
        int,
        typer.Option(min=0, max=LONGEST, help="How long an answer should take, as a courtesy; 0: as long as it takes."),
    ] = 0,
    odds: Annotated[
        bool, typer.Option("--odds/--no-odds", help="Whether your programs show chances while the game is on.")
    ] = True,
    witness: Annotated[
        str,
        typer.Option(
            metavar="ADDRESS",
            help="Somebody who keeps copies of your letters and their times, and can read nothing hidden.",
        ),
    ] = "",
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="FILE", help="Write the invitation for your mail program to open."),
    ] = None,
    home: Home = HOME,
) -> None:
    """Start a game with one friend, without a host. Writes the invitation.

    His answer begins the game: two mails. “pbem turn” does the rest, or “pbem read”, “pbem order” and “pbem send” by hand.
    Neither of you can see the other's hand.
    """
    for address in filter(None, (friend, witness)):
        check_address(address)
    desk = desk_in(home)
    pack = chosen_game(game)
    options = game_options(scenario, edition, option or [])
    terms = {"hours": hours} | ({} if odds else {"odds": False})
    screen.echo(
        desk.pair_joiner.begin(pack, options, side, friend, terms, secrets.token_hex(32), now(), witness=witness)
    )
    if out is None:
        screen.echo(_(SENDS))
        return
    from pbem.mail import as_draft

    path = max(desk.tray.unsent(), key=lambda one: one.stat().st_mtime_ns)
    write_bytes(out, as_draft(path.read_bytes()))
    desk.tray.sent(path)
    screen.echo(_("Open it with your mail program and send it."))


# -- which game is meant -------------------------------------------------------------------------------------------------


def pair_meant(desk: Desk, game: str, *, asked: bool = False) -> PairSeat | None:
    """Return the game of two that is meant; None where a hosted one is, or none is there.

    `asked`: where no game is named and several are there, the only one whose turn it is. Raises UsageError where it is not clear.
    """
    here = found = pairs_named(desk, game)
    hosted = [one for one in desk.games() if one.game.startswith(game.lower())]
    if not found:
        return None
    if not game and len(found) + len(hosted) > 1:
        going = [one for one in found if one.state_or("") != "over"]
        if not hosted:
            found = going or found
        mine = [one for one in going if one.state_or("") == "mine"]
        if asked and (len(mine) == 1 or hosted):
            found = mine
            if not mine:
                return None
    if len(found) == 1 and (not hosted or (asked and not game)):
        return found[0]
    everything = [(one.game[:8], one.title) for one in hosted]
    everything += [
        (one.game[:8], _("{title} with {friend}", title=one.title, friend=in_a_line(one.friend or "?")))
        for one in (seat.notes for seat in here)
    ]
    names = ", ".join(f"{name} ({title})" for name, title in everything)
    which = _("Which game? There are {games}. Name one by --game {first}.", games=names, first=everything[0][0])
    if asked and not any(one.state_or("") == "mine" for one in found) and not hosted:
        which = _("It is your turn in none of your games.") + " " + which
    raise UsageError(which)


def pairs_named(desk: Desk, game: str = "") -> list[PairSeat]:
    """Return the games of two whose id begins so."""
    return [desk.pairs.seat(notes) for notes in desk.pairs.named(game)] if desk.has_pairs else []


def letters_of(seat: PairSeat) -> list[Path]:
    """Return the letters of a game to the friend that wait to be sent."""
    from pbem.player.pair.letters import SEEN

    return [path for path in seat.waiting() if path not in seat.waiting(SEEN)]


def pair_heading(seat: PairSeat) -> str:
    """Return which game it is."""
    own = seat.table.pack.look.seat_name(seat.notes.seat)
    return _(
        "{title}, game {game}. You play {seat} with {friend}.", title=seat.notes.title, game=seat.notes.game[:8], seat=own,
        friend=in_a_line(seat.notes.friend or "?"),
    )  # fmt: skip


def pair_told(seat: PairSeat) -> str:
    """Return which game it is, whose turn, since when, and which letters wait."""
    from pbem.player.pair.advance import told_waiting
    from pbem.player.pair.offers import awaits_opening
    from pbem.player.pair.turns import told_offer

    from .common import moment

    state, _baton = seat.whose()
    if state == "lost":
        lost = _(
            "Its log is not here: ask your friend for the whole of it (“pbem copy” sends it), and read that letter."
        )
        return "\n".join([_("{title}, game {game}.", title=seat.notes.title, game=seat.notes.game[:8]), f"  {lost}"])
    since = moment(seat.notes.since, "UTC")
    match state:
        case "joining":
            said = _("Your friend has not joined yet; invited {since}.", since=since)
        case "mine":
            said = _("It is your turn, since {since}.", since=since)
        case "theirs":
            said = _("It is your friend's turn, since {since}.", since=since)
            if owed := awaits_opening(seat):
                said += f"\n  {owed}"
        case _:
            said = _("It is over.")
    lines = [pair_heading(seat), f"  {said}"]
    if hours := seat.overdue(now()):
        late = _("The {hours} hours are over within which you both wanted to answer.", hours=hours)
        remind = " " + _("“pbem resend” sends your letter once more, as a reminder.") if state == "theirs" else ""
        lines.append(f"  {late}{remind}")
    lines += [f"  {line}" for line in told_offer(seat).splitlines()]
    if "draw" in seat.notes.says:
        lines.append("  " + _("Your next order offers a draw; “pbem say withdraw” takes that back."))
    if (parted := seat.path("fork")).is_file():
        lines.append("  " + told_fork(parted))
    if state != "over":
        lines += [f"  {line}" for line in told_waiting(seat.notes)]
    lines += ["  " + _("Waits to be sent: {name}", name=_letter_told(path)) for path in letters_of(seat)]
    return "\n".join(lines)


def told_asked(desk: Desk, game: str) -> list[str]:
    """Say in which games of two their player is asked, a line each."""
    asked = [one for one in pairs_named(desk, game) if one.state_or("") == "mine"]
    orders = _("It is your turn: “pbem order” answers.")
    return [f"{pair_heading(one)} {orders}" for one in asked]


def _letter_told(letter: Path) -> str:
    """Return what a letter to the friend holds, with its name."""
    from pbem.ledger.of_two import WORD
    from pbem.player.pair.letters import COPY, NAME, TALK

    name = letter.stem.partition(".")[2]
    kinds = {
        NAME: _("your turn, with what your program has to say"),
        TALK: _("your words"),
        WORD: _("what you say besides your turn"),
        COPY: _("your whole log"),
    }
    told = kinds.get(name.partition(".")[0])
    return f"{told} ({name})" if told else name


def told_fork(parted: Path) -> str:
    """Say that evidence lies beside a log that parts from it."""
    return _(
        "{file} holds another turn that was signed in the place of one of this log, which counts here.",
        file=parted.name,
    )


def pair_json(seat: PairSeat) -> dict[str, object]:
    """Return the same for a program, with the names that hosted games have."""
    state, baton = seat.whose()
    waiting = [path.name for path in letters_of(seat)]
    return {
        "game": seat.notes.game, "title": seat.notes.title, "seat": seat.notes.seat, "friend": seat.notes.friend,
        "state": {"theirs": "others"}.get(state, state), "waits_for": [baton] if baton else [],
        "since": seat.notes.since, "due": "", "unsent": waiting, "without_receipt": [],
    }  # fmt: skip


# -- what is shown -------------------------------------------------------------------------------------------------------


def is_for_a_pair(raw: bytes) -> bool:
    """Does a letter, or what was attached to one, belong to a game of two?"""
    from pbem.ledger.of_two import is_of_two_friends
    from pbem.player.reading import opened

    return is_of_two_friends(opened(raw)[0].log)


def is_laid_again(letter: Path) -> bool:
    """Is a letter, to go by its name, one of a game of two that “pbem resend” lays ready again?"""
    from pbem.player.pair.letters import NAME, TALK

    return letter.name.split(".")[1] in (NAME, TALK)


def board_of_pair(seat: PairSeat, pictures: Pictures) -> None:
    """Show how a game stands, and what is asked: in words, or drawn into files."""
    from pbem.player.copy import sense
    from pbem.player.pair.showing import pair_material, standing_play
    from pbem.reports.html import page
    from pbem.reports.reckoned import Reckoned, render

    play = standing_play(seat, now())
    made = Reckoned(*pair_material(seat, play, news=False))
    with sense():
        if pictures:
            pictures.write(lambda: made.picture, lambda: page(made))
        else:
            screen.echo(render(made))
            _say_of_it(seat)
            _say_unmet(seat, play)


def _say_of_it(seat: PairSeat) -> None:
    """Say what stands in no report: an offer, an own letter that has not been sent, and what may be done at the end."""
    from pbem.player.pair.turns import told_offer

    if offer := told_offer(seat):
        screen.say("\n" + offer)
    _say_of_own(seat)
    if seat.state == "over":
        log = seat.path("pbem")
        screen.say("\n" + _("Both have shown their secrets: “pbem audit {log}” judges the whole game.", log=log))


def _say_of_own(seat: PairSeat) -> None:
    """Say that an own turn has not been sent, where one has not."""
    from pbem.player.pair.laying import turn_waits

    if seat.state != "mine" and turn_waits(seat):
        screen.say(
            "\n" + _("Your own letter has not left yet: “pbem send” sends it; before that your friend cannot go on.")
        )


def show_pair(seat: PairSeat, *, always: bool = False, html: Path | None = None) -> PairPlay | None:
    """Show the report of a game: what is new, the board, what is asked; return the play where something is. `always`: if nothing
    is new."""
    from pbem.player.copy import sense
    from pbem.player.pair.showing import is_new, pair_material, standing_play, was_told
    from pbem.reports.reckoned import Reckoned, render

    play = standing_play(seat, now())
    asked = play if play.question is not None else None
    if always or asked or is_new(seat, play):
        made = Reckoned(*pair_material(seat, play))
        with sense():
            screen.echo("\n" + render(made))
        if html is not None:
            from pbem.reports.html import page

            write_bytes(html, page(made).encode())
        was_told(seat, play)
        _say_unmet(seat, play)
    return asked


def _say_unmet(seat: PairSeat, play: PairPlay) -> None:
    """Say what plans could have done, where the friend has pledged his for a battle and this player's are kept."""
    from pbem.player.pair.advance import unmet

    if about := unmet(seat.table, seat.notes, play):
        screen.say(
            "\n"
            + _(
                "Your friend had sealed plans for the battle of {about}. With “pbem plan --shown” yours answer his at once, from "
                "the next battle on that both speak of.",
                about=about,
            )
        )


def read_pair_letter(desk: Desk, raw: bytes, html: Path | None = None, *, instead: bool = False) -> None:
    """Read a letter of a friend, as “pbem read” does."""
    from pbem.player.pair.turns import told_offer

    reading = desk.pair_inbox.read(raw, now(), instead=instead)
    if reading.invites:
        screen.say(desk.pair_joiner.told_invitation(raw))
        screen.say(_("Nothing has been signed. “pbem join MAIL”, with this mail, joins."))
        return
    if reading.text:
        screen.say(reading.text)
    seat = desk.pairs.seat(desk.pairs.named(reading.game)[0])
    if seat.table.waits:
        return
    before = set(desk.tray.unsent())
    asked = show_pair(seat, always=True, html=html)
    if not say_laid(desk, before):
        _say_of_own(seat)
    if offer := told_offer(desk.pairs.seat(desk.pairs.named(reading.game)[0])):
        screen.say(offer)
    if asked is not None:
        screen.say(_("“pbem order” answers it."))


def play_on_with_friends(desk: Desk, game: str) -> None:
    """Let programs go on that waited for an answer to a friend's offer: who sends without one plays on."""
    from pbem.player.pair.turns import play_on

    for seat in pairs_named(desk, game):
        try:
            if play_on(seat, now()):
                screen.say(_("{title}: you say nothing to that, and play on.", title=seat.notes.title))
        except PbemError as error:  # what is wrong with one game keeps no letter here
            screen.say(trouble_of(seat, error))


def say_laid(desk: Desk, before: set[Path]) -> bool:
    """Say which letters the program has written by itself meanwhile, and why they have to go; False where there are none."""
    laid = any(path not in before for path in desk.tray.unsent())
    if laid:
        screen.say(
            _(
                "Nothing is to be decided by you now, but your friend's program waits for what yours has to say (its "
                "share in dice or "
                "cards, what came of a step, or what your plans answer). It is signed, and waits to be sent: “pbem send”."
            )
        )
    return laid


# -- orders --------------------------------------------------------------------------------------------------------------


def sign_pair(seat: PairSeat, text: str | None = None, play: PairPlay | None = None, plans: str = "") -> bool:
    """Ask for what a turn asks until it is signed, or take it from a text; False where its player has left it.

    `plans` go along with the first order.
    """
    from pbem.kernel import take_apart
    from pbem.player.pair.advance import marks_ahead, told_shown
    from pbem.player.pair.turns import asked, order
    from pbem.reports.text import fact_text

    from .compose import compose, show_unsaid

    play = play or asked(seat, now())
    pack = seat.table.pack
    given = text
    while play.question is not None:
        if given is not None and given.strip().lower() in screen.HELP:
            screen.echo("\n".join([pack.look.question(play.view), "", pack.look.template(play.view)]))
            given = None
            return False
        said = given
        if said is None:
            said = compose(
                pack, play.view, seat.notes.plans, marks_ahead(play), aside=told_shown(seat.table, seat.notes)
            )
        if said is None:
            screen.echo(_("Nothing has been signed."))
            return False
        if given is not None:
            show_unsaid(pack, play.view, take_apart(given).order)
        spoken = len(seat.notes.spoken)
        answer, plans = order(seat, play, said, now(), plans), ""
        screen.echo("\n".join([_("Your answer:"), *(f"  {line}" for line in answer.split("\n"))]))
        for _n, _heard, fact in seat.notes.spoken[spoken:]:
            screen.echo(fact_text(fact, seat.notes.seat, pack))
        if play.question is not None:
            screen.echo("\n" + _("Your turn asks more before it is signed:"))
            if text is not None:
                screen.echo("\n".join([pack.look.question(play.view), "", pack.look.template(play.view)]))
                return True
            given = None
    screen.echo(_("Your turn is signed."))
    return True


def send_ahead_in_pair(seat: PairSeat, text: str, plans: str) -> bool:
    """Keep orders for questions to come, where a text has nothing else; False where it has."""
    from pbem.player.pair.advance import is_ahead_alone
    from pbem.player.pair.turns import send_ahead

    if not is_ahead_alone(text):
        return False
    said = send_ahead(seat, text, plans)
    screen.echo("\n".join([_("Kept here, until it is asked:"), *(f"  {line}" for line in said.split("\n"))]))
    return True


def say_in_pair(seat: PairSeat, what: str, *, yes: bool) -> None:
    """Say something besides an order."""
    from pbem.player.pair.sayable import MEANT
    from pbem.player.pair.saying import SAYS, say, withdraw

    if what == "withdraw":
        if seat.table.waits:
            screen.sure(_(MEANT[what]), yes=yes)
        screen.echo(withdraw(seat))
        return
    if what not in SAYS:
        says = ", ".join((*SAYS, "withdraw"))
        raise UsageError(
            _(
                "In a game of two “{what}” cannot be said; what can is {says}. “pbem say” alone tells what each means now.",
                what=what,
                says=says,
            )
        )
    screen.sure(_(MEANT[what]), yes=yes)
    screen.echo(say(seat, what, now()))
    if what not in seat.pairs.named(seat.notes.game)[0].says and letters_of(seat):
        screen.echo(_(SENDS))


def join_pair(desk: Desk, raw: bytes, friend: str) -> None:
    """Join a game of two by its invitation; what is agreed on was told before, by “pbem read” or “pbem turn”."""
    screen.say(desk.pair_joiner.told_invitation(raw))
    if screen.in_colour() and not screen.agreed(_("Join?"), default=False):
        screen.echo(_("Nothing has been signed."))
        return
    screen.echo("\n" + desk.pair_joiner.join(raw, now(), friend))
    screen.echo(_("“pbem send” sends the answer."))


def trouble_of(seat: PairSeat, error: PbemError) -> str:
    """Say what is wrong with one game, so that the others go on."""
    return f"{seat.notes.title}, {seat.notes.game[:8]}\n  " + _("WARNING: {warning}", warning=error)


def trouble_json(seat: PairSeat, error: PbemError) -> dict[str, object]:
    """Return the same for a program."""
    return {
        "game": seat.notes.game, "title": seat.notes.title, "seat": seat.notes.seat, "friend": seat.notes.friend,
        "state": "unreadable", "why": str(error),
    }  # fmt: skip


def without_notes(desk: Desk) -> Iterator[Path]:
    """Go through the logs of two whose notes are not on the desk."""
    from pbem.ledger.pair import is_of_two

    for log in sorted((desk.home / "games").glob("*.pbem")):
        if not any(log.with_suffix(ending).is_file() for ending in (".two", ".json")) and is_of_two(log.read_bytes()):
            yield log
