"""The members of a club: addresses that have confirmed their membership by mail, with a name, a clock and a language.

This is not in any log, and does not prove anybody's identity. A member's key is the one that he named when he confirmed, or that of
his seats. It identifies him at the web address; games identify him by keys alone, regardless of this list. Anybody can name
anybody's key by mail. So until the key has signed something from that address at the web address, it counts only there.

An address that was named and has not confirmed gets only one letter with a code. It is forgotten after some days.
docs/how-to/run-a-club.md says what is kept about whom and how to erase it; `forget` does it.
"""

from __future__ import annotations

import re
import unicodedata
from contextlib import suppress
from typing import TYPE_CHECKING

from pbem.errors import PbemError, UsageError
from pbem.i18n import _
from pbem.i18n.alike import odd_letters
from pbem.i18n.visible import in_a_line
from pbem.ledger import check_key_line
from pbem.mail import is_address
from pbem.mail.hours import Hours
from pbem.referee import Refused

from .arrivals import CLUB_DOOR
from .built_in import DOMAIN
from .moments import later
from .store import Store
from .store.erasing import erase, is_written_to, stand_up_everywhere
from .store.keeping import OVER
from .store.people import brought_with, folded, keys_noted, like, member_at, named, unanswered
from .store.rows import KEPT, Member, SeatRow
from .tongues import known

if TYPE_CHECKING:
    from .post import Post

DAYS = 7
"""The number of days for which a code is valid."""
_LEFT = "left "
"""So the notes begin of those who have left and still play; the address follows."""
_NAME = re.compile(r"[^\W\d_][\w.'-]{1,29}")
_CLOCK = ("zone", "quiet", "weekends")
_KEY, _KEY_WANTED = "member's key ", "key wanted by "
"""The beginnings of notes on the owner of a key (the key follows), and on a key named but not confirmed (the address follows)."""
_SAID = " said"
"""So both end where the key itself has shown nothing: it was named by mail."""


def member_of(store: Store, key: str) -> Member | None:
    """Return the member with a key, who named it when he confirmed, or plays with it; None if it is not a member's."""
    address, _is_shown = _whose(store, key)
    return member_at(store, address) if address else None


def _whose(store: Store, key: str) -> tuple[str, bool]:
    """The address that a key speaks for, "" where it speaks for none; and has the key itself shown that?"""
    noted = store.note(f"{_KEY}{key}")
    if noted and not noted.endswith(_SAID):
        return noted, True
    held = next(iter(store.find(SeatRow, order="game desc", key=key)), None)
    # a key that this host keeps speaks for nobody
    return (held.address.lower(), True) if held and held.kept != KEPT else (noted.removesuffix(_SAID), False)


def keys_of(store: Store, address: str) -> list[str]:
    """Return the keys that a member has named and confirmed, if they have proved to be his."""
    return [key for key, noted in _noted(store, address).items() if not noted.endswith(_SAID)]


def _noted(store: Store, address: str) -> dict[str, str]:
    return keys_noted(store, address.lower(), f"{address.lower()}{_SAID}")


def has_shown(store: Store, key: str, member: Member) -> None:
    """Note that a key has signed what came from its member's address."""
    if store.note(f"{_KEY}{key}").endswith(_SAID):
        store.put_note(f"{_KEY}{key}", member.address)


def rekeyed(store: Store, old: str, new: str) -> None:
    """Note a player's new key, so that the web address recognises him by it."""
    if noted := store.note(f"{_KEY}{old}"):
        store.forget(f"{_KEY}{old}")
        if not noted.endswith(_SAID):
            store.put_note(f"{_KEY}{new}", noted)


def member_named(store: Store, name: str) -> Member:
    """Return the member of a name, however it is written. Raises Refused."""
    if (one := named(store, name)) is not None:
        return one
    raise Refused("FORM", _("There is no member “{name}” here.", name=name))


def ask(post: Post, said: str, address: str, at: str, signer: str = "") -> str:
    """Ask at an address whether it wants to belong to the club, as REGISTER said; return what was done. Raises Refused.

    `signer`: the key that has signed the request, "" if it came by mail. `said` is a name with settings, as “zone=Europe/Berlin
    quiet=22-08 weekends=off language=fr key=AAAA…”.
    """
    store, (name, told) = post.house.store, _read(said)
    if not is_address(address) or post.is_own(address) or address.lower().endswith(f"@{DOMAIN}"):
        return "ignored: REGISTER from no address that a letter can go to"
    try:
        clock = Hours.read(*(told.get(word, usual) for word, usual in zip(_CLOCK, ("UTC", "off", "on"), strict=True)))
        language = known(told["language"]) if "language" in told else ""
        if key := f"ssh-ed25519 {told['key']}" if "key" in told else "":
            check_key_line(key)
    except PbemError as error:
        raise Refused("FORM", str(error)) from error
    if _is_taken(store, name, address):
        raise Refused("FORM", _("Somebody here is called {name} already; choose another name.", name=name))
    if key and key != signer:
        whose, is_shown = _whose(store, key)
        if is_shown and whose != address.lower():
            raise Refused(
                "FORM",
                _(
                    "This key is another's here. If it is yours, bring the REGISTER to the door of this host: “pbem club "
                    "register” signs it with the key."
                ),
            )
    before = next(iter(store.find(Member, address=address.lower())), None)
    times = before.times + 1 if before else 1
    code = post.house.root.token(f"member {address.lower()} {times} {at}")
    wanted = {
        "wanted": name, "times": times, "code": code, "code_at": at,
        "zone_wanted": f"{clock.zone} {clock.quiet or 'off'} {clock.weekends or 'on'}", "language_wanted": language,
    }  # fmt: skip
    if before:
        store.change("members", before.id, **wanted)
    else:
        store.insert(
            "members", address=address.lower(), name="", folded="", language="", zone="UTC", quiet="", weekends="", made=at,
            confirmed="", **wanted,
        )  # fmt: skip
    store.put_note(f"{_KEY_WANTED}{address.lower()}", f"{key}{_SAID}" if key and key != signer else key)
    post.confirm_member(address, name, code, at, times, language=language, key=key)
    return "asked: whether a stranger wants to be a member"


def confirm(post: Post, code: str, at: str) -> Member | None:
    """Take in who sends a code back, or let him go who asked for that; return him, None where nobody was asked that."""
    store = post.house.store
    one = store.get(Member, code=code) if code else None
    if one is None or later(one.code_at, hours=24 * DAYS) < at:
        return None
    name = one.wanted
    if name and _is_taken(store, name, one.address):
        return None  # another was quicker
    if not name:
        store.change("members", one.id, code="", wanted="", confirmed="")
        return store.get(Member, id=one.id)
    wanted = store.note(f"{_KEY_WANTED}{one.address}")
    key = wanted.removesuffix(_SAID)
    if key != wanted and not _whose(store, key)[1]:
        store.put_note(f"{_KEY}{key}", f"{one.address}{_SAID}")
    elif key and key == wanted:
        store.put_note(f"{_KEY}{key}", one.address)
    store.forget(f"{_KEY_WANTED}{one.address}")
    zone, quiet, weekends = one.zone_wanted.split()
    clock = Hours.read(zone, quiet, weekends)
    store.change(
        "members", one.id, code="", wanted="", name=name, folded=folded(name), zone=clock.zone, quiet=clock.quiet,
        weekends=clock.weekends, language=one.language_wanted or one.language, confirmed=one.confirmed or at,
    )  # fmt: skip
    return store.get(Member, id=one.id)


def ask_leaving(post: Post, member: Member, at: str) -> None:
    """Ask a member whether he wants to leave the club."""
    code = post.house.root.token(f"leave {member.address} {member.times + 1} {at}")
    post.house.store.change("members", member.id, wanted="", times=member.times + 1, code=code, code_at=at)
    post.confirm_leaving(
        member.address, member.name, code, at, member.times + 1, language=post.at_hand(member.language)
    )


def let_go(store: Store, member: Member, at: str) -> bool:
    """Let a member leave, and erase his data. Return whether that is complete now, instead of after his last game."""
    stand_up_everywhere(store, member.id)
    store.delete("members", id=member.id)
    _forget_keys(store, member.address)
    store.put_note(f"{_LEFT}{member.address}", at)
    return all(seat.stage in OVER for seat in store.registered(member.address))


def has_left(store: Store, address: str) -> bool:
    """Has an address left, and plays still?"""
    return bool(store.note(f"{_LEFT}{address.lower()}"))


def leaving(store: Store) -> list[str]:
    """Return the addresses that have left, and play still."""
    return list(store.notes(_LEFT))


def moved(store: Store, old: str, new: str) -> None:
    """Note that a player's letters go to another address, which he has confirmed: the club's go there, too."""
    member = member_at(store, old)
    if member is not None and old.lower() != new.lower():
        store.delete("members", address=new.lower())
        store.change("members", member.id, address=new.lower())
        for key, noted in _noted(store, old).items():
            store.put_note(f"{_KEY}{key}", f"{new.lower()}{_SAID if noted.endswith(_SAID) else ''}")


def let_lapse(store: Store, at: str) -> None:
    """Forget who was asked and has not answered, and who left, once the last of his games is over."""
    for address in store.notes(_LEFT):
        with suppress(UsageError):
            forget(store, address)
            if not is_written_to(store, address):
                store.forget(f"{_LEFT}{address}")  # else his last letter has not gone yet
    for one in unanswered(store, later(at, hours=-24 * DAYS)):
        store.delete("members", id=one.id)
        _forget_keys(store, one.address)


def forget(store: Store, address: str) -> int:
    """Erase an address from the store; return how many games it played in. Raises UsageError while it plays in one that is on.

    Logs hold no addresses, and stay: they are the other players', too.
    """
    seats = store.registered(address)
    on = sorted({seat.game for seat in seats if seat.stage not in OVER})
    if on:
        raise UsageError(
            _(
                "{address} plays in games that are not over ({games}). First he must resign there, or "
"somebody must take his seat. A game that has not begun you can call off (“pbem host "
"cancel”).",
                address=address, games=", ".join(map(str, on)),
            )
        )  # fmt: skip
    with store.decision():
        erase(store, address)
        _forget_keys(store, address)
    return len({seat.game for seat in seats})


def _forget_keys(store: Store, address: str) -> None:
    for key in _noted(store, address):
        store.forget(f"{_KEY}{key}")
        for number in brought_with(store, key):
            store.change("inbox", number, door=CLUB_DOOR.strip())
    store.forget(f"{_KEY_WANTED}{address.lower()}")


def _is_taken(store: Store, name: str, address: str) -> bool:
    """Is another member called so, or by a name that looks like it?"""
    return any(one.address != address.lower() for one in like(store, name))


def _read(said: str) -> tuple[str, dict[str, str]]:
    """Return a name and the settings after it. Raises Refused."""
    name, *pairs = unicodedata.normalize("NFKC", said).split() or [""]
    if not _NAME.fullmatch(name):
        raise Refused(
            "FORM",
            _(
                "“{name}” is not a valid member name. Use 2 to 30 letters, digits, dots and dashes, and "
                "begin with a letter.",
                name=name,
            ),
        )
    if odd := odd_letters(name):
        raise Refused(
            "FORM",
            _(
                "“{name}” contains characters that look like another letter, or like none: {odd}. Write a "
"name in one alphabet.",
                name=in_a_line(name), odd=", ".join(odd),
            ),
        )  # fmt: skip
    told = {}
    for pair in pairs:
        word, sign, value = pair.partition("=")
        if not sign or word.lower() not in (*_CLOCK, "language", "key"):
            raise Refused(
                "FORM",
                _(
                    "“{pair}” says nothing here. Beside the name there can be zone=Europe/Berlin, quiet=22-08, weekends=off, "
                    "language=fr.",
                    pair=pair,
                ),
            )
        told[word.lower()] = value
    return name, told
