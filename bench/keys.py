"""How many keys a game turn takes in the terminal, and how many lines of screen stand before each prompt.

A person plays against the built-in player as in `pbem play`: what a built-in player would order in his place, touch by touch, with
the fewest keys that touches offer (numbers, and Enter behind each; Enter alone), or typed out where that is shorter. Counted from
what is really printed: `python -m bench.keys --games 3`.
"""

from __future__ import annotations

import argparse
import io
import random
import statistics
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import redirect_stdout
from typing import NamedTuple
from unittest.mock import patch

from bench.games import chosen
from pbem.cli.drafting import OrderDraft
from pbem.cli.play import Sitting
from pbem.errors import OrderError
from pbem.games import find
from pbem.kernel import Order, View
from pbem.look.touches import END
from pbem.page.alone import Solo, beginning
from pbem.reports.listed import ASIDE, Offered

ENTER = ""
"""What is offered; behind lines that may be all, that they are."""
ENDS = (END, *ASIDE)
"""An order to which nothing else can be added closes by itself."""
MOST = 14
"""No order takes more touches here; who needs more types."""
AIM_KEYS, AIM_LINES = 35, 30
BEFORE = (85, 118)
"""Keys of a game turn with many battles, and lines of screen before a prompt, as they were before touches."""


class Asked(NamedTuple):
    """One question: of which game turn, the keys pressed, the lines on the screen from the answer before to its first prompt."""

    turn: tuple[int, int]
    what: str
    keys: int
    lines: int


class Person:
    """Sits at the terminal of a game alone, and presses what makes the orders of a built-in player."""

    def __init__(self, solo: Solo) -> None:
        self.solo, self.bot, self.screen = solo, solo.pack.bots["sensible"](), io.StringIO()
        self.whims = random.Random(f"keys {solo.begun.seed}")
        self.found: list[Asked] = []
        self._next: list[str] = []

    def says(self, prompt: str, **_more: object) -> str:
        """Return what is typed at a prompt."""
        if prompt.endswith("[Y/n]"):
            last = self.found.pop()
            self.found.append(last._replace(keys=last.keys + 1))
            return ""
        if not self._next:
            view = self.solo.view
            self._next = [*keyed(self.solo, view, self.bot.answer(view, self.whims))]
            lines = self.screen.getvalue().count("\n") + 1
            keys = sum(len(said) + 1 for said in self._next)
            self.found.append(Asked((view.year, view.turn), view.ask["what"], keys, lines))  # type: ignore[attr-defined]
        said = self._next.pop(0)
        self.screen.seek(0)
        self.screen.truncate()
        return said


def keyed(solo: Solo, view: View, order: Order) -> list[str]:
    """Return what is typed for an order: numbers as far as touches lead, or its lines."""
    wanted = str(order)
    if solo.pack.look.offered(view) == wanted:
        return [ENTER]
    draft = OrderDraft(solo.pack, view, "", {})
    for line in wanted.split("\n"):
        draft.type(line)
    typed = [*wanted.split("\n"), *([] if draft.is_done() else [ENTER])]
    found = next(_numbers(solo, view, order, (), []), typed)
    return min(found, typed, key=lambda said: sum(len(one) + 1 for one in said))


def _numbers(solo: Solo, view: View, order: Order, draft: tuple[str, ...], said: list[str]) -> Iterator[list[str]]:
    """Go through the numbers that lead from a draft to an order, whose text begins as the drafts on the way do."""
    if len(said) >= MOST:
        return
    offered = Offered((), tuple(solo.pack.look.touches(view, draft)))
    if not draft:
        offered = OrderDraft(solo.pack, view, "", {}).offered()
    touches = offered.numbered
    for no, touch in enumerate(touches, 1):
        if touch.closes and touch.at != END and _means(solo, view, touch.draft, order):
            done = touch in offered.answers or all(
                more.at in ENDS for more in solo.pack.look.touches(view, touch.draft)
            )
            yield [*said, str(no), *([] if done else [ENTER])]
    for no, touch in enumerate(touches, 1):
        if touch.at != END and touch.draft != draft and str(order).startswith("\n".join(touch.draft)):
            yield from _numbers(solo, view, order, touch.draft, [*said, str(no)])


def _means(solo: Solo, view: View, draft: tuple[str, ...], order: Order) -> bool:
    try:
        return bool(solo.pack.rules.parse(view, "\n".join(draft)) == order)
    except OrderError:
        return False


def played(seed: int, seat: str, options: Mapping[str, str]) -> list[Asked]:
    """Play one game; return its questions."""
    pack = find("hammer")
    solo = Solo(None, beginning(pack, pack.complete(options), seat, "sensible", f"keys {seed}"))
    person = Person(solo)
    with patch("typer.prompt", person.says), redirect_stdout(person.screen):
        Sitting(solo).play(None)
    return person.found


def main() -> None:
    """Play, and print what a game turn takes."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=2)
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE")
    args = parser.parse_args()
    asked = [
        (seed, one)
        for seed in range(1, args.games + 1)
        for one in played(seed, ("english", "scottish")[seed % 2], chosen(args.option))
    ]
    turns: dict[tuple[int, tuple[int, int]], list[Asked]] = defaultdict(list)
    for seed, one in asked:
        turns[seed, one.turn].append(one)
    keys = sorted(sum(one.keys for one in turn) for turn in turns.values())
    heavy = max(turns.values(), key=lambda turn: sum(one.what == "battle action" for one in turn))
    lines = sorted(one.lines for _seed, one in asked)
    in_battle = sorted(one.lines for _seed, one in asked if one.what == "battle action")
    said = len(heavy), sum(one.what == "battle action" for one in heavy), sum(one.keys for one in heavy)
    print(f"{len(turns)} game turns, {len(asked)} prompts")
    print(f"keys a game turn         median {statistics.median(keys):g}, most {keys[-1]}")
    print(
        f"the one with most battle {said[0]} prompts, {said[1]} in battles: {said[2]} keys (aim {AIM_KEYS}, before {BEFORE[0]})"
    )
    print(
        f"lines before a prompt    median {statistics.median(lines):g}, most {lines[-1]} (aim {AIM_LINES}, before {BEFORE[1]})"
    )
    print(f"  in a battle            median {statistics.median(in_battle):g}, most {in_battle[-1]}")


if __name__ == "__main__":
    main()
