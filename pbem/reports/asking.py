"""What a report says beside a question: how it is answered, what comes of silence, why it is asked though one answer is legal.

It knows the view of the seat that is asked, what the rules make of that, and nothing else.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from pbem.errors import OrderError
from pbem.i18n import N_, _
from pbem.kernel import Planning, SendingAhead
from pbem.look.offers import LISTED, plain

if TYPE_CHECKING:
    from pbem.games.pack import GamePack
    from pbem.kernel import Order, View

SAVE_AND_TYPE = ("pbem read MAIL", "pbem order", "pbem send")
"""The commands that answer a mail, one after the other."""


class Ways(NamedTuple):
    """How what a mail asks can be answered: the host's `page`, if he has one; what comes of silence, “default”, “claim” or ""."""

    page: str = ""
    late: str = ""


def only(view: View, pack: GamePack) -> Order | None:
    """Return the one legal answer to what is asked in a view; None where there are more, or a log asks and its view does not."""
    try:
        found = list(islice(pack.rules.options(view), 2))
    except OrderError:
        return None
    return found[0] if len(found) == 1 else None


class Offered(NamedTuple):
    """Order lines to type over, and whether there is one legal answer alone."""

    lines: str = ""
    forced: bool = False


def suggested(view: View, pack: GamePack) -> Offered:
    """Return what a letter offers: the default answer of the rules, and others; no lines where nothing is asked."""
    try:
        default, options = str(pack.rules.default(view)), pack.rules.options(view)
    except OrderError:  # its log asks, and its view does not
        return Offered()
    found = [str(order) for order in islice(options, 2 if options.count() is None else LISTED)]
    return Offered(plain(default, found, options), len(found) == 1)


def why_asked(pack: GamePack, *, marked: bool, due: bool) -> str:
    """Return why a question is put that has one legal answer; where it is `due`, what comes of silence; and what would spare it."""
    if marked:
        said = [_("This is the only answer. It is asked all the same: your share in the coming dice goes with it.")]
        if isinstance(pack.rules, SendingAhead):
            said.append(_("An AHEAD line with the order before it would have answered it."))
    else:
        said = [_("This is the only answer. It is asked all the same: else all would learn that you have no other.")]
        if due:
            said.append(
                _("When the time is over it is taken for you, and you are not late; sent now, the game goes on.")
            )
        if isinstance(pack.rules, Planning):
            said.append(_("A PLAN can answer such questions."))
    return " ".join([*said, _("With pbem turn --only-answers sign your program signs such answers by itself.")])


def answering(ways: Ways, *, forced: bool = False) -> list[tuple[str, tuple[str, ...]]]:
    """Return how an order is given: sentences, each with the commands to type or the address to open that follow from it.

    A question that is `forced` has one answer, of which it was said already that it is taken.
    """
    said: list[tuple[str, tuple[str, ...]]] = [(_(_OFFERED), ())]
    if ways.page:
        said.append((_("On the page of this host:"), (ways.page,)))
    said += [
        (
            _("In a terminal, with this mail saved as a file; the second asks you, or takes a file with your lines:"),
            SAVE_AND_TYPE,
        ),
        (_("Or type pbem turn, which does all of that, where your mailbox is known to it by pbem setup."), ()),
        (_("An order is signed with your key by the program; one that is only typed into a mail does not count."), ()),
    ]
    if ways.late == "claim" and not forced:
        said.append((_("If you do not answer in time, an opponent may claim the game."), ()))
    if ways.late == "default" and not forced:
        said.append(
            (_("If you do not answer in time, the line without # counts: the default answer of the rules."), ())
        )
    return said


_OFFERED = N_(
    "Without # stands the default answer of the rules, behind # stand others: keep the one that you want, or write another. "
    "pbem turn suggests more."
)
