"""The machine under every game: a board and a stack of frames.

A frame is a small frozen dataclass, one for each procedure of a rule book (a year, a battle, a retreat). It contains the
procedure's locals and a *named* step. Every step of a frame has either

- ``do_<step>(run)``, which changes the board or the stack, or
- ``want_<step>(board) -> Ask | Chance`` together with ``take_<step>(run, given)``, where the rules need outside input: ``given`` is
  ``{seat: order}`` of all asked seats, or the outcome of chance.

``run.call(frame)`` pushes a frame and ``run.done()`` pops it, so a procedure never knows its caller. What a state wants follows
from the state alone: it is `want_…` of the top frame. Boards and frames are never changed in place.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from pbem.errors import EndlessError
from pbem.i18n import _

from .facts import Happening
from .values import CHANGE, changed
from .wants import End, Event, Fact, Json, Open, Release, Show, Stop, Wants

MOST_STEPS = 10_000
"""The maximum number of steps the rules may take without outside input; no game here takes a hundred."""

B = TypeVar("B")


@dataclass(frozen=True, slots=True)
class Frame:
    """The base of all frames; `step` names the procedure's current step."""

    step: str


class Run(Generic[B]):
    """The desk on which one step is worked: the board, the stack, and the events so far."""

    __slots__ = ("board", "events", "result", "stack")

    def __init__(self, board: B, stack: tuple[Any, ...]) -> None:
        self.board = board
        self.stack = list(stack)
        self.events: list[Event] = []
        self.result: Json | None = None

    def goto(self, step: str, **changes: Any) -> None:
        """Move the frame on top to another step, changing its locals as named."""
        frame, changes["step"] = self.stack[-1], step
        self.stack[-1] = CHANGE[frame.__class__](frame, changes)

    def call(self, frame: Frame, then: str, **changes: Any) -> None:
        """Push `frame`; when it is done, the current frame continues at step `then`."""
        self.goto(then, **changes)
        self.stack.append(frame)

    def done(self) -> None:
        """Pop the top frame; its caller continues at the step it named."""
        self.stack.pop()

    def end(self, result: Json) -> None:
        """End the game, from wherever in the stack."""
        self.result = result
        self.stack.clear()

    def tell(self, public: Happening | Json | None, *knowing: str, **private: Json) -> None:
        """Record a fact. Only the seats `knowing` hear its hidden fields; if `knowing` is empty, everybody does.

        If the fact is JSON, `public` is what everybody hears and `private` what some seats hear instead.
        """
        self.events.append(Fact(public, knowing if isinstance(public, Happening) else private))

    def show(self, seat: str, label: str, place: int) -> None:
        """Give a dealt place to one seat."""
        self.events.append(Show(seat, label, place))

    def open(self, label: str, place: int) -> None:
        """Turn a dealt place up for everybody."""
        self.events.append(Open(label, place))

    def release(self, label: str) -> None:
        """Let the link of a deal be shown."""
        self.events.append(Release(label))


def wants(board: Any, stack: tuple[Any, ...], result: Json | None) -> Wants:
    """What a state at rest wants: the question of the frame on top, or the end."""
    if result is not None:
        return End(result)
    frame = stack[-1]
    wanted: Wants = _WANT[frame.__class__][frame.step](frame, board)
    return wanted


class _Work(dict[type, dict[str, Any]]):
    """By class of frames what its frames do, want or take, by step: to look up a method by a name put together takes longer."""

    def __init__(self, what: str) -> None:
        self._what = what

    def __missing__(self, kind: type) -> dict[str, Any]:
        names = [name for name in dir(kind) if name.startswith(self._what)]
        self[kind] = found = {name.removeprefix(self._what): getattr(kind, name) for name in names}
        return found


_DO, _WANT, _TAKE = _Work("do_"), _Work("want_"), _Work("take_")


def advance(state: Any, given: Any = None) -> Stop:
    """Run a state (with fields `board`, `stack`, `result`) until something from outside is needed.

    `given` answers what the state wants; None is for a state that has just been set up. The state given is left as it is.
    Raises EndlessError where that is still not so after `MOST_STEPS` steps.
    """
    run: Run[Any] = Run(state.board, state.stack)
    if given is not None:
        frame = run.stack[-1]
        _TAKE[frame.__class__][frame.step](frame, run, given)
    steps = 0
    while run.result is None:
        frame = run.stack[-1]
        do = _DO[frame.__class__].get(frame.step)
        if do is None:
            break
        if steps == MOST_STEPS:
            raise EndlessError(_("the rules have taken {most} steps and come to no end", most=MOST_STEPS))
        do(frame, run)
        steps += 1
    stack = tuple(run.stack)
    after = changed(state, board=run.board, stack=stack, result=run.result)
    return Stop(after, tuple(run.events), wants(run.board, stack, run.result))
