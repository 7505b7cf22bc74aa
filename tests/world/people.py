"""The players: each has the program's own desk, on one machine or two, and habits that the seed draws.

They answer late, twice, by another machine, change their minds, send a letter again, lose letters and ask for them, take leave,
offer and agree, claim, take back, change address, hours and key, and write what cannot be read. What they sign is signed by the
program; their mail programs and servers add headers, pictures and receivers.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pbem.errors import OrderError, PbemError, RecordError, UsageError
from pbem.kernel import Json
from pbem.ledger import PrivateKey, sha256_hex
from pbem.mail import Letter, read_message
from pbem.mail.hours import Hours
from pbem.mail.mime import MAX_PARTS
from pbem.player import Desk, Notes, PlayerSettings, settled
from tests.mail.dressed import ICON, among, photo, to_many, with_headers

from .servers import moment

if TYPE_CHECKING:
    from .world import World

HOUR, DAY = 3600, 86400
_NOTHING_TO_JOIN = ("neither", "ready already", "nobody asks")
_TO_BE_READ_AGAIN = ("missing", "no game", "the key that you had before")
_CODE = re.compile(r"CONFIRM ([0-9a-f]{32})")
KEYS: dict[str, PrivateKey] = {}


def key_of(who: str) -> PrivateKey:
    """The key of that name: always the same."""
    if who not in KEYS:
        KEYS[who] = PrivateKey.from_seed(bytes.fromhex(sha256_hex(f"the world's {who}".encode())))
    return KEYS[who]


class Machine:
    """A desk, and the letters that wait until it can read them."""

    def __init__(self, desk: Desk, name: str) -> None:
        self.desk, self.name = desk, name
        self.pile: list[bytes] = []
        self.known: set[bytes] = set()


class Player:
    """One seat's player."""

    def __init__(self, world: World, seat: str, chance: random.Random) -> None:
        self.world, self.seat, self.chance = world, seat, chance
        self.address = f"{seat}@example.org"
        self.addresses = {self.address}
        self.slow = chance.choice(((0, 2), (0, 12), (1, 30), (10, 60)))
        self.twice, self.revises = chance.choice((0.0, 0.3)), chance.choice((0.0, 0.3))
        self.odd = chance.choice((0.0, 0.0, 0.1, 0.4))
        self.program = random.Random(f"program {world.seed} {seat}")
        """What the player's mail program and servers make of a mail."""
        self.rubbish = self.program.choice((0.0, 0.0, 0.1, 0.4))
        machines = 2 if chance.random() < 0.25 else 1
        self.machines = [self._machine(no) for no in range(machines)]
        self.keys = 0
        self.asked: set[int] = set()
        self.sent: list[bytes] = []

    def _machine(self, no: int) -> Machine:
        name = f"{self.seat}{no}" if no else self.seat
        home: Path = self.world.folder / name
        return Machine(Desk.create(home, key_of(self.seat), PlayerSettings(self.address)), name)

    @property
    def now(self) -> str:
        return moment(self.world.sim.time)

    def later(self, seconds: int, do: Callable[[], object]) -> None:
        self.world.sim.after(seconds, do)

    # -- reading --------------------------------------------------------------------------------------------------------

    def gets(self, raw: bytes) -> None:
        """A letter has come: every machine reads it, the second one later."""
        for no, machine in enumerate(self.machines):
            if raw in machine.known:
                if self.chance.random() < 0.5:
                    continue
            machine.known.add(raw)
            machine.pile.append(raw)
            if no:
                self.later(self.chance.randint(0, 6 * HOUR), lambda machine=machine: self.reads(machine))  # type: ignore[misc]
            else:
                self.reads(machine)

    def reads(self, machine: Machine) -> None:
        """Read all that can be read; what builds on a letter that is missing waits."""
        went_on = True
        while went_on:
            went_on = False
            for raw in list(machine.pile):
                if self._read(machine, raw):
                    machine.pile.remove(raw)
                    went_on = True
        if machine.pile and machine is self.machines[0] and self.chance.random() < 0.3:
            self.asks_again()

    def _read(self, machine: Machine, raw: bytes) -> bool:
        name = read_message(raw, len(raw)).message_id
        kind = name.split(".")[1]
        desk = machine.desk
        try:
            if kind in ("invitation", "roster", "keys") or (kind == "resent" and self.world.calm):
                self._joins(machine, raw)
            else:
                desk.read(raw)
        except UsageError as error:
            self.world.note(f"{machine.name} cannot read {kind}: {error}")
            return not any(said in str(error) for said in _TO_BE_READ_AGAIN)
        except RecordError as error:
            self.world.law("copies agree", f"{machine.name} reads {kind}: {error}")
            return True
        self.world.note(f"{machine.name} reads {name}")
        for notes in desk.games():
            self.world.laws.copy(machine.name, desk, notes)
            self._wants_to_answer(machine, notes)
        if kind == "moving" and (code := _CODE.search(read_message(raw, len(raw)).text)):
            self.writes(f"CONFIRM {code[1]}\n", "confirm")
        if ".claim." in name:
            self.later(self.chance.randint(0, 6 * HOUR), lambda: self.says(machine, "claim"))
        return True

    def _joins(self, machine: Machine, raw: bytes) -> None:
        desk = machine.desk
        try:
            desk.join(raw, self.now)
        except UsageError as error:
            if not any(said in str(error) for said in _NOTHING_TO_JOIN):
                raise
            return
        if machine is not self.machines[0]:
            for path in desk.tray.unsent():
                desk.tray.sent(path)
            return
        self.later(self.chance.randint(0, (1 if self.world.calm else 8) * HOUR), lambda: self.sends(machine))

    def _wants_to_answer(self, machine: Machine, notes: Notes) -> None:
        try:
            to, _, _ = machine.desk.question(notes)
        except UsageError:
            return
        key = to.ask * 2 + self.machines.index(machine)
        if key in self.asked or (machine is not self.machines[0] and self.chance.random() < 0.5):
            return
        self.asked.add(key)
        hours = (0, 1) if self.world.calm else self.slow
        self.later(self.chance.randint(hours[0] * HOUR, hours[1] * HOUR + 600), lambda: self.answers(machine, to.ask))

    # -- writing --------------------------------------------------------------------------------------------------------

    def answers(self, machine: Machine, ask: int) -> None:
        """Answer a question, if it is open still; perhaps once more after a while."""
        desk = machine.desk
        with suppress(UsageError, OrderError):
            notes = desk.notes()
            to, view, pack = desk.question(notes)
            if to.ask != ask:
                return
            desk.order(notes, str(pack.rules.options(view).sample(self.chance)), "", self.now, anyway=True)
            self.sends(machine)
            if self.chance.random() < self.revises:
                self.later(self.chance.randint(0, 4 * HOUR), lambda: self.answers(machine, ask))

    def sends(self, machine: Machine) -> None:
        """Send what waits on a desk."""
        for path in machine.desk.tray.unsent():
            said = path.read_bytes()
            raw = self._dressed(said)
            machine.desk.tray.sent(path)
            self.sent.append(raw)
            self.world.note(f"{machine.name} sends {path.name.partition('.')[2]}, {len(raw)} bytes")
            self.world.post(self.seat, raw, said)
            if self.chance.random() < self.twice:
                self.later(self.chance.randint(0, DAY), lambda raw=raw: self.world.post(self.seat, raw))  # type: ignore[misc]

    def _dressed(self, raw: bytes) -> bytes:
        """A mail as it comes out of the player's mail program, and passes its servers."""
        match self.program.randrange(60):
            case 0 | 1 | 2:
                return with_headers(raw, self.program.randint(10_000, 80_000))
            case 3 | 4:
                first = self.program.randint(0, 50)
                return among(raw, [ICON] * first, [ICON] * (50 - first))
            case 5:
                parts = [photo(5_000_000)]
                return among(raw, parts, []) if self.program.random() < 0.5 else among(raw, [], parts)
            case 6:
                return to_many(raw, 900)
        return raw

    def _sends_too_much(self) -> None:
        """Write a mail in which nobody can find anything."""
        name = f"{self.world.sim.time}.{self.program.randrange(10**6)}@{self.seat}"
        # from an address that he has left nobody knows him
        ((address,),) = self.world.laws.rows("select address from seats where game = 1 and seat = ?", self.seat)
        raw = Letter(address, self.world.address, "my move", "here it is", name, self.world.date()).raw()
        self.world.note(f"{self.seat} writes what cannot be read")
        self.world.post(self.seat, among(raw, [ICON] * (MAX_PARTS + 1), []), whole=False)

    def writes(self, text: str, what: str) -> None:
        """Write a mail by hand."""
        date = self.world.date()
        name = f"{self.world.sim.time}.{self.chance.randrange(10**6)}@{self.seat}"
        self.world.note(f"{self.seat} writes {what}")
        self.world.post(self.seat, Letter(self.address, self.world.address, what, text, name, date).raw())

    def says(self, machine: Machine, act: str, **more: Json) -> None:
        """Say something besides an order, where that may be."""
        self.tries(machine, lambda desk, notes: desk.speaker(notes).say(act, self.now, **more))

    def tries(self, machine: Machine, do: Callable[[Desk, Notes], Any]) -> None:
        """Sign something, where that may be, and send it."""
        try:
            do(machine.desk, machine.desk.notes())
        except (UsageError, OrderError) as error:
            self.world.note(f"{machine.name} may not: {str(error)[:60]}")
            return
        except RecordError as error:
            self.world.law("copies agree", f"{machine.name}: {error}")
            return
        self.sends(machine)

    def asks_again(self) -> None:
        """Ask for what is missing, signed."""
        machine = self.machines[0]
        games = list(machine.desk.games())
        if not games:
            self.writes("RESEND\n", "resend")
            return
        if not self._holds(machine) and self.world.calm:  # the host has refused a change of key
            self.tries(machine, lambda desk, _: desk.keys.key_back())
        self.tries(
            machine, lambda desk, notes: desk.speaker(notes).ask_for_copy(desk.copy(notes).log.head[0], self.now)
        )

    def waits_in_vain(self) -> None:
        """Ask for what he may have missed, and answer what is asked."""
        self.asks_again()
        for machine in self.machines[:1]:
            self.asked.clear()
            for notes in machine.desk.games():
                self._wants_to_answer(machine, notes)
            if self.world.game != "tiny":
                self.says(machine, "resign")
            elif self.world.terms["late"] == "claim":
                self.says(machine, "claim")

    def has_finished(self) -> bool:
        """Is the game over by his copy?"""
        games = list(self.machines[0].desk.games())
        return bool(games) and self.machines[0].desk.copy(games[0]).log.finished

    # -- whims ----------------------------------------------------------------------------------------------------------

    def has_a_whim(self) -> None:
        """Do something besides, or something wrong."""
        if not self.world.calm and self.program.random() < self.rubbish:
            self._sends_too_much()
        if self.world.calm or self.chance.random() >= self.odd:
            return
        machine, chance = self.machines[0], self.chance
        if not list(machine.desk.games()):
            return
        match chance.randrange(13):
            case 0:
                self.says(machine, "leave", hours=chance.choice((12, 24)))
            case 1:
                self.says(machine, "draw")
            case 2:
                self._takes_back(machine)
            case 3 | 4:
                self._agrees(machine)
            case 5:
                self._moves(machine)
            case 6:
                zone = chance.choice(("UTC", "Europe/London", "Asia/Kolkata"))
                self.tries(
                    machine,
                    lambda desk, notes: settled.set_clock(
                        desk.speaker(notes), Hours.read(zone, "22:00-06:00", "on"), None, self.now
                    ),
                )
            case 7 if len(self.machines) == 1 and self._holds(machine):
                self.keys += 1
                self.tries(machine, lambda desk, _: desk.keys.rekey(key_of(f"{self.seat} {self.keys}"), self.now))
            case 8:
                self.asks_again()
            case 9:
                self.writes(chance.choice(("STATUS\n", "HELP\n", "RESEND\n", "What is this?\n", "")), "by hand")
            case 10 if self.sent:
                self.world.post(self.seat, chance.choice(self.sent))
            case 11 if self.sent:
                self._garbles(chance.choice(self.sent))
            case 12:
                self.tries(machine, lambda desk, notes: desk.speaker(notes).write("Are you there?", "", self.now))

    def _holds(self, machine: Machine) -> bool:
        """Is the desk's key that of the log? One that is changed twice at a time is nobody's."""
        return machine.desk.course(machine.desk.notes()).seats[self.seat].key == machine.desk.key_line

    def _takes_back(self, machine: Machine) -> None:
        log = machine.desk.copy(machine.desk.notes()).log
        asks = [entry.n for entry in log.entries if entry.k == "ask" and self.seat in entry.fields["to"]]
        if asks:
            self.says(machine, "takeback", about=asks[-1])

    def _agrees(self, machine: Machine) -> None:
        course = machine.desk.course(machine.desk.notes())
        offers = [n for n, offer in course.offers.items() if offer.seat != self.seat]
        if offers:
            self.says(machine, "agree", about=offers[-1])

    def _moves(self, machine: Machine) -> None:
        address = f"{self.seat}.{len(self.addresses)}@example.org"
        self.addresses.add(address)
        self.tries(machine, lambda desk, notes: settled.move(desk.speaker(notes), address, None, self.now))

    def _garbles(self, raw: bytes) -> None:
        at = self.chance.randrange(len(raw))
        with suppress(PbemError):
            self.world.post(self.seat, raw[:at] + bytes([raw[at] ^ 1]) + raw[at + 1 :], whole=False)
