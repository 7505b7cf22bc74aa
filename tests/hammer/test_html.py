"""The report as HTML: what mail programs take, what readers need, and nothing that the text does not tell."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser
from itertools import pairwise

import pytest

from pbem.games.hammer import GAME
from pbem.games.hammer.look import LOOK
from pbem.games.hammer.rules.printed import ENGLISH, SCOTTISH
from pbem.games.pack import find
from pbem.kernel import Ask, Json
from pbem.reports import html
from pbem.reports.choices import choices
from pbem.reports.reckoned import Reckoned
from pbem.reports.text import items, set_out
from tests.conformance import play
from tests.hammer.html import _report
from tests.hammer.look_reports import Sent, sent
from tests.hammer.map import contrast

pytestmark = pytest.mark.slow

HAMMER = find("hammer")
VOID = {"meta", "img", "br", "link", "input", "hr"}
PARTS = ("What happened", "Your choice", "Your hand", "New of the enemy", "The board", "Entry ")
NOT_IN_MAIL = {"script", "svg", "link", "iframe", "object", "form", "input", "video", "audio", "base"}


class Reader(HTMLParser):
    """Reads a page strictly: every element is closed where it was opened."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.said: list[str] = []
        self.feed(page)
        self.close()
        assert not self.open, self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {name: value or "" for name, value in attrs}))
        if tag not in ("b", "span"):
            self.said.append(" ")
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if not {"style", "title"} & set(self.open):
            self.said.append(data)

    def all(self, *tags: str) -> list[dict[str, str]]:
        return [attributes for tag, attributes in self.elements if tag in tags]

    @property
    def text(self) -> str:
        return " ".join("".join(self.said).replace("\u00a0", " ").split())


def _some() -> Iterator[Sent]:
    """Every report of one game, of all seats and the public."""
    return (report for report in sent() if report.where.startswith("seed 1 "))


@cache
def mails() -> tuple[tuple[Sent, str, Reader], ...]:
    made = ((one, html.mail(Reckoned(one.report, HAMMER), "map@example.org")) for one in _some())
    return tuple((one, mail, Reader(mail)) for one, mail in made)


def test_a_mail_is_small_and_holds_nothing_that_mail_programs_take_out() -> None:
    for one, mail, read in mails():
        assert len(mail.encode()) < 100_000, one.where
        assert not NOT_IN_MAIL & {tag for tag, _ in read.elements}, one.where
        assert not re.search(r"data:|javascript:|url\(|@import|@font-face|var\(|http", mail), one.where
        assert [image["src"] for image in read.all("img")] == ["cid:map@example.org"]
        assert not any(name.startswith("on") for _, attributes in read.elements for name in attributes)


def test_where_too_much_has_happened_the_earliest_is_left_out_and_the_mail_says_so() -> None:
    one = next(one for one in _some() if not one.seat and one.view.result)
    read = Reader(html.mail(Reckoned(one.report, HAMMER)))
    assert "the earlier events are only in the text of this mail" in read.text
    told = [" ".join(item.text.split()) for item in items(LOOK.fact(fact, None) for fact in one.facts)]
    assert told[-1] in read.text
    assert told[-2] in read.text


def test_a_mail_without_a_picture_refers_to_none() -> None:
    one = next(_some())
    assert "<img" not in html.mail(Reckoned(one.report, HAMMER))


def test_the_style_of_a_mail_is_in_its_elements_and_dark_where_the_reader_is() -> None:
    _, mail, read = mails()[0]
    assert all("style" in attributes for attributes in read.all("h1", "h2", "h3", "th", "pre", "caption"))
    assert "prefers-color-scheme:dark" in mail.replace(" ", "")
    assert {"name": "color-scheme", "content": "light dark"} in read.all("meta")


def test_a_page_needs_nothing_beside_it() -> None:
    for one in list(_some())[::20]:
        page = html.page(Reckoned(one.report, HAMMER))
        read = Reader(page)
        assert not {"script", "link", "img", "iframe"} & {tag for tag, _ in read.elements}
        assert "http" not in page.replace("http://www.w3.org/2000/svg", "").replace("http-equiv", "")
        assert set(re.findall(r"url\((?!#)([a-z]+:[a-z0-9/]+)", page)) == {"data:font/woff2"}
        assert len(read.all("svg")) == 1


def test_a_screen_reader_gets_everything() -> None:
    """Language, title, headings without a gap, names of tables, heads of columns and rows, a word for each picture."""
    pages = ((one, "", Reader(html.page(Reckoned(one.report, HAMMER)))) for one in list(_some())[::30])
    for one, _, read in [*mails()[::7], *pages]:
        assert read.all("html") == [{"lang": "en"}]
        assert len(read.all("title")) >= 1
        levels = [int(tag[1]) for tag, _ in read.elements if re.fullmatch(r"h[1-6]", tag)]
        assert levels[0] == 1
        assert levels.count(1) == 1
        assert all(b <= a + 1 for a, b in pairwise(levels)), one.where
        data = [table for table in read.all("table") if table.get("role") != "presentation"]
        assert len(data) == len(read.all("caption"))
        assert all(head.get("scope") in ("col", "row") for head in read.all("th"))
        assert all(image.get("alt") for image in read.all("img"))
        assert all(svg.get("role") == "img" and svg.get("aria-labelledby") == "hm-title" for svg in read.all("svg"))


def test_the_html_tells_what_the_text_tells_in_the_same_order() -> None:
    for one, _, read in mails()[::3]:
        at = 0
        told = (
            []
            if "Too much has happened" in read.text
            else items(LOOK.story([(fact, LOOK.fact(fact, one.seat or None)) for fact in one.facts]))
        )
        for item in told:
            words = " ".join(item.text.split())
            at = read.text.index(words, at) if words in read.text[at:] else -1
            assert at >= 0, (one.where, words)
        parts = [part for part in PARTS if part in read.text]
        assert [read.text.index(part) for part in parts] == sorted(read.text.index(part) for part in parts)
        assert ("New of the enemy" in read.text) == ("NEW OF THE ENEMY" in one.text), one.where
        if seen := Reckoned(one.report, HAMMER).seen:
            at = 0
            for cell in (seen.title, *seen.heads, *(cell for row in seen.rows for cell in row), seen.note):
                at = read.text.index(cell, at)
            assert " ".join(set_out(seen).split()) in " ".join(one.text.split()), one.where
        if one.asked and one.seat:
            for choice in choices(HAMMER, one.view):
                assert choice.words in read.text, one.where


def test_the_tables_of_the_board_name_what_the_text_names() -> None:
    """Every word of the board's text, but for the sketch of the map, stands in a table."""
    for one in list(_some())[::11]:
        tables = LOOK.tables(one.view)
        words = " ".join(f"{t.title} {t.note} {' '.join(' '.join(row) for row in t.rows)}" for t in tables).replace(
            "\u00a0", " "
        )
        for name in re.findall(r"[A-Z][a-z]+ (?:Knights|Archers|Infantry) \d(?:/\d)?", LOOK.board(one.view)):
            assert name in words, (one.where, name)
        assert all(len(row) == len(table.heads) for table in tables for row in table.rows)


def test_hits_are_told_from_misses_without_colour() -> None:
    drawn = str(html.dice("Wallace fires 4 dice at A3: [2] 5 [1] 4  2 hits."))
    assert drawn.count('<b class="die hit">[') == 2
    assert drawn.count('<span class="die">') == 2
    assert "&lt;b&gt;" in html.dice("<b>")


@pytest.mark.parametrize("palette", html.PALETTES)
def test_every_pair_of_colours_has_contrast(palette: str) -> None:
    colours = html.PALETTES[palette]
    for ink, ground in html.PAIRS:
        assert contrast(colours[ink], colours[ground]) >= 4.5, (ink, ground)


def test_twins_give_the_same_mails_and_pages() -> None:
    """What a seat cannot see changes no byte of what it is sent."""
    record = play(GAME, {}, 3, 150)
    rng = random.Random(7)
    for index in record.every(37):
        stop = record.stops[index]
        for seat in stop.wants.seats if isinstance(stop.wants, Ask) else ():
            view = record.view(index, seat)
            twin = GAME.determinise(view, rng)
            reports = [Reckoned(_report(GAME.view(state, seat), seat), HAMMER) for state in (stop.state, twin)]
            for make in (html.mail, html.page):
                assert make(reports[0]) == make(reports[1]), record.at(index)


def test_what_has_been_seen_of_the_enemy_follows_from_the_facts() -> None:
    view = next(one for one in _some() if one.seat == ENGLISH).report.view
    facts: list[Json] = [
        {"f": "year", "year": 1297},
        {"f": "turn", "year": 1297, "turn": 2},
        {"f": "battle", "area": "Fife", "attacker": ENGLISH, ENGLISH: 2, SCOTTISH: 2},
        {"f": "reveal", "side": SCOTTISH, "blocks": {"wallace": 4, "keith": 3}},
        {"f": "reveal", "side": ENGLISH, "blocks": {"hobelars": 3}},
        {"f": "hit", "blocks": {"wallace": 2}},
        {"f": "killed", "area": "Fife", "side": SCOTTISH, "block": "Keith", "fate": "pool"},
    ]
    table = LOOK.seen(GAME.read_view({**view, "blocks": {}, "dead": []}), facts)
    assert table is not None
    assert table.rows == (
        ("Keith", "B1", "–", "draw pool", "1297, turn 2"),
        ("Wallace", "A3", "2 of 4", "Fife", "1297, turn 2"),
    )
    later = [*facts, {"f": "turn", "year": 1298, "turn": 1}]
    assert LOOK.seen(GAME.read_view({**view, "seat": "", "blocks": {}}), later) is None


def test_lines_that_were_folded_are_one_again() -> None:
    text = (
        "The Scots defend: Wallace 3 (A3), Grant 3 (C2),\n                  1 in reserve\nWhich?\n"
        "  Ross        Ross (2)\n                Garmoran 2r"
    )
    assert [tuple(line) for line in html.lines(text)] == [
        ("The Scots defend: Wallace 3 (A3), Grant 3 (C2), 1 in reserve", 0), ("Which?", 0), ("Ross        Ross (2)", 1),
        ("Garmoran 2r", 2),
    ]  # fmt: skip


def test_the_title_says_what_a_browser_tab_should() -> None:
    over = next(one for one in _some() if one.view.result and one.seat == ENGLISH)
    assert "<title>Hammer of the Scots 3f29aa00: the game is over</title>" in html.page(Reckoned(over.report, HAMMER))
    assert LOOK.result(over.view.result) in Reader(html.mail(Reckoned(over.report, HAMMER))).text
