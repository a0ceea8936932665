"""Texts, buttons and forms of One-Roll."""
