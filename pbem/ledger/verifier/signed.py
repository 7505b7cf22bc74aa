"""What players sign (PROTOCOL 4 and 5): keys that may be used, signatures, what they bind, and the links they carry."""

from __future__ import annotations

from pbem.errors import Fault, FormError
from pbem.ledger.canon import sha256_hex
from pbem.ledger.chains import links_down
from pbem.ledger.keys import SAY, check_key_line, verify_sig_read
from pbem.ledger.log import Entry
from pbem.ledger.verifier.checked import Checked
from pbem.words import _


def host_fault(entry: Entry, code: str, reason: str) -> Fault:
    """A fault of the host's at an entry."""
    return Fault(entry.n, code, "host", reason)


def usable_key(entry: Entry, key_line: str, whose: str) -> None:
    """4: refused are keys not canonically encoded, y = 1, and points of low order."""
    try:
        check_key_line(key_line)
    except FormError as why:
        raise host_fault(entry, "SIG", _("{whose} may not be used: {why}.", whose=whose, why=why)) from None


def check_signed(c: Checked, entry: Entry) -> None:
    """4: signed by the seat's key, for this game and this seat."""
    f, say = entry.fields, entry.fields["say"]
    seat = f["by"]
    if seat not in c.seats:
        raise host_fault(entry, "BIND", _("{seat} is no seat of this game.", seat=seat))
    if entry.k == "join":
        usable_key(entry, say["key"], _("{seat}'s key", seat=seat))
        key_line = say["key"]
    elif seat in c.keys:
        key_line = c.keys[seat]
        if entry.k == "rekey":
            usable_key(entry, say["key"], _("{seat}'s new key", seat=seat))
            key_line = _recovery_key(c, entry) if "recovery" in say else key_line
    else:
        raise host_fault(entry, "ORDERING", _("{seat} has not joined yet.", seat=seat))
    # in the canonical line of a signed entry CJ(say) stands between "say": and the sig, its last field
    message = entry.line[entry.line.index(b'"say":') + 6 : -98]
    if not verify_sig_read(key_line, SAY, message, f["sig"]):
        raise host_fault(
            entry, "SIG", _("The signature is not {seat}'s: forged, or changed after it was signed.", seat=seat)
        )
    if say["game"] != c.game:
        raise host_fault(entry, "BIND", _("{seat} signed this for another game.", seat=seat))
    if say["seat"] != seat:
        raise host_fault(
            entry, "BIND", _("{seat} signed this for another seat, {other}.", seat=seat, other=say["seat"])
        )
    if entry.k == "order":
        c.orders_by_digest[sha256_hex(message)] = entry


def _recovery_key(c: Checked, entry: Entry) -> str:
    """3: a recovery key is one whose line the seat bound, by its SHA-256, when it took its present key."""
    key_line: str = entry.fields["say"]["recovery"]
    usable_key(entry, key_line, _("The recovery key"))
    if sha256_hex(key_line.encode()) != c.recovery[entry.fields["by"]]:
        raise host_fault(entry, "SIG", _("{seat} bound another recovery key, or none.", seat=entry.fields["by"]))
    return key_line


def check_seen(c: Checked, entry: Entry, oldest: int, what: str) -> None:
    """4: the head he saw is one of this history, and not older than what he answers."""
    n, h = entry.fields["say"]["seen"]
    if n >= entry.n:
        raise host_fault(
            entry,
            "SEEN",
            _("{seat} signed having seen entry {n}, which does not stand above.", seat=entry.fields["by"], n=n),
        )
    if n < oldest:
        raise host_fault(
            entry,
            "SEEN",
            _(
                "{seat} signed having seen entry {n}, which is older than {what}.",
                seat=entry.fields["by"],
                n=n,
                what=what,
            ),
        )
    if c.entries[n].hash != h:
        raise host_fault(
            entry, "SEEN", _("{seat} signed having seen another entry {n} than this one.", seat=entry.fields["by"], n=n)
        )


def check_link(c: Checked, entry: Entry, mark: int) -> None:
    """5, fair 2: link_n is the mark, and the link leads to the seat's last one, or to his anchor."""
    seat, say = entry.fields["by"], entry.fields["say"]
    if say["link_n"] != mark:
        raise host_fault(
            entry, "LINK", _("{seat} gives link {link_n} on mark {mark}.", seat=seat, link_n=say["link_n"], mark=mark)
        )
    # a new chain begins at its anchor, whatever links the seat gave before
    begun = c.last_links.get(seat, (0, "")) if seat not in c.talk.fresh else (0, "")
    last, below = begun if begun[0] else (0, c.anchors[f"seat:{seat}"])
    if links_down(c.nonce, f"seat:{seat}", mark, say["link"], last) != below:
        raise host_fault(entry, "LINK", _("{seat}'s link {mark} does not lead to his anchor.", seat=seat, mark=mark))
    c.seat_links[seat][mark] = say["link"]
    c.last_links[seat] = (mark, say["link"])
