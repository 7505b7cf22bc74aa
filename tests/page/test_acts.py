"""What the page's service does is what the command does: the same letters and files, byte for byte, and the same words."""

from __future__ import annotations

import base64
import os
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from pbem.cli.app import app
from pbem.cli.demo import Demo
from pbem.games import find
from pbem.ledger import PrivateKey
from pbem.mail import read_message
from pbem.page.judging import log_in
from pbem.page.service import Service
from pbem.player import Desk
from tests.host.another_host import adopt, vanish
from tests.host.post import Club, a_club
from tests.ledger.builder import Table
from tests.page.calling import ok, refused

AT = "2030-01-01T05:00:00Z"
MODULES = ("orders", "besides", "keys", "letters", "vanished")
SEED = bytes(range(32))


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Club]:
    """Two players with 48 hours and leave; the first has answered, and the second is asked."""
    with a_club(tmp_path_factory.mktemp("club"), turns=3, hours=48, terms={"late": "claim", "leave": 24}) as club:
        yield club.begin()


@dataclass
class Twins:
    """One club twice: what is typed goes to one, what is called to the other."""

    typed: Club
    called: Club

    def both(self) -> tuple[Club, Club]:
        return self.typed, self.called

    def service(self, who: str = "ann") -> Service:
        return Service(self.called.folder / who, lambda: AT)

    def type(self, *words: object, who: str = "ann", well: bool = True) -> str:
        found = CliRunner().invoke(app, [*map(str, words), "--home", str(self.typed.folder / who)])
        assert (found.exit_code == 0) is well, found.exception or found.output
        return found.output

    def check_same(self, who: str = "ann") -> list[str]:
        """Both desks hold the same files; return the names of the letters that wait."""
        files = [self._files(club.folder / who) for club in self.both()]
        assert files[0] == files[1]
        return [name.removeprefix("out/") for name in files[0] if name.startswith("out/")]

    def _files(self, home: Path) -> dict[str, bytes]:
        folders = ("out", "replaced", "signed", "games")
        found = {
            path.relative_to(home).as_posix(): path.read_bytes()
            for folder in folders
            for path in sorted((home / folder).glob("*"))
        }
        return found | {name: (home / name).read_bytes() for name in ("settings.json", "key.pub")}


@pytest.fixture
def twins(begun: Club, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Twins]:
    monkeypatch.setenv("PBEM_GAMES", str(Path(__file__).parents[2] / "examples"))
    monkeypatch.setenv("PBEM_LANGUAGE", "en")
    for module in MODULES:
        monkeypatch.setattr(f"pbem.cli.{module}.now", lambda: AT)
    monkeypatch.setattr("pbem.cli.keys.fresh_key", lambda: PrivateKey.from_seed(SEED))
    monkeypatch.setattr("pbem.page.doing.os.urandom", lambda n: SEED[:n])
    made = Twins(begun.copy_to(tmp_path / "typed"), begun.copy_to(tmp_path / "called"))
    yield made
    for club in made.both():
        club.office.close()


def in_base64(raw: bytes) -> str:
    return base64.b64encode(raw).decode()


def game_of(service: Service) -> str:
    return str(ok(service, "games")["games"][0]["game"])


@pytest.mark.variants
@pytest.mark.parametrize(
    ("words", "call", "more"),
    [
        (("say", "draw", "--yes"), "say", {"what": "draw"}),
        (("say", "resign", "--yes"), "say", {"what": "resign"}),
        (("say", "claim", "--yes"), "say", {"what": "claim"}),
        (("say", "leave", 5, "--yes"), "say", {"what": "leave", "number": 5}),
        (("say", "takeback", 7, "--yes"), "say", {"what": "takeback", "number": 7}),
        (("press", " A truce? "), "press", {"text": " A truce? "}),
        (("press", "A truce?", "--to", "BOB"), "press", {"text": "A truce?", "to": "bob"}),
        (("address", "ann@example.net"), "address", {"new": "ann@example.net"}),
        (("address", "ann@example.net", "--number", 4), "address", {"new": "ann@example.net", "number": 4}),
        (
            ("time", "--zone", "Europe/Paris", "--quiet", "22-8", "--weekends", "off"),
            "time",
            {"zone": "Europe/Paris", "quiet": "22-8", "weekends": "off"},
        ),
        (("letters", "short"), "by_mail", {"mail": "short"}),
        (("copy", "--since", 3), "copy", {"since": 3}),
        (("resend",), "resend", {}),
        (("rekey", "--yes"), "rekey", None),
        (("language", "fr"), "speak", {"wanted": "fr"}),
        (("plan", "--none"), "plans", {"text": ""}),
    ],
)
def test_what_is_called_is_what_is_typed(
    twins: Twins, words: tuple[Any, ...], call: str, more: dict[str, Any] | None
) -> None:
    service = twins.service()
    game = {"game": game_of(service)} if more is not None and call != "speak" else {}
    typed = [game["game"] if word == "" else word for word in words]
    said = twins.type(*typed)
    found = ok(service, call, **game, **(more or {}))
    waiting = twins.check_same()
    if call in ("address", "time", "by_mail"):
        assert found["said"].splitlines() == said.splitlines()[: len(found["said"].splitlines())]
    if call not in ("speak", "plans"):
        assert [one["name"] for one in found["letters"]] == waiting != []
    if call == "rekey":
        assert (service.home / "key.before").exists()
        assert found["fingerprint"] in ok(service, "about")["fingerprint"]


def test_plans_are_shown_in_games_of_two_alone(twins: Twins) -> None:
    service = twins.service()
    game = game_of(service)
    assert ok(service, "position", game=game)["plans_shown"] is None
    home = str(twins.typed.folder / "ann")
    for flag, shown in (("--shown", True), ("--kept", False)):
        found = CliRunner().invoke(app, ["plan", flag, "--game", game, "--home", home])
        kind, said = refused(service, "plans", game=game, text="", shown=shown)
        assert kind == "player"
        for why in (str(found.exception), said):
            assert why.startswith("This game has a host, who keeps plans sealed and lets them answer")
    assert "--shown" not in CliRunner().invoke(app, ["plan", "--game", game, "--home", home]).output
    twins.check_same()


def test_other_links_are_refused_while_there_are_enough(twins: Twins) -> None:
    service = twins.service()
    game = game_of(service)
    found = CliRunner().invoke(app, ["rekey", "--renew", game, "--yes", "--home", str(twins.typed.folder / "ann")])
    assert refused(service, "renew", game=game) == ("player", str(found.exception))
    twins.check_same()


def test_a_change_of_key_is_taken_back(twins: Twins) -> None:
    service = twins.service()
    before = ok(service, "about")["fingerprint"]
    twins.type("rekey", "--yes")
    ok(service, "rekey")
    letter = ok(service, "letters")["letters"][0]["name"]
    assert refused(service, "lay_aside", name=letter)[0] == "player", "the key is another one already"
    assert "Your key is again the one that counts" in twins.type("rekey", "--back")
    assert "Your key is again the one that counts" in ok(service, "key_back")["said"]
    assert ok(service, "about")["fingerprint"] == before
    assert twins.check_same() == []


@pytest.mark.slow
def test_an_offer_stands_among_what_may_be_said_with_what_it_means(twins: Twins) -> None:
    for club in twins.both():
        club.say("bob", "draw")
    service = twins.service()
    game = game_of(service)
    said = ok(service, "sayings", game=game)
    (agree,) = [one for one in said["says"] if one["what"] == "agree"]
    assert "at once, and for good" in agree["means"]
    (draw,) = [one for one in said["says"] if one["what"] == "draw"]
    assert "the offer is still open" in draw["why_not"]
    assert "the offer is still open" in refused(service, "say", game=game, what="draw")[1]
    assert [one["seat"] for one in said["others"]] == ["bob"]
    assert ok(service, "position", game=game)["offers"] == 1
    twins.type("say", "agree", "--yes")
    ok(service, "say", game=game, what="agree", number=agree["number"])
    assert twins.check_same()
    (letter,) = twins.called.letters(twins.called.desks["ann"])
    twins.called.take(letter)
    twins.called.read_all()
    assert ok(twins.service(), "sayings", game=game)["says"] == [], "the game is over"


def test_what_may_be_said_is_what_the_desk_signs(twins: Twins) -> None:
    service = twins.service()
    game = game_of(service)
    says = ok(service, "sayings", game=game)["says"]
    assert {one["what"] for one in says} == {"draw", "takeback", "leave", "claim", "resign"} - (
        set() if any(one["what"] == "takeback" for one in says) else {"takeback"}
    )
    (leave,) = [one for one in says if one["what"] == "leave"]
    assert (leave["number"], leave["why_not"]) == (24, "")
    (claim,) = [one for one in says if one["what"] == "claim"]
    assert "before the time to answer was over" in claim["why_not"]
    assert all(one["label"] and one["means"] for one in says)


def test_what_is_laid_aside_is_not_sent(twins: Twins) -> None:
    service = twins.service()
    game = game_of(service)
    (letter,) = ok(service, "say", game=game, what="resign")["letters"]
    assert ok(service, "lay_aside", name=letter["name"])["letters"] == []
    assert (service.home / "replaced" / letter["name"]).is_file()
    assert ok(service, "say", game=game, what="draw")["letters"], "it can be said once more, or otherwise"
    order = next(one["draft"] for one in ok(service, "touches", game=game)["touches"] if one["closes"])
    (letter,) = ok(service, "sign", game=game, text="\n".join(order))["letters"]
    assert "another one takes its place" in refused(service, "lay_aside", name=letter["name"])[1]


def test_keys_are_compared_in_six_words_beside_the_fingerprint(twins: Twins) -> None:
    service = twins.service()
    host, ann, bob = ok(service, "keys", game=game_of(service))["keys"]
    assert (host["seat"], ann["own"], bob["who"]) == ("", True, "Bob")
    own = ok(service, "about")["fingerprint"].split()
    assert [ann["fingerprint"], ann["words"]] == own
    assert all(len(one["words"].split("-")) == 6 for one in (host, ann, bob))


def test_what_is_settled_is_told(twins: Twins) -> None:
    me = ok(twins.service(), "me")
    assert (me["address"], me["has_recovery"], me["can_go_back"]) == ("ann@example.org", False, False)
    (game,) = me["games"]
    assert (game["host"], game["seat_name"], game["over"]) == ("host@example.org", "Ann", False)


# -- joining -------------------------------------------------------------------------------------------------------------


@pytest.fixture
def invited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Twins, bytes]]:
    """Nobody has joined; with the invitation of Ann."""
    monkeypatch.setenv("PBEM_GAMES", str(Path(__file__).parents[2] / "examples"))
    monkeypatch.setattr("pbem.cli.letters.now", lambda: AT)
    with a_club(tmp_path / "first", turns=3) as club:
        raw = club.deliver()["ann"][0]
        made = Twins(club.copy_to(tmp_path / "typed"), club.copy_to(tmp_path / "called"))
        yield made, raw
        for one in made.both():
            one.office.close()


@pytest.mark.slow
def test_a_seat_is_taken_as_by_the_command(invited: tuple[Twins, bytes], tmp_path: Path) -> None:
    twins, raw = invited
    (tmp_path / "mail.eml").write_bytes(raw)
    service = twins.service()
    ok(service, "read", data=in_base64(raw))
    (asks,) = ok(service, "games")["asks"]
    assert (asks["what"], asks["seat"], asks["others"], asks["rules"]) == ("join", "ann", "", "")
    assert "turns: 3" in asks["terms"]
    assert (asks["keys"], asks["changed"]) == ([], "")
    assert asks["met"].startswith("You meet host@example.org for the first time.")
    said = twins.type("join", tmp_path / "mail.eml")
    joined = ok(service, "join", game=asks["game"])
    assert joined["said"] in said
    twins.check_same()
    ok(service, "lay_aside", name=joined["letters"][0]["name"])
    assert ok(service, "games")["asks"], "it asks again, as nothing has been answered"
    ok(service, "decline", game=asks["game"])
    assert ok(service, "games")["asks"] == []


@pytest.mark.slow
def test_an_invitation_is_declined_without_a_word(invited: tuple[Twins, bytes]) -> None:
    twins, raw = invited
    service = twins.service()
    ok(service, "read", data=in_base64(raw))
    ok(service, "decline", game=ok(service, "games")["asks"][0]["game"])
    assert ok(service, "games") == {"games": [], "asks": []}
    assert list((service.home / "out").glob("*")) == []


@pytest.mark.slow
def test_an_invitation_for_somebody_else_is_signed_only_if_it_is_meant_so(invited: tuple[Twins, bytes]) -> None:
    twins, raw = invited
    service = twins.service("bob")
    ok(service, "read", data=in_base64(raw))
    (asks,) = ok(service, "games")["asks"]
    assert asks["others"] == "ann@example.org"
    assert "is not meant for you" in refused(service, "join", game=asks["game"])[1]
    assert ok(service, "join", game=asks["game"], seat="ann")["letters"]


def test_what_was_attached_to_a_mail_is_read_alone(invited: tuple[Twins, bytes]) -> None:
    twins, raw = invited
    service, mail = twins.service(), read_message(raw)
    (came,) = ok(service, "read", data=in_base64(mail.log))["came"]
    assert came["kind"] == "asks"
    (asks,) = ok(service, "games")["asks"]
    assert (asks["seat"], [one["seat"] for one in asks["seats"]]) == ("", ["ann", "bob"])
    assert (
        "only the file attached to the invitation. Which seat is yours"
        in refused(service, "join", game=asks["game"])[1]
    )
    more = {"seat": "ann", "token": mail.token, "host": "host@example.org"}
    assert ok(service, "join", game=asks["game"], **more)["letters"][0]["to"] == "host@example.org"


def test_a_key_of_openssh_is_taken_and_a_recovery_key_made(tmp_path: Path) -> None:
    key = PrivateKey.from_seed(os.urandom(32))
    service = Service(tmp_path, lambda: AT)
    made = ok(service, "key", address="ann@example.org", take=in_base64(key.dump(None)), recovery=True)
    assert (tmp_path / "key.pub").read_text().strip() == key.key_line
    spare = PrivateKey.load(base64.b64decode(made["recovery"]["data"]))
    assert (tmp_path / "recovery.pub").read_text().strip() == spare.key_line
    assert spare.key_line != key.key_line


# -- files: judged, and looked at ----------------------------------------------------------------------------------------


def log_of(service: Service) -> bytes:
    return base64.b64decode(ok(service, "log", game=game_of(service))["data"])


@pytest.mark.variants
@pytest.mark.parametrize("command", ["verify", "audit"])
@pytest.mark.parametrize("damage", ["none", "time", "no log", "mark"])
def test_a_verdict_has_the_words_of_the_command(twins: Twins, tmp_path: Path, command: str, damage: str) -> None:
    service = twins.service()
    data = log_of(service)
    data = {
        "none": data,
        "time": data.replace(b'"at":"2030', b'"at":"2031', 1),
        "no log": b"Dear Ann,\n",
        "mark": b"\xef\xbb\xbf" + data,
    }[damage]
    (tmp_path / "x.pbem").write_bytes(data)
    said = CliRunner().invoke(app, [command, str(tmp_path / "x.pbem")]).output
    found = ok(service, "check", data=in_base64(data), name="x.pbem", audit=command == "audit")
    assert found["text"] + "\n" == said
    if damage == "time":
        zipped = base64.b64decode(ok(service, "proof", data=in_base64(data), audit=command == "audit")["data"])
        CliRunner().invoke(app, [command, str(tmp_path / "x.pbem"), "--evidence", str(tmp_path / "proof")])
        with zipfile.ZipFile(BytesIO(zipped)) as archive:
            assert {name: archive.read(name) for name in archive.namelist()} == {
                path.name: path.read_bytes() for path in (tmp_path / "proof").iterdir()
            }


def test_mails_are_judged_by_the_log_that_they_bring(twins: Twins) -> None:
    club, service = twins.called, twins.service("bob")
    raws = [raw for raw in club.received["bob"] if read_message(raw).log]
    mbox = b"".join(
        b"From host@example.org Tue Jan  1 00:00:00 2030\n" + raw.replace(b"\r\n", b"\n") + b"\n"
        for raw in reversed(raws)
    )
    found = ok(service, "check", data=in_base64(mbox), name="all.mbox", audit=True)
    own = ok(service, "check", data=in_base64(log_of(service)), audit=True)
    assert found["outcome"] == own["outcome"] == "unfinished"
    assert found["head"] == own["head"]
    kind, why = refused(service, "check", data=in_base64(raws[-1]), name="last.eml")
    assert (kind, "from its beginning" in why) == ("player", True)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A whole game between desks."""
    out = tmp_path_factory.mktemp("complain") / "demo"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PBEM_GAMES", str(Path(__file__).parents[2] / "examples"))
        Demo(out, 4, find("tiny"), {}, {}).play(lambda _: None)
    return out


def test_a_complaint_is_judged_as_by_the_command(played: Path, tmp_path: Path) -> None:
    desk = played / "players" / "ann"
    service = Service(desk, lambda: AT)
    game = game_of(service)
    name = next(one["name"] for one in ok(service, "left", game=game)["letters"] if one["has_receipt"])
    receipts = next((desk / "games").glob("*.receipts"))
    log = tmp_path / "log.pbem"
    log.write_bytes(log_of(service))
    papers = [str(log), str(desk / "sent" / name)]
    said = CliRunner().invoke(app, ["complain", *papers, "--receipts", str(receipts)]).output
    assert ok(service, "complain", game=game, name=name)["text"] + "\n" == said
    full = desk / "signed" / name
    letter = in_base64((full if full.exists() else desk / "sent" / name).read_bytes())
    brought = {"log": in_base64(log.read_bytes()), "letter": letter}
    assert ok(service, "complain", **brought, receipts=in_base64(receipts.read_bytes()))["text"] + "\n" == said
    assert "or another letter" in refused(service, "complain", **brought)[1]
    twice = ok(service, "complain", **brought, other=letter)
    assert twice["text"] + "\n" == CliRunner().invoke(app, ["complain", *papers, "--other", papers[1]]).output


def test_a_log_is_looked_at_as_a_game_is(twins: Twins, tmp_path: Path) -> None:
    service = twins.service()
    data = log_of(service)
    (tmp_path / "x.pbem").write_bytes(data)
    watched = ok(Service(tmp_path / "empty"), "watch", data=in_base64(data))
    assert [one["seat"] for one in watched["seats"]] == ["", "ann"], "Bob's reports are not open in Ann's copy"
    watched = ok(service, "watch", data=in_base64(data), seat="ann")
    position = ok(service, "position", game=watched["game"])
    own = ok(service, "position", game=game_of(service))
    assert (position["watched"], position["asked"], position["n"]) == (True, False, own["n"])
    assert position["drawing"] == own["drawing"]
    assert ok(service, "story", game=watched["game"]) == ok(service, "story", game=game_of(service))
    said = CliRunner().invoke(app, ["show", str(tmp_path / "x.pbem")]).output
    assert "\n".join(ok(service, "entries", game=watched["game"])["lines"]) + "\n" == said
    assert ok(service, "entries", game=game_of(service)) == ok(service, "entries", game=watched["game"])
    CliRunner().invoke(app, ["replay", str(tmp_path / "x.pbem"), "--seat", "ann", "--html", str(tmp_path / "x.html")])
    assert base64.b64decode(ok(service, "replay", game=watched["game"])["data"]) == (tmp_path / "x.html").read_bytes()
    assert "only looked at" in refused(service, "say", game=watched["game"], what="draw")[1]
    assert "not open any more" in refused(service, "position", game="log-000000000000-all")[1]


def test_a_game_alone_is_told_entry_by_entry_and_as_a_page(tmp_path: Path) -> None:
    service = Service(tmp_path)
    game = ok(service, "begin", game="tiny")["game"]
    assert ok(service, "entries", game=game)["lines"]
    assert b"<html" in base64.b64decode(ok(service, "replay", game=game)["data"])


# -- who has vanished, and where letters go ------------------------------------------------------------------------------


@pytest.mark.slow
def test_another_host_is_agreed_to_as_by_the_command(twins: Twins, tmp_path: Path) -> None:
    proposals = []
    for club in twins.both():
        vanish(club).close()
        adopt(club)
        proposals.append(club.deliver()["ann"][0])
    assert proposals[0] == proposals[1]
    (tmp_path / "mail.eml").write_bytes(proposals[0])
    service = twins.service()
    game = game_of(service)
    (came,) = ok(service, "read", data=in_base64(proposals[1]))["came"]
    assert came["kind"] == "asks"
    assert "another host" in came["subject"]
    assert (came["proposes"], base64.b64decode(came["eml"])) == ("host", proposals[1])
    said = twins.type("welcome", tmp_path / "mail.eml", "--yes")
    signed = ok(service, "welcome", data=came["eml"])
    assert signed["said"] in said
    assert [one["to"] for one in signed["letters"]] == ["other@example.org"]
    twins.check_same()
    assert ok(service, "me")["games"][0]["leaving"]
    assert "nothing more is signed" in refused(service, "say", game=game, what="draw")[1]
    twins.type("welcome", "--withdraw", game)
    ok(service, "lay_aside", name=signed["letters"][0]["name"])
    twins.check_same()
    assert not ok(service, "me")["games"][0]["leaving"]
    assert "no other host" in refused(service, "stay", game=game)[1]


def test_an_address_is_confirmed_only_to_a_host_of_ones_own(twins: Twins) -> None:
    club, service = twins.called, twins.service()
    ok(service, "address", new="ann@example.net")
    (letter,) = club.letters(club.desks["ann"])
    club.take(letter)
    asks = club.box("ann@example.net")[-1]
    (came,) = ok(service, "read", data=in_base64(asks))["came"]
    assert (came["kind"], len(came["code"])) == ("confirm", 32)
    assert refused(service, "confirm", to="stranger@example.org", code=came["code"])[0] == "player"
    assert refused(service, "confirm", to=came["sender"], code="x\nRESEND")[0] == "player"
    (answer,) = ok(service, "confirm", to=came["sender"], code=came["code"])["letters"]
    assert f"CONFIRM {came['code']}" in answer["text"]


# -- what is not asked ---------------------------------------------------------------------------------------------------


def test_plans_and_orders_ahead_are_written_where_an_answer_is_not_awaited(twins: Twins) -> None:
    service = twins.service()
    game = game_of(service)
    position = ok(service, "position", game=game)
    assert position["ahead"]
    plan = ["PLAN ACT DIG"]
    assert not ok(service, "touches", game=game, draft=plan)["closed"], "an order is asked for"
    order = next(one["draft"] for one in ok(service, "touches", game=game)["touches"] if one["closes"])
    ok(service, "sign", game=game, text="\n".join(order), ask=position["ask"])
    found = ok(service, "touches", game=game, draft=plan)
    assert (found["closed"], found["order"]) == (True, "PLAN ACT DIG")
    ahead = next(one["draft"] for one in ok(service, "touches", game=game)["touches"] if one["at"] == "choice:AHEAD")
    while not (found := ok(service, "touches", game=game, draft=ahead))["closed"]:
        ahead = found["touches"][0]["draft"]
    said = ok(service, "sign", game=game, text="\n".join(ahead), ask=position["ask"])["said"]
    assert said.startswith("AHEAD ")


def test_what_was_written_for_a_question_that_is_closed_is_refused_as_moved(twins: Twins) -> None:
    service = twins.service()
    game = game_of(service)
    assert refused(service, "sign", game=game, text="PASS", ask=1)[0] == "moved"


def test_copies_are_united_and_a_signature_is_taken_out(twins: Twins, tmp_path: Path) -> None:
    service = twins.service()
    logs = [log_of(service), log_of(twins.service("bob"))]
    paths = [tmp_path / "ann.pbem", tmp_path / "bob.pbem"]
    for path, data in zip(paths, logs, strict=True):
        path.write_bytes(data)
    CliRunner().invoke(app, ["merge", *map(str, paths), "--out", str(tmp_path / "both.pbem")])
    made = ok(service, "merge", first=in_base64(logs[0]), second=in_base64(logs[1]))
    assert base64.b64decode(made["data"]) == (tmp_path / "both.pbem").read_bytes()
    assert refused(service, "merge", first=in_base64(logs[0]), second=in_base64(b"{}"))[0] == "record"
    (tmp_path / "sig").mkdir()
    CliRunner().invoke(app, ["export-sig", str(paths[0]), "1", "--out", str(tmp_path / "sig")])
    taken = ok(service, "signature", data=in_base64(logs[0]), entry=1)
    assert "ssh-keygen -Y verify -f entry-1.signers" in taken["command"]
    with zipfile.ZipFile(BytesIO(base64.b64decode(taken["data"]))) as archive:
        found = {name: archive.read(name) for name in archive.namelist()}
    assert found == {path.name: path.read_bytes() for path in (tmp_path / "sig").iterdir()}


def test_a_letter_goes_in_full_where_a_host_asks_for_it(twins: Twins) -> None:
    service = twins.service()
    game = game_of(service)
    order = next(one["draft"] for one in ok(service, "touches", game=game)["touches"] if one["closes"])
    (short,) = ok(service, "sign", game=game, text="\n".join(order))["letters"]
    (full,) = ok(service, "in_full", name=short["name"])["letters"]
    assert len(full["text"]) > len(short["text"])
    assert full["text"].encode() in (service.home / "signed" / short["name"]).read_bytes().replace(b"\r\n", b"\n")


@pytest.mark.parametrize(
    "path", sorted((Path(__file__).parents[1] / "ledger" / "data" / "bad").glob("*")), ids=lambda path: path.stem
)
def test_a_damaged_log_is_judged_as_it_is(path: Path) -> None:
    """Nothing of it is taken for a mail, so that the verdict is the command's."""
    assert log_in(path.name, path.read_bytes()) == path.read_bytes()


@pytest.mark.slow
@pytest.mark.parametrize("lost", [True, False])
def test_a_recovery_key_takes_the_seats_back(tmp_path: Path, lost: bool) -> None:
    """Whether the key's file is lost, or only its passphrase."""
    spare = PrivateKey.from_seed(os.urandom(32))
    with a_club(tmp_path / "club", turns=3) as club:
        home = club.desks["ann"].home
        (home / "recovery.pub").write_text(f"{spare.key_line}\n")
        club.begin()
        if lost:
            (home / "key").unlink()
        else:
            (home / "key").write_bytes(PrivateKey.load((home / "key").read_bytes()).dump(b"forgotten"))
        service = Service(home, club.now)
        assert ok(service, "about")["lost"] is lost
        wrong = in_base64(PrivateKey.from_seed(SEED).dump(None))
        assert "not the recovery key" in refused(service, "rekey", recovery=wrong)[1]
        assert "cannot be read" in refused(service, "rekey", recovery=in_base64(b"x"))[1]
        found = ok(service, "rekey", recovery=in_base64(spare.dump(b"sesame")), passphrase="sesame")
        assert ok(service, "about")["fingerprint"] == found["fingerprint"]
        (letter,) = club.letters(Desk(home))
        assert club.take(letter) == "rekey: ann"


def test_a_log_that_makes_no_sense_is_said_to_make_none(tmp_path: Path) -> None:
    """Its form is right, so it can be opened and told; its view is none of that game."""
    service = Service(tmp_path)
    table = Table()
    table.edit["game"] = lambda entry: entry["rules"].update(id="tiny")
    table.begin().tell(facts=["no fact of this game"])
    data = table.log.dump()
    game = ok(service, "watch", data=in_base64(data))["game"]
    assert ok(service, "entries", game=game)["lines"]
    assert "Something that these rules do not know" in str(ok(service, "story", game=game))
    for call in ("position", "replay"):
        assert refused(service, call, game=game)[0] == "record"
