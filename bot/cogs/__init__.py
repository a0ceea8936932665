"""Slash commands, a module a group of commands."""
