"""What one of two can sign that the other cannot see to be false: it is bound at once, and found when both show their secrets.

`verify` finds what the secrets alone show, the audit what the rules are needed for; the entry is the one that lied, the party who
signed it. The game of the honest twin is clean.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from unittest.mock import patch

import pytest

from pbem.errors import Fault, UsageError
from pbem.games import find
from pbem.ledger import Entry
from pbem.ledger.deck import Shuffler
from pbem.ledger.group import element, multiple
from pbem.ledger.pair import Vault, append, joined, read_pair, signed_turn, verify_pair
from pbem.ledger.shuffle import ShuffleProofs
from pbem.player.pair.tale import opened_at_the_end
from pbem.referee.pair import PairPlay, audit_pair
from tests.pair.attacks_hidden import Bends

from .attacks_at_once import ANY, scene_of
from .cheating import Act, Scene, Wanted, of
from .hosted import TINY
from .playing import Couple, at_random

HAMMER = find("hammer")


def resealed(scene: Scene, text: str) -> Entry:
    """Seal another order, as well as the rules of a log can ask for."""
    vault, no, i = scene.cheat.vault, scene.no, scene.index
    return scene.bent(d=vault.sealed(no, i, text), c=vault.hide(no, i, text))


def keeps(scene: Scene) -> bool:
    """A token is kept in secret."""
    return str(scene.cheat.vault.read(scene.no, scene.index, scene.act["c"])).startswith("KEEP")


def _another_token(scene: Scene) -> Entry:
    drawn = {fact["tokens"][i] for _n, fact in scene.cheat.news if fact["f"] == "draw" for i in (0, 1)}
    return resealed(scene, next(f"KEEP t{i}" for i in range(1, 6) if f"t{i}" not in drawn))


def banks(scene: Scene) -> bool:
    return any(fact["f"] == "bank" for fact in scene.act["facts"])


def acts(scene: Scene) -> bool:
    return str(scene.act["text"]).startswith("ACT")


def has_kept(scene: Scene) -> bool:
    return bool(scene.act["part"]["side"]["kept"])


def _richer(scene: Scene) -> Entry:
    act = scene.act
    score = act["view"]["sides"][scene.seat]["score"]
    return scene.bent(view=act["view"] | {"sides": act["view"]["sides"] | {scene.seat: {"score": score + 3}}})


@dataclass(frozen=True)
class Hidden:
    """A lie: where it is told, how, and what finds it when all is over."""

    do: str
    bend: Callable[[Scene], Entry]
    verify: str
    audit: str
    wanted: Wanted = ANY


ROWS = {
    "another text hidden than was sealed": Hidden(
        "seal", lambda s: s.bent(c=s.cheat.vault.hide(s.no, s.index, "CARD c1")), "SEALBIND", "SEALBIND"
    ),
    "garbage hidden beside a seal": Hidden("seal", lambda s: s.bent(c="A" * 684), "SEALBIND", "SEALBIND"),
    "a token kept that was not drawn": Hidden("seal", _another_token, "", "ILLEGAL", wanted=keeps),
    "no order sealed": Hidden("seal", lambda s: resealed(s, "NOTHING"), "", "ILLEGAL", wanted=keeps),
    "an order in another form sealed": Hidden(
        "seal", lambda s: resealed(s, s.cheat.vault.read(s.no, s.index, s.act["c"]).lower()), "", "ILLEGAL", wanted=keeps
    ),
    "an order that is none": Hidden("order", lambda s: s.bent(text="ACT JUMP"), "", "ILLEGAL", wanted=acts),
    "an order in another form": Hidden("order", lambda s: s.bent(text=s.act["text"].lower()), "", "ILLEGAL", wanted=acts),
    "more points told than were banked": Hidden(
        "tell", lambda s: s.bent(facts=[fact | {"points": 9} for fact in s.act["facts"]]), "", "TELL", wanted=banks
    ),
    "a score that is not his": Hidden("tell", _richer, "", "TELL", wanted=banks),
    "nothing told of what everybody hears": Hidden("tell", lambda s: s.bent(facts=[]), "", "TELL", wanted=banks),
    "more handed over than there is": Hidden(
        "tell", lambda s: s.bent(hand=_hand(s, [0, {"f": "draw", "tokens": ["t1", "t2"]}])), "", "TELL", wanted=banks
    ),
    "other tokens than were kept": Hidden(
        "part",
        lambda s: s.bent(part={"side": s.act["part"]["side"] | {"kept": _others(s.act["part"]["side"]["kept"])}}),
        "", "TELL", wanted=has_kept,
    ),
}  # fmt: skip


def _hand(scene: Scene, facts: list[Any]) -> str:
    mix = scene.cheat.course.seats[scene.honest.seat].mix
    return scene.cheat.vault.hand(mix, scene.no, scene.index, {"facts": facts, "view": {}})


def _others(kept: list[str]) -> list[str]:
    return [next(f"t{i}" for i in range(1, 6) if f"t{i}" != token) for token in kept]


def fresh(game: str, do: str, wanted: Wanted) -> Scene:
    """A scene whose programs nobody else goes on with."""
    made = scene_of(game, do, wanted)
    return Scene(made.pack, made.couple.options, do, wanted, int(made.couple.seed))


@pytest.mark.variants
@pytest.mark.parametrize("name", ROWS)
def test_a_hidden_lie_is_found_when_both_have_shown_their_secrets(name: str) -> None:
    """A player reports other tokens, points or facts (TELL), hides an illegal order (ILLEGAL) or another text or deck
    (SEALBIND, CARD)."""
    row = ROWS[name]
    scene = fresh("tiny", row.do, row.wanted)
    entry, n, party = row.bend(scene), scene.head[0] + 1, scene.seat
    assert scene.at_once(entry) is None, "nobody but who signs it can know"
    assert scene.verified(entry) is None
    log = scene.to_the_end(entry)
    assert of(verify_pair(log)) == ((row.verify, party, n) if row.verify else None)
    assert scene.audited(log) == (row.audit, party, n)
    if not row.verify:  # rules in other bytes see another game then, and blame nobody
        found = audit_pair(log, lambda _rules: TINY.knowing, alike=lambda _rules: False)
        assert (found.verdict, found.code, found.party, found.entry) == ("cannot_judge", "RULES", "nobody", n)
        assert scene.couple.entries[0].fields["rules"]["sha256"] in found.reason
        course, entries = read_pair(log)
        with pytest.raises(UsageError, match="the rules here give a different game"):
            opened_at_the_end(course, entries, entries[-1].n)


@pytest.mark.slow
def test_a_hand_that_nobody_can_read_is_found_when_both_have_shown_their_secrets() -> None:
    """TELL, at once, from the receiving program. If that program accepts the hand, SEALBIND at the end."""
    scene = fresh("tiny", "tell", banks)
    entry, n = scene.bent(hand="A" * 684), scene.head[0] + 1
    assert scene.at_once(entry) == ("TELL", scene.seat, n)
    assert scene.verified(entry) is None, "nobody else can know"
    log = taken_unread(scene, entry)
    assert of(verify_pair(log)) == scene.audited(log) == ("SEALBIND", scene.seat, n)
    one_secret = b"".join(log.splitlines(keepends=True)[:-1])
    assert of(verify_pair(one_secret)) == scene.audited(one_secret) == ("SEALBIND", scene.seat, n), "his own is enough"
    honest = scene.bent(hand=_hand(scene, []))
    assert of(verify_pair(taken_unread(scene, honest))) is None


def taken_unread(scene: Scene, entry: Entry) -> bytes:
    """The log in which the other gives the game up behind an entry that he has not read, and both show their secrets."""
    couple, cheat = scene.couple, scene.seat
    honest, key, head = scene.honest, couple.keys, (entry.n, entry.hash)
    winner = TINY.rules.resigned(honest.state, (honest.seat,), (cheat,))
    result = {"winner": winner, "why": "resigned", "seats": [honest.seat]}
    over: Act = {"do": "over", "result": result, "secret": honest.vault.secret}
    no = honest.course.seats[honest.seat].turns + 1
    gives_up = [{"do": "say", "what": "resign"}, over]
    last = append(head, signed_turn(key[honest.seat], honest.vault, no, head, gives_up))
    head = (last.n, last.hash)
    shown: Act = over | {"secret": couple.plays[cheat].vault.secret}
    end = append(head, signed_turn(key[cheat], couple.plays[cheat].vault, scene.no + 1, head, [shown]))
    return scene.log(entry, last, end)


@pytest.mark.slow
def test_the_honest_twins_are_clean() -> None:
    for do, wanted in {(row.do, row.wanted) for row in ROWS.values()}:
        scene = fresh("tiny", do, wanted)
        log = scene.to_the_end(scene.made)
        assert audit_pair(log, lambda _rules: TINY.knowing).verdict == "clean"
        assert audit_pair(log, lambda _rules: TINY.knowing, alike=lambda _rules: False).verdict == "clean"


# -- Hammer: what stands where, and how strong ---------------------------------------------------------------------------


def in_front(scene: Scene) -> bool:
    return bool(scene.act["part"].get("front"))


@pytest.mark.slow
def test_a_front_line_that_is_none_is_found_at_once() -> None:
    """What fits no position; a block that could stand there, or another strength, the other has to believe."""
    scene = fresh("hammer", "part", in_front)
    parts: list[Act] = [{"front": {"nobody": 3}}, {"front": []}, {"revealing": ["nobody"]}, {"revealing": 5}]
    for part in parts:
        found = scene.at_once(scene.bent(part=scene.act["part"] | part))
        assert found is not None
        assert found[:2] == ("TELL", scene.seat)


@pytest.mark.slow
def test_another_strength_in_front_is_found_at_the_end() -> None:
    """TELL. An impossible front line is found at once."""
    scene = fresh("hammer", "part", in_front)
    front = {name: strength - 1 for name, strength in scene.act["part"]["front"].items()}
    entry = scene.bent(part=scene.act["part"] | {"front": front})
    assert scene.at_once(entry) is None
    log = scene.to_the_end(entry)
    assert of(verify_pair(log)) is None
    assert scene.audited(log) == ("TELL", scene.seat, entry.n)


def test_nobody_tells_a_seat_what_it_knows_better_itself() -> None:
    """TELL, at once. A mover cannot state where the other player's blocks are, or their strength, in the open or in
    secret."""
    scene = fresh("hammer", "tell", ANY)
    view = scene.honest.peer.own
    name = next(name for name, block in view["blocks"].items() if isinstance(block, dict) and "strength" in block)
    strength = view["blocks"][name]["strength"]
    mix = scene.cheat.course.seats[scene.honest.seat].mix
    facts = list(range(len(scene.act["facts"])))
    own = {"facts": facts, "view": {"blocks": {name: {"strength": strength - 1}}}}
    for bent in (
        scene.bent(
            view=scene.act["view"] | {"blocks": {name: {"at": view["blocks"][name]["at"], "strength": strength - 1}}}
        ),
        scene.bent(hand=scene.cheat.vault.hand(mix, scene.no, scene.index, own)),
    ):
        assert scene.at_once(bent) == ("TELL", scene.seat, scene.head[0] + 1)


def test_a_card_that_the_other_holds_is_refused_and_stops_nobody() -> None:
    """ILLEGAL, at once."""
    scene = fresh("hammer", "order", lambda s: str(s.act["text"]).startswith("CARD"))
    mine = {f"CARD {HAMMER.knowing.called(card)}" for card in scene.honest.hand.values()}  # type: ignore[union-attr]
    for text in sorted(mine):
        found = scene.at_once(scene.bent(text=text))
        assert found is None or (found[0] in ("ILLEGAL", "CARD") and found[1] == scene.seat)
        if text != scene.act["text"]:
            assert found


@pytest.mark.slow
def test_a_deck_with_a_marked_card_is_proved_by_the_honest_seats_own_number() -> None:
    """The shuffle's proof excludes such a deck. Where nobody checks it, the honest seat signs its number, and everybody
    can see the mark.

    The proof of the shuffle keeps such a deck out; this is what is left where nobody looks at it.
    """
    couple = Couple(HAMMER, {}, "marked")
    honest_shuffle = Shuffler.shuffle

    def marked(self: Shuffler) -> Act:
        said = honest_shuffle(self)
        if self.seat == "english":
            return said
        return {**said, "deck": [*said["deck"][:-1], multiple(7, element(said["deck"][0])).text]}

    bends = patch.object(Shuffler, "shuffle", marked)
    with bends, pytest.raises(Fault) as found:
        Couple(HAMMER, {}, "marked").play(at_random(3))
    assert (found.value.code, found.value.party) == ("CARD", "scottish"), "his own program signs no such deck"
    with (
        patch("pbem.ledger.deck.proves", lambda *_about: True),
        patch.object(ShuffleProofs, "hold", lambda _self: True),
    ):
        with bends, pytest.raises(Fault) as found:
            couple.play(at_random(1))  # in which the cheat shows his number first
        assert (found.value.code, found.value.party) == ("CARD", "scottish")
        verdict = verify_pair(couple.dump())
    assert (verdict.code, verdict.party) == ("CARD", "scottish")
    by_proof = verify_pair(couple.dump())
    assert (by_proof.code, by_proof.party) == ("CARD", "scottish")


# -- what was bound at the join ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("what", ["", "chain", "mix"])
def test_chain_and_mix_have_to_follow_from_the_secret(what: str) -> None:
    """SEALBIND, at the end, for a player's chain or share of the common key."""
    couple = Couple(TINY, {"players": 2, "turns": 1})
    entries = couple.entries[:1]
    for seat in couple.seats:
        vault = couple.plays[seat].vault
        if seat == couple.seats[1] and what:
            vault = Bends(vault, **{what: getattr(Vault(vault.game, seat, "7" * 64), what)})
        last = entries[-1]
        entries.append(append((last.n, last.hash), joined(couple.keys[seat], vault, (last.n, last.hash))))
    assert TINY.knowing is not None
    for seat in reversed(couple.seats):
        if seat == couple.seats[0]:
            if not what:
                entries += PairPlay.of(TINY.knowing, entries, couple.keys[seat]).turn(couple.keys[seat])
            continue
        play, last = PairPlay.of(TINY.knowing, entries, couple.keys[seat]), entries[-1]
        winner = TINY.rules.resigned(play.state, (seat,), (play.other,))
        result = {"winner": winner, "why": "resigned", "seats": [seat]}
        say: list[Act] = [
            {"do": "say", "what": "resign"},
            {"do": "over", "result": result, "secret": play.vault.secret},
        ]
        head = (last.n, last.hash)
        entries.append(append(head, signed_turn(couple.keys[seat], play.vault, 1, head, say)))
    verdict = verify_pair(b"".join(entry.line + b"\n" for entry in entries))
    assert (verdict.verdict == "clean") == (not what)
    assert of(verdict) == (("SEALBIND", couple.seats[1], 2) if what else None)


def test_a_deck_has_to_be_hidden_by_the_number_from_the_secret() -> None:
    """Another number plays as well; when all is over it is seen."""
    couple = Couple(TINY, {"players": 2, "turns": 3}, "another number")
    cheat = couple.seats[1]
    play = couple.plays[cheat]
    play.vault = Bends(play.vault, deck=lambda _no: "7" * 64)
    couple.play(at_random(1), most=8)
    while play.course.baton != cheat:
        couple.play(at_random(1), most=1)
    honest, last = couple.plays[couple.seats[0]], couple.entries[-1]
    winner = TINY.rules.resigned(play.state, (cheat,), (honest.seat,))
    result = {"winner": winner, "why": "resigned", "seats": [cheat]}
    say: list[Act] = [{"do": "say", "what": "resign"}, {"do": "over", "result": result, "secret": play.vault.secret}]
    head, no = (last.n, last.hash), play.course.seats[cheat].turns + 1
    over = append(head, signed_turn(couple.keys[cheat], play.vault, no, head, say))
    n = next(
        e.n
        for e in couple.entries[3:]
        if e.fields["by"] == cheat and any(a["do"] == "deck" for a in e.fields["say"]["acts"])
    )
    with pytest.raises(Fault) as found:
        honest.take_entry(over)
    assert (found.value.code, found.value.party, found.value.entry) == ("CARD", cheat, n)
    assert of(verify_pair(couple.dump() + over.line + b"\n")) == ("CARD", cheat, n), "without the other's secret"
