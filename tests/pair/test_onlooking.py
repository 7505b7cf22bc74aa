"""What anybody can judge by the rules of a game of two that goes on: what everybody sees, and nobody is accused of more."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from pbem.games.without_host import knowing_by_version
from pbem.kernel import Json
from pbem.ledger.pair import append, complaint_of_two, read_pair, signed_turn
from pbem.referee.pair import audit_pair
from pbem.referee.pair.onlooking import looked_on
from tests.pair.hosted import TINY
from tests.pair.playing import Couple, at_random, find

GOLDEN = Path(__file__).parents[1] / "golden" / "logs-of-two"
SEEN_WHOLE = ("swords", "tiny", "tournament")
"""Games of which everybody's view alone lets the rules go on; of Hammer's blocks nothing can be said without a seat."""


def playing(game: str, seed: int, mails: int) -> Couple:
    pack = TINY if game == "tiny" else find(game)
    options: dict[str, Json] = {"players": 2} | ({"turns": 3} if game == "tiny" else {})
    couple = Couple(pack, options, str(seed))
    couple.play(at_random(seed), mails)
    return couple


def judged(couple: Couple, log: bytes | None = None, **more: Any) -> Any:
    return audit_pair(log or couple.dump(), lambda _rules: couple.pack.knowing, **more)


@pytest.mark.variants
@pytest.mark.parametrize("path", sorted(GOLDEN.glob("*.pbem")), ids=lambda path: path.stem)
def test_no_beginning_of_a_golden_log_accuses_anybody(path: Path) -> None:
    course, entries = read_pair(path.read_bytes())
    knowing = knowing_by_version(course.first["rules"])
    if knowing is None:  # earlier rules are lent for games with a host alone: nobody is judged, and nobody accused
        assert audit_pair(path.read_bytes(), knowing_by_version).verdict == "cannot_judge"
        return
    seen = looked_on(knowing, entries)  # entry by entry, so all beginnings are judged on the way
    assert seen.fault is None
    if path.stem.startswith(SEEN_WHOLE):
        assert seen.last == entries[-1].n
    else:
        assert seen.last < entries[-1].n


@pytest.mark.variants
@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("game", ["tiny", "swords"])
def test_no_beginning_of_an_honest_game_accuses_anybody(game: str, seed: int) -> None:
    couple = playing(game, seed, 40)
    assert couple.pack.knowing is not None
    seen = looked_on(couple.pack.knowing, couple.entries)
    assert seen.fault is None
    assert seen.last == couple.entries[-1].n


def bent(couple: Couple, acts: list[dict[str, Json]]) -> bytes:
    """The log with a turn of whoever has the baton, which says this."""
    course = next(iter(couple.plays.values())).course
    seat = course.baton
    vault, no = couple.plays[seat].vault, course.seats[seat].turns + 1
    entry = append(course.head, signed_turn(couple.keys[seat], vault, no, course.head, acts))
    return couple.dump() + entry.line + b"\n"


def where_an_order_is_due(game: str, seed: int) -> Couple:
    """A game in which whoever has the baton owes an answer in the open."""
    for mails in random.Random(seed).sample(range(2, 30), 28):
        couple = playing(game, seed, mails)
        course = next(iter(couple.plays.values())).course
        play = couple.plays.get(course.baton)
        asked = play and not course.is_over and play.question
        if asked and asked.secret == "no":
            return couple
    raise AssertionError


def honest_turn(couple: Couple) -> list[dict[str, Json]]:
    course = next(iter(couple.plays.values())).course
    play = couple.again(course.baton)
    made = play.turn(couple.keys[play.seat])
    while not made:
        made = play.turn(couple.keys[play.seat], at_random(1)(couple.pack.rules, play.view))
    return list(made[0].fields["say"]["acts"])


def test_an_illegal_order_in_the_open_is_found_before_the_end() -> None:
    """`pbem audit` finds illegal, missing and undue acts that everybody sees. Acts that one seat sees accuse nobody
    before the end."""
    couple = where_an_order_is_due("swords", 3)
    acts = honest_turn(couple)
    at = next(i for i, act in enumerate(acts) if act["do"] == "order")
    twin = bent(couple, acts)
    assert judged(couple, twin).verdict == "unfinished"
    party = next(iter(couple.plays.values())).course.baton
    for text in ("nonsense", acts[at]["text"] + " "):
        found = judged(couple, bent(couple, [*acts[:at], {**acts[at], "text": text}, *acts[at + 1 :]]))
        assert (found.verdict, found.code, found.party) == ("fault", "ILLEGAL", party)
        assert found.entry == len(couple.entries)


def test_a_log_that_is_at_fault_by_the_rules_is_so_whatever_is_laid_beside_it() -> None:
    couple = where_an_order_is_due("swords", 3)
    acts = honest_turn(couple)
    twin, other = bent(couple, acts), bent(couple, [{"do": "say", "what": "resign"}])
    bad = bent(couple, [{**act, "text": "nonsense"} if act["do"] == "order" else act for act in acts])
    for log, brought, code in (
        (bad, bad, "ILLEGAL"),
        (bad, other, "ILLEGAL"),
        (twin, other, "FORK"),
        (twin, bad, "FORK"),
        (couple.dump(), bad, "ILLEGAL"),
        (twin, twin, None),
    ):
        assert complaint_of_two(log, brought, lambda data, _papers: judged(couple, data)).verdict.code == code


@pytest.mark.parametrize("game", ["tiny", "swords"])
def test_what_is_not_due_or_left_out_is_found_before_the_end(game: str) -> None:
    found = set()
    for mails in range(2, 9):
        couple = playing(game, 5, mails)
        course = next(iter(couple.plays.values())).course
        acts = honest_turn(couple)
        assert judged(couple, bent(couple, acts)).verdict in ("unfinished", "clean"), "its honest twin"
        more = {"do": "link", "x": couple.plays[course.baton].vault.chain.x(course.seats[course.baton].links + 1)}
        for wrong in ([more, *acts] if acts[0]["do"] != "link" else [], acts[:-1]):
            verdict = judged(couple, bent(couple, wrong))
            if verdict.verdict == "fault":
                assert verdict.party == course.baton
                found.add(verdict.code)
    assert "ORDERING" in found


def test_what_an_onlooker_cannot_see_accuses_nobody_before_the_end() -> None:
    couple = playing("tiny", 4, 3)
    for mails in range(3, 12):
        couple = playing("tiny", 4, mails)
        acts = honest_turn(couple)
        if (at := next((i for i, act in enumerate(acts) if act["do"] == "seal"), None)) is None:
            continue
        seat = next(iter(couple.plays.values())).course.baton
        vault, no = couple.plays[seat].vault, next(iter(couple.plays.values())).course.seats[seat].turns + 1
        lie = {"do": "seal", "d": vault.sealed(no, at, "nonsense"), "c": vault.hide(no, at, "nonsense")}
        assert judged(couple, bent(couple, [*acts[:at], lie, *acts[at + 1 :]])).verdict == "unfinished"
        return
    raise AssertionError


def test_what_waits_is_said(tmp_path: Path) -> None:
    couple = playing("swords", 2, 6)
    assert "Everything that all can see was played by the rules" in judged(couple).reason
    assert "are not here" in audit_pair(couple.dump(), lambda _rules: None).reason
    hammer = Couple(find("hammer"), {}, "1")
    hammer.play(at_random(1), 3)
    said = judged(hammer)
    assert (said.verdict, "can judge nothing behind entry 2" in said.reason) == ("unfinished", True)


def test_rules_in_other_bytes_accuse_nobody() -> None:
    couple = playing("swords", 5, 4)
    log = bent(couple, honest_turn(couple)[:-1])
    assert judged(couple, log).verdict == "fault"
    other = judged(couple, log, alike=lambda _rules: False)
    assert (other.verdict, other.party) == ("cannot_judge", "nobody")
