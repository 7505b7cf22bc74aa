"""A deck of two: honest hands, and each cheat beside the honest twin that it is made from."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from copy import deepcopy
from functools import cache
from hashlib import sha256
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.errors import FormError
from pbem.kernel import Json
from pbem.ledger import group
from pbem.ledger.curve import NEUTRAL, L, P, Point, added, decode, encode, is_neutral, sum_of, times
from pbem.ledger.deck import Deck, DeckError, DeckName, ShownDeck, Shuffler
from pbem.ledger.group import (
    BASE,
    Element,
    KnownMultiples,
    drawn,
    element,
    hashed,
    holds,
    inverse,
    multiple,
    number,
    of_number,
    proof,
    prove,
)
from pbem.ledger.makers import ladder, sodium
from tests.ledger.edges import add

CARDS = ("three", "two", "two again", "one", "truce", "pillage")
NAME = DeckName("ab" * 32, 1, CARDS, ("english", "scottish"))
VECTORS = Path(__file__).parent / "data" / "deck.json"
OWNERS = {place: NAME.seats[place % 2] for place in range(4)}
"""Whose the first places are; the last two are nobody's."""


def seed(name: str) -> str:
    return sha256(name.encode()).hexdigest()


def half(deck: Deck, seat: str, of: str = "") -> Shuffler:
    """A seat's half of a deck, as far as that is laid; `of` is what its seed comes from."""
    return Shuffler(deck.name, seat, seed(of or seat), deck.below(seat))


@cache
def _honest(name: DeckName) -> tuple[Shuffler, Shuffler]:
    deck = Deck(name)
    english = half(deck, "english")
    deck = deck.take_deck("english", english.shuffle())
    return english, half(deck, "scottish")


def players(name: DeckName = NAME) -> tuple[Shuffler, Shuffler]:
    """Two who shuffle as they ought to."""
    return _honest(name)


def lay(deck: Deck, **bent: Callable[[dict[str, Json]], dict[str, Json]]) -> tuple[Deck, dict[str, str]]:
    """Let both shuffle, a word bent where somebody bends it; return the deck, and both numbers."""
    opened = {}
    for seat in deck.name.seats:
        who = half(deck, seat)
        deck = deck.take_deck(seat, bent.get(seat, dict)(who.shuffle()))
        opened[seat] = who.open()
    return deck, opened


def _with_numbers(name: DeckName) -> Deck:
    return ShownDeck(name, numbers={who.seat: number(who.open()) for who in players(name)})


KINDS: dict[str, Callable[[DeckName], Deck]] = {
    "as ever": Deck,
    "with the numbers": _with_numbers,
    "with one right number": lambda name: ShownDeck(
        name, numbers={"english": number(players(name)[0].open()), "scottish": 7}
    ),
    "with wrong numbers": lambda name: ShownDeck(name, numbers=dict.fromkeys(name.seats, 7)),
}
"""Who judges a deck: the words are taken and refused alike."""
_kind = ["as ever"]


@pytest.fixture(params=KINDS, scope="module")
def kind(request: pytest.FixtureRequest) -> Iterator[None]:
    _kind[0] = request.param
    yield
    _kind[0] = "as ever"


every_kind = pytest.mark.usefixtures("kind")


def new(name: DeckName = NAME) -> Deck:
    return KINDS[_kind[0]](name)


def shuffled(name: DeckName = NAME) -> Deck:
    english, scottish = players(name)
    deck = new(name)
    deck = deck.take_deck("english", english.shuffle())
    return deck.take_deck("scottish", scottish.shuffle())


def dealt() -> tuple[Deck, dict[int, dict[str, Json]]]:
    """A deck of which every share of a hand has been given, and those words."""
    deck, by_seat = shuffled(), dict(zip(NAME.seats, players(), strict=True))
    words = {place: by_seat[NAME.other(owner)].share(place, deck.lies(place)) for place, owner in OWNERS.items()}
    for place, said in words.items():
        deck = deck.take_share(NAME.other(OWNERS[place]), said, OWNERS[place])
    return deck, words


@every_kind
def test_each_sees_his_own_cards_and_all_that_is_played_holds() -> None:
    deck, _words = dealt()
    by_seat = dict(zip(NAME.seats, players(), strict=True))
    hands = {place: by_seat[owner].look(place, deck.shares[place]) for place, owner in OWNERS.items()}
    assert len(set(hands.values())) == len(OWNERS)
    for place, owner in OWNERS.items():
        said = by_seat[owner].play(place, deck.shares[place])
        deck = deck.take_play(owner, said, owner)
        assert deck.played[place] == hands[place]
    lay = deck.reckoned({who.seat: who.open() for who in players()})
    assert sorted(lay.values()) == sorted(CARDS)
    assert {place: lay[place] for place in hands} == hands


def test_a_share_is_no_card_to_anybody_but_its_owner() -> None:
    """Neither what lies there, nor the share, nor the public keys are a card's element; the giver himself cannot look."""
    deck, _words = dealt()
    english, scottish = players()
    seen = {deck.lies(place).data for place in OWNERS} | {share.data for share in deck.shares.values()}
    assert not seen & {*NAME.by_bytes}
    with pytest.raises(DeckError):
        scottish.look(0, deck.shares[0])
    with pytest.raises(DeckError):
        scottish.look(0, deck.lies(0))
    assert english.look(0, deck.shares[0]) in CARDS


@pytest.mark.slow
@every_kind
@settings(max_examples=8)
@given(st.integers(0, 2**64), st.integers(0, 2**64))
def test_every_deck_is_whole_whatever_the_seeds(one: int, two: int) -> None:
    deck = new()
    first = half(deck, "english", str(one))
    deck = deck.take_deck("english", first.shuffle())
    second = half(deck, "scottish", f"{two}s")
    deck = deck.take_deck("scottish", second.shuffle())
    lay = deck.reckoned({"english": first.open(), "scottish": second.open()})
    assert sorted(lay.values()) == sorted(CARDS)


def test_the_order_hangs_on_both() -> None:
    """With one seat's seed kept, the other's alone changes the order."""
    orders = set()
    for one, two in (("a", "x"), ("b", "x"), ("a", "y")):
        deck = new()
        first = half(deck, "english", one)
        deck = deck.take_deck("english", first.shuffle())
        second = half(deck, "scottish", two)
        deck = deck.take_deck("scottish", second.shuffle())
        orders.add(tuple(deck.reckoned({"english": first.open(), "scottish": second.open()}).values()))
    assert len(orders) == 3


# Cheats. Each is an honest word, changed; the honest one is taken afterwards


def refused(code: str, seat: str, act: Callable[..., object], *said: Any) -> None:
    with pytest.raises(DeckError) as found:
        act(*said)
    assert (found.value.code, found.value.seat) == (code, seat)


@every_kind
def test_a_card_laid_twice_is_seen_at_once() -> None:
    """CARD, for everybody: repeated or foreign cards, weighted sums of the other's cards, or marked cards have no valid
    proof. Without proofs, the dead deck shows it."""
    deck, english = new(), players()[0]
    said = english.shuffle()
    refused("TWICE", "english", deck.take_deck, "english", {**said, "deck": [said["deck"][0], *said["deck"][:-1]]})
    refused("COUNT", "english", deck.take_deck, "english", {**said, "deck": said["deck"][:-1]})
    refused("TURN", "scottish", deck.take_deck, "scottish", said)
    deck = deck.take_deck("english", said)
    refused("TURN", "english", deck.take_deck, "english", said)


# What a proof keeps out at once. Without it each of these attacks works, and is found when the deck is dead: so it is the guard


@pytest.fixture
def unproved(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody looks at proofs of a shuffle."""
    monkeypatch.setattr("pbem.ledger.deck.proves", lambda _said, _text: True)


def _replaced(place: int, by: Callable[[dict[str, Json]], Element]) -> Callable[[dict[str, Json]], dict[str, Json]]:
    def bent(said: dict[str, Json]) -> dict[str, Json]:
        return said | {"deck": [*said["deck"][:place], by(said).text, *said["deck"][place + 1 :]]}

    return bent


WEIGHTS, HAND = (3, 5), (0, 2)
"""By which the second seat tells two cards of the first's hand apart, and where they lie."""


def _weighted_sum(said: dict[str, Json]) -> Element:
    places = zip(WEIGHTS, HAND, strict=True)
    return Element.of(sum_of(*((weight, element(said["deck"][place]).point) for weight, place in places)))


BENT: dict[str, Callable[[dict[str, Json]], dict[str, Json]]] = {
    "another number for one card": _replaced(0, lambda said: multiple(7, element(said["deck"][0]))),
    "a card twice, by another number": _replaced(0, lambda said: multiple(7, element(said["deck"][1]))),
    "an element that is no card": _replaced(0, lambda _said: hashed("something else")),
    "a weighted sum": _replaced(1, _weighted_sum),
    "a mark": _replaced(1, lambda said: multiple(2, element(said["deck"][0]))),
    "the opposite": _replaced(3, lambda said: multiple(L - 1, element(said["deck"][3]))),
}


@pytest.mark.variants
@every_kind
@pytest.mark.parametrize("seat", NAME.seats)
@pytest.mark.parametrize("what", BENT)
def test_a_deck_that_is_not_the_one_below_it_is_refused_at_once(what: str, seat: str) -> None:
    deck = new()
    for who in (half(deck, one) for one in NAME.seats):
        honest = half(deck, who.seat).shuffle() if who.seat == "english" or deck.laid else {}
        if who.seat == seat:
            break
        deck = deck.take_deck(who.seat, honest)
    refused("PROOF", seat, deck.take_deck, seat, BENT[what](honest))
    deck = deck.take_deck(seat, honest)


@pytest.mark.variants
@every_kind
@pytest.mark.usefixtures("unproved")
@pytest.mark.parametrize("seat", NAME.seats)
@pytest.mark.parametrize("what", BENT)
def test_without_the_proof_it_would_be_found_when_the_deck_is_dead(what: str, seat: str) -> None:
    deck = new()
    deck, opened = lay(deck, **{seat: BENT[what]})
    refused("DECK", seat, deck.reckoned, opened)


@every_kind
@pytest.mark.usefixtures("unproved")
def test_without_the_proof_a_foreign_element_is_garbage_to_its_owner() -> None:
    deck = new()
    deck, _opened = lay(deck, scottish=BENT["an element that is no card"])
    english, scottish, garbage = half(deck, "english"), half(deck, "scottish"), 0
    for place in range(len(CARDS)):
        share = deck.take_share("scottish", scottish.share(place, deck.lies(place)), "english").shares[place]
        try:
            english.play(place, share)
        except DeckError:
            garbage += 1
    assert garbage == 1


@every_kind
@pytest.mark.usefixtures("unproved")
def test_without_the_proof_who_mixes_the_others_cards_into_one_place_of_his_own_reads_the_hand() -> None:
    """The price is one dead card."""
    deck = new()
    deck, opened = lay(deck, scottish=BENT["a weighted sum"])
    english, scottish = half(deck, "english"), half(deck, "scottish")
    share = deck.take_share("english", english.share(1, deck.lies(1)), "scottish").shares[1]
    seen = multiple(inverse(number(opened["scottish"])), share)
    sums = {
        encode(sum_of(*((weight, NAME.elements[card].point) for weight, card in zip(WEIGHTS, hand, strict=True)))): hand
        for hand in permutations(CARDS, 2)
    }
    hand = sums[seen.data]
    for place, card in zip(HAND, hand, strict=True):
        said = deck.take_share("scottish", scottish.share(place, deck.lies(place)), "english").shares[place]
        assert english.look(place, said) == card
    with pytest.raises(DeckError):
        scottish.look(1, share)


@every_kind
@pytest.mark.usefixtures("unproved")
def test_without_the_proof_who_marks_cards_when_he_lays_the_deck_out_finds_them_again() -> None:
    """He lays twice one card in the place of another: whatever the order, he sees where twice the one lies."""
    deck = new()
    deck, _opened = lay(deck, english=BENT["a mark"])
    places = range(len(CARDS))
    (found,) = ((a, b) for a in places for b in places if deck.lies(b) == multiple(2, deck.lies(a)))
    assert len(set(found)) == 2


def test_a_number_and_an_order_depend_on_the_deck_below() -> None:
    """A player with a lost disk gets another first deck. He shuffles it by another number, so two decks together reveal
    nothing."""
    decks = []
    for first in ("english", "another"):
        deck = new()
        deck = deck.take_deck("english", half(deck, "english", first).shuffle())
        decks.append(half(deck, "scottish"))
    assert decks[0].open() != decks[1].open()
    assert decks[0].shuffle() == half(shuffled(), "scottish").shuffle(), "the same deck below, the same word"


@every_kind
def test_a_share_of_another_place_key_deck_game_or_seat_is_refused() -> None:
    """Each proof is bound to all five."""
    deck, words = dealt()
    fresh, honest = shuffled(), words[0]
    _english, scottish = players()
    other_key = half(deck, "scottish", "another")
    other_deck = players(DeckName(NAME.game, 2, CARDS, NAME.seats))[1]
    other_game = players(DeckName("cd" * 32, 1, CARDS, NAME.seats))[1]
    lies = fresh.lies(0)
    wrong = [
        scottish.share(2, fresh.lies(2)) | {"place": 0},
        other_key.share(0, lies),
        other_deck.share(0, lies),
        other_game.share(0, lies),
        {**honest, "proof": words[2]["proof"]},
        {**honest, "share": fresh.lies(0).text},
        {**honest, "proof": "A" * 43 + "." + "A" * 43},
    ]
    for said in wrong:
        refused("PROOF", "scottish", fresh.take_share, "scottish", said, "english")
    refused("OWNER", "english", fresh.take_share, "english", honest, "english")
    for place in (-1, len(CARDS), True, "0", None):
        refused("PLACE", "scottish", fresh.take_share, "scottish", {**honest, "place": place}, "english")
    assert fresh.shares == {}
    fresh = fresh.take_share("scottish", honest, "english")
    assert fresh.shares[0] == deck.shares[0]
    assert fresh.take_share("scottish", honest, "english") is fresh, "once more is the same"


@every_kind
def test_a_proof_is_bound_to_its_whole_statement() -> None:
    """Seat, number and elements are the same; one other part of the statement differs at a time."""
    _english, scottish = players()
    secret, elsewhere = number(scottish.open()), DeckName("cd" * 32, 1, CARDS, NAME.seats)
    honest = shuffled()
    lies = honest.lies(0)
    taken = scottish.taken_off(lies)
    wrong = {
        "word": NAME.about("play", "scottish", 0),
        "game": elsewhere.about("share", "scottish", 0),
        "deck": DeckName(NAME.game, 2, CARDS, NAME.seats).about("share", "scottish", 0),
        "seat": NAME.about("share", "english", 0),
        "place": NAME.about("share", "scottish", 2),
        "card": NAME.about("share", "scottish", 0, "truce"),
        "protocol": ["another", *NAME.about("share", "scottish", 0)[1:]],
    }
    for about in wrong.values():
        said = prove(secret, [(BASE, scottish.key), (taken, lies)], about, seed("scottish")).text
        given = {"place": 0, "share": taken.text, "proof": said}
        refused("PROOF", "scottish", honest.take_share, "scottish", given, "english")
    assert honest.take_share("scottish", scottish.share(0, lies), "english").shares[0] == taken


@every_kind
def test_a_small_point_added_is_seen_at_once() -> None:
    small = decode(bytes.fromhex(SMALL[4]))
    assert small is not None
    english, scottish = players()
    for seat, laid in (("english", english.shuffle()), ("scottish", scottish.shuffle())):
        for field in ("key", "deck"):
            deck = new()
            if seat == "scottish":
                deck = deck.take_deck("english", english.shuffle())
            honest = laid["key"] if field == "key" else laid["deck"][3]
            marked = written(encode(add(element(honest).point, small)))
            said = laid | {field: marked if field == "key" else [*laid["deck"][:3], marked, *laid["deck"][4:]]}
            refused("POINT", seat, deck.take_deck, seat, said)
            deck = deck.take_deck(seat, laid)
    deck = shuffled()
    said = scottish.share(0, deck.lies(0))
    share = encode(add(element(said["share"]).point, small))
    refused("POINT", "scottish", deck.take_share, "scottish", said | {"share": written(share)}, "english")
    assert deck.take_share("scottish", said, "english").shares[0].text == said["share"]


@every_kind
def test_two_wrong_proofs_that_cancel_each_other_are_both_refused() -> None:
    """One answer is too large by as much as the other is too small: their sum would hold."""
    deck, by_seat = shuffled(), dict(zip(NAME.seats, players(), strict=True))
    words = {place: by_seat[NAME.other(owner)].share(place, deck.lies(place)) for place, owner in OWNERS.items()}
    for place, by in ((0, 1), (2, L - 1)):
        challenge, answer = proof(words[place]["proof"])
        wrong = words[place] | {"proof": f"{of_number(challenge)}.{of_number((answer + by) % L)}"}
        refused("PROOF", "scottish", deck.take_share, "scottish", wrong, "english")
    for place, owner in OWNERS.items():
        deck = deck.take_share(NAME.other(owner), words[place], owner)


@every_kind
def test_a_card_that_is_not_held_cannot_be_played() -> None:
    """Nor twice: the share of its place proves each play."""
    deck, _words = dealt()
    english, scottish = players()
    honest = english.play(0, deck.shares[0])
    for card in set(CARDS) - {honest["card"]}:
        refused("PROOF", "english", deck.take_play, "english", {**honest, "card": card}, "english")
    refused("PROOF", "english", deck.take_play, "english", {**honest, "place": 2}, "english")
    refused("CARD", "english", deck.take_play, "english", {**honest, "card": "ace"}, "english")
    refused("OWNER", "scottish", deck.take_play, "scottish", scottish.play(1, deck.shares[1]) | {"place": 0}, "english")
    refused("SHARE", "english", deck.take_play, "english", {**honest, "place": 4}, "english")
    deck = deck.take_play("english", honest, "english")
    assert deck.played[0] == honest["card"]
    refused("PLAYED", "english", deck.take_play, "english", honest, "english")


@every_kind
def test_another_number_than_the_one_that_shuffled_opens_nothing() -> None:
    deck = shuffled()
    opened = {who.seat: who.open() for who in players()}
    for wrong in (of_number(7), "", None, of_number(L - 1), "A" * 43):
        refused("OPEN", "scottish", deck.reckoned, {**opened, "scottish": wrong})
    assert len(deck.reckoned(opened)) == len(CARDS)


# The group


PUBLISHED = (
    (
        "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
    ),
    (
        "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
    ),
    (
        "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
        "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
    ),
)


def test_keys_are_those_that_rfc_8032_publishes() -> None:
    """The first three of section 7.1: a scalar from the secret's hash, times the base point."""
    from hashlib import sha512

    for secret, public in PUBLISHED:
        raw = bytearray(sha512(bytes.fromhex(secret)).digest()[:32])
        raw[0] &= 248
        raw[31] = raw[31] & 127 | 64
        assert encode(times(int.from_bytes(raw, "little"), BASE.point)).hex() == public


SMALL = (
    "0100000000000000000000000000000000000000000000000000000000000000",
    "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "0000000000000000000000000000000000000000000000000000000000000080",
    "0000000000000000000000000000000000000000000000000000000000000000",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
)
"""The eight points of small order."""
NOT_CANONICAL = (
    "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "0100000000000000000000000000000000000000000000000000000000000080",
    "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
)


def written(data: bytes) -> str:
    return Element(data).text


@pytest.mark.parametrize("data", [*SMALL, *NOT_CANONICAL])
def test_points_of_small_order_and_second_forms_are_no_elements(data: str) -> None:
    with pytest.raises(FormError):
        element(written(bytes.fromhex(data)))


def test_an_element_with_a_point_of_small_order_is_refused() -> None:
    """A point of small order would mark a card and pass most proofs."""
    small = decode(bytes.fromhex(SMALL[4]))
    assert small is not None
    mixed = encode(add(NAME.elements["truce"].point, small))
    assert decode(mixed) is not None
    with pytest.raises(FormError, match="of another order"):
        element(written(mixed))
    assert element(NAME.elements["truce"].text) == NAME.elements["truce"]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "A" * 42,
        "A" * 44,
        BASE.text + "=",
        BASE.text[:-1] + "n",
        BASE.text.replace("m", "-"),
        7,
        None,
        ["x"],
        "é" * 43,
    ],
)
def test_a_text_that_is_no_element_is_said(text: object) -> None:
    with pytest.raises(FormError):
        element(text)


@pytest.mark.parametrize(
    "text",
    [
        of_number(0),
        written(L.to_bytes(32, "little")),
        written((L + 1).to_bytes(32, "little")),
        written(b"\xff" * 32),
        "x",
        None,
    ],
)
def test_numbers_are_below_the_order(text: object) -> None:
    with pytest.raises(FormError):
        number(text)
    assert number(of_number(L - 1)) == L - 1


def slowly(n: int, of: Point) -> Point:
    """n times a point, by the textbook."""
    total = NEUTRAL
    for bit in f"{n:b}":
        total = times(2, total)
        if bit == "1":
            total = add(total, of)
    return total


NUMBERS = st.one_of(st.integers(0, 70), st.integers(0, 2**260), st.sampled_from((L - 1, L, L + 1, 2**252, 2**255 - 1)))


@settings(max_examples=60)
@given(NUMBERS, NUMBERS, st.integers(1, 2**64))
@pytest.mark.slow
def test_a_sum_of_points_is_the_one_that_adding_and_doubling_give(m: int, n: int, k: int) -> None:
    other = slowly(k, BASE.point)
    found, slow = sum_of((m, BASE.point), (n, other)), add(slowly(m, BASE.point), slowly(n, other))
    assert encode(found) == encode(slow)
    assert (found.x * found.y - found.z * found.t) % P == 0, "T goes with the others"
    assert encode(times(m, other)) == encode(slowly(m, other))
    assert is_neutral(sum_of())


@settings(max_examples=8)
@given(
    st.one_of(st.integers(0, L - 1), st.integers(0, 300), st.integers(1, 300).map(lambda n: L - n)),
    st.integers(1, 2**64),
)
def test_multiples_by_x25519_are_those_that_adding_and_doubling_give(n: int, k: int) -> None:
    for of in (BASE.point, slowly(k, BASE.point)):
        found = ladder.multiple(n, of)
        near = min(n, L - n)
        assert found is not None or near < 2**128, "only numbers near 0 are left to our own arithmetic"
        if found is not None:
            assert encode(found) == encode(slowly(n, of))
            assert (found.x * found.y - found.z * found.t) % P == 0, "T goes with the others"


def test_x25519_takes_no_point_for_an_element_that_has_a_part_of_small_order() -> None:
    one = hashed("one").point
    parts = [part for text in SMALL if (part := decode(bytes.fromhex(text)))]
    for part in parts:
        assert not ladder.is_of_order_l(part), "by itself"
        assert ladder.is_of_order_l(add(one, part)) == is_neutral(part)


def test_a_library_that_answers_wrongly_is_not_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    """A result of X25519 that is no point of the curve counts for nothing: our own arithmetic answers."""
    of, n = hashed("one").point, L // 3
    monkeypatch.setattr(sodium, "_library", lambda: None)
    assert ladder.multiple(n, of) is not None, "so a right one is"
    for answer in (b"", *(x.to_bytes(32, "little") for x in (2, 9, 2**248))):
        monkeypatch.setattr(ladder, "x25519", lambda _scalar, _data, answer=answer: answer)
        assert ladder.multiple(n, of) is None
        assert not ladder.is_of_order_l(of)
        assert group.multiple.__wrapped__(n, Element.of(of)).data == encode(slowly(n, of))


@settings(max_examples=10)
@given(st.lists(st.integers(0, 2**64), max_size=3))
def test_a_sum_of_points_is_the_multiple_by_the_sum(numbers: list[int]) -> None:
    points = [slowly(n, BASE.point) for n in numbers]
    assert encode(added(points)) == encode(slowly(sum(numbers), BASE.point))


@pytest.mark.slow
@settings(max_examples=10)
@given(*[st.integers(1, L - 1)] * 5)
def test_what_is_reckoned_with_known_multiples_is_the_same(
    m: int, n: int, other: int, challenge: int, answer: int
) -> None:
    known, card = KnownMultiples(), NAME.elements["one"]
    first, second = known.multiple(m, card), known.multiple(n, known.multiple(m, card))
    assert (first, second) == (multiple(m, card), multiple(m * n % L, card))
    assert known.element(second.text) is second
    assert known.multiple(inverse(n), second) is first
    assert known.multiple(n, BASE) == multiple(n, BASE)
    strange = multiple(other, hashed("strange"))
    about = ["about", 1]
    for pairs in ([(BASE, multiple(n, BASE)), (first, second)], [(card, first)], [(card, strange)], [(first, first)]):
        good = prove(n, pairs, about, seed("prover"))
        for said in (good, good._replace(challenge=challenge), good._replace(answer=answer), good._replace(answer=0)):
            assert known.holds(said, pairs, about) == holds(said, pairs, about)
        assert not known.holds(good, pairs, ["about", True])
    assert known.element(strange.text) == strange
    for text in (written(bytes.fromhex(SMALL[4])), f"{first.text}=", first.text[:-1], 7, None, [first.text]):
        with pytest.raises(FormError):
            known.element(text)


@settings(max_examples=10)
@given(st.integers(1, L - 1), st.integers(1, L - 1))
def test_multiples_multiply_and_are_undone(m: int, n: int) -> None:
    card = NAME.elements["one"]
    assert multiple(m, multiple(n, card)) == multiple(m * n % L, card) == multiple(n, multiple(m, card))
    assert multiple(inverse(n), multiple(n, card)) == card
    assert element(multiple(n, card).text) == multiple(n, card)


@pytest.mark.slow
@settings(max_examples=10)
@given(st.integers(1, L - 1), st.integers(1, L - 1), st.text(max_size=5))
def test_a_proof_holds_for_what_it_is_of_and_for_nothing_else(secret: int, other: int, about: str) -> None:
    card = NAME.elements["one"]
    pairs = [(BASE, multiple(secret, BASE)), (card, multiple(secret, card))]
    said = prove(secret, pairs, about, seed("prover"))
    assert holds(proof(said.text), pairs, about)
    assert not holds(said, pairs, about + "x")
    assert not holds(said, pairs[::-1], about)
    if other != secret:
        assert not holds(said, [pairs[0], (card, multiple(other, card))], about)
        assert not holds(prove(other, [pairs[0], (card, multiple(other, card))], about, seed("p")), pairs, about)
    assert not holds(said._replace(answer=(said.answer + 1) % L), pairs, about)
    assert not holds(said._replace(challenge=(said.challenge + 1) % L), pairs, about)


def test_two_proofs_of_one_number_do_not_share_what_hides_it() -> None:
    """With the same hidden number twice, two answers would tell the secret."""
    secret, card = drawn(seed("x"), "secret"), NAME.elements["one"]
    pairs = [(BASE, multiple(secret, BASE)), (card, multiple(secret, card))]
    hidden = set()
    for about in ("a", "b", "c"):
        said = prove(secret, pairs, about, seed("prover"))
        hidden.add((said.answer - said.challenge * secret) % L)
    assert len(hidden) == 3


def test_the_published_vectors() -> None:
    """Words of one deck, for other programs; PBEM_GOLDEN=write writes them anew."""
    import os

    deck, words = dealt()
    by_seat = dict(zip(NAME.seats, players(), strict=True))
    told = {
        "game": NAME.game, "no": NAME.no, "cards": list(CARDS), "seats": list(NAME.seats),
        "elements": {card: found.text for card, found in NAME.elements.items()},
        "decks": {seat: who.shuffle() for seat, who in by_seat.items()},
        "shares": [words[place] for place in OWNERS],
        "plays": [by_seat[owner].play(place, deck.shares[place]) for place, owner in OWNERS.items()],
        "opened": {seat: who.open() for seat, who in by_seat.items()},
        "lay": list(deck.reckoned({seat: who.open() for seat, who in by_seat.items()}).values()),
    }  # fmt: skip
    if os.environ.get("PBEM_GOLDEN") == "write":
        VECTORS.write_text(json.dumps(told, indent=1) + "\n", "utf-8")
    assert json.loads(VECTORS.read_text("utf-8")) == deepcopy(told)
