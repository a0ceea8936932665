"""Use cases: play a step, answer with it, import files, plan sessions, delete personal data."""
