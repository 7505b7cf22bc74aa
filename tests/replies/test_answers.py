"""What a host reads in the lines of one's own: an order, commands, a refusal, or nothing. It orders nothing that nobody meant."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from pbem.games import find
from pbem.host.answers import EXAMPLES, AnswerRead, AskedByMail, Wish, read_answer, read_yes
from pbem.kernel import Planning
from pbem.reports.choices import choices

from .questions import Answered, Choice, answered, first
from .shadow import letter_of

LIST = {
    "BATTLE": ("retreat to Carrick (6 may cross): what we would do", "fire, one die, a hit on 3 or less", "pass"),
    "CARD": ("Move 2 (you hold three): what we would do", "Move 1", "Truce"),
}


@cache
def battle() -> AskedByMail:
    """Bruce is in Annan alone; the list says in words what he may do."""
    one = next(
        one
        for one in answered("hammer", 1, 80)
        if one.order.startswith("BATTLE") and one.pack.rules.options(one.view).count() in (3, 4, 5)
    )
    orders = [str(order) for order in one.pack.rules.options(one.view)]
    chosen = [next(order for order in orders if word in order) for word in ("RETREAT", "FIRE", "PASS")]
    return AskedByMail(one.pack, one.view, tuple(map(Choice, chosen, LIST["BATTLE"])))


def read(own: str, asked: AskedByMail | None = None) -> AnswerRead:
    return read_answer(own, asked or battle())


@pytest.mark.parametrize(
    "own",
    [
        "2", "2.", "2)", "(2)", "#2", " 2 ", "2!", "2 fire", "2. Fire, one die", "2: fire", "2 - fire", "- 2", "*2*", "2 please",
        "2, thanks!", "2. Good luck", "Hello,\n\n2\n\nAnn", "2\n\nBest regards\nAnn Miller\n12 Hill Street\n+44 131 496 0000",
        "２", "2️⃣", "2 👍", "Well played!\n2", "2\n2", "2 FIRE", "2\nEND\nBATTLE nonsense",
        "2\n\nOn second thought I should have crossed earlier.", "2 s'il vous plaît", "I thought about it for 3 days.\n2",
    ],
)  # fmt: skip
def test_a_number_is_its_line_of_the_list(own: str) -> None:
    assert read(own).order == battle().choices[1].order
    assert not read(own).bad


@pytest.mark.parametrize(
    "own",
    [
        "2?", "2 or 3", "2 or 3?", "2 no wait", "2nd", "2\n3", "9", "0", "2 retreat", "2 pass", "1/2", "2-3", "2:30", "22",
        "2 nice moves, thanks", "2%", "2°", "2+", "3 days until my exam", "Regards\nAnn\n2", "2\n3 rather",
    ],
)  # fmt: skip
def test_a_number_that_may_mean_something_else_orders_nothing(own: str) -> None:
    found = read(own)
    assert (found.order, found.commands) == ("", ())
    assert found.bad


@pytest.mark.parametrize(
    "own",
    [
        "", "Thanks!", "OK", "OK, thanks", "Ok thanks, will do", "Same", "Yes", "No", "YES", "NO", "DRAW", "Draw?", "LEAVE",
        "WATCH", "WITHDRAW", "JOIN 3", "I am away until Friday.", "not 2", "I'll take number 2", "+1", "Got it", "Sounds good!",
        "-2", "I rolled a 6 in 1998!", "What would you do?", "Bruce", "Ross", "Fife", "Bruce is brave!", "Hello Bruce",
        "Sent from my iPhone", "We pass on the offer", "I pass", "So fire at will.", "Undo the top button",
        "I resign myself to this", "Until we meet again!",
    ],
)  # fmt: skip
def test_what_people_say_besides_orders_nothing(own: str) -> None:
    found = read(own)
    assert not found.says
    assert not found.bad
    assert found.unread == tuple(filter(None, [own]))


@pytest.mark.parametrize(
    "below",
    [
        "actually 3", "no, 3", "sorry, number 3", "I mean 3!", "or rather 3", "not 2", "please don't play 2", "make that 3", "?",
        "??", "wait", "No wait, let me think", "Forget it.", "Scratch that", "cancel", "ignore this mail", "non, plutôt 3",
        "pas le 2", "annulez tout", "nein, lieber die 3", "but only if he attacks", "if he attacks", "unless it rains",
        "si possible", "nur wenn er angreift", "until one of mine is happy", "Jusqu’à ce que Bruce soit à 1", "UNTIL we win",
    ],
)  # fmt: skip
def test_a_line_that_may_take_the_answer_back_or_put_a_condition_refuses_it(below: str) -> None:
    for own in (f"2\n{below}", f"{battle().choices[1].order}\n{below}"):
        assert read(own).bad, own


@pytest.mark.parametrize(
    "own",
    [
        "All evening the dice were against me, and so Bruce is now down to only\n2.", "Whatever you do, do not play\n2",
        "Je ne veux surtout pas\n2", "Anything but\n2",
    ],
)  # fmt: skip
def test_a_number_that_may_end_the_sentence_above_it_is_no_answer(own: str) -> None:
    assert not read(own).order
    assert read(own).bad


@cache
def of_pieces(verb: str) -> AskedByMail:
    """A question that asks something of several blocks, with the list of its letter."""
    one = next(
        one
        for one in answered("hammer", 1)
        if one.order.startswith(verb) and one.pack.look.beside(one.view).pieces.pieces
    )
    return AskedByMail(one.pack, one.view, choices(one.pack, one.view))


@pytest.fixture(scope="module", autouse=True)
def asked_before() -> None:
    """Find the questions that several tests look at: that is no test's own cost."""
    for verb in ("BATTLE", "HOME"):
        of_pieces(verb)


@pytest.mark.parametrize("verb", ["BATTLE", "HOME"])
def test_two_numbers_answer_for_one_of_several_pieces(verb: str) -> None:
    asked = of_pieces(verb)
    assert asked.view is not None
    made = asked.pack.look.beside(asked.view).pieces
    last = len(made.pieces[1].answers)
    for own in (
        f"2: {last}",
        f"1: 1\n2: {last}",
        f"Hi,\n2:{last}, 1:1\n\nAnn",
        f"1 = 1; 2 = {last}",
        f"2: {last}, thanks",
    ):
        found = read(own, asked)
        assert found.order == str(asked.pack.rules.parse(asked.view, made.order({2: last}))), (own, found)
        assert not found.bad


@pytest.mark.parametrize(
    "own",
    [
        "1: 1?", "3: 1\n9: 1", "1: 99", "0: 1", "1: 0", "1: 1\n1: 2", "2\n1: 2", "2: 30 pm", "1:1:1", "The odds were\n1: 2",
        "Regards\nAnn\n1: 2", "1: 2\nno, 3", "1: 2\nbut only if he attacks",
    ],
)  # fmt: skip
def test_two_numbers_that_may_mean_something_else_order_nothing(own: str) -> None:
    found = read(own, of_pieces("BATTLE"))
    assert not found.order
    assert found.bad, found


@pytest.mark.parametrize("own", ["18: 30", "1: 2", "2: 1"])
def test_without_several_pieces_two_numbers_are_no_answer(own: str) -> None:
    assert not read(own).order


def leaving() -> AskedByMail:
    """Several blocks fight, and can retreat."""
    one = next(
        one for one in answered("hammer", 1) if one.pack.look.beside(one.view).conditions.told and _is_strong(one)
    )
    return AskedByMail(one.pack, one.view, choices(one.pack, one.view))


def _is_strong(one: Answered) -> bool:
    view: Any = one.view
    return min(view.fight.strengths(view.seat).values()) > 1 and len(view.fight.strengths(view.seat)) > 1


@pytest.mark.parametrize(
    ("own", "says"),
    [
        ("UNTIL one of mine is at 1", "BELOW 2"), ("until any of my blocks is down to 1.", "BELOW 2"),
        ("UNTIL LOST 3", "IF LOST 3"), ("Until I have lost 2 steps, please", "IF LOST 2"), ("1\nUNTIL ROUND 3", "IF ROUND 3"),
        ("UNTIL ROUND 2 THEN {area}", "RETREAT {area} IF ROUND 2"), ("Hi,\n\nuntil odds below 1:2\n\nAnn", "ODDS BELOW 1:2"),
        ("Jusqu’à ce que l’un des miens soit à 1", "BELOW 2"), ("Jusqu'à manche 3, puis {area}", "RETREAT {area} IF ROUND 3"),
    ],
)  # fmt: skip
def test_until_sets_a_condition_that_becomes_a_plan(own: str, says: str) -> None:
    asked = leaving()
    assert asked.view is not None
    assert isinstance(asked.pack.rules, Planning)
    told = asked.pack.look.beside(asked.view).conditions.told
    area = told.partition("UNTIL ROUND 3 THEN ")[2].partition(".")[0]
    found = read(own.format(area=area), asked)
    assert not found.bad
    assert found.order == asked.choices[0].order, "they fire"
    assert says.format(area=area) in found.plans
    assert asked.pack.rules.read_plans(found.plans) == found.plans


@pytest.mark.parametrize(
    "own",
    [
        "UNTIL ROUND 3\nUNTIL LOST 3", "UNTIL ROUND 3 THEN Paris", "1\nUNTIL Wallace is at 9", "1\nUNTIL nobody is at 1",
        "2\nUNTIL LOST 3", "UNTIL LOST 3\n1: 2", "{order}\nUNTIL LOST 3", "UNTIL LOST 3\nno, 2",
    ],
)  # fmt: skip
def test_conditions_that_cannot_be_set_or_are_two_refuse_the_mail(own: str) -> None:
    asked = leaving()
    found = read(own.format(order=asked.choices[-1].order), asked)
    assert (found.order, found.plans) == ("", "")
    assert found.bad


def test_orders_are_sent_ahead_with_an_answer_or_alone() -> None:
    asked = replace(first("hammer", "CARD"), marks={"act": 1, "card": 2})
    card = asked.choices[0].order
    found = read(f"{card}\nAHEAD CARD: {card}\nAHEAD ACT: PASS\nahead act if first: pass; pass", asked)
    assert found.bad, "a card is no second line of an act"
    found = read(f"1\nAHEAD CARD: {card}\nAHEAD ACT IF FIRST: PASS", asked)
    assert not found.bad
    assert found.order == card
    assert dict(found.ahead) == {2: f"IF YEAR 1297: {card}", 1: "IF YEAR 1297 AND FIRST: PASS"}
    alone = read("AHEAD ACT: PASS", asked)
    assert (alone.order, [mark for mark, _text in alone.ahead]) == ("", [1])
    assert alone.says
    assert read("AHEAD ACT: PASS", replace(asked, marks={})).bad
    assert read("AHEAD NOTHING: PASS", asked).bad
    assert read("Ahead lies the road to Fife.", asked).unread == ("Ahead lies the road to Fife.",)


def test_a_plan_with_several_parts_is_one_line() -> None:
    asked = leaving()
    found = read(f"{asked.choices[0].order}\nPLAN ANY: FIGHT; HITS ANY; REGROUP STAY", asked)
    assert found.plans == "BATTLE ANY: FIGHT; HITS ANY; REGROUP STAY"


def test_an_order_of_several_lines_that_the_letter_has_in_one_is_read() -> None:
    """The list says “BUILD Atholl: Atholl 1; BUILD Lanark: …” in one line; who writes these lines has not quoted it."""
    for one in answered("hammer", 1):
        if one.order.startswith("BUILD") and "\n" in one.order:
            listed = choices(one.pack, one.view)
            letter = letter_of(one, listed, "7F3K9QWX2M4P")
            asked = AskedByMail(one.pack, one.view, listed, letter=letter.text)
            for order in (one.order, listed[0].order):
                assert read(f"Hello,\n{order}\n\nAnn", asked).order == order
            pasted = "\n".join(letter.text.split("\n")[2:9])
            assert not read(pasted, asked).order
            assert not read(f"{pasted}\n{one.order}", asked).order


def test_an_order_is_read_by_the_grammar_of_its_game() -> None:
    asked = battle()
    orders = [choice.order for choice in asked.choices]
    area = orders[0].partition(":")[0]
    for order in orders:
        for own in (
            order,
            order.lower(),
            f"Hi,\n{order}\n\nAnn",
            order.replace(f"{area}: ", ""),
            f"{order}.",
            f"{order}, please",
        ):
            assert read(own, asked).order == order, own


def test_a_block_that_is_named_with_what_it_does_is_an_order_or_refuses_the_mail() -> None:
    order = battle().choices[1].order
    _verb, area, block, fires = order.replace(":", "").split(" ", 3)
    assert read(f"{block} {fires}").order == order
    for own in (f"{block} FIRES", f"{block} fires at {area}", f"{block} > Nowhere", f"{block} 2"):
        assert read(f"2\n{own}").bad, own
    assert read(f"2\n{block} is brave.").order == order


@pytest.mark.parametrize("own", ["BATTLE Nowhere: all FIRE", "battle on!", "fire at will", "Pass the salt"])
def test_a_line_that_begins_as_an_order_and_is_none_refuses_the_whole_mail(own: str) -> None:
    for text in (own, f"2\n{own}", f"{own}\n2"):
        found = read(text)
        assert not found.order
        assert [bad.line for bad in found.bad] == [own]


def test_all_bad_lines_are_named() -> None:
    found = read("hello\nBATTLE Nowhere: all FIRE\n9\n2?")
    assert {bad.line for bad in found.bad} == {"BATTLE Nowhere: all FIRE", "9", "2?"}
    assert all(bad.why and str(bad) for bad in found.bad)


def test_a_number_and_another_order_refuse_each_other() -> None:
    one, two, _three = (choice.order for choice in battle().choices)
    assert read(f"2\n{two}").order == two
    assert read(f"2\n{one}").bad


def test_without_the_code_no_number_counts() -> None:
    asked = AskedByMail(battle().pack, battle().view)
    assert read("2", asked).bad
    assert read(battle().choices[1].order, asked).order == battle().choices[1].order


@pytest.mark.parametrize(
    ("own", "command"),
    [
        ("UNDO", Wish("UNDO")), ("undo.", Wish("UNDO")), ("UNTIL Friday", Wish("UNTIL", "Friday")),
        ("RESIGN", Wish("RESIGN")), ("Offer draw", Wish("OFFER DRAW")), ("AWAY 3 DAYS", Wish("AWAY", "3")),
        ("ZONE Europe/Paris", Wish("ZONE", "Europe/Paris")), ("ADDRESS ann@example.net", Wish("ADDRESS", "ann@example.net")),
        ("BOARD", Wish("BOARD")), ("PICTURES OFF", Wish("PICTURES", "OFF")), ("RESEND 12", Wish("RESEND", "12")),
        ("Please HELP", Wish("HELP")), ("ANNULER", Wish("UNDO")), ("Absent 3 jours", Wish("AWAY", "3")),
        ("jusqu’à vendredi", Wish("UNTIL", "vendredi")), ("ABANDONNER", Wish("RESIGN")),
        ("Proposer la nulle", Wish("OFFER DRAW")),
    ],
)  # fmt: skip
def test_a_command_stands_alone_on_its_line(own: str, command: Wish) -> None:
    assert read(own).commands == (command,)
    assert read(f"Hello,\n{own}\nAnn").commands == (command,)
    assert not read(f"I think {own} is what you want").commands


@pytest.mark.parametrize("word", EXAMPLES)
def test_each_command_can_be_written_as_the_docs_say(word: str) -> None:
    assert {read(own).commands[0].word for own in EXAMPLES[word]} == {word}


def test_press_is_no_order() -> None:
    found = read("2\n\nPRESS to bob\nI will play 3 next.\nBATTLE Annan: all FIRE")
    assert (found.order, found.to) == (battle().choices[1].order, "bob")
    assert found.press == "I will play 3 next.\nBATTLE Annan: all FIRE"


def test_taking_back_and_ordering_in_one_mail_is_refused() -> None:
    assert read("UNDO\n2").bad


def test_lines_of_our_letter_are_not_taken_for_the_players_words() -> None:
    letter = (
        "YOUR CHOICE\n  1  retreat to Carrick (6 may cross): what we would do\n  2  fire, one die, a hit on 3 or less\n"
    )
    asked = AskedByMail(battle().pack, battle().view, battle().choices, letter=letter)
    assert read("2 fire", asked).order
    assert "above the line" in read(f"hello\n{letter}", asked).bad[0].why


def test_after_the_question_is_closed_commands_are_read_and_nothing_else() -> None:
    found = read("2\nSTATUS\nBATTLE Annan: all FIRE", AskedByMail(find("hammer"), None, battle().choices))
    assert (found.order, found.commands, found.bad) == ("", (Wish("STATUS"),), ())


def test_an_everyday_word_is_an_order_in_capitals_alone() -> None:
    winter = first("hammer", "DONE")
    assert read("DONE", winter).order == "DONE"
    assert read("Done!", winter).bad
    assert read("All done here, thanks", winter).unread


@pytest.mark.parametrize(
    ("own", "said"),
    [
        ("Yes", "yes"),
        ("YES ALWAYS.", "always"),
        ("oui", "yes"),
        ("No", "no"),
        ("yes\nno", ""),
        ("Yes, but not that", ""),
        ("OK", ""),
    ],
)
def test_a_yes_stands_alone(own: str, said: str) -> None:
    assert read_yes(own) == said


@pytest.mark.parametrize("arrow", ["->", "=>", "-->"])
def test_a_move_that_is_wrapped_before_its_arrow_goes_on(arrow: str) -> None:
    """What is read without the end of a line is another order, which nobody meant."""
    one = next(
        one for seed in (1, 2, 3) for one in answered("hammer", seed, 80)
        if one.order.startswith("MOVE") and one.order.rpartition("\n")[2].count(">") > 1
    )  # fmt: skip
    begun, _arrow, end = one.order.rpartition(" > ")
    asked = AskedByMail(one.pack, one.view, ())
    assert read(f"{begun}\n{arrow} {end}", asked).order == one.order
    apart = read(f"{begun}\nHello there\n{arrow} {end}", asked)
    assert (apart.order, len(apart.bad)) == ("", 1)
