"""What a connection that breaks leaves behind: all of a decision or nothing, and it is known which."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from threading import Event

import pytest

from pbem.errors import StoreError, WorldError
from pbem.host import Office, Robot, Store
from pbem.host.store import SENT, wire
from pbem.host.store.moving import move
from pbem.host.store.rows import LetterRow, Mail
from pbem.ledger import verify
from tests.a_postgres import Postgres, a_postgres, name_its_place, of_a_file, schema_for, why_not
from tests.a_proxy import Wire
from tests.stored import stored_rows

from .post import HOST, key_of, moment
from .several import several

pytestmark = [
    pytest.mark.skipif(bool(why_not()), reason=why_not()),
    of_a_file("it goes from there to a server of these tests' own, in any run"),
]

AT = moment(500)


@pytest.fixture(scope="module")
def postgres() -> Iterator[Postgres]:
    with a_postgres() as server:
        yield server


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A host with a game whose first question stands open, in a file; and the orders that answer it."""
    folder = tmp_path_factory.mktemp("begun")
    (game,) = several(folder, 1)
    game.begin()
    (folder / "orders").mkdir()
    for seat in game.asked():
        (folder / "orders" / seat).write_bytes(game.order(seat))
    game.office.close()
    return folder


@pytest.fixture
def place(begun: Path, postgres: Postgres, tmp_path: Path) -> str:
    """The same host in a database."""
    address = schema_for(postgres.address, tmp_path)
    move(shutil.copy(begun / "host" / "pbem.sqlite", tmp_path), address)
    return address


@pytest.fixture
def cable(postgres: Postgres) -> Iterator[Wire]:
    with Wire(postgres.socket) as cable:
        yield cable


def test_a_commit_that_is_cut_at_any_byte_is_looked_up(
    place: str, postgres: Postgres, cable: Wire, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The host asks the server whether it committed before doing anything else, so its report of the decision is true."""
    monkeypatch.setattr(wire, "PAUSE", 0.01)
    told = {True: 0, False: 0}
    with closing(Store(cable.address(place))) as store, closing(Store(place)) as other:
        store.put_note("begun", "yes")
        cuts = [(sent, 10**6) for sent in range(0, 60, 3)] + [(10**6, answered) for answered in range(24)]
        for no, (sent, answered) in enumerate(cuts):
            before = cable.commits
            cable.cut_commit(sent, answered)
            try:
                store.put_note(f"cut {no}", "written")
                was = True
            except WorldError:
                was = False
            assert cable.commits > before
            assert (other.note(f"cut {no}") == "written") is was, (sent, answered)
            told[was] += 1
    assert told[True] >= 24, "the server had written it, and the word of that was lost"
    assert told[False] > 3, "the word to write it was lost"


def test_nothing_else_is_done_while_it_is_not_known(
    place: str, postgres: Postgres, cable: Wire, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The connection breaks in mid-COMMIT, and the server is gone when it is asked. It is asked again before the next thing."""
    monkeypatch.setattr(wire, "PAUSE", 0.01)
    monkeypatch.setattr(wire, "LOOKS", 2)
    with closing(Store(cable.address(place))) as store, closing(Store(place)) as other:
        store.put_note("begun", "yes")
        said: list[str] = []
        cable.cut_commit(10**6, 0)
        with monkeypatch.context() as patch:

            def gone(db: wire.ServerDatabase) -> object:
                raise WorldError("no server")

            patch.setattr(wire.ServerDatabase, "_connected", gone)
            with pytest.raises(WorldError, match="It is not known yet whether the last decision was written"):
                store.put_note("a", "b")
            with pytest.raises(WorldError, match="It is not known yet"):
                store.note("a")
        store.db.set_trace_callback(said.append)
        assert store.note("a") == other.note("a") == "b"
        assert "pg_xact_status" in said[2], "what was asked waited for that"


@pytest.mark.slow
@pytest.mark.parametrize("comes_there", [False, True])
def test_all_is_done_once_whatever_commit_is_cut(
    begun: Path, place: str, cable: Wire, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, comes_there: bool
) -> None:
    """A host takes orders, answers them and sends letters. Each COMMIT in turn, or its answer, is lost."""
    monkeypatch.setattr(wire, "PAUSE", 0.01)
    host, orders = tmp_path / "host", sorted((begun / "orders").iterdir())
    host.mkdir()
    for name in ("key", "host.toml"):
        (host / name).write_bytes((begun / "host" / name).read_bytes())
    name_its_place(host, cable.address(place))
    office, failed = Office(host), 0
    for attempt in range(1 if comes_there else 16):
        cable.cut_commit(*((10**6, 0) if comes_there else (4, 0)), after=attempt, always=comes_there)
        try:
            for order in orders:
                office.robot.take(order.read_bytes(), AT)
            assert comes_there <= (office.send(moment(500 * (2 + attempt))) == [])
        except WorldError:
            failed += 1
    assert cable.commits >= 8
    assert failed >= 3 or comes_there
    assert not (failed and comes_there)
    cable.mend()
    office.robot.catch_up()
    assert office.send(moment(10**6)) == []
    robot = office.robot
    outcomes = [mail.outcome for mail in office.store.find(Mail)]
    assert (outcomes.count("order: ann"), outcomes.count("order: bob")) == (1, 1)
    assert len([entry for entry in robot.house.game(1).ledger.entries() if entry["k"] == "order"]) == 2
    assert verify(robot.house.game(1).exported().dump()).verdict in ("unfinished", "clean")
    letters = office.store.find(LetterRow)
    assert {letter.sent for letter in letters} == {SENT}
    assert len({letter.message_id for letter in letters}) == len(letters)
    with a_club_on_a_file(begun, tmp_path / "calm") as calm:
        for order in orders:
            calm.robot.take(order.read_bytes(), AT)
        assert robot.house.game(1).exported().dump() == calm.robot.house.game(1).exported().dump()
        sent = "select message_id, address, at from outbox order by message_id"
        assert stored_rows(office.store, sent) == stored_rows(calm.store, sent)
    office.close()


@contextmanager
def a_club_on_a_file(begun: Path, folder: Path) -> Iterator[Office]:
    """The same host as it began, on its file."""
    shutil.copytree(begun / "host", folder)
    office = Office(folder)
    try:
        yield office
    finally:
        office.close()


def test_a_worker_that_was_cut_off_in_mid_decision_writes_nothing_when_it_comes_back(
    begun: Path, place: str, cable: Wire
) -> None:
    """The network fails and the server assumes that the worker is dead. Another worker decides before the network returns."""
    raw = (begun / "orders" / "ann").read_bytes()
    is_held = Event()
    with closing(Store(cable.address(place))) as store, closing(Store(place)) as there:
        cut_off, other = (Robot(one, key_of("host"), HOST) for one in (store, there))
        number = cut_off.keep(raw, AT)
        (row,) = stored_rows(store, "select pg_backend_pid() as pid")

        def watch(sql: str) -> None:
            if sql.startswith("insert into answers"):
                cable.hold()
                is_held.set()

        store.db.set_trace_callback(watch)
        with ThreadPoolExecutor(1) as pool:
            decided = pool.submit(cut_off.decide, number)
            assert is_held.wait(60)
            stored_rows(there, "select pg_terminate_backend(?, 10000)", row["pid"])
            assert other.decide(number) == "order: ann"
            fence = stored_rows(there, "select fence from games")
            cable.cut()
            with pytest.raises(WorldError):
                decided.result()
        store.db.set_trace_callback(None)
        assert cut_off.decide(number) == "order: ann", "that is what the other has decided"
        assert stored_rows(there, "select fence from games") == fence
        assert cut_off.take(raw, AT) == "duplicate"
        answers = stored_rows(there, "select seat, rev from answers")
    assert answers == [{"seat": "ann", "rev": 0}]


def test_a_worker_that_was_silent_too_long_writes_nothing_and_continues(
    place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The machine slept for two minutes, and the server undid the decision. The worker does not blame the mail and
    reconnects."""
    with monkeypatch.context() as patch:
        patch.setattr(wire, "LONGEST", 0.05)
        store = Store(place)

    def decide() -> None:
        with store.decision():
            store.put_note("a", "b")
            while stored_rows(other, "select 1 from pg_stat_activity where pid = ?", store.db.session):
                pass
            store.put_note("c", "d")

    with closing(store), closing(Store(place)) as other:
        with pytest.raises(WorldError, match="cannot be used now"):
            decide()
        assert other.note("a") == ""
        store.put_note("a", "later")
        assert other.note("a") == "later"


def test_what_failed_in_a_decision_and_was_overlooked_is_not_taken_for_written(place: str) -> None:
    """A statement fails, and the program continues. The server then undoes the whole transaction."""

    def decide(store: Store) -> None:
        with store.decision():
            store.put_note("a", "b")
            with suppress(Exception):
                store.db.execute("select 1 / 0")

    with closing(Store(place)) as store:
        with pytest.raises(WorldError, match="The last decision was not written"):
            decide(store)
        assert store.note("a") == ""


@pytest.mark.slow
def test_a_replacement_server_that_knows_less_counts_as_a_restored_backup(begun: Path, tmp_path: Path) -> None:
    """A replica that was behind replaces the lost server. All games stop, and the host asks the players for their copies."""
    with a_postgres() as first:
        place = schema_for(first.address, "club")
        move(shutil.copy(begun / "host" / "pbem.sqlite", tmp_path), place)
        with closing(Store(place)) as store:
            Robot(store, key_of("host"), HOST).arrivals.look(AT)
        first.stop("fast")
        first.run("cp", "-r", first.data, first.folder / "behind")
        first.start()
        with closing(Store(place)) as store:
            robot = Robot(store, key_of("host"), HOST)
            assert robot.take((begun / "orders" / "ann").read_bytes(), AT) == "order: ann"
            assert not robot.house.game(1).stands_still
            first.stop()
            first.data = first.folder / "behind"
            first.run("touch", first.data / "standby.signal")
            first.start()
            with pytest.raises(WorldError, match="cannot be used now"):
                robot.take((begun / "orders" / "bob").read_bytes(), AT)
            first.promote()
            assert robot.take((begun / "orders" / "bob").read_bytes(), AT) == "waits: the game stands still"
            assert store.note("trouble game 1").endswith("“pbem host catch-up”, “pbem host go-on”")
            kinds = [letter.kind for letter in store.find(LetterRow)]
            assert kinds.count("copy") == 2, "both are asked for their copies"
            robot.go_on(1, AT)
        with closing(Store(place)) as store:
            robot = Robot(store, key_of("host"), HOST)
            assert robot.take((begun / "orders" / "ann").read_bytes(), AT) == "order: ann"
            assert not robot.house.game(1).stands_still, "once is enough"


@pytest.mark.slow
def test_a_host_that_was_moved_is_none_that_was_brought_back(place: str, tmp_path: Path) -> None:
    with closing(Store(place)) as store:
        Robot(store, key_of("host"), HOST).arrivals.look(AT)
    move(place, tmp_path / "file")
    with a_postgres() as another:
        there = schema_for(another.address, "club")
        move(tmp_path / "file", there)
        with closing(Store(there)) as store:
            robot = Robot(store, key_of("host"), HOST)
            robot.arrivals.look(AT)
            assert not robot.house.game(1).stands_still


def dumped(server: Postgres, place: str) -> Path:
    """What the server's own tools save of a host's part of the database."""
    dump, part = server.folder / "dump", place.rpartition("%3D")[2]
    server.run(server.bin / "pg_dump", "-n", part, "--clean", "-f", dump, server.address)
    return dump


@pytest.mark.parametrize("at_work", [False, True])
def test_an_older_dump_put_back_on_the_server_counts_as_a_restored_backup(
    place: str, begun: Path, postgres: Postgres, at_work: bool
) -> None:
    """The server's own tools restore an older dump, even while the host works. All games stop, and the host asks for
    the copies. A dump alone changes nothing."""
    ann, bob = ((begun / "orders" / seat).read_bytes() for seat in ("ann", "bob"))
    store = Store(place)
    robot = Robot(store, key_of("host"), HOST)
    robot.arrivals.look(AT)
    dump = dumped(postgres, place)
    assert robot.take(ann, AT) == "order: ann"
    if not at_work:
        store.close()
    postgres.run(postgres.bin / "psql", "-q", "-v", "ON_ERROR_STOP=1", "-f", dump, postgres.address)
    if not at_work:
        store = Store(place)
        robot = Robot(store, key_of("host"), HOST)
    with closing(store):
        assert robot.take(bob, AT) == "waits: the game stands still"
        assert [letter.kind for letter in store.find(LetterRow)].count("copy") == 2, "both are asked for their copies"
        robot.go_on(1, AT)
        assert robot.take(ann, AT) == "order: ann", "once is enough"


# --- what an operator gets wrong --------------------------------------------------------------------------------------


def test_tables_of_another_role_are_said_to_be_so(place: str, postgres: Postgres) -> None:
    """The host blames no mail for missing tables or rights, takes no mail, and says what to look at."""
    with closing(wire.ServerDatabase(postgres.address)) as db:
        db.execute("create role stranger login")
        db.execute(f"grant usage on schema {place.rpartition('%3D')[2]} to stranger")
    with pytest.raises(
        StoreError, match=r"permission denied for table _sqlite_migrations.*the owner of these tables"
    ) as found:
        Store(place.replace("pbem@", "stranger@"))
    assert "Try again" not in str(found.value)


def test_tables_that_go_beneath_a_host_at_work_are_no_fault_of_a_mail(place: str, begun: Path) -> None:
    """Nothing is noted as decided or as stumbled over; what is to be mended is said."""
    with closing(Store(place)) as store, closing(wire.ServerDatabase(place)) as other:
        robot = Robot(store, key_of("host"), HOST)
        robot.arrivals.look(AT)
        other.execute("alter table answers rename to aside")
        with pytest.raises(StoreError, match=r'"answers" does not exist.*Until then no mail is taken'):
            robot.take((begun / "orders" / "ann").read_bytes(), AT)
        other.execute("alter table aside rename to answers")
        assert robot.catch_up() == 1
        assert store.values("answers", "seat") == ["ann"]


def test_a_wrong_name_or_password_is_no_passing_trouble_alone(postgres: Postgres) -> None:
    with pytest.raises(WorldError, match=r'line “store” of host.toml.*database "nowhere" does not exist'):
        Store(postgres.address.replace("/postgres", "/nowhere"))


def test_two_hosts_do_not_share_a_store(begun: Path, place: str, tmp_path: Path) -> None:
    """The second host takes nothing, and the error shows both keys. Several programs of one host may share a store."""
    for name in ("one", "machine"):
        shutil.copytree(begun / "host", tmp_path / name, ignore=shutil.ignore_patterns("pbem.sqlite*"))
        name_its_place(tmp_path / name, place)
    Office.create(tmp_path / "other", key_of("other"), "other@example.org").close()
    name_its_place(tmp_path / "other", place)
    with (
        closing(Office(tmp_path / "one")),
        closing(Office(tmp_path / "machine")),
        pytest.raises(StoreError, match=r"belongs to a host with another key.*a schema of its own"),
    ):
        Office(tmp_path / "other")
    name_its_place(tmp_path / "other", "")
    Office(tmp_path / "other").close()
