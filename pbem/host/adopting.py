"""Takeover of a game by this host, from the players' copies, after its former host has vanished.

While the game waits for the players it is “moving”. Each player gets a proposal signed by this host, and agreements are entered as
they arrive. With the last agreement this host takes office, and a ready round begins. The proposal is kept in the store's `meta`.
`referee.moving` decides whether a game can continue, and from where.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

from pbem.errors import UsageError
from pbem.games import manifest
from pbem.i18n import _
from pbem.kernel import Game
from pbem.ledger import MOVE, Log, cj, pledged, sha256_hex
from pbem.mail.hours import Hours
from pbem.records import dataclass
from pbem.referee import Envelope, Refused, check_say
from pbem.referee.moving import Taken, keyed, take_over
from pbem.referee.replaying import Shelf

from . import banned, proposals
from .hosted import HostedGame, House, check_addresses, keep_game, on_clock
from .play import GamesInPlay
from .post import Post
from .store import StoredLedger
from .store.rows import GameRow


@dataclass(frozen=True, slots=True)
class Manners:
    """The former host's data that are in no log: the title, when time counts, languages."""

    title: str
    clock: Hours
    languages: Mapping[str, str]


def adopt(
    house: House, post: Post, copies: Log, players: Mapping[str, str], manners: Manners, at: str, shelf: Shelf
) -> int:
    """Take a game over and ask its players; return its number here. Raises UsageError or RecordError if that is impossible.

    `copies` are those of all seats, merged; `players` are the addresses of the seats. `shelf` has the rules of other versions, for
    moves played by them. The host continues by its own version.
    """

    def rules_of(name: str) -> tuple[Game, str]:
        pack = house.pack(name)
        return pack.rules, manifest(pack)[1]

    known = house.store.get(GameRow, g=copies.game)
    if known is not None and known.stage not in ("moving", "cancelled"):
        raise UsageError(_("This host has that game already: it is game {number}.", number=known.id))
    taken = take_over(copies, rules_of, shelf)
    here, there = house.pack(taken.referee.game.id).rules.version, taken.referee.game.version
    if here != there:
        raise UsageError(
            _(
                "The game uses version {there} of its rules, but this host has version {here}. Only a host "
                "with the game's version can take it over.",
                there=there,
                here=here,
            )
        )
    check_addresses(players, taken.copies)
    banned.check_not_banned(house.store, players.values())
    if house.key.key_line in [seat.key for seat in taken.course.seats.values()]:
        raise UsageError(_("This host's key has a seat in the game. A host is never a player."))
    if house.key.key_line in [key for _since, key in taken.course.hosts]:
        raise UsageError(
            _(
                "This host's key has led the game before: what it signed then would be a second history. Restore the backup, or "
                "take the game over with another key (“pbem host init” in another folder)."
            )
        )
    if known is not None:
        _forget(house, known.id)
    number = _keep(house, taken, players, manners, at)
    game = house.game(number)
    for seat in game.seats:
        if seat not in taken.course.gone:
            post.takes_over(game, seat, at, _proposal(game), taken.log.head[0])
    return number


def _keep(house: House, taken: Taken, players: Mapping[str, str], manners: Manners, at: str) -> int:
    """Store a game as it is taken over, with the proposal; return its number."""
    store, first = house.store, taken.log.entries[0].fields
    of_seats = {
        seat: {
            "address": players[seat], "key": taken.course.seats[seat].key, "link_n": 1, "link": "",
            "sent_n": taken.log.head[0], "language": manners.languages.get(seat, ""), **on_clock(manners.clock),
        }
        for seat in taken.copies
    }  # fmt: skip
    snapshot = json.dumps(taken.referee.snapshot(), separators=(",", ":"))
    title = manners.title or taken.referee.game.title
    number = keep_game(store, taken.log.game, first, "moving", title, at, of_seats, snapshot)
    StoredLedger(store, number, tuple(taken.copies)).take_in(taken.log, dict(taken.copies), keyed(taken.log))
    proposals.propose(store, number, taken.propose(house.key, house.game(number).chains))
    return number


def _forget(house: House, number: int) -> None:
    """Let go of a game that was to be taken over from an earlier place."""
    for table in ("seats", "paces", "chains", "entries", "attachments", "held", "answers", "courses"):
        house.store.delete(table, game=number)
    house.store.delete("games", id=number)
    proposals.settled(house.store, number)


def agree(game: HostedGame, envelope: Envelope, play: GamesInPlay, at: str) -> str:
    """Enter a player's agreement to this host; with the last one, be the host. Raises Refused."""
    seat, say = game.seat_of(envelope), envelope.say
    what = proposals.proposed(game.house.store, game.id)
    if any(entry["k"] == "say" and entry["say"] == say for entry in game.ledger.entries()):
        return "duplicate: that was said"
    check_say(envelope, game.history, at)
    if say.get("what") != sha256_hex(cj(what)):
        raise Refused(
            "BIND",
            _(
                "You agree to something other than this host's latest proposal. The host's last mail "
                "contains that proposal."
            ),
        )
    moment = max(at, game.course.clock)
    game.ledger.append({"k": "say", "by": seat, "say": dict(say), "sig": envelope.sig, "at": moment})
    game.move_on(at)
    if pledged(game.course, what) is None:
        return f"agree: {seat}"
    referee = game.resume()
    game.scribe(referee).take_over(what, at, play.time_for(game))
    game.house.store.change("games", game.id, stage="playing")
    proposals.settled(game.house.store, game.id)
    play.settle(game, referee, at, ())
    play.post.rosters(game, at, moved=True)
    return f"agree: {seat}"


def _proposal(game: HostedGame) -> Envelope:
    """Return what this host signs when it proposes itself."""
    say = {"act": "host", "game": game.g, **proposals.proposed(game.house.store, game.id)}
    return Envelope(say, game.house.key.sign(MOVE, cj(say)))
