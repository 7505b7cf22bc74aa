"""What several tests need of bids: text, BidCup, cup, opened, as_opened, …."""

from __future__ import annotations

import json
import random
from dataclasses import replace

from pbem.club.bidding import Opening, opening_of_bids
from pbem.club.event import Event
from pbem.club.pairing import Encounter
from pbem.club.results import RatedGame
from pbem.games import find
from pbem.kernel import Game, View
from pbem.ledger import sha256_hex
from tests.host.post import moment

from .games import known
from .rounds import Cup

BIDS = "tournament"
PEOPLE = ("rose", "iain", "moira", "ann")
WANTED = {"rose": "E3", "iain": "E1", "moira": "S2", "ann": "S2"}
FILE = """
name = "Border Cup"
game = "hammer"
kind = "swiss"
rounds = 2
bids = true
[options]
scenario = "bruce"
years = 1
rally = true
{players}
"""


def text(people: tuple[str, ...] = PEOPLE, later: str = "") -> str:
    players = "\n".join(f'[[players]]\nname = "{name.title()}"\nkey = "{known(name)}"' for name in people)
    return FILE.format(players=players) + later


class BidCup(Cup):
    """Players who bid what they always bid, and play at random."""

    def answer(self, name: str, rules: Game, view: View) -> str:
        if rules.id == BIDS:
            return f"BID {WANTED[name]}"
        return str(rules.options(view).sample(random.Random(f"{name} {self.minute}")))


def opened(cup: Cup) -> list[str]:
    """Open what can be opened, each once; return which games."""
    numbers = [number for _event, number in cup.rounds.open(moment(cup.minute))]
    assert cup.rounds.open(moment(cup.minute)) == [], "each once"
    return [cup.office.robot.house.game(number).row.game for number in numbers]


def as_opened(event: Event, wanted: Opening, opened: str, number: int) -> RatedGame:
    """The log of a game that was opened so, and is over, and that nobody has won."""
    options = find(wanted.game).complete(wanted.options)
    keys = {seat: (known(name.lower()),) for seat, name in wanted.seats.items()}
    head = sha256_hex(opened.encode())
    return RatedGame(opened, head, f"at {opened}", wanted.game, event.full_name, (), keys, (), options, round=number)


def bids(event: Event, number: int) -> RatedGame:
    """The bids of two in a round."""
    wanted = opening_of_bids(event.game, event.options, PAIR)
    first, second = wanted.seats
    named = {
        "game": "hammer",
        "options": {"scenario": "bruce", "years": "1", "rally": True, "bid": "E1"},
        "seats": {"english": first, "scottish": second},
    }
    made = as_opened(event, wanted, f"bids {number}", number)
    return replace(made, result={"winner": "", "games": [named]})


PAIR = Encounter("Rose", "Moira")
RULED = '[[rulings]]\nround = {n}\nplayers = {players}\nresult = "1/2"\n'


def replayed(*ruled: int) -> Event:
    """A knock-out of two, the games of which were ruled drawn in these rounds: so they play again, with sides changed."""
    file = text(("rose", "moira")).replace('"swiss"\nrounds = 2', '"knock-out"')
    players = ["Rose", "Moira"]
    return Event.read(
        file + "".join(RULED.format(n=n, players=json.dumps(players if n % 2 else players[::-1])) for n in ruled),
        "cup.toml",
    )
