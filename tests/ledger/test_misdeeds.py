"""PROTOCOL 7: every attack that no file shows is mounted, and found at its entry."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pbem.ledger import Log, verify
from tests.ledger.builder import TIMED, Table, key_of
from tests.ledger.files import found

# Each mounts one misdeed at an honest table, signs a head over it, and says what must be found.

OTHER = "ab" * 32
Attack = Callable[[Table], int]


def change(**fields: Any) -> Callable[[dict[str, Any]], None]:
    return lambda entry: entry.update(fields)


def early_roll(t: Table) -> int:
    t.begin()
    t.log = Log(t.log.lines[:-1])
    t.roll()
    return t.log.head[0]


def roll_between_tell_and_ask(t: Table) -> int:
    t.begin().tell()
    t.roll()
    return t.log.head[0]


def tell_after_tell(t: Table) -> int:
    t.begin().tell()
    return t.tell().n


def tell_before_ready(t: Table) -> int:
    t.begin()
    t.log = Log(t.log.lines[:-1])
    return t.tell().n


def second_join(t: Table) -> int:
    t.begin()
    say = {"key": key_of("eve").key_line, "chain": OTHER, "next": ""}
    return t.signed("join", "ann", say, key_of("eve")).n


def join_for_no_seat(t: Table) -> int:
    t.edit["join"] = change(by="eve")
    t.edit["say:join"] = change(seat="eve")
    t.begin()
    return 1


def ready_twice(t: Table) -> int:
    t.begin()
    t.log = Log(t.log.lines[:-1])
    say = {"link": t.links["ann"][2], "link_n": 1, "seen": list(t.log.head)}
    return t.signed("ready", "ann", say).n


def ready_with_another_history(t: Table) -> int:
    t.edit["say:ready"] = change(seen=[2, OTHER])
    t.begin()
    return 3


def host_key_of_low_order(t: Table) -> int:
    neutral = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAEAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
    t.edit["game"] = change(host=neutral)
    t.begin()
    return 0


def chain_missing(t: Table) -> int:
    t.edit["game"] = lambda entry: entry["chains"].pop("priv:bob")
    t.begin()
    return 0


def deal_without_anchor(t: Table) -> int:
    t.begin()
    t.edit["rand"] = change(chain="deal:2")
    t.deal(1, ["a", "b"])
    return 5


def deal_twice(t: Table) -> int:
    t.begin().deal(1, ["a", "b"])
    t.next_index["deal:1"] = 1
    t.deal(1, ["a", "b"])
    return 6


def public_index_jumps(t: Table) -> int:
    t.begin()
    t.next_index["pub"] = 2
    t.roll()
    return 5


def public_link_wrong(t: Table) -> int:
    t.begin()
    t.edit["rand"] = change(x=OTHER)
    t.roll()
    return 5


def own_draw_swapped(t: Table) -> int:
    t.begin()
    honest = t._event
    t._event = lambda label, requests: (*honest(label, requests)[:2], [["x"]])  # type: ignore[method-assign]
    t.draw("ann", 1, ["x", "y", "z", "u", "v", "w", "q", "r"])
    return 5


def true_for_1(t: Table) -> int:
    t.begin()
    honest = t._event
    t._event = lambda label, requests: (*honest(label, requests)[:2], [[True]])  # type: ignore[method-assign]
    t.roll(1, 1)
    return 5


def sealed_request_of_another_size(t: Table) -> int:
    t.begin()
    t.edit["rand"] = lambda entry: entry["seals"].pop("p1")
    t.deal(1, ["a", "b"], hidden=True)
    return 5


def stacked_deal_with_sealed_request(t: Table) -> int:
    t.begin()
    honest = t._event

    def stacked(label: str, requests: list[dict[str, Any]]) -> tuple[int, str, list[list[Any]]]:
        i, x, res = honest(label, requests)
        return i, x, [res[0][::-1]]

    t._event = stacked  # type: ignore[method-assign]
    t.deal(1, ["a", "b", "c", "d"], hidden=True)
    return 5


def draw_sealed_for_another(t: Table) -> int:
    t.begin()
    t.edit["rand"] = lambda entry: entry.update(seals={"bob": entry["seals"]["ann"]})
    t.draw("ann", 1, ["x", "y"])
    return 5


def ask_out_of_seat_order(t: Table) -> int:
    t.begin().tell()
    return t.ask("bob", "ann", secret="until end").n


def orders_out_of_seat_order(t: Table) -> int:
    t.begin().tell()
    t.ask("ann", "bob", secret="until end")
    t.order("bob", "GO")
    return t.order("ann", "GO").n


def skip_before_due(t: Table) -> int:
    t.terms = TIMED
    t.begin().tell()
    t.ask("ann", due="2030-01-05T00:00:00Z")
    t.edit["skip"] = change(at="2030-01-04T23:59:59Z")
    return t.skip("ann").n


def skip_without_due(t: Table) -> int:
    t.begin().tell()
    t.ask("ann")
    return t.skip("ann").n


def skip_of_a_seat_not_asked(t: Table) -> int:
    t.begin().tell()
    t.ask("ann")
    return t.skip("bob").n


def old_head_seen(t: Table) -> int:
    t.begin().tell()
    t.ask("ann")
    t.edit["say:order"] = change(seen=[5, t.log.entries[5].hash])
    return t.order("ann", "GO").n


def future_head_seen(t: Table) -> int:
    t.begin().tell()
    t.ask("ann")
    t.edit["say:order"] = change(seen=[7, OTHER])
    return t.order("ann", "GO").n


def link_missing_on_a_mark(t: Table) -> int:
    t.begin().tell()
    t.ask("ann", mark=True)
    t.edit["say:order"] = lambda say: (say.pop("link"), say.pop("link_n"))[0]
    return t.order("ann", "GO").n


def link_without_a_mark(t: Table) -> int:
    t.begin().tell()
    t.ask("ann")
    t.edit["say:order"] = change(link=OTHER, link_n=2)
    return t.order("ann", "GO").n


def digest_borrowed_from_another(t: Table) -> int:
    t.begin().tell()
    t.ask("ann", "bob", secret="until end")
    theirs = t.order("ann", "GO").fields["say"]["seals"]["order"]
    t.edit["say:order"] = lambda say: say["seals"].update(order=theirs)
    return t.order("bob", "GO").n


def say_number_jumps(t: Table) -> int:
    t.begin().tell()
    t.says["ann"] = 1
    return t.say("ann", "resign").n


def agreed_to_a_lapsed_offer(t: Table) -> int:
    t.begin().tell()
    t.ask("ann", "bob", secret="until end")
    offer = t.say("ann", "draw").n
    t.order("ann", "GO")
    return t.say("bob", "agree", about=offer).n


def agreed_with_himself(t: Table) -> int:
    t.begin().tell()
    offer = t.say("ann", "draw").n
    return t.say("ann", "agree", about=offer).n


def agreed_to_nothing(t: Table) -> int:
    t.begin()
    tell = t.tell().n
    return t.say("bob", "agree", about=tell).n


def back_to_no_question(t: Table) -> int:
    t.begin().tell()
    return t.say("ann", "takeback", about=5).n


def tell_hides_a_public_order(t: Table) -> int:
    t.begin().tell()
    t.ask("ann")
    t.order("ann", "GO")
    t.to_open = []
    return t.tell().n


def tell_names_a_private_link(t: Table) -> int:
    t.begin().draw("ann", 1, ["x", "y"])
    return t.tell(links=[["priv:ann", 1]]).n


def tell_names_a_deal_to_come(t: Table) -> int:
    t.begin()
    return t.tell(links=[["deal:1", 1]]).n


def tell_opens_twice(t: Table) -> int:
    places = t.begin().deal(1, ["a", "b"])
    return t.tell(opens=[places["p0"], places["p0"]]).n


def end_without_tell(t: Table) -> int:
    t.begin()
    t.end()
    return 5


def entry_after_the_end(t: Table) -> int:
    t.begin().tell()
    t.end()
    return t.say("ann", "claim").n


def report_without_view(t: Table) -> int:
    t.begin()
    honest = t._seal
    t._seal = lambda ref, name, value: honest(ref, name, {"facts": []} if name == "bob" else value)  # type: ignore[method-assign]
    return t.tell().n


def state_of_another_tell(t: Table) -> int:
    t.begin()
    honest = t._seal
    t._seal = lambda ref, name, value: honest(ref + (name == "state"), name, value)  # type: ignore[method-assign]
    return t.tell().n


ATTACKS: list[tuple[Attack, str, str]] = [
    (early_roll, "EARLY", "host"),
    (roll_between_tell_and_ask, "ORDERING", "host"),
    (tell_after_tell, "ORDERING", "host"),
    (tell_before_ready, "ORDERING", "host"),
    (second_join, "ORDERING", "host"),
    (join_for_no_seat, "BIND", "host"),
    (ready_twice, "ORDERING", "host"),
    (ready_with_another_history, "SEEN", "host"),
    (host_key_of_low_order, "SIG", "host"),
    (chain_missing, "FORM", "host"),
    (deal_without_anchor, "REQ", "host"),
    (deal_twice, "REQ", "host"),
    (public_index_jumps, "REQ", "host"),
    (public_link_wrong, "LINK", "host"),
    (own_draw_swapped, "RAND", "host"),
    (true_for_1, "RAND", "host"),
    (sealed_request_of_another_size, "FORM", "host"),
    (stacked_deal_with_sealed_request, "RAND", "host"),
    (draw_sealed_for_another, "FORM", "host"),
    (ask_out_of_seat_order, "FORM", "host"),
    (orders_out_of_seat_order, "ORDERING", "host"),
    (skip_before_due, "ORDERING", "host"),
    (skip_without_due, "ORDERING", "host"),
    (skip_of_a_seat_not_asked, "ASK", "host"),
    (old_head_seen, "SEEN", "host"),
    (future_head_seen, "SEEN", "host"),
    (link_missing_on_a_mark, "LINK", "host"),
    (link_without_a_mark, "LINK", "host"),
    (digest_borrowed_from_another, "SEALBIND", "host"),
    (say_number_jumps, "ORDERING", "host"),
    (agreed_to_a_lapsed_offer, "BIND", "host"),
    (agreed_with_himself, "BIND", "host"),
    (agreed_to_nothing, "BIND", "host"),
    (back_to_no_question, "BIND", "host"),
    (tell_hides_a_public_order, "TELL", "host"),
    (tell_names_a_private_link, "STRAY", "host"),
    (tell_names_a_deal_to_come, "STRAY", "host"),
    (tell_opens_twice, "STRAY", "host"),
    (end_without_tell, "ORDERING", "host"),
    (entry_after_the_end, "ORDERING", "host"),
    (report_without_view, "FORM", "host"),
    (state_of_another_tell, "SEALBIND", "host"),
]


@pytest.mark.parametrize(("attack", "code", "party"), ATTACKS, ids=[attack.__name__ for attack, _, _ in ATTACKS])
def test_an_attack_is_found_at_its_entry(attack: Attack, code: str, party: str) -> None:
    table = Table()
    entry = attack(table)
    table.head()
    assert found(verify(table.log)) == (entry, code, party)


@pytest.mark.parametrize(
    ("attack", "code", "party"), ATTACKS[:3] + ATTACKS[13:16], ids=lambda x: getattr(x, "__name__", None)
)
def test_what_no_head_covers_is_not_the_hosts(attack: Attack, code: str, party: str) -> None:
    table = Table()
    entry = attack(table)
    assert party == "host"
    assert found(verify(table.log)) == (entry, code, "supplier"), "anyone can add lines that the host never signed"
