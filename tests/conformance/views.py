"""Views: their form, and the patches between them."""

from __future__ import annotations

import json

from pbem.kernel import (
    Json,
    diff,
    fold,
)

from .forms import canonical, flaws
from .suite import Suite


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
                    assert read.model_dump(mode="json", exclude_none=True, by_alias=True) == view, at

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
