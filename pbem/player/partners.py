"""The keys that this desk knows of other players. The first is taken on trust; each later one is compared with it.

This module decides when a key is accepted without a question, and when you should compare it by telephone: in the third game with
somebody, and in the first rated one. It also decides when a changed key stops a game. It writes only which keys are void.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from shlex import quote
from typing import TYPE_CHECKING, NamedTuple

from pbem import private
from pbem.errors import PbemError, RecordError, UsageError
from pbem.i18n import _
from pbem.ledger import to_compare
from pbem.ledger.kept import KEPT

if TYPE_CHECKING:
    from pathlib import Path

    from .folder import Folder
    from .notes import Notes
    from .seat import Seat

THIRD = 2
"""The number of games with somebody after which you are asked to compare their key by telephone."""


class Partner(NamedTuple):
    """Somebody with a key in a game that is to begin: his address or name ("": not known), his name there, the key."""

    who: str
    called: str
    key: str

    @property
    def told(self) -> str:
        """Who it is, with the key to compare."""
        who = f"{self.called} ({self.who})" if self.who else self.called
        return f"{who}\n  {to_compare(self.key)}"


class KeySeen(NamedTuple):
    """A key that somebody last had in another game on this desk."""

    who: str
    key: str
    game: str
    title: str
    rated: bool


class Met(NamedTuple):
    """Partners by how much is known of them: met for the first time, to be compared by telephone, or not to be named at all."""

    new: tuple[Partner, ...]
    due: tuple[Partner, ...]

    @property
    def without_due(self) -> Met:
        """The same for a game with players who are not known yet: the comparison follows once they are."""
        return Met(self.new, ())

    @property
    def lines(self) -> list[str]:
        """Sentences about these players, with their keys; empty if all are known."""
        said = list[str]()
        if self.new:
            said.append(
                _(
                    "You meet {names} for the first time. pbem trusts the key as it is here, and compares it from now on; "
                    "a key that changes stops the game.",
                    names=", ".join(partner.who for partner in self.new),
                )
            )
            said += [partner.told for partner in self.new]
        if self.due:
            said.append(
                _("Before you continue, compare each key with its owner by telephone. pbem asks for this only once:")
            )
            said += [partner.told for partner in self.due]
        return said


class KeyChanged(RecordError):
    """Somebody has another key than in the games before; `partner` is who."""

    def __init__(self, partner: Partner, before: KeySeen) -> None:
        self.who = partner.who
        self.why = _(
            "{called} ({who}) has another key here than in {title}, game {game}. Here it is\n  {key}\nand there it is\n  "
            "{before}\nNothing has been signed. Ask {who} by telephone: perhaps the key is new, perhaps somebody sits between you.",
            called=partner.called,
            who=partner.who,
            title=before.title,
            game=before.game[:8],
            key=to_compare(partner.key),
            before=to_compare(before.key),
        )
        more = _(
            "If the owner says that the new key is right, type “pbem key --forget {who}” and begin "
            "again. Otherwise do not continue.",
            who=quote(partner.who),
        )
        super().__init__(f"{self.why} {more}")


def met(folder: Folder, game: str, partners: Iterable[Partner], *, rated: bool = False) -> Met:
    """Hold the keys of partners against those of all other games on the desk. Raises KeyChanged.

    Whose address or name is not known is taken for new where his key is.
    """
    seen, forgotten = [one for one in _seen(folder) if one.game != game], _forgotten(folder.home)
    new, due = list[Partner](), list[Partner]()
    for partner in partners:
        who = partner.who.lower()
        his = [one for one in seen if who and one.who.lower() == who and one.key not in forgotten.get(who, ())]
        if his and partner.key not in [one.key for one in his]:
            raise KeyChanged(partner, his[-1])
        games = {one.game: one for one in seen if one in his or one.key == partner.key}
        if not partner.who and not games:
            due.append(partner)  # nobody says whose key it is: nothing could be held against it later
        elif not games:
            new.append(partner)
        if games and (len(games) == THIRD or (rated and not any(one.rated for one in games.values()))):
            due.append(partner)
        elif rated and not games and partner.who:
            due.append(new.pop())
    return Met(tuple(new), tuple(due))


def of_the_host(seat: Seat) -> Partner:
    """Return a game's host."""
    return Partner(seat.notes.host, _("the host"), seat.course.host)


def of_the_seats(seat: Seat) -> list[Partner]:
    """Return the players of all other seats with their own keys: not built-in players, and not kept seats."""
    entries, course = seat.log.entries, seat.course
    hosts = {entry.fields["say"]["key"] for entry in entries if entry.k == "join" and KEPT in entry.fields}
    built_in = entries[0].fields["terms"].get("built_in", {})
    others = [name for name in course.seats if name != seat.notes.seat and name not in built_in]
    found = [Partner(_who(seat.notes, name), seat.called(name), course.seats[name].key) for name in others]
    return [partner for partner in found if partner.key not in hosts]


def is_rated(seat: Seat) -> bool:
    """Does a game count in lists of ratings?"""
    return bool(seat.log.entries[0].fields["terms"].get("rated"))


def forget(folder: Folder, who: str) -> int:
    """Forget the keys of a player, so that the next one is taken on trust; return their number. Raises UsageError."""
    name, known = who.strip().lower(), _forgotten(folder.home)
    keys = sorted({one.key for one in _seen(folder) if one.who.lower() == name} - {*known.get(name, ())})
    if not keys:
        raise UsageError(_("pbem knows no key of {who}: it is an address or a name, as pbem has shown it.", who=who))
    private.put(_place(folder.home), f"{json.dumps(known | {name: [*known.get(name, ()), *keys]})}\n".encode())
    return len(keys)


def _who(notes: Notes, seat: str) -> str:
    """Return the address of a seat's player; a name is valid only with its host."""
    who = notes.players.get(seat, "")
    return who if "@" in who or not who else _("{name} at {host}", name=who, host=notes.host)


def _seen(folder: Folder) -> Iterator[KeySeen]:
    """Go through the keys of all games of a desk that this player has agreed to begin, and of their hosts."""
    for notes in folder.games():
        with suppress(PbemError, KeyError, IndexError):
            seat = _seat(folder, notes)
            course, rated = seat.course, is_rated(seat)
            yield KeySeen(notes.host, course.host, notes.game, notes.title, rated)
            # what he has signed and not laid aside
            said = (
                one
                for place in ("out", "sent", "given")
                for one in (folder.home / place).glob(f"{notes.game[:8]}.ready*")
            )
            if course.phase not in ("roster", "ready") or any(said):
                yield from (KeySeen(one.who, one.key, notes.game, notes.title, rated) for one in of_the_seats(seat))
    for path in sorted((folder.home / "games").glob("*.two")):
        with suppress(OSError, ValueError, KeyError, TypeError, AttributeError):
            yield from _in_a_pair(path)


def _seat(folder: Folder, notes: Notes) -> Seat:
    from .seat import Seat

    return Seat(folder, notes)


def _in_a_pair(path: Path) -> Iterator[KeySeen]:
    """The key that the friend last had in a game of two."""
    notes = json.loads(path.read_text("utf-8"))
    lines = path.with_suffix(".pbem").read_bytes().split(b"\n")
    entries = [json.loads(line) for line in lines if line.startswith(b'{"') and b'"key":"' in line]
    says = [entry["say"] for entry in entries if entry.get("by") != notes["seat"]]
    changed = [act for say in says for act in (say, *say.get("acts", ())) if act.get("do", "rekey") == "rekey"]
    keys = [act["key"] for act in changed if isinstance(act.get("key"), str)]  # a deck has a key, too
    if keys:
        yield KeySeen(notes["friend"], keys[-1], notes["game"], notes["title"], rated=False)


def _place(home: Path) -> Path:
    return home / "games" / "forgotten"


def _forgotten(home: Path) -> dict[str, Sequence[str]]:
    """Return the void keys, by name."""
    with suppress(OSError, ValueError):
        found = json.loads(_place(home).read_text("utf-8"))
        return {str(who): [str(key) for key in keys] for who, keys in found.items()}
    return {}
