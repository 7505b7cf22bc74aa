"""Positions in words: any moment of Lords of Scotland at which a seat is asked something, as a small text.

::

    LORDS 1 for 3
    ROUND 2 TURN 3 carrick
    INITIATIVE buchan
    SUPPORTERS: Scott 12, Wemyss 9, Makgill 2
    RECRUITS: Ferguson 2, Forsyth 8, Wemyss 1 down, Scott 7 down, Cockburn 5
    HAND angus: Scott 8, Makgill 3
    ARMY buchan: Cochrane 3 active, Scott 4 down

Lines are read as orders are: comments, folded lines and abbreviated names are accepted. Cards named in no line are in the pile.
Positions that wait for a shuffle have no form in words, only the JSON form (`rules.position`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from hashlib import sha256
from typing import cast

from pbem.errors import OrderError, Problem, UsageError
from pbem.i18n import N_, _
from pbem.kernel import Json, Line, Names, folded
from pbem.kernel.worded import Worded, WordedReading, items, number, once

from .game import GAME, LordsOptions
from .reading import find_card
from .rules.board import Board, Follower, Recruit
from .rules.cards import BRUCE, CLANS, LASTING, LIMIT, RECRUITS, TURNS, Agreed, clan
from .rules.position import POSITION
from .rules.reign import Reign, State
from .rules.skirmish import Claims, Skirmish
from .rules.sound import Flaw, flaws
from .rules.turn import Turn

MOMENT = "ROUND 2 TURN 3 angus, ROUND 2 CLAIMS"
MOST = 9999
"""The maximum number of rounds or shuffles that a position may name."""
WORDS = Names(
    (
        "OPTION", "ROUND", "INITIATIVE", "DEAL", "SUPPORTERS", "RECRUITS", "HAND", "ARMY", "WON", "TAKEN", "PLACING", "OLD",
        "DISCARDS", "PILE",
    ),
    N_("line"),
)  # fmt: skip
_OF_SEATS = ("HAND", "ARMY", "WON", "TAKEN")
REST = "rest"
_ITEM = re.compile(r"([a-z]+ ?(?:\d+|[ab]))(?: (.*))?", re.IGNORECASE)
_CLANS = Names((*CLANS, BRUCE), N_("clan"))


class LordsPositions(Worded[State]):
    """Reads and writes them."""

    wordless = N_("Words are for moments at which somebody is asked; this position ({doing}) has a JSON form only.")

    def read(self, text: str) -> tuple[dict[str, Json], State]:
        return _LordsReading(text).result()

    def lines(self, state: State) -> Iterator[str]:
        return _written(state)

    def schema(self) -> dict[str, Json]:
        """Return the JSON Schema of positions as JSON."""
        return POSITION.schema()


POSITIONS = LordsPositions()


# -- writing ------------------------------------------------------------------------------------------------------------


def _written(state: State) -> Iterator[str]:
    board = state.board
    yield f"LORDS {GAME.version} for {len(board.seats)}"
    yield from (f"OPTION {said}" for said in _agreed(board))
    match state.stack:
        case (_, _, Turn(seat=seat)):
            yield f"ROUND {board.round} TURN {board.turn} {seat}"
            yield f"INITIATIVE {board.victor}"
        case (_, _, Claims(next=after)):
            one = f" {board.placing[after]}" if board.terms.claims == "in turn" else ""
            yield f"ROUND {board.round} CLAIMS{one}"
        case _:
            raise UsageError(_("Nobody is asked."))
    if (board.deals, board.dealt) != (1, len(board.terms.cards)):
        yield f"DEAL {board.deals} of {board.dealt}"
    lists = {
        "SUPPORTERS": board.supporters,
        "RECRUITS": [r.card if r.up else f"{r.card} down {r.deal}.{r.place}" for r in board.recruits],
        **{f"HAND {seat}": board.hands[seat] for seat in board.seats},
        **{f"ARMY {seat}": [_lying(f, seat) for f in board.armies[seat]] for seat in board.seats},
        **{f"WON {seat}": board.won[seat] for seat in board.seats},
        **{f"TAKEN {seat}": board.taken[seat] for seat in board.seats},
        "PLACING": board.placing if isinstance(state.stack[-1], Turn) else (),
        "OLD": board.old,
        "DISCARDS": board.discards,
        "PILE": board.pile,
    }
    yield from (folded(f"{head}: ", items) for head, items in lists.items() if items)


def _agreed(board: Board) -> Iterator[str]:
    """Name the options that are not the usual ones, as `--option` has them."""
    terms, usual = board.terms, LordsOptions(players=len(board.seats))
    strength, *ranks = terms.bruce or (usual.bruce_strength, *usual.bruce_ranks)
    agreed = {
        "goal": terms.goal,
        "rounds": terms.rounds,
        "claims": terms.claims,
        "activation": terms.condition if terms.condition != usual.terms.condition else usual.activation,
        "bruce": bool(terms.bruce),
        "bruce_strength": strength,
        "bruce_ranks": tuple(ranks),
    }
    for name, value in agreed.items():
        if value != getattr(usual, name):
            yield f"{name}={value if isinstance(value, str) else json.dumps(value)}"


def _lying(follower: Follower, owner: str) -> str:
    if not follower.up:
        seen = "" if follower.seen == (owner,) else " ".join(("", "seen", *follower.seen))
        return f"{follower.card} down{seen}"
    if not follower.power:
        return follower.card
    return f"{follower.card} active" + ("" if follower.power == clan(follower.card) else f" {follower.power}")


# -- reading ------------------------------------------------------------------------------------------------------------


class _LordsReading(WordedReading):
    """One text on its way to a state."""

    game = GAME
    words = WORDS
    settled = ("players", "first")

    def __init__(self, text: str) -> None:
        self.moment: tuple[int, int, str] | None = None
        """Round, turn (0: the claims) and the asked seat."""
        self.victor = ""
        self.deals, self.dealt = 1, 0
        self.cards: dict[str, tuple[str, ...]] = {}
        """What a line lists, by its head as it is written."""
        self.armies: dict[str, tuple[Follower, ...]] = {}
        self.recruits: list[tuple[str, bool, str]] = []
        """Card, face-up or not, and whence it came."""
        self.laid: dict[str, str] = {}
        """The place of each card."""
        self.rest = "PILE"
        super().__init__(text)

    def result(self) -> tuple[dict[str, Json], State]:
        self.judge(None if self.moment else Problem(0, "", _("who is asked, and when, is missing"), legal=MOMENT))
        round_, turn, asked = cast("tuple[int, int, str]", self.moment)
        options = self.chosen
        return options.model_dump(mode="json"), self._standing(self._board(options.terms, round_, turn), turn, asked)

    def _standing(self, board: Board, turn: int, asked: str) -> State:
        """Return the state in which this seat, or all who have a choice of supporters, are asked. Raises OrderError."""
        if not turn:
            placing = board.placed()
            typed = self.cards.get("PLACING", placing)
            if typed != placing or self.victor not in ("", *placing[:1]):
                what, legal = (
                    ("PLACING", ", ".join(placing)) if typed != placing else ("INITIATIVE", "".join(placing[:1]))
                )
                raise OrderError(Problem(0, what, _("at the claims this follows from the armies"), legal=legal))
            board = replace(board, turn=TURNS, placing=placing, victor=placing[0] if placing else board.victor)
        found = [*flaws(board), *(_of_a_turn(board) if turn else _of_claims(board, asked))]
        if found:
            raise OrderError(*(Problem(0, *flaw) for flaw in found))
        done = len(board.seats)
        reign = Reign("end", next=done)
        if turn:
            return State(board, (reign, Skirmish("turn", board.in_turn.index(asked) + 1), Turn("act", asked)))
        return State(board, (reign, Skirmish("clear", done), Claims("ask", _claimed(board, asked))))

    def _board(self, terms: Agreed, round_: int, turn: int) -> Board:
        """Return the table. Raises OrderError for cards that do not belong to it."""
        if foreign := [card for card in self.laid if card not in terms.cards]:
            raise OrderError(Problem(0, foreign[0], _("the royal cards are set aside"), legal="OPTION bruce=true"))
        # mixed, and always in the same way
        rest = sorted(
            (card for card in terms.cards if card not in self.laid), key=lambda c: sha256(c.encode()).digest()
        )
        board = replace(
            Board.set_up(terms, self.seats, self.victor or self.seats[0]),
            armies={seat: self.armies.get(seat, ()) for seat in self.seats},
            won={seat: self.cards.get(f"WON {seat}", ()) for seat in self.seats},
            taken={seat: self.cards.get(f"TAKEN {seat}", ()) for seat in self.seats},
            supporters=self.cards.get("SUPPORTERS", ()),
            pile=(*self.cards.get("PILE", ()), *(rest if self.rest == "PILE" else ())),
            discards=(),
            dealt=self.dealt or len(terms.cards),
            deals=self.deals,
            old=tuple(sorted(self.cards.get("OLD", ()), key=terms.rank)),
            round=round_,
            turn=turn,
            placing=self.cards.get("PLACING", ()),
        ).discard((*self.cards.get("DISCARDS", ()), *(rest if self.rest == "DISCARDS" else ())))
        for seat in self.seats:
            board = board.hold(seat, self.cards.get(f"HAND {seat}", ()))
        return replace(board, recruits=self._row(board))

    def _row(self, board: Board) -> tuple[Recruit, ...]:
        """Return the recruits; those of which no line says whence they came were the last that left the pile."""
        backs = [back for _card, up, back in self.recruits if back or up]
        taken = {int(back.split(".")[1]) for back in backs if back and back.startswith(f"{board.deals}.")}
        free = [place for place in range(board.top) if place not in taken]
        needed = sum(not up and not back for _card, up, back in self.recruits)
        if needed > len(free):
            raise OrderError(Problem(0, "RECRUITS", _("so many cards have not left the pile")))
        places = iter(free[len(free) - needed :])
        row = []
        for card, up, back in self.recruits:
            deal, place = (0, 0) if up else tuple(map(int, back.split("."))) if back else (board.deals, next(places))
            row.append(Recruit(card, up, deal, place))
        return tuple(row)

    # the lines

    def line(self, line: Line) -> None:
        word, _blank, rest = line.text.partition(" ")
        head = WORDS.find(word.removesuffix(":"), line)
        rest = rest.strip()
        if head in _OF_SEATS:
            owner = self._seat(rest.partition(":")[0].strip(), line)
            where = f"{head} {owner}"
        if head in ("ROUND", "INITIATIVE", "DEAL"):
            once(self.said, line, head)
        match head:
            case "ROUND":
                self._round(line, rest)
            case "INITIATIVE":
                self.victor = self._seat(rest, line)
            case "DEAL":
                self._deal(line, rest)
            case "RECRUITS":
                self._recruits(line)
            case "ARMY":
                army = [self._follower(item, owner, line) for item in _items(line, where)]
                self.armies[owner] = (*self.armies.get(owner, ()), *army)
            case "PLACING":
                self.cards[head] = tuple(self._seat(item, line) for item in _items(line, head))
            case "OLD":
                self.cards[head] = tuple(find_card(item, line) for item in _items(line, head))
            case "TAKEN":
                self.cards[where] = tuple(find_card(item, line) for item in _items(line, where))
            case "HAND":
                self._list(line, where, LIMIT)
            case "WON":
                self._list(line, where)
            case "SUPPORTERS":
                self._list(line, head, len(self.seats))
            case _:
                self._list(line, head)

    def _round(self, line: Line, said: str) -> None:
        found = re.fullmatch(r"(\S+) (?:TURN (\S+) (\w+)|CLAIMS(?: (\w+))?)", said, re.IGNORECASE)
        if not found:
            raise line.refusal(_("this cannot be read"), legal=MOMENT)
        asked = found[3] or found[4]
        round_ = number(line, found[1], 1, MOST, f"ROUND {found[1]}")
        turn = number(line, found[2], 1, TURNS, f"TURN {found[2]}") if found[2] else 0
        self.moment = (round_, turn, self._seat(asked, line) if asked else "")

    def _deal(self, line: Line, said: str) -> None:
        found = re.fullmatch(r"(\S+) OF (\S+)", said.upper())
        if not found:
            raise line.refusal(_("this cannot be read"), legal=_("DEAL 2 of 61: the second shuffle, of 61 cards"))
        self.deals = number(line, found[1], 1, MOST, f"DEAL {found[1]}")
        self.dealt = number(line, found[2], 0, len(Agreed().cards) + 2, f"of {found[2]}")

    def _recruits(self, line: Line) -> None:
        for item in _items(line, "RECRUITS"):
            card, how = self._lay(item, line, "RECRUITS")
            found = re.fullmatch(r"(?:(down)(?: (\d+\.\d+))?)?", how, re.IGNORECASE)
            if not found:
                raise line.refusal(_("a recruit lies face-up, or down"), legal=f"{card}, {card} down", read=item)
            self.recruits.append((card, not found[1], found[2] or ""))
        if len(self.recruits) > RECRUITS:
            raise line.refusal(_("there are at most {n} recruits", n=RECRUITS), rule=_("Setting up the game"))

    def _follower(self, item: str, owner: str, line: Line) -> Follower:
        card, how = self._lay(item, line, f"ARMY {owner}")
        match how.lower().split():
            case []:
                return Follower(card)
            case ["down"]:
                return Follower(card, up=False, seen=(owner,))
            case ["down", "seen", first, *others]:
                return Follower(card, up=False, seen=tuple(self._seat(name, line) for name in (first, *others)))
            case ["active", *copied] if len(copied) <= 1:
                power = _CLANS.find(copied[0], line) if copied else clan(card)
                if power in LASTING:
                    return Follower(card, power=power)
                why, legal = _("only powers of the end of a round stay active"), ", ".join(sorted(LASTING))
                raise line.refusal(why, rule=_("Clan powers"), legal=legal, read=item)
        legal = f"{card}, {card} active, {card} down, {card} down seen {owner}"
        raise line.refusal(_("this does not say how it lies"), legal=legal, read=item)

    # what they are made of

    def _seat(self, word: str, line: Line) -> str:
        return Names(self.seats, N_("seat")).find(word, line)

    def _list(self, line: Line, head: str, most: int = len(Agreed().cards) + 2) -> None:
        """Note the cards of a line; `most` is how many can lie there."""
        found = []
        for item in _items(line, head):
            if item.lower() == REST and head in ("PILE", "DISCARDS"):
                self.rest = head
                continue
            card, how = self._lay(item, line, head)
            if how:
                raise line.refusal(_("a card alone stands here"), legal=card, read=item)
            found.append(card)
        self.cards[head] = (*self.cards.get(head, ()), *found)
        if len(self.cards[head]) > most:
            raise line.refusal(_("there are at most {n} cards", n=most))

    def _lay(self, item: str, line: Line, where: str) -> tuple[str, str]:
        """Note the place of a card, and return the card with its attribute."""
        found = _ITEM.fullmatch(item)
        card = find_card(found[1] if found else item, line)
        if card in self.laid:
            raise line.refusal(_("{card} is named already: {where}", card=card, where=self.laid[card]), read=item)
        self.laid[card] = where
        return card, (found[2] or "") if found else ""


def _of_a_turn(board: Board) -> Iterator[Flaw]:
    """Yield the flaws of a table in any turn of a round."""
    left = TURNS - board.turn
    if sum(not recruit.up for recruit in board.recruits) > left:
        yield Flaw(
            "RECRUITS",
            _("in turn {turn} at most {n} lie face-down: each turn one was turned up", turn=board.turn, n=left),
        )
    for seat in board.seats:
        if board.points(seat) >= board.terms.goal:
            yield Flaw(f"WON {seat}", _("with {n} points the game is over", n=board.terms.goal))
    if len(set(board.placing)) < len(board.placing):
        yield Flaw("PLACING", _("a seat is named twice"))


def _of_claims(board: Board, asked: str) -> Iterator[Flaw]:
    """Yield the flaws of a table on which supporters are claimed, by one seat or ("") by all who have a choice."""
    down = [f for army in board.armies.values() for f in army if not f.up] + [r for r in board.recruits if not r.up]
    if down:
        yield Flaw("CLAIMS", _("supporters are claimed when every follower and recruit lies face-up"))
    if not board.placing:
        yield Flaw("CLAIMS", _("nobody has an army"))
    elif (asked != "") != (board.terms.claims == "in turn"):
        yield Flaw("CLAIMS", _("with OPTION claims=in turn one seat is asked, else all together"))
    elif asked and asked not in board.placing:
        yield Flaw(f"CLAIMS {asked}", _("{seat} has no army, and claims nothing", seat=asked))
    elif not Claims("ask", _claimed(board, asked)).choosers(board):
        yield Flaw("CLAIMS", _("nobody has a choice: there must be more supporters than one claims"))


def _claimed(board: Board, asked: str) -> int:
    """Return how many have claimed before this seat."""
    return board.placing.index(asked) if asked else 0


def _items(line: Line, head: str) -> Iterator[str]:
    """Go through what a line lists behind its colon."""
    _head, colon, listed = line.text.partition(":")
    if not colon:
        raise line.refusal(_("what lies there stands behind a colon"), legal=f"{head}: …")
    yield from items(listed)
