"""A paused game: its host was restored from a backup, so it may have written more than it knows.

To continue at once would create a second history, while players hold the first one signed. So nothing is decided in such a game,
its time does not run, and its mail waits. Every player is asked for his copy. Entries that only a copy has are written again, byte
for byte (`referee.rewriting`). When the copies of all seats have arrived, or the operator says so, the game continues. Answers get
the full time again, and the waiting mail is decided.

The suspension is noted in the store's `meta`, the copies in `copies`.
"""

from __future__ import annotations

import json
from contextlib import suppress
from functools import reduce

from pbem.errors import FormError, PbemError, UsageError
from pbem.games import manifest
from pbem.i18n import N_, _
from pbem.kernel import Game, Json
from pbem.ledger import COPY, HEAD, Log, cj, make_attachment, merge, objection, sha256_hex, verify, verify_sig
from pbem.ledger.course import read
from pbem.ledger.fields import is_seen
from pbem.mail import openings_in, read_block, read_message, short_blocks
from pbem.referee import Envelope, HostChains, Referee, Refused
from pbem.referee.rewriting import rewrite

from . import registering, roster, says
from .codes import went_on
from .copies import now_kept, opened_in
from .hosted import HostedGame, House, check_addresses, keep_game
from .play import GamesInPlay
from .post import Post
from .short import HeldBlock
from .store import Store, StoredLedger
from .store.rows import Mail
from .troubles import note

WAITS = "waits: the game stands still"
"""The outcome noted for mail to such a game."""
ON = ("joining", "readying", "moving", "playing")
"""The stages in which a game can be paused."""


def standing_still(store: Store) -> list[int]:
    """Return the paused games."""
    return sorted(map(int, store.notes("still ")))


def note_told(store: Store, number: int, n: int) -> None:
    """Note the last entry that players of a paused game have been sent. The game waits until that entry is here again."""
    store.put_note(f"told {number}", n)


def _not_here(game: HostedGame) -> int:
    """Return the entry that was told and is not here again; 0 where none is known of."""
    told = int(game.house.store.note(f"told {game.id}") or 0)
    return told if told > game.ledger.n else 0


def knows_more(game: HostedGame, envelope: Envelope) -> bool:
    """Return whether the signer has seen an entry that is not here.

    Once the operator has said that a game continues as it is here, that is no reason to suspend it again.
    """
    seen = envelope.say.get("seen")
    return is_seen(seen) and seen[0] > game.ledger.n and not game.house.store.note(f"went on {game.id}")


def hold(game: HostedGame, post: Post, at: str, why: str) -> None:
    """Suspend a game, and ask its players for their copies."""
    store = game.house.store
    if game.stage not in ON or game.stands_still:
        return
    store.put_note(f"still {game.id}", at)
    store.forget(f"went on {game.id}")
    note(store, f"game {game.id}", why, at)
    for seat in game.seats:
        post.copy_wanted(game, seat, at)


def take(play: GamesInPlay, number: int, envelope: Envelope, data: bytes, at: str) -> str:
    """Take a copy signed by its player; return what was done. Raises Refused.

    The game continues when nothing is missing and the copies of all seats are here.
    """
    game, say = play.house.game(number), envelope.say
    seat = game.seat_of(envelope)
    if set(say) != {"act", "game", "seat", "sha256"} or say["sha256"] != sha256_hex(data):
        raise Refused("FORM", _("The copy is not the one that was signed, or is missing. Send “pbem copy” again."))
    log = read_copy(game, data)
    key = read(entry.fields for entry in log.entries).seats[seat].key
    if not verify_sig(key, COPY, cj(dict(say)), envelope.sig):
        raise Refused("SIG", _("The copy is not signed by the key of {seat}.", seat=game.name(seat)))
    keep_copy(game, seat, log)
    return f"copy: {seat}; {look(play, number, at)}"


def keep_copy(game: HostedGame, name: str, log: Log) -> None:
    """Keep a copy until the game continues: that of a seat, or one from a file, under another name."""
    game.house.store.put("copies", game=game.id, seat=name, log=log.dump())


def look(play: GamesInPlay, number: int, at: str) -> str:
    """Restore the entries that can be restored, and continue when nothing is missing and all copies are here. Return the state."""
    if missing := write_again(play, number, at):
        return missing
    if wanted := copies_wanted(play.house.store, number):
        return f"wanted: {', '.join(wanted)}"
    if told := _not_here(play.house.game(number)):
        return f"behind: entry {told} was told, and is in no copy"
    go_on(play, number, at)
    return "the game continues"


def read_copy(game: HostedGame, data: bytes) -> Log:
    """Return our log of a game, extended by a copy, up to the last head that this host has signed. Raises Refused."""
    ours, own = game.ledger.whole(), game.house.key.key_line
    theirs = Log(ours.entries)
    try:
        if more := further(data, ours.head[0]):
            theirs.grow(more)
        log = merge(ours, theirs)
        heads = [line.fields for line in log.attachments if line.k == "head"]
        signed = [head[2] for head in heads if verify_sig(own, HEAD, cj(head[:4]), head[4])]
        log = log.cut(max([*signed, game.ledger.n]))
        # in the midst of a call no head covers the last entry here
        found = verify(merge(game.exported(), log).dump())
    except PbemError as error:
        raise Refused(
            "FORM", _("This copy does not continue from the end of the log here: {why}.", why=str(error).rstrip("."))
        ) from error
    if found.verdict not in ("clean", "unfinished"):
        raise Refused("FORM", _("This copy is not in order: {why}.", why=found.reason.rstrip(".")))
    return log


def further(data: bytes, n: int) -> bytes:
    """Return the lines of a copy from entry n + 1 on."""
    lines = data.splitlines(keepends=True)
    begins = (place for place, line in enumerate(lines) if line.startswith(b"{") and _number(line) > n)
    return b"".join(lines[next(begins, len(lines)) :])


def _number(line: bytes) -> int:
    try:
        n = json.loads(line).get("n")
    except (ValueError, RecursionError) as error:
        raise FormError(_("a line is not JSON")) from error
    return n if type(n) is int else -1


def copies_wanted(store: Store, number: int) -> list[str]:
    """Return the seats of which no copy is here, though their players are in the game."""
    here, seats = store.values("copies", "seat", game=number), store.values("seats", "seat", game=number)
    gone = StoredLedger(store, number, tuple(seats)).course.gone
    return [seat for seat in seats if seat not in here and seat not in gone]


def write_again(play: GamesInPlay, number: int, at: str) -> str:
    """Write again what the copies hold that are here; return why that cannot be, "" where nothing is missing."""
    house, game = play.house, play.house.game(number)
    try:
        target = reduce(merge, copies(house.store, number), game.ledger.whole())
        if target.head[0] > game.ledger.n:
            with house.store.decision():
                _write_again(play, game, target, sent_again(house, number), at)
    except PbemError as error:
        return str(error)
    return ""


def copies(store: Store, number: int) -> list[Log]:
    """Return the copies of a game that are here."""
    return [Log.parse(bytes(log)) for log in store.values("copies", "log", game=number)]


def sent_again(house: House, number: int) -> dict[str, list[Json]]:
    """Return the lines that open orders in the mail that waits, by their digests: of orders that were taken before."""
    lines: list[list[Json]] = []
    for mail in house.store.find(Mail, game=number, outcome=WAITS):
        brought = read_message(house.store.raw("inbox", mail.id))
        lines += opened_in(brought.log)
        with suppress(FormError):
            envelope = read_block(brought.text)
            lines += [line for one in (envelope, *envelope.ahead) for line in one.openings] if envelope else []
        for said in short_blocks(brought.text):
            with suppress(FormError):
                lines += openings_in(said, HeldBlock(house.game(number)))
    return {make_attachment(line).digest: line for line in lines}


def _write_again(play: GamesInPlay, game: HostedGame, target: Log, sent: dict[str, list[Json]], at: str) -> None:
    """Write the further lines of a log again, and update the rows beside it."""
    while game.stage != "playing" and game.ledger.next_n < len(target.entries):
        fields = target.entries[game.ledger.next_n].fields
        if fields["k"] not in ("join", "ready", "say"):
            break
        if fields["k"] == "join":
            game.house.store.put(
                "joins", game=game.id, seat=fields["by"], key=fields["say"]["key"], say=fields["say"],
                sig=fields["sig"], at=fields["at"], language="",
            )  # fmt: skip
        game.ledger.append({name: value for name, value in fields.items() if name not in ("n", "prev")})
        if fields["k"] == "join" and game.course.phase == "ready":
            roster.sign(game)
            registering.enter_begun(game)
    course = game.course
    if course.phase in ("roster", "ready"):
        game.stage = "readying" if course.phase == "ready" else game.stage
        game.move_on(at)
    else:
        referee = (
            Referee.start(game.pack.rules, game.options) if game.stage in ("joining", "readying") else game.resume()
        )
        game.stage = "playing"
        rewrite(game.scribe(referee), target, sent, lambda name: _rules_here(game.house, name))
        play.settle(game, referee, at, ())
    for seat, holder in game.course.seats.items():
        game.change_seat(seat, key=holder.key, link_n=int(holder.is_ready), kept=now_kept(game, seat, holder.key))
    if game.house.game(game.id).stage != "ended":
        game.house.store.change("games", game.id, stage=game.stage)


def _rules_here(house: House, name: str) -> tuple[Game, str]:
    pack = house.pack(name)
    return pack.rules, manifest(pack)[1]


def begin_again(house: House, copy: Log, players: dict[str, str], title: str, at: str) -> int:
    """Store a game of this host that was opened after the backup: its first entry, from a copy. Return its number.

    Raises UsageError if the game is not this host's.
    """
    first = copy.entries[0].fields
    chains = HostChains(house.root, str(first["nonce"]))
    if first["host"] != house.key.key_line or any(
        first[name] != made for name, made in chains.published(first["seats"]).items()
    ):
        raise UsageError(_("This is a copy of another host's game; “pbem host adopt” takes one over."))
    check_addresses(players, first["seats"])
    of_seats = {seat: {"address": players[seat], "link_n": 0, "sent_n": -1} for seat in first["seats"]}
    number = keep_game(
        house.store, copy.game, first, "joining", title or house.pack(first["rules"]["id"]).rules.title, at, of_seats
    )
    fields = {name: value for name, value in first.items() if name not in ("n", "prev")}
    StoredLedger(house.store, number, first["seats"]).append(fields)
    registering.enter_opened(house, copy.game, first)
    return number


def _refuse_a_fork(play: GamesInPlay, number: int, at: str) -> None:
    """Raise UsageError if a copy here has more entries signed by this host that could not be written again, or if players were told
    more."""
    missing, game = write_again(play, number, at), play.house.game(number)
    if told := _not_here(game):
        raise UsageError(
            _(
                "Game {number} ends here with entry {here}, but its players have had reports up to entry "
"{told}. Continuing from here would make a second history, and their programs would refuse "
"it. {missing} The players' copies supply the missing entries: “pbem host catch-up”. If you "
"cannot get them, another host can continue from the existing ones: “pbem host adopt”.",
                number=number, here=game.ledger.n, told=told, missing=missing,
            )
        )  # fmt: skip
    seen = max((copy.head[0] for copy in copies(game.house.store, number)), default=0)
    if seen > game.ledger.n:
        raise UsageError(
            _(
                "Game {number} ends here with entry {here}, but a player's copy has entry {seen}, which this "
                "host has signed. Continuing from here would make a second history, and the players' "
                "programs would refuse it. {missing} If that is not available, another host can continue "
                "from the copies: “pbem host adopt”.",
                number=number,
                here=game.ledger.n,
                seen=seen,
                missing=missing,
            )
        )


def go_on(play: GamesInPlay, number: int, at: str) -> None:
    """Continue a paused game and tell its players; they have the full time to answer again. Raises UsageError."""
    _refuse_a_fork(play, number, at)
    game, store = play.house.game(number), play.house.store
    went_on(store, number, game.ledger.n, at)
    store.forget(f"still {number}", f"told {number}")
    store.delete("copies", game=number)
    note(store, f"game {number}", "", at)
    if game.row.snapshot is None:
        return
    course, referee = game.course, game.resume()
    on = course.call if course.phase == "called" else course.question
    if on is not None and course.due and course.phase in ("asked", "called"):
        until, moment = play.deadlines.due(game, tuple(game.waiting() or game.seats), at), max(at, course.clock)
        entry: dict[str, Json] = {"k": "extend", "at": moment, "ask": on.n, "due": until, "why": "still"}
        if objection(course, entry) is None:
            says.extend(play, game, until, _("the host stood still"), at)
            return
    play.settle(game, referee, at, tuple(game.seats), N_("the game continues"))
