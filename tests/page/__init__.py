"""The page: the desk's service, its server, its face."""
