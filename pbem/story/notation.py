"""The full notation of a game: its rules and options, then every decision, die and card, a line each.

It has two forms with the same content: text for people, and JSON Lines for programs. Nobody signs either.
`docs/reference/notation.md` has the grammar; `written` and `as_json_lines` write a game, and `read` reads both forms.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, Literal, NamedTuple, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from pbem.errors import FormError
from pbem.i18n import _
from pbem.i18n.misfits import misfit, place
from pbem.kernel import Json

FIRST = "pbem-notation/1"
"""The first line of the text form; the first object of JSON Lines has it in its field `format`."""
LARGEST, MOST_LINES, DEEPEST = 8_000_000, 200_000, 32
"""The bounds of a file: bytes, lines, and how deep its JSON is nested."""
MAX_NUMBER = 1_000_000
_PLAN, _MORE = "    PLAN ", "    "
_LINE = re.compile(r"(?:(?P<n>[0-9]{1,7}) )?(?P<k>[a-z]+)(?: (?P<to>(?:(?!:(?: |$)).)*))?(?:: ?(?P<says>.*))?")
NOTES = ("say", "player", "rekey", "another host", "extend", "pledge", "plan")
"""The facts that a note may have, which no rules tell: players' statements and changes of hands; of two, their pledged plans."""

Word = Annotated[str, Field(max_length=100)]
Text = Annotated[str, Field(max_length=20_000)]
Number = Annotated[int, Field(ge=0, le=MAX_NUMBER)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class _Line(_Strict):
    n: Number | None = None
    """The entry of the log; without it, lines are counted."""


class RollLine(_Line):
    """What chance gave: all dice, or all cards in order. null is a card that nobody knows."""

    k: Literal["roll"] = "roll"
    chain: Word = ""
    res: list[int | Word | None]


class OrderLine(_Line):
    """A seat's answer with its plans; `ahead` if it was signed before the question."""

    k: Literal["order", "ahead"] = "order"
    seat: Word
    order: Text
    plans: Text = ""


class SkipLine(_Line):
    """A seat gets its default answer."""

    k: Literal["skip"] = "skip"
    seat: Word
    why: Word = "due"


class TellLine(_Line):
    """Everybody is told what happened; `state` begins the fingerprint of the position."""

    k: Literal["tell"] = "tell"
    state: Word = ""


class AskLine(_Line):
    """A question is put."""

    k: Literal["ask"] = "ask"
    to: list[Word] = []
    what: Word = ""


class ChangeLine(_Line):
    """Something that no rules decide (`pbem.referee.referee.changes`)."""

    k: Literal["change"] = "change"
    change: dict[Word, Any]


class RulesLine(_Line):
    """The game continues by another version of its rules."""

    k: Literal["rules"] = "rules"
    game: Word
    ver: Number
    sha256: Word = ""


class NoteLine(_Line):
    """A fact that no rules tell, such as a statement of a player."""

    k: Literal["note"] = "note"
    fact: dict[Word, Text | int]


Line: TypeAlias = RollLine | OrderLine | SkipLine | TellLine | AskLine | ChangeLine | RulesLine | NoteLine


class LogNamed(_Strict):
    """The log from which a notation was written, as the writer claims: the game's id, the last entry and its hash."""

    id: Word
    n: Number
    head: Word


class GameHead(_Strict):
    """The rules and options of a game, and the source of its notation."""

    format: Literal["pbem-notation/1"] = "pbem-notation/1"
    game: Word
    ver: Number = 0
    """The version of the rules; 0: those that are installed."""
    sha256: Word = ""
    options: dict[Word, Any] = {}
    log: LogNamed | None = None
    host: Literal["", "none"] = ""
    """“none”: a game of two that was played without a host."""
    source: Annotated[str, Field(max_length=200)] = ""
    """Where the game was played, in words."""


class Notation(NamedTuple):
    """A game in full notation. `places` has the line of the file of each line, for messages."""

    head: GameHead
    lines: Sequence[Line]
    places: Sequence[int] = ()

    def place(self, no: int) -> int:
        """Return the line of the file of the line with this index; behind the last, the last."""
        return self.places[min(no, len(self.places) - 1)] if self.places else no + 1


_HEAD = TypeAdapter(GameHead)
_LINES: TypeAdapter[Line] = TypeAdapter(Annotated[Line, Field(discriminator="k")])


def unsigned() -> str:
    """Return the mark of everything that is made from a notation."""
    return _("Unsigned: this game comes from a notation, and nobody has signed it. Its dice and orders prove nothing.")


# Writing


def written(game: Notation) -> str:
    """Return a game in the text form."""
    head = game.head
    lines = [FIRST, f"game: {head.game} {head.ver} {head.sha256}".rstrip(), f"options: {_json(head.options)}"]
    if head.log:
        lines.append(f"log: {head.log.id} {head.log.n} {head.log.head}")
    if head.host:
        lines.append(f"host: {head.host}")
    if head.source:
        lines.append(f"source: {head.source}")
    for line in game.lines:
        lines += _text(line)
    return "\n".join(lines) + "\n"


def as_json_lines(game: Notation) -> str:
    """Return a game in JSON Lines."""
    rows = [game.head.model_dump(exclude_defaults=True, mode="json") | {"format": game.head.format}]
    rows += [line.model_dump(exclude_defaults=True, mode="json") | {"k": line.k} for line in game.lines]
    return "".join(f"{_json(row)}\n" for row in rows)


def _json(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


def _text(line: Line) -> Iterator[str]:
    n = "" if line.n is None else f"{line.n} "
    match line:
        case OrderLine():
            first, *more = line.order.split("\n")
            yield f"{n}{line.k} {line.seat}: {first}".rstrip(" ")
            yield from (f"{_MORE}{one}" for one in more)
            yield from (f"{_PLAN}{one}" for one in line.plans.split("\n") if one)
        case RollLine():
            yield f"{n}roll {line.chain}".rstrip() + f": {_json(line.res)}"
        case SkipLine():
            yield f"{n}skip {line.seat}: {line.why}"
        case TellLine():
            yield f"{n}tell: {line.state}" if line.state else f"{n}tell"
        case AskLine():
            to = " ".join(["ask", *line.to])
            yield f"{n}{to}: {line.what}" if line.what else f"{n}{to}"
        case ChangeLine():
            yield f"{n}change: {_json(line.change)}"
        case RulesLine():
            yield f"{n}rules: {line.game} {line.ver} {line.sha256}".rstrip()
        case NoteLine():
            yield f"{n}note: {_json(line.fact)}"


# Reading


def looks_like(data: bytes) -> bool:
    """Return whether a file begins like a game in full notation, of either form."""
    first = data.lstrip(b"\xef\xbb\xbf").lstrip().split(b"\n", 1)[0].strip()
    return first == FIRST.encode() or (first.startswith(b"{") and b'"pbem-notation/1"' in first)


def read(data: bytes) -> Notation:
    """Return the game of a file in either form. Raises FormError, which names the line and what would fit there."""
    if len(data) > LARGEST:
        raise FormError(_("a notation has at most {most} bytes, not {n}", most=LARGEST, n=len(data)))
    try:
        rows = data.decode("utf-8-sig").splitlines()
    except UnicodeDecodeError as error:
        raise FormError(_("this is not UTF-8 text")) from error
    if len(rows) > MOST_LINES:
        raise FormError(_("a notation has at most {most} lines, not {n}", most=MOST_LINES, n=len(rows)))
    numbered = [(no, row) for no, row in enumerate(rows, 1) if row.strip() and not row.startswith("#")]
    if numbered and numbered[0][1].lstrip().startswith("{"):
        return _of_json(numbered)
    if not numbered or numbered[0][1].strip() != FIRST:
        raise FormError(_("its first line is neither “{first}” nor an object with that “format”", first=FIRST))
    return _of_text(numbered[1:])


def _of_json(rows: Sequence[tuple[int, str]]) -> Notation:
    (first, text), *rest = rows
    head = _fit(_HEAD, _parsed(first, text), first)
    return Notation(head, [_fit(_LINES, _parsed(no, row), no) for no, row in rest], [no for no, _row in rest])


def _of_text(rows: Sequence[tuple[int, str]]) -> Notation:
    head: dict[str, Json] = {}
    found: list[tuple[int, dict[str, Json]]] = []
    for no, row in rows:
        if row.startswith(_MORE):
            if not found or "order" not in found[-1][1]:
                raise _wrong(no, _("an indented line continues an order, but the line above has none"))
            last = found[-1][1]
            name, text = ("plans", row.removeprefix(_PLAN)) if row.startswith(_PLAN) else ("order", row[len(_MORE) :])
            last[name] = f"{last[name]}\n{text}" if last[name] or name == "order" else text
            continue
        line = _LINE.fullmatch(row.rstrip())
        if line is None:
            raise _wrong(no, _("“{row}” should be one of: {words}", row=row[:60], words=_words()))
        if line["k"] in ("game", "options", "log", "host", "source") and line["n"] is None and not found:
            head |= _of_head(no, line["k"], line["says"] or "")
        else:
            number = {} if line["n"] is None else {"n": int(line["n"])}
            found.append((no, number | _fields(no, line["k"], (line["to"] or "").split(), line["says"] or "")))
    if not head.get("game"):
        raise FormError(_("it does not say which game: write “game: ID VERSION” below the first line"))
    made = _fit(_HEAD, head, 2)
    return Notation(made, [_fit(_LINES, fields, no) for no, fields in found], [no for no, _fields in found])


def _of_head(no: int, k: str, says: str) -> dict[str, Json]:
    words = says.split()
    match k, words:
        case "game", [game, *more] if len(more) <= 2:
            ver, sha256 = [*more, *("0", "")[len(more) :]]
            return {"game": game, "ver": _number(no, ver), "sha256": sha256}
        case "options", _:
            return {"options": _parsed(no, says)}
        case "log", [game, n, head]:
            return {"log": {"id": game, "n": _number(no, n), "head": head}}
        case (("host" | "source"), _):
            return {k: says}
    raise _wrong(
        no,
        _(
            "“{row}” does not fit: the head has game: ID VERSION, options: {{}}, log: ID N HASH, host: none, source: TEXT",
            row=f"{k}: {says[:60]}",
        ),
    )


def _fields(no: int, k: str, to: Sequence[str], says: str) -> dict[str, Json]:
    """Return the fields of a line of text, as JSON Lines have them."""
    match k, to:
        case "roll", ([] | [_]):
            return {"k": k, "chain": to[0] if to else "", "res": _parsed(no, says)}
        case (("order" | "ahead"), [seat]):
            return {"k": k, "seat": seat, "order": says, "plans": ""}
        case "skip", [seat]:
            return {"k": k, "seat": seat, **({"why": says} if says else {})}
        case "tell", []:
            return {"k": k, "state": says}
        case "ask", _:
            return {"k": k, "to": list(to), "what": says}
        case ("change", []):
            return {"k": k, "change": _parsed(no, says)}
        case ("note", []):
            return {"k": k, "fact": _parsed(no, says)}
        case "rules", [] if 2 <= len(words := says.split()) <= 3:
            return {"k": k, "game": words[0], "ver": _number(no, words[1]), "sha256": [*words, ""][2]}
    raise _wrong(no, _("“{row}” should be one of: {words}", row=" ".join([k, *to])[:60], words=_words()))


def _words() -> str:
    return "roll CHAIN: [1, 2], order SEAT: TEXT, ahead SEAT: TEXT, skip SEAT, ask, tell, change: {}, rules: GAME VERSION, note: {}"


def _number(no: int, text: str) -> int:
    if not re.fullmatch("[0-9]{1,7}", text):
        raise _wrong(no, _("“{text}” is not a number", text=text[:60]))
    return int(text)


def _parsed(no: int, text: str) -> Json:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise _wrong(no, _("“{text}” is not JSON", text=text[:60])) from error
    if _depth(value) > DEEPEST:
        raise _wrong(no, _("its JSON is nested more than {most} deep", most=DEEPEST))
    return value


def _depth(value: Json) -> int:
    level, depth = [value], 0
    while level and depth <= DEEPEST:
        inner = [one for one in level if isinstance(one, (dict, list))]
        level = [part for one in inner for part in (one.values() if isinstance(one, dict) else one)]
        depth += 1
    return depth


def _fit(form: TypeAdapter[Any], value: Json, no: int) -> Any:
    try:
        made = form.validate_python(value)
    except ValidationError as error:
        said: Mapping[str, Any] = error.errors()[0]
        schema = form.json_schema()
        raise _wrong(no, f"{place(said, schema) or _('the line')}: {misfit(said, schema)}") from error
    if isinstance(made, NoteLine) and made.fact.get("f") not in NOTES:
        raise _wrong(no, _("the “f” of a note is one of {words}", words=", ".join(NOTES)))
    return made


def _wrong(no: int, why: str) -> FormError:
    return FormError(_("line {no}: {why}", no=no, why=why))
