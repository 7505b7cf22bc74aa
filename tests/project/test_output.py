"""What people are shown is made in two places: markup by `pbem.look.markup`, the terminal's text by `pbem.cli.screen`.

So nothing of a log or mail becomes markup, or reaches a terminal, as it stands. Here the source is searched for any other way.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

import pytest

from pbem.resources import folder
from tests.project.source import games, modules

MARKUP = re.compile(r"(?<!\(\?P)(?<!\(\?)<[A-Za-z/!]|[\w-]=[\"']$")
"""How a piece of markup looks: a tag, or an attribute before its value. A pattern that looks behind has no tag."""
BEGUN = re.compile(r"<$")
"""A tag whose name is a value; in a letter it is an address."""
MAKES_MARKUP = "pbem.look.markup"
LAYS_OUT_OURS = "pbem.page.single"
"""It puts files of ours into one, and nobody's values: what stands in them is what the release holds."""
TAKES_APART = "pbem.look.pixels"
"""It cuts a drawing into parts, to be made pixels of: nobody sees their markup."""
READS_MARKUP = {"<svg", "<style>(.*?)</style>", "<style>.*?</style>|<defs>.*?</defs>"}
"""What is looked for in a drawing, and put into none."""
PRINTS = "pbem.cli.screen"
FOR_PROGRAMS = {"pbem.cli.engine"}
"""What writes lines of JSON, which a program reads."""

DRAWS = [
    m
    for m in modules()
    if m.name.startswith(
        ("pbem.look", "pbem.reports", "pbem.games", "pbem.host", "pbem.cli", "pbem.player", "pbem.page")
    )
]
DRAWS += [m for package, of_game in games().items() if not package.startswith("pbem.") for m in of_game]


def _loose_markup(tree: ast.Module, *, in_letters: bool = False) -> Iterator[tuple[int, str]]:
    """Go through the strings that look like markup and are no template of `markup`, and through what calls itself markup."""
    allowed = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}  # docstrings
    for node in ast.walk(tree):
        match node:
            case ast.FormattedValue(format_spec=ast.JoinedStr(values=parts)):
                allowed |= set(map(id, parts))
            case ast.Call(func=ast.Name(id="markup"), args=[ast.Constant() as template]):
                allowed.add(id(template))
            case ast.Call(func=ast.Name(id="markup")):
                yield node.lineno, "a template that is no literal"
            case ast.Call(func=ast.Name(id="Markup") | ast.Attribute(attr="Markup"), args=[_, *_]):
                yield node.lineno, "a text that is called markup"
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in allowed:
            looks_so = MARKUP.search(node.value) or (BEGUN.search(node.value) and not in_letters)
            if looks_so and node.value not in READS_MARKUP:
                yield node.lineno, node.value


def _printing(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Go through what writes to the terminal by itself."""
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(value=ast.Name(id="typer" | "click"), attr="echo" | "secho" as name):
                yield node.lineno, name
            case ast.Call(func=ast.Name(id="print" | "Console" as name)):
                yield node.lineno, name
            case ast.Attribute(
                value=ast.Attribute(value=ast.Name(id="sys"), attr="stdout" | "stderr"),
                attr="write" | "writelines" | "buffer" as name,
            ):
                yield node.lineno, name


@pytest.mark.slow
def test_markup_is_made_from_templates_that_escape_their_values() -> None:
    found = [
        f"{module.shown}:{line}: {what}"
        for module in DRAWS
        if module.name not in (MAKES_MARKUP, LAYS_OUT_OURS, TAKES_APART)
        for line, what in _loose_markup(module.tree, in_letters=module.name.startswith("pbem.host"))
    ]
    assert not found, "\n".join(found)


def test_the_search_for_markup_finds_it() -> None:
    drawn = """
markup('<g id="{x}"/>', x=1)
f'<g id="{x}"/>'
"<b>" + x
"<b>{}</b>".format(x)
f'{a} class="{x}"'
f"<{tag}>"
"".join(["<g>", x])
Markup(x)
markup(f"<g>{x}</g>")
markup(x)
"no markup: 3 < 4, a > b", "(?P<n>[0-9])", f"{x:<3}"
"""
    found = [line for line, _what in _loose_markup(ast.parse(drawn))]
    assert sorted(set(found)) == [3, 4, 5, 6, 7, 8, 9, 10, 11]


def test_commands_print_through_the_one_that_shows_control_characters() -> None:
    found = [
        f"{module.shown}:{line}: {what}"
        for module in modules()
        if module.name.startswith("pbem.cli") and module.name not in {PRINTS, *FOR_PROGRAMS}
        for line, what in _printing(module.tree)
    ]
    assert not found, "\n".join(found)


def test_the_search_for_printing_finds_it() -> None:
    said = "screen.echo(x)\ntyper.echo(x)\nplay(typer.echo)\nprint(x)\nConsole().print(x)\nsys.stdout.write(x)\n"
    assert sorted({line for line, _what in _printing(ast.parse(said))}) == [2, 3, 4, 5, 6]


def test_no_template_of_ours_takes_a_text_for_markup() -> None:
    for path in folder("templates").rglob("*.j2"):
        text = path.read_text("utf-8")
        assert not re.search(r"\|\s*safe\b|autoescape", text), path.name
        named = path.name.endswith((".txt.j2", ".css.j2", ".html.j2"))
        assert named, f"whether {path.name} is escaped hangs on its name"
