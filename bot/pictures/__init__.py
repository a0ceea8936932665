"""Pictures: the faces of dice, and charts with the words that say the same."""
