"""A whole game as one page that steps through it: the map, the events and the board in words, as each seat saw them.

The page needs no other file. It contains only what the copy opens: each view is folded from the tells of one seat. The choice
"everything" is available only if the copy opens the tells of all seats. The game supplies drawings and words (`pbem.look`), the
same as for reports; `templates/replay.js` exchanges the parts that differ from step to step.

The drawings of a game are nearly identical, and so are the tables. So each is split into lines. Every line is kept once, in one
sorted list, and a step is a list of line numbers.
"""

from __future__ import annotations

import json
import re
import zlib
from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from typing import TYPE_CHECKING, NamedTuple

from pbem.i18n import _
from pbem.look import Chapter
from pbem.look.markup import joined, of_ours
from pbem.look.picture import MOVING, font_faces
from pbem.records import dataclass
from pbem.resources import folder

from .course import Steps, step
from .html import PALETTES, board, chapters, policy, template
from .opinion import opinion
from .pace import grouped, pace_of, steps_of
from .text import items, readable, result_text, sentence, unknown
from .told import Told, told
from .turns import Turns

if TYPE_CHECKING:
    from markupsafe import Markup

    from pbem.games.pack import GamePack
    from pbem.kernel import Json, View
    from pbem.ledger import Log
    from pbem.look import PageTable

SEA = "#b1cbce"
"""The colour around a map that is narrower than its space."""
PUBLIC, EVERYTHING = "", "*"
"""What the page calls the view of the public, and that of all seats together."""


@dataclass(slots=True)
class Film:
    """The game as one seat, the public, or everybody together saw it: of each step the drawing, the words, and what happened."""

    seat: str
    name: str
    frames: dict[int, tuple[list[str], list[str], list[str]]] = field(default_factory=dict)
    turns: Turns = field(default_factory=Turns)
    """The parts of the game, each with the step at which it begins."""
    course: Steps = field(default_factory=dict)
    """Each step that was not taken back, with the view of the film's first seat and the facts heard."""
    ground: Markup = field(default_factory=joined)
    """The background of every step's drawing."""


class Opened(NamedTuple):
    """What can be shown of a game: its id, its seats, by seat what it was told ("": everybody), and how it ended."""

    game: str
    seats: Sequence[str]
    told: Mapping[str, Sequence[Told]]
    """Seats of which nothing is open are left out."""
    end: tuple[int, Json] | None = None
    """The entry that ends the game, and the result; None if the game is unfinished."""
    last: int = 0
    """The entry that told something last, whether that is open or not."""
    unsigned: str = ""
    """That nobody has signed it, in a sentence, where it was rebuilt from a notation."""


def opened(log: Log, seat: str | None = None) -> Opened:
    """Return what a copy opens, of all or of `seat` alone."""
    first, end = log.entries[0], log.entries[-1]
    seats = list(first.fields["seats"])
    asked = [seat] if seat is not None else [*seats, PUBLIC]
    return Opened(
        log.game,
        seats,
        {one: tells for one in asked if (tells := told(log, one or None))},
        (end.n, end.fields["result"]) if end.k == "end" else None,
        max((entry.n for entry in log.entries if entry.k == "tell"), default=0),
    )


def page(
    game: Log | Opened, pack: GamePack, seat: str | None = None, *, judged: bool = False, at: int | None = None
) -> str:
    """Return the page of a copy: with every view that the copy opens, or with that of `seat` alone.

    Where it is `judged`, a game that is over shows to whom everything is open who stood better, turn by turn. It opens at entry
    `at`, or at the beginning.

    A copy that has told nothing yet to anybody, or nothing to `seat`, gives a page without a step.
    """
    shown = game if isinstance(game, Opened) else opened(game, seat)
    made = films(shown, pack, seat, judged=judged)
    ground = next((film.ground for film in made if film.ground), "")
    style = "".join(
        template(f"{name}.css.j2").render(**PALETTES, fonts=font_faces(), ratio=_ratio(ground), sea=SEA)
        for name in ("report", "replay")
    )
    script = (folder("templates") / "replay.js").read_text("utf-8")
    return template("replay.html.j2").render(
        game=pack.rules.title, game_id=shown.game[:8], ground=ground, style=of_ours(style), script=of_ours(script),
        data=_packed(reel(made)), policy=policy(style, ground, script), films=made, unsigned=shown.unsigned, at=at,
    )  # fmt: skip


def reel(made: Sequence[Film]) -> Json:
    """Return the data of the page: `lines`, and for each view its steps as [entry, drawing, words, what happened], in numbers
    of lines; `chapters` as [entry, depth, name]."""
    lines = sorted({line for film in made for frame in film.frames.values() for part in frame for line in part})
    number = {line: i for i, line in enumerate(lines)}
    return {
        "lines": lines,
        "films": [
            {
                "seat": film.seat,
                "name": film.name,
                "chapters": [[turn.n, turn.depth, str(turn)] for turn in film.turns.found],
                "steps": [
                    [n, *([number[line] for line in part] for part in frame)] for n, frame in film.frames.items()
                ],
            }
            for film in made
        ],
    }


class Seen(NamedTuple):
    """How one seat, or the public, saw the position after a tell: the view, and the same in words."""

    view: View
    words: list[str]


def films(game: Log | Opened, pack: GamePack, seat: str | None = None, *, judged: bool = False) -> list[Film]:
    """Return the game as all those saw it of whom it is open, everything first; or as `seat` alone did."""
    shown = game if isinstance(game, Opened) else opened(game, seat)
    seats = shown.seats if seat is None else [seat]
    tells = {one: shown.told[one] for one in (*seats, *([PUBLIC] if seat is None else [])) if one in shown.told}
    seen = {one: {tell.n: _seen(pack, one, tell) for tell in those} for one, those in tells.items()}
    name = pack.look.seat_name
    steps = steps_of(pace_of(pack.package), {tell.n: tell.facts for tell in [*tells.values()][-1]} if tells else {})
    made = []
    if len(seats) > 1 and tells.keys() >= set(seats):
        facts = by_all(tells, seats)
        made.append(_film(EVERYTHING, _("Everything"), pack, facts, [seen[one] for one in seats], steps))
    for one, those in tells.items():
        called = sentence(name(one)) if one else _("The public")
        made.append(_film(one, called, pack, {tell.n: tell.facts for tell in those}, [seen[one]], steps))
    if shown.end:
        for film in made:
            if max(film.frames) >= shown.last:  # what the copy leaves unopened is not passed over
                went = [*pack.look.closing(list(film.course.values()))]
                if judged and film.seat == EVERYTHING:
                    views = {n: [seen[one][n].view for one in seats] for n in film.frames}
                    went += opinion(pack, film.turns.found, views)
                _end(film, shown.end[0], result_text(shown.end[1], pack), went)
    return made


def who_stood_better(game: Log | Opened, pack: GamePack) -> Sequence[PageTable | Markup]:
    """Return the second opinion alone, as `films` has it; empty if the game is not over, or not fully open."""
    shown = game if isinstance(game, Opened) else opened(game)
    seats = shown.seats
    if not shown.end or len(seats) < 2 or not shown.told.keys() >= {*seats, PUBLIC}:
        return ()
    facts = by_all(shown.told, seats)
    if not facts or max(facts) < shown.last:
        return ()
    turns = Turns()
    for n, those in facts.items():
        known = (fact for fact in those if readable(fact, None, pack) is not None)
        for chapter in filter(None, map(pack.look.chapter, known)):
            turns.note(n, chapter)
    begun = {turn.n for turn in turns.found}
    views: dict[int, list[View]] = {n: [] for n in facts if n in begun}
    for one in seats:
        for tell in shown.told[one]:
            if tell.n in views:
                views[tell.n].append(pack.rules.read_view(tell.view))
    return opinion(pack, turns.found, views)


def by_all(tells: Mapping[str, Sequence[Told]], seats: Sequence[str]) -> dict[int, tuple[Json, ...]]:
    """Return by entry what all these seats heard together."""
    heard = [{tell.n: tell.facts for tell in tells[one]} for one in seats]
    shared = [tell for tell in tells[PUBLIC] if all(tell.n in facts for facts in heard)]
    return {tell.n: tuple(together(tell.facts, [told[tell.n] for told in heard])) for tell in shared}


def _seen(pack: GamePack, seat: str, tell: Told) -> Seen:
    view = pack.rules.read_view(tell.view)
    shown = board(pack, view, _("Seen by {seat}", seat=pack.look.seat_name(seat)) if seat else "", asks=True)
    return Seen(view, _lines(_part("position", shown)))


def together(public: Sequence[Json], heard: Sequence[Sequence[Json]]) -> Iterator[Json]:
    """Go through the facts told at once: each fact once, in the fullest version that a seat heard.

    >>> said = together([{"f": "levy", "n": 1}], [[{"f": "levy", "n": 1, "block": "Hobelars"}], [{"f": "levy", "n": 1}]])
    >>> list(said)
    [{'f': 'levy', 'n': 1, 'block': 'Hobelars'}]
    """
    versions: list[list[Json]] = [[] for _entry in public]
    alone: list[list[Json]] = [[] for _entry in range(len(public) + 1)]
    for facts in heard:
        at = 0
        for fact in facts:
            same = next((i for i in range(at, len(public)) if _is_version(fact, public[i])), None)
            found = alone[at] if same is None else versions[same]
            if fact not in found and (same is None or fact != public[same]):
                found.append(fact)
            at = at if same is None else same + 1
    for i, fact in enumerate(public):
        yield from alone[i]
        yield from versions[i] or (fact,)
    yield from alone[-1]


def _is_version(fact: Json, public: Json) -> bool:
    """Does a fact tell, with more in it, what this fact tells to the public?"""
    if not isinstance(fact, dict) or not isinstance(public, dict):
        return bool(fact == public)
    return all(
        name in fact and (isinstance(value, dict | list) or fact[name] == value) for name, value in public.items()
    )


def _film(
    seat: str,
    name: str,
    pack: GamePack,
    told: Mapping[int, Sequence[Json]],
    seen: Sequence[Mapping[int, Seen]],
    steps: Mapping[int, int],
) -> Film:
    """Return the game step by step: the facts of each step, and the position as all these seats together saw it.

    `steps` has the first report of each report's step.
    """
    film = Film(seat, name)
    heard: list[Json] = []
    hears = None if seat in (PUBLIC, EVERYTHING) else seat
    for first, inside in grouped(steps, told):
        said = [(n, fact, readable(fact, hears, pack)) for n in inside for fact in told[n]]
        heard += [fact for _n, fact, text in said if text is not None]
        shown = [one[inside[-1]] for one in seen]
        drawing = joined([pack.look.picture([one.view for one in shown], heard)])
        ground, mark, moving = drawing.partition(MOVING)
        film.ground = joined([ground, mark] if mark else [])
        fight = pack.look.scene([one.view for one in shown])
        story = _story([unknown(fact) if text is None else text for _n, fact, text in said])
        film.frames[first] = (
            _lines(str(moving))[:-1],
            [line for one in shown for line in one.words],
            [*([str(fight)] if fight else []), *story],
        )
        for n in inside:
            known = [fact for at, fact, text in said if at == n and text is not None]
            step(film.course, n, seen[-1][n].view, known)  # in Hammer the Scots, whose view knows whether Moray counts
            for chapter in filter(None, map(pack.look.chapter, known)):
                film.turns.note(first, chapter)
    return film


def _end(film: Film, n: int, result: str, closing: Sequence[PageTable | Markup]) -> None:
    """Let a film end with the result, over the last position, and with how the game went."""
    drawing, words = film.frames[max(film.frames)][:2]
    name = _("The end")
    went = _lines(_part("closing", closing)) if closing else []
    film.frames[n] = drawing, words, [*_story([f"\n{name}\n{result}"]), *went]
    film.turns.note(n, Chapter(name))


def _story(texts: Sequence[str]) -> list[str]:
    return _lines(_part("story", chapters(items(texts))))


def _part(name: str, given: object) -> str:
    return str(getattr(template("parts.html.j2").module, name)(given))


def _lines(markup: str) -> list[str]:
    return markup.strip("\n").split("\n")


def _ratio(ground: str) -> str:
    """Return how many times as wide as high a drawing is, so that the page can give it the room that it needs."""
    box = re.search(r'viewBox="\S+ \S+ (\S+) (\S+)"', ground)
    return f"{float(box[1]) / float(box[2]):.4f}" if box else "1"


def _packed(data: Json) -> str:
    """Return data as base64 of its deflated JSON, as the page's script unpacks it."""
    squeezer = zlib.compressobj(9, wbits=-15)
    raw = json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode()
    return b64encode(squeezer.compress(raw) + squeezer.flush()).decode()
