"""What several tests need of setting up: PUZZLE, CLAIMS."""

from __future__ import annotations

PUZZLE = """\
lords 1 for 3   # of a letter
ROUND 2 TURN 4 carrick
INITIATIVE buchan
SUPPORTERS: Scott 12, Wemyss 9, Makgill 2
RECRUITS: Ferg 2, Forsyth 8 down, Wemyss 1,
  Scott 7, Cockburn 5
HAND angus: Scott 8, Makgill 3
HAND carrick: Wemyss 3, Ferguson 4, mac 11
ARMY angus: Forsyth 9, Forsyth 4 down
ARMY buchan: Cochrane 3 active, Scott 10 down seen buchan carrick, Scott 1 active Mac
ARMY carrick: MacDonnell 12
WON angus: MacDonnell 7
TAKEN angus: Makgill 3
PILE: Cockburn 12, Scott 2, rest
"""
CLAIMS = """\
LORDS 1 for 2
ROUND 3 CLAIMS
SUPPORTERS: Scott 12, Wemyss 9
ARMY angus: Wemyss 5
ARMY buchan: Cockburn 6
"""
