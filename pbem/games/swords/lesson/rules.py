"""The rules of Swords Over Scotland in our own words, by the headings of the rule book."""

from __future__ import annotations

from pbem.games.taught import Rule, TaughtSection
from pbem.i18n import N_, _
from pbem.look.markup import joined, markup, stylesheet

from ..look.picture.pieces import cube, definitions
from ..look.picture.style import SHEET
from ..look.words import shape

LIE = {"L": "A1 A2 A3 B3", "S": "B1 C1 A2 B2", "box": "A1 B1 A2 B2", "T": "A1 B1 C1 B2", "line": "A1 B1 C1 D1"}
"""How each shape may lie on a board, by its squares."""


def shapes() -> str:
    """Draw the shapes side by side, each with its name, as cubes lie on a board."""
    return markup(
        '<svg xmlns="http://www.w3.org/2000/svg" class="sw" viewBox="0 0 900 200" role="img" aria-label="{title}">{sheet}{defs}'
        '<rect class="panel" x="4" y="4" width="892" height="192" rx="10"/>{shapes}</svg>',
        title=_("The shapes"), sheet=stylesheet(SHEET), defs=definitions(),
        shapes=joined(
            markup(
                '<g transform="translate({x} 14)">{cubes}<text class="serif name" x="2" y="170">{name}</text></g>',
                x=20 + 170 * no, name=shape(name), cubes=joined(
                    markup(
                        '<g transform="translate({x} {y})"><rect class="square" x="1" y="1" width="44" height="44" rx="4"/>{cube}'
                        "</g>",
                        x=46 * "ABCD".index(square[0]), y=46 * int(square[1]) - 46, cube=cube("pink", 6, 5),
                    )
                    for square in squares.split()
                ),
            )
            for no, (name, squares) in enumerate(LIE.items())
        ),
    )  # fmt: skip


SECTIONS = (
    TaughtSection(
        N_("What it is about"),
        (
            Rule(
                (N_("Goal"),),
                N_(
                    "Two to four leaders send their cubes over Scotland. You fill a board of your own, as in bingo. "
                    "Four cubes that touch each other there become troops on the map. Troops win battles and hold "
                    "regions, and both give points. After three rounds the most points win. Of equals, the one with "
                    "more cubes on the map wins."
                ),
            ),
            Rule(
                (N_("No luck"),),
                N_(
                    "There are no dice. All that is hidden is which card comes next, and what the others write down "
                    "at the same moment as you."
                ),
            ),
        ),
    ),
    TaughtSection(
        N_("The map"),
        (
            Rule(
                (N_("Regions"),),
                N_(
                    "Each region has a token with a number. It says how many points the region gives, and how many "
                    "cubes in it start a battle. Dashed lines over the water join regions, too. Castles stand on "
                    "borders between two regions."
                ),
            ),
            Rule(
                (N_("Set-Up"),),
                N_(
                    "Each player has 21 cubes and an empty board. One after the other, everybody places four cubes, "
                    "one at a time, in any regions, also beside others. Three of the twelve glory cards lie beside "
                    "the map. One player leads."
                ),
            ),
        ),
        shows=1,
    ),
    TaughtSection(
        N_("A turn: place"),
        (
            Rule(
                (N_("The cards"),),
                N_(
                    "A round has twelve deployment cards. Each has an icon on one side and a number on the other. For"
                    " every turn the top card is turned over: its icon lies open, and the number that now lies on the"
                    " pile counts for formations. After the last card the number is 4."
                ),
            ),
            Rule(
                (N_("1 Place Cubes"),),
                N_(
                    "All players at once put a cube from their supply on a free square of their own board that shows "
                    "the icon. If there is no such square, you place nothing. With an empty supply you have to take "
                    "the cube from the map, from a castle or from a glory card."
                ),
            ),
        ),
    ),
    TaughtSection(
        N_("A turn: deploy"),
        (
            Rule(
                (N_("2 Deploy"),),
                N_(
                    "If your new cube makes a group of four or more that touch by their sides, four of them with the "
                    "new one are a formation. In the order of play, beginning with the leader, each who has one pulls"
                    " as many of its cubes as the number says, and puts them on the map, all in one region where a "
                    "cube of theirs is already. Then the shape of the formation may do something more. Several "
                    "formations are done one after the other."
                ),
            ),
        ),
        shows=2,
    ),
    TaughtSection(
        N_("The shapes"),
        (
            Rule((N_("L-shape"),), N_("An L does nothing more.")),
            Rule(
                (N_("S-shape"),),
                N_("An S moves any number of your cubes between the region and one neighbour, in one direction."),
            ),
            Rule((N_("Box-shape"),), N_("A box adds one cube from your supply to any region of the map.")),
            Rule(
                (N_("T-shape"),),
                N_(
                    "A T takes a castle on a border of the region: one of your cubes there moves into it. If none of "
                    "its castles is free, you may throw another player's cube out of one; that cube goes back to its "
                    "supply."
                ),
            ),
            Rule((N_("Line-shape"),), N_("Four in a line do any one of these. Shapes may be turned and mirrored.")),
        ),
        shows=shapes,
    ),
    TaughtSection(
        N_("A turn: battle"),
        (
            Rule(
                (N_("3 Battle"),),
                N_(
                    "Where cubes of two or more players together reach the number of the token, there is a battle. "
                    "The leader says in which order they are fought. First each castle on a border of the region, in "
                    "the order of play, removes a cube there, of the colour that its owner likes. If only one player "
                    "is left then, that one wins at once. If nobody is left, all have lost."
                ),
            ),
            Rule(
                (N_("Commit"),),
                N_(
                    "Then all in the battle secretly commit some, none or all of their cubes there. The numbers are "
                    "shown together. Every committed cube leaves the region, whoever wins: it goes back to its "
                    "owner's supply."
                ),
            ),
            Rule(
                (N_("3 Battle, winner"),),
                N_(
                    "Who has committed the most wins. The winner gets the points of the token at once, keeps the "
                    "other cubes in the region, and leads from now on, until the next battle is decided."
                ),
            ),
            Rule(
                (N_("3 Battle, losers"),),
                N_(
                    "Who has committed less retreats with what was not committed, to neighbouring regions, one or "
                    "several. That may start another battle. Of the cubes that were committed a loser may put some on"
                    " glory cards, in place of the supply."
                ),
            ),
            Rule(
                (N_("Ties"),),
                N_(
                    "Who ties for the most has lost. If a third player comes behind them alone, with one cube "
                    "committed or more, that one wins."
                ),
            ),
        ),
        shows=3,
    ),
    TaughtSection(
        N_("The end of a round"),
        (
            Rule(
                (N_("Round/Game End"),),
                N_(
                    "After the twelfth card each region is scored: the player with the most cubes in it gets its "
                    "points. In a tie nobody does, unless a third comes behind them alone. Then the cards are "
                    "shuffled, and the next round begins. The cubes on boards, map, castles and cards stay. After the"
                    " third round the game is over."
                ),
            ),
        ),
    ),
    TaughtSection(
        N_("Glory cards"),
        (
            Rule(
                (N_("Glory Cards"),),
                N_(
                    "Whoever has the most cubes on a glory card has its power, for as long as nobody has more. In a "
                    "tie nobody has it. What each does stands in the list below."
                ),
            ),
            Rule(
                ("The Crown",), N_("With the Crown you win every tie: in battle, in regions, on cards, and at the end.")
            ),
            Rule(
                ("Edinburgh Castle",),
                N_("Edinburgh Castle counts as a castle of yours in each battle in which you are."),
            ),
            Rule(
                ("A Bloody Banner",),
                N_(
                    "With the Banner the seven blue Picts are in your supply, and are used like your own. They leave "
                    "your board and your supply when you lose the card."
                ),
            ),
            Rule(
                ("Bagpipes", "Drums"),
                N_("The Bagpipes give four points more for a battle won, the Drums two for a battle lost."),
            ),
            Rule(
                ("Cardinal",),
                N_(
                    "Where the Cardinal stands, the one who has him commits last, and sees what the others do. Each "
                    "further cube on the card may move him."
                ),
            ),
            Rule(
                ("Druid",),
                N_(
                    "The Druid saves one of your committed cubes: it goes along with the winner's cubes, or with the "
                    "retreat."
                ),
            ),
            Rule(
                ("Hadrian's Wall",),
                N_(
                    "The wall stands on a border, which only your cubes may cross. If nobody has the card, nobody "
                    "crosses there."
                ),
            ),
            Rule(
                ("Long Sword",),
                N_("The Long Sword adds a cube from your supply to a battle before cubes are committed."),
            ),
            Rule(
                ("Merchant's Outpost",),
                N_("The Outpost moves a cube on your board after each deployment, and may so make another formation."),
            ),
            Rule(
                ("Tapestry",),
                N_("The Tapestry makes one icon wild for you: when it comes up, you may place on any icon."),
            ),
            Rule(
                ("Quaich",),
                N_("Against you, all others in the battle have to commit at least half of their cubes, rounded up."),
            ),
        ),
    ),
)
