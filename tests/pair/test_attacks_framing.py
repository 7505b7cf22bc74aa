"""An honest seat is never blamed: not for what it signed elsewhere, nor for what anybody can sign in its name.

Of everything here a file can be made by who has no key but his own, from what an honest player has signed some time.
"""

from __future__ import annotations

from typing import Any

import pytest

from pbem.errors import Fault, UsageError
from pbem.ledger import SAY, Entry, cj, player_root
from pbem.ledger.pair import Vault, append, joined, signed_turn, signed_word, united, verify_pair
from pbem.ledger.pair.vault import secret_of
from pbem.referee.pair import audit_pair

from .attacks_at_once import scene_of
from .cheating import Scene, of
from .hosted import TINY
from .playing import Couple, at_random, key_of


def copy_of(entries: list[Entry]) -> bytes:
    return b"".join(entry.line + b"\n" for entry in entries)


def behind(entries: list[Entry], kind: str, by: str, say: dict[str, Any], sig: str) -> list[Entry]:
    last = entries[-1]
    return [*entries, append((last.n, last.hash), {"k": kind, "by": by, "say": say, "sig": sig})]


def raw(entries: list[Entry], kind: str, by: str, say: dict[str, Any], sig: str) -> bytes:
    """The same where the form is not that of the kind, so that no program of ours would write it."""
    last = entries[-1]
    line = cj({"k": kind, "n": last.n + 1, "prev": last.hash, "by": by, "say": say, "sig": sig})
    return copy_of(entries) + line + b"\n"


def begun(seed: str = "framed") -> Couple:
    """A game of a few mails, and the other's turn."""
    couple = Couple(TINY, {"players": 2, "turns": 3}, seed)
    couple.play(at_random(1), most=9)
    return couple


def test_a_word_is_no_turn() -> None:
    """What a seat said while it was the other's turn, put in as if it were its turn: not its fault."""
    couple = begun()
    last = couple.entries[-1]
    seat = last.fields["by"]
    word = signed_word(couple.keys[seat], couple.plays[seat].vault, (last.n, last.hash), "draw")
    log = raw(couple.entries, "turn", seat, word["say"], word["sig"])
    assert of(verify_pair(log)) == ("BIND", "supplier", last.n + 1)


def test_an_order_of_a_hosted_game_is_no_turn() -> None:
    """The same key signs orders of games with a host."""
    couple = begun()
    seat, last = couple.seats[0], couple.entries[-1]
    say = {"act": "order", "game": "7" * 64, "no": 1, "q": 5, "seat": seat, "seen": [5, "8" * 64], "text": "ACT BANK"}
    log = raw(couple.entries, "turn", seat, say, couple.keys[seat].sign(SAY, cj(say)))
    assert of(verify_pair(log)) == ("BIND", "supplier", last.n + 1)


def test_a_turn_of_another_game_is_nobodys_fault_here() -> None:
    couple, other = begun(), begun("framed too")
    seat = couple.seats[0]
    key = couple.keys[seat]
    turn = next(e for e in other.entries[3:] if e.fields["by"] == seat)
    say = turn.fields["say"]
    assert of(verify_pair(copy_of(behind(couple.entries, "turn", seat, say, key.sign(SAY, cj(say)))))) == (
        "BIND", "supplier", len(couple.entries),
    )  # fmt: skip


def test_a_repeated_turn_is_blamed_on_who_put_it_there() -> None:
    """BIND or SEEN, and not the author's fault. The same is true of statements and orders of a hosted game."""
    couple = begun()
    for turn in couple.entries[3:]:
        fields = turn.fields
        found = verify_pair(copy_of(behind(couple.entries, "turn", fields["by"], fields["say"], fields["sig"])))
        assert of(found) == ("SEEN", "supplier", len(couple.entries))


def test_an_answer_put_behind_another_turn_is_blamed_on_who_put_it_there() -> None:
    """A cheat signs two turns and puts the honest answer after the other one. FORK names him, when the copies meet."""
    scene = Scene(TINY, {"players": 2, "turns": 3}, "order", lambda s: str(s.act["text"]).startswith("ACT"))
    honest, entries = scene.honest, scene.couple.entries
    other = scene.sign([{"do": "say", "what": "draw"}, *scene.acts])
    honest.take_entry(scene.made)
    made = honest.turn(scene.couple.keys[honest.seat])
    while not made:
        made = honest.turn(scene.couple.keys[honest.seat], scene.answer(TINY.rules, honest.view))
    fields = made[0].fields
    moved = append((other.n, other.hash), {key: fields[key] for key in ("k", "by", "say", "sig")})
    assert of(verify_pair(copy_of([*entries, other, moved]))) == ("SEEN", "supplier", moved.n)
    one, two = copy_of([*entries, scene.made, made[0]]), copy_of([*entries, other])
    with pytest.raises(Fault) as found:
        united(one, two)
    assert (found.value.code, found.value.party, found.value.entry) == ("FORK", scene.seat, other.n)
    assert united(one, copy_of([*entries, scene.made])) == one, "the honest twin: one copy goes on from the other"


def stranger(couple: Couple, seat: str, entries: list[Entry]) -> dict[str, Any]:
    key = key_of("a stranger")
    vault = Vault(entries[0].hash, seat, secret_of(player_root(key), entries[0].hash, seat))
    return joined(key, vault, (entries[-1].n, entries[-1].hash))


def test_who_joins_in_anothers_name_blames_nobody() -> None:
    """A stranger sends a bad or second join to accuse a player or cause a FORK. It makes two games."""
    couple = begun()
    for entries in (couple.entries, couple.entries[:3], couple.entries[:2]):
        fields = stranger(couple, couple.seats[0], entries)
        log = copy_of([*entries, append((entries[-1].n, entries[-1].hash), fields)])
        assert of(verify_pair(log)) == ("ORDERING", "supplier", len(entries))
        say = fields["say"] | {"mix": "A" * 43}
        log = raw(entries, "join", couple.seats[1], say | {"seat": couple.seats[1]}, "")
        assert str(verify_pair(log).party) == "supplier"


@pytest.mark.parametrize("change", [{"mix": "A" * 43}, {"bound": "x"}, {"more": 1}])
def test_a_join_that_cannot_be_taken_blames_nobody(change: dict[str, Any]) -> None:
    """Its key is named in it: who signed it, nobody can tell."""
    couple = begun()
    entries, key = couple.entries[:2], key_of("a stranger")
    say = stranger(couple, couple.seats[1], entries)["say"] | change
    verdict = verify_pair(raw(entries, "join", couple.seats[1], say, key.sign(SAY, cj(say))))
    assert verdict.party == "supplier"
    assert verdict.code in ("SIG", "FORM")


def test_who_joins_in_anothers_name_makes_no_fork() -> None:
    """Two files of which the one was made by a stranger: they are of two games."""
    couple = begun()
    entries = couple.entries[:2]
    other = [*entries, append((entries[-1].n, entries[-1].hash), stranger(couple, couple.seats[1], entries))]
    assert verify_pair(copy_of(other)).verdict == "unfinished"
    with pytest.raises(UsageError):
        united(copy_of(couple.entries), copy_of(other))


def test_two_turns_that_differ_by_true_for_1_are_a_fork() -> None:
    scene = scene_of("tiny", "tell", lambda s: any(fact["f"] == "bank" for fact in s.act["facts"]))
    entries = scene.couple.entries
    one, two = (scene.bent(facts=[*scene.act["facts"], {"f": "x", "n": value}]) for value in (1, True))
    with pytest.raises(Fault) as found:
        united(copy_of([*entries, one]), copy_of([*entries, two]))
    assert (found.value.code, found.value.party) == ("FORK", scene.seat)


def test_the_same_first_entry_is_the_same_game() -> None:
    """A friend offers entry 0 again after seeing its secrets. No program joins a game that it knows; after a lost disk
    it has the same secret."""
    one, two, other = begun(), begun(), begun("another nonce")
    assert one.entries[0].line == two.entries[0].line
    for seat in one.seats:
        assert one.plays[seat].vault.secret == two.plays[seat].vault.secret
        assert one.entries[1].line == two.entries[1].line
        key = player_root(one.keys[seat])
        secrets = {secret_of(key, couple.entries[0].hash, seat) for couple in (one, other)}
        assert len(secrets) == 2


# -- an offer of a draw -------------------------------------------------------------------------------------------------


def _turn(couple: Couple, besides: list[dict[str, Any]] = []) -> None:  # noqa: B006 - it is not changed
    """The next turn, with something said before it."""
    seat = next(iter(couple.plays.values())).course.baton
    play, key, answer = couple.plays[seat], couple.keys[seat], at_random(2)
    made = play.turn(key, None, besides)
    while not made:
        made = play.turn(key, answer(TINY.rules, play.view))
    couple.give(seat, made)


AGREE, DRAW = {"do": "say", "what": "agree"}, {"do": "say", "what": "draw"}


def test_an_offer_is_agreed_to_in_the_next_turn() -> None:
    couple = begun()
    _turn(couple, [DRAW])
    _turn(couple, [AGREE])
    assert couple.play(at_random(1), most=4)
    assert {cj(play.result) for play in couple.plays.values()} == {cj({"winner": "", "why": "agreed"})}
    assert audit_pair(couple.dump(), lambda _rules: TINY.knowing).verdict == "clean"


def test_false_for_0_in_a_result_is_another_result() -> None:
    """TELL."""
    scene = Scene(TINY, {"players": 2, "turns": 1}, "over", lambda s: 0 in s.act["result"]["score"].values())
    result = scene.act["result"]
    score = {seat: points or False for seat, points in result["score"].items()}
    assert scene.at_once(scene.bent(result=result | {"score": score})) == ("TELL", scene.seat, scene.head[0] + 1)


def test_an_offer_is_not_kept_for_when_the_game_goes_badly() -> None:
    """The next answer of either player ends the offer."""
    couple = begun()
    _turn(couple, [DRAW])
    play = next(iter(couple.plays.values()))
    offered_by = play.course.offer
    while play.course.offer or play.course.baton == offered_by:
        _turn(couple)
    course = play.course
    seat, last = course.baton, couple.entries[-1]
    head, no = (last.n, last.hash), course.seats[seat].turns + 1
    forged = append(head, signed_turn(couple.keys[seat], couple.plays[seat].vault, no, head, [AGREE]))
    assert of(verify_pair(copy_of([*couple.entries, forged]))) == ("BIND", seat, forged.n)
