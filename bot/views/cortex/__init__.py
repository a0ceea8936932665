"""Texts, buttons and forms of Cortex."""
