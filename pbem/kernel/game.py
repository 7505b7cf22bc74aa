"""The contract that every game keeps.

`Rules` are a state machine over an immutable state. `Law` says what is legal, and sees only views. Both together, with the game's
description of itself, are a `Game`. Optional abilities are separate base classes: `Planning`, `SendingAhead`, `ChangingHosts`. The
drivers of a game (referee, audit, test, bot) use only these classes, and detect abilities by `isinstance`. `tests/conformance`
checks these obligations for every game:

- a state, and so what it wants, follows only from the options and the input so far;
- legality follows only from the asked seat's own view: `options`, `why_not`, `default` and `parse` see nothing but a view;
- `view` contains exactly what a seat may know, as JSON without nulls and floats; its texts are names from the game;
- `step` is called only with legal orders of all asked seats, or with the requested outcome; it never changes its argument;
- `load(dump(s)) == s`, and the fingerprint is taken over `dump`.
"""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar, NamedTuple

from pydantic import BaseModel, ValidationError

from pbem.errors import OrderError, Problem, UsageError
from pbem.i18n import _
from pbem.i18n.misfits import misfit, place

from .frames import advance, wants
from .options import Chooser, Options
from .order import Order, View, read_lines
from .position import PlainPosition, written
from .trusted import maker
from .wants import Json, Outcome, Stop, Unseen, Wants


class Refusal(NamedTuple):
    """Why an order is illegal: a sentence without its full stop, and the rule's number.

    In a game without touches, `legal` says what would be legal; in other games the touches say it (`pbem.games.touching`).
    """

    why: str
    rule: str = ""
    legal: str = ""


class Planned(NamedTuple):
    """What a plan answers: the order, and the clause of the plan that spoke."""

    order: Order
    clause: str


def fingerprint(position: str, wanted: Wants) -> str:
    """Return the SHA-256, in hex, of a position (canonical JSON) together with its open question."""
    question = {"k": type(wanted).__name__.lower(), **(wanted.json() if hasattr(wanted, "json") else {})}
    return hashlib.sha256(f"[{position},{written(question)}]".encode()).hexdigest()


class Rules(ABC):
    """What follows from a state. That is any frozen value, and only the game looks inside.

    Where it has the fields `board`, `stack` and `result`, `pbem.kernel.frames` runs it: then `step` and `wants` are here already.
    """

    position: ClassVar[PlainPosition[Any]]
    """The format of positions; a game with another format overrides `dump` and `load`."""

    @abstractmethod
    def start(self, options: Json) -> Stop:
        """Set the game up and run to the first thing wanted. Raises UsageError for options that do not fit."""

    def step(self, state: Any, given: Mapping[str, Order] | Outcome) -> Stop:
        """Continue from `state` with its wanted input: the orders of all asked seats together, or the outcome of chance."""
        return advance(state, given)

    def wants(self, state: Any) -> Wants:
        """Return what `state` wants, from the state alone."""
        return wants(state.board, state.stack, state.result)

    @abstractmethod
    def view(self, state: Any, seat: str | None) -> dict[str, Json]:
        """Return all that `seat` may know (None: the public), as the JSON form of `view_model`."""

    def dump(self, state: Any) -> dict[str, Json]:
        """Return the documented position of `state`, as JSON."""
        return self.position.dump(state)

    def load(self, position: Json) -> Any:
        """Return the state of a position. Raises FormError."""
        return self.position.load(position)

    def resigned(self, state: Any, gone: tuple[str, ...], left: tuple[str, ...]) -> str | None:
        """Return the winner when the seats `gone` are out ("" for nobody), or None if the game continues without them.

        A seat is out when it has resigned or lost on time. From then on its default answers are used.
        """
        return left[0] if len(left) == 1 else None

    def told_secret(self, before: Any, after: Any) -> bool:
        """Return whether a seat learned hidden information between one question and the next, which was put at `after`.

        This is so wherever hidden information decided what the seat saw, even if only its next question. Otherwise a player could
        answer, look and take the answer back. Nothing before such a step can be taken back. Ignore chance, dealt cards and sealed
        answers that are shown: the driver of the rules sees those. By default, nothing can be taken back.
        """
        return True

    def fingerprint(self, state: Any) -> str:
        """Return the SHA-256, in hex, of position and open question in canonical JSON."""
        return fingerprint(written(self.dump(state)), self.wants(state))


class Law(ABC):
    """What follows from a view: what its seat may answer."""

    view_model: ClassVar[type[View]]
    """The model of `view`'s JSON, for seats and for the public."""

    def read_view(self, view: Json) -> View:
        """Return the typed form of a view's JSON."""
        return self.view_model.model_validate(view)

    def own_view(self, made: Json) -> View:
        """Return the same for JSON that these very rules have just made, and nobody could change: nothing is checked again."""
        as_usual = type(self).read_view is Law.read_view
        return maker(self.view_model)(made) if as_usual else self.read_view(made)

    @abstractmethod
    def options(self, view: View) -> Options:
        """Return the legal answers of the seat that is asked in `view`."""

    @abstractmethod
    def why_not(self, view: View, order: Order) -> Refusal | None:
        """Return why `order` is not legal in `view`, or None if it is."""

    @abstractmethod
    def default(self, view: View) -> Order:
        """Return the answer taken for a seat that stays silent: a function of its view."""

    @abstractmethod
    def parse(self, view: View, text: str) -> Order:
        """Read a typed order for the question asked in `view`. Raises OrderError with all bad lines."""

    @abstractmethod
    def determinise(self, view: View, chooser: Chooser) -> Any:
        """Return some full state that fits a seat's view: its view is that view."""


class Game(Rules, Law):
    """A game: its rules and its law, and what it says of itself before it begins."""

    id: ClassVar[str]
    """A short name, `[a-z]+`, as in the log."""
    title: ClassVar[str]
    version: ClassVar[int]
    """Rises only when play changes (PROTOCOL 6)."""
    options_model: ClassVar[type[BaseModel]]
    """The model of the game's options; every field has a default."""

    def read_options(self, options: Json) -> Any:
        """Return the typed form of a game's options. Raises UsageError."""
        try:
            return self.options_model.model_validate(options)
        except ValidationError as error:
            said, schema = error.errors()[0], self.options_model.model_json_schema()
            where, why = place(said, schema) or "options", misfit(said, schema)
            raise UsageError(
                _("{game} cannot be played so: {where}: {why}.", game=self.title, where=where, why=why)
            ) from None

    def remarks(self, options: Json) -> tuple[str, ...]:
        """Return what a player should know about these options beyond their names and values, in short sentences."""
        return ()

    def following(self, options: Json) -> tuple[tuple[str, dict[str, Json]], ...]:
        """Return which games follow from one with these options, each with those of its own options that are settled by now."""
        return ()

    @abstractmethod
    def seats(self, options: Json) -> tuple[str, ...]:
        """Return the seat ids, in the order in which the game names them."""


class Planning(ABC):
    """A game in which a seat may say in advance what it answers."""

    @abstractmethod
    def read_plans(self, text: str) -> str:
        """Return the canonical text of typed plans ("" for none). Raises OrderError."""

    @abstractmethod
    def planned(self, view: View, plans: str) -> Planned | None:
        """Return what `plans` (canonical) answer to the question asked in `view`, or None where they do not cover it."""


class SendingAhead:
    """A game in which orders may be sent ahead, for marked questions that come later."""

    title: ClassVar[str]
    marked: ClassVar[tuple[str, ...]]
    """The marked questions to a seat (`Ask.what`), one after the other, over and over."""

    def read_ahead(self, view: View, what: str, text: str) -> str:
        """Return the canonical text of a typed order for a marked question that comes later. Raises OrderError.

        Whether it is legal shows when the question is put.
        """
        raise OrderError(Problem(0, text, _("in {game} nothing can be sent ahead", game=self.title)))

    def bounds(self, view: View) -> tuple[str, ...]:
        """Return the canonical conditions that every premove sent from a view must meet."""
        return ()

    def read_condition(self, text: str) -> str:
        """Return the canonical text of a condition for an order sent ahead. Raises OrderError."""
        raise OrderError(Problem(0, text, _("{game} has no conditions for orders sent ahead", game=self.title)))

    def holds(self, view: View, condition: str) -> bool:
        """Return whether a canonical condition is true in the asked seat's view."""
        return False


class ChangingHosts:
    """A game that can continue under another host."""

    def unseen(self, state: Any) -> tuple[Unseen, ...] | None:
        """Return the dealt cards that no seat has seen, in groups; () if each card is known to some seat.

        If the game continues under another host, these are dealt again: everything else is known from the players' copies. So the
        result must follow only from the seats' combined knowledge. None if the rules, from another pbem version, do not say.
        """
        return None

    def dealt_anew(self, state: Any, drawn: Outcome) -> Any:
        """Return the state with the cards of each group that `unseen` names lying as drawn, in the order of its places.

        No seat's view changes by it.
        """
        return state


BESIDES = (Planning, SendingAhead, ChangingHosts)
"""The optional abilities of a game."""


def unseen(game: Game, state: Any) -> tuple[Unseen, ...] | None:
    """Return the part of a state that no seat knows; None if the game does not say so, and cannot continue under another host."""
    return game.unseen(state) if isinstance(game, ChangingHosts) else None


def read_plans(game: Game, text: str) -> str:
    """Return the canonical text of typed plans ("" for none). Raises OrderError, for every plan where the game takes none."""
    if not text:
        return ""
    if isinstance(game, Planning):
        return game.read_plans(text)
    if lines := read_lines(text):
        raise OrderError(*(Problem(line.no, line.text, _("{game} takes no plans", game=game.title)) for line in lines))
    return ""
