"""Doomkeeper, a Discord bot for playing Cortex and One-Roll Engine games together."""

VERSION = "0.4.0"
"""The version, as in the package's metadata."""
SOURCE = ""
"""Where the source is, an https address as in the package's metadata; empty while it has none."""
EX_CONFIG = 78
"""The exit code for what somebody has to put right first (`os` has it on Unix only)."""
