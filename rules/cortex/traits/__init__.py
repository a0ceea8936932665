"""What people and the GM have: traits, plot points, dice of the GM, SFX, sheets."""
