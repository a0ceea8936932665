"""Rules of every campaign, whatever game is played."""
