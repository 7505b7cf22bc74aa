"""The host's letters to players who answer by mail: their seat, how a mail was read, doubts, and the state of the game."""

from __future__ import annotations

import json
from collections.abc import Sequence

from pbem.i18n import _, spoken
from pbem.reports.answering import answered_by, whole_list
from pbem.reports.choices import choices
from pbem.reports.report import Ways
from pbem.reports.text import wrap

from .answers import EXAMPLES
from .codes import invited_by, may_reply
from .hosted import HostedGame
from .kept import SPARE, HowKept
from .kept_seats import held, keeper, waits_for
from .outbox import Draft, Outbox, letter

_NOT_READ = 6
"""The maximum number of unread lines that are named."""


def words_to_reply(game: HostedGame, seat: str) -> dict[str, str]:
    """Return how each word may be written in a reply, in the language that is spoken; nothing for a seat with its own key."""
    return {word: typed[spoken() == "fr"] for word, typed in EXAMPLES.items()} if may_reply(game, seat) else {}


class KeptLetters(Outbox):
    """Letters that answer the mail of kept seats."""

    @letter
    def has_joined(self, game: HostedGame, seat: str, at: str, words: str) -> Draft:
        """Tell a player that this host plays his seat for him, by his mails, with the file by which he can take it over."""
        waiting = [game.name(other) for other in waits_for(game) if other != seat]
        said = [
            _(
                "You play {seat} in {title}: you answer by replying to the mails.",
                seat=game.name(seat),
                title=game.title,
            ),
            _("Your words are “{words}”. They are shuffled into the dice, and everybody will read them.", words=words)
            if words
            else _("You wrote no words behind JOIN, so this host alone chose your share in the dice."),
            _("Waiting for {seats}.", seats=", ".join(waiting))
            if waiting
            else _("All have joined, and the game begins."),
        ]
        kept, spare = _to_keep(game, seat, HowKept(words))
        return Draft(f"spare.{seat}", _("you have joined: keep this"), _paragraphs([*said, *kept]), spare, whole=True)

    @letter
    def to_newcomer(
        self, game: HostedGame, seat: str, at: str, address: str, first: str, digest: str, *, language: str
    ) -> Draft:
        """Answer the mail of a person who is invited to replace a seat's player."""
        return Draft(
            f"reply.{digest[:16]}.{seat}", _("you are invited"), f"{first}\n", to=address, code=invited_by(game, seat)
        )

    @letter
    def keep_this(self, game: HostedGame, seat: str, at: str) -> Draft:
        """Send a replacement player the file with which he can take his seat over."""
        kept, spare = _to_keep(game, seat, held(game, seat))
        name = f"spare.{seat}.{game.seats[seat].invited}"
        return Draft(name, _("keep this"), _paragraphs(kept), spare, whole=True)

    @letter
    def not_taken(self, game: HostedGame, seat: str, at: str, why: Sequence[str], digest: str) -> Draft:
        """Say why a reply was not taken, each line that is wrong, and what can be answered."""
        head = _("Nothing of your mail was taken:")
        said = [head, "\n".join(f"  {line}" for line in why), *self._asked(game, seat)]
        return Draft(f"refusal.{digest[:16]}.{seat}", _("your mail was not taken"), _paragraphs(said))

    @letter
    def how_it_stands(
        self, game: HostedGame, seat: str, at: str, first: str, digest: str, unread: Sequence[str] = ()
    ) -> Draft:
        """Answer a mail that orders nothing: the reason, and the state of the game for its seat."""
        said = [first]
        if unread:
            lines = "\n".join(f"  {line}" for line in unread[:_NOT_READ])
            said += [
                _("Not read as an order:") + f"\n{lines}",
                _("To write to the other players, reply PRESS, and below it what you have to say."),
            ]
        return Draft(f"told.{digest[:16]}.{seat}", _("current state"), _paragraphs([*said, *self._asked(game, seat)]))

    @letter
    def a_robot_wrote(self, game: HostedGame, seat: str, at: str, n: int, robot: str) -> Draft:
        """Tell a seat, once per question, that a mail in its name was written by a program, so that nothing was read in it."""
        said = [
            _(
                "A mail in answer to {title} was written by a program ({robot}), not by you, so nothing was read in it.",
                title=game.title,
                robot=robot,
            ),
            *self._asked(game, seat),
        ]
        return Draft(f"reply.robot.{n}.{seat}", _("an automatic answer"), _paragraphs(said))

    @letter
    def is_this_yours(
        self, game: HostedGame, seat: str, at: str, code: str, sender: str, why: str, lines: Sequence[str]
    ) -> Draft:
        """Ask a player whether a mail is from him, and show what was read in it."""
        said = [
            _("Is this from you? Reply YES."),
            "\n".join(f"  {line}" for line in lines),
            _("It came from {sender}. {why}", sender=sender, why=why),
            _(
                "Without a YES nothing in that mail counts, and no deadline waits for it. If {sender} is "
                "your address, reply YES ALWAYS: mails from there then count at once.",
                sender=sender,
            ),
        ]
        return Draft(f"doubt.{code}.{seat}", _("is this from you?"), _paragraphs(said), code=code)

    @letter
    def are_you_sure(self, game: HostedGame, seat: str, at: str, code: str, what: str) -> Draft:
        """Ask a player whether he means what cannot be undone."""
        said = {
            "RESIGN": _("You want to resign {title}. Reply YES, and the game is lost for you.", title=game.title),
            "OFFER DRAW": _("You offer a draw in {title}. Reply YES, and the others are asked.", title=game.title),
            "CLAIM": _("You claim {title}. Reply YES, and the late player has lost the game.", title=game.title),
        }[what]
        return Draft(f"doubt.{code}.{seat}", _("are you sure?"), f"{said}\n", code=code)

    def _asked(self, game: HostedGame, seat: str) -> list[str]:
        """Return the question to a seat, with its list; or the seats for which the game waits."""
        if game.stage != "playing":
            waiting = game.names(*waits_for(game)) if game.stage in ("joining", "readying") else ""
            return [_("Waiting for {seats}.", seats=waiting)] if waiting else []
        here = game.order_here(seat)
        if here is not None:
            return [_("You play {order}.", order=str(here.answer.order).replace("\n", "; "))]
        if seat not in game.asked() or seat not in game.waiting():
            return [_("Nothing is asked of you now. Waiting for {seats}.", seats=game.names(*game.waiting()))]
        view = game.resume().view(seat)
        return [
            game.pack.look.question(view),
            whole_list(game.pack, view),
            "\n".join(map(wrap, answered_by(game.pack, view, choices(game.pack, view), Ways(by_reply=True), 0))),
        ]


def _to_keep(game: HostedGame, seat: str, by: HowKept) -> tuple[list[str], bytes]:
    """Return the text and the file with which a player can take his seat over at any time, and another host can continue."""
    said = [
        _("Keep this mail. The file {name} is the key of your seat in {title}.", name=SPARE, title=game.title),
        _(
            "This host keeps that key, too, and signs what you mail. If you would rather sign yourself, save the file and type:"
        ),
        "  pbem join spare.json\n  pbem send",
        _(
            "From then on only your own program signs for you. You also need the file if another host "
            "takes over the game."
        ),
    ]
    return said, json.dumps(keeper(game).spare(seat, by), indent=1, sort_keys=True).encode() + b"\n"


def _paragraphs(said: Sequence[str]) -> str:
    return "\n\n".join(filter(None, said)) + "\n"
