"""What several tests need of setting up: PUZZLE, BATTLES."""

from __future__ import annotations

PUZZLE = """\
swords 2 for 3   # of a letter
ROUND 2 FLIP 5 stag 3 PLACE
LEADER yellow
DECK: stag 1, thistle 3, sword 3, sword 1,
    harp 2, harp 3, harp 1
CUBES mor: pink 3, yellow 2, picts
CASTLES: Perth pink, Blair picts
BOARD pink: A1, B1, C2 pict
GLORY Crown: yellow
GLORY Banner: pink 2, yellow
GLORY Cardinal:
POINTS: pink 12, yellow 4
PICTS 4
CARDINAL Fife
"""
BATTLES = """\
SWORDS 2 for 2
ROUND 1 FLIP 1 stag 3 BATTLES
LEADER yellow
CUBES Moray: pink 4, yellow 4
CUBES Fife: pink 4, yellow 4
GLORY Drums:
"""
