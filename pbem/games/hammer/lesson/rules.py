"""The rules of Hammer of the Scots in our own words (edition 4.0), by the numbers of the rule book."""

from __future__ import annotations

from pbem.games.taught import Rule, TaughtSection
from pbem.i18n import N_

SECTIONS = (
    TaughtSection(
        N_("What it is about"),
        (
            Rule(
                ("9.0",),
                N_(
                    "The English (red) and the Scots (blue) fight for fourteen nobles. When the last year ends, "
                    "the side with more nobles wins. With seven each, the Scots win if Wallace is on the map; "
                    "otherwise the English win."
                ),
            ),
            Rule(
                ("9.1",),
                N_(
                    "The game can end at once: a side that has all nobles in play at the end of a game turn wins;"
                    " the English win if the Scottish King falls in battle, the Scots if Edward II does. Moray "
                    "never serves the English, so for them he must be dead or in the pool."
                ),
            ),
        ),
    ),
    TaughtSection(
        N_("The map"),
        (
            Rule(
                ("1.0", "1.1"),
                N_(
                    "England is one area; Scotland has twenty-two. Blocks cross only where two areas share a "
                    "coloured border."
                ),
            ),
            Rule(
                ("1.2",),
                N_(
                    "The number in an area is its castle limit, 0 to 3. It says how many blocks can spend the "
                    "winter there, and how many replacement points the area gives in winter."
                ),
            ),
            Rule(
                ("1.3",),
                N_(
                    "Strathspey, Lennox and Fife have a cathedral. For the Scots each adds one to the castle "
                    "limit; for the English, nothing."
                ),
            ),
            Rule(
                ("1.4",),
                N_(
                    "A coat of arms marks a noble's home. A noble who defends at home hits on 1 to 3 instead of 1"
                    " to 2 (B3 instead of B2). Bruce has two homes, Annan and Carrick; so has Comyn, Badenoch and"
                    " Lochaber."
                ),
            ),
        ),
        shows=1,
    ),
    TaughtSection(
        N_("The blocks"),
        (
            Rule(
                ("2.0", "2.1"),
                N_(
                    "You see the faces of your own blocks only. Which block an enemy one is, and how strong, you "
                    "learn in battle."
                ),
            ),
            Rule(
                ("2.11",),
                N_(
                    "Strength is the number of dice that a block rolls, 4 at most. A hit takes one step of "
                    "strength away."
                ),
            ),
            Rule(
                ("2.12", "2.13"),
                N_(
                    "A rating such as A3 says when a block acts and what it hits: A before B before C, and every "
                    "die of 3 or less. The move rating says how many areas it may go in one turn."
                ),
            ),
            Rule(
                ("2.2", "2.21", "2.22", "2.23", "2.24", "2.25", "2.26"),
                N_(
                    "There are leaders (Wallace, the Scottish King, Edward), nobles of two parties, Bruce's and "
                    "Comyn's, and soldiers of many kinds."
                ),
            ),
        ),
    ),
    TaughtSection(
        N_("Cards and turns"),
        (
            Rule(
                ("3.0",),
                N_("Each year both sides get five new cards. A year has up to five game turns."),
            ),
            Rule(
                ("3.1", "4.1"),
                N_(
                    "Both choose a card in secret and turn it up together. The higher card makes its player "
                    "Player 1, who moves first and says which battle is fought next. The English win ties."
                ),
            ),
            Rule(("3.11",), N_("A Move card of 1, 2 or 3 lets you move that many groups.")),
            Rule(
                ("3.12", "Herald", "Pillage", "Sea Move", "Truce", "Victuals"),
                N_(
                    "An event card does what the list of cards says, and its player is Player 1. If both play an "
                    "event, both happen, the English one first, and the year ends after this turn."
                ),
            ),
        ),
    ),
    TaughtSection(
        N_("Moving"),
        (
            Rule(
                ("4.0", "4.2", "Rally"),
                N_(
                    "All your blocks in one area are a group. With one Group Move any of them may go, each its "
                    "own way. A block moves once in a turn, and stops where it meets the enemy. With the option "
                    "Rally, groups may join a leader."
                ),
            ),
            Rule(
                ("4.3",),
                N_(
                    "Borders have limits for each side and turn. Six blocks may cross a green border, two a red "
                    "one, and a block that has crossed a red one stops there."
                ),
            ),
            Rule(
                ("4.4",),
                N_(
                    "The dashed border between England and Scotland is costly: every block that crosses it costs "
                    "a Group Move of its own. Blocks that enter England, or Teviot from England, stop."
                ),
            ),
            Rule(
                ("4.5",),
                N_(
                    "An area with your blocks alone is friendly, an empty one neutral, one where both sides stand"
                    " contested."
                ),
            ),
            Rule(
                ("4.6",),
                N_(
                    "Attackers pin: if three blocks have attacked an area, three of its defenders may not leave "
                    "it. Their owner picks which. The others may go, but not over a border that the attack came "
                    "by."
                ),
            ),
            Rule(
                ("4.7",),
                N_(
                    "The Norse sail alone, from coast to coast, for a Group Move of their own, and never to "
                    "England. They retreat and regroup to friendly coasts."
                ),
            ),
        ),
        shows=3,
    ),
    TaughtSection(
        N_("Battles"),
        (
            Rule(
                ("5.0", "5.1"),
                N_(
                    "When both have moved, every contested area is fought over, one after the other. Blocks turn "
                    "up when their battle begins."
                ),
            ),
            Rule(
                ("5.2",),
                N_(
                    "Each block from Wales or Ulster rolls a die when it is revealed. With 5 or 6 it leaves for "
                    "the English pool."
                ),
            ),
            Rule(
                ("5.3", "5.31"),
                N_(
                    "A battle has at most three rounds. In each, every block acts once: it fires, retreats or "
                    "passes. A blocks act first, then B, then C; with the same letter the defender acts before "
                    "the attacker. An attacker who has not won after round 3 must leave."
                ),
            ),
            Rule(
                ("5.32",),
                N_(
                    "Blocks that start together and enter by one border are the main attack. Blocks that attack "
                    "from elsewhere are in reserve. In round 1 they neither fire nor retreat, and take no hits. "
                    "They join in round 2."
                ),
            ),
            Rule(
                ("5.33",),
                N_(
                    "Blocks that Player 2 moves into a battle that has been started are a reserve, too. If the "
                    "attacker clears the area before they come, the attacker becomes the defender."
                ),
            ),
            Rule(
                ("5.4", "5.41"),
                N_(
                    "You roll a die for each point of strength. Every hit is taken at once by the strongest enemy"
                    " block. Where several are equally strong, their owner chooses."
                ),
            ),
        ),
        scene=3,
    ),
    TaughtSection(
        N_("After the dice"),
        (
            Rule(
                ("5.5",),
                N_(
                    "A block retreats in its own turn to act, to a neighbouring friendly or empty area, within "
                    "the border limits of the round. It may not use a border by which the enemy came in last; if "
                    "both used it, only Player 2 may. The English do not retreat into Scotland out of England, "
                    "nor the Scots into England. A block that must go and cannot is lost."
                ),
            ),
            Rule(
                ("5.6",),
                N_(
                    "The winner of a battle may regroup: each of the winning blocks may go to a neighbouring "
                    "friendly or empty area."
                ),
            ),
            Rule(
                ("5.7",),
                N_(
                    "A noble who would be eliminated is captured. He joins the other side at strength 1, in "
                    "reserve, and fights for it from the next round on. Only Moray dies."
                ),
            ),
            Rule(
                ("5.8",),
                N_(
                    "Other eliminated blocks go to their side's draw pool and may return. The six with a black "
                    "cross are out of the game if they die in battle."
                ),
            ),
            Rule(
                ("5.9",),
                N_(
                    "Scots may raid England. While any of them stand there at the end of a game turn, the English"
                    " disband one block that is no noble. Raiders cannot stay for the winter."
                ),
            ),
        ),
    ),
    TaughtSection(
        N_("Kings"),
        (
            Rule(
                ("6.0", "6.1"),
                N_(
                    "Edward is Edward I until he falls, or 1306 ends. Then he is Edward II, who may not winter in"
                    " Scotland, and whose death loses the game."
                ),
            ),
            Rule(
                ("6.2", "6.21"),
                N_(
                    "Once in a game the Scots may crown a king, with any event card in place of its event. Bruce "
                    "or Comyn can be crowned if Wallace is dead and the candidate is in Fife. The King appears "
                    "there at full strength, and all nobles of the other party go over to the English, except "
                    "Moray."
                ),
            ),
            Rule(
                ("6.22",),
                N_(
                    "From 1301 on Balliol can return in the same way, if nobody was crowned and the French "
                    "knights are on the map. He lands beside them, and all nobles of Bruce's party go over. Where"
                    " enemies now share an area, they fight at once."
                ),
            ),
        ),
    ),
    TaughtSection(
        N_("Winter"),
        (
            Rule(
                ("7.0",),
                N_("A year ends after five cards, or when both have played events."),
            ),
            Rule(
                ("7.1", "7.12"),
                N_(
                    "Nobles go home, English ones first, then Scots. A noble who finds the enemy at home changes "
                    "sides and keeps his strength. Bruce and Comyn choose between their homes, and change sides "
                    "only if both are taken. Moray may go home, stay, or disband."
                ),
            ),
            Rule(
                ("7.2",),
                N_(
                    "The Scottish King may go to a friendly or empty cathedral, stay within the castle limit, or "
                    "disband."
                ),
            ),
            Rule(
                ("7.3", "7.31", "7.32"),
                N_(
                    "All English blocks in England disband, and so do knights, archers and Hobelars. Infantry may"
                    " stay in Scotland within castle limits."
                ),
            ),
            Rule(
                ("7.4",),
                N_(
                    "Edward I may winter in Scotland, not two winters running and not in 1306. All red blocks "
                    "with him stay, whatever the limit, but then there is no levy: next year England begins "
                    "empty."
                ),
            ),
            Rule(
                ("7.5",),
                N_(
                    "Scots beyond a castle limit disband; nobles count, and cannot leave. Wallace may go to "
                    "Selkirk unless the enemy is there: he gains two steps, and no limit binds him."
                ),
            ),
            Rule(
                ("7.6", "7.62", "7.63"),
                N_(
                    "Every friendly area gives points: its castle limit, one more for the Scots with a cathedral."
                    " A Scottish point adds a step to a block there, or draws a block from the pool at strength "
                    "1, within the limit. An English point adds a step to infantry or a noble there. Unused "
                    "points are lost."
                ),
            ),
            Rule(("7.61",), N_("With eight nobles or more, the Scots add the French knights to their pool.")),
            Rule(
                ("7.7",),
                N_(
                    "The levy: unless Edward wintered in Scotland, half of the English pool, rounded up, comes to"
                    " England at full strength."
                ),
            ),
            Rule(("7.8",), N_("Five new cards for each side, and the next year begins.")),
        ),
    ),
    TaughtSection(
        N_("Scenarios"),
        (
            Rule(
                ("8.0", "8.1"),
                N_("Braveheart goes from 1297 to 1305. Four blocks of the English pool begin in England."),
            ),
            Rule(
                ("8.2",),
                N_(
                    "The Bruce goes from 1306 to 1314. The King is crowned already, Wallace and Moray are dead, "
                    "six blocks begin in England, and Edward never winters in Scotland."
                ),
            ),
            Rule(("8.3",), N_("The campaign begins as Braveheart and goes on until somebody wins.")),
        ),
    ),
)
