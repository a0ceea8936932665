"""Pictures: dice faces, charts and portraits."""
