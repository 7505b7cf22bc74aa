"""What a deck of two costs: shuffling, shares, plays, and reckoning it again, against multiplications alone.

    python -m bench.deck [--cards 25] [--hand 5] [--times 5]

Processor time; the floor is one multiplication in the group for each that cannot be done without, measured in the same run.
"""

from __future__ import annotations

import argparse
from hashlib import sha256
from statistics import median
from time import process_time

from pbem.ledger.deck import Deck, DeckName, Shuffler
from pbem.ledger.group import BASE, multiple


def once(number: int, cards: int, hand: int) -> dict[str, float]:
    """Play a deck through; return the seconds of each part."""
    name = DeckName(sha256(b"bench").hexdigest(), number, tuple(f"card {n}" for n in range(cards)), ("one", "two"))
    first, second = (Shuffler(name, seat, sha256(f"{seat} {number}".encode()).hexdigest()) for seat in name.seats)
    by_seat, owners = {"one": first, "two": second}, {n: name.seats[n % 2] for n in range(2 * hand)}
    deck, found, began = Deck(name), dict[str, float](), process_time()

    def part(what: str) -> None:
        nonlocal began
        found[what], began = process_time() - began, process_time()

    for n in range(cards):
        multiple(2**251 + n, BASE)
    part("floor")
    deck.take_deck("one", first.lay_out())
    deck.take_deck("two", second.shuffle(deck.laid["one"]))
    part("shuffles")
    for place, owner in owners.items():
        giver = name.other(owner)
        deck.take_share(giver, by_seat[giver].share(place, deck.lies(place)), owner)
    part("shares")
    for place, owner in owners.items():
        deck.take_play(owner, by_seat[owner].play(place, deck.shares[place]), owner)
    part("plays")
    deck.take_openings({seat: who.open() for seat, who in by_seat.items()})
    part("openings")
    return found


def main() -> None:
    """Print the medians."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cards", type=int, default=25)
    parser.add_argument("--hand", type=int, default=5)
    parser.add_argument("--times", type=int, default=5)
    said = parser.parse_args()
    runs = [once(number, said.cards, said.hand) for number in range(said.times)]
    floor = median(run["floor"] for run in runs) / said.cards
    print(f"a multiplication: {1000 * floor:.2f} ms")
    for what in ("shuffles", "shares", "plays", "openings"):
        spent = median(run[what] for run in runs)
        print(f"{what:>9}: {1000 * spent:6.0f} ms, as {spent / floor:.0f} multiplications")


if __name__ == "__main__":
    main()
