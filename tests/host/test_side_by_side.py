"""On a store in a database each game is decided in by itself: what they do not share is decided side by side."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from threading import Event

import pytest

from pbem.errors import WorldError
from pbem.host import Office, Robot, Store
from pbem.host.moments import later
from pbem.host.outbox import CAPS
from pbem.host.run import Running
from pbem.host.short import write_out
from pbem.host.store import SENT, WAITING, wire
from pbem.host.store.moving import move
from pbem.host.store.rows import LetterRow, Mail
from pbem.host.store.side_by_side import OwnRows, WantsAll
from pbem.host.store.wire import ServerDatabase
from pbem.mail import read_block, read_message
from tests.a_postgres import a_server, name_its_place, of_a_file, schema_for, why_not
from tests.stored import stored_row, stored_rows

from .post import HOST, key_of, letter_of, moment
from .several import several

pytestmark = [
    pytest.mark.skipif(bool(why_not()), reason=why_not()),
    of_a_file("it goes from there to a server of these tests' own, in any run"),
]


@pytest.fixture(scope="module")
def postgres() -> Iterator[str]:
    with a_server() as address:
        yield address


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A host with three games whose first question stands open, in a file; and the order of each Ann."""
    folder = tmp_path_factory.mktemp("begun")
    games = several(folder, 3)
    for game in games:
        game.begin()
    orders = folder / "orders"
    orders.mkdir()
    for game in games:
        for seat in game.asked():
            (orders / f"{seat}{game.no}").write_bytes(game.order(seat))
    games[0].office.close()
    return folder


@pytest.fixture
def place(begun: Path, postgres: str, tmp_path: Path) -> str:
    """The same host in a database."""
    address = schema_for(postgres, tmp_path)
    move(shutil.copy(begun / "host" / "pbem.sqlite", tmp_path), address)
    return address


@contextmanager
def robots(place: str, many: int = 2) -> Iterator[list[Robot]]:
    """Several programs of one host."""
    stores = [Store(place) for _ in range(many)]
    try:
        yield [Robot(store, key_of("host"), HOST) for store in stores]
    finally:
        for store in stores:
            store.close()


@contextmanager
def in_the_midst(store: Store, game: int | None) -> Iterator[None]:
    """Somebody decides in a game all the while (None: on something that needs the whole store)."""
    begun, over = Event(), Event()

    def decide() -> None:
        begun.set()
        assert over.wait(60)

    def work() -> None:
        if game is None:
            with store.decision():
                decide()
        else:
            store.in_part(game, decide)

    with ThreadPoolExecutor(1) as pool:
        deciding = pool.submit(work)
        assert begun.wait(60)
        try:
            yield
        finally:
            over.set()
            deciding.result()


AT = moment(500)


def test_an_order_in_another_game_does_not_wait(place: str, begun: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wire, "WAIT", 0.05)
    with robots(place) as (one, other), in_the_midst(one.store, 1):
        assert other.take((begun / "orders" / "ann2").read_bytes(), AT) == "order: ann"
        with pytest.raises(WorldError, match="lock timeout"):
            other.take((begun / "orders" / "ann1").read_bytes(), AT)
        assert [mail.outcome for mail in other.store.find(Mail)][-2:] == ["order: ann", ""]
    with robots(place, 1) as (one,):
        assert one.catch_up() == 1


def test_what_games_share_waits_for_all_and_all_for_it(
    place: str, begun: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wire, "WAIT", 0.05)
    with robots(place) as (one, other):
        with in_the_midst(one.store, 1), pytest.raises(WorldError, match="lock timeout"):
            other.take(b"From: somebody@example.org\r\nSubject: hm\r\n\r\nGAMES\r\n", AT)
        with in_the_midst(one.store, None), pytest.raises(WorldError, match="lock timeout"):
            other.take((begun / "orders" / "ann2").read_bytes(), AT)


def test_games_with_a_player_in_common_wait_for_each_other(
    place: str, begun: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """How many letters an address has had, and in which order they go there, is one program's to know."""
    monkeypatch.setattr(wire, "WAIT", 0.05)
    with robots(place) as (one, other):
        one.store.change("seats", (1, "bob"), address="Bob2@example.org")
        with in_the_midst(one.store, 1), pytest.raises(WorldError, match="lock timeout"):
            other.take((begun / "orders" / "ann2").read_bytes(), AT)


@pytest.mark.slow
def test_two_programs_at_two_games_write_what_one_writes(
    place: str, begun: Path, postgres: str, tmp_path: Path
) -> None:
    """All orders at once, by three programs: the same logs and letters as by one."""
    alone = schema_for(postgres, f"{place} alone")
    move(shutil.copy(begun / "host" / "pbem.sqlite", tmp_path / "again.sqlite"), alone)
    raws = {path.name: path.read_bytes() for path in sorted((begun / "orders").iterdir())}
    with robots(alone, 1) as (one,):
        for raw in raws.values():
            one.take(raw, AT)
        wanted = {n: one.house.game(n).exported().dump() for n in (1, 2, 3)}

    def work(no: int) -> None:
        with robots(place, 1) as (robot,):
            for name, raw in raws.items():
                if name.endswith(str(no)):
                    robot.take(raw, AT)

    with ThreadPoolExecutor(3) as pool:
        list(pool.map(work, (1, 2, 3)))
    with robots(place, 1) as (one,):
        assert {n: one.house.game(n).exported().dump() for n in (1, 2, 3)} == wanted


def test_a_mail_comes_after_those_of_its_game_that_came_before(place: str, begun: Path) -> None:
    """It was stored by a program that died; whoever takes the next of that game decides on it first, and on no other game's."""
    with robots(place) as (dead, other):
        for name in ("ann1", "ann2"):
            dead.keep((begun / "orders" / name).read_bytes(), AT)
        other.take((begun / "orders" / "bob1").read_bytes(), AT)
        first, second, third = other.store.find(Mail)[-3:]
        assert (first.outcome, second.outcome, third.outcome) == ("order: ann", "", "order: bob")
        assert other.catch_up() == 1


def test_what_another_is_at_is_passed_over_with_all_that_follows_it(place: str, begun: Path) -> None:
    with robots(place) as (one, other):
        numbers = [one.keep((begun / "orders" / name).read_bytes(), AT) for name in ("ann1", "bob1", "ann2")]

        def at_it() -> None:
            assert one.store.claimed_mail(numbers[0]) is not None
            other.catch_up()

        one.store.in_part(1, at_it)
        mails = {mail.id: mail.outcome for mail in other.store.find(Mail)}
        assert [mails[number] for number in numbers] == ["", "", "order: ann"]
        assert other.catch_up() == 2
        mails = {mail.id: mail.outcome for mail in other.store.find(Mail)}
        assert [mails[number] for number in numbers] == ["order: ann", "order: bob", "order: ann"]


def test_a_decision_that_needs_more_is_made_once_more_with_the_whole_store(
    place: str, begun: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A block for game 1 that nobody there has signed is refused at the address of its sender, who plays in game 2."""
    whole: list[bool] = []
    with robots(place, 1) as (robot,):
        text = read_message((begun / "orders" / "ann1").read_bytes()).text
        envelope = read_block(text, None, partial(write_out, robot.house))
        assert envelope is not None
        forged = ("B" if envelope.sig[0] == "A" else "A") + envelope.sig[1:]
        decide = robot._decide

        def spied(number: int) -> str:
            whole.append(robot.store.place._own is None)  # type: ignore[union-attr]
            return decide(number)

        monkeypatch.setattr(robot, "_decide", spied)
        assert robot.take(letter_of("ann2", replace(envelope, sig=forged)), AT).startswith("refused: SIG")
        assert whole == [False, True]
        letters = stored_rows(robot.store, "select game, address from outbox where kind = 'refusal'")
    assert letters == [{"game": 2, "address": "ann2@example.org"}]


@pytest.mark.parametrize(
    ("table", "columns", "pk"),
    [
        ("register", {"n": 1}, None),
        ("members", {"address": "a@b"}, None),
        ("games", {"g": "0"}, None),
        ("games", {"stage": "ended"}, 2),
        ("entries", {"game": 2, "n": 1}, None),
        ("seats", {"key": ""}, (2, "ann")),
        ("seats", {"address": "c@d"}, (1, "ann")),
        ("outbox", {"game": 2, "address": "a@b"}, None),
        ("outbox", {"game": 1, "address": "c@d"}, None),
        ("marks", {"address": "c@d"}, None),
    ],
)
def test_what_is_not_the_games_own_needs_the_whole_store(
    table: str, columns: dict[str, object], pk: int | tuple[object, ...] | None
) -> None:
    with pytest.raises(WantsAll):
        OwnRows(1, frozenset(["a@b"])).check(table, columns, pk)


def test_what_is_the_games_own_does_not() -> None:
    part = OwnRows(1, frozenset(["a@b"]))
    for table, columns, pk in (
        ("entries", {"game": 1, "n": 1}, None), ("games", {"stage": "ended"}, 1), ("seats", {"key": ""}, (1, "ann")),
        ("outbox", {"game": 1, "address": "A@b"}, None), ("marks", {"address": "a@b"}, None), ("inbox", {"outcome": ""}, 7),
        ("meta", {"name": "still 1"}, None),
    ):  # fmt: skip
        part.check(table, columns, pk)


def test_a_worker_claims_its_game_and_counts_the_number_on_it(place: str) -> None:
    """Another worker passes that game over, or waits. A worker that is cut off leaves neither claim nor number."""
    with closing(Store(place)) as one, closing(Store(place)) as other:
        other.db.execute("set lock_timeout = 1")

        def decide() -> None:
            one.put_note("what", "one")
            assert other.if_free(1, lambda: None) == ()
            with pytest.raises(WorldError):
                other.in_part(1, lambda: None)
            assert other.if_free(2, lambda: 2) == (2,)

        def is_cut_off() -> None:
            one.put_note("what", "other")
            one.db.conn.close()

        one.in_part(1, decide)
        with pytest.raises(WorldError):
            one.in_part(1, is_cut_off)
        assert other.if_free(1, lambda: 1) == (1,)
        assert one.note("what") == "one"
        fences = stored_rows(one, "select fence from games order by id")
        assert [row["fence"] for row in fences] == [2, 1, 0]


def test_decisions_in_each_others_way_are_made_again(place: str) -> None:
    """Two notes, in the other order: the server undoes one of the two decisions, and it is made once more."""
    with closing(Store(place)) as one, closing(Store(place)) as other:
        met = [Event(), Event()]

        def decide(store: Store, no: int) -> Callable[[], None]:
            def notes() -> None:
                store.put_note(f"note {no}", str(no))
                met[no].set()
                assert met[1 - no].wait(60)
                store.put_note(f"note {1 - no}", str(no))

            return notes

        with ThreadPoolExecutor(2) as pool:
            first = pool.submit(one.in_part, 1, decide(one, 0))
            second = pool.submit(other.in_part, 2, decide(other, 1))
            first.result()
            second.result()
        assert one.note("note 0") == one.note("note 1")
        assert one.note("note 0") in ("0", "1")


def test_a_store_that_was_moved_knows_its_servers_history(place: str) -> None:
    """Else the first that decides would note it, with the whole store, and wait for all that were quicker than that."""
    with closing(ServerDatabase(place)) as db:
        found = next(db.query("select obj_description('meta'::regclass, 'pg_class') as said"))
        assert found["said"].rpartition("/")[0] == db.history() != ""


def test_letters_to_one_address_are_sent_by_one_program_and_others_by_others(
    begun: Path, place: str, tmp_path: Path
) -> None:
    host = tmp_path / "host"
    shutil.copytree(begun / "host", host, ignore=shutil.ignore_patterns("pbem.sqlite*"))
    name_its_place(host, place)
    office = Office(host)
    with closing(Store(place)) as other:
        office.store.db.execute("update outbox set sent = ?", [WAITING])
        all_, his = (
            stored_row(office.store, f"select count(*) as n from outbox where {which}") or {}  # noqa: S608
            for which in ("true", "address = 'ann1@example.org'")
        )
        assert 0 < his["n"] < all_["n"]
        with other.claims("letters to") as claim:
            assert claim("ann1@example.org")
            assert office.send(AT) == []
            left = stored_rows(office.store, "select address from outbox where sent = ?", WAITING)
            assert [letter["address"] for letter in left] == ["ann1@example.org"] * his["n"]
        assert office.send(AT) == []
        assert office.store.values("outbox", "id", sent=SENT) == office.store.values("outbox", "id")
    office.close()


def test_nothing_is_swept_away_that_another_program_is_writing(begun: Path, place: str, tmp_path: Path) -> None:
    """By a clock that has jumped it was begun long ago; that program works from another folder, with the mail on the same disk."""
    host = tmp_path / "host"
    shutil.copytree(begun / "host", host, ignore=shutil.ignore_patterns("pbem.sqlite*"))
    name_its_place(host, place)
    draft = host / "mail" / "ann1" / "tmp" / "1893456000-1.letter.01234567.eml"
    draft.parent.mkdir(parents=True, exist_ok=True)
    draft.write_bytes(b"half a letter")
    office = Office(host)
    with closing(Store(place)) as other:
        with other.claims("letters to") as claim:
            assert claim("somebody@example.org")
            assert office.sweep("2090-01-01T00:00:00Z") == 0
            assert draft.exists()
        assert office.sweep("2090-01-01T00:00:00Z") == 1
    office.close()


def test_what_was_sent_meanwhile_is_not_noted_as_waiting(begun: Path, tmp_path: Path) -> None:
    """The way out fails; what another program has sent by then stays sent."""
    shutil.copytree(begun / "host", tmp_path / "host")
    office = Office(tmp_path / "host")
    sending = office.sending
    office.store.db.execute("update outbox set sent = ?", [WAITING])
    letters = office.store.find(LetterRow, sent=WAITING)
    office.store.change("outbox", letters[0].id, sent=SENT)
    sending._not_sent(letters, WorldError("no way"), AT, for_good=False)
    rows = office.store.find(LetterRow)
    office.close()
    assert (rows[0].sent, rows[0].attempts) == (SENT, 0)
    assert {row.attempts for row in rows[1:]} == {1}


def test_an_address_gets_no_more_letters_than_it_may_whoever_decides(place: str, begun: Path) -> None:
    """Requests for a copy from one address in two games, to two programs at once."""
    most = CAPS["resent"][1]
    with robots(place) as (one, other):
        for game in (1, 2):
            one.store.change("seats", (game, "ann"), address="same@example.org")
        both: list[int] = []

        def ask(robot: Robot, game: int) -> None:
            def decide() -> None:
                if robot.post.may_answer("resent", "same@example.org", AT):
                    both.append(game)
                    robot.post.resend(robot.house.game(game), "ann", AT, -1, f"resent.{len(both)}.{game}.ann")

            for _ in range(most):
                robot.store.in_part(game, decide)

        with ThreadPoolExecutor(2) as pool:
            list(pool.map(ask, (one, other), (1, 2)))
        sent = one.store.letters_since("same@example.org", "resent", later(AT, hours=-1))
    assert len(sent) == most


@pytest.mark.slow
def test_overdue_questions_are_closed_once_whoever_looks(postgres: str, tmp_path: Path) -> None:
    games = several(tmp_path, 6, hours=24)
    for game in games:
        game.begin()
    games[0].office.close()
    place = schema_for(postgres, tmp_path)
    move(tmp_path / "host" / "pbem.sqlite", place)
    at = moment(3 * 24 * 60)
    with ThreadPoolExecutor(3) as pool:

        def look(_no: int) -> int:
            with robots(place, 1) as (robot,):
                return robot.tick(at)

        assert sum(pool.map(look, range(3))) == len(games)
    with robots(place, 1) as (robot,):
        for game in games:
            skips = [entry for entry in robot.house.game(game.number).ledger.entries() if entry["k"] == "skip"]
            assert len(skips) == 2, "one for each of both, who were silent"


@pytest.mark.slow
def test_a_question_that_is_closed_anew_with_the_whole_store_counts_once(
    postgres: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (game,) = several(tmp_path, 1, hours=24)
    game.begin()
    game.office.close()
    place = schema_for(postgres, tmp_path)
    move(tmp_path / "host" / "pbem.sqlite", place)
    with robots(place, 1) as (robot,):
        monkeypatch.setattr(robot.says, "enter_waiting", lambda _game, _at: robot.store.want_all())
        assert robot.tick(moment(3 * 24 * 60)) == 1
        assert [entry["k"] for entry in robot.house.game(1).ledger.entries()].count("skip") == 2


def test_another_program_hears_at_once_that_there_is_something_to_send(place: str, begun: Path) -> None:
    """It sleeps until then: nothing is looked at again and again."""
    heard: list[int] = []
    listens = Event()

    def listen() -> None:
        listens.set()
        heard.append(next(wire.news(place, lambda: False, 60)))

    with robots(place, 1) as (one,), ThreadPoolExecutor(1) as pool:
        listening = pool.submit(listen)
        assert listens.wait(60)
        listeners = "select count(*) as n from pg_stat_activity where query like 'listen%' and state = 'idle'"
        while not listening.done() and not (stored_row(one.store, listeners) or {})["n"]:
            pass
        for seat in ("ann", "bob"):
            one.take((begun / "orders" / f"{seat}2").read_bytes(), AT)
        listening.result(60)
        assert heard == [one.store.db.session]


@pytest.mark.slow
def test_a_host_that_runs_sends_what_another_program_has_laid_down(begun: Path, place: str, tmp_path: Path) -> None:
    """Long before it would have looked again by itself."""
    host = tmp_path / "host"
    shutil.copytree(begun / "host", host, ignore=shutil.ignore_patterns("pbem.sqlite*"))
    name_its_place(host, place)
    (host / "host.toml").write_text("every = 100000\n" + (host / "host.toml").read_text("utf-8"), "utf-8")
    running = Running(Office(host), lambda: AT, lambda _said: None)
    assert running.office.settings.every == 100000
    with robots(place, 1) as (one,), ThreadPoolExecutor(1) as pool:
        # its store belongs to the thread that runs it
        run = pool.submit(running.run)
        listeners = "select count(*) as n from pg_stat_activity where query like 'listen%' and state = 'idle'"
        while not run.done() and not (stored_row(one.store, listeners) or {})["n"]:
            pass
        for seat in ("ann", "bob"):  # the second answers the question: reports follow, and only his receipt waits
            one.take((begun / "orders" / f"{seat}2").read_bytes(), AT)
        waiting = f"select count(*) as n from outbox where sent = 0 and not_before <= '{AT}'"  # noqa: S608
        while not run.done() and (stored_row(one.store, waiting) or {})["n"]:
            pass
        running.stop()
        run.result(60)
        assert stored_row(one.store, waiting) == {"n": 0}
    running.office.close()
