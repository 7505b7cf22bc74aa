"""The rules of Lords of Scotland in our own words, by the headings of the rule book, which has no numbers."""

from __future__ import annotations

from pbem.games.taught import Rule, TaughtSection
from pbem.i18n import N_

SECTIONS = (
    TaughtSection(
        N_("What it is about"),
        (
            Rule(
                (N_("The goal of the game"),),
                N_(
                    "Two to five lords fight skirmish after skirmish. In each they gather an army of clans in "
                    "front of them. After each, every lord with an army wins one card, a supporter, and lays it "
                    "into a victory pile; the strongest army chooses first. The strength of a supporter is what "
                    "it is worth at the end. As soon as somebody has supporters worth 40 or more, the game ends "
                    "after that skirmish, and the lord with the most takes the throne."
                ),
            ),
            Rule(
                (N_("The end of the game"),),
                N_(
                    "Several lords can pass 40 in one skirmish: the highest pile wins, and not the one who was "
                    "there first. Of equal piles the one wins whose army stood higher in the last skirmish."
                ),
            ),
        ),
    ),
    TaughtSection(
        N_("The cards"),
        (
            Rule(
                (N_("Reading the cards"),),
                N_(
                    "A card has a clan, a strength and a rank. There are eight clans with twelve cards each, of "
                    "strength 1 to 12. A ninth clan, the royal clan Bruce, has two cards; beginners leave them "
                    "out. Strength counts three times: it wins skirmishes, it says whether a power may be used, "
                    "and it is worth points once a card is won."
                ),
            ),
            Rule(
                (N_("Rank"),),
                N_(
                    "No two cards have the same rank. Ranks break ties, and do nothing else. Of two cards of the "
                    "same strength the rank follows the order of the clans, which the list below has."
                ),
            ),
            Rule(
                (N_("Recruit, follower, supporter"),),
                N_(
                    "A card has a name for what it does. A recruit lies beside the pile and can be drawn. A "
                    "follower lies in an army. A supporter lies on the other side of the pile, face-up, and is "
                    "what armies fight for."
                ),
            ),
        ),
        shows=1,
    ),
    TaughtSection(
        N_("Setting up"),
        (
            Rule(
                (N_("Setting up the game"),),
                N_(
                    "Everybody gets five cards. Five recruits are laid out face-down, and as many supporters as "
                    "there are players, face-up. If all supporters have the same strength, they are replaced. One"
                    " player has the Victor's Initiative and goes first; a die says who, unless you have agreed "
                    "on it."
                ),
            ),
        ),
    ),
    TaughtSection(
        N_("A skirmish"),
        (
            Rule(
                (N_("How to play"),),
                N_(
                    "A skirmish has five turns. In each, every lord does one thing, one after the other: he "
                    "recruits, or he musters. So there are five things to do in all. What you spend on cards for "
                    "later you do not have in this army."
                ),
            ),
            Rule(
                (N_("On your turn"),),
                N_(
                    "Whoever has the Victor's Initiative first turns up one face-down recruit, at the beginning "
                    "of each of his turns. When the fifth lies open, the last turn has begun. You must recruit or"
                    " muster; only a lord who can do neither passes."
                ),
            ),
            Rule(
                (N_("On your turn, A"),),
                N_(
                    "To recruit, take any of the five recruits into your hand, open or not. A new card from the "
                    "pile takes its place: face-up where you took a face-up one, otherwise face-down. With ten "
                    "cards in hand you may not recruit. What you take openly, the others have seen."
                ),
            ),
            Rule(
                (N_("On your turn, B"),),
                N_(
                    "To muster, play a card from your hand to your army, face-up or face-down. Face-down nobody "
                    "sees it until the end, and it uses no power. Face-up its clan's power may be used at once, "
                    "if it activates. You may always leave a power unused."
                ),
            ),
        ),
        shows=2,
    ),
    TaughtSection(
        N_("Powers"),
        (
            Rule(
                (N_("Clan powers"),),
                N_(
                    "A power activates if no other face-up follower of the whole skirmish, yours or theirs, has a"
                    " lower strength than the card that you play. An equal strength does not hinder it, and cards"
                    " that lie face-down do not count. So low cards have their power nearly always, and high "
                    "cards only early, before a low one lies there. A power is used on the turn on which the card"
                    " is played, or never: a card that comes into your army by another way does nothing."
                ),
            ),
            Rule(
                ("Cockburn",),
                N_(
                    "Cockburn changes places with a supporter: Cockburn lies among the supporters from now on, "
                    "and that card is a follower of yours."
                ),
            ),
            Rule(
                ("Ferguson",),
                N_(
                    "Ferguson goes into another lord's army, and you take a follower of that army into yours. A "
                    "face-down one stays face-down."
                ),
            ),
            Rule(("Forsyth",), N_("Forsyth draws the top card of the pile into your hand.")),
            Rule(
                ("Makgill",),
                N_(
                    "Makgill lets you muster another card at once, whose power may be used as well. If that is a "
                    "Makgill, too, it goes on."
                ),
            ),
            Rule(
                ("Scott",),
                N_(
                    "Scott copies the power of any face-up follower, and does what that one would do. A Scott has"
                    " no power of its own to copy."
                ),
            ),
            Rule(("Wemyss",), N_("Wemyss discards a follower of any army, face-up or face-down.")),
            Rule(
                ("Bruce",),
                N_(
                    "Bruce, once used, counts at the end of the round for any clan that you wish, so that an army"
                    " can be of one clan all the same."
                ),
            ),
            Rule(
                ("Cochrane",),
                N_(
                    "Cochrane, once used, lets you claim two supporters when it is your turn to claim. If only "
                    "one is left, you take that one."
                ),
            ),
            Rule(
                ("MacDonnell",),
                N_(
                    "MacDonnell, once used, is not discarded after the skirmish, but stays in your army for the "
                    "next one. Its power cannot be used again."
                ),
            ),
            Rule(
                (N_("End-of-round powers"),),
                N_(
                    "The powers of Bruce, Cochrane and MacDonnell work at the end of the round. A card whose "
                    "power was used lies turned. If it changes armies, it works for the lord who has it at the "
                    "end; if it is discarded, it works for nobody. A lower card that comes later does not take "
                    "the power away."
                ),
            ),
        ),
    ),
    TaughtSection(
        N_("The end of a skirmish"),
        (
            Rule(
                (N_("The end of the round"),),
                N_(
                    "After the fifth turn all followers are turned up, and each army is counted. An army of two "
                    "or more cards that are all of one clan counts double: 2, 7 and 3 of one clan make 24. The "
                    "highest army claims first, then the next. Of equal armies the one with the highest rank in "
                    "it stands higher. A lord without any follower claims nothing, and where no supporter is "
                    "left, nothing can be claimed."
                ),
            ),
            Rule(
                (N_("Before the next round"),),
                N_(
                    "Supporters, recruits and followers that are left are discarded, and new ones are laid out. "
                    "Hands stay. The winner of the skirmish takes the Victor's Initiative, and begins the next "
                    "one. If the pile runs out, the discards are shuffled."
                ),
            ),
        ),
        shows=6,
    ),
    TaughtSection(
        N_("Other ways to play"),
        (
            Rule(
                (N_("Alternative rules"),),
                N_(
                    "With four or five players you may agree on another condition: a power activates if no other "
                    "face-up follower of the same clan is as low as the card or lower. Then other clans do not "
                    "hinder it."
                ),
            ),
            Rule(
                (N_("Options"),),
                N_(
                    "You can also agree on a shorter game, on claims one after the other, and on the royal clan "
                    "with its strength and ranks. What is agreed on stands with the game."
                ),
            ),
        ),
    ),
)
