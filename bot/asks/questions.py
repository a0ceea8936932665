"""Every question that is asked at a table of any game."""

from bot.asks import join, plan, post, session, sheet

QUESTIONS = tuple(question for room in (join, plan, post, session, sheet) for question in room.QUESTIONS)
