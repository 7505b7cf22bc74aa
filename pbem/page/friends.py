"""The calls for games without a host: making a game, and setting the friend's address; `FRIENDS` lists them.

Other calls are the same as in games with a host, and `two` answers them.
"""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from .calls import Choices, DeskCall, Done, File, InOut, OfGame, Signed, Word

LONGEST = 24 * 366


class AskPairable(DeskCall):
    """What two can play without a host."""

    call: Literal["pairable"] = "pairable"
    game: Word = ""
    options: dict[str, Any] = Field(default_factory=dict, description="of this game: its seats follow from them")


class Invite(DeskCall):
    """Make a game of two without a host, and invite a friend: the letter lies ready."""

    call: Literal["invite"] = "invite"
    game: Word = Field(description="which it is, by its id")
    options: dict[str, Any] = Field(default_factory=dict)
    seat: Word = Field(default="", description="one's own; else the first")
    friend: Word = Field(default="", description="the friend's address; by a relay it can be empty")
    hours: int = Field(default=0, ge=0, le=LONGEST, description="for an answer, as a courtesy; 0: as long as it takes")
    relay: Word = Field(default="", description="the address of a relay, by which letters go and come; empty: by mail")
    odds: bool = Field(default=True, description="whether both programs show chances while the game is on")


class WriteTo(OfGame):
    """Let letters to the friend go to another address."""

    call: Literal["write_to"] = "write_to"
    friend: Word


class NameWitness(OfGame):
    """Let copies of the letters go to a witness, the whole log first; or to nobody any longer."""

    call: Literal["witness"] = "witness"
    address: Word = Field(default="", description="the witness's; empty: nobody's")


class ReadInstead(OfGame):
    """Put the friend's whole log in the place of one's own, which parts from it by one's own turns, or goes further by them."""

    call: Literal["read_instead"] = "read_instead"
    data: File = Field(description="the letter, or what was attached to it")


FRIENDS: dict[str, InOut] = {
    "pairable": InOut(AskPairable, Choices),
    "invite": InOut(Invite, Signed),
    "write_to": InOut(WriteTo, Done),
    "witness": InOut(NameWitness, Signed),
    "read_instead": InOut(ReadInstead, Signed),
}
"""By the name of the call: what goes in, and what comes out."""
