"""Reports: views and facts turned into text. A seat's report uses only that seat's view."""
