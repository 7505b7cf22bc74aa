"""Which mails may be decided side by side, and which wait: those of one game, or of one sender, are decided in order of arrival.

The games that a mail may concern are read from its raw bytes without parsing (`stuck`), because parsing may be what kills the
program. A mail that gives no hint concerns all games. The game in which a mail is decided is a separate question, settled when its
turn comes. Its decision leaves other games alone only if it is signed, for one game, and its effects stay in that game. A wrong
guess here costs only time: a decision that needs more is made with the whole store.

With a store in a file, mails are always decided one after the other.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import field, replace

from pbem.errors import FormError, FullWanted
from pbem.mail import Short, read_block
from pbem.records import dataclass
from pbem.referee import Envelope

from . import stuck
from .essence import Case
from .store import Store, is_server
from .store.rows import Mail

IN_ONE_GAME = ("order", "ahead", "ready", "press", "resend", "time", "post")
"""The signed statements without effect beyond their game."""


@dataclass(frozen=True, slots=True)
class MayConcern:
    """Which games a mail may be for, and who may have sent it. Without a game it concerns everything."""

    games: frozenset[int] = frozenset()
    senders: frozenset[str] = frozenset()

    def meets(self, other: MayConcern) -> bool:
        """Have two mails to be decided on as they came?"""
        return not self.games or not other.games or bool(self.games & other.games or self.senders & other.senders)


@dataclass(slots=True)
class UnderWay:
    """Mails that others are at, or that wait for those."""

    order: Arrived
    mails: list[MayConcern] = field(default_factory=list)

    def add(self, number: int) -> None:
        """Note one."""
        self.mails.append(self.order.about(number))

    def concerns(self, number: int) -> bool:
        """Has a mail to wait for one of them?"""
        return bool(self.mails) and any(self.order.about(number).meets(other) for other in self.mails)


class Arrived:
    """The order of the mails of one host; `own` is its address."""

    def __init__(self, store: Store, own: str) -> None:
        self.store, self.own = store, own
        self.side_by_side = is_server(store.path)
        self._about: dict[int, MayConcern] = {}
        self._undecided: dict[int, Mail] = {}
        self._case: Case | None = None

    def about(self, number: int) -> MayConcern:
        """Return what a mail may be about."""
        if not self.side_by_side:
            return MayConcern()
        if number not in self._about:
            mail = self.store.get(Mail, id=number)
            raw = self.store.raw("inbox", number) if mail else b""
            recipient = (mail.recipient if mail else "") or ""
            games = frozenset(stuck.games(self.store, raw, recipient))
            self._about[number] = MayConcern(games, frozenset(stuck.senders(raw, recipient)))
        return self._about[number]

    def before(self, number: int) -> list[int]:
        """Return the mails that are undecided and have to be decided on before one that is stored."""
        self._undecided = {mail.id: mail for mail in self.store.undecided()}
        left = [*self._undecided]
        self._about = {one: about for one, about in self._about.items() if one in left}
        return [one for one in left if one < number and self.about(one).meets(self.about(number))]

    def nothing(self) -> UnderWay:
        """Return that others are at no mail."""
        return UnderWay(self)

    def case(self, mail: Mail) -> Case:
        """Return the case of a mail, reusing what was read before."""
        case = self._case
        if case is None or case.number != mail.id:
            return Case.of(mail, self.store.raw("inbox", mail.id), self.own)
        return replace(case, at=mail.at)

    def game_of(self, number: int) -> int | None:
        """Return the game in which alone a mail is decided on, None where that cannot be said."""
        self._case = None
        if not self.side_by_side:
            return None
        mail = self._undecided.pop(number, None) or self.store.get(Mail, id=number)
        if mail is None or mail.outcome:
            return None
        with suppress(Exception):  # whatever it is: it is met again where it is decided on, and noted there
            self._case = Case.of(mail, self.store.raw("inbox", number), self.own)
        case = self._case
        if case is None or case.mail.problem or case.mail.bounce is not None:
            return None
        return self._signed_for(case.mail.text)

    def _signed_for(self, text: str) -> int | None:
        short: list[str] = []

        def note(said: Short) -> Envelope:
            short.append(said.game)
            raise FullWanted("")

        found: list[int | None] = []
        try:
            envelope = read_block(text, None, note)
        except FullWanted:
            envelope = None
        except FormError:
            return None
        if envelope is not None:
            if envelope.say.get("act") not in IN_ONE_GAME:
                return None
            found.append(self.store.number_of(envelope.say.get("game", "")))
        for beginning in short:  # orders, all of them
            numbers = self.store.games_beginning(beginning)
            found.append(numbers[0] if len(numbers) == 1 else None)
        return found[0] if len(set(found)) == 1 else None
