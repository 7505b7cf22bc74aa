"""The table of all commands, and how one is had: its module is imported when it is named, and no other.

Help that lists commands looks each of them up, and so imports all of one group.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib import import_module
from typing import Any, ClassVar

import typer

from pbem.errors import UsageError
from pbem.i18n import N_, _

from .helping import ToldCommand, ToldGroup, spoken_to

Command = Callable[..., None]
Table = dict[str, str]
"""Command name -> the module of this package and the function in it, as “letters.read”."""


def _table(places: str) -> Table:
    """Return the commands that lie in these places.

    >>> _table("housekeeping.catch_up app.help_")
    {'catch-up': 'housekeeping.catch_up', 'help': 'app.help_'}
    """
    return {place.partition(".")[2].strip("_").replace("_", "-"): place for place in places.split()}


OF_A_PLAYER = _table("""
    web.web setup.setup pair.with_ turn.turn games.games
    keys.key keys.rekey keys.language letters.join letters.read orders.order orders.plan orders.say vanished.welcome
    club.club besides.address besides.time besides.letters besides.press besides.copy besides.resend letters.check letters.send
    in_time.cc pair.witness
""")
OF_ALL = _table("""
    disputes.verify disputes.audit disputes.diff disputes.merge disputes.export_sig disputes.complain
    rules.rules show.show replaying.replay replaying.story show.demo show.play board.board engine.engine match.match
    ratings.ratings event.event puzzle.puzzle relay.relay
""")
OF_A_HOST = _table("""
    host_init.init host.check host_init.settings opening.new opening.follow host.run taking.take host.retry host.status
    host_audit.audit
    vanished.invite vanished.replace vanished.adopt opening.cancel host.export register.register housekeeping.pages
    housekeeping.mails members.members members.forget dkim.dkim rounds.rounds
    housekeeping.games housekeeping.extend housekeeping.observe housekeeping.templates housekeeping.tidy
    housekeeping.backup housekeeping.restore housekeeping.move_store housekeeping.catch_up housekeeping.go_on mending.mend
    upkeep.upgrade upkeep.drill upkeep.ban upkeep.unban upkeep.person
""")
OF_THE_PAGE = _table("page.check page.file")
FIRST = ("web", "play", "demo", "setup", "turn", "games", "with", "join", "order", "replay", "audit", "host")
"""The commands that “pbem --help” tells of in a sentence each."""
OTHERS = {
    N_(
        "By mail"
    ): "read send check plan say press letters cc time address language club key rekey welcome copy resend witness",
    N_("The map"): "board show puzzle",
    N_("A dispute"): "verify diff merge complain export-sig rules",
    N_("Clubs and pages"): "event ratings page relay story",
    N_("Programs"): "engine match",
}
"""All others, by what they are for."""
UNLISTED = _table("app.help_")
"""`pbem --help` says the same."""
_WHOLE = 1000
"""No first sentence is longer."""


def functions(table: Table) -> dict[str, Command]:
    """Return the functions of all commands of a table, by their names."""
    return {name: _function(place) for name, place in table.items()}


def _function(place: str) -> Command:
    module, _dot, name = place.partition(".")
    found: Command = getattr(import_module(f".{module}", __package__), name)
    return found


class WhenNamed(Mapping[str, Any]):
    """Commands by their names, each made when it is looked up."""

    def __init__(self, table: Table, groups: Mapping[str, typer.Typer]) -> None:
        self._table, self._groups = table, groups
        self._made: dict[str, Any] = {}

    def __iter__(self) -> Iterator[str]:
        return iter([*self._table, *self._groups])

    def __len__(self) -> int:
        return len(self._table) + len(self._groups)

    def __contains__(self, name: object) -> bool:
        return name in self._table or name in self._groups

    def __getitem__(self, name: str) -> Any:
        """Return a command. Raises KeyError for a name that none has."""
        if name not in self._made:
            self._made[name] = self._make(name)
        return self._made[name]

    def _make(self, name: str) -> Any:
        if name in self._groups:
            return typer.main.get_group(self._groups[name])
        alone = typer.Typer(add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None)
        alone.command(name, cls=ToldCommand, hidden=name in UNLISTED)(_function(self._table[name]))
        return typer.main.get_command(alone)


class _TableGroup(ToldGroup):
    """A group with commands from a table, and with subgroups."""

    table: ClassVar[Table]
    groups: ClassVar[Mapping[str, typer.Typer]] = {}

    def __init__(self, **attributes: Any) -> None:
        super().__init__(**attributes)
        self.commands: Any = WhenNamed(self.table, self.groups)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write a line for each command into the formatter: its first sentence, whole."""
        _list(self, list(self.table) + list(self.groups), formatter)


def _list(group: Any, names: Iterable[str], formatter: Any) -> None:
    commands = {name: group.commands[name] for name in names}
    rows = [(name, command.get_short_help_str(_WHOLE)) for name, command in commands.items() if not command.hidden]
    with formatter.section("Commands"):
        formatter.write_dl(rows)


class _OfAHost(_TableGroup):
    """The commands of a host."""

    table = OF_A_HOST


class _OfThePage(_TableGroup):
    """The commands about the page."""

    table = OF_THE_PAGE


GROUPS = {
    "host": typer.Typer(
        name="host",
        cls=_OfAHost,
        help="Run a host for other players. A host sees every hand, so it should be a third person or a club, never a "
        "player.",
        no_args_is_help=True,
        rich_markup_mode=None,
    ),
    "page": typer.Typer(
        name="page",
        cls=_OfThePage,
        help="The page that runs in a browser: compare one that is served, or take it along as a file.",
        no_args_is_help=True,
        rich_markup_mode=None,
    ),
}
TABLES = {"host": OF_A_HOST, "page": OF_THE_PAGE}
"""The commands of each group."""


class AllCommands(_TableGroup):
    """All commands of pbem, and the groups below it."""

    table = OF_A_PLAYER | OF_ALL | UNLISTED
    groups = GROUPS

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the first commands into the formatter, a sentence each, and the names of all others, by what they are for."""
        _list(self, FIRST, formatter)
        with formatter.section("More commands"):
            formatter.write_dl([(_(what), names.replace(" ", ", ")) for what, names in OTHERS.items()])

    def resolve_command(self, ctx: Any, args: Any) -> Any:
        """Return the command that was typed. Raises UsageError where it is a word that “say” says: no other is like it."""
        if args and args[0] not in self.commands:
            from pbem.player.desk import sayable_words  # as few commands want them

            if args[0] in sayable_words():
                with spoken_to(ctx):
                    raise UsageError(
                        _("There is no command “{name}” by itself: you mean “pbem say {name}”.", name=args[0])
                    )
        return super().resolve_command(ctx, args)
