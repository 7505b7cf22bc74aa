"""Play board games of hidden information by e-mail, on a host that no player has to trust."""

__version__ = "0.1.0"
