"""The rules of Hammer of the Scots 4.0: a pure state machine. The modules:

==================  ============================================================================================
facts               the printed values: areas, borders, blocks, deck
board               the place of every block (immutable), occupancy, contested areas
variants            the options and editions by name
frame               the base of all procedures; the law that a frame holds nothing hidden; their nesting
scenarios           the years of each, and the places of blocks (8.1-8.3)
setup, year         the first position; the year, the game turn and their order (3.x, 7.0)
deal_123            when cards are dealt again (an option)
acts                the acts of Player 1 and Player 2: the event or move of an order (3.1)
asked               what law knows of an asked seat: a small part of a view
move_law, moves     which moves are legal and why not (4.0-4.7, rallying); making them, border marks, main attacks
groups              which attackers are one group (5.32)
events              Herald, Pillage, Sea Move, Truce, Victuals
crown               coronation and the return of the king (6.2), the defections they cause
battles             which battle is next; front lines and reserves (5.1, 5.32, 5.33); event battles
battle_law          the possible orders to the blocks of a letter in their combat turns (5.31)
battle, hits        one battle: reveal, Celtic unity, rounds, turns, fire, hits, captures, eliminations (5.2-5.8)
ratings             combat ratings, the home bonus, schiltroms (2.12, 1.4)
norse               where the Norse may be (4.7)
retreat_law         where blocks may retreat or regroup to (5.5, 5.6, 4.7)
retreats, regroup   carrying that out
raids               border raids (5.9)
victory             who has won (9.x); `settled` and `final` for the winter of the last year
winter*, levy       the Winter Turn (7.1-7.8), called as the frame `Winter("begin")`, done when the next year may be dealt
view, position      masks for each seat; the position format
told                every kind of fact, with its fields
==================  ============================================================================================

**For the winter.** `Year.do_winter` calls `Winter("begin")`. A frame's question is answered through the tables of questions
(`..questions`): name -> Question, with `options`, `why_not`, `default` and `read`, all from the view. Further facts that the asked
seat needs, beyond its own blocks, go through the frame's `particulars`. A noble put home gets `known=1` (everybody sees where he
is) until the next Game Turn begins. When the game may be decided (the last year of `scenarios`): after 7.2
`victory.settled(board)`, after 7.6 `victory.final(board)`, each through `victory.declare(run, result)`.
"""

from __future__ import annotations

from .asked import Crossed, Fight
from .battle_law import LETTERS, CombatTurn, acts_refusal, combat_turn, every_acts, tied_seen
from .bids import BIDS, keeps_edward
from .board import Board, Mark, Piece, State, closed_ways
from .crown import CANDIDATES, coronation_refusal, return_refusal
from .deal_123 import deals_before, is_too_much
from .events import (
    PILLAGE_HITS,
    VICTUALS_STEPS,
    feed_refusal,
    hand_out,
    herald_refusal,
    losses_refusal,
    pillage_refusal,
    sea_move_refusal,
)
from .frame import NESTING, Procedure
from .groups import SEA, attack_group, origin
from .hits import forced_and_tied, has_one_target, take_hits
from .move_law import (
    Mover,
    Tally,
    crosses_to_or_from_england,
    leaders,
    marches,
    may_raid_in_truce,
    move_refusals,
    mover,
    norse_refusal,
    routes,
    sailings,
)
from .norse import norse_coast
from .position import dump, load
from .printed import (
    ALIASES,
    AREA_OF,
    AREAS,
    BLOCK_OF,
    BLOCKS,
    BORDER,
    CARD_NAME,
    CARDS_A_YEAR,
    CATHEDRALS,
    CELTIC,
    COAST,
    DEAD,
    DECK,
    EDWARD,
    ENGLAND,
    ENGLISH,
    KING,
    MORAY,
    NEIGHBOURS,
    NOBLES,
    NORSE,
    OFF,
    POOL,
    ROSTER,
    SCOTTISH,
    SIDES,
    SLUG,
    WALLACE,
    card_value,
    enemy,
    is_event,
)
from .raids import raid_refusal, raided
from .ratings import home_bonus, ratings, schiltrom
from .retreat_law import Exits, default_places, exits_seen, places_refusal
from .scenarios import MOST_YEARS, SCENARIOS, last_year, scenario
from .setup import set_up
from .telling import told_secret
from .texts import canonical
from .variants import (
    ANDREW_DE_MORAY,
    ANGUS_OG,
    BORDER_ONE_GROUP,
    DEAL_123,
    EDITIONS,
    INLAND_LANDING,
    NORSE_SEA_MOVE,
    OPTIONS,
    RALLY,
    SCHILTROMS,
    SIMULTANEOUS_FIRE,
    VARIANTS,
    chosen,
    edition_of,
)
from .victory import WHY
from .view import view
from .winter_builds import (
    NOT_INLAND,
    build_refusals,
    buildable,
    draw_refusal,
    landing_places,
    points_left,
    spend,
    spend_sensibly,
)
from .winter_disband import (
    SELKIRK,
    disband_refusals,
    edward_refusal,
    keep_as_many_as_may_stay,
    quarters,
    wallace_refusal,
    why_edward_goes,
)
from .winter_homes import ANDREW_GAINS, home_choices, home_refusals, stays_at
from .winter_limits import castle_limit, wants_no_room
from .year import GameTurn, Year

__all__ = [
    "ALIASES", "ANDREW_DE_MORAY", "ANDREW_GAINS", "ANGUS_OG", "AREAS", "AREA_OF", "BIDS", "BLOCKS", "BLOCK_OF", "BORDER",
    "BORDER_ONE_GROUP", "CANDIDATES", "CARDS_A_YEAR", "CARD_NAME", "CATHEDRALS", "CELTIC", "COAST", "DEAD", "DEAL_123",
    "DECK", "EDITIONS", "EDWARD", "ENGLAND", "ENGLISH", "INLAND_LANDING", "KING", "LETTERS", "MORAY", "MOST_YEARS",
    "NEIGHBOURS", "NESTING", "NOBLES", "NORSE", "NORSE_SEA_MOVE", "NOT_INLAND", "OFF", "OPTIONS", "PILLAGE_HITS", "POOL",
    "RALLY", "ROSTER", "SCENARIOS", "SCHILTROMS", "SCOTTISH", "SEA", "SELKIRK", "SIDES", "SIMULTANEOUS_FIRE", "SLUG",
    "VARIANTS", "VICTUALS_STEPS", "WALLACE", "WHY", "Board", "CombatTurn", "Crossed", "Exits", "Fight", "GameTurn", "Mark",
    "Mover", "Piece", "Procedure", "State", "Tally", "Year", "acts_refusal", "attack_group", "build_refusals",
    "buildable", "canonical", "card_value", "castle_limit", "chosen", "closed_ways", "combat_turn", "coronation_refusal",
    "crosses_to_or_from_england", "deals_before", "default_places", "disband_refusals", "draw_refusal", "dump", "edition_of",
    "edward_refusal", "enemy", "every_acts", "exits_seen", "feed_refusal", "forced_and_tied", "hand_out", "has_one_target",
    "herald_refusal", "home_bonus", "home_choices", "home_refusals", "is_event", "is_too_much", "keep_as_many_as_may_stay",
    "keeps_edward", "landing_places", "last_year", "leaders", "load", "losses_refusal", "marches", "may_raid_in_truce",
    "move_refusals", "mover", "norse_coast", "norse_refusal", "origin", "pillage_refusal", "places_refusal", "points_left",
    "quarters", "raid_refusal", "raided", "ratings", "return_refusal", "routes", "sailings", "scenario", "schiltrom",
    "sea_move_refusal", "set_up", "spend", "spend_sensibly", "stays_at", "take_hits", "tied_seen", "told_secret", "view",
    "wallace_refusal", "wants_no_room", "why_edward_goes",
]  # fmt: skip
