"""Slash commands for One-Roll."""
