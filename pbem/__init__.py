"""Play board games of hidden information by e-mail, on a host that cannot bend dice, cards, rules or the record without
being found out."""

__version__ = "0.1.0"
