"""Reports: views and facts made into text. A report of a seat sees that seat's view and nothing else."""
