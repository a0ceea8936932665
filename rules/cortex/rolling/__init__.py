"""Pools that are gathered, what is against them, and the roll itself."""
