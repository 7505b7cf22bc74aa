"""The first lesson of Swords Over Scotland: a formation, a castle, a battle won; and one that is lost, with a retreat."""

from __future__ import annotations

from pbem.games.taught import Step
from pbem.i18n import N_

_FORMATION = """\
SWORDS 2 for 2
ROUND 1 FLIP 12 sword 4 PLACE
LEADER pink
CUBES Fife: pink 1, yellow 3
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
            "You play pink. Battles and regions give points, and after three rounds the most points win. Each turn turns a "
            "card over, which stands above the map at the left. It shows a sword: all players place a cube on a free sword "
            "of their own board. Four cubes that touch each other make a formation, and go to the map. The number beside "
            "the sword says how many go, here 4. Your first three lie on A1, A2 and B2."
        ),
        N_("Touch A3 on your board, the sword below A2. Give the order."),
        ("PLACE A3",),
        N_(
            "A1, A2, A3 and B2 now form a T (rule 2 Deploy). Each shape does something more: a T takes a castle, and a box "
            "would have added a cube. Yellow has placed a cube at the same moment, and could not see yours (rule 1 Place "
            "Cubes)."
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
            "Your four cubes go to one region, where you have a cube already. Then the T takes a castle on a border of "
            "that region: one of your cubes there moves into it. The number of a region says how many cubes start a battle, "
            "and how many points it gives. Fife has a 7. Yellow has three cubes there, and you have one."
        ),
        N_(
            "Touch Fife, then “Then take a castle”. Touch Stirling, the castle between Fife and Lothian. Give the order."
        ),
        ("DEPLOY A1 A2 B2 A3 PULL A1 A2 B2 A3 TO Fife THEN TAKE Stirling",),
        N_(
            "Four cubes came to Fife, and one of yours moved from there into Stirling (rule T-shape). That leaves four "
            "pink cubes and three yellow ones: seven, the number of Fife. So there is a battle at once (rule 3 Battle)."
        ),
        traps={
            "Atholl": N_("In Atholl you are alone. The points are in Fife: reach seven cubes there."),
            "Perth": N_("Perth would do as well, on the border to Atholl. This time take Stirling."),
        },
    ),
    Step(
        N_("Castles first"),
        N_(
            "Stirling stands on a border of Fife, and it is yours. Before the battle it removes one cube of Fife, of a "
            "colour that you choose."
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
            "You have four cubes in Fife, and yellow has two. Both of you secretly commit some of them, and who commits more "
            "wins the 7 points. Committed cubes go back to the supply, win or lose. The cubes that the winner keeps back "
            "stay, and hold the region."
        ),
        N_("Touch “Commit 3”. Give the order."),
        ("COMMIT 3",),
        N_(
            "Three beat two for certain, and one cube is left to hold Fife. You have 7 points for the battle. Yellow has two "
            "from the Drums, a glory card, for a battle lost. This was the last card of the round, so regions were scored, "
            "too: who has the most cubes gets the points, and Fife and Atholl are yours (rule Round/Game End)."
        ),
        others={"yellow": ("COMMIT 2",)},
        traps={
            "0": N_("Nothing committed wins nothing."),
            "1": N_("Yellow can commit two, and then one loses."),
            "2": N_("Two against two would be a tie, and in a tie both lose (rule Ties)."),
            "4": N_("Four win as well, but then you have no cube left in Fife when it is scored."),
        },
    ),
    Step(
        N_("Lose well"),
        N_(
            "Some cards later, in round 2, there is a battle in Moray. Yellow has five cubes there, and you have two. So "
            "yellow can always commit more than you. But the loser may put committed cubes on a glory card."
        ),
        N_("Touch “Commit 1”. Give the order."),
        ("COMMIT 1",),
        N_(
            "Yellow had to commit three of its five to be sure, and has 7 points. Now you say where your committed cube "
            "goes, and where the other one retreats (rule 3 Battle, losers)."
        ),
        seat="pink",
        position=_LOSING,
        first={"yellow": ("BATTLE Moray",)},
        others={"yellow": ("COMMIT 3",)},
        traps={
            "0": N_("Then both of your cubes can only retreat. A committed cube can go to a glory card."),
            "2": N_("Then no cube is left to retreat and to hold a region."),
        },
    ),
    Step(
        N_("Retreat, and glory"),
        N_(
            "The cube that you kept back has to go to a neighbouring region, and Atholl is yours already. The committed cube "
            "can go on a glory card. Who has the most cubes on a card has its power. Nobody has the Crown, which wins every "
            "tie."
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
