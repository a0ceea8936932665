"""Text, buttons and forms of One-Roll."""
