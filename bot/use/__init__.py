"""Use cases beside play: the pool builder, importing and exporting, one's own data."""
