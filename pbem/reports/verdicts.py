"""A verdict in words that a player can act on: what happened, who can have done it and who cannot, what to do next.

It judges nothing: it says again what a verdict says, for people who have never looked into a log.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pbem.i18n import N_, _, _n

from .text import sentence

if TYPE_CHECKING:
    from pbem.ledger import Verdict
    from pbem.ledger.verifier.lines import Break
    from pbem.ledger.verifier.verdict import Change, Repaired

HAPPENED = {
    "FORM": N_("It does not have the form of a log: our programs never write it like this."),
    "CHAIN": N_("From there on the hashes no longer match."),
    "HEADSIG": N_(
        "A signature of the host does not fit the text above it: one of the two was changed, or the file was cut off between two "
        "signatures."
    ),
    "FORK": N_("The host has signed two histories of this game: different people were told different things."),
    "SIG": N_("The signature below it is not by the right key."),
    "BIND": N_("This was signed for something different: another game, another seat or another offer."),
    "ASK": N_("It answers a question that this seat was not asked, or that is closed."),
    "SEEN": N_("Its signer had seen another history, or had not yet seen the entry that it refers to."),
    "ORDERING": N_("It is out of turn."),
    "TIME": N_("Its time breaks the agreed terms, or is before that of an earlier entry."),
    "EARLY": N_("Dice were rolled, or cards were dealt, before everybody was ready."),
    "LINK": N_("The secret number shown here is not the one that was fixed before."),
    "RAND": N_("This is not the result of the dice."),
    "REQ": N_("Dice or cards came that the rules did not ask for, or that the report leaves out."),
    "SEALBIND": N_("The opened text is not the one that was sealed here."),
    "STRAY": N_(
        "A line beside it belongs to nothing in the log, or occurs twice. This happens when a card, an order or a report is "
        "changed after it was sealed."
    ),
    "UNOPENED": N_("This file lacks something that must be open by now."),
    "TELL": N_("By the rules, this report is false."),
    "PLAN": N_("A standing plan was not applied, or was applied where it does not cover."),
    "ILLEGAL": N_("The rules do not allow this order, but it was accepted."),
    "RULES": N_("It was played by rules that are not installed here."),
    "CARD": N_("A statement about the deck is false, or this is not the right deck."),
    "DROPPED": N_("It arrived in time and the host signed for it, but it was left out."),
    "DOUBLE": N_("One player signed two different answers to one question."),
    "WITNESSED": N_("Another player received the order in time, sealed for the host, but it is not in the log."),
    "DENIED": N_("It claims the game because an order had not come in time. The claimant had signed that it had."),
}
"""What happened, by code."""
OF_TWO = {
    "FORK": N_("One player signed two different turns at one place: from here on the copies of this game differ."),
    "SEEN": N_("It was not signed after the entry above it: its signer had seen a different entry there."),
    "BIND": N_("This was signed for something different: another game, another seat, or an offer that does not exist."),
    "ORDERING": N_("It is out of turn: it was not due, or something different was."),
    "LINK": N_("The number for the dice shown here is not the one that was fixed before."),
    "SEALBIND": N_("The value shown or hidden here is not the one that was fixed before."),
    "STRAY": N_("It opens a seal, but no seal is waiting to be opened."),
    "TELL": N_("By the rules, this result is false."),
    "ILLEGAL": N_("The rules do not allow this order."),
}
"""What happened, by code, in a game without a host: where it is not the same."""

_SENT = ("SIG", "BIND", "ASK", "SEEN", "LINK", "ILLEGAL")
"""Codes of what a player may have sent, and the host should have refused."""

_HOST = N_(
    "Only the host can have done it: its signature covers it. No player can have, nor the person who gave you the file."
)
_SENT_SO = N_("A player may have sent it like this. But the host accepted it: its signature covers it.")
_SUPPLIER = N_(
    "The person who gave you this file can have done it, or it happened on the way. The host and the other players cannot have: "
    "nothing that they signed contains it."
)
_SEAT = N_(
    "Only the owner of the key of {seat} can have signed both. This need not be cheating: it can happen with two machines."
)

_HOST_NEXT = N_(
    "Send no more orders. Keep your file as it is, make a proof (“pbem audit FILE --evidence DIR”), and show it to the others: "
    "everybody can check it. You can continue under another host from before that entry."
)
_COMPLAINED_NEXT = {
    "DROPPED": N_(
        "Send no more orders. Keep your letter and the receipts, and show them with the log to the others: everybody can "
        "repeat this “pbem complain”. You can continue under another host from before that entry."
    )
}
_SUPPLIER_NEXT = N_(
    "Ask another player or the host for another copy, and compare the two: “pbem diff FILE OTHER” shows the change. Mail "
    "programs damage files, too: blame nobody before you have compared."
)
_MISSING_NEXT = N_(
    "Ask for another copy, and combine the two with “pbem merge”: whatever is open in either is then open."
)
_SEAT_NEXT = N_("The one in the log counts. Let your programs read all mails before you order.")
_OF_PAPERS = {
    "WITNESSED": (
        N_(
            "Either the host left it out, or the mails of two players to the host were lost, or the two made it up. Their "
            "signatures show that the order existed, but nothing shows that it reached the host."
        ),
        N_(
            "Show order and acknowledgement to the host and to all players. If it happens again, continue under another host "
            "from before that entry."
        ),
    ),
    "DENIED": (
        N_(
            "Only the owner of the key of {seat} can have signed both. The host may not have known of the acknowledgement."
        ),
        N_(
            "Show claim and acknowledgement to the host and to all players. They, or their club, decide whether the game counts."
        ),
    ),
}
"""Who, and what next, where papers of other players bear a complaint out."""

_SIGNER = N_(
    "Only the owner of the key of {seat} can have done it: that signature covers it. The other player cannot have, nor the "
    "person who gave you the file."
)
_SIGNER_NEXT = N_(
    "Send no more orders. Keep your file as it is and show it to the other player, or to anybody: everybody can check it with "
    "“pbem verify”, and with “pbem audit” once both have shown their secrets."
)
_EITHER = N_(
    "The person who gave you this file can have done it, or it happened on the way. Neither player need have: nothing that they "
    "signed contains it."
)
_EITHER_NEXT = N_(
    "Ask either player for another copy, and compare the two: “pbem diff FILE OTHER” shows the change. Mail programs damage "
    "files, too: blame nobody before you have compared."
)
_OUTCOMES_OF_TWO = {
    "clean": {
        True: N_(
            "The game is over, both have shown their secrets, and everything is in order: rules, dice, decks and signatures."
        ),
        False: N_(
            "The game is over and both have shown their secrets. Signatures, seals, links and decks are in order. “pbem audit” "
            "checks the rules."
        ),
    },
    "unfinished": {
        True: N_(
            "So far signatures, seals, links and decks are in order, and so is everything that everybody can judge by the rules, "
            "as said below. Each player's own program judges what its seat sees; the rest can be judged once both have shown "
            "their secrets. The file does not show who is late, or whether later turns were cut off."
        ),
        False: N_(
            "So far all visible signatures, seals, links and decks are in order. Each player's own program checks the rules; "
            "everybody can check them once both have shown their secrets. The file does not show who is late, or whether later "
            "turns were cut off."
        ),
    },
    "unfounded": dict.fromkeys((True, False), N_("The complaint fails: the papers do not show a fault.")),
}
"""The outcome of a game without a host that has no fault."""


_OUTCOMES = {
    "clean": {
        True: N_("The game is over, everything is open, and everything is in order: rules, dice and signatures."),
        False: N_(
            "The game is over and everything is open. Signatures, seals and dice are in order. The rules are not judged here: "
            "type “pbem audit”."
        ),
    },
    "unfinished": {
        True: N_("So far everything is in order by the rules. Sealed parts are judged when they are opened."),
        False: N_(
            "So far signatures, seals and dice are in order. Sealed parts are judged when they are opened; “pbem audit” checks "
            "the rules."
        ),
    },
    "partly": dict.fromkeys(
        (True, False),
        N_(
            "Signatures, seals and dice are in order up to the last entry. By the rules everything is in order up to entry "
            "{n}. What comes after it depends on what this copy does not open. It can be judged by a copy that opens more, as the "
            "host's log of a finished game does, or two copies merged."
        ),
    ),
    "unfounded": dict.fromkeys((True, False), N_("The complaint fails: the papers do not show a fault.")),
}
"""The outcome without a fault, with and without a check of the rules."""
_NOT_JUDGED = N_("This cannot be judged here. Nobody is at fault.")


def explained(
    verdict: Verdict,
    entry: Mapping[str, Any] | None,
    *,
    rules: bool,
    name: Callable[[str], str] = str,
    mode: str = "host",
    above: Mapping[str, Any] | None = None,
    at: Break | None = None,
) -> list[str]:
    """Return a verdict as paragraphs: of a fault what happened, who, what next.

    `entry` are the fields of the entry that it names, if they can be read; `rules` says whether the rules were replayed; `name`
    tells what a seat is called; `mode` is the name of the log's mode. Where the chain breaks, `above` are the fields of the entry
    before it, and `at` is what the signed heads tell of the two.
    """
    if verdict.repaired is not None:
        return _explained_repaired(
            verdict, verdict.repaired, entry, rules=rules, name=name, mode=mode, above=above, at=at
        )
    return _EXPLAINED[mode](verdict, entry, rules, name, above, at)


def _explained_with_host(
    verdict: Verdict,
    entry: Mapping[str, Any] | None,
    rules: bool,
    name: Callable[[str], str],
    above: Mapping[str, Any] | None,
    at: Break | None,
) -> list[str]:
    if verdict.verdict != "fault":
        return [
            _(
                _OUTCOMES.get(verdict.verdict if verdict.judged is None else "partly", {}).get(rules, _NOT_JUDGED),
                n=verdict.judged,
            )
        ]
    code, party = str(verdict.code), str(verdict.party)
    found = [" ".join((_place(verdict, entry, name), _(HAPPENED[code])))]
    if code == "CHAIN" and verdict.entry:
        found = [sentence(_parted(verdict.entry, entry or {}, above or {}, at, name))]
    if party == "host" and code not in _OF_PAPERS:
        return [
            *found,
            _(_SENT_SO) if code in _SENT and entry and "say" in entry else _(_HOST),
            _(_COMPLAINED_NEXT.get(code, _HOST_NEXT)),
        ]
    if party == "supplier":
        return [*found, _(_SUPPLIER), _(_MISSING_NEXT) if code == "UNOPENED" else _(_SUPPLIER_NEXT)]
    return [*found, *(_(said, seat=name(party)) for said in _OF_PAPERS.get(code, (_SEAT, _SEAT_NEXT)))]


_CHANGED: dict[Change, str] = {
    "encoding": N_("it is written in UTF-16"),
    "mark": N_("a byte-order mark is in front of it"),
    "line ends": N_("its lines end as on another system"),
    "empty lines": N_("it has empty lines"),
    "last line end": N_("its last line has no proper end"),
}
"""What a program has changed of a file without touching what it says, as words in the middle of a sentence."""


def _explained_repaired(
    verdict: Verdict,
    repaired: Repaired,
    entry: Mapping[str, Any] | None,
    *,
    rules: bool,
    name: Callable[[str], str],
    mode: str,
    above: Mapping[str, Any] | None,
    at: Break | None,
) -> list[str]:
    """What is said of a file whose line ends were changed; `entry` is that of the fault that is left, if there is one."""
    found = replace(
        verdict, verdict=repaired.verdict, entry=repaired.entry, code=repaired.code, party=repaired.party,
        reason=repaired.reason, repaired=None,
    )  # fmt: skip
    more = explained(found, entry, rules=rules, name=name, mode=mode, above=above, at=at)
    what = ", ".join(_(_CHANGED[change]) for change in repaired.changed)
    if not repaired.is_in_order:
        also = _("The line ends of this file were changed as well ({what}). That is nobody's fault.", what=what)
        return [also + " " + _("Repaired, the file says this:"), *more]
    only = _(
        "Only the line ends of this file were changed ({what}), as mail programs, editors and git do. Nobody who played is to "
        "blame.",
        what=what,
    )
    how = _("To repair the file, type “pbem merge FILE FILE --out REPAIRED”.")
    return [only, _("Repaired, the file is {outcome}.", outcome=found.outcome) + " " + more[0], how]


def _explained_of_two(
    verdict: Verdict,
    entry: Mapping[str, Any] | None,
    rules: bool,
    name: Callable[[str], str],
    above: Mapping[str, Any] | None,
    _at: Break | None,
) -> list[str]:
    if verdict.verdict != "fault":
        return [_(_OUTCOMES_OF_TWO.get(verdict.verdict, {}).get(rules, _NOT_JUDGED))]
    code, party = str(verdict.code), str(verdict.party)
    found = [" ".join((_place(verdict, entry, name), _(OF_TWO.get(code, HAPPENED[code]))))]
    if code == "CHAIN" and verdict.entry:
        found = [sentence(_parted(verdict.entry, entry or {}, above or {}, None, name))]
    if party == "supplier":
        return [*found, _(_EITHER), _(_EITHER_NEXT)]
    if code == "FORK":
        return [*found, _(_SEAT, seat=name(party))]
    return [*found, _(_SIGNER, seat=name(party)), _(_SIGNER_NEXT)]


_EXPLAINED = {"host": _explained_with_host, "two": _explained_of_two}
"""By the name of a log's mode, what says a verdict on it."""


_WHAT = {
    "game": N_("with which the game was opened"),
    "join": N_("with which {seat} took the seat"),
    "ready": N_("the word of {seat} to be ready"),
    "ask": N_("a question"),
    "order": N_("an order of {seat}"),
    "skip": N_("which passes over {seat}"),
    "tell": N_("a report"),
    "say": N_("something that {seat} said"),
    "rekey": N_("another key of {seat}"),
    "amend": N_("something that all agreed on"),
    "host": N_("another host"),
    "renew": N_("new numbers of the host"),
    "extend": N_("more time"),
    "end": N_("the end of the game"),
    "turn": N_("a turn of {seat}"),
}
"""The name of an entry, by kind, as words in the middle of a sentence."""


def _parted(
    n: int, entry: Mapping[str, Any], above: Mapping[str, Any], at: Break | None, name: Callable[[str], str]
) -> str:
    """What is wrong where entry n does not follow the one above it, as far as the signed heads tell."""
    number = n if at is None or at.number is None else at.number
    two = {"above": named(n - 1, above, name), "here": named(number, entry, name)}
    if number != n and at is not None and at.follows:
        return _(
            "By its hash, {here} is the next one after {above}: nothing is missing, but its number was altered.", **two
        )
    if number > n:
        gap = number - n
        return _n(
            "{n} entry is missing in this file: {above} is followed by {here}.",
            "{n} entries are missing in this file: {above} is followed by {here}.",
            gap,
            **two,
        )
    if number < n:
        return _("Entries occur twice in this file, or in another order: {above} is followed by {here}.", **two)
    if at is not None and at.here != at.above:
        if at.here:
            return _(
                "{above} was altered or exchanged: {here} is as the host signed it, and does not follow it.", **two
            )
        return _("{here} was altered or exchanged: {above} is as the host signed it.", **two)
    return _("{above} or {here} was altered: from there the hashes no longer match.", **two)


def named(n: int, entry: Mapping[str, Any], name: Callable[[str], str]) -> str:
    """Return an entry by its number and name, in the middle of a sentence; its fields are not trusted."""
    what = _what(entry, name) if entry else ""
    return _("entry {n} ({what})", n=n, what=what) if what else _("entry {n}", n=n)


def _place(verdict: Verdict, entry: Mapping[str, Any] | None, name: Callable[[str], str]) -> str:
    what = _what(entry, name) if entry else ""
    return _("Entry {n}, {what}.", n=verdict.entry, what=what) if what else _("Entry {n}.", n=verdict.entry)


def _what(entry: Mapping[str, Any], name: Callable[[str], str]) -> str:
    """Return the name of an entry; its fields are not trusted."""
    kind, (chain, _colon, owner) = entry.get("k"), str(entry.get("chain")).partition(":")
    if kind != "rand":
        return _(_WHAT.get(str(kind), ""), seat=name(str(entry.get("by") or entry.get("to") or "?")))
    if chain == "priv" and owner:
        return _("a draw of {seat}", seat=name(owner))
    return _("a deal of cards") if chain in ("deal", "anew") else _("a roll of dice")
