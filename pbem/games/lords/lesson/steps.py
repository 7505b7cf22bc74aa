"""The first lesson of Lords of Scotland: one skirmish from the first recruit to the throne."""

from __future__ import annotations

from pbem.games.taught import Step
from pbem.i18n import N_

_SKIRMISH = """\
LORDS 1 for 2
ROUND 4 TURN 1 angus
INITIATIVE angus
SUPPORTERS: Ferguson 9, Scott 4
RECRUITS: Wemyss 7, Forsyth 6 down, Wemyss 3 down, Makgill 4 down, Ferguson 11 down
HAND angus: Wemyss 2, Cochrane 8
HAND buchan: Cockburn 6, Cockburn 7, Makgill 9, Forsyth 12
WON angus: Makgill 12, Scott 11, Forsyth 8
WON buchan: Scott 9, Ferguson 8, Cochrane 10
"""

STEPS = (
    Step(
        N_("Recruit"),
        N_(
            "You are Angus, and want the throne. In each skirmish every lord gathers an army. The strongest army "
            "claims a supporter first. Supporters are points: you have 31, and 40 end the game. A skirmish has five turns. "
            "On each turn you recruit a card into your hand, or muster one from your hand into your army. A card has a "
            "clan and a strength, its large number. An army of one clan counts double, and you hold Wemyss 2."
        ),
        N_("Touch the recruit Wemyss 7, and give the order."),
        ("RECRUIT 1",),
        N_(
            "Wemyss 7 is in your hand, and a new card lies in its place, face-up like the one before (rule On "
            "your turn, A). Buchan has mustered a strong Makgill 9 meanwhile. The flag beside your name says that you go "
            "first, and the crown that you are ahead."
        ),
        seat="angus",
        position=_SKIRMISH,
        others={"buchan": ("MUSTER Makgill 9",)},
        traps={
            "RECRUIT": N_("A face-down recruit may be anything. Here a good one lies open."),
            "Cochrane": N_(
                "Cochrane would claim two supporters, but an army of two clans does not count double. Gather one "
                "clan first."
            ),
            "MUSTER Wemyss": N_(
                "The power of Wemyss discards a follower, and there is none yet. Keep it for the next turn."
            ),
        },
    ),
    Step(
        N_("Use a power"),
        N_(
            "A card in an army is a follower. Makgill 9 is the only one yet. Each clan has a power, which a card tells "
            "below its name: Wemyss discards a follower. A power activates if no other face-up follower is lower than "
            "the card that you muster, and your Wemyss 2 is lower than 9."
        ),
        N_("Touch Wemyss 2, choose to use its power, then Makgill 9. Give the order."),
        ("MUSTER Wemyss 2 USE Makgill 9",),
        N_(
            "Makgill 9 is gone, and so is the turn that Buchan has spent on it. A low card has its power nearly always, "
            "a high one only early (rule Clan powers). Buchan starts again, with Cockburn 7."
        ),
        others={"buchan": ("MUSTER Cockburn 7",)},
        traps={
            "DOWN": N_("Face-down, a card uses no power (rule Clan powers)."),
            "Wemyss 7": N_(
                "Keep the 7 for later. Let the low one do the work: low cards nearly always have their power."
            ),
            "RECRUIT": N_("A power that you leave for later may be hindered then. Use it now."),
            "Cochrane": N_("With a card of another clan your army would not count double any more."),
        },
    ),
    Step(
        N_("Face-down"),
        N_(
            "Now add Wemyss 7. Its power would not activate: your own Wemyss 2 lies open and is lower. So you lose "
            "nothing if you hide the card, and Buchan does not know which army there is to beat."
        ),
        N_("Touch Wemyss 7 and choose face-down. Give the order."),
        ("MUSTER Wemyss 7 DOWN",),
        N_(
            "Buchan sees a card, and does not know which one. A face-down card cannot be counted by anybody but "
            "you until the end, and it does not hinder anybody's power (rule Clan powers). Buchan has added "
            "Forsyth 12, and now shows 19 points."
        ),
        others={"buchan": ("MUSTER Forsyth 12",)},
        traps={
            "Cochrane": N_("Cochrane is of another clan: then your army would count once, and not twice."),
            "RECRUIT": N_("You have two turns more for that. First put the 7 where nobody can see it."),
            "MUSTER Wemyss 7": N_("Face-up, Buchan can see what you have. Its power does not activate anyway."),
        },
    ),
    Step(
        N_("Count, then recruit"),
        N_(
            "You have 2 and 7 of one clan: 9, doubled 18. Buchan has 7 and 12 of two clans: 19. One more Wemyss "
            "would do, and Wemyss 3 lies open among the recruits. You have two turns: one to take it, one to muster it."
        ),
        N_("Touch the recruit Wemyss 3, and give the order."),
        ("RECRUIT 3",),
        N_(
            "Now you hold the third Wemyss, and have one turn left. Buchan took a recruit, too. The fifth recruit"
            " has been turned up: the last turn has begun (rule On your turn)."
        ),
        others={"buchan": ("RECRUIT 1",)},
        traps={
            "RECRUIT": N_(
                "Another clan does not help you: only cards of one clan count double (rule The end of the round)."
            ),
            "MUSTER": N_("Cochrane 8 makes 17, of two clans. That loses against 19. A third Wemyss is better."),
        },
    ),
    Step(
        N_("The last follower"),
        N_("This is your last turn. With Wemyss 3 your army is 2, 7 and 3, all of one clan."),
        N_("Touch Wemyss 3. Its power does not activate, for Wemyss 2 is lower. Give the order."),
        ("MUSTER Wemyss 3", "MUSTER Wemyss 3 DOWN"),
        N_(
            "All cards are turned up. You have 12, doubled 24; Buchan has 19. You have won the skirmish, and "
            "choose a supporter first (rule The end of the round)."
        ),
        others={"buchan": ("RECRUIT 1",)},
        traps={
            "RECRUIT": N_("That card could not be played any more. Play what you have."),
            "Cochrane": N_("2, 7 and 8 of two clans make 17, and Buchan has 19."),
        },
    ),
    Step(
        N_("Claim the throne"),
        N_("Two supporters lie there: Ferguson 9 and Scott 4. You have 31 points, and claim first."),
        N_("Touch Ferguson 9, and give the order."),
        ("CLAIM Ferguson 9", "CLAIM STRONGEST"),
        N_(
            "31 and 9 make 40. Somebody has reached forty, so the game ends, and the most points win (rule The "
            "end of the game). The throne is yours. A supporter is worth its strength, whatever its power."
        ),
        traps={"Scott": N_("Scott 4 would leave you at 35. Nine are enough to win.")},
    ),
)
