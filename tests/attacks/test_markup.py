"""Markup and control characters in a log that a host has signed: nothing of them comes alive on the reader's side."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from pbem.cli.app import app
from pbem.errors import RecordError, UsageError
from pbem.kernel import Json
from pbem.ledger import redact
from pbem.player import Desk, PlayerSettings
from pbem.player.notes import Notes
from pbem.player.showing import page, report
from tests.project.source import ROOT

from . import harmless
from .forger import Forger, Piece
from .recorded import a_log

ALIVE = "<img src=x onerror=alert(1)>"
FORMS = {
    "a picture": ("--svg", "out.svg"),
    "a bitmap": ("--png", "out.png"),
    "a position": ("--html", "out.html", "--at", "{n}"),
    "a whole game": ("--html", "out.html"),
    "words": (),
}


@pytest.fixture(autouse=True)
def the_example_game_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_GAMES", str(ROOT / "examples"))


def _retold(game: str, part: str, change: Callable[[Json], None]) -> tuple[Forger, Piece]:
    """A game up to the first head after a tell, of that part of the view, that is told otherwise to all."""
    forger = Forger(a_log(game), whole=False)
    tells = forger.all("tell", lambda fields: part in str(fields["pub"]["view"]))
    tell = list(tells)[:2][-1]
    change(tell.fields["pub"])
    for seat in forger.seats:
        if seat in tell.openings:
            change(tell.openings[seat][1])
    forger.cut(tell)
    return forger, tell


def _with(view: Mapping[str, Any]) -> Callable[[Json], None]:
    """What tells a part of the view otherwise."""

    def change(told: Json) -> None:
        told["view"].update(view)

    return change


VIEWS: dict[str, tuple[str, str, dict[str, Any]]] = {
    "the King": ("hammer", "year", {"king": ALIVE}),
    "a battle's area": ("hammer", "'battle'", {"frames": {"battle": {"area": ALIVE}}}),
    "a side": ("hammer", "year", {"nobles": {"mar": ALIVE}}),
    "a card": ("hammer", "played", {"played": {"english": [ALIVE], "scottish": []}}),
    "a power": ("lords", "armies", {"armies": {"angus": [{"card": "Scott 1", "power": ALIVE}]}}),
    "a supporter": ("lords", "supporters", {"supporters": [ALIVE]}),
    "a token": ("tiny", "discards", {"discards": [ALIVE]}),
}


def _harmless(made: Path) -> None:
    text = made.read_text("utf-8")
    if made.suffix == ".svg":
        harmless.drawing(text)
    elif "<script" in text:
        harmless.replayed(text)
    else:
        harmless.page(text)


@pytest.mark.variants
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("what", VIEWS)
def test_what_a_view_says_is_no_markup_in_any_drawing(what: str, form: str, tmp_path: Path) -> None:
    """The host puts markup into a view. The program refuses it or shows it as text."""
    game, part, view = VIEWS[what]
    forger, _ = _retold(game, part, _with(view))
    log = forger.write()
    file = tmp_path / "game.pbem"
    file.write_bytes(log.dump())
    last = max(entry.n for entry in log.entries if entry.k == "tell")
    arguments = [a.format(n=last).replace("out.", f"{tmp_path}/out.") for a in FORMS[form]]
    done = CliRunner().invoke(app, ["replay", str(file), *arguments])
    assert done.exception is None or isinstance(done.exception, RecordError | UsageError), done.exception
    for made in tmp_path.glob("out.[sh]*"):
        _harmless(made)


def _desk(forger: Forger, seat: str, home: Path) -> tuple[Desk, Notes]:
    """The desk of a player who has taken in what that host has sent."""
    recorded, log = forger.recorded, forger.write()
    desk = Desk.create(home, recorded.keys[seat], PlayerSettings(f"{seat}@example.org", ""))
    game = recorded.table.id
    (home / "games" / f"{game[:16]}.pbem").write_bytes(redact(log, seat).dump())
    notes = Notes(game, seat, recorded.game.title, "host@example.org")
    notes.write(home / "games" / f"{game[:16]}.json")
    return desk, notes


@pytest.mark.variants
@pytest.mark.parametrize("what", VIEWS)
def test_a_player_s_own_page_of_it_is_refused_or_harmless(what: str, tmp_path: Path) -> None:
    game, part, view = VIEWS[what]
    forger, _ = _retold(game, part, _with(view))
    desk, _ = _desk(forger, forger.seats[0], tmp_path / "home")
    for command in (["--html", str(tmp_path / "out.html")], ["--svg", str(tmp_path / "out.svg")], []):
        done = CliRunner().invoke(app, ["board", "--home", str(desk.home), *command])
        assert (
            done.exit_code == 0
            or (isinstance(done.exception, RecordError) and "makes no sense in this game" in str(done.exception))
            or "draws no picture" in str(done.exception)
        ), done.exception
    for made in tmp_path.glob("out.*"):
        _harmless(made)


HONEST = {"hammer": "year", "lords": "armies", "tiny": "discards"}


@pytest.mark.slow
@pytest.mark.parametrize("game", HONEST)
def test_the_honest_twin_is_drawn_in_every_form(game: str, tmp_path: Path) -> None:
    forger, _ = _retold(game, HONEST[game], lambda told: None)
    log = forger.write()
    (tmp_path / "game.pbem").write_bytes(log.dump())
    last = max(entry.n for entry in log.entries if entry.k == "tell")
    for form, said in FORMS.items():
        arguments = [a.format(n=last).replace("out.", f"{tmp_path}/out.") for a in said]
        done = CliRunner().invoke(app, ["replay", str(tmp_path / "game.pbem"), *arguments])
        assert done.exit_code == 0 or (game == "tiny" and "draws no picture" in str(done.exception)), form


# -- facts, questions, other words ----------------------------------------------------------------------------------------

STRANGE: dict[str, Json] = {
    "an unknown fact": {"f": "nonsense"},
    "a fact that lacks a field": {"f": "levy"},
    "a field of another type": {"f": "plan", "seat": "english", "what": "card", "order": ["CARD 1"], "clause": 3},
    "no fact at all": 7,
    "a fact without a name": {"g": 1},
    "a name that is none": {"f": ["levy"]},
    "the kernel's own, without its fields": {"f": "plan"},
    "a seat of a plan that is none": {"f": "plan", "seat": 3, "what": [], "order": "a", "clause": "b"},
}


@pytest.mark.variants
@pytest.mark.parametrize("game", HONEST)
@pytest.mark.parametrize("what", STRANGE)
def test_a_fact_that_the_rules_do_not_know_is_said_to_be_so(game: str, what: str, tmp_path: Path) -> None:
    """The same is true of questions."""
    forger, tell = _retold(game, HONEST[game], lambda told: told["facts"].insert(0, STRANGE[what]))
    log = forger.write()
    file, out = tmp_path / "game.pbem", tmp_path / "out.html"
    file.write_bytes(log.dump())
    said = CliRunner().invoke(app, ["replay", str(file)])
    assert said.exit_code == 0, said.exception
    assert "Something that these rules do not know" in said.output
    for form in ([], ["--at", str(tell.n)]):
        done = CliRunner().invoke(app, ["replay", str(file), "--html", str(out), *form])
        assert done.exception is None or isinstance(done.exception, RecordError), done.exception
    assert CliRunner().invoke(app, ["show", str(file)]).exit_code == 0
    desk, notes = _desk(forger, forger.seats[0], tmp_path / "home")
    for shown in (report, page):
        with pytest.raises(RecordError, match=r"makes no sense in this game|names a public fact that is not there"):
            shown(desk.seat(notes), 0)


def test_a_question_that_the_rules_do_not_know_is_no_crash(tmp_path: Path) -> None:
    forger, _ = _retold("hammer", "wait", _with({"wait": {"english": "what", "scottish": "what"}}))
    desk, _ = _desk(forger, "english", tmp_path / "home")
    for command in (["board"], ["order"], ["board", "--html", str(tmp_path / "out.html")]):
        done = CliRunner().invoke(app, [*command, "--home", str(desk.home)])
        assert isinstance(done.exception, RecordError), (command, done.exception)
    (tmp_path / "game.pbem").write_bytes(forger.write().dump())
    for more in ([], ["--html", str(tmp_path / "out.html")]):
        done = CliRunner().invoke(app, ["replay", str(tmp_path / "game.pbem"), *more])
        assert isinstance(done.exception, RecordError), done.exception


# -- the terminal ---------------------------------------------------------------------------------------------------------

BAD = "\x1b]0;owned\x07\x1b[2J\u202egnp.exe\u2028\x9b31m\x7f\r"


def test_no_control_characters_of_a_log_reach_the_terminal(tmp_path: Path) -> None:
    """They appear as signs."""
    forger = Forger(a_log("tiny"))
    forger.pieces[0].fields["opts"]["players"] = BAD
    tell = forger.first("tell")
    tell.fields["pub"]["facts"].insert(0, {"f": BAD})
    forger.pieces[-1].fields["result"] = {"winner": "", "why": BAD}  # a winner is a seat, or the form is wrong
    file = tmp_path / "game.pbem"
    file.write_bytes(forger.write().dump())
    everything = [["show"], *(["show", str(n)] for n in (0, tell.n, len(forger.pieces) - 1)), ["replay"]]
    everything += [["verify"], ["verify", "--json"], ["audit"], ["audit", "--json"]]
    for command, *more in everything:
        done = CliRunner().invoke(app, [command, str(file), *more])
        harmless.shows(done.output)


def test_a_mail_s_own_text_is_shown_without_what_a_terminal_obeys(tmp_path: Path) -> None:
    desk, _ = _desk(Forger(a_log("tiny")), "ann", tmp_path / "home")
    mail = tmp_path / "mail.eml"
    head = b"From: host@example.org\nSubject: hello\nContent-Type: text/plain; charset=utf-8\n\n"
    mail.write_bytes(head + f"Your game\n\tis {BAD} well.\n".encode())
    done = CliRunner().invoke(app, ["read", str(mail), "--home", str(desk.home)])
    assert "| Your game\n| " in done.output
    assert "is ␛]0;owned␇" in done.output
    harmless.shows(done.output)
