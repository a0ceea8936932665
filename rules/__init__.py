"""The rules of the games. They are pure: no clock, no chance, no Discord and no database."""
