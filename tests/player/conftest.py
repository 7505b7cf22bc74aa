"""The example game can be found by its id, and rules have a fixed hash, where desks are tried."""

from __future__ import annotations

from tests.host.conftest import rules_have_a_fixed_hash, the_example_game_is_found

__all__ = ["rules_have_a_fixed_hash", "the_example_game_is_found"]
