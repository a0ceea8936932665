"""Pictures for Cortex: odds, and the course of a session."""
