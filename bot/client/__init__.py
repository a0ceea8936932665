"""The Discord client: requests, responses, messages, pinned tables, threads and emojis."""
