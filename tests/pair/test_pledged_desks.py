"""Plans that two friends pledge in battles, at their desks: what is said and shown, what holds, and what is lost and found."""

from __future__ import annotations

import re
import shutil
from base64 import b64encode
from contextlib import suppress
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pbem.cli.app import app
from pbem.errors import RecordError
from pbem.i18n import speaking
from pbem.ledger.pair import lines_of, read_pair
from pbem.mail import read_message
from pbem.page.service import Service
from pbem.player import Desk, PlayerSettings
from pbem.player.pair import laying, saying
from pbem.player.pair.showing import pair_material, standing_play
from pbem.player.pair.tale import opened_at_the_end
from pbem.reports.friends import PairReader
from pbem.reports.reckoned import Reckoned, render
from pbem.reports.replay import films, reel
from tests.page.calling import ok

from .friends import Friend, TwoFriends
from .planners import AT, MODES, SOME_RULES, AtDesk, Planner, played, seated
from .plans import Remembered, Stopped, stops
from .plans_typed import asked

SEED = "p10"
PLEDGED = 6
"""So many letters until the English have pledged their plans for the first battle, the one of Ross."""


def two(folder: Path, *who: str) -> tuple[AtDesk, AtDesk]:
    """Seat two planning players at Hammer, of whom these show their plans; the Scots write the first letter."""
    planners = Planner("hammer", MODES[3], "one"), Planner("hammer", MODES[3], "other")
    one, other = seated(folder, "hammer", SEED, planners, rules=SOME_RULES)
    for desk in (one, other):
        if desk.notes.seat in who:
            saying.show_plans(desk.desk.pairs.seat(desk.notes), shows=True)
    return one, other


Both = tuple[AtDesk, AtDesk]


@pytest.fixture(scope="module")
def pledged(tmp_path_factory: pytest.TempPathFactory) -> Both:
    """The Scots and the English, who have sealed plans for a battle; their letter is read."""
    one, other = two(tmp_path_factory.mktemp("pledged"), "scottish", "english")
    for desk, seed in ((one, "one"), (other, "other")):
        desk.answer = Remembered(Planner("hammer", MODES[3], seed))
    assert len(played(one, other, PLEDGED)) == PLEDGED
    assert (one.notes.seat, acts(other)[-1]) == ("scottish", ["order", "part", "pledge"])
    return one, other


def again(both: Both, to: Path) -> Both:
    """The same two in another folder."""
    one, other = (desk.copied(to / desk.home.name, desk.answer) for desk in both)
    return one, other


def acts(desk: AtDesk) -> list[list[str]]:
    """What each turn of a log says."""
    return [[act["do"] for act in entry.fields["say"]["acts"]] for entry in desk.entries if entry.k == "turn"]


def texts(desk: AtDesk, kind: str) -> list[str]:
    """The texts of all acts of a kind."""
    turns = [entry.fields["say"]["acts"] for entry in desk.entries if entry.k == "turn"]
    return [act["text"] for turn in turns for act in turn if act["do"] == kind]


def answered(desk: AtDesk) -> list[tuple[str, str]]:
    """What pledges have answered in the battle of Ross, and for whom."""
    told = [fact for _n, fact in desk.desk.pairs.seat(desk.notes).play().news if fact["f"] == "plan"]
    found = [(fact["seat"], fact["order"]) for fact in told if "Ross:" in fact["order"]]
    assert len(found) > 6
    return found


def report(desk: AtDesk) -> str:
    """What his report says, with every run of blanks as one."""
    pairs, notes = desk.desk.pairs, desk.notes
    made = Reckoned(*pair_material(pairs.seat(notes), standing_play(pairs.seat(notes), AT)))
    return " ".join(render(made).split())


def shown(*words: object) -> str:
    """What a command shows that knows no desk."""
    done = CliRunner().invoke(app, [*map(str, words)])
    assert done.exit_code == 0, done.output
    return " ".join(done.output.split())


@pytest.mark.slow
def test_both_reports_tell_what_was_sealed_and_shown_and_what_it_answered(pledged: Both, tmp_path: Path) -> None:
    scots, english = again(pledged, tmp_path)
    assert "The English sealed plans for the battle of Ross: they answer if yours are shown." in report(scots)
    assert (
        "Your plans for the battle of Ross are sealed: they answer if your friend shows his. " in report(english) + " "
    )
    played(scots, english, 4)
    theirs, mine = report(scots), report(english)
    for said, own, their in ((theirs, "Scots", "English"), (mine, "English", "Scots")):
        assert "Your plans for the battle of Ross - BATTLE ANY ATTACKING: RETREAT " in said
        assert f"The plans of the {their} for the battle of Ross - BATTLE ANY ATTACKING: RETREAT " in said
        assert f"The plans of the {own} " not in said
        assert said.index("Your plans for the battle") < said.index("The battle of Ross")
        assert "Three rounds are fought, and the Scots have not won: they must retreat (5.3)." in said
    fires, so = "“battle action”: BATTLE Ross: Moray FIRE.", "So says: BATTLE ANY ATTACKING: FIGHT."
    assert f"Your plan answers {fires} {so}" in theirs
    assert f"The plan of the Scots answers {fires} {so}" in mine
    hits, so = "“hits”: HITS Ross: Fraser.", "So says: BATTLE ANY ATTACKING: HITS Barclay, Grant, "
    assert f"Your plan answers {hits} {so}" in theirs
    assert f"The plan of the Scots answers {hits} {so}" in mine
    with speaking("fr"):
        said = report(scots)
    assert "Vos plans pour la bataille de Ross - BATTLE ANY" in said
    assert "Plans des Anglais pour la bataille de Ross - BATTLE ANY" in said
    reader = PairReader(scots.table.pack)
    lines = "\n".join(map(reader.line, scots.entries))
    assert "; seals its plans for the battle that begins." in lines
    assert "; shows its plans for the battle that begins: BATTLE ANY ATTACKING: RETREAT " in lines
    assert re.search(r"  The English, turn \d+: opens what it had sealed: BATTLE ANY ATTACKING: RETREAT ", lines)


def test_a_player_who_sees_the_other_s_plans_and_hides_his_own_is_named(pledged: Both, tmp_path: Path) -> None:
    """He can work out the dice but choose nothing, so it is not a fault. The waiting program, its page, `verify` and
    `audit` name him."""
    scots, english = again(pledged, tmp_path)
    owes = "His program owes the opening, and can already tell what the dice will be"
    theirs = "The plans of the English are pledged but still sealed, although plans and a link of the Scots are open"

    def told() -> tuple[bool, ...]:
        log = scots.desk.pairs.path(scots.notes.game, "pbem")
        (row,) = ok(Service(scots.home, lambda: AT), "games")["games"]
        said = (Friend(scots.home).does("games"), row["says"], shown("verify", log), shown("audit", log))
        return tuple(
            one in " ".join(text.split()) for one, text in zip((owes, owes, theirs, theirs), said, strict=True)
        )

    assert told() == (False,) * 4
    played(scots, english, 1)
    assert told() == (True,) * 4
    played(english, scots, 1)
    assert told() == (False,) * 4


@pytest.mark.slow
def test_what_is_told_on_the_way_is_told_at_the_end(pledged: Both, tmp_path: Path) -> None:
    scots, english = again(pledged, tmp_path)
    played(scots, english, 4)
    heard = {desk.notes.seat: desk.desk.pairs.seat(desk.notes).play().news for desk in (scots, english)}
    one, other = (scots, english) if scots.desk.pairs.seat(scots.notes).state == "mine" else (english, scots)
    saying.say(one.desk.pairs.seat(one.notes), "resign", AT)
    other.reads(one.sends())
    other.goes_on()
    one.reads(other.sends())
    log = one.desk.pairs.path(one.notes.game, "pbem")
    told = shown("replay", log)
    sealed = "The English sealed plans for the battle of Ross, to answer if the Scots showed plans as well."
    assert sealed in told
    course, entries = read_pair(one.log)
    made = films(opened_at_the_end(course, entries, entries[-1].n), one.table.pack)
    lines = "\n".join(reel(made)["lines"])
    for said in (sealed, "The plans of the Scots for the battle of Ross", "Your plans for the battle of Ross"):
        assert said in lines
    for seat, friend in (("scottish", "English"), ("english", "Scots")):
        pledges = [(n, fact) for n, fact in heard[seat] if fact["f"] in ("pledge", "plan")]
        assert len(pledges) > 6
        told = shown("replay", log, "--seat", seat)
        assert f"The plans of the {friend} for the battle of Ross" in told


@pytest.mark.slow
def test_a_pledge_that_is_not_met_costs_no_letter_and_its_friend_is_told_what_he_could_do(tmp_path: Path) -> None:
    most = 20
    closed = two(tmp_path / "closed")
    assert len(played(*closed, most)) == most
    one, other = two(tmp_path / "one", "english")
    letters: list[bytes] = []
    mine, friend = one, other
    while len(letters) < most:
        mine.answers()
        letters += [mine.sends()]
        if len(letters) == PLEDGED + 1:
            said = " ".join(Friend(mine.home).does("board").split())
        friend.reads(letters[-1])
        mine, friend = friend, mine
    assert [[act for act in turn if act not in ("pledge", "meet")] for turn in acts(one)] == acts(closed[0])
    assert "pledge" in acts(one)[PLEDGED - 1]
    assert texts(one, "meet") == [""]
    assert "Your friend had sealed plans for the battle of Ross. With “pbem plan --shown” yours answer his" in said
    assert "You showed no plans for the battle of Ross: it is fought order by order." in report(one)
    assert "The Scots showed no plans for the battle of Ross: it is fought order by order." in report(other)
    assert "opens" not in PairReader(one.table.pack).line(one.entries[-1])


@pytest.mark.slow
def test_the_page_tells_it_with_the_letter(tmp_path: Path) -> None:
    scots, english = two(tmp_path, "english")
    played(scots, english, PLEDGED - 1)
    english.answers()
    service = Service(scots.home, lambda: AT)
    (came,) = ok(service, "read", data=b64encode(english.sends()).decode())["came"]
    assert "Your friend had sealed plans for the battle of Ross. If you show yours, too (a switch" in came["text"]
    told = [item["text"] for one in ok(service, "story", game=scots.notes.game)["moments"] for item in one["items"]]
    assert "You showed no plans for the battle of Ross: it is fought order by order." in told


def test_who_keeps_his_plans_from_now_on_pledges_none_any_more(pledged: Both, tmp_path: Path) -> None:
    scots, english = again(pledged, tmp_path)
    saying.show_plans(english.desk.pairs.seat(english.notes), shows=False)
    played(scots, english, 8)
    before, behind = acts(scots)[:PLEDGED], acts(scots)[PLEDGED:]
    assert "pledge" in before[-1]
    assert behind[1][0] == "open", "what is sealed is opened"
    assert not [turn for turn in behind if "pledge" in turn]
    assert len(texts(scots, "meet")) == 1


def test_what_was_sealed_holds_whatever_the_plans_say_meanwhile(pledged: Both, tmp_path: Path) -> None:
    scots, english = again(pledged, tmp_path / "same")
    played(scots, english, 2)
    trial, changed = again(pledged, tmp_path / "changed")
    saying.plan(changed.desk.pairs.seat(changed.notes), "")
    saying.plan(changed.desk.pairs.seat(changed.notes), "BATTLE ANY: RETREAT Fife")
    played(trial, changed, 2)
    assert texts(trial, "open") == texts(scots, "open")
    assert texts(trial, "open")[-1].startswith("BATTLE ANY ATTACKING: RETREAT Mentieth, Lothian")


@pytest.mark.slow
def test_who_is_stopped_at_any_write_in_a_pledged_battle_signs_the_same(
    pledged: Both, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = again(pledged, tmp_path / "again")
    stopped, kinds = 0, set[str]()
    for letter in range(3):
        before = one.copied(tmp_path / f"before {letter}", one.answer)
        one.answers()
        kinds |= set(acts(one)[-1])
        (signed,) = one.desk.tray.unsent()
        for at in range(1, 100):
            trial = before.copied(tmp_path / f"{letter} {at}", before.answer)
            with monkeypatch.context() as patch:
                count = stops(patch, at)
                with suppress(Stopped):
                    trial.answers()
            if count[0] < at:
                break
            stopped += 1
            trial.answers()
            assert trial.log == one.log
            if not trial.desk.tray.unsent():
                laying.again(trial.desk.pairs.seat(trial.notes), AT)
            assert read_message(trial.sends()).log == read_message(signed.read_bytes()).log
        other.reads(one.sends())
        one, other = other, one
    assert {"meet", "open", "link", "pledge"} <= kinds
    assert stopped > 9


@pytest.mark.slow
def test_a_player_who_restores_a_backup_and_pledges_other_plans_opens_the_first_ones(
    tmp_path: Path,
) -> None:
    """FORK, by two signatures; the friend has both pledges. The chain has one link for both, so no dice change."""
    scots, english = two(tmp_path, "scottish", "english")
    played(scots, english, PLEDGED - 1)
    planner = Planner("hammer", MODES[3], "other")
    backup = english.copied(tmp_path / "backup", lambda view, what: planner(view, what) + "\nPLAN Ross: RETREAT Fife")
    for one, other in ((english, scots), (scots, english)):
        one.answers()
        letter = one.sends()
        other.reads(letter)
    alike = backup.copied(tmp_path / "alike", backup.answer)
    alike.answers()
    assert english.log.startswith(alike.log), "who has not changed his mind signs the same"
    saying.plan(backup.desk.pairs.seat(backup.notes), "")
    backup.answers()
    second = backup.sends()
    assert [acts(one)[PLEDGED - 1][-1] for one in (english, backup)] == ["pledge"] * 2
    assert english.log != backup.log
    with pytest.raises(RecordError, match="FORK"):
        scots.reads(second)
    with pytest.raises(RecordError, match="You have signed two different entries"):
        backup.reads(letter)
    laying.again(scots.desk.pairs.seat(scots.notes), AT, whole=True)
    (whole,) = [path for path in scots.desk.tray.unsent() if ".whole." in path.name]
    said = backup.desk.read(scots.desk.tray.sent(whole).read_bytes(), AT, instead=True)
    assert "is your friend's now" in said.text
    for one in (english, backup):
        one.answers()
    assert acts(backup)[-1][:2] == ["open", "link"]
    assert texts(backup, "open")[-1] == texts(english, "open")[-1]
    assert lines_of(backup.log)[: len(scots.entries)] == scots.entries


@pytest.mark.slow
@pytest.mark.parametrize("letters", [0, 1, 2])
def test_a_lost_disk_is_mended_in_the_middle_of_a_pledged_battle(pledged: Both, tmp_path: Path, letters: int) -> None:
    scots, english = again(pledged, tmp_path / "whole")
    played(scots, english, letters + 3)
    friend, lost = again(pledged, tmp_path / "lost")
    played(friend, lost, letters)
    key = lost.desk.key
    shutil.rmtree(lost.home)
    Desk.create(lost.home, key, PlayerSettings("ann@example.org"))
    laying.again(friend.desk.pairs.seat(friend.notes), AT, whole=True)
    (path,) = [path for path in friend.desk.tray.unsent() if ".whole." in path.name]
    lost.reads(friend.desk.tray.sent(path).read_bytes())
    assert lost.log == friend.log
    assert not lost.notes.shows
    played(*((friend, lost) if letters % 2 == 0 else (lost, friend)), 3)
    assert texts(lost, "open")[-1] == texts(scots, "open")[-1]
    assert answered(lost) == answered(english)


@pytest.mark.slow
def test_when_both_go_back_their_letters_bring_both_logs_up_to_what_was_signed(tmp_path: Path) -> None:
    """Each reads again what came for him, and his own, which his friend has; no turn is signed anew."""
    scots, english = two(tmp_path, "scottish", "english")
    played(scots, english, PLEDGED - 1)
    backups = [desk.copied(tmp_path / f"backup {desk.home.name}", desk.answer) for desk in (scots, english)]
    letters = played(english, scots, 3)
    assert {"pledge", "meet", "open"} <= {act for turn in acts(scots)[PLEDGED - 1 :] for act in turn}
    for backup in backups:
        for letter in letters:
            backup.reads(letter)
        assert backup.log == scots.log == english.log
    one, other = backups
    played(*((one, other) if one.desk.pairs.seat(one.notes).state == "mine" else (other, one)), 2)
    assert one.log == other.log
    assert one.log.startswith(scots.log)


def test_who_has_lost_his_log_alone_shows_his_plans_as_before(pledged: Both, tmp_path: Path) -> None:
    """His notes are there still, and he was not asked again: neither may what he had said of his plans be half of it."""
    scots, english = again(pledged, tmp_path)
    saying.plan(scots.desk.pairs.seat(scots.notes), "ANY: FIGHT")
    scots.table.path.rename(scots.home / "damaged")
    laying.again(english.desk.pairs.seat(english.notes), AT, whole=True)
    (path,) = [path for path in english.desk.tray.unsent() if ".whole." in path.name]
    scots.reads(path.read_bytes())
    assert (scots.notes.plans, scots.notes.shows) == ("BATTLE ANY: FIGHT", True)


def test_commands_show_plans_and_keep_them(tmp_path: Path) -> None:
    both = TwoFriends(tmp_path, "--game", "hammer")
    both.join()
    one = both.bob
    (standing := tmp_path / "standing").write_text("ANY: FIGHT; REGROUP STAY\n", "utf-8")
    said = one.does("plan", standing)
    assert "Nobody but you sees your plans. With “pbem plan --shown” they answer at once in battles" in said
    assert "These plans apply from your next order" in said
    assert one.does("plan") == said
    said = one.does("plan", "--shown")
    assert "PLAN BATTLE ANY: FIGHT; REGROUP STAY" in said
    assert "From the next battle that begins, your plans answer at once in each battle they cover" in said
    assert [one.notes.shows] == [True]
    assert "Your plans are shown: in each battle" in one.does("plan")
    assert "From now on only you see your plans" in one.does("plan", standing, "--kept")
    assert [one.notes.shows] == [False]
    code, said = one.pbem("plan", "-", "--shown", typed="DANCE")
    assert (code, "no such plan" in said, one.notes.shows) == (2, True, False)
    said = one.does("plan", "--none", "--shown")
    assert "You have no standing plans" in said
    assert "Plans that your program has already sealed for a battle still apply there." in said
    assert "“pbem plan FILE” keeps the plans in a file" in one.does("plan")
    assert [one.notes.shows] == [True]


@pytest.mark.slow
def test_who_composes_an_order_is_told_whether_his_plans_are_shown(tmp_path: Path) -> None:
    both = TwoFriends(tmp_path, "--game", "hammer")
    both.join()
    one, _other = asked(both, both.bob, both.ann)
    for flag, said in (("--shown", "Your plans are shown: in each"), ("--kept", "Nobody but you sees your plans.")):
        one.does("plan", flag)
        code, told = one.pbem("order", typed="plans\nquit\n")
        assert (code, said in told) == (1, True), told


def test_a_game_without_battles_of_plans_says_that_there_are_none(tmp_path: Path) -> None:
    both = TwoFriends(tmp_path, "--game", "tiny")
    both.join()
    for flag in ("--shown", "--kept"):
        code, said = both.bob.pbem("plan", flag)
        assert (code, "has no battles that both players' plans could fight out at once" in said) == (2, True), said
    assert "--shown" not in both.bob.does("plan")
