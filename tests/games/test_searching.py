"""The search for any game: the same on every machine, finds what is best, and never acts on what a seat cannot see."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import pytest

from pbem.games.searching import WORTH, Branch, SearchModel, Tree, Urn, halving


def test_an_urn_gives_the_same_numbers_everywhere() -> None:
    urn = Urn(7)
    assert [urn.randrange(100) for _time in range(8)] == [15, 16, 55, 95, 71, 18, 53, 95]


def test_an_urn_is_seeded_by_a_chooser_and_gives_all_numbers_alike() -> None:
    urn = Urn.of(Urn(3))
    counted = [0] * 6
    for _time in range(6000):
        counted[urn.randrange(6)] += 1
    assert min(counted) > 900
    assert max(counted) < 1100
    assert Urn.of(Urn(3)).randrange(1000) == Urn.of(Urn(3)).randrange(1000) != Urn.of(Urn(4)).randrange(1000)


def test_halving_finds_the_best_of_many_with_the_same_luck_for_all() -> None:
    tried: dict[int, list[int]] = {}

    def trial(number: int, candidate: int) -> int:
        tried.setdefault(number, []).append(candidate)
        return Urn(number).randrange(50) - abs(candidate - 7)  # the luck is as large as all differences, and shared

    assert halving(range(16), trial, 200) == 7
    assert sum(map(len, tried.values())) <= 200
    assert len(tried[0]) == 16
    assert 7 in tried[max(tried)]


def test_halving_takes_the_first_of_equals_and_never_tries_the_only_one() -> None:
    assert halving("ab", lambda _number, _candidate: 0, 10) == "a"
    assert halving(["only"], lambda _number, _candidate: pytest.fail("tried"), 10) == "only"


class Coins:
    """Seat 1 has laid a coin, 0 or 1, unseen; seat 0 names it, or passes; seat 1 then keeps or gives what it has.

    Naming it right is worth all, wrong nothing, passing three quarters. Whoever peeked would never pass.
    """

    def __init__(self, heads: int = 500) -> None:
        self.heads = heads

    def guess(self, urn: Urn) -> list[str]:
        return ["1" if urn.randrange(1000) < self.heads else "0"]

    def asked(self, table: list[str]) -> int | None:
        return {1: 1, 2: 0, 3: 1}.get(len(table))

    def moves(self, table: list[str], root: bool) -> Sequence[str]:
        return {1: (f"lay {table[0]}",), 2: ("0", "1", "pass"), 3: ("keep", "give")}[len(table)]

    def label(self, table: list[str], move: str) -> Hashable:
        return "lay" if move.startswith("lay") else move

    def play(self, table: list[str], move: str, urn: Urn) -> list[str]:
        return [*table, move]

    def finish(self, table: list[str], urn: Urn) -> Sequence[int]:
        while len(table) < 4:
            moves = self.moves(table, root=False)
            table = [*table, moves[urn.randrange(len(moves))]]
        mine = 750 if table[2] == "pass" else WORTH * (table[2] == table[0])
        return (mine, WORTH - mine) if table[3] == "keep" else (WORTH, 0)


def grown(model: SearchModel[list[str], str], playouts: int, seed: int = 1) -> Tree[list[str], str]:
    tree = Tree(model, Urn(seed), 300)
    tree.grow(playouts)
    return tree


def test_what_is_hidden_is_not_acted_on() -> None:
    tree = grown(Coins(), 2000)
    assert tree.best() == "lay", "what looks alike is one branch"
    assert tree.best(["lay"]) == "pass", "who peeks would name it"


def test_what_is_likely_is_acted_on_and_others_serve_themselves() -> None:
    tree = grown(Coins(heads=950), 2000)
    assert tree.best(["lay"]) == "1"
    assert tree.best(["lay", "1"]) == "keep"


def test_a_seed_gives_the_same_tree_and_each_playout_is_one() -> None:
    def told(branch: Branch) -> object:
        return [(label, below.taken, below.got, told(below)) for label, below in branch.next.items()]

    one, two, three = (grown(Coins(), 300, seed) for seed in (1, 1, 2))
    assert told(one.root) == told(two.root) != told(three.root)
    assert sum(branch.taken for branch in one.root.next.values()) == 300


def test_where_nothing_was_tried_there_is_no_best() -> None:
    assert Tree(Coins(), Urn(1), 300).best() is None
