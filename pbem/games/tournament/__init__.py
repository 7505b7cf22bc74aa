"""The bids that open a tournament of Hammer of the Scots, as a small game of its own: the pairings, the sides, and their prices.

matching.py is the rule, game.py the contract, orders.py the typed orders.
"""

from .game import GAME

__all__ = ["GAME"]
