"""The commands of Cortex."""
