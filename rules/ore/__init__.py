"""The rules of One-Roll Engine games, full and quick."""
