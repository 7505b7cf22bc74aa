"""A seat of a new game is taken by whoever holds the token of its invitation, and by nobody else."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from pbem.errors import UsageError
from pbem.ledger import fingerprint, sha256_hex
from pbem.mail import read_block, read_message
from pbem.player import Desk
from pbem.referee import Pen, proof_of
from tests.attacks.seats import matters, texts
from tests.host.post import Club, a_club, key_of, letter_of

THIEF = key_of("thief")


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Club]:
    """Two are invited; nobody has joined."""
    with a_club(tmp_path / "club") as club:
        club.deliver()
        yield club


def token(club: Club, seat: str) -> str:
    """What the last invitation to a seat brought."""
    return next(found for raw in reversed(club.received[seat]) if (found := read_message(raw).token))


def takes(club: Club, seat: str, key: str = "thief", brings: str = "", who: str = "thief") -> bytes:
    """A letter by which somebody would take a seat, with what he brings for a token."""
    return letter_of(who, Pen(key_of(key), club.log().game, seat).join(token=brings))


def join(club: Club, seat: str) -> str:
    """Let a seat's own desk take up its last invitation; return what the host decided."""
    desk = club.desks[seat]
    invitation = next(raw for raw in reversed(club.received[seat]) if read_message(raw).token)
    desk.join(invitation, club.now())
    (letter,) = club.letters(desk)
    return club.take(letter)


def on_to_the_end(club: Club) -> None:
    """The game is joined, begun and played to its end by those who were invited."""
    club.deliver()
    for seat, desk in club.desks.items():
        desk.join(next(raw for raw in club.received[seat] if b"compare the keys" in raw), club.now())
    for seat, desk in club.desks.items():
        assert [club.take(letter) for letter in club.letters(desk)] == [f"ready: {seat}"]
    club.read_all()
    club.play()
    assert club.log().finished
    joins = {entry.fields["by"]: entry.fields["say"]["key"] for entry in club.log().entries if entry.k == "join"}
    assert joins == {seat: key_of(seat).key_line for seat in club.desks}


# -- who is not invited -------------------------------------------------------------------------------------------------


def another_game(club: Club, seat: str) -> str:
    """The token of the same seat in another game of the same host."""
    addresses = {name: f"{name}@example.org" for name in club.desks}
    terms = club.log().entries[0].fields["terms"]
    options = club.log().entries[0].fields["opts"]
    twin = club.copy_to(club.folder.parent / f"another for {seat}")
    twin.number = twin.robot.new_game("tiny", options, addresses, "Another", terms, "another", twin.now())
    twin.deliver()
    found = token(twin, seat)
    twin.office.close()
    return found


WRONG: dict[str, Callable[[Club], str]] = {
    "no token": lambda club: "",
    "a made-up token": lambda club: sha256_hex(b"guess")[:32],
    "the token of another seat": lambda club: token(club, "ann"),
    "the token of the same seat in another game": lambda club: another_game(club, "bob"),
    "the token with a digit changed": lambda club: f"{int(token(club, 'bob'), 16) ^ 1:032x}",
}


@pytest.mark.slow
@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize("how", WRONG)
def test_knowing_the_game_s_id_gives_no_seat(club: Club, how: str, when: str) -> None:
    """A stranger has no token. The host refuses him, tells seat and operator once, and accepts the rightful join."""
    brings = WRONG[how](club)
    club.deliver()
    if when == "after":
        assert join(club, "bob") == "joined: bob"
    before = {name: value for name, value in club.state().items() if name != "game"}
    assert club.take(takes(club, "bob", brings=brings)).startswith("refused: BIND: a join for bob")
    assert {name: value for name, value in club.state().items() if name != "game"} == before
    (told,) = texts(club.deliver()["bob"])
    assert fingerprint(THIEF.key_line) in told
    assert "The request was refused" in told
    assert matters(club) == ["Somebody without an invitation asked for the seat Bob and was refused."]
    for no in range(3):
        assert club.take(takes(club, "bob", f"thief {no}", brings)).startswith("refused: BIND")
    assert not any(club.deliver().values()), "told once: not once more for each try"
    if when == "before":
        assert join(club, "bob") == "joined: bob"
    assert join(club, "ann") == "joined: ann"
    on_to_the_end(club)


def test_a_proof_is_for_one_key_and_one_statement(club: Club) -> None:
    """A stranger reads the join on its way. The proof shows nothing for his own key."""
    seen = Pen(key_of("bob"), club.log().game, "bob").join(token=token(club, "bob"))
    own = Pen(THIEF, club.log().game, "bob").join()
    stolen = type(own)(own.say, own.sig, proof=seen.proof)
    assert club.take(letter_of("thief", stolen)).startswith("refused: BIND: a join for bob")
    assert join(club, "bob") == "joined: bob"


@pytest.mark.slow
def test_a_stranger_can_come_when_all_are_there_and_holds_nothing_up(club: Club) -> None:
    """The keys are entered already; and once more when the first question stands open."""
    assert [join(club, seat) for seat in club.desks] == ["joined: ann", "joined: bob"]
    before = club.log().dump()
    assert club.take(takes(club, "bob")).startswith("refused: BIND")
    assert club.log().dump() == before
    on = club.deliver()
    assert "and nothing further happens" in texts(on["bob"])[-1]
    for seat, raws in on.items():
        club.desks[seat].join(raws[0], club.now())
        for letter in club.letters(club.desks[seat]):
            assert club.take(letter) == f"ready: {seat}"
    before = club.log().dump()
    outcome = club.take(takes(club, "bob", "another thief"))
    assert outcome.startswith("refused: BIND"), "never “duplicate” to another key"
    assert club.log().dump() == before
    club.read_all()
    assert club.play().log().finished


@pytest.mark.slow
def test_a_join_of_ones_own_key_in_a_game_that_goes_on_changes_nothing(club: Club) -> None:
    """The honest twin: the same join once more, as from a second machine."""
    for seat in club.desks:
        join(club, seat)
    again = Pen(key_of("bob"), club.log().game, "bob").join(token=token(club, "bob"))
    assert club.take(letter_of("bob", again, "Me again.")).startswith("duplicate")
    on_to_the_end(club)


@pytest.mark.slow
def test_the_same_key_from_a_second_machine_is_the_same_join(club: Club) -> None:
    laptop = club.new_desk("bob", "laptop")
    laptop.join(club.received["bob"][0], club.now())
    (letter,) = club.letters(laptop)
    assert join(club, "bob") == "joined: bob"
    assert club.take(letter.replace(b"I take", b"I do take")).startswith("duplicate")
    assert matters(club) == []
    assert join(club, "ann") == "joined: ann"
    on_to_the_end(club)


# -- the token ----------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_token_stands_in_no_log_and_not_in_the_store(club: Club) -> None:
    """The token follows from the host's root secret and the number of invitations."""
    tokens = [token(club, seat) for seat in club.desks]
    for seat in club.desks:
        join(club, seat)
    proofs = [proof_of(one, read_block(read_message(raw).text).say) for one, (_, raw) in zip(tokens, club.sent, strict=True)]  # type: ignore[union-attr] # fmt: skip
    on_to_the_end(club)
    log, store = club.log().dump(), "\n".join(club.office.store.db.conn.iterdump()).lower()
    for one in [*tokens, *proofs]:
        assert one.encode() not in log
        assert one not in store
        assert one.encode().hex() not in store, "nor in the bytes of a letter or mail"
        assert bytes.fromhex(one) not in log


@pytest.mark.slow
def test_tokens_differ_by_seat_game_and_invitation(club: Club) -> None:
    seen = {token(club, "ann"), token(club, "bob"), another_game(club, "ann"), another_game(club, "bob")}
    club.robot.invite(club.number, "ann", club.now())
    club.deliver()
    assert len(seen | {token(club, "ann")}) == 5
    assert all(len(one) == 32 for one in seen)


# -- two who are invited ------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("first", ["bob", "thief"])
def test_two_keys_with_the_right_token_hold_the_game_until_another_invitation(club: Club, first: str) -> None:
    """Somebody has read the invitation and joined first. The host cannot tell who is Bob."""
    stolen = token(club, "bob")
    if first == "bob":
        assert join(club, "bob") == "joined: bob"
        assert club.take(takes(club, "bob", brings=stolen)) == "contested: bob"
    else:
        assert club.take(takes(club, "bob", brings=stolen)) == "joined: bob"
        assert join(club, "bob") == "contested: bob"
    (told,) = texts(club.deliver()["bob"])
    assert fingerprint(THIEF.key_line) in told
    assert fingerprint(key_of("bob").key_line) in told
    (matter,) = matters(club)
    assert f"pbem host invite {club.number} bob" in matter
    assert join(club, "ann") == "joined: ann"
    assert [entry.k for entry in club.log().entries] == ["game"], "nothing is entered while two want one seat"
    assert club.take(takes(club, "bob", "a third", stolen)) == "contested: bob"
    club.robot.invite(club.number, "bob", club.now())
    assert matters(club) == []
    club.deliver()
    assert token(club, "bob") != stolen
    assert club.take(takes(club, "bob", "a fourth", stolen)).startswith("refused: BIND"), "the old token is void"
    assert [entry.k for entry in club.log().entries] == ["game"]
    assert join(club, "bob") == "joined: bob"
    on_to_the_end(club)


@pytest.mark.slow
def test_who_has_joined_by_a_withdrawn_invitation_has_not(club: Club) -> None:
    """The operator sent it to a wrong address; whoever got it there took the seat."""
    astray = token(club, "bob")
    assert club.take(takes(club, "bob", brings=astray)) == "joined: bob"
    club.robot.invite(club.number, "bob", club.now(), "bob@example.org")
    assert join(club, "ann") == "joined: ann"
    assert [entry.k for entry in club.log().entries] == ["game"]
    club.deliver()
    assert join(club, "bob") == "joined: bob"
    on_to_the_end(club)


def test_a_second_key_when_all_keys_are_entered_stops_the_game_and_it_is_called_off(club: Club) -> None:
    for seat in club.desks:
        join(club, seat)
    club.take(takes(club, "bob", brings=token(club, "bob")))
    (matter,) = matters(club)
    assert f"pbem host cancel {club.number}" in matter
    club.deliver()
    for seat, raws in club.received.items():
        club.desks[seat].join(next(raw for raw in raws if b"compare the keys" in raw), club.now())
        for letter in club.letters(club.desks[seat]):
            assert not club.take(letter).startswith("ready"), seat
    with pytest.raises(UsageError, match="open another"):
        club.robot.invite(club.number, "bob", club.now())
    club.robot.cancel(club.number, club.now())
    assert matters(club) == []


# -- calling a game off -------------------------------------------------------------------------------------------------


def cancelled(club: Club) -> bool:
    with suppress(UsageError):
        club.robot.cancel(club.number, club.now())
    return bool(club.robot.house.game(club.number).stage == "cancelled")


@pytest.mark.slow
def test_a_game_can_be_called_off_until_the_first_marked_answer(tmp_path: Path) -> None:
    """A host that sees an answer could call off a game that goes badly. Being ready does not end that right; a
    receipted order does."""
    with a_club(tmp_path / "club") as club:
        assert cancelled(club.copy_to(tmp_path / "joining"))
        club.begin()
        assert cancelled(club.copy_to(tmp_path / "asked"))
        assert club.take(club.order("ann")) == "order: ann"
        assert not cancelled(club.copy_to(tmp_path / "answered"))
        club.take(club.order("bob"))
        assert not cancelled(club)


def test_a_desk_that_was_invited_anew_signs_the_same_and_shows_the_new_token(club: Club) -> None:
    assert join(club, "bob") == "joined: bob"
    club.robot.invite(club.number, "bob", club.now())
    club.deliver()
    assert join(club, "bob") == "joined: bob"
    again = Desk(club.folder / "bob")
    assert again.notes().token == token(club, "bob")
