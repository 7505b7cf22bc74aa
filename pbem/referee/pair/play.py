"""One seat's program in a game of two: it uses its own view, performs the acts it owes, and takes in the other's acts.

It may know only what its seat knows: its secret, the log, and what follows from them. It believes the other's statements about the
other's own part if they fit its own knowledge. The audit checks them once both secrets are shown.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import reduce
from itertools import takewhile
from typing import Any

from pbem.errors import Fault, FormError, OrderError, PbemError, Problem, UsageError
from pbem.i18n import N_, _
from pbem.kernel import Ask, Chance, Fact, Json, Order, Outcome, View
from pbem.kernel.knowing import Knowing, Publicly
from pbem.ledger import Entry, PrivateKey, cj, heard, own_part, player_root
from pbem.ledger.deck import Deck, DeckError, DeckName, Shuffler
from pbem.ledger.pair import PairCourse, Spoken, Vault, append, check_signed, checked, signed_turn
from pbem.ledger.pair.course import JOINS, blame_if, ended
from pbem.ledger.pair.forms import MAX_ACTS, MAX_ORDER
from pbem.ledger.pair.shown import ShownNumbers
from pbem.ledger.pair.vault import bound_by, read_kept, secret_of
from pbem.ledger.pair.writing import ROOM, WIDE
from pbem.ledger.patch import diff, fold
from pbem.referee.peer import HandedOver, Peer, Worked

from .ahead import deck_no, said_ahead
from .believing import is_told_its_own
from .certain import CertainFault, OwnGuesses
from .steps import (
    ANSWER,
    DECK,
    LINK,
    MEET,
    NUMBER,
    OPEN,
    OVER,
    PART,
    PLAY,
    PLEDGE,
    SHARE,
    TELL,
    Contest,
    Given,
    PairSteps,
    Pledge,
    Replied,
    TakesAct,
    WayBack,
    is_own_part,
    taken_back,
    why_unfit,
)

_NOWHERE = Spoken(0, "", 0, 0)
IMPOSSIBLE = (
    PbemError, ValueError, LookupError, TypeError, AttributeError, StopIteration, ArithmeticError, AssertionError,
    RecursionError,
)  # fmt: skip


class Unread(Order, form="{text}"):
    """An order that only its author can judge yet; he tells its result."""

    text: str


class PairPlay(PairSteps):
    """One seat of a game of two, from the joins on: `take_entry` goes through the log, and `turn` makes the entries to send."""

    def __init__(self, knowing: Knowing, course: PairCourse, vault: Vault, *, begins: bool = True) -> None:
        """Set up the state after the joins if the game `begins`; otherwise the caller sets the state."""
        super().__init__(knowing, course)
        self.vault, self.seat, self.other = vault, vault.seat, course.other(vault.seat)
        stop = self.game.start(course.first["opts"])
        self.peer = Peer(knowing, self.seat, self.seats, stop, OwnGuesses(vault.guesses))
        self.shown = self.peer.own
        """What this seat has seen when the rules stood still last: on the way between two questions no view can be shown."""
        self.hand: dict[tuple[int, int], str] = {}
        """The cards that were dealt to this seat, by deck and place."""
        self.news: list[tuple[int, Json]] = []
        """What this seat has heard, each with the entry that told it."""
        self.answered, self.marked = 0, (0, "")
        """How many questions this seat has answered; how many of them bore a mark, and what the last of those asked."""
        self._acts: list[dict[str, Json]] = []
        """What it has said in the turn that is not signed yet."""
        self._then: PrivateKey | None = None
        """The key that signs after the entry that announces it."""
        self._at = course.head[0]
        self.found: Fault | None = None
        """The other's fault, proved by what this seat showed last. This seat's turn is signed nevertheless, because it is the
        proof.
        """
        if begins:
            self._hear(fact for e in stop.events if isinstance(e, Fact) and (fact := e.heard_by(self.seat)) is not None)
            self.result = self.state.result
            self._go_on()

    @classmethod
    def of(cls, knowing: Knowing, entries: Sequence[Entry], key: PrivateKey) -> PairPlay:
        """Replay a log with the key of one of its players. Raises Fault, or UsageError if the key belongs to neither."""
        course = reduce(checked, entries[: JOINS + 1], PairCourse(shown=ShownNumbers(entries)))
        if not course.baton:
            raise UsageError(_("This game waits for its second player."))
        if why := why_unfit(knowing, course):
            raise UsageError(why)
        play = cls(knowing, course, vault_of(entries, key))
        for entry in entries[JOINS + 1 :]:
            play.take_entry(entry)
        return play

    def kept(self) -> Json | None:
        """Return as JSON what it knows beyond the log, to resume from there; None while there are unsigned acts."""
        if self._acts or self.found:
            return None
        way = self.way_back if self.course.decided else None
        return {
            **_kept(self._stands(_NOWHERE)),
            "result": self.result,
            "hand": [[no, place, card] for (no, place), card in self.hand.items()],
            "news": [list(one) for one in self.news],
            "back": None if way is None else {"n": way.n, "seat": way.seat, **_kept(way)},
        }

    @classmethod
    def again(cls, knowing: Knowing, course: PairCourse, vault: Vault, kept: Json) -> PairPlay:
        """Resume after a course from the JSON `kept` there."""
        play = cls(knowing, course, vault, begins=False)
        play.hand = {(no, place): card for no, place, card in kept["hand"]}
        play.news = [(n, fact) for n, fact in kept["news"]]
        play._at = course.head[0]
        if (back := kept["back"]) is not None:
            play._bring(back)
            play.way_back = play._stands(Spoken(back["n"], back["seat"], 0, 0))
            play.way_back.known["stand"] = back["stand"]
        play._bring(kept)
        play.result = kept["result"]
        return play

    def _bring(self, kept: Json) -> None:
        """Restore the kept state."""
        self._know(kept)
        self.links = _links(kept["links"])
        self.events, self.released = kept["events"], frozenset(kept["released"])
        self.given = Given(
            played={seat: (no, place, card) for seat, (no, place, card) in kept["played"].items()},
            parts=kept["parts"],
            pledges={
                seat: Pledge(text, shut, Spoken(at[0], seat, at[1], at[2]) if at else None)
                for seat, text, shut, at in kept["pledges"]
            },
            links=_links(kept["bound"]),
        )
        contest = kept["contest"]
        self.contest = contest and Contest(
            contest["about"], contest["pledges"], _links(contest["links"]), frozenset(contest["shown"])
        )
        for seat, (text, shut, at) in kept["answers"].items():
            spoken = Spoken(at[0], seat, at[1], at[2]) if at else None
            order = None if text is None else self._read(spoken or Spoken(self.course.head[0], seat, 0, 0), text)
            self.given = self.given.and_of(seat, answers=Replied(order, shut, spoken))

    def _known(self) -> Json:
        return {
            "public": self.peer.public,
            "own": self.peer.own,
            "shown": self.shown,
            "answered": [self.answered, *self.marked],
            "stand": sum(1 for _one in takewhile(lambda one: one[0] == self._at, reversed(self.news))),
        }

    def _know(self, known: Json) -> None:
        self.peer.look(known["public"], known["own"])
        self.shown = known["shown"]
        self.answered, *marked = known["answered"]
        self.marked = tuple(marked)

    def _know_again(self, way: WayBack) -> None:
        self._know(way.known)
        self._hear([taken_back(way, way.known["stand"])])

    @property
    def asked(self) -> tuple[str, ...]:
        """The seat with the open question, or the other seat while this one waits; nobody once the game is over."""
        if self.question is not None:
            return (self.seat,)
        return () if self.course.is_over else (self.course.baton,)

    @property
    def state(self) -> Any:
        return self.peer.guess

    @property
    def view(self) -> View:
        """What this seat sees, typed."""
        return self.game.own_view(self.peer.own)

    @property
    def question(self) -> Ask | None:
        """The present question to this seat; None during the other's turn, or without a question."""
        if self.course.baton != self.seat or self.needs().get(self.seat) != ANSWER:
            return None
        return self._ask()

    # -- the log ----------------------------------------------------------------------------------------------------

    def take_entry(self, entry: Entry, take: TakesAct | None = None) -> None:
        """Take the next turn of the log; `take` handles its acts instead of the play, and passes them on.

        Raises Fault; do not use the play after that.
        """
        self._at = entry.n
        check_signed(self.course, entry)
        self.take_turn(entry, take)

    def turn(
        self,
        key: PrivateKey,
        order: str | None = None,
        besides: Iterable[Mapping[str, Json]] = (),
        *,
        then: PrivateKey | None = None,
        plans: str = "",
    ) -> list[Entry]:
        """Return the signed entries that this seat has to send now; none if a question is open and `order` is None.

        `besides` are statements and quoted words, which come first. `plans` are the plans to pledge if a contest that they cover
        begins. `then` is the key that signs after an entry that announces it.

        Raises OrderError for an illegal order, without changing anything. The play has already taken the returned entries. If the
        acts shown prove a fault of the other (`found`), the turn ends there.
        """
        if self.course.baton != self.seat or self.course.is_over or self.found:
            return []
        self._at = self.course.head[0] + 1
        self._then = then
        text = None if order is None else self._legal(order)
        made: list[Entry] = []
        for act in besides:
            self._say(dict(act))
        if self.course.gone_back == self._at:
            return [self._sign(key, more=False)]
        while (owed := self.needs().get(self.seat)) is not None and (owed != ANSWER or text is not None):
            made += self._if_full(key)
            act = self._made(owed, len(self._acts), plans if owed == MEET else text or "")
            made += self._apart(act, key)
            self._say(act)
            if self.found:
                return [*made, self._sign(key, more=False)]
            if owed == PART and plans and (contest := self.begins_contest(self.seat)):
                self._pledge(contest, plans)
            text = None if owed == ANSWER else text
        if owed == ANSWER:
            return made  # what has been found out stays here until there is an answer
        for act in said_ahead(self):
            made += self._if_full(key) + self._apart(act, key)
            self._say(act)
            if self.found:
                break
        made.append(self._sign(key, more=False))
        return made

    def _if_full(self, key: PrivateKey) -> list[Entry]:
        """End the turn before an act for which there may be no room."""
        return [self._sign(key, more=True)] if len(self._acts) >= MAX_ACTS - 1 or len(cj(self._acts)) > ROOM else []

    def _apart(self, act: Mapping[str, Json], key: PrivateKey) -> list[Entry]:
        """End the turn before a deck that may not fit into one line with the earlier acts."""
        return [self._sign(key, more=True)] if self._acts and len(act.get("deck", ())) > WIDE else []

    def _say(self, act: dict[str, Json]) -> None:
        at = Spoken(self.course.head[0] + 1, self.seat, self.course.seats[self.seat].turns + 1, len(self._acts))
        try:
            self.take(at, act)
        except Fault as why:
            if why.party != self.other:
                raise
            self.found = why
        self._acts.append(act)

    def _sign(self, key: PrivateKey, *, more: bool) -> Entry:
        course, no = self.course, self.course.seats[self.seat].turns + 1
        tells = any(act["do"] == "rekey" for act in self._acts)
        if self._then and not tells and course.seats[self.seat].key == self._then.key_line:
            key = self._then
        entry = append(course.head, signed_turn(key, self.vault, no, course.head, self._acts, more=more))
        self._acts = []
        self.course = ended(course, entry)
        self._at = entry.n + 1
        return entry

    # -- what it says -----------------------------------------------------------------------------------------------

    def _legal(self, text: str) -> str:
        """Return an order's canonical text. Raises OrderError, or UsageError where nothing is asked."""
        if self.question is None:
            raise UsageError(_("You are not asked anything now."))
        order = self.game.parse(self.view, text)
        if refusal := self.game.why_not(self.view, order):
            raise OrderError(Problem(0, str(order), refusal.why, refusal.rule, refusal.legal))
        return str(order)

    def _made(self, owed: str, index: int, text: str) -> dict[str, Json]:
        match owed:
            case "answer":
                return self._answer(index, text)
            case "open":
                shut = self.given.pledges.get(self.seat) or self.given.answers[self.seat]
                said = str(shut.text if isinstance(shut, Pledge) else shut.order)
                at = shut.at
                assert at is not None  # noqa: S101 - a seal that is shut stands somewhere
                return {"do": OPEN, "salt": self.vault.salt(at.no, at.index, said), "text": said}
            case "meet":
                return {"do": MEET, "text": self._pledge_of(self.knowing.contest(self.state, self._orders()), text)}
            case "link":
                return self.link()
            case "part":
                with self._cannot_be(self._at, "TELL"):
                    return {"do": PART, "part": self.peer.part(self._worked())}
            case "tell":
                return self.due_tell(index)
            case "over":
                return {"do": OVER, "result": self.result, "secret": self.vault.secret}
        return self._of_deck(owed)

    def _answer(self, index: int, text: str) -> dict[str, Json]:
        ask = self._ask()
        if ask.secret == "no" or (ask.secret == "until resolved" and self.given.answers):
            return {"do": "order", "text": text}
        return {"do": "seal", **self._sealed(index, text)}

    def _pledge_of(self, contest: str, plans: str) -> str:
        """Return what plans say of a contest, if it is not too long to be shown."""
        pledge = self.knowing.pledge(contest, plans)
        return pledge if len(pledge) <= MAX_ORDER else ""

    def _pledge(self, contest: str, plans: str) -> None:
        if pledge := self._pledge_of(contest, plans):
            self._say({"do": PLEDGE, **self._sealed(len(self._acts), pledge)})

    def _sealed(self, index: int, text: str) -> dict[str, Json]:
        no = self.course.seats[self.seat].turns + 1
        return {"d": self.vault.sealed(no, index, text), "c": self.vault.hide(no, index, text)}

    def due_tell(self, index: int) -> dict[str, Json]:
        """Return what this seat has to tell of the next step, as the act at a place of its turn."""
        with self._cannot_be(self._at, "TELL"):
            worked = self._worked()
        facts, patch = list(worked.told.facts), diff(self.peer.public, worked.told.view)
        said = {"do": TELL, "facts": facts, "view": patch}
        # the patch is from nothing: it stands for itself
        own = own_part(
            {"facts": facts, "view": {}}, worked.handed[self.other].facts, {}, worked.handed[self.other].patch
        )
        if own["view"] or own["facts"] != list(range(len(facts))):
            seats = self.course.seats
            said["hand"] = self.vault.hand(seats[self.other].mix, seats[self.seat].turns + 1, index, own)
        return said

    def _worked(self) -> Worked:
        """Work out the next step, to tell its result: from this seat's view alone, so that its secret shows the same."""
        self.peer.look(self.peer.public, self.peer.own)
        return self.peer.work(self._inputs(), cards=self._cards_shown())

    def _of_deck(self, owed: str) -> dict[str, Json]:
        if owed == PLAY:
            return self._played()
        if owed == SHARE:
            no, place, _seat = next(one for one in self.lacking(self.shown_next()) if one[2] == self.other)
            return self.share(no, place)
        chance = self.game.wants(self.state)
        assert isinstance(chance, Chance)  # noqa: S101 - a deck is owed to a deal alone
        no = deck_no(chance.label)
        if owed == NUMBER:
            return {"do": NUMBER, "no": no - 1, "x": self.shuffler(no - 1).open()}
        return self.laid_out(no, chance.requests[0].of)  # type: ignore[union-attr]

    def link(self) -> dict[str, Json]:
        return {"do": LINK, "x": self.vault.chain.x(self.course.seats[self.seat].links + 1)}

    def share(self, no: int, place: int) -> dict[str, Json]:
        return {"do": SHARE, "no": no, **self.shuffler(no).share(place, self.course.decks[no].lies(place))}

    def laid_out(self, no: int, cards: tuple[str, ...]) -> dict[str, Json]:
        named = {} if no in self.course.decks else {"cards": list(cards)}
        return {"do": DECK, "no": no, **named, **self.shuffler(no, cards).shuffle()}

    def _played(self) -> dict[str, Json]:
        deck_of, called = self.course.decks, self._to_play()[self.seat]
        for (no, place), card in self.hand.items():
            held = no >= self.knowing.hands_from(self.state) and place not in deck_of[no].played
            if held and self.knowing.called(card) == called:
                return {"do": PLAY, "no": no, **self.shuffler(no).play(place, deck_of[no].shares[place])}
        raise UsageError(_("There is no {card} in your hand.", card=called))

    def shuffler(self, no: int, cards: tuple[str, ...] = ()) -> Shuffler:
        deck = self.course.decks.get(no) or Deck(DeckName(self.course.game, no, cards, self.seats))
        return Shuffler(deck.name, self.seat, self.vault.deck(no), deck.below(self.seat))

    # -- how it takes a step ----------------------------------------------------------------------------------------

    def _hear(self, facts: Iterable[Json]) -> None:
        self.news += [(self._at, fact) for fact in facts]

    def _read(self, at: Spoken, text: str) -> Order:
        if at.seat != self.seat and not self.knowing.hides_nothing and self.peer.knower() == at.seat:
            if not text.replace("\n", "").isprintable():
                raise CertainFault(at.n, "ILLEGAL", at.seat, _("This is not an order that anybody could type."))
            return Unread(text=text)
        with self._cannot_be(at.n, "ILLEGAL"):
            if at.seat == self.seat:
                return self._lawful(at, self.view, text)
            if self.knowing.hides_nothing:
                return self._lawful(at, self.game.own_view(self.knowing.view(self.state, at.seat)), text)
            return self._in_one_form(at, text, lambda: self.knowing.read(self.state, at.seat, text))

    def _answered(self, at: Spoken, answer: Replied) -> None:
        if at.seat == self.seat:
            ask = self._ask()
            self.answered, self.marked = self.answered + 1, (self.marked[0] + 1, ask.what) if ask.mark else self.marked
        super()._answered(at, answer)

    def _all_hear(self, fact: Json) -> None:
        self._hear([fact])

    def _unsealed(self, at: Spoken, hidden: str) -> str | None:
        return str(self.vault.read(at.no, at.index, hidden)) if at.seat == self.seat else None

    def _private(self, seat: str, i: int) -> str:
        return self.vault.private(i)

    def _dealt(self, no: int, place: int, seat: str) -> None:
        if seat != self.seat:
            return
        try:
            self.hand[no, place] = self.shuffler(no).look(place, self.course.decks[no].shares[place])
        except DeckError as why:
            raise Fault(self._at, "CARD", why.seat, str(why)) from None

    def _cards(self, chance: Chance) -> Outcome:
        no, drawn = deck_no(chance.label), chance.requests[0].n
        return (tuple(self.hand.get((no, place), "") for place in range(drawn)),)

    def _cards_shown(self) -> dict[tuple[str, int], str]:
        """Return the cards that the next step shows to this seat, or turns up for all, by their places."""
        found = {}
        for (label, place), seat in (self.shown_next() if self.peer.is_going else {}).items():
            if seat == self.seat:
                found[label, place] = self.hand[deck_no(label), place]
        return found | {(f"deal:{no}", place): card for no, place, card in self.given.played.values()}

    def _heard_part(self, at: Spoken, part: dict[str, Json]) -> None:
        if at.seat == self.seat:
            self._same(at, part, self._made(PART, at.index, "")["part"])
            return
        with self._cannot_be(at.n, "TELL"):
            fits = self.peer.fits(self.peer.work(self._inputs(), {at.seat: part}, self._cards_shown()))
        blame_if(not fits, at, "TELL", N_("What it tells fits no position."))

    @contextmanager
    def _cannot_be(self, n: int, code: str) -> Iterator[None]:
        """The other's words may be such that the rules cannot continue with them: then they were false."""
        try:
            yield
        except (Fault, OrderError):
            raise
        except IMPOSSIBLE as why:
            raise Fault(n, code, self.other, _("What it tells cannot be so ({why}).", why=repr(why))) from None

    def _same(self, at: Spoken, said: Json, due: Json) -> None:
        """Check that a seat's own acts in a log are those it would perform now; otherwise log and program do not match."""
        blame_if(cj(said) != cj(due), at, "TELL", N_("This is not what {seat} had to say here."), seat=at.seat)

    def _told(self, at: Spoken, act: Mapping[str, Json]) -> None:
        if at.seat == self.seat:
            worked = self._worked()
            self._same(at, act["facts"], list(worked.told.facts))
            self._same(at, act["view"], diff(self.peer.public, worked.told.view))
            self._hear(self.peer.go_on(worked))
            self._show()
            return
        own: Json = {"facts": list(range(len(act["facts"]))), "view": {}}
        with self._cannot_be(at.n, "TELL"):
            if "hand" in act:
                own = self.vault.read_hand(self.course.seats[at.seat].mix, at.seat, at.no, at.index, act["hand"])
            before, told = self.peer.public, Publicly(tuple(act["facts"]), fold(self.peer.public, act["view"]))
            facts = heard({"facts": act["facts"]}, own) if is_own_part(own, self.knowing.follows) else None
            fits = facts is not None and all(isinstance(fact, dict) and "f" in fact for fact in (*facts, *told.facts))
            if fits and facts is not None:
                sees = self.peer.own
                said = ((act["view"], False), (own["view"], True))
                if any(is_told_its_own(sees, before, patch, alone=alone) for patch, alone in said):
                    raise CertainFault(
                        at.n, "TELL", at.seat, _("It tells {seat} what only that seat can know.", seat=self.seat)
                    )
                self._hear(self.peer.hear(told, HandedOver(tuple(facts), own["view"])))
                fits = cj(self.knowing.view(self.state, None)) == cj(told.view)
                fits = fits and cj(act["view"]) == cj(diff(before, told.view))
        self._show()
        blame_if(not fits, at, "TELL", N_("What it tells fits no position."))

    def _go(self, given: Mapping[str, Order] | Outcome | None) -> tuple[str, ...]:
        with self._cannot_be(self._at, "ILLEGAL" if self.given.answers else "TELL"):
            return self._went(self.peer.work(given, cards=self._cards_shown()))

    def _go_together(self, given: Mapping[str, Order] | Outcome | None) -> tuple[str, ...]:
        parts = {self.other: self.given.parts[self.other]}
        with self._cannot_be(self._at, "TELL"):
            return self._went(self.peer.work(given, parts, cards=self._cards_shown()))

    def _went(self, worked: Worked) -> tuple[str, ...]:
        self._hear(self.peer.go_on(worked))
        self._show()
        return worked.released

    def _show(self) -> None:
        if not self.peer.is_going:
            self.shown = self.peer.own


def _links(kept: Json) -> dict[str, tuple[int, str]]:
    return {seat: (n, x) for seat, (n, x) in kept.items()}


def _kept(way: WayBack) -> dict[str, Json]:
    given = way.given
    return {
        "answers": {
            seat: [
                None if answer.order is None else str(answer.order),
                answer.shut,
                [at.n, at.no, at.index] if (at := answer.at) else None,
            ]
            for seat, answer in given.answers.items()
        },
        "played": {seat: list(played) for seat, played in given.played.items()},
        "parts": given.parts,
        "pledges": [
            [seat, pledge.text, pledge.shut, [at.n, at.no, at.index] if (at := pledge.at) else None]
            for seat, pledge in given.pledges.items()
        ],
        "contest": None
        if (contest := way.contest) is None
        else {
            "about": contest.about,
            "pledges": dict(contest.pledges),
            "links": {seat: list(shown) for seat, shown in contest.links.items()},
            "shown": sorted(contest.shown),
        },
        "bound": {seat: list(shown) for seat, shown in given.links.items()},
        "links": {seat: list(shown) for seat, shown in way.links.items()},
        "events": way.events,
        "released": sorted(way.released),
        **way.known,
    }


def vault_of(entries: Sequence[Entry], key: PrivateKey) -> Vault:
    """Return the vault of the player with this key. Raises UsageError if the key does not belong to this game."""
    root, game = player_root(key), entries[0].hash
    for n, entry in enumerate(entries[1:]):
        fields = entry.fields
        if n < JOINS and fields["say"].get("key") == key.key_line:
            secret = secret_of(root, game, fields["by"])
            if bound_by(game, fields["by"], secret) == fields["say"]["bound"]:
                return Vault(game, fields["by"], secret)
        for act in _acts_of(fields):
            if isinstance(act, dict) and act.get("do") == "rekey" and act.get("key") == key.key_line:
                try:
                    return Vault(game, fields["by"], read_kept(root, game, fields["by"], act["kept"]))
                except (FormError, LookupError, TypeError):
                    continue
    raise UsageError(_("This key plays no seat of this game."))


def _acts_of(fields: Mapping[str, Any]) -> Sequence[Any]:
    """The acts of an entry that nobody has looked at yet."""
    say = fields.get("say")
    acts = say.get("acts") if isinstance(say, dict) else None
    return acts if isinstance(acts, list) else ()
