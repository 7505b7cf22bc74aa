"""A witness keeps the letters of two, and when they came: he has their log at all times, and takes nothing false."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pbem.cli.app import app
from pbem.errors import Fault, PbemError, RecordError
from pbem.ledger.pair import append, signed_turn, united, verify_pair
from pbem.player.pair.witness import Witness
from pbem.referee.pair.play import vault_of
from tests.pair.bad_days import TINY, goes_on
from tests.pair.friends import Friend, TwoFriends
from tests.pair.lost import whole_of

NOON = "2026-01-02T12:00:00Z"


@pytest.fixture
def both(tmp_path: Path) -> TwoFriends:
    return TwoFriends(tmp_path, *TINY)


@pytest.fixture
def witness(tmp_path: Path) -> Witness:
    return Witness(tmp_path / "witness")


def pbem(*words: object) -> tuple[int, str]:
    result = CliRunner().invoke(app, list(map(str, words)))
    if isinstance(result.exception, PbemError):
        return 2, result.output + str(result.exception)
    return result.exit_code, result.output


def watched(both: TwoFriends, witness: Witness, letters: int) -> tuple[Friend, Friend]:
    """Let the game begin and go on for some letters, each of which the witness gets; return whose turn it is, and the other."""
    both.join()
    witness.read(both.invitation.read_bytes(), NOON)
    one, other = both.bob, both.ann
    for n in range(letters):
        if not both.pass_on(one, other):
            break
        witness.read(both.letter.read_bytes(), f"2026-01-02T13:{n:02}:00Z")
        one, other = other, one
    return one, other


@pytest.mark.slow
def test_he_has_the_whole_log_with_a_time_for_each_letter(both: TwoFriends, witness: Witness) -> None:
    watched(both, witness, 60)
    (game,) = witness.games()
    assert game.table.path.read_bytes() == both.ann.log == both.bob.log
    assert verify_pair(game.table.path.read_bytes()).verdict == "clean"
    assert "finished" in game.standing
    came = game.came
    assert came[0].at == NOON
    assert [one.n for one in came] == sorted({one.n for one in came})
    assert came[-1].n == len(game.table.entries) - 1
    assert pbem("audit", game.table.path)[0] == 0


def test_he_says_whose_turn_it_is_and_since_when(both: TwoFriends, witness: Witness) -> None:
    watched(both, witness, 3)
    code, said = pbem("witness", "--folder", witness.folder)
    assert code == 0
    assert "Tiny, game " in said
    assert "Ann" in said or "Bob" in said
    assert "What came last: entry" in said
    assert "13:02 UTC" in said


def test_the_same_letter_twice_is_nothing_new(both: TwoFriends, witness: Witness) -> None:
    watched(both, witness, 2)
    before = {path.name: path.read_bytes() for path in witness.folder.iterdir()}
    assert "nothing in this letter is new" in witness.read(both.letter.read_bytes(), "2027-01-02T12:00:00Z")
    assert {path.name: path.read_bytes() for path in witness.folder.iterdir()} == before


def test_a_letter_that_is_missing_is_named_and_the_whole_log_mends_it(both: TwoFriends, witness: Witness) -> None:
    """A witness gets letters late, twice or not at all."""
    both.join()
    assert both.pass_on(both.bob, both.ann)
    with pytest.raises(RecordError, match="No letter of this game has come here before"):
        witness.read(both.letter.read_bytes(), NOON)
    assert not witness.folder.exists()
    witness.read(both.invitation.read_bytes(), NOON)
    assert both.pass_on(both.ann, both.bob)
    with pytest.raises(RecordError, match="an earlier letter is missing"):
        witness.read(both.letter.read_bytes(), NOON)
    witness.read(both.ann.log, NOON)
    (game,) = witness.games()
    assert game.table.path.read_bytes() == both.ann.log


def test_letters_in_any_order_are_taken_in_theirs(both: TwoFriends, witness: Witness, tmp_path: Path) -> None:
    both.join()
    mails = [both.invitation]
    one, other = both.bob, both.ann
    for _n in range(4):
        assert both.pass_on(one, other)
        mails.append(both.letter)
        one, other = other, one
    code, said = pbem("witness", *reversed(mails), "--folder", witness.folder)
    assert code == 0, said
    (game,) = witness.games()
    assert game.table.path.read_bytes() == both.ann.log


def test_what_somebody_else_wrote_is_not_taken(both: TwoFriends, witness: Witness) -> None:
    """A witness gets an unsigned turn, two turns for one place, or a game id that names a file elsewhere. Two turns
    become evidence."""
    one, other = watched(both, witness, 2)
    (game,) = witness.games()
    kept = game.table.path.read_bytes()
    assert both.pass_on(one, other)
    lines = one.log.splitlines()
    wrong = json.loads(lines[-1])
    wrong["say"]["acts"] = []
    forged = json.dumps(wrong, separators=(",", ":"), sort_keys=True, ensure_ascii=False).encode() + b"\n"
    with pytest.raises(RecordError, match="Nothing has been taken"):
        witness.read(forged, NOON)
    assert game.table.path.read_bytes() == kept
    for raw in (b"Subject: hello\n\nnothing\n", (Path(__file__).parents[1] / "golden/logs/tiny.pbem").read_bytes()):
        with pytest.raises(RecordError, match="not a letter of a game that two play without a host"):
            witness.read(raw, NOON)


@pytest.mark.parametrize("game", ["../../etc/passwd", "", "F" * 64, 7])
def test_an_id_that_is_none_names_no_file(witness: Witness, game: object) -> None:
    say = {"act": "word", "game": game, "seat": "ann", "seen": [2, "0" * 64], "what": "draw"}
    line = json.dumps({"do": "word", "say": say, "sig": ""}, separators=(",", ":"), sort_keys=True).encode() + b"\n"
    with pytest.raises(RecordError, match="is not the id of a game"):
        witness.read(line, NOON)
    assert not witness.folder.exists()


def test_two_turns_for_one_place_are_kept_as_evidence(both: TwoFriends, witness: Witness) -> None:
    one, _other = watched(both, witness, 2)
    (game,) = witness.games()
    entries = list(game.table.entries)
    seat, key = one.notes.seat, one.desk.key
    head, no = game.table.head, 1 + sum(entry.k == "turn" and entry.fields["by"] == one.notes.seat for entry in entries)
    one.answers(both.rng)
    letter = one.posts()
    assert letter is not None
    witness.read(letter.read_bytes(), NOON)
    second = append(head, signed_turn(key, vault_of(entries, key), no, head, []))
    with pytest.raises(RecordError, match=f"FORK: {seat}"):
        witness.read(second.line + b"\n", NOON)
    (game,) = witness.games()
    (fork,) = game.forks
    with pytest.raises(Fault, match="two different turns"):
        united(game.table.path.read_bytes(), fork.read_bytes())
    assert fork.name in pbem("witness", "--folder", witness.folder)[1]


@pytest.mark.slow
def test_a_word_beside_the_log_is_noted_once(both: TwoFriends, witness: Witness) -> None:
    _one, waiting = watched(both, witness, 2)
    waiting.does("say", "draw", "--yes")
    word = waiting.posts()
    assert word is not None
    for _time in range(2):
        assert "“draw”" in witness.read(word.read_bytes(), NOON)
    (game,) = witness.games()
    assert [came.word["say"]["what"] for came in game.came if came.word] == ["draw"]
    goes_on(both)


def test_times_that_are_damaged_are_said_and_the_log_stays(both: TwoFriends, witness: Witness) -> None:
    """A witness notes when letters came."""
    one, other = watched(both, witness, 2)
    (times,) = witness.folder.glob("*.times")
    times.write_text("{}\n", "utf-8")
    assert both.pass_on(one, other)
    with pytest.raises(RecordError, match="damaged"):
        witness.read(both.letter.read_bytes(), NOON)
    times.unlink()
    witness.read(both.letter.read_bytes(), NOON)
    (game,) = witness.games()
    assert game.table.path.read_bytes() == one.log


def test_an_empty_folder_says_how_it_is_filled(tmp_path: Path) -> None:
    assert "pbem witness MAIL" in pbem("witness", "--folder", tmp_path / "none")[1]


def to_witness(friend: Friend) -> list[Path]:
    """The copies for the witness that wait."""
    return [path for path in friend.desk.tray.unsent() if ".seen." in path.name]


def sent_to_him(friend: Friend, witness: Witness) -> None:
    for path in to_witness(friend):
        assert b"To: eve@example.net" in path.read_bytes()
        witness.read(friend.desk.tray.sent(path).read_bytes(), NOON)


@pytest.mark.slow
def test_copies_of_one_friends_letters_are_enough(tmp_path: Path, witness: Witness) -> None:
    both = TwoFriends(tmp_path, *TINY, "--witness", "eve@example.net")
    sent_to_him(both.ann, witness)
    both.join()
    one, other = both.bob, both.ann
    for _letter in range(100):
        one.answers(both.rng)
        sent_to_him(one, witness)
        if not both.pass_on(one, other):
            break
        one, other = other, one
    (game,) = witness.games()
    theirs = both.ann.log.splitlines()
    ours = game.table.path.read_bytes().splitlines()
    assert ours == theirs[: len(ours)]
    assert len(ours) >= len(theirs) - 1, "the last entry may be of the friend who sends no copies"
    assert not list((both.bob.home / "sent").glob("*.seen.*"))


def test_a_witness_who_is_named_later_gets_the_whole_log_first(both: TwoFriends, witness: Witness) -> None:
    both.join()
    one, other = both.bob, both.ann
    for _letter in range(3):
        assert both.pass_on(one, other)
        one, other = other, one
    said = one.does("address", "eve@example.net", "--witness")
    assert "copies of your letters go to eve@example.net" in said
    (path,) = to_witness(one)
    assert ".seen.whole." in path.name
    sent_to_him(one, witness)
    (game,) = witness.games()
    assert game.table.path.read_bytes() == one.log
    one.does("address", "-", "--witness")
    assert both.pass_on(one, other)
    assert not to_witness(one)


def test_a_witness_who_moves_gets_what_waits_where_he_is(both: TwoFriends, witness: Witness) -> None:
    both.join()
    both.bob.does("address", "old@example.net", "--witness")
    both.bob.does("address", "eve@example.net", "--witness")
    sent_to_him(both.bob, witness)
    assert len(list(witness.games())) == 1
    code, said = both.bob.pbem("address", "eve@example.net", "--witness", "--friend")
    assert (code, "the one's or the other's" in said) == (2, True), said
    code, said = both.bob.pbem("address", "nobody", "--witness")
    assert code == 2, said


def test_who_has_lost_his_log_alone_has_his_witness_still(both: TwoFriends, witness: Witness) -> None:
    one = both.ann
    one.does("address", "eve@example.net", "--witness")
    kept = one.table.path.rename(one.home / "kept.pbem")
    assert "is here again" in one.does("read", kept)
    assert one.notes.witness == "eve@example.net"


@pytest.mark.slow
def test_copies_that_waited_too_long_come_as_the_whole_log(tmp_path: Path, witness: Witness) -> None:
    both = TwoFriends(tmp_path, *TINY, "--witness", "eve@example.net")
    sent_to_him(both.ann, witness)
    both.join()
    one, other = both.bob, both.ann
    for _letter in range(100):
        one.answers(both.rng)
        for path in to_witness(one):  # Ann sends her friend's letters by hand, and forgets the others
            path.rename(tmp_path / "later.eml")
        gone = both.pass_on(one, other)
        if (tmp_path / "later.eml").is_file():
            (tmp_path / "later.eml").rename(both.ann.home / "out" / f"{both.ann.notes.game[:8]}.seen.two.0.eml")
        if not gone:
            break
        one, other = other, one
    sent_to_him(both.ann, witness)
    (game,) = witness.games()
    ours = game.table.path.read_bytes().splitlines()
    assert ours == both.ann.log.splitlines()[: len(ours)]
    assert len(ours) >= len(both.ann.log.splitlines()) - 1


@pytest.mark.slow
def test_who_gives_up_a_refused_turn_sends_the_witness_what_counts(tmp_path: Path, witness: Witness) -> None:
    both = TwoFriends(tmp_path, *TINY)
    both.join()
    one, other = both.bob, both.ann
    while one.desk.pairs.seat(one.notes).state != "mine":
        one, other = other, one
        assert both.pass_on(other, one)
    one.does("address", "eve@example.net", "--witness")
    whole = whole_of(other)
    one.answers(both.rng)
    assert {path.name.split(".")[2] for path in to_witness(one)} == {"two"}, "one copy, with all that he has not got"
    one.does("read", whole, "--instead")
    (path,) = to_witness(one)
    witness.read(path.read_bytes(), NOON)
    (game,) = witness.games()
    assert game.table.path.read_bytes() == one.log


def test_a_word_that_waits_for_the_witness_is_not_laid_aside(tmp_path: Path, witness: Witness) -> None:
    both = TwoFriends(tmp_path, *TINY)
    _one, waiting = watched(both, witness, 2)
    waiting.does("address", "old@example.net", "--witness")
    waiting.does("say", "draw", "--yes")
    waiting.does("address", "eve@example.net", "--witness")
    assert sorted(path.name.split(".")[2] for path in to_witness(waiting)) == ["whole", "word"]
    sent_to_him(waiting, witness)
    (game,) = witness.games()
    assert [came.word["say"]["what"] for came in game.came if came.word] == ["draw"]
    assert waiting.log == game.table.path.read_bytes()
    waiting.does("address", "-", "--witness")
    assert not to_witness(waiting)


def test_a_time_that_was_not_noted_is_noted_with_the_next_letter(both: TwoFriends, witness: Witness) -> None:
    watched(both, witness, 2)
    (times,) = witness.folder.glob("*.times")
    times.unlink()
    witness.read(both.letter.read_bytes(), "2026-01-02T20:00:00Z")
    (game,) = witness.games()
    assert [(one.n, one.at) for one in game.came] == [(game.table.head[0], "2026-01-02T20:00:00Z")]


@pytest.mark.variants
@pytest.mark.parametrize(
    "line", ['{"n": "3", "at": "2026-01-02T20:00:00Z"}', '{"n": 3, "at": "soon"}', "[]", '{"n": 3}']
)
def test_what_is_wrong_with_one_game_holds_up_no_other(tmp_path: Path, witness: Witness, line: str) -> None:
    for name in ("one", "two"):
        both = TwoFriends(tmp_path / name, *TINY)
        both.join()
        witness.read(both.invitation.read_bytes(), NOON)
    times = sorted(witness.folder.glob("*.times"))
    times[0].write_text(f"{line}\n", "utf-8")
    code, said = pbem("witness", "--folder", witness.folder)
    assert code == 1
    assert f"{times[0]} are damaged" in " ".join(said.split())
    assert f"{times[1].stem}.pbem" in said
    times[1].with_suffix(".pbem").write_bytes(b"{\n")
    code, said = pbem("witness", "--folder", witness.folder)
    assert (code, said.count("damaged")) == (1, 2)
