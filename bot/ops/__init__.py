"""Run the bot: serve, health, metrics, logs, and commands for the host."""
