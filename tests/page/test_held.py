"""What the service holds in memory between calls: never what is old, and never more than a few games."""

from __future__ import annotations

import base64
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from pbem.page.service import Service
from pbem.player import Desk
from tests.golden_logs import FOLDER as GOLDEN
from tests.host.post import a_club
from tests.page.calling import answer, ok
from tests.page.held import about, glances


@pytest.mark.slow
def test_of_many_games_alone_a_few_are_held_and_each_goes_on_where_it_was(tmp_path: Path) -> None:
    service = Service(tmp_path)
    games = [str(ok(service, "begin", game="tiny", seed=f"{n}")["game"]) for n in range(12)]
    before = {game: ok(service, "position", game=game) for game in games}
    assert len(service.alone._open) == 4
    for game in games:
        assert ok(service, "position", game=game) == before[game]
        touch = ok(service, "touches", game=game)["touches"][0]
        if touch["closes"]:
            ok(service, "sign", game=game, text="\n".join(touch["draft"]))
            assert ok(service, "position", game=game) != before[game]
    assert len(service.alone._open) == 4


@pytest.fixture
def desk(tmp_path: Path) -> Path:
    """A desk with a game, of which the last letter has not been read: it lies beside."""
    with a_club(tmp_path / "club", game="tiny") as club:
        club.begin()
        seat = next(iter(club.received))
        shutil.copytree(club.folder / seat, tmp_path / "desk")
        before = len(club.received[seat])
        while not any(b"your move" in raw.partition(b"\n\n")[0] for raw in club.received[seat][before:]):
            club.turn()  # at times it is another who is asked alone
        letters = club.received[seat][before:]
    for n, raw in enumerate(letters):
        (tmp_path / f"{n}.eml").write_bytes(raw)
    return tmp_path / "desk"


@pytest.mark.slow
def test_copies_that_are_let_go_are_read_anew_and_none_is_older_than_its_file(
    desk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    service = Service(desk)
    name = next(service.desk.games()).game
    held = service.desk.copy(service.desk.notes(name))
    monkeypatch.setattr(Desk, "let_go", lambda self: self._copies.clear())
    before = ok(service, "position", game=name)
    for letter in sorted(desk.parent.glob("*.eml")):
        service.desk.read(letter.read_bytes())
    after = ok(service, "position", game=name)
    assert after["n"] > before["n"]
    assert after == ok(Service(desk), "position", game=name)
    assert held is not service.desk.copy(service.desk.notes(name))


@pytest.mark.slow
def test_so_many_copies_are_held_as_their_bytes_allow(desk: Path) -> None:
    found = Desk(desk)
    one = next(found.games())
    size = found.copy(one).size
    for n in range(5):
        name = f"{n:02x}" * 8 + one.game[16:]
        shutil.copy(found.path(one, "pbem"), desk / "games" / f"{name[:16]}.pbem")
        found.keep(replace(one, game=name))
    every = list(found.games())
    for notes in every:
        found.copy(notes)
    found.let_go(3 * size)
    assert list(found._copies) == [notes.game for notes in every[-3:]]
    found.let_go(0)
    assert list(found._copies) == [every[-1].game]


@pytest.mark.slow
def test_a_position_asked_for_after_a_letter_is_the_new_one_whatever_ground_is_named(desk: Path) -> None:
    service = Service(desk)
    name = next(service.desk.games()).game
    before, asked = ok(service, "position", game=name), ok(service, "touches", game=name)
    for letter in sorted(desk.parent.glob("*.eml")):
        service.desk.read(letter.read_bytes())
    again = ok(service, "touches", game=name)
    assert ok(service, "position", game=name, ground="x")["ask"] != before["ask"]
    assert again == ok(Service(desk), "touches", game=name)
    assert asked


@pytest.mark.slow
def test_calls_after_which_nothing_is_kept_write_nothing(desk: Path) -> None:
    """The worker skips the keeping for them: what they wrote would be lost with the tab."""
    service = Service(desk)
    by_mail = next(service.desk.games()).game
    alone = ok(service, "begin", game="tiny", seed="1")["game"]
    log = base64.b64encode((GOLDEN / "tiny-1.pbem").read_bytes()).decode()
    watched = ok(service, "watch", data=log)["game"]
    for letter in sorted(desk.parent.glob("*.eml")):
        service.desk.read(letter.read_bytes())

    def files() -> dict[Path, bytes]:
        return {path: path.read_bytes() for path in desk.rglob("*") if path.is_file()}

    before = files()
    for again in (service, Service(desk)):
        for call in glances():
            for of in about(call, by_mail, alone, watched):
                found = answer(again, call, **of)
                assert "ok" in found or (again is not service and of == {"game": watched}), (call, found)
                assert files() == before, call
