"""Plans: how they are read, what they answer, and that a game with plans is the game without them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.errors import OrderError
from pbem.games import find
from pbem.games.hammer import GAME
from pbem.games.hammer.bots import SensibleBot
from pbem.games.hammer.bots.planning import plans as sensible_plans
from pbem.games.hammer.plans.matters import matters
from pbem.games.hammer.rules.printed import AREAS, ROSTER
from pbem.games.hammer.rules.variants import OPTIONS
from pbem.games.hammer.views import HammerView
from pbem.i18n import speaking
from pbem.kernel import Ask, Json
from pbem.referee import Answer, AnswersDue, AskDue, EndDue, RandDue, Referee, TellDue
from pbem.reports.text import fact_text
from tests.conformance import outcome, play
from tests.hammer.builder import Table, altered
from tests.hammer.plans import POOL
from tests.hammer.winter_builder import WinterTable
from tests.project.source import ROOT

# reading


@pytest.mark.parametrize(
    ("typed", "canonical"),
    [
        ("PLAN Lanark: FIGHT", "BATTLE Lanark: FIGHT"),
        ("plan battle lanark: fight 2 rounds, then retreat Lennox, Carrick; hits Douglas, Wallace",
         "BATTLE Lanark: RETREAT Lennox, Carrick IF ROUND 3; FIGHT; HITS Douglas, Wallace"),
        ("BATTLE ANY DEFENDING: FIGHT; RETREAT Fife WHEN LOST 3 STEPS OR ODDS 1:2",
         "BATTLE ANY DEFENDING: RETREAT Fife IF LOST 3 OR ODDS BELOW 1:2; FIGHT"),
        ("Fife attacking: Wallace retreat to Angus if Wallace below 2; fight",
         "BATTLE Fife ATTACKING: Wallace RETREAT Angus IF Wallace BELOW 2; FIGHT"),
        ("battle any: regroup stay; hits any", "BATTLE ANY: HITS ANY; REGROUP STAY"),
        ("BATTLE Mar: REGROUP Wallace > Angus, Douglas, all > Fife",
         "BATTLE Mar: REGROUP Wallace > Angus, Douglas > Fife, ALL > Fife"),
        ("next lanark, any", "NEXT Lanark, ANY"),
        ("raid Cumb, weakest", "RAID Cumbria Infantry, WEAKEST"),
        ("home bruce > annan or carrick", "HOME Bruce > Annan OR Carrick"),
        ("HOME Moray > stay", "HOME Moray > STAY"),
        ("edward stays", "EDWARD STAYS"),
        ("keep Wallace, any", "KEEP Wallace, ANY"),
        ("build any: draw 2, then strengthen Wallace, new, weakest",
         "BUILD ANY: DRAW 2, STRENGTHEN Wallace, NEW, WEAKEST"),
        ("build lanark: draw 2 land carr or annan then strengthen new",
         "BUILD Lanark: DRAW 2, LAND Carrick OR Annan, STRENGTHEN NEW"),
        ("build fife: nothing", "BUILD Fife: NOTHING"),
        ("build lanark: draw 0, land carrick", "BUILD Lanark: NOTHING"),
        ("ask when it matters", "ASK WHEN IT MATTERS"),
        ("", ""),
    ],
)  # fmt: skip
def test_plans_have_one_canonical_text(typed: str, canonical: str) -> None:
    assert GAME.read_plans(typed) == canonical
    assert GAME.read_plans(canonical) == canonical


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        ("PLAN DANCE", "there is no such plan"),
        ("PLAN Lanark:", "names an area, and what to do there"),
        ("PLAN Lanark: ;", "names an area, and what to do there"),
        ("PLAN Lanark: FIGHT 2 ROUNDS, THEN RETREAT ,", "is not clear"),
        ("PLAN Larnak: FIGHT", "there is no such area"),
        ("PLAN Lanark: RETREAT", "where to retreat is missing"),
        ("PLAN Lanark: FIGHT 3 ROUNDS, THEN RETREAT Fife", "is not clear"),
        ("PLAN Lanark: RETREAT Fife IF TIRED", "“TIRED” is no condition"),
        ("PLAN Lanark: FIGHT; FIGHT", "FIGHT stands there twice"),
        ("PLAN Lanark: DANCE", "is no part of a plan for a battle"),
        ("PLAN Lanark: FIGHT\nPLAN BATTLE Lanark: FIGHT; HITS ANY", "two plans for the same"),
        ("PLAN Lanark: HITS Douglas, Douglas", "Douglas stands there twice"),
        ("PLAN Lanark: REGROUP Wallace", "a regroup is STAY, or names blocks and places"),
        ("PLAN BUILD Fife: PRAY", "what to build is not clear"),
        ("PLAN BUILD Lanark: LAND Carrick", "what to build is not clear"),
        ("PLAN BUILD Lanark: DRAW 1, LAND Atlantis", "there is no such area"),
        ("PLAN HOME Bruce", "where it goes in winter"),
    ],
)
def test_every_bad_line_is_answered(typed: str, why: str) -> None:
    with pytest.raises(OrderError) as caught:
        GAME.read_plans(typed)
    assert why in str(caught.value)


def test_all_bad_lines_are_answered_at_once() -> None:
    with pytest.raises(OrderError) as caught:
        GAME.read_plans("PLAN Lanark: DANCE\nPLAN NEXT ANY\nPLAN HOME Bruce")
    assert [problem.line for problem in caught.value.problems] == [1, 3]


areas, blocks = st.sampled_from(list(AREAS)), st.sampled_from(list(ROSTER))
some_areas, some_blocks = (
    st.lists(names, min_size=1, max_size=3, unique=True).map(", ".join) for names in (areas, blocks)
)
conditions = st.one_of(
    st.integers(1, 3).map("ROUND {}".format),
    st.integers(1, 9).map("LOST {}".format),
    st.builds("ODDS BELOW {}:{}".format, st.integers(1, 5), st.integers(1, 5)),
    st.builds("{} BELOW {}".format, blocks, st.integers(1, 4)),
)
parts = st.one_of(
    st.builds("RETREAT {} IF {}".format, some_areas, st.lists(conditions, min_size=1, max_size=3).map(" OR ".join)),
    st.builds("{} RETREAT {}".format, some_blocks, some_areas),
    st.builds("{} FIGHT".format, some_blocks),
)
plan_lines = st.one_of(
    st.builds(
        "BATTLE {}{}: {}; FIGHT; HITS {}, ANY".format,
        st.one_of(areas, st.just("ANY")), st.sampled_from(["", " ATTACKING", " DEFENDING"]),
        st.lists(parts, min_size=1, max_size=3).map("; ".join), some_blocks,
    ),
    st.builds("NEXT {}, ANY".format, some_areas),
    st.builds("KEEP {}, ANY".format, some_blocks),
    st.builds("BUILD {}: DRAW {}, STRENGTHEN {}, WEAKEST".format, areas, st.integers(1, 3), some_blocks),
)  # fmt: skip


@given(plan_lines)
def test_canonical_text_comes_back(line: str) -> None:
    canonical = GAME.read_plans(line)
    assert GAME.read_plans(canonical) == canonical


ODD = (
    "Lanark ANY : ; , > OR IF FIGHT RETREAT HITS REGROUP STAY ALL ROUND ROUNDS 0 1 2 LOST ODDS BELOW 1:2 Wallace NEXT KEEP DISBAND "
    "HOME BUILD DRAW LAND STRENGTHEN NEW WEAKEST NOTHING ASK THEN"
)
odd_words = st.sampled_from(ODD.split())
begun = st.sampled_from(
    ["Lanark:", "BUILD ANY: DRAW", "KEEP", "HOME Bruce >", "NEXT", "Fife: RETREAT Mar", "Fife: FIGHT 2 ROUNDS, THEN"]
)


@given(begun, st.lists(odd_words, max_size=6))
def test_whatever_can_be_read_has_a_text_that_can_be_read_again(first: str, words: list[str]) -> None:
    """Else a host could be sent plans that stop its game when they are applied."""
    try:
        canonical = GAME.read_plans(" ".join([first, *words]))
    except OrderError:
        return
    assert GAME.read_plans(canonical) == canonical


@pytest.mark.parametrize("plans", ["Lanark: ;", "Fife: FIGHT 1 ROUNDS, THEN RETREAT ,"])
def test_plans_that_a_host_could_not_read_again_are_refused_when_they_come(plans: str) -> None:
    """Another player's program sends plans with an unreadable canonical text. They would stop the game at the next
    question."""
    referee, n = Referee.start(GAME, GAME.options_model().model_dump()), 0
    while not isinstance(referee.due(), AnswersDue):
        n += 1
        match referee.due():
            case RandDue(chance, _):
                referee.rolled(outcome(chance, Random(1)), n)
            case TellDue():
                referee.told()
            case AskDue():
                referee.asked(n)
    order = str(GAME.default(referee.view("scottish")))
    assert referee.read("scottish", order, "Fife: FIGHT").plans == "BATTLE Fife: FIGHT"
    with pytest.raises(OrderError):
        referee.read("scottish", order, plans)


# what they answer


def fight() -> Table:
    """Wallace and two more, attacked in Lanark from Lothian; Carrick and Lennox are the ways out."""
    table = Table(
        {"Lanark": "York Infantry, Lancaster Knights 3, Edward 3"},
        {"Lanark": "Wallace 3, Douglas 3, Campbell 3", "Lennox": "Barclay"},
    )
    state = table.start
    moved = [
        state[n]._replace(start="Lothian", via="Lothian") for n in ("York Infantry", "Lancaster Knights", "Edward")
    ]
    table.start = altered(state.put(*moved), marks=(("Lanark", "Lothian", "english"),))
    return table.battles(("Lanark", "english", "Lothian", "Lothian"))


def answer(table: Table, seat: str, plans: str) -> str:
    """Return what plans answer to the question put to a seat, and the clause that spoke; "" where it is asked."""
    wanted = table.stop.wants
    assert isinstance(wanted, Ask)
    assert wanted.seats == (seat,)
    found = GAME.planned(table.view(seat), GAME.read_plans(plans))
    return f"{found.order} | {found.clause}".replace("\n", "; ") if found else ""


def test_fight_fires_with_every_block() -> None:
    assert answer(fight(), "scottish", "PLAN Lanark: FIGHT") == "BATTLE Lanark: Wallace FIRE | BATTLE Lanark: FIGHT"


def test_a_plan_for_one_area_or_role_says_nothing_of_another() -> None:
    assert answer(fight(), "scottish", "PLAN Fife: FIGHT") == ""
    assert answer(fight(), "scottish", "PLAN Lanark ATTACKING: FIGHT") == ""
    assert answer(fight(), "scottish", "PLAN ANY DEFENDING: FIGHT") != ""


def test_what_is_said_of_the_area_comes_before_what_is_said_of_any() -> None:
    said = answer(fight(), "scottish", "PLAN ANY: FIGHT\nPLAN Lanark: RETREAT Lennox")
    assert said == "BATTLE Lanark: Wallace RETREAT Lennox | BATTLE Lanark: RETREAT Lennox"


def test_a_retreat_goes_to_the_first_place_that_is_open() -> None:
    said = answer(fight(), "scottish", "PLAN Lanark: RETREAT Lothian, Fife, Carrick, Lennox; FIGHT")
    assert said.startswith("BATTLE Lanark: Wallace RETREAT Carrick |")


def test_a_retreat_with_no_open_place_is_passed_over() -> None:
    assert answer(fight(), "scottish", "PLAN Lanark: RETREAT Fife; FIGHT").startswith("BATTLE Lanark: Wallace FIRE")
    assert answer(fight(), "scottish", "PLAN Lanark: RETREAT Fife") == ""


@pytest.mark.parametrize(
    ("condition", "holds"),
    [
        ("ROUND 1", True), ("ROUND 2", False),
        ("ODDS BELOW 1:1", True), ("ODDS BELOW 9:10", False),
        ("LOST 1", False), ("Wallace BELOW 4", True), ("Wallace BELOW 3", False), ("Barclay BELOW 1", True),
        ("ROUND 3 OR Wallace BELOW 4", True),
    ],
)  # fmt: skip
def test_conditions(condition: str, holds: bool) -> None:
    """Nine steps against ten."""
    said = answer(fight(), "scottish", f"PLAN Lanark: RETREAT Lennox IF {condition}; FIGHT")
    assert ("RETREAT Lennox |" in said) == holds
    assert said


def test_steps_lost_in_this_battle_are_counted() -> None:
    table = fight().order("BATTLE Lanark: Wallace FIRE").dice(1, 6, 6)
    battle = table.view("scottish").battle
    assert battle is not None
    assert battle.lost == {"english": 1, "scottish": 0}


def test_of_several_blocks_only_those_covered_are_ordered() -> None:
    table = Table({"Lanark": "Steward"}, {"Lanark": "Bruce, Mar", "Lennox": "Lindsay"})
    table.start = table.start.put(table.start["Steward"]._replace(start="Lothian", via="Lothian"))
    table.battles(("Lanark", "english", "Lothian", "Lothian"))
    assert set(table.waiting) == {"Bruce", "Mar"}
    said = answer(table, "scottish", "PLAN Lanark: Mar RETREAT Lennox")
    assert said == "BATTLE Lanark: Mar RETREAT Lennox | BATTLE Lanark: Mar RETREAT Lennox"
    said = answer(table, "scottish", "PLAN Lanark: Mar RETREAT Lennox; FIGHT")
    assert said.startswith("BATTLE Lanark: Bruce FIRE, Mar RETREAT Lennox |")


def test_always_and_when_it_matters() -> None:
    assert answer(fight(), "scottish", "PLAN Lanark: FIGHT\nPLAN ASK ALWAYS") == ""
    assert answer(fight(), "scottish", "PLAN Lanark: FIGHT\nPLAN ASK WHEN IT MATTERS") == ""  # nine steps against ten


# winter


def winter(scots: Mapping[str, str]) -> WinterTable:
    return WinterTable({}, scots)


def test_home_goes_to_the_first_place_that_he_may_go_to() -> None:
    table = winter({"Fife": "Bruce", "Carrick": "Lindsay", "Annan": "Grant"}).winter()
    while table.asked[0] != "scottish":
        table.order(str(GAME.default(table.view("english"))))
    said = answer(table, "scottish", "PLAN HOME Bruce > Carrick OR Annan")
    assert said == "HOME Bruce > Carrick | HOME Bruce > Carrick OR Annan"
    assert answer(table, "scottish", "PLAN HOME Comyn > Badenoch") == ""


def test_who_is_kept_and_where_the_leader_goes() -> None:
    """Fife holds three Scottish blocks: castle and cathedral."""
    table = winter({"Fife": "Wallace 2, Douglas 3, Campbell 1, Barclay 4"}).disbanding("scots")
    said = answer(table, "scottish", "PLAN KEEP Wallace, Campbell, ANY\nPLAN WALLACE STAYS")
    assert said.startswith("DISBAND Douglas |")
    assert answer(table, "scottish", "PLAN KEEP ANY\nPLAN WALLACE GOES").startswith("WALLACE > Selkirk |")
    assert answer(table, "scottish", "PLAN KEEP ANY") == ""  # nothing is said of Wallace
    assert answer(table, "scottish", "PLAN WALLACE STAYS") == ""  # nobody says who stays
    said = answer(table, "scottish", "PLAN DISBAND Barclay\nPLAN WALLACE STAYS")
    assert said.startswith("DISBAND Barclay |")


def test_building_in_one_round_and_in_two() -> None:
    table = winter({"Lennox": "Lennox 1"}).builds()
    assert answer(table, "scottish", "PLAN BUILD ANY: DRAW 1, STRENGTHEN WEAKEST").startswith(
        "BUILD Lennox: Lennox 1; DRAW Lennox; DONE |"
    )
    assert answer(table, "scottish", "PLAN BUILD Fife: DRAW 1") == ""
    plan = "PLAN BUILD ANY: DRAW 1, STRENGTHEN NEW, Lennox"
    said = answer(table, "scottish", plan)
    assert said.startswith("DRAW Lennox |")


def test_where_norse_and_french_land_is_the_first_coast_that_is_open() -> None:
    scots = {"Lanark": "Steward", "Carrick": "Lindsay", "Lennox": "Lennox", "pool": "French Knights, Grant"}
    plan = "PLAN BUILD ANY: NOTHING\nPLAN BUILD Lanark: DRAW 1, LAND Annan OR Carrick, STRENGTHEN NEW"
    table = WinterTable({}, scots, variants=("inland_landing",)).builds()
    said = answer(table, "scottish", plan)
    assert said.startswith("DRAW Lanark; LAND Lanark > Carrick |")
    table.order(said.split(" |")[0].replace("; ", "\n")).draw("French Knights")
    assert table.at("French Knights") == "Carrick"
    assert answer(table, "scottish", plan).startswith("BUILD Lanark: French Knights 1; DONE |")
    assert "LAND" not in answer(WinterTable({}, scots).builds(), "scottish", plan).split(" |")[0]


def test_both_sides_plans_answer_when_both_build() -> None:
    table = WinterTable({"Mentieth": "York Infantry 1"}, {"Fife": "Wallace 2"}).builds("english")
    found = {seat: GAME.planned(table.view(seat), "BUILD ANY: STRENGTHEN WEAKEST") for seat in ("english", "scottish")}
    assert "York Infantry" in str(found["english"])
    assert "Wallace" in str(found["scottish"])
    silent = GAME.planned(table.view("english"), "BUILD Fife: NOTHING")
    assert silent is None


@pytest.mark.parametrize(("name", "least"), [("reference/plans", 15), ("tutorial/a-war-in-few-mails", 10)])
def test_the_examples_of_the_pages_are_plans(name: str, least: int) -> None:
    page = (ROOT / "docs" / f"{name}.md").read_text("utf-8")
    page = re.sub(r"^  PLAN .*\n(?= +1  )", "", page, flags=re.MULTILINE)  # above what may come next: not all there yet
    # those of other games come after; one is wrong on purpose
    found = re.findall(r"PLAN [A-Z][^`\n|…\"]+", page.partition("PLAN CLAIM")[0].replace("PLAN Fife: FIGHT TO", ""))
    assert len(found) > least
    for line in (line.strip() for line in found if not line.strip().endswith(":")):
        assert GAME.read_plans(line)


# laws


class Player:
    """Answers at random, and says in advance what a random choice of plans says."""

    def __init__(self, seat: str, seed: int) -> None:
        self.rng = Random(f"{seat} {seed}")
        self.plans = ""

    def answer(self, view: HammerView, marked: bool) -> str:
        """Return an order; where its plans speak, the order that they would give."""
        spoken = None if marked or not self.plans else GAME.planned(view, self.plans)
        if spoken:
            return str(spoken.order)
        order = GAME.options(view).sample(self.rng)
        said = [line for line in POOL if self.rng.randrange(3)]
        self.plans = GAME.read_plans("\n".join(said))
        return str(order)


def positions(seed: int, options: Json, send: bool) -> tuple[list[Json], int, list[str]]:
    """Play with a referee; return every position before chance and at the end, how often players were asked, and the clauses."""
    referee, n, asked = Referee.start(GAME, options), 0, 0
    players = {seat: Player(seat, seed) for seat in referee.seats}
    found: list[Json] = []
    clauses: list[str] = []
    while asked < 120:
        n += 1
        match referee.due():
            case RandDue(chance, index):
                found.append(GAME.dump(referee.state))
                referee.rolled(outcome(chance, Random(f"{seed} {chance.label} {index}")), n)
            case TellDue(facts):
                clauses += [fact["clause"] for said in facts.values() for fact in said if fact["f"] == "plan"]
                referee.told()
            case AskDue():
                referee.asked(n)
            case AnswersDue(_, to):
                asked += 1
                ask = referee.wants
                assert isinstance(ask, Ask)
                given: dict[str, Answer] = {}
                for seat in to:
                    view = referee.view(seat)
                    assert isinstance(view, HammerView)
                    text = players[seat].answer(view, ask.mark)
                    given[seat] = referee.read(seat, text, players[seat].plans if send else "")
                referee.answered(given)
            case EndDue():
                break
    found.append(GAME.dump(referee.state))
    return found, asked, clauses


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(50))
def test_a_game_with_plans_is_the_game_without_them(seed: int) -> None:
    played: tuple[Mapping[str, Json], ...] = (dict.fromkeys(OPTIONS, True), {"edition": "2.3"}, {"bid": "E1"}, {}, {})
    options: Mapping[str, Json] = {"scenario": ("braveheart", "bruce")[seed % 2], **played[seed % 5]}
    without, asked, none = positions(seed, options, send=False)
    with_plans, less, clauses = positions(seed, options, send=True)
    length = min(len(without), len(with_plans))
    assert with_plans[: length - 1] == without[: length - 1]
    assert less <= asked
    assert clauses
    assert not none


@pytest.mark.slow
def test_whether_a_question_matters_is_plain_to_everybody() -> None:
    """Positions that look alike to the other side have the same questions that matter: being asked tells nothing."""
    rng = Random(1)
    seen = set()
    for seed in range(4):
        for stop in play(GAME, dict.fromkeys(OPTIONS, True) if seed == 1 else {}, seed).stops:
            wanted = stop.wants
            if not isinstance(wanted, Ask) or wanted.mark:
                continue
            for seat in wanted.seats:
                other = "scottish" if seat == "english" else "english"
                twin = GAME.determinise(GAME.read_view(GAME.view(stop.state, other)), rng)
                views = [GAME.read_view(GAME.view(state, seat)) for state in (stop.state, twin)]
                one, two = (matters(view, wanted.what) for view in views if isinstance(view, HammerView))
                assert one == two, wanted
                seen.add((wanted.what, one))
    assert {("battle action", True), ("battle action", False), ("regroup", False)} <= seen


@pytest.mark.slow
def test_the_sensible_player_s_plans_leave_little_to_ask() -> None:
    marked = asked = 0
    referee, n, rng, bot = Referee.start(GAME, GAME.options_model().model_dump()), 0, Random(3), SensibleBot()
    while marked < 40:
        n += 1
        match referee.due():
            case RandDue(chance, _):
                referee.rolled(outcome(chance, rng), n)
            case TellDue():
                referee.told()
            case AskDue(mark=mark):
                marked, asked = marked + (mark is not None), asked + 1
                referee.asked(n)
            case AnswersDue(_, to):
                views = {seat: referee.view(seat) for seat in to}
                referee.answered({
                    seat: referee.read(seat, str(bot.answer(view, rng)), sensible_plans(view))
                    for seat, view in views.items() if isinstance(view, HammerView)
                })  # fmt: skip
            case EndDue():
                break
    assert asked <= marked * 1.1


def test_the_report_says_what_was_answered_and_by_which_clause() -> None:
    pack = find("hammer")
    fact = {
        "f": "plan", "seat": "scottish", "what": "regroup", "order": "PASS", "clause": "BATTLE ANY: REGROUP STAY",
    }  # fmt: skip
    said = "Your plan answers “regroup”: PASS. So says: BATTLE ANY: REGROUP STAY."
    assert fact_text(fact, "scottish", pack) == said


@pytest.mark.parametrize(
    "text",
    [
        "PLAN BATTLE Lanark",
        "PLAN BATTLE ANY: FIGHT 5 ROUNDS",
        "PLAN BATTLE ANY: FIGHT; FIGHT",
        "PLAN BATTLE ANY: DANCE",
        "PLAN BATTLE ANY: RETREAT",
        "PLAN BATTLE ANY: RETREAT Fife IF RAIN",
        "PLAN BATTLE ANY: REGROUP Wallace",
        "PLAN BATTLE ANY: HITS ,",
        "PLAN BATTLE ANY: HITS ANY, ANY",
        "PLAN NEXT ,",
        "PLAN KEEP Wallace, Wallace",
        "PLAN RAID ,",
        "PLAN GAINS ,",
        "PLAN DISBAND ,",
        "PLAN HOME Bruce",
        "PLAN BUILD Fife: DANCE",
        "PLAN BUILD Fife: STRENGTHEN ,",
        "PLAN EDWARD STAYS\nPLAN EDWARD GOES",
    ],
)
@pytest.mark.parametrize("language", ["en", "fr"])
def test_what_a_refused_plan_says_is_possible_can_be_typed(text: str, language: str) -> None:
    with speaking(language), pytest.raises(OrderError) as caught:
        GAME.read_plans(text)
    for problem in caught.value.problems:
        assert GAME.read_plans(problem.legal), problem
