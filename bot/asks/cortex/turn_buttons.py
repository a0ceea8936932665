"""What a challenge waits for, as buttons: below what is shown of it, and below rolls that are its turns."""

from bot.asks.cortex import challenge, face, turn
from bot.render.card import MOST_IN_ROW, Button
from rules.cortex import challenge as cortex_challenge
from rules.cortex.kinds import Foe, Target
from rules.cortex.model import CORTEX, Roll
from rules.names import key
from rules.table import Table


def challenge_buttons(table: Table, pool: Target) -> list[Button]:
    """What a challenge waits for: a roll against it, who is next, its own act, or a reaction to it."""
    running = CORTEX.of(table).challenges[pool.key]
    if running.against in table.characters:
        return [challenge.react_button(table, pool)]
    act = challenge.button(table, pool)
    if cortex_challenge.is_its_turn(table, running):
        return [act]
    is_open = bool(running.order.turn) and running.order.turn not in running.order.acted
    following = turn.challenge_buttons(table, pool)
    return [*([face.button(table, pool)] if is_open else []), *(following or ([act] if is_open else []))]


def roll_turn(table: Table, roll: Roll) -> list[Button]:
    """Under a roll that was a turn in a challenge, or a reaction to one: what the challenge waits for now."""
    here = CORTEX.of(table)
    target = None if roll.against is None else roll.against.target
    if target is None or target.foe is not Foe.CHALLENGE or target.key not in here.challenges:
        return []
    order = here.challenges[target.key].order
    is_reaction = roll.against is not None and roll.against.acts
    is_latest = order.turn == key(roll.who) and order.turn in order.acted
    if not is_latest and not (is_reaction and not order.turn and not order.acted):
        return []
    return challenge_buttons(table, target)[:MOST_IN_ROW]
