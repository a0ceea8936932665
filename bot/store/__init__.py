"""Where tables are kept: the only room that knows SQL."""
