"""Commands that open a host's games and call them off: new, follow, cancel."""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pbem.errors import UsageError
from pbem.i18n import _
from pbem.i18n.alike import is_unseen

from . import screen
from .common import (
    Edition,
    GameId,
    Option,
    Players,
    Scenario,
    Yes,
    check_address,
    chosen_game,
    end,
    game_options,
    now,
    say_doubts,
)
from .host import HERE, LONGEST, Dir, Number, host_in, sending

if TYPE_CHECKING:
    from pbem.games import GamePack

Hours = Annotated[int, typer.Option(min=0, max=LONGEST, help="The time for an answer; 0: no limit.")]
Late = Annotated[
    str,
    typer.Option(help="A late answer: “default” (the default is taken), or “claim” (an opponent may claim the game)."),
]
Leave = Annotated[
    int, typer.Option(min=0, max=365, metavar="DAYS", help="How many days of leave each player may take in all.")
]
Most = Annotated[
    int | None,
    typer.Option(
        min=0, max=LONGEST, metavar="HOURS", help="The longest time for a question (default: a month longer)."
    ),
]
Grace = Annotated[
    int, typer.Option(min=0, max=LONGEST, metavar="HOURS", help="On top of each deadline before anything happens.")
]
Odds = Annotated[
    bool, typer.Option("--odds/--no-odds", help="Whether the players' programs show chances while the game is on.")
]
Rated = Annotated[
    bool,
    typer.Option(
        "--rated", help="The game counts in lists of ratings (“pbem ratings”) if it ends and its log is clean."
    ),
]
Event = Annotated[str, typer.Option(metavar="NAME", help="The event that it is part of, as a league.")]
Round = Annotated[
    int, typer.Option("--round", min=0, max=30, metavar="N", help="The round of that event; 0: none in particular.")
]
Zone = Annotated[str, typer.Option(help="The players' time zone, until each says his own with “pbem time”.")]
Quiet = Annotated[str, typer.Option(metavar="FROM-TO", help="Hours of the day that do not count, as 22-08.")]
Weekends = Annotated[
    str, typer.Option(metavar="on|off|DAYS", help="“off”: Saturday and Sunday do not count; or days, as fri,sat.")
]
Language = Annotated[
    list[str] | None,
    typer.Option(
        "--language",
        metavar="[SEAT=]CODE",
        help="The language of the letters (fr), or of one seat's letters (english=fr). Default: the host's.",
    ),
]


OwnKeys = Annotated[
    bool, typer.Option("--own-keys", help="Every player signs with his own key; nobody plays by replying to the mails.")
]
SameAddress = Annotated[
    bool, typer.Option("--same-address", help="Two seats may be played by replies from one address.")
]


def new(
    seat: Annotated[
        list[str],
        typer.Option("--seat", metavar="SEAT=ADDRESS", help="Who plays which seat: an address, or a built-in player."),
    ],
    game: GameId = None,
    scenario: Scenario = None,
    edition: Edition = None,
    players: Players = None,
    option: Option = None,
    title: Annotated[str, typer.Option(help="What the mails call it.")] = "",
    hours: Hours = 0,
    late: Late = "default",
    leave: Leave = 0,
    grace: Grace = 0,
    most: Most = None,
    odds: Odds = True,
    rated: Rated = False,
    event: Event = "",
    number: Round = 0,
    zone: Zone = "UTC",
    quiet: Quiet = "off",
    weekends: Weekends = "on",
    language: Language = None,
    own_keys: OwnKeys = False,
    same_address: SameAddress = False,
    dir: Dir = HERE,  # noqa: A002
) -> None:
    """Open a game and invite its players. Each chooses: to answer JOIN and play by replying, or “pbem join”, with his own key."""
    from pbem.host.built_in import make_folder
    from pbem.host.kept_seating import that_may_be
    from pbem.ledger.terms import agreed
    from pbem.mail.hours import ALWAYS
    from pbem.mail.hours import Hours as Clock

    if unseen := [letter for letter in title if is_unseen(letter) or not letter.isprintable()]:
        raise UsageError(
            _("The title has a letter that nobody sees (U+{number}): leave it out.", number=f"{ord(unseen[0]):04X}")
        )
    pack = chosen_game(game)
    options = pack.complete(game_options(scenario, edition, option or [], players))
    posts, built_in = _seated(pack, seat)
    clock = Clock.read(zone, quiet, weekends)
    terms = agreed(
        hours, late, leave, grace, most, more=clock != ALWAYS, odds=odds, rated=rated, event=event, number=number,
        built_in=built_in,
    )  # fmt: skip
    with host_in(dir) as office:
        number = office.robot.new_game(
            pack.rules.id,
            options,
            posts,
            title or pack.rules.title,
            terms,
            secrets.token_hex(32),
            now(),
            clock,
            languages_of(language or [], posts),
            kept=() if own_keys else that_may_be(terms, posts),
            same_address=same_address,
        )
        say_doubts(office, posts.values())
        for name in built_in:
            make_folder(dir, number, name)
        troubles = office.send(now())
    count = len(posts) - len(built_in)
    if troubles:
        screen.echo(_("Game {number} is open; {count} invitations wait.", number=number, count=count))
    else:
        screen.echo(_("Game {number} is open; {count} invitations have been sent.", number=number, count=count))
    end(troubles)


def _seated(pack: GamePack, seats: list[str]) -> tuple[dict[str, str], dict[str, Any]]:
    """Return the address of each seat, and which built-in player fills which. Raises UsageError."""
    from pbem.host.built_in import address_of, player_named

    posts: dict[str, str] = {}
    built_in: dict[str, Any] = {}
    _check_once(seats)
    for text in seats:
        seat, sign, name = text.partition("=")
        if sign and (player := pack.player(name)):
            built_in[seat], posts[seat] = player_named(pack, player), address_of(seat, player)
        elif sign and "@" not in name:
            wrong = _(
                "“{name}” is neither an e-mail address nor a built-in player of {game}: {bots}.",
                name=name, game=pack.rules.title, bots=pack.players,
            )  # fmt: skip
            raise UsageError(pack.or_meant(wrong, name))
        else:
            posts |= [seat_and_address(text)]
    if built_in and len(built_in) == len(posts):
        raise UsageError(_("Somebody has to play: “pbem demo” and “pbem match” let built-in players play alone."))
    return posts, built_in


def follow(
    game: Number,
    hours: Hours = 0,
    late: Late = "default",
    leave: Leave = 0,
    grace: Grace = 0,
    most: Most = None,
    odds: Odds = True,
    rated: Rated = False,
    event: Event = "",
    number: Round = 0,
    dir: Dir = HERE,  # noqa: A002
) -> None:
    """Open the games that follow from one that has ended, as a tournament's bids name them, and invite their players."""
    from pbem.host.following import follow as open_following
    from pbem.ledger.terms import agreed

    terms = agreed(hours, late, leave, grace, most, odds=odds, rated=rated, event=event, number=number)
    with host_in(dir) as office:
        numbers = open_following(office.robot, game, terms, lambda: secrets.token_hex(32), now())
        troubles = office.send(now())
    screen.echo(_("{count} games are open: {numbers}.", count=len(numbers), numbers=", ".join(map(str, numbers))))
    screen.echo(_("The invitations wait.") if troubles else _("The invitations have been sent."))
    end(troubles)


def languages_of(given: list[str], seats: Iterable[str]) -> dict[str, str]:
    """The languages of seats: for one “SEAT=fr”, for all “fr”. Raises UsageError."""
    from pbem.host.tongues import known

    found: dict[str, str] = {}
    for text in given:
        seat, sign, language = text.rpartition("=")
        if sign and seat not in seats:
            raise UsageError(
                _("“{seat}” is not a seat of this game; its seats are {seats}.", seat=seat, seats=", ".join(seats))
            )
        found |= dict.fromkeys([seat] if sign else seats, known(language))
    return found


def seat_and_address(text: str) -> tuple[str, str]:
    """Take “SEAT=ADDRESS” apart. Raises UsageError."""
    seat, sign, address = text.partition("=")
    if not sign:
        raise UsageError(
            _("“{text}” does not name a seat and an address; write --seat english=alice@example.org.", text=text)
        )
    check_address(address)
    return seat, address


def seats_said(texts: Sequence[str]) -> dict[str, str]:
    """Take “SEAT=ADDRESS” apart, each. Raises UsageError."""
    _check_once(texts)
    return dict(map(seat_and_address, texts))


def _check_once(texts: Iterable[str]) -> None:
    """Raise UsageError where a seat is given to two."""
    for seat, count in Counter(text.partition("=")[0] for text in texts).items():
        if count > 1:
            raise UsageError(_("The seat {seat} is named {n} times; one can have it.", seat=seat, n=count))


def cancel(game: Number, yes: Yes = False, dir: Dir = HERE) -> None:  # noqa: A002
    """Call off a game that has not begun, and tell those who were invited."""
    screen.sure(
        _("Game {game} is called off for good: who was invited is told, and nobody can take a seat in it.", game=game),
        yes=yes,
    )
    with sending(dir) as office:
        office.robot.cancel(game, now())
        screen.echo(_("Game {game} is called off.", game=game))
