"""The questions that the rules put: how each is answered. Each works from the asked seat's view alone.

==========  ===========================================================================
question    what a question is: its forms, its options, why not, the answer of silence
turn        `card`, `act`: the card and move phases
battle      battles, retreats, regroups, pillage and raids
winter      `home`, `disband`, `build`
==========  ===========================================================================
"""

from __future__ import annotations

from collections.abc import Mapping

from . import battle, turn, winter
from .question import Question

QUESTIONS: Mapping[str, Question] = {**turn.QUESTIONS, **battle.QUESTIONS, **winter.QUESTIONS}
"""Every question that the rules may put, by its name."""
