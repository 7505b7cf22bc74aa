"""The pages are as the program is: those that are made from it, their links, and the commands that they name."""

from __future__ import annotations

import importlib.util
import re
from types import ModuleType

import pytest

from pbem.games import find, known
from pbem.page.words import EARLY, FACE
from tests.project.source import ROOT

PAGES = [ROOT / "README.md", ROOT / "CHANGELOG.md"]
PAGES += [page for place in ("docs", "examples") for page in sorted((ROOT / place).rglob("*.md"))]


@pytest.fixture(scope="module")
def make() -> ModuleType:
    spec = importlib.util.spec_from_file_location("docs_make", ROOT / "docs" / "make.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_made_pages_are_as_the_program_is(make: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PBEM_GAMES", raising=False)
    assert (ROOT / "docs/reference/commands.md").read_text("utf-8") == make.commands_page(), "“make docs” writes it"
    assert (ROOT / "docs/reference/orders.md").read_text("utf-8") == make.orders_page(), "“make docs” writes it"
    assert (ROOT / "docs/reference/host-settings.md").read_text("utf-8") == make.settings_page(), (
        "“make docs” writes it"
    )
    assert (ROOT / "docs/reference/facts.md").read_text("utf-8") == make.facts_page(), "“make docs” writes it"
    assert (ROOT / "docs/reference/templates.md").read_text("utf-8") == make.templates_page(), "“make docs” writes it"


def test_every_argument_and_option_is_explained() -> None:
    """In a whole sentence, or with what it means."""
    import typer

    from pbem.cli.app import app

    def unexplained(command: object, path: str) -> list[str]:
        told = [command, *getattr(command, "params", [])]
        found = [
            path for one in told if not str(getattr(one, "help", "") or "").rstrip().endswith((".", "!", "?", ")", "”"))
        ]
        for name, below in getattr(command, "commands", {}).items():
            found += unexplained(below, f"{path} {name}")
        return found

    assert unexplained(typer.main.get_command(app), "pbem") == []


def test_twenty_settings_are_for_everybody_and_each_is_told_once(make: ModuleType) -> None:
    from pbem.host.new_settings import USED
    from pbem.host.settings import fields, sections

    assert sum(map(len, USED.values())) == 20
    there = {section: {name for name, _field in fields(model)} for section, model in sections()}
    assert all(set(names) <= there[section] for section, names in USED.items())
    page = make.settings_page()
    told, experts = page.split("## For experts")
    assert told.count("\n- `") == 20
    assert told.count("\n- `") + experts.count("\n- `") == sum(map(len, there.values()))


def test_the_page_of_the_orders_shows_an_example_of_each(make: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_GAMES", str(ROOT / "examples"))
    assert "### Tiny\n\n- `4`: what the winner of a turn does." in make.orders_page()


def test_the_page_of_the_commands_has_every_one(make: ModuleType) -> None:
    import typer

    from pbem.cli.app import app

    page = make.commands_page()
    group = typer.main.get_command(app)
    for name in group.commands:  # type: ignore[attr-defined]
        assert f" pbem {name}\n" in page
    assert "### pbem host take\n" in page
    assert "`--import PATH`" in page


def test_links_lead_somewhere() -> None:
    for page in PAGES:
        text = page.read_text("utf-8")
        for link in [*re.findall(r"\]\(([^)#]+)[^)]*\)", text), *re.findall(r'src="([^"]+)"', text)]:
            if not re.match(r"[a-z]+:", link):
                assert (page.parent / link).exists(), f"{page.name}: {link}"


def test_pages_name_only_commands_that_are_there(make: ModuleType) -> None:
    listed = make.commands_page()
    there = set(re.findall(r"^### pbem (\S+)", listed, re.MULTILINE)) | {"host"}
    hosts = set(re.findall(r"^### pbem host (\S+)", listed, re.MULTILINE))
    for page in PAGES:
        text = page.read_text("utf-8")
        for name in re.findall(r"^(?:\$ )?pbem ([a-z-]+)", text, re.MULTILINE):
            assert name in there, f"{page.name}: pbem {name}"
        for name in re.findall(r"^(?:\$ )?pbem host ([a-z-]+)", text, re.MULTILINE):
            assert name in hosts, f"{page.name}: pbem host {name}"


def test_the_readme_is_short() -> None:
    """At most 900 words, tables and commands with them; the first line says what pbem is and which games it plays."""
    text = re.sub(r"<img[^>]*>", "", (ROOT / "README.md").read_text("utf-8"))
    assert len([word for word in text.split() if re.search(r"\w", word)]) <= 900
    first = next(line for line in text.splitlines() if line and not line.startswith("#"))
    for game in ("Hammer of the Scots", "Lords of Scotland", "Swords Over Scotland", "e-mail"):
        assert game in first


def test_the_tutorial_of_the_page_calls_buttons_as_the_page_does() -> None:
    labels = "\n".join([*FACE.values(), *EARLY.values()])
    text = (ROOT / "docs" / "tutorial" / "on-the-page.md").read_text("utf-8")
    titles = {find(game).rules.title for game in known()}
    named = {said.rstrip(".:") for said in re.findall(r"\*\*([^*\n]+)\*\*", text)} - titles
    assert len(named) > 10
    assert not {said for said in named if said not in labels}
