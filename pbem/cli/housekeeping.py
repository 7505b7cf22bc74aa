"""Commands that look after a host: games, extend, observe, templates, tidy, backup, restore, move-store, catch-up, go-on."""

from __future__ import annotations

from contextlib import ExitStack, closing
from dataclasses import asdict
from datetime import datetime, timedelta
from pathlib import Path
from typing import Annotated

import typer

from pbem.errors import KeyFileError, UsageError, system_said
from pbem.i18n import _, _n

from . import screen
from .common import Yes, check_address, echo_json, end, now, passphrase, read_log
from .host import HERE, Dir, Json, Number, TheirLanguage, host_in, sending
from .opening import seats_said

LONGEST = 36500
"""Days; nothing of a host is older."""

Days = Annotated[int, typer.Option(min=0, max=LONGEST, help="How many days ago the game must have ended.")]


def games(
    stage: Annotated[
        str, typer.Option(help="Only games that are joining, readying, moving, playing, ended or cancelled.")
    ] = "",
    game: Annotated[str, typer.Option(help="Only this kind of game.")] = "",
    player: Annotated[str, typer.Option(metavar="ADDRESS", help="Only games in which this address plays.")] = "",
    waiting: Annotated[str, typer.Option(metavar="ADDRESS", help="Only games that wait for this address.")] = "",
    idle: Annotated[
        int, typer.Option(metavar="DAYS", min=0, max=LONGEST, help="Only games in which nothing moved for so long.")
    ] = 0,
    json: Json = False,
    dir: Dir = HERE,  # noqa: A002
) -> None:
    """List the games of this host, all or some."""
    from pbem.host.catching_up import copies_wanted, standing_still
    from pbem.host.condition import Condition
    from pbem.host.store.keeping import STAGES, Wanted, overview

    for address in filter(None, (player, waiting)):
        check_address(address)
    if stage and stage not in STAGES:
        raise UsageError(
            _(
                "A game is never “{stage}”; it is {stages} or {last}.",
                stage=stage,
                stages=", ".join(STAGES[:-1]),
                last=STAGES[-1],
            )
        )
    with Condition.of(dir) as host:
        rows = overview(host.store, Wanted(stage, game, player, waiting, _days_ago(idle) if idle else ""))
        still = {n: copies_wanted(host.store, n) for n in standing_still(host.store)}
    if json:
        echo_json([asdict(row) for row in rows])
        return
    for row in rows:
        said = _("{title}: entry {entry}", title=row.title, entry=row.entry)
        if row.number in still:
            said += _(", paused")
            if seats := still[row.number]:
                said += _(", without the copies of {seats}", seats=", ".join(seats))
        elif row.waiting:
            said += _(", waiting for {seats}", seats=", ".join(row.waiting))
        if row.due and row.number not in still:
            said += _(" until {due}", due=row.due)
        screen.echo(f"{row.number:4}  {row.id}  {row.stage:9}  {said}")


def tidy(
    days: Days = 90,
    json: Json = False,
    yes: Yes = False,
    dir: Dir = HERE,  # noqa: A002
) -> None:
    """Throw away the bytes of old mail of games long over, and give the disk back what the store does not use. Never a log."""
    screen.sure(
        _(
            "The bytes of mails and letters of games that ended {days} days ago or earlier are thrown away, and cannot be had "
            "back. The logs stay.",
            days=days,
        ),
        yes=yes or json,  # a program reads what follows
        by_script=True,
    )
    with host_in(dir) as office:
        found = asdict(office.robot.tidy(_days_ago(days)))
    if json:
        echo_json(found)
        return
    screen.echo(
        _(
            "{mails} mails ({mails_bytes} bytes) and {letters} letters ({letters_bytes} bytes) were "
            "emptied; the decisions on them stay.",
            **found,
        )
    )
    screen.echo(_("{bytes} bytes were given back to the disk.", bytes=found["freed_bytes"]))


def backup(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Where the backup goes; an older one is replaced.")],
    dir: Dir = HERE,  # noqa: A002
) -> None:
    """Save the store while the host works, and check all logs in it. The key is not in it: keep a copy of that elsewhere."""
    from pbem.host.condition import Condition
    from pbem.host.store.backup import damaged_name

    with Condition.of(dir) as host:
        found = host.back_up(file, now())
    if found:
        beside = damaged_name(file)
        end(
            [
                _(
                    "Logs in the store are damaged. This backup is {beside}, and an older one at {file} stays as it was. "
                    "Keep both until the games are mended.",
                    beside=beside,
                    file=file,
                ),
                *found,
            ]
        )
    screen.echo(_("{file} contains the store as it is now, without the host's key.", file=file))


def move_store(
    source: Annotated[str, typer.Argument(metavar="FROM", help="The store that is there: a file, or postgresql://….")],
    to: Annotated[
        str, typer.Argument(metavar="TO", help="Where it goes, and nothing is yet: a file, or postgresql://….")
    ],
    dir: Dir = HERE,  # noqa: A002
) -> None:
    """Move the store from a file into a PostgreSQL database, or back, while the host is not running. The source stays."""
    from pbem.host import Store
    from pbem.host.auditing import faults
    from pbem.host.locks import nobody_else
    from pbem.host.store import is_server, place_named, shown
    from pbem.host.store.moving import move

    here = [dir] if is_server(source) else [Path(source).absolute().parent, dir]
    hosts = [folder for folder in here if (folder / "host.toml").exists()]
    with ExitStack() as alone:
        for folder in {folder.resolve() for folder in hosts}:  # the one that the file lies in, whatever folder was said
            alone.enter_context(nobody_else(folder))
        rows = move(place_named(source), place_named(to))
        with closing(Store(place_named(to))) as moved:
            found = list(faults(moved))
    screen.echo(
        _n(
            "{n} row is in {to} as it was, and was read again.",
            "{n} rows are in {to} as they were, and were read again.",
            sum(rows.values()),
            to=shown(to),
        )
    )
    screen.echo(
        _(
            "Now name it in the line store of {settings}; until then no mail is taken. The store in "
            "{source} keeps its contents, and a note that it was moved. Nothing is decided there any "
            "more. Put it away.",
            settings=next(iter(hosts), dir) / "host.toml",
            source=shown(source),
        )
    )
    if found:
        end([_("Logs in it were damaged before it was moved, and are damaged there, too."), *found])


def restore(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A backup of this host.")],
    replace: Annotated[bool, typer.Option("--replace", help="Move the store that is there aside.")] = False,
    yes: Yes = False,
    dir: Dir = HERE,  # noqa: A002
) -> None:
    """Restore a backup while the host is stopped. Its games wait until their players' copies are here."""
    from pbem.host.auditing import faults
    from pbem.host.locks import nobody_else
    from pbem.host.registering import register_of
    from pbem.host.settings import Settings
    from pbem.host.store import STORE, shown
    from pbem.host.store.backup import aside_of
    from pbem.host.store.backup import restore as bring_back
    from pbem.ledger import PrivateKey
    from pbem.reports.text import groups

    if (dir / "host.toml").exists() and (named := Settings.of(dir / "host.toml").store):
        raise UsageError(
            _(
                "The store of this host is in {place}. A backup comes back as a file: remove the line store "
                "from {settings} and restore the backup. Then “pbem host move-store” moves it to an empty "
                "database.",
                place=shown(named),
                settings=dir / "host.toml",
            )
        )
    screen.sure(
        _(
            "The store returns to its state when {file} was saved. All games are paused, and all players "
            "are asked for their copies. Everything the host wrote since then is lost unless somebody "
            "has a copy.",
            file=file,
        ),
        yes=yes,
    )
    try:
        key = PrivateKey.load((dir / "key").read_bytes(), passphrase())
    except OSError as error:
        raise KeyFileError(
            _("The host's key {path} cannot be read: {why}.", path=dir / "key", why=system_said(error))
        ) from error
    with nobody_else(dir):
        aside = aside_of(dir / STORE) if (dir / STORE).exists() else None
        found = bring_back(file, dir / STORE, key.key_line, replace=replace)
    if aside is not None:
        screen.echo(_("The store that was there is {aside} now.", aside=aside))
    screen.echo(
        _n(
            "The store stands where {file} was saved; {n} game is on.",
            "The store stands where {file} was saved; {n} games are on.",
            len(found),
            file=file,
        )
    )
    for row in found:
        told = _("{title}: entry {entry}, head {head}", title=row.title, entry=row.entry, head=groups(row.head))
        screen.echo(f"{row.number:4}  {told}")
    with sending(dir) as office:
        for fault in faults(office.store):
            screen.echo(fault)
        if lines := len(register_of(office.store).lines):
            screen.echo(
                _(
                    "The register of rated games now ends with line {n}. If a longer one was given out, bring "
                    "that one back first: “pbem host register --from FILE”.",
                    n=lines,
                )
            )
        if office.robot.hold(now(), _("brought back from a backup; “pbem host catch-up”, “pbem host go-on”")):
            screen.echo(
                _(
                    "The games are paused, and all players are asked for their copies. Each game continues by "
                    "itself once the copies of all its seats are here. Take mail as always. “pbem host catch-up "
                    "COPY…” takes copies from files; “pbem host go-on NUMBER” lets a game continue without them. "
                    "A game that is missing here altogether also comes back by “pbem host catch-up”."
                )
            )


def catch_up(
    copies: Annotated[
        list[str],
        typer.Argument(metavar="COPY...", help="Players' copies (.pbem), of one or several games of this host."),
    ],
    seat: Annotated[
        list[str] | None,
        typer.Option("--seat", metavar="SEAT=ADDRESS", help="Who plays which seat, in a game that is not here at all."),
    ] = None,
    title: Annotated[str, typer.Option(help="What the mails call that game.")] = "",
    dir: Dir = HERE,  # noqa: A002
) -> None:
    """Write again what this host wrote after its backup, from its players' copies; the games still wait for “go-on”."""
    from pbem.host.registering import misses

    players = seats_said(seat or [])
    missing: dict[int, str] = {}
    with sending(dir) as office:
        for place in copies:
            number, missing[number] = office.robot.catch_up_with(read_log(place), now(), players, title)
        for number, why in missing.items():
            game = office.robot.house.game(number)
            said = _("Game {number}, {title}: entry {entry}.", number=number, title=game.title, entry=game.ledger.n)
            screen.echo(f"{said}\n  {why}" if why else said)
            if misses(game):
                screen.echo(
                    _(
                        "The game is rated, but the register here has no line for it, so it does not count in any "
                        "list. Restore the backup again. Before you repeat this command, bring back the register "
                        "that was given out last: “pbem host register --from FILE”."
                    )
                )
        screen.echo(
            _(
                "“pbem host go-on NUMBER” lets a game continue; anybody who has seen a later entry would "
                "find a second history."
            )
        )


def go_on(game: Number, yes: Yes = False, dir: Dir = HERE) -> None:  # noqa: A002
    """Let a waiting game continue from its present state, without further copies."""
    screen.sure(
        _(
            "Game {game} continues from the entry that is here. Anybody who has seen a later entry finds "
            "a second history and can show it. Wait for the copies if you can.",
            game=game,
        ),
        yes=yes,
    )
    with sending(dir) as office:
        office.robot.go_on(game, now())
        screen.echo(_("Game {game} continues.", game=game))


def observe(
    game: Number,
    address: Annotated[str, typer.Argument(metavar="ADDRESS", help="Who looks on.")],
    remove: Annotated[bool, typer.Option("--remove", help="Stop this address from looking on.")] = False,
    language: TheirLanguage = "",
    dir: Dir = HERE,  # noqa: A002
) -> None:
    """Let somebody look on: he is sent what everybody may know, each time something has happened."""
    from pbem.host.observers import look_away
    from pbem.host.observers import observe as let_in
    from pbem.host.tongues import known

    check_address(address)
    with sending(dir) as office:
        hosted = office.robot.house.game(game)
        with office.store.decision():
            if remove:
                look_away(hosted, address)
                said = _("{address} no longer looks on at game {game}.", address=address, game=game)
            else:
                let_in(hosted, address, office.robot.post, now(), known(language) if language else "")
                said = _("{address} looks on at game {game}.", address=address, game=game)
        screen.echo(said)


def templates(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="[NAME]...", help="Templates to copy, as mail/help.txt.j2.")
    ] = None,
    dir: Dir = HERE,  # noqa: A002
) -> None:
    """Copy templates of letters into the host's own folder, to be changed there; without a name, list them."""
    from pbem.host.templates import TEMPLATES
    from pbem.host.trial import copy_out

    with host_in(dir) as office:
        own = office.templates or dir / "templates"
        copy_out(own, names or [])
        if not names:
            for name, about in TEMPLATES.items():
                screen.echo(f"{name:26}{about.about}{f'  ({own / name})' if (own / name).is_file() else ''}")
        elif office.templates is None:
            screen.echo(
                _(
                    "They lie in {path}. Write into {settings}: {line}",
                    path=own,
                    settings=dir / "host.toml",
                    line='templates = "templates"',
                )
            )
        else:
            screen.echo(_("They lie in {path}. “pbem host check” tries them.", path=own))


def extend(
    game: Number,
    hours: Annotated[int, typer.Argument(min=1, max=24 * LONGEST, metavar="HOURS", help="The number of hours to add.")],
    why: Annotated[str, typer.Option(help="The reason, which everybody reads.")],
    yes: Yes = False,
    dir: Dir = HERE,  # noqa: A002
) -> None:
    """Give more time for the open question of a game: holidays, a host that stood still. It goes into the log."""
    from pbem.host.moments import later
    from pbem.host.says import extend as give_time

    if not why.strip():
        raise UsageError(_("Give the reason: everybody reads it, and it goes into the log."))
    screen.sure(
        _(
            "Everybody who has to answer in game {game} gets {hours} more hours. The log records this "
            "with its reason, and it cannot be undone.",
            game=game,
            hours=hours,
        ),
        yes=yes,
    )
    with sending(dir) as office:
        with office.store.decision():
            hosted = office.robot.house.game(game)
            if not hosted.row.due:
                raise UsageError(_("Game {game} has no open question with a time limit.", game=game))
            until = later(hosted.row.due, hours=hours)
            give_time(office.robot.play, hosted, until, why, now())
        screen.echo(_("Game {game}: answers are taken until {until}.", game=game, until=until))


def _days_ago(days: int) -> str:
    return (datetime.fromisoformat(now()) - timedelta(days=days)).strftime("%Y-%m-%dT%H:%M:%SZ")


def pages(
    language: Annotated[
        str, typer.Option("--language", metavar="CODE", help="The language of the pages, as fr (default: the host's).")
    ] = "",
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FOLDER", help="Where they go, instead of the folder in host.toml.")
    ] = None,
    anew: Annotated[bool, typer.Option("--anew", help="Make everything again, even what has not changed.")] = False,
    dir: Dir = HERE,  # noqa: A002
) -> None:
    """Write the club's pages for everybody: unfinished and finished games, with logs, replays, ratings and a feed."""
    from .club_pages import write

    with host_in(dir) as office:
        if office.settings.pages is None:
            raise UsageError(
                _(
                    "{file} has no section [pages]: add one, with the folder for the pages. Games are shown if "
                    "their players are invited after that.",
                    file=dir / "host.toml",
                )
            )
        site = write(office, office.settings.pages, language, out, anew=anew)
    for trouble in site.troubles:
        screen.echo(f"pbem: {trouble}", err=True)
    shown = _n("{n} game is shown", "{n} games are shown", len(site.rows))
    made = _n("{n} of them is new or has gone on", "{n} of them are new or have gone on", site.made)
    screen.echo(_("{shown}; {made}: {file}", shown=shown, made=made, file=site.folder / "index.html"))


def mails(
    game: Number,
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="Where the mails go; it is made.")],
    dir: Dir = HERE,  # noqa: A002
) -> None:
    """Write out the mails of seats with keys that this host keeps, for “pbem audit --mails”."""
    from pbem.host.rereading import write_into

    with host_in(dir) as office:
        screen.echo(write_into(folder, office.store, office.robot.house.game(game).id))
