"""The templates that a host may replace by its own: what each is for, what it is given, and samples to try it with.

The files are Jinja2, below the folder that the settings name, under the names that pbem's own have. `TEMPLATES` is the promise
about them: a test compares it with what letters are made from, and docs/reference/templates.md is made from it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from pbem.kernel import Json
from pbem.look import PageTable
from pbem.look.markup import markup
from pbem.records import dataclass
from pbem.reports.choices import Choice
from pbem.reports.html import PALETTES, BoardShown, TextLine
from pbem.reports.report import Report


@dataclass(frozen=True, slots=True)
class Template:
    """A template that can be replaced: what it is for; what it is given, by name; values to try it with.

    `shows` are those variables that every text made by it must show: a player, or his program, needs them.
    """

    about: str
    given: Mapping[str, str]
    samples: tuple[Mapping[str, Json], ...]
    shows: tuple[str, ...] = ()
    parts: Mapping[str, str] = field(default_factory=dict)
    """Macros that it defines for other templates, by name: what they make of what."""


_GAME_ID = "3f29aa00"
_HEAD = "3f29 aa00 1122 3344 5566 7788 9900 1122"
_KEY = "SHA256:4UbOf0uOXsRkKBkGgkmxxqIT+0EPHiVOFd7IbPuIeXs"
_TITLE = "The Border War"
_OTHERS = [("Bob", "bob@example.org")]
_ORDER = "MOVE Wallace FROM Selkirk TO Lanark\nPASS"
_QUESTION = "You play one card. Your hand: 3, 1, TRUCE.\n  The others play at the same time."
_TABLE = PageTable("Blocks", ("Area", "Blocks"), (("Fife", "Wallace 4"), ("Lanark", "–")), "A dash: nobody.")
_COLOURS = {
    name: f"the colours of the {name} page, by what they are for: `ink`, `paper`, `mark`, …" for name in PALETTES
}

_TITLE_SAID = "what the game is called here"
_GAME_SAID = "which game it is, by its whole name"
_SEAT_SAID = "the seat, as it is called in a sentence"
_OTHERS_SAID = "the other seats, each with its player's address"
_ID_SAID = "the first letters of the game's id"
_TOKEN_SAID = "what shows that a player was invited, 32 hex digits: his program reads it out of a line TOKEN"
_TOKEN = "5f" * 16
_REPLIES_SAID = "for a seat that may reply: each word of a reply and how it may be written; else nothing"
_REPLIES = {
    "UNDO": "UNDO", "RESIGN": "RESIGN", "OFFER DRAW": "OFFER DRAW", "AWAY": "AWAY 3 DAYS", "ZONE": "ZONE Europe/Paris",
    "ADDRESS": "ADDRESS ann@example.net", "CLAIM": "CLAIM",
}  # fmt: skip
_KEY_SAID = "the fingerprint of the host's key"
_HEAD_SAID = "the head of the log, in groups, to be compared"
_REGISTER_SAID = (
    "of a rated game, the number of the last line of the host's register and its head, in groups; else nothing"
)
_REGISTER = (7, _HEAD)
_TEMPLATE_SAID = "order lines to type over, “” where nothing is asked"
_WAYS_SAID = "how it can be answered, in sentences; none: nothing is asked"
_WAYS = ["Answer with pbem turn: type a number, or the order in words."]
_TOLD = {
    "reply": "the line above which a reply is written, “” where replies are not read",
    "summed": "what came of the turns, the year and the game that end with this letter: each a heading and its lines",
    "details": "what belongs to the question and is told at length, such as groups and where they can go; in HTML lines as those",
}
_QUESTION_SAID = "what is asked, in the game's words"

TEMPLATES: Mapping[str, Template] = {
    "report.txt.j2": Template(
        "The report of a seat, or of those who look on: what is asked, what happened, the board.",
        {
            "game": _GAME_SAID,
            "seat": f"{_SEAT_SAID}; “” for those who look on",
            "over": "a sentence on how the game ended, “” while it goes on",
            "mine": "is something asked of this seat?",
            "others": "the other seats of which something is asked, as they are called",
            "question": _QUESTION_SAID,
            "choices": "the numbered answers, set as a list, “” where nothing is asked",
            "due": "until when answers are taken, in words, “” where there is no limit",
            "ways": _WAYS_SAID,
            "unused": "why orders that the seat sent ahead do not answer what is asked, in sentences",
            "by_plan": "was it a plan of his that does not? Never in a letter of a host",
            "happened": "what happened since the last report, set as a list; “”: nothing",
            **_TOLD,
            "board": "the board in words, set in 72 columns; “” where the letter does not tell it",
            "hand": "what this seat alone has before it, “” for nothing",
            "seen": "what is new of the others' hidden pieces, set as a table, “” for nothing",
            "entry": "the number of the log's last entry",
            "head": _HEAD_SAID,
            "register": _REGISTER_SAID,
            "game_id": _ID_SAID,
        },
        tuple(
            {
                "game": "The Game of Blocks", "seat": seat, "over": over, "mine": mine, "others": ["the Scots"],
                "question": _QUESTION if mine else "", "choices": "  1  PASS" if mine else "", "due": "Tuesday" if mine else "",
                "ways": _WAYS if mine else [], "details": "Your groups: Fife" if mine else "",
                "summed": [("1297, WINTER IN SHORT", ["The Scots won."])] if over else [],
                "reply": "--- Reply above this line ---" if mine else "",
                "happened": "- Wallace moves to Lanark." if mine else "", "board": "Fife       Wallace 4",
                "hand": "Your hand: 3, 1, TRUCE." if seat else "", "seen": "Block  Seen" if mine else "",
                "by_plan": False,
                "unused": ["It was sent ahead for another question."] if mine else [],
                "entry": 42, "head": _HEAD, "game_id": _GAME_ID, "register": _REGISTER if mine else (),
            }
            for seat, over, mine in (("the English", "", True), ("the English", "The English won.", False), ("", "", False))
        ),
        ("choices", "board", "head"),
    ),
    "report.html.j2": Template(
        "The same report as HTML: in the mail (`inline`), and as a page that stands alone.",
        {
            "inline": "is it for the mail, where no script, SVG or outer style is shown?",
            "title": "a title for the window",
            "game": _GAME_SAID,
            "style": "the style sheet, made by report.css.j2",
            "policy": "what the page may load (Content-Security-Policy): its own style and fonts; “” for the mail",
            "source": "what the mail's picture is called by, “” without one",
            "svg": "the map as SVG, “” without one",
            "report": "the report: `game_id`, `entry`, `until` (the deadline, in words), `unused`, `by_plan`; none for a position",
            "seat": f"{_SEAT_SAID}; “” for those who look on",
            "over": "a sentence on how the game ended, “” while it goes on",
            "mine": "is something asked of this seat?",
            "others": "the other seats of which something is asked, as they are called",
            "question": "what is asked, in lines with `text` and `depth`",
            "choices": "the numbered answers, each with its `words`",
            "ways": _WAYS_SAID,
            "happened": "what happened, in chapters: each a heading (or “”) and its sentences",
            **_TOLD,
            "whole": "is the board told in words, too?",
            "boards": "how each seat sees the board: `title`, `tables`, `text`, `hand`, `question`",
            "seen": "a table of what is new of the others' hidden pieces, or none",
            "head": _HEAD_SAID,
            "register": _REGISTER_SAID,
            "cut": "was the earliest left out, because the mail would be too large?",
            "links": "files that lie beside the page, each with what it is called; none in a letter",
        },
        tuple(
            {
                "inline": inline, "title": "The Game of Blocks: your move", "game": "The Game of Blocks", "style": ".page{}",
                "policy": "" if inline else "default-src 'none'",
                "source": "cid:map@example.org" if inline else "", "svg": "" if inline else markup("<svg></svg>"),
                "report": Report(_GAME_ID * 8, "english", {}, (), ("english",), 42, "3f" * 32, "2030-01-08T12:00:00Z"),
                "seat": seat, "over": over, "mine": bool(seat and not over), "others": ["the Scots"],
                "question": [TextLine("You play one card.", 0)], "choices": [Choice("PASS", "pass")], "reply": "",
                "ways": _WAYS, "details": [TextLine("Your groups: Fife", 0)],
                "summed": [("1297, WINTER IN SHORT", ["The Scots won."])] if over else [],
                "whole": not inline,
                "happened": [("", ["Wallace moves to Lanark."])], "seen": _TABLE, "head": _HEAD, "cut": inline,
                "register": _REGISTER if seat else (),
                "links": [], "boards": [BoardShown("", (_TABLE,), "", [TextLine("Your hand: 3, 1.", 0)])],
            }
            for inline, seat, over in ((True, "the English", ""), (False, "the English", "The English won."), (False, "", ""))
        ),
        ("head",),
    ),
    "report.css.j2": Template(
        "The style of both HTML reports.",
        {"light": _COLOURS["light"], "dark": _COLOURS["dark"], "fonts": "the letters of a page that stands alone, “” for the mail"},
        ({**PALETTES, "fonts": ""}, {**PALETTES, "fonts": "@font-face{}"}),
    ),
    "parts.html.j2": Template(
        "Parts of HTML reports, as macros: define all of them.",
        {},
        ({},),
        parts={
            "table": "a table: `title`, `heads`, `rows`, `note`",
            "told": "lines with `text` and `depth`",
            "story": "chapters: each a heading (or “”) and its sentences",
            "hand": "what a seat alone has before it: `title`, `hand` of a board",
            "position": "a board: `title`, `tables`, `text`, `hand`, `question`; without the hand where it is called with false",
        },
    ),
    "mail/invitation.txt.j2": Template(
        "Invites a player to his seat.",
        {
            "game": _GAME_SAID,
            "title": _TITLE_SAID,
            "seat": _SEAT_SAID,
            "others": _OTHERS_SAID,
            "options": "the game's options, in lines",
            "time": "what holds for the time to answer, in lines",
            "host_key": _KEY_SAID,
            "game_id": _ID_SAID,
            "again": "has he been invited before, and counts that no more?",
            "address": "the address that he is invited at",
            "may_be_kept": "may he play by replying, so that the host keeps his key?",
            "page": "where the host shows a page to play on, “” where it shows none",
            "program": "where the program is to be had, “” where players have to ask",
            "token": _TOKEN_SAID,
        },
        (
            {
                "game": "The Game of Blocks", "title": _TITLE, "seat": "the English", "others": _OTHERS,
                "options": ["scenario: The Campaign"], "time": ["24 hours for an answer"], "host_key": _KEY, "game_id": _GAME_ID,
                "again": False, "token": _TOKEN, "address": "ann@example.org", "page": "https://desk.example.org/", "program": "",
                "may_be_kept": True,
            },
            {
                "may_be_kept": False,
                "game": "Blocks", "title": "Blocks", "seat": "Ann", "others": [], "options": [], "time": [], "host_key": _KEY,
                "game_id": _GAME_ID, "again": True, "token": _TOKEN, "address": "ann@example.org", "page": "",
                "program": "https://example.org/pbem",
            },
        ),
        ("host_key", "token"),
    ),
    "mail/roster.txt.j2": Template(
        "Tells all keys, to be compared: before the game begins, and when a seat has another one.",
        {
            "title": _TITLE_SAID,
            "changed": "the seat that has another key now, “” where none has",
            "moved": "does the game go on under another host from now on?",
            "renewed": "does the host go on with other numbers for dice and cards?",
            "due": "until when a player may say that he is ready, by his own clock, “” where there is no limit",
            "keys": "the seats, each with the fingerprint of its key",
            "host_key": _KEY_SAID,
            "game_id": _ID_SAID,
            "entry": "the number of the log's last entry",
            "head": _HEAD_SAID,
            "register": _REGISTER_SAID,
        },
        tuple(
            {
                "title": _TITLE, "changed": changed, "moved": moved, "renewed": renewed,
                "due": "Tuesday 8 January, 12:00 UTC" if changed else "",
                "keys": [("Ann", f"{_KEY[:-3]}Ann"), ("Bob", f"{_KEY[:-3]}Bob")],
                "host_key": _KEY, "game_id": _GAME_ID, "entry": 2, "head": _HEAD, "register": () if changed else _REGISTER,
            }
            for changed, moved, renewed in (("", False, False), ("Bob", False, False), ("", True, False), ("", False, True))
        ),
        ("keys", "host_key", "head"),
    ),
    "mail/newcomer.txt.j2": Template(
        "Invites somebody to the seat of a player who has vanished.",
        {
            "game": _GAME_SAID,
            "title": _TITLE_SAID,
            "seat": _SEAT_SAID,
            "others": _OTHERS_SAID,
            "host_key": _KEY_SAID,
            "game_id": _ID_SAID,
            "token": _TOKEN_SAID,
            "may_be_kept": "may he play by replying, so that the host keeps his key?",
        },
        tuple(
            {
                "game": "The Game of Blocks", "title": _TITLE, "seat": "the English", "others": _OTHERS, "host_key": _KEY,
                "game_id": _GAME_ID, "token": _TOKEN, "may_be_kept": kept,
            }
            for kept in (False, True)
        ),
        ("host_key", "token"),
    ),
    "mail/proposal.txt.j2": Template(
        "Asks a player whether he agrees to a newcomer in another seat.",
        {
            "title": _TITLE_SAID,
            "seat": "the seat that the newcomer would take, as it is called in a sentence",
            "key": "the fingerprint of the newcomer's key",
            "block": "what the newcomer has signed: `pbem welcome` reads it out of the mail; “” for a kept seat",
            "kept": "that the host keeps the newcomer's key, and his words; “” where he has his own",
        },
        tuple(
            {
                "title": _TITLE, "seat": "the English", "key": _KEY, "kept": kept,
                "block": "BEGIN PBEM ORDERS\n0C4ME 9HJQA\nEND PBEM ORDERS",
            }
            for kept in ("", "He answers by replying to the mails.")
        ),
        ("key", "block"),
    ),
    "mail/another_host.txt.j2": Template(
        "Asks a player of a host that has vanished whether he agrees to go on under this one.",
        {
            "game": _GAME_SAID,
            "title": _TITLE_SAID,
            "game_id": _ID_SAID,
            "seat": _SEAT_SAID,
            "n": "the entry of the log from which the game would go on",
            "host": "the new host's address",
            "key": "the fingerprint of the new host's key",
            "block": "what the new host has signed: `pbem welcome` reads it out of the mail",
        },
        (
            {
                "game": "The Game of Blocks", "title": _TITLE, "game_id": _GAME_ID, "seat": "the English", "n": 42,
                "host": "host@example.net", "key": _KEY, "block": "BEGIN PBEM ORDERS\n0C4ME 9HJQA\nEND PBEM ORDERS",
            },
        ),
        ("key", "block"),
    ),
    "mail/receipt.txt.j2": Template(
        "Says how an order was read; the host's signed receipt goes with it.",
        {
            "title": _TITLE_SAID,
            "lines": "the order as it was read, in lines",
            "unsaid": "what the order means beyond its lines, in sentences: what was filled in, what becomes of who is not named",
            "waiting": "the seats that have not answered yet, as they are called; none: the question is closed",
            "rev": "which revision of the answer it was",
            "otherwise": "the lines of the mail, where they say something else than what was signed",
        },
        tuple(
            {
                "title": _TITLE,
                "lines": _ORDER.split("\n"),
                "unsaid": ["Moray stays in Fife."],
                "waiting": waiting,
                "rev": 2,
                "otherwise": otherwise,
            }
            for waiting, otherwise in ((["the Scots"], []), ([], ["MOVE Wallace FROM Selkirk TO Fife"]))
        ),
        ("lines",),
    ),
    "mail/ahead.txt.j2": Template(
        "Says how orders sent ahead were read; the host's signed receipts go with it.",
        {
            "title": _TITLE_SAID,
            "kept": "the orders, each with `mark`, `lines` (as it was read; none: it was taken back) and `answers`",
        },
        (
            {
                "title": _TITLE,
                "kept": [
                    {"mark": 2, "lines": _ORDER.split("\n"), "answers": True},
                    {"mark": 3, "lines": [], "answers": False},
                ],
            },
        ),
    ),
    "mail/refusal.txt.j2": Template(
        "Says why a mail was not taken.",
        {
            "why": "the reason, a sentence or two",
            "received": "the lines of the order that arrived, if one did",
            "question": _QUESTION_SAID,
            "template": _TEMPLATE_SAID,
            "learns": "does the host's receipt for the order that counts so far go with it?",
            "unsigned": "did the mail hold no signed block?",
            "unread": "was the mail not read to its end?",
            "ways": _WAYS_SAID,
        },
        (
            {
                "why": "There is no area “Fyfe”.", "received": _ORDER.split("\n"), "question": _QUESTION, "template": _ORDER,
                "learns": True, "unsigned": False, "unread": False, "ways": [],
            },
            {
                "why": "It holds no signed block.", "received": [], "question": _QUESTION, "template": _ORDER, "learns": False,
                "unsigned": True, "unread": False, "ways": _WAYS,
            },
            {
                "why": "It has more than 1000 parts.", "received": [], "question": _QUESTION, "template": _ORDER, "learns": False,
                "unsigned": False, "unread": True, "ways": [],
            },
        ),
        ("why",),
    ),
    "mail/reminder.txt.j2": Template(
        "Reminds a seat of its time, or of the time of others.",
        {
            "kind": "“half” (half of the time is over), “over” (all of it is), “claim” (another seat is late)",
            "title": _TITLE_SAID,
            "promised": "until when the answer is awaited, by the player's own clock",
            "due": "until when grace runs, by the player's own clock, “” where there is none",
            "past": "is grace over, too?",
            "claims": "may an opponent claim the game then, or is the default answer taken?",
            "called": "is it to say to be ready that he is awaited?",
            "late": "the seats that are late, as they are called",
            "leave": "how many hours of leave the player has left",
            "replies": _REPLIES_SAID,
            "question": _QUESTION_SAID,
            "template": _TEMPLATE_SAID,
        },
        tuple(
            {
                "kind": kind, "title": _TITLE, "promised": "Tuesday 8 January, 12:00 UTC", "due": due, "past": past,
                "claims": claims, "replies": _REPLIES if replies else {},
                "called": called, "late": late, "leave": leave, "question": _QUESTION if kind != "claim" else "",
                "template": _ORDER if kind != "claim" else "",
            }
            for replies in (False, True)
            for kind, due, past, claims, late, leave, called in (
                ("half", "Wednesday 9 January, 12:00 UTC", False, False, ["Ann"], 24, False),
                ("half", "", False, True, ["Ann"], 0, False),
                ("over", "Wednesday 9 January, 12:00 UTC", False, True, ["Ann"], 0, False),
                ("over", "Wednesday 9 January, 12:00 UTC", False, False, ["Ann"], 48, False),
                ("over", "", True, True, ["Ann"], 24, False),
                ("claim", "", False, True, ["Ann"], 0, False),
                ("claim", "", False, True, ["Ann", "Cid"], 0, False),
                ("half", "Wednesday 9 January, 12:00 UTC", False, False, ["Ann"], 24, True),
                ("claim", "", False, False, ["Ann"], 0, True),
            )
        ),
    ),
    "mail/clock.txt.j2": Template(
        "Confirms when time counts for a seat.",
        {
            "title": _TITLE_SAID,
            "seat": _SEAT_SAID,
            "clock": "the clock: zone, quiet hours, weekend",
            "hours": "how many hours there are for an answer, 0: no limit",
            "grace": "how many hours of grace come on top",
            "no": "which of the player's statements about his clock it was",
            "kept": "does the host keep the key of that seat?",
        },
        tuple(
            {
                "title": _TITLE, "seat": "the English", "clock": "Europe/Paris", "hours": hours, "grace": grace, "no": 1,
                "kept": kept,
            }
            for hours, grace, kept in ((24, 0, False), (24, 12, False), (0, 0, True))
        ),
    ),
    "mail/moving.txt.j2": Template(
        "Asks at a new address whether a player reads his letters there, and tells the one he has.",
        {
            "title": _TITLE_SAID,
            "seat": _SEAT_SAID,
            "address": "the address that was named",
            "no": "which change of the address it is",
            "asked": "is it another address than the one he has, so that it is to be confirmed?",
            "code": "32 letters and digits by which the new address confirms; “” in the letter to the old one",
            "kept": "does the host keep the key of that seat?",
        },
        tuple(
            {
                "title": _TITLE, "seat": "the English", "address": "ann@example.net", "no": 1, "asked": asked, "code": code,
                "kept": kept,
            }
            for asked, code, kept in (
                (True, "0123456789abcdef" * 2, False), (True, "", False), (True, "", True), (False, "", False)
            )
        ),
        ("address", "code"),
    ),
    "mail/moved.txt.j2": Template(
        "Tells both addresses that a player's letters go to another one.",
        {
            "title": _TITLE_SAID,
            "seat": _SEAT_SAID,
            "address": "the new address",
            "old": "the old address",
            "no": "which change of the address it was",
            "kept": "does the host keep the key of that seat?",
        },
        tuple(
            {
                "title": _TITLE, "seat": "the English", "address": "ann@example.net", "old": "ann@example.org", "no": 1,
                "kept": kept,
            }
            for kept in (False, True)
        ),
        ("address",),
    ),
    "mail/press.txt.j2": Template(
        "Hands words of a player on to another, or his copy to himself.",
        {
            "own": "is it the writer's own copy?",
            "writer": "the seat that wrote, as it is called",
            "readers": "the seats that get it, as they are called",
            "title": _TITLE_SAID,
            "text": "the words, each line behind a mark: do not take it away",
            "signed": "was it signed?",
            "kept": "does the host keep the key of its writer's seat?",
            "replies": "does a plain reply of its reader count?",
            "answer": "the seat that wrote, as PRESS TO wants it",
        },
        tuple(
            {
                "own": own, "writer": "the Scots", "readers": ["you"], "title": _TITLE, "text": "  | A truce?", "signed": signed,
                "answer": "SCOTTISH", "kept": kept, "replies": kept,
            }
            for own, signed, kept in (
                (False, True, False), (False, False, False), (True, True, False), (True, False, False), (False, True, True)
            )
        ),
        ("text",),
    ),
    "mail/press.html.j2": Template(
        "The same as HTML, where the host sends pictures.",
        {"title": "the subject", "text": "the text that press.txt.j2 made"},
        ({"title": "press from the Scots", "text": "  | A truce?"},),
        ("text",),
    ),
    "mail/status.txt.j2": Template(
        "Answers STATUS: how the games of an address stand.",
        {
            "games": "the games, each with `number`, `title`, `seat`, `stage` (joining, readying, moving, playing, ended, "
            "cancelled), `entry`, `head`, `register` (as in mail/roster.txt.j2), "
            "`mine`, `waiting`, `due`, `order` (lines), `address`, `moves` (changes of it), "
            "`clock`, `clocks` (changes of it)",
        },
        (
            {
                "games": [
                    {
                        "number": 1, "title": _TITLE, "seat": "the English", "stage": stage, "entry": 42, "head": _HEAD,
                        "register": _REGISTER if mine else (),
                        "mine": mine, "waiting": waiting, "due": due, "order": order, "moves": changes,
                        "clock": "Europe/Paris" if order or changes else "", "clocks": changes, "address": "ann@example.org",
                    }
                    for stage, mine, waiting, due, order, changes in (
                        ("joining", True, ["Bob"], "", [], 0),
                        ("readying", False, ["Bob"], "", [], 0),
                        ("playing", True, ["Bob"], "2030-01-08T12:00:00Z", [], 1),
                        ("playing", True, [], "", [], 0),
                        ("playing", False, ["Bob"], "", _ORDER.split("\n"), 0),
                        ("ended", False, [], "", [], 2),
                        ("cancelled", False, [], "", [], 0),
                    )
                ]
            },
        ),
    ),
    "mail/help.txt.j2": Template(
        "Answers HELP: what can be written to the robot.",
        {
            "title": _TITLE_SAID,
            "address": "the host's address",
            "number": "the game's number here",
            "languages": "the codes of the languages that letters can have",
            "replies": _REPLIES_SAID,
        },
        tuple(
            {"title": _TITLE, "address": "host@example.org", "number": 1, "languages": ["en", "fr"], "replies": said}
            for said in ({}, _REPLIES)
        ),
    ),
    "mail/resend.txt.j2": Template(
        "Answers RESEND; the lines of the copy go with it.",
        {
            "since": "the entry after which the lines begin, -1: from the first",
            "lines": "how many lines go with it",
            "standing": "the report as it stands, made by report.txt.j2",
            "stage": "joining, readying, moving, playing, ended or cancelled",
            "token": "while seats are being taken, what the seat can be taken with; else nothing",
            "kept": "does the host keep the key of that seat?",
        },
        tuple(
            {
                "since": since, "lines": lines, "standing": "How it stands.", "stage": stage,
                "token": _TOKEN if stage == "joining" else "", "kept": kept,
            }
            for kept in (False, True)
            for since, lines, stage in ((-1, 40, "playing"), (40, 2, "playing"), (40, 0, "ended"), (-1, 1, "joining"))
        ),
        ("standing",),
    ),
    "mail/observer.txt.j2": Template(
        "Tells somebody that he looks on.",
        {"game": _GAME_SAID, "title": _TITLE_SAID, "seats": "the seats, as they are called", "game_id": _ID_SAID},
        ({"game": "The Game of Blocks", "title": _TITLE, "seats": ["the English", "the Scots"], "game_id": _GAME_ID},),
    ),
    "mail/member.txt.j2": Template(
        "Asks an address whether it wants to belong to the club, or to leave it, with a line to send back.",
        {
            "name": "what its owner wants to be called",
            "address": "the host's address",
            "code": "32 hex digits",
            "leaves": "does he leave?",
            "key": "the lines of the key that he has named, to be compared; none where he has named none",
        },
        tuple(
            {"name": "Anna", "address": "host@example.org", "code": _TOKEN, "leaves": leaves, "key": key}
            for leaves, key in ((False, []), (False, [_KEY]), (True, []))
        ),
        ("code",),
    ),
    "mail/club.txt.j2": Template(
        "What a club writes to a member, or to somebody who could become one: a sentence, and what is open.",
        {
            "said": "what was done, or why it was not, in a sentence",
            "tables": "tables: `number`, `game`, `options` and `terms` as lines, `chairs` (name, seat, who sits there), `until`",
            "games": "games that everybody may look on at: `number`, `title`",
            "address": "the host's address",
            "languages": "the codes of the languages that letters can have",
            "playable": "the games that tables can be opened for, as they are typed",
            "commands": "is told what can be written?",
            "stranger": "is told how one becomes a member?",
            "own_keys": "does everybody here sign with a key of his own?",
        },
        tuple(
            {
                "said": "Table 12 is open.", "address": "host@example.org", "languages": ["en", "fr"], "commands": not stranger,
                "playable": ["blocks"],
                "stranger": stranger, "own_keys": own_keys, "games": [{"number": 7, "title": _TITLE}],
                "tables": [
                    {
                        "number": 12, "game": "The Game of Blocks", "options": ["two turns"], "terms": ["72 hours for an answer"],
                        "chairs": [("the English", "english", "Anna"), ("the Scots", "scottish", "free")], "until": "2030-02-01",
                    }
                ],
            }
            for stranger, own_keys in ((False, False), (True, False), (True, True))
        ),
        ("said",),
    ),
    "mail/notice.txt.j2": Template(
        "A few words: that a game is called off, that a player is ready, which language he reads.",
        {"text": "the words"},
        ({"text": "The host has called off The Border War before it began."},),
        ("text",),
    ),
}  # fmt: skip
"""By the name of its file, every template that a host may replace."""

EVERYWHERE = {
    "_": '`_("…", name=value)`: a sentence in the language of the letter, if pbem has it, with values in its braces',
    "_n": '`_n("{n} block", "{n} blocks", number)`: the one of two that goes with a number',
    "spoken": "`spoken()`: the language of the letter, “en” or “fr”",
}
"""What every template can call."""
