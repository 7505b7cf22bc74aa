"""Positions in files: setting up any game from one, and writing one down.

Every game has a JSON form, made by its `dump`; `{"game", "version", "options", "position"}` around it names the game. A game may
also have a form in words. Its package then exposes ``POSITIONS``, or its module ``setting_up`` does, and the first word of such a
text is the game's id. Nothing here knows any game by name.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from pbem.errors import FormError, PbemError, UsageError
from pbem.i18n import _
from pbem.i18n.misfits import misfit
from pbem.i18n.misfits import place as place_of
from pbem.kernel import Game, Json, read_lines

from .pack import GamePack, find

FIELDS = ("game", "version", "options", "position")


@dataclass(frozen=True, slots=True)
class Placed:
    """A game at a position."""

    pack: GamePack
    options: Json
    state: Any

    def json(self) -> dict[str, Json]:
        """Return the JSON form, with the game it belongs to."""
        rules = self.pack.rules
        found = (rules.id, rules.version, self.options, rules.dump(self.state))
        return dict(zip(FIELDS, found, strict=True))

    def text(self) -> str:
        """Return the form in words. Raises UsageError if the game has none."""
        if self.pack.positions is None:
            raise UsageError(_("{game} has no positions in words, only as JSON.", game=self.pack.rules.title))
        return self.pack.positions.write(self.state)


def read(text: str, pack: GamePack) -> Placed:
    """Return the position in a file, in words or as JSON; `pack` is the game if the file does not name it.

    Raises OrderError with all bad lines of a text, FormError or UsageError if it is not a position.
    """
    if text.lstrip().startswith("{"):
        try:
            found = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise FormError(_("This position is not JSON: {error}.", error=error)) from error
        return from_json(found) if "game" in found else place(pack, {}, found)
    lines = read_lines(text)
    if not lines:
        raise FormError(_("There is no position: the file says nothing."))
    return in_words(find(lines[0].text.split()[0].lower()), text)


def in_words(pack: GamePack, text: str) -> Placed:
    """Return the position that a text of this game means."""
    if pack.positions is None:
        raise UsageError(_("{game} has no positions in words, only as JSON.", game=pack.rules.title))
    options, state = pack.positions.read(text)
    return _looked_at(Placed(pack, pack.complete(options), state))


def from_json(found: dict[str, Json]) -> Placed:
    """Return the position of a JSON form that names its game."""
    if set(found) != set(FIELDS):
        raise FormError(_("A position that names its game has the fields {fields}.", fields=", ".join(FIELDS)))
    pack = find(str(found["game"]))
    if found["version"] != pack.rules.version:
        raise FormError(
            _("This is {game} in version {version} of its rules.", game=pack.rules.title, version=pack.rules.version)
        )
    if not isinstance(found["options"], dict):
        raise FormError(_("The options of a position are an object."))
    return place(pack, found["options"], found["position"])


def place(pack: GamePack, options: dict[str, Json], position: Json) -> Placed:
    """Return the game at a position given in the form of its `dump`."""
    complete = pack.complete(options)
    with standing():
        state = pack.rules.load(position)
        if check := getattr(pack.positions, "check", None):
            check(state)
    return _looked_at(Placed(pack, complete, state))


def _looked_at(placed: Placed) -> Placed:
    """Look at a position from all sides once: a position that cannot be shown is invalid."""
    rules: Game = placed.pack.rules
    if frame := _acting(placed.state):
        raise FormError(
            _(
                "At this position ({doing}) the rules would continue by themselves. Give the next position "
                "at which they wait.",
                doing=frame,
            )
        )
    with standing():
        rules.wants(placed.state)
        for seat in (None, *rules.seats(placed.options)):
            rules.read_view(rules.view(placed.state, seat))
    return placed


def _acting(state: Any) -> str:
    """Return the procedure by which the rules would play on from a state, "" where they wait: reading plays nothing."""
    stack: tuple[Any, ...] = getattr(state, "stack", ())
    waits = not stack or state.result is not None or hasattr(stack[-1], f"want_{stack[-1].step}")
    return "" if waits else f"{stack[-1].at}: {stack[-1].step}"


@contextmanager
def standing() -> Iterator[None]:
    """Rules and looks may stumble in any way over what they never made: say so as a FormError."""
    try:
        yield
    except PbemError:
        raise
    except ValidationError as error:
        first = error.errors()[0]
        where, why = place_of(first, {}), misfit(first, {})
        raise FormError(
            _("The rules cannot start from this position: {where}: {why}.", where=where, why=why)
        ) from error
    except Exception as error:
        raise FormError(
            _(
                "The rules cannot start from this position: {kind}: {error}. If it is from a game with "
                "unusual options, such as the number of players, include those options, as “pbem board --as "
                "json” writes them.",
                kind=type(error).__name__,
                error=error,
            )
        ) from error
