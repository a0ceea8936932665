"""What is carried in from elsewhere."""
