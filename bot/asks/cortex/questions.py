"""Every question of Cortex."""

from bot.asks.cortex import (
    apply,
    challenge,
    contest,
    deeds,
    effect_roll,
    face,
    hidden,
    hitches,
    join,
    keep,
    near_name,
    oppose,
    pool,
    reroll,
    scene,
    seize,
    sheet,
    spend,
    statement,
    stay_in,
    steps,
    table,
    turn,
    xp,
)

_ROLLS = (apply, deeds, effect_roll, hidden, hitches, keep, near_name, oppose, reroll, seize, spend, steps)
_SEATS = (join, sheet, statement, xp)
_FOES = (challenge, contest, face, pool, scene, stay_in, table, turn)
QUESTIONS = tuple(question for room in (*_ROLLS, *_FOES, *_SEATS) for question in room.QUESTIONS)
