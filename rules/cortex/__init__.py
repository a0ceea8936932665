"""Cortex: the table as a value, and rules as functions from one table to the next."""
