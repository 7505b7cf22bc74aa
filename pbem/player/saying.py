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
from pbem.kernel import Json, Sheet, View, next_marks, read_ahead, read_lines, take_apart
from pbem.ledger import (
    MOVE,
    SAY,
    Talk,
    check_key_line,
    cj,
    fingerprint,
    make_entry,
    mark_of_call,
    sha256_hex,
    stand,
    verify_sig,
)
from pbem.mail import MAX_FROM_HOST, ahead_lines, read_block, read_message
from pbem.mail.press import marked
from pbem.referee import Envelope, Question, check_form
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
        talk, pack = self.talk(notes), self._pack(copy.log)
        if notes.seat not in talk.waiting:
            raise UsageError(_("Nothing is asked of you in this game now. “pbem read” shows how it stands."))
        with sense():
            view = pack.rules.read_view(copy.tells()[-1].view)
        ask = copy.log.entries[talk.ask]
        return Question(ask.n, ask.fields["secret"], ask.fields.get("mark"), (ask.n, ask.hash)), view, pack

    def say(self, notes: Notes, act: str, at: str, **more: Json) -> str:
        """Say something besides an order: verify the copy, sign, and write the letter; return what was signed.

        Raises UsageError where it may not be said as the game stands, and RecordError when the copy is not in order.
        """
        log, talk = self.copy(notes).log, self.talk(notes)
        if not self.copy(notes).tells() or log.finished:
            raise UsageError(_("There is nothing to say: the game has not begun, or it is over."))
        say = {"act": act, "no": talk.next_no(notes.seat), "seen": list(log.head), **more}
        entry = {"k": "say", "by": notes.seat, "say": say, "at": at}
        # who is asked nothing has not been sent the last entries: whether time is over, or a move may go back, the host knows
        if act in ("draw", "agree", "leave") and (objection := talk.objection(log.head[0] + 1, entry)):
            raise UsageError(objection.reason)
        if unsent := self._unsent_says(notes, say["no"]):
            raise UsageError(
                _(
                    "{letter} waits to be sent, and the host takes one saying after the other: “pbem send” it first, and read "
                    "what he answers.",
                    letter=unsent[0],
                )
            )
        self._in_order(notes)
        envelope = self._pen(notes, log).say(say)
        said = " ".join([act, *(f"{name} {value}" for name, value in more.items())])
        # what was refused as too early may be said again in the same words: it is another mail
        self._write(notes, f"{act}.{say['no']}.{re.sub('[^0-9]', '', at)}", envelope, said.upper(), at)
        return said

    def agree_to_rules(self, notes: Notes, at: str) -> str:
        """Agree to go on by the version of the rules that is installed here; return which. Raises UsageError where it is none."""
        pack, rules = self._pack(self.copy(notes).log), self.talk(notes).rules
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
        talk = Talk.read(entry.fields for entry in log.entries[: n + 1])
        given = [entry.fields["mark"] for entry in log.entries if "mark" in entry.fields]
        highest = max((self.talk(notes).mark, *given, *map(int, notes.ahead)))
        if host["mark"] > highest + _SPARE:
            raise RecordError(
                _("The new host would use up the links of your chain for nothing (mark {mark}).", mark=host["mark"])
            )
        if host["mark"] < max(highest + 1, mark_of_call(talk.mark)):
            raise RecordError(
                _(
                    "The new host calls to be ready with a link that may be known already (mark {mark}).",
                    mark=host["mark"],
                )
            )
        if host["key"] in talk.keys.values():
            raise RecordError(_("The key of the new host is that of a seat of this game. A host is never a player."))
        if host["key"] in talk.hosts:
            raise RecordError(
                _(
                    "The key of the new host is that of a former one, who has signed another history of this game with it. Whoever "
                    "goes on needs a key of his own."
                )
            )
        if notes.next_host not in ("", host["key"]) and not another:
            raise UsageError(
                _(
                    "You have agreed to another host before. If that one has given up, add --another; if not, two hosts would go "
                    "on with one game."
                )
            )
        notes.next_host = ""
        self._in_order(notes)
        what = sha256_hex(cj({"host": host}))
        statement = {"act": "agree", "no": talk.next_no(notes.seat), "seen": [n, h], "what": what}
        if objection := talk.objection(n + 1, {"k": "say", "by": notes.seat, "say": statement, "at": at}):
            raise UsageError(objection.reason)
        envelope = self._pen(notes, log).say(statement)
        name = f"host.{n}.{what[:8]}"
        self._write(
            notes,
            name,
            envelope,
            _("I agree that {host} goes on as host from entry {n}.", host=address, n=n),
            at,
            to=address,
        )
        notes.next_host = host["key"]
        self._keep(notes)
        for path in self._unsent_orders(notes):  # they were for the former host, and the question is void
            self._lay_aside(path)
        lost = len(log.entries) - 1 - n
        lines = [f"{address}\n  {fingerprint(host['key'])}", _("The game goes on from entry {n}.", n=n)]
        if lost:
            lines.append(_n("{n} entry of your copy counts no more.", "{n} entries of your copy count no more.", lost))
        return "\n".join(lines)

    def order(self, notes: Notes, text: str, plans: str, at: str) -> str:
        """Read an order, verify the copy, sign, and write the letter; return the order's canonical text.

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
        self._by_these_rules(notes, pack)
        order = pack.rules.parse(view, sheet.order)
        if refusal := pack.rules.why_not(view, order):
            raise OrderError(Problem(0, str(order), refusal.why, refusal.rule, refusal.legal))
        planned = self._plans(notes, sheet, plans, pack)
        later = self._read_ahead(notes, sheet, pack)
        self._in_order(notes)
        rev = max(notes.revisions.get(str(to.ask), -1), notes.sent_ahead(to.mark).rev) + 1
        envelope = self._pen(notes, self.copy(notes).log).order(to, str(order), planned, rev)
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
        first, *rest = self._sign_ahead(notes, later, planned)
        lines = [line for one in (first, *rest) for line in ahead_lines(one)]
        said = "\n".join([*lines, *(["PLANS", planned] if planned else [])])
        name = f"ahead.{first.say['link_n']}.{first.say['rev']}"
        self._write(notes, name, replace(first, ahead=tuple(rest)), said, at)
        self._keep(notes)
        return "\n".join([*lines, *(f"PLAN {line}" for line in planned.splitlines())])

    def next_marks(self, notes: Notes) -> dict[str, int]:
        """Return the marks for which orders may be sent ahead now, by the names of their questions; none before the game begins."""
        copy = self.copy(notes)
        if not copy.tells() or copy.log.finished or notes.seat in self.talk(notes).gone:
            return {}
        here = stand((entry.fields for entry in copy.log.entries), notes.seat)
        return next_marks(self._pack(copy.log).rules, here.mark, here.what, here.most - here.mark)

    def _read_ahead(self, notes: Notes, sheet: Sheet, pack: GamePack) -> dict[int, str]:
        if not sheet.ahead:
            return {}
        marks, tells = self.next_marks(notes), self.copy(notes).tells()
        if not tells or not (marks or not pack.rules.marked):
            raise UsageError(_("Nothing can be sent ahead: the game has not begun, or you play it no more."))
        with sense():
            view = pack.rules.read_view(tells[-1].view)
        return read_ahead(pack.rules, view, marks, sheet.ahead)

    def _sign_ahead(self, notes: Notes, later: Mapping[int, str], planned: str) -> list[Envelope]:
        log = self.copy(notes).log
        pen, signed = self._pen(notes, log), []
        for mark, text in later.items():
            rev = notes.sent_ahead(mark).rev + 1
            signed.append(pen.ahead(mark, log.head, text, planned, rev))
            notes.note_ahead(mark, Ahead(rev, text, log.head[0]))
        return signed

    def _plans(self, notes: Notes, sheet: Sheet, plans: str, pack: GamePack) -> str:
        own = "\n".join(filter(None, (sheet.plans, plans)))
        return pack.rules.read_plans(own) if own else notes.plans

    def _by_these_rules(self, notes: Notes, pack: GamePack) -> None:
        if pack.rules.version != (ver := self.talk(notes).rules["ver"]):
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
        notes.plans = self._pack(self.copy(notes).log).rules.read_plans(text)
        self._keep(notes)
        return notes.plans

    def move(self, notes: Notes, address: str, number: int | None, at: str) -> int:
        """Sign that the letters of a game go to another address, and write the letter; return the number of the change."""
        number = number or notes.moves + 1
        envelope = self._pen(notes, self.copy(notes).log).address(address, number)
        self._write(notes, f"address.{number}", envelope, f"My letters go to {address}.", at)
        notes.moves = number
        self._keep(notes)
        return number

    def set_clock(self, notes: Notes, zone: str, quiet: str, weekends: str, number: int | None, at: str) -> int:
        """Sign when time counts for this player in a game, and write the letter; return the number of the statement."""
        number = number or notes.clocks + 1
        envelope = self._pen(notes, self.copy(notes).log).time(zone, quiet, weekends, number)
        said = f"Time counts for me by the clock of {zone}, quiet {quiet or 'off'}, weekends {weekends or 'on'}."
        self._write(notes, f"time.{number}", envelope, said, at)
        notes.clocks = number
        self._keep(notes)
        return number

    def press(self, notes: Notes, text: str, to: str, at: str) -> None:
        """Sign words for another seat, or ("") for all others, and write the letter. The moment is its number."""
        number = int(re.sub("[^0-9]", "", at))
        envelope = self._pen(notes, self.copy(notes).log).press(text, to, number)
        self._write(notes, f"press.{number}", envelope, f"Press to {to or 'all'}:\n\n{marked(text)}", at)


def _host_of(proposal: Envelope) -> dict[str, Json]:
    """Return what a new host proposes, if he has signed it and an entry can hold it. Raises RecordError or FormError."""
    host = proposal.say.get("host")
    # as an entry would hold it
    fields: dict[str, Json] = {"k": "host", **(host if isinstance(host, dict) else {}), "agreed": [1]}
    made = make_entry(1, "0" * 64, fields).fields
    check_key_line(made["key"])
    if not verify_sig(made["key"], MOVE, cj(proposal.say), proposal.sig):
        raise RecordError(_("The new host has not signed this: the block was forged, or changed on its way."))
    return {name: made[name] for name in ("chains", "key", "mark", "seen")}


def _is_for(notes: Notes, sheet: Sheet) -> None:
    if not notes.game.startswith(sheet.game):
        raise UsageError(
            _(
                "This order is headed for game {other}, not for {game}. Which one is meant?",
                other=sheet.game,
                game=notes.game[:8],
            )
        )
