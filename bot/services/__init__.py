"""Use cases: play a step, answer with it, import, plan sessions, forget people."""
