"""What can be done with a roll: two rows of buttons, each of use to somebody (R4, H4, T2, T6)."""

from bot.render.card import Button, Tone
from bot.render.roll import choice_sign, choice_words
from rules.cortex import outcome
from rules.cortex.apply import can_recover, hitches, open_effects
from rules.cortex.hitches import opportunities, ways
from rules.cortex.roll import is_bare, rules_of
from rules.cortex.ruleset import Opportunities
from rules.cortex.spend import can_effect, can_total, over_limit, paid_choice, version
from rules.cortex.table import Roll, Table, key

MOST_CHOICES = 5
"""A roll shows this many other choices as buttons, the paid one among them."""


def roll_rows(table: Table, roll: Roll) -> tuple[tuple[Button, ...], ...]:
    """The buttons under a roll; none when it is closed."""
    if table.rolls.get(roll.number) is None:
        return ()
    return tuple(row for row in (_choices(table, roll), _deeds(table, roll)) if row)


def _choices(table: Table, roll: Roll) -> tuple[Button, ...]:
    """The other choices, and the one that a PP buys if it betters the verdict."""
    if roll.applied:
        return ()
    paid = None if is_bare(table) or not _can_pay(table, roll) else paid_choice(table, roll)
    kept = outcome.kept(roll.hand)
    others = [choice for choice in outcome.choices(roll.hand) if choice != kept]
    others = others[: MOST_CHOICES - (paid is not None)]
    row = [Button(choice_words(c), "keep", roll.number, choice_sign(c)) for c in others]
    if paid is not None:
        row.append(Button(f"{choice_words(paid)} for 1 PP", "buykeep", roll.number, version(roll), Tone.MAIN))
    return tuple(row)


def _deeds(table: Table, roll: Roll) -> tuple[Button, ...]:
    """What players and the GM may do with the roll now."""
    number = roll.number
    if is_bare(table):
        return (Button("Reroll", "reroll", number, version(roll)),)
    row = [Button(f"Apply d{e.size}", "apply", number, str(e.place), Tone.MAIN) for e in _usable(table, roll)]
    if can_recover(table, roll):
        row = [Button("Apply", "recover", number, tone=Tone.MAIN)]
    if can_spend(table, roll):
        row.append(Button("Spend", "spend", number, version(roll)))
    bought = ways(table, roll)
    if bought:
        row.append(Button(f"Hitches: {len(hitches(roll))}", "hitches", number))
    left = opportunities(roll)
    if left and rules_of(table, roll).opportunities is Opportunities.TRAITS and _has_targets(table):
        row.append(Button(f"Opportunities: {len(left)}", "seize", number))
    if can_oppose(roll):
        row.append(Button("Oppose", "oppose" if roll.against is None else "counter", number))
    if roll.gm:
        row.append(Button("Roll against", "against", number, tone=Tone.GOOD))
    return tuple(row[:5])


def can_spend(table: Table, roll: Roll) -> bool:
    """Whether a PP or a doom die could buy anything for the roll."""
    if roll.applied or not _can_pay(table, roll):
        return False
    is_over = bool(over_limit(roll, rules_of(table, roll)))
    return (
        can_total(roll)
        or can_effect(roll)
        or is_over
        or any(not die.used and not die.removed for die in roll.hand.dice)
    )


def can_oppose(roll: Roll) -> bool:
    """Whether the GM could give the roll its opposition, or choose for it."""
    if roll.applied or roll.gm or roll.recovery is not None:
        return False
    if roll.against is None:
        return True
    hand = roll.against.hand
    return hand is not None and not roll.against.roll and len(outcome.choices(hand)) > 1


def _usable(table: Table, roll: Roll) -> list[outcome.Effect]:
    return [] if roll.recovery is not None else open_effects(table, roll)[:2]


def _can_pay(table: Table, roll: Roll) -> bool:
    if roll.gm:
        return not table.ruleset.doom or bool(table.doom)
    character = table.characters.get(key(roll.who))
    return character is not None and character.pp > 0


def _has_targets(table: Table) -> bool:
    people = (*table.characters.values(), table.scenery)
    return any(p.complications or any(a.die < 12 for a in p.assets.values()) for p in people)
