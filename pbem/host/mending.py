"""Repair of a damaged or missing log of one game in the store, from a backup or from a copy of the log.

The lines of the file are merged with the good lines of the store. The result is verified as a whole, has to be this host's, and has
to end where the game stopped. That end is known from the store's other rows, the heads it signed, its register and the players'
signatures. The host must not continue from an earlier end: it would sign a second entry for a place that has one, and players would
have both.

Such a log is put back only if the operator agrees to suspend the game. It then continues from its players' copies (`catching_up`),
and only after the last entry sent to them is here. No other game is touched.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import suppress

from pbem.errors import FormError, RecordError, UsageError
from pbem.games import manifest
from pbem.i18n import _
from pbem.kernel import Game
from pbem.ledger import Attachment, Log, host_at, make_attachment, place_of, redact, sha256_hex, verify
from pbem.ledger.course import read
from pbem.ledger.log import is_signed
from pbem.records import dataclass
from pbem.referee import Refused, signed_head
from pbem.referee.audit import replayed
from pbem.referee.moving import keyed, of_players
from pbem.referee.replaying import Replay, Shelf

from . import catching_up
from .hosted import House
from .play import GamesInPlay
from .registering import register_of
from .sound import log_fault
from .store import Store, StoredLedger
from .store.rows import AheadRow, AnswerRow, GameRow, KeptSay, SeatRow, Stored

ROWS = ("games", "seats", "paces", "chains", "joins", "answers", "ahead", "kept_says", "observers")
"""What a store keeps of a game beside its log and its own row, and cannot do without."""

OF_THE_LOG = ("held", "attachments", "entries", "courses")


@dataclass(frozen=True, slots=True)
class SpareLog:
    """The contents of a file for a game: its log, and from a backup the rows beside it."""

    name: str
    log: Log
    rows: Sequence[Stored] = ()


@dataclass(frozen=True, slots=True)
class Mended:
    """A repaired log: its last entry, the number of lines that were not in the store, and the last entry known to players.

    `still`: the game is paused. `why`: why lines of the file could not be restored.
    """

    entry: int
    lines: int
    told: int
    still: bool
    why: str = ""


def in_backup(store: Store, name: str, number: int) -> SpareLog:
    """Return a saved store's contents for a game. Raises UsageError."""
    row = store.get(GameRow, id=number)
    if row is None:
        raise UsageError(_("{file} contains no game {number}.", file=name, number=number))
    if why := log_fault(store, row, held=False):
        raise UsageError(
            _("The log of game {number} is damaged in {file}, too: {why}.", number=number, file=name, why=why)
        )
    log = StoredLedger(store, number, [seat.seat for seat in store.find(SeatRow, game=number)]).whole()
    return SpareLog(name, log, store.stored_of(number, ROWS))


def mend(
    play: GamesInPlay, number: int, given: SpareLog, at: str, shelf: Shelf, *, stand_still: bool = False
) -> Mended:
    """Put the log of a game back, inside the decision of the caller. Raises UsageError or RecordError: then nothing is changed."""
    house = play.house
    store, gone = house.store, house.store.get(GameRow, id=number) is None
    if gone:
        _put_rows(house, number, given)
    row = house.game(number).row
    _is_of_this_game(house, row, given, gone=gone)
    before = set(_lines(store, number))
    told = store.traces(number)
    log = given.log if gone else _united(store, number, given.log)
    _check_history(house, row, given, log)
    if lacks := len(_sealed(log, row.stage) - {line.digest for line in log.attachments if line.k == "seal"}):
        if not stand_still or gone or not _is_ours_alone(house, log):
            raise RecordError(_of_a_copy(given, lacks))
        return _write_anew(play, row, given, log, before, at)
    further = log.head[0] > told and not gone
    log = log.cut(told) if further else log
    _check(house, row, given, log)
    behind = log.head[0] < told
    still = (behind or gone or further) and row.stage in (*catching_up.ON, *(["ended"] if behind else []))
    if behind or (gone and still):
        if not stand_still:
            raise UsageError(_refusal(house, row, given, log.head[0], told, gone=gone))
    if behind:
        cut = _to_its_last_head(log)
        if cut is None and _is_ours_alone(house, log) and not gone:
            return _write_anew(play, row, given, log, before, at)
        if cut is None:
            raise UsageError(
                _("The rest of this log ends before the first question of the game, so no host can continue from it.")
            )
        log = cut
    standing = _standing(house, row, log, shelf)
    _put(store, row, log, standing)
    if behind and standing:
        _go_back(house, row, standing)
    if why := log_fault(store, house.game(number).row):
        raise RecordError(
            _("The log would not be whole with {file}: {why}. Nothing has been changed.", file=given.name, why=why)
        )
    missing = ""
    if still:
        _hold(play, number, given, told, at)
        if further:
            missing = _written_again(play, number, given.log, at)
    after = house.game(number)
    lines = len(set(_lines(store, number)) - before)
    return Mended(after.ledger.n, lines, told, still, missing)


def _hold(play: GamesInPlay, number: int, given: SpareLog, told: int, at: str) -> None:
    """Suspend the game until the entries that players know are here again."""
    why = _("put back from {file}; “pbem host catch-up”, “pbem host go-on”", file=given.name)
    catching_up.hold(play.house.game(number), play.post, at, why)
    catching_up.note_told(play.house.store, number, told)
    play.house.store.forget_marks(number)  # else what players send once more would count as decided on


def _written_again(play: GamesInPlay, number: int, copy: Log, at: str) -> str:
    """Write a copy's further lines again; return why that is not possible, or ""."""
    catching_up.keep_copy(play.house.game(number), f"file {sha256_hex(copy.dump())}", copy)
    return catching_up.write_again(play, number, at)


def _write_anew(play: GamesInPlay, row: GameRow, given: SpareLog, log: Log, before: set[bytes], at: str) -> Mended:
    """Restart a game from its entry 0, and restore it from a copy, up to the first order that the copy does not open.

    `before` are the lines that were in the store. Raises Refused if the copy is invalid.
    """
    store = play.house.store
    told = store.traces(row.id)
    for table in (*OF_THE_LOG, "chains", "joins", "answers", "ahead", "kept_says"):
        store.delete(table, game=row.id)
    store.change("games", row.id, stage="joining", ask=None, asked=[], due=None, result=None, snapshot=None)
    game = play.house.game(row.id)
    for seat in game.seats:
        game.change_seat(seat, key=None, link_n=0)
    game.ledger.append({name: value for name, value in log.entries[0].fields.items() if name not in ("n", "prev")})
    _hold(play, row.id, given, told, at)
    try:
        copy = catching_up.read_copy(game, log.dump())
    except Refused:  # of what another seat knows only a part is left in the store
        copy = catching_up.read_copy(game, given.log.dump())
    why = _written_again(play, row.id, copy, at)
    lines = len(set(_lines(store, row.id)) - before)
    return Mended(play.house.game(row.id).ledger.n, lines, told, still=True, why=why)


# -- what the file is ------------------------------------------------------------------------------------------------


def _is_of_this_game(house: House, row: GameRow, given: SpareLog, *, gone: bool) -> None:
    if given.log.game != row.g:
        raise UsageError(
            _(
                "{file} is of another game, {given}…; game {number} here is {own}…. Nothing has been changed.",
                file=given.name, given=given.log.game[:8], number=row.id, own=row.g[:8],
            )
        )  # fmt: skip
    if not gone and not log_fault(house.store, row):
        raise UsageError(_("The log of game {number} is whole in the store: there is nothing to mend.", number=row.id))
    if host_at(given.log.entries, given.log.head[0]) != house.key.key_line and row.stage != "moving":
        raise UsageError(
            _(
                "{file} is a log led by another host's key, not one that this host has written to its end. "
                "Nothing was changed.",
                file=given.name,
            )
        )


def _refusal(house: House, row: GameRow, given: SpareLog, ends: int, told: int, *, gone: bool) -> str:
    """Return the message about a log that ends before an entry that players know."""
    if gone:
        return _(
            "Game {number} is no longer in the store, and nothing here says which entries its players "
"have seen. {file} ends with entry {n}. Continuing from there could sign a second entry in a "
"place that has one. With --stand-still the game is put back, and paused until the copies of "
"all its players are here.",
            number=row.id, file=given.name, n=ends,
        )  # fmt: skip
    seats = [seat for seat in house.store.find(SeatRow, game=row.id) if seat.sent_n > ends]
    knows = ", ".join(house.pack(row.game).look.seat_name(seat.seat) for seat in seats) or _("nobody yet")
    return _(
        "With {file} the log of game {number} ends with entry {n}, but this host has written it up "
"to entry {told}. These seats have had reports beyond {n}: {seats}, up to entry {last}. "
"Continuing from entry {n}, this host would sign a second entry in a place that has one. A "
"host must never do that, and every player could prove it. Take a later file. If you have "
"none, --stand-still puts this one back. The game is then paused until its players' copies "
"have brought it to entry {told} again. Nothing was changed.",
        file=given.name, number=row.id, n=ends, told=told, seats=knows,
        last=max((seat.sent_n for seat in seats), default=ends),
    )  # fmt: skip


# -- what is put together --------------------------------------------------------------------------------------------


def _lines(store: Store, number: int) -> Iterator[bytes]:
    for table in ("entries", "attachments"):
        yield from map(bytes, store.values(table, "line", game=number))


def _beside(store: Store, number: int) -> Iterator[Attachment]:
    """Go through the lines beside the entries that are still good."""
    for line in store.values("attachments", "line", game=number):
        with suppress(FormError):
            yield make_attachment(bytes(line))


def _united(store: Store, number: int, given: Log) -> Log:
    """Return a log extended by the store's further entries, while they chain to it, and by the attachments of both."""
    log = Log(given.lines)
    for n, line in store.lines_after(number, log.head[0]):
        if n != log.head[0] + 1:
            break
        try:
            log.grow(line + b"\n")
        except FormError:
            break
    place = place_of(log.entries)
    for attachment in _beside(store, number):
        if place(attachment) is not None and (attachment.k != "head" or _fits(attachment, log)):
            log.attach(attachment.line)
    return log.tidy()


def _fits(head: Attachment, log: Log) -> bool:
    _head, game, n, its_hash, _sig = head.fields
    return bool(game == log.game and log.entries[n].hash == its_hash)


def _check_history(house: House, row: GameRow, given: SpareLog, log: Log) -> None:
    """Raise RecordError if this host, its register or a player has signed an entry that differs from the log's."""
    for n, its_hash, who in _known(house, row, log):
        if n < len(log.entries) and log.entries[n].hash != its_hash:
            raise RecordError(
                _(
                    "{file} contains another entry {n} than the one that {who}: it is from a second history, or "
"was altered. Nothing has been changed.",
                    file=given.name, n=n, who=who,
                )
            )  # fmt: skip


def _known(house: House, row: GameRow, log: Log) -> Iterator[tuple[int, str, str]]:
    """Yield what is known here of entries: number, hash, and how it is known."""
    store, hosts = (
        house.store,
        {entry.fields["host" if entry.k == "game" else "key"] for entry in log.entries if entry.k in ("game", "host")},
    )
    for attachment in _beside(store, row.id):
        if (
            attachment.k == "head"
            and attachment.fields[1] == row.g
            and any(is_signed(attachment, key) for key in hosts)
        ):
            yield attachment.fields[2], attachment.fields[3], _("this host has signed")
    with suppress(FormError):  # what is wrong with the register itself is said by “pbem host check”
        if begun := register_of(store).begun.get(row.g):
            yield (*begun.fields["roster"], _("is in the register"))
    for kind in (AnswerRow, AheadRow, KeptSay):
        for said in store.find(kind, order="seat", game=row.id):
            seen = said.say.get("seen")
            if isinstance(seen, list) and len(seen) == 2 and type(seen[0]) is int:
                yield seen[0], str(seen[1]), _("{seat} has seen", seat=house.pack(row.game).look.seat_name(said.seat))


def _to_its_last_head(log: Log) -> Log | None:
    """Return a log up to the last head at which a question is open or a ready round is on; None if it has none."""
    heads = {attachment.fields[2] for attachment in log.attachments if attachment.k == "head"}
    first = next((entry.n for entry in log.entries if entry.k == "tell"), log.head[0])
    for n in range(log.head[0], first, -1):
        if n in heads and read(entry.fields for entry in log.entries[: n + 1]).phase in ("asked", "called"):
            return log.cut(n)
    return None


def _is_ours_alone(house: House, log: Log) -> bool:
    """Has this host led the game from its first entry on? All that he adds follows from his key then."""
    return log.entries[0].fields["host"] == house.key.key_line and all(entry.k != "host" for entry in log.entries)


def _of_a_copy(given: SpareLog, lacks: int) -> str:
    """Return the message about a log that does not open everything that its host has sealed."""
    return _(
        "{file} lacks {n} lines that open sealed values, and the store no longer has them. The file "
"contains only what one player, or everybody, may know. Without the hands, the hidden orders "
"and the deck, a host cannot continue the game. Such a copy is good for its entries: anyone "
"who has it can verify the game. With --stand-still this host begins the game again from its "
"first entry and pauses it. It writes the lost entries again as soon as the copies of all "
"its players open their orders. Nothing was changed.",
        file=given.name, n=lacks,
    )  # fmt: skip


# -- whether it is good ----------------------------------------------------------------------------------------------


def _check(house: House, row: GameRow, given: SpareLog, log: Log) -> None:
    """Verify a log. Raises RecordError."""
    whole = Log(log.lines)
    n, head = log.head
    signed = [line.fields[2] for line in log.attachments if line.k == "head"]
    if n not in signed and row.stage != "moving":
        whole.attach(signed_head(house.key, row.g, n, head))
    elif signed:
        whole = whole.cut(max(signed))
    found = verify(whole.tidy())
    if found.verdict not in ("clean", "unfinished"):
        raise RecordError(
            _(
                "The log that {file} brings is not in order: {why}. Nothing has been changed.",
                file=given.name, why=found.reason.rstrip("."),
            )
        )  # fmt: skip


def _sealed(log: Log, stage: str) -> set[str]:
    """The digests of all that was sealed in a log since its host came into office: what he holds.

    While he waits for the players' agreement that is what their copies hold.
    """
    found = set[str]()
    if stage == "moving":
        return found.union(*map(of_players, log.entries))
    for entry in log.entries:
        if entry.k == "host":
            found = set()
        seals = entry.fields["say"]["seals"] if entry.k == "order" else entry.fields.get("seals", {})
        found |= set(seals.values())
    return found


def _standing(house: House, row: GameRow, log: Log, shelf: Shelf) -> Replay | None:
    """Replay a game: what each seat was shown of its deals, and its state. Return None for a game that has not begun.

    A finished game is completely open: if its rules are not at hand, it is repaired without them.
    """

    def rules_of(name: str) -> tuple[Game, str]:
        pack = house.pack(name)
        return pack.rules, manifest(pack)[1]

    if log.finished:
        with suppress(RecordError):
            return replayed(log, rules_of, shelf, lost=False)
    if log.finished or not any(entry.k == "tell" for entry in log.entries):
        return None
    return replayed(log, rules_of, shelf, lost=row.stage == "moving")


# -- what is written -------------------------------------------------------------------------------------------------


def _put_rows(house: House, number: int, given: SpareLog) -> None:
    """Keep a backup's contents for a game that is not here any more. Raises UsageError."""
    store = house.store
    if not given.rows:
        raise UsageError(
            _(
                "Game {number} is no longer here, and a log does not say who plays it or what state it is "
"in. Use a backup. Or bring the game back as one that was never here: “pbem host catch-up "
"{file} --seat SEAT=ADDRESS …”.",
                number=number, file=given.name,
            )
        )  # fmt: skip
    if here := store.number_of(given.log.game):
        raise UsageError(_("That game is here, as game {number}.", number=here))
    store.put_stored(number, ROWS, given.rows)


def _put(store: Store, row: GameRow, log: Log, standing: Replay | None) -> None:
    """Replace the stored log with this one."""
    seats = tuple(seat.seat for seat in store.find(SeatRow, game=row.id))
    for table in OF_THE_LOG:
        store.delete(table, game=row.id)
    shown = standing.shown if standing else {}
    ledger = StoredLedger(store, row.id, seats)
    ledger.take_in(log, {seat: redact(log, seat, shown.get(seat)) for seat in seats}, keyed(log))
    if ledger.course.next:
        ledger.keep_course()
    store.change("games", row.id, at=row.at)


def _go_back(house: House, row: GameRow, standing: Replay) -> None:
    """Reset the data that the store keeps beside a log to the end of that log."""
    store, referee, course = house.store, standing.referee, standing.course
    game = house.game(row.id)
    ask = course.question.n if course.phase == "asked" and course.question else course.call.n if course.call else None
    for answer in store.find(AnswerRow, game=row.id, order="ask"):
        if answer.ask != ask:
            store.delete("answers", game=row.id, ask=answer.ask)
    asked = course.missing if course.phase == "called" else getattr(referee.due(), "to", ())
    store.change(
        "games", row.id, stage="playing", result=None, ask=ask, asked=list(asked), due=course.due or None,
        snapshot=json.dumps(referee.snapshot(), separators=(",", ":")),
    )  # fmt: skip
    for seat, holder in course.seats.items():
        sent = min(game.seats[seat].sent_n, game.ledger.n)
        game.change_seat(seat, key=holder.key, link_n=int(holder.is_ready), sent_n=sent)
    for address, sent in store.looks_on_since(row.id):
        store.change("observers", (row.id, address), sent_n=min(sent, game.ledger.n))
