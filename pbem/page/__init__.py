"""The page: what runs pbem in a browser, and how its folder is built."""
