"""A drawing whose ground the page has: what is left out, and that it is never another's, or an older one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pbem.games import find
from pbem.page.service import Service
from tests.page.calling import ok


@pytest.fixture
def service(tmp_path: Path) -> Service:
    return Service(tmp_path)


def begun(service: Service, game: str, seed: str) -> str:
    name = str(ok(service, "begin", game=game, seed=seed)["game"])
    while ok(service, "go_on", game=name)["more"]:
        pass
    return name


def drawing(service: Service, game: str, **more: Any) -> dict[str, str]:
    return dict(ok(service, "position", game=game, **more)["drawing"])


def one_order(service: Service, game: str) -> None:
    draft: list[str] = []
    while not (found := ok(service, "touches", game=game, draft=draft))["closed"]:
        draft = found["touches"][0]["draft"]
    more = ok(service, "sign", game=game, text=found["order"])["more"]
    while more:
        more = ok(service, "go_on", game=game)["more"]


@pytest.mark.variants
@pytest.mark.parametrize("game", ["hammer", "lords", "swords"])
def test_a_ground_is_sent_once_and_what_lies_over_it_each_time(service: Service, game: str) -> None:
    name = begun(service, game, "ground")
    whole = drawing(service, name)
    assert whole["below"].startswith("<svg ")
    assert whole["svg"].rstrip().endswith("</svg>")
    above = drawing(service, name, ground=whole["ground"])
    assert above == {**whole, "below": "", "style": ""}


def test_after_an_order_what_lies_over_the_ground_is_the_new_position(service: Service) -> None:
    name = begun(service, "hammer", "ground")
    before = drawing(service, name)
    for _order in range(3):
        one_order(service, name)
    after = drawing(service, name, ground=before["ground"])
    assert after["svg"] != before["svg"]
    anew = drawing(Service(service.home), name)
    assert (after["ground"], after["svg"]) == (anew["ground"], anew["svg"])


def test_the_ground_of_another_game_is_never_taken_for_this_one(service: Service) -> None:
    hammer, swords = (begun(service, game, "ground") for game in ("hammer", "swords"))
    other = drawing(service, hammer)["ground"]
    whole = drawing(service, swords, ground=other)
    assert whole["ground"] != other
    assert whole["below"]
    assert drawing(service, swords, ground="none that there is") == whole


def test_the_words_on_a_ground_are_in_the_language_that_is_asked_for(service: Service) -> None:
    name = begun(service, "hammer", "ground")
    english = drawing(service, name)
    french = drawing(service, name, ground=english["ground"], language="fr")
    assert french["svg"] != english["svg"]
    assert (french["ground"] == english["ground"]) == (french["below"] == "")


def test_a_template_is_made_when_it_is_asked_for_and_follows_the_question(service: Service) -> None:
    name = begun(service, "hammer", "template")
    position = ok(service, "position", game=name)
    assert "template" not in position
    texts = set()
    for _order in range(4):
        chair = service._held(name).chair()
        texts.add(ok(service, "template", game=name)["text"])
        assert ok(service, "template", game=name)["text"] == find("hammer").look.template(chair.view())
        one_order(service, name)
    assert len(texts) > 1
