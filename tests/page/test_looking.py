"""What is looked at without a game: the rules that are here, and a position that is typed; as the commands show them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pbem.cli.app import app
from pbem.games import find
from pbem.page import Service
from pbem.reports.text import groups
from tests.hammer.test_setting_up import PUZZLE
from tests.lords.test_setting_up import PUZZLE as LORDS

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


def test_what_is_no_position_is_said_with_its_line(service: Service) -> None:
    lines = PUZZLE.splitlines()
    found = answer(service, "place", text="\n".join([*lines, "Wallace is in Paris"]))["error"]
    assert found["kind"] == "order"
    assert found["wrong"][0]["line"] == len(lines) + 1
    for text, why in (("", "says nothing"), ("{", "no JSON"), ("chess\n", "no game “chess”")):
        kind, said = refused(service, "place", text=text)
        assert (kind in ("player", "record"), why in said) == (True, True), (kind, said)
    assert "no seat" in refused(service, "place", text=LORDS, seat="nobody")[1]
