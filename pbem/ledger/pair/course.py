"""The state of a log of two that can be known without rules: the seat to move, links, seals, decks, secrets.

A `PairCourse` is a value. `after` returns the one after a whole entry. `said` returns the one after a single act, for the rules,
which go through a turn act by act. Both raise Fault for anything that may not come next. The verifier and both players' programs
use them alike. The rules decide whether an act was due, and whether it is true.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field
from functools import reduce
from typing import Any, TypeAlias, cast

from pbem.errors import Fault, FormError
from pbem.i18n import N_, _
from pbem.ledger.canon import cj_read, same
from pbem.ledger.chains import SEAT_LENGTH, link
from pbem.ledger.deck import Deck, DeckError, DeckName, KnownDeck, ShownDeck
from pbem.ledger.group import Element, element
from pbem.ledger.keys import SAY, check_key_line, verify_sig
from pbem.ledger.log import Entry
from pbem.ledger.pair.opening import open_all
from pbem.ledger.pair.shown import ShownNumbers
from pbem.ledger.pair.vault import Vault, sealed
from pbem.ledger.patch import changed
from pbem.ledger.shuffle import ShuffleProofs
from pbem.ledger.statements import is_asking_back, is_consent
from pbem.records import dataclass

JOINS = 2
"""The number of joins after the first entry."""
SUPPLIER = "supplier"
ANSWERS = ("seal", "order")
Act: TypeAlias = Mapping[str, Any]


@dataclass(frozen=True)
class Spoken:
    """Where something was said: entry, seat, number of the seat's turn, index of the act in it."""

    n: int
    seat: str
    no: int
    index: int


@dataclass(frozen=True)
class Decided:
    """What a turn ends with, answers and what comes of them by its author's word alone: with consent they are taken back."""

    at: Spoken
    """The first of the given answers."""
    shut: tuple[Spoken, str] | None
    """The author's seal that was not opened before it."""


@dataclass(frozen=True)
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
    """The seal that is not opened yet: its place and its digest."""
    secret: str = ""
    seals: tuple[tuple[Spoken, str, str], ...] = ()
    """Every seal not opened by a secret: place, digest, hidden content."""
    hands: tuple[tuple[Spoken, str], ...] = ()
    decks: tuple[tuple[Spoken, int], ...] = ()


@dataclass(frozen=True)
class PairCourse:
    """The course of one log."""

    is_known: bool = False
    """Was what comes now judged before? Then costly checks are left out."""
    shown: ShownNumbers = field(default_factory=ShownNumbers, repr=False)
    """Secrets and numbers that the log shows later, if the whole log is available."""
    proofs: ShuffleProofs | None = field(default=None, repr=False)
    """Where the proofs of a whole log are judged together, behind its last entry; None: each as it comes."""
    game: str = ""
    first: Mapping[str, Any] = field(default_factory=dict)
    seats: Mapping[str, Seated] = field(default_factory=dict)
    head: tuple[int, str] = (-1, "0" * 64)
    baton: str = ""
    """The seat to move; "" while a seat is free, so that either may be taken."""
    decks: Mapping[int, Deck] = field(default_factory=dict)
    owners: Mapping[tuple[int, int], str] = field(default_factory=dict)
    """The owner of a place of a deck: by deck and place, the seat to which the other has given its share."""
    laid: Mapping[tuple[int, str], int] = field(default_factory=dict)
    """By deck and seat, the entry in which it was laid."""
    dead: frozenset[int] = frozenset()
    """Decks that have been checked with both numbers."""
    numbers: Mapping[int, Mapping[str, str]] = field(default_factory=dict)
    lying: Mapping[int, Mapping[int, str]] = field(default_factory=dict)
    """The card at each place of a checked deck."""
    opened: Mapping[Spoken, str] = field(default_factory=dict)
    """The content of every seal, once both have shown their secrets."""
    offer: str = ""
    """The seat with an open offer of a draw."""
    is_new_offer: bool = False
    """Whether that seat made the offer in its current turn. If so, its own answer in that turn does not end it."""
    met: str = ""
    """The seat that has met a pledge with plans in the open, until the pledge is opened."""
    decided: Decided | None = None
    """The answers that can be taken back if no further statement prevents it."""
    is_asked_back: bool = False
    """Is it asked back by what this turn quotes?"""
    gone_back: int = 0
    """The last entry by which something was taken back."""
    closed: tuple[str, str] = ("", "")
    """How the game has ended other than by its rules: “resigned” with the seat, or “agreed”."""
    digests: frozenset[str] = frozenset()

    def but(self, **changes: Any) -> PairCourse:
        """Return this with some fields changed."""
        return changed(self, **changes)

    def seat_but(self, seat: str, **changes: Any) -> PairCourse:
        """Return this with some fields of one seat changed."""
        return changed(self, seats={**self.seats, seat: changed(self.seats[seat], **changes)})

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
        """The seat that knows the other's plans and link but has not opened its own pledge; "" for nobody."""
        return self.other(self.met) if self.met and not self.closed[0] else ""

    @property
    def is_over(self) -> bool:
        """Have both shown their secret?"""
        return len(self.seats) == JOINS and all(one.secret for one in self.seats.values())

    def vault(self, seat: str) -> Vault:
        """What a seat has shown, once it has."""
        return Vault(self.game, seat, self.seats[seat].secret)

    def can_go_back(self, seat: str) -> bool:
        """Did a seat say last what it may take back, if the other consents?"""
        return self.decided is not None and self.decided.at.seat == seat and self.decided.at.n == self.head[0]

    def begins_to_decide(self, at: Spoken, act: Act) -> bool:
        """Is an act an answer behind which one can go back, and none before it?"""
        return act["do"] in ANSWERS and (self.decided is None or self.decided.at.n != at.n)


def known_course(entries: Sequence[Entry], *, goes_on: bool = False) -> PairCourse:
    """Return the course after entries that this program has checked before; with `goes_on`, the entries after them were checked
    too.

    Signatures, proofs and orders of elements are not checked again. The caller is certain of the entries: it knows their hash from
    a note that nobody else can have written.
    """
    course = reduce(after, entries, PairCourse(is_known=True))
    decks = {no: changed(cast("KnownDeck", deck), is_known=False) for no, deck in course.decks.items()}
    return course if goes_on else course.but(is_known=False, decks=decks)


# -- entries ----------------------------------------------------------------------------------------------------------------


def signer(course: PairCourse, fields: Mapping[str, Any]) -> str:
    """Return the key by which an entry ought to be signed. Raises Fault."""
    if fields["k"] == "join":
        return str(fields["say"].get("key"))
    if fields["by"] not in course.seats:
        raise Fault(fields["n"], "ORDERING", SUPPLIER, _("{seat} has no seat yet.", seat=fields["by"]))
    return course.seats[fields["by"]].key


def check_place(course: PairCourse, fields: Mapping[str, Any]) -> None:
    """Check that a statement was signed for this place, before checking its form. Raises Fault, the supplier's.

    Anybody may put here a statement that a player signed elsewhere: in another game, for another use, after another entry.
    """
    say, seat, at = fields["say"], fields["by"], Spoken(fields["n"], SUPPLIER, 0, 0)
    _must(seat in course.names, at, "BIND", N_("{seat} is not a seat of this game."), seat=seat)
    _must(say.get("act") == fields["k"], at, "BIND", N_("This was signed for another use."))
    _must(say.get("game") == course.game, at, "BIND", N_("This was signed for another game."))
    _must(say.get("seat") == seat, at, "BIND", N_("This was signed for another seat."))
    _must(same(say.get("seen"), list(course.head)), at, "SEEN", N_("It was not signed behind the entry above it."))


def after(course: PairCourse, entry: Entry) -> PairCourse:
    """Return the course behind an entry with a correct signature, place and form. Raises Fault."""
    match entry.k:
        case "game":
            return course.but(game=entry.hash, first=entry.fields, head=(0, entry.hash))
        case "join":
            return _joined(course, entry).but(head=(entry.n, entry.hash))
    check_turn(course, entry)
    for at, act in acts_in(entry):
        course = said(course, at, act)
    return ended(course, entry)


def check_turn(course: PairCourse, entry: Entry) -> None:
    """Look whether a turn may come now, whatever it says. Raises Fault."""
    n, seat, say = entry.n, entry.fields["by"], entry.fields["say"]
    at = Spoken(n, seat, 0, 0)
    _must(len(course.seats) == JOINS, at, "ORDERING", N_("A seat is free still."))
    _must(seat == course.baton, at, "ORDERING", N_("It is not the turn of {seat}."), seat=seat)
    _must(not course.is_over, at, "ORDERING", N_("The game is over."))
    is_next = say["no"] == course.seats[seat].turns + 1
    _must(is_next, at, "ORDERING", N_("This is not the next turn of {seat}."), seat=seat)
    _must(
        not any(map(is_asking_back, say["acts"])) or is_consent(say),
        at,
        "ORDERING",
        N_("A turn that lets the other player take back his answers must contain nothing else."),
    )


def acts_in(entry: Entry) -> Iterator[tuple[Spoken, dict[str, Any]]]:
    """Go through what a turn says, each with its place."""
    seat, say = entry.fields["by"], entry.fields["say"]
    for index, act in enumerate(say["acts"]):
        yield Spoken(entry.n, seat, say["no"], index), act


def ended(course: PairCourse, entry: Entry) -> PairCourse:
    """Return the course behind a turn after all its acts were taken, with the next seat to move."""
    seat, say = entry.fields["by"], entry.fields["say"]
    course = course.seat_but(seat, turns=say["no"]).but(head=(entry.n, entry.hash))
    return course if say.get("more") else course.but(baton=course.other(seat), is_new_offer=False)


def _joined(course: PairCourse, entry: Entry) -> PairCourse:
    n, seat, say = entry.n, entry.fields["by"], entry.fields["say"]
    at = Spoken(n, SUPPLIER, 0, 0)
    blame_if(seat in course.seats, at, "ORDERING", N_("{seat} is taken."), seat=seat)
    try:
        mix = element(say["mix"])  # of the key its signature has been asked
    except FormError as why:
        raise Fault(n, "SIG", SUPPLIER, str(why)) from None
    is_had = any(say["key"] == one.key or say["mix"] == one.mix.text for one in course.seats.values())
    blame_if(is_had, at, "BIND", N_("The other seat has this key."))
    seated = Seated(say["key"], say["bound"], say["anchor"], mix, link=say["anchor"])
    course = course.but(seats={**course.seats, seat: seated})
    if (
        "deck" in say
    ):  # the first deck goes with the join of the first seat, and what is wrong with a join is the supplier's
        try:
            course = _deck(course, Spoken(n, seat, 0, 0), {"no": 1, **say["deck"]})
        except (Fault, DeckError) as why:
            raise Fault(n, "CARD", SUPPLIER, str(why)) from None
    return course.but(baton=seat) if len(course.seats) == JOINS else course  # who joins last goes on in the same mail


# -- acts -------------------------------------------------------------------------------------------------------------------


def said(course: PairCourse, at: Spoken, act: Act) -> PairCourse:
    """Return the course behind one thing that a seat says. Raises Fault."""
    # behind its end everything has been opened: what is said there, nobody would open
    _must(not course.is_over, at, "ORDERING", N_("The game is over."))
    if course.begins_to_decide(at, act):
        course = course.but(decided=Decided(at, course.seats[at.seat].shut))
    elif not _leads_on(course, at, act):
        course = course.but(decided=None)
    try:
        return _ACTS[act["do"]](course, at, act)
    except DeckError as why:
        raise Fault(at.n, "CARD", why.seat, str(why)) from None


def _leads_on(course: PairCourse, at: Spoken, act: Act) -> bool:
    """Does an act leave the way back open? What its author works out by himself tells him nothing."""
    if act["do"] in (*ANSWERS, "tell"):
        return course.decided is not None and course.decided.at.n == at.n
    return is_asking_back(act) or course.is_asked_back


def _seal(course: PairCourse, at: Spoken, act: Act) -> PairCourse:
    _must(act["d"] not in course.digests, at, "SEALBIND", N_("This digest is already in the log."))
    seals = (*course.seats[at.seat].seals, (at, act["d"], act["c"]))
    course = course.seat_but(at.seat, shut=(at, act["d"]), seals=seals)
    return _decides(course.but(digests=course.digests | {act["d"]}))


def _meet(course: PairCourse, at: Spoken, act: Act) -> PairCourse:
    """Whether it was due is for the rules."""
    return _decides(course.but(met=at.seat if act["text"] else ""))


def _order(course: PairCourse, _at: Spoken, _act: Act) -> PairCourse:
    """Whether an answer was due is for the rules."""
    return _decides(course)


def _decides(course: PairCourse) -> PairCourse:
    """Somebody decides how to play on: that ends an offer, but for one that he makes in the same turn."""
    return course if course.is_new_offer else course.but(offer="")


def _open(course: PairCourse, at: Spoken, act: Act) -> PairCourse:
    where, digest = course.seats[at.seat].shut or (at, "")
    _must(digest != "", at, "STRAY", N_("There is no seal to open."))
    opened = sealed(course.game, at.seat, where.no, where.index, act["salt"], act["text"])
    _must(opened == digest, at, "SEALBIND", N_("This is not the value that was sealed."))
    return course.seat_but(at.seat, shut=None).but(met="")


def _link(course: PairCourse, at: Spoken, act: Act) -> PairCourse:
    seated = course.seats[at.seat]
    i = seated.links + 1
    leads = i <= SEAT_LENGTH and link(course.game, f"seat:{at.seat}", i, act["x"]) == seated.link
    _must(leads, at, "LINK", N_("The link does not lead to the one before it."))
    return course.seat_but(at.seat, link=act["x"], links=i)


def _tell(course: PairCourse, at: Spoken, act: Act) -> PairCourse:
    hands = course.seats[at.seat].hands
    return course.seat_but(at.seat, hands=(*hands, (at, act["hand"]))) if "hand" in act else course


def _part(course: PairCourse, _at: Spoken, _act: Act) -> PairCourse:
    """Take a part; its content is judged by the rules."""
    return course


def _deck(course: PairCourse, at: Spoken, act: Act) -> PairCourse:
    no, decks = act["no"], course.decks
    is_named = ("cards" in act) == (no not in decks)
    _must(is_named, at, "CARD", N_("The player who lays out a deck must name its cards; nobody else may."))
    if no not in decks:
        is_next = no == len(decks) + 1 and (no == 1 or len(decks[no - 1].shares) > 0)
        _must(is_next, at, "CARD", N_("Deck {no} is not the next one."), no=no)
        differ = len(set(act["cards"])) == len(act["cards"])
        _must(differ, at, "CARD", N_("Two cards of a deck are called alike."))
    deck = decks[no] if no in decks else _new_deck(course, no, act["cards"])
    course = _with_deck(course, deck.take_deck(at.seat, act))
    course = course.seat_but(at.seat, decks=(*course.seats[at.seat].decks, (at, no)))
    return course.but(laid={**course.laid, (no, at.seat): at.n})


def _new_deck(course: PairCourse, no: int, cards: list[str]) -> Deck:
    name = DeckName(course.game, no, tuple(cards), course.names)
    if course.is_known:
        return KnownDeck(name)
    numbers = course.shown.numbers(name)
    return ShownDeck(name, numbers=numbers, proofs=course.proofs) if numbers else Deck(name, proofs=course.proofs)


def _with_deck(course: PairCourse, deck: Deck) -> PairCourse:
    return course.but(decks={**course.decks, deck.name.no: deck})


def _deck_of(course: PairCourse, at: Spoken, act: Act) -> Deck:
    _must(act["no"] in course.decks, at, "CARD", N_("There is no deck {no}."), no=act["no"])
    return course.decks[act["no"]]


def _share(course: PairCourse, at: Spoken, act: Act) -> PairCourse:
    deck, other = _deck_of(course, at, act), course.other(at.seat)
    _must(act["place"] not in deck.shares, at, "CARD", N_("This share was given before."))
    course = _with_deck(course, deck.take_share(at.seat, act, other))
    return course.but(owners={**course.owners, (act["no"], act["place"]): other})


def _play(course: PairCourse, at: Spoken, act: Act) -> PairCourse:
    deck = _deck_of(course, at, act)
    owner = course.owners.get((act["no"], act["place"]), course.other(at.seat))
    return _with_deck(course, deck.take_play(at.seat, act, owner))


def _number(course: PairCourse, at: Spoken, act: Act) -> PairCourse:
    no, deck = act["no"], _deck_of(course, at, act)
    given = course.numbers.get(no, {})
    _must(at.seat not in given, at, "CARD", N_("The number of this deck was shown before."))
    is_played = len(deck.laid) == len(deck.name.seats) and deck.shares.keys() <= deck.played.keys()
    _must(is_played, at, "CARD", N_("Cards of this deck are in hands still."))
    deck.number_of(at.seat, act["x"])
    given = {**given, at.seat: act["x"]}
    course = course.but(numbers={**course.numbers, no: given})
    if len(given) < len(deck.name.seats):
        return course
    try:
        lying = deck.reckoned(given)
    except DeckError as why:  # it is theirs who laid other cards, where they did
        raise Fault(course.laid[no, why.seat], "CARD", why.seat, str(why)) from None
    return course.but(lying={**course.lying, no: lying}, dead=course.dead | {no})


def _say(course: PairCourse, at: Spoken, act: Act) -> PairCourse:
    _must(not course.closed[0], at, "ORDERING", N_("The game is over."))
    return _told(course, at, at.seat, act["what"])


def _told(course: PairCourse, at: Spoken, seat: str, what: str) -> PairCourse:
    """Apply a statement outside play, made directly or quoted."""
    match what:
        case "back":
            return course.but(is_asked_back=True)
        case "agree" if course.is_asked_back:
            return _gone_back(course, at)
        case "agree":
            _must(course.offer == course.other(seat), at, "BIND", N_("There is no offer to agree to."))
            return course.but(closed=("agreed", ""))
        case "resign":
            return course.but(closed=("resigned", seat))
    return course.but(offer=seat, is_new_offer=seat == at.seat)


def _gone_back(course: PairCourse, at: Spoken) -> PairCourse:
    """Cancel the answers that were asked back, and any offer. Their seals are still opened at the end."""
    assert course.decided is not None  # noqa: S101 - they were asked back
    course = course.seat_but(course.decided.at.seat, shut=course.decided.shut)
    return course.but(decided=None, is_asked_back=False, offer="", gone_back=at.n)


def _word(course: PairCourse, at: Spoken, act: Act) -> PairCourse:
    say, other = act["say"], course.other(at.seat)
    if not course.is_known:
        is_here = say["seat"] == other and say["game"] == course.game and say["seen"] == list(course.head)
        is_due = is_here and not course.closed[0]
        _must(is_due, at, "BIND", N_("The quoted statement does not refer to the entry above this turn."))
        has_back = say["what"] != "back" or course.can_go_back(other)
        _must(has_back, at, "BIND", N_("There is nothing that {seat} could take back."), seat=other)
        is_signed = verify_sig(course.seats[other].key, SAY, cj_read(say), act["sig"])
        _must(is_signed, at, "SIG", N_("The quoted statement was not signed by {seat}."), seat=other)
    return _told(course, at, other, say["what"])


def _rekey(course: PairCourse, at: Spoken, act: Act) -> PairCourse:
    try:
        check_key_line(act["key"])
    except FormError as why:
        raise Fault(at.n, "SIG", at.seat, str(why)) from None
    is_new = all(act["key"] != one.key for one in course.seats.values())
    _must(is_new, at, "BIND", N_("The key is one that this game has already."))
    return course.seat_but(at.seat, key=act["key"])


def _over(course: PairCourse, at: Spoken, act: Act) -> PairCourse:
    seated = course.seats[at.seat]
    _must(not seated.secret, at, "ORDERING", N_("The secret of {seat} was shown before."), seat=at.seat)
    is_bound = Vault(course.game, at.seat, act["secret"]).bound == seated.bound
    _must(is_bound, at, "SEALBIND", N_("This is not the secret that {seat} has bound."), seat=at.seat)
    return cast("PairCourse", open_all(course.seat_but(at.seat, secret=act["secret"]), at.seat))


_ACTS: Mapping[str, Callable[[PairCourse, Spoken, Act], PairCourse]] = {
    "seal": _seal, "order": _order, "open": _open, "link": _link, "tell": _tell, "part": _part, "pledge": _seal, "meet": _meet,
    "deck": _deck, "share": _share, "play": _play, "number": _number, "say": _say, "word": _word, "rekey": _rekey, "over": _over,
}  # fmt: skip
"""The effect of each kind of act; sealed plans are opened like an answer."""


def blame_if(wrong: object, at: Spoken, code: str, reason: str, /, **values: object) -> None:
    """Blame who said something, where that is wrong. Raises Fault."""
    if wrong:
        raise Fault(at.n, code, at.seat, _(reason, **values))


def _must(holds: object, at: Spoken, code: str, reason: str, /, **values: object) -> None:
    blame_if(not holds, at, code, reason, **values)
