"""The use cases of Cortex."""
