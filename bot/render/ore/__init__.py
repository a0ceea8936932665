"""One-Roll games in words."""
