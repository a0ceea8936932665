"""What can be done with a roll: two rows of buttons, each of use to somebody (R4, H4, T2, T6)."""

from bot.asks import contest, deeds, hitches, keep, oppose, reroll, seize, steps
from bot.asks.apply import buttons as apply_buttons
from bot.asks.deeds import doubt_buttons
from bot.asks.foe_buttons import roll_turn
from bot.asks.spend import button as spend_button
from bot.render.card import Button, led
from rules.cortex import doom_use, outcome
from rules.cortex.amend import can_amend
from rules.cortex.apply import can_recover
from rules.cortex.exchange import is_waiting
from rules.cortex.hitches import has_touchable, opportunities, ways
from rules.cortex.in_force import rules_of
from rules.cortex.reroll import is_fixed
from rules.cortex.roll import is_bare
from rules.cortex.ruleset import Opportunities
from rules.cortex.sfx_use import usable
from rules.cortex.spend import can_effect, can_hero, can_pay, can_total, over_limit, paid
from rules.table import Hand, Roll, Table

MOST_CHOICES = 5
"""A roll shows this many other choices as buttons, the paid one among them."""
MOST_IN_ROW = 5
"""A row holds this many buttons."""


def roll_rows(table: Table, roll: Roll) -> tuple[tuple[Button, ...], ...]:
    """What can be done with a roll, the likeliest first and in colour, then the other choices."""
    if table.rolls.get(roll.number) is None:
        return ()
    if doubt := doubt_buttons(table, roll):
        return led(doubt, [])
    found = [reroll.button(roll)] if is_bare(table) else _deeds(table, roll)
    first, more = found[:MOST_IN_ROW], [*found[MOST_IN_ROW:], *_choices(table, roll)]
    return led(first, more[:MOST_IN_ROW])


def _choices(table: Table, roll: Roll) -> list[Button]:
    """The other choices, and the one that a PP buys if it betters the verdict."""
    if roll.answered or roll.applied:
        return []
    bought = None if is_bare(table) or not can_pay(table, roll) else paid(table, roll)
    paid_for = [keep.paid_button(table, roll, bought)] if bought is not None else []
    last = [*steps.buttons(table, roll), *paid_for]
    if can_pick(roll.hand):
        last.append(keep.other_button(roll))
    kept = outcome.kept(roll.hand)
    others = [choice for choice in outcome.options(roll, rules_of(table, roll)) if choice != kept]
    room = max(0, MOST_CHOICES - len(last))
    return [*(keep.button(table, roll, choice) for choice in others[:room]), *last][:MOST_CHOICES]


def can_pick(hand: Hand) -> bool:
    """Whether other dice than the kept ones could be kept (R1)."""
    return len(outcome.usable(hand)) > outcome.fewest(hand)


def _deeds(table: Table, roll: Roll) -> list[Button]:
    """What players and the GM may do with the roll now, the likeliest first."""
    handing = roll_turn(table, roll)
    lasting = [*deeds.bank_buttons(table, roll), *deeds.back_buttons(table, roll)]
    used = [deeds.recover_button(table, roll)] if can_recover(table, roll) else apply_buttons(table, roll)
    answers = contest.buttons(roll) if is_waiting(table, roll) else []
    spend = [spend_button(roll)] if can_spend(table, roll) else []
    bought = [hitches.button(roll)] if ways(table, roll) else []
    row = [*used, *lasting, *spend, *bought] if used else [*answers, *bought, *lasting, *spend]
    if (
        opportunities(roll)
        and rules_of(table, roll).opportunities is Opportunities.TRAITS
        and has_touchable(table)
    ):
        row.append(seize.button(roll))
    if can_oppose(roll):
        row.append(oppose.button(roll))
    if used:
        row += answers
    if not answers and roll.gm and not roll.contest:
        against = oppose.against_button(roll)
        row = [against, *row] if roll.on else [*row, against]
    return [*row, *handing] if used else [*handing, *row]


def can_spend(table: Table, roll: Roll) -> bool:
    """Whether a PP or a doom die could buy anything for the roll."""
    if not roll.applied and not roll.answered and usable(table, roll):
        return True
    if doom_use.opposition_purses(table, roll):
        return True
    if roll.applied or roll.answered or not can_pay(table, roll):
        return False
    is_over = bool(over_limit(roll, rules_of(table, roll)))
    return (
        roll.gm
        or can_total(roll)
        or can_effect(roll)
        or is_over
        or can_hero(table, roll)
        or (rules_of(table, roll).reroll_for_pp and not all(map(is_fixed, roll.hand.dice)))
    )


def can_oppose(roll: Roll) -> bool:
    """Whether the GM could give the roll its opposition, choose for it, or put it right."""
    if roll.applied or roll.gm or roll.recovery is not None or roll.contest:
        return False
    return roll.against is None or can_amend(roll)
