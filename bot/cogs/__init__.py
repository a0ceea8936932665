"""Slash commands, one module per command group."""
