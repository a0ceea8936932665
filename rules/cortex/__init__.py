"""Cortex: the table as a value, and the rules as functions from a table to the next one."""
