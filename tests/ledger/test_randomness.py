"""PROTOCOL 5: chains, the stream, seals, against the vectors of another implementation."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.errors import FormError
from pbem.ledger import HashChain, PrivateKey, Root, Stream, event_key, link, outcome, player_root, seal
from pbem.ledger.entries import PATH
from pbem.ledger.tree import LEAVES, Deals, climb
from tests.counted import calls
from tests.ledger.files import vectors

V = vectors()
X, G = "11" * 32, "aa" * 32
LINKS = json.loads(V["rand_key"]["msg"])[4]


def test_the_vector_of_a_link() -> None:
    assert link("0" * 64, "pub", 1, X) == V["link"]["sha256"]


def test_the_vector_of_a_key_and_its_first_block() -> None:
    key = event_key(X, G, "pub", 1, LINKS)
    assert key.hex() == V["rand_key"]["K"]
    stream = Stream(key)
    assert bytes(stream.uniform(256) for _ in range(32)).hex() == V["rand_key"]["block0"]
    assert event_key(X, G, "pub", 1, LINKS[::-1]) == key, "the links are sorted by seat"


def test_the_vector_of_40_dice() -> None:
    key = event_key(X, G, "pub", 1, LINKS)
    assert outcome(key, [{"op": "roll", "n": 40, "sides": 6}]) == [V["roll_40d6"]["res"]]


def test_the_vector_of_a_whole_pile() -> None:
    key = event_key(X, G, "deal", 1, LINKS)
    pile = [f"c{i:02}" for i in range(25)]
    assert outcome(key, [{"op": "draw", "n": 25, "of": pile}]) == [V["draw_25_of_25"]["res"]]


def test_the_vector_of_uniform_numbers() -> None:
    stream = Stream(event_key(X, G, "pub", 2, LINKS))
    for n in (1, 2, 200, 256, 257, 1000, 65536):
        assert [stream.uniform(n) for _ in range(6)] == V["uniform"][f"n={n}"]


def test_the_vector_of_a_seal() -> None:
    game, who, ref, name, salt, value = json.loads(V["seal"]["line"])[1:]
    made = seal(game, who, ref, name, salt, value)
    assert (made.line.decode(), made.digest) == (V["seal"]["line"], V["seal"]["sha256"])


def test_the_requests_of_one_event_share_one_stream() -> None:
    key = event_key(X, G, "pub", 1, LINKS)
    both = outcome(key, [{"op": "roll", "n": 25, "sides": 6}, {"op": "roll", "n": 15, "sides": 6}])
    assert both[0] + both[1] == V["roll_40d6"]["res"]


@pytest.mark.parametrize("n", [0, -1, 65537])
def test_a_random_number_is_one_of_1_to_65536(n: int) -> None:
    with pytest.raises(FormError):
        Stream(b"k" * 32).uniform(n)


@given(st.binary(min_size=32, max_size=32), st.integers(1, 65536))
def test_a_uniform_number_is_below_n(key: bytes, n: int) -> None:
    assert 0 <= Stream(key).uniform(n) < n


@given(st.binary(min_size=32, max_size=32), st.lists(st.integers(0, 99), max_size=30), st.data())
def test_a_draw_takes_each_at_most_once_and_leaves_the_list_alone(key: bytes, of: list[int], data: Any) -> None:
    before, n = list(of), data.draw(st.integers(0, len(of)))
    drawn, whole = Stream(key).draw(n, of), Stream(key).draw(len(of), of)
    assert of == before
    assert sorted(whole) == sorted(of)
    assert drawn == whole[:n], "to draw fewer is to stop earlier"


def test_more_than_there_are_cannot_be_drawn() -> None:
    with pytest.raises(FormError, match="3 cannot be drawn of 2"):
        Stream(b"k" * 32).draw(3, ["a", "b"])


@pytest.mark.parametrize("length", [1, 2, 127, 128, 129, 256, 300])
def test_every_link_leads_to_the_one_below_in_any_order_of_asking(length: int) -> None:
    top = "ab" * 32
    chain = HashChain(top, "0" * 64, "pub", length)
    asked = {i: chain.x(i) for i in sorted(range(length + 1), key=lambda i: i * 7919 % 1009)}
    assert asked[length] == top
    assert asked[0] == chain.anchor
    assert all(link("0" * 64, "pub", i, asked[i]) == asked[i - 1] for i in range(1, length + 1))


def test_a_chain_from_stored_checkpoints_hashes_at_most_one_stretch(monkeypatch: pytest.MonkeyPatch) -> None:
    top = "ab" * 32
    stored = json.loads(json.dumps(HashChain(top, "0" * 64, "pub", 4096).checkpoints))
    hashed: list[int] = []

    def counted(nonce: str, label: str, i: int, x_hex: str) -> str:
        hashed.append(i)
        return link(nonce, label, i, x_hex)

    monkeypatch.setattr("pbem.ledger.chains.link", counted)
    chain = HashChain(top, "0" * 64, "pub", 4096, stored)
    assert not hashed
    for i in (5, 4000):
        hashed.clear()
        first = chain.x(i)
        assert 0 < len(hashed) <= 128
        hashed.clear()
        chain.x(i + 1)
        assert not hashed, "the next link is at hand"
        assert link("0" * 64, "pub", i + 1, chain.x(i + 1)) == first


def test_a_chain_has_no_link_beyond_its_top_and_no_other_checkpoints() -> None:
    chain = HashChain("ab" * 32, "0" * 64, "deal:1", 1)
    for i in (-1, 2):
        with pytest.raises(FormError, match="links 0 to 1"):
            chain.x(i)
    with pytest.raises(FormError, match="needs 1 checkpoints"):
        HashChain("ab" * 32, "0" * 64, "deal:1", 1, [])


def test_what_comes_from_a_root_differs_by_every_part() -> None:
    root = Root(b"r" * 32)
    made = [
        root.nonce(1),
        root.nonce(2),
        root.nonce("1"),
        root.top("0" * 64, "pub"),
        root.top("1" * 64, "pub"),
        root.top("0" * 64, "priv:ann"),
        *(
            root.salt(G, "ann", 9, rev, name, value)
            for rev in (0, 1)
            for name in ("order", "plans")
            for value in ("", "A")
        ),
        root.salt(G, "bob", 9, 0, "order", ""),
        root.salt(G, "ann", 10, 0, "order", ""),
        Root(b"s" * 32).nonce(1),
    ]
    assert len(set(made)) == len(made)
    assert {len(x) for x in made} == {64, 32}
    with pytest.raises(FormError, match="32 bytes"):
        Root(b"short")


def test_a_players_root_comes_from_his_key_alone() -> None:
    ann, again, bob = (PrivateKey.from_seed(bytes([n]) * 32) for n in (1, 1, 2))
    assert player_root(ann).nonce(1) == player_root(again).nonce(1) != player_root(bob).nonce(1)


def test_a_path_is_the_one_of_the_whole_tree_and_needs_one_block_of_it() -> None:
    """A host that has stored the roots of the blocks makes 64 anchors for a deal, not 4,096."""
    root, stored = Root(b"r" * 32), list[list[str]]()

    def keep(roots: list[str] | None) -> list[str] | None:
        stored.extend([roots] if roots else [])
        return stored[0] if stored else None

    whole, again = Deals(root, "nonce", 1, 0, keep), Deals(root, "nonce", 1, 0, keep)
    assert calls(lambda: whole.root, "tree.py:Deals.anchor") == LEAVES
    assert calls(lambda: again.path(777), "tree.py:Deals.anchor") == 64
    for k in (1, 64, 65, 777, LEAVES):
        path = again.path(k)
        assert len(path) == PATH
        assert climb(f"deal:{k}", again.anchor(k), k - 1, path) == whole.root == again.root
    assert len(stored) == 1
