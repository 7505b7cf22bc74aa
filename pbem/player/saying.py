"""What a player signs in a game in progress: orders and plans, offers and leave, address, clock, words to others.

This module decides which statements are allowed now. It signs nothing without a reason in the player's copy.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from pbem.errors import UsageError
from pbem.games import GamePack, manifest
from pbem.games.touching import taken
from pbem.i18n import N_, _, _n
from pbem.kernel import Json, SendingAhead, Sheet, View, next_marks, read_ahead, read_lines, read_plans
from pbem.ledger import SAYS, cj, sha256_hex, waits
from pbem.mail import ahead_lines
from pbem.mail.press import marked
from pbem.records import dataclass
from pbem.referee import AskSeen, Envelope
from pbem.reports.reckoned import Reckoned

from .copy import sense
from .in_time import check_claim, send_copies
from .meanings import meaning, means
from .notes import Ahead, Notes
from .sayable import Saying, check_no_draw, sayings
from .showing import material
from .speaker import Fresh, SeatQuestion, Seen, SignedAnswer, sheet_for
from .tray import Tray, ahead_in, digits, says

if TYPE_CHECKING:
    from contextlib import AbstractContextManager
    from pathlib import Path

    from .seat import Seat


_NUMBERED = {
    "agree": N_("Say which offer you agree to: the number of its entry goes with “agree”."),
    "takeback": N_("Say which question you want to answer again: add its number to “takeback”."),
    "leave": N_("Say for how long you take leave: a number of hours goes with “leave”."),
}
"""The messages for a statement without its number."""
_HAS_A_HOST = N_("This game has a host: your letters go to him, and there is neither a friend nor a witness in it.")
_SAYS = (*SAYS, "rules")


@dataclass(frozen=True, slots=True)
class HostSpeaker:
    """Who signs for a seat, and lays letters to the host into the tray: a `Speaker`."""

    seat: Seat
    tray: Tray

    @property
    def notes(self) -> Notes:
        """The notes of the game."""
        return self.seat.notes

    def alone(self) -> AbstractContextManager[None]:
        """Nothing is signed twice where a host decides."""
        return nullcontext()

    def besides(self, _at: str) -> list[str]:
        """Return nothing: the host tells it all."""
        return []

    def not_said(self, _at: str) -> list[str]:
        """Return nothing: the report says it all."""
        return []

    def asking(self, post: Seen) -> bytes | None:
        """Return the letter that asks the player to be ready; None where none waits for an answer."""
        return post.asking(self.notes)

    def news(self, _at: str, post: Seen) -> Fresh:
        """Return what has happened since the player last looked; the position, too, if he is asked."""
        seat, since, mine = self.seat, post.since(self.notes), self.seat.overview().state == "mine"
        if not seat.copy.tells() or (since is None and not mine):
            return Fresh(None, mine)
        with sense():
            return Fresh(Reckoned(*material(seat, seat.log.head[0] if since is None else since)), mine, drawn=True)

    def was_shown(self, _at: str, post: Seen) -> list[str]:
        """Remember that the player has been shown all of the game; the report says it all."""
        post.was_shown(self.notes)
        return []

    def offered(self) -> None:
        """Return None: offers are among the statements, and the host tells of them."""

    def asked(self, _at: str) -> SeatQuestion:
        """Return this seat's open question. Raises UsageError if there is none."""
        _to, view, pack = self.question()
        return SeatQuestion(pack, view, self.next_marks())

    def answer(
        self, text: str, plans: str, at: str, question: SeatQuestion | None = None, *, anyway: bool = False
    ) -> SignedAnswer:
        """Sign an order, or send some ahead, as `order`; it says so where the question had been answered before."""
        before, course = dict(self.notes.revisions), self.seat.course
        said = self.order(text, plans, at, anyway=anyway)
        told = [_("Signed:"), *(f"  {line}" for line in said.split("\n"))]
        if (
            course.question
            and (rev := before.get(str(course.question.n))) is not None
            and before != self.notes.revisions
        ):
            told.append(
                _(
                    "You have answered this before. This is revision {rev}, which counts if the question is still open.",
                    rev=rev + 1,
                )
            )
        return SignedAnswer(said, "\n".join(told))

    def sayings(self, at: str) -> tuple[Saying, ...]:
        """Return the statements other than orders that are possible now."""
        return sayings(self.seat, at)

    def means(self, what: str, number: int | None, at: str, *, anyway: bool = False) -> str:
        """Return what follows from saying that. Raises UsageError where it may not be said."""
        more = _more(self.seat, what, number)
        if anyway and what != "claim":
            raise UsageError(_("--anyway goes with “claim” alone."))
        if what == "rules":
            _check_newer_rules(self.seat)
        else:
            self.sayable(what, at, anyway=anyway, **more)
        return meaning(self.seat, what, next(iter(more.values()), None))

    def declare(self, what: str, number: int | None, at: str, *, anyway: bool = False) -> str:
        """Make a statement, and return what was signed, in a sentence. Raises UsageError or RecordError, as `say`."""
        more = _more(self.seat, what, number)
        if what == "rules":
            return _("Signed: agreed to continue by {rules}", rules=self.agree_to_rules(at))
        return _("Signed: {said}", said=self.say(what, at, anyway=anyway, **more))

    def standing(self, _at: str) -> Reckoned:
        """Return the report of the game's state, with the open question."""
        return Reckoned(*material(self.seat, self.seat.log.head[0]))

    def question(self) -> tuple[AskSeen, View, GamePack]:
        """Return this seat's open question, its view, and the game. Raises UsageError without a question."""
        course = self.seat.course
        if self.notes.seat not in course.waiting or course.question is None:
            raise UsageError(
                _(
                    "No question is open for you in this game now. “pbem read MAIL” reads a new mail, “pbem "
                    "board” shows the position."
                )
            )
        ask = self.seat.log.entries[course.question.n]
        return AskSeen.of(ask.n, ask.fields, ask.hash), self.seat.view, self.seat.pack

    def say(self, act: str, at: str, *, anyway: bool = False, **more: Json) -> str:
        """Make a statement other than an order: verify the copy, sign, and write the letter; return what was signed.

        `anyway`: claim even if this desk has acknowledged the late order. Raises UsageError if the statement is not allowed now,
        and RecordError if the copy is faulty.
        """
        say = self.sayable(act, at, anyway=anyway, **more)
        no = say["no"]
        unsent = [
            path for path in self.tray.lying(self.notes) if path.match(f"*.*.{no}.*") and says(path).get("no") == no
        ]
        if unsent:
            raise UsageError(
                _(
                    "{letter} waits to be sent, and the host takes one saying after the other: “pbem send” it first, and read "
                    "what he answers.",
                    letter=unsent[0],
                )
            )
        _check(self.seat)
        said = " ".join([act, *(f"{name} {value}" for name, value in more.items())])
        # what was refused as too early may be said again in the same words: it is another mail
        self.tray.write(self.notes, f"{act}.{no}.{digits(at)}", self.seat.pen.say(say), said.upper(), at)
        return said

    def sayable(self, act: str, at: str, *, anyway: bool = False, **more: Json) -> dict[str, Json]:
        """Return the data to sign for a statement other than an order. Raises UsageError if it is not allowed now."""
        seat, log, course = self.seat, self.seat.log, self.seat.course
        if not seat.copy.tells() or log.finished:
            raise UsageError(_("There is nothing to say: the game has not begun, or it is over."))
        if act == "claim" and not anyway:
            check_claim(seat)
        no = course.next_no(self.notes.seat)
        say = {"act": act, "no": no, "seen": list(log.head), "after": seat.after(), **more}
        # who is asked nothing has not been sent the last entries: whether time is over, or a move may go back, the host knows
        if act in ("draw", "agree", "leave") and not waits(course, self.notes.seat, say):
            if why := seat.objection("say", say, at):
                raise UsageError(why)
        return say

    def agree_to_rules(self, at: str) -> str:
        """Agree to continue by the newer rules installed here; return their version. Raises UsageError without a newer version."""
        _check_newer_rules(self.seat)
        pack = self.seat.pack
        sha256 = manifest(pack)[1]
        self.say(
            "agree",
            at,
            what=sha256_hex(cj({"rules": {"id": pack.rules.id, "ver": pack.rules.version, "sha256": sha256}})),
        )
        return _(
            "version {version} of the rules, fingerprint {sha256}…", version=pack.rules.version, sha256=sha256[:16]
        )

    def order(self, text: str, plans: str, at: str, *, anyway: bool = False) -> str:
        """Read an order, verify the copy, sign, and write the letter; return the order's canonical text.

        `anyway`: answer even if the time that the question gives is in doubt.

        The text may be headed `GAME …`, and may have lines that begin with PLAN, in addition to those of `plans`. Without either,
        the standing plans go with it. Lines that begin with AHEAD are premoves, and the text may consist of them alone. The result
        includes all of these. Raises OrderError with every bad line if the order is illegal, and RecordError if the copy is
        faulty.
        """
        notes, sheet = self.notes, sheet_for(self.notes.game, text)
        if sheet.ahead and not read_lines(sheet.order):
            return self._send_ahead(sheet, plans, at)
        to, view, pack = self.question()
        if (doubt := notes.doubts.get(str(to.ask))) and not anyway:
            raise UsageError(_("{doubt} To answer anyway, add “--anyway”.", doubt=doubt))
        _by_these_rules(self.seat, pack)
        order = taken(pack, view, sheet.order)
        planned, later = _plans(self.notes, sheet, plans, pack), self._read_ahead(sheet, pack)
        _check(self.seat)
        # a letter may lie here of which the notes know nothing: the program was killed between the two
        rev = (
            max(notes.revisions.get(str(to.ask), -1), notes.sent_ahead(to.mark).rev, self.tray.revised(notes, to.ask))
            + 1
        )
        envelope = self.seat.pen.order(to, str(order), planned, rev)
        waiting = self.tray.lying(notes, "order.")
        before = [one for path in waiting for one in ahead_in(path)]
        ahead = {int(one.say["link_n"]): one for one in (*before, *_sign_ahead(self.seat, later, planned))}
        envelope = replace(envelope, ahead=tuple(ahead.values()))
        lines = [line for one in envelope.ahead for line in ahead_lines(one)]
        said = "\n".join([str(order), *(["PLANS", planned] if planned else []), *lines])
        self.tray.write(self.notes, f"order.{to.ask}.{rev}", envelope, said, at)
        self.tray.lay_aside(*waiting)
        notes.revisions = {str(to.ask): rev}
        self.seat.keep()
        send_copies(self.seat, envelope, at)
        return "\n".join([str(order), *(f"PLAN {line}" for line in planned.splitlines()), *lines])

    def _send_ahead(self, sheet: Sheet, plans: str, at: str) -> str:
        """Write a letter that sends orders ahead and answers nothing now; return them as canonical lines. Raises OrderError."""
        pack = self.seat.pack
        _by_these_rules(self.seat, pack)
        planned, later = _plans(self.notes, sheet, plans, pack), self._read_ahead(sheet, pack)
        _check(self.seat)
        first, *rest = _sign_ahead(self.seat, later, planned)
        lines = [line for one in (first, *rest) for line in ahead_lines(one)]
        said = "\n".join([*lines, *(["PLANS", planned] if planned else [])])
        self.tray.write(
            self.notes, f"ahead.{first.say['link_n']}.{first.say['rev']}", replace(first, ahead=tuple(rest)), said, at
        )
        self.seat.keep()
        return "\n".join([*lines, *(f"PLAN {line}" for line in planned.splitlines())])

    def next_marks(self) -> dict[str, int]:
        """Return the marks for which orders may be sent ahead now, by the names of their questions; none before the game begins."""
        copy, course = self.seat.copy, self.seat.course
        if not copy.tells() or copy.log.finished or course.seats[self.notes.seat].gone:
            return {}
        mark, what = course.asked_last(self.notes.seat)
        return next_marks(self.seat.pack.rules, mark, what, course.most_ahead(self.notes.seat) - mark)

    def _read_ahead(self, sheet: Sheet, pack: GamePack) -> dict[int, str]:
        if not sheet.ahead:
            return {}
        marks = self.next_marks()
        if not self.seat.copy.tells() or not (marks or not isinstance(pack.rules, SendingAhead)):
            raise UsageError(_("You cannot send orders ahead: the game has not begun, or you no longer play in it."))
        return read_ahead(pack.rules, self.seat.view, marks, sheet.ahead)

    def plan(self, text: str | None, *, shows: bool | None = None) -> tuple[str, Sequence[str]]:
        """Set the standing plans of a game ("" deletes them); return their canonical text. Raises OrderError.

        Raises UsageError if `shows` is given, because plans are not shown to anybody in a game with a host.
        """
        if shows is not None:
            raise UsageError(
                _(
                    "This game has a host, who keeps plans sealed and lets them answer at once, so you cannot "
                    "show plans. --shown and --kept are for games of two (“pbem with”)."
                )
            )
        if text is not None:
            self.notes.plans = read_plans(self.seat.pack.rules, text)
            self.seat.keep()
        return self.notes.plans, ()

    def ask_for_copy(self, since: int, at: str) -> str:
        """Sign that this seat's copy be sent from behind entry `since` on, and write the letter. The moment is its number."""
        number, said = digits(at), "Please send my copy of the game once more."
        self.tray.write(self.notes, f"resend.{number}", self.seat.pen.resend(since, int(number)), said, at)
        return _("The host of {title} is asked for your copy.", title=self.notes.title)

    def again(self, _at: str) -> list[Path]:
        """Put letters that left, and that the host has not confirmed, in the tray again. Raises RecordError without a copy."""
        return self.tray.give_again(self.notes)

    def send_copy(self, since: int, at: str) -> int:
        """Write the letter that gives the host this copy after entry `since`, because the host has lost their log.

        Letters that were sent but are in no entry are sent again; returns their number.
        """
        log, lines = self.seat.log, self.seat.copy.lines_after(since)
        n, digest = log.head
        said = f"My copy of the game, as it is after entry {n} (head {digest})."
        self.tray.write(self.notes, f"copy.{n}", self.seat.pen.copy(sha256_hex(lines)), said, at, log=lines)
        entered = {cj(entry.fields["say"]) for entry in log.entries if "say" in entry.fields}
        return self.tray.send_again(self.notes, entered)

    @property
    def copy_means(self) -> str:
        """What follows if the host gets this copy."""
        return means("copy")

    def send_to(self, who: Literal["friend", "witness"], address: str, at: str) -> str:
        """Raise UsageError: letters go to the host, at the address at which he writes."""
        raise UsageError(_(_HAS_A_HOST))

    def hand_copy(self, since: int, at: str) -> list[str]:
        """Write the letter that brings the host this copy, as `send_copy`; return what goes, in sentences."""
        said, again = [_("Your copy of {title} goes to the host.", title=self.notes.title)], self.send_copy(since, at)
        if again:
            said.append(
                _n(
                    "{n} letter that you have sent, and that is not in it, goes once more.",
                    "{n} letters that you have sent, and that are not in it, go once more.",
                    again,
                )
            )
        return said

    def write(self, text: str, to: str, at: str) -> str:
        """Sign words for another seat, or ("") for all others, and write the letter. The moment is its number."""
        number, said = digits(at), f"Press to {to or 'all'}:\n\n{marked(text)}"
        self.tray.write(self.notes, f"press.{number}", self.seat.pen.press(text, to, int(number)), said, at)
        return _("Signed, for {seat}.", seat=to) if to else _("Signed, for all others.")


def _sign_ahead(seat: Seat, later: Mapping[int, str], planned: str) -> list[Envelope]:
    head, pen, signed = seat.log.head, seat.pen, []
    for mark, text in later.items():
        rev = seat.notes.sent_ahead(mark).rev + 1
        signed.append(pen.ahead(mark, head, text, planned, rev))
        seat.notes.note_ahead(mark, Ahead(rev, text, head[0]))
    return signed


def _plans(notes: Notes, sheet: Sheet, plans: str, pack: GamePack) -> str:
    own = "\n".join(filter(None, (sheet.plans, plans)))
    return read_plans(pack.rules, own) if own else notes.plans


def _by_these_rules(seat: Seat, pack: GamePack) -> None:
    seat.check_rules()
    if pack.rules.version != (ver := seat.course.rules["ver"]):
        raise UsageError(
            _(
                "This game is played by version {ver} of its rules, but version {version} is installed here. "
                "Install the game's version, or continue by the installed one when all have agreed to it: "
                "“pbem say rules”.",
                ver=ver,
                version=pack.rules.version,
            )
        )


def _check(seat: Seat) -> None:
    """Sign nothing over a copy that is at fault, nor with another key than the one that counts: the host would refuse it."""
    seat.check()
    folder, key = seat.folder, seat.course.seats[seat.notes.seat].key
    if key and key != seat.own_line:
        raise UsageError(
            _(
                "{title}: according to your copy, the valid key is not the one in {home}. The host would "
                "refuse what this one signs. If you have changed your key, send that letter and read the "
                "host's answer first. If he has refused the change, “pbem rekey --back” restores the "
                "previous key.",
                title=seat.notes.title,
                home=folder.home,
            )
        )


def _more(seat: Seat, what: str, number: int | None) -> dict[str, int]:
    """Return the number that goes with a statement, by its name; if none is given, the only possible one."""
    if what not in _SAYS:
        raise UsageError(_("“{what}” is not a statement; the statements are {says}.", what=what, says=", ".join(_SAYS)))
    if what == "draw":
        check_no_draw(seat)
    if what not in _NUMBERED:
        if number is not None:
            raise UsageError(_("No number goes with “{what}”.", what=what))
        return {}
    called, needs = SAYS[what].names, _NUMBERED[what]
    own, entries = seat.notes.seat, seat.log.entries
    found: Sequence[int | None] = [number]
    if number is None and what == "agree":
        found = [n for n, offer in seat.course.offers.items() if offer.seat != own]
    elif number is None and what == "takeback":
        found = [entry.n for entry in entries if entry.k == "ask" and entry.fields["to"] == [own]][-1:]
    if len(found) != 1 or found[0] is None:
        raise UsageError(_(needs))
    return {called: found[0]}


def _check_newer_rules(seat: Seat) -> None:
    """Raise UsageError where no other version of the rules is installed here to which one could agree."""
    pack, ver = seat.pack, seat.course.rules["ver"]
    if pack.rules.version <= ver:
        raise UsageError(
            _(
                "This game is played by version {ver} of its rules; here is {version}.",
                ver=ver,
                version=pack.rules.version,
            )
        )
