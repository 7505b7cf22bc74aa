"""A position is read in a new process, as a host does that was started again."""

from __future__ import annotations

import json
import subprocess
import sys

from pbem.games.hammer import GAME
from tests.conformance import play

READ = """
import json, sys
from pbem.games.hammer import GAME
for line in sys.stdin:
    position = json.loads(line)
    assert GAME.dump(GAME.load(position)) == position
"""


def test_every_procedure_of_a_position_is_known_to_a_new_process() -> None:
    record = play(GAME, {"scenario": "braveheart"}, 5, 4000)
    seen: dict[str, str] = {}
    for stop in record.stops:
        for frame in stop.state.stack:
            seen[frame.at] = json.dumps(GAME.dump(stop.state))
    assert {"year", "turn", "battle", "builds"} <= set(seen)
    positions = "\n".join(seen.values())
    done = subprocess.run([sys.executable, "-c", READ], input=positions, text=True, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
