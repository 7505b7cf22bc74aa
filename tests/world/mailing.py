"""Players who have a mailbox and nothing else: each replies to the host's letters as some mail program does, one after another.

They answer late, twice, by number and in words, change their minds, write from elsewhere and say YES, reply to an old letter, write
prose, ask for this and that; some take their seat over in mid-game and play on with a key of their own.
"""

from __future__ import annotations

import random
import re
from email import message_from_bytes, policy
from email.message import EmailMessage
from typing import TYPE_CHECKING

from pbem.host.kept import SPARE
from pbem.ledger import sha256_hex
from tests.replies.programs import PROGRAMS, reply
from tests.replies.programs import Sent as Answered

from .people import DAY, HOUR, Player

if TYPE_CHECKING:
    from .world import World

_LOSING = ("no marks at all", "a gateway", "wraps what it quotes", "wraps what it quotes, below")
"""Programs after which nobody can tell what is quoted: the host may refuse their mails, and its letter is answered by another."""
_LISTED = re.compile(r"^ {0,4}(\d)  \S", re.MULTILINE)
_ENTRY = re.compile(rb'^\{.*"n":(\d+)\b.*\}$', re.MULTILINE)
_CODE = re.compile(r"CONFIRM ([0-9a-f]{32})")
_REQUESTS = (
    "HELP",
    "STATUS",
    "BOARD",
    "RESEND",
    "PICTURES OFF",
    "LANGUAGE en",
    "ZONE Asia/Kolkata",
    "PRESS\nAre you there?",
)
_PROSE = ("Good luck to you!", "I shall be away from Monday on.", "Thanks", "2?", "no, 3", "who are you?")


class Letter:
    """A letter of the host, as its reader's program shows it."""

    def __init__(self, raw: bytes) -> None:
        message = message_from_bytes(raw, policy=policy.default)
        assert isinstance(message, EmailMessage)
        body = message.get_body(("plain",))
        self.text = str(body.get_content()).replace("\r\n", "\n") if body else ""
        self.name = str(message["Message-ID"]).strip(" <>")
        self.kind = self.name.split(".")[1]
        self.to, self.subject = str(message["Reply-To"] or message["From"]), str(message["Subject"])
        self.files = {str(part.get_filename()): part.get_content() for part in message.iter_attachments()}
        self.lines = b"".join(data for name, data in self.files.items() if name.endswith(".pbem"))
        self.raw = raw
        self.numbers = [int(no) for no in _LISTED.findall(self.text)] if "Reply with a number" in self.text else []

    @property
    def code(self) -> str:
        """The code of what it puts; "" where it has none."""
        return self.to.partition("+r-")[2].partition("@")[0].replace("-", "").upper() if "+r-" in self.to else ""


class Mailing(Player):
    """One seat's player, whose key the host keeps."""

    def __init__(self, world: World, seat: str, chance: random.Random) -> None:
        self.world, self.seat, self.chance = world, seat, chance
        self.address = f"{seat}@example.org"
        self.addresses = {self.address, f"{seat}@elsewhere.example"}
        self.slow = chance.choice(((0, 2), (0, 12), (1, 30)))
        self.twice, self.revises = chance.choice((0.0, 0.3)), chance.choice((0.0, 0.3))
        self.odd = chance.choice((0.0, 0.1, 0.4))
        self.programs = chance.sample([name for name in PROGRAMS if name not in _LOSING], 4)
        if chance.random() < 0.3:
            self.programs.append(chance.choice(_LOSING))
        self.takes_over_after = chance.choice((0, 0, 1, 3))
        self.machines = []
        self.letters: list[Letter] = []
        self.entries: dict[int, bytes] = {}
        """The lines of the log that have come with letters, by their numbers."""
        self.asked: set[int] = set()
        self.sent: list[bytes] = []
        self.meant: dict[int, tuple[str, int]] = {}
        """By the number of a mail of his that is an answer: the code that it has, and which number of the list it says."""
        self.garbled: set[int] = set()
        """His mails in which a bit was turned over on the way: nobody knows what they mean."""
        self.spare: bytes = b""
        self.moves_to = ""
        self.joined = self.finished = False
        self.later_self: Player | None = None
        self.answered = 0

    # -- reading --------------------------------------------------------------------------------------------------------

    def gets(self, raw: bytes) -> None:
        """A letter has come: it is read at once, and answered some time."""
        if self.later_self is not None:
            self.later_self.gets(raw)
            return
        letter = Letter(raw)
        self.world.note(f"{self.seat} reads {letter.name}")
        self._keeps(letter)
        self.letters.append(letter)
        if SPARE in letter.files:
            data = letter.files[SPARE]
            self.spare = data if isinstance(data, bytes) else data.encode()
        if letter.kind == "invitation":
            if not self.joined:
                self.later(self.chance.randint(0, 8 * HOUR), lambda: self._takes_seat(letter))
        elif letter.kind == "doubt":
            said = (
                self.chance.choice(("YES", "yes", "YES ALWAYS", "Yes."))
                if self.world.calm
                else self.chance.choice(("YES", "NO"))
            )
            self.later(self.chance.randint(0, 4 * HOUR), lambda: self._replies(letter, said))
        elif letter.kind == "moving" and (code := _CODE.search(letter.text)):
            self._replies(letter, f"CONFIRM {code[1]}")
            self.address = self.moves_to or self.address
        elif b'"n":0,' in letter.lines and letter.kind != "invitation" and self._wants_over():
            self._takes_over(raw)
        elif letter.numbers and letter.code:
            key = int(sha256_hex(letter.name.encode())[:8], 16)
            if key not in self.asked:
                self.asked.add(key)
                hours = (0, 1) if self.world.calm else self.slow
                self.later(self.chance.randint(hours[0] * HOUR, hours[1] * HOUR + 600), lambda: self._answers(letter))

    def _keeps(self, letter: Letter) -> None:
        """Keep the lines that came with a letter, and look whether they are those of the log."""
        for line in letter.lines.splitlines():
            if line.startswith(b"{") and (found := re.search(rb'"n":(\d+)', line)) and b'"prev":' in line:
                self.world.laws.line(self.seat, int(found[1]), line)
                self.entries[int(found[1])] = line
                self.finished |= b'"k":"end"' in line

    # -- writing --------------------------------------------------------------------------------------------------------

    def _takes_seat(self, letter: Letter) -> None:
        if self.joined:
            return
        self.joined = True
        words = self.chance.choice(
            ("", " seven goats", "\n\nthree sheep, on a hill", f": {self.seat} and {self.chance.random()}")
        )
        self._replies(letter, f"JOIN{words}")

    def _answers(self, letter: Letter) -> None:
        """Answer a question with a number of its list; perhaps once more after a while."""
        if self.later_self is not None:
            return
        if self._wants_over():
            self._replies(letter, "RESEND")
            return
        no = self.chance.choice(letter.numbers)
        own = self.chance.choice((f"{no}", f"{no}.", f"{no}\n\nThanks,\nAnn", f"Hello,\n\n{no}\n"))
        sender = "" if self.world.calm or self.chance.random() > 0.05 else f"{self.seat}@elsewhere.example"
        refused = letter.kind == "refusal"
        self.answered += 1
        number = self._replies(letter, own, sender=sender, program="Gmail" if refused else "", orders=True)
        self.meant[number] = (letter.code, no)
        if self.chance.random() < self.revises:
            self.later(self.chance.randint(0, 4 * HOUR), lambda: self._answers(letter))

    def _replies(self, letter: Letter, own: str, *, sender: str = "", program: str = "", orders: bool = False) -> int:
        """Reply to a letter, perhaps with an order; return the number of the mail."""
        used = program or self.chance.choice(self.programs)
        said = Answered(letter.text, letter.name, letter.to, letter.subject)
        raw = reply(used, own, said, self.chance, sender or self.address)
        self.sent.append(raw)
        self.world.note(f"{self.seat} replies {own!r} by {used} to {letter.name}")
        orders = orders and used not in _LOSING and not sender
        number = self.world.post_by_hand(self.seat, raw, letter.code if orders else "")
        if self.chance.random() < self.twice:
            self.later(self.chance.randint(0, DAY), lambda: self.world.post_by_hand(self.seat, raw))
        return number

    def _wants_over(self) -> bool:
        return bool(
            self.takes_over_after and self.answered >= self.takes_over_after and self.spare and not self.finished
        )

    def _takes_over(self, raw: bytes) -> None:
        """Go on with a key of his own: a desk reads the whole log and the file that the host sent."""
        desk_player = Player(self.world, self.seat, random.Random(f"{self.world.seed} {self.seat} later"))
        desk_player.machines = desk_player.machines[:1]
        desk_player.address, desk_player.addresses = self.address, self.addresses
        machine = desk_player.machines[0]
        machine.desk.read(raw)
        self.world.note(f"{self.seat} takes the seat over")
        machine.desk.join(self.spare, self.now)
        self.later_self = desk_player
        self.machines = desk_player.machines
        desk_player.sends(machine)
        machine.pile += [letter.raw for letter in self.letters if letter.lines]
        desk_player.reads(machine)

    # -- what else ------------------------------------------------------------------------------------------------------

    def has_finished(self) -> bool:
        """Is the game over by what he has read, and has he all of it?"""
        if self.later_self is not None:
            return self.later_self.has_finished()
        return self.finished and len(self.entries) == max(self.entries) + 1

    def waits_in_vain(self) -> None:
        """Ask for what he may have missed, and answer what was asked last once more."""
        if self.later_self is not None:
            machine = self.machines[0]
            if machine.desk.notes().spare and not self.later_self._holds(
                machine
            ):  # the host has refused the change of key
                self.later_self.tries(machine, lambda desk, _: desk.join(self.spare, self.now))
            self.later_self.writes("RESEND\n", "resend")
            self.later_self.waits_in_vain()
            return
        if not self.letters:
            return
        if not self.joined or not self.spare:
            invited = [one for one in self.letters if one.kind == "invitation"]
            self.joined = False
            self._takes_seat(invited[-1])
            return
        self._replies(self.letters[-1], "RESEND", program="Gmail")
        put = [one for one in self.letters if one.numbers and one.code]
        if put:
            if self.world.game != "tiny":
                self._replies(put[-1], "RESIGN", program="Gmail")
                return
            self._answers(put[-1])
            if self.world.terms["late"] == "claim":
                self._replies(put[-1], "CLAIM", program="Gmail")

    def asks_again(self) -> None:
        """Ask for the log."""
        if self.letters:
            self._replies(self.letters[-1], "RESEND")

    def _garbles(self, raw: bytes) -> None:
        sent = self.world.laws.sent
        before = len(sent)
        super()._garbles(raw)
        self.garbled |= set(range(before, len(sent)))

    def has_a_whim(self) -> None:
        """Do something besides, or something wrong."""
        if self.later_self is not None:
            self.later_self.has_a_whim()
            return
        if self.world.calm or self.chance.random() >= self.odd or not self.letters or not self.spare:
            return
        chance, last = self.chance, self.letters[-1]
        put = [one for one in self.letters if one.numbers and one.code]
        match chance.randrange(12):
            case 0:
                self._replies(last, f"AWAY {chance.choice((1, 2))} DAYS")
            case 1:
                self._replies(last, "OFFER DRAW")
            case 2:
                self._replies(last, "UNDO")
            case 3:
                self._replies(last, "AGREE")
            case 4 if not self.takes_over_after:
                address = f"{self.seat}.{len(self.addresses)}@example.org"
                self.addresses.add(address)
                self.moves_to = address
                self._replies(last, f"ADDRESS {address}")
            case 5 | 6:
                self._replies(chance.choice(self.letters), chance.choice(_REQUESTS))
            case 7:
                self._replies(chance.choice(self.letters), chance.choice(_PROSE))
            case 8 if put:
                self._answers(chance.choice(put))
            case 9 if self.sent:
                self.world.post_by_hand(self.seat, chance.choice(self.sent))
            case 10 if self.sent:
                self._garbles(chance.choice(self.sent))
            case 11 if put:
                raw = reply(
                    "Gmail",
                    "I am away until Monday.",
                    Answered(put[-1].text, put[-1].name, put[-1].to, "away"),
                    chance,
                    self.address,
                )
                self.world.post_by_hand(self.seat, b"Auto-Submitted: auto-replied\n" + raw)
