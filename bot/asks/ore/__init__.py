"""What players are asked in One-Roll games."""
