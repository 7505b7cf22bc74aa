"""The intake: whether an envelope fits the game it came to, before anything of it is believed.

It decides by the log alone: who signed, for which game, seat, question and history, whether the link leads to his anchor
and the openings fit their seals. What the order says, and whether it is legal, is the referee's. Every refusal is a
sentence that its sender can act on; the codes are those of PROTOCOL 7.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from pbem.errors import PlayerError
from pbem.kernel import Json
from pbem.kernel.ahead import MOST
from pbem.ledger import SAY, Stand, Talk, check_key_line, cj, seal, sha256_hex, verify_sig
from pbem.ledger.chains import links_down
from pbem.ledger.entries import entry_fault, line_fault
from pbem.words import N_, _

from .pen import Envelope, Question

_ANOTHER_HISTORY = N_("The history you signed is not the history of this log. Compare heads with the host.")


class Refused(PlayerError):
    """An envelope that does not fit; `code` is the protocol's name for what is wrong, the text is for its sender."""

    def __init__(self, code: str, why: str) -> None:
        self.code = code
        super().__init__(why)


@dataclass(frozen=True, slots=True)
class Seat:
    """What the log holds of one seat: its key, and the last link it gave (number 0 is the anchor)."""

    seat: str
    key: str
    link_n: int
    link: str


def check_form(envelope: Envelope) -> None:
    """Refuse an envelope that would not be a well-formed entry. FORM."""
    say = envelope.say
    act = say.get("act")
    kind = "order" if act == "ahead" else act if act in ("join", "ready", "order", "rekey") else "say"
    entry = {
        "k": kind,
        "n": 1,
        "prev": "0" * 64,
        "at": "2000-01-01T00:00:00Z",
        "by": say.get("seat"),
        "say": say,
        "sig": envelope.sig,
    }
    if why := entry_fault(entry):
        raise Refused("FORM", _("The signed block is not well formed: {why}. Let your program make it anew.", why=why))
    for line in envelope.openings:
        if why := line_fault(list(line)):
            raise Refused("FORM", _("An opening beside the signed block is not well formed: {why}.", why=why))


def check_join(envelope: Envelope, game: str, seats: Sequence[str], taken: Mapping[str, str]) -> None:
    """Refuse a join that does not fit; `taken` holds the key of each seat that is taken."""
    check_form(envelope)
    say = envelope.say
    _check_game(say, game)
    if say["seat"] not in seats:
        raise Refused(
            "BIND",
            _("This game has no seat “{seat}”; its seats are {seats}.", seat=say["seat"], seats=", ".join(seats)),
        )
    check_key_line(say["key"])
    _check_signature(envelope, say["key"])
    if say["seat"] in taken and taken[say["seat"]] != say["key"]:
        raise Refused(
            "BIND", _("The seat {seat} is taken by another key. Ask the host which seat is free.", seat=say["seat"])
        )
    if say["key"] in (key for seat, key in taken.items() if seat != say["seat"]):
        raise Refused("BIND", _("This key holds another seat of the game already; each seat needs a key of its own."))


def check_ready(envelope: Envelope, game: str, seat: Seat, nonce: str, roster: tuple[int, str]) -> None:
    """Refuse a ready that does not fit; `roster` is the head over the last join."""
    _check_bound(envelope, game, seat)
    say = envelope.say
    if tuple(say["seen"]) != roster:
        raise Refused(
            "SEEN",
            _("You have signed an older roster than the one all players joined. Read the last mail and sign again."),
        )
    if say["link_n"] != 1:
        raise Refused("LINK", _("The first link is number 1. Let your program make the block anew."))
    _check_link(say, seat, nonce)


def check_order(
    envelope: Envelope,
    game: str,
    seat: Seat,
    nonce: str,
    question: Question,
    hash_of: Callable[[int], str | None],
    host_n: int,
) -> None:
    """Refuse an order that does not answer `question` as it stands; `hash_of(n)` is the log's h_n, up to `host_n`."""
    _check_bound(envelope, game, seat)
    say = envelope.say
    if say["ask"] != question.ask:
        older = say["ask"] < question.ask
        raise Refused(
            "ASK",
            _(
                "This order answers question {ask}, which is closed; question {open} is open. Read the last mail and order again.",
                ask=say["ask"],
                open=question.ask,
            )
            if older
            else _(
                "This order answers question {ask}, which has not been asked; question {open} is open. Read the last mail "
                "and order again.",
                ask=say["ask"],
                open=question.ask,
            ),
        )
    seen_n, seen_hash = say["seen"]
    if not question.ask <= seen_n <= host_n or hash_of(seen_n) != seen_hash:
        raise Refused("SEEN", _(_ANOTHER_HISTORY))
    if (say["pub"] != {}) != (question.secret == "no"):
        said = (
            _("This question is answered in the open. Let your program make the block anew.")
            if question.secret == "no"
            else _("This question is answered sealed. Let your program make the block anew.")
        )
        raise Refused("FORM", said)
    if question.mark is None:
        if "link" in say:
            raise Refused("LINK", _("This question bears no mark, so no link goes with its answer."))
    elif "link_n" not in say:
        raise Refused("LINK", _("Link {mark} of your chain goes with this answer, not none.", mark=question.mark))
    elif say["link_n"] != question.mark:
        raise Refused(
            "LINK",
            _(
                "Link {mark} of your chain goes with this answer, not {given}.",
                mark=question.mark,
                given=say["link_n"],
            ),
        )
    else:
        _check_link(say, seat, nonce)
    _check_openings(envelope, question.ask)


def check_ahead(
    envelope: Envelope,
    game: str,
    seat: Seat,
    nonce: str,
    here: Stand,
    hash_of: Callable[[int], str | None],
    host_n: int,
    *,
    is_open: bool,
) -> None:
    """Refuse an order sent ahead that can be for no question to come; `here` is where the seat stands, `is_open` its question."""
    _check_bound(envelope, game, seat)
    say = envelope.say
    mark, (seen_n, seen_hash) = say["link_n"], say["seen"]
    if mark < here.mark + (not is_open):
        raise Refused(
            "ASK", _("The question with mark {mark} is closed. Read the last mail and order again.", mark=mark)
        )
    if mark > here.most:
        why = _(
            "You stand at mark {mark}; orders can be sent ahead for mark {most} at the most.",
            mark=here.mark,
            most=here.most,
        )
        raise Refused("ASK", why)
    if not here.since <= seen_n <= host_n or hash_of(seen_n) != seen_hash:
        if seen_n < here.since:
            why = _("Entry {n} has voided what was sent ahead. Read the last mail and send it again.", n=here.since)
            raise Refused("SEEN", why)
        raise Refused("SEEN", _ANOTHER_HISTORY)
    _check_link(say, seat, nonce)
    _check_openings(envelope, -mark)
    if envelope.openings[0][6].count("\n") >= MOST:
        raise Refused("FORM", _("{n} lines for one question are the most", n=MOST) + ".")


def check_say(
    envelope: Envelope, game: str, seat: Seat, talk: Talk, hash_of: Callable[[int], str | None], n: int, at: str
) -> None:
    """Refuse what a player says besides his orders where it may not stand as entry `n`."""
    _check_bound(envelope, game, seat)
    _check_stands(envelope.say, "say", seat, talk, hash_of, n, at)


def check_rekey(
    envelope: Envelope, game: str, seat: Seat, talk: Talk, hash_of: Callable[[int], str | None], n: int, at: str
) -> None:
    """Refuse a change of key that may not stand as entry `n`: signed by the present key, or by the recovery key."""
    check_form(envelope)
    say = envelope.say
    recovery = say.get("recovery")
    if recovery and sha256_hex(recovery.encode()) != talk.recovery[seat.seat]:
        raise Refused("SIG", _("This is not the recovery key that the seat was taken with."))
    for key in filter(None, (recovery, say["key"])):
        check_key_line(key)
    _check_bound(envelope, game, replace(seat, key=recovery) if recovery else seat)
    _check_stands(say, "rekey", seat, talk, hash_of, n, at)


def check_ready_again(
    envelope: Envelope,
    game: str,
    seat: Seat,
    nonce: str,
    talk: Talk,
    hash_of: Callable[[int], str | None],
    n: int,
    at: str,
) -> None:
    """Refuse a ready that does not answer the last call."""
    _check_bound(envelope, game, seat)
    say = envelope.say
    _check_stands(say, "ready", seat, talk, hash_of, n, at)
    if say["seen"][0] < talk.called:
        raise Refused("SEEN", _("You have signed without having seen the new key. Read the last mail and sign again."))
    if say["link_n"] != talk.mark:
        raise Refused(
            "LINK", _("Link {mark} of your chain goes with this. Let your program make the block anew.", mark=talk.mark)
        )
    _check_link(say, seat, nonce)


def _check_stands(
    say: Mapping[str, Json], kind: str, seat: Seat, talk: Talk, hash_of: Callable[[int], str | None], n: int, at: str
) -> None:
    seen_n, seen_hash = say["seen"]
    if not seen_n < n or hash_of(seen_n) != seen_hash:
        raise Refused("SEEN", _(_ANOTHER_HISTORY))
    if objection := talk.objection(n, {"k": kind, "by": seat.seat, "say": say, "at": at}):
        raise Refused(objection.code, objection.reason)


def _check_game(say: Mapping[str, Json], game: str) -> None:
    if say["game"] != game:
        raise Refused(
            "BIND",
            _("This is signed for another game ({other}…), not for {game}….", other=say["game"][:8], game=game[:8]),
        )


def _check_signature(envelope: Envelope, key: str) -> None:
    if not verify_sig(key, SAY, cj(envelope.say), envelope.sig):
        raise Refused(
            "SIG", _("The signature does not fit. Was the block changed on its way, or signed with another key?")
        )


def _check_bound(envelope: Envelope, game: str, seat: Seat) -> None:
    check_form(envelope)
    _check_game(envelope.say, game)
    if envelope.say["seat"] != seat.seat:
        raise Refused(
            "BIND",
            _("This is signed for the seat {other}, not for {seat}.", other=envelope.say["seat"], seat=seat.seat),
        )
    _check_signature(envelope, seat.key)


def _check_link(say: Mapping[str, Json], seat: Seat, nonce: str) -> None:
    label = f"seat:{seat.seat}"
    if say["link_n"] < seat.link_n or links_down(nonce, label, say["link_n"], say["link"], seat.link_n) != seat.link:
        raise Refused(
            "LINK",
            _("Link {n} does not lead to the anchor you joined with. Was another key used?", n=say["link_n"]),
        )


def _check_openings(envelope: Envelope, under: int) -> None:
    say = envelope.say
    names = [line[4] for line in envelope.openings]
    if names != ["order", "plans"]:
        raise Refused("UNOPENED", _("The order must come with the openings of both seals, “order” and “plans”."))
    for line in envelope.openings:
        _seal, game, who, ref, name, salt, value = line
        fits = game == say["game"] and who == say["seat"] and ref == under and isinstance(value, str)
        if not fits or seal(game, who, ref, name, salt, value).digest != say["seals"][name]:
            raise Refused("SEALBIND", _("The opening of “{name}” does not fit the seal you signed.", name=name))
    if say.get("pub") and say["pub"]["order"] != envelope.openings[0][6]:
        raise Refused("SEALBIND", _("The order you signed in the open is not the one you sealed."))
