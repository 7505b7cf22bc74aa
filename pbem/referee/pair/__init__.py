"""Two players without a host: each goes by their own view, and both secrets together allow judging the whole game."""

from .judging import audit_pair, missing_rules, other_rules
from .play import PairPlay
from .retelling import Retold, retold
from .steps import PairSteps, why_unfit

__all__ = ["PairPlay", "PairSteps", "Retold", "audit_pair", "missing_rules", "other_rules", "retold", "why_unfit"]
