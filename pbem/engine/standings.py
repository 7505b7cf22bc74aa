"""What came of a match: who won how often from which seat, and what follows from that; as JSON, and as lines for a person."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from fractions import Fraction

from pbem.i18n import _
from pbem.kernel import Json
from pbem.records import dataclass

from .match import A, B, Match, MatchGame
from .reckoning import EloGap, Share, elo_gap, share


@dataclass
class Standings:
    """The games of a match so far; without their steps."""

    seats: tuple[str, ...]
    games: int = 0
    wins: dict[str, dict[str, int]] = field(default_factory=dict)
    """Player -> seat -> games won there."""
    draws: int = 0
    faults: list[tuple[int, str, str]] = field(default_factory=list)
    """Game, player, what it did."""

    def __post_init__(self) -> None:
        self.wins = {player: dict.fromkeys(self.seats, 0) for player in (A, B)}

    def count(self, game: MatchGame) -> None:
        """Take in a game."""
        self.games += 1
        if game.winner:
            seat = next(seat for seat, player in game.seats.items() if player == game.winner)
            self.wins[game.winner][seat] += 1
        else:
            self.draws += 1
        if game.fault:
            self.faults.append((game.number, A if game.winner == B else B, game.fault))

    def won(self, player: str) -> int:
        """Return how many games a player has won."""
        return sum(self.wins[player].values())

    @property
    def points(self) -> Fraction:
        """The points of A: one for each game won, half of one for each drawn."""
        return self.won(A) + Fraction(self.draws, 2)

    @property
    def score(self) -> Share:
        """The share of A in the points."""
        return share(self.points, self.games)

    @property
    def elo(self) -> EloGap:
        """By how much A is better."""
        return elo_gap(self.points, self.games)


def told(match: Match, found: Standings) -> dict[str, Json]:
    """Return a match as JSON: whole numbers, the score in thousandths."""
    score, elo = found.score, found.elo
    return {
        "game": match.pack.rules.id, "options": match.options, "seed": match.seed, "games": found.games,
        "players": {key: player.name for key, player in match.players.items()},
        "wins": found.wins, "draws": found.draws,
        "score": {"of": A, "per_mille": score.per_mille, "low": score.low, "high": score.high},
        "elo": {"of": A, "difference": elo.gap, "low": elo.low, "high": elo.high},
        "faults": [{"game": number, "player": player, "fault": fault} for number, player, fault in found.faults],
    }  # fmt: skip


def in_words(match: Match, found: Standings) -> Sequence[str]:
    """Return the lines that a person reads at the end of a match."""
    lines = [
        _(
            "{game}: {games} games in pairs with sides changed, the same cards and dice for both; seed {seed}.",
            game=match.pack.rules.title,
            games=found.games,
            seed=match.seed,
        )
    ]
    each = found.games // 2
    for key, player in match.players.items():
        by_seat = ", ".join(
            _("{n} of {games} as {seat}", n=n, games=each, seat=seat) for seat, n in found.wins[key].items()
        )
        lines.append(_("{key} ({name}) wins {n}: {seats}.", key=key, name=player.name, n=found.won(key), seats=by_seat))
    lines.append(_("Drawn: {n}.", n=found.draws))
    score, elo = found.score, found.elo
    lines.append(
        _(
            "Score of A: {score} % (95 % interval: {low} to {high} %).",
            score=_percent(score.per_mille),
            low=_percent(score.low),
            high=_percent(score.high),
        )
    )
    lines.append(
        _(
            "A above B in Elo: {gap} (95 % interval: {low} to {high}).",
            gap=_gap(elo.gap, found.points * 2 > found.games),
            low=_gap(elo.low, above=False),
            high=_gap(elo.high, above=True),
        )
    )
    lines += [
        _("Game {number}, {key} loses: {fault}", number=number, key=key, fault=fault)
        for number, key, fault in found.faults
    ]
    return lines


def _percent(per_mille: int) -> str:
    return f"{per_mille // 10}.{per_mille % 10}"


def _gap(elo: int | None, above: bool) -> str:
    if elo is None:
        return _("without bound") if above else _("without bound below")
    return f"{elo:+}"
