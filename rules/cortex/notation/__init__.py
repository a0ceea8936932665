"""Typed dice: text becomes tokens, a tree, and then a pool; printed dice are read back as the same."""
