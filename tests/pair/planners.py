"""Two friends at their desks who say in advance what they can: the built-in planning player, or who types what he is told to."""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from types import MappingProxyType
from typing import Any
from unittest.mock import patch

from pbem.errors import OrderError
from pbem.games import find, manifest
from pbem.kernel import Json
from pbem.ledger import Entry, sha256_hex
from pbem.player import Desk, PlayerSettings
from pbem.player.pair import beginning, saying, turns
from pbem.referee.pair import PairPlay
from pbem.referee.pair.play import vault_of

from .friends import OfFriend
from .playing import key_of

AT = "2026-01-02T03:04:05Z"
SOME_RULES = "6aaf4fcaa0ea6aac310e6ae1c8f88e00745b2a14ccd3eba9d00f35de1fa40273"
MODES = ("no plans", "when it matters", "plans everywhere", "  and acts ahead")

Answer = Callable[[Any, str], str]
"""What a player types to a question, by what he sees and what it is called: an order, and what goes along with it."""


class AtDesk(OfFriend):
    """One of them: the desk in a folder, and how he answers."""

    def __init__(self, home: Path, answer: Answer) -> None:
        super().__init__(home)
        self.answer, self.asked = answer, 0
        self.put: list[int] = []
        """Which questions of his seat he was asked himself, counted from 0; all others were answered for him."""

    @property
    def entries(self) -> list[Entry]:
        return self.table.entries

    def goes_on(self) -> PairPlay | None:
        """Let his program do what it does without him; return the play in which he is asked."""
        desk = self.desk
        return turns.go_on(desk.pairs.seat(self.notes), AT)

    def answers(self) -> None:
        """Answer what his program asks him, until his turn is signed."""
        desk, notes = self.desk, self.notes
        play = turns.go_on(desk.pairs.seat(notes), AT)
        while play is not None and play.question is not None:
            self.asked += 1
            self.put.append(play.answered)
            turns.order(desk.pairs.seat(notes), play, self.answer(play.view, play.question.what), AT)

    def sends(self) -> bytes:
        """Return the letter that waits, and take it for sent."""
        desk = self.desk
        (path,) = desk.tray.unsent()
        raw = path.read_bytes()
        desk.tray.sent(path)
        return raw

    def reads(self, raw: bytes) -> None:
        self.desk.read(raw, AT)

    def typed(self, since: int = 0) -> list[str]:
        """Return all that he has answered from an entry on, by whatever way, as his own key reads it in the log."""
        notes, entries = self.notes, self.entries
        vault, found = vault_of(entries, self.desk.key), []
        for entry in entries[since:]:
            if entry.k != "turn" or entry.fields["by"] != notes.seat:
                continue
            for index, act in enumerate(entry.fields["say"]["acts"]):
                if act["do"] == "order":
                    found.append(act["text"])
                if act["do"] == "seal":
                    found.append(str(vault.read(entry.fields["say"]["no"], index, act["c"])))
        return found

    def copied(self, to: Path, answer: Answer) -> AtDesk:
        """Return the same desk in another folder, with somebody else at it."""
        shutil.copytree(self.home, to)
        return AtDesk(to, answer)


class Planner:
    """The built-in planning player, in one of the `MODES`."""

    def __init__(self, game: str, mode: str, seed: str) -> None:
        pack = find(game)
        self.mode, self.bot, self.chance = mode, pack.bots["planning"](), random.Random(seed)

    def __call__(self, view: Any, what: str) -> str:
        order = self.bot.answer(view, self.chance)
        said = [str(order)]
        if self.mode != MODES[0]:
            asking = ["ASK WHEN IT MATTERS"] if self.mode == MODES[1] else []
            said += [f"PLAN {line}" for line in (*asking, *self.bot.plans(view).splitlines())]
        if self.mode == MODES[3]:
            with suppress(OrderError):
                said += self.bot.ahead(view, order).splitlines()
        return "\n".join(said)


def seated(
    folder: Path,
    game: str,
    seed: str,
    answers: tuple[Answer, Answer],
    *,
    shows: bool = False,
    rules: str = "",
    options: Mapping[str, Json] = MappingProxyType({}),
) -> tuple[AtDesk, AtDesk]:
    """Let two friends sit down, with keys of their own; return who has joined, whose letter is the first, and who invited.

    If each `shows` his plans in battles, these are pledged. With `SOME_RULES` the same seed makes the same game whatever has
    changed in the rules, as long as these are played alike: `conftest` has them known.
    """
    made = []
    for name, answer in zip(("bob", "ann"), answers, strict=True):
        settings = PlayerSettings(f"{name}@example.org")
        Desk.create(folder / name, key_of(f"{seed} {name}"), settings)
        made.append(AtDesk(folder / name, answer))
    one, other = made
    pack = find(game)
    with patch.object(beginning, "manifest", lambda _pack: ("", rules or manifest(pack)[1])):
        other.desk.pair_joiner.begin(
            pack, pack.complete(options), "", "bob@example.org", {"hours": 0}, sha256_hex(seed.encode()), AT
        )
    one.desk.pair_joiner.join(other.sends(), AT)
    for of in (one, other) if shows else ():
        saying.show_plans(of.desk.pairs.seat(of.notes), shows=True)
    return one, other


def played(one: AtDesk, other: AtDesk, most: int = 10_000) -> list[bytes]:
    """Let them write to each other, to the end or so many letters; return these."""
    letters: list[bytes] = []
    while len(letters) < most:
        one.answers()
        if not one.desk.tray.unsent():
            return letters
        letters.append(one.sends())
        other.reads(letters[-1])
        one, other = other, one
    return letters
