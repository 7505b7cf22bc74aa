"""Programs that run by turns: threads of which one alone works at a time, on a clock that the seed moves.

The host's threads, and the programs beside it, are tasks. A task works until it waits: for a queue, a bell, a server, some seconds.
Which of those that can go on goes on next is drawn. A program that is killed meets `Killed` wherever it touches the world, at once
and ever after: nothing that it would have done on its way out is done, as with SIGKILL.
"""

from __future__ import annotations

import heapq
import queue
import random
import threading
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from typing import Any, Generic, TypeVar
from unittest.mock import patch

T = TypeVar("T")


class Killed(BaseException):
    """The program is no more; nothing catches this."""


class Program:
    """One program of the world, with its tasks; `kill_at` is the step at which it is killed, 0 for never."""

    def __init__(self, name: str, kill_at: int = 0) -> None:
        self.name, self.kill_at, self.steps, self.dead = name, kill_at, 0, False
        self.tasks: list[Task] = []
        self.leave: list[Callable[[], object]] = []
        """What the system does where a program has ended: files are closed, locks given back."""
        self.failed: BaseException | None = None
        self.works = False
        """Has it begun its work? Before, it may end where its store cannot be used."""

    @property
    def over(self) -> bool:
        """Has it come to its end, in whatever way?"""
        return all(task.done for task in self.tasks)


class Task:
    """One thread of a program."""

    def __init__(self, sim: Scheduler, program: Program, name: str, work: Callable[[], object]) -> None:
        self.sim, self.program, self.name, self._work = sim, program, name, work
        self.wake: int | None = sim.time
        self.until: Callable[[], bool] | None = None
        self.done = False
        self._go = threading.Lock()
        self._go.acquire()
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        self._go.acquire()
        try:
            if not self.program.dead:
                self._work()
        except Killed:
            pass
        except BaseException as error:  # noqa: BLE001 - the world looks at how a program ended
            self.program.failed = error
        self.done = True
        self.sim.back.release()

    def can_run(self) -> bool:
        """Has what it waits for come?"""
        if self.done:
            return False
        return (
            self.program.dead
            or (self.wake is not None and self.wake <= self.sim.time)
            or bool(self.until and self.until())
        )

    def go_on(self) -> None:
        """Let it work until it waits again; called by the world."""
        self.sim.now, before = self, self.sim.now
        self._go.release()
        self.sim.back.acquire()
        self.sim.now = before

    def wait(self, seconds: int | None, until: Callable[[], bool] | None = None) -> None:
        """Let the others work, for so many seconds (None: for ever), or until something is so; called by the task."""
        self.wake = None if seconds is None else self.sim.time + seconds
        self.until = until
        self.sim.back.release()
        self._go.acquire()
        self.wake = self.until = None
        if self.program.dead:
            raise Killed


class Scheduler:
    """The clock, what is to happen when, and the tasks. `time` counts seconds."""

    def __init__(self, chance: random.Random) -> None:
        self.chance, self.time = chance, 0
        self.now: Task | None = None
        self.back = threading.Lock()
        self.back.acquire()
        self._events: list[tuple[int, int, Callable[[], object]]] = []
        self._count = 0
        self.programs: list[Program] = []

    def at(self, time: int, do: Callable[[], object]) -> None:
        """Let something happen at a time."""
        self._count += 1
        heapq.heappush(self._events, (max(time, self.time), self._count, do))

    def after(self, seconds: int, do: Callable[[], object]) -> None:
        """Let something happen so many seconds from now."""
        self.at(self.time + seconds, do)

    def spawn(self, program: Program, name: str, work: Callable[[], object]) -> Task:
        """Begin a task of a program."""
        task = Task(self, program, name, work)
        program.tasks.append(task)
        if program not in self.programs:
            self.programs.append(program)
        return task

    def step(self) -> None:
        """Let the next thing happen, whichever it is."""
        able = [task for program in self.programs for task in program.tasks if task.can_run()]
        if not able and not (self._events and self._events[0][0] <= self.time):
            wakes = [
                task.wake
                for program in self.programs
                for task in program.tasks
                if task.wake is not None and not task.done
            ]
            self.time = min([*wakes, *(event[0] for event in self._events[:1])])
            able = [task for program in self.programs for task in program.tasks if task.can_run()]
        ready = bool(self._events and self._events[0][0] <= self.time)
        chosen = self.chance.randrange(len(able) + ready)
        if chosen == len(able):
            heapq.heappop(self._events)[2]()
        else:
            able[chosen].go_on()
        self._bury()

    def kill(self, program: Program) -> None:
        """End a program where it stands."""
        program.dead = True
        for task in list(program.tasks):
            while not task.done and task is not self.now:
                task.go_on()
        self._bury()

    def _bury(self) -> None:
        for program in [one for one in self.programs if one.dead or one.over]:
            if program.dead:
                for task in list(program.tasks):
                    while not task.done:
                        task.go_on()
            self.programs.remove(program)
            for leave in program.leave:
                leave()

    def seam(self) -> None:
        """A place where the program that works may be killed: before or after something of it is seen outside."""
        if self.now is None:
            return
        program = self.now.program
        program.steps += 1
        if program.steps == program.kill_at:
            program.dead = True
        if program.dead:
            raise Killed

    def takes(self, seconds: int) -> None:
        """What takes time: others work meanwhile."""
        self.seam()
        if self.now is not None:
            self.now.wait(seconds)

    def wait_for(self, until: Callable[[], bool], seconds: int | None = None) -> None:
        """Let the task that works wait until something is so, for so many seconds at the most."""
        self.seam()
        if self.now is not None and not until():
            self.now.wait(seconds, until)

    # -- what stands in the place of the threads of the program --------------------------------------------------------

    @contextmanager
    def instead_of_threads(self) -> Iterator[None]:
        """Let the host's queue, threads and futures be those of this clock."""
        sim, result = self, Future.result

        class Queue(_Queue[Any]):
            scheduler = sim

        class Threads:
            def __init__(
                self, target: Callable[..., object], args: tuple[Any, ...] = (), name: str = "", **_: object
            ) -> None:
                assert sim.now is not None
                self._program, self._name = sim.now.program, name
                self._work: Callable[[], object] = lambda: target(*args)
                self._task: Task | None = None

            def start(self) -> None:
                self._task = sim.spawn(self._program, self._name, self._work)

            def is_alive(self) -> bool:
                return self._task is not None and not self._task.done

            def join(self, timeout: float | None = None) -> None:
                sim.wait_for(lambda: not self.is_alive(), None if timeout is None else int(timeout) + 1)

        def wait_and_tell(future: Future[Any], timeout: float | None = None) -> Any:
            if sim.now is not None and not future.done():
                sim.wait_for(future.done, None if timeout is None else int(timeout) + 1)
            return result(future, 0 if sim.now is not None else timeout)

        class Queues:
            SimpleQueue = Queue
            Empty = queue.Empty

        with (
            patch("pbem.host.run.RETRY", (1, 60, 1800)),
            patch("pbem.host.run.queue", Queues),
            patch("pbem.host.run.Thread", Threads),
            patch.object(Future, "result", wait_and_tell),
        ):
            yield


class _Queue(Generic[T]):
    """A queue for one who takes."""

    scheduler: Scheduler

    def __init__(self) -> None:
        self._items: deque[T] = deque()

    def put(self, item: T) -> None:
        self.scheduler.seam()
        self._items.append(item)

    def get(self, block: bool = True, timeout: float | None = None) -> T:
        if block:
            self.scheduler.wait_for(lambda: bool(self._items), None if timeout is None else int(timeout + 0.999))
        if not self._items:
            raise queue.Empty
        return self._items.popleft()

    def get_nowait(self) -> T:
        return self.get(block=False)

    def empty(self) -> bool:
        return not self._items
