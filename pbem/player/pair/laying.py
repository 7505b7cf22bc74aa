"""The letters that lie ready in a game of two, for the friend and for a witness: what the friend has not got for certain.

It signs nothing, and reads no mail.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from typing import TYPE_CHECKING

from pbem import private
from pbem.errors import RecordError, UsageError
from pbem.i18n import N_, _
from pbem.kernel.digits import whole
from pbem.ledger import to_compare
from pbem.ledger.statements import is_consent
from pbem.mail import NOWHERE, read_message, readdressed

from .busy import in_turn
from .letters import COPY, NAME, SEEN, TALK, lines_behind, lines_seen, write
from .talk import apart, numbers_of

if TYPE_CHECKING:
    from pathlib import Path

    from pbem.referee.pair import PairPlay

    from .shelf import PairSeat
    from .talk import Written

_INVITES = N_(
    "I would like to play {title} with you by mail, without a host. Our two programs deal, roll "
    "and keep secrets, and both check everything.\n\nSave this mail, and type in the terminal:\n\n   "
    " pbem join MAIL\n\nOr let pbem turn fetch it, or drop the mail on pbem's page in a browser. "
    "Before you sign, the program shows what we agree on. If you don't have pbem yet, ask me. I "
    "can send it to you as one file, pbem.html, which opens in a browser without "
    "installation.\n\nHere is my key, which your program keeps from now on. The program says when "
    "to compare it with me, by telephone or in some other way than this mail:\n\n  {key}\n"
)
_TURN = N_(
    "My turn in {title} is attached, entries {first} to {last} of our log.\n\nSave this mail and "
    "type pbem read MAIL, then pbem order and pbem send. Or let pbem turn do all of that, or "
    "drop the mail on the page.\n\nHead of the log: {head}\n"
)
_OFFERS = N_("With it I offer a draw: pbem say agree accepts it, an order of yours plays on.")
_LETS = N_("With it I let you take back what you answered last: your program asks you again.")
_NOTHING = N_(
    "This letter of {title} contains no decision of mine: my program sent it by itself, because "
    "your program waits for its contents. Entries {first} to {last} of our log are "
    "attached.\n\nSave this mail and type pbem read MAIL, or let pbem turn fetch it, or drop it on "
    "the page.\n\nHead of the log: {head}\n"
)
_WHOLE = N_(
    "Our whole log of {title}, entries 0 to {last}, is attached. Save this mail and type pbem "
    "read MAIL, or let pbem turn fetch it, or drop it on the page. The part that you already "
    "have stays as it is.\n\nHead of the log: {head}\n"
)
_WRITES = N_("I write to you:\n\n{text}\n")
_ALONE = N_(
    "{text}\n\nThis letter of {title} contains these words, signed, and nothing from our log. Save "
    "this mail and type pbem read MAIL, or let pbem turn fetch it, or drop it on the page.\n"
)
_SEEN = N_(
    "You keep the letters of a game of {title} between two players without a host, and this is "
    "one of them. Save this mail and type pbem witness MAIL, which notes when the letter came. "
    "You cannot read what is hidden in it.\n"
)


def lay_turn(seat: PairSeat, play: PairPlay, at: str, *, decided: bool) -> None:
    about = _("my turn") if decided else _("nothing to decide, sent by the program")
    if play.course.is_over or play.result is not None:
        about = _("the game is over")
    seat.notes.since = at
    seat.keep()
    _lay(seat, about, "", at, decided=decided)


def _lay(
    seat: PairSeat,
    about: str,
    text: str,
    at: str,
    *,
    kind: str = NAME,
    whole: bool = False,
    decided: bool = True,
) -> Path:
    """Lay a letter ready with what the friend has not got for certain; it takes the place of one of its kind that waited."""
    table = seat.table
    first, log = lines_behind(table.entries, seat.notes.seat, whole=whole)
    last, head = table.head
    said = _TURN if decided else _NOTHING
    text = text or _(said, title=seat.notes.title, first=first, last=last, head=head[:16])
    if {"do": "say", "what": "draw"} in table.entries[-1].fields["say"].get("acts", ()):
        text += "\n" + _(_OFFERS) + "\n"
    if decided and is_consent(table.entries[-1].fields["say"]):
        text += "\n" + _(_LETS) + "\n"
    words: list[Written] = []
    if kind == NAME and not table.waits:
        with suppress(RecordError):  # damaged words keep no turn back: who writes or reads the next ones is told
            words = words_along(seat)
    seat.tray.lay_aside(*seat.waiting(kind))
    if words:
        seat.tray.lay_aside(*seat.waiting(TALK))  # it goes along
        log += b"".join(one.line for one in words)
        text += "\n" + _(_WRITES, text="\n\n".join(one.text for one in words))
    seen = lines_seen(table.entries, seat.notes.seat)
    if _aside_for_witness(seat) or whole:  # what was laid aside may hold what no later letter does
        seen = lines_behind(table.entries, seat.notes.seat, whole=True)[1]
    return put(seat, f"{kind}.{last}", about, text, log, at, seen=seen)


def put(seat: PairSeat, name: str, about: str, text: str, log: bytes, at: str, *, seen: bytes = b"") -> Path:
    """Put a letter in the tray, and a copy for the witness if there is one. The copy has the lines `seen`, by default the same."""
    must_have_friend(seat)
    if seat.notes.witness:
        _write(seat, seat.notes.witness, f"{SEEN}.{name}", about, _(_SEEN, title=seat.notes.title), seen or log, at)
    return _write(seat, seat.notes.friend, name, about, text, log, at)


def _write(seat: PairSeat, to: str, name: str, about: str, text: str, log: bytes, at: str) -> Path:
    path = seat.folder.home / "out" / f"{seat.notes.game[:8]}.{name}.eml"
    private.put(path, write(seat.folder.settings.address, to, seat.notes, name, about, text, log, at))
    return path


def must_have_friend(seat: PairSeat) -> None:
    """Raise UsageError where nobody knows where letters to the friend go."""
    if not (seat.notes.friend or seat.notes.relay):
        raise UsageError(_("Where does your friend read his mail? Name it with “pbem address --friend ADDRESS”."))


def last_of_friend(seat: PairSeat) -> int:
    """Return the number of the friend's last entry."""
    return next(entry.n for entry in reversed(seat.table.entries) if entry.fields.get("by") != seat.notes.seat)


def words_along(seat: PairSeat) -> list[Written]:
    """Return what goes along with the next letter: each makes up for those before it that were lost, or have not left.

    It is signed by the key that counts behind the turn that it goes with.
    """
    waiting, behind = _words_in(seat.waiting(NAME, TALK)), last_of_friend(seat)
    own = seat.talk.own_since(seat.notes.seat, behind, waiting, words_unsent(seat))
    key = seat.key
    return [one.signed_by(key) for one in own]


def words_unsent(seat: PairSeat) -> set[int]:
    """Return the numbers of the words that wait in a letter, and have left in none."""
    waiting = _words_in(seat.waiting(NAME, TALK))
    if not waiting:
        return waiting
    least = {NAME: last_of_friend(seat), TALK: min(waiting)}
    left = [
        path
        for folder in ("sent", "given")
        for kind in (NAME, TALK)
        for path in (seat.folder.home / folder).glob(f"{seat.notes.game[:8]}.{kind}.*.eml")
        if (number := whole(path.name.split(".")[2])) is not None and number >= least[kind]
    ]
    return waiting - _words_in(left)


def _words_in(letters: Iterable[Path]) -> set[int]:
    return {no for path in letters for no in numbers_of(apart(read_message(path.read_bytes()).log)[1])}


def turn_waits(seat: PairSeat) -> bool:
    """Does a turn wait to be sent, with which words can go?"""
    return bool(seat.waiting(NAME))


def lay_words(seat: PairSeat, at: str) -> None:
    """Lay a letter ready with words alone, of which a witness gets no copy; it takes the place of one that waited."""
    words = words_along(seat)
    seat.tray.lay_aside(*seat.waiting(TALK))
    _write(
        seat,
        seat.notes.friend,
        f"{TALK}.{words[-1].say['no']}",
        _("press"),
        _(_ALONE, title=seat.notes.title, text="\n\n".join(one.text for one in words)),
        b"".join(one.line for one in words),
        at,
    )


@in_turn
def name_witness(seat: PairSeat, witness: str, at: str) -> None:
    """Let copies of the letters of a game go to a witness from now on, the whole log first; "": to nobody any longer."""
    seat.notes.witness = witness
    seat.keep()
    if not witness:
        seat.tray.lay_aside(*_for_witness(seat))
    else:
        _aside_for_witness(seat)
        readdress(seat)
        table = seat.table
        log = lines_behind(table.entries, seat.notes.seat, whole=True)[1]
        name = f"{SEEN}.{COPY}.{table.head[0]}"
        _write(seat, witness, name, _("the whole log"), _(_SEEN, title=seat.notes.title), log, at)


def _for_witness(seat: PairSeat, *kinds: str) -> list[Path]:
    return seat.waiting(*(f"{SEEN}.{kind}" for kind in kinds)) if kinds else seat.waiting(SEEN)


def _aside_for_witness(seat: PairSeat) -> bool:
    """Lay the copies of turns aside that wait for the witness, but no words; were there any?"""
    waiting = _for_witness(seat, NAME, COPY)
    seat.tray.lay_aside(*waiting)
    return bool(waiting)


@in_turn
def move_friend(seat: PairSeat, friend: str, at: str) -> None:
    """Let the letters of a game go to another address, with what could not be written while none was known."""
    was, seat.notes.friend = seat.notes.friend, friend
    seat.keep()
    readdress(seat)
    if not was and seat.table.entries[-1].k == "turn" and seat.state != "mine":
        _first, log = lines_behind(seat.table.entries, seat.notes.seat)
        if log:
            again(seat, at)


@in_turn
def readdress(seat: PairSeat) -> None:
    """Let the letters of a game that wait go where its letters go now, from the address that is this player's now."""
    for path in seat.waiting():
        to = seat.notes.witness if f".{SEEN}." in path.name else seat.notes.friend
        private.put(path, readdressed(path.read_bytes(), seat.folder.settings.address or NOWHERE, to or NOWHERE))


@in_turn
def again(seat: PairSeat, at: str, *, whole: bool = False) -> None:
    """Lay the last letter ready once more, as it was signed; or the `whole` log."""
    table = seat.table
    if table.waits:
        invite(seat, at)
    elif whole:
        last, head = table.head
        _lay(
            seat,
            _("the whole log"),
            _(_WHOLE, title=seat.notes.title, last=last, head=head[:16]),
            at,
            kind=COPY,
            whole=True,
        )
    else:
        _first, log = lines_behind(table.entries, seat.notes.seat)
        if not log and words_along(seat):
            lay_words(seat, at)
            return
        if not log:
            raise UsageError(_("It is your turn: your friend has answered all your letters."))
        _lay(seat, _("my turn"), "", at)


def invite(seat: PairSeat, at: str) -> None:
    key = to_compare(seat.table.entries[1].fields["say"]["key"])
    _lay(seat, _("invitation to a game of two"), _(_INVITES, title=seat.notes.title, key=key), at, whole=True)
