"""Run the bot: serve, health, metrics, logs, and the commands of a host."""
