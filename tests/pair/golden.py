"""Records the golden logs of two: ``python -m tests.pair.golden [NAME …]``, or ``make golden``.

As `tests.golden_logs` does for games with a host: each later version has to verify and audit them as this one does, so the
folder only grows. They are played by random players with fixed seeds and true fingerprints of rules. `index.json` says
of each its SHA-256, verdict and head, which `acts` stand in it, and what it `shows`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pbem.games import find, manifest
from pbem.games.swords.rules.parts import STANDARD
from pbem.kernel import Json
from pbem.ledger import player_root, sha256_hex
from pbem.ledger.pair import read_pair, signed_word, verify_pair
from pbem.ledger.pair.vault import kept_under
from pbem.referee.pair import audit_pair
from tests.golden_logs import record
from tests.pair.playing import Couple, at_random, key_of
from tests.pair.taking_back import Hesitant

PLANS = "BATTLE ANY: FIGHT; HITS ANY; REGROUP STAY"
"""By which whole battles are fought, if both pledge them."""
HERE = Path(__file__).parents[1]
FOLDER = HERE / "golden" / "logs-of-two"
SHORT = STANDARD.model_dump(mode="json", exclude={"source"}) | {"rounds": 2, "picts": 9}
"""Printed parts of one's own: a game of two rounds."""


def _couple(game: str, seed: str, **options: Any) -> Couple:
    pack = find(game)
    return Couple(pack, options, seed, manifest(pack)[1])


def _ended(game: str, seed: str, **options: Any) -> Callable[[], Couple]:
    def play() -> Couple:
        couple = _couple(game, seed, **options)
        assert couple.play(at_random(1))
        return couple

    return play


def _begun(game: str, seed: str, mails: int, **options: Any) -> Callable[[], Couple]:
    def play() -> Couple:
        couple = _couple(game, seed, **options)
        assert not couple.play(at_random(1), mails)
        return couple

    return play


def _says(couple: Couple, *besides: Json) -> None:
    """Whoever has the baton says this, and answers if he is asked."""
    play = next(play for play in couple.plays.values() if play.course.baton == play.seat)
    seat = play.seat
    made = play.turn(couple.keys[seat], besides=besides)
    if not made:
        made = play.turn(couple.keys[seat], at_random(1)(couple.pack.rules, play.view))
    couple.give(seat, made)


def _resigned() -> Couple:
    couple = _couple("hammer", "resigned", scenario="bruce")
    couple.play(at_random(1), 12)
    _says(couple, {"do": "say", "what": "resign"})
    assert couple.play(at_random(1))
    return couple


def _talk() -> Couple:
    """One goes on by another key; a draw is offered while it is the other's turn, quoted, and agreed to."""
    couple = _couple("tiny", "talk", players=2, turns=4)
    couple.play(at_random(1), 4)
    who = couple.plays[next(iter(couple.plays.values())).course.baton]
    new, vault = key_of("talk again"), who.vault
    kept = kept_under(player_root(new), vault.game, vault.seat, vault.secret)
    _says(couple, {"do": "rekey", "key": new.key_line, "kept": kept})
    couple.keys[vault.seat] = new
    couple.play(at_random(1), 2)
    course = next(iter(couple.plays.values())).course
    other = course.other(course.baton)
    offer = signed_word(couple.keys[other], couple.plays[other].vault, course.head, "draw")
    _says(couple, offer, {"do": "say", "what": "agree"})
    assert couple.play(at_random(1))
    return couple


def _pledged() -> Couple:
    """One battle is fought by what both have pledged; in another one of them lets it be. Then one gives up."""
    couple = _couple("hammer", "pledged again", scenario="bruce")
    couple.plans = dict.fromkeys(couple.seats, PLANS)
    answers = at_random(1)
    while True not in (met := _meetings(couple)):
        assert not couple.play(answers, 1)
    couple.plans[couple.seats[0]] = ""
    while False not in met:
        assert not couple.play(answers, 1)
        met = _meetings(couple)
    _says(couple, {"do": "say", "what": "resign"})
    assert couple.play(answers)
    return couple


def _meetings(couple: Couple) -> list[bool]:
    """Was a pledge met, of each that has had its answer?"""
    turns = [entry.fields["say"]["acts"] for entry in couple.entries if entry.k == "turn"]
    return [bool(act["text"]) for acts in turns for act in acts if act["do"] == "meet"]


def _taken_back() -> Couple:
    """Answers are taken back, sealed ones and open ones, before others stand in their place."""
    pack = find("swords")
    couple = Hesitant(pack, {"players": 2, "parts": SHORT}, "back", 12, manifest(pack)[1])
    assert couple.play(couple.answer)
    assert couple.backs > 3
    return couple


GAMES: dict[str, Callable[[], Couple]] = {
    "tiny": _ended("tiny", "tiny", players=2, turns=2),
    "tiny-begun": _begun("tiny", "begun", 5, players=2),
    "tiny-talk": _talk,
    "tournament": _ended("tournament", "bids", players="ann bob"),
    "swords": _ended("swords", "swords", players=2, parts=SHORT),
    "swords-back": _taken_back,
    "swords-book": _ended("swords", "by the book", players=2, parts=SHORT),
    "hammer-resigned": _resigned,
    "hammer-pledged": _pledged,
    "hammer-bruce": _ended("hammer", "bruce", scenario="bruce", years=2),
    "hammer-homes": _ended("hammer", "homes", scenario="bruce", years=2),
}
"""How each is played. A name that is here and not in the folder has not been recorded yet."""


def described(data: bytes) -> dict[str, Any]:
    """Return what the index says of a log."""
    course, entries = read_pair(data)
    verdict = audit_pair(data, lambda rules: find(str(rules["id"])).knowing)
    assert verify_pair(data).verdict == verdict.verdict
    acts = {act["do"] for entry in entries if entry.k == "turn" for act in entry.fields["say"]["acts"]}
    shows = {course.first["rules"]["id"], f"{course.first['rules']['id']} {verdict.verdict}"}
    if course.closed[0]:
        shows.add(course.closed[0])
    if course.gone_back:
        shows.add("taken back")
    return {
        "sha256": sha256_hex(data),
        "verdict": verdict.verdict,
        "head": list(verdict.head or ()),
        "acts": sorted(acts),
        "shows": sorted(shows),
    }


def main(names: list[str]) -> int:
    """Record what is not there yet, of these names or of all; what is there stays as it is."""
    return record(names, FOLDER, GAMES, lambda couple: couple.dump(), described)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
