"""Makes the parts of the docs that follow from the program and its tests (``make docs``).

``python docs/make.py pages [--check]`` writes, or checks, the pages in ``PAGES``. A page is made whole, from a line "made from the
program" down, or between two markers; its function says from what. The pictures are made by ``pictures.py``.
"""

from __future__ import annotations

import ast
import dataclasses
import json
import re
import sys
import tomllib
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from inspect import Parameter, signature
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, NotRequired, Union, get_args, get_origin, get_type_hints

from typer.models import ArgumentInfo, OptionInfo
from typing_extensions import is_typeddict

if TYPE_CHECKING:
    from tests.rows import Row

DOCS = Path(__file__).resolve().parent
COMMANDS = DOCS / "reference" / "commands.md"
ORDERS = DOCS / "reference" / "orders.md"
SETTINGS = DOCS / "reference" / "host-settings.md"
FACTS = DOCS / "reference" / "facts.md"
FORMAT = DOCS / "reference" / "log-format.md"
BLOCK = DOCS / "reference" / "block.md"
REGISTER = DOCS / "reference" / "register.md"
MAIL = DOCS / "reference" / "mail.md"
PLANS = DOCS / "reference" / "plans.md"
DOOR = DOCS / "reference" / "door.md"
SIMULATOR = DOCS / "reference" / "simulator.md"
ARCHITECTURE = DOCS / "explanation" / "architecture.md"
REFERENCE = DOCS / "reference"
PAIRS = REFERENCE / "pairs.md"
ENGINE = REFERENCE / "engine.md"
VERDICTS = DOCS / "reference" / "verdicts.md"
TESTS = DOCS.parent / "tests" / "README.md"
TEMPLATES_PAGE = DOCS / "reference" / "templates.md"
MADE = "This part is made from the program (`make docs`).\n"

HEAD = """\
# Commands

This page is made from the program (`make docs`); a test compares the two. `pbem COMMAND --help` prints the same.

Exit codes:

| code | meaning |
|---|---|
| 0 | success |
| 1 | a fault was found, or the command failed |
| 2 | wrong usage |
| 3 | only the line ends of a log were changed |
| 65 | a host's store, or a game in it, is damaged: `pbem host status` names it first |
| 67 | `pbem host take` refuses the mail |
| 75 | the store is missing, busy or away: try again later; also a damaged one, for `pbem host take` |
| 130 | you stopped `pbem match` |

Environment:

| variable | meaning |
|---|---|
| `PBEM_HOME` | a player's folder |
| `PBEM_HOST` | a host's folder |
| `PBEM_PASSPHRASE` | the passphrase of the key |
| `PBEM_GAMES` | folders with more games, separated as in PATH |
| `PBEM_LANGUAGE` | the language of the answers |

The commands answer in English or French. The first of these decides: `pbem --language fr COMMAND`, `PBEM_LANGUAGE`, your own
choice (`pbem language fr`), and the machine's language (`LC_ALL`, `LC_MESSAGES`, `LANG`). Always in English: `--json`,
`pbem engine`, the files of `--evidence`, and letters to a host.
"""


FACTS_HEAD = """\
# Facts

This page is made from the program (`make docs`); a test compares the two. The rules report each event as a fact: a JSON object
with its kind in `f`. A field with ? is absent if it has no value. Only players who know a hidden field get it: the owner of the
blocks, or the player who drew the card. `schemas/GAME-facts.schema.json` has the types, each game's `told.py` the classes."""


def commands_page() -> str:
    """Return the page of the commands."""
    from pbem.cli.app import app
    from pbem.cli.commands import GROUPS, OF_A_PLAYER, OF_ALL, TABLES, UNLISTED

    parts = [HEAD, *_group("pbem", app, OF_A_PLAYER | OF_ALL | UNLISTED)]
    for name, group in GROUPS.items():
        parts += _group(f"pbem {name}", group, TABLES[name])
    return "\n".join(parts).rstrip() + "\n"


def orders_page() -> str:
    """Return the page of the orders: what a person wrote above the mark, and below it the orders of every game here."""
    from pbem.games import find, known
    from pbem.schemas import order_models

    above, mark, _ = ORDERS.read_text("utf-8").partition(MADE)
    parts = [f"{above}{mark}".rstrip()]
    for game in known():
        pack = find(game)
        parts.append(f"\n### {pack.rules.title}\n")
        for model in order_models(pack):
            said = _one_line((model.__doc__ or "").split("\n\n")[0])
            shown = re.match(r"(.*?): ([a-z].*)", said) or re.match(r"(.*): (.*)", said)
            parts.append(f"- `{shown[1]}`: {shown[2]}" if shown else f"- {said}")
    return "\n".join(parts) + "\n"


def facts_page() -> str:
    """Return the page of the facts: what the rules of each game tell."""
    from pbem.games import find, known

    parts = [FACTS_HEAD]
    for pack in map(find, known()):
        if base := pack.look.facts:
            parts += [f"\n## {pack.rules.title}\n", "| kind | fields | |", "| --- | --- | --- |"]
            parts += [
                f"| `{name}` | {_fields(kind)} | {_one_line(kind.__doc__)} |"
                for name, kind in sorted(base.kinds().items())
            ]
    return "\n".join(parts) + "\n"


def _fields(kind: type[Any]) -> str:
    """Name the fields of a kind of facts: those that may be left out, and those that not everybody hears, with a mark."""
    marks = {True: " (hidden)", False: " (for others)", None: ""}
    said = []
    for field in dataclasses.fields(kind):
        left_out = "" if field.default is dataclasses.MISSING or field.metadata else "?"
        said.append(f"`{field.name.removesuffix('_')}`{left_out}{marks[field.metadata.get('known')]}")
    return ", ".join(said)


def settings_page() -> str:
    """Return the page of the settings: what a person wrote above the mark, below it the lines that people use, then all others."""
    from pbem.host.new_settings import USED
    from pbem.host.settings import fields, sections, shown, toml

    above, mark, _ = SETTINGS.read_text("utf-8").partition(MADE)
    parts, rest = [f"{above}{mark}".rstrip()], ["\n## For experts\n\nMost hosts need none of these lines."]
    for section, model in sections():
        head = f"\n### {f'`[{section}]`' if section else 'Above all sections'}\n"
        used, others = [f"{head}\n{_one_line(model.__doc__)}\n"], [head]
        for name, field in fields(model):
            value = "required" if field.is_required() else f"default: `{toml(shown(section, name, field))}`"
            if name == "tls":
                value = "default: by the port"
            if "example" in value or (name == "password_env" and not field.is_required()):
                value = "no default"
            line = f"- `{name}`: {_one_line(field.description).rstrip('.')} ({value})."
            (used if name in USED.get(section, ()) else others).append(line)
        if section in USED:
            parts += used
        else:
            others[0] = used[0]
        rest += others if len(others) > 1 else []
    return "\n".join([*parts, *rest]) + "\n"


def templates_page() -> str:
    """Return the page of the templates: what a person wrote above the mark, and below it each with what it is given."""
    from pbem.host.templates import EVERYWHERE, TEMPLATES

    above, mark, _ = TEMPLATES_PAGE.read_text("utf-8").partition(MADE)
    parts = [f"{above}{mark}".rstrip(), "\n### In every template\n", *(f"- {said}." for said in EVERYWHERE.values())]
    for name, template in TEMPLATES.items():
        parts.append(f"\n### `{name}`\n\n{template.about}\n")
        for variable, said in template.given.items():
            parts.append(f"- `{variable}`: {said}{' (must be shown)' if variable in template.shows else ''}.")
        parts += [f"- macro `{macro}`: {said}." for macro, said in template.parts.items()]
    return "\n".join(parts).replace("?.", "?") + "\n"


def verdicts_page() -> str:
    """Return the page of the verdicts: what a person wrote above the mark, and below it what is said for every code."""
    from pbem.ledger import CODES, Verdict
    from pbem.reports.verdicts import OF_TWO, explained

    def said(code: str, party: str) -> list[str]:
        verdict = Verdict("cannot_judge" if party == "nobody" else "fault", 10, code, party, "", None)
        fields = {"k": KINDS.get(code, "order"), "by": "ann", "to": "ann", "chain": "deal:1", "say": {}}
        return explained(verdict, fields, rules=True, name=str.capitalize)

    above, mark, _ = VERDICTS.read_text("utf-8").partition(MADE)
    parts = [f"{above}{mark}".rstrip(), "\n## Who, and what next\n"]
    for example, about in EXAMPLES.items():
        parts.append(f"- {about}: “{' '.join(said(*example)[1:])}”")
    parts.append("\n## What happened\n")
    for code, about in CODES.items():
        parties = PARTIES.get(code, ("host",))
        parts.append(f"- `{code}` ({about}; at fault: {' or '.join(parties)}): “{said(code, parties[0])[0]}”")
    parts.append("\n## In a game of two without a host\n")
    parts.append("The codes are the same, apart from these. At fault is the signer of the turn, or the supplier.\n")
    parts += [f"- `{code}`: “{_one_line(about)}”" for code, about in OF_TWO.items()]
    return "\n".join(parts) + "\n"


def format_page() -> str:
    """Return the page of the log's format with its tables of bounds and of turns as the program has them."""
    from pbem.ledger import entries
    from pbem.ledger.pair import forms

    rows = ["| what | at most | error |", "|---|---|---|"]
    rows += [f"| {what} | {most if isinstance(most, str) else f'{most:,}'} | {code} |" for what, most, code in bounds()]
    page = _made_part(FORMAT.read_text("utf-8"), "bounds", "\n".join(rows))
    kinds = entries.KINDS | {f"rand ({chain})": form for chain, form in entries.RANDS.items()}
    page = _made_part(page, "entries", "\n".join(of_forms("k", kinds)))
    page = _made_part(page, "entries of two", "\n".join(of_forms("k", forms.KINDS)))
    page = _made_part(page, "acts of two", "\n".join(of_forms("do", forms.ACTS)))
    of_two = [*rows[:2], *(f"| {what} | {most:,} | {code} |" for what, most, code in bounds_of_two())]
    page = _made_part(page, "bounds of two", "\n".join(of_two))
    return _made_part(page, "turns", "\n".join(turns()))


def of_forms(tag: str, forms: Mapping[str, Any]) -> Iterator[str]:
    """Go through the lines of a table of forms: their fields, but for the `tag` and those of every entry, and their meaning."""
    from pbem.ledger.declared import fields_of

    yield from (f"| {tag} | fields | meaning |", "|---|---|---|")
    for name, form in forms.items():
        fields = {
            field: of for field, of in fields_of(form).items() if field not in (tag, "n", "prev", "at", "sig", "by")
        }
        yield f"| {name} | {_of_fields(fields)} | {_one_line(_bare(form).__doc__)} |"


def _of_fields(fields: Mapping[str, Any]) -> str:
    said = []
    for name, of in fields.items():
        optional = get_origin(of) is NotRequired
        inside = _inside(get_args(of)[0] if optional else of)
        said.append(f"`{name}`{'?' if optional else ''}{inside and f' {inside}'}")
    return ", ".join(said)


def _inside(declared: Any) -> str:
    """Say what a field may hold where that is words or an object of named fields, or else nothing."""
    from pbem.ledger.declared import fields_of

    bare = _bare(declared)
    if get_origin(bare) is Literal:
        return ", ".join(json.dumps(word) for word in get_args(bare))
    if get_origin(bare) is Union:
        return " or ".join(filter(None, map(_inside, get_args(bare))))
    return f"{{{_of_fields(fields_of(bare))}}}" if is_typeddict(bare) else ""


def _bare(declared: Any) -> Any:
    return _bare(get_args(declared)[0]) if get_origin(declared) is Annotated else declared


def bounds_of_two() -> Iterator[tuple[str, int, str]]:
    """Go through the bounds of the format of two: of what, how much, and the code for what lies beyond."""
    from pbem.ledger import chains
    from pbem.ledger.entries import MAX_OPTIONS
    from pbem.ledger.pair import forms, vault

    yield "acts of one turn", forms.MAX_ACTS, "FORM"
    yield "letters of an order's text", forms.MAX_ORDER, "FORM"
    yield "letters of hidden text, in base64", forms.MAX_HIDDEN, "FORM"
    yield "bytes of hidden text, padded", vault.LENGTHS[-1], "SEALBIND, at the end"
    yield "cards and places of a deck (at least 2)", forms.MAX_CARDS, "FORM"
    yield "letters of the proof of a deck", forms.MAX_SHUFFLE_PROOF, "FORM"
    yield "letters of a card's name (at least 1)", forms.MAX_CARD, "FORM"
    yield "decks of a game", forms.MAX_DECKS, "FORM"
    yield "`opts` in bytes of CJ", MAX_OPTIONS, "FORM"
    yield "links of a seat", chains.SEAT_LENGTH, "LINK"


def block_page() -> str:
    """Return the page of the signed block with its table of dictionaries as the games that are shipped have them."""
    import hashlib

    from pbem.games import find, shipped
    from pbem.games.words import newest, words

    rows = ["| game | number | bytes | SHA-256 |", "|---|---|---|---|"]
    for pack in map(find, shipped()):
        for number in range(1, newest(pack) + 1):
            made = words(pack, number) or b""
            rows.append(f"| {pack.rules.title} | {number} | {len(made):,} | `{hashlib.sha256(made).hexdigest()}` |")
    return _made_part(BLOCK.read_text("utf-8"), "dictionaries", "\n".join(rows))


def register_page() -> str:
    """Return the page of the register with its table of lines, as their forms are declared."""
    from pbem.ledger.register import KINDS

    return _made_part(REGISTER.read_text("utf-8"), "lines", "\n".join(of_forms("k", KINDS)))


def mail_page() -> str:
    """Return the page of mail with how a reply is read: the rules as the reader's own text has them, its words, those of orders."""
    from pbem.games import find, shipped
    from pbem.host import answers

    head = "Where a host keeps the key of a seat, its player orders by a reply, above the first line of the letter."
    made = [
        head,
        "",
        _listed("pbem/host/answers.py"),
        "",
        "These count alone on a line:",
        "",
        "| | in French |",
        "|---|---|",
    ]
    made += [f"| `{english}` | `{french}` |" for english, french in answers.EXAMPLES.values()]
    made += ["", "Words of orders in French, in full, for seats that are written to in French:", ""]
    for pack in map(find, shipped()):
        for found in pack.look.order_words.values():
            said = ", ".join(f"`{word}` {english}" for word, english in found.items())
            made.append(f"- {pack.rules.title}: {said}.")
    return _made_part(rows_page("mail"), "replies", "\n".join(made))


def plans_page() -> str:
    """Return the page of plans with its lists of clauses, as the docstrings of the modules that read them have them."""
    page = PLANS.read_text("utf-8")
    in_battles, own = _listed("pbem/games/hammer/plans/battles.py").split("\n\n")
    for name, made in {
        "battles": in_battles,
        "further clauses": f"{own}\n{_listed('pbem/games/hammer/plans/winter.py')}",
        "what matters": _listed("pbem/games/hammer/plans/matters.py"),
        "Lords of Scotland": _listed("pbem/games/lords/reading.py"),
        "Swords Over Scotland": _listed("pbem/games/swords/plans.py"),
    }.items():
        page = _made_part(page, name, made)
    return page


def simulator_page() -> str:
    """Return the page of the world simulator with its lists, as the docstrings of the simulator have them."""
    page = SIMULATOR.read_text("utf-8")
    for name, file in {"troubles": "world", "laws": "laws", "faults": "faults", "laws of a club": "club_laws"}.items():
        page = _made_part(page, name, _listed(f"tests/world/{file}.py"))
    return page


def door_page() -> str:
    """Return the page of the host's web address with its errors, as the program says them."""
    from pbem.host.door.hearing import WHY, turned
    from pbem.mail.incoming import MAX_RAW

    errors = [turned(error, time="TIME", most=f"{MAX_RAW:,}") for error in WHY]
    rows = [f"- {error.status} `{error.error}`: {error.why}" for error in sorted(errors, key=lambda one: one.status)]
    return _made_part(DOOR.read_text("utf-8"), "errors", "\n".join(rows))


def _listed(file: str) -> str:
    """Return the lists of a file's docstring, with an empty line between two."""
    said = ast.get_docstring(ast.parse((DOCS.parent / file).read_text("utf-8"))) or ""
    lines = [line for line in said.split("\n") if not line or line.startswith(("- ", "  "))]
    return re.sub("\n\n+", "\n\n", "\n".join(lines).strip())


def _made_part(page: str, name: str, made: str) -> str:
    """Return a page with what stands between two marks made anew."""
    above, mark, rest = page.partition(f"<!-- made by docs/make.py: {name} -->\n")
    return f"{above}{mark}{made}\n{rest[rest.index('<!-- end -->') :]}"


def turns() -> Iterator[str]:
    """Go through the lines of the diagram of turns, and of their table: a phase, and what may come in it."""
    from pbem.ledger.course.turns import MEANS, TURNS

    yield from ("```mermaid", "stateDiagram-v2", "    [*] --> roster")
    for phase, kinds in TURNS.items():
        others = {then: [kind for kind in kinds if then in kinds[kind]] for then in TURNS if then != phase}
        yield from (f"    {phase} --> {then}: {', '.join(names)}" for then, names in others.items() if names)
    yield from ("    over --> [*]", "```", "")
    yield "| phase | meaning | what may come, and the phase after it |"
    yield "|---|---|---|"
    for phase, kinds in TURNS.items():
        leads: dict[tuple[str, ...], list[str]] = {}
        for kind, then in kinds.items():
            leads.setdefault(then, []).append(f"`{kind}`")
        may = "; ".join(f"{', '.join(names)} → {' or '.join(then)}" for then, names in leads.items())
        yield f"| {phase} | {MEANS[phase]} | {may or 'nothing'} |"


def bounds() -> Iterator[tuple[str, int | str, str]]:
    """Go through the bounds of the format: of what, how much, and the code for what lies beyond."""
    from pbem.kernel import ahead, frames
    from pbem.ledger import canon, chains, entries, fields, telling, tree
    from pbem.ledger.course import calls, state
    from pbem.referee import referee

    yield "bytes of a line, without its LF", canon.MAX_LINE, "FORM"
    yield "depth of a value", canon.MAX_DEPTH, "FORM"
    yield "a whole number, without its sign", f"{canon.MAX_INT:,} (2^53−1)", "FORM"
    numbers = (
        "numbers of entries, marks, indices, revisions, says; `ver`, `playouts`; `ref` of a seal, without its sign"
    )
    yield numbers, fields.MAX_NUMBER, "FORM"
    yield "hours, each separately", fields.MAX_HOURS, "FORM"
    yield "seats of a game, of a question", entries.MAX_SEATS, "FORM"
    yield "items of `agreed`", entries.MAX_SEATS + 1, "FORM"
    yield "`opts` in bytes of CJ", entries.MAX_OPTIONS, "FORM"
    yield "all `x:` fields of an entry together, in bytes of CJ", entries.MAX_EXTRA, "FORM"
    yield "letters of `event`", entries.MAX_EVENT, "FORM"
    yield "letters of `why` of an extend", fields.MAX_TEXT, "FORM"
    yield "dice, and names on lists, of all requests of one random event together", fields.MAX_DRAWN, "FORM"
    yield "sides of a die", fields.MAX_SIDES, "FORM"
    yield "places of a deal; items of `req`, `facts`, `opens`, `links`, `rolls`", fields.MAX_DRAWN, "FORM"
    yield (
        "a seat's part of one tell, with the public facts that it names written out, in bytes of CJ",
        telling.MAX_HEARD,
        "FORM",
    )
    yield "items of a deal's `path` (exactly)", entries.PATH, "FORM"
    yield "deals under one root", tree.LEAVES, "LINK"
    yield "links of `pub` and of a `priv` chain", chains.PUB_LENGTH, "LINK"
    yield "links of a `seat` chain", chains.SEAT_LENGTH, "LINK"
    yield "links of a `deal` and of an `anew` chain", chains.DEAL_LENGTH, "LINK"
    yield "mark of a `host` entry, above its minimum", calls.FAR, "ORDERING"
    yield "marks that an order is sent ahead", state.REACH, "SEEN"
    yield "lines of an order sent ahead", ahead.MOST, "ILLEGAL"
    yield "steps of the rules between two things that they need from outside", frames.MOST_STEPS, "FORM, in an audit"
    yield "questions in a row that plans answer, without an entry", referee.MOST_PLANNED, "the next one is asked"
    yield "random events in a row, without a tell", referee.MOST_EVENTS, "FORM, in an audit"


EXAMPLES = {
    ("TELL", "host"): "The host's fault",
    ("ILLEGAL", "host"): "The host's fault, in what a player sent",
    ("STRAY", "supplier"): "The supplier's",
    ("UNOPENED", "supplier"): "The supplier's, who left something out",
    ("DOUBLE", "ann"): "A player's",
    ("WITNESSED", "host"): "The host's, by other players' papers",
    ("DENIED", "ann"): "A claimant's",
}
"""For which codes the second half of what is said is shown, and what it is about."""
PARTIES = {
    "FORM": ("host", "supplier"),
    "CHAIN": ("supplier",),
    "HEADSIG": ("supplier",),
    "SIG": ("host", "supplier"),
    "LINK": ("host", "supplier"),
    "STRAY": ("supplier",),
    "UNOPENED": ("supplier",),
    "RULES": ("nobody",),
    "DOUBLE": ("ann",),
    "DENIED": ("ann",),
    "CARD": ("ann",),
}
"""Who can be at fault by a code, where it is not the host alone; as an example, ann."""
KINDS = {
    "FORK": "ask", "TIME": "ask", "EARLY": "rand", "RAND": "rand", "REQ": "rand", "SEALBIND": "rand", "STRAY": "rand",
    "TELL": "tell", "PLAN": "tell", "UNOPENED": "tell", "CHAIN": "tell", "HEADSIG": "tell", "FORM": "ask",
    "DROPPED": "skip", "WITNESSED": "skip", "DENIED": "say", "CARD": "turn",
}  # fmt: skip
"""The kind of entry in the example of a code, where it is no order."""


def _group(name: str, app: Any, table: dict[str, str]) -> Iterator[str]:
    """Go through the lines for an app: itself, then its commands."""
    from pbem.cli.commands import functions

    yield f"## {name}\n\n{_one_line(app.info.help)}\n"
    if app.registered_callback:
        yield from _parameters(app.registered_callback.callback)
    for command, function in functions(table).items():
        said = f"{name} {command}"
        yield f"### {said}\n\n{_one_line(function.__doc__)}\n"
        yield from _parameters(function, said)


def _one_line(text: object) -> str:
    return " ".join(str(text or "").split())


def _parameters(function: Any, name: str = "") -> Iterator[str]:
    """Go through the lines for a command's arguments and options, from the annotations that Typer reads."""
    hints = get_type_hints(function, include_extras=True)
    arguments, options = [], []
    for parameter in signature(function).parameters.values():
        if not (said := get_args(hints[parameter.name])):
            continue  # what Typer hands over by itself
        kind, info = said
        row = _about(info, parameter.default)
        if isinstance(info, ArgumentInfo):
            arguments.append((info.metavar or parameter.name.upper(), row))
        else:
            options.append((_option(parameter.name, kind, info), row))
    if name:
        yield f"    {' '.join([name, *(['[OPTIONS]'] if options else []), *(shown for shown, _ in arguments)])}\n"
    yield from (f"- `{shown}`: {row}" for shown, row in arguments + options)
    yield ""


def _option(name: str, kind: Any, info: OptionInfo) -> str:
    first = [info.default] if isinstance(info.default, str) else []  # in Annotated the first name lands there
    names = ", ".join([*first, *(info.param_decls or ())] or [f"--{name.replace('_', '-')}"])
    if kind in (bool, bool | None):
        return names
    kinds = {kind, *get_args(kind)}
    return f"{names} {info.metavar or ('NUMBER' if int in kinds else 'PATH' if Path in kinds else 'TEXT')}"


def _about(info: ArgumentInfo | OptionInfo, default: Any) -> str:
    said = _one_line(info.help).rstrip(".")
    more = [f"default: `{info.envvar}`"] if info.envvar else []
    if default is Parameter.empty:
        more += ["required"] if isinstance(info, OptionInfo) else []
    elif default not in (None, "", False, True) or type(default) is int:
        more.append(f"default: `{str(default).replace(str(Path.home()), '~')}`")
    whole = f"{said} ({', '.join(more)})" if more else said
    return whole if whole.endswith("?") else f"{whole}."


def architecture_page() -> str:
    """Return the page of the architecture with its floors, and what each part may import, as the test of the rings has them."""
    sys.path.insert(0, str(DOCS.parent))
    from tests.project.rings import MAY_IMPORT, floors

    drawn = [
        "```",
        *(" · ".join(floor) for floor in reversed(floors())),
        "```",
        "",
        "| part | may import |",
        "|---|---|",
    ]
    parts = (part for floor in reversed(floors()) for part in floor)
    drawn += [f"| `{part}` | {', '.join(sorted(MAY_IMPORT[part])) or 'nothing of pbem'} |" for part in parts]
    return _made_part(ARCHITECTURE.read_text("utf-8"), "rings", "\n".join(drawn))


def pairs_page() -> str:
    """Return the page of pairs with its table: what is accepted, or refused by which code, while something else waits."""
    table = tomllib.loads((DOCS.parent / "tests" / "attacks" / "pairs.toml").read_text("utf-8"))
    acts = [name for name in table["acts"] if name != "kept"]
    made = [f"| waits ↓, then → | {' | '.join(acts)} |", f"|{'---|' * (len(acts) + 1)}"]
    for first in table["acts"]:
        refused = table["refused"].get(first, {})
        made.append(f"| {first} | {' | '.join(refused.get(then, 'yes') for then in acts)} |")
    made += ["", *(f"- **{name}**: {about}." for name, about in table["acts"].items())]
    return _made_part(PAIRS.read_text("utf-8"), "pairs", "\n".join(made))


def engine_page() -> str:
    """Return the page of the engine with its requests, as their models have them."""
    from pbem.engine.requests import REQUESTS

    made = []
    for name, model in REQUESTS.items():
        fields = {field: info for field, info in model.model_fields.items() if field not in ("id", "do")}
        needed = [f"`{field}`" for field, info in fields.items() if info.is_required()]
        free = [f"`{field}`" for field, info in fields.items() if not info.is_required()]
        takes = " and ".join(filter(None, (", ".join(needed), f"optional {', '.join(free)}" if free else "")))
        made.append(f"- `{name}`{f' with {takes}' if takes else ''}: {_one_line(model.__doc__)}")
    return _made_part(ENGINE.read_text("utf-8"), "requests", "\n".join(made))


def rows_page(name: str) -> str:
    """Return a page with its tables: for each row of tests/rows.toml the names of its tests, what more they say, and guards."""
    sys.path.insert(0, str(DOCS.parent))
    from tests.rows import tables

    page = (REFERENCE / f"{name}.md").read_text("utf-8")
    for section, rows in tables()[name].items():
        guarded = name == "attacks"
        made = ["| test | details | guard |", "|---|---|---|"] if guarded else ["| test | details |", "|---|---|"]
        for row in rows:
            tests = "; ".join(f"[{proof.in_words}](../../tests/{proof.file})" for proof in row)
            made.append(f"| {tests} | {row[0].text} |" + (f" {_guards_of(row)} |" if guarded else ""))
        page = _made_part(page, section, "\n".join(made))
    return page


def _guards_of(row: Row) -> str:
    """Name the guards of a row's tests, those of one module together."""
    from tests.guards import guards

    of_modules: dict[str, list[str]] = {}
    for proof in row:
        for place in (guard.place for guard in guards() if guard.proves(proof)):
            module, _colon, function = place.partition(": ")
            if function not in of_modules.setdefault(module, []):
                of_modules[module].append(function)
    return ", ".join(f"`{': '.join(filter(None, (module, ', '.join(of))))}`" for module, of in of_modules.items())


TESTS_HEAD = """\
# Tests

This page is made from the files (`make docs`). `make test` runs what is not marked slow, `make test-all` everything;
[CONTRIBUTING](../CONTRIBUTING.md) says which test is slow. A file `test_….py` holds tests of one subject, and no other file
imports it. What several of them use lies in files with plain names, the helpers below. `conformance` is the suite that every game
must pass, `golden` holds recorded games and texts, `world` plays a host and all around it from a seed.

| helper | what it is for |
|---|---|
"""


def tests_page() -> str:
    """Return the page of what tests share: each helper with the first sentence of its docstring."""
    root = TESTS.parent
    rows = []
    for path in sorted(root.rglob("*.py")):
        if path.name.startswith(("test_", "__")) or "golden" in path.parts:
            continue
        first = re.split(r"(?<=[.;]) |\n", ast.get_docstring(ast.parse(path.read_text("utf-8"))) or "")[0].rstrip(".:;")
        rows.append(f"| `{path.relative_to(root)}` | {first} |")
    return TESTS_HEAD + "\n".join(rows) + "\n"


PAGES: dict[Path, Callable[[], str]] = {
    COMMANDS: commands_page,
    ORDERS: orders_page,
    SETTINGS: settings_page,
    TEMPLATES_PAGE: templates_page,
    VERDICTS: verdicts_page,
    FORMAT: format_page,
    BLOCK: block_page,
    REGISTER: register_page,
    MAIL: mail_page,
    PLANS: plans_page,
    SIMULATOR: simulator_page,
    DOOR: door_page,
    FACTS: facts_page,
    ARCHITECTURE: architecture_page,
    **{REFERENCE / f"{name}.md": partial(rows_page, name) for name in ("faults", "attacks", "points-of-a-turn")},
    PAIRS: pairs_page,
    ENGINE: engine_page,
    TESTS: tests_page,
}


def main(arguments: list[str]) -> int:
    """Do what is asked for; return the exit code."""
    match arguments:
        case ["pages"]:
            for page, made in PAGES.items():
                page.write_text(made(), "utf-8")
            return 0
        case ["pages", "--check"]:
            stale = [
                str(page.relative_to(DOCS.parent)) for page, made in PAGES.items() if page.read_text("utf-8") != made()
            ]
            if stale:
                print(f"Not as the program is: {', '.join(stale)}. “make docs” writes them.", file=sys.stderr)
            return 1 if stale else 0
    print(__doc__, file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
