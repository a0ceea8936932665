"""What players are asked in Cortex."""
