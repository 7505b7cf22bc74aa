"""The cards of the shelf: every option in words of its own, a drawing of each game's beginning, figures that are the rules'."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pbem.games import find, known
from pbem.i18n import speaking
from pbem.page.service import Service
from tests.page.calling import ok

GAMES = ("hammer", "lords", "swords", "tiny")
MEANT_BY_NOBODY = {"", "–", "pink", "printed", "first", "any", "usual", "at the most"}
"""Words that tell a stranger nothing, where they stand alone."""


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    service = Service(tmp_path_factory.mktemp("desk"))
    return {one["game"]: one for one in ok(service, "choices")["games"]}


def setting(found: dict[str, Any], game: str, name: str) -> dict[str, Any]:
    return next(one for one in found[game]["settings"] if one["name"] == name)


@pytest.mark.parametrize("game", GAMES)
def test_a_card_has_a_sentence_players_and_minutes(found: dict[str, Any], game: str) -> None:
    one = found[game]
    assert one["says"].endswith(".")
    assert one["minutes"]
    least, _dash, most = one["players"].partition("–")
    players = find(game).rules.options_model.model_json_schema()["properties"].get("players")
    assert (least, most or least) == ((str(players["minimum"]), str(players["maximum"])) if players else ("2", "2"))


def test_numbers_and_choices_are_in_plain_words(found: dict[str, Any]) -> None:
    years = setting(found, "hammer", "years")
    assert (years["text"], years["value"], years["values"][0], years["labels"][0]) == ("Years", 0, "0", "no limit")
    first = setting(found, "swords", "first")
    assert (first["text"], first["labels"][:2]) == ("Who begins", ["a die decides", "the pink player"])
    assert setting(found, "lords", "first")["labels"] == [
        "the dice decide", "Angus", "Buchan", "Carrick", "Douglas", "Erroll",
    ]  # fmt: skip


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("game", GAMES)
def test_no_label_means_nothing_to_a_stranger(tmp_path: Path, game: str, language: str) -> None:
    (one,) = ok(Service(tmp_path), "choices", game=game, language=language)["games"]
    for each in one["settings"]:
        assert len(each["labels"]) == len(each["values"])
        for word in (each["text"], *each["labels"]):
            assert word.casefold() not in MEANT_BY_NOBODY, f"{game}, {each['name']}: {word}"


@pytest.mark.parametrize("game", GAMES)
def test_every_option_that_a_card_names_is_one_with_that_value(game: str) -> None:
    pack = find(game)
    assert pack.cover
    fields = pack.rules.options_model.model_fields
    for name, words in pack.cover.options.items():
        if name == "seat":
            assert set(words.values) <= set(pack.rules.seats(pack.complete({})))
            continue
        assert name in fields
        for value in words.values:
            pack.complete({name: int(value) if fields[name].annotation is int else value})


def test_every_game_that_comes_with_pbem_and_is_played_has_a_card() -> None:
    played = [pack for pack in map(find, known()) if not pack.rules.following(pack.complete({}))]
    assert all(pack.cover for pack in played)


@pytest.mark.parametrize("game", ["hammer", "lords", "swords"])
def test_a_card_has_a_drawing_of_the_beginning_where_one_is_asked_for(tmp_path: Path, game: str) -> None:
    (plain,) = ok(Service(tmp_path), "choices", game=game)["games"]
    (drawn,) = ok(Service(tmp_path), "choices", game=game, picture=True)["games"]
    assert plain["picture"] == ""
    assert drawn["picture"].startswith("<svg")
    assert drawn | {"picture": ""} == plain
    assert not list(tmp_path.iterdir())  # nobody has begun a game


def test_a_game_without_a_card_is_shown_by_its_own_names(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("pbem.games.pack.GamePack.cover", None)
    (one,) = ok(Service(tmp_path), "choices", game="swords")["games"]
    assert (one["says"], one["players"], one["minutes"]) == ("", "", "")
    assert setting({"swords": one}, "swords", "first")["labels"][1] == "Pink"


def test_words_of_a_card_are_in_the_language_that_is_spoken() -> None:
    with speaking("fr"):
        cover = find("hammer").cover
    assert cover
    assert cover.sentence.startswith("England")  # a message: whoever shows it translates it
