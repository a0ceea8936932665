"""Text, buttons and forms of Cortex."""
