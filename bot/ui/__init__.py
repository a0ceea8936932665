"""Cards as Discord messages: text, buttons, forms, the pinned table."""
