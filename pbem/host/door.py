"""The host's letters at the door: to those who are invited to a game, who agree to others, who look on, and who leave."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager

from pbem.kernel import Json
from pbem.ledger import fingerprint
from pbem.mail import write_block
from pbem.referee import Envelope
from pbem.reports.text import groups
from pbem.words import _, speaking

from .hosted import HostedGame
from .hours import ALWAYS, shown
from .outbox import Outbox, observer


class Door(Outbox):
    """Letters that say who plays, and who looks on."""

    def invitations(self, game: HostedGame, at: str, seats: Iterable[str]) -> None:
        """Invite players to their seats, each with the token of his."""
        for seat in seats:
            again = game.seats[seat].invited
            with self.telling(game, seat):
                others = [(game.name(name), other.address) for name, other in game.seats.items() if name != seat]
                text = self.wording.text(
                    "invitation",
                    at,
                    game=game.pack.rules.title,
                    title=game.title,
                    seat=game.name(seat),
                    others=others,
                    options=game.pack.told(game.options),
                    time=_time_of(game, seat),
                    host_key=fingerprint(self.house.key.key_line),
                    game_id=game.g[:8],
                    again=bool(again),
                    token=self.token(game, seat),
                )
                growth = self._growth(game, seat)
                name = f"invitation.{seat}.{again}" if again else f"invitation.{seat}"
                self._lay(game, seat, name, _("you are invited"), text, at, growth)

    def stranger(
        self, game: HostedGame, seat: str, key: str, at: str, invited: Mapping[str, Json] | None = None
    ) -> None:
        """Tell a seat, or who is invited in the place of its player, once for each invitation, that somebody who is not
        invited wants it."""
        with self._told(game, seat, invited) as to:
            said = _(
                "Somebody who is not invited wants the seat {seat} of {title}, with the key {key}. It was refused, and nothing "
                "else comes of it.",
                seat=game.name(seat), title=game.title, key=key,
            )  # fmt: skip
            if invited or game.stage == "joining":
                said += " " + _("If it was you: take up the invitation itself, with its token: “pbem join MAIL”.")
            text = self.wording.text("notice", at, text=said)
            again = game.seats[seat].invited
            self._lay(game, seat, f"stranger.{seat}.{again}", _("somebody wants your seat"), text, at, to=to)

    def contested(
        self, game: HostedGame, seat: str, keys: Sequence[str], at: str, invited: Mapping[str, Json] | None = None
    ) -> None:
        """Tell a seat, or who is invited in the place of its player, that two keys want it, both with the right token."""
        with self._told(game, seat, invited) as to:
            said = _(
                "Two keys have taken the seat {seat} of {title}, both with the token of your invitation: {keys}. One of "
                "them is not yours: somebody has read the invitation. Tell the host which is yours; until he has "
                "invited you anew nothing goes on.",
                seat=game.name(seat), title=game.title, keys=", ".join(keys),
            )  # fmt: skip
            text = self.wording.text("notice", at, text=said)
            again = game.seats[seat].invited
            self._lay(game, seat, f"contested.{seat}.{again}", _("two keys want your seat"), text, at, to=to)

    @contextmanager
    def _told(self, game: HostedGame, seat: str, invited: Mapping[str, Json] | None) -> Iterator[str]:
        """Speak to a seat, or to who is invited in the place of its player; yield the address."""
        language = self.at_hand(str(invited["language"])) if invited else ""
        with self.telling(game, seat, language):
            yield str(invited["address"]) if invited else ""

    def rosters(
        self, game: HostedGame, at: str, changed: str = "", *, moved: bool = False, renewed: bool = False
    ) -> None:
        """Tell everybody all keys, to be compared by telephone; `changed` is the seat that has another one now, if any.

        `moved`: this host has taken the game over; `renewed`: it goes on from new anchors.
        """
        name = f"keys.{game.ledger.n}" if changed or moved or renewed else "roster"
        for seat in game.seats:
            with self.telling(game, seat):
                text = self.wording.text(
                    "roster",
                    at,
                    title=game.title,
                    changed=game.name(changed) if changed else "",
                    moved=moved,
                    renewed=renewed,
                    due=shown(game.course.due, game.clock(seat))
                    if game.course.phase == "called" and game.course.due
                    else "",
                    keys=[(game.name(name), fingerprint(other.key or "")) for name, other in game.seats.items()],
                    host_key=fingerprint(self.house.key.key_line),
                    game_id=game.g[:8],
                    entry=game.ledger.n,
                    head=groups(game.ledger.head),
                )
                growth = self._growth(game, seat)
                self._lay(game, seat, f"{name}.{seat}", _("compare the keys"), text, at, growth)

    def newcomer(self, game: HostedGame, seat: str, address: str, at: str, language: str) -> None:
        """Invite somebody to a seat whose player has vanished, with all that the seat's copy holds."""
        lines = b"".join(line + b"\n" for line in game.ledger.lines_for(seat, -1))
        with speaking(self.at_hand(language)):
            text = self.wording.text(
                "newcomer",
                at,
                game=game.pack.rules.title,
                title=game.title,
                seat=game.name(seat),
                others=[(game.name(name), other.address) for name, other in game.seats.items() if name != seat],
                host_key=fingerprint(self.house.key.key_line),
                game_id=game.g[:8],
                token=self.token(game, seat),
            )
            name = f"newcomer.{game.seats[seat].invited}.{seat}"
            self._lay(game, seat, name, _("you are invited"), text, at, lines, to=address)

    def proposal(self, game: HostedGame, to: str, seat: str, newcomer: Envelope, at: str) -> None:
        """Ask a seat whether it agrees to a newcomer in another one."""
        with self.telling(game, to):
            key = fingerprint(newcomer.say["key"])
            text = self.wording.text(
                "proposal", at, title=game.title, seat=game.name(seat), key=key, block=write_block(newcomer)
            )
            self._lay(game, to, f"proposal.{newcomer.sig[:16]}.{to}", _("somebody else for a seat"), text, at)

    def takes_over(self, game: HostedGame, to: str, proposal: Envelope, n: int, at: str) -> None:
        """Ask a seat whether it agrees that this host goes on with a game, from entry `n`."""
        with self.telling(game, to):
            text = self.wording.text(
                "another_host",
                at,
                game=game.pack.rules.title,
                title=game.title,
                game_id=game.g[:8],
                seat=game.name(to),
                n=n,
                host=self.address,
                key=fingerprint(self.house.key.key_line),
                block=write_block(proposal),
            )
            self._lay(game, to, f"proposal.{proposal.sig[:16]}.{to}", _("another host for your game"), text, at)

    def called_off(self, game: HostedGame, at: str) -> None:
        """Tell everybody that the game will not begin."""
        for seat in game.seats:
            with self.telling(game, seat):
                said = _("The host has called off {title} before it began.", title=game.title)
                text = self.wording.text("notice", at, text=said)
                self._lay(game, seat, f"cancelled.{seat}", _("called off"), text, at)

    def copy_wanted(self, game: HostedGame, seat: str, at: str) -> None:
        """Ask a player for his copy: the host has gone back to a backup."""
        with self.telling(game, seat):
            said = _(
                "{title} stands still. Its host had to go back to a backup, which ends with entry {n}, and would not go on "
                "from there while anybody has seen more. So that nothing is lost, please do this:\n\n"
                "1. Let your program read all mails of this game that you have (“pbem read”).\n"
                "2. “pbem copy --game {game} --since {n}”, and “pbem send”. That sends your copy, and what you have signed and "
                "is not in it.\n\n"
                "When the copies of all players are here the game goes on where it stood, with the full time to answer. "
                "Until then no time runs.",
                title=game.title, n=game.ledger.n, game=game.g[:8],
            )  # fmt: skip
            text = self.wording.text("notice", at, text=said)
            digits = re.sub("[^0-9]", "", at)
            self._lay(game, seat, f"copy.{seat}.{digits}", _("please send your copy"), text, at)

    def welcome_observer(self, game: HostedGame, address: str, at: str, language: str = "") -> None:
        """Tell somebody that he looks on."""
        with speaking(self.at_hand(language)):
            seats, rules = [game.name(seat) for seat in game.seats], game.pack.rules
            text = self.wording.text(
                "observer", at, game=rules.title, title=game.title, seats=seats, game_id=game.g[:8]
            )
            self._lay(game, "", observer(address), _("you look on"), text, at, to=address)

    def looks_away(self, game: HostedGame, address: str, digest: str, at: str) -> None:
        """Tell somebody that he looks on no more."""
        said = _("You do not look on at {title} any more: this is the last letter about it.", title=game.title)
        text = self.wording.text("notice", at, text=said)
        self._lay(game, "", f"reply.{digest[:16]}.{game.id}", _("you look on no more"), text, at, to=address)


def _time_of(game: HostedGame, seat: str) -> list[str]:
    """What an invitation says of the time to answer, as lines."""
    terms = game.course.terms
    hours, grace = terms.hours, terms.grace
    if not hours:
        return [_("no limit")]
    clock = game.clock(seat)
    if grace:
        given = _("{hours} hours for an answer, and {grace} hours of grace", hours=hours, grace=grace)
    else:
        given = _("{hours} hours for an answer", hours=hours)
    return [
        given,
        *([_("counted by this clock: {clock}", clock=str(clock))] if clock != ALWAYS else []),
        _("then an opponent may claim the game") if game.claims else _("then a default answer is taken"),
        *([_("{hours} hours of leave in the whole game", hours=terms.leave)] if terms.leave else []),
    ]
