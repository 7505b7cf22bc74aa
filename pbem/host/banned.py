"""Banned people: an address or a key, from which the host takes nothing new and which it does not answer.

Their running games continue, because the other players need them. What a banned player sends for such a game counts and is
answered, except words to others (press). All other mails get no answer. They are counted, and the status names who sends them.

Each ban is a note: `ban ADDRESS` or `ban KEY`, with the time, the number of mails turned away, and the operator's reason.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress

from pbem.errors import FormError, UsageError
from pbem.i18n import _
from pbem.kernel import Json
from pbem.ledger import check_key_line, fingerprint
from pbem.mail import Short, is_address, read_block
from pbem.records import dataclass
from pbem.referee import Envelope

from .arrivals import CLUB_DOOR
from .essence import Case
from .store import Store
from .store.keeping import OVER
from .store.person import sits_nowhere
from .store.rows import GameRow, SeatRow

NOTE = "ban "
WORDS = ("REGISTER", "GAMES", "NEW", "JOIN", "WITHDRAW", "WATCH", "LEAVE")
"""What members write to a club."""
_NEW = ("press", "join")
"""What a banned player cannot send in a running game either."""


@dataclass(frozen=True, slots=True)
class Ban:
    """A ban: since when, how many mails it has turned away, and the operator's reason."""

    since: str
    count: int
    why: str


def bans(store: Store) -> dict[str, Ban]:
    """Return all bans, by address or key."""
    noted = {who: text.split(" ", 2) for who, text in store.notes(NOTE).items()}
    return {who: Ban(since, int(count), why) for who, (since, count, why) in noted.items()}


def shown(who: str) -> str:
    """Return an address, or the fingerprint of a key."""
    return who if is_address(who) else fingerprint(who)


def told(store: Store) -> dict[str, Json]:
    """Return what the status says of bans: nothing where there are none."""
    found = [
        _(
            "{who}, since {since}; mails turned away: {n} ({why})",
            who=shown(who),
            since=one.since,
            n=one.count,
            why=one.why,
        )
        for who, one in bans(store).items()
    ]
    return {"banned": found} if found else {}


def named(who: str) -> str:
    """Return an address in small letters, or the line of a key. Raises UsageError for what is neither."""
    if is_address(who):
        return who.lower()
    line = " ".join(who.split()[:2]) if who.startswith("ssh-ed25519 ") else f"ssh-ed25519 {who}"
    try:
        check_key_line(line)
    except (FormError, ValueError, IndexError) as error:
        raise UsageError(
            _(
                "“{who}” is neither an address nor a key (ssh-ed25519 AAAA…). The host's games name the keys.",
                who=who[:80],
            )
        ) from error
    return line


def ban(store: Store, who: str, why: str, at: str) -> list[int]:
    """Ban an address or a key; return the numbers of its games that are on. It looks on at no game, and waits at no table."""
    one = named(who)
    with store.decision():
        turned_away = sum(before.count for banned, before in bans(store).items() if banned == one)
        store.put_note(f"{NOTE}{one}", f"{at} {turned_away} {' '.join(why.split())}")
        if is_address(one):
            sits_nowhere(store, one)
    return sorted(_games_on(store, one))


def unban(store: Store, who: str) -> int:
    """Lift a ban in one decision; return how many mails it has turned away. Raises UsageError where there is none."""
    with store.decision():
        one, known = named(who), bans(store)
        if one not in known:
            raise UsageError(
                _(
                    "{who} is not banned here. Banned: {there}.",
                    who=shown(one),
                    there=", ".join(map(shown, known)) or _("nobody"),
                )
            )
        store.forget(f"{NOTE}{one}")
    return known[one].count


def check_not_banned(store: Store, addresses: Iterable[str]) -> None:
    """Check that no address to be invited is banned. Raises UsageError."""
    for who in sorted({*map(str.lower, addresses)} & {*bans(store)}):
        raise UsageError(
            _("{who} is banned here and gets no invitation. “pbem host unban {who}” lifts the ban.", who=who)
        )


def outcome(store: Store, case: Case, fits: Callable[[Envelope], bool], write_out: Callable[[Short], Envelope]) -> str:
    """Return the outcome of a banned person's mail that counts for nothing, and count it; "" for every other mail.

    `fits` and `write_out` are for `read_block`.
    """
    mail, known = case.mail, bans(store)
    if mail.bounce is not None:
        return ""
    at_club = case.way.startswith(CLUB_DOOR)
    envelope = None
    with suppress(FormError):
        envelope = None if at_club else read_block(mail.text, fits, write_out)
    number = store.number_of(envelope.say.get("game", "")) if envelope else None
    own = {mail.sender.lower(), *(seat.key for seat in _seats(store, mail.sender)), *_signers(store, envelope, number)}
    who = next((one for one in known if one in own or (at_club and one == case.way.removeprefix(CLUB_DOOR))), "")
    if not who:
        return ""
    if envelope is not None:
        row = store.get(GameRow, id=number)
        counts = row is not None and row.stage not in OVER and envelope.say.get("act") not in _NEW
    else:
        said = mail.command is not None and mail.command.word in ("PRESS", *WORDS)
        counts = not at_club and not said and bool(_games_on(store, who))
    if counts:
        return ""
    store.put_note(f"{NOTE}{who}", f"{known[who].since} {known[who].count + 1} {known[who].why}")
    return f"ignored: from {shown(who)}, who is banned"


def _signers(store: Store, envelope: Envelope | None, number: int | None) -> set[str | None]:
    """The key and address of the seat that a signed mail names, or the key with which a seat is to be taken."""
    if envelope is None:
        return set()
    if envelope.say.get("act") == "join":
        return {str(envelope.say.get("key", ""))}
    seat = store.get(SeatRow, game=number, seat=str(envelope.say.get("seat", "")))
    return {seat.key, seat.address.lower()} if seat else set()


def _seats(store: Store, who: str) -> list[SeatRow]:
    """The seats of an address or a key."""
    of = [{"game": at.game, "seat": at.seat} for at in store.registered(who)] if is_address(who) else [{"key": who}]
    return [row for where in of for row in store.find(SeatRow, **where)]


def _games_on(store: Store, who: str) -> set[int]:
    """The games that are on in which an address or a key plays, and has taken its seat."""
    numbers = {seat.game for seat in _seats(store, who) if seat.key}
    return {number for number in numbers if store.values("games", "stage", id=number)[0] not in OVER}
