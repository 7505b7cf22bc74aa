"""Maintenance of a host: its games at a glance, its state, and the deletion of old data.

It decides nothing in any game, and nothing here touches a log.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import field

from pbem.i18n import N_
from pbem.records import dataclass

from ..proposals import still_to_agree
from .memory import Store
from .rows import SENT, WAITING, Kind, Marked

STAGE = {
    "joining": N_("joining"),
    "readying": N_("readying"),
    "moving": N_("moving"),
    "playing": N_("playing"),
    "ended": N_("ended"),
    "cancelled": N_("cancelled"),
}
"""The word for each stage of a game: in “the game is playing”."""
STAGES = tuple(STAGE)
OVER = ("ended", "cancelled")
"""Stages in which nothing can be ordered any more."""
ON = tuple(stage for stage in STAGES if stage not in OVER)
"""All other stages."""

_OVERVIEW = """
select id, substr(g, 1, 8), game, title, stage, (select max(n) from entries where entries.game = games.id), coalesce(due, ''), at
from games
where (? = '' or stage = ?) and (? = '' or game = ?) and (? = '' or at < ?)
    and (? = '' or id in (select game from seats where lower(address) = lower(?)))
order by id
"""


@dataclass(frozen=True, slots=True)
class Wanted:
    """A filter for the games to show; "" leaves a field open. `idle` is a time: nothing has been decided since."""

    stage: str = ""
    game: str = ""
    player: str = ""
    waiting: str = ""
    idle: str = ""


@dataclass(slots=True)
class GameLine:
    """A game at a glance."""

    number: int
    id: str
    """The beginning of its id."""
    game: str
    title: str
    stage: str
    entry: int | None
    """The last of its log."""
    due: str
    """Until when the open question can be answered; "" without a limit."""
    last: str
    """When something was decided in it last."""
    waiting: list[str] = field(default_factory=list)
    """The seats that it waits for: to join, to be ready, to answer."""
    late: dict[str, int] = field(default_factory=dict)
    """The number of late answers by seat, without those where the seat had no choice."""


def overview(store: Store, wanted: Wanted) -> list[GameLine]:
    """Return a line for each game that is wanted."""
    filters = (one for name in (wanted.stage, wanted.game, wanted.idle, wanted.player) for one in (name, name))
    lines = {row[0]: GameLine(*row) for row in store.read(_OVERVIEW, *filters)}
    for number, seat, count in store.read("select game, seat, late from seats where late > 0 order by rowid"):
        if number in lines:
            lines[number].late[seat] = count
    for number, seats in _silent(store).items():
        if number in lines:
            lines[number].waiting = seats
    if not wanted.waiting:
        return list(lines.values())
    his = set(store.read("select game, seat from seats where lower(address) = lower(?)", wanted.waiting))
    return [line for line in lines.values() if any((line.number, seat) in his for seat in line.waiting)]


def _silent(store: Store) -> dict[int, list[str]]:
    """Return the seats that each game waits for: to join, to be ready, to answer."""
    found: dict[int, list[str]] = {}
    for game, seat in store.read(
        "select seats.game, seat from seats join games on games.id = seats.game "
        "where (stage = 'joining' and key is null) or (stage = 'readying' and link_n = 0) order by seats.rowid"
    ):
        found.setdefault(game, []).append(seat)
    for (game,) in store.read("select id from games where stage = 'moving'"):
        found[game] = still_to_agree(store, game)
    here = set(
        store.read(
            "select answers.game, answers.seat from answers join games on games.id = answers.game and games.ask = answers.ask "
            "where stage = 'playing'"
        )
    )
    for game, asked in store.read("select id, asked from games where stage = 'playing'"):
        found[game] = [seat for seat in json.loads(asked) if (game, seat) not in here]
    return found


@dataclass(frozen=True, slots=True)
class HostStatus:
    """The state of a host: games by stage, mail in and out, and the addresses that do not take mail."""

    games: Mapping[str, int]
    mails_in: int
    mails_undecided: int
    mails_refused: int
    mails_stuck: int
    mails_out: int
    mails_unsent: int
    marked: Sequence[Marked]
    clock_leapt_at: str
    """"" where it has not."""
    undecided_since: (
        str  # when the oldest undecided mail came, and the oldest unsent letter was written; "" if there is none
    )
    unsent_since: str


def standing(store: Store) -> HostStatus:
    """Return the state of a host."""
    ((came, undecided, since, refused, stuck),) = store.read(
        "select count(*), count(*) filter (where outcome = ''), min(at) filter (where outcome = ''), "
        "count(*) filter (where outcome >= ? and outcome < ?), "
        "count(*) filter (where outcome >= ? and outcome < ?) from inbox",
        *Kind.REFUSED.bounds,
        *Kind.FAILED.bounds,
    )
    # a receipt that nobody has tried to send yet may wait for its report: it is not late
    ((letters, unsent, written),) = store.read(
        "select count(*), count(*) filter (where sent = ? and (attempts > 0 or not_before = '')), "
        "min(at) filter (where sent = ? and (attempts > 0 or not_before = '')) from outbox",
        WAITING,
        WAITING,
    )
    stages = store.read("select stage, count(*) from games group by stage order by stage")
    marked = store.find(Marked, order="at, address")
    return HostStatus(
        dict(stages), came, undecided, refused, stuck, letters, unsent, marked, store.note("clock leapt"), since or "",
        written or "",
    )  # fmt: skip


def last_change(store: Store) -> tuple[object, ...]:
    """Return a value that changes with all public data: a log, a game's row, a table."""
    return store.read(
        "select (select max(rowid) from entries), (select max(id) from attachments), "
        "(select count(*) || ' ' || coalesce(max(at), '') || ' ' || coalesce(sum(fence), 0) from games), "
        "(select count(*) from games where stage = 'cancelled'), "
        "(select group_concat(id || ' ' || opened) from tables), "
        "(select group_concat(table_id || seat || member || kept) from chairs)"
    )[0]


WORDS_SENT = "words "
"""So the notes begin that hold lines of the last letters to a seat; its game and its name follow."""


@dataclass(frozen=True, slots=True)
class Tidied:
    """How many mails and letters were emptied, and their bytes; how many bytes went back to the disk."""

    mails: int
    mails_bytes: int
    letters: int
    letters_bytes: int
    freed_bytes: int


def tidy(store: Store, before: str) -> Tidied:
    """Delete the bytes of old mail, in and out; return what was emptied.

    Decided or sent mail keeps no bytes anyway. This empties, for games that ended or were cancelled before that time, mails over
    which the program failed and letters at the web address. It also deletes the words of letters to their seats. The decision on
    each mail and its time stay; so do logs, orders and running games. Unused space of the file is returned to the disk.
    """
    over = "game in (select id from games where stage in ('ended', 'cancelled') and at < ?)"
    kinds = (Kind.REFUSED, Kind.IGNORED, Kind.UNREADABLE)
    nothing = " or ".join("outcome >= '{}' and outcome < '{}'".format(*kind.bounds) for kind in kinds)
    old_mail = f"outcome <> '' and ({over} or (game is null and at < ? and ({nothing})))"
    with store.decision():
        mails = store.empty("inbox", old_mail, before, before)
        letters = store.empty("outbox", f"sent = ? and {over}", SENT, before)
        at_door = store.empty("doorstep", over, before)
        seats = store.read(
            "select seats.game, seats.seat from seats join games on games.id = seats.game "
            "where games.stage in ('ended', 'cancelled') and games.at < ?",
            before,
        )
        store.forget(*(f"{WORDS_SENT}{game} {seat}" for game, seat in seats))
    return Tidied(mails[0], mails[1], letters[0] + at_door[0], letters[1] + at_door[1], store.give_back())
