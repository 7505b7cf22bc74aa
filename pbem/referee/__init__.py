"""The referee: drives a game's rules from a ledger, writes what is due, and checks what was written."""

from .intake import (
    Refused,
    Seat,
    check_ahead,
    check_form,
    check_join,
    check_order,
    check_ready,
    check_ready_again,
    check_rekey,
    check_say,
)
from .pen import Envelope, Pen, Question
from .referee import PUBLIC, Answer, AnswersDue, AskDue, Due, EndDue, OrderRef, PlaceRef, RandDue, Referee, TellDue
from .scribe import Key, Ledger, Scribe, Sent, host_chain, host_labels, opening_entry, receipt, signed_head

__all__ = [
    "PUBLIC", "Answer", "AnswersDue", "AskDue", "Due", "EndDue", "Envelope", "Key", "Ledger", "OrderRef", "Pen", "PlaceRef",
    "Question", "RandDue", "Referee", "Refused", "Scribe", "Seat", "Sent", "TellDue",
    "check_ahead", "check_form", "check_join", "check_order", "check_ready",
    "check_ready_again", "check_rekey", "check_say", "host_chain", "host_labels", "opening_entry", "receipt", "signed_head",
]  # fmt: skip
