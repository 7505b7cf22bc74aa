"""Proof by the other players that an order was sent in time: copies sealed for the host, and their acknowledgements.

A desk sends such copies if its player wants it. When copies of others come in, it signs by itself that they came and when, and
passes them on to the host. It signs no claim against an order that it has acknowledged. It cannot open any copy, and shows nothing
of a reply that came in clear. Three files are kept next to the copy of a game. `.copies` lists what was sent, with the secret
numbers of the boxes. `.heard` lists what others have acknowledged. `.held` lists what came from others, with the signed
acknowledgements.
"""

from __future__ import annotations

import json
import re
from contextlib import suppress
from datetime import datetime
from typing import TYPE_CHECKING, Any

from pbem import private
from pbem.errors import FormError, FullWanted, RecordError, UsageError
from pbem.i18n import _
from pbem.ledger import cj, player_root, sha256_hex
from pbem.ledger.kept import seats_of
from pbem.ledger.sealed import HEARD, SEALED, boxed, is_signed, number_for, paper_fault, reply_digest
from pbem.mail import Incoming, Letter, is_address, read_block, write_block
from pbem.mail.block import payload_of
from pbem.referee import Envelope

from .partners import of_the_seats
from .seat import Seat

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .folder import Folder
    from .notes import Notes

MOST = 40
"""The maximum number of papers of one seat that are acknowledged per day."""
_REPLY = re.compile(
    r"<(([0-9a-f]{16})\.(?:report|reminder)\.(\d{1,6})\.([a-z][a-z0-9_]{0,39})\.[0-9A-Z]{12}@[^>\s]{1,200})>"
)
"""The Message-ID of a host's letter to a kept seat: a reply names it."""
_COPY = (
    "This is a copy of an order of mine, sealed for the host: you cannot open it, and need do nothing. Your program tells me, "
    "signed, that it came, and passes it on to the host."
)
_CAME = "What you sent for question {ask} of this game came to my mailbox at {at}. My program has signed that; keep this letter."
_PASSED = "This copy of an order of {seat}, sealed for you, came to my mailbox at {at}. My program passes it on."


# -- copies of one's own orders ------------------------------------------------------------------------------------------


def others_at(seat: Seat) -> list[str]:
    """Return the addresses of the other players who have their own program, if the invitation gave them."""
    return [one.who for one in of_the_seats(seat) if is_address(one.who)]


def copies_to(seat: Seat) -> list[str]:
    """Return the addresses to which copies of a seat's orders go."""
    if seat.notes.cc is not None:
        return seat.notes.cc
    return others_at(seat) if seat.folder.settings.cc and not seat.folder.settings.post else []


def send_copies(seat: Seat, envelope: Envelope, at: str) -> None:
    """Lay a copy of an order ready for each address to which its player wants it sent, sealed for the host."""
    notes, folder, say = seat.notes, seat.folder, envelope.say
    if not (to := copies_to(seat)):
        return
    for path in sorted((folder.home / "out").glob(f"{notes.game[:8]}.sealed.*.eml")):
        path.unlink()  # the order that it is of was replaced before it was sent
    payload = cj(payload_of(envelope))
    number = number_for(player_root(seat.pen.key).secret_for("sealed", notes.game, notes.seat), payload)
    try:
        box = boxed(seat.course.host, number, payload)
    except FormError as why:
        _tell(
            folder,
            _("No copy is sent to the other players: {why}. The order itself waits to be sent as usual.", why=why),
        )
        return
    about = {"ask": say["ask"], "rev": say["rev"], "order": sha256_hex(cj(say))}
    _note(folder, notes, "copies", {**about, "box": sha256_hex(box.encode()), "number": number})
    paper = _signed(seat, SEALED, {"act": "sealed", **about, "box": box})
    for n, address in enumerate(to):
        _lay(seat, address, f"sealed.{say['ask']}.{say['rev']}.{n}", _with_block(_COPY, paper), at)
    _tell(folder, _("A copy, sealed for the host, goes to {who}.", who=", ".join(to)))


def _tell(folder: Folder, said: str) -> None:
    if folder.tell:
        folder.tell(said)


# -- what comes ----------------------------------------------------------------------------------------------------------


def brings_paper(folder: Folder, raw: bytes, mail: Incoming) -> bool:
    """Does a mail bring a paper of a game of this desk, or a kept seat's reply to the host of one?"""
    return _paper_in(folder, mail) is not None or _reply_in(folder, raw, mail) is not None


def read_paper(folder: Folder, raw: bytes, mail: Incoming) -> tuple[str, str] | None:
    """Take the paper that a mail brings; return its game and the message to show, or None without a paper.

    Raises UsageError or RecordError if the paper is invalid.
    """
    if found := _paper_in(folder, mail):
        seat, envelope = found
        paper = {"say": envelope.say, "sig": envelope.sig}
        kind = "sealed" if envelope.say["act"] == "sealed" else "heard"
        if why := paper_fault(paper, kind):  # type: ignore[arg-type]
            raise RecordError(_("The paper in this mail is not well formed: {why}. Nothing has been taken.", why=why))
        sender = str(envelope.say["seat"])
        if sender == seat.notes.seat or sender not in seat.course.seats:
            raise UsageError(_("The paper in this mail is of no other seat of its game: nothing has been taken."))
        if not (key := seat.course.seats[sender].key) or not is_signed(paper, key):
            raise RecordError(
                _(
                    "The paper in this mail is not signed by the key of {seat}: it shows nothing.",
                    seat=seat.called(sender),
                )
            )
        return seat.notes.game, _held(seat, paper, mail) if kind == "sealed" else _heard(seat, paper)
    if reply := _reply_in(folder, raw, mail):
        seat, ask, sender, thread = reply
        about = {"seat": sender, "ask": ask, "order": reply_digest(seat.notes.game, sender, ask, mail.own), "box": ""}
        return seat.notes.game, _acknowledged(seat, about, mail, {"reply": {"thread": thread, "own": mail.own}})
    return None


def _paper_in(folder: Folder, mail: Incoming) -> tuple[Seat, Envelope] | None:
    with suppress(FormError, FullWanted):
        envelope = None if mail.log else read_block(mail.text)
        if envelope and envelope.say.get("act") in ("sealed", "heard"):
            return next(
                ((Seat(folder, one), envelope) for one in folder.games() if one.game == envelope.say.get("game")), None
            )
    return None


def _reply_in(folder: Folder, raw: bytes, mail: Incoming) -> tuple[Seat, int, str, str] | None:
    """The game, question, seat and thread of a kept seat's reply of which this player was sent a copy, from that seat's address."""
    if mail.log or mail.robot:
        return None
    head = raw.replace(b"\r\n", b"\n").partition(b"\n\n")[0].decode("latin-1")
    for thread, game, ask, sender in _REPLY.findall(head):
        for notes in folder.games():
            is_his = notes.players.get(sender, "").lower() == mail.sender.lower()
            if is_his and notes.game.startswith(game) and sender != notes.seat:
                seat = Seat(folder, notes)
                if sender in seats_of(seat.log.entries[0].fields["terms"]):
                    return seat, int(ask), sender, thread
    return None


def _held(seat: Seat, paper: dict[str, Any], mail: Incoming) -> str:
    """Acknowledge a sealed copy, and pass it on."""
    say = paper["say"]
    if any("say" in one.fields and sha256_hex(cj(one.fields["say"])) == say["order"] for one in seat.log.entries):
        return _(
            "{who}'s answer to question {ask} is already in your copy, so there is nothing to acknowledge.",
            **_named(seat, say),
        )
    return _acknowledged(seat, {**say, "box": sha256_hex(say["box"].encode())}, mail, {"sealed": paper})


def _acknowledged(seat: Seat, about: dict[str, Any], mail: Incoming, brought: dict[str, Any]) -> str:
    """Sign that something came, and when; put the acknowledgement in the tray for its sender, and the paper for the host.

    What came before keeps its time.
    """
    notes, folder, named = seat.notes, seat.folder, _named(seat, about)
    held = _notes(folder, notes, "held")
    same = {"of": about["seat"], "ask": about["ask"], "order": about["order"], "box": about["box"]}
    found = next((one for one in held if {**one["heard"]["say"], **same} == one["heard"]["say"]), None)
    if found is None:
        if not (now := folder.clock() if folder.clock else mail.arrived):
            raise UsageError(
                _("This mail does not say when it came to your mailbox: nothing is acknowledged. Save the whole mail.")
            )
        today = [
            one for one in held if (say := one["heard"]["say"])["of"] == about["seat"] and say["at"][:10] == now[:10]
        ]
        if len(today) >= MOST:
            raise UsageError(
                _("{who} has sent {n} copies today: no further copies are acknowledged.", n=len(today), **named)
            )
        came = min(mail.arrived or now, now)  # what has no such line is here now, at the latest
        found = {"heard": _signed(seat, HEARD, {"act": "heard", **same, "came": came, "at": now}), **brought}
        _note(folder, notes, "held", found)
    say, who = found["heard"]["say"], notes.players.get(about["seat"], "")
    _lay(
        seat,
        who if is_address(who) else mail.sender,
        f"reached.{_stem(say)}",
        _with_block(_CAME.format(ask=about["ask"], at=say["came"]), found["heard"]),
        say["at"],
    )
    _pass_on(seat, found)
    if "reply" in found:
        return _(
            "A copy of {who}'s reply for question {ask} came at {at}. Your program acknowledges it, and passes it on to the host.",
            at=say["came"], **named,
        )  # fmt: skip
    return _(
        "{who}'s answer to question {ask} came at {at}, sealed for the host. Your program acknowledges it, and passes it "
        "on to the host.",
        at=say["came"], **named,
    )  # fmt: skip


def _pass_on(seat: Seat, held: dict[str, Any]) -> None:
    """Put the letter in the tray that passes a paper on. Its name sorts before the acknowledgement's, so it goes first.

    A reply goes in the thread of the letter that it answers: the host asks its writer to confirm it.
    """
    say, reply = held["heard"]["say"], held.get("reply", {})
    said = _PASSED.format(seat=say["of"], at=say["came"])
    text = reply["own"] if reply else _with_block(said, held["sealed"])
    _lay(seat, seat.notes.host, f"passed.{_stem(say)}", text, say["at"], reply.get("thread", ""))


def _with_block(said: str, paper: dict[str, Any]) -> str:
    return f"{said}\n\n{write_block(Envelope(paper['say'], paper['sig']))}\n"


def _stem(say: dict[str, Any]) -> str:
    return f"{say['ask']}.{say['order'][:8]}{say['box'][:8]}"


def _heard(seat: Seat, paper: dict[str, Any]) -> str:
    """Keep what another player has acknowledged."""
    say, notes = paper["say"], seat.notes
    fits = (
        one for one in _notes(seat.folder, notes, "copies") if (one["order"], one["box"]) == (say["order"], say["box"])
    )
    sent = next(fits, None)
    if sent is None or say["of"] != notes.seat:
        raise UsageError(_("This acknowledges something that this desk has not sent: nothing has been taken."))
    if all(one["sig"] != paper["sig"] for one in _notes(seat.folder, notes, "heard")):
        _note(seat.folder, notes, "heard", {**paper, "number": sent["number"]})
    return _(
        "{who} acknowledges that your answer to question {ask} came at {came}, and signed that at {at}.",
        who=seat.called(say["seat"]), ask=say["ask"], came=say["came"], at=say["at"],
    )  # fmt: skip


# -- claims --------------------------------------------------------------------------------------------------------------


def check_claim(seat: Seat) -> None:
    """Raise UsageError if the order of the seat to be claimed from came here in time; the order is passed on once more."""
    course = seat.course
    question = course.question if course.phase == "asked" else None
    held = _notes(seat.folder, seat.notes, "held") if question and course.due else []
    for one in held:
        say = one["heard"]["say"]
        if question and say["ask"] == question.n and say["of"] in question.open and say["came"] <= course.due:
            _pass_on(seat, one)
            raise UsageError(
                _(
                    "You have acknowledged that you received {who}'s answer to question {ask} at {at}, in time. "
"A claim would deny that, and anybody could see it. Send the letter that passes the answer "
"on (“pbem send”), and ask the host. To claim anyway: “pbem say claim --anyway”.",
                    at=say["came"], **_named(seat, {**say, "seat": say["of"]}),
                )
            )  # fmt: skip


# -- letters and files ---------------------------------------------------------------------------------------------------


def _named(seat: Seat, say: dict[str, Any]) -> dict[str, Any]:
    return {"who": seat.called(say["seat"]), "ask": say["ask"]}


def _signed(seat: Seat, space: str, about: dict[str, Any]) -> dict[str, Any]:
    say = {**about, "game": seat.notes.game, "seat": seat.notes.seat}
    return {"say": say, "sig": seat.pen.key.sign(space, cj(say))}


def _lay(seat: Seat, to: str, name: str, text: str, at: str, thread: str = "") -> None:
    """Lay a letter ready."""
    notes, home, own = seat.notes, seat.folder.home, seat.folder.settings.address
    domain = re.sub(r"[^A-Za-z0-9.-]", "", own.rpartition("@")[2]) or "localhost"
    letter = Letter(
        sender=own,
        to=to,
        subject=f"[pbem {notes.game[:8]}] {notes.title}: {name.partition('.')[0]}",
        text=text,
        message_id=f"{notes.game[:16]}.{name}.{notes.seat}@{domain}",
        date=datetime.fromisoformat(at),
        thread=thread,
    )
    private.put(home / "out" / f"{notes.game[:8]}.{name}.eml", letter.raw())


def _notes(folder: Folder, notes: Notes, ending: str) -> list[dict[str, Any]]:
    path = folder.path(notes, ending)
    return list(_lines(path.read_bytes())) if path.exists() else []


def _lines(data: bytes) -> Iterator[dict[str, Any]]:
    """Go through the papers of a file; a line that is damaged is passed over."""
    for line in data.splitlines():
        with suppress(ValueError):
            found = json.loads(line)
            if isinstance(found, dict):
                yield found


def _note(folder: Folder, notes: Notes, ending: str, paper: dict[str, Any]) -> None:
    path = folder.path(notes, ending)
    private.put(path, (path.read_bytes() if path.exists() else b"") + cj(paper) + b"\n")
