"""The questions of the Winter Turn. Rules 7.1-7.6."""

from __future__ import annotations

from collections.abc import Mapping

from .question import Question

QUESTIONS: Mapping[str, Question] = {}
