"""Reads plans: from what a player typed to clauses, with every bad line named. It sees no position."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Literal, cast

from pbem.errors import OrderError, Problem
from pbem.i18n import N_
from pbem.kernel import Line, Names, read_each

from ..questions.question import arrow_lines, find_area, find_block, words
from ..rules.said import _
from .clauses import (
    ALL,
    ANY,
    NEW,
    STAY,
    WEAKEST,
    Asking,
    BattleClause,
    BuildClause,
    Clause,
    Condition,
    Home,
    Leader,
    Listing,
    Part,
    Target,
)

MOST_DRAWS = 9
EXAMPLE = "PLAN BATTLE Lanark: RETREAT Lennox, Carrick IF ROUND 3; FIGHT; HITS Douglas, ANY; REGROUP STAY"


def read_plans(text: str) -> str:
    """Return the canonical text of typed plans. Raises OrderError with all bad lines."""
    found, problems = read_each(arrow_lines(text), _read_clause)
    subjects = [_subject(clause) for clause in found]
    for i, clause in enumerate(found):
        if subjects[i] in subjects[:i]:
            first = found[subjects.index(subjects[i])]
            problems.append(Problem(0, str(clause), _("there are two plans for the same"), legal=f"PLAN {first}"))
    if problems:
        raise OrderError(*problems)
    return "\n".join(map(str, found))


@lru_cache(maxsize=256)
def clauses(canonical: str) -> tuple[Clause, ...]:
    """Return the clauses of a canonical text."""
    return tuple(_read_clause(Line(no, text)) for no, text in enumerate(canonical.splitlines(), 1))


def subjects(canonical: str) -> list[str]:
    """Return what each clause of a canonical text is for: two for the same are refused."""
    return [_subject(clause) for clause in clauses(canonical)]


def _subject(clause: Clause) -> str:
    match clause:
        case BattleClause():
            return clause.head
        case Listing():
            return clause.verb
        case Home():
            return f"HOME {clause.block}"
        case Leader():
            return clause.block
        case BuildClause():
            return f"BUILD {clause.area}"
        case Asking():
            return "ASK"


def _read_clause(line: Line) -> Clause:
    verb, _blank, rest = line.text.partition(" ")
    if verb.upper() == "PLAN":
        verb, _blank, rest = rest.partition(" ")
    try:
        found = _VERBS.find(verb, line)
    except OrderError:
        if ":" not in line.text:
            raise
        return _read_battle(line, f"{verb} {rest}".strip())  # "PLAN Lanark: FIGHT"
    return _READERS[found](line, rest.strip())


# battles


def _read_battle(line: Line, text: str) -> BattleClause:
    where, colon, rest = text.partition(":")
    role = re.search(r"\s+(ATTACKING|DEFENDING)$", where, re.IGNORECASE)
    name = where[: role.start()] if role else where
    if not colon or not rest.strip():
        raise line.refusal(_("a plan for a battle names an area, and what to do there"), EXAMPLE)
    parts: list[Part] = []
    hits: tuple[str, ...] = ()
    regroup: tuple[Target, ...] | None = None
    for text in filter(None, (part.strip() for part in rest.split(";"))):
        verb, _blank, names = text.partition(" ")
        if verb.upper() == "HITS" and not hits:
            hits = _names(line, names, (ANY,), "PLAN BATTLE Lanark: HITS Douglas, ANY")
        elif verb.upper() == "REGROUP" and regroup is None:
            regroup = _read_regroup(line, names)
        else:
            parts += _read_part(line, text)
    if not parts and not hits and regroup is None:
        raise line.refusal(_("a plan for a battle names an area, and what to do there"), EXAMPLE)
    always = [part for part in parts if part.action == "FIGHT" and not part.blocks]
    if len(always) > 1:
        raise line.refusal(_("FIGHT stands there twice"), EXAMPLE)
    # what is said of some blocks comes first, and FIGHT last: else the others would never speak
    parts.sort(key=lambda part: (not part.blocks, part in always))
    return BattleClause(
        _area(line, name),
        cast('Literal["ATTACKING", "DEFENDING"]', role[1].upper()) if role else "",
        tuple(parts),
        hits,
        regroup,
    )


_IF, _OR, _TO = (re.compile(words, re.IGNORECASE) for words in (r"\b(?:IF|WHEN)\b", r"\s+OR\s+", r"^TO\s+"))
_PART = re.compile(r"(|.+?\s+)(FIGHT|FIRE|RETREAT)\b\s*(.*)", re.IGNORECASE)
_ROUNDS = re.compile(r"(\d{1,2})\s*ROUNDS?\s*(?:,?\s*THEN\s+RETREAT(?:\s+TO)?\s+(.+))?", re.IGNORECASE)


def _read_part(line: Line, text: str) -> list[Part]:
    found = _PART.fullmatch(text)
    if not found:
        raise line.refusal(_("“{text}” is no part of a plan for a battle", text=text), EXAMPLE)
    who, action, rest = found[1], found[2].upper(), found[3].strip()
    blocks = tuple(find_block(word, line) for word in words(who))
    if action == "RETREAT":
        return [_read_retreat(line, blocks, rest)]
    if not rest:
        return [Part("FIGHT", blocks)]
    rounds = _ROUNDS.fullmatch(rest)
    places = _areas(line, rounds[2]) if rounds and rounds[2] else ()
    if not rounds or not places or not 1 <= int(rounds[1]) <= 2:
        raise line.refusal(
            _("“{text}” is not clear", text=text),
            "PLAN BATTLE Lanark: FIGHT 2 ROUNDS, THEN RETREAT Lennox, Carrick",
        )
    # the same in the words of RETREAT: from the round after on
    return [Part("RETREAT", blocks, places, (Condition("ROUND", int(rounds[1]) + 1),)), Part("FIGHT", blocks)]


def _read_retreat(line: Line, blocks: tuple[str, ...], text: str) -> Part:
    where, *rest = _IF.split(_TO.sub("", text), maxsplit=1)
    conditions = [_read_condition(line, said) for said in _OR.split(rest[0].strip())] if rest else []
    places = _areas(line, where)
    if not places:
        raise line.refusal(_("where to retreat is missing"), "PLAN BATTLE Lanark: RETREAT Lennox, Carrick IF ROUND 2")
    return Part("RETREAT", blocks, places, tuple(conditions))


_CONDITIONS = "PLAN BATTLE Lanark: RETREAT Lennox IF ROUND 2 OR ODDS BELOW 1:2 OR LOST 3 OR Wallace BELOW 2"


def _read_condition(line: Line, text: str) -> Condition:
    said = text.strip()
    if found := re.fullmatch(r"ROUND\s+([1-3])", said, re.IGNORECASE):
        return Condition("ROUND", int(found[1]))
    if found := re.fullmatch(r"LOST\s+([1-9]\d?)(?:\s+STEPS?)?", said, re.IGNORECASE):
        return Condition("LOST", int(found[1]))
    if found := re.fullmatch(r"ODDS\s+(?:BELOW\s+)?([1-9]\d?)\s*:\s*([1-9]\d?)", said, re.IGNORECASE):
        return Condition("ODDS", int(found[1]), int(found[2]))
    if found := re.fullmatch(r"(.+?)\s+BELOW\s+([1-4])", said, re.IGNORECASE):
        return Condition("BELOW", int(found[2]), block=find_block(found[1], line))
    raise line.refusal(_("“{said}” is no condition", said=said), _CONDITIONS)


def _read_regroup(line: Line, text: str) -> tuple[Target, ...]:
    if text.upper() == STAY:
        return ()
    found: list[Target] = []
    waiting: list[str] = []
    for part in words(text):
        name, arrow, to = part.partition(">")
        waiting.append(ALL if name.strip().upper() == ALL else find_block(name.strip(), line))
        if arrow:
            found += [Target(block, find_area(to.strip(), line)) for block in waiting]
            waiting = []
    if waiting or not found:
        raise line.refusal(
            _("a regroup is STAY, or names blocks and places"),
            "PLAN BATTLE Lanark: REGROUP Wallace > Lennox, ALL > Carrick",
        )
    return tuple(found)


# the rest


def _area(line: Line, word: str) -> str:
    return ANY if word.strip().upper() in (ANY, "ANYWHERE", "ALL") else find_area(word.strip(), line)


def _areas(line: Line, text: str) -> tuple[str, ...]:
    return tuple(find_area(word, line) for word in words(text))


def _names(
    line: Line, text: str, special: Sequence[str], example: str, find: Callable[[str, Line], str] = find_block
) -> tuple[str, ...]:
    found = tuple(word.upper() if word.upper() in special else find(word, line) for word in words(text))
    if not found:
        raise line.refusal(_("names are missing"), example)
    if twice := [name for name in found if found.count(name) > 1]:
        raise line.refusal(_("{name} stands there twice", name=twice[0]), example)
    return found


def _listing(
    verb: Literal["NEXT", "RAID", "GAINS", "KEEP", "DISBAND"], special: Sequence[str]
) -> Callable[[Line, str], Clause]:
    find = find_area if verb == "NEXT" else find_block
    first = {"NEXT": "Lanark", "RAID": "York Infantry"}.get(verb, "Wallace")
    example = f"PLAN {verb} {', '.join([first, *special])}"
    return lambda line, text: Listing(verb, _names(line, text, special, example, find))


def _read_home(line: Line, text: str) -> Home:
    name, arrow, rest = text.partition(">")
    places = [word.strip() for word in _OR.split(rest)]
    if not arrow or not all(places):
        raise line.refusal(_("a block and where it goes in winter are wanted"), "PLAN HOME Bruce > Annan OR Carrick")
    special = (STAY, "DISBAND")
    return Home(
        find_block(name.strip(), line),
        tuple(word.upper() if word.upper() in special else find_area(word, line) for word in places),
    )


_ACTIONS = Names(("STAYS", "GOES"), N_("word"))


def _leader(block: Literal["EDWARD", "WALLACE"]) -> Callable[[Line, str], Clause]:
    def read(line: Line, text: str) -> Leader:
        return Leader(block, cast('Literal["STAYS", "GOES"]', _ACTIONS.find(text, line)))

    return read


_BUILD = re.compile(
    r"(?:DRAW\s+(\d|ALL)(?:\s*,?\s*LAND\s+(.+?))?(?:\s*,?\s*THEN\s+|\s*,\s*)?)?(?:STRENGTHEN\s+(.+))?|NOTHING",
    re.IGNORECASE,
)


def _read_build(line: Line, text: str) -> BuildClause:
    where, colon, rest = text.partition(":")
    found = _BUILD.fullmatch(rest.strip())
    if not colon or not rest.strip() or not found:
        raise line.refusal(_("what to build is not clear"), "PLAN BUILD Fife: DRAW 2, STRENGTHEN Wallace, NEW, WEAKEST")
    draws = MOST_DRAWS if (found[1] or "").upper() == ALL else int(found[1] or 0)
    # without a draw nobody lands, and the clause could not be read again
    coasts = tuple(find_area(word.strip(), line) for word in _OR.split(found[2])) if found[2] and draws else ()
    names = _names(line, found[3], (NEW, WEAKEST), "PLAN BUILD ANY: STRENGTHEN NEW, WEAKEST") if found[3] else ()
    return BuildClause(_area(line, where), draws, names, coasts)


def _read_asking(line: Line, text: str) -> Asking:
    return Asking(
        cast('Literal["ALWAYS", "WHEN IT MATTERS"]', Names(("ALWAYS", "WHEN IT MATTERS"), N_("word")).find(text, line))
    )


_READERS: dict[str, Callable[[Line, str], Clause]] = {
    "BATTLE": _read_battle,
    "NEXT": _listing("NEXT", (ANY,)),
    "RAID": _listing("RAID", (WEAKEST,)),
    "GAINS": _listing("GAINS", (WEAKEST,)),
    "KEEP": _listing("KEEP", (ANY,)),
    "DISBAND": _listing("DISBAND", ()),
    "HOME": _read_home,
    "EDWARD": _leader("EDWARD"),
    "WALLACE": _leader("WALLACE"),
    "BUILD": _read_build,
    "ASK": _read_asking,
}
_VERBS = Names(_READERS, N_("plan"))
