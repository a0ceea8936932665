"""What stands at a table and how it is read: the ruleset, what rolls come to, turns, what is unseen."""
