"""From the bids to the games: `pbem host follow` opens what the tournament's result names."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from pbem.cli.app import app
from pbem.cli.demo import Demo
from pbem.games import find
from pbem.host import Office
from pbem.ledger import Log


def pbem(*words: str) -> tuple[int, str]:
    done = CliRunner().invoke(app, list(words))
    return done.exit_code, done.output + (f"\n{done.exception}" if done.exception else "")


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tournament of four whose bids are matched; scenario and options of the games stand in its own options."""
    folder = tmp_path_factory.mktemp("tournament") / "out"
    pack = find("tournament")
    options = pack.complete({"players": "ann bob cat dan", "scenario": "bruce", "games": "schiltroms"})
    Demo(folder, 4, pack, options, {}).play(lambda _: None)
    return folder


def test_the_games_that_the_bids_made_are_opened(played: Path) -> None:
    host = str(played / "host")
    for chosen_late in ("--scenario", "--option"):
        code, said = pbem("host", "follow", "1", chosen_late, "campaign", "--dir", host)
        assert code != 0
        assert f"No such option: {chosen_late}" in said, "once the bids are open nothing is left to choose"
    for late, why in (("claim", "Without a time for an answer"), ("never", "“never” says not what becomes")):
        code, said = pbem("host", "follow", "1", "--late", late, "--dir", host)
        assert code != 0
        assert why in said
    words = ("--hours", "72", "--late", "claim", "--leave", "3")
    code, said = pbem("host", "follow", "1", *words, "--dir", host)
    assert (code, said) == (0, "2 games are open: 2, 3.\nThe invitations have been sent.\n")
    log = Log.parse((played / "game.pbem").read_bytes())
    office = Office(played / "host", None)
    result = office.robot.house.game(1).row.result
    for number, named in zip((2, 3), result["games"], strict=True):
        game = office.robot.house.game(number)
        assert game.options["bid"] == named["options"]["bid"]
        assert (game.options["scenario"], game.options["schiltroms"]) == ("bruce", True)
        assert game.options["after"] == log.entries[-1].hash
        agreed = {"late": "claim", "leave": 72, "hours": 72, "grace": 0, "most": 72 + 720}
        assert (game.row.hours, game.ledger.entry(0)["terms"]) == (72, agreed)
        addresses = {seat: row.address.split("@")[0] for seat, row in game.seats.items()}
        assert addresses == named["seats"]
    office.close()
    code, said = pbem("host", "follow", "1", "--dir", host)
    assert code != 0
    assert "are open already; the first is game 2" in said
    code, said = pbem("host", "follow", "2", "--dir", host)
    assert code != 0
    assert "No games follow from game 2: it is joining." in said
