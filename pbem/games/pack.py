"""Finding a game by its id.

A game is a package that exposes

- ``GAME``, its rules (a `pbem.kernel.Game`),
- ``LOOK``, its words and drawings (a `pbem.look.Look`),
- ``BOTS``, its built-in players by name, at least "random" and "sensible" (callables that make a `pbem.games.bot.Bot`).

It may also expose

- ``POSITIONS``, its positions in words (a `pbem.kernel.worded.Positions`; or in its module ``setting_up``),
- ``MATTER``, the proofs of its puzzles (a `pbem.games.proving.Matter`; or in its package ``puzzles``),
- ``KNOWING``, who knows what in it (a `pbem.kernel.knowing.Knowing`; or in its module ``knowing``); required for play without a
  host,
- ``LESSON``, its rules in our words and a first lesson (a `pbem.games.taught.Lesson`; or in its package ``lesson``),
- ``COVER``, its card on a shelf of games (a `pbem.look.cover.Cover`; or in its module ``cover``).

``LOOK`` and ``BOTS`` may be left to the package's modules ``look`` and ``bots``, which are then imported on first use. Games are
looked for

1. among the subpackages of `pbem.games`, by the folder's name;
2. among installed packages, by an entry point of the group ``pbem.games``: ``tiny = "tiny_game"``;
3. in the folders that the environment variable PBEM_GAMES names (separated as in PATH), by `GAME.id`.

Nothing here knows any game by name, and no game is imported before it is asked for.
"""

from __future__ import annotations

import os
import pkgutil
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from pbem import i18n
from pbem.errors import UsageError
from pbem.i18n import _
from pbem.i18n.misfits import cut, fitting, is_length, misfit, near, place, read

if TYPE_CHECKING:
    from types import ModuleType

    from pydantic_core import ErrorDetails

    from pbem.kernel import Chooser, Game, Json, View
    from pbem.kernel.knowing import Knowing
    from pbem.kernel.worded import Positions
    from pbem.look import Look
    from pbem.look.cover import Cover

    from .bot import Bot
    from .proving import Matter
    from .taught import Lesson

GROUP = "pbem.games"
FOLDERS = "PBEM_GAMES"
_LEVELS = {"easy": "sensible"}
"""A built-in player is called by its level as well, where that is not its name."""
Opinion: TypeAlias = Callable[["Sequence[View]", "Chooser"], Mapping[str, int]]
"""From the views of all seats, in their order, and what chance comes from, to each seat's hope to win in thousandths."""


@dataclass(frozen=True, slots=True)
class GamePack:
    """A game with all that belongs to it. `package` is the name under which Python knows it."""

    rules: Game
    package: str

    @property
    def look(self) -> Look:
        return cast("Look", self._part("look", "LOOK"))

    @property
    def bots(self) -> Mapping[str, Callable[[], Bot]]:
        return cast("Mapping[str, Callable[[], Bot]]", self._part("bots", "BOTS"))

    def player(self, said: str) -> str:
        """Return the name of a built-in player, given its name in any case or its level; "" if there is none."""
        names, name = {name.casefold(): name for name in self.bots}, said.casefold()
        return names.get(name) or names.get(_LEVELS.get(name, ""), "")

    def player_named(self, said: str) -> str:
        """Return the name of a built-in player as `player` does. Raises UsageError if there is none."""
        if name := self.player(said):
            return name
        why = _(
            "There is no built-in player “{name}”; the built-in players are {bots}.", name=said[:40], bots=self.players
        )
        raise UsageError(self.or_meant(why, said))

    @property
    def players(self) -> str:
        """The names of the built-in players, in a row; behind one that is also called by its level, that."""
        levels = {name: level for level, name in _LEVELS.items()}
        return ", ".join(f"{name} ({levels[name]})" if name in levels else name for name in self.bots)

    def or_meant(self, why: str, said: str) -> str:
        """Return why something is not a built-in player; then ask whether a similar name is meant."""
        names = [*self.bots, *(level for level, name in _LEVELS.items() if name in self.bots)]
        meant = near(said.casefold(), names)
        return " ".join([why, _("Is {near} meant?", near=meant)]) if meant else why

    def ending(self, options: Mapping[str, Json]) -> dict[str, Json]:
        """Return complete options under which built-in players come to an end, also where the rules have no last round.

        The game's own `bots.ending` sees to it; a game without one always ends.
        """
        found, end = self.complete(options), self._of_bots("ending")
        return cast("dict[str, Json]", end(found)) if end else found

    @property
    def opinion(self) -> Opinion | None:
        """The evaluation of who is ahead, from the views of all seats together: the game's `bots.opinion`, or None."""
        return cast("Opinion | None", self._of_bots("opinion"))

    def _of_bots(self, name: str) -> Any:
        return getattr(import_module(f"{self.package}.bots"), name, None) if find_spec(f"{self.package}.bots") else None

    @property
    def positions(self) -> Positions | None:
        """The game's positions in words, if it has any."""
        has = hasattr(import_module(self.package), "POSITIONS") or find_spec(f"{self.package}.setting_up")
        return cast("Positions", self._part("setting_up", "POSITIONS")) if has else None

    @property
    def puzzles(self) -> Matter | None:
        """What a proof looks at in the game's puzzles, if it has any."""
        return cast("Matter", self._part("puzzles", "MATTER")) if find_spec(f"{self.package}.puzzles") else None

    @property
    def lesson(self) -> Lesson | None:
        """Its rules in our words and a first lesson, if it has any."""
        return cast("Lesson", self._part("lesson", "LESSON")) if find_spec(f"{self.package}.lesson") else None

    @property
    def knowing(self) -> Knowing | None:
        """Who knows what in the game, if it can be played without a host."""
        return cast("Knowing", self._part("knowing", "KNOWING")) if find_spec(f"{self.package}.knowing") else None

    @property
    def cover(self) -> Cover | None:
        """The card of the game on a shelf, if it has one."""
        return cast("Cover", self._part("cover", "COVER")) if find_spec(f"{self.package}.cover") else None

    def complete(self, options: Mapping[str, Json]) -> dict[str, Json]:
        """Return the game's options with those that were not named. Raises UsageError for what it does not know."""
        from pydantic import ValidationError

        model = self.rules.options_model
        try:
            found = model.model_validate(options).model_dump(mode="json")
        except ValidationError as error:
            takes, schema = list(model.model_fields), model.model_json_schema()
            wrong = " ".join(_what_is_wrong(found, schema) for found in error.errors())
            raise UsageError(
                _(
                    "{game}: {wrong} Its options: {options}.",
                    game=self.rules.title,
                    wrong=wrong,
                    options=", ".join(takes),
                )
            ) from error
        self._can_follow(found)
        return found

    def _can_follow(self, options: Mapping[str, Json]) -> None:
        """Look whether the games that follow from this one can be played so. Raises UsageError."""
        for name, settled in self.rules.following(options):
            try:
                find(name).complete(settled)
            except UsageError as error:
                raise UsageError(
                    _("{game}: games that follow from it do not fit. {why}", game=self.rules.title, why=error)
                ) from error

    def told(self, options: Mapping[str, Json]) -> list[str]:
        """Return a line for each option that a player should know of: those that differ from the usual, and every choice."""
        lines = []
        model = self.rules.options_model
        own: Mapping[str, str] = model.model_validate(options).in_words() if hasattr(model, "in_words") else {}
        for name, field in model.model_fields.items():
            value = options.get(name)
            if name in own:
                lines += [own[name]] if own[name] else []
                continue
            option = _(field.description) if field.description else name.replace("_", " ")
            if value is True:
                lines.append(option)
            elif isinstance(value, list):
                lines.append(_("{option}: {value}", option=option, value=", ".join(map(str, value))))
            elif not isinstance(value, dict) and value not in (False, "", None):  # an object is for the game's remarks
                lines.append(_("{option}: {value}", option=option, value=value))
        return [*lines, *self._games_after(options), *self.rules.remarks(options)]

    def _games_after(self, options: Mapping[str, Json]) -> Iterator[str]:
        """Yield lines for the games that follow from this one, with the options settled so far."""
        for name, settled in self.rules.following(options):
            try:
                after = find(name)
                said = after.told(after.complete(settled))
            except UsageError:  # somebody's log may name any game
                continue
            yield _("then games of {game}: {options}", game=after.rules.title, options=", ".join(said))

    def _part(self, module: str, name: str) -> Any:
        package = import_module(self.package)
        return (
            getattr(package, name)
            if hasattr(package, name)
            else getattr(import_module(f"{self.package}.{module}"), name)
        )


def _what_is_wrong(found: ErrorDetails, schema: Mapping[str, Any]) -> str:
    """Return a sentence about a wrong option."""
    name = place(found, schema) or "options"
    if found["type"] == "extra_forbidden":
        if meant := near(name, schema["properties"]):
            return _("there is no option “{name}”; did you mean {near}?", name=name, near=meant)
        return _("there is no option “{name}”.", name=name)
    if what := fitting(found, schema):
        if is_length(found):
            return _("{name} is {what}, not of {said}.", name=name, what=what, said=read(found))
        return _("{name} is {what}, not “{said}”.", name=name, what=what, said=read(found))
    return _("{name} does not fit: {why}.", name=name, why=misfit(found, schema))


def find(game_id: str) -> GamePack:
    """Return the game with this id. Raises UsageError, which lists the games there are."""
    if re.fullmatch(r"[a-z]+", game_id):
        name = f"{__package__}.{game_id}"
        spec = find_spec(name)
        if spec is not None and spec.submodule_search_locations is not None:
            return _pack(import_module(name))
        if game_id in (installed := _entry_points()):
            return _pack(import_module(installed[game_id]))
        for package in _in_folders():
            pack = _pack(package)
            if pack.rules.id == game_id:
                return pack
    raise UsageError(
        _(
            "There is no game “{name}” here. The games are: {games}. For a game in a folder, set {variable} to the folder "
            "above the game's own.",
            name=cut(game_id),
            games=", ".join(known()) or _("none"),
            variable=FOLDERS,
        )
    )


def shipped() -> list[str]:
    """Return the ids of the games that come with pbem; the first is played when none is named."""
    return sorted(module.name for module in pkgutil.iter_modules(sys.modules[__package__].__path__) if module.ispkg)


def known() -> list[str]:
    """Return the ids of all games that can be found."""
    return sorted({*shipped(), *_entry_points(), *(_pack(package).rules.id for package in _in_folders())})


def _pack(package: ModuleType) -> GamePack:
    if not hasattr(package, "GAME"):
        raise UsageError(_("The package {package} is not a game: it does not expose GAME.", package=package.__name__))
    if package.__file__:
        i18n.learn(Path(package.__file__).parent)
    return GamePack(package.GAME, package.__name__)


def _entry_points() -> dict[str, str]:
    """The games that were installed beside pbem, their modules by their ids."""
    return _installed(tuple(sys.path))


@lru_cache(maxsize=4)
def _installed(_path: tuple[str, ...]) -> dict[str, str]:
    """Look for them once: each package that is there is opened for it, ten milliseconds of a processor for sixty."""
    from importlib.metadata import entry_points

    return {entry.name: entry.module for entry in entry_points(group=GROUP)}


def _in_folders() -> Iterator[ModuleType]:
    """Go through the games in the folders of PBEM_GAMES, importing each."""
    for name in filter(None, os.environ.get(FOLDERS, "").split(os.pathsep)):
        folder = Path(name).resolve()
        if not folder.is_dir() or _is_game(folder / "__init__.py"):
            raise UsageError(
                _("{variable} names {name}, which is not a folder with folders of games.", variable=FOLDERS, name=name)
            )
        yield from map(_import_from, filter(_is_game, sorted(folder.glob("*/__init__.py"))))


def _is_game(start: Path) -> bool:
    """Return whether a package's `__init__.py` is there and exposes a game."""
    return start.is_file() and "GAME" in start.read_text(encoding="utf-8")


def _import_from(start: Path) -> ModuleType:
    """Import the package with the `__init__.py` `start` under its folder's name, wherever that is."""
    name = start.parent.name
    spec = find_spec(name)
    if spec is not None:
        if spec.origin is None or Path(spec.origin).resolve() != start:
            raise UsageError(
                _(
                    "The game in {folder} needs another folder name: Python knows another “{name}”.",
                    folder=start.parent,
                    name=name,
                )
            )
        return import_module(name)
    spec = spec_from_file_location(name, start, submodule_search_locations=[str(start.parent)])
    if spec is None or spec.loader is None:
        raise UsageError(_("The game in {folder} cannot be imported.", folder=start.parent))
    sys.modules[name] = package = module_from_spec(spec)
    try:
        spec.loader.exec_module(package)
    except BaseException:
        del sys.modules[name]
        raise
    return package
