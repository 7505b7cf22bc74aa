"""The host's letters: invitations, the list of players, answers to a player's mail, press, and deadlines.

`reporting` has those that tell the state of the game. Each writer returns one letter; `outbox` queues it in its reader's language.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from textwrap import fill
from typing import Any

from pbem.i18n import N_, _, _n, languages
from pbem.ledger import to_compare
from pbem.mail import write_block
from pbem.mail.hours import ALWAYS, shown
from pbem.mail.invitation import InvitationWords, invitation_words
from pbem.referee import Envelope, receipt
from pbem.reports.answering import answering, whole_list
from pbem.reports.text import groups

from .club_letters import ClubLetters
from .codes import invited_by
from .copies import CopyLetters
from .hosted import HostedGame, signed_lines
from .kept_letters import KeptLetters, words_to_reply
from .newcomers import may_come, told_of
from .outbox import Draft, Drawn, joined, letter, observer
from .registering import register_head
from .reporting import Reports
from .store.people import member_at
from .store.rows import KEPT, MAY_BE_KEPT

WATCHED = "everybody may look at "
"""So the notes begin of what the players of a game were told of who may look on; its number follows."""
_REMINDERS = {
    "half": N_("your answer is awaited"),
    "over": N_("your time is over"),
    "claim": N_("an answer is late"),
}


class Post(Reports, ClubLetters, KeptLetters, CopyLetters):
    """The letters of one host."""

    # -- who plays, and who looks on ----------------------------------------------------------------------------------

    @letter
    def invitation(self, game: HostedGame, seat: str, at: str) -> Draft:
        """Invite a player to his seat, with its token."""
        again = game.seats[seat].invited
        text = self.wording.text(
            "invitation",
            at,
            **self._invited(game, seat),
            options=[*game.pack.told(game.options), *self._watched(game)],
            time=_time_of(game, seat),
            again=bool(again),
            address=game.seats[seat].address,
            may_be_kept=game.seats[seat].kept == MAY_BE_KEPT,
            page=self.page,
            program=self.program,
        )
        name = f"invitation.{seat}.{again}" if again else f"invitation.{seat}"
        return Draft(name, _("you are invited"), text, self._growth(game, seat) + self._words(game, seat, ""))

    @letter
    def newcomer(self, game: HostedGame, seat: str, at: str, address: str, *, language: str) -> Draft:
        """Invite somebody to the seat of a player who has vanished, with the whole copy of that seat."""
        kept = may_come(game, seat)
        text = self.wording.text("newcomer", at, **self._invited(game, seat), may_be_kept=kept)
        text += "".join(f"\n{fill(line, 72)}\n" for line in self._watched(game))
        return Draft(
            f"newcomer.{game.seats[seat].invited}.{seat}", _("you are invited"), text,
            joined(game.ledger.lines_for(seat, -1)) + self._words(game, seat, address), address,
            code=invited_by(game, seat) if kept else "",
        )  # fmt: skip

    def _words(self, game: HostedGame, seat: str, to: str) -> bytes:
        """What the file of an invitation says below the log, so that the file is enough to join."""
        return invitation_words(
            InvitationWords(
                seat, self.token(game, seat), self.address, to or game.seats[seat].address, self._others(game, seat)
            )
        )  # fmt: skip

    def _others(self, game: HostedGame, seat: str) -> dict[str, str]:
        """Return the holder of each other seat: a member's name, or an address."""
        return {
            name: member.name if (member := member_at(self.house.store, other.address)) else other.address
            for name, other in game.seats.items()
            if name != seat
        }

    def _watched(self, game: HostedGame) -> list[str]:
        """Return the lines that tell an invited player who may observe the game."""
        match self.house.store.note(f"{WATCHED}{game.id}"):
            case "all":
                return [
                    _("everybody may look at the game: what all players know while it runs, the whole game afterwards")
                ]
            case "finished":
                return [_("everybody may look at the whole game when it is over")]
        return []

    def _invited(self, game: HostedGame, seat: str) -> dict[str, Any]:
        """Return the values for the invitation to a seat."""
        filled = game.ledger.entry(0)["terms"].get("built_in", {})
        return {
            "game": game.pack.rules.title,
            "title": game.title,
            "seat": game.name(seat),
            "others": [
                (game.name(name), _("a built-in player") if name in filled else who)
                for name, who in self._others(game, seat).items()
            ],
            "host_key": to_compare(self.house.key.key_line),
            "game_id": game.g[:8],
            "token": self.token(game, seat),
        }

    @letter
    def stranger(self, game: HostedGame, seat: str, at: str, key: str, *, to: str, language: str) -> Draft:
        """Report to a seat, or to its invited replacement (`to`), that an uninvited person wants it; once for each invitation."""
        said = _(
            "Somebody without an invitation asks for the seat {seat} of {title}, with the key {key}. The "
"request was refused, and nothing further happens.",
            seat=game.name(seat), title=game.title, key=key,
        )  # fmt: skip
        if to or game.stage == "joining":
            said += " " + _("If it was you: take up the invitation itself, with its token: “pbem join MAIL”.")
        return Draft(
            f"stranger.{seat}.{game.seats[seat].invited}", _("somebody wants your seat"), self._notice(at, said), to=to
        )

    @letter
    def contested(self, game: HostedGame, seat: str, at: str, keys: Sequence[str], *, to: str, language: str) -> Draft:
        """Report to a seat, or to its invited replacement (`to`), that two keys with the right token want it."""
        said = _(
            "Two keys have taken the seat {seat} of {title}, both with the token of your invitation: "
"{keys}. One of them is not yours: somebody has read the invitation. Tell the host which key "
"is yours. The game waits until he has invited you again.",
            seat=game.name(seat), title=game.title, keys=", ".join(keys),
        )  # fmt: skip
        return Draft(
            f"contested.{seat}.{game.seats[seat].invited}", _("two keys want your seat"), self._notice(at, said), to=to
        )

    def rosters(
        self, game: HostedGame, at: str, changed: str = "", *, moved: bool = False, renewed: bool = False
    ) -> None:
        """Send everybody all keys, for comparison by telephone; `changed` is the seat with a new key, if any.

        `moved`: this host has taken the game over; `renewed`: it continues from new anchors.
        """
        for seat in [name for name, row in game.seats.items() if row.kept != KEPT]:
            self._roster(game, seat, at, changed, moved, renewed)

    def _register_told(self, game: HostedGame) -> tuple[int, str] | tuple[()]:
        """How far the register goes, as a letter of a rated game tells it."""
        head = register_head(game)
        return (head[0] + 1, groups(head[1])) if head else ()

    @letter
    def _roster(self, game: HostedGame, seat: str, at: str, changed: str, moved: bool, renewed: bool) -> Draft:
        due = game.course.due if game.course.phase == "called" else ""
        text = self.wording.text(
            "roster",
            at,
            title=game.title,
            changed=game.name(changed) if changed else "",
            moved=moved,
            renewed=renewed,
            due=shown(due, game.clock(seat), at) if due else "",
            keys=[(game.name(name), to_compare(other.key or "")) for name, other in game.seats.items()],
            host_key=to_compare(self.house.key.key_line),
            game_id=game.g[:8],
            entry=game.ledger.n,
            head=groups(game.ledger.head),
            register=self._register_told(game),
        )
        name = f"keys.{game.ledger.n}" if changed or moved or renewed else "roster"
        return Draft(f"{name}.{seat}", _("compare the keys"), text, self._growth(game, seat))

    @letter
    def proposal(self, game: HostedGame, to: str, at: str, seat: str, newcomer: Envelope) -> Draft:
        """Ask a seat whether it agrees to a newcomer in another one."""
        key, block = to_compare(newcomer.say["key"]), "" if game.seats[to].kept == KEPT else write_block(newcomer)
        text = self.wording.text(
            "proposal", at, title=game.title, seat=game.name(seat), key=key, block=block, kept=told_of(newcomer)
        )  # fmt: skip
        return Draft(f"proposal.{newcomer.sig[:16]}.{to}", _("a new player for a seat"), text)

    @letter
    def takes_over(self, game: HostedGame, to: str, at: str, proposal: Envelope, n: int) -> Draft:
        """Ask a seat whether it agrees that this host continues a game, from entry `n`."""
        text = self.wording.text(
            "another_host",
            at,
            game=game.pack.rules.title,
            title=game.title,
            game_id=game.g[:8],
            seat=game.name(to),
            n=n,
            host=self.address,
            key=to_compare(self.house.key.key_line),
            block=write_block(proposal),
        )
        return Draft(f"proposal.{proposal.sig[:16]}.{to}", _("another host for your game"), text)

    @letter
    def called_off(self, game: HostedGame, seat: str, at: str) -> Draft:
        """Tell a seat that the game will not begin."""
        said = _("The host has called off {title} before it began.", title=game.title)
        return Draft(f"cancelled.{seat}", _("called off"), self._notice(at, said))

    @letter
    def copy_wanted(self, game: HostedGame, seat: str, at: str) -> Draft:
        """Ask a player for his copy: the host has gone back to a backup."""
        said = _(
            "{title} is paused. Its host had to restore a backup, which ends with entry {n}, and will "
"not continue from there while anybody has seen more. So that nothing is lost, please do "
"this:\n\n1. Let your program read all mails of this game that you have (“pbem read”).\n2. Type "
"“pbem copy --game {game} --since {n}”, then “pbem send”. That sends your copy, and what you "
"have signed beyond it.\n\nWhen the copies of all players are here, the game continues where "
"it was, with the full time to answer. Until then no time runs.",
            title=game.title, n=game.ledger.n, game=game.g[:8],
        )  # fmt: skip
        return Draft(
            f"copy.{seat}.{_digits(at)}",
            _("please send your copy"),
            self._notice(at, self.forwarding_wanted(game) if game.seats[seat].kept == KEPT else said),
        )

    @letter
    def welcome_observer(self, game: HostedGame, seat: str, at: str, address: str, *, language: str) -> Draft:
        """Tell somebody that he looks on."""
        seats, rules = [game.name(seat) for seat in game.seats], game.pack.rules
        text = self.wording.text("observer", at, game=rules.title, title=game.title, seats=seats, game_id=game.g[:8])
        return Draft(observer(address), _("you look on"), text, to=address)

    @letter
    def looks_away(self, game: HostedGame, seat: str, at: str, address: str, digest: str, *, language: str) -> Draft:
        """Tell somebody that he has stopped being an observer."""
        said = _("You do not look on at {title} any more: this is the last letter about it.", title=game.title)
        return Draft(_reply(digest, game.id), _("you no longer look on"), self._notice(at, said), to=address)

    # -- what answers a mail ------------------------------------------------------------------------------------------

    @letter
    def refusal(
        self,
        game: HostedGame,
        seat: str,
        at: str,
        why: str,
        received: list[str],
        digest: str,
        log: bytes = b"",
        language: str = "",
        *,
        full: bool = False,
        unsigned: bool = False,
        unread: bool = False,
    ) -> Draft:
        """Tell a player why a mail was not taken, which parts were read, and the open question.

        `log` is what his program needs to know. `language` is the one that the mail asked for, if any. `full`: the block is wanted
        in full. `unsigned`: there was no block, so the letter explains how to answer. `unread`: the mail was not read to its end.
        """
        question = template = ""
        ways: Sequence[str] = ()
        if seat in game.asked():
            view = game.resume().view(seat)
            question, template = game.pack.look.question(view), whole_list(game.pack, view)
            ways = answering(self.ways(game, str(game.row.due or ""), seat)) if unsigned else ()
        text = self.wording.text(
            "refusal", at, why=why, received=received, question=question, template=template, ways=ways,
            learns=bool(log), unsigned=unsigned, unread=unread,
        )  # fmt: skip
        name = f"{'wanted' if full else 'refusal'}.{digest[:16]}"
        return Draft(name, _("your mail was not taken"), text, log, full=full)

    @letter
    def help(self, game: HostedGame, seat: str, at: str, digest: str) -> Draft:
        """Say what can be written to the robot."""
        text = self.wording.text(
            "help",
            at,
            address=self.address,
            title=game.title,
            number=game.id,
            languages=languages(),
            replies=words_to_reply(game, seat),
        )
        return Draft(_reply(digest), _("help"), text)

    @letter
    def status(
        self, game: HostedGame, seat: str, at: str, games: Sequence[tuple[HostedGame, str, list[str]]], digest: str
    ) -> Draft:
        """Report the state of the games of one address: the game, the seat, and the lines of an order that waits for others."""
        told = [
            {
                "number": game.id,
                "title": game.title,
                "seat": game.name(seat),
                "stage": game.stage,
                "entry": game.ledger.n,
                "head": groups(game.ledger.head),
                "register": self._register_told(game),
                "mine": seat in game.waiting(),
                "waiting": [game.name(other) for other in game.waiting() if other != seat],
                "due": shown(game.row.due, game.clock(seat), at) if game.row.due else "",
                "order": order,
                "moves": game.seats[seat].moves,
                "clock": str(game.clock(seat)) if game.clock(seat) != ALWAYS else "",
                "clocks": game.seats[seat].clocks,
                "address": game.seats[seat].address,
            }
            for game, seat, order in games
        ]
        return Draft(_reply(digest), _("current state"), self.wording.text("status", at, games=told))

    @letter
    def late(self, game: HostedGame, seat: str, at: str, envelope: Envelope, due: str) -> Draft:
        """Say, signed, that an order came in time, and was read when its question was closed already."""
        got, clock = receipt(self.house.key, game.g, envelope.say, at), game.clock(seat)
        said = _(
            "In {title} your order came in time ({at}): it would have counted until {due}. The host read "
"it after the question was closed, so it is not in the log. That is not your fault. This "
"mail carries the host's signed receipt, which says when your order came: keep it.",
            title=game.title, at=shown(at, clock, at), due=shown(due, clock, at),
        )  # fmt: skip
        lines = signed_lines(got, envelope)
        return Draft(f"receipt.{got[2][:16]}", _("your order was read too late"), self._notice(at, said), lines)

    def moving(self, game: HostedGame, seat: str, at: str, address: str, no: int, code: str) -> None:
        """Ask at a new address whether a player reads his letters there, with a code, and tell the one he has.

        Without a code the address is the one that he has, and that is told.
        """
        own = game.seats[seat].address
        places = [("moving", address, code), ("moved", own, "")] if code else [("moved", own, "")]
        for kind, to, shown_there in places:
            self._moving(game, seat, at, f"{kind}.{seat}.{no}.asked", to, address, no, shown_there, asked=bool(code))

    @letter
    def _moving(
        self, game: HostedGame, seat: str, at: str, name: str, to: str, address: str, no: int, code: str, *, asked: bool
    ) -> Draft:
        text = self.wording.text(
            "moving",
            at,
            title=game.title,
            seat=game.name(seat),
            address=address,
            no=no,
            asked=asked,
            code=code,
            kept=game.seats[seat].kept == KEPT,
        )
        return Draft(name, _("your address"), text, to=to)

    @letter
    def moved(self, game: HostedGame, seat: str, at: str, no: int, old: str, place: str) -> Draft:
        """Tell a player at the “new” or the “old” address that his letters go to another."""
        address = game.seats[seat].address
        text = self.wording.text(
            "moved", at, title=game.title, seat=game.name(seat), address=address, old=old, no=no,
            kept=game.seats[seat].kept == KEPT,
        )  # fmt: skip
        return Draft(f"moved.{seat}.{no}.{place}", _("your address"), text, to=address if place == "new" else old)

    @letter
    def clock(self, game: HostedGame, seat: str, at: str, no: int) -> Draft:
        """Confirm when time counts for a seat."""
        terms, clock = game.course.terms, str(game.clock(seat))
        text = self.wording.text(
            "clock",
            at,
            title=game.title,
            seat=game.name(seat),
            clock=clock,
            hours=terms.hours,
            grace=terms.grace,
            no=no,
            kept=game.seats[seat].kept == KEPT,
        )
        return Draft(f"clock.{seat}.{no}", _("your time"), text)

    @letter
    def mails_set(self, game: HostedGame, seat: str, at: str, no: int) -> Draft:
        """Confirm what comes by mail for a seat."""
        if not self.door and game.seats[seat].mail == "short":
            said = _(
                "The reports of {title} come in two lines from now on, with the lines that your program needs: pbem read shows "
                "all. “pbem letters all” brings them back as they were.",
                title=game.title,
            )
        elif not self.door:
            said = _("This host has no door, so all your letters of {title} come by mail, as before.", title=game.title)
        elif game.seats[seat].mail == "all":
            said = _("All letters of {title} come to you by mail, and lie at the door, too.", title=game.title)
        elif game.seats[seat].mail == "short":
            said = _(
                "From now on the letters of {title} wait at the door; by mail you get two lines that say so. "
                "What you send by mail is answered by mail.",
                title=game.title,
            )
        else:
            said = _(
                "From now on the letters of {title} are at the door. No further letters come by mail, not "
                "even reminders. Mails that you send are still answered by mail. “pbem letters all” brings "
                "the letters back.",
                title=game.title,
            )
        return Draft(f"post.{seat}.{no}", _("your letters"), self._notice(at, said), whole=True)

    @letter
    def language_set(self, game: HostedGame, seat: str, at: str, address: str, digest: str, *, language: str) -> Draft:
        """Say in a language that letters come in it from now on; `seat` is "" for one who looks on."""
        # Translators: name your own language here, not English
        said = _("The letters of {title} come to you in English from now on.", title=game.title)
        return Draft(_reply(digest, game.id, seat), _("your language"), self._notice(at, said), to=address)

    @letter
    def pictures_set(self, game: HostedGame, seat: str, at: str, size: str, digest: str) -> Draft:
        """Say how a player's maps come from now on."""
        if not self.pictures:
            said = _("This host sends no maps.")
        elif size == "off":
            said = _("Your letters come without the map from now on. “PICTURES ON” brings it back.")
        elif size == "small":
            said = _("Your letters come with a small map from now on. “PICTURES ON” makes it large again.")
        else:
            said = _("Your letters come with the map from now on.")
        return Draft(_reply(digest, game.id, seat), _("your maps"), self._notice(at, said))

    # -- his words, and his time --------------------------------------------------------------------------------------

    @letter
    def press(
        self,
        game: HostedGame,
        seat: str,
        at: str,
        writer: str,
        readers: Sequence[str],
        text: str,
        signed: bool,
        name: str,
    ) -> Draft:
        """Hand words of one player on to a seat, or his copy to himself; `text` is marked as his, line by line."""
        said = self.wording.text(
            "press",
            at,
            own=seat == writer,
            writer=game.name(writer),
            readers=[_("you") if reader == seat else game.name(reader) for reader in readers],
            title=game.title,
            text=text,
            signed=signed,
            kept=signed and game.seats[writer].kept == KEPT,
            replies=game.seats[seat].kept == KEPT,
            answer=writer.upper(),
        )
        subject = _("your press") if seat == writer else _("press from {seat}", seat=game.name(writer))
        html = self.wording.page("press", at, title=subject, text=said) if self.pictures else ""
        return Draft(f"press.{name}.{seat}", subject, said, drawn=Drawn(html))

    @letter
    def held(self, game: HostedGame, seat: str, at: str, due: str, unread: str, most: int | None) -> Draft:
        """Tell a seat why a question is not closed though its time is over."""
        said = _(
            "In {title} the time to answer ran until {due}, but nobody is late yet. This host could not "
"read all its mail ({unread}), which may include an answer that came in time. Every answer "
"that came in time counts. You need not send anything again.",
            title=game.title, due=shown(due, game.clock(seat), at), unread=unread,
        )  # fmt: skip
        if most is not None:
            said += " " + _n(
                "If that lasts, the host waits for {n} day, and then goes on without.",
                "If that lasts, the host waits for {n} days, and then goes on without.",
                most,
            )
        name = f"held.{game.row.ask}.{_digits(due)}.{seat}"
        return Draft(name, _("the time to answer is held"), self._notice(at, said))

    @letter
    def reminder(self, game: HostedGame, seat: str, at: str, kind: str, late: Sequence[str]) -> Draft:
        """Remind a seat that half of its time is over, or its whole time, or that others are late."""
        clock, due, course = game.clock(seat), game.row.due, game.course
        view, look = game.resume().view(seat), game.pack.look
        asked, called = seat in game.waiting(), course.phase == "called"
        text = self.wording.text(
            "reminder",
            at,
            kind=kind,
            title=game.title,
            promised=shown(game.pace.promised, clock, at),
            due=shown(due, clock, at) if due > game.pace.promised else "",
            past=at > due,
            claims=game.claims,
            late=[game.name(other) for other in late],
            leave=course.terms.leave - course.seats[seat].leave if asked else 0,
            called=called,
            replies=words_to_reply(game, seat),
            question=look.question(view) if asked and not called else "",
            template=whole_list(game.pack, view) if asked and not called else "",
        )
        name = f"reminder.{game.row.ask}.{kind}.{_digits(due)}.{seat}"
        return Draft(name, _(_REMINDERS[kind]), text, asks=look.question(view) if asked and not called else "")


def _reply(digest: str, *more: object) -> str:
    """The name of the letter that answers a mail."""
    return ".".join(map(str, ("reply", digest[:16], *more)))


def _digits(moment: str) -> str:
    return re.sub("[^0-9]", "", moment)


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
        _("then an opponent may claim the game") if game.claims else _("then a default answer is taken"),
        *([_("counted by this clock: {clock}", clock=str(clock))] if clock != ALWAYS else []),
        *([_("{hours} hours of leave in the whole game", hours=terms.leave)] if terms.leave else []),
    ]
