"""What goes wrong in a world, for some days: drawn from its seed, and ended after a while; and what mends the rest."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .people import DAY, HOUR
from .tasks import Program

if TYPE_CHECKING:
    from .world import World


class Troubles:
    """Those of one world. What they change stands in the world itself, which others look at."""

    def __init__(self, world: World) -> None:
        self.world = world

    def comes(self) -> None:
        """Let something go wrong, for a while."""
        chance = self.world.chance
        if self.world.calm:
            return
        self.world.sim.after(chance.randint(HOUR, DAY), self.comes)
        long = chance.choice((600, 2 * HOUR, 10 * HOUR, 30 * HOUR))
        match chance.randrange(14):
            case 0 | 1 | 2:
                self._falls(chance.choice((long, 60 * HOUR)))
            case 3:
                self.world.note("a storm: from the next mail on, the host is killed again and again")
                self.world.lurks = True
            case 4 | 5:
                self._for(long, "the mailbox is away", self.world.mailbox, "away", value=True, back=False)
            case 6:
                self._for(long, "lines to the mailbox are cut", self.world.mailbox, "cuts", value=0.4, back=0.0)
            case 7:
                self._for(long, "no letters go out", self.world.submission, "away", value=True, back=False)
            case 8:
                self._for(long, "some letters go out", self.world.submission, "failing", value=0.6, back=0.0)
            case 9:
                self._for(min(long, 10 * HOUR), "the disk is full", self.world.disk, "full", value=True, back=False)
            case 10:
                self._for(
                    min(long, 10 * HOUR),
                    "the store is locked at times",
                    self.world.disk,
                    "busy",
                    value=True,
                    back=False,
                )
            case 11:
                leap = chance.choice((-5 * DAY, -3 * HOUR, -60, 60, 3 * HOUR, 30 * HOUR, 80 * HOUR))
                self._for(long, f"the host's clock is wrong by {leap}", self.world, "skew", value=leap, back=0)
            case 12:
                self._for(long, "servers write down false times", self.world, "lies", value=0.5, back=0.0)
            case 13:
                self._loses_its_store(long)

    def _for(self, seconds: int, what: str, thing: Any, name: str, *, value: Any, back: Any) -> None:
        self.world.note(f"{what}, for {seconds} s")
        setattr(thing, name, value)

        def heal() -> None:
            if getattr(thing, name) != back:
                self.world.note(f"no more: {what}")
                setattr(thing, name, back)

        self.world.sim.after(seconds, heal)

    def takes_a_mail(self) -> None:
        """The host is about to store a mail: the moment for a storm."""
        if self.world.lurks and self.world.host is not None and self.world.sim.now in self.world.host.tasks:
            self.world.lurks, self.world.storm = False, self.world.chance.randint(4, 12)
            self.world.host.kill_at = self.world.host.steps + self.world.chance.randint(
                3, self.world.chance.choice((8, 12, 40))
            )

    def decides_once_more(self) -> None:
        """The host is about to decide on a mail over which it was killed: the storm may go on there."""
        if (
            self.world.storm
            and self.world.host is not None
            and self.world.sim.now in self.world.host.tasks
            and self.world.chance.random() < 0.8
        ):
            self.world.host.kill_at = self.world.host.steps + self.world.chance.randint(3, 12)

    def _falls(self, seconds: int) -> None:
        """The host is killed, or told to stop, and stays away for a while."""
        self.world.note(f"the host is to be down for {seconds} s")
        self.world.down = True
        if self.world.host is not None:
            if self.world.running is not None and self.world.chance.random() < 0.3:
                self.world.running.stop()
            else:
                self.world.sim.kill(self.world.host)
        self.world.sim.after(seconds, self._rises)

    def _rises(self) -> None:
        if self.world.down and not (self.world.store_is_gone and self.world.host):
            self.world.down = False
            self.world.starts()

    def _loses_its_store(self, seconds: int) -> None:
        """The disk with the store is not there when the machine starts; some time later somebody notices."""
        if self.world.store_is_gone:
            return
        if self.world.host is not None:
            self.world.sim.kill(self.world.host)
        for program in list(self.world.sim.programs):
            self.world.sim.kill(program)
        self.world.note(f"the store is gone, for {seconds} s")
        self.world.laws.look_away()
        aside = self.world.folder / "aside"
        aside.mkdir(exist_ok=True)
        for path in self.world.home.glob("pbem.sqlite*"):
            path.rename(aside / path.name)
        self.world.store = aside / "pbem.sqlite"
        if self.world.chance.random() < 0.5:
            (self.world.home / "pbem.sqlite").write_bytes(b"")
        self.world.store_is_gone = True
        self.world.sim.after(seconds, self.finds_its_store)

    def finds_its_store(self) -> None:
        if not self.world.store_is_gone:
            return
        for program in list(self.world.sim.programs):
            self.world.sim.kill(program)
        self.world.note("the store is found")
        self.world.laws.look_away()
        for path in self.world.home.glob("pbem.sqlite*"):
            path.unlink()
        for path in (self.world.folder / "aside").glob("pbem.sqlite*"):
            path.rename(self.world.home / path.name)
        self.world.store, self.world.store_is_gone = self.world.home / "pbem.sqlite", False

    def mends(self) -> None:
        """Each day: the operator lets what failed be tried again, and who waits in vain asks for what he may have missed."""
        program = Program("retry")

        def work() -> None:
            office = self.world._office(program)
            office.sending.send_again()
            for outcome in office.robot.retry():
                self.world.note(f"retry: {outcome}")
            office.send(self.world.clock())
            office.close()

        self.world.sim.spawn(program, "retry", work)
        for player in self.world.players.values():
            if not player.has_finished():
                player.waits_in_vain()
        self.world.sim.after(DAY, self.mends)
