"""Chains that are nearly used up go on from new anchors: no game ends for want of links, and nobody picks a moment for it.

So many links are needed for that that no game of a test comes there. So here a renewal is allowed as soon as one link is used;
chains are as long as ever, and everything that is checked of them is checked.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import tiny_game

from pbem.errors import UsageError
from pbem.games import manifest
from pbem.ledger import Log, chain_length, redact, verify
from pbem.ledger.course.state import FEW
from pbem.ledger.tree import LEAVES
from pbem.referee import Refused
from pbem.referee.audit import audit
from pbem.referee.table import Table
from tests.host.catching_up import copies, lost_since, saved
from tests.host.post import Club, a_club
from tests.ledger.verify_mjs import SCRIPT, node_is_new_enough

from .adding import fault_of
from .recorded import take_turn


@pytest.fixture
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """A chain, or the deals under a root, may be renewed once one of its links is used."""
    for kind in ("seat", "pub", "priv"):
        monkeypatch.setitem(FEW, kind, 2 * (chain_length(kind) - 1))
    monkeypatch.setitem(FEW, "deal", 2 * (LEAVES - 1))


def a_table() -> Table:
    return Table(tiny_game.GAME, {"players": 3, "turns": 6}, "renewed", manifest("tiny")[1], hours=24)


def to_the_end(table: Table, *, renewing: bool) -> Log:
    for _ in range(300):
        if table.open is None:
            return Log.parse(table.whole())
        if renewing and table.scribe.chains.nearly_used_up(table.course):
            table.renew()
        take_turn(table)
    raise AssertionError("the game does not end")


def rules(_game: str) -> Any:
    return tiny_game.GAME, manifest("tiny")[1]


@pytest.fixture(autouse=True)
def with_tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_GAMES", str(Path(__file__).parents[2] / "examples"))


def renewed(log: Log) -> list[dict[str, Any]]:
    return [entry.fields for entry in log.entries if entry.k == "renew"]


@pytest.mark.slow
@pytest.mark.usefixtures("soon")
def test_a_game_goes_on_from_new_anchors_again_and_again() -> None:
    log = to_the_end(a_table(), renewing=True)
    assert sum("pub" in fields["chains"] for fields in renewed(log)) > 2
    assert sum("deals" in fields for fields in renewed(log)) > 1
    assert verify(log).verdict == "clean"
    assert audit(log.dump(), rules).verdict.verdict == "clean"
    for seat in log.entries[0].fields["seats"]:
        assert verify(redact(log, seat), seat).verdict == "clean"


@pytest.mark.slow
@pytest.mark.skipif(not node_is_new_enough(), reason="node (version 20 or later) is not installed")
@pytest.mark.usefixtures("soon")
def test_the_other_program_says_the_same(tmp_path: Path) -> None:
    """With its own number of how few links are few put as here."""
    table = a_table()
    table.rekey("ann", table.pens["ann"].key)
    data = to_the_end(table, renewing=True).dump()
    file, script = tmp_path / "game.pbem", tmp_path / "verify.mjs"
    file.write_bytes(data)
    for part in SCRIPT.parent.glob("verify-*.mjs"):
        shutil.copy(part, tmp_path)
    program = SCRIPT.read_text("utf-8")
    assert judged(SCRIPT, file)["code"] in ("BIND", "REQ"), "there were links enough"
    soon = f"const FEW = {{ seat: {FEW['seat']}, host: {FEW['pub']}, deals: {FEW['deal']} }};"
    script.write_text(re.sub(r"const FEW = .*?};", soon, program), "utf-8")
    assert judged(script, file)["verdict"] == "in order"
    log = Log.parse(data)
    anchor = next(iter(renewed(log)[0]["chains"].values()), None) or renewed(log)[0]["deals"]
    file.write_bytes(data.replace(anchor.encode(), b"7" * 64))
    assert judged(script, file)["verdict"] == verify(file.read_bytes()).verdict == "fault"


def judged(script: Path, file: Path) -> dict[str, Any]:
    done = subprocess.run(["node", script, file], check=False, capture_output=True, text=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.mark.slow
@pytest.mark.usefixtures("soon")
def test_dice_and_deals_after_it_hang_on_the_new_anchors() -> None:
    """The same games with and without: from the renewal on other links, so other dice."""
    with_it, without = to_the_end(a_table(), renewing=True), to_the_end(a_table(), renewing=False)
    rolls = [[e.fields["x"] for e in log.entries if e.fields.get("chain") == "pub"] for log in (with_it, without)]
    assert rolls[0][0] == rolls[1][0]
    assert set(rolls[0][1:]).isdisjoint(rolls[1])
    deals = [[e.fields["anchor"] for e in log.entries if "anchor" in e.fields] for log in (with_it, without)]
    assert deals[0][0] == deals[1][0]
    assert set(deals[0][1:]).isdisjoint(deals[1])


@pytest.mark.usefixtures("soon")
def test_all_are_ready_again_with_links_that_nobody_knew() -> None:
    table = a_table()
    while not table.scribe.chains.nearly_used_up(table.course):
        take_turn(table)
    before = {seat: holder.mark for seat, holder in table.course.seats.items()}
    table.scribe.renew(table.now)
    assert table.course.phase == "called"
    assert set(table.course.missing) == set(table.seats)
    assert all(holder.mark > before[seat] for seat, holder in table.course.seats.items())


def test_a_host_renews_nothing_while_there_are_links_enough() -> None:
    """REQ: otherwise host and player could have other dice at any time. After a renewal all players confirm with fresh
    links."""
    table = a_table()
    take_turn(table)
    at, chains = table.now, table.scribe.chains
    anchors = {"pub": chains.chain("pub", table.course.indices["pub"]).anchor}
    renew = {"k": "renew", "at": at, "due": table.course.due}
    assert fault_of(table, renew | {"chains": anchors}) == "REQ"
    assert fault_of(table, renew | {"chains": {}, "deals": chains.deals(table.course.dealt).root}) == "REQ"


def test_nor_does_a_player() -> None:
    table = a_table()
    with pytest.raises(Refused) as caught:
        table.change_key("ann", table.pens["ann"].key)
    assert caught.value.code == "BIND"


@pytest.mark.usefixtures("soon")
def test_a_player_renews_his_chain_with_the_key_that_he_has() -> None:
    table = a_table()
    take_turn(table)
    key, anchor = table.course.seats["ann"].key, table.course.seats["ann"].anchor
    table.rekey("ann", table.pens["ann"].key)
    assert table.course.seats["ann"].key == key
    assert table.course.seats["ann"].anchor != anchor
    log = to_the_end(table, renewing=False)
    assert verify(log).verdict == "clean"
    assert audit(log.dump(), rules).verdict.verdict == "clean"


@pytest.mark.slow
@pytest.mark.usefixtures("soon")
def test_another_host_goes_on_with_a_game_whose_chains_were_renewed() -> None:
    table = a_table()
    while not any(entry.k == "renew" for entry in table.ledger.log.entries):
        take_turn(table)
        if table.scribe.chains.nearly_used_up(table.course):
            table.renew()
    table.move("the next host")
    log = to_the_end(table, renewing=True)
    assert len(renewed(log)) > 1
    assert verify(log).verdict == "clean"
    assert audit(log.dump(), rules).verdict.verdict == "clean"


# -- by mail --------------------------------------------------------------------------------------------------------------


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Club]:
    """A game that has begun, with long chains."""
    with a_club(tmp_path, turns=4, hours=24) as club:
        yield club.begin()


def mail_is_read(club: Club) -> None:
    """Everybody reads what is there, and is ready where a letter with the keys asks for it, until nothing is left to do."""
    answered = True
    while answered:
        answered = False
        for seat, raws in club.deliver().items():
            desk = club.desks[seat]
            for raw in raws:
                desk.join(raw, club.now()) if b"compare the keys" in raw else desk.read(raw)
            for letter in club.letters(desk):
                assert club.take(letter).startswith("ready")
                answered = True


@pytest.mark.slow
def test_a_host_renews_by_itself_and_the_game_goes_on(club: Club, request: pytest.FixtureRequest) -> None:
    request.getfixturevalue("soon")
    for _ in range(60):
        mail_is_read(club)
        for seat in club.asked():
            if seat in club.robot.house.game(club.number).course.waiting:
                club.take(club.order(seat))
        if club.robot.house.game(club.number).stage == "ended":
            break
    log = club.log()
    assert log.finished
    assert len(renewed(log)) > 1
    assert audit(log.dump(), rules).verdict.verdict == "clean"


@pytest.mark.slow
def test_a_host_that_went_back_renews_again_as_it_had(club: Club, request: pytest.FixtureRequest) -> None:
    request.getfixturevalue("soon")
    place = saved(club)
    while not renewed(club.log()):
        mail_is_read(club)
        for seat in club.asked():
            club.take(club.order(seat))
    mail_is_read(club)
    stood = [entry.line for entry in club.log().entries]
    lost_since(club, place)
    copies(club)
    assert [entry.line for entry in club.log().entries][: len(stood)] == stood
    assert audit(club.log().dump(), rules).verdict.verdict == "unfinished"


@pytest.mark.slow
def test_a_desk_renews_no_chain_of_many_links(club: Club) -> None:
    desk = club.desks["ann"]
    with pytest.raises(UsageError, match="changes to the key that it has"):
        desk.keys.renew(desk.notes(), club.now())


@pytest.mark.slow
def test_a_desk_renews_its_chain_and_everybody_is_ready_again(club: Club, request: pytest.FixtureRequest) -> None:
    request.getfixturevalue("soon")
    desk = club.desks["ann"]
    desk.keys.renew(desk.notes(), club.now())
    (letter,) = club.letters(desk)
    assert club.take(letter) == "rekey: ann"
    mail_is_read(club)
    assert [entry.k for entry in club.log().entries].count("rekey") == 1
    assert set(club.asked()) == {"ann", "bob"}
    assert audit(club.log().dump(), rules).verdict.verdict == "unfinished"
