"""How every method of the contract travels between rules and whoever drives them from another process.

One table for both ends: `elsewhere` makes from it what stands for the rules here, `serving` what answers there. `serving` runs
under another pbem and reads this file by its path; so it imports nothing of pbem. These kinds are known at both ends:

==========  ==============================================================================================
json        as it is; an `object` is a dict
text        a string; `text?` may be None as well; `texts` are a tuple of them
number      a whole number; `number?` may be None as well
truth       true or false
state       its number there
order       its number there, and its text; equal orders have one number
orders      an iterator, by its number; it is asked for more and more
options     what may be ordered, by its number: `OPTIONS` are its methods
view        its JSON
given       `{"orders": {seat: number}}`, or `{"drawn": …}`, as an outcome
outcome     a list for each request
chooser     nothing: it stays here, and is asked for each number
typed       options of the game, complete, as JSON
stop, wants, refusal, planned, unseen: as the classes of the kernel, by their parts
==========  ==============================================================================================
"""

from __future__ import annotations

from typing import NamedTuple


class Carried(NamedTuple):
    """The kinds of what a method takes, in its order, and of what it gives back."""

    takes: tuple[str, ...]
    gives: str


GAME = {
    # what it says of itself
    "read_options": Carried(("json",), "typed"),
    "remarks": Carried(("json",), "texts"),
    "following": Carried(("json",), "json"),
    "seats": Carried(("json",), "texts"),
    # rules: of a state
    "start": Carried(("json",), "stop"),
    "step": Carried(("state", "given"), "stop"),
    "wants": Carried(("state",), "wants"),
    "view": Carried(("state", "text?"), "object"),
    "dump": Carried(("state",), "object"),
    "load": Carried(("json",), "state"),
    "resigned": Carried(("state", "texts", "texts"), "text?"),
    "told_secret": Carried(("state", "state"), "truth"),
    "fingerprint": Carried(("state",), "text"),
    # law: of a view
    "read_view": Carried(("json",), "view"),
    "own_view": Carried(("json",), "view"),
    "options": Carried(("view",), "options"),
    "why_not": Carried(("view", "order"), "refusal"),
    "default": Carried(("view",), "order"),
    "parse": Carried(("view", "text"), "order"),
    "determinise": Carried(("view", "chooser"), "state"),
    # what it may have besides
    "read_plans": Carried(("text",), "text"),
    "planned": Carried(("view", "text"), "planned"),
    "read_ahead": Carried(("view", "text", "text"), "text"),
    "bounds": Carried(("view",), "texts"),
    "read_condition": Carried(("text",), "text"),
    "holds": Carried(("view", "text"), "truth"),
    "unseen": Carried(("state",), "unseen"),
    "dealt_anew": Carried(("state", "outcome"), "state"),
}
"""Every public method of `pbem.kernel.Game`, and of what a game may have besides (`pbem.kernel.BESIDES`)."""

OPTIONS = {
    "__iter__": Carried((), "orders"),
    "__contains__": Carried(("order",), "truth"),
    "count": Carried((), "number?"),
    "sample": Carried(("chooser",), "order"),
    "__str__": Carried((), "text"),
}
"""Every method of `pbem.kernel.Options`."""

PARTS = {
    "Ask": ("seats", "what", "secret", "mark"),
    "Chance": ("label", "requests", "listed"),
    "End": ("result",),
    "Fact": ("public", "private"),
    "Show": ("seat", "label", "place"),
    "Open": ("label", "place"),
    "Release": ("label",),
}
"""What is wanted and what is told go as the name of their class and these parts of it."""

ATTRIBUTES = {"id": "text", "title": "text", "version": "number", "marked": "texts?"}
"""What the class of a game says of itself, `marked` where orders can be sent ahead; its two models have something of their own in
their place."""

MODELS = ("options_model", "view_model")
