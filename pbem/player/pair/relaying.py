"""A desk at the relays of its games of two: its letters go there sealed, and the friend's letters are fetched.

A relay may lose, keep back, repeat or alter letters. So a letter is deleted there only once it is kept here. Letters that do
not open are thrown away. How requests are carried is not known here: an errand yields them one by one, as in `pbem.player.doors`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Generator, Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, TypeVar

from pydantic import BaseModel, ValidationError

from pbem import private
from pbem.errors import PbemError, RecordError, UsageError, WorldError
from pbem.i18n import _, _n
from pbem.ledger import sha256_hex
from pbem.mail import MAX_FROM_HOST, read_message
from pbem.mail.relay import (
    CALLS,
    INVITATION,
    WAIT,
    BoxShown,
    Posted,
    RelayLink,
    RelayRefused,
    open_letter,
    read_link,
    seal_letter,
)
from pbem.player.asking import (
    Asking,
    AtTheDoor,
    Brought,
    DoorReply,
    DoorRequest,
    Errand,
    NotBrought,
    NotFetched,
    Unreached,
)

from .busy import HeldError
from .for_relays import ForRelays
from .table import keys_in
from .talk import apart

if TYPE_CHECKING:
    from pathlib import Path

    from pbem.ledger import PrivateKey
    from pbem.player.reading import Reading

    from .notes import PairNotes
    from .shelf import Pairs, PairSeat

_ROUNDS = 20
"""The most replies that are read of one box at a time: a relay could send for ever."""
_REMEMBERED = 50
_LEFT = 20
"""The most letters kept that could not be read; anybody with the link can send more."""
M = TypeVar("M", bound=BaseModel)


# -- requests ------------------------------------------------------------------------------------------------------------


def _box(link: RelayLink, name: str, wait: int = 0) -> Asking[BoxShown]:
    return _as(BoxShown, link, (yield _request("GET", link, f"letters?wait={wait}", name)))


def _deletes(link: RelayLink, name: str, letter: str) -> Asking[None]:
    _told(link, (yield _request("DELETE", link, f"letters/{letter}", name)))


def _posts(link: RelayLink, name: str, letter: bytes, key: PrivateKey) -> Asking[None]:
    sealed = seal_letter(link, name, letter, key)
    taken = _as(Posted, link, (yield _request("POST", link, "letters", name, sealed)))
    if taken.id != sha256_hex(sealed):
        raise _no_relay(link, _("it says that it took another letter"))


def _request(method: str, link: RelayLink, call: str, name: str, body: bytes = b"") -> DoorRequest:
    return DoorRequest(method, f"{link.address}{CALLS}{call}", {"Authorization": f"Bearer {link.token(name)}"}, body)


def _told(link: RelayLink, reply: DoorReply) -> bytes:
    """Return the body of a reply. Raises WorldError if the relay did not do what was asked."""
    if reply.status in (200, 201, 204):
        return reply.data
    why = _("it answers with {status}", status=reply.status)
    with suppress(ValidationError, ValueError):
        why = " ".join(RelayRefused.model_validate(json.loads(reply.data)).why.split())[:300] or why
    raise WorldError(_("The relay at {address} did not do it: {why}", address=link.address, why=why))


def _as(model: type[M], link: RelayLink, reply: DoorReply) -> M:
    data = _told(link, reply)
    try:
        return model.model_validate(json.loads(data))
    except (ValidationError, ValueError, RecursionError):
        raise _no_relay(link, _("its answer is not that of a relay")) from None


def _no_relay(link: RelayLink, why: str) -> Unreached:
    return Unreached(_("The relay at {address} cannot be used: {why}.", address=link.address, why=why))


# -- errands -------------------------------------------------------------------------------------------------------------


class Relays(ForRelays):
    """The relays of one desk's games of two."""

    def __init__(self, pairs: Pairs, read: Callable[..., Reading]) -> None:
        """`read` reads a mail, as the desk's."""
        super().__init__(pairs)
        self._read = read

    def invitation(self, text: str) -> Asking[bytes]:
        """Fetch the letter that invites by a link. Raises UsageError if it is not there, WorldError without the relay."""
        link = read_link(text)
        for boxed in (yield from _box(link, INVITATION)).letters:
            if letter := open_letter(link, INVITATION, boxed.sealed):
                return letter
        raise UsageError(
            _(
                "The relay at {address} has no invitation for this link. Somebody has joined by it already, or it waits no longer: "
                "ask your friend.",
                address=link.address,
            )
        )

    def visits(self, game: str, wait: int = 0) -> Errand:
        """Fetch the friend's letters of a game, then post what waits. `wait`: seconds to wait for a letter if none is there."""
        for notes in self.with_one(game):
            yield from self.fetches(notes, wait)
            yield from self.brings(self.waiting(notes.game))

    def waits(self, game: str) -> Errand:
        """As `visits`, and wait for a letter for as long as a relay allows."""
        yield from self.visits(game, WAIT)

    def brings(self, letters: Collection[Path]) -> Errand:
        """Post letters that wait. After a relay could not be reached, post no other letter there."""
        shut: dict[str, str] = {}
        for path in letters:
            notes = next((one for one in self.with_one() if path.name.startswith(f"{one.game[:8]}.")), None)
            if notes is None or not path.exists():
                continue
            if notes.relay in shut:
                yield NotBrought(path, shut[notes.relay])
                continue
            try:
                link, seat, raw = read_link(notes.relay), self.pairs.seat(notes), path.read_bytes()
                yield from _posts(link, _friends_box(seat), raw, seat.key)
            except PbemError as error:
                if isinstance(error, Unreached):
                    shut[notes.relay] = str(error)
                yield NotBrought(path, str(error))
                continue
            is_same = path.exists() and path.read_bytes() == raw  # else it was replaced meanwhile
            yield Brought(self.pairs.tray.sent(path) if is_same else path, "relay")

    def fetches(self, notes: PairNotes, wait: int = 0) -> Errand:
        """Fetch the friend's letters; each is deleted at the relay once it is kept here."""
        try:
            link, seat = read_link(notes.relay), self.pairs.seat(notes)
            boxes = self._boxes(seat)
            for key in boxes:
                yield from self._emptied(seat, link, key, wait if len(boxes) == 1 else 0)
            if notes.invites and not seat.table.waits:
                yield from self._uninvited(seat, link)
        except PbemError as error:
            yield NotFetched(notes.title, str(error))

    def _boxes(self, seat: PairSeat) -> list[PrivateKey]:
        """Return the keys of this player to which the friend may have written: those that are in the log."""
        said = seat.table.path.read_bytes()
        before = [key for key in self.pairs.folder.keys_before() if key.key_line.encode() in said]
        return [seat.key, *(key for key in before if key.key_line != seat.key.key_line)]

    def _emptied(self, seat: PairSeat, link: RelayLink, key: PrivateKey, wait: int) -> Errand:
        name, strange = key.key_line, list[str]()
        for _round in range(_ROUNDS):
            shown = yield from _box(link, name, wait)
            wait = 0
            for boxed in shown.letters:
                if (letter := open_letter(link, name, boxed.sealed, key)) is None:
                    strange.append(boxed.id)
                else:
                    yield AtTheDoor(seat.notes.game, letter)
                    yield from self._left(seat, letter)
                yield from _deletes(link, name, boxed.id)
            if not (shown.more and shown.letters):
                break
        yield from self._says_strange(seat, strange)

    def _left(self, seat: PairSeat, letter: bytes) -> Iterator[NotFetched]:
        """Keep a letter that could not be read as a file, and say where."""
        if self._was_read(seat, letter):
            return
        folder = self.pairs.folder.home / "left"
        private.make_folder(folder)
        path = folder / f"{seat.notes.game[:8]}.{sha256_hex(letter)[:12]}.eml"
        if path.exists():
            return
        if len(list(folder.glob("*.eml"))) >= _LEFT:
            raise RecordError(
                _("Letters that could not be read fill {folder}. Look at them and move them away.", folder=folder)
            )
        private.put(path, letter)
        why = _("A letter from the relay could not be read. It is kept: “pbem read {path}” tries it again.", path=path)
        yield NotFetched(seat.notes.title, why)

    def _was_read(self, seat: PairSeat, letter: bytes) -> bool:
        """Is all that a letter brings on this desk? Raises HeldError if another program is at the game."""
        mail = read_message(letter, MAX_FROM_HOST)
        log, words = apart(mail.log)
        known = {line for path in (seat.path("pbem"),) if path.is_file() for line in path.read_bytes().split(b"\n")}
        if log and not words and known.issuperset(log.removesuffix(b"\n").split(b"\n")):
            return True
        try:
            return bool(mail.log) and bool(self._read(letter, fetched=True).game)
        except HeldError:
            raise
        except PbemError:
            return False

    def _says_strange(self, seat: PairSeat, strange: list[str]) -> Iterator[NotFetched]:
        """Say once of each letter that did not open that it was thrown away."""
        new = [name for name in strange if name not in seat.notes.strange]
        if not new:
            return
        with seat.alone():
            seat.notes.strange = [*seat.notes.strange, *new][-_REMEMBERED:]
            seat.keep()
        said = _n(
            "{n} letter at the relay does not open: it was damaged, or is not for you. It was deleted there. If your friend has "
            "written, ask him for his letter once more.",
            "{n} letters at the relay do not open: they were damaged, or are not for you. They were deleted there. If your friend "
            "has written, ask him for his letter once more.",
            len(new),
        )
        yield NotFetched(seat.notes.title, said)

    def _uninvited(self, seat: PairSeat, link: RelayLink) -> Generator[DoorRequest, DoorReply, None]:
        """Take the invitation away, once the friend has joined by it."""
        for boxed in (yield from _box(link, INVITATION)).letters:
            yield from _deletes(link, INVITATION, boxed.id)
        with seat.alone():
            seat.notes.invites = False
            seat.keep()


def _friends_box(seat: PairSeat) -> str:
    """Return the name of the box where the friend looks: his key, or the invitation's before he has one here."""
    if seat.table.waits:
        return INVITATION
    return next(key for name, key in keys_in(seat.table.entries).items() if name != seat.notes.seat)
