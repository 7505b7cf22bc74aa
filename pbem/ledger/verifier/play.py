"""The chained entries one after the other: turn, signature, binding, marks and links (PROTOCOL 3 to 5).

Decides, without any game's rules, whether each entry may be where it is. The course knows what may come next; this module checks
the rest: signatures, hashes, links and seals. `_CHECKS` lists that by kind.
"""

from __future__ import annotations

from typing import Any

from pbem.errors import Fault, FormError
from pbem.i18n import N_, _
from pbem.ledger import course
from pbem.ledger.canon import cj_read, sha256_hex
from pbem.ledger.chains import SEAT_LENGTH, links_down
from pbem.ledger.entries import SIGNED_KINDS
from pbem.ledger.keys import SAY, check_key_line
from pbem.ledger.log import Entry
from pbem.ledger.statements import sealed_under
from pbem.ledger.verifier.attached import signs
from pbem.ledger.verifier.chance import check_rand
from pbem.ledger.verifier.checked import Checked
from pbem.ledger.verifier.openings import bear
from pbem.ledger.verifier.verdict import blame_if, host_fault


def check_turn(c: Checked, entry: Entry) -> None:
    """Check one entry with a correct form in every respect; take its content into `c`."""
    kind = entry.k
    try:
        if kind in SIGNED_KINDS:
            course.check_turn(c.course, kind)
            _check_signed(c, entry)
        course.check(c.course, entry.fields)
    except course.Objection as found:
        raise host_fault(entry, found.code, found.reason) from None
    if check := _CHECKS.get(kind):
        check(c, entry)
    c.course = course.after(c.course, entry.fields)
    c.keep_course()


# --- what players sign --------------------------------------------------------------------------------------------------


def _usable_key(c: Checked, entry: Entry, key_line: str, whose: str) -> None:
    """4: refused are keys not canonically encoded, and points that are not of the large prime order alone."""
    c.work.keys += 1
    try:
        check_key_line(key_line)
    except FormError as why:
        raise host_fault(entry, "SIG", _("{whose} may not be used: {why}.", whose=whose, why=why)) from None


def _check_signed(c: Checked, entry: Entry) -> None:
    """4: signed by the seat's key, for this game and this seat."""
    f, say = entry.fields, entry.fields["say"]
    seat = f["by"]
    blame_if(seat not in c.course.seats, entry, "BIND", N_("{seat} is not a seat of this game."), seat=seat)
    # in the canonical line of a signed entry CJ(say) stands between "say": and the sig, which is mostly the last field
    sig_is_last = next(reversed(f)) == "sig"
    message = entry.line[entry.line.index(b'"say":') + 6 : -98] if sig_is_last else cj_read(say)
    c.work.signatures += 1
    blame_if(
        not c.check_sig(_signer(c, entry), SAY, message, f["sig"]),
        entry,
        "SIG",
        N_("The signature is not {seat}'s: forged, or changed after it was signed."),
        seat=seat,
    )
    blame_if(say["game"] != c.game, entry, "BIND", N_("{seat} signed this for another game."), seat=seat)
    blame_if(
        say["seat"] != seat,
        entry,
        "BIND",
        N_("{seat} signed this for another seat, {other}."),
        seat=seat,
        other=say["seat"],
    )
    c.signed[sha256_hex(message)] = entry


def _signer(c: Checked, entry: Entry) -> str:
    """The key line that has to have signed an entry."""
    seat, say = entry.fields["by"], entry.fields["say"]
    if entry.k == "join":
        _usable_key(c, entry, say["key"], _("{seat}'s key", seat=seat))
        return str(say["key"])
    holder = c.course.seats[seat]
    blame_if(not holder.key, entry, "ORDERING", N_("{seat} has not joined yet."), seat=seat)
    if entry.k == "rekey":
        _usable_key(c, entry, say["key"], _("{seat}'s new key", seat=seat))
        if "recovery" in say:
            return _recovery_key(c, entry)
    return holder.key


def _recovery_key(c: Checked, entry: Entry) -> str:
    """3: a recovery key is valid if the seat bound the SHA-256 of its line when it took its present key."""
    key_line: str = entry.fields["say"]["recovery"]
    seat = entry.fields["by"]
    _usable_key(c, entry, key_line, _("The recovery key"))
    blame_if(
        sha256_hex(key_line.encode()) != c.course.seats[seat].next,
        entry,
        "SIG",
        N_("{seat} bound another recovery key, or none."),
        seat=seat,
    )
    return key_line


def _check_seen(c: Checked, entry: Entry) -> None:
    """4: the head he saw is one of this history; how old it may be the course knows."""
    (n, h), seat = entry.fields["say"]["seen"], entry.fields["by"]
    blame_if(
        n >= entry.n,
        entry,
        "SEEN",
        N_("{seat} signed having seen entry {n}, which is not above."),
        seat=seat,
        n=n,
    )
    blame_if(
        c.entries[n].hash != h,
        entry,
        "SEEN",
        N_("{seat} signed having seen another entry {n} than this one."),
        seat=seat,
        n=n,
    )


def _check_link(c: Checked, entry: Entry, mark: int) -> None:
    """5, fair 2: link_n is the mark, and the link leads to the seat's last one, or to his anchor."""
    seat, say = entry.fields["by"], entry.fields["say"]
    blame_if(
        say["link_n"] != mark,
        entry,
        "LINK",
        N_("{seat} gives link {link_n} on mark {mark}."),
        seat=seat,
        link_n=say["link_n"],
        mark=mark,
    )
    holder = c.course.seats[seat]
    last, below = c.course.below(seat)
    label, place = f"seat:{seat}", mark - holder.base
    leads = last <= mark and place <= SEAT_LENGTH
    if leads:
        c.work.hashes += mark - last
        leads = links_down(c.bound(label), label, place, say["link"], last - holder.base) == below
    blame_if(not leads, entry, "LINK", N_("{seat}'s link {mark} does not lead to his anchor."), seat=seat, mark=mark)


# --- the roster -------------------------------------------------------------------------------------------------------


def _game(c: Checked, entry: Entry) -> None:
    # 4: the refusal of keys at join holds for the host's as well
    _usable_key(c, entry, entry.fields["host"], _("The host's key"))


def _ready(c: Checked, entry: Entry) -> None:
    _check_seen(c, entry)
    # 5, fair 2: ready is mark 1 and carries link 1; later ready bears the mark of the call
    _check_link(c, entry, c.course.call.mark if c.course.call else 1)


def _amend(c: Checked, entry: Entry) -> None:
    """3: who takes a vanished player's seat has signed for it, as at a join."""
    player: dict[str, Any] = entry.fields["what"].get("player")
    if not player:
        return
    say = player["say"]
    _usable_key(c, entry, say["key"], _("The newcomer's key"))
    c.work.signatures += 1
    blame_if(
        not c.check_sig(say["key"], SAY, cj_read(say), player["sig"]),
        entry,
        "SIG",
        N_("The newcomer has not signed for the seat."),
    )
    blame_if(say["game"] != c.game, entry, "BIND", N_("The newcomer signed for another game."))


def _host(c: Checked, entry: Entry) -> None:
    """3: another host continues from a head signed by the former one; 5, fair 1: everybody confirms again."""
    f, (n, h) = entry.fields, entry.fields["seen"]
    _usable_key(c, entry, f["key"], _("The new host's key"))
    blame_if(
        c.entries[n].hash != h, entry, "SEEN", N_("All agreed to continue from an entry {n} other than this one."), n=n
    )
    if not signs(c, n):
        raise Fault(
            entry.n, "HEADSIG", "supplier", _("No head signed by the former host covers entry {n} itself.", n=n)
        )
    c.lost_to = max(c.lost_to, n)


# --- questions and answers --------------------------------------------------------------------------------------------


def _ask(c: Checked, entry: Entry) -> None:
    c.asks[entry.n], c.answers[entry.n] = entry, {}


def _order(c: Checked, entry: Entry) -> None:
    seat, say, question = entry.fields["by"], entry.fields["say"], c.course.put
    _check_seen(c, entry)
    if question.mark:
        _check_link(c, entry, question.mark)
    bear(c, entry, seat, sealed_under(say), say["seals"])
    c.answers[question.n][seat] = entry


def _skip(c: Checked, entry: Entry) -> None:
    c.answers[entry.fields["ask"]][entry.fields["to"]] = entry


# --- tells ------------------------------------------------------------------------------------------------------------


def _tell(c: Checked, entry: Entry) -> None:
    _names(c, entry)
    # 3: the next tell opens an order given in the open
    for digest in c.course.in_the_open:
        if digest not in entry.fields["opens"]:
            b = c.bearers[digest]
            why = _("The tell does not open {who}'s order of entry {n}, which was public.", who=b.who, n=b.n)
            raise host_fault(entry, "TELL", why)
    bear(c, entry, "host", entry.n, entry.fields["seals"])


def _names(c: Checked, entry: Entry) -> None:
    """7: a tell names only logged seals and links that were not named before, and no `priv` link."""
    for digest in entry.fields["opens"]:
        if digest not in c.bearers or digest in c.named:
            short = digest[:12]
            reason = (
                _("The tell opens the seal {digest}…, but it was named before.", digest=short)
                if digest in c.named
                else _("The tell opens the seal {digest}…, but no entry above has it.", digest=short)
            )
            raise host_fault(entry, "STRAY", reason)
        c.named[digest] = entry.n
    for label, i in entry.fields["links"]:
        if not label.startswith("deal:") or (label, i) not in c.events or (label, i) in c.named:
            reason = (
                _("The tell shows link {i} of {label}, but it was named before.", i=i, label=label)
                if (label, i) in c.named
                else _("The tell shows link {i} of {label}, but no such deal was made.", i=i, label=label)
            )
            raise host_fault(entry, "STRAY", reason)
        c.named[label, i] = entry.n


_CHECKS = {
    "game": _game,
    "ready": _ready,
    "ask": _ask,
    "order": _order,
    "rand": check_rand,
    "tell": _tell,
    "skip": _skip,
    "say": _check_seen,
    "rekey": _check_seen,
    "amend": _amend,
    "host": _host,
}
