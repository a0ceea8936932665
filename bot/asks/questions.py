"""Every question by the verb of its button."""

from collections.abc import Mapping

from bot.asks import (
    apply,
    challenge,
    contest,
    deeds,
    face,
    hidden,
    hitches,
    join,
    keep,
    oppose,
    ore,
    plan,
    pool,
    post,
    reroll,
    scene,
    seize,
    session,
    sheet,
    spend,
    stay_in,
    steps,
    table,
    turn,
)
from bot.asks.question import Question

_CORTEX = (
    apply,
    challenge,
    contest,
    deeds,
    face,
    hitches,
    keep,
    oppose,
    reroll,
    scene,
    seize,
    spend,
    steps,
    turn,
)
_ALL = (*_CORTEX, hidden, join, ore, plan, pool, post, session, sheet, stay_in, table)
QUESTIONS: Mapping[str, Question] = {each.verb: each for room in _ALL for each in room.QUESTIONS}
