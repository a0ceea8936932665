"""Every question of Cortex."""

from bot.asks.cortex import (
    apply,
    challenge,
    contest,
    deeds,
    face,
    hidden,
    hitches,
    keep,
    oppose,
    pool,
    reroll,
    scene,
    seize,
    spend,
    stay_in,
    steps,
    table,
    turn,
)

_ROLLS = (apply, deeds, hidden, hitches, keep, oppose, reroll, seize, spend, steps)
_FOES = (challenge, contest, face, pool, scene, stay_in, table, turn)
QUESTIONS = tuple(question for room in (*_ROLLS, *_FOES) for question in room.QUESTIONS)
