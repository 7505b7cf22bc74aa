"""The page that steps through a game: kept for a game of Tiny, and no more in it than the copy opens."""

from __future__ import annotations

import json
import os
import re
import zlib
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterator
from functools import cache
from hashlib import sha256
from html import unescape

import pytest

from bench.games import Players
from pbem.games import GamePack, find
from pbem.games.hammer.rules.printed import BLOCKS, ENGLISH, NORSE, SCOTTISH, SLUG
from pbem.i18n import speaking
from pbem.kernel import Json
from pbem.ledger import Log
from pbem.look import Chapter
from pbem.look.picture import MOVING
from pbem.referee.table import Table
from pbem.reports.html import template
from pbem.reports.replay import EVERYTHING, PUBLIC, films, page, reel, together
from pbem.reports.told import told
from pbem.reports.turns import ListedTurn, Turns
from tests.project.source import ROOT

KEPT = ROOT / "tests" / "golden" / "tiny" / "replay.jsonl"
HAMMER = find("hammer")


@pytest.fixture(autouse=True, scope="module")
def tiny() -> Iterator[GamePack]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PBEM_GAMES", str(ROOT / "examples"))
        yield find("tiny")


def _first(pack: GamePack) -> Callable[[str, Json], str]:
    """Everybody answers with the first thing that is legal, so that the game depends on nobody's cunning."""
    return lambda _, view: str(next(iter(pack.rules.options(pack.rules.read_view(view)))))


@cache
def _tiny() -> Log:
    pack = find("tiny")
    table = Table(pack.rules, {}, "kept")
    assert table.play(_first(pack))
    return Log.parse(table.whole())


@cache
def _unfinished() -> Table:
    """Forty questions of Hammer of the Scots, between the built-in players."""
    table = Table(HAMMER.rules, {}, "unfinished")
    assert not table.play(Players(HAMMER, table.seats, 3).say, 40)
    return table


def _data(made: str) -> Json:
    packed = re.search(r'id="data">([^<]*)<', made)
    assert packed
    return json.loads(zlib.decompress(b64decode(packed[1]), wbits=-15))


def _text(data: Json) -> str:
    return unescape(re.sub(r"<[^>]*>", " ", "\n".join(data["lines"])))


def test_the_page_of_a_game_of_tiny(tiny: GamePack) -> None:
    data = reel(films(_tiny(), tiny))
    rows = [
        *data["lines"],
        *(row for film in data["films"] for row in (film["name"], film["chapters"], *film["steps"])),
    ]
    text = "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows)
    if os.environ.get("PBEM_GOLDEN") == "write":
        KEPT.parent.mkdir(parents=True, exist_ok=True)
        KEPT.write_text(text, "utf-8")
    assert text == KEPT.read_text("utf-8"), "the page of Tiny has changed; PBEM_GOLDEN=write writes it anew"


def test_a_page_holds_the_data_and_allows_its_own_script_and_style_alone(tiny: GamePack) -> None:
    made = page(_tiny(), tiny)
    assert _data(made) == reel(films(_tiny(), tiny))
    policy = unescape(re.findall(r'Content-Security-Policy" content="([^"]*)"', made)[0])
    assert policy.startswith("default-src 'none'; ")
    for tag in ("script", "style"):
        for own in re.findall(rf"<{tag}>(.*?)</{tag}>", made, re.DOTALL):
            assert f"'sha256-{b64encode(sha256(own.encode()).digest()).decode()}'" in policy
    rest = made.replace("http://www.w3.org/2000/svg", "").replace("url(data:font/woff2;base64,", "")
    assert not re.search(r"https?:|url\(|\bsrc=|<link|@import", rest)


def test_a_finished_game_is_there_as_everybody_saw_it_and_ends_with_its_result(tiny: GamePack) -> None:
    made = films(_tiny(), tiny)
    assert [film.seat for film in made] == [EVERYTHING, "ann", "bob", "cat", PUBLIC]
    last = _tiny().entries[-1].n
    for film in made:
        assert list(film.frames)[-1] == last
        assert "The end" in film.frames[last][2][0]
        assert [n for n in film.frames if n < last] == [tell.n for tell in told(_tiny(), None)]
    assert [film.seat for film in films(_tiny(), tiny, "bob")] == ["bob"]


def test_a_view_goes_as_far_as_the_copy_opens_it(tiny: GamePack) -> None:
    log = _tiny()
    kept = [tell.n for tell in told(log, "bob")][:5]
    lines = [entry.line for entry in log.entries]
    lines += [
        a.line for a in log.attachments if not (a.k == "seal" and a.fields[4] == "bob" and a.fields[3] > kept[-1])
    ]
    made = {film.seat: list(film.frames) for film in films(Log.parse(b"".join(line + b"\n" for line in lines)), tiny)}
    assert made["bob"] == made[EVERYTHING] == kept
    assert made["ann"] == made[PUBLIC] == [*(tell.n for tell in told(log, None)), log.entries[-1].n]


def test_everything_tells_once_what_each_seat_heard_alone() -> None:
    public = [{"f": "deal", "seat": "ann"}, {"f": "dig"}, {"f": "retreat", "to": {"fife": 1}}]
    ann = [{"f": "deal", "seat": "ann", "card": "c2"}, {"f": "dig"}, {"f": "draw", "tokens": ["t1"]}, public[2]]
    bob = [*public[:2], {"f": "retreat", "to": {"fife": ["Fife"]}}]
    assert list(together(public, [ann, bob])) == [ann[0], public[1], ann[2], bob[2]]


@pytest.mark.slow
def test_the_page_of_a_copy_names_no_block_that_its_seat_was_not_told_of() -> None:
    pages = {}
    for seat, other in ((ENGLISH, SCOTTISH), (SCOTTISH, ENGLISH)):
        copy = Log.parse(_unfinished().copy(seat))
        data = _data(page(copy, HAMMER))
        assert [film["seat"] for film in data["films"]] == [seat, PUBLIC]
        heard = json.dumps([[tell.facts, tell.view] for one in (seat, None) for tell in told(copy, one)])
        text = pages[seat] = _text(data)
        for name, block in BLOCKS.items():
            if block.owner == other and not block.is_noble and name != NORSE:  # the rules' sentences name the Norse
                assert name not in text or name in heard or f'"{SLUG[name]}"' in heard, name
    hidden = {name for name in BLOCKS if name in pages[ENGLISH]} - {name for name in BLOCKS if name in pages[SCOTTISH]}
    assert hidden, "in this game nothing is hidden from the Scots"


@pytest.mark.slow
def test_steps_share_their_ground_and_most_of_their_lines() -> None:
    table = _unfinished()
    whole = films(Log.parse(table.whole()), HAMMER)
    made = page(Log.parse(table.whole()), HAMMER)
    assert [film.seat for film in whole] == [EVERYTHING, ENGLISH, SCOTTISH, PUBLIC]
    assert len({film.ground for film in whole}) == 1
    assert made.count(MOVING) == made.count("hm-ground") == 1
    shown = sum(len(part) for film in whole for frame in film.frames.values() for part in frame)
    assert len(_data(made)["lines"]) * 10 < shown
    names = [str(turn) for film in whole for turn in film.turns.found]
    assert any(re.fullmatch(r"1297, Game Turn 1: \w[\w ]+ – \w[\w ]+", name) for name in names), (
        "a turn tells its cards"
    )
    assert any(re.fullmatch(r"[A-Z][a-z]+: (English|Scots)", name) for name in names), "a battle tells who has won it"


def test_what_was_taken_back_is_shown_and_not_counted() -> None:
    log = Log.parse((ROOT / "tests" / "golden" / "logs" / "hammer-taken-back.pbem").read_bytes())
    film = films(log, HAMMER)[0]
    ((back, ask),) = [
        (tell.n, fact["ask"]) for tell in told(log, None) for fact in tell.facts if fact["f"] == "takeback"
    ]
    reports = {tell.n for tell in told(log, None)}
    lost = {n for n in reports if ask <= n < back}
    assert lost, "nothing was told between the question and the taking back"
    assert film.course.keys() == reports - lost
    assert lost & film.frames.keys(), "it is shown"


def test_what_came_of_a_part_is_said_anew_where_it_was_taken_back() -> None:
    turns = Turns()
    told = ("1297, Game Turn 1", 0, False), ("Move 1 – Move 2", 0, True), ("Annan", 1, False), ("Scots", 1, True)
    for n, chapter in enumerate((*told, ("English", 1, True), ("Move 3 – Herald", 0, True))):
        turns.note(n, Chapter(*chapter))
    assert turns.found == [
        ListedTurn(0, 0, "1297, Game Turn 1", "Move 3 – Herald"),
        ListedTurn(2, 1, "Annan", "English"),
    ]
    assert str(turns.found[1]) == "Annan: English"


def test_a_copy_that_tells_nothing_yet_is_a_page_without_a_step(tiny: GamePack) -> None:
    begun = _tiny()
    data = b"".join(entry.line + b"\n" for entry in begun.entries[:3])
    made = page(Log.parse(data), tiny)
    assert _data(made)["films"] == []


def test_what_is_said_is_text_and_never_markup() -> None:
    assert "&lt;b&gt;" in str(getattr(template("parts.html.j2").module, "story")([("<b>", ["<b>"])]))  # noqa: B009 - made by Jinja


def test_the_page_is_told_in_the_language_that_is_spoken() -> None:
    with speaking("fr"):
        said = page(_tiny(), find("tiny"))
    assert '<html lang="fr">' in said
    for words in ("Ce qui s’est passé", "Vu par", "Étape suivante (→)", "régulière"):
        assert words in said
    assert "La fin" in [name for _, _, name in _data(said)["films"][0]["chapters"]]


def test_the_script_s_own_words_stand_in_the_table_of_the_page() -> None:
    table = re.search(r'id="texts">(.*?)</script>', page(_tiny(), find("tiny")))
    script = (ROOT / "templates" / "replay.js").read_text("utf-8")
    asked = {name for call in re.findall(r"\bsay\((.*?)[,)]", script) for name in re.findall(r'"(\w+)"', call)}
    assert table is not None
    assert asked == json.loads(table[1]).keys()
