"""The kernel: the contract between a game's rules and their callers. Pure: no files, clocks, keys, mail or printing."""

from .ahead import Fit, choose, next_marks, read_ahead, typed
from .facts import Happening, counted, hidden
from .frames import Frame, Run, advance, wants
from .game import (
    BESIDES,
    ChangingHosts,
    Game,
    Law,
    Planned,
    Planning,
    Refusal,
    Rules,
    SendingAhead,
    fingerprint,
    read_plans,
    unseen,
)
from .last_made import LastMade, taken_over
from .options import Chooser, Composed, Listed, Options
from .order import (
    Line,
    Names,
    Order,
    OrderPart,
    Sheet,
    View,
    folded,
    legible,
    one_of,
    read_each,
    read_lines,
    read_orders,
    take_apart,
    tidy,
)
from .position import FramedPosition, PlainPosition, written
from .trusted import only_checks
from .values import changed
from .wants import (
    Ask,
    Chance,
    Draw,
    End,
    Event,
    Fact,
    Json,
    Open,
    Outcome,
    Release,
    Request,
    Roll,
    Secret,
    Show,
    Stop,
    Unseen,
    Wants,
)

__all__ = [
    "BESIDES", "Ask", "Chance", "ChangingHosts", "Chooser", "Composed", "Draw", "End", "Event", "Fact", "Fit", "Frame",
    "FramedPosition", "Game", "Happening", "Json", "LastMade", "Law", "Line", "Listed", "Names", "Open", "Options", "Order",
    "OrderPart", "Outcome", "PlainPosition", "Planned", "Planning", "Refusal", "Release", "Request", "Roll", "Rules", "Run",
    "Secret", "SendingAhead", "Sheet", "Show", "Stop", "Unseen", "View", "Wants", "advance", "changed", "choose", "counted",
    "fingerprint", "folded", "hidden", "legible", "next_marks", "one_of", "only_checks", "read_ahead", "read_each", "read_lines",
    "read_orders", "read_plans", "take_apart", "taken_over", "tidy", "typed", "unseen", "wants", "written",
]  # fmt: skip
