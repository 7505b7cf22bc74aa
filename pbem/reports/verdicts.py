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
    "FORM": N_("It is not of the form that a log has: no program of ours writes it so."),
    "CHAIN": N_("From there on the hashes no longer match."),
    "HEADSIG": N_(
        "A signature of the host does not fit what it stands under: one of the two was changed, or the file was cut off between "
        "two signatures."
    ),
    "FORK": N_("The host has signed two histories of this game: different people were told different things."),
    "SIG": N_("The signature under it was not made by the key that it should be from."),
    "BIND": N_("What was signed here was signed for something else: another game, another seat, another offer."),
    "ASK": N_("It answers a question that was not put to this seat, or not any more."),
    "SEEN": N_("Whoever signed it had seen another history, or had not seen yet what it is about."),
    "ORDERING": N_("It stands where it may not stand: this was not its turn."),
    "TIME": N_("Its time is not what was agreed on, or time runs backwards."),
    "EARLY": N_("Dice fell, or cards were dealt, before everybody was ready."),
    "LINK": N_("The secret number that is shown here is not the one that was fixed before."),
    "RAND": N_("This is not what the dice gave."),
    "REQ": N_("Dice or cards came that the rules did not ask for, or that the report keeps back."),
    "SEALBIND": N_("What was opened is not what was sealed at this place."),
    "STRAY": N_(
        "A line beside it belongs to nothing in the log, or stands there twice. So it looks when a card, an order or a report was "
        "changed after it was sealed."
    ),
    "UNOPENED": N_("Something that must be open by now is missing in this file."),
    "TELL": N_("The report is not what happened by the rules."),
    "PLAN": N_("A standing plan was not applied, or where it does not speak."),
    "ILLEGAL": N_("The rules do not allow this order, and it was let count."),
    "RULES": N_("It was played by rules that are not here."),
    "CARD": N_("What is said of the deck does not hold, or it is not the deck that it had to be."),
    "DROPPED": N_("It had arrived in time, the host had signed for it, and it was left out."),
    "DOUBLE": N_("One player has signed two different answers to one question."),
    "WITNESSED": N_("The order had come to another player in time, sealed for the host, and it is not in the log."),
    "DENIED": N_("It claims the game because an order had not come in time. Whoever claims had signed that it had."),
}
"""What happened, by code."""
OF_TWO = {
    "FORK": N_("One player has signed two different turns at one place: the copies of this game part here."),
    "SEEN": N_("It was not signed behind the entry above it: whoever signed it had seen something else there."),
    "BIND": N_(
        "What was signed here was signed for something else: another game, another seat, an offer that is not there."
    ),
    "ORDERING": N_("It stands where it may not stand: it was not due, or something else was."),
    "LINK": N_("The number for the dice that is shown here is not the one that was fixed before."),
    "SEALBIND": N_(
        "What was shown here is not what was bound before, or what is hidden here is not what it should be."
    ),
    "STRAY": N_("It opens a seal, and there is none to be opened."),
    "TELL": N_("What was told here is not what happened by the rules."),
    "ILLEGAL": N_("The rules do not allow this order."),
}
"""What happened, by code, in a game without a host: where it is not the same."""

_SENT = ("SIG", "BIND", "ASK", "SEEN", "LINK", "ILLEGAL")
"""Codes of what a player may have sent, and the host should have refused."""

_HOST = N_(
    "Only the host can have done it: its signature covers it. No player can have, nor whoever gave you the file."
)
_SENT_SO = N_("A player may have sent it so. To let it count was the host's doing: its signature covers it.")
_SUPPLIER = N_(
    "Whoever gave you this file can have done it, or the way on which it came. The host cannot have, nor another player: nothing "
    "that they signed holds it."
)
_SEAT = N_(
    "Only who has the key of {seat} can have signed both. That is no cheating yet: with two machines it happens."
)

_HOST_NEXT = N_(
    "Order nothing more. Keep your file as it is, make a proof (“pbem audit FILE --evidence DIR”), and show it to the others: "
    "everybody can check it. You can go on under another host from before that entry."
)
_SUPPLIER_NEXT = N_(
    "Ask for another copy, of another player or of the host, and look at that: “pbem diff FILE OTHER” says what was "
    "changed. Mail programs damage files, too: hold nothing against anybody before."
)
_MISSING_NEXT = N_("Ask for another copy, and unite the two (“pbem merge”): what is open in either is open then.")
_SEAT_NEXT = N_("The one that stands in the log counts. Let your programs read all mails before you order.")
_OF_PAPERS = {
    "WITNESSED": (
        N_(
            "Either the host left it out, or what two players sent to the host was lost, or the two have made it up: their "
            "signatures show that the order was there, and no paper shows what reaches a mailbox."
        ),
        N_(
            "Show order and acknowledgement to the host and to all players. If it goes on like this, go on under another host from "
            "before that entry."
        ),
    ),
    "DENIED": (
        N_("Only who has the key of {seat} can have signed both. The host need not have known of the acknowledgement."),
        N_(
            "Show claim and acknowledgement to the host and to all players: whether the game counts is for them, or their club, to "
            "say."
        ),
    ),
}
"""Who, and what next, where papers of other players bear a complaint out."""

_SIGNER = N_(
    "Only who has the key of {seat} can have done it: it lies under that signature. The other player "
    "cannot have, nor whoever gave you "
    "the file."
)
_SIGNER_NEXT = N_(
    "Order nothing more. Keep your file as it is and show it to the other, or to whom you like: everybody can check it with “pbem "
    "verify”, and with “pbem audit” once both have shown their secrets."
)
_EITHER = N_(
    "Whoever gave you this file can have done it, or the way on which it came. Neither of the two "
    "players need have: nothing that they "
    "signed holds it."
)
_EITHER_NEXT = N_(
    "Ask for another copy, of either player, and look at that: “pbem diff FILE OTHER” says what was changed. Mail programs damage "
    "files, too: hold nothing against anybody before."
)
_OUTCOMES_OF_TWO = {
    "clean": {
        True: N_(
            "The game is over, both have shown their secrets, and all of it is in order: by the rules, the dice, the decks and the "
            "signatures."
        ),
        False: N_(
            "The game is over, both have shown their secrets; signatures, seals, links and decks are in order. "
            "Whether the rules were "
            "kept, “pbem audit” says."
        ),
    },
    "unfinished": {
        True: N_(
            "As far as the game has come, signatures, seals, links and decks are in order, and whatever everybody can judge by the "
            "rules, as said below. Each player's own program judges what its seat sees; the rest shows when both have shown their "
            "secrets. Nothing tells who is late, or whether later turns were cut off."
        ),
        False: N_(
            "As far as the game has come, signatures, seals, links and decks are in order, as far as they can be "
            "seen. Whether the rules "
            "are kept, each player's own program says; to all others it shows when both have shown their "
            "secrets. Nothing tells who is "
            "late, or whether later turns were cut off."
        ),
    },
    "unfounded": dict.fromkeys((True, False), N_("The papers do not show that anybody did wrong: it was otherwise.")),
}
"""What comes out of a game without a host where there is no fault."""


_OUTCOMES = {
    "clean": {
        True: N_(
            "The game is over, everything is open, and all of it is in order: by the rules, the dice and the signatures."
        ),
        False: N_(
            "The game is over, everything is open; signatures, seals and dice are in order. Whether the rules were kept, “pbem "
            "audit” says."
        ),
    },
    "unfinished": {
        True: N_(
            "As far as the game has come, all of it is in order by the rules. What is still sealed is judged when it is opened."
        ),
        False: N_(
            "As far as the game has come, signatures, seals and dice are in order. What is still sealed is judged when it is "
            "opened; whether the rules were kept, “pbem audit” says."
        ),
    },
    "unfounded": dict.fromkeys((True, False), N_("The papers do not show that anybody did wrong: it was otherwise.")),
}
"""What comes out where there is no fault, with and without a look at the rules."""
_NOT_JUDGED = N_("This cannot be judged here, and nobody is at fault by it.")


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
        return [_(_OUTCOMES.get(verdict.verdict, {}).get(rules, _NOT_JUDGED))]
    code, party = str(verdict.code), str(verdict.party)
    found = [" ".join((_place(verdict, entry, name), _(HAPPENED[code])))]
    if code == "CHAIN" and verdict.entry:
        found = [sentence(_parted(verdict.entry, entry or {}, above or {}, at, name))]
    if party == "host" and code not in _OF_PAPERS:
        return [*found, _(_SENT_SO) if code in _SENT and entry and "say" in entry else _(_HOST), _(_HOST_NEXT)]
    if party == "supplier":
        return [*found, _(_SUPPLIER), _(_MISSING_NEXT) if code == "UNOPENED" else _(_SUPPLIER_NEXT)]
    return [*found, *(_(said, seat=name(party)) for said in _OF_PAPERS.get(code, (_SEAT, _SEAT_NEXT)))]


_CHANGED: dict[Change, str] = {
    "encoding": N_("it is written in UTF-16"),
    "mark": N_("a byte-order mark stands before it"),
    "line ends": N_("its lines end as on another system"),
    "empty lines": N_("it has empty lines"),
    "last line end": N_("its last line does not end as it should"),
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
        also = _("The line ends of this file were changed as well ({what}); that is nobody's fault.", what=what)
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
    "ready": N_("with which {seat} was ready"),
    "ask": N_("a question"),
    "order": N_("an order of {seat}"),
    "skip": N_("in which {seat} is passed over"),
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
"""What an entry is, by kind, as words in the middle of a sentence."""


def _parted(
    n: int, entry: Mapping[str, Any], above: Mapping[str, Any], at: Break | None, name: Callable[[str], str]
) -> str:
    """What is wrong where entry n does not follow the one above it, as far as the signed heads tell."""
    number = n if at is None or at.number is None else at.number
    two = {"above": named(n - 1, above, name), "here": named(number, entry, name)}
    if number != n and at is not None and at.follows:
        return _(
            "{here} is the next one behind {above} by its hash: nothing is missing, but its number was altered.", **two
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
        return _("Entries stand twice in this file, or in another order: {above} is followed by {here}.", **two)
    if at is not None and at.here != at.above:
        if at.here:
            return _(
                "{above} was altered or exchanged: {here} is as the host signed it, and does not follow on it.", **two
            )
        return _("{here} was altered or exchanged: {above} is as the host signed it.", **two)
    return _("{above} or {here} was altered: from there the hashes no longer match.", **two)


def named(n: int, entry: Mapping[str, Any], name: Callable[[str], str]) -> str:
    """Return an entry by its number and what it is, in the middle of a sentence; its fields are believed in nothing."""
    what = _what(entry, name) if entry else ""
    return _("entry {n} ({what})", n=n, what=what) if what else _("entry {n}", n=n)


def _place(verdict: Verdict, entry: Mapping[str, Any] | None, name: Callable[[str], str]) -> str:
    what = _what(entry, name) if entry else ""
    return _("Entry {n}, {what}.", n=verdict.entry, what=what) if what else _("Entry {n}.", n=verdict.entry)


def _what(entry: Mapping[str, Any], name: Callable[[str], str]) -> str:
    """What an entry is; its fields are believed in nothing."""
    kind, (chain, _colon, owner) = entry.get("k"), str(entry.get("chain")).partition(":")
    if kind != "rand":
        return _(_WHAT.get(str(kind), ""), seat=name(str(entry.get("by") or entry.get("to") or "?")))
    if chain == "priv" and owner:
        return _("a draw of {seat}", seat=name(owner))
    return _("a deal of cards") if chain in ("deal", "anew") else _("a roll of dice")
