"""What is the GM's alone: doom dice, rolls, GMCs."""
