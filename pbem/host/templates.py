"""The templates that a host may replace by its own: the purpose of each, its variables, and samples to try it with.

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
    """A template that can be replaced: its purpose, its variables by name, and values to try it with.

    `shows` are the variables that must be in every text made by it: a player, or his program, needs them.
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

_TITLE_SAID = "the game's name here"
_GAME_SAID = "the full name of the board game"
_SEAT_SAID = "the seat's name in a sentence"
_OTHERS_SAID = "the other seats, each with its player's address"
_ID_SAID = "the first letters of the game's id"
_TOKEN_SAID = "the token of the invitation, 32 hex digits: the player's program reads it from a line TOKEN"
_TOKEN = "5f" * 16
_REPLIES_SAID = "for a seat that may reply: each word of a reply with an example; otherwise nothing"
_REPLIES = {
    "UNDO": "UNDO", "RESIGN": "RESIGN", "OFFER DRAW": "OFFER DRAW", "AWAY": "AWAY 3 DAYS", "ZONE": "ZONE Europe/Paris",
    "ADDRESS": "ADDRESS ann@example.net", "CLAIM": "CLAIM",
}  # fmt: skip
_KEY_SAID = "the fingerprint of the host's key"
_HEAD_SAID = "the head of the log, in groups, for comparison"
_REGISTER_SAID = (
    "for a rated game: the number of the register's last line, and the register's head in groups; otherwise nothing"
)
_REGISTER = (7, _HEAD)
_TEMPLATE_SAID = "order lines to copy and edit, “” without a question"
_WAYS_SAID = "the ways to answer, in sentences; none without a question"
_WAYS = ["Answer with pbem turn: type a number, or the order in words."]
_TOLD = {
    "reply": "the line above which a reply goes, “” where the host reads no replies",
    "summed": "the results of the turns, the year and the game that end with this letter: each a heading and its lines",
    "details": "details of the question, such as groups and their possible moves; in HTML lines as in `question`",
}
_QUESTION_SAID = "the question, in the game's words"

TEMPLATES: Mapping[str, Template] = {
    "report.txt.j2": Template(
        "The report of a seat or of onlookers: question, events, board.",
        {
            "game": _GAME_SAID,
            "seat": f"{_SEAT_SAID}; “” for onlookers",
            "over": "a sentence on how the game ended, “” before the end",
            "mine": "does this seat have a question?",
            "others": "the names of the other seats with a question",
            "question": _QUESTION_SAID,
            "choices": "the numbered answers, set as a list, “” without a question",
            "due": "the deadline in words, “” without a limit",
            "ways": _WAYS_SAID,
            "unused": "why the seat's premoves do not answer the question, in sentences",
            "by_plan": "was it a plan that does not answer? Never in a host's letter",
            "ends_untold": "is it a game without a host? Never in a host's letter",
            "happened": "the events since the last report, set as a list; “” for none",
            **_TOLD,
            "board": "the board in words, set in 72 columns; “” if the letter has no board",
            "hand": "the hand that only this seat sees, “” for none",
            "seen": "news of the others' hidden pieces, set as a table, “” for none",
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
                "by_plan": False, "ends_untold": False,
                "unused": ["It was sent ahead for another question."] if mine else [],
                "entry": 42, "head": _HEAD, "game_id": _GAME_ID, "register": _REGISTER if mine else (),
            }
            for seat, over, mine in (("the English", "", True), ("the English", "The English won.", False), ("", "", False))
        ),
        ("choices", "board", "head"),
    ),
    "report.html.j2": Template(
        "The same report as HTML: in the mail (`inline`), and as a page of its own.",
        {
            "inline": "is it for the mail, where scripts, SVG and outer styles do not work?",
            "title": "a title for the window",
            "game": _GAME_SAID,
            "style": "the style sheet, made by report.css.j2",
            "policy": "what the page may load (Content-Security-Policy): its own style and fonts; “” for the mail",
            "source": "the name of the mail's picture, “” without one",
            "svg": "the map as SVG, “” without one",
            "report": "the report: `game_id`, `entry`, `until` (the deadline, in words), `unused`, `by_plan`; none for a position",
            "seat": f"{_SEAT_SAID}; “” for onlookers",
            "over": "a sentence on how the game ended, “” before the end",
            "mine": "does this seat have a question?",
            "others": "the names of the other seats with a question",
            "question": "the question, in lines with `text` and `depth`",
            "choices": "the numbered answers, each with its `words`",
            "ways": _WAYS_SAID,
            "happened": "the events, in chapters: each a heading (or “”) and its sentences",
            **_TOLD,
            "whole": "is the board in words, too?",
            "boards": "how each seat sees the board: `title`, `tables`, `text`, `hand`, `question`",
            "seen": "a table of news of the others' hidden pieces, or none",
            "head": _HEAD_SAID,
            "register": _REGISTER_SAID,
            "cut": "were the earliest events left out, because the mail would be too large?",
            "links": "the files beside the page, each with its name; none in a letter",
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
        {"light": _COLOURS["light"], "dark": _COLOURS["dark"], "fonts": "the fonts of a page of its own, “” for the mail"},
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
            "hand": "the hand that one seat sees: `title`, `hand` of a board",
            "position": "a board: `title`, `tables`, `text`, `hand`, `question`; called with false, without the hand",
        },
    ),
    "mail/invitation.txt.j2": Template(
        "Invites a player to a seat.",
        {
            "game": _GAME_SAID,
            "title": _TITLE_SAID,
            "seat": _SEAT_SAID,
            "others": _OTHERS_SAID,
            "options": "the game's options, in lines",
            "time": "the terms of the time to answer, in lines",
            "host_key": _KEY_SAID,
            "game_id": _ID_SAID,
            "again": "is an earlier invitation void?",
            "address": "the address of the invited player",
            "may_be_kept": "may the player play by reply, so that the host keeps the key?",
            "page": "the address of the host's page, “” without one",
            "program": "the web address of the program, “” if players have to ask",
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
        "Shows all keys for comparison: before the game begins, and when a seat's key changes.",
        {
            "title": _TITLE_SAID,
            "changed": "the seat with a new key, “” for none",
            "moved": "does the game continue under another host?",
            "renewed": "does the host have new numbers for dice and cards?",
            "due": "until when a player may confirm, by the player's clock, “” without a limit",
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
            "may_be_kept": "may the player play by reply, so that the host keeps the key?",
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
            "seat": "the name of the newcomer's seat in a sentence",
            "key": "the fingerprint of the newcomer's key",
            "block": "the newcomer's signed block, which `pbem welcome` reads from the mail; “” for a kept seat",
            "kept": "that the host keeps the newcomer's key, with the newcomer's words; “” for a key of his own",
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
        "Asks a player of a vanished host whether he agrees to continue under this one.",
        {
            "game": _GAME_SAID,
            "title": _TITLE_SAID,
            "game_id": _ID_SAID,
            "seat": _SEAT_SAID,
            "n": "the entry from which the game would continue",
            "host": "the new host's address",
            "key": "the fingerprint of the new host's key",
            "block": "the new host's signed block, which `pbem welcome` reads from the mail",
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
        "Says how the host read an order, with the host's signed receipt.",
        {
            "title": _TITLE_SAID,
            "lines": "the order as the host read it, in lines",
            "unsaid": "the order's meaning beyond its lines, in sentences: defaults, and the fate of unnamed pieces",
            "waiting": "the names of the seats that have not answered yet; none if the question is closed",
            "rev": "the revision of the answer",
            "otherwise": "the lines of the mail, if they differ from the signed order",
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
        "Says how the host read premoves, with the host's signed receipts.",
        {
            "title": _TITLE_SAID,
            "kept": "the orders, each with `mark`, `lines` (none if it was taken back) and `answers`",
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
        "Says why the host did not take a mail.",
        {
            "why": "the reason, a sentence or two",
            "received": "the lines of the order that arrived, if one did",
            "question": _QUESTION_SAID,
            "template": _TEMPLATE_SAID,
            "learns": "is the receipt for the present order with it?",
            "unsigned": "did the mail hold no signed block?",
            "unread": "could the host not read the whole mail?",
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
            "promised": "the deadline by the player's clock",
            "due": "the end of grace by the player's clock, “” without grace",
            "past": "is grace over, too?",
            "claims": "may an opponent claim the game then, or is the default answer taken?",
            "called": "is it about a confirmation?",
            "late": "the names of the late seats",
            "leave": "the player's remaining hours of leave",
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
        "Confirms a seat's clock.",
        {
            "title": _TITLE_SAID,
            "seat": _SEAT_SAID,
            "clock": "the clock: zone, quiet hours, weekend",
            "hours": "the hours for an answer, 0 for no limit",
            "grace": "the hours of grace on top",
            "no": "the number of the player's statement about the clock",
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
        "Asks at a new address whether a player reads letters there, and informs the old address.",
        {
            "title": _TITLE_SAID,
            "seat": _SEAT_SAID,
            "address": "the new address",
            "no": "the number of the change",
            "asked": "does the address differ, so that it needs a confirmation?",
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
            "no": "the number of the change",
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
        "Passes a player's words to another player, or a copy to the writer.",
        {
            "own": "is it the writer's own copy?",
            "writer": "the name of the seat that wrote",
            "readers": "the names of the seats that get it",
            "title": _TITLE_SAID,
            "text": "the words, each line after a mark, which you must keep",
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
        "Answers STATUS: the games of an address.",
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
        "Answers HELP: the commands for the host.",
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
        "Answers RESEND, with the lines of the copy.",
        {
            "since": "the entry after which the lines begin, -1: from the first",
            "lines": "the number of lines with it",
            "standing": "the present report, made by report.txt.j2",
            "stage": "joining, readying, moving, playing, ended or cancelled",
            "token": "the seat's token while players are joining; otherwise nothing",
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
        "Confirms an onlooker.",
        {"game": _GAME_SAID, "title": _TITLE_SAID, "seats": "the names of the seats", "game_id": _ID_SAID},
        ({"game": "The Game of Blocks", "title": _TITLE, "seats": ["the English", "the Scots"], "game_id": _GAME_ID},),
    ),
    "mail/member.txt.j2": Template(
        "Asks an address whether it wants to join or leave the club, with a line to send back.",
        {
            "name": "the name that the owner has chosen",
            "address": "the host's address",
            "code": "32 hex digits",
            "leaves": "does the owner leave?",
            "key": "the lines of the named key, for comparison; none without a key",
        },
        tuple(
            {"name": "Anna", "address": "host@example.org", "code": _TOKEN, "leaves": leaves, "key": key}
            for leaves, key in ((False, []), (False, [_KEY]), (True, []))
        ),
        ("code",),
    ),
    "mail/club.txt.j2": Template(
        "A club's letter to a member or a stranger: a sentence, and the open games.",
        {
            "said": "what the host did, or why not, in a sentence",
            "tables": "tables: `number`, `game`, `options` and `terms` as lines, `chairs` (name, seat, who sits there), `until`",
            "games": "games for onlookers: `number`, `title`",
            "address": "the host's address",
            "languages": "the codes of the languages that letters can have",
            "playable": "the games that members can open, as they type them",
            "commands": "does the letter list the commands?",
            "stranger": "does the letter say how to become a member?",
            "own_keys": "must every player sign with his own key?",
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
        "A few words: a cancelled game, a ready player, a language.",
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
