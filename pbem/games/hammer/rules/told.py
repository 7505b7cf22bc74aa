"""Every kind of fact that the rules tell; the look turns them into sentences.

Areas and blocks are given by name, and as keys of an object by slug. Hidden fields are only for the owner of the blocks, unless
noted otherwise. Facts within a battle do not repeat its area: `Battle` and `Round` name it.
"""

from __future__ import annotations

from typing import Annotated

from typing_extensions import TypeAliasType

from pbem.kernel import Happening, Json, hidden, one_of

from .printed import AREA_OF, AREAS, BLOCK_OF, CARD_NAME, DEAD, POOL, ROSTER, SIDES

Side = Annotated[str, one_of(SIDES)]
Area = TypeAliasType("Area", Annotated[str, one_of(AREAS)])
AreaKey = TypeAliasType("AreaKey", Annotated[str, one_of(AREA_OF)])
From = Annotated[str, one_of((*AREAS, "sea"))]
"""The last area before a block arrives, or "sea"."""
Block = TypeAliasType("Block", Annotated[str, one_of(ROSTER)])
BlockKey = TypeAliasType("BlockKey", Annotated[str, one_of(BLOCK_OF)])
Card = TypeAliasType("Card", Annotated[str, one_of(dict.fromkeys(CARD_NAME.values()))])


class HammerFact(Happening):
    """The base of them all."""


class _OfSide(HammerFact):
    side: Side


class _OfBlock(HammerFact):
    block: Block


class _OfYear(HammerFact):
    year: int


class _InArea(HammerFact):
    area: Area


class _OfSideInArea(_InArea):
    side: Side


class _OfNoble(HammerFact):
    noble: Block


class Reached(HammerFact):
    """The strength that a block has reached; 0 where it is gone."""

    block: Block
    strength: int


# The year and the turn


class Levy(HammerFact, kind="levy"):
    """The English draw this many blocks and deploy them in England at full strength."""

    n: int
    blocks: tuple[Block, ...] | None = hidden()


class Year(_OfYear, kind="year"):
    """The cards are dealt."""


class DealtAgain(_OfYear, kind="dealt again"):
    """A hand had too many cards of a kind, so the deck is shuffled again."""


class Turn(_OfYear, kind="turn"):
    """A game turn begins."""

    turn: int


class Cards(HammerFact, kind="cards"):
    """Both cards, and which side is Player 1."""

    english: Card
    scottish: Card
    first: Side


class YearEnds(_OfYear, kind="year ends"):
    """The year ends, `early` when both played an event."""

    early: bool


class Victory(HammerFact, kind="victory"):
    """The winner and the reason (see `victory`)."""

    winner: Side
    why: str


# Acts


class Pass(_OfSide, kind="pass"):
    """A card is played without effect."""

    card: Card


class Herald(_OfSide, kind="herald"):
    """The Herald is sent to a noble."""

    noble: Block


class HeraldAnswer(_OfNoble, kind="herald answer"):
    """The noble's answer."""

    die: int
    success: bool


class Pillage(_OfSide, kind="pillage"):
    """The area `target` is pillaged by a group in another one."""

    target: Area
    group: Area


class PillageLosses(_OfSide, kind="pillage losses"):
    """The victims' losses: steps, and the number of lost blocks."""

    area: Area
    steps: int
    gone: int
    losses: tuple[Reached, ...] | None = hidden()


class Built(_InArea):
    """The number of steps gained in an area."""

    steps: int
    gains: tuple[Reached, ...] | None = hidden()


class Gained(Built, _OfSide):
    """A side has gained them."""


class PillageGains(Gained, kind="pillage gains"):
    """The pillagers' gains."""


class SeaMove(_OfSide, kind="sea move"):
    """This many blocks move by sea."""

    start: Area
    to: Area
    n: int
    blocks: tuple[Block, ...] | None = hidden()


class Truce(_OfSide, kind="truce"):
    """The side that calls a truce; the other side may not attack."""


class Victuals(Gained, kind="victuals"):
    """A group is fed."""


class Coronation(_InArea, kind="coronation"):
    """He is crowned, and the King block enters."""

    king: Annotated[str, one_of(("Bruce", "Comyn"))]


class Return(_InArea, kind="return"):
    """King Balliol returns from exile."""


class ComesOver(_OfNoble):
    """A noble changes sides; the strength both sides hear."""

    to: Side
    area: Area | None = None
    strength: int | None = hidden()


class Defection(ComesOver, kind="defection"):
    """A noble changes sides and stays in his area."""

    why: Annotated[str, one_of(("herald", "coronation"))] | None = None


# Movement


class Move(_OfSide, kind="move"):
    """This many blocks move together along a route. A move of the Norse names only start and end."""

    route: tuple[Area, ...]
    n: int
    attack: bool = False
    reinforce: bool = False
    rally: bool = False
    norse: bool = False
    blocks: tuple[Block, ...] | None = hidden()


class Way(HammerFact):
    """The way of an attack: the area where it started, and the last one before it arrived, or "sea"."""

    start: Area
    via: From


class MainAttack(Way, _InArea, kind="main attack"):
    """This many blocks are the main attack, by one way or as one group with others. The other attackers are in reserve."""

    n: int
    with_: tuple[Way, ...] = ()
    reserve: int = 0


# Battles


class Battles(HammerFact, kind="battles"):
    """The battles to be fought."""

    areas: tuple[Area, ...]


class Battle(_InArea, kind="battle"):
    """A battle begins, with the numbers of blocks in front and in reserve; `event` names its cause."""

    attacker: Side
    english: int
    scottish: int
    english_reserve: int = 0
    scottish_reserve: int = 0
    event: bool = False


class Round(_InArea, kind="round"):
    """A round of the battle begins."""

    round: int


class Reveal(_OfSide, kind="reveal"):
    """Blocks with their strengths; `ratings` if an option changes the printed ones."""

    blocks: dict[BlockKey, int]
    ratings: dict[BlockKey, str] | None = None


class Unity(_OfBlock, kind="unity"):
    """Celtic unity."""

    die: int
    gone: bool


class Fire(_OfBlock, kind="fire"):
    """A block fires. `rating` includes the bonus, with its reason in `home` and `schiltrom`; `letter` is not the printed one."""

    rating: int
    dice: tuple[int, ...]
    hits: int
    home: bool = False
    schiltrom: bool = False
    letter: str = ""


class Hit(HammerFact, kind="hit"):
    """The remaining strengths of the blocks that are hit."""

    blocks: dict[BlockKey, int]


class Retreats(_OfBlock, kind="retreats"):
    """A block chooses to retreat."""


class Stays(_OfBlock, kind="stays"):
    """A block passes."""


class Killed(_OfSideInArea, kind="killed"):
    """A block is eliminated."""

    block: Block
    fate: Annotated[str, one_of((POOL, DEAD))]


class EdwardDead(_InArea, kind="edward"):
    """Edward I is dead; Edward II follows."""


class Captured(_InArea, kind="captured"):
    """A noble is captured by his new side."""

    noble: Block
    by: Side
    how: Annotated[str, one_of(("killed", "no retreat", "pillage"))]


class Control(HammerFact, kind="control"):
    """The roles change after round 1."""

    attacker: Side


class Withdraw(_OfSide, kind="withdraw"):
    """After round 3 the attackers must retreat."""


class _Going(_OfSideInArea):
    to: dict[AreaKey, tuple[Block, ...] | int]
    """The blocks that go to each area: names for their owner, numbers for all others."""

    def json(self, *, knows: bool) -> dict[str, Json]:
        to = {area: list(went) if knows else len(went) for area, went in self.to.items() if not isinstance(went, int)}
        return super().json(knows=knows) | {"to": to}


class Retreat(_Going, kind="retreat"):
    """Blocks retreat, those of one letter in their turn or all; `lost` are those without a retreat."""

    lost: tuple[Block, ...] = ()


class BattleOver(_InArea, kind="battle over"):
    """A battle ends. Without a winner nobody is left; with `stay` nobody regroups."""

    winner: Side | None = None
    stay: bool = False


class Regroup(_Going, kind="regroup"):
    """The victors regroup."""


# Border raids


class Raid(HammerFact, kind="raid"):
    """This many Scots raid England. The area loses a block if it has one."""

    n: int
    area: Area | None = None
    block: Block | None = hidden()


# The winter


class AtHome(_OfNoble):
    """A noble, and his home."""

    area: Area


class Homes(_OfSide, kind="homes"):
    """Nobles go home, sent by this side."""

    nobles: tuple[AtHome, ...]


class Turned(ComesOver, kind="turned"):
    """The enemy controls the noble's home. A noble with two homes has no area yet."""


class WinterMove(_OfSide, kind="winter move"):
    """Moray goes home, the King to a cathedral, Wallace to Selkirk, where he gains a step."""

    start: Area
    to: Area
    block: Block | None = hidden()
    strength: int | None = hidden()


class Disbanded(_InArea):
    """The number of blocks disbanded in an area."""

    n: int
    blocks: tuple[Block, ...] | None = hidden()


class Disband(_OfSide, kind="disband"):
    """Blocks are disbanded."""

    areas: tuple[Disbanded, ...]


class EdwardWinters(HammerFact, kind="edward winters"):
    """Edward I winters in Scotland; the English hear where."""

    area: Area | None = hidden()


class French(HammerFact, kind="french"):
    """The French Knights come into the Scottish draw pool."""


class Build(_OfSide, kind="build"):
    """Steps are built."""

    areas: tuple[Built, ...]


class Draw(_OfSide, kind="draw"):
    """A block is drawn and deployed at strength 1, in `to` if that is another area."""

    area: Area
    to: Area | None = None
    block: Block | None = hidden()


class NoLevy(HammerFact, kind="no levy"):
    """The levy is skipped, because Edward I winters in Scotland."""


class EdwardII(HammerFact, kind="edward ii"):
    """Edward I dies at the end of 1306."""
