"""The first lesson of Swords Over Scotland: a formation, a castle, a battle won; and one that is lost, with a retreat."""

from __future__ import annotations

from pbem.games.taught import Step
from pbem.i18n import N_

_FORMATION = """\
SWORDS 2 for 2
ROUND 1 FLIP 3 sword 3 PLACE
LEADER pink
CUBES Fife: pink 2, yellow 3
CUBES Atholl: pink 1
CUBES Moray: yellow 1
BOARD pink: A1, A2, B2
GLORY The Crown:
GLORY Edinburgh Castle:
GLORY Drums: yellow 1
"""
_LOSING = """\
SWORDS 2 for 2
ROUND 2 FLIP 6 harp 2 BATTLES
LEADER yellow
DECK: stag 2, thistle 3, sword 1, harp 2, harp 3, stag 1
CUBES Moray: pink 2, yellow 5
CUBES Atholl: pink 1
CUBES Fife: pink 2
BOARD pink: A1, A2
GLORY The Crown:
GLORY Edinburgh Castle:
GLORY Drums: yellow 1
POINTS: pink 20, yellow 12
"""

STEPS = (
    Step(
        N_("Place a cube"),
        N_(
            "You play pink. The card shows a sword, so everybody places a cube on a free sword of the own board. "
            "Your cubes lie on A1, A2 and B2 and touch each other. A fourth beside them makes a formation; the "
            "number 3 says how many of it will march."
        ),
        N_("Touch A3 on your board, the sword below A2. Give the order."),
        ("PLACE A3",),
        N_(
            "A1, A2, A3 and B2 now form a T (rule 2 Deploy). B1 would have made a box. Yellow has placed a cube "
            "at the same moment, and could not see yours (rule 1 Place Cubes)."
        ),
        seat="pink",
        position=_FORMATION,
        others={"yellow": ("PLACE F1",)},
        traps={
            "B1": N_("B1 makes a box, which adds a cube anywhere. Here you want a castle: that takes a T."),
            "PLACE": N_("A cube there touches none of the others, so it makes no formation yet."),
        },
    ),
    Step(
        N_("Deploy"),
        N_(
            "Three of the four cubes go to a region where you have cubes already. A T also takes a castle on a "
            "border of that region. In Fife yellow has three cubes and you have two, and 7 start a battle there."
        ),
        N_("On your board, touch A1, then A2 and B2. Then touch Fife, and take Stirling. Give the order."),
        ("DEPLOY A1 A2 B2 A3 PULL A1 A2 B2 TO Fife THEN TAKE Stirling",),
        N_(
            "Three cubes came to Fife, and one of yours moved from there into Stirling (rule T-shape). That "
            "leaves four of you and three of yellow: seven, the number of the token. So there is a battle at once"
            " (rule 3 Battle)."
        ),
        traps={
            "Atholl": N_("In Atholl you are alone. The points are in Fife: reach seven cubes there."),
            "Perth": N_("Perth would do as well, on the border to Atholl. This time take Stirling."),
            "A3 A3": N_("Any three may go. This time leave A3 on your board."),
        },
    ),
    Step(
        N_("Castles first"),
        N_(
            "Stirling stands on a border of Fife, and it is yours. Before the battle it removes one cube, of any "
            "colour that you like."
        ),
        N_("Touch “Remove yellow”. Give the order."),
        ("KILL yellow",),
        N_(
            "Yellow is down to two. A castle works in every battle of the two regions beside it, as long as your "
            "cube is in it (rule 3 Battle)."
        ),
        traps={"pink": N_("That would be your own cube.")},
    ),
    Step(
        N_("Commit"),
        N_(
            "Four of you, two of yellow. Both secretly commit cubes; the most win. What you commit leaves the "
            "region, win or lose. Yellow cannot commit more than two."
        ),
        N_("Touch “Commit 3”. Give the order."),
        ("COMMIT 3",),
        N_(
            "Three beat two for certain, and one cube is left to hold Fife. You have 7 points for the battle. "
            "This was the last card of the round, so each region was scored, too: Fife and Atholl are yours (rule"
            " Round/Game End). Yellow got two points from the Drums, for a battle lost."
        ),
        others={"yellow": ("COMMIT 2",)},
        traps={
            "0": N_("Nothing committed wins nothing."),
            "1": N_("Yellow can commit two. One could lose."),
            "2": N_("Two against two would be a tie, and in a tie both lose (rule Ties)."),
            "4": N_("Four win as well, but then nobody of yours is left in Fife when it is scored."),
        },
    ),
    Step(
        N_("Lose well"),
        N_(
            "Round 2, a battle in Moray: five of yellow, two of you. Yellow commits what it takes, so you cannot "
            "win. But who loses may put committed cubes on a glory card."
        ),
        N_("Touch “Commit 1”. Give the order."),
        ("COMMIT 1",),
        N_(
            "Yellow had to commit three of its five to be sure, and has 7 points. Your one committed cube is "
            "still in your hand, and the other one retreats (rule 3 Battle, losers)."
        ),
        seat="pink",
        position=_LOSING,
        first={"yellow": ("BATTLE Moray",)},
        others={"yellow": ("COMMIT 3",)},
        traps={
            "0": N_("Then both of your cubes could only retreat. A committed cube can go to a glory card."),
            "2": N_("Then nobody is left to retreat. One for glory, and one for the road."),
        },
    ),
    Step(
        N_("Retreat, and glory"),
        N_(
            "Your other cube has to go to a neighbouring region. Atholl is yours already. Nobody has the Crown, "
            "which wins every tie."
        ),
        N_("Touch Atholl, then the Crown. Give the order."),
        ("RETREAT 1 Atholl\nGLORY 1 The Crown",),
        N_(
            "With one cube you have the most on the Crown, so you win ties from now on (rule The Crown). Two "
            "cubes hold Atholl, worth 6 points when the round ends."
        ),
        traps={
            "Ross": N_("Ross is far from your others. Join them in Atholl."),
            "Buchan": N_("Buchan is possible, but your others are in Atholl."),
            "Argyll": N_("Argyll is possible, but your others are in Atholl."),
            "Drums": N_("The Drums are yellow's; you would only tie. The Crown is free."),
            "Edinburgh": N_("Edinburgh Castle is good, too. This time take the Crown."),
        },
    ),
)
