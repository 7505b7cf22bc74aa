"""The pages of a club: what everybody may know of a host's games, as files, and nothing else."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from shutil import copytree, rmtree
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from icalendar import Calendar

from pbem.cli.club_pages import write as write_pages
from pbem.cli.host import host_in
from pbem.host import Office, observers
from pbem.ledger import Log, fingerprint
from pbem.ledger.terms import terms
from tests.cli.club_pages import folder, listed, written
from tests.host.post import Club, a_club, key_of

from .odd_uses import pbem, the_example_game_is_found
from .program import Program

__all__ = ["pbem", "the_example_game_is_found"]

ATOM = "{http://www.w3.org/2005/Atom}"


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Club]:
    with a_club(tmp_path / "club", hours=24, terms={"rated": True, "event": "Winter <b>league</b>"}) as club:
        observers.let_everybody(club.office.store, club.number, "all")
        yield club.begin()


class Links(HTMLParser):
    """What a page calls: links, pictures, style sheets."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found |= {
            value or "" for name, value in attrs if name in ("href", "src") and not (value or "").startswith("#")
        }


@pytest.mark.slow
def test_a_game_that_goes_on_is_shown_as_everybody_may_know_it(club: Club, pbem: Program) -> None:
    """Markup in a title or a name appears as text, and the pages need no script."""
    pages = folder(club)
    code, said = pbem("host", "pages", "--dir", club.office.folder)
    assert (code, said) == (0, f"1 game is shown; 1 of them is new or has gone on: {pages / 'index.html'}\n")
    (row,) = listed(pages)
    assert (row["over"], row["title"], row["event"]) == (False, "A test", "Winter <b>league</b>")
    assert row["asked"] == ["Ann", "Bob"]
    index = (pages / "index.html").read_text("utf-8")
    assert "It waits for Ann, Bob, since" in index
    assert "Winter &lt;b&gt;league&lt;/b&gt;" in index
    assert "<title>Thistle &lt;&amp; Rose&gt;</title>" in index
    shown = Log.parse((pages / f"games/{club.log().game[:16]}.pbem").read_bytes())
    assert shown.dump() == observers.shown_log(club.robot.house.game(club.number).ledger).dump()
    assert len(shown.attachments) < len(club.log().attachments), "what is sealed stays so"


def test_nothing_of_a_hand_an_address_or_a_key_file_is_on_the_pages(club: Club, pbem: Program) -> None:
    """The pages come from the public copy. The test searches them for every value that only the host's log has."""
    pages = folder(club)
    club.take(club.order("ann"))
    assert pbem("host", "pages", "--dir", club.office.folder)[0] == 0
    everything = b"".join(written(pages).values())
    public = observers.shown_log(club.robot.house.game(club.number).ledger)
    secret = {line for line in club.log().dump().split(b"\n") if line} - set(public.dump().split(b"\n"))
    assert secret
    assert not [line for line in secret if line in everything]
    assert b"@example.org" not in everything


@pytest.mark.slow
def test_all_that_a_page_calls_lies_beside_it_and_it_needs_no_script(club: Club, pbem: Program) -> None:
    pages = folder(club)
    club.play()
    assert pbem("host", "pages", "--dir", club.office.folder)[0] == 0
    files = written(pages)
    (row,) = listed(pages)
    assert set(row["files"]) < set(files)  # type: ignore[call-overload]
    for name in ("index.html", f"games/{club.log().game[:16]}.html"):
        text = files[name].decode()
        assert "<script" not in text
        assert "default-src 'none'" in unescape(text)
        called = Links(text).found
        assert called
        assert all((pages / name).parent.joinpath(link).resolve().is_relative_to(pages.resolve()) for link in called)
        assert all((pages / name).parent.joinpath(link).is_file() for link in called), called
    feed = ET.fromstring(files["feed.xml"])  # noqa: S314 - it is ours
    (entry,) = feed.findall(f"{ATOM}entry")
    assert (pages / entry.find(f"{ATOM}link").get("href", "")).is_file()  # type: ignore[union-attr]


@pytest.mark.slow
def test_a_game_that_is_over_is_judged_and_counts(club: Club, pbem: Program) -> None:
    pages = folder(club)
    club.play()
    (club.office.folder / "names.txt").write_text(f"{fingerprint(key_of('ann').key_line)} Ann Boyd\n", "utf-8")
    settings = club.office.folder / "host.toml"
    settings.write_text(settings.read_text("utf-8") + 'names = "names.txt"\n', "utf-8")
    assert pbem("host", "pages", "--dir", club.office.folder)[0] == 0
    (row,) = listed(pages)
    assert (row["over"], row["verdict"], bool(row["result"])) == (True, "clean", True)
    index = (pages / "index.html").read_text("utf-8")
    assert "Audit: clean" in index
    assert "Ratings: Tiny" in index
    assert "Ann Boyd" in index
    code, said = pbem("ratings", pages / "games", "--register", pages / "register.jsonl", "--json")
    assert code == 0
    told = json.loads(said)
    assert told["games"] == json.loads((pages / "club.json").read_text("utf-8"))["ratings"]["games"], (
        "anybody reckons the same"
    )


@pytest.mark.slow
def test_what_has_not_changed_is_left_alone_and_the_pages_stay_the_same(
    club: Club, pbem: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    pages = folder(club)
    club.play()
    assert pbem("host", "pages", "--dir", club.office.folder)[0] == 0
    before = written(pages)
    with monkeypatch.context() as patch:
        patch.setattr("pbem.referee.audit.audit", _not_again)
        code, said = pbem("host", "pages", "--dir", club.office.folder)
    assert (code, "0 of them are new" in said) == (0, True)
    assert written(pages) == before
    code, said = pbem("host", "pages", "--anew", "--dir", club.office.folder)
    assert (code, "1 of them is new" in said) == (0, True)
    assert written(pages) == before, "they hang on the logs alone"


@pytest.mark.slow
def test_what_is_shown_no_more_is_taken_away_and_nothing_else(club: Club, pbem: Program) -> None:
    """Somebody adds other files to the list beside the pages."""
    pages = folder(club)
    assert pbem("host", "pages", "--dir", club.office.folder)[0] == 0
    (pages / "games" / "of-mine.html").write_text("kept", "utf-8")
    told = json.loads((pages / "club.json").read_text("utf-8"))
    told["games"][0]["files"] += ["../host.toml", "games/../../host.toml", "games/of-mine.html"]
    (pages / "club.json").write_text(json.dumps(told), "utf-8")
    folder(club, "finished")
    code, said = pbem("host", "pages", "--dir", club.office.folder)
    assert (code, said.startswith("0 games are shown")) == (0, True)
    assert {name for name in written(pages) if name.startswith("games/")} == {"games/of-mine.html"}
    assert (club.office.folder / "host.toml").is_file()


class Killed(BaseException):
    """The program is no more."""


def die_at(patch: pytest.MonkeyPatch, number: int) -> list[str]:
    """Let the program die at its number-th change of a file, in the midst of it where it has one; return what it changed."""
    done: list[str] = []
    replace, unlink, opened = Path.replace, Path.unlink, Path.open

    def count(what: str, path: Path) -> bool:
        done.append(f"{what} {path.name}")
        return len(done) == number

    def replaced(path: Path, to: Path) -> Path:
        if count("replace", path):
            raise Killed
        return replace(path, to)

    def unlinked(path: Path, missing_ok: bool = False) -> None:
        if (path.exists() or not missing_ok) and count("unlink", path):
            raise Killed
        unlink(path, missing_ok)

    def half_written(path: Path, mode: str = "r", *more: Any, **named: Any) -> Any:
        file = opened(path, mode, *more, **named)
        if mode == "xb" and count("write", path):
            file.write(b"half a pa")
            file.close()
            raise Killed
        return file

    patch.setattr(Path, "replace", replaced)
    patch.setattr(Path, "unlink", unlinked)
    patch.setattr(Path, "open", half_written)
    return done


@pytest.mark.slow
@pytest.mark.parametrize("then", ["goes on", "is hidden"])
def test_pages_are_whole_after_a_kill_and_complete_at_the_next_run(club: Club, tmp_path: Path, then: str) -> None:
    """Each file is its old or its new version. The next run removes half-written pages and those of hidden games."""
    pages = folder(club)

    def write() -> None:
        office = Office(club.office.folder)
        try:
            assert office.settings.pages is not None
            write_pages(office, office.settings.pages)
        finally:
            office.close()

    write()
    before = written(pages)
    copytree(pages, tmp_path / "before")
    if then == "goes on":
        club.turn()
    else:
        folder(club, "finished")
    write()
    after = written(pages)
    assert after != before
    number, ended = 0, False
    while not ended:
        number += 1
        rmtree(pages)
        copytree(tmp_path / "before", pages)
        with pytest.MonkeyPatch.context() as patch:
            done = die_at(patch, number)
            try:
                write()
                ended = True
            except Killed:
                pass
        shown = {name: data for name, data in written(pages).items() if not name.endswith(".part")}
        assert all(data in (before.get(name), after.get(name)) for name, data in shown.items()), done[-1]
        write()
        assert written(pages) == after, done[-1]
    assert number > 4


@pytest.mark.slow
def test_a_page_that_a_failing_power_has_left_empty_is_made_again(club: Club, pbem: Program) -> None:
    pages = folder(club)
    assert pbem("host", "pages", "--dir", club.office.folder)[0] == 0
    before = written(pages)
    next((pages / "games").glob("*.html")).write_bytes(b"")
    assert pbem("host", "pages", "--dir", club.office.folder)[0] == 0
    assert written(pages) == before


@pytest.mark.slow
def test_nothing_is_written_through_a_link_that_somebody_has_laid_there(
    club: Club, pbem: Program, tmp_path: Path
) -> None:
    """The web server's account puts links into the folder, to make the host overwrite its own files."""
    pages, precious = folder(club), tmp_path / "precious"
    precious.write_text("mine", "utf-8")
    pages.mkdir()
    for name in ("index.html", "index.html.part", "club.css.part"):
        (pages / name).symlink_to(precious)
    assert pbem("host", "pages", "--dir", club.office.folder)[0] == 0
    assert precious.read_text("utf-8") == "mine"
    assert not (pages / "index.html").is_symlink()


@pytest.mark.slow
@pytest.mark.parametrize("where", [".", "..", "/"])
def test_the_host_s_folder_is_no_folder_for_pages(club: Club, pbem: Program, where: str) -> None:
    """The operator names the folder of the host's key, or the page with players' keys, by mistake."""
    folder(club)
    code, said = pbem("host", "pages", "--out", club.office.folder / where, "--dir", club.office.folder)
    assert (code, "contains the host's own folder" in said.replace("\n", " ")) == (2, True)


@pytest.mark.slow
@pytest.mark.parametrize("where", ["page", "page/club", "."])
def test_the_door_s_page_shares_its_folder_with_nothing(club: Club, pbem: Program, tmp_path: Path, where: str) -> None:
    folder(club)
    settings = club.office.folder / "host.toml"
    door = f'\n[door]\naddress = "https://desk.example.org/"\npage = "{tmp_path / "www" / "page"}"\n'
    settings.write_text(settings.read_text("utf-8") + door, "utf-8")
    code, said = pbem("host", "pages", "--out", tmp_path / "www" / where, "--dir", club.office.folder)
    assert (code, "the page that the door shows" in said.replace("\n", " ")) == (2, True)


@pytest.mark.slow
def test_a_game_whose_players_were_not_told_is_not_shown(tmp_path: Path, pbem: Program) -> None:
    with a_club(tmp_path / "club") as club:
        pages = folder(club.begin())
        assert pbem("host", "pages", "--dir", club.office.folder)[0] == 0
    assert not (pages / "games").exists()
    assert "None at the moment." in (pages / "index.html").read_text("utf-8")


def test_players_are_told_of_the_pages_when_they_are_invited(tmp_path: Path) -> None:
    with a_club(tmp_path / "club") as club:
        folder(club)
        club.office.close()
        club.office = type(club.office)(club.office.folder)
        assert club.robot.post.watch == "all"


@pytest.mark.slow
def test_without_a_part_for_them_it_is_said_what_to_write(club: Club, pbem: Program) -> None:
    code, said = pbem("host", "pages", "--dir", club.office.folder)
    assert code == 2
    assert re.search(r"host\.toml has no section \[pages\]: add one", said.replace("\n", " "))


@pytest.mark.slow
def test_the_pages_speak_french(club: Club, pbem: Program) -> None:
    pages = folder(club)
    assert pbem("host", "pages", "--language", "fr", "--dir", club.office.folder)[0] == 0
    index = (pages / "index.html").read_text("utf-8")
    assert '<html lang="fr">' in index
    assert "Games that" not in index


def _not_again(*_: object) -> None:
    raise AssertionError("it was judged before")


@pytest.mark.slow
def test_tables_that_wait_are_shown_without_names_and_deadlines_as_a_calendar(club: Club, pbem: Program) -> None:
    pages = folder(club)
    settings = club.office.folder / "host.toml"
    settings.write_text(settings.read_text("utf-8") + "\n[club]\n", "utf-8")
    assert pbem("host", "pages", "--dir", club.office.folder)[0] == 0
    assert "None at the moment." in (pages / "index.html").read_text("utf-8")
    store = club.office.store
    member = store.numbered(
        "members", address="zoe@example.org", name="Zoe",
        folded="zoe", language="", zone="UTC", quiet="", weekends="", made="", confirmed="x",
        wanted="", times=1, code="", code_at="", zone_wanted="", language_wanted="",
    )  # fmt: skip
    options, agreed = {"players": 2, "turns": 2}, terms(48)
    table = store.numbered(
        "tables", game="tiny", opts=options, terms=agreed, opener=member, at="", until="2030-02-01", opened=0
    )
    for seat, who in (("ann", member), ("bob", 0)):
        store.insert("chairs", table_id=table, seat=seat, member=who, kept=0, player="")
    assert pbem("host", "pages", "--dir", club.office.folder)[0] == 0
    index = (pages / "index.html").read_text("utf-8")
    assert "Table 1: Tiny" in index
    assert "48 hours for an answer" in index
    assert "Free: Bob" in index
    assert "Zoe" not in index + (pages / "club.json").read_text("utf-8")
    (event,) = Calendar.from_ical((pages / "deadlines.ics").read_bytes()).walk("VEVENT")
    assert event["SUMMARY"] == "A test: Ann, Bob"
    assert f"{event.decoded('DTSTART'):%Y-%m-%dT%H:%M:%SZ}" == club.robot.house.game(1).row.due


@pytest.mark.slow
def test_a_host_at_work_writes_them_when_something_has_happened_and_else_not(club: Club) -> None:
    pages = folder(club)
    club.office.close()
    with host_in(club.office.folder) as office:
        club.office = office
        office.show()
        before = written(pages)
        assert before["index.html"]
        (pages / "index.html").unlink()
        office.show()
        assert not (pages / "index.html").exists(), "nothing has happened"
        club.take(club.order("ann"))
        club.take(club.order("bob"))
        office.show()
        assert written(pages)["index.html"] != before["index.html"]
    club.office = Office(club.office.folder)
