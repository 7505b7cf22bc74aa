"""What several tests need of rules page: known_tests."""

from __future__ import annotations

import re

from tests.project.source import ROOT
from tests.rules_page import proofs_in

GAME = ROOT / "pbem" / "games" / "hammer"
PARAGRAPHS = re.findall(
    r"\d\.\d+",
    """
    1.0 1.1 1.2 1.3 1.4
    2.0 2.1 2.11 2.12 2.13 2.2 2.21 2.22 2.23 2.24 2.25 2.26
    3.0 3.1 3.11 3.12
    4.0 4.1 4.2 4.3 4.4 4.5 4.6 4.7
    5.0 5.1 5.2 5.3 5.31 5.32 5.33 5.4 5.41 5.5 5.6 5.7 5.8 5.9
    6.0 6.1 6.2 6.21 6.22
    7.0 7.1 7.12 7.2 7.3 7.31 7.32 7.4 7.5 7.6 7.61 7.62 7.63 7.7 7.8
    8.0 8.1 8.2 8.3
    9.0 9.1
    """,
)
EVENTS = ["Herald", "Pillage", "Sea Move", "Truce", "Victuals"]
SIDEBARS = [
    "Fog-of-War", "Border Movement Example", "Card Play", "Norse in Battle", "Attacker or Defender", "Combat Reserves",
    "Closing Borders", "Black Cross Blocks", "Defection Battles", "Coronation & English Event Card", "Raids and Truces",
    "Replacements", "Disbanding", "Noble Home Areas", "Schiltroms", "Tournament Play",
]  # fmt: skip


def known_tests() -> set[str]:
    """Return the names of all tests of this game, those of the suite for every game included."""
    files = [*(ROOT / "tests" / "hammer").glob("test_*.py"), *(ROOT / "tests" / "conformance").glob("*.py")]
    return proofs_in(files)
