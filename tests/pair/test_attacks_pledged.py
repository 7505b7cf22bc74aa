"""What one of two can do with plans that both pledge, and what is found of it; each attack has its honest twin.

The one who pledges first has sealed his plans before the other shows his own, and the other has shown his before the first shows a
link: so nobody chooses plans with dice, or the other's plans, in sight.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any
from unittest.mock import patch

import pytest

from pbem.errors import Fault
from pbem.games import find
from pbem.games.hammer.rules import AREAS
from pbem.ledger import Entry, cj, player_root
from pbem.ledger.pair import append, known_course, lines_of, signed_turn, signed_word, verify_pair
from pbem.ledger.pair.forms import MAX_ORDER
from pbem.ledger.pair.vault import kept_under
from pbem.referee.pair import PairPlay, audit_pair

from .cheating import Act, Found, Scene, Wanted, of
from .golden import PLANS
from .playing import Couple, at_random, key_of
from .taking_back import read, taken_back
from .twins import masked

HAMMER = find("hammer")
OPTIONS = {"scenario": "bruce", "years": 2}
ELSEWHERE = "BATTLE England: FIGHT"
LITTLE = "BATTLE ANY: REGROUP STAY"
"""Plans that leave it open what blocks do."""
SAID_NO = "BATTLE ANY: RETREAT England"
"""Plans that the one who is asked to meet others does not have."""


def opens(scene: Scene) -> bool:
    """The first shows what he has sealed, and his link."""
    return str(scene.act["text"]).startswith("BATTLE ANY") and scene.acts[scene.index + 1]["do"] == "link"


def meets(scene: Scene) -> bool:
    return bool(scene.act["text"])


WANTED: dict[str, Wanted] = {"pledge": lambda _scene: True, "meet": meets, "open": opens}


@cache
def scene_of(do: str, seed: int = 1) -> Scene:
    """An honest turn of a game in which both pledge; nobody may change it."""
    return Scene(HAMMER, OPTIONS, do, WANTED[do], seed, PLANS)


def sealed(scene: Scene, text: str, index: int) -> Act:
    """Pledge plans at an act of the turn."""
    vault, no = scene.cheat.vault, scene.no
    return {"do": "pledge", "d": vault.sealed(no, index, text), "c": vault.hide(no, index, text)}


def link(scene: Scene, more: int = 1) -> Act:
    """A link that the honest turn does not hold: so many behind those that stand above it."""
    before = sum(
        act["do"] == "link"
        for entry in scene.couple.entries[3:]
        for act in entry.fields["say"]["acts"]
        if entry.fields["by"] == scene.seat
    )
    return {"do": "link", "x": scene.cheat.vault.chain.x(before + more)}


def signs(scene: Scene, seat: str, acts: list[Act], *above: Entry, more: bool = False) -> Entry:
    """What a seat signs behind more entries than stand in the log."""
    entries = [*scene.couple.entries, *above]
    head, no = (entries[-1].n, entries[-1].hash), sum(e.k == "turn" and e.fields["by"] == seat for e in entries) + 1
    return append(head, signed_turn(scene.couple.keys[seat], scene.couple.plays[seat].vault, no, head, acts, more=more))


def behind(scene: Scene, entry: Entry, bend: Callable[[list[Act]], list[Act]]) -> tuple[Entry, Entry]:
    """Let the other answer a turn with his honest one, bent; return who then signs what."""
    friend = scene.couple.again(scene.honest.seat)
    friend.take_entry(entry)
    (made,) = friend.turn(scene.couple.keys[friend.seat], plans=PLANS)
    return entry, signs(scene, friend.seat, bend(made.fields["say"]["acts"]), entry)


def found_by(scene: Scene, seat: str, *entries: Entry) -> Found | None:
    """What a seat's program, made from the log, finds in more entries."""
    reader = scene.couple.again(seat)
    try:
        for entry in entries:
            reader.take_entry(entry)
    except Fault as found:
        return found.code, found.party, found.entry
    return None


def pledging(plans: str, seed: int = 4) -> Couple:
    couple = Couple(HAMMER, OPTIONS, str(seed))
    couple.plans = dict.fromkeys(couple.seats, plans)
    return couple


def until(couple: Couple, do: str) -> None:
    """Play until that was said."""
    while all(act["do"] != do for act in couple.entries[-1].fields["say"].get("acts", ())):
        couple.play(at_random(1), 1)


def acts_of(log: bytes) -> list[Act]:
    return [act for entry in lines_of(log) if entry.k == "turn" for act in entry.fields["say"]["acts"]]


def audited(couple: Couple) -> str:
    return audit_pair(couple.dump(), lambda _rules: couple.pack.knowing).verdict


# -- what the other's program finds at once ------------------------------------------------------------------------------------

AT_ONCE: dict[str, tuple[str, Callable[[Scene], Entry], str, str]] = {
    "other plans opened than were sealed": (
        "open", lambda s: s.bent(text=ELSEWHERE), "SEALBIND", "SEALBIND"
    ),
    "the plans are not opened": ("open", lambda s: s.before(), "ORDERING", ""),
    "a link shown before the plans": ("open", lambda s: s.before(link(s)), "ORDERING", ""),
    "no link behind the plans": ("open", lambda s: s.before(s.act), "ORDERING", ""),
    "dice of a later link": ("open", lambda s: s.before(s.act, link(s, 2)), "LINK", "LINK"),
    "an answer where a pledge answers": (
        "open", lambda s: s.before(s.act, link(s), {"do": "order", "text": "PASS"}), "ORDERING", ""
    ),
    "a step told that everybody knows": (
        "open", lambda s: s.before(s.act, link(s), {"do": "tell", "facts": [], "view": {}}), "ORDERING", ""
    ),
    "opened twice": ("open", lambda s: s.before(s.act, s.act), "ORDERING", "STRAY"),
    "met where nothing is pledged": ("pledge", lambda s: s.before({"do": "meet", "text": PLANS}), "ORDERING", ""),
    "declined where nothing is pledged": ("pledge", lambda s: s.before({"do": "meet", "text": ""}), "ORDERING", ""),
    "a second pledge": ("pledge", lambda s: s.before(s.act, sealed(s, PLANS, s.index + 1)), "ORDERING", ""),
    "a link shown before a pledge is met": ("pledge", lambda s: s.before(s.act, link(s)), "ORDERING", ""),
    "opened before it is met": (
        "pledge",
        lambda s: s.before(
            s.act, {"do": "open", "salt": s.cheat.vault.salt(s.no, s.index, PLANS), "text": PLANS}
        ),
        "ORDERING", "",
    ),
    "pledged before his part": (
        "pledge", lambda s: s.sign([*s.acts[: s.index - 1], sealed(s, PLANS, s.index - 1), s.acts[s.index - 1]]), "ORDERING", ""
    ),
    "pledged in place of meeting": ("meet", lambda s: s.before(sealed(s, PLANS, s.index), link(s)), "ORDERING", ""),
    "not met, and not declined": ("meet", lambda s: s.before(), "ORDERING", ""),
    "met before his part": (
        "meet", lambda s: s.sign([*s.acts[: s.index - 1], s.act, s.acts[s.index - 1], link(s)]), "ORDERING", ""
    ),
    "met twice": ("meet", lambda s: s.before(s.act, s.act), "ORDERING", ""),
    "a link held back behind what he meets it with": ("meet", lambda s: s.before(s.act), "ORDERING", ""),
    "met with a link of before": ("meet", lambda s: s.before(s.act, link(s, 0)), "LINK", "LINK"),
    "met with what is no plan": ("meet", lambda s: s.before({"do": "meet", "text": "NOTHING"}, link(s)), "ILLEGAL", ""),
    "met with a number that is too long to be read": (
        "meet",
        lambda s: s.before({"do": "meet", "text": f"BATTLE ANY: FIGHT {'9' * 5000} ROUNDS, THEN RETREAT Fife"}, link(s)),
        "ILLEGAL", "",
    ),
    "met with plans in another form": (
        "meet", lambda s: s.before({"do": "meet", "text": PLANS.lower()}, link(s)), "ILLEGAL", ""
    ),
    "met with plans for another battle": (
        "meet", lambda s: s.before({"do": "meet", "text": ELSEWHERE}, link(s)), "ILLEGAL", ""
    ),
    "met with more than plans for it": (
        "meet", lambda s: s.before({"do": "meet", "text": f"{PLANS}\nNEXT ANY"}, link(s)), "ILLEGAL", ""
    ),
}  # fmt: skip


@pytest.mark.variants
@pytest.mark.parametrize("name", AT_ONCE)
def test_misuse_of_a_pledge_is_found_at_once(name: str) -> None:
    """A player opens pledged plans wrongly (SEALBIND, STRAY, LINK), pledges or answers out of turn (ORDERING), or
    pledges plans of another form or battle (ILLEGAL)."""
    do, bend, program, verified = AT_ONCE[name]
    scene = scene_of(do)
    entry = bend(scene)
    assert scene.at_once(entry) == (program, scene.seat, entry.n)
    assert scene.verified(entry) == ((verified, scene.seat, entry.n) if verified else None)
    assert scene.verified(scene.made) is None


def test_a_copied_pledge_is_found_at_once() -> None:
    """His own of another battle, and the other's."""
    scene = Scene(HAMMER, OPTIONS, "pledge", lambda scene: bool(pledged_above(scene)), 1, PLANS)
    for act in pledged_above(scene):
        entry = scene.bent(d=act["d"], c=act["c"])
        assert scene.at_once(entry) == scene.verified(entry) == ("SEALBIND", scene.seat, entry.n)


def pledged_above(scene: Scene) -> list[Act]:
    turns = [entry.fields["say"]["acts"] for entry in scene.couple.entries[3:]]
    return [act for acts in turns for act in acts if act["do"] == "pledge"]


def test_nobody_pledges_where_no_battle_begins() -> None:
    """ORDERING, at once. A player may not pledge after the other's part, either."""
    scene = Scene(HAMMER, OPTIONS, "seal")
    for acts in ([*scene.acts[: scene.index]], [*scene.acts]):
        entry = scene.sign([*acts, sealed(scene, PLANS, len(acts))])
        assert scene.at_once(entry) == ("ORDERING", scene.seat, entry.n)


def test_nobody_pledges_behind_the_others_part() -> None:
    """He would have seen the front line that waits for him."""
    scene = scene_of("pledge")
    plain = scene.before()

    def bend(acts: list[Act]) -> list[Act]:
        at = [act["do"] for act in acts].index("part") + 1
        vault, no = scene.honest.vault, scene.honest.course.seats[scene.honest.seat].turns + 1
        pledge = {"do": "pledge", "d": vault.sealed(no, at, PLANS), "c": vault.hide(no, at, PLANS)}
        return [*acts[:at], pledge]

    entries = behind(scene, plain, bend)
    assert found_by(scene, scene.seat, *entries) == ("ORDERING", scene.honest.seat, entries[1].n)
    assert found_by(scene, scene.seat, *behind(scene, plain, lambda acts: acts)) is None


# -- what was sealed -----------------------------------------------------------------------------------------------------------


@pytest.mark.variants
@pytest.mark.parametrize("text", [PLANS, "NOTHING", PLANS.lower(), ELSEWHERE, "", "ASK ALWAYS", f"{PLANS}\nNEXT ANY"])
def test_a_pledge_without_a_fitting_plan_is_found_when_it_is_opened(text: str) -> None:
    """ILLEGAL, where it is opened."""
    scene = scene_of("pledge")
    entry = scene.before(sealed(scene, text, scene.index))
    entries = behind(scene, entry, lambda acts: acts)
    assert found_by(scene, scene.honest.seat, *entries) is None
    opened = {"do": "open", "salt": scene.cheat.vault.salt(scene.no, scene.index, text), "text": text}
    last = signs(scene, scene.seat, [opened, link(scene)], *entries, more=True)
    found = found_by(scene, scene.honest.seat, *entries, last)
    assert found == (None if text == PLANS else ("ILLEGAL", scene.seat, last.n))
    assert scene.verified(*entries, last) is None


@pytest.mark.parametrize("hidden", [PLANS, SAID_NO])
def test_what_was_hidden_beside_a_declined_pledge_is_looked_at_in_the_end(hidden: str) -> None:
    """SEALBIND; a false report of a pledged battle is TELL."""
    scene = Scene(HAMMER, OPTIONS, "pledge", plans=PLANS)
    entry = scene.bent(c=scene.cheat.vault.hide(scene.no, scene.index, hidden))
    log = scene.to_the_end(entry)
    assert [act["text"] for act in acts_of(log) if act["do"] == "meet"] == [""]
    found = None if hidden == PLANS else ("SEALBIND", scene.seat, entry.n)
    assert of(verify_pair(log)) == scene.audited(log) == found


@pytest.mark.slow
def test_what_is_told_falsely_in_a_pledged_battle_is_found_at_the_end() -> None:
    def tells(scene: Scene) -> bool:
        return scene.honest.contest is not None and bool(scene.act["facts"])

    for bent in (False, True):
        scene = Scene(HAMMER, OPTIONS, "tell", tells, 1, PLANS)
        log = scene.to_the_end(scene.bent(facts=[]) if bent else scene.made)
        assert of(verify_pair(log)) is None
        assert scene.audited(log) == (("TELL", scene.seat, scene.made.n) if bent else None)


# -- nothing is chosen with dice in sight --------------------------------------------------------------------------------------


def test_links_already_shown_serve_until_a_pledge_has_answered() -> None:
    """They may show already whether Celts come. Otherwise a player would meet a pledge, or decline it, to change the dice."""
    scene = Scene(HAMMER, OPTIONS, "meet", lambda scene: meets(scene) and len(scene.honest.links) == 2, plans=PLANS)
    stood = scene.honest.links
    declined = scene.sign([*scene.acts[: scene.index], {"do": "meet", "text": ""}], more=True)
    for entry in (scene.made, declined):
        friend = scene.couple.again(scene.honest.seat)
        friend.take_entry(entry)
        assert friend.links == stood
    friend = scene.couple.again(scene.honest.seat)
    friend.take_entry(scene.made)
    shown: list[Any] = []
    with patch.object(friend, "_pledge_spoke", lambda _fact: shown.append(friend.links)):
        friend.turn(scene.couple.keys[friend.seat], plans=PLANS)
    assert shown
    assert all(links[seat] > stood[seat] for links in shown for seat in friend.seats)


# -- what goes on, and blames nobody -------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_an_answer_is_taken_back_in_a_pledged_battle() -> None:
    """It goes on as before it, with the same pledges, also for who has looked at the log again."""
    couple = pledging("BATTLE ANY: HITS ANY; REGROUP STAY", 1)
    seen = 0
    for _mail in range(300):
        course = couple.plays[couple.seats[0]].course
        seat, friend = course.baton, course.other(course.baton)
        if course.is_over:
            break
        before = couple.plays[seat].contest
        couple.play(at_random(1), 1)
        if before is not None and couple.plays[seat].course.can_go_back(seat):
            taken_back(couple)
            one, other, new = couple.plays[seat], couple.plays[friend], couple.again(friend)
            assert one.question is not None
            assert one.contest == other.contest == new.contest
            if one.contest is not None:  # else the battle was over before he answered
                assert one.contest.pledges == before.pledges
                seen += 1
            couple.play(at_random(2), 1)
    assert seen
    assert couple.plays[couple.seats[0]].course.is_over
    assert audited(couple) == "clean"


@pytest.mark.slow
def test_a_key_is_changed_between_a_pledge_and_its_opening() -> None:
    couple = pledging(PLANS)
    until(couple, "pledge")
    for do in ("meet", "open"):
        play = couple.plays[couple.plays[couple.seats[0]].course.baton]
        new = key_of(f"another {play.seat}")
        kept = kept_under(player_root(new), play.vault.game, play.seat, play.vault.secret)
        made = play.turn(
            couple.keys[play.seat], None, [{"do": "rekey", "key": new.key_line, "kept": kept}], plans=PLANS
        )
        assert do in [act["do"] for act in made[-1].fields["say"]["acts"]]
        couple.keys[play.seat] = new
        couple.give(play.seat, made)
    assert couple.play(at_random(1))
    assert audited(couple) == "clean"


@pytest.mark.variants
@pytest.mark.parametrize("do", ["pledge", "meet"])
@pytest.mark.parametrize("word", ["", "resign", "draw"])
@pytest.mark.slow
def test_a_game_that_ends_before_a_pledge_is_opened_is_whole(do: str, word: str) -> None:
    """A player gives up, or both agree on a draw. The secrets open the sealed plans."""
    couple = pledging(PLANS)
    until(couple, do)
    play = couple.plays[couple.plays[couple.seats[0]].course.baton]
    friend = couple.plays[play.other]
    besides: list[Act] = [{"do": "say", "what": "agree" if word == "draw" else "resign"}]
    if word:
        quoted: Act = {**signed_word(couple.keys[friend.seat], friend.vault, play.course.head, word)}
        besides = [quoted, *besides[word == "resign" :]]
    couple.give(play.seat, play.turn(couple.keys[play.seat], besides=besides, plans=PLANS))
    assert not play.course.owes_opening
    couple.give(friend.seat, friend.turn(couple.keys[friend.seat], plans=PLANS))
    assert play.course.is_over
    assert audited(couple) == "clean"


@pytest.mark.slow
def test_who_goes_on_from_a_snapshot_at_any_moment_stands_as_he_stood() -> None:
    couple = pledging(PLANS)
    met = spoke = 0
    for _mail in range(40):
        couple.play(at_random(1), 1)
        for seat, play in couple.plays.items():
            kept = play.kept()
            assert kept is not None
            again = PairPlay.again(play.knowing, known_course(couple.entries), play.vault, read(kept))
            assert cj({**(again.kept() or {}), "stand": 0}) == cj({**kept, "stand": 0})
            assert (again.contest, again.given.links, again.needs()) == (play.contest, play.given.links, play.needs())
            met, spoke = met + bool(play.given.links), spoke + (play.contest is not None)
            couple.plays[seat] = again
    assert met
    assert spoke


def test_plans_too_long_to_be_shown_are_not_pledged() -> None:
    plans = "BATTLE ANY: " + "; ".join(f"RETREAT {', '.join(AREAS)} IF LOST {n}" for n in range(1, 90))
    assert len(plans) > MAX_ORDER
    couple = pledging(plans)
    couple.play(at_random(1), 40)
    assert {"pledge", "meet"}.isdisjoint(act["do"] for act in acts_of(couple.dump()))


@pytest.mark.slow
def test_pledging_little_to_read_the_other_s_plans_is_visible() -> None:
    """It is not a fault: the other reads his plans too, and need not pledge again."""
    couple = pledging(PLANS)
    couple.plans[couple.seats[0]] = LITTLE
    until(couple, "meet")
    couple.play(at_random(1), 1)
    friend = couple.plays[couple.seats[1]]
    assert friend.contest is None or friend.contest.pledges[couple.seats[0]] == LITTLE
    assert LITTLE in [act["text"] for act in acts_of(couple.dump()) if act["do"] in ("open", "meet")]
    couple.play(at_random(1), 20)
    assert audited(couple) == "unfinished"


# -- what a pledge tells before it is opened -----------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_pledge_that_is_declined_tells_nothing() -> None:
    """Other plans would look the same to everybody and have the same length."""
    couples = [pledging(PLANS), pledging(SAID_NO)]
    declines = couples[0].seats[1]
    for couple in couples:
        couple.plans[declines] = ""
        couple.play(at_random(1), 60)
    one, other = ([entry for entry in couple.entries if entry.k == "turn"] for couple in couples)
    assert masked(one) == masked(other)
    assert [act["text"] for act in acts_of(couples[0].dump()) if act["do"] == "meet"].count("") > 1
    sealed_ones = [[act for act in acts_of(couple.dump()) if act["do"] == "pledge"] for couple in couples]
    assert all(a["d"] != b["d"] and a["c"] != b["c"] for a, b in zip(*sealed_ones, strict=True))
    for couple in couples:
        assert SAID_NO.encode() not in couple.dump()
    plays = [couple.plays[declines] for couple in couples]
    assert cj([plays[0].peer.own, plays[0].news, plays[0].given.parts]) == cj(
        [plays[1].peer.own, plays[1].news, plays[1].given.parts]
    )
    answers = next(act for entry in one for act in entry.fields["say"]["acts"] if act["do"] == "seal")
    assert len(answers["c"]) == len(sealed_ones[0][0]["c"]), "as long as an answer"
