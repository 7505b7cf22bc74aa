"""What several tests need of plans: POOL."""

from __future__ import annotations

POOL = (
    "BATTLE ANY ATTACKING: RETREAT Fife, Lennox, Angus, Lothian IF ODDS BELOW 1:2 OR ROUND 3; FIGHT; HITS ANY; REGROUP STAY",
    "BATTLE ANY DEFENDING: RETREAT Mar, Moray, Carrick, Dunbar, Mentieth IF LOST 2; FIGHT; HITS Wallace, ANY",
    "BATTLE ANY: FIGHT; HITS ANY; REGROUP ALL > Lennox", "NEXT ANY", "RAID WEAKEST", "GAINS WEAKEST",
    "HOME Bruce > Annan OR Carrick", "HOME Comyn > Badenoch", "HOME Moray > Moray OR STAY", "KEEP King, ANY",
    "WALLACE STAYS", "EDWARD GOES", "BUILD ANY: DRAW 1, STRENGTHEN NEW, WEAKEST", "BUILD Fife: DRAW 2",
    "BUILD Lanark: DRAW 2, LAND Annan OR Carrick, STRENGTHEN NEW",
    "ASK WHEN IT MATTERS",
)  # fmt: skip
