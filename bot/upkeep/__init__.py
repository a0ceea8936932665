"""What an operator does to the bot's database and commands by hand: `python -m bot check`, `backup`, …"""
