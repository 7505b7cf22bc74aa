"""This player's turn in a game of two: what holds no decision is signed by itself, all else when he has said it.

What is signed stands in the log before it lies in the tray, and is never signed otherwise.
"""

from __future__ import annotations

import copy
from itertools import chain, takewhile
from typing import TYPE_CHECKING

from pbem.errors import UsageError
from pbem.i18n import N_, _
from pbem.kernel import read_plans
from pbem.ledger import Entry, cj, player_root
from pbem.ledger.of_two import WORD
from pbem.ledger.pair import signed_word
from pbem.ledger.pair.course import ANSWERS, JOINS
from pbem.ledger.pair.vault import kept_under

from .advance import answer_for, keep_ahead, read_advance
from .busy import in_turn
from .mending import PairMending
from .proving import prove

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pbem.kernel import Json
    from pbem.referee.pair import PairPlay

    from .notes import PairNotes
    from .table import PairTable

SAYS = ("resign", "draw", "agree", "takeback", "let", "prove")
_NAMED = {"takeback": "back"}
"""What a word says where a player says this."""
_WORD = {
    "resign": N_(
        "I resign our game of {title}. What I have signed is attached; save this mail and type pbem read MAIL, or let "
        "pbem turn fetch it."
    ),
    "draw": N_(
        "I offer a draw in our game of {title}. What I have signed is attached; save this mail and type pbem read MAIL, "
        "or let pbem turn "
        "fetch it. You may agree with pbem say agree, or play on."
    ),
    "back": N_(
        "I ask you to let me take back what I answered last in our game of {title}. What I have signed is attached; save this mail "
        "and type pbem read MAIL, or let pbem turn fetch it. You may let me with pbem say let, or play on: then it stands."
    ),
}


class PairTurns(PairMending):
    """The turns of a player in his games of two."""

    @in_turn
    def go_on(self, notes: PairNotes, at: str) -> PairPlay | None:
        """Sign what holds no decision, and lay it ready; return the play where something is asked now."""
        table = self.table(notes)
        if table.waits:
            return None
        if self.state(notes)[0] != "mine":
            return None
        play = self.mend(notes)
        self._must_be_his(notes, play)
        if play.course.baton != notes.seat or play.course.is_over:
            return None
        for made in self._without_him(notes, play):
            self.keep(notes)
            self._sign(notes, play, made)
        if play.question is not None:
            return play
        if self.state(notes)[0] != "mine":  # else it is for his program alone, and he has an offer before him
            self._lay_turn(notes, play, at)
        return None

    def _must_be_his(self, notes: PairNotes, play: PairPlay) -> None:
        """Raise UsageError where the key that lies here is his friend's: it would sign in the friend's name."""
        if play.seat != notes.seat:
            raise UsageError(
                _(
                    "The key in {home} is your friend's in this game, and not yours: nothing is signed with it. Put your own "
                    "back, as {key}, or name another folder with --home.",
                    home=self.folder.home,
                    key=self.folder.home / "key",
                )
            )

    def _without_him(self, notes: PairNotes, play: PairPlay) -> Iterator[list[Entry]]:
        """Say in a play what can be said without the player: what is owed, what he has answered already, what his plans answer.

        Each time that something was said, or the notes have changed, it yields what is to be signed, perhaps nothing yet.
        """
        notes.settle(play.answered, play.course.head[0])
        besides, is_to_be_heard = self._besides(notes, self.table(notes), play), self._is_to_be_heard(notes, play)
        if made := self._turn(notes, play, besides=besides):
            if is_to_be_heard and play.course.baton != notes.seat:
                return
            yield made
        for text in list(notes.answers):
            if play.found or play.question is None:
                return
            yield self._turn(notes, play, text)
        if notes.answers or not is_to_be_heard:
            yield from self._by_plans(notes, play)

    def _by_plans(self, notes: PairNotes, play: PairPlay) -> Iterator[list[Entry]]:
        while not play.found and (text := answer_for(notes, play)) is not None:
            notes.answers.append(text)
            yield self._turn(notes, play, text)

    def _turn(
        self,
        notes: PairNotes,
        play: PairPlay,
        text: str | None = None,
        besides: Iterable[Json] = (),
        plans: str | None = None,
    ) -> list[Entry]:
        """Say in a play what is due, and an answer; `plans` are those that go with it, if they are others than the last ones."""
        shown = (notes.along if plans is None else plans) if notes.shows else ""
        return play.turn(self.key(self.table(notes)), text, besides, then=self.folder.key, plans=shown)

    def standing(self, notes: PairNotes) -> PairPlay:
        """Return the play as this player finds it, with his question where one is asked; nothing is signed for it, or laid ready.

        What `go_on` would sign without him is not in it.
        """
        table = self.table(notes)
        play = self.play(table)
        if self.state(notes)[0] != "mine" or play.course.baton != notes.seat or play.course.is_over:
            return play
        for _unsigned in self._without_him(copy.deepcopy(notes), play):
            pass
        return self.play(table) if play.found or play.question is None else play

    def _lay_turn(self, notes: PairNotes, play: PairPlay, at: str) -> None:
        """Lay a turn ready. Raises RecordError behind that, where what it shows proves a fault of the friend."""
        acts = [act["do"] for entry in self._own_turn(notes) for act in entry.fields["say"]["acts"]]
        self.lay_turn(notes, play, at, decided=not {*ANSWERS, "say"}.isdisjoint(acts))
        if play.found:
            raise self.stands_still(self.table(notes), play.found)

    def _is_to_be_heard(self, notes: PairNotes, play: PairPlay) -> bool:
        """Is there an offer of the friend's, or a resignation that came too late, and he has not said that he plays on?"""
        if notes.says or notes.passed == self.table(notes).head[0]:
            return False
        return bool(self.asked_back(notes)) or self.is_offered(notes, play) or self.is_lapsed(notes, play)

    def is_lapsed(self, notes: PairNotes, play: PairPlay) -> bool:
        """Has this player given up, in words that count no more, and the game goes on?"""
        return "resign" in self.lapsed(notes) and play.result is None and not play.course.closed[0]

    def lapsed(self, notes: PairNotes) -> list[str]:
        """Return what this player has said in the friend's turn that came last, and that turn does not quote: it counts no more."""
        theirs = self._turn_of_friend(notes)
        if not theirs:
            return []
        acts = theirs[0].fields["say"]["acts"]
        quoted = {act["say"]["what"] for act in acts if act["do"] == WORD}
        return [what for what in self.words_to(notes.game, theirs[0].n - 1) if what not in quoted]

    def _turn_of_friend(self, notes: PairNotes) -> list[Entry]:
        """The friend's entries at the end of the log; none where this player's own stand there."""
        return self._last_turn(notes, own=False)

    def _own_turn(self, notes: PairNotes) -> list[Entry]:
        return self._last_turn(notes, own=True)

    def awaits_opening(self, notes: PairNotes) -> str:
        """Say what the friend owes who has pledged plans, where this player has met them in his last turn; else ""."""
        acts = [act for entry in self._own_turn(notes) for act in entry.fields["say"]["acts"]]
        if not any(act["do"] == "meet" and act["text"] for act in acts):
            return ""
        return _(
            "Your plans for the battle are open to him, and his are sealed: his program owes the opening, and can tell already "
            "what dice will fall."
        )

    def _last_turn(self, notes: PairNotes, *, own: bool) -> list[Entry]:
        behind = takewhile(
            lambda entry: (entry.fields["by"] == notes.seat) == own, reversed(self.table(notes).entries[JOINS + 1 :])
        )
        return [*behind][::-1]

    def is_offered(self, notes: PairNotes, play: PairPlay) -> bool:
        """Has the friend offered a draw that can be agreed to in this player's turn?"""
        course = play.course
        if course.baton != notes.seat or course.closed[0] or play.result is not None:
            return False
        return course.offer == play.other or any(word["say"]["what"] == "draw" for word in notes.heard)

    def asked_back(self, notes: PairNotes) -> list[Json]:
        """Return the friend's word that asks back what he answered last, as long as it can be answered, and he plays on."""
        head = list(self.table(notes).head)
        said = [word for word in notes.heard if word["say"]["seen"] == head]
        if any(word["say"]["what"] == "resign" for word in said):
            return []
        return [word for word in said if word["say"]["what"] == "back"][:1]

    def why_not_back(self, notes: PairNotes, play: PairPlay) -> str:
        """Say why this player cannot ask back what he answered last, and what he may do; "" where he can."""
        course = play.course
        if course.baton == notes.seat and course.gone_back == course.head[0]:
            return _("Your answers are taken back already: you are asked again.")
        if course.baton == notes.seat:
            return _(
                "It is your turn: your friend has gone on from what you answered last, so it stands. An answer can be asked back "
                "while your turn is the last of the log. You may write to your friend (“pbem press”), or offer a draw."
            )
        if course.can_go_back(notes.seat):
            return ""
        if not any(act["do"] in ANSWERS for act in self.table(notes).entries[-1].fields["say"].get("acts", ())):
            return _("Your last turn holds no answer of yours: there is nothing to be taken back.")
        return _(
            "Behind your last answer you have shown your share in dice, a card, or something else that cannot be made unseen: so "
            "it stands. You may write to your friend (“pbem press”), or offer a draw."
        )

    def told_offer(self, notes: PairNotes) -> str:
        """Say what the friend has offered, or that a resignation came too late, and how it is answered; "" for nothing."""
        table = self.table(notes)
        if table.waits or self.state(notes)[0] != "mine":
            return ""
        play = self.play(table)
        is_offered, is_lapsed = self.is_offered(notes, play), self.is_lapsed(notes, play)
        asks_back = bool(self.asked_back(notes))
        if not is_offered and not is_lapsed and not asks_back:
            return ""
        _unsigned = self._turn(notes, play, besides=self._besides(notes, table, play))
        plays_on = _("your order plays on") if play.question is not None else _("“pbem send” plays on")
        said = []
        if asks_back:
            said.append(
                _(
                    "Your friend asks to take back what he answered last: “pbem say let” lets him, and he is asked again; "
                    "{plays_on}.",
                    plays_on=plays_on,
                )
            )
        if is_offered:
            said.append(_("Your friend offers a draw: “pbem say agree” accepts it; {plays_on}.", plays_on=plays_on))
        if is_lapsed:
            said.append(
                _(
                    "Your friend had signed his turn before he read that you resign: that counts no more, and the game goes on. "
                    "“pbem say resign” says it again, now with your own turn; {plays_on}.",
                    plays_on=plays_on,
                )
            )
        return "\n".join(said)

    def heard_back(self, notes: PairNotes, since: int) -> str:
        """See which words of this player a friend's turn does not quote, if it began with entry `since` or later; say so."""
        stale = [p for p in self.tray.unsent() if p.name.startswith(f"{notes.game[:8]}.{WORD}.")]
        self.tray.lay_aside(*stale)
        theirs = self._turn_of_friend(notes)
        lapsed = self.lapsed(notes) if theirs and theirs[0].n >= since else []
        said = []
        if "draw" in lapsed:
            said.append(
                _(
                    "Your friend had signed his turn before he read your offer of a draw: it counts no more. “pbem say draw” "
                    "offers it again."
                )
            )
        if "back" in lapsed:
            said.append(_("Your friend has gone on from what you wanted to take back: it stands."))
        return "\n".join(said)

    def waits_to_play_on(self, notes: PairNotes) -> bool:
        """Has this player's program something to say without him, and holds it back until he has answered an offer?"""
        if self.table(notes).waits or self.state(notes)[0] != "mine":
            return False
        return self._is_to_be_heard(notes, self.play(self.table(notes))) and self.standing(notes).question is None

    @in_turn
    def play_on(self, notes: PairNotes, at: str) -> bool:
        """Sign what waited for an answer to an offer, and lay it ready; False where nothing did."""
        if self.table(notes).waits or self.state(notes)[0] != "mine" or self.go_on(notes, at) is not None:
            return False
        if self.state(notes)[0] != "mine":
            return False
        notes.passed = self.table(notes).head[0]
        self.go_on(notes, at)
        return True

    def _sign(self, notes: PairNotes, play: PairPlay, made: list[Entry]) -> None:
        if not made:
            return
        self.table(notes).signed(play, made)
        given = sum(act["do"] in ANSWERS for entry in made for act in entry.fields["say"]["acts"])
        notes.answers, notes.behind, notes.heard, notes.says = notes.answers[given:], notes.behind + given, [], []
        self.keep(notes)

    def _besides(self, notes: PairNotes, table: PairTable, play: PairPlay) -> list[dict[str, Json]]:
        """What stands first in this turn: quoted words, what the player says, another key."""
        if "back" in notes.says and (asks := self.asked_back(notes)):
            return [*asks, {"do": "say", "what": "agree"}]  # such a turn holds nothing else
        heard = [word for word in notes.heard if word["say"]["seen"] == list(table.head)]
        quoted = [dict(word) for word in heard if word["say"]["what"] != "back"]  # to quote that is to consent
        is_given_up = any(word["say"]["what"] == "resign" for word in quoted)
        says = [{"do": "say", "what": what} for what in notes.says if what != "back" and not is_given_up]
        own = self.folder.key
        if play.course.seats[notes.seat].key != own.key_line and not play.course.seats[notes.seat].secret:
            kept = kept_under(player_root(own), notes.game, notes.seat, play.vault.secret)
            says.append({"do": "rekey", "key": own.key_line, "kept": kept})
        return [*quoted, *says]

    def asked(self, notes: PairNotes, at: str) -> PairPlay:
        """Return the play in which something is asked. Raises UsageError where nothing is."""
        play = self.go_on(notes, at)
        if play is None:
            raise UsageError(self.told_offer(notes) or self._why_not_asked(notes))
        return play

    def _why_not_asked(self, notes: PairNotes) -> str:
        """Say who is waited for, and what goes on from there."""
        if self.state(notes)[0] == "over":
            return _("The game is over: nothing is asked any more.")
        if self.state(notes)[0] == "mine":
            return _("You are not asked anything now.")
        if self.turn_waits(notes):
            return _(
                "You are not asked anything now: your friend's program is to go on, and your own letter to it has not left yet. "
                "“pbem send” sends it."
            )
        return _(
            "You are not asked anything now: it is your friend's turn. “pbem read” takes his letter when it has come; if yours "
            "may be lost, “pbem resend” lays it ready again."
        )

    def order(self, notes: PairNotes, play: PairPlay, text: str, at: str, plans: str = "") -> str:
        """Answer what a play that goes on asks; sign the turn if it asks no more.

        The text may hold lines that begin with PLAN, beside those of `plans`, or with AHEAD: they hold from now on. Return it in
        its one form. Raises OrderError where something is not legal: then nothing has changed.
        """
        holds = _goes_along(notes)
        with self.alone(notes):
            if play.course.head != self.table(notes).head or _goes_along(notes) != holds:
                raise UsageError(
                    _(
                        "Another program of yours, a page that is open or another command, has gone on with this game meanwhile: "
                        "nothing of this was signed. Look how it stands now (“pbem board”), and order again if you are asked."
                    )
                )
            return self._ordered(notes, play, text, at, plans)

    def _ordered(self, notes: PairNotes, play: PairPlay, text: str, at: str, plans: str) -> str:
        said = read_advance(notes, play, text, plans)
        parsed = str(play.game.parse(play.view, said.order))
        made = self._turn(notes, play, said.order, plans=said.plans)
        notes.answers.append(parsed)
        notes.along = said.plans
        keep_ahead(notes, play, said)
        for more in chain([made], self._by_plans(notes, play)):
            self.keep(notes)
            self._sign(notes, play, more)
        if play.question is None:
            self._lay_turn(notes, play, at)
        return "\n".join([parsed, *said.lines])

    @in_turn
    def send_ahead(self, notes: PairNotes, text: str, plans: str = "") -> str:
        """Keep orders for questions to come, which answer nothing now; return them in their one form. Raises OrderError."""
        if self.table(notes).waits:
            raise UsageError(_("The game has not begun: your friend has not joined yet."))
        play, stands = self.standing(notes), self.play(self.table(notes))
        said = read_advance(notes, play, text, plans)
        notes.settle(stands.answered, stands.course.head[0])
        keep_ahead(notes, stands, said)  # what answers in the turn that is not signed yet is still needed
        self.keep(notes)
        return "\n".join(said.lines)

    @in_turn
    def plan(self, notes: PairNotes, text: str, *, shows: bool | None = None) -> str:
        """Let these be the standing plans, "" for none at all, also of what was ordered or sent ahead; return them in their one
        form. `shows` says whether they are pledged from now on; None leaves that as it is.

        Raises OrderError, or UsageError where plans cannot be pledged; then nothing has changed.
        """
        plans = read_plans(self.table(notes).pack.rules, text)
        if shows is not None:
            self._let_show(notes, shows=shows)
        notes.plans = plans
        if not notes.plans:
            notes.along = ""
            notes.ahead = {mark: [sent, ""] for mark, (sent, _plans) in notes.ahead.items()}
        self.keep(notes)
        return notes.plans

    @in_turn
    def show_plans(self, notes: PairNotes, *, shows: bool) -> str:
        """Pledge the plans in each battle that they speak of, or no more; return what that means. Raises UsageError."""
        self._let_show(notes, shows=shows)
        self.keep(notes)
        if shows:
            return _(
                "From the next battle on that begins your plans answer at once in each that they speak of, if your friend shows "
                "his as well: he sees what yours say of that battle when he is bound to his, and you see his."
            )
        return _("From now on nobody but you sees your plans; what you have sealed already holds for its battle.")

    def _let_show(self, notes: PairNotes, *, shows: bool) -> None:
        if not self.table(notes).knowing.has_contests:
            raise UsageError(
                _(
                    "In {title} there are no battles that plans of both could fight out at once: yours lie on your own desk, and "
                    "nobody else sees them.",
                    title=notes.title,
                )
            )
        notes.shows = shows

    @in_turn
    def unsay(self, notes: PairNotes) -> str:
        """Take back what was said besides orders and has not left: an offer that was to go along, or a word that waits."""
        waiting = [
            path for path in self.tray.unsent() if f".{WORD}." in path.name and path.name.startswith(notes.game[:8])
        ]
        if not notes.says and not waiting and self.turn_waits(notes):
            raise UsageError(
                _(
                    "What waits to be sent is a turn that you have signed: it is never signed otherwise, and stays. “pbem say "
                    "takeback” asks your friend to let you take back what it ends with, where that can be; “pbem say resign” "
                    "ends the game, or a draw that both want."
                )
            )
        if not notes.says and not waiting:
            raise UsageError(
                _(
                    "Your friend has joined, and nothing that you have said waits to be sent; what has left cannot be taken back. "
                    "“pbem say resign” ends the game, or a draw that both want."
                )
            )
        for path in waiting:  # with the copy for the witness; laid aside, it would count as said
            path.unlink()
        notes.says = []
        self.keep(notes)
        return _("Taken back: your friend hears nothing of it.")

    @in_turn
    def say(self, notes: PairNotes, what: str, at: str) -> str:
        """Say something besides an order: in this player's turn with it, in the other's by a letter of its own."""
        table = self.table(notes)
        if table.waits:
            raise UsageError(_("The game has not begun: your friend has not joined yet."))
        if what == "prove":
            return prove(self, notes, at)
        play = self.play(table)
        self._must_be_his(notes, play)
        course = play.course
        if course.is_over or play.result is not None:
            raise UsageError(_("The game is over."))
        if course.baton != notes.seat:
            if what in ("agree", "let"):
                raise UsageError(
                    _("It is your friend's turn: nothing can be agreed to now. You may offer a draw yourself.")
                )
            if what == "takeback" and (why := self.why_not_back(notes, play)):
                raise UsageError(why)
            named = _NAMED.get(what, what)
            again = named in self.words_to(notes.game, course.head[0])
            word = signed_word(self.key(table), play.vault, course.head, named)
            if what == "takeback":
                # by this count of answers it shows later whether the notes were written behind the consent
                notes.settle(play.answered, course.head[0])
                self.keep(notes)
            self.put(
                notes,
                f"{WORD}.{named}.{course.head[0]}",
                _("a word"),
                _(_WORD[named], title=notes.title),
                cj(word) + b"\n",
                at,
            )
            if again:
                return _("You have signed that already: {said}. Here is the letter once more.", said=what)
            if what == "takeback":
                return _(
                    "Signed: you ask back what you answered last. You are asked again if your friend lets you; if he plays on, it "
                    "stands."
                )
            return _(
                "Signed: {said}. Your friend's program quotes it in his next turn, if he has read it by then.",
                said=what,
            )
        if what == "takeback":
            raise UsageError(self.why_not_back(notes, play))
        is_offered = self.is_offered(notes, play)
        asks_back = bool(self.asked_back(notes))
        if what == "let" and not asks_back:
            raise UsageError(_("Your friend asks nothing back that he could take back now."))
        if what == "let":
            return self._let(notes, course.head[0], at)
        if what == "agree" and not is_offered:
            raise UsageError(
                _(
                    "Your friend has offered no draw; he asks to take back what he answered last: “pbem say let” lets him."
                )
                if asks_back
                else _("Your friend has offered no draw.")
            )
        if what == "draw" and is_offered:
            raise UsageError(_("Your friend offers a draw already: “pbem say agree” accepts it."))
        if what == "draw" and what in notes.says:
            return _("You have said that already: your next order takes the offer along.")
        notes.says = [what]  # an own offer that was to go along, too, would take the place of the friend's
        if what != "draw":
            notes.void(course.head[0])
        self.keep(notes)
        if what == "draw":
            return _("Your next order takes the offer along.")
        self.go_on(notes, at)
        return _("Signed: {said}", said=what)

    def _let(self, notes: PairNotes, last: int, at: str) -> str:
        """Consent that the friend takes his answers back, and sign nothing else."""
        notes.says = ["back"]
        notes.void(last)
        self.keep(notes)
        self.go_on(notes, at)
        return _("Signed: your friend takes back what he answered last, and is asked again.")


def _goes_along(notes: PairNotes) -> tuple[list[str], list[str], list[Json]]:
    """Return what a play holds of the notes: if another program changes that, its turn says too little, or too much."""
    return [*notes.answers], [*notes.says], [*notes.heard]
