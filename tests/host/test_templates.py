"""Templates of a host's own: they word its letters, they are tried before, and one that fails loses no letter."""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Iterator
from pathlib import Path

import jinja2
import pytest
from typer.testing import CliRunner

from pbem.cli.app import app
from pbem.errors import UsageError
from pbem.host import Office
from pbem.host.templates import TEMPLATES
from pbem.host.trial import copy_out, faults
from pbem.i18n import speaking
from pbem.look.markup import markup
from pbem.mail import read_message
from pbem.mail.above import without_cut_line
from pbem.mail.text import plain
from pbem.reports import html
from pbem.reports.text import environment
from pbem.resources import folder
from tests.i18n import BRACKETS, outside

from .post import Club, a_club
from .requests import answer

ROOT = Path(__file__).resolve().parents[2]
FRENCH = ROOT / "tests" / "golden" / "letters-fr.txt"


def test_every_template_of_a_letter_is_in_the_list() -> None:
    lying = {path.relative_to(folder("templates")).as_posix() for path in folder("templates").rglob("*.j2")}
    assert {name for name in lying if not name.startswith(("replay", "club", "tale"))} == TEMPLATES.keys()


@pytest.mark.slow
def test_letters_are_given_what_the_list_says() -> None:
    """As the code passes it: each call of `wording.text` and `wording.page`."""
    given: dict[str, set[str]] = {}
    trees = [ast.parse(path.read_text("utf-8")) for path in sorted((ROOT / "pbem" / "host").glob("*.py"))]
    for call in (node for tree in trees for node in ast.walk(tree)):
        if isinstance(call, ast.Call) and ast.unparse(call.func) in ("self.wording.text", "self.wording.page"):
            letter = ast.literal_eval(call.args[0])
            kind = ast.unparse(call.func).rpartition(".")[2].replace("text", "txt").replace("page", "html")
            names = set().union(*([word.arg] if word.arg else _spread(trees, word.value) for word in call.keywords))
            assert given.setdefault(f"mail/{letter}.{kind}.j2", names) == names
    assert given == {name: about.given.keys() for name, about in TEMPLATES.items() if name.startswith("mail/")}


def _spread(trees: list[ast.Module], value: ast.expr) -> list[str]:
    """The names in what a method returns that is handed on by `**self.method(…)`."""
    assert isinstance(value, ast.Call)
    assert isinstance(value.func, ast.Attribute)
    defined = (node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))
    method = next(node for node in defined if node.name == value.func.attr)
    told = next(node.value for node in method.body if isinstance(node, ast.Return))
    assert isinstance(told, ast.Dict)
    return [ast.literal_eval(key) for key in told.keys if key]


@pytest.mark.slow
def test_reports_are_given_what_the_list_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given: dict[str, set[str]] = {}
    render = jinja2.Template.render

    def noted(self: jinja2.Template, **values: object) -> str:
        given.setdefault(str(self.name), set()).update(values)
        return render(self, **values)

    with a_club(tmp_path) as club, monkeypatch.context() as patch:
        club.robot.post.pictures = True
        html._style.cache_clear()
        patch.setattr(jinja2.Template, "render", noted)
        club.begin()
    for name in ("report.txt.j2", "report.html.j2", "report.css.j2"):
        assert given[name] == TEMPLATES[name].given.keys()


def test_samples_hold_every_variable() -> None:
    for name, about in TEMPLATES.items():
        assert set(about.shows) <= about.given.keys()
        for sample in about.samples:
            assert sample.keys() == about.given.keys(), name


TYPED = """pbem join FILE read send say claim order address NEW time zone Z press TEXT welcome MAIL
HELP STATUS BOARD RESEND since PRESS TO SEAT LANGUAGE fr GAME TOKEN CONFIRM PICTURES SMALL
REGISTER GAMES JOIN NEW WITHDRAW WATCH LEAVE CLUB Anna zone Europe Berlin quiet weekends off language en"""
"""What a player types, in every language."""


@pytest.mark.parametrize("name", [name for name in TEMPLATES if not name.endswith(("css.j2", "parts.html.j2"))])
def test_every_word_of_a_letter_is_a_message(name: str) -> None:
    """Outside of messages stand only what the template was given, and what is typed."""
    html.template("report.css.j2")
    for sample in TEMPLATES[name].samples:
        with speaking(BRACKETS):
            made = environment().get_template(name).render(**sample)
        words = outside(plain(made) if ".html." in name else made)
        given = re.findall(r"[^\W\d_]{2,}", repr(sample).replace("\\n", " "))
        assert set(words) <= {*given, *TYPED.split()}


def test_letters_in_french_are_as_they_were_read() -> None:
    """Kept in one file, for eyes that know French; PBEM_GOLDEN=write writes it anew."""
    texts = []
    with speaking("fr"):
        for name, about in TEMPLATES.items():
            if name.startswith("mail/") and ".txt." in name:
                made = [environment().get_template(name).render(**sample) for sample in about.samples]
                texts += [f"##### {name}\n\n{text.strip()}\n" for text in made]
    if os.environ.get("PBEM_GOLDEN") == "write":
        FRENCH.write_text("\n".join(texts), "utf-8")
    assert "\n".join(texts) == FRENCH.read_text("utf-8")


@pytest.mark.slow
def test_pbem_s_own_are_well(tmp_path: Path) -> None:
    copy_out(tmp_path, list(TEMPLATES))
    assert list(faults(tmp_path)) == []


WRONG = {
    "mail/help.txt.j2": (
        "Write to us.\n{{ adress }}\n",
        "mail/help.txt.j2, line 2: there is no variable “adress”. The variables are: title, address,",
    ),
    "mail/recieved.txt.j2": (
        "x",
        "mail/recieved.txt.j2 replaces nothing: pbem has no template of that name. There are: report.txt.j2,",
    ),
    "mail/moved.txt.j2": (
        "{{ address }}\n{{ no.way }}\n",
        "mail/moved.txt.j2, line 2: 'int object' has no attribute 'way'",
    ),
    "mail/press.txt.j2": ("{{ text }}\n\n{% if %}", "mail/press.txt.j2, line 3: Expected an expression"),
    "mail/proposal.txt.j2": ("{{ key }}", "mail/proposal.txt.j2 does not show “block” (the newcomer's signed block"),
    "mail/notice.txt.j2": (
        '{{ text }} {% include "mail/_foot.txt.j2" %}',
        "mail/notice.txt.j2, line 1: there is no file “mail/_foot.txt.j2”.",
    ),
    "report.html.j2": (
        "{% if policy %}\n{% autoescape false %}{{ head }}{% endautoescape %}{% endif %}",
        "report.html.j2, line 2: escaping is turned off, so that words of a player could become markup.",
    ),
    "parts.html.j2": ("{% macro table(t) %}{% endmacro %}", "parts.html.j2 does not define the macro “told”."),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_is_said_with_its_place(tmp_path: Path, name: str) -> None:
    text, said = WRONG[name]
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_text(text, "utf-8")
    found = list(faults(tmp_path))
    assert found[0].startswith(f"{tmp_path}/{said}")
    assert len(found) == len(set(found))


def test_a_part_of_one_s_own_may_be_included(tmp_path: Path) -> None:
    (tmp_path / "mail").mkdir()
    (tmp_path / "mail" / "_foot.txt.j2").write_text("The club.", "utf-8")
    (tmp_path / "mail" / "notice.txt.j2").write_text('{{ text }} {% include "mail/_foot.txt.j2" %}', "utf-8")
    assert list(faults(tmp_path)) == []


def test_no_words_become_markup_in_a_template_of_one_s_own(tmp_path: Path) -> None:
    """By whatever name a part is included, and whatever its author calls safe; what was made as markup stays so."""
    (tmp_path / "_part.j2").write_text("{{ seat | safe }}", "utf-8")
    (tmp_path / "report.html.j2").write_text('{{ svg | safe }} {{ over | safe }} {% include "_part.j2" %}', "utf-8")
    (tmp_path / "report.txt.j2").write_text("{{ over }}\x07", "utf-8")
    env, given = environment(tmp_path), {"svg": markup("<svg/>"), "over": "<b>\x1b[1m\u202e", "seat": "<i>"}
    assert env.get_template("report.html.j2").render(**given) == "<svg/> &lt;b&gt;␛[1m\\u{202e} &lt;i&gt;"
    assert env.get_template("report.txt.j2").render(**given) == "<b>␛[1m\\u{202e}\x07"


def test_what_is_there_is_not_written_over(tmp_path: Path) -> None:
    copy_out(tmp_path, ["mail/help.txt.j2"])
    with pytest.raises(UsageError, match="is there already"):
        copy_out(tmp_path, ["mail/clock.txt.j2", "mail/help.txt.j2"])
    with pytest.raises(UsageError, match=r"no template “mail/hlep.txt.j2”\. The templates are: report\.txt\.j2"):
        copy_out(tmp_path, ["mail/clock.txt.j2", "mail/hlep.txt.j2"])
    assert not (tmp_path / "mail" / "clock.txt.j2").exists()


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Club]:
    """A club whose host has a folder `own` for templates."""
    with a_club(tmp_path, turns=3) as club:
        (tmp_path / "own" / "mail").mkdir(parents=True)
        club.robot.post.wording.own = tmp_path / "own"
        yield club.begin()


def write(club: Club, name: str, text: str) -> None:
    (club.folder / "own" / name).write_text(text, "utf-8")


@pytest.mark.slow
def test_only_what_lies_there_is_replaced(club: Club) -> None:
    hello = '{{ "Bonjour" if spoken() == "fr" else "Hello" }}, this is {{ address }}. {{ _("Your hand") }}.'
    write(club, "mail/help.txt.j2", hello)
    assert without_cut_line(answer(club, "HELP")) == "Hello, this is host@example.org. Your hand.\n"
    assert "An answer is asked of you" in answer(club, "STATUS")
    answer(club, "LANGUAGE fr")
    assert (
        without_cut_line(answer(club, "HELP", Message_ID="<2@x>")) == "Bonjour, this is host@example.org. Votre main.\n"
    )


@pytest.mark.slow
def test_a_template_that_fails_loses_no_letter(club: Club) -> None:
    write(club, "mail/help.txt.j2", "{{ nobody }}")
    assert "The host of A test reads these requests at" in answer(club, "HELP")
    (trouble,) = club.office.status()["troubles"]
    assert (trouble["way"], trouble["why"]) == ("template mail/help.txt.j2", "UndefinedError: 'nobody' is undefined")
    write(club, "mail/help.txt.j2", "{{ title }}")
    assert without_cut_line(answer(club, "HELP", Message_ID="<2@x>")) == "A test\n"
    assert club.office.status()["troubles"] == []


@pytest.mark.slow
def test_a_report_in_the_host_s_own_words_alarms_no_player(club: Club) -> None:
    """His program shows the report that it makes itself, and says one quiet line."""
    write(club, "report.txt.j2", "News of {{ game }}!\n{{ board }}\n{{ choices }}\n{{ head }}\n")
    for seat in club.asked():
        club.take(club.order(seat))
    new = [(seat, raw) for seat, raws in club.deliver().items() for raw in raws]
    seat, letter = next((seat, raw) for seat, raw in new if read_message(raw).log.startswith(b"{"))
    assert without_cut_line(read_message(letter).text).startswith("News of Tiny!")
    assert read_message(letter).own_words
    reading = club.desks[seat].read(letter)
    assert "WHAT HAPPENED" in reading.text
    assert reading.warnings == ("This host words its mails in its own way; this report is made from the log alone.",)
    assert b"X-Pbem-Wording: own" in letter


@pytest.mark.slow
def test_the_settings_name_the_folder_and_check_tries_it(club: Club) -> None:
    host = club.folder / "host"
    run = CliRunner()
    assert "mail/invitation.txt.j2" in run.invoke(app, ["host", "templates", "--dir", str(host)]).output
    copied = run.invoke(app, ["host", "templates", "mail/help.txt.j2", "--dir", str(host)])
    assert 'templates = "templates"' in copied.output
    assert (host / "templates" / "mail" / "help.txt.j2").read_bytes() == (
        folder("templates") / "mail" / "help.txt.j2"
    ).read_bytes()
    settings = (host / "host.toml").read_text("utf-8")
    (host / "host.toml").write_text(f'templates = "templates"\n{settings}', "utf-8")
    well = run.invoke(app, ["host", "check", "--dir", str(host)])
    assert f"The templates in {host / 'templates'} can be used: mail/help.txt.j2." in well.output
    (host / "templates" / "mail" / "help.txt.j2").write_text("{{ adress }}", "utf-8")
    wrong = run.invoke(app, ["host", "check", "--dir", str(host)])
    assert wrong.exit_code == 1
    assert "there is no variable “adress”" in wrong.output
    office = Office(host)
    assert office.robot.post.wording.has("mail/help.txt.j2")
    office.close()
