"""The referee: drives a game's rules from a ledger, writes the next entries, and checks existing ones."""

from .chains import HostChains
from .intake import (
    History,
    Refused,
    check_ahead,
    check_form,
    check_join,
    check_order,
    check_ready,
    check_rekey,
    check_say,
)
from .pen import After, AskSeen, Envelope, Pen, last_orders, proof_of
from .referee import PUBLIC, Answer, AnswersDue, AskDue, Due, EndDue, OrderRef, PlaceRef, RandDue, Referee, TellDue
from .scribe import Key, Ledger, Scribe, Sent, TimeToAnswer, opening_entry, receipt, signed_head

__all__ = [
    "PUBLIC", "After", "Answer", "AnswersDue", "AskDue", "AskSeen", "Due", "EndDue", "Envelope", "History", "HostChains", "Key",
    "Ledger", "OrderRef", "Pen", "PlaceRef", "RandDue", "Referee", "Refused", "Scribe", "Sent", "TellDue",
    "TimeToAnswer", "check_ahead", "check_form", "check_join", "check_order", "check_ready", "check_rekey", "check_say",
    "last_orders", "opening_entry", "proof_of", "receipt", "signed_head",
]  # fmt: skip
