"""Looking after a host: its games at a glance, how it stands, and what may be thrown away.

It decides nothing in any game, and nothing here touches a log.
"""

from __future__ import annotations

import json

from pbem.i18n import N_
from pbem.kernel import Json
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

_OVERVIEW = """
select id, substr(g, 1, 8) as short, game, title, stage, made, at, due, ask, asked,
    (select max(n) from entries where entries.game = games.id) as entry
from games
where (:stage = '' or stage = :stage) and (:game = '' or game = :game) and (:idle = '' or at < :idle)
    and (:player = '' or id in (select game from seats where lower(address) = lower(:player)))
order by id
"""


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which games are to be shown; "" leaves a choice open. `idle` is a time: nothing has been decided since."""

    stage: str = ""
    game: str = ""
    player: str = ""
    waiting: str = ""
    idle: str = ""


def overview(store: Store, wanted: Wanted) -> list[dict[str, Json]]:
    """Return a row for each game that is wanted: number, id, game, title, stage, entry, waiting, due, late, last."""
    filters = {"stage": wanted.stage, "game": wanted.game, "player": wanted.player, "idle": wanted.idle}
    games = list(store.db.query(_OVERVIEW, filters))
    silent, late = _silent(store), _late(store)
    rows = [
        {
            "number": game["id"],
            "id": game["short"],
            "game": game["game"],
            "title": game["title"],
            "stage": game["stage"],
            "entry": game["entry"],
            "waiting": silent.get(game["id"], []),
            "due": game["due"] or "",
            "late": late.get(game["id"], {}),
            "last": game["at"],
        }
        for game in games
    ]
    if not wanted.waiting:
        return rows
    seats = store.rows("select game, seat from seats where lower(address) = lower(?)", wanted.waiting)
    his = {(row["game"], row["seat"]) for row in seats}
    return [row for row in rows if any((row["number"], seat) in his for seat in row["waiting"])]


def _late(store: Store) -> dict[int, dict[str, int]]:
    """Return how many answers of which seats were late, by game; an answer that was no choice is none of them."""
    found: dict[int, dict[str, int]] = {}
    for row in store.rows("select game, seat, late from seats where late > 0 order by rowid"):
        found.setdefault(row["game"], {})[row["seat"]] = row["late"]
    return found


def _silent(store: Store) -> dict[int, list[str]]:
    """Return the seats that each game waits for: to join, to be ready, to answer."""
    found: dict[int, list[str]] = {}
    for row in store.rows(
        "select seats.game, seat from seats join games on games.id = seats.game "
        "where (stage = 'joining' and key is null) or (stage = 'readying' and link_n = 0) order by seats.rowid"
    ):
        found.setdefault(row["game"], []).append(row["seat"])
    for row in store.rows("select id from games where stage = 'moving'"):
        found[row["id"]] = still_to_agree(store, row["id"])
    answered = store.rows(
        "select answers.game, answers.seat from answers join games on games.id = answers.game and games.ask = answers.ask "
        "where stage = 'playing'"
    )
    here = {(row["game"], row["seat"]) for row in answered}
    for row in store.rows("select id, asked from games where stage = 'playing'"):
        found[row["id"]] = [seat for seat in json.loads(row["asked"]) if (row["id"], seat) not in here]
    return found


def status(store: Store) -> dict[str, Json]:
    """Return how many games there are by stage, how mail in and out stands, and which addresses do not take mail."""
    stages = store.rows("select stage, count(*) as n from games group by stage order by stage")
    mails = store.row(
        "select count(*) as mails_in, count(*) filter (where outcome = '') as mails_undecided, "
        "count(*) filter (where outcome >= ? and outcome < ?) as mails_refused, "
        "count(*) filter (where outcome >= ? and outcome < ?) as mails_stuck from inbox",
        *Kind.REFUSED.bounds,
        *Kind.FAILED.bounds,
    )
    out = store.row(
        "select count(*) as mails_out, (select count(*) from outbox where sent = ?) as mails_unsent from outbox",
        WAITING,
    )
    leapt = store.note("clock leapt")
    marked: dict[str, Json] = {
        "addresses_marked": [f"{mark.address} ({mark.why})" for mark in store.find(Marked, order="at, address")]
    }
    if leapt:
        marked["clock_leapt_at"] = leapt
    return {f"games_{row['stage']}": row["n"] for row in stages} | (mails or {}) | (out or {}) | marked


def last_change(store: Store) -> tuple[object, ...]:
    """Return what is another after anything that everybody may look at has changed: in a log, in a game's row, at a table."""
    row = store.row(
        "select (select max(rowid) from entries) as entries, (select max(id) from attachments) as attachments, "
        "(select count(*) || ' ' || coalesce(max(at), '') || ' ' || coalesce(sum(fence), 0) from games) as games, "
        "(select count(*) from games where stage = 'cancelled') as cancelled, "
        "(select group_concat(id || ' ' || opened) from tables) as tables, "
        "(select group_concat(table_id || seat || member || kept) from chairs) as chairs"
    )
    return tuple((row or {}).values())


WORDS_SENT = "words "
"""So the notes begin that hold lines of the last letters to a seat; its game and its name follow."""


def tidy(store: Store, before: str) -> dict[str, Json]:
    """Throw away the bytes of old mail, in and out; return how many mails and letters were emptied, and their bytes.

    What was decided or sent keeps no bytes anyway. Emptied are mails over which the program stumbled, and letters that lie at the
    door, of games that ended or were called off before that time. What was decided on each, and when, stays; so do logs, orders and
    games that are on. The words of letters to their seats go, too. What the file does not use any more goes back to the disk.
    """
    over = "game in (select id from games where stage in ('ended', 'cancelled') and at < ?)"
    kinds = (Kind.REFUSED, Kind.IGNORED, Kind.UNREADABLE)
    nothing = " or ".join("outcome >= '{}' and outcome < '{}'".format(*kind.bounds) for kind in kinds)
    old_mail = f"outcome <> '' and ({over} or (game is null and at < ? and ({nothing})))"
    with store.decision():
        mails = store.empty("inbox", old_mail, before, before)
        letters = store.empty("outbox", f"sent = ? and {over}", SENT, before)
        at_door = store.empty("doorstep", over, before)
        seats = store.rows(
            "select seats.game, seats.seat from seats join games on games.id = seats.game "
            "where games.stage in ('ended', 'cancelled') and games.at < ?",
            before,
        )
        store.forget(*(f"{WORDS_SENT}{row['game']} {row['seat']}" for row in seats))
    told = {
        "mails": mails[0],
        "mails_bytes": mails[1],
        "letters": letters[0] + at_door[0],
        "letters_bytes": letters[1] + at_door[1],
    }
    return told | {"freed_bytes": store.give_back()}
