"""What one seat's secret shows: it names who lied, or nobody; and no honest seat, whatever the other has said."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import Any

import pytest

from pbem.errors import Fault, UsageError
from pbem.ledger import Entry
from pbem.ledger.pair import Vault, append, joined, known_course, signed_turn, verify_pair
from pbem.ledger.pair.course import JOINS
from pbem.ledger.pair.papers import Papers, common_paper, secret_paper
from pbem.referee.pair import PairPlay, audit_pair, one_secret
from pbem.referee.pair.one_secret import determined
from tests.pair.attacks_at_once import ANY, HAMMER, OPTIONS, PACKS
from tests.pair.attacks_hidden import Bends
from tests.pair.cheating import Scene, of
from tests.pair.hosted import TINY
from tests.pair.lying import after, blames, by_common_key, by_secret, lies
from tests.pair.playing import Couple, at_random

GAMES = int(os.environ.get("PBEM_LIES", "1"))
"""So many times as many games are played as in every run."""
BRUCE = OPTIONS | {"hammer": {"scenario": "bruce"}}


# -- the property: many games, one seat lies once -----------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(("game", "many"), [("tiny", 80), ("swords", 25), ("hammer", 30)])
def test_a_secret_blames_whoever_lied_or_nobody(game: str, many: int) -> None:
    """A player tries to make the other's secret or program blame its owner. Only secret and log decide; an error of a
    program blames nobody."""
    by_liars = by_honest = nothing = 0
    for lie in lies(PACKS[game], BRUCE[game], range(1, many * GAMES + 1)):
        scene = lie.scene
        for log, _honest in after(lie):
            for seat, play in scene.couple.plays.items():
                who = blames(by_secret(scene.pack, log, play.vault))
                assert who in (None, scene.seat), f"{seat}'s secret frames in game {scene.couple.seed}, {lie.do}"
                by_liars += who is not None and seat == scene.seat
                by_honest += who is not None and seat != scene.seat
                nothing += who is None
    assert by_liars > 5
    assert nothing > 5


@pytest.mark.parametrize("game", ["tiny", "swords", pytest.param("hammer", marks=pytest.mark.slow)])
def test_in_an_honest_game_a_secret_determines_every_word(game: str) -> None:
    couple = Couple(PACKS[game], BRUCE[game], "honest")
    couple.play(at_random(3), 40)
    for seat, play in couple.plays.items():
        found = determined(play.knowing, couple.entries, seat, play.vault.secret)
        assert (found.last, found.fault) == (couple.entries[-1].n, None)


# -- each kind of finding, and an attempt to frame by it ---------------------------------------------------------------------


def banks(scene: Scene) -> bool:
    return any(fact["f"] == "bank" for fact in scene.act["facts"])


def banking() -> Scene:
    """A scene at a turn of Tiny in which somebody banks, and which nobody else goes on with."""
    for seed in range(1, 30):
        with suppress(LookupError):
            return Scene(TINY, OPTIONS["tiny"], "tell", banks, seed)
    raise LookupError


def shown_by(scene: Scene, *entries: Entry) -> dict[str, Any]:
    """What each seat's secret alone shows of a scene's game with these entries."""
    log = scene.log(*entries)
    return {seat: of(by_secret(scene.pack, log, play.vault)) for seat, play in scene.couple.plays.items()}


def test_an_unreadable_hand_is_shown_by_either_secret_and_by_the_common_key() -> None:
    """A player lies about something hidden and never shows his secret. One secret proves it: SEALBIND, ILLEGAL or TELL."""
    scene = banking()
    entry = scene.bent(hand="A" * 684)
    found = ("SEALBIND", scene.seat, entry.n)
    assert scene.audited(scene.log(entry)) is None
    assert shown_by(scene, entry) == dict.fromkeys(scene.couple.seats, found)
    for play in (scene.honest, scene.cheat):
        assert of(by_common_key(TINY, scene.log(entry), play)) == found
        assert of(by_common_key(TINY, scene.log(scene.made), play)) is None
    assert shown_by(scene, scene.made) == dict.fromkeys(scene.couple.seats)


def test_nobody_frames_by_another_common_key_or_with_another_secret() -> None:
    """Somebody shows a false key or secret to make good hands unreadable. It does not fit the bound value, or its proof
    fails."""
    scene = banking()
    log, play = scene.log(scene.made), scene.cheat
    stranger = Vault(play.vault.game, scene.seat, "7" * 64)
    for paper in (secret_paper(stranger), common_paper(stranger, play.course)):
        with pytest.raises(UsageError):
            audit_pair(log, lambda _rules: TINY.knowing, papers=Papers.of(paper))
    for paper in (
        b'{"do":"secret","game":"x","seat":"ann"}',
        secret_paper(Vault("8" * 64, scene.seat, play.vault.secret)),
    ):
        with pytest.raises(UsageError):
            audit_pair(log, lambda _rules: TINY.knowing, papers=Papers.of(paper))


def test_a_false_half_of_the_common_key_frames_nobody() -> None:
    """Who joins by a half that does not follow from his secret is named by it; the other's secret names nobody."""
    couple = Couple(TINY, OPTIONS["tiny"], "mix")
    cheat, honest = couple.seats[1], couple.seats[0]
    entries = couple.entries[:1]
    for seat in couple.seats:
        vault = couple.plays[seat].vault
        if seat == cheat:
            vault = Bends(vault, mix=Vault(vault.game, seat, "7" * 64).mix)
        last = entries[-1]
        entries.append(append((last.n, last.hash), joined(couple.keys[seat], vault, (last.n, last.hash))))
    log = b"".join(entry.line + b"\n" for entry in entries)
    assert verify_pair(log).verdict == "unfinished"
    assert of(by_secret(TINY, log, couple.plays[cheat].vault)) == ("SEALBIND", cheat, 2)
    assert of(by_secret(TINY, log, couple.plays[honest].vault)) is None


def test_an_illegal_order_that_is_sealed_is_shown_by_its_authors_secret_alone() -> None:
    def keeps(scene: Scene) -> bool:
        return str(scene.cheat.vault.read(scene.no, scene.index, scene.act["c"])).startswith("KEEP")

    scene = Scene(TINY, OPTIONS["tiny"], "seal", keeps)
    vault, no, i = scene.cheat.vault, scene.no, scene.index
    entry = scene.bent(d=vault.sealed(no, i, "NOTHING"), c=vault.hide(no, i, "NOTHING"))
    assert shown_by(scene, entry) == {scene.seat: ("ILLEGAL", scene.seat, entry.n), scene.honest.seat: None}
    assert shown_by(scene, scene.made) == dict.fromkeys(scene.couple.seats)


def test_what_a_seat_tells_falsely_is_shown_by_its_own_secret() -> None:
    scene = banking()
    lies_told = [
        scene.bent(facts=[fact | {"points": 9} for fact in scene.act["facts"]]),
        scene.bent(facts=[]),
        scene.bent(view={"sides": 5}),
    ]
    for entry in lies_told:
        assert shown_by(scene, entry)[scene.seat] == ("TELL", scene.seat, entry.n)
        by_honest = shown_by(scene, entry)[scene.honest.seat]
        assert by_honest is None or by_honest[1] == scene.seat


@pytest.mark.slow
def test_what_is_left_out_or_not_due_is_shown_by_either_secret() -> None:
    """In a game of which onlookers can judge nothing, as they see no hand."""
    scene = Scene(HAMMER, {}, "tell", ANY)
    for acts in (scene.acts[: scene.index], [*scene.acts, scene.act]):
        entry = scene.sign(acts)
        assert scene.audited(scene.log(entry)) is None
        assert shown_by(scene, entry) == dict.fromkeys(scene.couple.seats, ("ORDERING", scene.seat, entry.n))
    assert shown_by(scene, scene.made) == dict.fromkeys(scene.couple.seats)


@pytest.mark.slow
def test_what_tells_a_seat_its_own_otherwise_is_shown_by_that_seats_secret() -> None:
    """Where the other's blocks stand and how strong they are is not for who moves to say."""
    scene = Scene(HAMMER, {}, "tell", ANY)
    view = scene.honest.peer.own
    name = next(name for name, block in view["blocks"].items() if isinstance(block, dict) and "strength" in block)
    told = {"at": view["blocks"][name]["at"], "strength": view["blocks"][name]["strength"] - 1}
    mix = scene.cheat.course.seats[scene.honest.seat].mix
    own = {"facts": list(range(len(scene.act["facts"]))), "view": {"blocks": {name: told}}}
    for entry in (
        scene.bent(view=scene.act["view"] | {"blocks": {name: told}}),
        scene.bent(hand=scene.cheat.vault.hand(mix, scene.no, scene.index, own)),
    ):
        assert of(verify_pair(scene.log(entry))) is None
        assert shown_by(scene, entry)[scene.honest.seat] == ("TELL", scene.seat, entry.n)
    assert shown_by(scene, scene.made) == dict.fromkeys(scene.couple.seats)


def test_what_only_a_guess_contradicts_blames_nobody() -> None:
    """The other's program refuses it, as it fits no position that it can find; its secret shows nothing of that."""
    scene = Scene(TINY, OPTIONS["tiny"], "part")
    entry = scene.bent(part={"side": scene.act["part"]["side"] | {"kept": ["t99"]}})
    assert scene.at_once(entry) is not None
    assert shown_by(scene, entry)[scene.honest.seat] is None
    assert shown_by(scene, entry)[scene.seat] == ("TELL", scene.seat, entry.n)


def test_an_exception_of_ours_blames_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    scene = banking()

    def breaks(*_about: Any) -> None:
        raise ValueError

    monkeypatch.setattr(one_secret, "check_hand", breaks)
    for entry in (scene.made, scene.bent(facts=[])):
        for seat, play in scene.couple.plays.items():
            found = determined(TINY.knowing, [*scene.couple.entries, entry], seat, play.vault.secret)  # type: ignore[arg-type]
            assert found.fault is None
            assert found.last < entry.n or seat != scene.seat


def test_what_guesses_do_not_agree_on_blames_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    """A word that one guess contradicts and another does not is not determined."""
    scene = banking()
    entry = scene.bent(facts=[])
    honest = PairPlay._same

    def at_times(self: PairPlay, at: Any, said: Any, due: Any) -> None:
        if self.vault.trial:  # type: ignore[attr-defined]
            honest(self, at, said, due)

    monkeypatch.setattr(PairPlay, "_same", at_times)
    monkeypatch.setattr(one_secret, "check_hand", lambda *_about: None)
    found = determined(TINY.knowing, [*scene.couple.entries, entry], scene.seat, scene.cheat.vault.secret)  # type: ignore[arg-type]
    assert (found.fault, found.last) == (None, entry.n - 1)


# -- a fault outranks a result -------------------------------------------------------------------------------------------------


def test_who_signs_behind_a_refused_turn_shows_whose_fault_it_is() -> None:
    """He gives up and shows his secret in the log: the fault is found all the same, before any result."""
    scene = banking()
    entry, honest = scene.bent(hand="A" * 684), scene.honest
    with pytest.raises(Fault):
        scene.couple.again(honest.seat).take_entry(entry)
    result = {"winner": scene.seat, "why": "resigned", "seats": [honest.seat]}
    over = {"do": "over", "result": result, "secret": honest.vault.secret}
    acts: list[dict[str, Any]] = [{"do": "say", "what": "resign"}, over]
    head, no = (entry.n, entry.hash), honest.course.seats[honest.seat].turns + 1
    last = append(head, signed_turn(scene.couple.keys[honest.seat], honest.vault, no, head, acts))
    log = scene.log(entry, last)
    assert of(verify_pair(log)) == scene.audited(log) == ("SEALBIND", scene.seat, entry.n)
    twin = append(
        (scene.made.n, scene.made.hash),
        signed_turn(scene.couple.keys[honest.seat], honest.vault, no, (scene.made.n, scene.made.hash), acts),
    )
    assert scene.audited(scene.log(scene.made, twin)) is None, "the honest twin"
    assert known_course(scene.couple.entries[: JOINS + 1], goes_on=True).is_known
