"""What a deck of two costs: making it with its proof, judging that, shares, plays, reckoning it again, and judging all of it when
its numbers are at hand, against multiplications alone; with libsodium, where it is here, and without. Nothing is known of what was
reckoned in another part.

    python -m bench.deck [--cards 25] [--hand 5] [--times 5]

Processor time; the floor is one multiplication in the group for each that cannot be done without, measured in the same run.
"""

from __future__ import annotations

import argparse
from contextlib import nullcontext
from hashlib import sha256
from statistics import median
from time import process_time
from typing import Any
from unittest.mock import patch

from pbem.ledger.curve import times
from pbem.ledger.deck import Deck, DeckName, ShownDeck, Shuffler
from pbem.ledger.group import BASE
from pbem.ledger.group import number as number_of
from pbem.ledger.makers import sodium
from pbem.ledger.shuffle import ShuffleProofs
from tests.pair.playing import forgotten


def once(number: int, cards: int, hand: int) -> dict[str, float]:
    """Play a deck through; return the seconds of each part."""
    name = DeckName(sha256(b"bench").hexdigest(), number, tuple(f"card {n}" for n in range(cards)), ("one", "two"))
    by_seat, owners = dict[str, Shuffler](), {n: name.seats[n % 2] for n in range(2 * hand)}
    deck, found, began = Deck(name), dict[str, float](), process_time()

    def part(what: str) -> None:
        nonlocal began
        found[what] = process_time() - began
        forgotten()
        began = process_time()

    for n in range(cards):
        times(2**251 + n, BASE.point)
    part("floor")
    decks = list[tuple[str, Any]]()
    for seat in name.seats:
        by_seat[seat] = Shuffler(name, seat, sha256(f"{seat} {number}".encode()).hexdigest(), deck.below(seat))
        decks.append((seat, by_seat[seat].shuffle()))
        part("one made")
        deck = deck.take_deck(*decks[-1])
        part("judged")
    shares, plays = dict[int, Any](), dict[int, Any]()
    for place, owner in owners.items():
        shares[place] = by_seat[name.other(owner)].share(place, deck.lies(place))
        deck = deck.take_share(name.other(owner), shares[place], owner)
    part("shares")
    for place, owner in owners.items():
        plays[place] = by_seat[owner].play(place, deck.shares[place])
        deck = deck.take_play(owner, plays[place], owner)
    part("plays")
    opened = {seat: who.open() for seat, who in by_seat.items()}
    deck.reckoned(opened)
    part("openings")
    proofs, numbers = ShuffleProofs(), {seat: number_of(x) for seat, x in opened.items()}
    known: Deck = ShownDeck(DeckName(name.game, name.no, name.cards, name.seats), numbers=numbers, proofs=proofs)
    for said in decks:
        known = known.take_deck(*said)
    for place, owner in owners.items():
        known = known.take_share(name.other(owner), shares[place], owner)
        known = known.take_play(owner, plays[place], owner)
    known.reckoned(opened)
    assert proofs.hold()
    part("at hand")
    return found


def main() -> None:
    """Print the medians."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cards", type=int, default=25)
    parser.add_argument("--hand", type=int, default=5)
    parser.add_argument("--times", type=int, default=5)
    said = parser.parse_args()
    for library in (True, False)[not sodium.is_here() :]:
        print("with libsodium" if library else "without libsodium")
        with nullcontext() if library else patch.object(sodium, "_library", lambda: None):
            runs = [once(number, said.cards, said.hand) for number in range(said.times)]
        floor = median(run["floor"] for run in runs) / said.cards
        print(f"a multiplication in Python: {1000 * floor:.2f} ms")
        for what in ("one made", "judged", "shares", "plays", "openings", "at hand"):
            spent = median(run[what] for run in runs)
            print(f"{what:>9}: {1000 * spent:6.0f} ms, as {spent / floor:.0f} multiplications")


if __name__ == "__main__":
    main()
