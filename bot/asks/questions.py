"""Every question that is asked at a table of any game."""

from bot.asks import plan, post, session, stretch

QUESTIONS = tuple(question for room in (plan, post, session, stretch) for question in room.QUESTIONS)
