"""The conformance suite finds what it is there to find: games that break the contract in one place each fail one check."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

import pytest
from tiny_game.look import TinyLook
from tiny_game.orders import Act
from tiny_game.rules import Tiny, TinyView

from pbem.errors import OrderError
from pbem.i18n import _
from pbem.kernel import (
    Ask,
    Chance,
    Chooser,
    Fact,
    Json,
    Listed,
    Options,
    Order,
    Outcome,
    Planned,
    Refusal,
    Release,
    Stop,
    View,
)
from pbem.look import Look
from pbem.look.touches import Touch, parts
from tests.conformance import Conformance


class SeesAnothersHand(Tiny):
    def view(self, state: Any, seat: str | None) -> dict[str, Json]:
        view = super().view(state, seat)
        if seat == "ann":
            view["sides"]["bob"]["hand"] = super().view(state, "bob")["sides"]["bob"]["hand"]
        return view

    def determinise(self, view: View, chooser: Chooser) -> Any:
        seen = view.model_dump(mode="json", exclude_none=True)
        seen["sides"]["bob"]["hand"] = ["?" for _ in seen["sides"]["bob"]["hand"]]
        return super().determinise(TinyView.model_validate(seen), chooser)


class TellsThePublicTooMuch(Tiny):
    def view(self, state: Any, seat: str | None) -> dict[str, Json]:
        return super().view(state, seat or "bob") | {"seat": seat or ""}


class HasFloatsInItsView(Tiny):
    def view(self, state: Any, seat: str | None) -> dict[str, Json]:
        return {**super().view(state, seat), "turn": 1.0}


class ViewWithAFreeText(TinyView):
    note: str = ""


class ShowsAFreeText(Tiny):
    view_model = ViewWithAFreeText

    def view(self, state: Any, seat: str | None) -> dict[str, Json]:
        return {**super().view(state, seat), "note": "hello"}


class HasCapitalsInItsPosition(Tiny):
    def dump(self, state: Any) -> dict[str, Json]:
        return {**super().dump(state), "Turn": 1}

    def load(self, position: Json) -> Any:
        return super().load({key: value for key, value in position.items() if key != "Turn"})


class ForgetsInItsPosition(Tiny):
    def dump(self, state: Any) -> dict[str, Json]:
        return super().dump(replace(state, board=replace(state.board, winner="")))


class RemembersOutsideItsPosition(Tiny):
    steps = 0

    def step(self, state: Any, given: Mapping[str, Order] | Outcome) -> Stop:
        self.steps += 1
        stop = super().step(state, given)
        return replace(stop, events=(*stop.events, Fact({"f": "step", "no": self.steps})))


class DependsOnHashes(Tiny):
    def step(self, state: Any, given: Mapping[str, Order] | Outcome) -> Stop:
        stop = super().step(state, given)
        return replace(stop, events=(*stop.events, Fact({"f": "order", "of": list({"a", "b", "c", "d", "e", "f"})})))


class TellsFactsInALanguage(Tiny):
    def step(self, state: Any, given: Mapping[str, Order] | Outcome) -> Stop:
        stop = super().step(state, given)
        return replace(stop, events=(*stop.events, Fact({"f": "order", "of": _("Your hand")})))


class GuessesWrong(Tiny):
    def determinise(self, view: View, chooser: Chooser) -> Any:
        guessed = super().determinise(view, chooser)
        return replace(guessed, board=replace(guessed.board, turn=guessed.board.turn + 1))


class TellsAPrivateDraw(Tiny):
    def step(self, state: Any, given: Mapping[str, Order] | Outcome) -> Stop:
        stop = super().step(state, given)
        public = (
            Fact({"f": "oops", **fact.private}) for fact in stop.events if isinstance(fact, Fact) and not fact.public
        )
        return replace(stop, events=(*stop.events, *public))


class TellsASeatOtherwise(Tiny):
    def step(self, state: Any, given: Mapping[str, Order] | Outcome) -> Stop:
        stop = super().step(state, given)
        return replace(
            stop, events=(*stop.events, Fact({"f": "oops", "on": [1, 6]}, {"ann": {"f": "oops", "on": [1, 5]}}))
        )


class ReleasesTooSoon(Tiny):
    def step(self, state: Any, given: Mapping[str, Order] | Outcome) -> Stop:
        stop = super().step(state, given)
        is_first_question = (
            isinstance(self.wants(state), Chance) and isinstance(stop.wants, Ask) and not stop.state.board.table
        )
        return replace(stop, events=(*stop.events, Release("deal:1"))) if is_first_question else stop


class RefusesWhatItOffers(Tiny):
    def why_not(self, view: View, order: Order) -> Refusal | None:
        return Refusal("never") if str(order) == "ACT DIG" else super().why_not(view, order)


class DefaultsToWhatIsIllegal(Tiny):
    def default(self, view: View) -> Order:
        return Act(act="BANK")


class TakesRubbish(Tiny):
    def parse(self, view: View, text: str) -> Order:
        try:
            return super().parse(view, text)
        except OrderError:
            return self.default(view)


class RefusesWithoutAReason(Tiny):
    def why_not(self, view: View, order: Order) -> Refusal | None:
        return Refusal("") if super().why_not(view, order) else None


class IsPickyAboutCase(Tiny):
    def parse(self, view: View, text: str) -> Order:
        order = super().parse(view, text)
        if str(order) not in text:
            raise OrderError
        return order


class ReadsADigAsABank(Tiny):
    def parse(self, view: View, text: str) -> Order:
        return super().parse(view, text.replace("DIG", "BANK"))


class AsksTheObvious(Tiny):
    def options(self, view: View) -> Options:
        return Listed([*super().options(view)][:1])


class MarksASingleSeat(Tiny):
    def wants(self, state: Any) -> Any:
        wanted = super().wants(state)
        return replace(wanted, mark=True) if isinstance(wanted, Ask) else wanted

    def start(self, options: Json) -> Stop:
        stop = super().start(options)
        return replace(stop, wants=self.wants(stop.state))

    def step(self, state: Any, given: Mapping[str, Order] | Outcome) -> Stop:
        stop = super().step(state, given)
        return replace(stop, wants=self.wants(stop.state))


class PlansWhatIsMarked(Tiny):
    def planned(self, view: View, plans: str) -> Planned | None:
        return Planned(self.default(view), plans) if plans else None


DEPENDS_ON_HASHES = DependsOnHashes()

_READ_BACK = "test_what_is_offered_reads_back_to_the_order_that_it_stands_for"

BROKEN = [
    (DependsOnHashes, "test_the_same_bytes_under_other_hash_seeds"),
    (TellsFactsInALanguage, "test_a_game_is_the_same_in_every_language"),
    (ReleasesTooSoon, "test_events_keep_the_protocol"),
    (SeesAnothersHand, "test_a_made_up_position_fits_the_view_it_was_made_from"),
    (TellsThePublicTooMuch, "test_the_public_knows_no_more_than_any_seat"),
    (TellsASeatOtherwise, "test_a_seat_hears_what_all_hear_or_more"),
    (HasFloatsInItsView, "test_views_have_the_form_of_their_model"),
    (ShowsAFreeText, "test_no_text_of_a_view_is_free"),
    (HasCapitalsInItsPosition, "test_a_position_comes_back_from_its_dump"),
    (ForgetsInItsPosition, "test_a_position_comes_back_from_its_dump"),
    (RemembersOutsideItsPosition, "test_a_replay_gives_the_same_game_step_by_step"),
    (GuessesWrong, "test_a_made_up_position_fits_the_view_it_was_made_from"),
    (TellsAPrivateDraw, "test_what_one_seat_draws_tells_the_others_nothing"),
    (RefusesWhatItOffers, "test_what_is_offered_is_legal"),
    (DefaultsToWhatIsIllegal, "test_what_is_offered_is_legal"),
    (TakesRubbish, "test_rubbish_is_refused_with_a_reason"),
    (RefusesWithoutAReason, "test_an_order_is_either_offered_or_refused_with_a_reason"),
    (IsPickyAboutCase, "test_an_order_reads_back_from_its_text"),
    (ReadsADigAsABank, _READ_BACK),
    (AsksTheObvious, "test_questions_keep_the_protocol"),
    (MarksASingleSeat, "test_questions_keep_the_protocol"),
    (PlansWhatIsMarked, "test_plans_answer_as_their_owner_could"),
]


@pytest.mark.parametrize(("broken", "check"), BROKEN, ids=lambda value: getattr(value, "__name__", value))
def test_a_broken_game_fails_the_check_that_is_there_for_it(broken: type[Tiny], check: str) -> None:
    class Case(Conformance):
        game = broken()
        look = TinyLook()
        where = "tests.test_conformance_catches:DEPENDS_ON_HASHES" if broken is DependsOnHashes else "tiny_game:GAME"
        plans = ("ACT BANK",)
        options = ({}, {"turns": 8})

    with pytest.raises((AssertionError, OrderError)):
        getattr(Case(), check)()


class HasNoTouchForOneOrder(TinyLook):
    def touches(self, view: View, draft: Sequence[str]) -> Sequence[Touch]:
        return [touch for touch in super().touches(view, draft) if touch.draft != ("ACT DIG",)]


class HasNoTouchForOnePlan(TinyLook):
    def touches(self, view: View, draft: Sequence[str]) -> Sequence[Touch]:
        return [touch for touch in super().touches(view, draft) if touch.draft != ("PLAN ACT DIG",)]


class ClosesWhatIsIllegal(TinyLook):
    def touches(self, view: View, draft: Sequence[str]) -> Sequence[Touch]:
        more = [Touch("card:c99", "Play c99", ("CARD c99",), closes=True)] if not draft else []
        return [*super().touches(view, draft), *more]


class WritesHalfAWord(TinyLook):
    def touches(self, view: View, draft: Sequence[str]) -> Sequence[Touch]:
        found = super().touches(view, draft)
        return [touch._replace(draft=(touch.draft[0].replace("BANK", "BA"), *touch.draft[1:])) for touch in found]


class WritesHalfAPlan(TinyLook):
    def touches(self, view: View, draft: Sequence[str]) -> Sequence[Touch]:
        found = super().touches(view, draft)
        return [touch._replace(draft=tuple(line.replace("DIG", "D") for line in touch.draft)) for touch in found]


class SendsHalfANameAhead(TinyLook):
    def touches(self, view: View, draft: Sequence[str]) -> Sequence[Touch]:
        found = super().touches(view, draft)
        return [
            touch._replace(draft=tuple(line.replace("AHEAD CARD: CARD ", "AHEAD CARD: ca ") for line in touch.draft))
            for touch in found
        ]


class BoldAct(Order, form="ACT {act}"):
    act: str
    bold: bool = True


class NumbersWhatItsTextDoesNotSay(TinyLook):
    def choices(self, view: View) -> Sequence[tuple[Order, str, str]]:
        seen = cast(TinyView, view)
        return [(BoldAct(act="DIG"), "dig boldly", "")] if seen.question == "act" else []


class AdvisesWhatItsTextDoesNotSay(TinyLook):
    def advice(self, view: View) -> Order | None:
        return BoldAct(act="DIG") if cast(TinyView, view).question == "act" else None


class OffersMoreThanIsLegal(TinyLook):
    def touches(self, view: View, draft: Sequence[str]) -> Sequence[Touch]:
        more = [Touch("card:c99", "Play c99", ("CARD",))] if not draft else []
        return [*super().touches(view, draft), *more]


class ClosesPlansWithoutAnOrder(TinyLook):
    def touches(self, view: View, draft: Sequence[str]) -> Sequence[Touch]:
        return [
            touch._replace(closes=touch.closes or bool(parts(touch.draft).plans))
            for touch in super().touches(view, draft)
        ]


class CallsTwoTouchesTheSame(TinyLook):
    def touches(self, view: View, draft: Sequence[str]) -> Sequence[Touch]:
        return [touch._replace(label=touch.label[:4]) for touch in super().touches(view, draft)]


class TouchesTwice(TinyLook):
    def touches(self, view: View, draft: Sequence[str]) -> Sequence[Touch]:
        found = super().touches(view, draft)
        return [*found, *(touch._replace(label=touch.label + "!") for touch in found[:1])]


class RemembersWhatItSaid(TinyLook):
    def __init__(self) -> None:
        self.calls = 0

    def touches(self, view: View, draft: Sequence[str]) -> Sequence[Touch]:
        self.calls += 1
        return super().touches(view, draft)[:: 1 if self.calls % 2 else -1]


class DraftsInALanguage(TinyLook):
    def touches(self, view: View, draft: Sequence[str]) -> Sequence[Touch]:
        return [touch._replace(at=f"choice:{touch.label}") for touch in super().touches(view, draft)]


class TouchesForEverybody(TinyLook):
    def touches(self, view: View, draft: Sequence[str]) -> Sequence[Touch]:
        return super().touches(view, draft) or [Touch("choice:PASS", "Pass", ("PASS",), closes=True)]


class AdvisesWhatIsIllegal(TinyLook):
    def advice(self, view: View) -> Order | None:
        return Act(act="DIG")


class AdvisesByTurns(TinyLook):
    def __init__(self) -> None:
        self.times = 0

    def advice(self, view: View) -> Order | None:
        self.times += 1
        orders = list(Tiny().options(view))
        return orders[self.times % len(orders)]


class GoesOnWithAnything(TinyLook):
    def touches(self, view: View, draft: Sequence[str]) -> Sequence[Touch]:
        return super().touches(view, draft) or super().touches(view, ())


BROKEN_LOOKS = [
    (HasNoTouchForOneOrder, "test_what_is_legal_can_be_touched"),
    (HasNoTouchForOnePlan, "test_plans_can_be_touched"),
    (ClosesWhatIsIllegal, "test_what_is_touched_to_its_end_is_legal"),
    (OffersMoreThanIsLegal, "test_what_is_touched_to_its_end_is_legal"),
    (ClosesPlansWithoutAnOrder, "test_what_is_touched_to_its_end_is_legal"),
    (WritesHalfAWord, _READ_BACK),
    (SendsHalfANameAhead, _READ_BACK),
    (WritesHalfAPlan, _READ_BACK),
    (NumbersWhatItsTextDoesNotSay, _READ_BACK),
    (AdvisesWhatItsTextDoesNotSay, _READ_BACK),
    (CallsTwoTouchesTheSame, "test_what_is_touched_to_its_end_is_legal"),
    (TouchesTwice, "test_what_is_touched_to_its_end_is_legal"),
    (RemembersWhatItSaid, "test_what_is_touched_to_its_end_is_legal"),
    (DraftsInALanguage, "test_touches_follow_from_the_view_alone"),
    (TouchesForEverybody, "test_nobody_is_offered_touches_without_a_question"),
    (AdvisesWhatIsIllegal, "test_what_is_advised_is_legal_and_stands_in_front"),
    (AdvisesByTurns, "test_twins_are_advised_alike_in_every_language_and_each_time"),
    (GoesOnWithAnything, "test_a_draft_that_is_none_is_touched_no_further"),
]


@pytest.mark.parametrize(("broken", "check"), BROKEN_LOOKS, ids=lambda value: getattr(value, "__name__", value))
def test_a_broken_look_fails_the_check_that_is_there_for_it(broken: type[TinyLook], check: str) -> None:
    class Case(Conformance):
        game = Tiny()
        where = "tiny_game:GAME"
        plans = ("ACT BANK", "ACT DIG")
        look = broken()
        walks = 8

    with pytest.raises(AssertionError):
        getattr(Case(), check)()


def test_a_look_without_touches_is_left_alone() -> None:
    class Silent(TinyLook):
        touches = Look.touches

    class Case(Conformance):
        game = Tiny()
        where = "tiny_game:GAME"
        look = Silent()

    for check in {name for _look, name in BROKEN_LOOKS} - {"test_nobody_is_offered_touches_without_a_question"}:
        with pytest.raises(pytest.skip.Exception):
            getattr(Case(), check)()
