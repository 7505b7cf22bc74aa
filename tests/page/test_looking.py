"""What is looked at without a game: the rules that are here, and a position that is typed; as the commands show them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pbem.cli.app import app
from pbem.errors import FormError
from pbem.games import find
from pbem.page.service import Service
from pbem.reports.text import groups
from tests.hammer.setting_up import PUZZLE
from tests.lords.setting_up import PUZZLE as LORDS

from .calling import answer, ok, refused


@pytest.fixture
def service(tmp_path: Path) -> Service:
    return Service(tmp_path)


TEXTS = {"hammer": PUZZLE, "lords": LORDS}
"""Positions in words, as somebody would paste them."""


def test_the_rules_are_those_of_the_command(service: Service) -> None:
    said = json.loads(CliRunner().invoke(app, ["rules", "--json"]).output)
    shown = CliRunner().invoke(app, ["rules"]).output
    found = ok(service, "rules")["rules"]
    assert [(one["game"], one["version"], one["sha256"]) for one in found] == [
        (one["game"], one["version"], groups(one["sha256"])) for one in said
    ]
    assert all(f"({one['says']})" in shown for one in found)


@pytest.mark.parametrize("game", ["hammer", "lords"])
def test_a_position_is_shown_as_the_command_shows_it(service: Service, game: str, tmp_path: Path) -> None:
    text, file = TEXTS[game], tmp_path / "position.txt"
    file.write_text(text, "utf-8")
    found = ok(service, "place", text=text)
    look = find(game).look
    assert found["title"] == find(game).rules.title
    assert [one["seat"] for one in found["seen"]] == [one["seat"] for one in found["seats"]]
    board = CliRunner().invoke(app, ["board", "--from", str(file)]).output
    for one in found["seen"]:
        assert f"== Seen by {one['name']} ==" in board
        for line in [*one["hand"], *one["question"]]:
            assert line["text"].split()[0] in board
    svg = tmp_path / "position.svg"
    CliRunner().invoke(app, ["board", "--from", str(file), "--svg", str(svg)])
    assert svg.read_text("utf-8").strip().endswith(found["drawing"]["svg"].strip())
    seat = found["seats"][0]["seat"]
    alone = ok(service, "place", text=text, seat=seat)
    assert [one["name"] for one in alone["seen"]] == [look.seat_name(seat)]
    assert alone["seen"][0] == found["seen"][0]


def test_as_json_it_is_the_same(service: Service, tmp_path: Path) -> None:
    file = tmp_path / "position.txt"
    file.write_text(LORDS, "utf-8")
    written = CliRunner().invoke(app, ["board", "--from", str(file), "--as", "json"]).output
    assert ok(service, "place", text=written) == ok(service, "place", text=file.read_text("utf-8"))


@pytest.mark.parametrize("players", [2, 3])
def test_a_position_that_goes_with_other_options_than_the_usual_is_said_to_want_them(
    service: Service, tmp_path: Path, players: int
) -> None:
    """Four play as a rule; a bare position does not say how many it has."""
    rules, file = find("swords").rules, tmp_path / "position.json"
    options = {"players": players, "glory": "first", "first": "pink"}
    position = rules.dump(rules.start(options).state)
    file.write_text(json.dumps(position), "utf-8")
    kind, said = refused(service, "place", text=file.read_text("utf-8"), game="swords")
    assert (kind, "include those options" in said) == ("record", True)
    shown = CliRunner().invoke(app, ["board", "--game", "swords", "--from", str(file)])
    assert isinstance(shown.exception, FormError)
    assert str(shown.exception) == said
    whole = {"game": "swords", "version": rules.version, "options": options, "position": position}
    assert len(ok(service, "place", text=json.dumps(whole))["seats"]) == players


def test_what_is_no_position_is_said_with_its_line(service: Service) -> None:
    lines = PUZZLE.splitlines()
    found = answer(service, "place", text="\n".join([*lines, "Wallace is in Paris"]))["error"]
    assert found["kind"] == "order"
    assert found["wrong"][0]["line"] == len(lines) + 1
    for text, why in (("", "says nothing"), ("{", "not JSON"), ("chess\n", "no game “chess”")):
        kind, said = refused(service, "place", text=text)
        assert (kind in ("player", "record"), why in said) == (True, True), (kind, said)
    assert "no seat" in refused(service, "place", text=LORDS, seat="nobody")[1]
