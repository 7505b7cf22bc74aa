"""What Swords Over Scotland shows beside its board: cards, dice, odds, lines to type over, plans by touch, the end."""

from __future__ import annotations

import random
import re

import pytest

from pbem.games.swords import GAME
from pbem.games.swords.look import LOOK
from pbem.games.swords.look.words import card, colour, icon
from pbem.games.swords.reading import CARDS, COLOUR_NAMES, LineReader
from pbem.games.swords.rules.names import GLORY, SEATS
from pbem.games.swords.rules.parts import STANDARD
from pbem.i18n import speaking
from pbem.kernel import Ask, Fact, Json, View
from pbem.look import PageTable
from pbem.look.touches import PLAN
from tests.conformance import play
from tests.swords.set_up import start
from tests.swords.table import Table, battle, deploying, table


def drafts(game: Table, seat: str, *draft: str) -> dict[str, str]:
    """What may be touched after a draft: label -> the last line it makes."""
    return {touch.label: touch.draft[-1] for touch in LOOK.touches(game.view(seat), draft)}


def test_cubes_of_a_formation_are_sent_in_any_order_and_then_it_is_asked_where_they_go() -> None:
    game = deploying(boards={"pink": "A1 B1 A2"}, cubes={"Moray": "pink 2", "Fife": "pink"}, number=3)
    cubes = [f"Send the cube of {square}" for square in ("A1", "B1", "A2", "B2")]
    assert list(drafts(game, "pink"))[:4] == cubes
    one = drafts(game, "pink")[cubes[3]]
    assert [*drafts(game, "pink", one)][:3] == cubes[:3]
    two = drafts(game, "pink", one)[cubes[0]]
    assert two.endswith("PULL A1 B2")
    three = drafts(game, "pink", two)[cubes[2]]
    assert three.endswith("PULL A1 A2 B2 TO")
    assert {"Moray", "Fife"} <= {*drafts(game, "pink", three)}


def test_plans_are_offered_for_what_can_still_be_asked_in_this_game() -> None:
    game = table(players=2, game="Druid, Drums", cubes={"Moray": "pink 2"})
    verbs = {draft.split()[1] for draft in drafts(game, "pink", PLAN).values()}
    assert verbs == {"DEPLOY", "KILL", "COMMIT", "RETREAT", "GLORY", "HEAL", "NEXT"}
    assert {*drafts(game, "pink", f"{PLAN} HEAL")} == {"yes", "no"}
    assert {draft.split()[-1] for draft in drafts(game, "pink", f"{PLAN} KILL").values()} == {"pink", "yellow", "ANY"}
    begins = start(players=2, glory="first", first="pink")
    assert "CUBE" in {draft.split()[1] for draft in drafts(begins, "pink", PLAN).values()}
    picts = table(players=2, game="A Bloody Banner, Long Sword")
    assert f"{PLAN} KILL picts" in drafts(picts, "pink", f"{PLAN} KILL").values()
    assert f"{PLAN} SWORD" in drafts(picts, "pink", PLAN).values()


def test_the_board_tells_who_is_ahead_and_what_regions_would_give_now() -> None:
    game = table(players=3, cubes={"Moray": "pink 2, yellow 1", "Fife": "yellow 1"}, points={"pink": 9, "black": 4})
    view = game.view("pink")
    tokens = view.table.tokens
    lines = LOOK.board(view).split("\n")
    assert "Pink is ahead with 9 points, 5 more than Black, and has the most cubes" in " ".join(lines)
    at = next(no for no, line in enumerate(lines) if line.startswith("Player"))
    assert lines[at].split() == ["Player", "Points", "Regions", "now", "Supply"]
    assert [line.split()[:4] for line in lines[at + 1 : at + 4]] == [
        ["Pink", "*", "9", str(tokens["Moray"])],
        ["Yellow", "0", str(tokens["Fife"]), "19"],
        ["Black", "4", "0", "21"],
    ]
    assert any(line.split() == ["Pink", "Yellow"] for line in lines), "boards side by side"
    assert all(len(line) <= 72 for line in lines)


def test_glory_cards_are_cards_that_tell_whose_they_are() -> None:
    game = table(players=2, glory={"Drums": "pink 2, yellow 1", "Quaich": "yellow 1"}, castles_={"Blair": "pink"})
    cards, beside = LOOK.cards(game.view("pink"))
    said = {card.name: (card.at, card.figure, card.kind, card.says) for card in cards.cards}
    assert said["Drums"] == ("card:Drums", "2", "yours", "2 points for a battle lost.")
    assert said["Quaich"][1:3] == ("", "Yellow has it")
    assert (beside.title, [card.name for card in beside.cards]) == (
        "In your supply: 18 cubes. Your castles:",
        ["Blair"],
    )
    assert not LOOK.cards(game.view(None))


def test_the_die_that_says_who_begins_falls_and_what_a_battle_costs_is_marked() -> None:
    rolled = LOOK.rolled({"f": "first", "seat": "yellow", "die": 2})
    assert rolled is not None
    assert (rolled.dice[0].shows, rolled.says) == (2, "Yellow")
    assert LOOK.rolled({"f": "first", "seat": "yellow", "die": 0}) is None
    fact = {
        "f": "commit",
        "region": "Moray",
        "numbers": [{"seat": "pink", "n": 3, "of": 4}, {"seat": "yellow", "n": 0, "of": 2}],
    }
    (struck,) = LOOK.struck(fact)
    assert (struck.at, struck.says) == ("area:Moray", "Committed in Moray: Pink: 3 cubes")
    (castle,) = LOOK.struck({"f": "kill", "seat": "pink", "castle": "Blair", "colour": "yellow"})
    assert castle.at == "castle:Blair"


def odds(view: View) -> list[PageTable]:
    return list(LOOK.odds(view, random.Random(1)))


def test_odds_of_a_commitment_are_counted_over_all_that_the_other_may_commit() -> None:
    game = battle(cubes="pink 4, yellow 3")
    (told,) = odds(game.view("pink"))
    assert told.title == "What you may commit in Moray"
    assert [row[:4] for row in told.rows][:3] == [
        ("0", "0 %", "75 %", "25 %"), ("1", "25 %", "50 %", "25 %"), ("2", "50 %", "25 %", "25 %"),
    ]  # fmt: skip
    assert told.rows[4] == ("4", "100 %", "0 %", "0 %", "0")
    assert not odds(game.view(None))
    assert not odds(table().view("pink"))


def test_odds_count_the_crown_and_what_lies_open() -> None:
    crown = battle(cubes="pink 4, yellow 3", glory={"The Crown": "pink 1"})
    assert odds(crown.view("pink"))[0].rows[2][:4] == ("2", "75 %", "25 %", "0 %")
    last = battle(cubes="pink 4, yellow 3", glory={"Cardinal": "pink 1"}, cardinal="Moray")
    assert "Pink answers when all others lie open." in odds(last.view("yellow"))[0].note
    last.order("COMMIT 2")
    assert [row[1] for row in odds(last.view("pink"))[0].rows] == ["0 %", "0 %", "0 %", "100 %", "100 %"]


def test_the_table_in_text_says_what_adjoins_by_land_and_by_sea_and_where_the_castles_are() -> None:
    view = table(players=2).view("pink")
    said = re.sub(r"\n +", " ", LOOK.board(view))
    assert "\nArgyll: Ross, ~Isles (Dunstaffnage), Moray, Atholl, Lothian (Dumbarton), ~Galloway\n" in said
    assert "\nBuchan: ~Sutherland, Moray (Kildrummy), Atholl, Fife\n" in said
    parts, rows = view.table.parts, {row[0]: row[-1] for row in LOOK.tables(view)[0].rows}
    for name in parts.names:
        told = dict(re.findall(r"(~?[A-Z][a-z]+)(?: \(([^)]*)\))?", rows[name]))
        assert {other.lstrip("~") for other in told} == set(parts.neighbours(name))
        assert {other for other in told if other[0] == "~"} == {
            f"~{other}" for other in parts.neighbours(name) if {name, other} in map(set, parts.sea)
        }
        assert sorted(castle for castle in told.values() if castle) == sorted(parts.castles_of(name))
        assert f"\n{name}: {rows[name]}\n" in said, "text and tables say the same"


@pytest.mark.slow
def test_a_template_is_made_of_touches_and_legal_as_it_stands() -> None:
    record = play(GAME, {"players": 3, "glory": ["Druid", "The Crown", "Tapestry"]}, 4)
    seen: set[str] = set()
    for index, stop in enumerate(record.stops[:260]):
        for seat in stop.wants.seats if isinstance(stop.wants, Ask) else ():
            view = record.view(index, seat)
            text = LOOK.template(view)
            assert all(len(line) <= 72 and line == line.rstrip() for line in text.split("\n")), text
            assert GAME.why_not(view, GAME.parse(view, text)) is None
            seen.add(stop.wants.what if isinstance(stop.wants, Ask) else "")
    assert {"setup", "place", "deploy", "commit"} <= seen


def test_the_template_of_a_deployment_shows_what_its_shape_may_do() -> None:
    game = deploying(boards={"pink": "A1 B1 A2"}, cubes={"Moray": "pink 2"}, number=2)
    assert re.search(r"^# DEPLOY A1 B1 A2 B2 PULL .* THEN ADD \w+$", LOOK.template(game.view("pink")), re.MULTILINE)


def test_a_formation_that_a_cube_makes_can_be_planned_to_the_end() -> None:
    icon = STANDARD.squares["B2"]
    game = table(boards={"pink": "A1 B1 A2"}, cubes={"Moray": "pink 2", "Fife": "pink 1"}, icon=icon, number=2)
    first = "PLACE B2"
    begun = drafts(game, "pink", first, f"{PLAN} DEPLOY")
    four = next(line for label, line in begun.items() if label.startswith("box of A1 B1 A2 B2, with B2"))
    assert four == "PLAN DEPLOY A1 B1 A2 B2"
    to_fife = "PLAN DEPLOY A1 B1 A2 B2 PULL A1 B1 TO Fife"
    assert to_fife in drafts(game, "pink", first, f"{four} PULL A1 B1").values()
    assert f"{to_fife} THEN ADD Isles" in drafts(game, "pink", first, f"{to_fife} THEN ADD").values()
    planned = GAME.read_plans(f"{to_fife} THEN ADD Isles")
    game.place(pink=first)
    told = GAME.planned(game.view("pink"), planned)
    assert told is not None
    assert str(told.order) == "DEPLOY A1 B1 A2 B2 PULL A1 B1 TO Fife THEN ADD Isles"


def test_the_end_tells_points_battles_and_cubes() -> None:
    record = play(GAME, {"players": 3, "glory": "first"}, 2)
    course: list[tuple[View, list[Json]]] = []
    for index, stop in enumerate(record.stops):
        heard = [event.heard_by(None) for event in stop.events if isinstance(event, Fact)]
        course.append((record.view(index, None), [fact for fact in heard if fact]))
    chart, points, battles, cubes = LOOK.closing(course)
    assert "<svg" in str(chart)
    assert isinstance(points, PageTable)
    assert isinstance(battles, PageTable)
    assert isinstance(cubes, PageTable)
    *_rounds, last, regions, fights, cards = [[int(n) for n in row[1:]] for row in points.rows]
    assert last == [sum(parts) for parts in zip(regions, fights, cards, strict=True)]
    result = record.stops[-1].wants.result  # type: ignore[union-attr]
    assert last == list(result["points"].values())
    assert not LOOK.closing([])


def test_what_a_french_report_names_can_be_typed() -> None:
    reader = LineReader(STANDARD)
    with speaking("fr"):
        assert [CARDS.find(card(name)) for name in GLORY] == list(GLORY)
        assert [reader.icons.find(icon(name)) for name in STANDARD.icons] == list(STANDARD.icons)
        assert [COLOUR_NAMES.find(colour(name)) for name in SEATS] == list(SEATS)


def test_the_points_at_the_end_are_told_in_their_order_however_they_came() -> None:
    """A host has them as the seats stand, a log in the order of names."""
    points = {"pink": 95, "yellow": 116, "black": 26}
    said = [
        LOOK.result({"winner": "yellow", "shared": ["yellow"], "why": "points", "points": one})
        for one in (points, dict(sorted(points.items())))
    ]
    assert set(said) == {"Yellow wins. Points: Yellow 116, Pink 95, Black 26."}
