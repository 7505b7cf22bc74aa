"""The host's receipt for an order or statement in a letter: the signed line, and its subject.

The second line is for the player's other machines, and for players without their notes. It tells the program which revision the
host has. A line is believed only if the host has signed the receipt, and the player the order.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any

from pbem.errors import RecordError
from pbem.i18n import _
from pbem.ledger import GOT, SAY, cj, make_attachment, read_line, sha256_hex, verify_sig
from pbem.records import dataclass

_NUMBERS = {"order": ("ask", "rev"), "ahead": ("link_n", "rev")}
"""The fields that identify an order among those of its seat; every other statement has a number."""


@dataclass(frozen=True, slots=True)
class ReceiptLine:
    """The contents of a letter with a receipt; `order` is None if the letter does not say which order it is for."""

    game: str
    digest: str
    line: bytes
    order: Mapping[str, Any] | None

    @classmethod
    def read(cls, lines: bytes) -> list[ReceiptLine]:
        """Read the lines that a letter carries: receipts, each perhaps with its order below it. Raises FormError."""
        found: list[ReceiptLine] = []
        for line in lines.removesuffix(b"\n").split(b"\n"):
            if line.startswith(b"{") and found and found[-1].order is None:
                found[-1] = replace(found[-1], order=read_line(line))
            else:
                got = make_attachment(line)
                found.append(cls(str(got.fields[1]), str(got.fields[2]), got.line, None))
        return found

    def check(self, hosts: Collection[str], player: Collection[str], seat: str) -> None:
        """Raise RecordError unless a host has signed the receipt, and the player its subject.

        `hosts` are key lines. `player` are the seat's key lines so far, because the order may be older than the last one.
        """
        got = make_attachment(self.line).fields
        if not any(verify_sig(host, GOT, cj(got[:4]), got[4]) for host in hosts):
            raise RecordError(_("The receipt is not signed by the host: it proves nothing, and is not kept."))
        if self.order is None:
            return
        say, sig = self.order.get("say"), self.order.get("sig")
        if (
            not isinstance(say, dict)
            or not isinstance(sig, str)
            or (say.get("game"), say.get("seat")) != (self.game, seat)
            or any(type(say.get(name)) is not int for name in _NUMBERS.get(str(say.get("act")), ("no",)))
            or sha256_hex(cj(say)) != self.digest
            or not any(verify_sig(key, SAY, cj(say), sig) for key in player)
        ):
            raise RecordError(_("The mail says what you have signed, but you have not: it is not believed."))

    @property
    def text(self) -> str:
        """The text of a premove if the line that opens its seal is there; otherwise ""."""
        line: Any = ((self.order or {}).get("openings") or [None])[0]
        fits = isinstance(line, list) and sha256_hex(cj(line)) == (self.order or {})["say"].get("seals", {}).get(
            "order"
        )
        return str(line[6]) if fits else ""
