"""How far a log of two has come, as far as no rules are needed to know it: whose turn it is, links, seals, decks, secrets.

The verifier and both players' programs go by it alike: `take` judges a whole entry, `act` one thing that a seat says. Whether
what is said was due, and whether it is true, is for the rules.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field
from typing import Any, TypeAlias

from pbem.errors import Fault, FormError
from pbem.i18n import N_, _
from pbem.ledger.canon import cj_read, same
from pbem.ledger.chains import SEAT_LENGTH, link
from pbem.ledger.deck import Deck, DeckError, DeckName, ShownDeck
from pbem.ledger.group import Element, element
from pbem.ledger.keys import SAY, check_key_line, verify_sig
from pbem.ledger.log import Entry
from pbem.ledger.pair.opening import open_all
from pbem.ledger.pair.shown import ShownNumbers
from pbem.ledger.pair.vault import Vault, sealed
from pbem.ledger.shuffle import ShuffleProofs
from pbem.records import dataclass

JOINS = 2
"""So many entries behind the first one take the seats."""
SUPPLIER = "supplier"


@dataclass(frozen=True)
class Spoken:
    """Where something was said: entry, seat, number of the seat's turn, index of the act in it."""

    n: int
    seat: str
    no: int
    index: int


ANSWERS = ("seal", "order")


@dataclass(frozen=True)
class Decided:
    """What a turn ends with, answers and what comes of them by its author's word alone: with consent they are taken back."""

    at: Spoken
    """The first of these answers."""
    shut: tuple[Spoken, str] | None
    """The author's seal that was not opened before it."""


TakesAct: TypeAlias = Callable[[Spoken, dict[str, Any]], None]
"""Takes what a seat says: the course by itself, or the rules, which hand it on to the course."""


@dataclass
class Seated:
    """One seat: its key, what it has bound, and what it has shown."""

    key: str
    bound: str
    anchor: str
    mix: Element
    turns: int = 0
    link: str = ""
    links: int = 0
    shut: tuple[Spoken, str] | None = None
    """The seal that is not opened: where it stands, and its digest."""
    secret: str = ""
    seals: list[tuple[Spoken, str, str]] = field(default_factory=list)
    """Every seal: where, digest, what is hidden."""
    hands: list[tuple[Spoken, str]] = field(default_factory=list)
    decks: list[tuple[Spoken, int]] = field(default_factory=list)


@dataclass
class PairCourse:
    """The course of one log."""

    is_known = False
    """Was what comes now judged before?"""

    shown: ShownNumbers = field(default_factory=ShownNumbers, repr=False)
    """What is shown further down, where the whole log is at hand."""
    proofs: ShuffleProofs | None = field(default=None, repr=False)
    """Where the proofs of a whole log are judged together, behind its last entry; None: each as it comes."""
    game: str = ""
    first: dict[str, Any] = field(default_factory=dict)
    seats: dict[str, Seated] = field(default_factory=dict)
    head: tuple[int, str] = (-1, "0" * 64)
    baton: str = ""
    """Whose turn it is; "" while a seat is free, so that either may be taken."""
    decks: dict[int, Deck] = field(default_factory=dict)
    owners: dict[tuple[int, int], str] = field(default_factory=dict)
    """Whose a place of a deck is: by deck and place, the seat to which the other has given its share."""
    laid: dict[tuple[int, str], int] = field(default_factory=dict)
    """By deck and seat, the entry in which it was laid."""
    dead: set[int] = field(default_factory=set)
    """Decks that have been reckoned again."""
    numbers: dict[int, dict[str, str]] = field(default_factory=dict)
    lying: dict[int, Mapping[int, str]] = field(default_factory=dict)
    """What lay where in a deck that was reckoned again."""
    opened: dict[Spoken, str] = field(default_factory=dict)
    """What every seal holds, once both have shown their secrets."""
    offer: str = ""
    """Who has offered a draw that can be agreed to."""
    is_new_offer: bool = False
    """Was it said in the turn that goes on, by whose it is? Then his own answer in it does not end it."""
    met: str = ""
    """Who has met a pledge with plans in the open, until it is opened."""
    decided: Decided | None = None
    """What could be taken back, if nobody says anything else."""
    is_asked_back: bool = False
    """Is it asked back by what this turn quotes?"""
    gone_back: int = 0
    """The last entry by which something was taken back."""
    closed: tuple[str, str] = ("", "")
    """How the game has ended besides by its rules: “resigned” and who, or “agreed”."""
    signatures: int = 0
    digests: set[str] = field(default_factory=set)

    @property
    def names(self) -> tuple[str, str]:
        """The two seats, in the order of the rules."""
        return (self.first["seats"][0], self.first["seats"][1])

    def other(self, seat: str) -> str:
        """The other seat."""
        a, b = self.names
        return b if seat == a else a

    @property
    def owes_opening(self) -> str:
        """Who has the other's plans and link before him, and has not opened the pledge that they meet; "" for nobody."""
        return self.other(self.met) if self.met and not self.closed[0] else ""

    @property
    def is_over(self) -> bool:
        """Have both shown their secret?"""
        return len(self.seats) == JOINS and all(one.secret for one in self.seats.values())

    # -- entries ----------------------------------------------------------------------------------------------------

    def begin(self, entry: Entry) -> None:
        """Take entry 0."""
        self.game, self.first, self.head = entry.hash, entry.fields, (0, entry.hash)

    def key_of(self, fields: Mapping[str, Any]) -> str:
        """The key by which an entry ought to be signed. Raises Fault."""
        if fields["k"] == "join":
            return str(fields["say"].get("key"))
        if fields["by"] not in self.seats:
            raise Fault(fields["n"], "ORDERING", SUPPLIER, _("{seat} has no seat yet.", seat=fields["by"]))
        return self.seats[fields["by"]].key

    def is_signed(self, fields: Mapping[str, Any]) -> bool:
        """Is an entry signed by whoever it says it is by?"""
        self.signatures += 1
        try:
            return verify_sig(self.key_of(fields), SAY, cj_read(fields["say"]), fields["sig"])
        except FormError:
            return False

    def place(self, fields: Mapping[str, Any]) -> None:
        """Look whether what was signed was signed for this place, before its form is looked at. Raises Fault, the supplier's.

        Anybody may put here what a player has signed elsewhere: in another game, for another use, behind another entry.
        """
        say, seat, at = fields["say"], fields["by"], Spoken(fields["n"], SUPPLIER, 0, 0)
        _must(seat in self.names, at, "BIND", N_("{seat} is no seat of this game."), seat=seat)
        _must(say.get("act") == fields["k"], at, "BIND", N_("This was signed for another use."))
        _must(say.get("game") == self.game, at, "BIND", N_("This was signed for another game."))
        _must(say.get("seat") == seat, at, "BIND", N_("This was signed for another seat."))
        _must(same(say.get("seen"), list(self.head)), at, "SEEN", N_("It was not signed behind the entry above it."))

    def take(self, entry: Entry, act: TakesAct | None = None) -> None:
        """Take an entry whose signature, place and form are good; `act` takes what is said in it, in place of the course.

        Raises Fault; the course is not to be used after that.
        """
        n, seat, say = entry.n, entry.fields["by"], entry.fields["say"]
        at = Spoken(n, seat, 0, 0)
        if entry.k == "join":
            self._join(n, seat, say)
        else:
            _must(len(self.seats) == JOINS, at, "ORDERING", N_("A seat is free still."))
            _must(seat == self.baton, at, "ORDERING", N_("It is not the turn of {seat}."), seat=seat)
            _must(not self.is_over, at, "ORDERING", N_("The game is over."))
            _must(
                say["no"] == self.seats[seat].turns + 1,
                at,
                "ORDERING",
                N_("This is not the next turn of {seat}."),
                seat=seat,
            )
            _must(
                not any(map(is_asking_back, say["acts"])) or is_consent(say),
                at,
                "ORDERING",
                N_("Who lets the other take his answers back says nothing else in that turn."),
            )
            for index, said in enumerate(say["acts"]):
                (act or self.act)(Spoken(n, seat, say["no"], index), said)
            self.ended(entry)
        self.head = (n, entry.hash)

    def ended(self, entry: Entry) -> None:
        """Take note of a turn all of whose acts were taken: whose turn it is now."""
        seat, other = entry.fields["by"], self.other(entry.fields["by"])
        self.seats[seat].turns, self.head = entry.fields["say"]["no"], (entry.n, entry.hash)
        if not entry.fields["say"].get("more"):
            self.baton, self.is_new_offer = other, False

    def _join(self, n: int, seat: str, say: Mapping[str, Any]) -> None:
        at = Spoken(n, SUPPLIER, 0, 0)
        blame_if(seat in self.seats, at, "ORDERING", N_("{seat} is taken."), seat=seat)
        try:
            mix = element(say["mix"])  # of the key its signature has been asked
        except FormError as why:
            raise Fault(n, "SIG", SUPPLIER, str(why)) from None
        known = any(say["key"] == one.key or say["mix"] == one.mix.text for one in self.seats.values())
        blame_if(known, at, "BIND", N_("The other seat has this key."))
        self.seats[seat] = Seated(say["key"], say["bound"], say["anchor"], mix, link=say["anchor"])
        if "deck" in say:
            self._lays_first(Spoken(n, seat, 0, 0), say["deck"])
        if len(self.seats) == JOINS:
            self.baton = seat  # who joins last goes on in the same mail

    def _lays_first(self, at: Spoken, laid: Mapping[str, Any]) -> None:
        """Take the first deck, which goes with the join of the first seat. Raises Fault, the supplier's, as a join's is."""
        try:
            self._deck(at, self.seats[at.seat], {"no": 1, **laid})
        except (Fault, DeckError) as why:
            raise Fault(at.n, "CARD", SUPPLIER, str(why)) from None

    # -- acts -------------------------------------------------------------------------------------------------------

    def act(self, at: Spoken, act: Mapping[str, Any]) -> None:
        """Take what a seat says. Raises Fault."""
        # behind its end everything has been opened: what is said there, nobody would open
        _must(not self.is_over, at, "ORDERING", N_("The game is over."))
        seated = self.seats[at.seat]
        if self.begins_to_decide(at, act):
            self.decided = Decided(at, seated.shut)
        elif not self._leads_on(at, act):
            self.decided = None
        try:
            getattr(self, f"_{act['do']}")(at, seated, act)
        except DeckError as why:
            raise Fault(at.n, "CARD", why.seat, str(why)) from None

    def begins_to_decide(self, at: Spoken, act: Mapping[str, Any]) -> bool:
        """Is an act an answer behind which one can go back, and none before it?"""
        return act["do"] in ANSWERS and (self.decided is None or self.decided.at.n != at.n)

    def _leads_on(self, at: Spoken, act: Mapping[str, Any]) -> bool:
        """Does an act leave the way back open? What its author works out by himself tells him nothing."""
        if act["do"] in (*ANSWERS, "tell"):
            return self.decided is not None and self.decided.at.n == at.n
        return is_asking_back(act) or self.is_asked_back

    def _seal(self, at: Spoken, seated: Seated, act: Mapping[str, Any]) -> None:
        _must(act["d"] not in self.digests, at, "SEALBIND", N_("This digest stands in the log already."))
        self.digests.add(act["d"])
        self._decided()
        seated.shut = (at, act["d"])
        seated.seals.append((at, act["d"], act["c"]))

    _pledge = _seal  # plans that are sealed are opened like an answer

    def _meet(self, at: Spoken, seated: Seated, act: Mapping[str, Any]) -> None:
        """Whether it was due is for the rules."""
        self._decided()
        self.met = at.seat if act["text"] else ""

    def _order(self, at: Spoken, seated: Seated, act: Mapping[str, Any]) -> None:
        """Whether an answer was due is for the rules."""
        self._decided()

    def _decided(self) -> None:
        """Somebody decides how to play on: that ends an offer, but for one that he makes in the same turn."""
        if not self.is_new_offer:
            self.offer = ""

    def _open(self, at: Spoken, seated: Seated, act: Mapping[str, Any]) -> None:
        where, digest = seated.shut or (at, "")
        _must(digest != "", at, "STRAY", N_("There is no seal to be opened."))
        opened = sealed(self.game, at.seat, where.no, where.index, act["salt"], act["text"])
        _must(opened == digest, at, "SEALBIND", N_("This is not what was sealed."))
        seated.shut, self.met = None, ""

    def _link(self, at: Spoken, seated: Seated, act: Mapping[str, Any]) -> None:
        i = seated.links + 1
        leads = i <= SEAT_LENGTH and link(self.game, f"seat:{at.seat}", i, act["x"]) == seated.link
        _must(leads, at, "LINK", N_("The link does not lead to the one before it."))
        seated.link, seated.links = act["x"], i

    def _tell(self, at: Spoken, seated: Seated, act: Mapping[str, Any]) -> None:
        if "hand" in act:
            seated.hands.append((at, act["hand"]))

    def _part(self, at: Spoken, seated: Seated, act: Mapping[str, Any]) -> None:
        """What a part holds is for the rules."""

    def _deck(self, at: Spoken, seated: Seated, act: Mapping[str, Any]) -> None:
        no = act["no"]
        is_named = ("cards" in act) == (no not in self.decks)
        _must(is_named, at, "CARD", N_("Who lays a deck out names its cards, and nobody else."))
        if no not in self.decks:
            is_next = no == len(self.decks) + 1 and (no == 1 or len(self.decks[no - 1].shares) > 0)
            _must(is_next, at, "CARD", N_("Deck {no} is not the next one."), no=no)
            differ = len(set(act["cards"])) == len(act["cards"])
            _must(differ, at, "CARD", N_("Two cards of a deck are called alike."))
            deck = self._new_deck(DeckName(self.game, no, tuple(act["cards"]), self.names))
            deck.take_deck(at.seat, act)
            self.decks[no] = deck
        else:
            self.decks[no].take_deck(at.seat, act)
        seated.decks.append((at, no))
        self.laid[no, at.seat] = at.n

    def _new_deck(self, name: DeckName) -> Deck:
        numbers = self.shown.numbers(name)
        return ShownDeck(name, numbers=numbers, proofs=self.proofs) if numbers else Deck(name, proofs=self.proofs)

    def _share(self, at: Spoken, seated: Seated, act: Mapping[str, Any]) -> None:
        deck = self._known(at, act)
        _must(act["place"] not in deck.shares, at, "CARD", N_("This share was given before."))
        deck.take_share(at.seat, act, self.other(at.seat))
        self.owners[act["no"], act["place"]] = self.other(at.seat)

    def _play(self, at: Spoken, seated: Seated, act: Mapping[str, Any]) -> None:
        deck = self._known(at, act)
        deck.take_play(at.seat, act, self.owners.get((act["no"], act["place"]), self.other(at.seat)))

    def _number(self, at: Spoken, seated: Seated, act: Mapping[str, Any]) -> None:
        deck, given = self._known(at, act), self.numbers.setdefault(act["no"], {})
        _must(at.seat not in given, at, "CARD", N_("The number of this deck was shown before."))
        is_played = len(deck.laid) == len(deck.name.seats) and deck.shares.keys() <= deck.played.keys()
        _must(is_played, at, "CARD", N_("Cards of this deck are in hands still."))
        deck.take_number(at.seat, act["x"])
        given[at.seat] = act["x"]
        if len(given) == len(deck.name.seats):
            self._reckon(deck, given)
            self.dead.add(act["no"])

    def _reckon(self, deck: Deck, opened: Mapping[str, str]) -> None:
        """Reckon a deck again by both numbers. Raises Fault, where it was laid by whoever laid other cards."""
        try:
            self.lying[deck.name.no] = deck.take_openings(opened)
        except DeckError as why:
            raise Fault(self.laid[deck.name.no, why.seat], "CARD", why.seat, str(why)) from None

    def _say(self, at: Spoken, seated: Seated, act: Mapping[str, Any]) -> None:
        _must(not self.closed[0], at, "ORDERING", N_("The game is over."))
        self._said(at, at.seat, act["what"])

    def _said(self, at: Spoken, seat: str, what: str) -> None:
        if what == "back":
            self.is_asked_back = True
        elif what == "agree" and self.is_asked_back:
            self._go_back(at)
        elif what == "agree":
            _must(self.offer == self.other(seat), at, "BIND", N_("There is no offer to agree to."))
            self.closed = ("agreed", "")
        elif what == "resign":
            self.closed = ("resigned", seat)
        else:
            self.offer, self.is_new_offer = seat, seat == at.seat

    def _go_back(self, at: Spoken) -> None:
        """The answers that were asked back count no more, and no offer does. What they sealed is opened at the end all the same."""
        assert self.decided is not None  # noqa: S101 - they were asked back
        self.seats[self.decided.at.seat].shut = self.decided.shut
        self.decided, self.is_asked_back, self.offer, self.gone_back = None, False, "", at.n

    def can_go_back(self, seat: str) -> bool:
        """Did a seat say last what it may take back, if the other consents?"""
        return self.decided is not None and self.decided.at.seat == seat and self.decided.at.n == self.head[0]

    def _word(self, at: Spoken, seated: Seated, act: Mapping[str, Any]) -> None:
        say, other = act["say"], self.other(at.seat)
        is_here = say["seat"] == other and say["game"] == self.game and say["seen"] == list(self.head)
        is_due = is_here and not self.closed[0]
        _must(is_due, at, "BIND", N_("What is quoted was not said to the entry above this turn."))
        has_back = say["what"] != "back" or self.can_go_back(other)
        _must(has_back, at, "BIND", N_("There is nothing that {seat} could take back."), seat=other)
        self.signatures += 1
        is_signed = verify_sig(self.seats[other].key, SAY, cj_read(say), act["sig"])
        _must(is_signed, at, "SIG", N_("What is quoted was not signed by {seat}."), seat=other)
        self._said(at, other, say["what"])

    def _rekey(self, at: Spoken, seated: Seated, act: Mapping[str, Any]) -> None:
        try:
            check_key_line(act["key"])
        except FormError as why:
            raise Fault(at.n, "SIG", at.seat, str(why)) from None
        is_new = all(act["key"] != one.key for one in self.seats.values())
        _must(is_new, at, "BIND", N_("The key is one that this game has already."))
        seated.key = act["key"]

    def _over(self, at: Spoken, seated: Seated, act: Mapping[str, Any]) -> None:
        _must(not seated.secret, at, "ORDERING", N_("The secret of {seat} was shown before."), seat=at.seat)
        is_bound = Vault(self.game, at.seat, act["secret"]).bound == seated.bound
        _must(is_bound, at, "SEALBIND", N_("This is not the secret that {seat} has bound."), seat=at.seat)
        seated.secret = act["secret"]
        open_all(self, at.seat)

    def vault(self, seat: str) -> Vault:
        """What a seat has shown, once it has."""
        return Vault(self.game, seat, self.seats[seat].secret)

    def _known(self, at: Spoken, act: Mapping[str, Any]) -> Deck:
        _must(act["no"] in self.decks, at, "CARD", N_("There is no deck {no}."), no=act["no"])
        return self.decks[act["no"]]


def blame_if(wrong: object, at: Spoken, code: str, reason: str, /, **values: object) -> None:
    """Blame who said something, where that is wrong. Raises Fault."""
    if wrong:
        raise Fault(at.n, code, at.seat, _(reason, **values))


def _must(holds: object, at: Spoken, code: str, reason: str, /, **values: object) -> None:
    blame_if(not holds, at, code, reason, **values)


def is_asking_back(act: Mapping[str, Any]) -> bool:
    """Does an act quote that its author's friend wants his answers back?"""
    return bool(act["do"] == "word" and act["say"]["what"] == "back")


def is_consent(say: Mapping[str, Any]) -> bool:
    """Does a turn quote that, agree to it, and say nothing else?"""
    acts = say.get("acts", ())
    return (
        bool(acts) and is_asking_back(acts[0]) and acts[1:] == [{"do": "say", "what": "agree"}] and not say.get("more")
    )
