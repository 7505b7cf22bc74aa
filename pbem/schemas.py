"""The JSON Schemas under `schemas/`, generated from the models: the possible content of a log, a verdict, a view, an order.

``python -m pbem.schemas`` writes them; ``python -m pbem.schemas --check`` lists those that differ from the models. There are:

- for every log: `log-line` and `verdict`;
- for logs of two: `peer-line`;
- for a host's register: `register-line`;
- for papers that accompany a log: `paper`;
- for `pbem engine`: `engine-request`;
- for the page: `page-calls`;
- for each game found: `<game>-view`, `<game>-orders` and `<game>-options`;
- for games with typed facts: `<game>-facts`;
- for games with positions in words: `<game>-position`.

Nothing here names a game: its orders are those that its package defines.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import reduce
from operator import or_
from pathlib import Path
from typing import Annotated, Any

import typer
from pydantic import TypeAdapter

from pbem.engine.requests import Request
from pbem.games import GamePack, find, known
from pbem.kernel import Happening, Order
from pbem.ledger import Verdict
from pbem.ledger.modes import OF_TWO, WITH_HOST
from pbem.ledger.register import json_schema as register_schema
from pbem.ledger.sealed import json_schema as paper_schema
from pbem.ledger.verifier.verdict import CODES
from pbem.page.listing import json_schema as page_schema
from pbem.resources import folder

DIALECT = "https://json-schema.org/draft/2020-12/schema"


def log_line() -> dict[str, Any]:
    """Return the schema of one line of a log, an entry or an attachment."""
    return {"$schema": DIALECT, **WITH_HOST.schema()}


def register_line() -> dict[str, Any]:
    """Return the schema of one line of a host's register."""
    return {"$schema": DIALECT, **register_schema()}


def verdict() -> dict[str, Any]:
    """Return the schema of what `pbem verify --json` and `pbem audit --json` print."""
    made = TypeAdapter(Verdict).json_schema() | {"title": "the verdict of a check"}
    made["properties"]["code"]["anyOf"][0]["enum"] = sorted(CODES)
    # what `pbem audit --mails` says beside it, of mails behind kept seats, and `--players`, of seats that built-in players fill and
    # of what the host did for them
    return {"$schema": DIALECT, **made, "properties": made["properties"] | {
        "built_in": {"type": "object", "additionalProperties": {
            "type": "object", "required": ["player", "his", "not_his", "unknown"],
            "properties": {"player": {"type": "string"}} | {key: {"type": "integer"} for key in ("his", "not_his", "unknown")},
        }},
        "mails": {"type": "array", "items": {
            "type": "object", "required": ["entry", "seat", "digest", "read"],
            "properties": {
                "entry": {"type": "integer"}, "seat": {"type": "string"},
                "digest": {"enum": ["fits", "differs", "missing"]},
                "read": {"enum": ["same", "differs", "cannot be told", "not read"]},
            },
        }},
        "by_host": {"type": "array", "items": {
            "type": "object", "required": ["entry", "seat", "what"],
            "properties": {
                "entry": {"type": "integer"}, "seat": {"type": "string"}, "order": {"type": "string"}, "wanted": {"type": "string"},
                "what": {"enum": ["skip", "late", "key", "said", "ahead", "move"]},
            },
        }},
    }}  # fmt: skip


def engine_request() -> dict[str, Any]:
    """Return the schema of a line that `pbem engine` reads."""
    made: TypeAdapter[Any] = TypeAdapter(Request)
    return {"$schema": DIALECT, **made.json_schema(), "title": "a request to the engine"}


def page_calls() -> dict[str, Any]:
    """Return the schema of what a page asks the desk's service, and is answered."""
    return {"$schema": DIALECT, **page_schema(), "title": "the calls of the desk's service, by name"}


def of_game(pack: GamePack) -> dict[str, dict[str, Any]]:
    """Return the schemas of a game's view, orders and options, of its facts and positions where it tells, by file name."""
    rules = pack.rules
    orders: TypeAdapter[Any] = TypeAdapter(reduce(or_, order_models(pack)))
    made = {
        "view": (rules.view_model.model_json_schema(), "what a seat, or the public, may know"),
        "orders": (orders.json_schema(), "an order"),
        "options": (rules.options_model.model_json_schema(), "the options"),
    }
    if pack.look.facts is not None:
        made["facts"] = (facts(pack.look.facts), "a fact")
    if pack.positions is not None:
        made["position"] = (pack.positions.schema(), "a position as JSON")
    return {
        f"{rules.id}-{name}": {"$schema": DIALECT, **schema, "title": f"{rules.title}: {title}"}
        for name, (schema, title) in made.items()
    }


def facts(base: type[Happening]) -> dict[str, Any]:
    """Return the schema of a game's facts, of every kind that derives from its `base`. A fact may lack the fields that a reader may
    not know."""
    kinds = base.kinds()
    refs, made = TypeAdapter.json_schemas([(name, "validation", TypeAdapter(kind)) for name, kind in kinds.items()])
    for name, kind in kinds.items():
        schema = made["$defs"][kind.__name__]
        schema["properties"] = {"f": {"const": name}, **schema["properties"]}
        schema["required"] = ["f", *schema.get("required", [])]
    return {"anyOf": list(refs.values()), **made}


def order_models(pack: GamePack) -> list[type[Order]]:
    """Return the kinds of orders that a game's package defines, by name."""

    def below(model: type[Any]) -> Iterator[type[Order]]:
        for kind in model.__subclasses__():
            if kind.__subclasses__():
                yield from below(kind)
            elif kind.__module__.startswith(f"{pack.package}."):
                yield kind

    return sorted(set(below(Order)), key=lambda kind: kind.__name__)


def all_schemas() -> dict[str, str]:
    """Return every schema file's content by file name."""
    schemas = {
        "log-line": log_line(),
        "register-line": register_line(),
        "paper": {"$schema": DIALECT, **paper_schema()},
        "peer-line": {"$schema": DIALECT, **OF_TWO.schema()},
        "verdict": verdict(),
        "engine-request": engine_request(),
        "page-calls": page_calls(),
    }
    for game in known():
        schemas |= of_game(find(game))
    return {
        f"{name}.schema.json": json.dumps(schema, indent=1, ensure_ascii=False, sort_keys=True) + "\n"
        for name, schema in sorted(schemas.items())
    }


def drift(place: Path) -> list[str]:
    """Return the names of the files in `place` that are missing, other than generated, or no longer generated."""
    made = all_schemas()
    there = {path.name: path.read_text("utf-8") for path in place.glob("*.schema.json")}
    return sorted(name for name in made.keys() | there.keys() if made.get(name) != there.get(name))


def _main(
    check: Annotated[
        bool, typer.Option("--check", help="Write nothing; fail when a file is not as generated.")
    ] = False,
) -> None:
    """Write the JSON Schemas, or check that they are as the models are."""
    place = folder("schemas")
    stale = drift(place)
    if check:
        if stale:
            typer.echo(f"Not as the models are: {', '.join(stale)}. “make schemas” writes them.", err=True)
            raise typer.Exit(1)
        return
    made = all_schemas()
    for name in stale:
        if name in made:
            (place / name).write_text(made[name], "utf-8")
        else:
            (place / name).unlink()
        typer.echo(f"{place.name}/{name}")


if __name__ == "__main__":
    typer.run(_main)
