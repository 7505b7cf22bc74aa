"""The first lesson of Hammer of the Scots: a battle from the card to the regroup, a retreat, and a winter, as the Scots."""

from __future__ import annotations

from pbem.games.taught import Step
from pbem.i18n import N_

_SPRING = """\
HAMMER 2 braveheart
YEAR 1298 TURN 1
SCOTTISH Fife: Wallace 4, Douglas 4
SCOTTISH Atholl: Atholl 3, Graham 3, Grant 3
SCOTTISH Lennox: Lennox 3
ENGLISH Mentieth: Mentieth 3, Northumber Infantry 2
CARDS scottish: Move 2, Move 1, Move 1, Herald, Move 1
CARDS english: Move 1, Move 3, Move 2, Truce, Move 2
"""
_ATTACKED = """\
HAMMER 2 braveheart
YEAR 1298 TURN 1
SCOTTISH Lanark: Steward 3, Campbell 2
SCOTTISH Fife: Wallace 4
ENGLISH Lothian: Edward 4, York Knights 4, York Infantry 4
CARDS scottish: Move 2, Move 1, Move 1, Herald, Move 2
CARDS english: Move 1, Move 3, Move 2, Truce, Move 2
"""
_AUTUMN = """\
HAMMER 2 braveheart
YEAR 1298 TURN 5
SCOTTISH Selkirk: Bruce 3
SCOTTISH Fife: Wallace 3, Douglas 2, Barclay 1, Graham 1
SCOTTISH Lennox: Lennox 2
ENGLISH Mentieth: Mentieth 3
ENGLISH Lothian: York Knights 4, York Infantry 4, Durham Infantry 3, Edward 4
CARDS scottish: Move 2 (1), Move 1 (2), Move 1 (3), Herald (4), Move 2
CARDS english: Move 1 (1), Move 3 (2), Move 2 (3), Truce (4), Move 2
"""

STEPS = (
    Step(
        N_("Choose a card"),
        N_(
            "England and Scotland fight for fourteen nobles. The side with more of them wins when 1305 ends (9.0). You lead"
            " the Scots, the blue blocks. Of red blocks you see how many are in an area, and no more. All your blocks in "
            "one area are a group. Each turn both sides choose a card in secret; a Move card says how many groups may go."
        ),
        N_("Touch the card Move 2 in your hand. Then give the order with the button."),
        ("CARD Move 2",),
        N_(
            "Your 2 beats the English 1, so you are Player 1: you move first, with two Group Moves. The English "
            "would have won a tie (3.1)."
        ),
        seat="scottish",
        position=_SPRING,
        others={"english": ("CARD Move 1",)},
        traps={
            "Move 1": N_(
                "With one group you cannot attack from two sides, and the English win a tie. Keep this card for later."
            ),
            "Herald": N_("The Herald can win you one noble. Keep the card: in this turn two groups are to march."),
        },
    ),
    Step(
        N_("Attack from two sides"),
        N_(
            "Two English blocks hold Mentieth. Attack from Fife over a green border, which six blocks may cross, and "
            "from Atholl over a red one, which only two may cross. The group that you move first is the main attack: it "
            "fights from round 1 on."
        ),
        N_(
            "Touch the area Fife, then Mentieth. In the area Atholl touch the blocks Atholl and Graham, then Mentieth "
            "again. Give the order."
        ),
        (
            "MOVE Fife: Wallace, Douglas > Mentieth\nMOVE Atholl: Atholl, Graham > Mentieth",
            "MOVE Fife: Wallace, Douglas > Mentieth MAIN\nMOVE Atholl: Atholl, Graham > Mentieth",
        ),
        N_(
            "Wallace and Douglas are the main attack. The two from Atholl came over another border: they are in reserve, "
            "face down, and join in round 2 (5.32). Grant had to stay, for a red border lets only two blocks through "
            "(4.3). The English moved nobody."
        ),
        others={},
        traps={
            "Grant": N_(
                "Grant stays this time: only two blocks may cross the red border (4.3), and Atholl and Graham are"
                " to go."
            ),
            "Lennox": N_("Lennox would be a third group, and your card moves two (4.2)."),
            "Angus": N_("Angus can be attacked, too. But here two groups are to meet in one battle."),
            "Atholl": N_(
                "Begin in Fife. The group that you move first is the main attack, and that is to be Wallace and "
                "Douglas, the stronger ones: reserves miss round 1 (5.32)."
            ),
        },
        in_order=True,
    ),
    Step(
        N_("Fire"),
        N_(
            "The battle begins, and the blocks in it turn up. The big number on a block is its strength. The letter of "
            "its rating says when it acts: A before B before C, and with the same letter the defender first (5.31). "
            "Wallace, A3, rolls four dice, one for each point of strength, and hits with 3 or less."
        ),
        N_("Touch Wallace and choose “fire”. Then give the order."),
        ("BATTLE Mentieth: Wallace FIRE",),
        N_(
            "Two dice of 3 or less are two hits. Each goes to the strongest English block: first to Mentieth with"
            " 3, then one of the two that now have 2 (5.41). Then the noble Mentieth fires back. He is at home, "
            "so he hits up to 3 (1.4)."
        ),
        others={"english": ("HITS Mentieth: Northumber Infantry",)},
        chance=(2, 6, 3, 5, 2, 6),
        traps={
            "RETREAT": N_("A block retreats instead of firing. You are stronger here: let Wallace fire."),
            "PASS": N_("A block that passes rolls no dice. Wallace is your best fighter: let him fire."),
        },
    ),
    Step(
        N_("Take a hit"),
        N_(
            "Mentieth has hit you once. A hit takes one step, which is a point of strength, from your strongest block. "
            "Wallace and Douglas are equally strong, so you choose."
        ),
        N_("Touch Douglas. Then give the order."),
        ("HITS Mentieth: Douglas",),
        N_(
            "Had one been stronger, the hit would have been his without a question (5.41). Wallace keeps his four"
            " dice. Then the C blocks acted, Northumber Infantry before Douglas; this lesson let Douglas fire for you. "
            "He hit Mentieth. With round 2 your reserve has come in (5.32)."
        ),
        others={"scottish": ("BATTLE Mentieth: Douglas FIRE",)},
        chance=(6, 3, 6, 5),
        traps={"Wallace": N_("Wallace acts first and hits up to 3; his dice are worth more. Let Douglas take it.")},
    ),
    Step(
        N_("Capture a noble"),
        N_("Round 2. Both English blocks are down to strength 1. Two hits will clear the area."),
        N_("Let Wallace fire once more, and give the order."),
        ("BATTLE Mentieth: Wallace FIRE",),
        N_(
            "Two hits end it. The infantry goes to the English pool. The noble Mentieth does not die: he is "
            "captured and now stands on your side with strength 1 (5.7). That is how you win nobles, and so the game."
        ),
        chance=(1, 4, 3, 6),
        traps={
            "RETREAT": N_("You are about to win. Stay and fire."),
            "PASS": N_("Four dice against two blocks of strength 1: fire."),
        },
    ),
    Step(
        N_("Regroup"),
        N_(
            "You have won. Each of your blocks here may now go to a neighbouring friendly or empty area. Mentieth"
            " is safe; Fife was left empty, and has a cathedral."
        ),
        N_("Touch Wallace, then Fife, and give the order. The others stay."),
        ("REGROUP Mentieth: Wallace > Fife",),
        N_(
            "Only winners regroup, at once, within the border limits (5.6). What you hold when winter comes gives"
            " you points, so an empty area is worth a visit."
        ),
        traps={
            "Douglas": N_("Douglas may stay with the nobles. Only Wallace goes."),
            "Lennox": N_("Lennox holds that area already. Fife is empty."),
            "Lothian": N_("That is possible, too, but nearer to the English. Take Fife back."),
        },
    ),
    Step(
        N_("Retreat"),
        N_(
            "A new position. Edward himself attacks Lanark, with two strong blocks beside him. Steward acts first, for he "
            "is a B block that defends. With three dice against twelve he would soon be captured."
        ),
        N_("Touch Steward and let him retreat to Annan. Give the order."),
        ("BATTLE Lanark: Steward RETREAT Annan",),
        N_(
            "A retreat takes the place of fire (5.31). The way to Lothian was closed, for the English came by it,"
            " and all other neighbours but Selkirk and Annan are theirs (5.5). Campbell, a C block, was too slow:"
            " Edward hit first. A captured Steward would now fight for Edward (5.7)."
        ),
        seat="scottish",
        position=_ATTACKED,
        first={
            "scottish": ("CARD Move 1", "PASS"),
            "english": ("CARD Move 3", "MOVE Lothian: Edward, York Knights, York Infantry > Lanark"),
        },
        chance=(1, 2, 5, 6),
        traps={
            "FIRE": N_("Three dice against twelve points of strength: he would hardly live to act again (5.7)."),
            "PASS": N_("If he waits, Edward fires at him."),
            "Selkirk": N_(
                "That is legal, too. In this step take Annan: from there he can go on to Carrick over a green border."
            ),
        },
    ),
    Step(
        N_("Winter: nobles go home"),
        N_(
            "A new position: the year is over. In winter every noble goes home, the English ones first. A noble who finds "
            "the enemy there changes sides. Bruce has two homes, and both are free."
        ),
        N_("Touch Bruce and send him to Carrick. Give the order."),
        ("HOME Bruce > Carrick",),
        N_(
            "Bruce and Comyn choose; all others have one home (7.12). A battle in autumn for a noble's home is a "
            "battle for the noble (7.1). English knights may not stay in Scotland for the winter, and infantry "
            "only within the castle limits (7.31, 7.32)."
        ),
        seat="scottish",
        position=_AUTUMN,
        first={"scottish": ("CARD Move 2", "PASS"), "english": ("CARD Move 2",)},
        traps={"Annan": N_("Annan is nearer to England. Carrick lies beside Lennox, where friends are.")},
    ),
    Step(
        N_("Winter: who may stay"),
        N_(
            "Fife feeds three Scottish blocks: castle limit 2, and one for the cathedral. Four are there, so the map says "
            "4/3. One of them has to go to your draw pool. Wallace alone has another way: he may winter in Selkirk (7.5)."
        ),
        N_("Touch Wallace and send him to Selkirk. Give the order."),
        ("WALLACE > Selkirk",),
        N_(
            "In Selkirk no limit binds Wallace, and he gains up to two steps: he is at 4 again (7.5). The other "
            "three fit into Fife (1.2, 1.3)."
        ),
        traps={"DISBAND": N_("That is legal, but it costs you a block. With Wallace in Selkirk nobody has to go.")},
    ),
    Step(
        N_("Winter: build"),
        N_(
            "Each area of yours gives points, which the map shows: its castle limit, and one for a cathedral. A point adds a "
            "step to a block there, or draws a new block if there is room."
        ),
        N_("Touch Douglas once for a step, then the area Lennox to draw a block. Give the order."),
        ("BUILD Fife: Douglas 1\nDRAW Lennox",),
        N_(
            "Douglas has a step more. Keith was drawn and stands in Lennox with strength 1; the limit there is 2 "
            "with the cathedral (7.62). Points are left, so you would be asked again. Then the English get new blocks, and a "
            "new year begins (7.7). When 1305 is over the nobles are counted (9.0)."
        ),
        chance=("Keith",),
        traps={
            "Graham": N_("Any block could gain a step. This time take Douglas, your best infantry."),
            "Barclay": N_("Any block could gain a step. This time take Douglas, your best infantry."),
            "Bruce": N_("Bruce could gain a step. This time take Douglas."),
            "BUILD Lennox 1": N_("Lennox could gain a step. This time draw a block for his area."),
            "DONE": N_("Points that are not used are lost (7.62). Use two of them."),
        },
    ),
)
