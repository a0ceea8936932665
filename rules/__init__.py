"""Rules of the games: pure functions that use no clock, randomness, Discord or database."""
