"""The page on bad days: no storage, no room, two tabs, two versions, no network, an end in the middle of a signature.

It is driven in a headless Chromium by `bad_days.mjs`, with puppeteer-core from the folder that PBEM_PUPPETEER names; where one of
these is missing it is skipped, and `.ci/run` says so.
"""

from __future__ import annotations

import base64
import json
import os
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from docs.pictures import CHROMIUM
from pbem.page.early import PLACE, early
from pbem.page.keeping import saved
from tests.host.post import Club, a_club
from tests.page.bad_server import newer_page, serving_badly
from tests.page.two_pages import AtPage

pytestmark = pytest.mark.slow

HERE = Path(__file__).parent
LOG = HERE.parent / "golden" / "logs" / "hammer-campaign.pbem"
Seen = Callable[[str], Any]


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Club]:
    """A game of Lords by mail, in which the first question is open."""
    with a_club(tmp_path_factory.mktemp("club"), game="lords") as club:
        yield club.begin()


@pytest.fixture(scope="module")
def asked(club: Club) -> str:
    """A seat whose turn it is."""
    return str(club.asked()[0])


@pytest.fixture(scope="module")
def seen(page: Path, club: Club, asked: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Seen]:
    """What was seen in a scenario of `bad_days.mjs`, by its name."""
    browser, modules = next(filter(None, map(shutil.which, CHROMIUM)), None), os.environ.get("PBEM_PUPPETEER")
    if browser is None or modules is None:
        pytest.skip("Chromium is not here, or PBEM_PUPPETEER names no folder with puppeteer-core")
    place = tmp_path_factory.mktemp("pages")
    desk = base64.b64encode(saved(club.folder / asked)).decode()
    (place / "tasks.json").write_text(
        json.dumps({"desk": desk, "log": LOG.read_text("utf-8"), "invitation": invitation(place / "friend")}), "utf-8"
    )
    with serving_badly(page, newer_page(page, place / "newer")) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_address[1]}/"

        def scenario(name: str) -> Any:
            command = ["node", str(HERE / "bad_days.mjs"), modules, address, str(place / "tasks.json"), name]
            done = subprocess.run(
                command, check=False, env={**os.environ, "CHROMIUM": browser}, capture_output=True, text=True
            )
            assert done.returncode == 0, done.stderr[-3000:]
            found = json.loads(done.stdout)[name]
            assert "ok" in found, found["error"]
            return found["ok"]

        yield scenario
        server.shutdown()


def invitation(home: Path) -> str:
    """What is attached to a friend's invitation."""
    friend = AtPage(home, "friend@example.org")
    friend.says("invite", game="hammer", friend="ann@example.org")
    return base64.b64encode(friend.sends(attached=True)).decode()


def test_what_is_said_early_is_as_the_catalogues_are() -> None:
    assert PLACE.read_text("utf-8") == early(), "make words"


# -- storage -------------------------------------------------------------------------------------------------------------


def test_where_a_browser_keeps_nothing_one_plays_alone_and_nothing_is_signed(seen: Seen) -> None:
    """A private window, a setting or a policy. The page says that the game lasts as long as the tab, and creates no key."""
    found = seen("refused")
    assert found["state"].startswith("Ce navigateur ne laisse rien conserver")
    assert found["moments"] > 0
    assert found["broken"] == "SecurityError"
    assert (found["keeps"]["keeps"], found["keeps"]["why"]) == ("nowhere", "refused")
    for refused in (found["key"], found["restored"]):
        assert (refused["error"]["kind"], refused["error"]["why"]) == ("unkept", "refused")
    assert found["about"]["ok"]["address"] == "", "no key is left in memory"


def test_without_room_nothing_is_signed_and_with_room_again_it_is(seen: Seen) -> None:
    """The page says that nothing was done. Later it signs the same order."""
    found = seen("full")
    assert (found["refused"]["error"]["kind"], found["refused"]["error"]["why"]) == ("unkept", "full")
    assert found["after"] == found["before"]
    assert found["games"]["ok"]["games"][0]["state"] == "mine"
    assert found["letters"]["ok"]["letters"] == []
    assert len(found["signed"]["ok"]["letters"]) == 1


def test_of_a_transaction_that_breaks_off_nothing_stays(seen: Seen) -> None:
    """Neither on the disk nor in memory, at any of its writes."""
    found = seen("aborted")
    for one in found["tries"]:
        assert one["refused"]["error"]["kind"] == "unkept"
        assert one["after"] == found["before"]
    assert len(found["signed"]["ok"]["letters"]) == 1


def test_when_the_browser_throws_the_desk_away_it_can_be_saved_and_nothing_is_signed(seen: Seen) -> None:
    """The page says so and saves its memory as a file."""
    found = seen("thrown_away")
    assert (found["refused"]["error"]["kind"], found["refused"]["error"]["why"]) == ("unkept", "gone")
    assert found["keeps"]["keeps"] == "nowhere"
    assert found["size"] > 1000


def test_a_base_that_the_browser_has_closed_is_opened_again(seen: Seen) -> None:
    found = seen("closed")
    assert len(found["signed"]["ok"]["letters"]) == 1
    assert set(found["after"]["paths"]) > set(found["before"]["paths"])
    assert found["keeps"] == "all"


def test_a_browser_that_does_not_open_what_it_keeps_is_spoken_of(seen: Seen) -> None:
    found = seen("silent")
    assert found["said"].startswith("The browser does not open what this page keeps.")
    assert found["then"] == ""


# -- the last visit ------------------------------------------------------------------------------------------------------


def test_what_was_seen_last_is_seen_at_once_and_without_the_program(seen: Seen) -> None:
    """The position and the list are marked as of the last visit, and nothing in them can be clicked."""
    found = seen("last_seen")
    marked = "From your last visit."
    assert found["first"]["last"], "at a first visit the games that can be played"
    assert "Hammer of the Scots" in found["first"]["text"]
    assert marked not in found["first"]["text"]
    game, question = found["game"], found["asks"].splitlines()[1]
    assert marked in game["text"]
    assert question in game["text"]
    assert game["drawn"] > 10
    [row] = found["list"]["rows"]
    assert row.startswith("Lords of Scotland")
    assert marked in found["list"]["text"]
    for one in (found["first"], game, found["list"]):
        assert (one["inert"], one["hands"], one["broken"], one["asked"]) == (True, 0, [], [])
    assert not found["elsewhere"]["last"], "another game's position is not this one's"


def test_of_the_last_visit_only_what_this_page_has_written_is_shown_and_only_as_data(seen: Seen) -> None:
    """Another version, nonsense, and a drawing that would fetch, run or link something."""
    found = seen("last_seen")
    for name in ("another", "nothing", "nonsense", "others"):
        assert found[name]["rows"] == [], name
        assert "From your last visit." not in found[name]["text"], name
    hostile = found["hostile"]
    assert "<img src=x onerror=alert(1)>" in hostile["text"], "a title is text"
    assert hostile["drawn"] > 10
    assert not {"a", "script", "style", "foreignObject", "animate"} & set(hostile["names"])
    assert all(name.split("=", 1)[1].startswith(("#", "data:image/")) for name in hostile["names"] if "=" in name)
    assert hostile["asked"] == []
    assert "ran" not in hostile["broken"]


def test_of_a_game_that_is_thrown_away_nothing_is_seen_at_the_next_visit(seen: Seen) -> None:
    """It goes in the same transaction."""
    found = seen("forgotten")
    assert found["game"] in found["before"]
    assert found["game"] not in found["at_once"]
    assert found["list"]["rows"] == []


def test_what_a_passphrase_guards_is_not_kept_for_the_next_visit(seen: Seen) -> None:
    """Without room it is not kept either, and nothing is said of that."""
    found = seen("guarded")
    assert "A game by mail" in found["by_mail"]
    assert "My hand" not in found["by_mail"]
    assert "My hand" in found["alone"]
    assert found["no_room"] == found["alone"]
    assert found["then"]["ok"]["address"] == "ann@example.org"


# -- drafts --------------------------------------------------------------------------------------------------------------


def test_a_draft_outlives_a_reload_and_another_screen_and_is_seen_in_a_second_tab(seen: Seen) -> None:
    """The page keeps the draft for its question until you sign."""
    found = seen("drafts")
    assert found["written"]
    assert found["reloaded"] == found["returned"] == found["second"] == found["written"]


def test_an_invitation_without_its_mail_leaves_no_name_out_of_a_sentence(seen: Seen) -> None:
    """The page names the game or the file and says that the writer is unknown."""
    found = seen("bare")
    assert found["asks"].startswith("It asks you: Hammer of the Scots")
    assert " game.pbem" in found["came"]
    assert not any(" writes, and nobody" in said for said in found.values())


# -- ends ----------------------------------------------------------------------------------------------------------------


def test_an_end_in_the_middle_of_a_signature_leaves_one_order_of_each_revision(
    seen: Seen, club: Club, asked: str
) -> None:
    """The worker or the tab ends before, between or after the writes. The order is complete and waits, or does not exist."""
    for one in seen("killed"):
        kept = one["moment"] in ("kept", "tab")
        assert one["told"] == ("" if one["moment"] == "tab" else "halted")
        assert (one["state"], one["answered"], len(one["letters"])) == (
            ("answered", True, 1) if kept else ("mine", False, 0)
        ), one["moment"]
        signed = [club.signed(base64.b64decode(eml)) for eml in [*one["letters"], *one["again"]]]
        revisions = [(envelope.say["ask"], envelope.say["rev"]) for envelope in signed]
        assert len(set(revisions)) == len(revisions) == (2 if kept else 1), one["moment"]


# -- tabs and versions ---------------------------------------------------------------------------------------------------


def test_a_second_tab_says_that_it_only_reads_and_goes_on_when_the_first_is_closed(seen: Seen) -> None:
    """It shows the first tab's changes meanwhile."""
    found = seen("second_tab")
    assert found["first"] == ""
    assert found["reads"].startswith("Un autre onglet a ouvert ce bureau")
    assert found["refused"].startswith("Rien n’a été fait")
    assert found["moments"] > 0


def test_what_a_newer_page_has_written_an_older_one_leaves_alone(seen: Seen) -> None:
    """The older page says so. A newer page waits while an older one is open."""
    found = seen("newer_desk")
    assert "older version" in found["waits"]
    assert found["goes_on"] == "yes"
    assert found["refused"]["en"].startswith("A newer version of this page")
    assert found["refused"]["fr"].startswith("Une version plus récente")
    assert found["before"] == found["after"]
    assert found["before"]["version"] == 2


def test_a_newer_page_comes_with_the_next_start_and_not_in_the_middle_of_a_game(seen: Seen) -> None:
    """The old page continues after a reload or a restart of its worker."""
    found = seen("update")
    assert found["waits"] == "installed"
    assert found["first"] == found["reloaded"] != found["next"] == "newer"
    assert found["games"] == 1, found["shows"]


def test_page_and_worker_of_two_versions_do_not_go_together(seen: Seen) -> None:
    """The page says so."""
    assert seen("mixed") == "mixed"


def test_without_a_network_the_page_comes_up(seen: Seen) -> None:
    """After the first visit you can play on."""
    found = seen("offline")
    assert found["games"] == 1
    assert found["moments"] > 0


def test_a_part_of_the_program_that_fails_to_load_is_named(seen: Seen) -> None:
    """The page names the part that failed to load or compile, and does not wait."""
    found = seen("unloaded")
    assert [len(found[how]) for how in ("missing", "half")] == [4, 4]
    assert all(path in said for path, said in found["missing"].items()), found
    assert all("load the page again" in said for said in found["half"].values()), found


# -- what takes long -----------------------------------------------------------------------------------------------------


def test_a_long_call_says_how_far_it_is_and_can_be_stopped(seen: Seen) -> None:
    """Stored data remains."""
    found = seen("stopped")
    assert any(re.search(r"being loaded: \d+ %", text) for text in found["loading"])
    assert re.search(r"working: \d+ %", found["runs"])
    assert "Stop" in found["runs"]
    assert found["halted"].startswith("It was stopped.")
    percents = found["percents"]
    assert max(percents) > 80
    assert "clean" in found["verdict"]


# -- a key that is nowhere else ------------------------------------------------------------------------------------------


def test_a_key_that_a_browser_may_lose_is_saved_before_it_signs(seen: Seen) -> None:
    """The browser does not promise to keep data."""
    found = seen("unsaved")
    assert not found["persisted"]
    assert "nothing is signed before" in found["before"]
    assert not found["after"]
