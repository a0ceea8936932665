"""Cortex in words."""
