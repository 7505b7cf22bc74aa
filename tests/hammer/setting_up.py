"""What several tests need of setting up: PUZZLE, YEAR."""

from __future__ import annotations

PUZZLE = """\
hammer 2 Braveheart  # of a letter
YEAR 1299 TURN 2
ENGLISH Lanark: Stewart, York Inf 2,
  Hobelars
ENGLISH england: Edward
SCOTTISH Fife: Wallace 4, Douglas 3
SCOTTISH dead: Norse
CARDS english: Move 3, Herald (1), Move 1, Truce, Move 2
CARDS scottish: Move 2 (1), Move 3, Move 1, Pillage, Victuals
"""
YEAR = "HAMMER 2 braveheart\nYEAR 1300\n"
