"""A Discord of our own: REST API, gateway, and the local table in a terminal or a browser."""
