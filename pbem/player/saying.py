"""What a player signs in a game that goes on: orders and plans, offers and leave, his address, his clock, words to others.

It decides what may be said as the game stands; nothing is signed that his copy gives no reason for.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from email.utils import parseaddr

from pbem.errors import OrderError, Problem, RecordError, UsageError
from pbem.games import GamePack, manifest
from pbem.kernel import Json, SendingAhead, Sheet, View, next_marks, read_ahead, read_lines, read_plans, take_apart
from pbem.ledger import (
    MOVE,
    SAY,
    check_key_line,
    cj,
    fingerprint,
    make_entry,
    objection,
    sha256_hex,
    verify_sig,
    waits,
)
from pbem.ledger.course import read
from pbem.mail import MAX_FROM_HOST, ahead_lines, attached_messages, read_block, read_message
from pbem.mail.press import marked
from pbem.referee import Envelope, Pen, Question, check_form
from pbem.words import _, _n

from .folder import sense
from .notes import Ahead, Notes
from .tray import Tray, ahead_in

_SPARE = 100
"""So many links of a chain a new host may pass over; another seat's copy may go further than one's own."""


class Speaker(Tray):
    """A desk at which orders are written."""

    def question(self, notes: Notes) -> tuple[Question, View, GamePack]:
        """Return the question that is open to this seat, its view, and the game. Raises UsageError when there is none."""
        copy = self.copy(notes)
        course, pack = self.course(notes), self._pack(copy.log)
        if notes.seat not in course.waiting or course.question is None:
            raise UsageError(
                _(
                    "Nothing is asked of you in this game now. “pbem read MAIL” takes a new mail, “pbem board” shows how it stands."
                )
            )
        with sense():
            view = pack.rules.read_view(copy.tells()[-1].view)
        ask = copy.log.entries[course.question.n]
        return Question(ask.n, ask.fields["secret"], ask.fields.get("mark"), (ask.n, ask.hash)), view, pack

    def say(self, notes: Notes, act: str, at: str, **more: Json) -> str:
        """Say something besides an order: verify the copy, sign, and write the letter; return what was signed.

        Raises UsageError where it may not be said as the game stands, and RecordError when the copy is not in order.
        """
        log, course = self.copy(notes).log, self.course(notes)
        if not self.copy(notes).tells() or log.finished:
            raise UsageError(_("There is nothing to say: the game has not begun, or it is over."))
        say = {
            "act": act,
            "no": course.next_no(notes.seat),
            "seen": list(log.head),
            "after": self._after(notes),
            **more,
        }
        # who is asked nothing has not been sent the last entries: whether time is over, or a move may go back, the host knows
        if act in ("draw", "agree", "leave") and not waits(course, notes.seat, say):
            if why := self._objection(notes, "say", say, at):
                raise UsageError(why)
        if unsent := self._unsent_says(notes, say["no"]):
            raise UsageError(
                _(
                    "{letter} waits to be sent, and the host takes one saying after the other: “pbem send” it first, and read "
                    "what he answers.",
                    letter=unsent[0],
                )
            )
        self._in_order(notes)
        self._counts(notes)
        envelope = self._pen(notes).say(say)
        said = " ".join([act, *(f"{name} {value}" for name, value in more.items())])
        # what was refused as too early may be said again in the same words: it is another mail
        self._write(notes, f"{act}.{say['no']}.{re.sub('[^0-9]', '', at)}", envelope, said.upper(), at)
        return said

    def agree_to_rules(self, notes: Notes, at: str) -> str:
        """Agree to go on by the version of the rules that is installed here; return which. Raises UsageError where it is none."""
        pack, rules = self._pack(self.copy(notes).log), self.course(notes).rules
        if pack.rules.version <= rules["ver"]:
            raise UsageError(
                _(
                    "This game is played by version {ver} of its rules; here is {version}.",
                    ver=rules["ver"],
                    version=pack.rules.version,
                )
            )
        sha256 = manifest(pack)[1]
        what = {"rules": {"id": pack.rules.id, "ver": pack.rules.version, "sha256": sha256}}
        self.say(notes, "agree", at, what=sha256_hex(cj(what)))
        return _(
            "version {version} of the rules, fingerprint {sha256}…", version=pack.rules.version, sha256=sha256[:16]
        )

    def welcome(self, raw: bytes, at: str, *, another: bool = False) -> str:
        """Agree to what the block in a mail proposes; return what to compare by telephone.

        That is a newcomer in the seat of a player who has vanished, or another host in place of one who has; `another`: though he
        has agreed to another host before. Raises UsageError where the mail holds no such block.
        """
        mail = read_message(raw, MAX_FROM_HOST)
        newcomer = read_block(mail.text)
        inside = (read_message(one, MAX_FROM_HOST) for one in attached_messages(raw))
        mail = next(
            (one for one in inside if newcomer and one.text == mail.text), mail
        )  # it was handed on, and is whose it was
        if newcomer is not None and newcomer.say.get("act") == "host":
            return self._agree_to_host(newcomer, parseaddr(mail.sender)[1], at, another=another)
        if newcomer is None or newcomer.say.get("act") != "join":
            raise UsageError(_("This mail holds nobody's word that he would take a seat."))
        notes, say = self.notes(str(newcomer.say["game"])), newcomer.say
        check_form(newcomer)
        if not verify_sig(say["key"], SAY, cj(dict(say)), newcomer.sig):
            raise RecordError(_("The newcomer has not signed this: the block was forged, or changed on its way."))
        self.say(notes, "agree", at, what=sha256_hex(cj({"player": {"say": say, "sig": newcomer.sig}})))
        return f"{say['seat']}\n  {fingerprint(say['key'])}"

    def _agree_to_host(self, proposal: Envelope, address: str, at: str, *, another: bool) -> str:
        """Agree that another host goes on with a game."""
        say = proposal.say
        notes = self.notes(str(say.get("game", "")))
        log, host = self.copy(notes).log, _host_of(proposal)
        n, h = host["seen"]
        if n >= len(log.entries) or log.entries[n].hash != h:
            raise RecordError(
                _(
                    "The new host would go on from entry {n} of another history than your copy's, or from one that your copy has "
                    "not reached. Do not agree; send him your copy.",
                    n=n,
                )
            )
        if log.finished:
            raise RecordError(
                _("This game is over by your copy, and nobody goes on with it. Tell the others what came.")
            )
        course = read(entry.fields for entry in log.entries[: n + 1])
        given = [entry.fields["mark"] for entry in log.entries if "mark" in entry.fields]
        highest = max((self.course(notes).mark, *given, *map(int, notes.ahead)))
        if host["mark"] > highest + _SPARE:
            raise RecordError(
                _("The new host would use up the links of your chain for nothing (mark {mark}).", mark=host["mark"])
            )
        if host["mark"] < max(highest + 1, course.next_mark_of_call):
            raise RecordError(
                _(
                    "The new host calls to be ready with a link that may be known already (mark {mark}).",
                    mark=host["mark"],
                )
            )
        if host["key"] in [seat.key for seat in course.seats.values()]:
            raise RecordError(_("The key of the new host is that of a seat of this game. A host is never a player."))
        if host["key"] in course.keys:
            raise RecordError(
                _(
                    "The key of the new host is that of a former one, who has signed another history of this game with it. Whoever "
                    "goes on needs a key of his own."
                )
            )
        what = sha256_hex(cj({"host": host}))
        if notes.next_host not in ("", what) and not another:
            raise UsageError(
                _(
                    "You have agreed to another host, or to another beginning, before. If that one has given up, add --another; if "
                    "not, two hosts would go on with one game."
                )
            )
        notes.next_host = ""
        known = self._check_rules(notes)
        self._in_order(notes)
        # what was signed beyond the entry from which he goes on counts no more
        statement = {
            "act": "agree",
            "no": course.next_no(notes.seat),
            "seen": [n, h],
            "after": self._after(notes, course),
        }
        statement["what"] = what
        moment = max(at, course.clock)
        if found := objection(course, {"k": "say", "by": notes.seat, "say": statement, "at": moment}):
            raise UsageError(found.reason)
        for path in self._unsent_agreements(
            notes
        ):  # one that waits and was given up would make a second game of this one
            self._lay_aside(path)
        envelope = Pen.at(self.key, notes.game, notes.seat, course).say(statement)
        name = f"host.{n}.{what[:8]}"
        self._write(
            notes,
            name,
            envelope,
            _("I agree that {host} goes on as host from entry {n}.", host=address, n=n),
            at,
            to=address,
        )
        notes.next_host, notes.next_key = what, fingerprint(host["key"])
        self._keep(notes)
        for path in self._unsent_orders(notes):  # they were for the former host, and the question is void
            self._lay_aside(path)
        lost = len(log.entries) - 1 - n
        lines = [f"{address}\n  {fingerprint(host['key'])}", _("The game goes on from entry {n}.", n=n)]
        if lost:
            lines.append(_n("{n} entry of your copy counts no more.", "{n} entries of your copy count no more.", lost))
        if wrote := self._wrote_last(notes):
            lines.append(
                _(
                    "The host of now, {host}, wrote last at {at}, by his log. If he may only be late, ask him before you "
                    "send: from then on nothing is signed for him. “pbem welcome --withdraw {game}” takes it back, as long as it "
                    "has not been sent.",
                    host=notes.host,
                    at=wrote,
                    game=notes.game[:8],
                )
            )
        return "\n".join([*lines, *self._agreed_on(log, known)])

    def _wrote_last(self, notes: Notes) -> str:
        """When the present host wrote last, by his own log."""
        return self.course(notes).clock

    def stay(self, notes: Notes) -> str:
        """Take back an agreement to another host, if its letter has not been sent; return what was done. Raises UsageError."""
        if not notes.next_host:
            raise UsageError(_("You have agreed to no other host in this game."))
        letters = self._unsent_agreements(notes)
        for path in letters:
            self._lay_aside(path)
        notes.next_host = notes.next_key = ""
        self._keep(notes)
        if letters:
            return _("The letter by which you agreed was not sent, and is laid aside. The game stays where it is.")
        return _(
            "The letter by which you agreed has been sent: if all others agree as well, the game still moves. "
            "Until then you may go on "
            "with the host of now."
        )

    def order(self, notes: Notes, text: str, plans: str, at: str, *, anyway: bool = False) -> str:
        """Read an order, verify the copy, sign, and write the letter; return the order's canonical text.

        `anyway`: though the time that the question gives is in doubt.

        The text may be headed `GAME …` and hold lines that begin with PLAN, beside those of `plans`; where there are neither,
        the standing plans go with it. Lines that begin with AHEAD are sent ahead, and may be all there is. What is returned
        holds all of them.
        Raises OrderError, with every bad line, when it is not legal, and RecordError when the copy is not in order.
        """
        sheet = take_apart(text)
        _is_for(notes, sheet)
        if sheet.ahead and not read_lines(sheet.order):
            return self.send_ahead(notes, sheet, plans, at)
        to, view, pack = self.question(notes)
        if (doubt := notes.doubts.get(str(to.ask))) and not anyway:
            raise UsageError(_("{doubt} If you want to answer all the same, add “--anyway”.", doubt=doubt))
        self._by_these_rules(notes, pack)
        order = pack.rules.parse(view, sheet.order)
        if refusal := pack.rules.why_not(view, order):
            raise OrderError(Problem(0, str(order), refusal.why, refusal.rule, refusal.legal))
        planned = self._plans(notes, sheet, plans, pack)
        later = self._read_ahead(notes, sheet, pack)
        self._in_order(notes)
        self._counts(notes)
        rev = max(notes.revisions.get(str(to.ask), -1), notes.sent_ahead(to.mark).rev) + 1
        envelope = self._pen(notes).order(to, str(order), planned, rev)
        ahead = {int(one.say["link_n"]): one for path in self._unsent_orders(notes) for one in ahead_in(path)}
        ahead |= {int(one.say["link_n"]): one for one in self._sign_ahead(notes, later, planned)}
        for path in self._unsent_orders(notes):
            self._lay_aside(path)
        envelope = replace(envelope, ahead=tuple(ahead.values()))
        lines = [line for one in envelope.ahead for line in ahead_lines(one)]
        said = "\n".join([str(order), *(["PLANS", planned] if planned else []), *lines])
        self._write(notes, f"order.{to.ask}.{rev}", envelope, said, at)
        notes.revisions = {str(to.ask): rev}
        self._keep(notes)
        return "\n".join([str(order), *(f"PLAN {line}" for line in planned.splitlines()), *lines])

    def send_ahead(self, notes: Notes, sheet: Sheet, plans: str, at: str) -> str:
        """Write a letter that sends orders ahead and answers nothing now; return them as canonical lines. Raises OrderError."""
        pack = self._pack(self.copy(notes).log)
        self._by_these_rules(notes, pack)
        planned, later = self._plans(notes, sheet, plans, pack), self._read_ahead(notes, sheet, pack)
        self._in_order(notes)
        self._counts(notes)
        first, *rest = self._sign_ahead(notes, later, planned)
        lines = [line for one in (first, *rest) for line in ahead_lines(one)]
        said = "\n".join([*lines, *(["PLANS", planned] if planned else [])])
        name = f"ahead.{first.say['link_n']}.{first.say['rev']}"
        self._write(notes, name, replace(first, ahead=tuple(rest)), said, at)
        self._keep(notes)
        return "\n".join([*lines, *(f"PLAN {line}" for line in planned.splitlines())])

    def _counts(self, notes: Notes) -> None:
        """Raise UsageError where another key counts than the desk's: the host would refuse what it signs."""
        if (key := self.course(notes).seats[notes.seat].key) and key != self.key_line:
            raise UsageError(
                _(
                    "{title}: by your copy another key counts than the one in {home}, and the host would refuse what this "
                    "one signs. If you have changed it, send that letter, and read the host's answer first; if he has refused it, "
                    "“pbem rekey --back” takes the key before again.",
                    title=notes.title,
                    home=self.home,
                )
            )

    def next_marks(self, notes: Notes) -> dict[str, int]:
        """Return the marks for which orders may be sent ahead now, by the names of their questions; none before the game begins."""
        copy = self.copy(notes)
        if not copy.tells() or copy.log.finished or self.course(notes).seats[notes.seat].gone:
            return {}
        mark, what = self.course(notes).asked_last(notes.seat)
        most = self.course(notes).most_ahead(notes.seat)
        return next_marks(self._pack(copy.log).rules, mark, what, most - mark)

    def _read_ahead(self, notes: Notes, sheet: Sheet, pack: GamePack) -> dict[int, str]:
        if not sheet.ahead:
            return {}
        marks, tells = self.next_marks(notes), self.copy(notes).tells()
        if not tells or not (marks or not isinstance(pack.rules, SendingAhead)):
            raise UsageError(_("Nothing can be sent ahead: the game has not begun, or you play it no more."))
        with sense():
            view = pack.rules.read_view(tells[-1].view)
        return read_ahead(pack.rules, view, marks, sheet.ahead)

    def _sign_ahead(self, notes: Notes, later: Mapping[int, str], planned: str) -> list[Envelope]:
        log = self.copy(notes).log
        pen, signed = self._pen(notes), []
        for mark, text in later.items():
            rev = notes.sent_ahead(mark).rev + 1
            signed.append(pen.ahead(mark, log.head, text, planned, rev))
            notes.note_ahead(mark, Ahead(rev, text, log.head[0]))
        return signed

    def _plans(self, notes: Notes, sheet: Sheet, plans: str, pack: GamePack) -> str:
        own = "\n".join(filter(None, (sheet.plans, plans)))
        return read_plans(pack.rules, own) if own else notes.plans

    def _by_these_rules(self, notes: Notes, pack: GamePack) -> None:
        self._check_rules(notes)
        if pack.rules.version != (ver := self.course(notes).rules["ver"]):
            raise UsageError(
                _(
                    "This game is played by version {ver} of its rules, and here is version {version}. Install the "
                    "other, or go on by this one when all have agreed to it: “pbem say rules”.",
                    ver=ver,
                    version=pack.rules.version,
                )
            )

    def plan(self, notes: Notes, text: str) -> str:
        """Let these be the standing plans of a game, "" for none; return their canonical text. Raises OrderError."""
        notes.plans = read_plans(self._pack(self.copy(notes).log).rules, text)
        self._keep(notes)
        return notes.plans

    def move(self, notes: Notes, address: str, number: int | None, at: str) -> int:
        """Sign that the letters of a game go to another address, and write the letter; return the number of the change."""
        number = number or notes.moves + 1
        envelope = self._pen(notes).address(address, number)
        self._write(notes, f"address.{number}", envelope, f"My letters go to {address}.", at)
        notes.moves = number
        self._keep(notes)
        return number

    def set_clock(self, notes: Notes, zone: str, quiet: str, weekends: str, number: int | None, at: str) -> int:
        """Sign when time counts for this player in a game, and write the letter; return the number of the statement."""
        number = number or notes.clocks + 1
        envelope = self._pen(notes).time(zone, quiet, weekends, number)
        said = f"Time counts for me by the clock of {zone}, quiet {quiet or 'off'}, weekends {weekends or 'on'}."
        self._write(notes, f"time.{number}", envelope, said, at)
        notes.clocks = number
        self._keep(notes)
        return number

    def ask_again(self, notes: Notes, since: int, at: str) -> None:
        """Sign that this seat's copy be sent from behind entry `since` on, and write the letter. The moment is its number."""
        number = int(re.sub("[^0-9]", "", at))
        said = "Please send my copy of the game once more."
        self._write(notes, f"resend.{number}", self._pen(notes).resend(since, number), said, at)

    def send_copy(self, notes: Notes, since: int, at: str) -> int:
        """Write the letter that brings the host this copy, from behind entry `since` on; he has lost what he wrote.

        What was sent and stands in no entry goes once more; return how many letters that are.
        """
        copy = self.copy(notes)
        lines = copy.lines_after(since)
        head = copy.log.head
        said = f"My copy of the game, as it is after entry {head[0]} (head {head[1]})."
        self._write(notes, f"copy.{head[0]}", self._pen(notes).copy(sha256_hex(lines)), said, at, log=lines)
        return len(
            self._send_again(notes, {cj(entry.fields["say"]) for entry in copy.log.entries if "say" in entry.fields})
        )

    def press(self, notes: Notes, text: str, to: str, at: str) -> None:
        """Sign words for another seat, or ("") for all others, and write the letter. The moment is its number."""
        number = int(re.sub("[^0-9]", "", at))
        envelope = self._pen(notes).press(text, to, number)
        self._write(notes, f"press.{number}", envelope, f"Press to {to or 'all'}:\n\n{marked(text)}", at)


def _host_of(proposal: Envelope) -> dict[str, Json]:
    """Return what a new host proposes, if he has signed it and an entry can hold it. Raises RecordError or FormError."""
    host = proposal.say.get("host")
    # as an entry would hold it
    moment = "2000-01-01T00:00:00Z"
    fields: dict[str, Json] = {"k": "host", "at": moment, **(host if isinstance(host, dict) else {}), "agreed": [1]}
    made = make_entry(1, "0" * 64, fields).fields
    check_key_line(made["key"])
    if not verify_sig(made["key"], MOVE, cj(proposal.say), proposal.sig):
        raise RecordError(_("The new host has not signed this: the block was forged, or changed on its way."))
    return {name: made[name] for name in ("chains", "deals", "key", "mark", "seen")}


def _is_for(notes: Notes, sheet: Sheet) -> None:
    if not notes.game.startswith(sheet.game):
        raise UsageError(
            _(
                "This order is headed for game {other}, not for {game}. Which one is meant?",
                other=sheet.game,
                game=notes.game[:8],
            )
        )
