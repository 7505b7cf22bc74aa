"""Troubles of a host, as `status` shows them: ways in that fail, games over which the program fails.

Each is a row of `meta`, with its starting time, and is deleted when the thing works again. A matter is a question that the
operator has to settle or to know, such as who wants which seat in a game. It is deleted when he has settled it, or when the game
no longer needs it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from pbem import private

from .store import Store, is_of_the_world


@contextmanager
def apart(store: Store, what: str, at: str) -> Iterator[None]:
    """Do one piece of work in a transaction of its own. If the program fails at it, note that and let the next continue."""
    try:
        with store.decision():
            yield
    except Exception as error:
        if is_of_the_world(error):
            raise
        note(store, what, f"{type(error).__name__}: {error}", at)
    else:
        note(store, what, "", at)


def in_game(store: Store, game: int | None, what: str, at: str, do: Callable[[], None], *, skip: bool = False) -> bool:
    """Do one piece of work in one game (None: in none), side by side with others; was it done?

    Where the program stumbles over it that is noted, and the next can go on. `skip`: where another is at work in the game it is not
    done.
    """
    try:
        done = store.if_free(game, do) if skip else (store.in_part(game, do),)
    except Exception as error:
        if is_of_the_world(error):
            raise
        note(store, what, f"{type(error).__name__}: {error}", at)
        return True
    if done:
        note(store, what, "", at)
    return bool(done)


def note(store: Store, what: str, trouble: str, at: str) -> bool:
    """Note that something does not work, or ("") that it does; the first of the same troubles stays. Could it be noted?"""
    name = f"trouble {what}"
    try:
        if store.note(name).partition(" ")[2] != trouble:
            store.note_or_forget(name, trouble, at)
    except Exception:  # noqa: BLE001 - whatever hinders it, it is noted beside the store
        return False
    return True


UNWRITTEN = "troubles.json"
"""The file in a host's folder of what does not work while its store takes no note of that, as where its disk is full."""


def unwritten(folder: Path) -> dict[str, tuple[str, str]]:
    """Return what does not work and could not be noted in the store: since when, and why."""
    try:
        told = json.loads((folder / UNWRITTEN).read_text("utf-8"))
        return {str(what): (str(since), str(why)) for what, (since, why) in told.items()}
    except (OSError, ValueError, TypeError, AttributeError):
        return {}


def note_beside(folder: Path, what: str, trouble: str, at: str) -> None:
    """Note something beside the store; "": it is noted there now, or works again."""
    before = unwritten(folder)
    told = {name: one for name, one in before.items() if name != what}
    if trouble:
        told[what] = before[what] if what in before and before[what][1] == trouble else (at, trouble)
    with suppress(OSError):  # where there is no room either, the log says it
        if told:
            private.put(folder / UNWRITTEN, json.dumps(told).encode())
        else:
            (folder / UNWRITTEN).unlink(missing_ok=True)


MATTER, DAMAGE, ENDLESS = "matter ", "damage ", "endless "
"""So the names begin of a matter, of damage, and of work that comes to no end."""


def matter(store: Store, game: int, seat: str, what: str, at: str, *, is_open: bool = True) -> None:
    """Note a matter of a seat; `is_open`: something waits until it is settled, and no other matter takes its place."""
    note(store, f"{MATTER}{_name(game, seat, is_open=is_open)}", what, at)


def settle(store: Store, game: int, seat: str = "") -> None:
    """Forget the matters of a seat, or of a whole game."""
    named = f"trouble {MATTER}game {game}, " + (f"seat {seat}." if seat else "seat ")
    store.forget(*(named + rest for rest in store.notes(named)))


def _name(game: int, seat: str, *, is_open: bool) -> str:
    return f"game {game}, seat {seat}." if is_open else f"game {game}, seat {seat}. For your knowledge"
