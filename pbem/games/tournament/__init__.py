"""The bids that open a tournament of Hammer of the Scots, as a small game of its own: who meets whom, on which side, at what price.

matching.py is the rule, game.py the contract, orders.py what is typed.
"""

from .game import GAME

__all__ = ["GAME"]
