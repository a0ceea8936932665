"""How fast the bot is, beside a bare one: `uv run python -m tests.bench`."""
