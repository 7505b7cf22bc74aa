"""The desk's service: each call over a desk with a game by mail, and what is said to wrong ones."""

from __future__ import annotations

import base64
import errno
import json
import os
import shutil
import zipfile
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from pbem import private
from pbem.host.outbox import WAITS_FOR
from pbem.i18n import languages
from pbem.ledger import PrivateKey
from pbem.mail import read_message
from pbem.mail.block import short_blocks
from pbem.page import keeping
from pbem.page.listing import ALL as CALLS
from pbem.page.service import Service
from tests.host.post import Club, a_club
from tests.page.calling import answer, ok, refused
from tests.page.service import first_order, in_base64, next_letters

LOGS = Path(__file__).parents[1] / "golden" / "logs"


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Club]:
    """Two players; the first question is open."""
    with a_club(tmp_path_factory.mktemp("club"), turns=3) as club:
        yield club.begin()


@pytest.fixture
def club(begun: Club, tmp_path: Path) -> Iterator[Club]:
    twin = begun.copy_to(tmp_path)
    yield twin
    twin.office.close()


@pytest.fixture
def ann(club: Club) -> Service:
    return Service(club.folder / "ann", club.now)


def game_of(service: Service) -> str:
    return str(ok(service, "games")["games"][0]["game"])


# -- wrong calls ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "request_",
    [
        "",
        "{",
        "[]",
        "null",
        '"games"',
        "{}",
        '{"call": 7}',
        '{"call": "shutdown"}',
        '{"call": "__init__"}',
        "[" * 100_000,
    ],
)
def test_what_is_no_call_is_refused(tmp_path: Path, request_: str) -> None:
    error = json.loads(Service(tmp_path).answer(request_))["error"]
    assert error["kind"] == "call"
    assert "There is no such call" in error["text"]


@pytest.mark.parametrize("name", CALLS)
def test_every_call_refuses_what_it_does_not_know(tmp_path: Path, name: str) -> None:
    kind, text = refused(Service(tmp_path), name, surprise=1)
    assert (kind, "surprise" in text) == ("call", True)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.variants
@pytest.mark.parametrize("name", [name for name, pair in CALLS.items() if "game" in pair.goes_in.model_fields])
def test_a_game_that_is_not_there_is_named(ann: Service, name: str) -> None:
    more: dict[str, dict[str, Any]] = {
        "text": {"text": "x"},
        "data": {"data": ""},
        "what": {"what": "draw"},
        "new": {"new": "ann@example.net"},
    }
    more |= {
        "lines": {"ask": 0},
        "zone": {"zone": "UTC"},
        "mail": {"mail": "all"},
        "friend": {"friend": "bob@example.net"},
    }
    fields = CALLS[name].goes_in.model_fields
    given = {key: value for field, one in more.items() if field in fields for key, value in one.items()}
    if name in ("letters", "choices"):
        return  # the beginning of an id, or none
    for game in ("ffffffff", "alone-ffffffff", "../../etc/passwd", "alone-../../x"):
        found = answer(ann, name, game=game, **given)
        assert found.get("error", {}).get("kind") == "player", (name, game, found)


def test_a_desk_without_a_key_says_what_needs_one(tmp_path: Path) -> None:
    service = Service(tmp_path)
    assert ok(service, "about")["address"] == ""
    assert ok(service, "games") == {"games": [], "asks": []}
    kind, text = refused(service, "read", data=in_base64(b"x"))
    assert (kind, "no key" in text) == ("player", True)


@pytest.mark.slow
def test_no_secret_of_a_key_leaves_it(tmp_path: Path) -> None:
    service = Service(tmp_path)
    made = ok(service, "key", address="ann@example.org", passphrase="open sesame")
    assert made["fingerprint"]
    said = json.dumps([answer(service, name) for name in CALLS if name not in ("save", "rekey")])
    secret = (tmp_path / "key").read_text("utf-8").splitlines()[3]
    assert secret not in said
    assert "sesame" not in said
    assert refused(service, "key", address="ann@example.org")[0] == "player", "a key is not written over"
    other = Service(tmp_path)
    assert refused(other, "unlock", passphrase="wrong")[0] == "player"
    assert ok(other, "unlock", passphrase="open sesame") == {
        name: said for name, said in made.items() if name != "recovery"
    }


@pytest.mark.slow
def test_a_locked_key_asks_for_its_passphrase_and_what_was_asked_then_goes(ann: Service) -> None:
    game, key = game_of(ann), ann.home / "key"
    key.write_bytes(PrivateKey.load(key.read_bytes()).dump(b"open sesame"))
    service, order = Service(ann.home, ann.now), first_order(ann, game)
    kind, text = refused(service, "sign", game=game, text=order)
    assert (kind, "PBEM_" in text) == ("locked", False)
    assert ok(service, "letters")["letters"] == []
    kind, text = refused(service, "unlock", passphrase="open barley")
    assert (kind, "does not open" in text) == ("player", True)
    assert refused(service, "sign", game=game, text=order)[0] == "locked"
    ok(service, "unlock", passphrase="open sesame")
    assert len(ok(service, "sign", game=game, text=order)["letters"]) == 1


@pytest.mark.slow
def test_a_desk_is_saved_and_taken_up_elsewhere(ann: Service, tmp_path: Path) -> None:
    game = game_of(ann)
    ok(ann, "notes", game=game, text="Bob digs.")
    ok(ann, "sign", game=game, text=first_order(ann, game))
    alone = ok(ann, "begin", game="tiny")["game"]
    data = ok(ann, "save")["data"]
    other = Service(tmp_path / "elsewhere", ann.now)
    assert ok(other, "restore", data=data)["fingerprint"] == ok(ann, "about")["fingerprint"]
    for call in ("position", "story", "notes", "letters"):
        assert ok(other, call, game=game) == ok(ann, call, game=game)
    assert ok(other, "position", game=alone) == ok(ann, "position", game=alone)
    assert refused(other, "restore", data=data)[0] == "player", "a key is not written over"
    assert not (other.home / "key").stat().st_mode & 0o077


def test_a_player_s_folder_without_its_empty_folders_can_sign(ann: Service) -> None:
    """Browsers and saved files keep no empty folders, so the program creates them again."""
    game = game_of(ann)
    for folder in ("out", "replaced"):
        shutil.rmtree(ann.home / folder, ignore_errors=True)
    later = Service(ann.home, ann.now)
    assert ok(later, "sign", game=game, text=first_order(later, game))["letters"]


def test_of_a_saved_desk_only_its_own_files_are_taken(ann: Service, tmp_path: Path) -> None:
    made = BytesIO(base64.b64decode(ok(ann, "save")["data"]))
    settings = {"address": "ann@example.org", "imap": {"host": "x", "password_command": "touch /tmp/owned"}}
    with zipfile.ZipFile(made, "a") as archive:
        with pytest.warns(UserWarning, match="Duplicate name"):
            archive.writestr("settings.json", json.dumps(settings))
        archive.writestr("../outside", "x")
        archive.writestr("games/../../outside", "x")
        archive.writestr("password", "x")
    other = Service(tmp_path / "in" / "elsewhere", ann.now)
    ok(other, "restore", data=in_base64(made.getvalue()))
    assert json.loads((other.home / "settings.json").read_text("utf-8"))["imap"] == {}
    assert not [path for path in tmp_path.rglob("*") if path.name in ("outside", "password")]
    for wrong in (b"", b"PK\x03\x04", b"no zip"):
        assert refused(Service(tmp_path / "none"), "restore", data=in_base64(wrong))[0] == "player"


# -- a game by mail ------------------------------------------------------------------------------------------------------


def test_an_order_is_signed_kept_and_taken_by_the_host(club: Club, ann: Service) -> None:
    (row,) = ok(ann, "games")["games"]
    assert (row["state"], row["says"]) == ("mine", "It is your turn.")
    game = row["game"]
    position = ok(ann, "position", game=game)
    assert (position["asked"], position["alone"], bool(position["question"])) == (True, False, True)
    order = first_order(ann, game)
    assert ok(ann, "touches", game=game, draft=[order])["closed"]
    signed = ok(ann, "sign", game=game, text=order)
    (letter,) = signed["letters"]
    assert (letter["kind"], letter["to"], signed["said"].split("\n")[0]) == ("order", "host@example.org", order)
    assert short_blocks(letter["text"])
    kept = (ann.home / "out" / letter["name"]).read_bytes()
    assert base64.b64decode(letter["eml"]).endswith(kept)
    assert ok(ann, "letters")["letters"] == [letter]
    assert (position["answered"], ok(ann, "position", game=game)["answered"]) == (False, True)
    assert ok(ann, "given", name=letter["name"])["letters"] == []
    assert ok(ann, "games")["games"][0]["state"] == "answered"
    assert ok(ann, "games")["games"][0]["missed"] == [letter["name"]]
    assert [one["name"] for one in ok(ann, "again", game=game)["letters"]] == [letter["name"]]
    club.take(kept)
    club.minute += WAITS_FOR
    (receipt,) = [raw for raw in club.deliver()["ann"] if read_message(raw).log.startswith(b'["got"')]
    (came,) = ok(ann, "read", data=in_base64(receipt))["came"]
    assert came["kind"] == "receipt"


def test_an_order_that_is_not_legal_is_refused_with_its_line(ann: Service) -> None:
    game = game_of(ann)
    (wrong,) = ok(ann, "touches", game=game, draft=["CARD c99"])["wrong"]
    assert (wrong["line"], wrong["read"]) == (1, "c99")
    found = answer(ann, "sign", game=game, text="CARD c99")["error"]
    assert (found["kind"], found["wrong"][0]["text"]) == ("order", wrong["text"])
    assert list((ann.home / "out").glob("*")) == []


def test_letters_of_a_mailbox_are_read(club: Club) -> None:
    raws = list(club.received["bob"])
    mbox = b"".join(
        b"From host@example.org Tue Jan  1 00:00:00 2030\n" + raw.replace(b"\r\n", b"\n") + b"\n"
        for raw in reversed(raws)
    )
    service = Service(club.folder / "bob", club.now)
    came = ok(service, "read", name="all.mbox", data=in_base64(mbox))["came"]
    assert {one["kind"] for one in came} <= {"old", "receipt", "words", "asks"}, "all of it is known"
    twin = Service(club.folder / "ann", club.now)
    later = next_letters(club)
    came = ok(twin, "read", name="late.eml", data=in_base64(later[-1]))["came"]
    assert [one["kind"] for one in came] == ["report"]
    assert ok(twin, "games")["games"][0]["game"] == came[0]["game"]


def test_an_invitation_is_taken_up_and_its_token_stays_here(tmp_path: Path) -> None:
    with a_club(tmp_path / "club") as club:
        raw = club.deliver()["ann"][0]
        token = read_message(raw).token
        service = Service(club.folder / "ann", club.now)
        (came,) = ok(service, "read", data=in_base64(raw))["came"]
        assert came["kind"] == "asks"
        (asks,) = ok(service, "games")["asks"]
        joined = ok(service, "join", game=asks["game"])
        assert "You meet host@example.org for the first time." in joined["said"]
        assert [one["kind"] for one in joined["letters"]] == ["join"]
        assert ok(service, "games")["asks"] == []
        assert token
        assert token not in json.dumps([came, asks, joined["said"]])
        club.take((service.home / "out" / joined["letters"][0]["name"]).read_bytes())


def test_what_is_said_besides_is_signed(ann: Service) -> None:
    game = game_of(ann)
    assert ok(ann, "say", game=game, what="draw")["letters"][0]["kind"] == "draw"
    assert ok(ann, "press", game=game, text="Good luck!")["letters"][0]["kind"] == "press"
    assert "number of its entry" in refused(ann, "say", game=game, what="agree")[1]
    assert "No number" in refused(ann, "say", game=game, what="resign", number=3)[1]
    assert ok(ann, "plans", game=game, text="PLAN ACT DIG")["said"] == "ACT DIG"
    assert ok(ann, "position", game=game)["plans"] == "ACT DIG"


def test_what_another_program_changes_in_the_folder_is_seen(club: Club, ann: Service) -> None:
    game = game_of(ann)
    before = ok(ann, "position", game=game)["n"]
    for raw in next_letters(club):
        club.desks["ann"].read(raw)  # a command beside it
    assert ok(ann, "position", game=game)["n"] > before


def test_a_call_that_asks_nothing_of_the_desk_hides_no_change(club: Club, ann: Service) -> None:
    game = game_of(ann)
    before = ok(ann, "position", game=game)["n"]
    for raw in next_letters(club):
        club.desks["ann"].read(raw)  # a command beside it
    ok(ann, "words")
    assert ok(ann, "position", game=game)["n"] > before


def test_a_draft_is_not_signed_for_a_question_that_came_meanwhile(club: Club, ann: Service) -> None:
    game = game_of(ann)
    was = ok(ann, "position", game=game)
    order = first_order(ann, game)
    for raw in next_letters(club):
        club.desks["ann"].read(raw)  # “pbem turn” in a terminal, while the page shows the question before
    assert ok(ann, "position", game=game)["ask"] not in (None, was["ask"])
    for call, more in (("sign", {"text": order}), ("touches", {"draft": [order]})):
        kind, text = refused(ann, call, game=game, ask=was["ask"], **more)
        assert (kind, "meanwhile" in text) == ("moved", True)
    assert list((ann.home / "out").glob("*")) == []
    now = ok(ann, "position", game=game)
    assert ok(ann, "touches", game=game, ask=now["ask"])["touches"]
    assert ok(ann, "sign", game=game, ask=now["ask"], text=first_order(ann, game))["letters"]


def test_two_orders_in_a_row_are_two_revisions_and_the_later_waits(ann: Service) -> None:
    game = game_of(ann)
    ask, order = ok(ann, "position", game=game)["ask"], first_order(ann, game)
    (first,), (second,) = [ok(ann, "sign", game=game, ask=ask, text=order)["letters"] for _time in range(2)]
    assert [path.name for path in (ann.home / "out").iterdir()] == [second["name"]]
    assert (ann.home / "replaced" / first["name"]).is_file()


def test_an_order_that_cannot_be_written_leaves_the_one_before_where_it_is(
    ann: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = game_of(ann)
    (first,) = ok(ann, "sign", game=game, text=first_order(ann, game))["letters"]
    put = private.put

    def full(path: Path, data: bytes) -> None:
        if path.parent.name == "out":
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        put(path, data)

    with monkeypatch.context() as patched:
        patched.setattr(private, "put", full)
        kind, text = refused(ann, "sign", game=game, text=first_order(ann, game))
    assert (kind, "No space left" in text) == ("world", True)
    assert [one["name"] for one in ok(ann, "letters")["letters"]] == [first["name"]]


def test_a_letter_that_lies_here_though_the_notes_know_nothing_of_it_gives_its_revision_to_no_other(
    club: Club, ann: Service
) -> None:
    """The program was killed between the letter and the notes; what the letter says may have gone by hand meanwhile."""
    game, notes = game_of(ann), club.notes("ann")
    path = ann.home / "games" / f"{notes.game[:16]}.json"
    before = path.read_bytes()
    (first,) = ok(ann, "sign", game=game, text=first_order(ann, game))["letters"]
    ok(ann, "given", name=first["name"])
    path.write_bytes(before)
    (second,) = ok(ann, "sign", game=game, text=first_order(ann, game))["letters"]
    assert (first["name"].split(".")[3], second["name"].split(".")[3]) == ("0", "1")


def test_a_desk_that_was_saved_knows_what_it_has_signed(club: Club, ann: Service, tmp_path: Path) -> None:
    game = game_of(ann)
    (letter,) = ok(ann, "sign", game=game, text=first_order(ann, game))["letters"]
    assert (ann.home / "signed" / letter["name"]).is_file(), "it went in a short block"
    other = Service(tmp_path / "elsewhere", ann.now)
    ok(other, "restore", data=ok(ann, "save")["data"])
    for service in (ann, other):
        ok(service, "given", name=letter["name"])
        assert ok(service, "games")["games"][0]["missed"] == [letter["name"]]


@pytest.mark.slow
def test_a_saved_desk_writes_over_nothing_that_is_here(ann: Service, tmp_path: Path) -> None:
    game = game_of(ann)
    alone = ok(ann, "begin", game="tiny")["game"]
    ok(ann, "notes", game=alone, text="Before.")
    data = ok(ann, "save")["data"]
    other = Service(tmp_path / "elsewhere", ann.now)
    ok(other, "restore", data=data)
    (other.home / "key").unlink()  # it was lost; the games went on
    ok(other, "sign", game=alone, text="\n".join(closed(other, alone)))
    ok(other, "notes", game=alone, text="After.")
    noted = next((other.home / "games").glob("*.json"))
    noted.write_text(noted.read_text("utf-8").replace('"revisions": {}', '"revisions": {"9": 4}'), "utf-8")
    there = {
        path: path.read_bytes() for path in other.home.rglob("*") if path.is_file() and path.name != "settings.json"
    }
    ok(other, "restore", data=data)
    assert {path: path.read_bytes() for path in there} == there
    assert ok(other, "position", game=game) == ok(ann, "position", game=game)


def closed(service: Service, game: str) -> list[str]:
    found = ok(service, "touches", game=game)["touches"]
    return list(next(one for one in found if one["closes"])["draft"])


def test_what_would_not_be_taken_back_is_not_saved(ann: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keeping, "MOST", 1000)
    kind, text = refused(ann, "save")
    assert (kind, str(ann.home) in text) == ("player", True)


def test_a_saved_desk_that_was_damaged_is_said_to_be(ann: Service, tmp_path: Path) -> None:
    data = bytearray(base64.b64decode(ok(ann, "save")["data"]))
    start = data.index(b"key") + 3
    data[start : start + 40] = bytes(range(40))
    kind, text = refused(Service(tmp_path / "none"), "restore", data=in_base64(bytes(data)))
    assert (kind, "not a saved desk" in text) == ("player", True)
    assert not (tmp_path / "none").exists()


def test_settings_that_are_none_are_never_on_the_disk(ann: Service, tmp_path: Path) -> None:
    made = BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        archive.writestr("key", "x")
        archive.writestr("settings.json", '{"address": 7, "imap": {"password_command": "touch /tmp/owned"}}')
    home = tmp_path / "elsewhere"
    assert refused(Service(home), "restore", data=in_base64(made.getvalue()))[0] == "player"
    assert not home.exists()


@pytest.mark.slow
def test_a_key_that_is_refused_leaves_the_passphrase_that_opens_the_one_here(ann: Service) -> None:
    key = PrivateKey.load((ann.home / "key").read_bytes())
    (ann.home / "key").write_bytes(key.dump(b"open sesame"))
    game = game_of(ann)
    assert refused(ann, "sign", game=game, text=first_order(ann, game))[0] == "locked"
    assert refused(ann, "unlock", passphrase="wrong")[0] == "player"
    ok(ann, "unlock", passphrase="open sesame")
    assert refused(ann, "key", address="ann@example.org", passphrase="another")[0] == "player"
    (ann.home / "settings.json").touch()  # a command beside it: the desk is opened anew
    os.utime(ann.home / "settings.json", (1, 1))
    assert ok(ann, "sign", game=game, text=first_order(ann, game))["letters"]


def test_a_log_is_judged(ann: Service) -> None:
    data = base64.b64decode(ok(ann, "log", game=game_of(ann))["data"])
    assert ok(ann, "check", data=in_base64(data))["outcome"] == "unfinished"
    damaged = data.replace(b'"at":"2030', b'"at":"2031', 1)
    found = ok(ann, "check", data=in_base64(damaged), audit=True)
    assert (found["outcome"], bool(found["code"]), found["party"]) == ("fault", True, "supplier")
    assert refused(ann, "check", data="no base64!")[0] == "player"


def test_every_language_has_all_that_the_face_says(tmp_path: Path) -> None:
    service = Service(tmp_path)
    texts = {one: ok(service, "words", language=one)["texts"] for one in languages()}
    assert len({frozenset(found) for found in texts.values()}) == 1
    assert texts["fr"]["undo"] != texts["en"]["undo"]
    assert refused(service, "position", language="fr", game="alone-ffffffff")[1].startswith("Il n’y a pas")


def test_the_list_of_calls_has_its_handlers(tmp_path: Path) -> None:
    service: Any = Service(tmp_path)
    assert all(callable(service._handlers[name]) for name in CALLS)


def test_a_browser_that_may_lose_the_key_signs_nothing_before_it_was_saved(ann: Service, tmp_path: Path) -> None:
    game = game_of(ann)
    assert ok(ann, "about")["unsaved"] == "", "a folder of his own is none of a browser's"
    ann.fleeting = False
    assert ok(ann, "about")["unsaved"] == "remind"
    ann.fleeting = True
    assert ok(ann, "about")["unsaved"] == "must"
    for call, more in (
        ("sign", {"text": first_order(ann, game)}),
        ("press", {"text": "Hm"}),
        ("say", {"what": "draw"}),
    ):
        kind, text = refused(ann, call, game=game, **more)
        assert (kind, "Save the desk" in text) == ("player", True)
    assert ok(ann, "letters")["letters"] == []
    data = ok(ann, "save")["data"]
    assert ok(ann, "about")["unsaved"] == ""
    assert ok(ann, "sign", game=game, text=first_order(ann, game))["letters"]
    other = Service(tmp_path / "other")
    other.fleeting = True
    assert ok(other, "restore", data=data)["unsaved"] == "", "its file is there"


def test_another_key_is_to_be_saved_anew(ann: Service) -> None:
    ann.fleeting = True
    ok(ann, "save")
    (ann.home / "key.pub").write_text("ssh-ed25519 another")
    assert not keeping.is_noted(ann.home, "ssh-ed25519 another")


def test_what_takes_long_says_how_far_it_is(ann: Service) -> None:
    said: list[tuple[int, int]] = []
    ann.told = lambda done, all_: said.append((done, all_))
    data = ok(ann, "log", game=game_of(ann))["data"]
    ok(ann, "check", data=data)
    count = len(said)
    assert said == [(n + 1, count) for n in range(count)]
    ok(ann, "check", data=data, audit=True)
    assert {all_ for _done, all_ in said[count:]} == {2 * count}
    done = [one for one, _all in said[count:]]
    assert done == sorted(done)


def test_rules_of_another_version_are_said_not_to_be_here(ann: Service) -> None:
    """The page cannot judge the log and blames nobody."""
    data = (LOGS / "tiny-rules.pbem").read_bytes()
    found = ok(ann, "check", data=in_base64(data), audit=True)
    assert (found["code"], found["party"]) == ("RULES", "nobody")
    assert "here is 1" in found["reason"]
