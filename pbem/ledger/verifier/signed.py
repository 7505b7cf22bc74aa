"""What players sign (PROTOCOL 4 and 5): keys that may be used, signatures, what they bind, and the links they carry."""

from __future__ import annotations

from pbem.errors import FormError
from pbem.ledger.canon import cj_read, sha256_hex
from pbem.ledger.chains import SEAT_LENGTH, links_down
from pbem.ledger.keys import SAY, check_key_line, verify_sig_read
from pbem.ledger.log import Entry
from pbem.ledger.verifier.checked import Checked
from pbem.ledger.verifier.verdict import host_fault
from pbem.words import _


def usable_key(c: Checked, entry: Entry, key_line: str, whose: str) -> None:
    """4: refused are keys not canonically encoded, and points that are not of the large prime order alone."""
    c.work.keys += 1
    try:
        check_key_line(key_line)
    except FormError as why:
        raise host_fault(entry, "SIG", _("{whose} may not be used: {why}.", whose=whose, why=why)) from None


def check_signed(c: Checked, entry: Entry) -> None:
    """4: signed by the seat's key, for this game and this seat."""
    f, say = entry.fields, entry.fields["say"]
    seat = f["by"]
    if seat not in c.course.seats:
        raise host_fault(entry, "BIND", _("{seat} is no seat of this game.", seat=seat))
    # in the canonical line of a signed entry CJ(say) stands between "say": and the sig, which is mostly the last field
    sig_is_last = next(reversed(f)) == "sig"
    message = entry.line[entry.line.index(b'"say":') + 6 : -98] if sig_is_last else cj_read(say)
    c.work.signatures += 1
    if not verify_sig_read(_signer(c, entry), SAY, message, f["sig"]):
        raise host_fault(
            entry, "SIG", _("The signature is not {seat}'s: forged, or changed after it was signed.", seat=seat)
        )
    if say["game"] != c.game:
        raise host_fault(entry, "BIND", _("{seat} signed this for another game.", seat=seat))
    if say["seat"] != seat:
        raise host_fault(
            entry, "BIND", _("{seat} signed this for another seat, {other}.", seat=seat, other=say["seat"])
        )
    c.signed[sha256_hex(message)] = entry


def _signer(c: Checked, entry: Entry) -> str:
    """The key line that has to have signed an entry."""
    seat, say = entry.fields["by"], entry.fields["say"]
    if entry.k == "join":
        usable_key(c, entry, say["key"], _("{seat}'s key", seat=seat))
        return str(say["key"])
    holder = c.course.seats[seat]
    if not holder.key:
        raise host_fault(entry, "ORDERING", _("{seat} has not joined yet.", seat=seat))
    if entry.k == "rekey":
        usable_key(c, entry, say["key"], _("{seat}'s new key", seat=seat))
        if "recovery" in say:
            return _recovery_key(c, entry)
    return holder.key


def _recovery_key(c: Checked, entry: Entry) -> str:
    """3: a recovery key is one whose line the seat bound, by its SHA-256, when it took its present key."""
    key_line: str = entry.fields["say"]["recovery"]
    seat = entry.fields["by"]
    usable_key(c, entry, key_line, _("The recovery key"))
    if sha256_hex(key_line.encode()) != c.course.seats[seat].next:
        raise host_fault(entry, "SIG", _("{seat} bound another recovery key, or none.", seat=seat))
    return key_line


def check_seen(c: Checked, entry: Entry) -> None:
    """4: the head he saw is one of this history; how old it may be the course knows."""
    (n, h), seat = entry.fields["say"]["seen"], entry.fields["by"]
    if n >= entry.n:
        raise host_fault(
            entry, "SEEN", _("{seat} signed having seen entry {n}, which does not stand above.", seat=seat, n=n)
        )
    if c.entries[n].hash != h:
        raise host_fault(entry, "SEEN", _("{seat} signed having seen another entry {n} than this one.", seat=seat, n=n))


def check_link(c: Checked, entry: Entry, mark: int) -> None:
    """5, fair 2: link_n is the mark, and the link leads to the seat's last one, or to his anchor."""
    seat, say = entry.fields["by"], entry.fields["say"]
    if say["link_n"] != mark:
        raise host_fault(
            entry, "LINK", _("{seat} gives link {link_n} on mark {mark}.", seat=seat, link_n=say["link_n"], mark=mark)
        )
    holder = c.course.seats[seat]
    last, below = c.course.below(seat)
    label, place = f"seat:{seat}", mark - holder.base
    leads = last <= mark and place <= SEAT_LENGTH
    if leads:
        c.work.hashes += mark - last
        leads = links_down(c.bound(label), label, place, say["link"], last - holder.base) == below
    if not leads:
        raise host_fault(entry, "LINK", _("{seat}'s link {mark} does not lead to his anchor.", seat=seat, mark=mark))
