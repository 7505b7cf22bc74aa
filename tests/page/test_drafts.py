"""An order that was begun is kept until it is signed: for its question alone, however the page was left, and for a second tab."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.page.service import Service
from tests.host.post import Club, a_club
from tests.page.calling import ok, refused
from tests.page.two_pages import asked as asked_by_pages


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Club]:
    """Two players; the first question is open."""
    with a_club(tmp_path_factory.mktemp("club"), turns=3) as club:
        yield club.begin()


def begins(service: Service, game: str) -> tuple[int, list[str]]:
    """Touch one thing, and keep the draft; return the question and the lines."""
    number = ok(service, "position", game=game)["ask"]
    lines = ok(service, "touches", game=game)["touches"][0]["draft"]
    assert ok(service, "draft", game=game, ask=number, lines=lines)["lines"] == lines
    return number, lines


def whole(service: Service, game: str) -> str:
    draft: list[str] = []
    while not (found := ok(service, "touches", game=game, draft=draft))["closed"]:
        draft = found["touches"][0]["draft"]
    return str(found["order"])


def test_a_draft_alone_outlives_the_page_and_goes_with_its_order(tmp_path: Path) -> None:
    service = Service(tmp_path)
    game = ok(service, "begin", game="tiny", seat="ann", seed="5eed")["game"]
    while not ok(service, "position", game=game)["asked"]:
        ok(service, "go_on", game=game)
    number, lines = begins(service, game)
    for other in (Service(tmp_path), service):  # after a reload, or in a second tab
        assert ok(other, "draft", game=game, ask=number)["lines"] == lines
        assert all(ok(other, "draft", game=game, ask=number)["said"]), "it is called as it was when it was touched"
        assert ok(other, "draft", game=game, ask=number + 1)["lines"] == [], "it answers no other question"
    ok(service, "sign", game=game, text=whole(service, game))
    assert ok(service, "draft", game=game, ask=number)["lines"] == []
    assert not list(tmp_path.rglob("*.draft"))


@pytest.mark.slow
def test_a_draft_of_two_is_kept_as_well(tmp_path: Path) -> None:
    one, _other = asked_by_pages(tmp_path, random.Random(1))
    number, lines = begins(one.service, one.game)
    assert one.says("draft", game=one.game, ask=number)["lines"] == lines
    one.says("sign", game=one.game, text=whole(one.service, one.game))
    assert one.says("draft", game=one.game, ask=number)["lines"] == []


def test_a_draft_goes_with_its_game_and_with_a_line_taken_back(tmp_path: Path) -> None:
    service = Service(tmp_path)
    game = ok(service, "begin", game="tiny", seat="ann", seed="5eed")["game"]
    ok(service, "draft", game=game, ask=1, lines=["CARD c1"])
    assert ok(service, "draft", game=game, ask=1, lines=[" "])["lines"] == []
    ok(service, "draft", game=game, ask=1, lines=["CARD c1"])
    ok(service, "forget", game=game)
    assert not list(tmp_path.rglob("*.draft"))


def test_a_draft_by_mail_is_kept_in_the_desk_and_saved_with_it(club: Club) -> None:
    service = Service(club.folder / "ann", club.now)
    game = ok(service, "games")["games"][0]["game"]
    number, lines = begins(service, game[:8])
    assert ok(Service(club.folder / "ann", club.now), "draft", game=game, ask=number)["lines"] == lines
    assert [path.parent.name for path in service.home.rglob("*.draft")] == ["notes"], (
        "never in the open of a page's origin"
    )
    assert ok(service, "sign", game=game, text=whole(service, game))["letters"]
    assert ok(service, "draft", game=game, ask=number)["lines"] == []


@pytest.mark.variants
@pytest.mark.parametrize(
    "data", [b"", b"[]", b"{}", b'{"ask": 1, "lines": 7}', b'{"ask": 1, "lines": [7]}', b"[" * 100_000, b"\xff"]
)
def test_a_damaged_draft_is_ignored(tmp_path: Path, data: bytes) -> None:
    """Nothing else changes."""
    service = Service(tmp_path)
    game = ok(service, "begin", game="tiny", seat="ann", seed="5eed")["game"]
    (tmp_path / "alone" / f"{game}.draft").write_bytes(data)
    assert ok(service, "draft", game=game, ask=1)["lines"] == []
    assert [row["game"] for row in ok(service, "games")["games"]] == [game]


def test_of_no_game_there_is_no_draft(tmp_path: Path) -> None:
    for game in ("alone-00000000", "alone-../../key", "ab" * 8):
        assert refused(Service(tmp_path), "draft", game=game, ask=1, lines=["CARD c1"])[0] in ("player", "call")
    assert not list(tmp_path.rglob("*.draft"))
