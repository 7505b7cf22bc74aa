"""Every kind of fact that the rules tell: what the report writer turns into sentences.

A fact is a JSON object; `f` is its kind. `KINDS` lists each kind with its public fields and, after a bar, the fields that only
some seat hears (the owner of the blocks, unless said otherwise). Sides are "english" and "scottish", areas and blocks stand by
name (as keys by slug), `steps`, `n` and `strength` are numbers. What is false, 0 or nobody is left out where a ? stands. What
happens within a battle does not repeat its area; `battle` and `round` name it. Field types, where not obvious:

- `blocks`: names; in `reveal` and `hit` strengths by block
- `to`: numbers by area, for the owner names by area
- `steps`: a number in public; `gains`, `losses` objects {block, strength} with the strength reached
- `route`: areas, from the start to the end
"""

from __future__ import annotations

KINDS: dict[str, str] = {
    # the year and the turn
    "levy": "n | blocks (english): blocks drawn and deployed in England at full strength",
    "year": "year: the cards are dealt",
    "dealt again": "year: a hand had too many cards of a kind, and the deck is shuffled anew",
    "turn": "year, turn: a game turn begins",
    "cards": "english, scottish, first: both cards, and who is Player 1",
    "year ends": "year, early: early when both played an event",
    "victory": "winner, why (see victory.Result)",
    # acts
    "pass": "side, card: a card played for nothing",
    "herald": "side, noble: the Herald is sent to a noble",
    "herald answer": "noble, die, success",
    "pillage": "side, target, group",
    "pillage losses": "side (the victims'), area, steps, gone (blocks lost) | losses",
    "pillage gains": "side, area, steps | gains",
    "sea move": "side, start, to, n | blocks",
    "truce": "side: who plays it; the other may not attack",
    "victuals": "side, area, steps | gains",
    "coronation": "king (Bruce or Comyn), area: he is crowned and the King block enters",
    "return": "area: King Balliol returns from exile",
    "defection": "noble, to (side), area, why (herald, coronation) | strength (both sides hear it)",
    # movement
    "move": "side, route, n, attack? reinforce? rally? (bool) | blocks; the Norse: norse true, route of start and end",
    "main attack": "area, start, via, n, with? (objects {start, via}: more ways of one group), reserve? (other attacking blocks)",
    # battles
    "battles": "areas: the battles to be fought",
    "battle": "area, attacker, event? (bool), english, scottish (front), english_reserve? scottish_reserve? (counts)",
    "round": "area, round",
    "reveal": "side, blocks, ratings? (by block, where an option gives another than printed)",
    "unity": "block, die, gone: Celtic unity",
    "fire": "block, rating (with the bonus), home? schiltrom? (bool: why there is a bonus), letter? (not the printed), dice, hits",
    "hit": "blocks: the strengths left to those that are hit",
    "retreats": "block: it chooses to retreat",
    "stays": "block: it passes",
    "killed": "area, side, block, fate (pool, dead)",
    "edward": "area: Edward I is dead, Edward II follows him",
    "captured": "area, noble, by (his new side), how (killed, no retreat, pillage)",
    "control": "attacker: the roles change after round 1",
    "withdraw": "side: after round 3 the attackers must retreat",
    "retreat": "area, side, to, lost? (names) | to with names: the blocks of one letter go",
    "battle over": "area, winner? (side; nobody is left without), stay? (bool: nobody regroups)",
    "regroup": "area, side, to | to with names",
    # border raids
    "raid": "n (Scots in England), area (where a block is gone; none if there was no block to lose) | block",
    # the winter
    "homes": "side (who sent them), nobles (objects {noble, area}): nobles go home",
    "turned": "noble, to (side), area (none yet for one with two homes): the enemy holds his home | strength (both sides hear it)",
    "winter move": "side, start, to: Moray goes home, the King to a cathedral, Wallace to Selkirk | block, strength? (if it gains)",
    "disband": "side, areas (objects {area, n}) | areas with blocks",
    "edward winters": "Edward I winters in Scotland | area (english)",
    "french": "the French Knights come into the Scottish draw pool",
    "build": "side, areas (objects {area, steps}) | areas with gains",
    "draw": "side, area, to? (where it lands): a block is drawn and deployed at strength 1 | block",
    "no levy": "there is none, because Edward I winters in Scotland",
    "edward ii": "Edward I dies at the end of 1306",
}
"""Kind -> public fields | private fields."""
