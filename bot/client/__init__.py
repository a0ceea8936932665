"""The Discord client: loads the commands, answers presses and forms, stops without losing anything."""
