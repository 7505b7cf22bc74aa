"""What cannot be undone asks first at a terminal, and says what it means; every command is either asked or harmless."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest
import typer
from typer.testing import CliRunner

from pbem.cli import screen
from pbem.cli.app import app
from pbem.cli.commands import OF_A_HOST, OF_A_PLAYER, OF_ALL, functions
from pbem.errors import UsageError
from pbem.page import further_calls
from pbem.player.meanings import MEANS, meaning
from pbem.player.pair.saying import MEANT
from tests.host.post import Club, a_club, key_of
from tests.project.source import ROOT

from .terminal import AtTerminal

ASKED = {
    "say resign": "You give up this game",
    "say draw": "You offer to end the game without a winner",
    "say takeback 5": "let you answer question",
    "say leave 5": "deducted from the 24 hours",
    "say claim": "the game ends against them, for good",
    "rekey": "A new key replaces yours at once in all your current games: Tiny",
    "rekey --renew GAME": "the game pauses until then",
    "rekey --recovery FILE": "The key of this desk is gone",
    "rekey --back": "Only if a host has refused the change",
    "address new@example.org": "A wrong address cuts you off",
    "letters none": "who does not look at the door misses his turn",
    "copy": "Only where the host asks for it",
    "welcome --withdraw GAME": "This helps only while that letter has not been sent",
    "host cancel 1": "called off for good",
    "host invite 1 ann": "no longer opens the seat ann",
    "host replace 1 ann new@example.org": "The previous player is then out of the game",
    "host adopt COPY --seat ann=a@example.org --seat bob=b@example.org": "the game will have two hosts",
    "host go-on 1": "finds a second history",
    "host mend 1 --from FILE --stand-still": "until it reaches again the last entry that they were told about",
    "host extend 1 5 --why Holidays": "gets 5 more hours",
    "host restore FILE": "is lost unless somebody has a copy",
    "host register --successor KEY": "no rated game can be opened here",
    "host forget ann@example.org": "erased, and cannot be had back",
    "host tidy": "cannot be had back",
}
"""Every act that cannot be undone, as it is typed, and a part of what it says that it means."""
BY_SCRIPT = ("rekey --back", "address", "letters none", "copy", "welcome --withdraw", "host tidy")
"""What can be made good: where nobody can be asked, the command's own words are enough."""
UNASKED = {
    "web": "opens a page, which asks itself",
    "setup": "is asked word by word, and can be given again",
    "turn": "asks for each thing it signs",
    "games": "shows",
    "key": "refuses where there is a key",
    "language": "can be chosen back",
    "join": "says what is to be compared; nothing leaves before “send”",
    "read": "adds what is verified",
    "order": "composed, it is asked whether it is right; another takes its place as long as the question is open",
    "plan": "can be given again",
    "time": "can be given again, and holds from the next question on",
    "club": "sets tables and moves no game; to become a member, and to leave, wants a code that comes by mail",
    "press": "words are typed out by who says them, and change nothing in the game",
    "resend": "changes nothing",
    "with_": "can be withdrawn",
    "check": "shows",
    "send": "takes what was asked when it was signed",
    "verify": "shows",
    "audit": "shows",
    "ratings": "shows",
    "diff": "shows",
    "merge": "writes the file that is named",
    "export_sig": "writes the files that are named",
    "complain": "shows",
    "rules": "shows",
    "show": "shows",
    "replay": "writes the file that is named",
    "story": "writes files into the folder that is named",
    "demo": "refuses a folder that is not empty",
    "play": "keeps the game after every order",
    "board": "shows",
    "engine": "plays by itself",
    "match": "plays by itself",
    "puzzle": "shows",
    "host init": "keeps a key that is there",
    "host check": "shows",
    "host settings": "shows",
    "host new": "can be called off",
    "host follow": "can be called off",
    "host run": "does what was decided",
    "host take": "does what was decided",
    "host retry": "does what was decided",
    "host status": "shows",
    "host move_store": "writes where nothing is, and leaves what was there",
    "host export": "writes the file that is named",
    "host mails": "writes the files into the folder that is named",
    "host pages": "writes pages anew into a folder of their own, and takes away none but theirs",
    "event": "it reckons",
    "relay": "keeps what comes, and gives it to its reader",
    "witness": "keeps what comes, and leaves what is there",
    "cc": "can be ended",
    "host games": "shows",
    "host members": "shows",
    "host rounds": "what it opens can be called off",
    "host dkim": "keeps a key that is there",
    "host observe": "can be taken back",
    "host templates": "copies files",
    "host backup": "adds a file",
    "host ban": "can be taken back; running games go on",
    "host unban": "can be taken back",
    "host person": "shows",
    "host audit": "shows",
    "host drill": "looks at a copy, and throws it away",
    "host upgrade": "shows; to do it, you name the file that the store is saved to first",
    "host catch_up": "the game stands still until “go-on”",
}
"""Every other command, and why nobody is asked."""


def test_every_command_is_asked_or_harmless() -> None:
    """Terminal and page ask before anything that you cannot undo, and say what it means. A new command needs such a
    question and `--yes`, or an entry here."""
    there = {command.__name__: command for command in functions(OF_A_PLAYER | OF_ALL).values()}
    there |= {f"host {command.__name__}": command for command in functions(OF_A_HOST).values()}
    asks = {name for name, command in there.items() if "yes" in inspect.signature(command).parameters}
    told = {line.removeprefix("host ").split()[0].replace("-", "_") for line in ASKED}
    assert {name.removeprefix("host ") for name in asks} == told
    assert set(there) - asks == set(UNASKED)
    assert all(UNASKED.values())


@pytest.mark.slow
def test_everything_that_can_be_said_says_what_it_means(club: Club) -> None:
    club.say("bob", "draw")
    (offer,) = club.desks["ann"].course(club.notes("ann")).offers
    seat = club.desks["ann"].seat(club.notes("ann"))
    for what in get_args(further_calls.Sayable.model_fields["what"].annotation):
        if what in ("let", "withdraw", "play_on"):  # in games of two alone
            assert MEANT[what]
            continue
        assert meaning(seat, what, offer), what
        assert what in {"agree", "rules"} or any(line.startswith(f"say {what}") for line in ASKED), what


@pytest.fixture
def club(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Club]:
    monkeypatch.setenv("PBEM_GAMES", str(ROOT / "examples"))
    monkeypatch.delenv("PBEM_HOME", raising=False)
    with a_club(tmp_path, hours=48, terms={"late": "claim", "leave": 24}) as club:
        yield club.begin()


@pytest.fixture
def person(monkeypatch: pytest.MonkeyPatch) -> AtTerminal:
    return AtTerminal(monkeypatch)


def _typed(line: str, club: Club) -> list[str]:
    """Return a line of those above as it is typed in a club."""
    spare = club.folder / "spare"
    if "--recovery" in line:
        (club.desks["ann"].home / "recovery.pub").write_text(_recovery(spare))
    words = [
        {"GAME": club.notes("ann").game, "COPY": _copy(club), "FILE": str(spare), "KEY": key_of("next").key_line}.get(
            word, word
        )
        for word in line.split()
    ]
    where = ["--dir", str(club.folder / "host")] if words[0] == "host" else ["--home", str(club.folder / "ann")]
    return [*words, *where]


def _copy(club: Club) -> str:
    path = club.folder / "ann.pbem"
    path.write_bytes(club.log().dump())
    return str(path)


def _recovery(path: Path) -> str:
    from pbem.cli.common import fresh_key

    key = fresh_key()
    path.write_bytes(key.dump(None))
    return f"{key.key_line}\n"


def _all_files(folder: Path) -> dict[Path, bytes]:
    """Return all that lies in a folder, but for what a store needs while it is open."""
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file() and "store" not in path.name}


@pytest.mark.slow
@pytest.mark.parametrize("line", ASKED)
def test_who_does_not_want_it_has_done_nothing(club: Club, person: AtTerminal, line: str) -> None:
    words = _typed(line, club)
    before = _all_files(club.folder), club.log().dump()
    code, shown = person(*words, typed=["n"])
    assert code == 1
    assert ASKED[line] in " ".join(shown.split())
    assert shown.endswith("Nothing has been done.\n")
    assert (_all_files(club.folder), club.log().dump()) == before


@pytest.mark.slow
@pytest.mark.parametrize("line", [line for line in ASKED if not line.startswith(BY_SCRIPT)])
def test_where_nobody_can_be_asked_nothing_is_done(club: Club, line: str) -> None:
    """A pipe, a timer or a window without a terminal signs nothing for good, unless `--yes` is there."""
    words = _typed(line, club)
    before = _all_files(club.folder), club.log().dump()
    result = CliRunner().invoke(app, words)
    assert isinstance(result.exception, UsageError), result.output
    said = " ".join(str(result.exception).split())
    assert ASKED[line] in said
    assert "no terminal, so nothing has been done. If you want it, add --yes." in said
    assert (_all_files(club.folder), club.log().dump()) == before


@pytest.mark.slow
def test_nothing_but_a_word_is_taken_for_yes(club: Club, person: AtTerminal) -> None:
    code, shown = person(*_typed("say resign", club), typed=[""])
    assert (code, shown.count("Do you want that?")) == (1, 1), "Enter alone is no"
    code, shown = person(*_typed("say resign", club), typed=["?", "resign", "y"])
    assert code == 0
    assert "Signed: resign" in shown


@pytest.mark.slow
def test_a_script_says_so_beforehand(club: Club, person: AtTerminal) -> None:
    code, shown = person(*_typed("say resign --yes", club), typed=[])
    assert (code, "give this game up" in shown) == (0, False)
    assert len(club.desks["ann"].tray.unsent()) == 1


@pytest.mark.slow
def test_what_may_not_be_said_is_not_asked_about(club: Club, person: AtTerminal) -> None:
    code, shown = person(*_typed("say leave 25", club), typed=[])
    assert code == 2
    assert "has 24 left" in shown


def test_page_and_commands_have_the_same_words() -> None:
    from pbem.page.words import FACE

    assert set(MEANS.values()) <= set(FACE.values())


def test_the_end_of_input_agrees_to_nothing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def ended(_prompt: str) -> str:
        raise typer.Abort

    monkeypatch.setattr("sys.stdin.isatty", lambda: True)
    monkeypatch.setattr(screen, "typed", ended)
    with pytest.raises(typer.Exit) as left:
        screen.sure("It is gone for good.", yes=False)
    assert left.value.exit_code == 1
    assert capsys.readouterr().out.endswith("\nNothing has been done.\n")
