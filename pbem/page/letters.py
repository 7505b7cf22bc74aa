"""Letters and files without a server: outgoing letters for a mail program, incoming files as it saves them.

Everything shown here is saved first: a letter is on the disk in the desk's `out/`, whole, before it is returned.
"""

from __future__ import annotations

import binascii
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from pbem.errors import PbemError, RecordError, UsageError
from pbem.games import GamePack, find
from pbem.i18n import _
from pbem.ledger import Log, fingerprint
from pbem.ledger.aloud import aloud
from pbem.ledger.first_line import HOST, TWO, ModeName, mode_of_lines
from pbem.ledger.modes import MODES
from pbem.mail import MAX_FROM_HOST, Incoming, Saved, as_draft, as_link, first_entry, read_block, read_message, unpacked
from pbem.mail.link import mailto
from pbem.player import Desk, Notes
from pbem.player.doors import Doors
from pbem.player.partners import KeyChanged, Met, Partner, met
from pbem.player.post import Fetcher, News
from pbem.player.reading import opened
from pbem.player.seat import told_rules
from pbem.player.speaker import Speaker
from pbem.player.taking_over import offered
from pbem.player.terms import told_terms

from . import calls
from .relays import relay_of, relayed_letters

_TOKEN = "…"
"""The placeholder for an invitation's token on the page: anybody who sees the token can take the seat."""


def outgoing(desk: Desk, paths: Iterable[Path]) -> tuple[calls.Outgoing, ...]:
    """Return letters that are signed, ready for a mail program."""
    games, doors, relayed = (
        {one.notes.game[:8]: one.notes.game for one in desk.speakers()}, Doors(desk, str), relayed_letters(desk)
    )  # fmt: skip
    return tuple(
        _outgoing(path, games.get(path.name.partition(".")[0], ""), doors.door_of(path)).model_copy(
            update=relayed.get(path.name, {})
        )
        for path in paths
    )


def _outgoing(path: Path, game: str, door: str) -> calls.Outgoing:
    raw = path.read_bytes()
    mail, attached = read_message(raw, MAX_FROM_HOST), None
    if mail.log and not MODES[mode_of_lines(mail.log)].in_pieces:  # no link takes that along
        attached = calls.OneFile(name=f"{path.name.partition('.')[0]}.pbem", data=b64encode(mail.log).decode())
    return calls.Outgoing(
        name=path.name,
        game=game,
        kind=path.name.split(".")[1],
        to=", ".join(mail.to),
        subject=mail.subject,
        text=mail.text,
        mailto=mailto(mail.to[0], mail.subject, mail.text) if attached else as_link(raw),
        eml=b64encode(as_draft(raw)).decode(),
        attached=attached,
        door=door,
    )


def waiting(desk: Desk, game: str) -> tuple[calls.Outgoing, ...]:
    """Return the waiting letters of the game with an id that begins so."""
    return outgoing(desk, desk.tray.unsent(game))


def named(desk: Desk, name: str) -> Path:
    """Return a waiting letter by its name. Raises UsageError if it does not exist."""
    found = next((path for path in desk.tray.unsent() if path.name == name), None)
    if found is None:
        raise UsageError(_("No letter “{name}” waits to be sent.", name=name))
    return found


def signed(desk: Desk, sign: Callable[[], str]) -> calls.Signed:
    """Sign something, and return the resulting message with the letters put in the tray or rewritten there."""
    before = desk.tray.stamps()
    said = sign()
    return calls.Signed(said=said, letters=outgoing(desk, list(desk.tray.stamps(before))), more=False)


def file(data: str) -> bytes:
    """Return the bytes of a file. Raises UsageError if it is not base64."""
    try:
        return b64decode(data, validate=True)
    except (binascii.Error, ValueError) as error:
        raise UsageError(_("The file did not come as it should: {why}.", why=error)) from error


def take(desk: Desk, name: str, data: bytes) -> calls.Came:
    """Read all mails in a file, those of earlier entries first; retry those that do not fit yet after the others."""
    if spare := offered(desk.games(), data):
        return calls.Came(came=(calls.CameIn(name=name, game="", warnings=(), sender="", subject="", **spare),))
    fetcher = Fetcher(desk)
    left = sorted(unpacked(name or _("the file"), data), key=lambda one: first_entry(one.raw))
    if desk.friends() and any(_mode(one.raw) == TWO for one in left):
        desk.key  # noqa: B018 - by it alone is such a letter read: where it is locked, it is asked for before anything is done
    came: list[calls.CameIn] = []
    tried = 0
    while len(left) != tried:
        tried = len(left)
        read = [(saved, _taken(fetcher, saved)) for saved in left]
        came += [news for _saved, news in read if news.kind != "left"]
        left = [saved for saved, news in read if news.kind == "left"]
    came += [_taken(fetcher, saved) for saved in left]
    fetcher.seen.write(desk.home / "mailbox.json")
    desk.tray.settle()
    return calls.Came(came=tuple(came))


def _mode(raw: bytes) -> ModeName:
    with suppress(PbemError):
        return mode_of_lines(opened(raw)[0].log)
    return HOST


def take_one(desk: Desk, raw: bytes) -> calls.CameIn:
    """Read one mail, as it lay at a door."""
    fetcher = Fetcher(desk)
    came = _taken(fetcher, Saved("", raw))
    fetcher.keep()
    desk.tray.settle()
    return came


def fetch(desk: Desk) -> calls.Came:
    """Fetch new mail from the mailbox in the settings. Raises UsageError if the settings name no mailbox."""
    if not desk.settings.imap:
        raise UsageError(_("Your settings name no mailbox yet: “pbem setup” does that once."))
    fetcher, trouble = Fetcher(desk), list[str]()
    came = tuple(_came(desk, "", news) for news in fetcher.from_mailbox(trouble.append))
    desk.tray.settle()
    return calls.Came(came=came, trouble="".join(trouble))


def _taken(fetcher: Fetcher, saved: Saved) -> calls.CameIn:
    """Read one mail; return its news, or that it is known already."""
    try:
        news = fetcher.take(saved.raw)
    except PbemError as error:
        news = News("left", "", str(error), subject=saved.name)
    if news is None:
        return calls.CameIn(
            name=saved.name, kind="old", game="", text=_("Nothing in it is new."), warnings=(), sender="", subject=""
        )
    return _came(fetcher.desk, saved.name, news)


def _came(desk: Desk, name: str, news: News) -> calls.CameIn:
    """Return the news of a mail, with the token hidden if it is an invitation."""
    told = {"kind": news.kind, "text": _hidden(news.raw, news.text) if news.kind == "asks" else news.text}
    if news.kind in ("words", "strange"):
        told |= _proposed(desk, news.raw)
    more = {"warnings": news.warnings, "sender": news.sender, "subject": news.subject, "code": news.code}
    return calls.CameIn.model_validate({"name": name, "game": news.game, **more, **told})


def _proposed(desk: Desk, raw: bytes) -> dict[str, Any]:
    """Return whom a letter proposes as a successor in a game of this desk, together with the letter."""
    with suppress(PbemError):
        found = read_block(read_message(raw, MAX_FROM_HOST).text)
        act = found.say.get("act") if found else ""
        if found and act in ("join", "host") and any(notes.game == found.say.get("game") for notes in desk.games()):
            more = {"kind": "asks", "text": _hidden(raw, read_message(raw, MAX_FROM_HOST).text)}
            return {**more, "proposes": "host" if act == "host" else "player", "eml": b64encode(raw).decode()}
    return offered(desk.games(), raw)


def asks(desk: Desk) -> tuple[calls.Asks, ...]:
    """Return the letters that ask to join a game, or to be ready, and are not answered."""
    fetcher = Fetcher(desk)
    found = fetcher.invitations()
    for notes in desk.games():
        with suppress(RecordError):  # its row says what is wrong with its copy
            if raw := fetcher.asking(notes):
                found.append((notes.game, raw))
    return tuple(_ASKS[_mode(raw)](desk, game, raw) for game, raw in found)


def _host_asks(desk: Desk, game: str, raw: bytes) -> calls.Asks:
    """Return what a host's letter asks, and what is to be known before it is answered."""
    mail, _bare = opened(raw)
    notes = next((one for one in desk.games() if one.game == game), None)
    first = _beginning(desk, notes, mail)
    pack = _pack(first)
    ready = notes is not None and desk.course(notes).phase in ("ready", "called")
    seats = first.get("seats", []) if isinstance(first.get("seats"), list) else []
    return calls.Asks(
        game=game,
        what="ready" if ready and not mail.token else "join",
        sender=mail.sender,
        subject=mail.subject,
        title=pack.rules.title if pack else "",
        words=_hidden(raw, mail.text),
        seat=notes.seat if notes else mail.seat,
        seats=tuple(
            calls.SeatName(seat=one, name=pack.look.seat_name(one) if pack else one) for one in map(str, seats)
        ),
        others="" if notes or not mail.token or not mail.to else desk.joiner.written_to(mail),
        **_keys_asked(desk, game, notes, mail, first),
        **_terms(first, pack),
    )


def keys_of(speaker: Speaker) -> tuple[calls.OneKey, ...]:
    """Return the owners of the keys in a game, by the log: the host's, if it has one, and that of each seat."""
    name, own = speaker.seat.pack.look.seat_name, speaker.notes.seat
    return tuple(
        _key(one, name(one) if one else _("the host"), key, own=one == own) for one, key in speaker.seat.keys.items()
    )


def _keys_asked(desk: Desk, game: str, notes: Notes | None, mail: Incoming, first: Mapping[str, Any]) -> dict[str, Any]:
    """Return what to compare and say about keys before an answer is signed, by what the desk knows from its other games."""
    seat = desk.seat(notes) if notes and desk.course(notes).phase in ("ready", "called") else None
    if seat is not None and seat.course.phase == "called":
        return {"keys": keys_of(desk.speaker(seat.notes))}
    try:
        host = Partner(mail.sender or (notes.host if notes else ""), _("the host"), str(first.get("host", "")))
        found = desk.joiner.met(seat) if seat else met(desk, game, [host] if host.who and host.key else []).without_due
    except KeyChanged as why:
        return {"keys": (), "changed": why.why, "changed_of": why.who}
    due = [
        _key("", one.called if not one.who else f"{one.called} ({one.who})", one.key, own=False) for one in found.due
    ]
    own = [_key("", _("you"), desk.key_line, own=True)] if due else []
    return {"keys": (*due, *own), "met": "\n".join(Met(found.new, ()).lines)}


def _key(seat: str, who: str, line: str, *, own: bool) -> calls.OneKey:
    if not line:
        return calls.OneKey(who=who, seat=seat, own=own, fingerprint="", words="", player=False)
    return calls.OneKey(who=who, seat=seat, own=own, fingerprint=fingerprint(line), words=aloud(line), player=True)


def _beginning(desk: Desk, notes: Notes | None, mail: Incoming) -> dict[str, Any]:
    """Entry 0 of the game of a letter that asks, by the copy or by the letter; empty where it cannot be read."""
    with suppress(PbemError):
        log = desk.copy(notes).log if notes else Log.parse(mail.log if mail.log.endswith(b"\n") else mail.log + b"\n")
        return dict(log.entries[0].fields)
    return {}


def _pack(first: Mapping[str, Any]) -> GamePack | None:
    with suppress(PbemError, LookupError, TypeError):
        return find(str(first["rules"]["id"]))
    return None


def _terms(first: Mapping[str, Any], pack: GamePack | None) -> dict[str, Any]:
    """What entry 0 says of rules, options and terms; and the fingerprint of rules that are not known here."""
    if pack is None:
        return {"terms": (), "rules": ""}
    rules = first["rules"]
    with suppress(PbemError, LookupError, TypeError, ValueError):
        told = told_rules(pack, rules)
        unknown = _("{game}, version {ver} of the rules: NOT KNOWN HERE", game=pack.rules.title, ver=rules["ver"])
        terms = [told or unknown, *pack.told(first["opts"]), *told_terms(first["terms"])]
        return {"terms": tuple(terms), "rules": "" if told else str(rules["sha256"])}
    return {"terms": (), "rules": ""}


def _hidden(raw: bytes, text: str) -> str:
    token = opened(raw)[0].token
    return text.replace(token, _TOKEN) if token else text


def asking(desk: Desk, game: str) -> tuple[str, bytes]:
    """Return the letter of a game that asks, and the game as it is noted. Raises UsageError where none does."""
    fetcher = Fetcher(desk)
    for known, raw in fetcher.invitations():
        if game and known.startswith(game[:16].lower()):
            return known, raw
    for notes in desk.games():
        letter = fetcher.asking(notes) if game and notes.game.startswith(game.lower()) else None
        if letter is not None:
            return notes.game, letter
    raise UsageError(_("No letter of that game asks you to join, or to be ready."))


def answered(desk: Desk, game: str) -> None:
    """Forget the letter of a game that asked."""
    Fetcher(desk).answered(game)


def _friend_asks(desk: Desk, game: str, raw: bytes) -> calls.Asks:
    """Return what a letter of a friend invites to; why it cannot be, where it cannot."""
    mail, _bare = opened(raw)
    told = {
        "game": game, "what": "join", "sender": mail.sender or relay_of(desk.home, game),
        "subject": mail.subject, "words": mail.text, "seat": "",
        "seats": (), "others": "", "terms": (), "rules": "", "keys": (), "mode": TWO,
    }  # fmt: skip
    try:
        found = desk.pair_joiner.invited(raw)
    except PbemError as error:
        return calls.Asks.model_validate(told | {"terms": (str(error),)})
    name = found.pack.look.seat_name
    try:
        friend = met(desk, game, [Partner(found.friend, name(found.theirs), found.key)])
    except KeyChanged as why:
        return calls.Asks.model_validate(
            told | {"changed": why.why, "changed_of": why.who, "title": found.pack.rules.title}
        )
    says = _("{title}, without a host. You would play {seat}.", title=found.pack.rules.title, seat=name(found.seat))
    seats = tuple(calls.SeatName(seat=one, name=name(one)) for one in (found.theirs, found.seat))
    keys = (
        _key(found.theirs, name(found.theirs), found.key, own=False),
        _key(found.seat, name(found.seat), desk.key_line, own=True),
    )
    more = {
        "title": found.pack.rules.title,
        "seat": found.seat,
        "seats": seats,
        "terms": (says, *found.agreed),
        "keys": keys if friend.due else (),
        "met": "\n".join(Met(friend.new, ()).lines),
    }
    return calls.Asks.model_validate(told | more)


_ASKS = {HOST: _host_asks, TWO: _friend_asks}
"""By the mode of the game, what reads a letter that asks."""
