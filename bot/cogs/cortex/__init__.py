"""Slash commands for Cortex."""
