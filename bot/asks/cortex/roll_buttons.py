"""What can be done with a roll: two rows of buttons, each of use to somebody (R4, H4, T2, T6)."""

from bot.asks import what_for
from bot.asks.cortex import (
    contest,
    deeds,
    effect_roll,
    hitches,
    keep,
    near_name,
    oppose,
    reroll,
    seize,
    steps,
)
from bot.asks.cortex.apply import buttons as apply_buttons
from bot.asks.cortex.spend import button as spend_button
from bot.asks.cortex.turn_buttons import roll_turn
from bot.render.card import MOST_IN_ROW, Button, led
from rules.cortex.actions import RollReading
from rules.cortex.effects import is_gm_side
from rules.table import Table

GMS_VERBS = frozenset({"hitches", "oppose", "stands", "takeback"})
APPLY_VERBS = frozenset({"apply", "applyas"})
_SPENDING = frozenset({"spend"})
_STANDS = frozenset({"stands"})
MOST_CHOICES = 5
"""A roll shows this many other choices as buttons, the paid one among them."""


def roll_rows(table: Table, reading: RollReading) -> tuple[tuple[Button, ...], ...]:
    """What can be done with a roll, the likeliest first and in colour, then the other choices."""
    if not reading.is_on_table:
        return ()
    if reading.is_in_doubt:
        return led(deeds.doubt_buttons(reading), but=GMS_VERBS if reading.came.is_failed else ())
    return what_for.asking(_rows(table, reading), reading.came.roll)


def _rows(table: Table, reading: RollReading) -> tuple[tuple[Button, ...], ...]:
    made = [reroll.button(reading)] if reading.is_bare else _deeds(table, reading)
    found = [*made, *near_name.buttons(reading), *deeds.turn_buttons(reading)]
    first, more = found[:MOST_IN_ROW], [*found[MOST_IN_ROW:], *_choices(reading)]
    return led(first, more[:MOST_IN_ROW], but=_of_the_gm(table, reading))


def _of_the_gm(table: Table, reading: RollReading) -> frozenset[str]:
    """The verbs of what only the GM may press below a player's roll: the player is not led there."""
    if reading.came.roll.gm:
        return frozenset()
    verbs = _STANDS if reading.deeds.can_buy else _STANDS | _SPENDING
    if reading.came.is_failed:
        verbs |= GMS_VERBS
        verbs |= APPLY_VERBS if is_gm_side(table, reading.came) else frozenset()
    return verbs


def _choices(reading: RollReading) -> list[Button]:
    """The other choices, and the one that a PP buys if it betters the verdict."""
    roll, can = reading.came.roll, reading.deeds
    if roll.answered or roll.applied:
        return []
    paid_for = [keep.paid_button(reading, can.bought)] if can.bought is not None else []
    last = [*steps.buttons(reading), *paid_for]
    if can.can_pick:
        last.append(keep.other_button(reading))
    room = max(0, MOST_CHOICES - len(last))
    return [*(keep.button(reading, other) for other in can.others[:room]), *last][:MOST_CHOICES]


def _deeds(table: Table, reading: RollReading) -> list[Button]:
    """What players and the GM may do with the roll now, the likeliest first."""
    roll, can = reading.came.roll, reading.deeds
    handing = roll_turn(table, roll)
    lasting = [*deeds.bank_buttons(reading), *deeds.hero_back_buttons(reading), *deeds.back_buttons(reading)]
    used = deeds.recover_buttons(reading) or apply_buttons(table, reading)
    answers = contest.buttons(roll) if reading.is_waiting else []
    spend = [spend_button(reading)] if can.can_spend else []
    bought = [hitches.button(reading)] if can.hitches else []
    if can.can_roll_effect:
        used = [effect_roll.button(reading)]
    row = [*used, *lasting, *spend, *bought] if used else [*answers, *bought, *lasting, *spend]
    if can.opportunities:
        row.append(seize.button(reading))
    if can.can_oppose:
        row.append(oppose.button(roll))
    if used:
        row += answers
    if not answers and roll.gm and not roll.contest:
        against = oppose.against_button(roll)
        row = [against, *row] if roll.on else [*row, against]
    return [*row, *handing] if used else [*handing, *row]
