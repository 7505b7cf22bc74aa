"""The example game can be found by its id."""

from __future__ import annotations

from tests.host.conftest import the_example_game_is_found

__all__ = ["the_example_game_is_found"]
