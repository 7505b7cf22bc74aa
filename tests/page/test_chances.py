"""Chances are shown, unless it was agreed before the game that programs show none."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from pbem.cli.app import app
from pbem.games import find
from pbem.host import Office
from pbem.ledger import Log
from pbem.page.chair import Chair
from pbem.page.service import Service
from tests.host.post import HOST, a_club, key_of
from tests.page.calling import ok
from tests.page.service import in_base64

LOGS = Path(__file__).parents[1] / "golden" / "logs"


def titles(name: str, odds: bool | None) -> list[str]:
    """What stands above the chances that are shown to the English side of a recorded log, by such terms."""
    log = Log.parse((LOGS / f"{name}.pbem").read_bytes())
    if odds is not None:
        log.entries[0].fields["terms"]["odds"] = odds
    return [table.title for table in Chair.of_log("a log", log, find("hammer"), "english").odds().tables]


def test_who_agreed_to_show_no_chances_is_shown_none_while_the_game_is_on() -> None:
    assert titles("hammer-begun", odds=False) == ["It was agreed that programs show no chances."]
    assert titles("hammer-begun", odds=True) == titles("hammer-begun", odds=None)
    assert titles("hammer-braveheart", odds=False) == titles("hammer-braveheart", odds=None)


@pytest.mark.slow
def test_a_host_opens_a_game_whose_players_agree_to_show_none(tmp_path: Path) -> None:
    """Each reads it before he joins; then his page keeps to it."""
    with a_club(tmp_path, game="hammer", terms={"odds": False}) as club:
        invitation = club.deliver()["english"][-1]
        page = Service(club.folder / "english", club.now)
        ok(page, "read", data=in_base64(invitation))
        (asks,) = ok(page, "games")["asks"]
        assert "programs show no chances" in " ".join(asks["terms"])
    with a_club(tmp_path / "begun", game="hammer", terms={"odds": False}) as club:
        club.begin()
        tables = ok(Service(club.folder / "english", club.now), "odds", game=club.log().game)["tables"]
        assert [table["title"] for table in tables] == ["It was agreed that programs show no chances."]


@pytest.mark.parametrize("odds", [True, False])
def test_the_command_says_so_for_a_host(tmp_path: Path, odds: bool) -> None:
    Office.create(tmp_path, key_of("host"), HOST).close()
    words = ["--seat", "english=a@example.org", "--seat", "scottish=b@example.org", *([] if odds else ["--no-odds"])]
    found = CliRunner().invoke(app, ["host", "new", *words, "--dir", str(tmp_path)])
    assert found.exit_code == 0, found.output
    office = Office(tmp_path)
    entry = office.robot.house.game(1).ledger.entry(0)
    assert entry["terms"].get("odds", True) is odds
    office.close()
