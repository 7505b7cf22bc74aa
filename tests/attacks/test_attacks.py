"""Every attack of PROTOCOL 7, mounted on real games: found at its entry, with its code, and laid at the right door.

`misdeeds.py` says what the host does; here stands when it comes out, and by whom.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from pbem.cli.app import app
from pbem.errors import ForkError, FormError
from pbem.i18n import speaking
from pbem.ledger import (
    CODES,
    GOT,
    HEAD,
    SAY,
    Entry,
    Log,
    cj,
    complaint,
    make_attachment,
    merge,
    redact,
    sha256_hex,
    verify,
    write_evidence,
)
from pbem.ledger.telling import heard
from pbem.referee import AskSeen, receipt, signed_head
from pbem.referee.audit import audit
from pbem.referee.table import AT
from pbem.reports.told import told as told_to
from tests.i18n import BRACKETS, outside

from .forger import Forger, Piece, Sealed
from .judging import copies, faulted, judged, shows_with_the_next_report, stands_in_every_copy, watched
from .misdeeds import AT_ONCE, BY_THE_RULES, Misdeed, a_deal, a_draw, a_marked_ask, a_roll, an_ask, an_ask_of_several
from .recorded import REGROUP, SCRIPTS, a_log

games = pytest.mark.parametrize("game", SCRIPTS)


def games_with(feature: str) -> pytest.MarkDecorator:
    """The games that have a feature which not all have."""
    return pytest.mark.parametrize("game", [game for game in SCRIPTS if feature not in SCRIPTS[game].lacks])


def mounted(book: list[Misdeed]) -> pytest.MarkDecorator:
    """Every misdeed on every game that has what it needs."""
    found = [(game, misdeed) for game in SCRIPTS for misdeed in book if misdeed.needs not in SCRIPTS[game].lacks]
    return pytest.mark.parametrize(("game", "misdeed"), found, ids=str)


@pytest.mark.slow
@games
def test_the_honest_game_is_clean_in_every_copy(game: str) -> None:
    recorded = a_log(game)
    assert Forger(recorded).write().tidy().dump() == recorded.whole, "the forger changes nothing by himself"
    assert verify(recorded.whole).verdict == "clean"
    assert judged(game, recorded.whole).verdict == "clean"
    for copy in recorded.copies.values():
        assert judged(game, copy).verdict == "clean"
    stands_in_every_copy(recorded)


@pytest.mark.variants
@mounted(AT_ONCE)
def test_every_copy_shows_it_with_the_next_report(game: str, misdeed: Misdeed) -> None:
    """The host changes dice, draws events too early (EARLY, ORDERING), or uses statements of another game, seat or
    question (SIG, BIND)."""
    f = Forger(a_log(game), whole=misdeed.at_the_end)
    found = misdeed.mount(f)
    shows_with_the_next_report(f, found, misdeed.code, misdeed.party)


@pytest.mark.variants
@mounted(BY_THE_RULES)
def test_the_audit_finds_a_false_report(game: str, misdeed: Misdeed) -> None:
    """TELL: the host reports something that did not happen."""
    f = Forger(a_log(game), whole=misdeed.at_the_end)
    found = misdeed.mount(f)
    whole = f.write().tidy().dump()
    assert verify(whole).verdict in ("clean", "unfinished")
    with speaking(BRACKETS):
        verdict = judged(game, whole)
    assert faulted(verdict) == (found.n, misdeed.code, misdeed.party)
    assert outside(verdict.reason) == [], "what is said of it is a message, whatever language finds it"


@games
@pytest.mark.slow
def test_a_statement_of_another_kind_is_no_order(game: str) -> None:
    """FORM: the host uses the player's “ready” as an answer to a question."""
    f = Forger(a_log(game), whole=False)
    order, ready = f.answers(a_marked_ask(f))[0], f.first("ready")
    order.fields["say"] = {**ready.fields["say"], "seat": order.seat}
    order.is_malformed = True
    f.cut(order)
    for seat in ("host", *f.seats):
        assert faulted(verify(f.write(), seat)) == (order.n, "FORM", "host")


# --- what only some can find, or only later ---------------------------------------------------------------------------


@pytest.mark.slow
@games_with("draw")
def test_a_swapped_draw_is_found_by_its_owner_at_once(game: str) -> None:
    """RAND: nobody else can know; whoever the draw belongs to has link and opening with it."""
    f = Forger(a_log(game), whole=False)
    draw = a_draw(f)
    owner = draw.fields["chain"][5:]
    req, res = draw.value(owner)
    draw.say(owner, [req, [res[0][::-1]]])
    f.cut(draw)
    for holder, copy in copies(f.write(), f.seats):
        if holder in ("host", owner):
            assert faulted(verify(copy, holder)) == (draw.n, "RAND", "host")
            assert holder == "host" or watched(copy, holder)
        else:
            assert verify(copy, holder).verdict == "unfinished"


@games
@pytest.mark.slow
def test_a_report_that_names_a_fact_that_is_not_there_is_found_by_whose_it_is(game: str) -> None:
    """FORM, at once, by the report's reader: the number of the public fact is wrong."""
    f = Forger(a_log(game), whole=False)
    tell, seat = f.first("tell"), f.seats[-1]
    told = tell.value(seat)
    tell.say(seat, {**told, "facts": [*told["facts"], len(tell.fields["pub"]["facts"])]})
    f.cut(tell)
    for holder, copy in copies(f.write(), f.seats):
        if holder in ("host", seat):
            assert faulted(verify(copy, holder)) == (tell.n, "FORM", "host")
            assert faulted(judged(game, copy.dump())) == (tell.n, "FORM", "host")
            assert holder == "host" or watched(copy, holder)
        else:
            assert verify(copy, holder).verdict == "unfinished"
    with pytest.raises(FormError, match="a public fact that is not there"):
        told_to(redact(f.write(), seat), seat)


@games_with("release")
def test_a_stacked_deal_is_found_when_its_link_is_shown(game: str) -> None:
    """RAND: the host swapped two cards of the deal, and a seat that sees them cannot know it before."""
    f = Forger(a_log(game), whole=False)
    deal = a_deal(f)
    places = sorted((name for name in deal.openings if name.startswith("p")), key=lambda name: int(name[1:]))
    one, other = places[0], next(name for name in places if deal.value(name) != deal.value(places[0]))
    salts = deal.openings[one], deal.openings[other]
    deal.openings[one], deal.openings[other] = [salts[0][0], salts[1][1]], [salts[1][0], salts[0][1]]
    whole = f.write()
    assert faulted(verify(whole.tidy())) == (deal.n, "RAND", "host")
    release = next(tell for tell in f.all("tell") if [deal.fields["chain"], 1] in tell.fields["links"])
    heads = [piece.n for piece in f.pieces if piece.has_head]
    for seat in f.seats:
        before = redact(whole.cut(max(n for n in heads if n < release.n)), seat)
        assert verify(before, seat).verdict == "unfinished"
        assert not watched(before, seat)
        after = redact(whole.cut(min(n for n in heads if n > release.n)), seat)
        assert faulted(verify(after, seat)) == (deal.n, "RAND", "host")
        assert watched(after, seat)


@games_with("deal")
def test_another_link_for_a_deal_is_whose_file_holds_it(game: str) -> None:
    """LINK: the anchor was published, so no other link fits; it stands outside the chain, so it is the supplier's."""
    f = Forger(a_log(game), whole=False)
    deal = a_deal(f)
    deal.link = "5" * 64
    assert faulted(verify(f.write().tidy())) == (deal.n, "LINK", "supplier")


@games
def test_a_sealed_order_is_exchanged_for_another(game: str) -> None:
    """UNOPENED where it was due; the other text fits no seal: STRAY when both are shown, at the last entry above."""
    f = Forger(a_log(game), whole=False)
    order = f.answers(an_ask_of_several(f))[0]
    other = f.answers(an_ask_of_several(f))[1]
    tell = f.next("tell", order)
    order.withheld.add("order")
    f.cut(tell)
    log = f.write()
    exchanged = ["seal", log.game, order.seat, f.asked(order).n, "order", *other.openings["order"]]
    log.attach(exchanged)
    for seat in f.seats:
        copy = Log([*redact(log, seat).lines, log.attachments[-1]])
        assert faulted(verify(copy, seat)) == (order.n if seat == order.seat else tell.n, "UNOPENED", "supplier")
        assert watched(copy, seat)
    order.withheld.clear()
    log = f.write()
    log.attach(exchanged)
    for seat in f.seats:
        copy = Log([*redact(log, seat).lines, log.attachments[-1]])
        assert faulted(verify(copy, seat)) == (log.head[0], "STRAY", "supplier")


WITHHELD: dict[str, Callable[[Forger], tuple[Piece, str]]] = {
    "order": lambda f: (f.answers(an_ask(f, "until end"))[0], "order"),
    "plans": lambda f: (f.answers(an_ask(f, "until end"))[0], "plans"),
    "draw": lambda f: (a_draw(f), a_draw(f).fields["chain"][5:]),
    "place": lambda f: (a_deal(f), "p1"),
    "link": lambda f: (a_draw(f), "link"),
    "state": lambda f: (f.first("tell"), "state"),
    "report": lambda f: (f.first("tell"), f.seats[0]),
}
_OF = {"order": "until end", "plans": "until end", "draw": "draw", "place": "deal", "link": "draw"}
"""What a game must have for that."""


@pytest.mark.variants
@pytest.mark.parametrize(
    ("game", "what"),
    [(g, w) for g in SCRIPTS for w in WITHHELD if _OF.get(w, "") not in SCRIPTS[g].lacks],
)
def test_an_opening_is_withheld(game: str, what: str) -> None:
    """UNOPENED, at the end. A file cannot show who left the opening out."""
    f = Forger(a_log(game))
    piece, name = WITHHELD[what](f)
    piece.withheld.add(name)
    due = next((tell for tell in f.all("tell") if Sealed(piece, name) in tell.fields["opens"]), f.first("end"))
    log = f.write().tidy()
    assert faulted(verify(log)) == (due.n, "UNOPENED", "supplier")


@games
def test_the_texts_of_order_and_plans_change_places(game: str) -> None:
    """SEALBIND: each digest binds its name."""
    f = Forger(a_log(game), whole=False)
    order = f.answers(an_ask_of_several(f))[0]

    def exchange(say: dict[str, dict[str, str]]) -> None:
        say["seals"] = {"order": order.digests["plans"], "plans": order.digests["order"]}

    order.before_signing = exchange
    f.cut(order)
    for holder, copy in copies(f.write(), f.seats):
        assert faulted(verify(copy, holder)) == (order.n, "SEALBIND", "host"), holder
        assert holder == "host" or watched(copy, holder)


@pytest.mark.variants
@games
def test_something_stands_after_the_end(game: str) -> None:
    """ORDERING: the host adds entries to a finished game. Offers of a draw are legal before the end only."""
    f = Forger(a_log(game))
    end = f.first("end")
    late = f.say(f.seats[0], "draw", before=end)
    late.has_head = True
    f.drop(late)
    f.pieces.append(late)
    assert faulted(verify(f.write().tidy(), "host")) == (late.n, "ORDERING", "host")


# --- two histories, complaints, plans, other rules --------------------------------------------------------------------


@pytest.mark.variants
@games
def test_two_histories_are_a_fork_when_both_are_seen(game: str) -> None:
    """FORK: each history is in order by itself; two heads that the host signed over one entry number prove him a liar."""
    told_ann, told_bob = Forger(a_log(game), whole=False), Forger(a_log(game), whole=False)
    for f in (told_ann, told_bob):
        f.cut(a_roll(f))
    tell = told_bob.next("tell", a_roll(told_bob))
    told_bob.retell(tell, lambda fact: None if fact is tell.fields["pub"]["facts"][0] else fact)
    ann, bob = (redact(f.write(), seat) for f, seat in zip((told_ann, told_bob), told_ann.seats, strict=False))
    assert verify(ann).verdict == verify(bob).verdict == "unfinished"
    with pytest.raises(ForkError) as fork:
        merge(ann, bob)
    n, _ = ann.head
    assert fork.value.n == n
    both = Log([*ann.lines, bob.attachments[-1]])
    assert faulted(verify(both)) == (n, "FORK", "host")
    evidence = write_evidence(both.dump(), verify(both))
    assert faulted(verify(evidence["evidence.pbem"])) == (n, "FORK", "host")


def test_copies_of_two_signed_histories_are_said_to_be_so(tmp_path: Path) -> None:
    """Each copy is in order by itself, so a player who compares them is not sent to `pbem verify`."""
    told_ann, told_bob = Forger(a_log("tiny"), whole=False), Forger(a_log("tiny"), whole=False)
    for f in (told_ann, told_bob):
        f.cut(a_roll(f))
    tell = told_bob.next("tell", a_roll(told_bob))
    told_bob.retell(tell, lambda fact: None if fact is tell.fields["pub"]["facts"][0] else fact)
    paths = []
    for name, f in (("ann", told_ann), ("bob", told_bob)):
        paths.append(tmp_path / f"{name}.pbem")
        paths[-1].write_bytes(redact(f.write(), name).dump())
    said = CliRunner().invoke(app, ["diff", *map(str, paths)]).output
    assert "The host has signed both histories" in said
    assert "pbem verify" not in said


@games
def test_players_who_were_shown_two_histories_cannot_go_on(game: str) -> None:
    """SEEN: the next signature fits only the history that the player knows. FORK, when the copies meet."""
    f = Forger(a_log(game), whole=False)
    ask = an_ask_of_several(f)
    f.retell(f.last("tell", before=ask), lambda fact: None)
    f.stubborn = {f.answers(ask)[1].seat}
    f.write()
    assert faulted(verify(f.write().tidy())) == (f.answers(ask)[1].n, "SEEN", "host")


def dropped(game: str, *, at: str) -> tuple[Forger, dict[str, Any], list[Any]]:
    """A log that holds a skip instead of an order, with the player's envelope and the host's receipt of that time."""
    f = Forger(a_log(game), whole=False)
    skip = f.first("skip")
    log = f.write()
    ask = f.asked(skip)
    pen = f.recorded.table.pens[skip.seat]
    question = AskSeen.of(ask.n, ask.fields, ask.hash)
    envelope = pen.order(question, "XYZZY")
    return f, {"say": envelope.say, "sig": envelope.sig}, receipt(f.recorded.host, log.game, envelope.say, at)


@games
def test_a_sent_order_that_was_left_out_is_proved_by_its_receipt(game: str) -> None:
    """DROPPED: the host signed the receipt for it."""
    f, envelope, got = dropped(game, at=AT)
    assert faulted(complaint(envelope, got, f.write())) == (f.first("skip").n, "DROPPED", "host")


@games
def test_an_order_that_came_too_late_was_not_dropped(game: str) -> None:
    f, envelope, got = dropped(game, at="2031-01-01T00:00:00Z")
    found = complaint(envelope, got, f.write())
    assert (found.verdict, found.entry) == ("unfounded", f.first("skip").n)


@games
def test_two_orders_with_one_revision_number_are_shown(game: str) -> None:
    """DOUBLE: the player may have used two machines. The logged order counts, and everybody knows."""
    f = Forger(a_log(game), whole=False)
    order = f.answers(a_marked_ask(f))[0]
    log = f.write()
    ask, pen = f.asked(order), f.recorded.table.pens[order.seat]
    entry = log.entries[order.n].fields
    question = AskSeen.of(ask.n, ask.fields, ask.hash)
    second = pen.order(question, "XYZZY")
    found = complaint({"say": entry["say"], "sig": entry["sig"]}, {"say": second.say, "sig": second.sig}, log)
    assert faulted(found) == (order.n, "DOUBLE", order.seat)


def with_plans(game: str) -> tuple[Forger, Piece, Piece]:
    """A game with plans, the order that brought the one that spoke, and the tell that says so to its owner."""
    f = Forger(a_log(game))
    for tell in f.all("tell"):
        for seat in f.seats:
            told = heard(tell.fields["pub"], tell.value(seat))
            if any(fact["f"] == "plan" and fact["seat"] == seat for fact in told):
                before = f.pieces[: f.pieces.index(tell)]
                return f, [o for o in before if o.k == "order" and o.seat == seat][-1], tell
    raise LookupError("no plan ever speaks")


@pytest.mark.slow
@games
def test_a_plan_speaks_where_it_does_not_cover(game: str) -> None:
    """PLAN: the sealed plans were empty, and the host did not ask."""
    f, order, tell = with_plans(game)
    order.say("plans", "")
    whole = f.write().tidy().dump()
    assert verify(whole).verdict == "clean"
    at, *said = faulted(judged(game, whole))
    assert said == ["PLAN", "host"]
    assert at in range(order.n + 1, tell.n + 1), "the dice that the plan asks for may fall before it is told"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "what", "plans"),
    [
        ("tiny", "act", "ACT BANK"),
        ("hammer", "regroup", REGROUP),
        ("lords", "claim", "CLAIM STRONGEST"),
        ("swords", "deploy", "DEPLOY ANY TO ANY"),
    ],
)
def test_a_plan_is_not_applied(game: str, what: str, plans: str) -> None:
    """PLAN: the sealed plans cover the question, and yet it was put."""
    f = Forger(a_log(game))
    ask, order = next(
        (ask, orders[-1])
        for ask in f.all("ask")
        if ask.fields["what"] == what
        and (orders := [o for o in f.pieces[: f.pieces.index(ask)] if o.k == "order" and o.seat == ask.fields["to"][0]])
    )
    order.say("plans", plans)
    whole = f.write().tidy().dump()
    assert verify(whole).verdict == "clean"
    assert faulted(judged(game, whole)) == (f.last("tell", before=ask).n, "PLAN", "host")


@pytest.mark.variants
@games
def test_a_plan_is_misreported(game: str) -> None:
    """TELL: it was applied, but the report names another clause."""
    f, _order, tell = with_plans(game)
    f.retell(tell, lambda fact: {**fact, "clause": "ACT DIG"} if fact["f"] == "plan" else fact)
    assert faulted(judged(game, f.write().tidy().dump())) == (tell.n, "TELL", "host")


@pytest.mark.variants
@games
def test_rules_of_another_version_are_nobodys_fault(game: str) -> None:
    """RULES: only where play differs, and then the verdict names what to fetch."""
    recorded = a_log(game)
    assert audit(recorded.beginning, lambda _: (recorded.game, "1" * 64)).verdict.verdict == "unfinished"
    f = Forger(recorded, whole=False)
    tell = f.next("tell", a_roll(f))
    f.retell(tell, lambda fact: None)
    whole = f.write().tidy().dump()
    other = audit(whole, lambda _: (recorded.game, "1" * 64)).verdict
    assert (other.verdict, other.entry, other.code, other.party) == ("cannot_judge", tell.n, "RULES", "nobody")
    assert "0" * 64 in other.reason


# --- whoever supplies the file alters it ------------------------------------------------------------------------------


ALTERED: dict[str, Callable[[bytes], bytes]] = {
    "a space": lambda line: line.replace(b'"n":', b'"n": '),
    "a field more": lambda line: line[:-1] + b',"zz":1}',
    "a letter": lambda line: line.replace(b"a", b"A", 1),
    "cut short": lambda line: line[: len(line) // 2],
    "empty": lambda line: b"",
}


@pytest.mark.variants
@games
@pytest.mark.parametrize("n", [0, 1, -2, -1])
@pytest.mark.parametrize("how", ALTERED)
def test_an_entry_is_altered_in_the_file(game: str, how: str, n: int) -> None:
    """FORM, CHAIN, HEADSIG: altered after the host signed it, so whoever supplies the file answers for that."""
    lines: list[bytes] = [line.line for line in Log.parse(a_log(game).whole).lines]
    at = [at for at, line in enumerate(lines) if line.startswith(b"{")][n]
    lines[at] = ALTERED[how](lines[at])
    _, code, party = faulted(verify(b"".join(line + b"\n" for line in lines)))
    assert code in ("FORM", "CHAIN", "HEADSIG")
    assert party == "supplier"


@games
def test_an_entry_that_the_host_signed_is_malformed(game: str) -> None:
    """FORM, the host's: a valid head of his covers it as it stands."""
    recorded = a_log(game)
    f = Forger(recorded, whole=False)
    ask = a_marked_ask(f)
    f.cut(ask)
    log = f.write()
    line = cj({**log.entries[-1].fields, "zz": 1})
    head = cj(signed_head(recorded.host, log.game, ask.n, sha256_hex(line)))
    above = [one.line for one in log.lines[: log.lines.index(log.entries[-1])]]
    data = b"".join(one + b"\n" for one in (*above, line, head))
    assert faulted(verify(data)) == (ask.n, "FORM", "host")
    unsigned = b"".join(one + b"\n" for one in (*above, line, log.lines[-1].line))
    assert faulted(verify(unsigned)) == (ask.n, "FORM", "supplier")


@games
def test_an_entry_is_missing_or_two_change_places(game: str) -> None:
    """CHAIN, the supplier's fault: the next entry does not follow."""
    log = Log.parse(a_log(game).whole)
    n = len(log.entries) // 2
    gone = [line for line in log.lines if line is not log.entries[n]]
    assert faulted(verify(Log(gone))) == (n, "CHAIN", "supplier")
    turned = list(log.lines)
    one, two = turned.index(log.entries[n]), turned.index(log.entries[n + 1])
    turned[one], turned[two] = turned[two], turned[one]
    assert faulted(verify(Log(turned))) == (n, "CHAIN", "supplier")


@pytest.mark.variants
@games
@pytest.mark.parametrize("who", ["a player", "another namespace", "another head"])
def test_a_head_that_the_host_did_not_sign(game: str, who: str) -> None:
    """HEADSIG: somebody else signed the head or receipt. The host is not at fault."""
    recorded = a_log(game)
    log = Log.parse(recorded.whole)
    n, h = log.head
    body = ["head", log.game, n, h if who != "another head" else "7" * 64]
    key = recorded.keys[recorded.table.seats[0]] if who == "a player" else recorded.host
    forged = [*body, key.sign(SAY if who == "another namespace" else HEAD, cj(body))]
    lines = [line for line in log.lines if line is not log.attachments[-1]]
    cut = Log(lines)
    cut.attach(forged)
    assert faulted(verify(cut)) == (n, "HEADSIG", "supplier")
    assert faulted(verify(Log(lines))) == (n, "HEADSIG", "supplier"), "no head covers the end"


@games
def test_a_receipt_is_not_the_hosts(game: str) -> None:
    """HEADSIG: a receipt that somebody else signed proves nothing."""
    recorded = a_log(game)
    log = Log.parse(recorded.whole)
    at = next(at for at, line in enumerate(log.lines) if line.k == "got")
    got = log.attachments[[a.k for a in log.attachments].index("got")].fields[:4]
    forged = make_attachment([*got, recorded.keys[recorded.table.seats[0]].sign(GOT, cj(got))])
    entry = next(line.n for line in reversed(log.lines[:at]) if isinstance(line, Entry))
    assert faulted(verify(Log([*log.lines[:at], forged, *log.lines[at + 1 :]]))) == (entry, "HEADSIG", "supplier")


def test_every_code_is_mounted_here() -> None:
    """The closed list of codes, less the verdicts on files alone, is covered by the misdeeds and the tests of this module."""
    mounted = {misdeed.code for misdeed in (*AT_ONCE, *BY_THE_RULES)}
    here = Path(__file__).read_text("utf-8")
    # decks are of logs of two alone: tests/pair; what other players' papers show: tests/cli/test_in_time.py
    others = {"CARD", "WITNESSED", "DENIED"}
    assert set(CODES) - others == {code for code in CODES if code in mounted or f'"{code}"' in here} - others
