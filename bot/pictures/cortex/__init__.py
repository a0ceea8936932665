"""Pictures of Cortex: odds, and the course of a session."""
