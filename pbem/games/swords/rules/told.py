"""Every kind of fact that the rules tell; the look turns them into sentences. Everybody hears all facts.

Regions, castles and squares are told by their names. `picts` are how many of the cubes are Picts; `pict`: is the one cube a Pict?
"""

from __future__ import annotations

from typing import Literal

from pbem.kernel import Happening

from .names import Colour, Glory, Icon, Name, NameOrNone, Seat, SeatOrNone, Square

ShapeName = Literal["line", "box", "T", "S", "L"]


class SwordsFact(Happening):
    """The base of them all."""


class _BySeat(SwordsFact):
    seat: Seat


class _InRegion(SwordsFact):
    region: Name


class TokensDealt(SwordsFact, kind="tokens"):
    """The tokens are dealt over the regions, in this order."""

    regions: tuple[Name, ...]
    tokens: tuple[int, ...]


class GloryDealt(SwordsFact, kind="glory"):
    """The glory cards of this game are beside the board."""

    cards: tuple[Glory, ...]


class Begins(_BySeat, kind="first"):
    """The first seat to place, with the die if one was thrown."""

    die: int = 0


class CubePlaced(_BySeat, kind="cube"):
    """One of the first cubes is placed in a region; `no` counts the seat's cubes."""

    region: Name
    no: int


class RoundBegins(SwordsFact, kind="round"):
    """A round begins: the deployment cards are shuffled; `top` is the number on top of the deck."""

    round: int
    top: int
    leader: Seat


class CardFlipped(SwordsFact, kind="flip"):
    """A deployment card is flipped: its icon, and the number beside it that is now on top (or is printed)."""

    flip: int
    icon: Icon
    number: int


class CubeOnBoard(_BySeat, kind="place"):
    """A cube is placed on a square of the player board; `source` is its origin, "" for the supply."""

    square: Square
    source: NameOrNone = ""
    pict: bool = False


class NothingPlaced(_BySeat, kind="nothing"):
    """A seat can place no cube."""


class Deployed(_BySeat, kind="deploy"):
    """A formation deploys: cubes are pulled from it and placed in a region."""

    squares: tuple[Square, ...]
    shape: ShapeName
    pulled: tuple[Square, ...]
    region: Name
    picts: int = 0


class Shifted(_BySeat, kind="shift"):
    """S-shape: cubes move between two regions."""

    start: Name
    goal: Name
    n: int
    picts: int = 0


class Reinforced(_BySeat, kind="add"):
    """Box-shape: a cube comes from the supply."""

    region: Name
    pict: bool = False


class CastleTaken(_BySeat, kind="take"):
    """T-shape: a cube moves from a region into a castle; `out` is the colour of the cube that leaves the castle."""

    castle: Name
    region: Name
    pict: bool = False
    out: Colour | None = None


class CubeCarried(_BySeat, kind="carry"):
    """Merchant's Outpost: a cube moves on the player board."""

    start: Square
    goal: Square


class CardHeld(SwordsFact, kind="hold"):
    """A glory card changes hands: the new holder ("" for nobody) and the former one."""

    card: Glory
    seat: SeatOrNone
    before: SeatOrNone = ""


class PictsCome(_BySeat, kind="picts"):
    """The Picts at the side of the board come to the supply of who controls them."""

    n: int


class PictsGo(_BySeat, kind="picts gone"):
    """The Picts on a player board and in a supply go to the side of the board."""

    n: int


class CardinalStands(_BySeat, kind="cardinal"):
    """The Cardinal is put in a region."""

    region: Name


class WallStands(_BySeat, kind="wall"):
    """Hadrian's Wall is put on a border."""

    border: tuple[Name, Name]


class IconWild(_BySeat, kind="tapestry"):
    """An icon is wild for the holder of the Tapestry."""

    icon: Icon


class Present(_BySeat):
    """Who takes part in a battle, with how many cubes."""

    n: int
    picts: int = 0


class BattleBegins(_InRegion, kind="battle"):
    """A battle is triggered."""

    token: int
    present: tuple[Present, ...]


class SwordDrawn(_BySeat, kind="sword"):
    """Long Sword: another cube for the battle; `source` is its origin, "" for the supply."""

    region: Name
    source: NameOrNone = ""
    pict: bool = False


class Killed(_BySeat, kind="kill"):
    """A castle removes a cube; the seat is who occupies the castle."""

    castle: Name
    colour: Colour


class Number(_BySeat):
    """The number of cubes that a seat commits, and the number it has there."""

    n: int
    of: int
    picts: int = 0


class Committed(_InRegion, kind="commit"):
    """The hands are opened; with `last` it is the Cardinal's answer."""

    numbers: tuple[Number, ...]
    last: bool = False


class Won(_BySeat, kind="won"):
    """A battle is won: points of the token. `how`: alone there, by the most cubes, by the Crown, as the next below a tie."""

    region: Name
    points: int
    how: Literal["unopposed", "most", "crown", "third"]


class AllLost(_InRegion, kind="all lost"):
    """A battle has no winner."""


class GloryPoints(_BySeat, kind="bonus"):
    """Points by Bagpipes or Drums."""

    card: Glory
    points: int


class Healed(_BySeat, kind="heal"):
    """Druid: a committed cube is healed."""

    pict: bool = False


class Retreated(_BySeat, kind="retreat"):
    """Cubes retreat to a region."""

    start: Name
    goal: Name
    n: int
    picts: int = 0


class NoWay(_BySeat, kind="no way"):
    """Cubes without an open way go to the supply."""

    region: Name
    n: int


class GloryBid(_BySeat, kind="bid"):
    """Committed cubes go to a glory card."""

    card: Glory
    n: int


class LeaderIs(_BySeat, kind="leader"):
    """The seat that takes the start player marker."""


class RegionScored(_InRegion):
    """What a region gives at the end of a round; `seat` is "" where it gives nothing."""

    seat: SeatOrNone
    points: int = 0
    how: Literal["most", "crown", "third", "tie", "empty"] = "most"


class RoundScored(SwordsFact, kind="score"):
    """A round is over: the points of each region, and everybody's totals."""

    round: int
    regions: tuple[RegionScored, ...]
    points: dict[Seat, int]
