"""Kept seats: a host keeps the key of a seat and signs its player's mails. This is the part in a log, and what can be checked.

The fields are `x:kept` among the terms, in a join and in the end, and `x:mail` in orders and says. They change no verdict. Their
consequences are exact to the byte: the commitment to the seed, a player's words, the top of his chain, the digest of the mails
behind an entry. `look_at` reports them for a whole log, without blaming anybody.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from typing import Any, Literal, Protocol, TypeAlias, TypeGuard

from pbem.ledger.canon import cj
from pbem.ledger.chains import SEAT_LENGTH, links_down
from pbem.ledger.log import Entry
from pbem.records import dataclass

TERM = KEPT = "x:kept"
"""The term of entry 0, and the field of a join and of the end."""
MAIL = "x:mail"
"""The field of an order or a say: the digest of the mails that it was made from."""
MOST_WORDS = 200
"""Code points of a player's words."""
_HEX64 = re.compile(r"[0-9a-f]{64}")

Fits: TypeAlias = Literal["fits", "differs", "not shown"]
"""Whether a commitment or chain fits the seed that is shown at the end."""


def commitment(nonce: str, seed: str) -> str:
    """Return what entry 0 publishes of the seed of a game with that nonce."""
    return hashlib.sha256(f"pbem-kept/1 {nonce} {seed}".encode("ascii")).hexdigest()


def words_of(said: str) -> str:
    """Return the words that a player's own lines bring into the dice: letters, marks and numbers, with one blank between.

    >>> words_of("Grüße, aus  DUNKELD!\\n— 3 Schafe")
    'grüsse aus dunkeld 3 schafe'
    """
    plain = unicodedata.normalize("NFKC", said).casefold()
    kept = "".join(letter if _counts(letter) else " " for letter in plain)
    return re.sub(" +", " ", kept).strip(" ")[:MOST_WORDS]


def _counts(letter: str) -> bool:
    return unicodedata.category(letter)[0] in "LMN"


def are_words(words: object) -> bool:
    """Return whether a player's words have the form that a log requires."""
    if not isinstance(words, str) or len(words) > MOST_WORDS or words.startswith(" ") or "  " in words:
        return False
    return all(letter == " " or _counts(letter) for letter in words)


def top_of(seed: str, game: str, seat: str, words: str) -> str:
    """Return the top of a kept seat's chain, 64 hex digits: it follows from the seed and from the player's words."""
    return hmac.digest(bytes.fromhex(seed), cj(["pbem-kept/1", game, seat, words]), "sha256").hex()


def mail_digest(game: str, salt: str, parts: Iterable[bytes]) -> str:
    """Return the digest of the letter that was answered, and of the mails that answer it; `salt` is 32 random hex digits."""
    hashes = [hashlib.sha256(part).hexdigest() for part in parts]
    return hashlib.sha256(" ".join(["pbem-mail/1", game, salt, *hashes]).encode("ascii")).hexdigest()


def seats_of(terms: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the seats that may be kept, by the terms of a game; none where the term is missing or malformed."""
    said = terms.get(TERM)
    return tuple(said["seats"]) if _is_term(said) else ()


def term(of: str, seats: Sequence[str]) -> dict[str, Any]:
    """Return the term of a game in which these seats may be kept; `of` is the commitment to the seed."""
    return {TERM: {"of": of, "seats": list(seats)}}


def join_field(words: str, mail: str) -> dict[str, Any]:
    """Return the field of a kept seat's join: its player's words, and the digest of his mail."""
    return {KEPT: {"words": words, "mail": mail}}


def end_field(seed: str) -> dict[str, Any]:
    """Return the field of the end, which shows the seed."""
    return {KEPT: {"seed": seed}}


def _is_term(value: object) -> TypeGuard[dict[str, Any]]:
    if not isinstance(value, dict) or set(value) != {"of", "seats"} or not _is_hex(value["of"]):
        return False
    seats = value["seats"]
    return isinstance(seats, list) and bool(seats) and all(isinstance(one, str) for one in seats)


def _is_join(value: object) -> bool:
    return (
        isinstance(value, dict)
        and set(value) == {"words", "mail"}
        and _is_hex(value["mail"])
        and are_words(value["words"])
    )


def _is_end(value: object) -> bool:
    return isinstance(value, dict) and set(value) == {"seed"} and _is_hex(value["seed"])


def _is_hex(value: object) -> bool:
    return isinstance(value, str) and _HEX64.fullmatch(value) is not None


# -- what a whole log says of it -----------------------------------------------------------------------------------------


@dataclass(slots=True)
class KeptSeat:
    """What a log says of one kept seat."""

    joined: int
    """The entry of its join."""
    words: str
    chain: Fits = "not shown"
    """Whether its chain follows from seed and words."""
    bound: bool = False
    """Did its join bind a recovery key? A host could take the seat back by that."""
    orders: int = 0
    """Orders and says that its host has signed."""
    mailed: int = 0
    """The number of them that name mails."""
    taken: int = 0
    """The entry with which its player, or another, took the key over; 0: nobody has."""
    anchor: str = ""
    """That of its chain."""
    before: list[KeptSeat] = field(default_factory=list)
    """The seat's players before a newcomer, if their keys were kept, too."""

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON."""
        more = {"before": [one.to_json() for one in self.before]} if self.before else {}
        return more | {
            "joined": self.joined, "words": self.words, "chain": self.chain, "next": "bound" if self.bound else "empty",
            "orders": self.orders, "mailed": self.mailed, "taken": self.taken,
        }  # fmt: skip


@dataclass(slots=True)
class KeptSeats:
    """What a log says of its kept seats."""

    may: tuple[str, ...]
    """The seats that may be kept."""
    seed: Fits = "not shown"
    """Whether the seed that the end shows fits what entry 0 published."""
    seats: dict[str, KeptSeat] = field(default_factory=dict)
    odd: list[int] = field(default_factory=list)
    """Entries with malformed or misplaced fields."""
    outside: tuple[str, ...] = ()
    """The seats of players with their own keys from the beginning, without a kept newcomer."""

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON."""
        seats = {seat: one.to_json() for seat, one in self.seats.items()}
        return {"may": list(self.may), "seed": self.seed, "all": self.all_kept, "seats": seats, "odd": self.odd}

    @property
    def all_kept(self) -> bool:
        """Did no player hold a key of his own from the beginning?"""
        return bool(self.seats) and not self.outside

    def unbounded(self) -> tuple[str, ...]:
        """Return the seats that could choose dice together with the host, without a bound: no seat outside takes part."""
        if not self.seats:
            return ()
        every = [*self.seats, *self.outside]
        return tuple(seat for seat in every if not set(self.outside) - {seat})


class EntriesOfLog(Protocol):
    """The entries of a log, and its id."""

    @property
    def entries(self) -> Sequence[Entry]:
        """The entries."""

    @property
    def game(self) -> str:
        """The id of the game."""


def look_at(log: EntriesOfLog) -> KeptSeats | None:
    """Return what a log says of its kept seats; None where it knows none. It has been verified, or is read with that doubt."""
    first = log.entries[0].fields
    terms = first.get("terms", {})
    if TERM not in terms:
        return None
    found = KeptSeats(seats_of(terms))
    if not found.may or not set(found.may) <= set(first["seats"]):
        found.odd.append(0)
    seed = ""
    for entry in log.entries[1:]:
        fields = entry.fields
        by = fields.get("by")
        seat = found.seats.get(by) if isinstance(by, str) else None
        match entry.k:
            case "join":
                if KEPT in fields:
                    _take_join(found, entry.n, fields["say"], fields[KEPT])
                else:
                    found.outside += (fields["by"],)
            case "order" | "say" if seat and not seat.taken:
                seat.orders += 1
                seat.mailed += _is_hex(fields.get(MAIL))
                if MAIL in fields and not _is_hex(fields[MAIL]):
                    found.odd.append(entry.n)
            case "rekey" if seat and not seat.taken:
                seat.taken = entry.n
            case "amend" if (newcomer := fields["what"].get("player")) is not None:
                other = found.seats.get(newcomer["say"]["seat"])
                if other and not other.taken:
                    other.taken = entry.n
                if KEPT in fields:
                    _take_join(found, entry.n, newcomer["say"], fields[KEPT])
            case "end" if KEPT in fields:
                if _is_end(fields[KEPT]):
                    seed = fields[KEPT]["seed"]
                else:
                    found.odd.append(entry.n)
            case _ if KEPT in fields or MAIL in fields:
                found.odd.append(entry.n)
    built_in = set(terms.get("built_in", {}))
    found.outside = tuple(seat for seat in found.outside if seat not in built_in)
    if seed:
        of = terms[TERM]["of"] if found.may else ""
        found.seed = "fits" if of == commitment(first["nonce"], seed) else "differs"
        for name, one in found.seats.items():
            for holder in (*one.before, one):
                top = top_of(seed, log.game, name, holder.words)
                anchor = links_down(log.game, f"seat:{name}", SEAT_LENGTH, top, 0)
                holder.chain = "fits" if anchor == holder.anchor else "differs"
    return found


def is_kept(entries: Sequence[Entry], seat: str) -> bool:
    """Return whether the host keeps the key of a seat after these entries."""
    return next(
        (
            KEPT in one.fields
            for one in reversed(entries)
            if one.k == "host"  # another one, which has no keys of the former
            or (one.k in ("join", "rekey") and one.fields["by"] == seat)
            or (one.k == "amend" and one.fields["what"].get("player", {}).get("say", {}).get("seat") == seat)
        ),
        False,
    )


def _take_join(found: KeptSeats, n: int, say: Mapping[str, Any], value: object) -> None:
    """Record that the player of a kept seat has joined or replaced another."""
    seat = say["seat"]
    if not _is_join(value) or seat not in found.may:
        found.odd.append(n)
    words = value.get("words") if isinstance(value, dict) else ""
    former = found.seats.pop(seat, None)
    before = [*former.before, former] if former else []
    said = words if isinstance(words, str) else ""
    found.seats[seat] = KeptSeat(n, said, bound=say["next"] != "", anchor=say["chain"], before=before)
    found.outside = tuple(name for name in found.outside if name != seat)
