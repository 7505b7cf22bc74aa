"""Views: their form, and the patches between them."""

from __future__ import annotations

import json
import random

import pytest
from pydantic import ValidationError

from pbem.errors import WorldError
from pbem.kernel import Fact, Json, View
from pbem.ledger.patch import diff, fold
from pbem.player.public import unheard
from pbem.reports.told import Told

from .forms import canonical, flaws, leaves, put
from .suite import Suite


def turned(value: Json, back: bool) -> Json:
    """Return the same JSON with its names in order, or in the reverse order."""
    if isinstance(value, dict):
        return {name: turned(value[name], back) for name in sorted(value, reverse=back)}
    return [turned(one, back) for one in value] if isinstance(value, list) else value


class Views(Suite):
    """What a seat is shown."""

    def test_views_have_the_form_of_their_model(self) -> None:
        for record in self.records():
            for index in record.every(self.stride):
                for seat in (None, *record.seats):
                    view, at = self.game.view(record.stops[index].state, seat), f"{record.at(index)} seen by {seat}"
                    assert not list(flaws(view)), at
                    read = self.game.read_view(view)
                    assert isinstance(read, self.game.view_model), at
                    assert json.loads(canonical(view)) == view, at
                    own = self.game.own_view(view)
                    assert own == read, at
                    assert repr(own) == repr(read), at
                    assert read.model_dump(mode="json", exclude_none=True, by_alias=True) == view, at

    def test_a_view_is_the_same_whatever_was_looked_at_before(self) -> None:
        """Rules may take over what has not changed from the state looked at last, and from a seat's view what it may know only."""
        rng = random.Random(self.seed)
        for record in self.records():
            looks = [(index, seat) for index in record.every(self.stride) for seat in (None, *record.seats)]
            shown = {look: canonical(self.game.view(record.stops[look[0]].state, look[1])) for look in looks}
            rng.shuffle(looks)
            for index, seat in looks:
                again = canonical(self.game.view(record.stops[index].state, seat))
                assert again == shown[index, seat], f"{record.at(index)} seen by {seat}"

    @pytest.mark.slow
    def test_what_is_shown_of_a_view_does_not_depend_on_the_order_of_its_names(self) -> None:
        """A host shows the view that it has just made, a player the same as it was written: JSON says nothing of their order."""
        for record in self.records():
            for index in record.every(5 * self.slow_stride):
                for seat in (None, *record.seats):
                    view = self.game.view(record.stops[index].state, seat)
                    one, other = (self._shown(self.game.read_view(turned(view, back))) for back in (False, True))
                    assert one == other, f"{record.at(index)} seen by {seat}"

    def _shown(self, view: View) -> list[str]:
        if (look := self.look) is None:
            return []
        shown = (
            look.board(view),
            look.hand(view),
            look.tables(view),
            look.cards(view),
            look.touches(view, ()),
            look.picture([view], ()),
        )
        return list(map(str, shown))

    def test_no_text_of_a_view_is_free(self) -> None:
        """Each is a name that the game has: whoever holds a log may have written the views in it, and people are shown them."""
        seen = set()
        for record in self.records():
            for index in record.every(self.stride):
                view = self.game.view(record.stops[index].state, record.seats[0])
                for path in leaves(view):
                    kind = path if len(path) < 3 else (*path[:2], len(path))
                    if kind not in seen:
                        seen.add(kind)
                        assert not self._is_read(put(view, path, "<b>")), f"{path} takes any text, {record.at(index)}"

    def _is_read(self, view: Json) -> bool:
        try:
            self.game.read_view(view)
        except (ValidationError, WorldError):  # rules that are lent stumble over it
            return False
        return True

    def test_a_seat_hears_what_all_hear_or_more(self) -> None:
        """A player's program takes anything else for a lie: of a fact of all, a seat's own may leave out numbers only."""
        for record in self.records():
            for index, stop in enumerate(record.stops):
                facts = [event for event in stop.events if isinstance(event, Fact)]
                public, *own = (
                    tuple(heard for fact in facts if (heard := fact.heard_by(seat)) is not None)
                    for seat in (None, *record.seats)
                )
                for seat, heard in zip(record.seats, own, strict=True):
                    missing = unheard([Told(index, heard, {})], [Told(index, public, {})])
                    assert missing is None, f"{seat} does not hear {missing}, {record.at(index)}"

    def test_folding_the_patches_gives_the_views(self) -> None:
        for record in self.records():
            for seat in (None, *record.seats):
                folded: Json = {}
                for index in record.every(self.stride):
                    view = self.game.view(record.stops[index].state, seat)
                    patch = diff(folded, view)
                    assert not list(flaws(patch, null=True)), record.at(index)
                    folded = fold(folded, json.loads(canonical(patch)))
                    assert canonical(folded) == canonical(view), f"{record.at(index)} seen by {seat}"
