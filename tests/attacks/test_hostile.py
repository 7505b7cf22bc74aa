"""Every string of every view, fact, result, entry and letter is replaced by hostile ones: what comes out in each form is harmless.

What is read first may also be refused. What is drawn is drawn besides as if nothing had been refused: that layer escapes by itself.
`make fuzz` looks deeper.
"""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable
from datetime import UTC, datetime
from email import message_from_bytes, policy
from functools import cache, partial

import pytest
from PIL import Image
from pydantic import ValidationError
from rich.console import Console

from pbem.cli import screen
from pbem.cli.common import echo_json
from pbem.errors import FormError
from pbem.games import GamePack
from pbem.host.templates import TEMPLATES
from pbem.i18n.visible import visible
from pbem.kernel import Json, View
from pbem.ledger import Log
from pbem.ledger.log import ZERO, make_attachment, make_entry
from pbem.look import PageTable, Span
from pbem.look.markup import joined
from pbem.look.picture import with_fonts
from pbem.look.pixels import png
from pbem.mail import Letter
from pbem.mail.press import marked
from pbem.reports import html
from pbem.reports.entries import Reader
from pbem.reports.reckoned import Reckoned, render
from pbem.reports.replay import page as replay_page
from pbem.reports.report import Report
from pbem.reports.text import readable, result_text, unknown
from pbem.reports.told import NONSENSE
from tests.conformance.forms import Path, leaves, put

from . import harmless
from .forger import Forger
from .hostile import DEEP, GAMES, facts, places, results, strings, views
from .recorded import a_log

NAME = re.compile(r"[\w .:?-]*")
"""What a hostile string must look like, if it may stand in a view: it is a name, by chance."""
KEY = re.compile(r"[a-z][a-z0-9_:.]{0,47}")
"""What a key in a log is."""
ALWAYS = re.compile(r"<style>.*?</style>|<defs>.*?</defs>|<!--still-->.*?<!--moving-->", re.DOTALL)
"""What is the same in every drawing and page, and is not read each time."""
DRAWING = re.compile(r"<svg.*</svg>", re.DOTALL)


def _page(text: str) -> None:
    """A page is harmless beside its drawing."""
    harmless.page(ALWAYS.sub("", DRAWING.sub("", text)))


def _drawing(svg: str) -> None:
    if svg:
        harmless.drawing(ALWAYS.sub("", joined([svg])))


def _forms(pack: GamePack, view: View) -> list[Callable[[], None]]:
    """Return what makes each form of a view, and looks at it."""
    look = pack.look

    def drawn() -> None:
        _drawing(look.picture([view], []))

    def printed() -> None:
        harmless.shows(visible("\n".join(span.text for line in look.terminal(view) for span in line)))

    def told(part: Callable[[View], str]) -> None:
        harmless.shows(visible(part(view)))

    def on_a_page() -> None:
        _page(html.position(pack, {"": view}))

    return [
        drawn,
        printed,
        on_a_page,
        *(partial(told, one) for one in (look.board, look.hand, look.question, look.template)),
    ]


@cache
def _places(name: str) -> list[tuple[Json, Path]]:
    """Where the views of a game hold strings and keys, each with a view that does."""
    return places(views(name))


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_a_view_says_the_game_s_names_or_is_refused(name: str) -> None:
    rules = GAMES[name][0].rules
    for view, path in _places(name):
        for said in strings():
            try:
                rules.read_view(put(view, path, said))
            except ValidationError:
                continue
            assert NAME.fullmatch(said), (path, said)


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_a_view_that_nobody_checked_is_drawn_harmlessly_or_not_at_all(name: str) -> None:
    """A host or stranger puts markup into each string of views, facts, results, entries, names and letters."""
    pack, drawn = GAMES[name][0], 0
    for no, (view, path) in enumerate(_places(name)):
        for said in strings() if DEEP else strings()[no % 4 :: 4]:
            try:
                forms = _forms(pack, put(pack.rules.read_view(view), path, said))
            except NONSENSE:
                continue
            for form in forms:
                try:
                    form()
                except NONSENSE:
                    continue
                drawn += 1
    assert drawn


@cache
def _told(name: str) -> list[Json]:
    """Facts of each kind that a game tells, with a hostile string in each place."""
    found = places(fact for fact, _seat in facts(name))
    return [put(fact, path, said) for fact, path in found for said in strings()]


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_a_fact_is_unknown_or_harmless_in_every_form(name: str) -> None:
    pack = GAMES[name][0]
    view = next(views(name))
    seat = pack.rules.seats(GAMES[name][1][0])[0]
    known = [fact for fact in _told(name) if readable(fact, seat, pack) is not None]
    assert known
    for fact in _told(name):
        said = readable(fact, seat, pack)
        harmless.shows(visible(unknown(fact) if said is None else said))
    for some in (known[i : i + 200] for i in range(0, len(known), 200)):
        report = Report("3f" * 32, seat, view, (tuple(some),), (), 5, "3f" * 32)
        harmless.shows(render(Reckoned(report, pack)))
        harmless.page(html.mail(Reckoned(report, pack)))
    for fact in known:
        _drawing(_drawn_with(pack, pack.rules.read_view(view), fact) or "")


def _drawn_with(pack: GamePack, view: View, fact: Json) -> str | None:
    """Return the drawing of a view after a fact, None where that makes none."""
    try:
        return pack.look.picture([view], [fact])
    except NONSENSE:
        return None


@pytest.mark.parametrize("name", GAMES)
def test_a_result_is_nonsense_or_harmless(name: str) -> None:
    pack = GAMES[name][0]
    ended = [{"why": why, "winner": "ann", "seats": ["ann"]} for why in ("agreed", "resigned", "late")]
    found = [(result, path) for result in [*ended, *results(name)] for path in leaves(result)]
    for result, path, said in ((*place, said) for place in found for said in strings()):
        try:
            text = result_text(put(result, path, said), pack)
        except NONSENSE:
            continue
        harmless.shows(visible(text))


def _fits(fact: Json) -> bool:
    """May a log hold it, beside others?"""
    keys = (str(path[-2]) for path in leaves(fact) if path[-1] == "<key>")
    return len(json.dumps(fact)) < 1000 and all(map(KEY.fullmatch, keys))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["tiny", "hammer", "lords"])
def test_a_page_that_steps_through_a_game_is_harmless(name: str) -> None:
    """A log brings a script. The page's policy runs only our own."""
    forger, pack = Forger(a_log(name), whole=False), GAMES[name][0]
    tell = forger.first("tell")
    view = pack.rules.read_view(next(views(name)))
    some = [fact for fact in _told(name) if _fits(fact) and _drawn_with(pack, view, fact) is not None]
    some = some[:: len(some) // 150 + 1]
    for told in (tell.fields["pub"], *(tell.openings[seat][1] for seat in forger.seats)):
        told["facts"] += some
    forger.cut(tell)
    harmless.replayed(replay_page(forger.write(), pack))


@pytest.mark.slow
def test_a_bitmap_is_drawn_of_whatever_a_view_says() -> None:
    for name, path, part in (("hammer", ("king",), "year"), ("lords", ("seats", 0), "seats")):
        pack = GAMES[name][0]
        view = pack.rules.read_view(next(view for view in views(name) if part in view))
        said = "".join(strings()[:13]) if name == "hammer" else view.seats[0]  # type: ignore[attr-defined]
        image = Image.open(io.BytesIO(png(pack.look.picture([put(view, path, said)], []), 300)))
        assert image.size[0] == 300
        harmless.drawing(with_fonts(pack.look.picture([put(view, path, said)], [])))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["tiny", "hammer"])
def test_an_entry_is_no_entry_or_shown_harmlessly(name: str) -> None:
    whole = Log.parse(a_log(name).beginning)
    lines = [*(entry.fields for entry in whole.entries), *(attachment.fields for attachment in whole.attachments)]
    shown = 0
    for line, path in places(lines):
        for said in strings():
            changed = put(line, path, said)
            try:
                if isinstance(changed, dict):
                    log = Log([make_entry(changed["n"], ZERO, changed)])
                else:
                    log = Log([whole.entries[1], make_attachment(changed)])
            except (FormError, UnicodeEncodeError, KeyError):
                continue
            one = Reader(log, None).line(log.entries[0])
            harmless.shows(one)
            assert "\n" not in one
            harmless.shows(visible(Reader(log, None).whole(log.entries[0])))
            shown += 1
    assert shown


def test_a_drawing_for_the_terminal_has_our_colours_and_no_others() -> None:
    for said in strings():
        out = io.StringIO()
        screen.draw(
            [[Span(said, "red"), Span(" stands")]], Console(file=out, force_terminal=True, color_system="standard")
        )
        printed = out.getvalue().replace("\x1b[91m", "<red>", 1).replace("\x1b[0m", "</red>", 1)
        harmless.shows(printed)
        assert printed.startswith("<red>") == bool(said)


def test_json_holds_what_was_said_and_shows_nothing_else(capsys: pytest.CaptureFixture[str]) -> None:
    said = {str(no): [text, {"key": text}] for no, text in enumerate([*strings(), "\ud800", "\x7f\x85"])}
    echo_json(said)
    printed = capsys.readouterr().out
    harmless.shows(printed)
    assert json.loads(printed) == said


# -- letters ----------------------------------------------------------------------------------------------------------------


def _letter(said: str, text: str) -> bytes:
    date, headers = datetime(2030, 1, 1, tzinfo=UTC), {"X-Loop": said or "x"}
    subject, whole = f"[pbem 3] {said}", f"{text}\n{said}\n"
    return Letter("host@example.org", "ann@example.org", subject, whole, "x@example.org", date, headers=headers).raw()


def test_nothing_that_is_said_adds_a_header_or_a_sign_to_a_letter() -> None:
    """A player or stranger tries to change another's letter."""
    plain = message_from_bytes(_letter("hello", "Hello"), policy=policy.default)
    for said in strings():
        letter = message_from_bytes(_letter(said, marked(said)), policy=policy.default)
        assert letter.keys() == plain.keys()
        assert not letter.defects
        for name in ("Subject", "X-Loop"):
            harmless.shows(letter[name])
            assert "\n" not in letter[name]
        harmless.shows(letter.get_content().replace("\r\n", "\n"))


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in TEMPLATES if not name.endswith(("parts.html.j2", "css.j2"))])
def test_a_letter_that_is_worded_with_it_is_harmless(name: str) -> None:
    template = html.template(name)
    for sample in TEMPLATES[name].samples:
        for path in leaves(
            {key: value for key, value in sample.items() if key not in ("style", "svg", "source", "policy")}
        ):
            for said in strings() if path[-1] != "<key>" else ():
                made = template.render(**{**sample, str(path[0]): put(sample[str(path[0])], path[1:], said)})
                if name.endswith(".html.j2"):
                    _page(made)
                else:
                    harmless.shows(made)


def test_a_table_is_harmless() -> None:
    for said in strings():
        table = PageTable(said, (said, said), ((said, said),), said)
        made = str(getattr(html.template("parts.html.j2").module, "table")(table))  # noqa: B009 - made by Jinja
        harmless.page(made)
