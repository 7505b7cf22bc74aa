"""A player of two who writes and signs what his program would not: `Scene` stops a game at the turn that he wants to bend."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

from pbem.errors import Fault
from pbem.games import GamePack
from pbem.kernel import Json
from pbem.ledger import Entry, Verdict
from pbem.ledger.pair import append, signed_turn, verify_pair
from pbem.referee.pair import PairPlay, audit_pair

from .playing import Couple, Player, at_random

Act = dict[str, Any]
Wanted = Callable[["Scene"], bool]
Found = tuple[str, str, int]
"""Code, party, entry."""


class Scene:
    """A game that has come to an honest turn which is wanted: `made` is that turn, not sent yet, `index` the act in it."""

    def __init__(
        self,
        pack: GamePack,
        options: Json,
        do: str,
        wanted: Wanted = lambda _scene: True,
        seed: int = 1,
        plans: str = "",
    ) -> None:
        """`plans` are those that both pledge themselves to."""
        self.couple = Couple(pack, options, str(seed))
        self.couple.plans, self.plans = dict.fromkeys(self.couple.seats, plans), plans
        self.pack, self.answer, self.do, self.wanted = pack, at_random(seed), do, wanted
        self.made: Entry
        self.index = -1
        self._until_wanted()

    def _until_wanted(self) -> None:
        couple = self.couple
        for _mail in range(5000):
            course = next(iter(couple.plays.values())).course
            if course.is_over:
                break
            self.seat = course.baton
            play = couple.plays[self.seat]
            self.head, self.no = course.head, course.seats[self.seat].turns + 1
            made = play.turn(couple.keys[self.seat], plans=self.plans)
            while not made:
                made = play.turn(couple.keys[self.seat], self.answer(couple.pack.rules, play.view), plans=self.plans)
            if len(made) == 1:
                self.made = made[0]
                for index, act in enumerate(self.acts):
                    self.index = index
                    if act["do"] == self.do and self.wanted(self):
                        return
            couple.give(self.seat, made)
        raise LookupError("what was wanted never came")

    @property
    def acts(self) -> list[Act]:
        """What the honest program says in this turn; to be changed by whoever asked for it."""
        return copy.deepcopy(self.made.fields["say"]["acts"])

    @property
    def act(self) -> Act:
        return self.acts[self.index]

    @property
    def cheat(self) -> PairPlay:
        """The program of who signs, which has taken its honest turn already."""
        return self.couple.plays[self.seat]

    @property
    def honest(self) -> PairPlay:
        return self.couple.plays[self.cheat.other]

    def sign(self, acts: list[Act], *, more: bool = False) -> Entry:
        """Sign these acts in place of the honest ones."""
        key, vault = self.couple.keys[self.seat], self.cheat.vault
        return append(self.head, signed_turn(key, vault, self.no, self.head, acts, more=more))

    def bent(self, **changed: Any) -> Entry:
        """Sign the turn with the wanted act changed; a field that is None is left out."""
        acts = self.acts
        acts[self.index] = {key: value for key, value in (acts[self.index] | changed).items() if value is not None}
        return self.sign(acts)

    def before(self, *more: Act) -> Entry:
        """Sign the turn with more said before the wanted act, and nothing from there on."""
        return self.sign([*self.acts[: self.index], *more])

    # -- who finds it -----------------------------------------------------------------------------------------------

    def at_once(self, entry: Entry) -> Found | None:
        """What the other's program finds, which is made from the log for it. It takes the honest twin."""
        self.couple.again(self.honest.seat).take_entry(self.made)
        try:
            self.couple.again(self.honest.seat).take_entry(entry)
        except Fault as found:
            return found.code, found.party, found.entry
        return None

    def verified(self, *entries: Entry) -> Found | None:
        return of(verify_pair(self.log(*entries)))

    def log(self, *entries: Entry) -> bytes:
        return b"".join(entry.line + b"\n" for entry in (*self.couple.entries, *entries))

    def to_the_end(self, entry: Entry) -> bytes:
        """Send it; the game goes on until its author gives it up, and both show their secrets: the whole log.

        Where the author's own secret shows it to everybody, the other keeps his own."""
        self.honest.take_entry(entry)
        entries = finished(self.couple, self.honest, self.answer, [*self.couple.entries, entry])
        return b"".join(one.line + b"\n" for one in entries)

    def audited(self, log: bytes) -> Found | None:
        return of(audit_pair(log, lambda _rules: self.pack.knowing))


def of(verdict: Verdict) -> Found | None:
    """What a verdict blames; None where it blames nobody."""
    if verdict.code is None:
        assert verdict.verdict in ("clean", "unfinished")
        return None
    return verdict.code, str(verdict.party), int(verdict.entry or 0)


def finished(couple: Couple, honest: PairPlay, answer: Player, entries: list[Entry]) -> list[Entry]:
    """Go on from the other's last turn until he gives the game up, and both have shown their secrets: all entries."""
    key, entries = couple.keys[honest.seat], [*entries]
    while honest.course.baton == honest.seat and not honest.course.is_over:
        made = honest.turn(key)
        while not made:
            made = honest.turn(key, answer(couple.pack.rules, honest.view))
        entries += made
    if honest.course.is_over:
        return entries
    acts: list[Act] = []
    result, seat = honest.result, honest.other
    if result is None:
        winner = couple.pack.rules.resigned(honest.state, (seat,), (honest.seat,))
        result = {"winner": winner, "why": "resigned", "seats": [seat]}
        acts.append({"do": "say", "what": "resign"})
    vault, no, head = couple.plays[seat].vault, honest.course.seats[seat].turns + 1, (entries[-1].n, entries[-1].hash)
    acts.append({"do": "over", "result": result, "secret": vault.secret})
    last = append(head, signed_turn(couple.keys[seat], vault, no, head, acts))
    try:
        honest.take_entry(last)
    except Fault:  # what his secret opens was not so: it is shown already
        return [*entries, last]
    return [*entries, last, *honest.turn(key)]
