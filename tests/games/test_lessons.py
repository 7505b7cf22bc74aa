"""Lessons: every step is done by touches alone, its reasons are true, and every rule that is named can be read."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from importlib import import_module
from io import BytesIO
from pathlib import Path
from random import Random

import pytest
from babel.messages.pofile import read_po

from pbem.errors import UsageError
from pbem.games import find, shipped
from pbem.games.lessons import LessonStanding, lesson_of, standing
from pbem.games.touching import remembered
from pbem.i18n import _, languages, speaking
from pbem.kernel import Ask
from pbem.ledger import cj
from pbem.reports.text import fact_text

TAUGHT = [name for name in shipped() if find(name).lesson]
STEPS = [(name, n) for name in TAUGHT for n in range(1, len(lesson_of(find(name)).steps) + 1)]
ASIDE = ("end", "choice:PLAN", "choice:AHEAD")
NUMBER = re.compile(r"\((?:rule )?(\d+\.\d+(?:, \d+\.\d+)*)\)")
SHORTEST, LONGEST = 900, 1400
TRUE = {
    ("hammer", 1): ["The English play Move 1, the Scots Move 2: the Scots are Player 1."],
    ("hammer", 2): ["Main attack on Mentieth: 2 blocks from Fife; 2 blocks of other groups in reserve (5.32)."],
    ("hammer", 3): [
        "2 hits.", "Mentieth reduced to 2.", "Northumber Infantry reduced to 1.", "Mentieth fires 2 dice at B3 at home",
    ],
    ("hammer", 4): ["Douglas reduced to 3.", "Douglas fires 3 dice at C3", "Mentieth, round 2", "reveal Graham 3 (C2), Atholl 3"],
    ("hammer", 5): [
        "Northumber Infantry is eliminated and goes to the draw pool.",
        "Mentieth is captured: he changes sides and joins the Scots at strength 1 (5.7).",
        "The Scots win the battle of Mentieth.",
    ],
    ("hammer", 6): ["Wallace regroups to Fife."],
    ("hammer", 7): ["Steward retreats to Annan.", "Edward fires 4 dice at B4", "Campbell is eliminated"],
    ("hammer", 8): ["Bruce in Carrick.", "The English disband 2 blocks in Lothian."],
    ("hammer", 9): ["Wallace goes from Fife to Selkirk for the winter, now at strength 4."],
    ("hammer", 10): ["Douglas now 3", "The Scots draw Keith in Lennox, at strength 1 (7.62)."],
    ("lords", 1): ["You take recruit 1, Wemyss 7.", "Buchan musters Makgill 9."],
    ("lords", 2): ["Wemyss 2 discards Makgill 9 from Buchan's army.", "Buchan musters Cockburn 7."],
    ("lords", 3): ["You muster Wemyss 7 face-down.", "Buchan musters Forsyth 12."],
    ("lords", 4): ["You take recruit 3, Wemyss 3.", "Buchan takes recruit 1", "Recruit 5 is turned up"],
    ("lords", 5): ["Wemyss 7", "1. Angus: 24 (12 doubled)", "2. Buchan: 19"],
    ("lords", 6): ["You claim Ferguson 9, and have 40 points."],
    ("swords", 1): ["You place a cube on A3.", "Yellow places a cube on F1."],
    ("swords", 2): ["formation (T) to Fife", "a cube of Fife occupies Stirling", "Battle in Fife for 7 points: Pink 4"],
    ("swords", 3): ["Stirling (Pink) removes a cube: yellow."],
    ("swords", 4): ["You win in Fife", "Drums: 2 points for Yellow.", "Pink: Atholl 6 and Fife 7; 20 points in all"],
    ("swords", 5): ["Yellow 3 of 5 and Pink 1 of 2", "Yellow wins in Moray, with the most cubes: 7 points."],
    ("swords", 6): ["You retreat from Moray to Atholl with 1 cube.", "The Crown is yours now."],
}  # fmt: skip
"""What everybody can hear once a step is done: its reasons say the same."""

every_step = pytest.mark.parametrize(("game", "n"), STEPS)
every_game = pytest.mark.parametrize("game", TAUGHT)


def by_touches(at: LessonStanding) -> tuple[str, ...] | None:
    """Write a wanted order by touches that lead on, and by no others; None where there is no way."""
    touching = remembered(at.pack, at.pack.rules.read_view(at.view()))
    todo: list[tuple[str, ...]] = [()]
    seen = set[tuple[str, ...]]()
    while todo:
        for touch in touching(todo.pop()):
            if touch.at in ASIDE or touch.draft in seen or not at.leads_on(touch.draft):
                continue
            if touch.closes and at.is_wanted(at.order("\n".join(touch.draft))):
                return touch.draft
            seen.add(touch.draft)
            todo.append(touch.draft)
    return None


@pytest.mark.variants
@every_step
def test_a_step_is_done_by_touches_alone_and_its_reason_is_true(game: str, n: int) -> None:
    at = standing(game, n)
    wanted = at.pack.rules.wants(at.state)
    assert isinstance(wanted, Ask)
    assert at.seat in wanted.seats
    assert by_touches(at)
    for text in at.step.wants:
        order = at.order(text)
        assert at.is_wanted(order)
        told = " ".join(fact_text(fact, at.seat, at.pack) for fact in at.after(order).facts)
        assert [said for said in TRUE[game, n] if said not in told] == []


QUOTED = re.compile(r"[“«]\s?([^”»]+?)\s?[”»]")


@every_step
@pytest.mark.parametrize("language", languages())
def test_what_a_step_says_is_to_be_touched_is_called_so_by_the_touches(game: str, n: int, language: str) -> None:
    """A word in quotes stands in the label of a touch that leads on, and a card that leads on is named as in the hand."""
    at = standing(game, n)
    view = at.pack.rules.read_view(at.view())
    with speaking(language):
        says, labels = _(at.step.touch), list[str]()
        draft: tuple[str, ...] = ()
        names = {card.at: card.name for row in at.pack.look.cards(view) for card in row.cards}
        first = [
            touch for touch in at.pack.look.touches(view, ()) if touch.at not in ASIDE and at.leads_on(touch.draft)
        ]
        while ways := [
            touch
            for touch in at.pack.look.touches(view, draft)
            if touch.at not in ASIDE and touch.draft != draft and at.leads_on(touch.draft)
        ]:
            labels += [touch.label for touch in ways]
            draft = ways[0].draft
    assert [word for word in QUOTED.findall(says) if not any(word in label for label in labels)] == []
    cards = {names[touch.at] for touch in first if touch.at in names}
    assert not cards or any(name in says for name in cards), f"{says!r} names none of {cards}"


@every_step
@pytest.mark.parametrize("language", languages())
def test_what_a_step_quotes_is_what_a_touch_is_called(game: str, n: int, language: str) -> None:
    at = standing(game, n)
    with speaking(language):
        quoted = re.findall(r"[“«]\s*(.+?)\s*[”»]", _(at.step.touch))
        touching = remembered(at.pack, at.pack.rules.read_view(at.view()))
        drafts: list[tuple[str, ...]] = [()] if quoted else []
        called = set[str]()
        while drafts:
            on = [touch for touch in touching(drafts.pop()) if at.leads_on(touch.draft) and touch.label not in called]
            called |= {touch.label for touch in on}
            drafts += [touch.draft for touch in on]
    assert [one for one in quoted if not any(one in label for label in called)] == []


@pytest.mark.parametrize("n", range(1, len(lesson_of(find("swords")).steps) + 1))
def test_the_number_of_a_step_of_swords_is_that_of_the_card_on_top_or_after_the_last_the_printed_one(n: int) -> None:
    board = standing("swords", n).state.board
    assert board.flip + len(board.deck) == len(board.parts.deployment_cards)
    assert board.number == (board.top or board.parts.last_number)


@every_step
def test_what_is_wanted_follows_from_what_the_seat_sees(game: str, n: int) -> None:
    at = standing(game, n)
    rules, view = at.pack.rules, at.view()
    twin = rules.determinise(rules.read_view(view), Random(n))
    assert cj(rules.view(twin, at.seat)) == cj(view)
    assert by_touches(at._replace(state=twin)) == by_touches(at)


@pytest.mark.variants
@every_step
def test_every_other_touch_is_told_why_not_and_no_trap_lies_where_nobody_goes(game: str, n: int) -> None:
    at = standing(game, n)
    touching = remembered(at.pack, at.pack.rules.read_view(at.view()))
    todo: list[tuple[str, ...]] = [()]
    seen, sprung = set[tuple[str, ...]](), set[str]()
    while todo:
        for touch in touching(todo.pop()):
            if touch.at in ASIDE or touch.draft in seen:
                continue
            seen.add(touch.draft)
            text = "\n".join(touch.draft)
            if at.leads_on(touch.draft):
                todo.append(touch.draft)
            if not at.leads_on(touch.draft) or (touch.closes and not at.is_wanted(at.order(text))):
                sprung.add(at.trap(text))
    assert set(at.step.traps.values()) <= sprung, "a trap where no touch leads"


@every_game
def test_the_rules_are_short_and_every_rule_that_is_named_has_its_paragraph(game: str) -> None:
    pack = find(game)
    lesson = lesson_of(pack)
    texts = [rule.text for section in lesson.sections for rule in section.rules]
    assert SHORTEST <= sum(len(text.split()) for text in texts) <= LONGEST
    marks = [mark for section in lesson.sections for rule in section.rules for mark in rule.marks]
    assert len(marks) == len(set(marks)), "one paragraph for each"
    assert named_by(game) <= set(marks)
    for section in lesson.sections:
        assert not section.scene or pack.look.scene([pack.rules.read_view(standing(game, section.scene).view())])


def named_by(game: str) -> set[str]:
    """Return the numbers and headings of rules that a game's messages and refusals name."""
    root = Path(find(game).rules.__module__.replace(".", "/")).parent
    messages = [message.id for place in root.glob("i18n/fr/*.po") for message in read_po(BytesIO(place.read_bytes()))]
    texts = [str(one) for text in messages for one in (text if isinstance(text, list | tuple) else (text,))]
    numbers = {number for text in texts for found in NUMBER.findall(text) for number in found.split(", ")}
    return numbers | {rule for place in root.rglob("*.py") for rule in _refusals(place) if rule}


def _refusals(place: Path) -> Iterator[str]:
    """Go through the rules that a module's refusals name, as constants or by their names."""
    tree = ast.parse(place.read_text("utf-8"))
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and len(node.args) > 1]
    given = [node.args[1] for node in calls if isinstance(node.func, ast.Name) and node.func.id == "Refusal"]
    given += [
        word.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        for word in node.keywords
        if word.arg == "rule"
    ]
    module = import_module(".".join(place.with_suffix("").parts)) if given else None
    for node in given:
        inner = node.args[0] if isinstance(node, ast.Call) and node.args else node
        if isinstance(inner, ast.Constant):
            yield str(inner.value)
        elif isinstance(inner, ast.Name) and isinstance(value := getattr(module, inner.id, None), str):
            yield value


@every_game
def test_lists_have_a_cell_for_each_head(game: str) -> None:
    for table in lesson_of(find(game)).lists():
        assert table.rows
        assert {len(row) for row in table.rows} == {len(table.heads)}


def test_lists_of_lords_have_every_clan_and_every_rank() -> None:
    clans, ranks = lesson_of(find("lords")).lists()
    assert len(clans.rows) == 9
    assert sorted(int(cell) for row in ranks.rows for cell in row[1:]) == list(range(1, 97))


def test_lists_of_swords_have_every_region_and_glory_card() -> None:
    from pbem.games.swords.rules.names import GLORY
    from pbem.games.swords.rules.parts import STANDARD

    regions, glory, board = lesson_of(find("swords")).lists()
    assert [row[0] for row in regions.rows] == list(STANDARD.names)
    assert len(glory.rows) == len(GLORY)
    assert sum(len(row) - 1 for row in board.rows) == len(STANDARD.squares)


def test_lists_of_hammer_have_all_blocks_and_areas() -> None:
    from pbem.games.hammer.rules import AREAS, BLOCKS

    blocks, areas, cards = lesson_of(find("hammer")).lists()
    assert len(blocks.rows) == len(BLOCKS)
    assert len(areas.rows) == len(AREAS)
    assert sum(int(row[1]) for row in cards.rows) == 25


def test_where_the_order_of_lines_counts_another_order_leads_astray() -> None:
    """The group of Hammer that is moved first is the main attack (5.32)."""
    at, fife, atholl = (
        standing("hammer", 2),
        "MOVE Fife: Wallace, Douglas > Mentieth",
        "MOVE Atholl: Atholl, Graham > Mentieth",
    )
    assert at.leads_on((fife,))
    assert at.is_wanted(at.order(f"{fife}\n{atholl}"))
    assert not at.leads_on((atholl,))
    assert not at.is_wanted(at.order(f"{atholl}\n{fife}"))


def test_what_there_is_not_is_refused() -> None:
    with pytest.raises(UsageError, match="no lesson for"):
        lesson_of(find("tournament"))
    with pytest.raises(UsageError, match="steps 1 to 10"):
        standing("hammer", 11)
