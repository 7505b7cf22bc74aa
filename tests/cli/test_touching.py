"""Composing by touches: each has a number, and what it writes can be typed and completed; undo takes back one of them."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pbem.cli import planning, screen
from pbem.cli.compose import compose
from pbem.cli.drafting import OrderDraft
from pbem.games import find
from pbem.games.lords.views import LordsView
from pbem.i18n import speaking
from pbem.reports.choices import choices
from tests.lords.table import table

from .terminal import Keyboard, Screen

LORDS = find("lords")


def _view() -> LordsView:
    hands = {"angus": "Makgill 6, Ferguson 5, Scott 9"}
    return table(players=2, hands=hands, recruits="Wemyss 3, Forsyth 1 down", armies={"buchan": "Cochrane 7"}).view(
        "angus"
    )


def _compose(said: str, marks: Mapping[str, int] | None = None, plans: str = "") -> tuple[str | None, str]:
    """Let a person say this; return the order, and what was printed behind the question."""
    with CliRunner().isolation(input=said) as (output, *_):
        order = compose(LORDS, _view(), plans, marks)
        return order, output.getvalue().decode()


@pytest.fixture
def at_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setattr(screen, "in_colour", lambda columns=80: columns <= 80)


def test_numbers_go_on_until_nothing_can_be_added() -> None:
    """Each list has numbers and shows all legal entries and no others; each prompt takes `?`."""
    order, output = _compose("8\n3\n1\n3\n1\ny\n")
    assert "  8  Muster Makgill 6\n" in output
    assert "  3  Use the power of Makgill 6\n" in output
    assert order == "MUSTER Makgill 6 USE\nMUSTER Ferguson 5 USE Cochrane 7"


def test_the_list_of_a_letter_stands_first_with_its_numbers() -> None:
    """Each number gives its line at once, though more could be added; what a line says is not offered a second time."""
    listed = choices(LORDS, _view())
    _, output = _compose("quit\n")
    for no, one in enumerate(listed, 1):
        assert f"\n  {no}  {one.words}\n" in output
        assert _compose(f"{no}\ny\n")[0] == one.order
        assert _compose(f"{one.words}\ny\n")[0] == one.order, "its words can be typed, too"
    assert "Recruit the face-down card" not in output
    assert len(listed) == 6


def test_the_list_stands_beside_plans_and_what_is_sent_ahead() -> None:
    order, output = _compose("PLAN CLAIM STRONGEST\nAHEAD TURN: RECRUIT 2\n4\ny\n", {"turn": 7})
    assert output.count("  4  muster Scott 9, its power not used\n") == 3
    assert order == "MUSTER Scott 9\nPLAN CLAIM STRONGEST\nAHEAD 7: RECRUIT 2"
    order, output = _compose("11\nquit\n", {"turn": 7})
    assert output.count("  4  muster Scott 9, its power not used\n") == 1, "a line that is begun is finished first"


def test_an_order_that_may_go_on_is_closed_by_end_or_by_its_number() -> None:
    for closing in ("END", "1", ""):
        order, output = _compose(f"9\n{closing}\ny\n")
        assert order == "MUSTER Scott 9"
        assert "  1  Done (Enter)\n  2  Scott 9 face-down\n" in output


def test_undo_takes_back_one_touch() -> None:
    order, output = _compose("undo\n8\n3\nundo\n2\ny\n")
    assert order == "MUSTER Makgill 6 DOWN"
    assert "Nothing is written yet." in output
    assert "Taken back: MUSTER Makgill 6 USE" in output


def test_what_touches_write_can_be_typed() -> None:
    assert _compose("recruit 1\ny\n")[0] == "RECRUIT 1"
    assert _compose("muster mak 6\ndown\ny\n")[0] == "MUSTER Makgill 6 DOWN"
    assert _compose("muster makgill 6 use\nmuster fer 5 use coch 7\ny\n")[0] == (
        "MUSTER Makgill 6 USE\nMUSTER Ferguson 5 USE Cochrane 7"
    )
    assert _compose("MUSTER Scott 9 DOWN  # hidden\ny\n")[0] == "MUSTER Scott 9 DOWN"


def test_labels_can_be_typed_as_far_as_they_are_clear() -> None:
    assert _compose("Recruit the\ny\n")[0] == "RECRUIT 2"
    order, output = _compose("Muster\nquit\n")
    assert order is None
    assert "line 1: “Muster”" in output


def test_what_is_not_legal_is_refused_and_changes_nothing() -> None:
    order, output = _compose("MUSTER Scott 99\n99\nMUSTER Scott 8\nEND\nundo\nMUSTER Scott 9\nEND\ny\n")
    assert order == "MUSTER Scott 9"
    assert "there is no such card" in output
    assert "There is no number 99" in output
    assert "Scott 8 is not in your hand" in output


def test_what_touches_write_is_shown_on_request() -> None:
    _, output = _compose("?\nquit\n")
    assert "  2  recruit 2, which lies face-down        RECRUIT 2\n" in output
    assert "  8  Muster Makgill 6                       MUSTER Makgill 6\n" in output


PLANNED = """\
10
1
yes
plans
unplan
plans
plan
scott
12

RECRUIT 1
y
"""


def test_plans_go_with_the_order_and_are_taken_back() -> None:
    order, output = _compose(PLANNED, plans="CLAIM Wemyss 9")
    assert output.count("PLAN CLAIM STRONGEST") >= 2
    assert "Taken back: PLAN CLAIM STRONGEST" in output
    assert "\nPLAN CLAIM Wemyss 9\n" in output, "the standing plan, where none is written"
    assert order == "RECRUIT 1\nPLAN CLAIM Scott 12"


def test_what_is_no_plan_is_refused_as_it_is_typed() -> None:
    order, output = _compose("9\nPLAN CLAIM\nPLAN CLAIM Scott 13\nEND\ny\n")
    assert order == "MUSTER Scott 9"
    assert "which supporters, best first?" in output
    assert "there is no such card" in output
    assert "Send an order ahead" not in output


def test_orders_are_sent_ahead_where_there_is_a_mark() -> None:
    order, _ = _compose("AHEAD TURN: RECRUIT 2\n1\ny\n", {"turn": 7})
    assert order == "RECRUIT 1\nAHEAD 7: RECRUIT 2"
    order, output = _compose("11\n1\n1\ny\n", {"turn": 7})
    assert " 11  Send an order ahead\n" in output
    assert order == "RECRUIT 1\nAHEAD 7: RECRUIT Wemyss 3"


def test_an_order_that_is_not_right_stands_to_be_mended_in_a_terminal(at_a_terminal: None) -> None:
    order, output = _compose("9\n2\nn\nundo\n1\ny\n")
    assert "Your lines are kept; undo removes the last one:\n  MUSTER Scott 9 DOWN\n" in output
    assert order == "MUSTER Scott 9"


def test_elsewhere_it_is_begun_anew() -> None:
    assert _compose("9\n2\nn\n1\ny\n")[0] == "RECRUIT 1"


def test_words_are_completed_by_what_may_be_touched() -> None:
    """Tab completes legal words and arrows bring lines back. Without readline you can type everything."""
    draft = OrderDraft(LORDS, _view(), "", {})
    assert draft.completions("rec") == ["RECRUIT 1", "RECRUIT 2"]
    draft.type("MUSTER Makgill 6")
    assert draft.completions("") == ["DOWN", "USE", "PLAN"]
    assert OrderDraft(LORDS, _view(), "", {}).completions("scott") == ["MUSTER Scott 9"], "as far as it is clear"
    draft.type("use")
    assert draft.completions("MUSTER F") == ["MUSTER Ferguson 5"]
    assert draft.completions("xyzzy") == []


def test_lines_are_typed_with_the_words_of_the_language_that_is_spoken() -> None:
    draft = OrderDraft(LORDS, _view(), "", {})
    assert draft.type("recruter 1")
    with speaking("fr"):
        assert not draft.type("recruter 1")
    assert draft.lines == ("RECRUIT 1",)


def test_words_of_a_plan_are_completed_behind_commas_too() -> None:
    names = planning._names(LORDS.look.touches(_view(), ["PLAN"]))
    assert "CLAIM Scott" in planning._completions(names, "claim sc")
    assert all(one.startswith("x, CL") for one in planning._completions(names, "x, cl"))
    assert planning._completions(names, "xyzzy") == []


AS_EVER = "from pbem.games import manifests; from tests.host.conftest import as_ever; manifests._manifest = as_ever\n"
"""The cards that are dealt follow from the hash of the rules, which is a fixed one, as in this process."""


class Window:
    """A real terminal, in which the program runs as a process of its own."""

    def __init__(self, home: Path, *arguments: str, before: str = "") -> None:
        import pty

        program = f"{before}{AS_EVER}from pbem.cli import main; main()"
        environ = {
            **os.environ,
            "PBEM_HOME": str(home),
            "TERM": "xterm",
            "COLUMNS": "80",
            "LINES": "24",
            "PBEM_LANGUAGE": "en",
        }
        self.pid, self.terminal = pty.fork()
        if not self.pid:  # pragma: no cover - another process
            os.execve(sys.executable, [sys.executable, "-c", program, *arguments], environ)  # noqa: S606 - our own
        self.shown = self.read()

    def read(self) -> str:
        """Return what is shown until something is asked, or it ends."""
        shown = b""
        while not shown.endswith((b"quit): ", b"it.\r\n")):
            shown += os.read(self.terminal, 10000)
        return shown.decode()

    def types(self, said: str) -> str:
        """Type something; return what is shown for it."""
        os.write(self.terminal, f"{said}\n".encode())
        return self.read()

    def close(self) -> None:
        assert self.types("quit").endswith("continues it.\r\n")
        os.close(self.terminal)
        os.waitpid(self.pid, 0)


REAL = pytest.mark.skipif(sys.platform == "win32", reason="it has no terminals of this kind, and no readline")


@pytest.mark.slow
@REAL
def test_tab_completes_what_is_legal_and_arrows_bring_lines_back(tmp_path: Path) -> None:
    pytest.importorskip("readline")
    window = Window(tmp_path, "play", "--game", "hammer", "--seed", "00000004", "--seat", "English")
    assert "\r\n  CARD Move 2\r\n" in window.types("move 2")
    moved = window.types("dunb\t\tte\t")
    assert "\r\n  MOVE Dunbar: Dunbar > Teviot\r\n" in moved
    assert "Taken back" in window.types("undo")
    again = window.types("\x1b[A\x1b[A")
    assert "\r\n  MOVE Dunbar: Dunbar > Teviot\r\n" in again, "two lines up"
    window.close()


@pytest.mark.slow
@REAL
def test_where_there_is_no_line_editor_lines_are_typed_as_ever(tmp_path: Path) -> None:
    absent = "import sys; sys.modules['readline'] = None\n"
    window = Window(tmp_path, "play", "--game", "hammer", "--seed", "00000004", before=absent)
    assert "CARD Move 2" in window.types("?")
    assert "\r\n  CARD Move 2\r\n" in window.types("card move 2")
    window.close()


def test_what_is_kept_is_what_was_ordered(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither an empty line, nor the same one once more."""
    readline = pytest.importorskip("readline")
    monkeypatch.setattr(sys, "stdin", Keyboard(["a", "a", "", "b", "y"], shown := Screen()))
    monkeypatch.setattr(sys, "stdout", shown)
    readline.clear_history()
    for _ in range(4):
        screen.asked("what", lambda _said: [])
    assert screen.agreed("Is it?", default=False)
    assert [readline.get_history_item(n + 1) for n in range(readline.get_current_history_length())] == ["a", "b"]
    readline.clear_history()
