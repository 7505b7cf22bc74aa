"""Games told again: in four forms, with pictures, as a session report; and nothing that is hidden gets into any of it."""

from __future__ import annotations

import io
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from typer.testing import CliRunner

from pbem.cli.app import app
from pbem.errors import PbemError, UsageError
from pbem.games import find, shipped
from pbem.i18n import speaking
from pbem.ledger import Log, redact
from pbem.look.tale import GameTale, remarks, tale_of
from pbem.reports.replay import opened
from pbem.story import pictures as drawing
from pbem.story import session
from pbem.story.forms import TaleBlock, tale, written
from pbem.story.telling import ALL, LogHead, ToldGame
from tests.golden_logs import FOLDER

ROOT = Path(__file__).parents[2]
FORMS: list[Any] = ["markdown", "bbcode", "html", "text"]


def log_of(name: str) -> Log:
    return Log.parse((FOLDER / f"{name}.pbem").read_bytes())


def telling(log: Log, seat: str = ALL) -> ToldGame:
    return ToldGame(opened(log), find(log.entries[0].fields["rules"]["id"]), seat)


def said(*arguments: object) -> str:
    done = CliRunner().invoke(app, [str(one) for one in arguments])
    if isinstance(done.exception, PbemError):
        raise done.exception
    assert done.exit_code == 0, done.output
    return done.output


# What is told


@pytest.mark.parametrize("game", [*shipped(), "tiny"])
@pytest.mark.parametrize("form", FORMS)
def test_every_game_is_told_in_every_form(game: str, form: Any) -> None:
    name = {"hammer": "hammer-bruce", "lords": "lords-3", "swords": "swords-book"}.get(game, game)
    told = telling(log_of(name))
    text = written(tale(told, LogHead(7, "ab" * 32)), form)
    assert find(game).rules.title.casefold() in text.casefold()
    for part in told.parts:
        assert part.name.replace("*", "") in text
    assert "do not know" not in text


def test_a_battle_is_told_by_its_turning_points() -> None:
    told = telling(log_of("hammer-bruce"))
    fights = told.tale.fights(told.facts, told.say)
    battle = next(one.passage for one in fights if "Mentieth is captured" in " ".join(one.passage.lines))
    assert battle.head == "The battle of Mentieth"
    text = " ".join(battle.lines)
    assert "Douglas: [2] [2] [2] 4, 3 hits." in text  # the volley that turned it
    assert "Barclay reduced" not in text  # a step is in the losses alone
    assert text.endswith("The Scots win the battle of Mentieth. The English lost 3 steps; the Scots lost 1 step.")


def test_an_answer_that_was_taken_back_is_not_told() -> None:
    log = log_of("hammer-taken-back")
    told, shown = telling(log), opened(log)
    back = next(fact for tell in shown.told[""] for fact in tell.facts if fact["f"] == "takeback")
    gone = [tell.n for tell in shown.told[""] if back["ask"] <= tell.n < max(told.steps) and tell.n not in told.steps]
    assert gone
    assert "take an answer back" not in written(tale(told), "text")


def test_a_game_without_a_tale_of_its_own_is_told_fact_by_fact() -> None:
    assert type(tale_of("tiny_game")) is GameTale
    told = telling(log_of("tiny"))
    assert len(told.passages(told.parts[1])[0].lines) >= 2


@pytest.mark.parametrize("name", ["hammer-homes", "lords-3", "swords-book"])
def test_a_view_of_one_seat_says_whose_it_is(name: str) -> None:
    log = log_of(name)
    seat = log.entries[0].fields["seats"][0]
    assert telling(log, seat).pack.look.seat_name(seat) in telling(log, seat).seen_by
    assert telling(log, "").seen_by != telling(log).seen_by


# No text becomes markup


NASTY = "<script>x</script> [url=x]y[/url] [b](javascript:x) **z** | `w` [3]"


def test_a_text_is_shown_as_it_is_in_every_form() -> None:
    blocks = [TaleBlock("p", NASTY), TaleBlock("list", lines=(NASTY,)), TaleBlock("h2", NASTY)]
    assert "<script>" not in written(blocks, "html")
    assert "<script>" not in re.sub(r"\\.", "", written(blocks, "markdown"))
    assert not re.search(r"(?<!\\)\]\(", written(blocks, "markdown"))
    assert "[url" not in written(blocks, "bbcode")
    assert "[/url" not in written(blocks, "bbcode")
    for form in FORMS:
        assert "[3]" in re.sub(r"<[^>]+>", "", written(blocks, form))


def test_a_fact_that_somebody_made_up_is_told_as_unknown() -> None:
    log = log_of("lords-2")
    shown = opened(log)
    tells = {seat: list(those) for seat, those in shown.told.items()}
    for those in tells.values():
        those[1] = (
            those[1]._replace(facts=({"f": "<b>coup</b>\x1b[2J"},)) if hasattr(those[1], "_replace") else those[1]
        )
    for those in tells.values():
        those[1] = replace(those[1], facts=({"f": "<b>coup</b>\x1b[2J"}, *those[1].facts))
    told = ToldGame(shown._replace(told=tells), find("lords"), "")
    for form in FORMS:
        text = written(tale(told), form)
        assert "coup" in text
        assert "\x1b" not in text
        assert "<b>coup" not in re.sub(r"\\.", "", text) or form in ("bbcode", "text")


# Secrets


@pytest.mark.parametrize("name", ["hammer-begun", "lords-begun"])
@pytest.mark.parametrize("form", FORMS)
def test_an_export_of_a_running_game_tells_no_secret(name: str, form: str, tmp_path: Path) -> None:
    """The host's own log opens every hand. Posted, it is byte for byte what a copy without that hand gives."""
    log = log_of(name)
    text = said("replay", FOLDER / f"{name}.pbem", "--as", form)
    for seat in log.entries[0].fields["seats"]:
        copy = tmp_path / f"{seat}.pbem"
        copy.write_bytes(redact(log, seat).dump())
        assert said("replay", copy, "--as", form) == text
        own = said("replay", copy, "--as", form, "--seat", seat)
        assert own != text, "the seat's own tale has something to hide"


@pytest.mark.parametrize("more", [("--as", "text"), ("--card", "OUT"), ("--gif", "OUT"), ("--pictures", "OUT")])
def test_everything_of_a_running_game_is_refused(more: tuple[str, ...], tmp_path: Path) -> None:
    words = [str(tmp_path / "out") if word == "OUT" else word for word in more]
    with pytest.raises(UsageError, match="This game is not over"):
        said("replay", FOLDER / "hammer-begun.pbem", "--seat", "all", *words)
    with pytest.raises(UsageError, match="This game is not over"):
        said("story", FOLDER / "hammer-begun.pbem", "--out", tmp_path)
    assert not list(tmp_path.iterdir())


def test_another_s_view_is_not_told_from_a_copy(tmp_path: Path) -> None:
    copy = tmp_path / "copy.pbem"
    copy.write_bytes(redact(log_of("hammer-begun"), "english").dump())
    assert "The English levy" in said("replay", copy, "--as", "text", "--seat", "english")
    with pytest.raises(UsageError, match="does not open"):
        said("replay", copy, "--as", "text", "--seat", "scottish")
    assert said("replay", copy, "--as", "text") == said("replay", FOLDER / "hammer-begun.pbem", "--as", "text")


@pytest.mark.slow
def test_a_public_picture_of_a_running_game_shows_no_secret(tmp_path: Path) -> None:
    """The card of the host's own log is byte for byte that of a player's copy; his own view draws another."""
    log = log_of("hammer-begun")
    copy = tmp_path / "copy.pbem"
    copy.write_bytes(redact(log, "scottish").dump())
    cards = []
    for place, more in ((FOLDER / "hammer-begun.pbem", ()), (copy, ()), (copy, ("--seat", "scottish"))):
        said("replay", place, "--card", tmp_path / "card.png", *more)
        cards.append((tmp_path / "card.png").read_bytes())
    assert cards[0] == cards[1] != cards[2]


# Pictures


@pytest.mark.slow
def test_maps_animations_and_the_card(tmp_path: Path) -> None:
    log = FOLDER / "swords-book.pbem"
    maps, gif, webp, card = (tmp_path / name for name in ("maps", "a.gif", "a.webp", "c.png"))
    text = said(
        "replay",
        log,
        "--seat",
        "all",
        "--as",
        "markdown",
        "--pictures",
        maps,
        "--gif",
        gif,
        "--webp",
        webp,
        "--card",
        card,
    )
    files = sorted(place.name for place in maps.iterdir())
    assert files == ["00-before-the-first-turn.png", "01-round-1.png", "02-round-2.png"]
    assert all(f"](maps/{name})" in text for name in files)
    for place in (gif, webp):
        with Image.open(place) as moving:
            assert getattr(moving, "n_frames", 1) == 3
    with Image.open(card) as drawn:
        assert drawn.width == drawing.CARD
    single = drawing.span(telling(log_of("swords-book")), "round 2")
    assert len(single) > 20
    with pytest.raises(UsageError, match="No turn begins with “Winter”"):
        drawing.span(telling(log_of("swords-book")), "Winter")


def test_a_game_without_pictures_says_so(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="draws no picture"):
        said("replay", FOLDER / "tiny.pbem", "--card", tmp_path / "c.png")


@pytest.mark.slow
def test_a_card_of_an_unsigned_game_names_no_head() -> None:
    told = telling(log_of("lords-2"))
    signed = drawing.card(told, LogHead(40, "ab" * 32))
    unsigned = ToldGame(told.opened._replace(unsigned="Unsigned: it is."), told.pack, ALL)
    marked = drawing.card(unsigned, LogHead(40, "ab" * 32))
    assert marked != signed
    assert marked == drawing.card(unsigned, None) == drawing.card(unsigned, LogHead(40, "cd" * 32))
    with Image.open(io.BytesIO(marked)) as drawn:
        assert drawn.format == "PNG"


# The session report


@pytest.mark.slow
@pytest.mark.parametrize("name", ["hammer-homes", "lords-3", "swords-book", "tiny", "tournament"])
def test_a_story_has_two_pages(name: str, tmp_path: Path) -> None:
    log = log_of(name)
    said("story", FOLDER / f"{name}.pbem", "--out", tmp_path / "story")
    page, text = ((tmp_path / "story" / f"story.{kind}").read_text("utf-8") for kind in ("html", "md"))
    for head in ("Chronicle", "The final count"):
        assert f"<h2>{head}</h2>" in page
        assert f"## {head}\n" in text
    assert log.head[1][:16] in text
    assert log.head[1][:16] in page
    named = set(re.findall(r"\]\((\S+\.png)\)", text))
    assert named == {place.name for place in (tmp_path / "story").glob("*.png")}
    assert page.count("data:image/png") == len(named)
    assert "<script" not in page


@pytest.mark.slow
def test_turning_points_are_the_widest_swings_in_their_order() -> None:
    told = telling(log_of("hammer-homes"))
    swings = session.turning_points(told)
    assert swings
    assert [one.part.n for one in swings] == sorted(one.part.n for one in swings)
    assert all(one.wide >= session.SWING for one in swings)
    assert session.turning_points(telling(log_of("hammer-homes"), "")) == []


def test_awards_follow_from_the_facts() -> None:
    told = telling(log_of("hammer-bruce"))
    lines = remarks(told.pack.package, told.facts)
    hits = sum(fact["hits"] for fact in told.facts if fact["f"] == "fire" and fact["block"] == "Douglas")
    assert f"The sharpest sword: Douglas, {hits} hits" in " ".join(lines)


def test_the_luck_of_swords_is_in_its_numbers_without_those_that_everybody_waits_for() -> None:
    flips: list[tuple[str, dict[str, Any]]] = [("flip", {"number": n}) for n in (2, 3, 1, 4)]
    flips[1:1] = [("deploy", {"seat": "pink"}), ("nothing", {"seat": "white"})]
    flips[4:4] = [("deploy", {"seat": "white"}), ("deploy", {"seat": "pink"}), ("nothing", {"seat": "white"})]
    told = [{"f": kind, **fields} for kind, fields in (("first", {"seat": "pink", "die": 1}), *flips)]
    told += [{"f": "deploy", "seat": "white"}, {"f": "score"}, {"f": "flip", "number": 9}]
    assert remarks("pbem.games.swords", told)[:3] == [
        "Pink begins, by the die.",
        (
            "The best numbers beside the cards: White, 3 cubes for 1 formation (Pink: 5 cubes for 2 formations). "
            "The last number of each round does not count."
        ),
        "Most cards for nothing: White, who had no free square 2 times.",
    ]
    even = [
        {"f": "flip", "number": 2},
        *({"f": "deploy", "seat": seat} for seat in ("pink", "white")),
        {"f": "flip", "number": 1},
    ]
    assert remarks("pbem.games.swords", even) == []


@pytest.mark.parametrize("name", ["swords-2", "swords-3", "swords-4", "lords-3", "hammer-bruce"])
def test_every_game_tells_its_luck(name: str) -> None:
    for language in ("en", "fr"):
        with speaking(language):
            assert list(telling(log_of(name)).tale.luck(telling(log_of(name)).facts))


def test_an_unsigned_story_says_so(tmp_path: Path) -> None:
    place = tmp_path / "game.txt"
    place.write_text(said("replay", FOLDER / "lords-2.pbem", "--notation", "full"), "utf-8")
    said("story", "--from", place, "--out", tmp_path / "story", "--no-pictures")
    for name in ("story.html", "story.md"):
        text = (tmp_path / "story" / name).read_text("utf-8")
        assert "Unsigned: this game comes from a notation" in text
        assert "head" not in text.split("Unsigned")[1][:400] or name == "story.html"
    for form in FORMS:
        text = said("replay", "--from", place, "--as", form, "--seat", "all")
        assert "Unsigned: this game comes from a notation" in " ".join(text.split())
