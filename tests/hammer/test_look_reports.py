"""Reports of whole random games: their form, and order lines that can be sent as they stand."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby, pairwise

import pytest

from pbem.errors import OrderError
from pbem.games.hammer import GAME
from pbem.games.hammer.look import LOOK
from pbem.games.hammer.rules.told import HammerFact
from pbem.games.hammer.views import HammerView
from pbem.kernel import read_ahead
from pbem.look.touches import parts
from pbem.reports.text import WIDTH, story
from tests.hammer.look_reports import SEATS, Sent, sent

pytestmark = pytest.mark.slow

THE_OTHER = {"english": "the Scots", "scottish": "the English"}


def questions() -> Iterator[Sent]:
    """The reports that ask something."""
    return (report for report in sent() if report.asked)


def test_lines_are_short_plain_and_tidy() -> None:
    for report in sent():
        assert report.text.endswith("\n")
        for line in report.text.split("\n"):
            assert len(line) <= WIDTH, (report.where, line)
            assert line == line.rstrip(), (report.where, line)
            assert line.isascii(), (report.where, line)
        assert "\n\n\n" not in report.text, report.where


def test_no_line_of_what_happened_begins_with_blanks() -> None:
    """Only a folded line is indented, by two."""
    assert story([" York Infantry reduced to 2."]) == "- York Infantry reduced to 2."
    assert story(["\nRound 1", " Angus is captured."]) == "Round 1\n- Angus is captured."
    for report in sent():
        told = report.text.partition("WHAT HAPPENED\n")[2].partition("\nYOUR CHOICE")[0]
        happened = re.split("\n.* IN SHORT\n", told)[0].split("\n")
        for above, line in pairwise(happened):
            assert not line.startswith(" ") or above.startswith(("- ", "  ")), (report.where, line)
            assert not line.startswith(("-  ", "   ")), (report.where, line)


def test_what_was_seen_of_the_enemy_stands_below_the_hand() -> None:
    told = [report for report in sent() if "NEW OF THE ENEMY" in report.text]
    assert len(told) > 20
    for report in told:
        hand, enemy = report.text.split("NEW OF THE ENEMY\n")
        assert report.seat, report.where
        assert "YOUR HAND" in hand, report.where
        assert enemy.startswith(f"What you have seen of {THE_OTHER[report.seat]}\n  Block"), report.where
        noted = "As it was then" in enemy
        assert noted == ("THE BOARD" in report.text), f"{report.where}: what is new alone between two boards"


def test_every_part_is_short_by_itself() -> None:
    for report in sent():
        for part in (LOOK.question(report.view), report.template, LOOK.board(report.view), LOOK.hand(report.view)):
            for line in part.split("\n"):
                assert len(line) <= WIDTH, (report.where, line)


def test_every_fact_told_is_documented_and_every_question_has_words() -> None:
    kinds = {fact["f"] for report in sent() for fact in report.facts}
    assert kinds <= set(HammerFact.kinds())
    assert len(kinds) > len(HammerFact.kinds()) // 2
    for report in questions():
        assert LOOK.question(report.view).strip(), report.where
        assert LOOK.question(report.view).split("\n")[0] in report.text, report.where


def test_the_order_lines_are_legal_as_they_stand() -> None:
    for report in questions():
        lines = parts([line for line in report.template.split("\n") if not line.startswith("#")])
        order = GAME.parse(report.view, "\n".join(lines.order))
        assert GAME.why_not(report.view, order) is None, report.where


def test_a_card_that_is_the_only_one_left_goes_ahead_by_itself() -> None:
    """Keep the lines of your report, and each side saves a mail a year."""
    told = [parts(report.template.split("\n")) for report in questions() if report.asked == "act"]
    hands = [report.view.hand for report in questions() if report.asked == "act"]
    assert any(len(set(hand)) == 1 for hand in hands)
    for lines, hand in zip(told, hands, strict=True):
        sent = [line.partition("   #")[0] for line in lines.ahead if not line.startswith("#")]
        assert sent == ([f"AHEAD CARD: CARD {hand[0]}"] if len(set(hand)) == 1 else [])


def test_the_lines_behind_the_mark_are_legal_too() -> None:
    for report in questions():
        shown = re.sub(",\n(#?)    (?! # )", ", ", report.template)
        lines = shown.replace("   # with the next line\n# ", "; ").split("\n")
        plain = [line for line in lines if not line.startswith("#")]
        for line in lines:
            if line.startswith("# PLAN "):
                assert GAME.read_plans(line[2:]), (report.where, line)
            elif line.startswith("# AHEAD "):
                assert read_ahead(GAME, report.view, {"act": 3, "card": 4}, line[2:]), (report.where, line)
            elif line.startswith("# ") and not line.startswith(("# ...", "#     # ")):
                ways = _exchanged(report.asked, plain, line[2:].partition("   # ")[0])
                assert any(_is_legal(report.view, lines) for lines in ways), (report.where, line)


def _is_legal(view: HammerView, lines: list[str]) -> bool:
    try:
        return GAME.why_not(view, GAME.parse(view, "\n".join(lines).replace("; ", "\n"))) is None
    except OrderError:
        return False


def _exchanged(asked: str, plain: list[str], line: str) -> Iterator[list[str]]:
    """Go through the orders with `line` in it: alone, beside the others, or in the place of the one about the same block."""
    yield [line]
    if asked in ("disband", "build"):
        yield [*plain, line]
        yield [line, *(other for other in plain if other != "DONE")]
    if asked == "home":
        about = " ".join(line.split()[: 1 if line.startswith("KING") else 2])
        yield [line if other.startswith(about) else other for other in plain]


def test_the_end_is_told_to_everybody() -> None:
    for where, reports in groupby((r for r in sent() if r.view.result), lambda report: report.where.split(" step")[0]):
        told = list(reports)
        assert {report.seat for report in told} == set(SEATS), where
        for report in told:
            assert "THE GAME IS OVER" in report.text
            assert LOOK.result(report.view.result)[:16] in report.text
