"""Slash commands of One-Roll."""
