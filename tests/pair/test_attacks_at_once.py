"""What one of two can sign that the other's program, or anybody, finds at once: with entry, code and party, and its honest twin.

Each row bends one act of a turn that is honest but for it. `Scene.at_once` takes the honest turn first.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pytest

from pbem.ledger import Entry, cj, player_root, sha256_hex
from pbem.ledger.deck import DeckName, Shuffler
from pbem.ledger.group import Element, element, hashed, multiple
from pbem.ledger.pair import append, signed_turn, signed_word
from pbem.ledger.pair.vault import kept_under
from pbem.ledger.shuffle import total_of
from tests.pair.attacks_at_once import ANY, scene_of

from .cheating import Act, Scene, Wanted
from .playing import key_of

NEUTRAL = "AQ" + "A" * 41
"""The neutral point, and one of order 8, in base64."""
SMALL = "xxdqcD1N2E+6PAt2DRBnDyogU/osOczGTsf9d5KsA3o"


def later(do: str, by: str = "") -> Wanted:
    """In a turn above which such an act stands already (by the other, if it is asked for)."""

    def wanted(scene: Scene) -> bool:
        return any(act["do"] == do for seat, act in said(scene) if not by or seat != scene.seat)

    return wanted


def said(scene: Scene) -> list[tuple[str, Act]]:
    """All that was said above, each with its seat."""
    return [(e.fields["by"], act) for e in scene.couple.entries[3:] for act in e.fields["say"]["acts"]]


def last(scene: Scene, do: str, *, mine: bool) -> Act:
    return [act for seat, act in said(scene) if act["do"] == do and (seat == scene.seat) == mine][-1]


@dataclass(frozen=True)
class Row:
    """An attack: where it is mounted, how, and what is found of it by the other's program and by anybody."""

    do: str
    bend: Callable[[Scene], Entry]
    program: str
    verify: str = "same"
    party: str = "cheat"
    wanted: Wanted = ANY
    game: str = "tiny"


def _laid(scene: Scene, cards: list[str]) -> Entry:
    """Lay the deck out as if it had other cards."""
    name = DeckName(scene.cheat.course.game, scene.act["no"], tuple(cards), scene.cheat.seats)
    seed, below = scene.cheat.vault.deck(scene.act["no"]), [*name.elements.values()]
    return scene.bent(cards=cards, **Shuffler(name, scene.seat, seed, below).shuffle())


def _foreign(text: str) -> Callable[[Scene], Entry]:
    return lambda scene: scene.bent(deck=[text, *scene.act["deck"][1:]])


def _place(place: int, by: Callable[[list[Element]], Element]) -> Callable[[Scene], Entry]:
    """Lay another element in a place; the proof is the honest one, as there is none of this."""

    def bend(scene: Scene) -> Entry:
        deck = scene.act["deck"]
        return scene.bent(deck=[*deck[:place], by([*map(element, deck)]).text, *deck[place + 1 :]])

    return bend


def _sum(own: Element, *others: Element) -> Element:
    return total_of([(1, own), *((weight, one) for weight, one in zip((3, 5), others, strict=True))])


def _unfit(scene: Scene, **changed: object) -> Entry:
    """Sign the turn with a field of the wanted act as no program writes it; None leaves it out."""
    acts = scene.acts
    acts[scene.index] = {key: value for key, value in (acts[scene.index] | changed).items() if value is not None}
    n, prev = scene.head
    fields = signed_turn(scene.couple.keys[scene.seat], scene.cheat.vault, scene.no, scene.head, acts)
    whole = {**fields, "n": n + 1, "prev": prev}
    return Entry(n + 1, sha256_hex(cj(whole)), whole, cj(whole))


def _share(scene: Scene, no: int, place: int, seed: str | None = None) -> Entry:
    deck = scene.cheat.course.decks[no]
    shuffler = Shuffler(deck.name, scene.seat, seed or scene.cheat.vault.deck(no), deck.below(scene.seat))
    return scene.bent(no=no, **shuffler.share(place, deck.lies(place)))


def _shuffler(scene: Scene, no: int) -> Shuffler:
    deck = scene.cheat.course.decks[no]
    return Shuffler(deck.name, scene.seat, scene.cheat.vault.deck(no), deck.below(scene.seat))


def _own_place(scene: Scene) -> Entry:
    owners = scene.cheat.course.owners
    no, place = next(spot for spot, owner in owners.items() if owner == scene.seat)
    return _share(scene, no, place)


def _other_card(scene: Scene) -> Entry:
    """Show another card of the hand than the one that was ordered."""
    play, act = scene.cheat, scene.act
    no, place = next(
        (no, place)
        for no, place in play.hand
        if place not in play.course.decks[no].played and play.hand[no, place] != act["card"]
    )
    shares = play.course.decks[no].shares
    return scene.bent(no=no, **_shuffler(scene, no).play(place, shares[place]))


def _has_another(scene: Scene) -> bool:
    play = scene.cheat
    held = [card for (no, place), card in play.hand.items() if place not in play.course.decks[no].played]
    return any(card != scene.act["card"] for card in held)


def _word(what: str = "resign", *, by: str = "", behind: int = 0, game: str = "") -> Callable[[Scene], Entry]:
    """Quote a word of the other before all else."""

    def bend(scene: Scene) -> Entry:
        couple, honest = scene.couple, scene.honest
        key = key_of(by) if by else couple.keys[honest.seat]
        entry = couple.entries[-1 - behind]
        word = signed_word(key, honest.vault, (entry.n, entry.hash), what)
        if game:
            say = word["say"] | {"game": game}
            word = {"do": "word", "say": say, "sig": key.sign("pbem-say-v1", cj(say))}
        return scene.sign([word, *scene.acts])

    return bend


def _rekey(scene: Scene) -> Entry:
    other = scene.couple.keys[scene.honest.seat]
    kept = kept_under(player_root(other), scene.cheat.course.game, scene.seat, scene.cheat.vault.secret)
    return scene.sign([{"do": "rekey", "key": other.key_line, "kept": kept}, *scene.acts])


def _link(number: int, *, mine: bool = True) -> Callable[[Scene], Entry]:
    """Show the link so many places away from the one that is next, of one's own chain or the other's."""

    def bend(scene: Scene) -> Entry:
        play = scene.cheat if mine else scene.honest
        next_one = (
            scene.cheat.course.seats[scene.seat].links if mine else scene.honest.course.seats[play.seat].links + 1
        )
        return scene.bent(x=play.vault.chain.x(next_one + number))

    return bend


def _without(do: str) -> Callable[[Scene], Entry]:
    return lambda scene: scene.sign([act for act in scene.acts if act["do"] != do])


def _older_turn(scene: Scene) -> Entry:
    old = next(e for e in scene.couple.entries[3:] if e.fields["by"] == scene.seat).fields
    return append(scene.head, {key: old[key] for key in ("k", "by", "say", "sig")})


def _opened_with(text: str, otherwise: str) -> Callable[[Scene], Entry]:
    return lambda scene: scene.bent(text=text if scene.act["text"] != text else otherwise)


def _not_his_card(scene: Scene) -> Entry:
    return scene.bent(card=next(card for card in ("c1", "c2", "c3") if card != scene.act["card"]))


def _one_link_more(scene: Scene) -> Entry:
    return scene.sign(
        [*scene.acts, {"do": "link", "x": scene.cheat.vault.chain.x(scene.cheat.course.seats[scene.seat].links + 1)}]
    )


def lays_out(scene: Scene) -> bool:
    return "cards" in scene.act


def shuffles(scene: Scene) -> bool:
    return "cards" not in scene.act


def is_act(scene: Scene) -> bool:
    return "ACT" in scene.act["text"]


def is_last(scene: Scene) -> bool:
    return scene.index == len(scene.acts) - 1


ROWS: dict[str, Row] = {
    # seals and orders
    "the other's seal copied": Row(
        "seal", lambda s: s.bent(d=last(s, "seal", mine=False)["d"]), "SEALBIND", wanted=later("seal", by="other")
    ),
    "a seal opened with another order": Row("open", _opened_with("CARD c1", "CARD c2"), "SEALBIND"),
    "a seal opened with another salt": Row("open", lambda s: s.bent(salt="0" * 32), "SEALBIND"),
    "opened twice": Row("open", lambda s: s.sign([*s.acts[: s.index + 1], s.act]), "ORDERING", "STRAY"),
    "an open answer where it has to be sealed": Row(
        "seal", lambda s: s.before({"do": "order", "text": "CARD c1"}), "ORDERING", ""
    ),
    "a sealed answer where it has to be open": Row(
        "order", lambda s: s.before({"do": "seal", "d": "5" * 64, "c": "A" * 684}), "ORDERING", "", wanted=is_act
    ),
    "an illegal order in an open game": Row("order", lambda s: s.bent(text="PASS"), "ILLEGAL", "", game="swords"),
    "an order in another form": Row("order", lambda s: s.bent(text=s.act["text"].lower()), "ILLEGAL", "", game="swords"),
    "an order that is no order": Row("order", lambda s: s.bent(text="\u0000 {}"), "ILLEGAL", "", game="swords"),
    # dice
    "a link of the other's chain": Row("link", _link(0, mine=False), "LINK"),
    "a link before its turn": Row("link", _link(2), "LINK"),
    "a link once more": Row("link", _link(-1), "LINK", wanted=later("link")),
    "a link held back": Row("link", _without("link"), "ORDERING", ""),
    "a link too many": Row(
        "link", _one_link_more, "ORDERING", ""
    ),
    # the deck
    "the same card twice": Row("deck", lambda s: s.bent(deck=[s.act["deck"][1], *s.act["deck"][1:]]), "CARD"),
    "a card too few": Row("deck", lambda s: s.bent(deck=s.act["deck"][1:]), "CARD", wanted=shuffles),
    "the neutral point": Row("deck", _foreign(NEUTRAL), "CARD"),
    "a point of small order": Row("deck", _foreign(SMALL), "CARD"),
    "no point at all": Row("deck", _foreign("/" * 43), "CARD"),
    "a deck with another card": Row("deck", lambda s: _laid(s, ["c99", *s.act["cards"][1:]]), "CARD", "", wanted=lays_out),
    "a deck with a card too few": Row("deck", lambda s: _laid(s, s.act["cards"][1:]), "CARD", "", wanted=lays_out),
    "a card twice, by another number": Row("deck", _place(0, lambda deck: multiple(7, deck[1])), "CARD"),
    "an element that is no card": Row("deck", _place(0, lambda _deck: hashed("strange")), "CARD", wanted=shuffles),
    "a weighted sum of two cards": Row("deck", _place(0, lambda deck: _sum(deck[0], deck[1], deck[2])), "CARD", wanted=shuffles),
    "a card that is marked": Row("deck", _place(0, lambda deck: multiple(2, deck[0])), "CARD", wanted=lays_out),
    "two places exchanged": Row("deck", lambda s: s.bent(deck=[*s.act["deck"][1::-1], *s.act["deck"][2:]]), "CARD"),
    "another key": Row("deck", lambda s: s.bent(key=multiple(2, element(s.act["key"])).text), "CARD"),
    "the other's proof": Row("deck", lambda s: s.bent(proof=last(s, "deck", mine=False)["proof"]), "CARD", wanted=shuffles),
    "the proof of an earlier deck": Row(
        "deck", lambda s: s.bent(proof=last(s, "deck", mine=True)["proof"]), "CARD",
        wanted=lambda s: any(seat == s.seat and act["do"] == "deck" for seat, act in said(s)),
    ),
    "a proof with a part too many": Row("deck", lambda s: s.bent(proof=f"{s.act['proof']}.{'A' * 43}"), "CARD"),
    "a deck without a proof": Row("deck", lambda s: _unfit(s, proof=None), "FORM"),
    "a proof that is no text": Row("deck", lambda s: _unfit(s, proof=7), "FORM"),
    "a proof that is too long": Row("deck", lambda s: _unfit(s, proof="A" * 34_232), "FORM"),
    "a deck of one card": Row("deck", lambda s: _unfit(s, deck=s.act["deck"][:1]), "FORM"),
    "cards named by who shuffles": Row("deck", lambda s: s.bent(cards=["c1", "c2"]), "CARD", wanted=shuffles),
    "a deck of later": Row("deck", lambda s: s.bent(no=s.act["no"] + 1), "CARD", wanted=lays_out),
    "a share of another place": Row("share", lambda s: s.bent(place=(s.act["place"] + 1) % 4), "CARD"),
    "a share with another number": Row("share", lambda s: _share(s, s.act["no"], s.act["place"], "7" * 64), "CARD"),
    "a share of one's own place": Row("share", _own_place, "CARD", wanted=lambda s: s.seat in s.cheat.course.owners.values()),
    "a share once more": Row(
        "share", lambda s: s.sign([*s.acts[: s.index + 1], s.act, *s.acts[s.index + 1 :]]), "ORDERING", "CARD",
        wanted=lambda s: [a["do"] for a in s.acts].count("share") == 1,
    ),
    "a share held back": Row("share", _without("share"), "ORDERING", "", wanted=lambda s: s.acts[-1]["do"] == "share"),
    "another card than was ordered": Row("play", _other_card, "CARD", "", wanted=_has_another),
    "a card that is not held": Row("play", _not_his_card, "CARD"),
    "a number while cards are hidden": Row(
        "play", lambda s: s.before({"do": "number", "no": 1, "x": _shuffler(s, 1).open()}), "CARD"
    ),
    # words
    "a resignation in the other's name": Row("order", _word(by="a stranger"), "SIG"),
    "a stale word": Row("order", _word(behind=1), "BIND"),
    "a word of another game": Row("order", _word(game="7" * 64), "BIND"),
    "agree where nothing is offered": Row("order", lambda s: s.sign([{"do": "say", "what": "agree"}, *s.acts]), "BIND"),
    "agree to one's own offer": Row(
        "order", lambda s: s.sign([{"do": "say", "what": "draw"}, {"do": "say", "what": "agree"}, *s.acts]), "BIND"
    ),
    "the other's key taken": Row("order", _rekey, "BIND"),
    # turns
    "an older turn once more": Row("order", _older_turn, "SEEN", party="supplier", wanted=later("order")),
    "nothing said": Row("order", lambda s: s.sign([]), "ORDERING", "", wanted=lambda s: s.index == 0),
    "the turn of later": Row("order", lambda s: _numbered(s, 1), "ORDERING"),
    # what is told
    "garbage told": Row("tell", lambda s: s.bent(view={"sides": 5}), "TELL", ""),
    "a patch with nulls": Row("tell", lambda s: s.bent(view=s.act["view"] | {"nothing": None}), "TELL", ""),
    "a view with more in it": Row("tell", lambda s: s.bent(view=s.act["view"] | {"more": 1}), "TELL", ""),
    "facts that are none": Row("tell", lambda s: s.bent(facts=[*s.act["facts"], 7]), "TELL", ""),
    "a hand that nobody can read": Row("tell", lambda s: s.bent(hand="A" * 684), "TELL", ""),
    "a part that is none": Row("part", lambda s: s.bent(part={}), "TELL", ""),
    "a part with garbage": Row("part", lambda s: s.bent(part={"side": [1]}), "TELL", ""),
    "tokens that are none": Row(
        "part", lambda s: s.bent(part={"side": s.act["part"]["side"] | {"kept": ["t99"]}}), "TELL", ""
    ),
    "something told that is not due": Row(
        "tell", lambda s: s.sign([*s.acts[: s.index], s.act, s.act]), "ORDERING", "", wanted=is_last
    ),
    # the end
    "another result": Row("over", lambda s: s.bent(result={"winner": s.seat}), "TELL", ""),
    "another's secret": Row("over", lambda s: s.bent(secret=s.honest.vault.secret), "SEALBIND"),
    "resigned when all is over": Row(
        "over", lambda s: s.sign([*s.acts[: s.index], {"do": "say", "what": "resign"}, s.act]), "ORDERING", ""
    ),
    "ordered when all is over": Row(
        "over", lambda s: s.sign([*s.acts, {"do": "order", "text": "ACT BANK"}]), "ORDERING", ""
    ),
}  # fmt: skip


def _numbered(scene: Scene, more: int) -> Entry:
    key = scene.couple.keys[scene.seat]
    return append(scene.head, signed_turn(key, scene.cheat.vault, scene.no + more, scene.head, scene.acts))


@pytest.mark.variants
@pytest.mark.parametrize("name", ROWS)
def test_the_other_player_s_program_finds_a_cheat_at_once(name: str) -> None:
    """A player cheats with seals (SEALBIND, STRAY), links (LINK), decks and shares (CARD), statements (SIG, BIND),
    results (TELL), or acts out of turn (ORDERING)."""
    row = ROWS[name]
    scene = scene_of(row.game, row.do, row.wanted)
    entry = row.bend(scene)
    party = scene.seat if row.party == "cheat" else row.party
    n = scene.head[0] + 1
    assert scene.at_once(entry) == (row.program, party, n)
    code = row.program if row.verify == "same" else row.verify
    assert scene.verified(scene.made) is None
    assert scene.verified(entry) == ((code, party, n) if code else None)
