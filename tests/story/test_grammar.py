"""The grammar of docs/reference/notation.md, read from the page: every line of each game's full notation fits it."""

from __future__ import annotations

import re
from functools import cache
from itertools import takewhile
from pathlib import Path

import pytest

from pbem.games import find, shipped
from pbem.ledger import Log
from pbem.player.pair.tale import PairTale
from pbem.story.from_log import notation_of
from pbem.story.notation import Notation, written
from tests.golden_logs import FOLDER
from tests.pair import golden

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "reference" / "notation.md").read_text("utf-8")
HOSTED = ["hammer-homes", "lords-3", "swords-book", "tournament", "tiny-talk", "tiny-another-host", "tiny-ahead"]
HOSTLESS = ["hammer-pledged", "swords-back", "tiny-talk", "tournament"]
TERMINALS = {
    "JSON list": r"\[.*\]", "JSON": r"[\[{].*[\]}]", "TEXT": r".*", "SEAT": r"[a-z][a-z0-9_]*", "CHAIN": r"[a-z]+(?::[a-z0-9_]+)?",
    "WHAT": r"[a-z][a-z ]*", "WHY": r"[a-z]+", "STATE": r"[0-9a-f]+", "SHA256": r"[0-9a-f]{64}", "HASH": r"[0-9a-f]{64}",
    "VERSION": r"[0-9]+", "ID": r"[a-z0-9_]+", "N": r"[0-9]+", "LF": r"\n",
}  # fmt: skip
"""What the words in capitals stand for."""


def _regex(rule: str) -> str:
    """Return an expression of the page as a pattern: literals in quotes, brackets for what may be missing, * for more."""
    found = []
    for token in re.findall(r'"[^"]*"|\[|\]\*|\]|JSON list|[A-Z]+[0-9]*|\S', rule):
        if token.startswith('"'):
            found.append(re.escape(token[1:-1]))
        else:
            found.append({"[": "(?:", "]": ")?", "]*": ")*"}.get(token) or TERMINALS[token])
    return "".join(found)


@cache
def grammar() -> dict[str, str]:
    """Return the rules `head`, `line` and `more` of the page."""
    block = re.search(r"## Grammar\n.*?```\n(.*?)```", PAGE, re.DOTALL)
    assert block
    rules: dict[str, list[str]] = {}
    name = ""
    for row in block[1].splitlines():
        begins = re.match(r"([a-z]+) *= ", row)
        name = begins[1] if begins else name
        rules.setdefault(name, []).append(
            re.split(r"(?<=\S) {2,}(?=[a-z])", (row[begins.end() :] if begins else row).strip())[0]
        )
    assert rules["line"][0] == '[N " "] one of:'
    kinds = "|".join(f"(?:{_regex(one)})" for one in rules["line"][1:])
    more = "|".join(f"(?:{_regex(one.removeprefix('| '))})" for one in rules["more"])
    return {"head": _regex(" ".join(rules["head"])), "line": rf"(?:[0-9]+ )?(?:{kinds})", "more": more}


def of(name: str, *, hosted: bool) -> Notation:
    if hosted:
        return notation_of(Log.parse((FOLDER / f"{name}.pbem").read_bytes()))
    return PairTale((golden.FOLDER / f"{name}.pbem").read_bytes()).notation()


GAMES = [*((name, True) for name in HOSTED), *((name, False) for name in HOSTLESS)]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "hosted"), GAMES)
def test_every_line_of_a_full_notation_fits_the_grammar_of_the_page(name: str, hosted: bool) -> None:
    rules = grammar()
    first, rest = written(of(name, hosted=hosted)).split("\n", 1)
    assert first == "pbem-notation/1"
    head = re.match(rules["head"], rest)
    assert head
    lines = rest[head.end() :].splitlines()
    assert len(lines) > 2
    for line in lines:
        assert re.fullmatch(rules["more"] if line.startswith("    ") else rules["line"], line), line


@pytest.mark.slow
def test_these_games_have_every_kind_of_line_of_the_page() -> None:
    found = {line.k for name, hosted in GAMES for line in of(name, hosted=hosted).lines}
    kinds = {"roll", "order", "ahead", "skip", "tell", "ask", "change", "rules", "note"}
    assert kinds - {"rules"} == found - {"rules"}
    assert all(f'"{kind}' in PAGE for kind in kinds)


@pytest.mark.parametrize(
    "line", ["5 rol pub: [1]", "say ann: no", "roll pub: 1", "order ann CARD c1", "ask Ann: card", "tell: XYZ"]
)
def test_the_grammar_refuses_what_the_program_refuses(line: str) -> None:
    assert not re.fullmatch(grammar()["line"], line)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "hosted"), [one for one in GAMES if not one[0].startswith("tiny")])
def test_the_page_names_every_chain_of_a_game(name: str, hosted: bool) -> None:
    game = of(name, hosted=hosted)
    title = find(game.head.game).rules.title
    rows = PAGE.split("## Dice and cards of each game")[1].splitlines()
    at = next(no for no, row in enumerate(rows) if row.startswith(f"| {title} |"))
    named = " ".join([rows[at], *takewhile(lambda row: row.startswith("| |"), rows[at + 1 :])])
    for line in game.lines:
        if line.k == "roll":
            chain = re.sub(r"^(deal|anew):[0-9]+$", r"\1:1", line.chain)
            assert f"`{chain}`" in named, chain


def test_the_page_has_every_game_that_comes_with_pbem() -> None:
    assert all(f"| {find(game).rules.title} |" in PAGE for game in shipped())
