"""Every kind of fact as a sentence. Everything is open, so everybody reads the same except for “you”."""

from __future__ import annotations

from pbem.i18n import N_, _, _n
from pbem.kernel import Json

from ..rules import told
from ..rules.names import PICTS
from .words import a_cube, both, card, colour, cubes, icon, place, player, points, shape


class Teller:
    """Tells facts to one seat, or to nobody in particular."""

    def __init__(self, you: str | None) -> None:
        self.you = you

    def by(self, seat: str, yours: str, others: str, **values: object) -> str:
        """Return the sentence for a seat's action: `yours` is for the seat itself, `others` for all others; both are messages."""
        return _(yours, **values) if seat == self.you else _(others, who=player(seat), **values)

    def sentence(self, fact: told.SwordsFact) -> str:
        """Return the sentence for a fact. Raises LookupError if there is none."""
        for tell in (self._of_the_beginning, self._of_a_flip, self._of_glory, self._of_a_battle, self._of_its_end):
            if (said := tell(fact)) is not None:
                return said
        raise LookupError(fact.kind)

    def _of_the_beginning(self, fact: told.SwordsFact) -> str | None:
        match fact:
            case told.TokensDealt(regions, tokens):
                said = (f"{region} {token}" for region, token in zip(regions, tokens, strict=True))
                return _("The tokens are dealt: {tokens}.", tokens=both(said))
            case told.GloryDealt(cards):
                return _("The glory cards of this game: {cards}.", cards=both(map(card, cards)))
            case told.Begins(seat, 0):
                return self.by(seat, N_("You begin."), N_("{who} begins."))
            case told.Begins(seat, die):
                return _("The die shows {die}: {who} begins.", die=die, who=player(seat))
            case told.CubePlaced(seat, region, no):
                yours, others = N_("You place your cube {no} in {region}."), N_("{who} places cube {no} in {region}.")
                return self.by(seat, yours, others, region=region, no=no)
            case told.RoundBegins(no, top, leader):
                return _("\nRound {round}: {who} leads, a {top} lies on top", round=no, top=top, who=player(leader))
        return None

    def _of_a_flip(self, fact: told.SwordsFact) -> str | None:
        match fact:
            case told.CardFlipped(flip, name, number):
                return _("\nFlip {flip}: {icon}, {number}", flip=flip, icon=icon(name), number=number)
            case told.CubeOnBoard(seat, square, source, pict):
                what = {"cube": a_cube(pict), "square": square, "place": place(source)}
                if source:
                    yours, others = (
                        N_("You place {cube} from {place} on {square}."),
                        N_("{who} places {cube} from {place} on {square}."),
                    )
                    return self.by(seat, yours, others, **what)
                return self.by(
                    seat, N_("You place {cube} on {square}."), N_("{who} places {cube} on {square}."), **what
                )
            case told.NothingPlaced(seat):
                return self.by(seat, N_("You can place nothing."), N_("{who} can place nothing."))
            case told.Deployed(seat, _squares, kind, pulled, region, picts):
                yours = N_("You deploy {cubes} from a formation ({shape}) to {region}.")
                others = N_("{who} deploys {cubes} from a formation ({shape}) to {region}.")
                return self.by(seat, yours, others, cubes=cubes(len(pulled), picts), shape=shape(kind), region=region)
            case told.Shifted(_seat, start, goal, n, picts):
                return _n(
                    " Then {cubes} moves from {start} to {goal}.", " Then {cubes} move from {start} to {goal}.",
                    n, cubes=cubes(n, picts), start=start, goal=goal,
                )  # fmt: skip
            case told.Reinforced(_seat, region, pict):
                return _(" Then {cube} comes to {region} from the supply.", cube=a_cube(pict), region=region)
            case told.CastleTaken(_seat, castle, region, pict, None):
                return _(" Then {cube} of {region} occupies {castle}.", cube=a_cube(pict), region=region, castle=castle)
            case told.CastleTaken(_seat, castle, region, pict, out):
                return _(
                    " Then {cube} of {region} occupies {castle} and throws {colour} out.",
                    cube=a_cube(pict), region=region, castle=castle, colour=colour(out or PICTS),
                )  # fmt: skip
            case told.CubeCarried(seat, start, goal):
                yours, others = (
                    N_("Your Merchant moves a cube from {start} to {goal}."),
                    N_("{who}'s Merchant moves a cube from {start} to {goal}."),
                )
                return self.by(seat, yours, others, start=start, goal=goal)
        return None

    def _of_glory(self, fact: told.SwordsFact) -> str | None:
        match fact:
            case told.CardHeld(name, "", before):
                return _("{card}: nobody has it now, {who} loses it.", card=card(name), who=player(before))
            case told.CardHeld(name, seat, ""):
                return self.by(seat, N_("{card} is yours now."), N_("{card}: {who} has it now."), card=card(name))
            case told.CardHeld(name, seat, before):
                yours = N_("{card} is yours now, {before} loses it.")
                others = N_("{card}: {who} has it now, {before} loses it.")
                return self.by(seat, yours, others, card=card(name), before=player(before))
            case told.PictsCome(_seat, n):
                return _n(
                    " {n} cube of the Picts comes from the side of the board.",
                    " {n} cubes of the Picts come from the side of the board.",
                    n,
                )
            case told.PictsGo(_seat, n):
                return _n(
                    " {n} cube of the Picts goes to the side of the board.",
                    " {n} cubes of the Picts go to the side of the board.",
                    n,
                )
            case told.CardinalStands(seat, region):
                yours, others = N_("You put the Cardinal in {region}."), N_("{who} puts the Cardinal in {region}.")
                return self.by(seat, yours, others, region=region)
            case told.WallStands(seat, border):
                yours = N_("You put Hadrian's Wall between {one} and {other}.")
                others = N_("{who} puts Hadrian's Wall between {one} and {other}.")
                return self.by(seat, yours, others, one=border[0], other=border[1])
            case told.IconWild(seat, name):
                yours, others = N_("The {icon} is wild for you."), N_("The {icon} is wild for {who}.")
                return self.by(seat, yours, others, icon=icon(name))
            case told.GloryPoints(seat, name, n):
                return _(" {card}: {points} for {who}.", card=card(name), points=points(n), who=player(seat))
        return None

    def _of_a_battle(self, fact: told.SwordsFact) -> str | None:
        match fact:
            case told.BattleBegins(region, token, present):
                there = both(f"{player(one.seat)} {one.n}" for one in present)
                return _("\nBattle in {region} for {points}: {there}", region=region, points=points(token), there=there)
            case told.SwordDrawn(seat, region, source, pict):
                whence = place(source) if source else _("the supply")
                return _(
                    "{who} draws the Long Sword: {cube} from {place} comes to {region}.",
                    who=player(seat), cube=a_cube(pict), place=whence, region=region,
                )  # fmt: skip
            case told.Killed(seat, castle, name):
                what = {"castle": place(castle), "who": player(seat), "colour": colour(name)}
                return _("{castle} ({who}) removes a cube: {colour}.", **what)
            case told.Committed(_region, numbers, last):
                said = both(_("{who} {n} of {of}", who=player(one.seat), n=one.n, of=one.of) for one in numbers)
                return (
                    _("Seeing that, commits: {numbers}.", numbers=said)
                    if last
                    else _("Committed: {numbers}.", numbers=said)
                )
        return None

    def _of_its_end(self, fact: told.SwordsFact) -> str | None:
        match fact:
            case told.Won(seat, region, n, how):
                yours = N_("You win in {region}{how}: {points}.")
                others = N_("{who} wins in {region}{how}: {points}.")
                return self.by(seat, yours, others, region=region, how=_(_HOW[how]), points=points(n))
            case told.AllLost(region):
                return _("Nobody wins in {region}: all lose.", region=region)
            case told.Healed(seat, pict):
                return self.by(
                    seat, N_("Your Druid heals {cube}."), N_("{who}'s Druid heals {cube}."), cube=a_cube(pict)
                )
            case told.Retreated(seat, start, goal, n, picts):
                yours = N_("You retreat from {start} to {goal} with {cubes}.")
                others = N_("{who} retreats from {start} to {goal} with {cubes}.")
                return self.by(seat, yours, others, start=start, goal=goal, cubes=cubes(n, picts))
            case told.NoWay(seat, region, n):
                return _n(
                    "No way is open from {region}: {n} cube of {who} goes to the supply.",
                    "No way is open from {region}: {n} cubes of {who} go to the supply.",
                    n, region=region, who=player(seat),
                )  # fmt: skip
            case told.GloryBid(seat, name, n):
                yours, others = N_("You put {cubes} on {card}."), N_("{who} puts {cubes} on {card}.")
                return self.by(seat, yours, others, cubes=cubes(n), card=card(name))
            case told.LeaderIs(seat):
                return self.by(seat, N_("You lead now."), N_("{who} leads now."))
            case told.RoundScored(no, regions, total):
                return _scored(no, regions, total)
        return None


_HOW = {
    "unopposed": N_(", alone there"),
    "most": N_(", with the most cubes"),
    "crown": N_(" by the Crown"),
    "third": N_(", next below a tie"),
}


def _scored(no: int, regions: tuple[told.RegionScored, ...], total: dict[str, int]) -> str:
    lines = [_("\nRound {round} is over", round=no)]
    for seat, n in total.items():
        own = [f"{one.region} {one.points}" for one in regions if one.seat == seat]
        if own:
            what = {"who": player(seat), "regions": both(own), "points": points(n)}
            lines.append(_("{who}: {regions}; {points} in all", **what))
        else:
            lines.append(_("{who}: no region; {points} in all", who=player(seat), points=points(n)))
    if tied := [one.region for one in regions if one.how == "tie"]:
        lines.append(_("Tied, for nobody: {regions}", regions=both(tied)))
    return "\n".join(lines)


def result(said: Json) -> str:
    """Return a sentence for the end of the game."""
    score = ", ".join(
        f"{player(seat)} {n}" for seat, n in sorted(said["points"].items(), key=lambda one: (-one[1], one[0]))
    )
    if not said["winner"]:
        return _("{who} share the victory. Points: {score}.", who=both(map(player, said["shared"])), score=score)
    why = {"points": "", "crown": _(", by the Crown"), "cubes": _(", with the most cubes on the board")}[said["why"]]
    return _("{who} wins{why}. Points: {score}.", who=player(said["winner"]), why=why, score=score)
