"""The commands of One-Roll games."""
