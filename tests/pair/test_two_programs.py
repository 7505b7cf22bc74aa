"""Two programs on one desk of two at the same moment, a page and a command: nothing is signed twice, nothing lost."""

from __future__ import annotations

import errno
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread
from types import SimpleNamespace

import pytest

from pbem.errors import UsageError
from pbem.games import find
from pbem.games.without_host import knowing_of
from pbem.page.service import Service
from pbem.player import Desk
from pbem.player.pair import busy, laying, saying, turns
from pbem.player.pair.busy import HeldError
from pbem.player.pair.notes import PairNotes
from pbem.player.pair.shelf import Pairs
from pbem.player.pair.table import PairTable
from pbem.referee.pair import audit_pair
from tests.page.calling import answer
from tests.pair.friends import Friend, TwoFriends

from .planners import AT
from .plans_typed import asked

MEANWHILE = "Another of your programs (an open page or another command) has meanwhile continued this game"


@pytest.fixture
def both(tmp_path: Path) -> TwoFriends:
    made = TwoFriends(tmp_path, "--game", "tiny", "--option", "turns=3")
    made.join()
    return made


def orders(friend: Friend) -> list[str]:
    """Orders that answer what he is asked, two at the least."""
    play = turns.asked(friend.desk.pairs.seat(friend.notes), AT)
    found = sorted(map(str, play.game.options(play.view)))
    assert len(found) > 1
    return found


def end(both: TwoFriends, one: Friend, other: Friend) -> None:
    """Let them play on to the end: both have one log, and it is clean."""
    for _letter in range(100):
        if not both.pass_on(one, other):
            break
        one, other = other, one
    assert one.log == other.log
    assert audit_pair(one.log, knowing_of).verdict == "clean"


@pytest.mark.slow
def test_who_thinks_while_another_program_orders_signs_no_second_turn(both: TwoFriends) -> None:
    """A command asks, and the page signs meanwhile. The typed answer is not signed; the command says that another
    program was faster."""
    one, other = asked(both, both.bob, both.ann)
    first, second, *_more = orders(one)
    waits, notes = one.desk, one.notes
    play = turns.asked(waits.pairs.seat(notes), AT)
    turns.order(one.desk.pairs.seat(one.notes), turns.asked(one.desk.pairs.seat(one.notes), AT), first, AT)
    log, letters = one.log, [path.read_bytes() for path in one.desk.tray.unsent()]
    with pytest.raises(UsageError, match=re.escape(MEANWHILE)):
        turns.order(waits.pairs.seat(notes), play, second, AT)
    assert one.log == log
    assert [path.read_bytes() for path in one.desk.tray.unsent()] == letters
    end(both, one, other)


@pytest.mark.slow
def test_two_that_order_at_the_same_moment_sign_one_turn(both: TwoFriends, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second comes when the first has signed, and has not written: it waits, and is told then."""
    one, other = asked(both, both.bob, both.ann)
    first, second, *_more = orders(one)
    desks = [one.desk, one.desk]
    plays = [(notes := one.notes, turns.asked(desk.pairs.seat(notes), AT)) for desk in desks]
    comes, done, said = Event(), Event(), list[str]()

    def orders_too() -> None:
        try:
            turns.order(desks[1].pairs.seat(plays[1][0]), plays[1][1], second, AT)
        except UsageError as error:
            said.append(str(error))

    thread = Thread(target=orders_too)
    take, grow = busy.take, PairTable.grow

    def waits(file: int) -> bool:
        comes.set()
        return take(file)

    def writes(self: PairTable, *entries: object) -> None:
        if not thread.ident:
            monkeypatch.setattr(busy, "take", waits)
            monkeypatch.setattr(busy, "pause", lambda: done.wait(60))
            thread.start()
            assert comes.wait(60), "it stands before the lock"
        grow(self, *entries)  # type: ignore[arg-type]

    monkeypatch.setattr(PairTable, "grow", writes)
    turns.order(desks[0].pairs.seat(plays[0][0]), plays[0][1], first, AT)
    done.set()
    thread.join()
    assert len(said) == 1
    assert said[0].startswith(MEANWHILE)
    end(both, one, other)


@pytest.mark.slow
def test_a_page_that_stands_open_signs_nothing_over_what_a_command_has_signed(both: TwoFriends) -> None:
    """The command signs between the page's look at what is asked and its signature."""
    one, other = asked(both, both.bob, both.ann)
    first, second, *_more = orders(one)
    page = Service(one.home, now=lambda: AT)
    ask = answer(page, "position", game=one.notes.game)["ok"]["ask"]
    alone = page.desk.pairs.alone

    @contextmanager
    def behind_the_command(notes: PairNotes) -> Iterator[None]:
        monkeypatch.undo()
        turns.order(one.desk.pairs.seat(one.notes), turns.asked(one.desk.pairs.seat(one.notes), AT), first, AT)
        with alone(notes):
            yield

    monkeypatch = pytest.MonkeyPatch()
    monkeypatch.setattr(page.desk.pairs, "alone", behind_the_command)
    told = answer(page, "sign", game=one.notes.game, ask=ask, text=second)
    assert told["error"]["kind"] == "moved", told
    end(both, one, other)


def changes(friend: Friend) -> list[tuple[Callable[[Friend | Stale], object], Callable[[Friend], bool]]]:
    """What programs may write into what a desk keeps of a game, and whether it is there."""
    return [
        (
            lambda one: saying.write_words(one.desk.pairs.seat(one.notes), "Hello", AT),
            lambda one: "Hello" in said_by(one),
        ),
        (lambda one: saying.say(one.desk.pairs.seat(one.notes), "draw", AT), lambda one: one.notes.says == ["draw"]),
        (
            lambda one: laying.name_witness(one.desk.pairs.seat(one.notes), "cat@example.org", AT),
            lambda one: one.notes.witness == "cat@example.org",
        ),
        (
            lambda one: laying.move_friend(one.desk.pairs.seat(one.notes), "new@example.org", AT),
            lambda one: one.notes.friend == "new@example.org",
        ),
    ]


def said_by(friend: Friend) -> list[str]:
    return [str(one.say["text"]) for one in friend.desk.pairs.seat(friend.notes).talk.words]


@pytest.mark.variants
@pytest.mark.parametrize("late", range(4))
@pytest.mark.parametrize("early", range(4))
def test_one_program_does_not_undo_what_the_other_wrote(both: TwoFriends, late: int, early: int) -> None:
    """The second read the notes before the first changed them, and writes behind it."""
    one, _other = asked(both, both.bob, both.ann)
    stale = Stale(one)
    changes(one)[early][0](one)
    stale.notes.told += 1  # it has shown something meanwhile
    changes(one)[late][0](stale)
    stale.desk.pairs.seat(stale.notes).keep()
    assert changes(one)[early][1](one)
    assert changes(one)[late][1](one)
    assert one.notes.told == stale.notes.told
    assert turns.go_on(one.desk.pairs.seat(one.notes), AT) is not None, "he is asked as before"


@pytest.mark.slow
@pytest.mark.parametrize("what", ["draw", "withdraw", "friend"])
def test_what_is_said_while_another_program_thinks_is_neither_lost_nor_said_after_all(
    both: TwoFriends, what: str
) -> None:
    """A command has asked and waits for an order; an offer is made, or taken back, or the friend's word is read meanwhile."""
    one, other = asked(both, both.bob, both.ann)
    word = None
    if what == "friend":
        other.does("say", "draw", "--yes")
        word = other.posts()
        assert word is not None
    if what == "withdraw":
        one.does("say", "draw", "--yes")
    waits, notes, order = one.desk, one.notes, orders(one)[0]
    play = turns.asked(waits.pairs.seat(notes), AT)
    if word is None:
        one.does("say", what, "--yes")
    else:
        one.does("read", word)
    log, kept = one.log, (one.notes.says, one.notes.heard)
    with pytest.raises(UsageError, match=re.escape(MEANWHILE)):
        turns.order(waits.pairs.seat(notes), play, order, AT)
    assert one.log == log
    assert (one.notes.says, one.notes.heard) == kept
    turns.order(one.desk.pairs.seat(one.notes), turns.asked(one.desk.pairs.seat(one.notes), AT), order, AT)
    assert (b'"what":"draw"' in one.log) == (what != "withdraw")
    end(both, one, other)


class Stale:
    """A program that opened the desk, and has looked at its game, before others went on."""

    def __init__(self, friend: Friend) -> None:
        self.desk, self.notes = friend.desk, friend.notes
        assert self.desk.pairs.seat(self.notes).table.entries


def test_two_that_join_by_one_invitation_join_once(tmp_path: Path) -> None:
    both = TwoFriends(tmp_path, "--game", "tiny", "--option", "turns=3")
    letter = both.ann.posts()
    assert letter is not None
    desks = [both.bob.desk, both.bob.desk]
    desks[0].pair_joiner.join(letter.read_bytes(), AT)
    log = both.bob.log
    with pytest.raises(UsageError, match="You play this game already"):
        desks[1].pair_joiner.join(letter.read_bytes(), AT)
    assert both.bob.log == log


def test_a_game_that_was_put_away_is_not_brought_back_by_old_notes(tmp_path: Path) -> None:
    both = TwoFriends(tmp_path, "--game", "tiny", "--option", "turns=3")
    stale, notes = both.ann.desk, both.ann.notes
    saying.withdraw(both.ann.desk.pairs.seat(both.ann.notes))
    with pytest.raises(UsageError, match="is not on this desk any longer"):
        laying.name_witness(stale.pairs.seat(notes), "cat@example.org", AT)
    assert not list(both.ann.desk.pairs.games())


def test_a_program_that_is_killed_leaves_no_lock_behind(tmp_path: Path) -> None:
    """The system releases the lock."""
    held = (
        "import sys\nfrom pathlib import Path\nfrom pbem.player.pair.busy import held\n"
        "with held(Path(sys.argv[1])):\n    print('held', flush=True)\n    sys.stdin.read()\n"
    )
    other = subprocess.Popen(
        [sys.executable, "-c", held, tmp_path / "busy"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert other.stdout is not None
    assert other.stdout.readline() == b"held\n"
    other.kill()
    other.communicate()
    with busy.held(tmp_path / "busy"):
        pass


def test_two_that_begin_games_at_once_are_both_remembered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else a game could be begun again whose secrets are known."""
    friend = Friend(tmp_path / "ann", "ann@example.org")
    first, second = friend.desk, friend.desk
    tiny, had, comes, done = find("tiny"), Pairs._had, Event(), Event()
    take = busy.take

    def begins(desk: Desk, nonce: str) -> None:
        desk.pair_joiner.begin(tiny, {}, "", "bob@example.org", {"hours": 0}, nonce * 64, AT)

    thread = Thread(target=begins, args=(second, "2"))

    def waits(file: int) -> bool:
        comes.set()
        return take(file)

    def reads(self: Pairs) -> list[str]:
        found = had(self)
        if not thread.ident:
            monkeypatch.setattr(busy, "take", waits)
            monkeypatch.setattr(busy, "pause", lambda: done.wait(60))
            thread.start()
            assert comes.wait(60), "it stands before the lock"
        return found

    monkeypatch.setattr(Pairs, "_had", reads)
    begins(first, "1")
    done.set()
    thread.join()
    assert sorted(had(friend.desk.pairs)) == sorted(notes.game for notes in friend.desk.pairs.games())


def test_who_waits_for_the_lock_asks_again_where_there_is_only_a_lock_of_bytes(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Held by another is no reason to go on without a lock, as two would sign at once; that there are none here is one."""
    said = [OSError(errno.EACCES, "held"), OSError(errno.EDEADLK, "held"), None]
    waited = list[int]()

    def locking(_file: int, _mode: int, _bytes: int) -> None:
        if (why := said.pop(0)) is not None:
            raise why

    monkeypatch.setitem(sys.modules, "fcntl", None)
    monkeypatch.setitem(sys.modules, "msvcrt", SimpleNamespace(locking=locking, LK_NBLCK=2))
    monkeypatch.setattr(busy, "pause", lambda: waited.append(1))
    with busy.held(tmp_path / "busy"):
        assert not said
    assert len(waited) == 2
    said = [OSError(errno.EINVAL, "no locks here")]
    with busy.held(tmp_path / "busy"):
        assert not said


def test_a_folder_held_by_a_stopped_program_is_reported_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ctrl-Z stopped the first program. The second names its process and how to continue or end it, and gives up after
    150 tries."""
    both = TwoFriends(tmp_path, "--game", "tiny", "--option", "turns=3")
    letter = both.ann.posts()
    assert letter is not None
    told, waited, home = list[str](), list[int](), both.bob.home
    monkeypatch.setattr(busy, "pause", lambda: waited.append(len(told)))
    desk = both.bob.desk
    desk.tell = told.append
    with busy.held(home / "games" / "busy"):
        before = {path: path.read_bytes() for path in home.rglob("*") if path.is_file()}
        for _again in range(2):  # only the first is kept waiting
            with pytest.raises(HeldError) as why:
                desk.pair_joiner.join(letter.read_bytes(), AT)
        assert {path: path.read_bytes() for path in home.rglob("*") if path.is_file()} == before
    assert waited == [0] + [1] * (busy.TRIES - 2), "he is told once, when it is held for more than a moment"
    for text in (told[0], str(why.value)):
        assert f"process {os.getpid()}, " in text
        assert str(home) in text
        assert "“fg”" in text
        assert f"“kill -9 {os.getpid()}”" in text
    assert "try again" in str(why.value)
    desk.pair_joiner.join(letter.read_bytes(), AT)
    assert not (home / "games" / "busy").read_bytes(), "nobody is named whom nobody waits for"


def test_who_holds_a_desk_and_has_not_said_so_is_no_number(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A disk that is full takes no number; the lock is held all the same."""
    monkeypatch.setattr(busy, "pause", lambda: None)
    path = tmp_path / "games" / "busy"
    path.parent.mkdir()
    with busy.held(path):
        path.write_bytes(b"")
        with pytest.raises(HeldError, match="Another program of yours is at work on") as why, busy.held(path):
            pass
    assert "kill" not in str(why.value)
