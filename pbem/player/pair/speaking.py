"""The player of a seat in a game of two: a `Speaker` with words for a friend, judged in the friend's program."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from pbem.errors import UsageError
from pbem.i18n import _
from pbem.player.speaker import Fresh, Offer, SeatQuestion, Seen, SignedAnswer, sheet_for
from pbem.records import dataclass
from pbem.referee.pair import PairPlay
from pbem.reports.reckoned import Reckoned
from pbem.reports.text import fact_text

from .advance import is_ahead_alone, marks_ahead, told_shown, told_waiting, unmet
from .laying import again, move_friend, name_witness, readdress, turn_waits
from .saying import MEANT, SAYS, plan, say, sayings_of_two, show_plans, withdraw, write_words
from .showing import is_new, pair_material, standing_play, was_told
from .turns import asked, asked_back, lapsed, order, play_on, send_ahead, told_offer

if TYPE_CHECKING:
    from collections.abc import Sequence
    from contextlib import AbstractContextManager
    from pathlib import Path

    from pbem.player.sayable import Saying

    from .notes import PairNotes
    from .shelf import PairSeat


@dataclass(frozen=True, slots=True)
class FriendSpeaker:
    """Who signs for a seat, and lays letters to the friend into the tray."""

    seat: PairSeat

    @property
    def notes(self) -> PairNotes:
        """The notes of the game."""
        return self.seat.notes

    def alone(self) -> AbstractContextManager[None]:
        """Be the only program that continues the game."""
        return self.seat.alone()

    def besides(self, at: str) -> list[str]:
        """Return further lines about the game's state: overdue answers, what is owed, offers, plans that wait."""
        said = [*filter(None, [self.seat.overview().owed])]
        seat, state = self.seat, self.seat.state
        if state == "lost":
            return said
        if hours := seat.overdue(at):
            late = _("The {hours} hours are over within which you both wanted to answer.", hours=hours)
            remind = " " + _("“pbem resend” sends your letter once more, as a reminder.") if state == "theirs" else ""
            said.append(f"{late}{remind}")
        said += self.offer().splitlines()
        if "draw" in seat.notes.says:
            said.append(_("Your next order offers a draw; “pbem say withdraw” takes that back."))
        said += self.seat.evidence()
        return [*said, *(told_waiting(seat.notes) if state != "over" else [])]

    def asked(self, at: str) -> SeatQuestion:
        """Return the open question, after signing everything that needs no decision. Raises UsageError without a question."""
        return self._question(asked(self.seat, at))

    def _question(self, play: PairPlay) -> SeatQuestion:
        return SeatQuestion(self.seat.pack, play.view, marks_ahead(play), told_shown(self.seat.table, self.notes), play)

    def answer(
        self, text: str, plans: str, at: str, question: SeatQuestion | None = None, *, anyway: bool = False
    ) -> SignedAnswer:
        """Answer a turn's question, and sign the turn if it has no more questions; or keep premoves."""
        sheet_for(self.notes.game, text)
        _refuse("--anyway", given=anyway)
        if is_ahead_alone(text):
            said = send_ahead(self.seat, text, plans)
            return SignedAnswer(said, _told(_("Kept here, until it is asked:"), said))
        play = question.play if question and isinstance(question.play, PairPlay) else asked(self.seat, at)
        spoken = len(self.notes.spoken)
        said = order(self.seat, play, text, at, plans)
        by_plans = (fact_text(fact, self.notes.seat, self.seat.pack) for _n, _heard, fact in self.notes.spoken[spoken:])
        told, more = [_told(_("Your answer:"), said), *by_plans], play.question is not None
        if not more:
            told.append(_("Your turn is signed."))
        return SignedAnswer(said, "\n".join(told), self._question(play) if more else None)

    def plan(self, text: str | None, *, shows: bool | None = None) -> tuple[str, Sequence[str]]:
        """Set the standing plans, as in `saying.plan`; also return what waits here in advance."""
        seat, notes = self.seat, self.notes
        said = notes.plans if text is None else plan(seat, text, shows=shows)
        means = told_shown(seat.table, notes) if shows is None else show_plans(seat, shows=shows)
        told = [*told_waiting(notes), *filter(None, [means])]
        if said and said != notes.along:
            told.insert(0, _("These plans apply from your next order that brings no plans of its own."))
        if text == "" and notes.shows:
            told.append(_("Plans that your program has already sealed for a battle still apply there."))
        return said, told

    def sayings(self, _at: str) -> tuple[Saying, ...]:
        """Return the statements other than orders that are possible now."""
        return sayings_of_two(self.seat)

    def means(self, what: str, number: int | None, _at: str, *, anyway: bool = False) -> str:
        """Return the consequence of saying that. Raises UsageError if it cannot be said."""
        _refuse("--anyway", given=anyway)
        if what not in (*SAYS, "play_on"):
            raise UsageError(
                _(
                    "“{what}” is not a statement in a game of two; the statements are {says}. “pbem say” alone "
                    "tells what each means now.",
                    what=what,
                    says=", ".join(SAYS),
                )
            )
        if number is not None:
            raise UsageError(_("No number goes with “{what}”.", what=what))
        return "" if what == "withdraw" and not self.seat.table.waits else _(MEANT[what])

    def declare(self, what: str, number: int | None, at: str, *, anyway: bool = False) -> str:
        """Make a statement, and return what was signed, in a sentence. Raises UsageError if it is not allowed."""
        self.means(what, number, at, anyway=anyway)
        match what:
            case "withdraw":
                return withdraw(self.seat)
            case "play_on":
                if not (said := self.plays_on(at)):
                    raise UsageError(_("Your friend's letter waits for no such word: your next order plays on."))
                return said
        return say(self.seat, what, at)

    def plays_on(self, at: str) -> str:
        """Sign what waited for an answer to the friend's offer; return that in a sentence, "" if nothing waited."""
        return (
            _("{title}: you say nothing to that, and play on.", title=self.notes.title)
            if play_on(self.seat, at)
            else ""
        )

    def write(self, text: str, to: str, at: str) -> str:
        """Sign words for the friend, as `write_words`."""
        return write_words(self.seat, text, at, to)

    def again(self, at: str) -> Sequence[Path]:
        """Put the last letter in the tray again if the friend has not answered it; return the letters."""
        if self.seat.table.entries[-1].fields["by"] != self.notes.seat:
            return []
        before = self.seat.tray.stamps()
        again(self.seat, at)
        return list(self.seat.tray.stamps(before))

    def ask_for_copy(self, since: int, at: str) -> str:
        """Put the last letter in the tray again: the friend's program answers it with the missing lines."""
        _refuse("--since", given=since >= 0)
        again(self.seat, at)
        return _("Your last letter of {title} is laid ready once more, as it was signed.", title=self.notes.title)

    @property
    def copy_means(self) -> str:
        """Return "": there is nothing to say, because the friend can read only what they may."""
        return ""

    def hand_copy(self, since: int, at: str) -> list[str]:
        """Lay the whole log ready; return what goes, in sentences."""
        _refuse("--since", given=since >= 0)
        again(self.seat, at, whole=True)
        return [
            _(
                "The whole log of {title} goes to your friend: what he alone may not see he cannot read in it.",
                title=self.notes.title,
            )
        ]

    def standing(self, at: str) -> Reckoned:
        """Return the report of the game's state, with the open question."""
        return Reckoned(*pair_material(self.seat, standing_play(self.seat, at), news=False))

    def not_said(self, at: str) -> list[str]:
        """Return what the report does not say: an offer, an unsent letter, plans that could have met."""
        found = [self.offer(), self.unsent()]
        if self.seat.state == "over":
            found.append(
                _(
                    "Both have shown their secrets: “pbem audit {log}” judges the whole game.",
                    log=self.seat.path("pbem"),
                )
            )
        return [*filter(None, found), *self._unmet(at)]

    def asking(self, _post: Seen) -> None:
        """Return None: a friend's invitation is the only letter that asks, and it is asked about before there is a seat."""

    def news(self, at: str, _post: Seen) -> Fresh:
        """Return what is new, and the open question."""
        if self.seat.state == "joining":
            return Fresh(None)
        fresh = self.going_on(at)
        return fresh if fresh.asks or is_new(self.seat, standing_play(self.seat, at)) else Fresh(None)

    def going_on(self, at: str) -> Fresh:
        """Let the program continue, and return the report of what is new, even if nothing is, and the open question."""
        play = standing_play(self.seat, at)
        question = self._question(play) if play.question is not None else None
        return Fresh(Reckoned(*pair_material(self.seat, play)), question is not None, question)

    def was_shown(self, at: str, _post: Seen | None = None) -> list[str]:
        """Remember that the player has been shown what is new; return what the report does not say."""
        was_told(self.seat, standing_play(self.seat, at))
        return self._unmet(at)

    def offer(self) -> str:
        """Say what the friend offers, and how it is answered; "" for nothing."""
        return told_offer(self.seat)

    def offered(self) -> Offer | None:
        """Return the friend's offer, with the word to agree to it, or to repeat a statement that came too late."""
        told, lapses = self.offer(), "resign" in lapsed(self.seat)
        word = "let" if asked_back(self.seat) else "resign" if lapses else "agree"
        return Offer(told, word, self.plays_on) if told else None

    def send_to(self, who: Literal["friend", "witness"], address: str, at: str) -> str:
        """Let letters go to the friend at another address, or copies to a witness ("": to nobody); return that in a sentence."""
        title = self.notes.title
        if who == "friend":
            move_friend(self.seat, address, at)
            return _("{title}: your letters go to {new} from now on.", title=title, new=address)
        name_witness(self.seat, address, at)
        if not address:
            return _("{title}: no copies go to a witness any longer.", title=title)
        return _("{title}: copies of your letters go to {new} from now on.", title=title, new=address)

    def readdress(self) -> None:
        """Let the letters that wait come from the address that is his now."""
        readdress(self.seat)

    def unsent(self) -> str:
        """Return a sentence if the player's own turn has not left yet; otherwise ""."""
        if self.seat.state == "mine" or not turn_waits(self.seat):
            return ""
        return _("Your own letter has not left yet: “pbem send” sends it. Your friend cannot continue before that.")

    def _unmet(self, at: str) -> list[str]:
        """Say what plans could have done, where the friend has pledged his for a battle and this player's are kept."""
        about = unmet(self.seat.table, self.notes, standing_play(self.seat, at))
        if not about:
            return []
        return [
            _(
                "Your friend had sealed plans for the battle of {about}. With “pbem plan --shown” yours answer his at once, from "
                "the next battle on that both speak of.",
                about=about,
            )
        ]


def _refuse(option: str, *, given: bool) -> None:
    if given:
        raise UsageError(_("{option} is for games with a host; in a game of two it says nothing.", option=option))


def _told(head: str, said: str) -> str:
    return "\n".join([head, *(f"  {line}" for line in said.split("\n"))])
