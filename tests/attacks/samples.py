"""Writes the sample logs of what is said besides orders, and what follows: `python -m tests.attacks.samples`.

They lie in `tests/ledger/data/said/`, for whoever writes another checker, and stay as they are when games or their dice change:
a log verifies for ever. The misdeeds are mounted on the same games by the tests beside this file.
"""

from __future__ import annotations

from pathlib import Path

from . import (
    ahead,
    another_host,
    calls,
    other_rules,
    rekey,
    replace,
    takeback,
    talk,
)
from .recorded import Recorded

FOLDER = Path(__file__).parents[1] / "ledger" / "data" / "said"


def recorded() -> dict[str, Recorded]:
    """Return the honest games, by the name of their file."""
    return {
        "talk": talk.a_talk(),
        "resignations": talk.resignations(),
        "takeback": takeback.a_game(),
        "rules": other_rules.a_game(),
        "rekey": rekey.a_game(),
        "recovery": rekey.a_game("the recovery key"),
        "player": replace.a_game(),
        "player_after_claim": replace.a_game("claim"),
        "another_host": another_host.a_game(),
        "ahead": ahead.a_game(),
        "calls": calls.a_game(),
    }


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, game in recorded().items():
        (FOLDER / f"{name}.pbem").write_bytes(game.whole)


if __name__ == "__main__":
    main()
