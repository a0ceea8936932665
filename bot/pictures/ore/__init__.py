"""Charts of One-Roll."""
