"""The chained entries one after the other: turn, signature, binding, marks and links (PROTOCOL 3 to 5).

Decides, without any game's rules, whether each entry may stand where it stands. One small function for each check, with
the clause that asks for it; `_TURNS` lists them by kind. What may be said besides orders, and what follows, `Talk` knows.
"""

from __future__ import annotations

from typing import Any

from pbem.errors import Fault
from pbem.ledger.canon import cj_read
from pbem.ledger.entries import SIGNED_KINDS
from pbem.ledger.keys import SAY, verify_sig_read
from pbem.ledger.log import Entry
from pbem.ledger.marks import mark_of_call, sealed_under, stand
from pbem.ledger.talk import Talk
from pbem.ledger.verifier.attached import signs
from pbem.ledger.verifier.chance import check_rand
from pbem.ledger.verifier.checked import Checked
from pbem.ledger.verifier.openings import bear
from pbem.ledger.verifier.signed import check_link, check_seen, check_signed, host_fault, usable_key
from pbem.words import _


def check_turn(c: Checked, entry: Entry) -> None:
    """Every check of one entry whose form is right; what it says is taken into `c`."""
    if c.stage.phase == "over":
        raise host_fault(entry, "ORDERING", _("An entry stands after the end of the game."))
    if owed := c.talk.owed(entry.k):
        raise host_fault(entry, *owed)
    if entry.k in SIGNED_KINDS:
        check_signed(c, entry)
    _TURNS[entry.k](c, entry)
    c.talk.follow(entry.n, entry.fields)
    if c.stage.phase == "ready" and c.talk.called and not c.talk.missing:
        c.stage.phase = c.talk.phase


def _may_stand(c: Checked, entry: Entry) -> None:
    """3: what was said before allows it."""
    if objection := c.talk.objection(entry.n, entry.fields):
        raise host_fault(entry, *objection)


# --- game -------------------------------------------------------------------------------------------------------------


def _game(c: Checked, entry: Entry) -> None:
    f = entry.fields
    # 5: one chain for the public, one for each seat, and deals numbered without a gap
    deals = sum(label.startswith("deal:") for label in f["chains"])
    expected = {"pub", *(f"priv:{seat}" for seat in f["seats"]), *(f"deal:{i}" for i in range(1, deals + 1))}
    if set(f["chains"]) != expected:
        raise host_fault(
            entry, "FORM", _("The chains of this game should be {expected}.", expected=", ".join(sorted(expected)))
        )
    # 4: the refusal of keys at join holds for the host's as well
    usable_key(entry, f["host"], _("The host's key"))
    c.game, c.nonce, c.hosts = entry.hash, f["nonce"], [(0, f["host"])]
    c.begun = {label: [(0, anchor)] for label, anchor in f["chains"].items()}
    c.rules, c.opts, c.seats, c.anchors = f["rules"], f["opts"], f["seats"], dict(f["chains"])
    c.talk = Talk.of(f)


# --- the roster -------------------------------------------------------------------------------------------------------


def _join(c: Checked, entry: Entry) -> None:
    seat, say = entry.fields["by"], entry.fields["say"]
    if c.stage.phase != "roster" or seat in c.keys:
        raise host_fault(entry, "ORDERING", _("{seat} joins, but the seat is taken.", seat=seat))
    c.keys[seat], c.recovery[seat], c.anchors[f"seat:{seat}"] = say["key"], say["next"], say["chain"]
    if len(c.keys) == len(c.seats):
        c.stage.phase = "ready"
        c.stage.ask = entry.n


def _ready(c: Checked, entry: Entry) -> None:
    seat = entry.fields["by"]
    if c.stage.phase != "ready":
        raise host_fault(entry, "ORDERING", _("{seat} is ready, but this is not the time to say so.", seat=seat))
    if c.talk.called:
        _may_stand(c, entry)
        check_seen(c, entry, c.talk.called, _("the new key"))
        check_link(c, entry, c.talk.mark)
        return
    if seat in c.seat_links:
        raise host_fault(entry, "ORDERING", _("{seat} is ready twice.", seat=seat))
    # 4: at ready, not older than the last join
    check_seen(c, entry, c.stage.ask, _("the last join"))
    # 5, fair 2: ready is mark 1 and carries link 1
    c.seat_links[seat] = {}
    check_link(c, entry, 1)
    c.marks[seat] = 1
    if len(c.seat_links) == len(c.seats):
        c.stage.phase = "play"


def _rekey(c: Checked, entry: Entry) -> None:
    """5, fair 1: the open question is void; no random event before every seat has signed `ready` again."""
    seat, say = entry.fields["by"], entry.fields["say"]
    check_seen(c, entry, 0, _("the game"))
    _may_stand(c, entry)
    _call(c, entry, seat, say)


def _newcomer(c: Checked, entry: Entry, player: dict[str, Any]) -> None:
    """3: who takes a vanished player's seat has signed for it, as at a join."""
    say = player["say"]
    usable_key(entry, say["key"], _("The newcomer's key"))
    if not verify_sig_read(say["key"], SAY, cj_read(say), player["sig"]):
        raise host_fault(entry, "SIG", _("The newcomer has not signed for the seat."))
    if say["game"] != c.game:
        raise host_fault(entry, "BIND", _("The newcomer signed for another game."))
    _call(c, entry, say["seat"], say)


def _call(c: Checked, entry: Entry, seat: str, say: dict[str, Any]) -> None:
    """5, fair 1: a new anchor; the open question is void, and all say again that they are ready."""
    c.past_keys.setdefault(seat, []).append((entry.n, c.keys[seat]))
    c.keys[seat], c.recovery[seat], c.anchors[f"seat:{seat}"] = say["key"], say["next"], say["chain"]
    _mark_ready(c, mark_of_call(c.talk.mark))


def _mark_ready(c: Checked, mark: int) -> None:
    """5, fair 2: all are to be ready with one mark; who stood ahead of others, having answered in this round, does so still."""
    void = c.asks[c.stage.ask].fields if c.stage.phase == "asked" else {}
    for seat in void["to"] if "mark" in void else ():
        c.marks[seat] -= 1
    least = min(c.marks.values())
    c.marks.update({seat: mark + stood - least for seat, stood in c.marks.items()})
    c.stage.phase = "ready"


def _host(c: Checked, entry: Entry) -> None:
    """3: another host goes on from a head that the former one signed; 5, fair 1: all say again that they are ready."""
    f, (n, h) = entry.fields, entry.fields["seen"]
    _may_stand(c, entry)
    usable_key(entry, f["key"], _("The new host's key"))
    if c.entries[n].hash != h:
        raise host_fault(entry, "SEEN", _("All agreed to go on from another entry {n} than this one.", n=n))
    if not signs(c, n):
        missing = _("No head signed by the former host covers entry {n} itself.", n=n)
        raise Fault(entry.n, "HEADSIG", "supplier", missing)
    # 5: a chain for the public, one for each seat, and for all deals that were not made; one more to deal anew on
    deals = {f"deal:{i}" for i in range(1, c.talk.deals + c.talk.moves + 2)} - {label for label, _i in c.events}
    expected = {"pub", *(f"priv:{seat}" for seat in c.seats), *deals}
    if set(f["chains"]) != expected:
        labels = ", ".join(sorted(expected))
        raise host_fault(entry, "FORM", _("The chains of the new host should be {labels}.", labels=labels))
    used = dict(sorted(c.events))
    for label, anchor in f["chains"].items():
        c.anchors[label] = anchor
        c.begun.setdefault(label, []).append((used.get(label, 0), anchor))
    c.hosts.append((entry.n, f["key"]))
    c.lost_to = max(c.lost_to, n)
    _mark_ready(c, f["mark"])


# --- questions and answers --------------------------------------------------------------------------------------------


def _ask(c: Checked, entry: Entry) -> None:
    f = entry.fields
    # 7: no ask without a tell, none while another is open
    if c.stage.phase != "told":
        asked = c.stage.phase == "asked"
        reason = (
            _("A question is put while another is open.") if asked else _("A question is put without a tell before it.")
        )
        raise host_fault(entry, "ORDERING", reason)
    # 3: orders are appended in seat order, so seats are asked in it
    if f["to"] != [seat for seat in c.seats if seat in f["to"]]:
        raise host_fault(entry, "FORM", _("The seats asked are seats of this game, in its order."))
    if "mark" in f:
        for seat in f["to"]:
            # 5, fair 2: a seat's marked asks are numbered on, without a gap
            if f["mark"] != c.marks[seat] + 1:
                raise host_fault(
                    entry,
                    "ORDERING",
                    _(
                        "Mark {mark} is put to {seat}, who stands at {marks}.",
                        mark=f["mark"],
                        seat=seat,
                        marks=c.marks[seat],
                    ),
                )
        c.marks.update(dict.fromkeys(f["to"], f["mark"]))
    c.asks[entry.n], c.answers[entry.n] = entry, {}
    if "due" in f:
        c.dues[entry.n] = f["due"]
    c.stage.phase, c.stage.ask, c.stage.answered = "asked", entry.n, 0


def _answer(c: Checked, entry: Entry, seat: str, ask: int) -> dict[str, Any]:
    """3: an answer goes to the open ask, from a seat it was put to, and once; gives the ask."""
    if c.stage.phase != "asked" or ask != c.stage.ask:
        raise host_fault(entry, "ASK", _("{seat} answers question {ask}, which is not open.", seat=seat, ask=ask))
    question = c.asks[ask].fields
    answers = c.answers[ask]
    if seat not in question["to"]:
        raise host_fault(
            entry, "ASK", _("{seat} answers question {ask}, which was not put to this seat.", seat=seat, ask=ask)
        )
    if seat in answers:
        raise host_fault(entry, "ASK", _("{seat} answers question {ask} a second time.", seat=seat, ask=ask))
    return question


def _answered(c: Checked, entry: Entry, seat: str, question: dict[str, Any]) -> None:
    answers = c.answers[c.stage.ask]
    answers[seat] = entry
    if len(answers) == len(question["to"]):
        c.stage.phase = "play"


def _order(c: Checked, entry: Entry) -> None:
    seat, say = entry.fields["by"], entry.fields["say"]
    ask = say.get("ask", c.stage.ask)
    question = _answer(c, entry, seat, ask)
    # 3: orders are appended in seat order
    if any(c.seats.index(x) > c.seats.index(seat) for x, given in c.answers[ask].items() if given.k == "order"):
        raise host_fault(entry, "ORDERING", _("{seat}'s order stands out of the order of seats.", seat=seat))
    if say["act"] == "ahead":
        _sent_ahead(c, entry, question)
    else:
        # 4: any head not older than the ask
        check_seen(c, entry, ask, _("the question"))
    _may_stand(c, entry)
    # 3: link and link_n on marked asks only
    if ("mark" in question) != ("link" in say):
        reason = (
            _("{seat} gives no link on a marked question.", seat=seat)
            if "mark" in question
            else _("{seat} gives a link on an unmarked question.", seat=seat)
        )
        raise host_fault(entry, "FORM", reason)
    if "mark" in question:
        check_link(c, entry, question["mark"])
    if say["act"] == "order":
        _public_text(c, entry, question)
    bear(c, entry, seat, sealed_under(say), say["seals"])
    _answered(c, entry, seat, question)


def _sent_ahead(c: Checked, entry: Entry, question: dict[str, Any]) -> None:
    """4: it answers the question of its mark; the head he saw is not older than what voided a question last, nor too far back."""
    seat, say = entry.fields["by"], entry.fields["say"]
    if "mark" not in question:
        why = _("{seat}'s order for mark {mark} answers a question without a mark.", seat=seat, mark=say["link_n"])
        raise host_fault(entry, "ASK", why)
    check_seen(c, entry, stand((e.fields for e in c.entries[: entry.n]), seat).since, _("what voided it"))
    seen = say["seen"][0]
    then = stand((e.fields for e in c.entries[: seen + 1]), seat)
    if say["link_n"] > then.most:
        why = _(
            "{seat} sent an order for mark {to} ahead from mark {mark}; {most} is the most.",
            seat=seat, to=say["link_n"], mark=then.mark, most=then.most,
        )  # fmt: skip
        raise host_fault(entry, "SEEN", why)


def _public_text(c: Checked, entry: Entry, question: dict[str, Any]) -> None:
    """3: pub is {order: text} where secret is no, else {}."""
    say = entry.fields["say"]
    public = question["secret"] == "no"
    if public != ("order" in say["pub"]):
        secret = question["secret"]
        reason = (
            _("The question's secrecy is “{secret}”, but its text is missing.", secret=secret)
            if public
            else _("The question's secrecy is “{secret}”, but its text stands in the open.", secret=secret)
        )
        raise host_fault(entry, "FORM", reason)
    if public:
        c.stage.public_orders.append(say["seals"]["order"])


def _skip(c: Checked, entry: Entry) -> None:
    f = entry.fields
    question = _answer(c, entry, f["to"], f["ask"])
    _may_stand(c, entry)
    _answered(c, entry, f["to"], question)


def _say(c: Checked, entry: Entry) -> None:
    check_seen(c, entry, 0, _("the game"))
    _may_stand(c, entry)


def _amend(c: Checked, entry: Entry) -> None:
    """5, fair 2: what is put again bears the same mark; after a new player all say again that they are ready."""
    _may_stand(c, entry)
    if "player" in entry.fields["what"]:
        _newcomer(c, entry, entry.fields["what"]["player"])
        return
    first = entry.fields["what"].get("takeback", c.stage.ask)
    for n, ask in c.asks.items():
        if n >= first and "mark" in ask.fields:
            for seat in ask.fields["to"]:
                c.marks[seat] = min(c.marks[seat], ask.fields["mark"] - 1)
    c.stage.phase = "play"


def _extend(c: Checked, entry: Entry) -> None:
    _may_stand(c, entry)
    c.dues[entry.fields["ask"]] = entry.fields["due"]


# --- tells and the end ------------------------------------------------------------------------------------------------


def _tell(c: Checked, entry: Entry) -> None:
    f = entry.fields
    if c.stage.phase != "play":
        match c.stage.phase:
            case "asked":
                reason = _("A tell stands while a question is open.")
            case "told":
                reason = _("A tell stands right after another.")
            case _:
                reason = _("A tell stands before all are ready.")
        raise host_fault(entry, "ORDERING", reason)
    # 3: seals for every seat, and "state"
    if f["seals"].keys() != {*c.seats, "state"}:
        raise host_fault(
            entry, "FORM", _("A tell seals one report for every seat, and the state; one is missing or too many.")
        )
    # 3: the public events since the last tell, in order
    if f["rolls"] != c.stage.rolls:
        raise host_fault(
            entry,
            "REQ",
            _(
                "The tell reports the rolls {rolls}, but {fallen} fell since the last one.",
                rolls=f["rolls"],
                fallen=c.stage.rolls,
            ),
        )
    _names(c, entry)
    # 3: the next tell opens an order given in the open
    for digest in c.stage.public_orders:
        if digest not in f["opens"]:
            b = c.bearers[digest]
            raise host_fault(
                entry,
                "TELL",
                _("The tell does not open {who}'s order of entry {n}, which was public.", who=b.who, n=b.n),
            )
    bear(c, entry, "host", entry.n, f["seals"])
    c.stage.rolls, c.stage.public_orders, c.stage.phase = [], [], "told"


def _names(c: Checked, entry: Entry) -> None:
    """7: a tell names what is logged, not yet named, and no `priv` link."""
    for digest in entry.fields["opens"]:
        if digest not in c.bearers or digest in c.named:
            short = digest[:12]
            reason = (
                _("The tell opens the seal {digest}…, but it was named before.", digest=short)
                if digest in c.named
                else _("The tell opens the seal {digest}…, but no entry above has it.", digest=short)
            )
            raise host_fault(entry, "STRAY", reason)
        c.named[digest] = entry.n
    for label, i in entry.fields["links"]:
        if not label.startswith("deal:") or (label, i) not in c.events or (label, i) in c.named:
            reason = (
                _("The tell shows link {i} of {label}, but it was named before.", i=i, label=label)
                if (label, i) in c.named
                else _("The tell shows link {i} of {label}, but it is no deal that was made.", i=i, label=label)
            )
            raise host_fault(entry, "STRAY", reason)
        c.named[label, i] = entry.n


def _end(c: Checked, entry: Entry) -> None:
    _may_stand(c, entry)
    # 7: no end without a tell, unless a say ended the game
    if c.stage.phase != "told" and "cause" not in entry.fields:
        raise host_fault(entry, "ORDERING", _("The game ends without a tell before it."))
    c.stage.phase = "over"


_TURNS = {
    "game": _game,
    "join": _join,
    "ready": _ready,
    "ask": _ask,
    "order": _order,
    "rand": check_rand,
    "tell": _tell,
    "skip": _skip,
    "say": _say,
    "rekey": _rekey,
    "amend": _amend,
    "host": _host,
    "extend": _extend,
    "end": _end,
}
