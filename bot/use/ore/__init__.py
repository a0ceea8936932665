"""The use cases of One-Roll."""
