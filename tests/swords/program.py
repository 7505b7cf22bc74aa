"""What several tests need of program: SHORT."""

from __future__ import annotations

from pbem.games.swords.rules.parts import STANDARD

SHORT = STANDARD.model_dump(mode="json") | {
    "rounds": 1,
    "deployment_cards": [{"icon": icon, "number": 2} for icon in STANDARD.icons],
}
"""A game of four flips, for tests of the program."""
