"""Seats that built-in players fill: they join, answer at once, hold nobody up; and each of their moves can be played again."""

from __future__ import annotations

import json
import random
import re
import shutil
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast
from zlib import crc32

import pytest

from pbem.club.built_in import BuiltInMove, acts_of_host, moves
from pbem.errors import UsageError
from pbem.games import find
from pbem.host import Office
from pbem.host.built_in import address_of, folders, player_named
from pbem.host.store import STORE
from pbem.host.store.backup import back_up
from pbem.host.succession import vanished
from pbem.ledger import Log
from pbem.ledger.terms import terms
from pbem.mail import Maildir
from pbem.player import Desk, PlayerSettings
from pbem.schemas import all_schemas
from tests.a_postgres import name_its_place
from tests.cli.program import Program
from tests.host.post import HOST, key_of
from tests.stored import stored_rows

from .evening import Evening
from .games import EXAMPLES


@pytest.fixture(autouse=True)
def the_example_game_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_GAMES", str(EXAMPLES))


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Evening]:
    """A whole game of Tiny, Ann against two."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PBEM_GAMES", str(EXAMPLES))
        evening = Evening(tmp_path_factory.mktemp("evening"), "tiny", {"players": 3, "turns": 3}, "random")
        yield evening.play()
        evening.close()


def test_a_game_is_played_to_its_end_and_audits_clean(played: Evening) -> None:
    assert played.log().entries[-1].k == "end"
    assert played.verdict() == "clean"
    assert played.office.troubles() == []
    letters = stored_rows(played.office.store, "select distinct address from outbox")
    assert {row["address"] for row in letters} == {
        "ann@example.org",
        *(address_of(seat, "random") for seat in played.seats[1:]),
    }
    assert sorted(path.name for path in (played.office.folder / "mail").iterdir()) == ["ann", "host"], (
        "their letters go nowhere"
    )


def test_entry_0_names_them_and_their_keys_are_their_own(played: Evening) -> None:
    first = played.log().entries[0].fields
    assert first["terms"]["built_in"] == dict.fromkeys(played.seats[1:], player_named(played.pack, "random"))
    keys = {entry.fields["by"]: entry.fields["say"]["key"] for entry in played.log().entries if entry.k == "join"}
    assert len({*keys.values(), first["host"]}) == 4


def checked(log: Log) -> list[BuiltInMove]:
    return [move for move in moves(log) if move.is_his is not None]


def test_each_move_that_can_be_told_is_played_again(played: Evening) -> None:
    found = list(moves(played.log()))
    assert all(move.is_his for move in checked(played.log()))
    unknown = [move for move in found if move.is_his is None]
    assert len(checked(played.log())) > len(unknown)
    last = {
        seat: max(move.n for move in found if move.seat == seat and move.is_his is not None)
        for seat in played.seats[1:]
    }
    assert all(move.n > last[move.seat] for move in unknown), "those alone after which no link is shown"


def test_a_move_that_the_built_in_player_did_not_make_is_named(
    played: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A host signs a move of its choice for a built-in player. `pbem audit --players` names it, although all signatures
    are right."""
    seat, rules = played.seats[1], played.pack.rules

    class Other:
        playouts = 0

        def answer(self, view: Any, _chooser: object) -> object:
            return list(rules.options(view))[-1]

        def plans(self, _view: object) -> str:
            return ""

    monkeypatch.setitem(cast("dict[str, Any]", played.pack.bots), "random", Other)
    others = [move for move in checked(played.log()) if move.seat == seat and not move.is_his]
    assert others
    assert all(move.wanted != move.order for move in others)


@pytest.mark.slow
def test_a_view_comes_before_a_player_in_one_order_in_play_and_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A desk puts a view together piece by piece, an audit as well: a player who goes by the order of names sees none of that."""
    rules = find("swords").rules

    class ByTheOrder:
        playouts = 0

        def answer(self, view: Any, _chooser: object) -> object:
            legal = list(islice(rules.options(view), 5))
            return legal[crc32(repr(view.waiting).encode()) % len(legal)]

        def plans(self, _view: object) -> str:
            return ""

    monkeypatch.setitem(cast("dict[str, Any]", find("swords").bots), "random", ByTheOrder)
    evening = Evening(tmp_path, "swords", {"players": 3}, "random").play(14)
    found = checked(evening.log())
    assert len(found) > 5, len(found)
    assert all(move.is_his for move in found)
    evening.close()


def assert_described(printed: Any) -> None:
    """What was printed has the keys that its schema tells of, and no other ones."""
    told = json.loads(all_schemas()["verdict.schema.json"])
    assert set(printed) <= set(told["properties"])
    of_seats, of_acts = told["properties"]["built_in"]["additionalProperties"], told["properties"]["by_host"]["items"]
    for schema, values in ((of_seats, printed["built_in"].values()), (of_acts, printed["by_host"])):
        for value in values:
            assert set(schema["required"]) <= set(value) <= set(schema["properties"])
            assert value.get("what", "move") in of_acts["properties"]["what"]["enum"]


@pytest.mark.slow
def test_an_audit_tells_whose_moves_they_are(
    played: Evening, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    program, file = Program(monkeypatch, capsys), tmp_path / "game.pbem"
    file.write_bytes(played.log().dump())
    code, said = program("audit", file)
    assert (code, "--players" in said) == (0, True)
    code, said = program("audit", file, "--players")
    assert code == 0
    told = [move for move in checked(played.log()) if move.seat == played.seats[1]]
    assert f"{played.pack.look.seat_name(played.seats[1])}: {len(told)} of " in said
    code, said = program("audit", file, "--players", "--json")
    as_json = json.loads(said)
    assert (code, as_json["verdict"], as_json["by_host"]) == (0, "clean", [])
    assert as_json["built_in"][played.seats[1]]["his"] == len(told)
    assert "built_in" not in json.loads(program("audit", file, "--json")[1]), "only where it is asked for"
    monkeypatch.setattr("pbem.club.built_in._chance", lambda *_: random.Random(1))
    code, said = program("audit", file, "--players")
    assert code == 1
    assert "The person who ran the host has signed another move for that player." in " ".join(said.split())
    code, said = program("audit", file, "--players", "--json")
    assert code == 1
    assert all(act["what"] == "move" and act["order"] != act["wanted"] for act in json.loads(said)["by_host"])
    assert json.loads(said)["by_host"]
    assert_described(as_json)
    assert_described(json.loads(said))
    monkeypatch.setattr("pbem.club.built_in.players_version", lambda _pack: "another")
    code, said = program("audit", file, "--players")
    assert code == 0
    unknown = re.findall(r"for (\d+) moves? it is unknown whether", " ".join(said.split()))
    assert all(int(n) >= len(told) for n in unknown)
    assert len(unknown) == len(played.seats) - 1
    assert "moves are those of" not in said, "of players of another version nothing is said"


@pytest.mark.slow
def test_an_answer_that_a_built_in_player_did_not_give_is_the_host_s_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A host lets it be silent or late, or changes its key. `pbem audit --players` lists these entries (`by_host` in
    `--json`) and ends with 1."""
    evening = Evening(tmp_path, "tiny", {"players": 2, "turns": 8}, "random", hours=24)
    evening.play(6)
    assert list(acts_of_host(evening.log())) == []
    evening.office.beside = lambda _now: False
    evening.play(3)
    for _half_a_day in range(6):
        evening.minute += 12 * 60
        evening.office.work(evening.now())
    (file := tmp_path / "game.pbem").write_bytes(evening.log().dump())
    seat = evening.seats[1]
    assert [(act.seat, act.what) for act in acts_of_host(evening.log()) if act.seat == seat][:1] == [(seat, "skip")]
    assert evening.verdict() in ("clean", "unfinished")
    code, said = Program(monkeypatch, capsys)("audit", file, "--players")
    assert code == 1
    assert f"{evening.pack.look.seat_name(seat)} gave no answer in time. The host runs this player" in " ".join(
        said.split()
    )
    code, said = Program(monkeypatch, capsys)("audit", file, "--players", "--json")
    assert code == 1
    acts = [(act.n, act.seat, act.what) for act in acts_of_host(evening.log())]
    assert [(act["entry"], act["seat"], act["what"]) for act in json.loads(said)["by_host"]][: len(acts)] == acts
    evening.close()


def test_anything_that_a_built_in_player_never_does_is_the_host_s_fault() -> None:
    """Late answers, changes of key, words, orders sent ahead; what Ann does is her own, and an only answer is nobody's choice."""
    order, ahead = {"say": {"act": "order"}}, {"say": {"act": "ahead"}}
    entries: list[dict[str, Any]] = [
        {"k": "game", "terms": {"built_in": {"bob": {"player": "random"}}}},
        {"k": "ask", "due": "2030-01-02T00:00:00Z"},
        {"k": "order", "by": "bob", "at": "2030-01-01T00:00:00Z", **order},
        {"k": "order", "by": "ann", "at": "2030-01-03T00:00:00Z", **order},
        {"k": "order", "by": "bob", "at": "2030-01-03T00:00:00Z", **order},
        {"k": "extend", "ask": 1, "due": "2030-01-04T00:00:00Z"},
        {"k": "order", "by": "bob", "at": "2030-01-03T00:00:00Z", **order},
        {"k": "order", "by": "bob", "at": "2030-01-03T00:00:00Z", **ahead},
        {"k": "skip", "to": "ann", "why": "due"},
        {"k": "skip", "to": "bob", "why": "only"},
        {"k": "skip", "to": "bob", "why": "late"},
        {"k": "rekey", "by": "ann", "say": {}},
        {"k": "rekey", "by": "bob", "say": {}},
        {"k": "say", "by": "bob", "say": {"act": "resign"}},
        {"k": "ready", "by": "bob", "say": {"act": "ready"}},
        {"k": "amend", "what": {"rules": {}}},
        {"k": "amend", "what": {"player": {"say": {"seat": "bob"}}}},
    ]
    log = SimpleNamespace(entries=[SimpleNamespace(n=n, k=one["k"], fields=one) for n, one in enumerate(entries)])
    found = [(act.n, act.what) for act in acts_of_host(cast(Log, log))]
    assert found == [(4, "late"), (7, "ahead"), (10, "skip"), (12, "key"), (13, "said"), (16, "key")]


def test_a_host_opens_such_a_game_from_the_shell(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    program, host = Program(monkeypatch, capsys), tmp_path / "host"
    Office.create(host, key_of("host"), HOST).close()
    seats = ["--game", "tiny", "--seat", "ann=ann@example.org"]
    code, said = program("host", "new", *seats, "--seat", "bob=Easy", "--option", "players=2", "--dir", host)
    assert (code, said) == (0, "Game 1 is open; 1 invitations have been sent.\n")
    assert "waiting for ann" in program("host", "games", "--dir", host)[1], "the other has joined already"
    for seat, why in (
        ("bob=clever", "“clever” is neither an e-mail address nor a built-in player of Tiny"),
        ("bob=randm", "of Tiny: random, sensible (easy). Is random meant?"),
        ("bob=sensible --rated", "A rated game has no built-in player"),
        ("bob=sensible --seat ann=sensible", "The seat ann is named 2 times; one can have it."),
    ):
        code, said = program("host", "new", *seats, "--seat", *seat.split(), "--option", "players=2", "--dir", host)
        assert (code, why in " ".join(said.split())) == (2, True), said
    alone = ["--game", "tiny", "--seat", "ann=random", "--seat", "bob=random", "--option", "players=2"]
    assert "Somebody has to play" in program("host", "new", *alone, "--dir", host)[1]


def test_of_another_version_of_the_player_nothing_is_said(played: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pbem.club.built_in.players_version", lambda _pack: 1)
    assert checked(played.log()) == []


def test_a_copy_that_opens_nothing_of_the_seat_tells_nothing_of_its_moves(played: Evening) -> None:
    evening = played.desk
    own = evening.copy(evening.notes()).log
    assert {move.seat for move in moves(own)} == set(played.seats[1:])


@pytest.mark.slow
def test_a_host_that_is_started_anew_goes_on_with_the_same_players(tmp_path: Path) -> None:
    one = Evening(tmp_path / "one", "tiny", {"players": 2, "turns": 3}, "random")
    one.play(4)
    one.again()
    one.play()
    two = Evening(tmp_path / "two", "tiny", {"players": 2, "turns": 3}, "random").play()
    orders = [
        [entry.fields["say"]["seals"] for entry in evening.log().entries if entry.k == "order"]
        for evening in (one, two)
    ]
    assert one.log().entries[-1].k == "end"
    assert orders[0] == orders[1]
    one.close()
    two.close()


@pytest.mark.slow
@pytest.mark.parametrize("anew", [True, False], ids=["started anew", "while it works"])
@pytest.mark.parametrize("when", [0, 1, 2, 3, 4, 9])
def test_a_store_that_is_brought_back_without_their_folder_has_them_again(
    tmp_path: Path, when: int, *, anew: bool
) -> None:
    """Key and copy are all that a player needs: the one follows from the host's key, the other lies in the store."""
    one = Evening(tmp_path, "tiny", {"players": 3, "turns": 3}, "random")
    one.play(when)
    shutil.rmtree(one.office.folder / "built-in")
    if anew:
        one.again()
    one.play()
    mail = {path.name for path in (one.office.folder / "mail").iterdir()}
    assert mail == {"ann", "host"}, "no letter to one of them went out"
    log = one.log()
    assert log.entries[-1].k == "end"
    assert one.verdict() == "clean"
    assert {entry.fields["by"] for entry in log.entries if entry.k == "order"} == set(one.seats)
    assert all(move.is_his for move in checked(log))
    assert one.office.troubles() == []
    one.close()


@pytest.mark.slow
def test_built_in_players_send_their_copies_after_a_restored_backup(tmp_path: Path) -> None:
    """The folder `built-in` is lost with or without a restored backup. The built-in players return by key and copy; no
    letter to them leaves the host."""
    one = Evening(tmp_path, "tiny", {"players": 3, "turns": 3}, "random")
    one.play(4)
    back_up(one.office.store, tmp_path / "saved")
    before = one.play(3).log()
    one.office.close()
    shutil.rmtree(tmp_path / "host" / "built-in")
    shutil.copy(tmp_path / "saved", tmp_path / "host" / STORE)
    name_its_place(tmp_path / "host", "")
    one.office = one._opened(Office(tmp_path / "host"))
    assert one.office.robot.hold(one.now(), "a backup was brought back") == [one.number]
    one.play()
    log = one.log()
    assert [entry.hash for entry in log.entries[: len(before.entries)]] == [entry.hash for entry in before.entries]
    assert log.entries[-1].k == "end"
    assert one.verdict() == "clean"
    assert not [trouble for trouble in one.office.troubles() if "built-in" in str(trouble)]
    one.close()


@pytest.mark.slow
def test_whose_key_is_gone_is_named(tmp_path: Path) -> None:
    """A desk of an older pbem had a key of its own, which went with it."""
    one = Evening(tmp_path, "tiny", {"players": 2, "turns": 3}, "random").play(2)
    shutil.rmtree(one.office.folder / "built-in")
    with one.office.store.decision():
        one.office.robot.house.game(one.number).change_seat(one.seats[1], key=key_of("another").key_line)
    one.again()
    one.play(3)
    (trouble,) = one.office.troubles()
    assert "give the seat to somebody else" in str(trouble["why"])
    assert not (tmp_path / "host" / "built-in" / f"{one.number}.{one.seats[1]}" / "desk").exists()
    one.close()


@pytest.mark.slow
def test_it_agrees_to_who_comes_in_place_of_one_who_has_vanished(tmp_path: Path) -> None:
    one = Evening(tmp_path, "tiny", {"players": 3, "turns": 5}, "random", hours=24)
    one.play(3)
    while one.minute < 200 * 60 and not vanished(one.office.robot.house.game(one.number), one.now()):
        one.minute += 60
        one.office.work(one.now())
    assert vanished(one.office.robot.house.game(one.number), one.now()) == ["ann"]
    one.office.robot.replace(one.number, "ann", "zoe@example.org", one.now())
    one.desk = Desk.create(tmp_path / "zoe", key_of("zoe"), PlayerSettings("zoe@example.org", one.desk.settings.post))
    one.mail = Maildir(tmp_path / "host" / "mail" / "zoe")
    for _again in range(4):  # the keys come before the question
        one.play()
    log = one.log()
    assert log.entries[-1].k == "end"
    (amended,) = [entry for entry in log.entries if entry.k == "amend"]
    assert amended.fields["what"]["player"]["say"]["key"] == key_of("zoe").key_line
    agreed = [entry.fields["by"] for entry in log.entries if entry.k == "say" and entry.fields["say"]["act"] == "agree"]
    assert agreed == ["bob", "cat"]
    assert any(entry.k == "order" and entry.fields["by"] == "ann" and entry.n > amended.n for entry in log.entries)
    assert one.verdict() == "clean"
    one.close()


@pytest.mark.slow
def test_hammer_and_lords_are_played_against_players_that_think(tmp_path: Path) -> None:
    for game, options, most in (("hammer", {"scenario": "bruce"}, 12), ("lords", {"players": 3}, 12)):
        evening = Evening(tmp_path / game, game, options, "sensible")
        evening.play(most)
        found = checked(evening.log())
        assert found, game
        assert all(move.is_his for move in found)
        assert evening.verdict() in ("clean", "unfinished")
        evening.close()


@pytest.mark.slow
def test_an_address_like_a_built_in_player_s_makes_nobody_one(tmp_path: Path) -> None:
    """A person registers such an address. Letters to it go nowhere, and the host's players leave the seat alone."""
    evening = Evening(tmp_path, "tiny", {"players": 2, "turns": 2}, "random")
    assert [path.name for path in folders(evening.office.folder)] == [f"{evening.number}.{evening.seats[1]}"]
    number = evening.office.robot.new_game(
        "tiny",
        evening.options,
        dict.fromkeys(evening.seats, "cat.random@built-in.invalid"),
        "Another",
        terms(0),
        "x",
        evening.now(),
    )
    evening.office.send(evening.now())
    assert not [path for path in folders(evening.office.folder) if path.name.startswith(f"{number}.")]
    evening.close()


def test_a_rated_game_has_none() -> None:
    with pytest.raises(UsageError, match="A rated game has no built-in player"):
        terms(0, rated=True, built_in={"bob": player_named(find("tiny"), "random")})
