"""The numbered list: each number is one legal answer, which reads back from its text; twins get the same list."""

from __future__ import annotations

import random

import pytest

from pbem.games import GamePack
from pbem.i18n import languages, speaking
from pbem.kernel import read_plans
from pbem.reports.answering import others, whole_list
from pbem.reports.choices import MOST, choices, default_number

from .suggested import Suggested


class Numbered(Suggested):
    """What can be answered by its number."""

    def _listing(self) -> GamePack:
        if not self.lists:
            pytest.skip("this game has no lists")
        return GamePack(self.game, self.where.partition(":")[0])

    def test_each_number_is_a_legal_order_that_reads_back(self) -> None:
        """Its plans, too; the words differ from number to number, and the default answer is on the list."""
        pack = self._listing()
        for record, index, seat, view in self.asked(self.slow_stride):
            at, listed = f"{record.at(index)} asked {seat}", choices(pack, view)
            assert 0 < len(listed) <= MOST, at
            assert len({(one.order, one.plans) for one in listed}) == len(listed), at
            assert len({one.words for one in listed}) == len(listed), f"{at}: {listed}"
            assert default_number(pack, view, listed), f"{at}: {listed}"
            for no, one in enumerate(listed, 1):
                order = self.game.parse(view, one.order)
                assert str(order) == one.order, f"{at}, number {no}: {one}"
                assert self.game.why_not(view, order) is None, f"{at}, number {no}: {one}"
                assert read_plans(self.game, one.plans) == one.plans, f"{at}, number {no}: {one}"
                assert "\n" not in one.words, f"{at}, number {no}: {one}"
                assert one.words == one.words.strip() != "", f"{at}, number {no}: {one}"

    def test_a_list_that_is_whole_says_so(self) -> None:
        """Where all legal orders are listed nothing is said of others, and where some are not listed they are told of."""
        pack = self._listing()
        for record, index, seat, view in self.asked(self.slow_stride):
            listed, options = choices(pack, view), self.game.options(view)
            whole = options.count() == len({one.order for one in listed})
            assert (others(pack, view, listed) == "") == whole, f"{record.at(index)} asked {seat}: {listed}"

    def test_where_few_answers_are_not_listed_each_of_them_is_named(self) -> None:
        """A reader of a letter sees nothing but the letter: what he may say must be in it."""
        pack = self._listing()
        for record, index, seat, view in self.asked(self.slow_stride):
            options, listed = self.game.options(view), {one.order for one in choices(pack, view)}
            if options.count() is None or not 0 < (options.count() or 0) - len(listed) <= len(listed):
                continue
            words = {str(order): words for order, words, plans in [*pack.look.choices(view)][::-1] if not plans}
            below = " ".join(whole_list(pack, view).split())
            for text in {str(order) for order in options} - listed:
                named = (" ".join(text.split()), text.replace("\n", "; "), " ".join((words.get(text) or text).split()))
                assert any(name in below for name in named), f"{record.at(index)} asked {seat}, {text}: {below}"

    def test_a_number_is_the_same_answer_in_every_language_and_for_twins(self) -> None:
        rng, pack = random.Random(self.seed), self._listing()
        for record, index, seat, view in self._kinds():
            listed = [(one.order, one.plans) for one in choices(pack, view)]
            twin = self.game.read_view(self.game.view(self.game.determinise(view, rng), seat))
            for language in languages():
                with speaking(language):
                    for seen in (view, twin):
                        found = [(one.order, one.plans) for one in choices(pack, seen)]
                        assert found == listed, f"{record.at(index)} asked {seat} in {language}"
