"""A game goes on under another host from the players' copies: by the word of all, and nothing is changed on the way."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest
import tiny_game

from pbem.errors import ForkError, RecordError
from pbem.games import find
from pbem.kernel import Game, Json
from pbem.ledger import REACH, Log, agreed_host, cj, make_entry, merge, redact, sha256_hex, verify, write_evidence
from pbem.referee import signed_head
from pbem.referee.audit import audit
from pbem.referee.table import AT, Table
from tests.attacks.another_host import CODES, _turn, a_game

from .forger import Forger, Piece
from .judging import copies, each_of, faulted, judged, shows_with_the_next_report, stands_in_every_copy, watched
from .misdeeds import IDENTITY_KEY
from .rekey import THIEF


@pytest.mark.slow
def test_the_honest_game_is_clean_in_every_copy() -> None:
    recorded = a_game()
    assert Forger(recorded).write().tidy().dump() == recorded.whole
    verdict = judged("tiny", recorded.whole)
    assert verdict.verdict == "clean"
    assert (
        "Lost with the former host, so not judged: closed seals of positions and of dealt cards that no tell names ("
        in verdict.reason
    )
    stands_in_every_copy(recorded)
    f = Forger(recorded)
    moved = f.pieces.index(f.first("host"))
    assert any(p.k == "rand" and p.fields["chain"].startswith("priv:") for p in f.pieces[:moved])
    assert next(f.all("rand", lambda fields: fields["chain"] == "anew:1")) in f.pieces[moved:], "the pile is dealt anew"


GAMES: dict[str, tuple[Game, Json, set[int]]] = {
    # by number of questions answered: in the middle of turns, rounds, battles, of what one seat does behind the others' backs
    "tiny": (tiny_game.GAME, {}, {2, 5}),
    "lords": (find("lords").rules, {"players": 3, "goal": 12}, {4, 9, 10}),
    "hammer": (find("hammer").rules, {"scenario": "braveheart"}, {3, 9, 20}),
    # hands that were thrown away and dealt again are seen by nobody
    "hammer, 1-2-3": (find("hammer").rules, {"scenario": "bruce", "deal_123": True}, {30}),
    "tournament": (find("tournament").rules, {"players": "ann, bob"}, {0}),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_any_game_is_played_to_its_end_under_another_host(name: str) -> None:
    game, options, moved_at = GAMES[name]
    table = Table(game, options, name, hours=24)
    chance, bot = random.Random(name), (tiny_game.BOTS if game.id == "tiny" else find(game.id).bots)["random"]()
    no = moves = 0
    while table.open:
        if no in moved_at:
            views, asked = table.referee.views(), table.open.to
            table.move(f"host {no}")
            moves += 1
            assert table.referee.views() == views
            assert table.open.to == asked
        if no == 45 and game.id == "hammer":  # a whole one takes its time
            table.say("english", "resign")
            break
        table.answer({seat: (str(bot.answer(table.referee.view(seat), chance)), "") for seat in table.open.to})
        no += 1
    whole = table.whole()
    assert sum(entry.k == "host" for entry in Log.parse(whole).entries) == moves > 0
    assert audit(whole, lambda _: (game, "0" * 64)).verdict.verdict == "clean"
    for seat in table.seats:
        assert verify(table.copy(seat), seat).verdict == "clean"
    assert audit(table.copy(table.seats[0]), lambda _: (game, "0" * 64)).verdict.verdict == "clean"


# --- misdeeds that every copy shows -----------------------------------------------------------------------------------


def _agree_anew(f: Forger, h: str = "") -> Piece:
    """Let all agree to what the entry says now; with `h` to another hash of the entry to go on from."""
    host = f.first("host")

    def sign(say: dict[str, Any]) -> None:
        seen = [host.fields["seen"].n, h or host.fields["seen"].hash]
        say["what"] = sha256_hex(cj(agreed_host({**host.fields, "seen": seen})))

    for agreed in host.fields["agreed"]:
        agreed.before_signing = sign
    if h:
        host.before_chaining = lambda fields: fields.update(seen=[fields["seen"][0], h])
    return host


def without_one_agreement(f: Forger) -> Piece:
    host = f.first("host")
    f.drop(host.fields["agreed"].pop())
    return host


def agreed_to_another_key(f: Forger) -> Piece:
    host = f.first("host")
    host.fields["key"], f.newer = THIEF.key_line, THIEF
    return host


def agreed_to_other_anchors(f: Forger) -> Piece:
    host = f.first("host")
    host.fields["chains"]["pub"] = "7" * 64
    return host


def agreed_to_another_head(f: Forger) -> Piece:
    host = f.first("host")
    host.fields["seen"] = f.last("ask", host.fields["seen"])
    return host


def agreed_to_an_earlier_head(f: Forger) -> Piece:
    """What the former host wrote in between would be left standing."""
    agreed_to_another_head(f)
    return _agree_anew(f)


def something_between(f: Forger) -> Piece:
    host = f.first("host")
    f.say("bob", "draw", before=host)
    return host


def a_player_as_host(f: Forger) -> Piece:
    f.newer = f.recorded.keys["ann"]
    f.first("host").fields["key"] = f.newer.key_line
    return _agree_anew(f)


def the_former_key_again(f: Forger) -> Piece:
    """What he signed beyond the place from which the game goes on would be a second history of his."""
    assert f.recorded.former
    f.newer = f.recorded.former
    f.first("host").fields["key"] = f.newer.key_line
    return _agree_anew(f)


def from_an_entry_that_was_not(f: Forger) -> Piece:
    return _agree_anew(f, "7" * 64)


def without_a_chain(f: Forger) -> Piece:
    f.first("host").fields["chains"].pop("anew:1")
    return _agree_anew(f)


def with_a_chain_for_a_later_move(f: Forger) -> Piece:
    f.first("host").fields["chains"]["anew:2"] = "7" * 64
    return _agree_anew(f)


def an_agreement_that_was_forged(f: Forger) -> Piece:
    agreed: Piece = f.first("host").fields["agreed"][1]
    agreed.key = THIEF
    return agreed


def with_a_mark_whose_links_are_known(f: Forger) -> Piece:
    return _with_a_mark(f, 0)


def with_a_mark_whose_links_may_have_been_sent_ahead(f: Forger) -> Piece:
    return _with_a_mark(f, REACH)


def _with_a_mark(f: Forger, further: int) -> Piece:
    host = f.first("host")
    host.fields["mark"] = max(p.fields.get("mark", 0) for p in f.pieces[: f.pieces.index(host)]) + further
    return _agree_anew(f)


NOT_IN_OFFICE: dict[str, list[Callable[[Forger], Piece]]] = {
    "BIND": [
        without_one_agreement, agreed_to_another_key, agreed_to_other_anchors, something_between, a_player_as_host,
    ],
    "SEEN": [from_an_entry_that_was_not],
    "FORM": [without_a_chain, with_a_chain_for_a_later_move],
    "SIG": [an_agreement_that_was_forged],
    "ORDERING": [with_a_mark_whose_links_are_known, with_a_mark_whose_links_may_have_been_sent_ahead],
}  # fmt: skip
"""By these nobody has come into office: whoever wrote them is no host of this game, and nobody else is to blame."""


@pytest.mark.variants
@each_of(NOT_IN_OFFICE)
def test_a_host_entry_without_all_agreements_puts_nobody_into_office(
    code: str, mount: Callable[[Forger], Piece]
) -> None:
    """A host takes office without the agreement of all players."""
    f = Forger(a_game())
    f.write()
    shows_with_the_next_report(f, mount(f), code, "supplier")


def test_the_former_host_is_no_new_one() -> None:
    """He has signed it himself, so it is his fault."""
    f = Forger(a_game())
    f.write()
    shows_with_the_next_report(f, the_former_key_again(f), "BIND")


@pytest.mark.variants
@each_of(CODES)
def test_every_copy_shows_it_with_the_next_report(code: str, mount: Callable[[Forger], Piece]) -> None:
    f = Forger(a_game())
    f.write()
    shows_with_the_next_report(f, mount(f), code)


@pytest.mark.parametrize("mount", [agreed_to_another_head, agreed_to_an_earlier_head])
def test_players_see_that_the_game_goes_on_from_another_head(mount: Callable[[Forger], Piece]) -> None:
    f = Forger(a_game())
    f.write()
    found = mount(f)
    f.cut(found)
    for seat in f.seats:
        copy = redact(f.write(), seat)
        assert faulted(verify(copy, seat)) == (found.n, "BIND", "supplier")
        assert watched(copy, seat)


def _by_a_stranger(log: Log, *kinds: str) -> tuple[int, bytes]:
    """Lines below a log that somebody has signed as its new host, to whom nobody has agreed; and where the first fault is.

    They are, in turn, a `host` entry (“host”) and a line that nobody can read (“damaged”).
    """
    game, (n, h) = log.game, log.head
    host = {"at": AT, "chains": {"pub": "7" * 64}, "deals": "7" * 64, "key": THIEF.key_line, "mark": 99, "seen": [n, h]}
    host["agreed"] = [n]
    data, at, prev = log.dump(), n, h
    for kind in kinds:
        at += 1
        line = make_entry(at, prev, {"k": "host", **host}).line
        if kind == "damaged":
            line = line.replace(b'"k":', b'"k": ')
        data, prev = data + line + b"\n", sha256_hex(line)
    fault = n + 1 + (kinds.index("damaged") if "damaged" in kinds else 0)
    return fault, data + cj(signed_head(THIEF, game, at, prev)) + b"\n"


@pytest.mark.variants
@pytest.mark.parametrize("kinds", [("host",), ("host", "damaged"), ("damaged", "host")])
def test_a_stranger_makes_no_fault_of_the_hosts(kinds: tuple[str, ...]) -> None:
    """Anybody can make a key and sign heads with it."""
    table = Table(tiny_game.GAME, {}, "stranger", hours=24)
    _turn(table)
    n, data = _by_a_stranger(Log.parse(table.copy("ann")), *kinds)
    code = "FORM" if "damaged" in kinds else "BIND"
    assert faulted(verify(data)) == (n, code, "supplier")
    assert faulted(verify(data, "ann")) == (n, code, "supplier")


def test_a_damaged_line_of_the_host_in_office_stays_his() -> None:
    recorded = a_game()
    log = Log.parse(recorded.whole)
    cut = log.cut(
        next(e.n for e in log.entries if e.k == "tell" and e.n > next(x.n for x in log.entries if x.k == "host"))
    )
    n, h = cut.head
    line = make_entry(n + 1, h, {"k": "skip", "to": "ann", "ask": 1, "why": "due", "at": AT}).line.replace(
        b'"k":', b'"k": '
    )
    head = signed_head(recorded.host, log.game, n + 1, sha256_hex(line))
    assert faulted(verify(cut.dump() + line + b"\n" + cj(head) + b"\n")) == (n + 1, "FORM", "host")


def test_a_key_under_which_any_signature_fits_makes_no_host() -> None:
    f = Forger(a_game())
    f.first("host").fields["key"] = IDENTITY_KEY
    host = _agree_anew(f)
    f.cut(host)
    for holder, copy in copies(f.write(), f.seats):
        assert faulted(verify(copy, holder)) == (host.n, "SIG", "supplier"), holder


# --- whose head, and what is missing ----------------------------------------------------------------------------------


def test_the_former_host_must_have_signed_what_is_gone_on_from() -> None:
    f = Forger(a_game())
    f.first("host").fields["seen"].has_head = False
    f.cut(f.first("host"))
    for holder, copy in copies(f.write(), f.seats):
        assert faulted(verify(copy, holder)) == (f.first("host").n, "HEADSIG", "supplier"), holder


def test_the_former_host_has_no_say_any_more() -> None:
    """Its head over a later entry proves nothing, in this history or another."""
    recorded = a_game()
    log = Log.parse(recorded.whole)
    n, h = log.head
    assert recorded.former
    for head in (h, "7" * 64):
        log = Log.parse(recorded.whole)
        log.attach(signed_head(recorded.former, log.game, n, head))
        assert faulted(verify(log)) == (n, "HEADSIG", "supplier")


def test_a_fault_of_the_former_host_stays_his() -> None:
    f = Forger(a_game())
    roll = f.first("rand", lambda fields: fields["chain"] == "pub")
    roll.fields["res"][0][0] = roll.fields["res"][0][0] % 6 + 1
    verdict = verify(f.write())
    assert faulted(verdict) == (roll.n, "RAND", "host")
    log = Log.parse(write_evidence(f.write().dump(), verdict)["evidence.pbem"])
    assert not any(entry.k == "host" for entry in log.entries), "his own head covers it"


def _drawn(fields: dict[str, Any]) -> bool:
    return str(fields["chain"]).startswith("priv:")


HELD: dict[str, Callable[[Forger], tuple[Piece, str]]] = {
    "an order": lambda f: (next(o for o in f.all("order") if f.asked(o).fields["secret"] == "until end"), "order"),
    "plans": lambda f: (f.first("order"), "plans"),
    "a token drawn": lambda f: (f.first("rand", _drawn), str(f.first("rand", _drawn).fields["chain"][5:])),
    "the link of that draw": lambda f: (f.first("rand", _drawn), "link"),
    "what a seat was told": lambda f: (f.first("tell"), "ann"),
}


@pytest.mark.parametrize("what", HELD)
def test_what_a_player_held_is_not_lost(what: str) -> None:
    f = Forger(a_game())
    piece, name = HELD[what](f)
    assert f.pieces.index(piece) < f.pieces.index(f.first("host"))
    piece.withheld.add(name)
    assert faulted(verify(f.write())) == (f.pieces[-1].n, "UNOPENED", "supplier")


def test_a_card_that_a_seat_was_shown_is_not_lost() -> None:
    """The rules know who was shown it; without them it could have lain in the pile."""
    f = Forger(a_game())
    deal = f.first("rand", lambda fields: fields["chain"] == "deal:1")
    opened = {sealed.name for tell in f.all("tell") for sealed in tell.fields["opens"] if sealed.piece is deal}
    held = [name for name in deal.openings if name not in opened]
    assert held, "somebody kept a card to the end"
    deal.withheld.add(held[0])
    log = f.write()
    assert verify(log).verdict == "clean"
    assert faulted(judged("tiny", log.dump())) == (f.first("tell").n, "UNOPENED", "supplier")


# --- misdeeds that only the rules show --------------------------------------------------------------------------------


def another_position(f: Forger) -> Piece:
    tell = f.next("tell", f.first("host"))
    tell.say("state", "7" * 64)
    return tell


def another_hand(f: Forger) -> Piece:
    tell = f.next("tell", f.first("host"))
    tell.say("ann", {"facts": [{"f": "host"}], "view": {"turn": 4}})
    return tell


def nothing_said_of_it(f: Forger) -> Piece:
    tell = f.next("tell", f.first("host"))
    tell.say("ann", {"facts": [], "view": {}})
    return tell


def a_pile_that_stays_as_it_was(f: Forger) -> Piece:
    """Nobody could tell whether he knows it from the former host."""
    deal = f.next("rand", f.first("host"))
    tell = f.next("tell", deal)
    f.drop(deal)
    for later in f.all("tell"):
        later.fields["opens"] = [sealed for sealed in later.fields["opens"] if sealed.piece is not deal]
    return tell


def a_pile_with_another_card(f: Forger) -> Piece:
    deal = f.next("rand", f.first("host"))
    req = deal.value("req")
    req[0]["of"][0] = "c99"
    for place, card in enumerate(f.outcome(deal, req)[0]):
        deal.openings[f"p{place}"][1] = card
    return deal


def a_false_report_of_before(f: Forger) -> Piece:
    """What the copies open is judged, though the pile of that time was lost."""
    tell = [p for p in f.all("tell") if f.pieces.index(p) < f.pieces.index(f.first("host"))][-1]
    value = tell.value("bob")
    tell.say("bob", {**value, "facts": [*value["facts"], {"f": "roll", "winner": "bob"}]})
    _agree_anew(f)
    return tell


BY_RULES: dict[str, list[Callable[[Forger], Piece]]] = {
    "TELL": [another_position, another_hand, nothing_said_of_it, a_false_report_of_before],
    "ORDERING": [a_pile_that_stays_as_it_was],
    "REQ": [a_pile_with_another_card],
}


@pytest.mark.variants
@each_of(BY_RULES)
def test_the_audit_shows_it(code: str, mount: Callable[[Forger], Piece]) -> None:
    f = Forger(a_game())
    f.write()
    found = mount(f)
    data = f.write().dump()
    assert verify(data).verdict == "clean"
    assert faulted(judged("tiny", data)) == (found.n, code, "host")


@pytest.mark.slow
def test_a_fingerprint_of_lost_cards_is_no_fault() -> None:
    """Somebody has openings of the former host, and leaves out the cards: no guess comes to that fingerprint."""
    table = Table(tiny_game.GAME, {"players": 3, "turns": 4}, "fingerprints", hours=24)
    for _ in range(3):
        _turn(table)
    before = Log.parse(table.whole())
    table.move("another")
    while table.open:
        _turn(table)
    log = Log.parse(table.whole())
    host = next(entry.n for entry in log.entries if entry.k == "host")
    for attachment in before.attachments:
        if attachment.k == "seal" and attachment.fields[4] == "state" and attachment.fields[3] < host:
            log.attach(attachment.line)
    assert judged("tiny", log.tidy().dump()).verdict == "clean"
    false = next(a for a in before.attachments if a.k == "seal" and a.fields[4] == "state")
    assert false.fields[3] < host, "and there was something to be judged"


# --- copies -----------------------------------------------------------------------------------------------------------


def test_nobody_is_shown_more_by_it() -> None:
    """What each seat holds after the move is what it held before."""
    table = Table(tiny_game.GAME, {}, "held", hours=24)
    _turn(table)
    before = {seat: Log.parse(table.copy(seat)) for seat in table.seats}
    table.move("another")
    for seat in table.seats:
        host = next(entry for entry in table.ledger.log.entries if entry.k == "host")
        after = Log.parse(table.copy(seat)).cut(host.fields["seen"][0])
        assert {line.line for line in after.lines} == {line.line for line in before[seat].lines}


def test_without_the_copy_of_a_seat_nobody_can_go_on() -> None:
    """A player keeps his copy back, so that a card is lost."""
    table = Table(tiny_game.GAME, {}, "lacking", hours=24)
    with pytest.raises(RecordError, match="The copies of all seats are needed"):
        table.move("another", [table.copy("ann"), table.copy("bob")])


def test_who_keeps_back_a_card_of_his_hand_moves_no_game() -> None:
    """It would be taken for one that nobody knew, and dealt anew."""
    table = Table(tiny_game.GAME, {}, "kept back", hours=24)
    ann = Log.parse(table.copy("ann"))
    hers = next(a for a in ann.attachments if a.k == "seal" and table.ledger.log.entries[a.fields[3]].k == "rand")
    assert hers.line not in table.copy("bob"), "a card of her hand"
    others = [table.copy(seat) for seat in table.seats if seat != "ann"]
    without = Log(line for line in ann.lines if line is not hers)
    with pytest.raises(RecordError, match="lack what is needed to continue: a dealt card that ann was shown"):
        table.move("another", [without.dump(), *others])


def test_the_game_goes_on_from_where_all_copies_reach() -> None:
    """One of them goes on alone: what he did there is lost, and the links he gave there are not good enough to be ready."""
    table = Table(tiny_game.GAME, {"players": 2, "turns": 4}, "further", hours=24)
    copies = {seat: table.copy(seat) for seat in table.seats}
    head, mark = table.ledger.log.head, table.referee.marks["ann"]
    while table.open and table.referee.marks["ann"] == mark:
        _turn(table)
    table.move("another", [table.copy("ann"), copies["bob"]])
    host = next(entry for entry in table.ledger.log.entries if entry.k == "host")
    assert host.fields["seen"] == list(head)
    assert host.fields["mark"] == mark + 2 + REACH, "she may have sent orders ahead, too"
    while table.open:
        _turn(table)
    assert judged("tiny", table.whole()).verdict == "clean"


@pytest.mark.slow
def test_an_old_and_a_new_copy_are_not_two_histories() -> None:
    table = Table(tiny_game.GAME, {}, "two", hours=24)
    short = {seat: table.copy(seat) for seat in table.seats}
    assert table.open
    table.answer({seat: (str(next(iter(table.game.options(table.referee.view(seat))))), "") for seat in table.open.to})
    long = Log.parse(table.copy(table.seats[0]))
    table.move("another", short.values())
    moved = Log.parse(table.copy(table.seats[0]))
    with pytest.raises(RecordError, match="continues under another host") as refused:
        merge(long, moved)
    assert not isinstance(refused.value, ForkError)
