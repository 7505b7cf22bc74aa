"""A club at its host's door: members are known by their keys, strangers can ask to become one, and nothing is believed besides."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pbem.cli.app import app
from pbem.club.rounds import Rounds
from pbem.games import installed
from pbem.host import Office
from pbem.host.arrivals import CLUB_DOOR
from pbem.host.door.hearing import ASKED
from pbem.host.members import forget, keys_of, member_of, rekeyed
from pbem.host.run import HandedIn, Running
from pbem.host.settings import ClubByMail, HeldEvents
from pbem.host.store.rows import ClubTable, GameRow, Member
from pbem.ledger import PrivateKey, fingerprint
from pbem.mail import Maildir, read_message
from pbem.mail.door import OF_THE_CLUB
from pbem.player import Desk, PlayerSettings
from pbem.player.asking import NotHeard
from pbem.player.club import letter, line
from pbem.player.door import HostsDoor
from tests.host.post import HOST, Club, a_club, key_of, moment
from tests.servers.real import free_ports
from tests.stored import all_rows, stored_rows

from .doors import PATIENCE, DoorHost, at_work, settings

RULES = '[club]\ngames = ["tiny"]\nstrangers = 6\n'


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Club]:
    with a_club(tmp_path) as club:
        yield club.begin()


class Visitor:
    """Somebody at the door, with an address and a key."""

    def __init__(self, host: DoorHost, club: Club, name: str) -> None:
        self.host, self.club, self.name, self.no = host, club, name, 0
        self.address, self.key = f"{name}@example.net", key_of(name)

    def asks(self, words: str, address: str = "", key: PrivateKey | None = None, said: str = "") -> tuple[str, str]:
        """Write a line; return what became of it, and what was said."""
        self.no += 1
        key = key or self.key
        raw = letter(
            address or self.address, HOST, said or line([words], self.key), f"{self.name}{self.no}", moment(60)
        ).raw()
        door = HostsDoor(
            self.host.address, key_of("host").key_line, *OF_THE_CLUB, key, lambda: self.host.clock[0], timeout=PATIENCE
        )
        answer = door.to_club(raw)
        return answer.became, " ".join(answer.said.split()).replace("“", '"').replace("”", '"')

    def under_another(self, n: int) -> str:
        """Ask to become a member with another address and another key; return what became of it."""
        key = key_of(f"{self.name} {n}")
        raw = letter(f"x{n}@example.net", HOST, line([f"register X{n}xx"], key), f"e{n}", moment(60)).raw()
        door = HostsDoor(self.host.address, key_of("host").key_line, *OF_THE_CLUB, key, lambda: self.host.clock[0])
        return door.to_club(raw).became

    def code(self) -> str:
        """The code that came by mail."""
        for _path, raw, _at in reversed(list(Maildir(self.club.folder / "host" / "mail" / self.name).new())):
            if found := re.search("CONFIRM ([0-9a-f]{32})", read_message(raw).text):
                return found[1]
        raise AssertionError

    def joins(self) -> None:
        assert self.asks(f"register {self.name.capitalize()}") == (
            "taken", f"A letter with a code goes to {self.address}: your request takes effect when the code is sent back."
        )  # fmt: skip
        became, said = self.asks(f"confirm {self.waits_for_code()}")
        assert became == "taken", said

    def waits_for_code(self) -> str:
        box = Maildir(self.club.folder / "host" / "mail" / self.name)
        while not list(box.new()):
            self.asks("games")  # whatever is asked lets the host send what lies ready
        return self.code()


def floods(ask: Callable[[], str]) -> str:
    """What becomes of a letter, or why it was not heard."""
    try:
        return ask()
    except NotHeard as error:
        return error.error


def visitors(host: DoorHost, club: Club, *names: str) -> list[Visitor]:
    return [Visitor(host, club, name) for name in names]


@pytest.mark.slow
def test_two_strangers_begin_a_game_at_the_door_alone(club: Club) -> None:
    with at_work(club, settings() + RULES) as host:
        dora, emil = visitors(host, club, "dora", "emil")
        dora.joins()
        emil.joins()
        became, said = dora.asks("new tiny players=2 turns=2 hours=48 side=bob")
        assert (became, "Table 1 is open." in said, "48 hours for an answer" in said) == ("taken", True, True)
        assert "Dora" in emil.asks("games")[1]
        assert "has become game 2" in emil.asks("join 1")[1]
    game = club.office.store.find(GameRow, order="id")[-1]
    seats = {row.seat: row.address for row in club.office.robot.house.game(game.id).seats.values()}
    assert seats == {"ann": "emil@example.net", "bob": "dora@example.net"}
    kinds = stored_rows(club.office.store, "select distinct kind from outbox where address like '%example.net'")
    assert {row["kind"] for row in kinds} == {"register", "club", "invitation"}
    answers = stored_rows(club.office.store, "select * from outbox where kind = 'club' and address like '%example.net'")
    assert len(answers) == 2, "what was asked at the door is answered there: by mail comes the welcome alone"


@pytest.mark.slow
def test_only_a_member_s_key_speaks_for_his_address(club: Club) -> None:
    """A stranger uses a member's name with his own key, or another's key in a REGISTER."""
    with at_work(club, settings() + RULES) as host:
        dora, eve = visitors(host, club, "dora", "eve")
        dora.joins()
        assert dora.asks("new tiny players=2")[0] == "taken"
        became, said = eve.asks("withdraw 1", address=dora.address)
        assert (became, "nobody of your address is known here" in said) == ("refused", True)
        became, said = dora.asks("withdraw 1", address=eve.address)
        assert became == "refused", "nor for another address"
        became, said = eve.asks("", address=eve.address, said=line(["register Eve"], dora.key))
        assert (became, said) == ("refused", "A REGISTER at the door names the key that brings it.")
        door = HostsDoor(host.address, key_of("host").key_line, "1" * 64, "club", eve.key, lambda: host.clock[0])
        with pytest.raises(NotHeard) as caught:
            door.to_club(b"x")
        assert caught.value.error == "form"
    assert len(club.office.store.find(ClubTable)) == 1


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("NEW chess", "is not played here; there are: tiny."),
        ("JOIN 9", "There is no table 9 here."),
        ("hello", "At the door a club takes REGISTER, GAMES"),
        ("BOARD", "At the door a club takes REGISTER, GAMES"),
        (f"CONFIRM {32 * 'a'}", "Nobody here is waiting for this code"),
        ("REGISTER 4ever key={key}", "is not a valid member"),
        ("REGISTER Dora key=AAAA", ""),
    ],
)
def test_what_cannot_be_done_is_said_at_once(club: Club, words: str, why: str) -> None:
    with at_work(club, settings() + RULES) as host:
        (dora,) = visitors(host, club, "dora")
        dora.joins()
        became, said = dora.asks("", said=words.format(key=dora.key.key_line.partition(" ")[2]))
    assert became == "refused"
    assert why in said


@pytest.mark.slow
def test_floods_are_turned_away(club: Club) -> None:
    """Each member gets thirty requests a minute, all other keys together thirty. Letters to strangers have a daily limit."""
    with at_work(club, settings() + RULES) as host:
        dora, eve = visitors(host, club, "dora", "eve")
        dora.joins()
        heard = [floods(lambda: dora.asks("games")[0]) for _n in range(2 * ASKED)]
        assert heard.index("often") <= ASKED
        said = [floods(lambda n=n: eve.under_another(n)) for n in range(2 * ASKED)]  # type: ignore[misc]
        assert said.index("often") <= ASKED
        assert said.count("taken") <= 6
        assert "refused" in said
    letters = stored_rows(club.office.store, "select * from outbox where kind = 'register'")
    assert len(letters) == 6, "as the settings say"


@pytest.mark.slow
def test_a_host_without_a_club_says_so(club: Club) -> None:
    with at_work(club, settings()) as host:
        (dora,) = visitors(host, club, "dora")
        with pytest.raises(NotHeard) as caught:
            dora.asks("games")
    assert caught.value.error == "club"
    assert club.office.store.find(Member) == []


def by_mail(club: Club, name: str, said: str, minute: int) -> str:
    """What becomes of a line that comes by mail."""
    return club.office.robot.take(
        letter(f"{name}@example.net", HOST, said, f"{name}{minute}", moment(minute)).raw(), moment(minute)
    )


def joins_by_mail(club: Club, name: str, key: PrivateKey, minute: int) -> str:
    """Become a member by mail alone, naming a key; return what became of it."""
    became = by_mail(club, name, line([f"register {name}"], key), minute)
    club.office.send(moment(minute))
    for _path, raw, _at in Maildir(club.folder / "host" / "mail" / name).new():
        if found := re.search("CONFIRM ([0-9a-f]{32})", read_message(raw).text):
            return by_mail(club, name, f"CONFIRM {found[1]}", minute + 1)
    return became


@pytest.mark.slow
def test_a_key_that_was_named_by_mail_counts_for_nobody_until_it_has_shown_itself(club: Club) -> None:
    """Keys are public in logs, so anybody can name one in a REGISTER. It counts after its first signed request."""
    gil, key = "gil@example.net", key_of("gil").key_line
    club.office.robot.open_club(ClubByMail(games=["tiny"], strangers=6))
    assert joins_by_mail(club, "eve", key_of("fay"), 60) == "member: confirmed"
    assert joins_by_mail(club, "gil", key_of("gil"), 64) == "member: confirmed"
    assert keys_of(club.office.store, "eve@example.net") == keys_of(club.office.store, gil) == []
    with at_work(club, settings() + RULES) as host:
        fay, by_door = visitors(host, club, "fay", "gil")
        assert by_door.asks("games")[0] == "taken", "he has named it, and it signs what comes from his address"
        assert fay.asks("games")[0] == "refused", "it is said to be Eve's"
        fay.joins()
        assert fay.asks("games")[0] == "taken"
    store = club.office.store
    assert keys_of(store, gil) == [key]
    assert keys_of(store, "fay@example.net") == [key_of("fay").key_line]
    assert keys_of(store, "eve@example.net") == []
    whose = member_of(store, key_of("fay").key_line)
    assert whose is not None
    assert whose.name == "Fay"


@pytest.mark.parametrize("whose", ["gil", "ann"])
def test_a_key_that_has_shown_itself_is_not_taken_over_by_mail(club: Club, whose: str) -> None:
    """Neither a member's who comes by the door, nor that of a seat."""
    if whose == "gil":
        with at_work(club, settings() + RULES) as host:
            visitors(host, club, "gil")[0].joins()
    club.office.robot.open_club(ClubByMail(games=["tiny"]))
    known = member_of(club.office.store, key_of(whose).key_line)
    assert joins_by_mail(club, "eve", key_of(whose), 70).startswith("told: how one becomes a member")
    (told,) = (read_message(raw).text for _path, raw, _at in Maildir(club.folder / "host" / "mail" / "eve").new())
    assert "This key is another's here." in " ".join(told.split())
    assert member_of(club.office.store, key_of(whose).key_line) == known


@pytest.mark.parametrize("when", ["before", "together"])
def test_an_answer_that_nobody_waits_for_is_told_to_nobody_else(club: Club, when: str) -> None:
    """Eve's letter was brought when the store could not be used, and is decided on before Dora's, which has come before."""
    robot = club.office.robot
    robot.open_club(ClubByMail(games=["tiny"]))
    raws = [letter(f"{name}@example.net", HOST, "JOIN 1", name, moment(60)).raw() for name in ("dora", "eve")]
    robot.take(raws[0], moment(60), f"{CLUB_DOOR}key 0")
    robot.keep(raws[1], moment(60), f"{CLUB_DOOR}key 1")
    if when == "before":
        robot.catch_up()
    running = Running(club.office, lambda: moment(61), lambda _said: None)
    mail = HandedIn(raws[0], moment(61), f"{CLUB_DOOR}key 0")
    running._decide(mail)
    assert mail.decided.result() == "duplicate"


def test_who_plays_here_is_known_by_the_key_of_his_seat(club: Club) -> None:
    """Who came by mail has named no key; and a key that has a successor is known by that."""
    with at_work(club, settings() + RULES) as host:
        (ann,) = visitors(host, club, "ann")
        assert ann.asks("games", address="ann@example.org")[0] == "refused", "no member yet"
    robot, store = club.office.robot, club.office.store
    raw = b"From: ann@example.org\r\nTo: %s\r\nMessage-ID: <1@x>\r\n\r\nREGISTER Ann\r\n" % HOST.encode()
    assert robot.take(raw, moment(70)).startswith("asked")
    club.office.send(moment(70))
    (code,) = (
        found[1]
        for _path, letter, _at in Maildir(club.folder / "host" / "mail" / "ann").new()
        if (found := re.search("CONFIRM ([0-9a-f]{32})", read_message(letter).text))
    )
    assert robot.take(raw.replace(b"REGISTER Ann", b"CONFIRM " + code.encode()).replace(b"<1@", b"<2@"), moment(71))
    known = member_of(store, key_of("ann").key_line)
    assert known is not None
    assert known.name == "Ann"
    store.put_note(f"member's key {key_of('old').key_line}", "ann@example.org")
    rekeyed(store, key_of("old").key_line, key_of("new").key_line)
    assert member_of(store, key_of("old").key_line) is None
    assert member_of(store, key_of("new").key_line) == known


def test_a_key_is_forgotten_with_its_member(club: Club) -> None:
    with at_work(club, settings() + RULES) as host:
        (dora,) = visitors(host, club, "dora")
        dora.joins()
    store = club.office.store
    assert member_of(store, dora.key.key_line) is not None
    forget(store, dora.address)
    assert member_of(store, dora.key.key_line) is None
    values = [value for _table, row in all_rows(store) for value in row if isinstance(value, str)]
    assert not [value for value in values if "dora@" in value or dora.key.key_line in value]


@pytest.mark.slow
def test_the_command_goes_to_the_door_and_by_mail_where_it_is_told_so(club: Club, tmp_path: Path) -> None:
    home, box = tmp_path / "fay", str(club.folder / "host" / "mail" / "host")
    Desk.create(home, key_of("fay"), PlayerSettings("fay@example.net", box))

    def pbem(*words: str, code: int = 0) -> str:
        done = CliRunner().invoke(app, [*words, "--home", str(home)], env={"PBEM_PASSPHRASE": ""})
        assert (done.exit_code != 0) == bool(code), done.output
        said = f"{done.output} {done.exception or ''}"
        return " ".join(said.split()).replace("“", '"').replace("”", '"')

    assert "Which club?" in pbem("club", "games", code=1)
    assert "says nothing to a club" in pbem("club", "join", "twelve", "--at", HOST, code=1)
    (port,) = free_ports(1)
    address = f"http://127.0.0.1:{port}/"
    with at_work(club, settings(address, port=port) + RULES) as host:
        said = pbem("club", "register", "Fay", "zone=Europe/Paris", "--at", HOST, "--door", address)
        assert "This host's key, remembered from now on" in said
        assert "A letter with a code goes to fay@example.net" in said
        fay = Visitor(host, club, "fay")
        fay.asks("games")
        code = fay.waits_for_code()
        assert "what is valid now" in pbem("club", "confirm", code)
        assert "Table 1 is open" in pbem("club", "new", "tiny", "players=2", "side=ann")
        assert "no table 9" in pbem("club", "join", "9", code=1)
        assert "is ready: JOIN 1" in pbem("club", "join", "1", "--by-mail")
    assert "cannot be reached" in pbem("club", "games", code=1)
    (waiting,) = Desk(home).tray.unsent()
    assert read_message(waiting.read_bytes()).text.strip() == "JOIN 1"
    assert "sent: club.join." in pbem("send")
    ((_path, raw, _at),) = Maildir(Path(box)).new()
    assert read_message(raw).command is not None


@pytest.mark.slow
def test_an_event_reaches_a_member_by_the_key_that_he_has_named(club: Club, tmp_path: Path) -> None:
    """He has not played here yet; and the list of members tells whose the key is."""
    with at_work(club, settings() + RULES) as host:
        dora, emil = visitors(host, club, "dora", "emil")
        dora.joins()
        emil.joins()
    people = "".join(
        f'[[players]]\nname = "{one.name.title()}"\nkey = "{fingerprint(one.key.key_line)}"\n' for one in (dora, emil)
    )
    file = club.folder / "host" / "cup.toml"
    file.write_text(
        f'name = "Cup"\ngame = "tiny"\nkind = "round robin"\n[options]\nplayers = 2\nturns = 1\n{people}', "utf-8"
    )
    rounds = Rounds(club.office, HeldEvents.model_validate({"files": ["cup.toml"]}), installed, lambda: "f" * 64)
    ((_name, number),) = rounds.open(moment(90))
    seats = club.office.robot.house.game(number).seats.values()
    assert {row.address for row in seats} == {dora.address, emil.address}
    club.office.close()
    told = CliRunner().invoke(app, ["host", "members", "--names", "--dir", str(club.folder / "host")]).output
    club.office = Office(club.folder / "host")
    assert f"{fingerprint(dora.key.key_line)} Dora" in told
