"""What is said before it is owed tells nothing too early: the first deck with a join, links before a draw, hands before a deal.

Each attack has its honest twin: the turn that the program would have signed, which the other takes.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from functools import cache
from typing import Any
from unittest.mock import patch

import pytest

from pbem.errors import Fault, UsageError
from pbem.games import find
from pbem.ledger import Entry, cj
from pbem.ledger.deck import Shuffler
from pbem.ledger.pair import Spoken, append, joined, read_pair, verify_pair
from pbem.referee.pair import PairPlay, audit_pair, play

from .attacks_hidden import Bends
from .cheating import Act, Scene, Wanted, finished, of
from .playing import Couple, at_random

HAMMER = find("hammer")
ENGLISH, SCOTTISH = HAMMER.rules.seats({})
CARDS = HAMMER.knowing.next_deck() if HAMMER.knowing else ()


def in_silence(game: Any, view: Any) -> str:
    """Answer as silence does: a year goes by in some twenty letters."""
    return str(game.default(view))


class InSilence(Scene):
    """A game of Hammer in which nobody fights."""

    def _until_wanted(self) -> None:
        self.answer = in_silence
        super()._until_wanted()


def says(*words: str) -> Wanted:
    """In a turn that says these words, one behind the other, and no others."""
    return lambda scene: tuple(dict.fromkeys(act["do"] for act in scene.acts)) == words


BUILDS, DRAWS, DISBANDS = (
    says("seal", "part", "link"),
    says("part", "tell", "seal", "link", "share"),
    says("tell", "seal"),
)


@cache
def scene(do: str, wanted: Wanted) -> Scene:
    return InSilence(HAMMER, {}, do, wanted)


def link(of_scene: Scene) -> Act:
    """The next link of whoever signs, behind those of his turn."""
    cheat = of_scene.cheat
    return {"do": "link", "x": cheat.vault.chain.x(cheat.course.seats[of_scene.seat].links + 1)}


def share(of_scene: Scene, place: int, no: int = 0, seed: str = "") -> Act:
    """A share of the last deck, or of another one."""
    cheat = of_scene.cheat
    deck = cheat.course.decks[no or max(cheat.course.decks)]
    half = Shuffler(deck.name, of_scene.seat, seed or cheat.vault.deck(deck.name.no), deck.below(of_scene.seat))
    return {"do": "share", "no": deck.name.no, **half.share(place, deck.lies(place))}


def _is_laid(of_scene: Scene) -> bool:
    """Is the deck of the next year shuffled, and nobody builds yet?"""
    course = of_scene.cheat.course
    return len(course.decks[max(course.decks)].laid) == 2 and len(course.decks) > 1


ROWS: dict[str, tuple[str, Wanted, Callable[[Scene], Entry], str]] = {
    "a link before the author answered": ("link", BUILDS, lambda s: s.sign([s.act, *s.acts[:-1]]), "ORDERING"),
    "a link before the author said his part": ("link", BUILDS, lambda s: s.sign([s.acts[0], s.act, s.acts[1]]), "ORDERING"),
    "a link for a draw, twice": ("link", BUILDS, lambda s: s.sign([*s.acts, link(s)]), "ORDERING"),
    "a link of who draws himself": (
        "seal", lambda s: DISBANDS(s) and s.seat == SCOTTISH and _is_laid(s), lambda s: s.sign([*s.acts, link(s)]), "ORDERING",
    ),
    "a hand for who has to build still": ("link", BUILDS, lambda s: s.sign([*s.acts, share(s, 5)]), "ORDERING"),
    "a hand in the middle of a year": (
        "open", _is_laid, lambda s: s.sign([*s.acts, share(s, 0 if s.seat == SCOTTISH else 5)]), "ORDERING",
    ),
    "a place of one's own": ("share", DRAWS, lambda s: s.sign([*s.acts[:-1], share(s, 7)]), "ORDERING"),
    "a share for a hand by another number": (
        "share", DRAWS, lambda s: s.sign([*s.acts[:-1], share(s, 4, seed="7" * 64)]), "CARD",
    ),
    "a share for a hand once more": ("share", DRAWS, lambda s: s.sign([*s.acts, share(s, 4)]), "ORDERING"),
    "a share for a hand of a deck that is played": ("share", DRAWS, lambda s: s.sign([*s.acts, share(s, 10, 1)]), "ORDERING"),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("name", ROWS)
def test_what_is_said_too_early_is_refused_at_once(name: str) -> None:
    """A player shows a link before the decision, or twice (ORDERING), or a hand of another deck or number (CARD)."""
    do, wanted, bend, code = ROWS[name]
    found = scene(do, wanted)
    n = found.head[0] + 1
    assert found.at_once(bend(found)) == (code, found.seat, n)


@pytest.mark.slow
def test_no_link_goes_ahead_of_a_battle() -> None:
    """Behind a part both decide at once what to fight with: there a link would show dice too early."""
    found = Scene(HAMMER, {}, "part", says("order", "part"))
    assert found.at_once(found.sign([*found.acts, link(found)])) == ("ORDERING", found.seat, found.head[0] + 1)


@pytest.mark.slow
def test_who_says_nothing_ahead_is_understood() -> None:
    """What may be said ahead is not owed: a program that waits until it is asked for plays the same game."""
    told = []
    year = HAMMER.rules.start(HAMMER.ending(HAMMER.complete({}))).state.board.year
    for silent in (patch.object(play, "said_ahead", lambda _play: iter(())), nullcontext()):
        couple = Couple(HAMMER, {}, "ahead")
        with silent:
            while couple.plays[ENGLISH].peer.public["year"] == year:
                assert not couple.play(in_silence, 1)
        for seat in couple.seats:
            assert couple.again(seat).peer.own == couple.plays[seat].peer.own
        told.append((couple.mails, [fact["f"] for _n, fact in couple.plays[ENGLISH].news]))
    (many, heard_too), (few, heard) = told
    assert few < many, "it costs letters"
    assert heard[: len(heard_too)] == heard_too


# -- the first deck ------------------------------------------------------------------------------------------------------


def begun(**bends: Any) -> tuple[Couple, list[Entry]]:
    """A game of Hammer whose first seat joins by a vault that bends something; and its first entries."""
    couple = Couple(HAMMER, {}, "first deck")
    entries = couple.entries[:1]
    for seat in couple.seats:
        vault, last = couple.plays[seat].vault, entries[-1]
        bent = Bends(vault, **bends) if bends and seat == ENGLISH else vault
        said = joined(couple.keys[seat], bent, (last.n, last.hash), couple.seats, CARDS)
        entries.append(append((last.n, last.hash), said))
    return couple, entries


def signed_again(couple: Couple, at: int, **changed: Any) -> bytes:
    """The log of the joins, where one signs something else with his own."""
    entries = couple.entries[:at]
    for n in range(at, 3):
        fields = couple.entries[n].fields
        say = fields["say"] | {"seen": [n - 1, entries[-1].hash]} | (changed if n == at else {})
        signed = {
            "k": "join",
            "by": say["seat"],
            "say": say,
            "sig": couple.keys[say["seat"]].sign("pbem-say-v1", cj(say)),
        }
        entries.append(append((n - 1, entries[-1].hash), signed))
    return b"".join(entry.line + b"\n" for entry in entries)


def test_a_bad_first_deck_is_nobodys_who_joins() -> None:
    """CARD, the supplier's fault; other cards give RULES. Anybody can sign a join in another's name, and no honest
    program joins after it."""
    couple, _entries = begun()
    first = couple.entries[1].fields["say"]["deck"]
    assert of(verify_pair(signed_again(couple, 1, deck=first))) is None
    turned = [first["deck"][1], first["deck"][0], *first["deck"][2:]]
    assert of(verify_pair(signed_again(couple, 1, deck=first | {"deck": turned}))) == ("CARD", "supplier", 1)
    other = Couple(HAMMER, {}, "another game").entries[1].fields["say"]["deck"]
    assert of(verify_pair(signed_again(couple, 1, deck=other))) == ("CARD", "supplier", 1)
    assert of(verify_pair(signed_again(couple, 2, deck=first))) == ("CARD", "supplier", 2), "the second seat lays none"


def test_a_first_deck_of_other_cards_is_joined_by_nobody() -> None:
    couple, _entries = begun()
    vault, cards = couple.plays[ENGLISH].vault, [*CARDS[:-1], "Move 4"]
    said = joined(couple.keys[ENGLISH], vault, (0, couple.entries[0].hash), couple.seats, cards)["say"]["deck"]
    log = signed_again(couple, 1, deck=said)
    assert of(verify_pair(log)) is None, "which cards a deck has the rules know"
    assert HAMMER.knowing
    with pytest.raises(UsageError, match="cards"):
        PairPlay.of(HAMMER.knowing, read_pair(log)[1], couple.keys[SCOTTISH])
    verdict = audit_pair(log, lambda _rules: HAMMER.knowing)
    assert (verdict.verdict, verdict.code) == ("cannot_judge", "RULES")


def test_the_first_deck_is_laid_once() -> None:
    couple = Couple(HAMMER, {}, "once")
    couple.play(at_random(1), 1)
    first = couple.plays[ENGLISH]
    laid = couple.entries[1].fields["say"]["deck"]
    with pytest.raises(Fault) as found:
        first.take(Spoken(first.course.head[0] + 1, first.seat, 1, 0), {"do": "deck", "no": 1, **laid})
    assert (found.value.code, found.value.party) == ("CARD", ENGLISH)


@pytest.mark.slow
@pytest.mark.parametrize("bends", [False, True])
def test_a_first_deck_has_to_be_hidden_by_the_number_from_the_secret(bends: bool) -> None:
    """Another number plays as well; as soon as the secret is shown, it is seen, at the join."""
    other = {"deck": lambda _no: "7" * 64} if bends else {}
    couple, entries = begun(**other)
    assert HAMMER.knowing
    couple.entries = entries
    couple.plays = {seat: couple.again(seat) for seat in couple.seats}
    cheat = couple.plays[ENGLISH]
    cheat.vault = Bends(cheat.vault, **other)
    couple.give(SCOTTISH, couple.plays[SCOTTISH].turn(couple.keys[SCOTTISH]))
    log = finished(couple, couple.plays[SCOTTISH], in_silence, couple.entries)
    verdict = verify_pair(b"".join(entry.line + b"\n" for entry in log))
    assert of(verdict) == (("CARD", ENGLISH, 1) if bends else None)
