"""Slash commands of Cortex."""
