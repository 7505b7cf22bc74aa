"""Hammer in another language: all that is told is a message, and the French is kept, fits its lines and has its letters."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

import pytest
from PIL import ImageFont

from pbem.games.hammer import GAME
from pbem.games.hammer.look import LOOK
from pbem.games.hammer.look.map.geometry import GEOMETRY
from pbem.games.hammer.questions import QUESTIONS
from pbem.games.hammer.rules.printed import AREAS, BLOCKS, CARD_NAME, ENGLISH, SCOTTISH, SIDES
from pbem.games.hammer.rules.said import named, typed
from pbem.games.hammer.views import HammerView
from pbem.i18n import catalogues, languages, speaking
from pbem.kernel import Fact, Json, Names
from pbem.look.picture import FAMILIES, FOLDER
from pbem.reports.text import WIDTH, story
from tests.conformance import play
from tests.hammer.golden import compare
from tests.hammer.look_board import _attack, _page
from tests.hammer.look_facts import SAMPLES
from tests.hammer.map import _crowded
from tests.i18n import BRACKETS, outside

NAMES = {word for name in (*AREAS, *BLOCKS, *CARD_NAME.values(), *GEOMETRY["towns"]) for word in name.split()}
TYPED = {"FIRE", "RETREAT", "PASS", "DRAW"}
SHORT = {"Inf", "Arch", "Kn"}
LOOK_PART = next(part for part in catalogues.parts() if part.package.name == "hammer" and part.name == "look")
LETTERS = "éèêëàâçîïôûùœÉÈÊÀÇÔŒ«»’… \u00a0"


@cache
def _seen() -> tuple[tuple[HammerView, tuple[Json, ...]], ...]:
    """What each side sees at some moments of a random game, with all that it has heard until then."""
    heard: dict[str, list[Json]] = {side: [] for side in SIDES}
    found = []
    for n, stop in enumerate(play(GAME, {}, 9, limit=300).stops):
        for side in SIDES:
            told = (event.heard_by(side) for event in stop.events if isinstance(event, Fact))
            heard[side] += [fact for fact in told if fact is not None]
            if n % 24 == 0:
                found.append((HammerView.model_validate(GAME.view(stop.state, side)), tuple(heard[side])))
    return tuple(found)


def _parts(view: HammerView, facts: tuple[Json, ...]) -> Iterator[str]:
    """Go through all that is told of a position, but for the lines to type over."""
    yield from (LOOK.question(view), LOOK.board(view), LOOK.hand(view))
    seen = LOOK.seen(view, facts)
    for table in [*LOOK.tables(view), *([seen] if seen else [])]:
        yield from (table.title, table.note, *table.heads, *(cell for row in table.rows for cell in row))
    yield "\n".join("".join(span.text for span in line) for line in LOOK.terminal(view))


def _texts(svg: str) -> list[str]:
    """Return what is written on a map, and its title."""
    return re.findall(r"<(?:title|text)\b[^>]*>([^<]*)<", svg)


def _unknown(text: str) -> set[str]:
    """Return the words that stand in no message, and are neither names nor typed."""
    return {
        word
        for word in outside(text)
        if word not in TYPED | SHORT and not any(name.startswith((word, word.capitalize())) for name in NAMES)
    }


@pytest.mark.parametrize("kind", SAMPLES)
def test_every_fact_is_told_by_messages(kind: str) -> None:
    with speaking(BRACKETS):
        for sample in SAMPLES[kind]:
            assert not _unknown(LOOK.fact({"f": kind, **sample}, None)), sample


@pytest.mark.slow
def test_positions_are_told_by_messages_and_names() -> None:
    with speaking(BRACKETS):
        for view, facts in _seen():
            for part in _parts(view, facts):
                assert not _unknown(part), part


def test_on_the_map_stand_messages_and_names() -> None:
    with speaking(BRACKETS):
        for table in (_attack().dice(3), _crowded()):
            for text in _texts(LOOK.picture([table.view(ENGLISH)], [])):
                assert not _unknown(re.sub(r"\b[IV]+\b", "", text)), text


def test_the_french_sentences_and_positions_are_kept() -> None:
    """Reports, questions, refusals and commands."""
    with speaking("fr"):
        told = (LOOK.fact({"f": kind, **sample}, None) for kind, samples in SAMPLES.items() for sample in samples)
        compare("french_sentences.txt", story(told))
        table = _attack().dice(3)
        compare("french_board.txt", _page(table, SCOTTISH))
        compare("french_map.txt", "\n".join(_texts(LOOK.picture([table.view(SCOTTISH)], []))))


@pytest.mark.slow
def test_french_lines_are_as_short_as_english_ones() -> None:
    with speaking("fr"):
        for view, _facts in _seen():
            for part in (
                LOOK.question(view),
                LOOK.template(view),
                LOOK.board(view),
                LOOK.hand(view),
            ):
                assert max(map(len, part.split("\n"))) <= WIDTH, part
            lines = ["".join(span.text for span in line) for line in LOOK.terminal(view)]
            assert max(map(len, lines)) < 80
            assert not any("\n" in line for line in lines)


def test_a_table_tells_in_each_language_what_it_is_asked_in() -> None:
    view, _facts = _seen()[-1]
    first = LOOK.tables(view)
    svg = LOOK.picture([view], [])
    with speaking("fr"):
        assert LOOK.tables(view)[0].heads[0] == "Camp"
        assert "Mer du Nord" in LOOK.picture([view], [])
        assert "limite de château" in LOOK.picture([view], [])
    assert LOOK.tables(view) == first
    assert LOOK.picture([view], []) == svg


@pytest.mark.variants
@pytest.mark.parametrize("file", FAMILIES.values())
def test_the_fonts_of_pictures_have_the_letters_of_every_language(file: str) -> None:
    font = ImageFont.truetype(str(FOLDER / f"{file}.ttf"), 40)
    none = font.getmask("\ue000")
    said = set(LETTERS)
    for language in languages()[1:]:
        said |= {
            letter for message in LOOK_PART.update(language, LOOK_PART.template()) for letter in str(message.string)
        }
    missing = {letter for letter in said - set("\n") if _drawn(font, letter) == (none.size, bytes(none))}
    assert missing <= set("═╌"), missing  # these stand in terminals alone


def _drawn(font: ImageFont.FreeTypeFont, letter: str) -> tuple[tuple[int, int], bytes]:
    mask = font.getmask(letter)
    return mask.size, bytes(mask)


def test_every_question_has_its_name() -> None:
    assert [LOOK.asked(what) for what in QUESTIONS] == [f"“{what}”" for what in QUESTIONS]
    with speaking("fr"):
        assert all(LOOK.asked(what) not in (f"“{what}”", f"« {what} »") for what in QUESTIONS)


def test_each_name_of_the_french_edition_is_told_and_typed() -> None:
    names = (*AREAS, *BLOCKS, *dict.fromkeys(CARD_NAME.values()))
    also = typed(names)
    with speaking("fr"):
        for name in names:
            said = named(name)
            assert said == name or also[said] == name
            if said != name:
                assert Names(names, abroad=also).find(said) == name
    assert {named(name) for name in names} == set(names)
    assert set(also.values()) == {name for name in names if name in also.values()}


@pytest.mark.slow
def test_no_english_name_stands_in_a_french_position() -> None:
    with speaking("fr"):
        english = {name for name in (*AREAS, *BLOCKS, *CARD_NAME.values()) if named(name) != name}
        told = "\n".join(part for view, facts in _seen() for part in _parts(view, facts))
    assert not [name for name in english if re.search(rf"\b{name}\b", told)]
