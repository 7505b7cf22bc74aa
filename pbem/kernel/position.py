"""Positions of a game whose state is plain: dataclasses, whose fields are the position's."""

from __future__ import annotations

from typing import Generic, TypeVar, cast

from pydantic import TypeAdapter, ValidationError

from pbem.errors import FormError
from pbem.i18n import _

from .wants import Json

S = TypeVar("S")


class PlainPosition(Generic[S]):
    """The position format that follows from a state's type; `title` is the game's."""

    def __init__(self, kind: type[S], title: str) -> None:
        self._states, self._title = TypeAdapter(kind), title

    def dump(self, state: S) -> dict[str, Json]:
        """Return the position of a state; what is None is left out."""
        return cast(dict[str, Json], self._states.dump_python(state, mode="json", exclude_none=True))

    def load(self, position: Json) -> S:
        """Return the state of a position. Raises FormError where it is none, or holds more than that."""
        try:
            state = self._states.validate_python(position)
        except ValidationError as error:
            said = error.errors()[0]
            where = ".".join(map(str, said["loc"])) or "position"
            raise FormError(
                _("This is no position of {game}: {where}: {why}.", game=self._title, where=where, why=said["msg"])
            ) from None
        if self.dump(state) != position:
            raise FormError(_("This is no position of {game}: it holds more than a position does.", game=self._title))
        return state
