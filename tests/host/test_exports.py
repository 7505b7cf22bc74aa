"""Whatever state a game is in, what its host exports is in order: an honest host never hands out a log that blames him.

The scenes of other tests are played here once more, with everything that may be said in a game; after each step of the host every
game of his is exported and judged.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from functools import partial, wraps
from pathlib import Path
from typing import Any

import pytest
import tiny_game

from pbem.errors import UsageError
from pbem.games import find
from pbem.host import Robot
from pbem.kernel import Game
from pbem.ledger import Log, verify
from pbem.referee.audit import audit
from pbem.referee.replaying import Shelf
from tests.stored import stored_rows

from . import another_host as hosts
from . import test_another_host as hosts_tests
from . import test_says as says
from .post import a_club, key_of

STEPS = (
    "invite",
    "take",
    "tick",
    "replace",
    "confirm",
    "adopt",
    "catch_up_with",
    "go_on",
    "hold",
    "cancel",
)
"""What a host does that may write into a log."""


class Exports:
    """What was exported after each step, by the kind of its last entry."""

    def __init__(self) -> None:
        self.ends: dict[str, int] = {}
        self.stages: set[str] = set()
        self._last = b""

    def judge(self, robot: Robot) -> None:
        for row in stored_rows(robot.store, "select id, game, stage from games"):
            data = robot.house.game(row["id"]).exported().dump()
            if data == self._last:
                continue
            self._last, log = data, Log.parse(data)
            found = audit(data, partial(_rules, robot), SHELF).verdict
            assert found.verdict == ("clean" if log.finished else "unfinished"), found
            self.ends[log.entries[-1].k] = self.ends.get(log.entries[-1].k, 0) + 1
            self.stages.add(row["stage"])


SHELF: Shelf = {("tiny", 1): (tiny_game.GAME, "0" * 64)}


def _rules(robot: Robot, game: str) -> tuple[Game, str]:
    """The rules that the host has, of whatever version; nobody compares their manifests here."""
    return robot.house.pack(game).rules, "0" * 64


@pytest.fixture
def exports(monkeypatch: pytest.MonkeyPatch) -> Iterator[Exports]:
    found = Exports()

    def watched(step: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(step)
        def done(robot: Robot, *given: Any, **named: Any) -> Any:
            outcome = step(robot, *given, **named)
            found.judge(robot)
            return outcome

        return done

    for name in STEPS:
        monkeypatch.setattr(Robot, name, watched(getattr(Robot, name)))
    begin = Robot.__init__

    def begun(robot: Robot, *given: Any, **named: Any) -> None:
        begin(robot, *given, **named)
        opened = robot.new_game
        robot.new_game = lambda *how, **more: watched(lambda _robot: opened(*how, **more))(robot)  # type: ignore[assignment]

    monkeypatch.setattr(Robot, "__init__", begun)
    yield found
    assert found.ends, "nothing was looked at"


SCENES: tuple[Callable[[Path], None], ...] = (
    says.test_of_three_the_others_play_on_against_the_defaults_of_who_resigned,
    says.test_a_draw_is_offered_and_agreed,
    says.test_leave_adds_time_within_its_budget,
    says.test_who_claims_in_time_wins_and_his_own_answer_stands_in_the_log,
    says.test_more_time_is_given_for_a_reason_that_all_read,
    says.test_an_answer_is_taken_back_by_consent,
    says.test_a_game_goes_on_by_other_rules_when_all_have_agreed,
    partial(says.test_a_player_changes_his_key_and_all_are_ready_again, lost=False),
    partial(says.test_a_player_changes_his_key_and_all_are_ready_again, lost=True),
    says.test_another_player_takes_the_seat_of_one_who_has_vanished,
    *(partial(hosts_tests.test_a_game_of_tiny_goes_on_under_another_host, answers=n) for n in (2, 5)),
    hosts_tests.test_two_new_hosts_are_one_too_many,
    hosts_tests.test_a_copy_that_goes_further_is_wound_back_and_kept,
)


@pytest.mark.slow
@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: getattr(scene, "__name__", "") or str(scene.keywords))
def test_what_is_exported_at_any_step_is_in_order(
    tmp_path: Path, exports: Exports, scene: Callable[[Path], None]
) -> None:
    """A signed head covers the last entry also between two “ready” and before the game begins, so an audit blames nobody."""
    scene(tmp_path)


@pytest.mark.slow
def test_a_log_exported_between_two_ready_ends_with_the_first(tmp_path: Path, exports: Exports) -> None:
    """Nothing of it is kept back, and it is signed, as when the last is ready."""
    says.test_a_player_changes_his_key_and_all_are_ready_again(tmp_path, lost=False)
    assert exports.ends["ready"] >= 2, "before the game begins, and after the call"
    assert exports.stages == {"joining", "readying", "playing", "ended"}


@pytest.mark.slow
def test_before_all_have_agreed_a_new_host_signs_nothing(tmp_path: Path) -> None:
    """He is none of that game; what was said for him stands behind the former host's last head."""
    with a_club(tmp_path, turns=3) as club:
        club.begin()
        before = club.robot.house.game(1).exported().dump()
        hosts.vanish(club)
        hosts.adopt(club)
        raw = club.deliver()["ann"][0]
        club.desks["ann"].newcomers.welcome(raw, club.now())
        assert club.take(club.letters(club.desks["ann"])[0]) == "agree: ann"
        exported = Log.parse(club.robot.house.game(club.number).exported().dump())
        assert exported.head == Log.parse(before).head
        assert club.log().head[0] == exported.head[0] + 1
        assert verify(exported).verdict == "unfinished"


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_whatever_is_said_in_whatever_order_the_export_is_in_order(tmp_path: Path, exports: Exports, seed: int) -> None:
    chance = random.Random(f"exports {seed}")
    terms = {"late": "claim"} if seed == 1 else {}
    with a_club(tmp_path, players=3, turns=4, hours=24, terms={"leave": 48, **terms}) as club:
        club.begin()
        for step in range(60):
            if not club.asked():
                break
            seat = chance.choice(list(club.desks))
            desk = club.desks[seat]
            try:
                match chance.choice(
                    ["order"] * 5 + ["draw", "leave", "claim", "rekey", "ready", "ready", "tick", "resign"]
                ):
                    case "order" if club.log().entries[-1].k != "rekey":
                        club.take(club.order(chance.choice(club.asked())))
                    case "leave":
                        club.say(seat, "leave", hours=1)
                    case "rekey":
                        desk.keys.rekey(key_of(f"{seat} {seed} {step}"), club.now())
                        for letter in club.letters(desk):
                            club.take(letter)
                    case "tick":
                        club.minute += 60 * 30
                        club.robot.tick(club.now())
                    case "ready":
                        for name, raws in club.deliver().items():
                            for raw in raws:
                                if b"compare the keys" in raw:
                                    club.desks[name].join(raw, club.now())
                                else:
                                    club.desks[name].read(raw)
                        for letter in club.letters(desk):
                            club.take(letter)
                    case "resign" if step > 40:
                        club.say(seat, "resign")
                    case act if act in ("draw", "claim"):
                        club.say(seat, act)
            except (UsageError, ValueError):
                continue  # his program says that it does not fit, or has nothing to send
        assert len(exports.ends) > 3
        assert club.log().entries[-1].n > 12


@pytest.mark.slow
def test_the_shipped_games_are_exported_in_order_too(tmp_path: Path, exports: Exports) -> None:
    with a_club(tmp_path, game="lords") as club:
        club.begin()
        for _ in range(4):
            club.take(club.order(club.asked()[0]))
            club.read_all()
        assert find("lords").rules.id == "lords"
    assert exports.ends["ask"] > 1
